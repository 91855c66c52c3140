"""What the other says about wins by absence: told in order, and never more of it than an honest side has to say."""

from __future__ import annotations

from collections.abc import Callable

from p2p_schotten.errors import Malformed
from p2p_schotten.ids import SEATS
from p2p_schotten.net.told import AbsenceSaid
from p2p_schotten.protocol.absent import read_absent
from p2p_schotten.protocol.peer import Peer

# One claim and one answer are all that a side has to say about a position, and after a cut it may say them again.
MOST_ABSENTS = 4


class Absents:
    """The ABSENT frames of one connection."""

    def __init__(self, peer: Peer, tell: Callable[[AbsenceSaid], None]) -> None:
        self._peer = peer
        self._tell = tell
        self._count = 0  # since the last record

    def go_on(self) -> None:
        """A record came, so there is a new position to speak of."""
        self._count = 0

    def hear(self, payload: bytes) -> None:
        """One came; raises Malformed."""
        if len(self._peer.session.commits) < len(SEATS):
            raise Malformed("ABSENT: expected none before both have committed to the game")
        self._count += 1
        if self._count > MOST_ABSENTS:
            raise Malformed(f"ABSENT: expected at most {MOST_ABSENTS} between two records, got one more")
        self._tell(AbsenceSaid(read_absent(payload), len(self._peer.records)))
