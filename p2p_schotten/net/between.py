"""When the last record stands: does the other have it, and who wants the next game?"""

from __future__ import annotations

from p2p_schotten.ids import SEATS, Seat, other
from p2p_schotten.net.frames import Tag
from p2p_schotten.protocol.peer import Peer


class Between:
    """The end of one game over one connection."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self._wants = [False, False]  # the next game, by seat
        self._confirmed = False  # the other said something that it says only when it has the last record

    @property
    def sure(self) -> bool:
        """The last record stands, and the other has it too: seat 1 writes it, so seat 0 has it from there."""
        return self._peer.session.finished and (self._peer.seat == SEATS[0] or self._confirmed)

    @property
    def onward(self) -> bool:
        """Both want the next game."""
        return self._peer.session.finished and all(self._wants)

    def hear(self, tag: Tag) -> None:
        """What comes behind the last record shows that the other has it."""
        self._confirmed = self._confirmed or (self._peer.session.finished and tag in (Tag.AGAIN, Tag.BYE))

    def wants(self, seat: Seat) -> bool:
        """That seat has asked for the next game."""
        return self._wants[seat]

    def may_want(self, seat: Seat) -> bool:
        """That seat may ask for it now: both have the last record, as far as either says, and it has not asked yet."""
        return self._peer.session.finished and not self._peer.behind and not self._wants[seat]

    def want(self, seat: Seat) -> None:
        """That seat asks for it now."""
        self._wants[seat] = True
        self._confirmed = self._confirmed or seat == other(self._peer.seat)
