"""The games of one connection: one, a match, or as many as both players like."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from p2p_schotten.cli.away import Away
from p2p_schotten.cli.endings import match_unfinished
from p2p_schotten.cli.game import Agree, Game
from p2p_schotten.cli.player import Player
from p2p_schotten.cli.status import Failure, Status
from p2p_schotten.crypto.identity import Identity
from p2p_schotten.errors import Unreadable
from p2p_schotten.ids import Seat, other
from p2p_schotten.journal import Journal
from p2p_schotten.match import Played, following, form_of, played, read_form, standing
from p2p_schotten.net.connection import Connection
from p2p_schotten.protocol.events import Offered
from p2p_schotten.protocol.offer import Offer
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.session import Session
from p2p_schotten.ui.notice import Parted
from p2p_schotten.ui.text import _


@dataclass(frozen=True, slots=True)
class Restored:
    """A game of an earlier run, as its journal tells it, and the games over that were before it in its match.

    `look_back` finds these once the HELLOs are here; None where they were, so that `before` says it.
    """

    peer: Peer
    journal: Journal
    before: tuple[Played, ...] = ()
    look_back: Callable[[Session], tuple[Played, ...]] | None = None


@dataclass
class Series:
    """One seat of all games over one connection. `run` once."""

    connection: Connection
    identity: Identity
    name: str
    player: Player
    home: Path  # where transcripts and seeds go
    offer: Offer | None = None  # what seat 0 offers; seat 1 takes what is offered, or asks `agree`
    agree: Agree | None = None
    people: Path | None = None  # the home where the other player becomes known; None for the opponent of `play`
    beside: bool = False  # the second seat writes its transcripts into the same home
    always: bool = False  # another game after the last, without asking, for as long as the other likes
    away: Away = field(default_factory=Away)  # what is kept for a cut, and the way back after one
    restored: Restored | None = None  # the game of an earlier run that goes on
    game: Game = field(init=False)
    _first: Game = field(init=False)
    _played: tuple[Played, ...] = field(init=False, default=())
    _last: str = field(init=False, default="")  # the id of the last game that is over, once another is to follow
    _failed: str = field(init=False, default="")  # why a game that both wanted did not come about

    def __post_init__(self) -> None:
        if self.restored is not None:
            self._played = self.restored.before
            self.game = self._first = self._made(self.restored.peer, self.restored.journal, None, None)
            return
        agree = self._takes if self.connection.seat == 1 else None
        self.game = self._first = self._game(self.offer, agree, self.people)

    @property
    def stands(self) -> bool:
        """At least one game has come to its end."""
        return bool(self._played)

    async def run(self) -> None:
        """Every game to its end; raises Failure where one, or the match, did not come to one."""
        while await self._run_one():
            session = self.game.peer.session
            self.connection = self.game.course.connection
            self._played, self._last = (*self.game.before, played(session)), session.game_id.hex()
            self.player.again()
            self.game = self._game(following(session), None, None)
        self._check_match()

    async def _run_one(self) -> bool:
        """The game under way; true when another follows."""
        try:
            return await self.game.run()
        except Failure as failure:
            if not self._played or self.game.begun or failure.status is not Status.NO_GAME:
                raise
            self._failed = failure.message
            return False
        finally:
            self.game.tell_saved()

    def _game(self, offer: Offer | None, agree: Agree | None, people: Path | None) -> Game:
        seat: Seat = self.connection.seat
        before = self._first.peer.session.names if self._played else ()
        peer = Peer(
            seat,
            self.identity,
            before[seat] if before else self.name,
            None if offer is None else offer.rules,
            os.urandom,
            options=None if offer is None else offer.options,
            match=None if offer is None else offer.match,
            other_identity=self.connection.proven.identity,
            other_name=before[other(seat)] if before else None,
        )
        return self._made(peer, Journal(self.home, seat), agree, people)

    def _made(self, peer: Peer, journal: Journal, agree: Agree | None, people: Path | None) -> Game:
        earlier = self.restored if self.restored is not None and peer is self.restored.peer else None
        return Game(
            self.connection,
            peer,
            journal,
            self.player,
            self.home,
            self.away,
            resumed=earlier is not None,
            agree=agree,
            folder=people,
            before=self._played,
            look_back=None if earlier is None else earlier.look_back,
            beside=self.beside,
            always=self.always,
        )

    async def _takes(self, offered: Offered) -> None:
        """The first offer of the host: is it one that this program can play, and does the player agree to it?"""
        try:
            read_form(offered.rules, offered.options.form)
        except Unreadable as error:
            sentence = _("the host offers what this program does not play: {why}")
            raise Failure(Status.NO_GAME, sentence.format(why=error)) from None
        if offered.match.number != 1:
            why = _("the host offers game {n} of a match that began elsewhere").format(n=offered.match.number)
            raise Failure(Status.NO_GAME, why)
        if self.agree is not None:
            await self.agree(offered)

    def _check_match(self) -> None:
        """A match that both agreed to, and that is not over, stands unfinished; raises Failure."""
        session, after = self.game.peer.session, self.game.after
        games = self.game.before if session.outcome is None else (*self.game.before, played(session))
        why = self._failed or (_("the other side fell silent") if after is None else after.why)
        if not standing(form_of(self._first.peer.session), games).over:
            raise match_unfinished(why, self._last if self._failed else session.game_id.hex())
        if self._failed:
            self.player.front.tell(Parted(why), None)
