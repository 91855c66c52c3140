"""A connection that was cut and made anew: two peers, each with some of the records of one game, meet again."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from p2p_schotten.ids import SEATS, Seat, other
from p2p_schotten.protocol.events import Event
from p2p_schotten.protocol.peer import Peer
from tests.protocol.pair import Pair, identity_of


def restored(peer: Peer, count: int | None = None, seed: int = 1, *, floor: int = 0) -> Peer:
    """That seat's peer out of the first `count` records of `peer` (all)."""
    return Peer.restore(
        peer.seat,
        identity_of(seed, peer.seat),
        peer.secret_seed,
        peer.records[:count],
        floor=floor,
        game_id=peer.game_id,
        other_identity=identity_of(seed, other(peer.seat)).public,
    )


class Reunion:
    """Both told where they stand: `sent[seat]` are the records that the seat sent since, `events[seat]` what it told.

    Nothing but `hand_over` moves a record; `pump` moves all.
    """

    def __init__(self, peers: Sequence[Peer]) -> None:
        self.peers = (peers[0], peers[1])
        self.sent: tuple[list[bytes], list[bytes]] = ([], [])
        self.events: tuple[list[Event], list[Event]] = ([], [])
        self._under_way: tuple[deque[bytes], deque[bytes]] = (deque(), deque())
        stands = [peer.stand() for peer in self.peers]
        for peer in self.peers:
            self.events[peer.seat].extend(peer.resume(stands[other(peer.seat)]))
            self._collect(peer.seat)

    def _collect(self, seat: Seat) -> None:
        frames = self.peers[seat].frames()
        self.sent[seat].extend(frames)
        self._under_way[seat].extend(frames)

    def hand_over(self, seat: Seat) -> None:
        """The next record that this seat sent reaches the other."""
        receiver = self.peers[other(seat)]
        try:
            self.events[receiver.seat].extend(receiver.receive(self._under_way[seat].popleft()))
        finally:
            self._collect(receiver.seat)

    def pump(self) -> Pair:
        """Everything under way arrives; then both stand at the same record, and the game can go on."""
        while any(self._under_way):
            for seat in SEATS:
                if self._under_way[seat]:
                    self.hand_over(seat)
        zero, one = self.peers
        assert zero.records == one.records
        assert zero.session == one.session
        assert not zero.behind
        assert not one.behind
        return Pair(self.peers, list(zero.records))
