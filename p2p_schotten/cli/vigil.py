"""My seat in a game of an earlier run while the other player is looked for: I can leave, or record a win by absence."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NoReturn

import trio

from p2p_schotten.cli.absent import Absences
from p2p_schotten.cli.status import Failure, Status
from p2p_schotten.errors import ChannelError
from p2p_schotten.ids import other
from p2p_schotten.net.asleep import lasting_seconds
from p2p_schotten.protocol.absent import Absent
from p2p_schotten.text import clean_text
from p2p_schotten.ui.desk import Leave, Record
from p2p_schotten.ui.notice import Happening, TimeUp
from p2p_schotten.ui.text import _
from p2p_schotten.ui.voice import NAME_CHARACTERS
from p2p_schotten.ui.wrapping import aside

if TYPE_CHECKING:
    from p2p_schotten.cli.keyboard import Keyboard
    from p2p_schotten.cli.player import Player
    from p2p_schotten.cli.saved import Saved


class Nowhere:
    """The way to the other, as long as there is none."""

    async def absent(self, said: Absent) -> None:
        """Nobody hears it."""
        raise ChannelError(_("the other player is not there"))


class Vigil:
    """The time before the connection, for a seat and its clock; a game that goes on begins with a clock of its own."""

    def __init__(self, saved: Saved, player: Player, now: Callable[[], float] = lasting_seconds) -> None:
        self.peer = saved.restored.peer
        self.player = player
        self.path = saved.restored.journal.path
        self.resumed = True
        self.link = Nowhere()
        self._late = trio.Event()  # the other's time was up, so a win may be recorded
        self._absences = Absences(self, now)
        self._absences.clock.cut()

    async def run(self) -> None:
        """Until it is cancelled; raises Failure when my player leaves, or has recorded his win."""
        async with trio.open_nursery() as nursery:
            if not self.peer.behind:  # who lacks records does not know whose turn it is
                nursery.start_soon(self._absences.watch)
            if self.player.keyboard is not None:
                nursery.start_soon(self._type, self.player.keyboard)

    async def _type(self, keyboard: Keyboard) -> None:
        """Typed lines. Off a terminal none is read before the other's time is up: it may be meant for the game."""
        if not keyboard.terminal:
            await self._late.wait()
        while True:
            try:
                line = await keyboard.line()
            except EOFError:
                if keyboard.terminal:
                    self._left()
                return
            if line.strip().lower() in ("quit", "q"):
                self._left()
            if not self._late.is_set():
                aside(_("Still waiting; type quit to leave."))
                continue
            match self.player.front.answer(line):
                case Record():
                    await self._absences.record()
                case Leave():
                    self._left()

    def _left(self) -> NoReturn:
        raise Failure(Status.UNFINISHED, _("you left before the other player came back"))

    # what `Absences` needs of a seat

    def name(self) -> str:
        """The other player's, fit to be shown."""
        names, seat = self.peer.session.names, other(self.peer.seat)
        return clean_text(names[seat], NAME_CHARACTERS) if len(names) > seat else _("the other player")

    def tell(self, happening: Happening) -> None:
        """The player is told."""
        names = self.peer.session.names
        if isinstance(happening, TimeUp) and not self._late.is_set():
            self._late.set()
            self.player.front.meet(self.peer.seat, (names[0], names[1]))
        dealt = self.peer.session.state is not None
        self.player.front.tell(happening, self.peer.view() if dealt else None)

    def ask_line(self) -> None:
        """Off a terminal too, lines may be typed now: the player was told why."""

    async def leave(self, why: str) -> None:
        """The waiting ends."""
        raise Failure(Status.UNFINISHED, _("the game stands unfinished: {why}").format(why=why))
