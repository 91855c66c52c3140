"""A game over as many connections as it takes: after a cut the other is looked for, and it goes on where it stood."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from p2p_schotten.cli.away import Away, long_enough
from p2p_schotten.errors import ChannelError, PeerFault
from p2p_schotten.journal import Journal
from p2p_schotten.match import Played, standing_after
from p2p_schotten.net.connection import Connection
from p2p_schotten.net.ends import close_alone
from p2p_schotten.net.link import Link
from p2p_schotten.net.told import Deliver, Ended, Parted, Told
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.ui.notice import Happening, Reconnecting, Settled
from p2p_schotten.ui.text import _

TRIES = 5  # connections on which somebody may come for the last record


class Listener(Protocol):
    """Who plays the game: he is told what happens to its connection."""

    @property
    def left(self) -> bool:
        """He wants to leave."""

    def tell(self, happening: Happening) -> None:
        """Something happened."""

    def kept(self) -> None:
        """One more record stands in the journal."""

    def cut(self) -> None:
        """The connection is gone, and the other is looked for."""


@dataclass
class Course:
    """`link` is the one over the connection that there is now, or was last. `run` once."""

    connection: Connection
    peer: Peer
    journal: Journal
    home: Path
    away: Away
    before: tuple[Played, ...]  # the games of the match before this one
    resumed: bool
    listener: Listener
    link: Link = field(init=False)

    def __post_init__(self) -> None:
        self.link = self._new_link(self.connection, resumed=self.resumed)

    async def run(self, deliver: Deliver) -> bool:
        """To the end of the game; true when both want another. Raises as `Link.run`."""
        while True:
            before = len(self.peer.records)
            try:
                onward = await self.link.run(deliver)
            except ChannelError as cut:
                if isinstance(cut, Ended) or not self._returns():
                    raise
                if self.away.way is not None:
                    self.away.way.fruitless = self.away.way.fruitless + 1 if len(self.peer.records) == before else 0
                if not await self._come_back(cut, deliver):
                    return False
            else:
                if not self.listener.left and self.peer.session.finished and not self.link.sure:
                    await self._hand_over()
                return onward

    async def _come_back(self, cut: ChannelError, deliver: Deliver) -> bool:
        """The game goes on over another connection; false when it is over without one. Raises ChannelError."""
        self.listener.cut()
        self.listener.tell(Reconnecting(str(cut)))
        session = self.peer.session
        try:
            connection = await self.away.connect(
                over=session.outcome is not None and not session.finished,  # else a match goes on
                least=long_enough(session),
            )
        except ChannelError as error:
            closed = close_alone(self.peer, self.journal, error)
            if closed is not None:
                self.listener.tell(Settled(closed.because))
                return False
            both = f"{cut}; {error}"
            if not session.finished:
                raise ChannelError(both) from None
            if self.away.possible:  # else he left, and knows why
                await deliver(Parted(both))
            return False
        self.connection, self.link = connection, self._new_link(connection, resumed=True)
        return True

    async def _hand_over(self) -> None:
        """The last record stands, and nobody has said yet that he has it too: he gets it if he comes back soon.

        What he says now changes nothing of a game that is over. Only where it convicts somebody is that raised: the
        player must know of the evidence that lies beside his transcript.
        """
        if not self.away.possible:
            return
        self.listener.tell(Reconnecting(_("the other side may lack the last record")))
        try:
            for _try in range(TRIES):
                if self.link.sure or not self.away.possible or self.listener.left:
                    return
                connection = await self.away.connect(over=True)
                self.link = self._new_link(connection, resumed=True, more=False)
                with suppress(ChannelError):
                    await self.link.run(_tell_nobody)
        except ChannelError:
            pass  # nobody came
        except PeerFault as fault:
            if fault.blame is not None:
                raise

    def _new_link(self, connection: Connection, *, resumed: bool, more: bool = True) -> Link:
        return Link(
            connection,
            self.peer,
            self.journal,
            more=more,
            resumed=resumed,
            here=self.away.way.port if self.away.way is not None else 0,
            kept=self._kept,
            returns=self._returns,
        )

    def _kept(self) -> None:
        """A record stands in the journal: with the first ones what a later run needs stands beside it."""
        self.listener.kept()
        if self.peer.game_id is not None and self.journal.begun:
            identity = self.connection.proven.identity
            self.away.save(self.home, self.peer.game_id, self.peer.seat, identity)
        if self.link.begun and self.away.way is not None:
            self.away.way.expect()

    def _returns(self) -> bool:
        """Whether the other is waited for after a cut: as long as a game, or the match, is not over."""
        if not self.away.possible or not self.link.begun or self.listener.left:
            return False
        session = self.peer.session
        return not session.finished or not standing_after(session, self.before).over


async def _tell_nobody(told: Told) -> None:
    """What comes only so that the other has the last record was told before."""
