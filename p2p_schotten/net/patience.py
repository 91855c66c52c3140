"""Until when the other side is waited for, and what is said when it is not waited for any longer."""

from __future__ import annotations

import math

import trio

from p2p_schotten.errors import ChannelError
from p2p_schotten.ids import SEATS
from p2p_schotten.net.limits import Limits
from p2p_schotten.net.told import Ended
from p2p_schotten.protocol.absent import TOLERANCE
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind


class Patience:
    """Times in seconds of trio's clock."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._heard = self._spoken = 0.0  # of the last whole frame, and of the last record of either side
        self._end_by = self._again_by = math.inf
        self.greeting = False  # a RESUME of the other is due
        self.silent = False  # the player was told that nothing is heard

    def begin(self) -> None:
        """The waiting begins now."""
        self._heard = self._spoken = trio.current_time()

    def heard(self) -> None:
        """A whole frame came."""
        self._heard = trio.current_time()

    def notice_by(self) -> float:
        """When the player is to be told, if nothing is heard until then."""
        return self._heard + self._limits.notice

    def spoken(self) -> None:
        """A record of either side is in the journal."""
        self._spoken = trio.current_time()

    def await_again(self, clock: int | None, since: float) -> None:
        """The other's program goes on with the match by itself: no later than a turn may last, if that was agreed."""
        if clock is not None:
            self._again_by = since + max(clock + TOLERANCE, self._limits.answer)

    def part(self, unread: int) -> float:
        """Only the other's end is waited for: as long as so many bytes take to reach him, and a moment; until when."""
        self._end_by = trio.current_time() + unread / self._limits.slowest + self._limits.linger
        return self._end_by

    def deadline(self, peer: Peer) -> float:
        """When the other is taken for gone: no whole frame for too long, or no record that it owes without a choice."""
        if self._end_by != math.inf:
            return self._end_by
        silent = self._heard + self._limits.silence
        if self.greeting or peer.behind:
            return min(silent, self._spoken + self._limits.answer)
        due = peer.session.due()
        if due is None:
            return min(silent, self._again_by)
        if due[0] == peer.seat or due[1] is Kind.MOVE:
            return silent
        if due[1] is Kind.HELLO and peer.seat == SEATS[0] and peer.session.offer.match.number == 1:
            return silent  # the guest reads the rules before he agrees
        return min(silent, self._spoken + self._limits.answer)

    def end(self, name: str) -> ChannelError:
        """What the player called `name` did not do in time."""
        if trio.current_time() - self._heard >= self._limits.silence:
            return ChannelError(f"nothing was heard from {name} for {self._limits.silence:g} seconds")
        if trio.current_time() >= self._again_by:
            return Ended(f"{name} does not go on with the match")
        return ChannelError(f"{name} did not go on with the game for {self._limits.answer:g} seconds")
