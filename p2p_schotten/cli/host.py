"""`schotten host`: listen, print the invite, wait for a friend, play."""

from __future__ import annotations

import os
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from p2p_schotten.cli.options import (
    Ascii,
    Clock,
    Forfeit,
    Json,
    MatchPoints,
    MatchRounds,
    Me,
    MyRole,
    Name,
    Plain,
    Rules,
    Seed,
    Set,
    Wait,
    chosen_front,
    chosen_name,
    chosen_offer,
    seated,
    whole,
)
from p2p_schotten.cli.status import Failure, Status, interrupted
from p2p_schotten.ui.text import _
from p2p_schotten.ui.wrapping import aside

if TYPE_CHECKING:
    from p2p_schotten.cli.keyboard import Keyboard
    from p2p_schotten.cli.player import Player
    from p2p_schotten.crypto.identity import Identity
    from p2p_schotten.net.connection import Connection
    from p2p_schotten.net.invite import Address
    from p2p_schotten.net.lobby import Lobby
    from p2p_schotten.protocol.offer import Offer

app = typer.Typer(add_completion=False)

STRANGERS = 8  # games that came to nothing with somebody who had no invite; whoever makes more only wants to be seen

Port = Annotated[int, typer.Option("--port", metavar="N", parser=whole("--port", 0, 65535))]
Bind = Annotated[str | None, typer.Option("--bind", metavar="ADDRESS")]
Reach = Annotated[list[str] | None, typer.Option("--address", metavar="HOST[:PORT]")]
OnlyInvited = Annotated[bool, typer.Option("--invited")]


@app.command()
def host(
    port: Port = 0,
    bind: Bind = None,
    address: Reach = None,
    invited: OnlyInvited = False,
    rules: Rules = "base",
    flags: Set = None,
    role: MyRole = None,
    rounds: MatchRounds = None,
    points: MatchPoints = None,
    clock: Clock = None,
    me: Me = None,
    name: Name = None,
    seed: Seed = None,
    wait: Wait = None,
    forfeit: Forfeit = False,
    plain: Plain = False,
    json: Json = False,
    ascii_only: Ascii = False,
) -> int:
    """Wait for a friend and play."""
    import trio

    from p2p_schotten.crypto import group

    offer = chosen_offer(rules, flags, role, rounds, points, clock)
    front = chosen_front(plain, json, ascii_only, me is None)
    extra = tuple(address or ())
    extra_addresses(extra, port or 1)  # says at once what is wrong with them
    with seated(front, me, seed, json=json, forfeit=forfeit) as player:
        group.self_test()
        seat = _Seat(offer, player, chosen_name(name, player.bot), wait, invited)
        trio.run(_host, port, bind, extra, seat, restrict_keyboard_interrupt_to_checkpoints=True)
    return Status.DONE


def extra_addresses(words: tuple[str, ...], port: int | None = None) -> tuple[Address, ...]:
    """Where a machine can be reached besides what is known: HOST with the port of the lobby if given, or HOST:PORT."""
    from p2p_schotten.errors import Malformed
    from p2p_schotten.net.invite import MAX_ADDRESSES, check_address, parse_address

    def read(word: str) -> Address:
        try:
            if word.startswith("[") or word.count(":") == 1:
                return parse_address(word)
            if port is None:
                raise Malformed("expected HOST:PORT")
            return check_address(word, port)
        except Malformed as error:
            raise Failure(Status.USAGE, _("--address {word}: {why}").format(word=word, why=error)) from error

    if len(words) >= MAX_ADDRESSES:
        most = _("--address: an invite has room for {n} of them").format(n=MAX_ADDRESSES - 1)
        raise Failure(Status.USAGE, most)
    return tuple(map(read, words))


@dataclass(frozen=True)
class _Seat:
    """What I offer, who plays here under which name, and how long he waits for somebody whose connection is gone.

    `invited`: the seat is for nobody without the invite.
    """

    offer: Offer
    player: Player
    name: str
    wait: float | None
    invited: bool


async def _host(port: int, bind: str | None, extra: tuple[str, ...], seat: _Seat) -> None:
    from p2p_schotten.cli.keyboard import open_keyboard
    from p2p_schotten.crypto.identity import fingerprint
    from p2p_schotten.errors import Refused
    from p2p_schotten.home import home, known_players, load_identity
    from p2p_schotten.net.invite import MAX_ADDRESSES, SECRET_BYTES
    from p2p_schotten.net.lobby import open_lobby
    from p2p_schotten.ui.notice import Invited, TurnedAway

    offer, player, folder = seat.offer, seat.player, home()
    identity, secret = load_identity(folder), os.urandom(SECRET_BYTES)
    known_players(folder)  # a list that cannot be read is said now, not when somebody comes

    def turned_away(refused: Refused) -> None:
        player.front.tell(TurnedAway(str(refused)), None)

    try:
        async with AsyncExitStack() as stack:
            lobby = await stack.enter_async_context(
                open_lobby(identity, secret=secret, invited_only=seat.invited, port=port, bind=bind, tell=turned_away)
            )
            named = extra_addresses(extra, lobby.port)
            addresses = tuple(dict.fromkeys((*named, *lobby.addresses)))[:MAX_ADDRESSES]
            shown = tuple(map(str, addresses))
            mine = fingerprint(identity.public)
            player.front.tell(Invited(lobby.invite(addresses), shown, mine, offer, to_all=not seat.invited), None)
            if player.bot is None:
                player.keyboard = await stack.enter_async_context(open_keyboard())
            table = _Table(lobby, identity, folder, seat)
            while not await table.sit_down():
                pass
    except KeyboardInterrupt:
        raise interrupted(_("interrupted before a friend came")) from None


@dataclass
class _Table:
    """Where visitors sit down, one after the other, until a game comes about."""

    lobby: Lobby
    identity: Identity
    folder: Path
    seat: _Seat
    strangers: int = 0  # who came without the invite and went without a game

    async def sit_down(self) -> bool:
        """One visitor's game; false when the next one may come.

        That is so when it ended before it had begun, and also later when the visitor ended it and had no invite: a
        stranger ends nobody's waiting. `STRANGERS` of those are enough, then an invite is needed.
        """
        from p2p_schotten.cli.away import open_away
        from p2p_schotten.cli.series import Series
        from p2p_schotten.net.reconnect import Parties

        self.lobby.forget()  # nobody's game goes on
        offer, player, folder = self.seat.offer, self.seat.player, self.folder
        connection = await _visitor(self.lobby, player.keyboard)
        proven = connection.proven
        parties = Parties(self.identity, connection.seat, proven.identity)
        series: Series | None = None
        try:
            async with open_away(parties, player, self.seat.wait, lobby=self.lobby, invited=proven.pinned) as away:
                series = Series(
                    connection, self.identity, self.seat.name, player, folder, offer, people=folder, away=away
                )
                await series.run()
        except Failure as failure:
            if (
                series is None
                or series.stands
                or series.game.left
                or not series.game.theirs
                or (series.game.begun and proven.pinned)
            ):
                raise
            player.again()
            self._turn_away(failure.message)
            if not proven.pinned:
                self._count_stranger()
            return False
        return True

    def _count_stranger(self) -> None:
        self.strangers += 1
        if self.strangers == STRANGERS:
            self.lobby.take_invited_only()
            self._turn_away(_("{n} came without the invite, from now on it is needed").format(n=STRANGERS))

    def _turn_away(self, why: str) -> None:
        from p2p_schotten.ui.notice import TurnedAway

        self.seat.player.front.tell(TurnedAway(why, seated=True), None)


async def _visitor(lobby: Lobby, keyboard: Keyboard | None) -> Connection:
    """The next one who proved who he is and comes for a new game; raises Failure when the player leaves before."""
    import trio

    from p2p_schotten.net.handshake import Role

    async with trio.open_nursery() as nursery:
        if keyboard is not None and keyboard.terminal:
            left = Failure(Status.NO_GAME, _("you left before a friend came"))
            nursery.start_soon(idle, keyboard, left, _("Waiting for a friend; type quit to leave."))
        connection = await lobby.next()
        while connection.proven.role is Role.RESUME:  # welcomed in the moment in which his game was given up
            await connection.aclose()
            connection = await lobby.next()
        nursery.cancel_scope.cancel()
    return connection


async def idle(keyboard: Keyboard, left: Failure, waiting: str) -> None:
    """Somebody waits at the keyboard: he can leave, and nothing else that he types reaches the game; raises `left`."""
    while True:
        try:
            line = await keyboard.line()
        except EOFError:
            raise left from None
        if line.strip().lower() in ("quit", "q"):
            raise left
        aside(waiting)
