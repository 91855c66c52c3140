"""What comes after a game at one seat: the next one of the match by itself, another if both like, or the end."""

from __future__ import annotations

from dataclasses import dataclass, field

import trio

from p2p_schotten.ids import Seat
from p2p_schotten.match import Free, Standing
from p2p_schotten.net.link import Link
from p2p_schotten.ui.front import Front
from p2p_schotten.ui.notice import Again, Parted, Rematch, Scored
from p2p_schotten.ui.text import _


@dataclass
class After:
    """Made when the last record stands. `asks`: somebody sits there and can be asked; `always`: he need not be."""

    link: Link
    front: Front
    standing: Standing  # with the game that is over
    room: bool  # the chain may go on
    asks: bool
    always: bool
    why: str = field(init=False, default="")  # why there is no other game, if there is none
    _open: bool = field(init=False, default=False)
    _wanted: bool = field(init=False, default=False)
    _since: float = field(init=False, default_factory=trio.current_time)

    async def begin(self) -> None:
        """Tell how the match stands, then go on, ask, or leave."""
        if len(self.standing.games) > 1 or not isinstance(self.standing.form, Free):
            self.front.tell(Scored(self.standing), None)
        if not self.room:
            await self.leave(_("no more games fit into one connection"))
        elif self.always or not self.standing.over:
            await self.link.again(None if self.standing.over else self._since)
        elif self.asks:
            self._open = True
            self.front.tell(Rematch(self.standing), None)
        else:
            await self.leave("")

    async def go_on(self, link: Link) -> None:
        """Over another connection than before: what is wanted by itself is wanted still."""
        self.link = link
        if self.always or not self.standing.over:
            await self.link.again(None if self.standing.over else self._since)

    def heard(self, other: Seat) -> None:
        """The other wants another game."""
        if self._open:
            self.front.tell(Again(other), None)

    def parted(self, why: str) -> None:
        """The other does not, or is gone, or the question cannot be answered any more."""
        self.why = why
        if self._open:
            self._open = False  # what is typed from now on answers nothing
            self.front.tell(Parted(why), None)

    async def leave(self, why: str) -> None:
        """I do not want another game."""
        self.why = why
        await self.link.leave()

    async def typed(self, line: str) -> bool:
        """A line while the question is open; false when it is for the front end (talk)."""
        word = line.strip().lower()
        if not self._open or word.startswith("say "):
            return False
        if word in ("yes", "y") and not self._wanted:
            self._wanted = True
            self.front.tell(Again(self.link.peer.seat), None)
            await self.link.again()
        elif word in ("no", "n", "quit", "q"):
            await self.leave(_("you left"))
        elif self._wanted:
            self.front.refuse(_("The other player has not answered yet. Type no to leave, or say and a text to talk."))
        else:
            self.front.refuse(_("Type yes to play again, no to leave, or say and a text to talk."))
        return True
