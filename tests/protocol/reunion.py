"""A connection that was cut and made anew: two peers, each with some of the records of one game, meet again."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import pytest

from p2p_schotten.engine.move import Move, public
from p2p_schotten.errors import Cause, IllegalMove, PeerFault
from p2p_schotten.ids import SEATS, Seat, other
from p2p_schotten.protocol.events import Event
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind, head_of
from p2p_schotten.protocol.resume import Stand
from p2p_schotten.transcript import verify
from tests.attacks import report_fault
from tests.protocol.liar import Stage, file_of
from tests.protocol.pair import Pair, Story, identity_of


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

    `under_way[seat]` are those that have not arrived. Nothing but `hand_over` moves a record; `pump` moves all.
    """

    def __init__(self, peers: Sequence[Peer]) -> None:
        self.peers = (peers[0], peers[1])
        self.sent: tuple[list[bytes], list[bytes]] = ([], [])
        self.events: tuple[list[Event], list[Event]] = ([], [])
        self.under_way: tuple[deque[bytes], deque[bytes]] = (deque(), deque())
        stands = [peer.stand() for peer in self.peers]
        for peer in self.peers:
            self.events[peer.seat].extend(peer.resume(stands[other(peer.seat)]))
            self.collect(peer.seat)

    def collect(self, seat: Seat) -> None:
        """What this seat's peer has ready is under way."""
        frames = self.peers[seat].frames()
        self.sent[seat].extend(frames)
        self.under_way[seat].extend(frames)

    def hand_over(self, seat: Seat) -> None:
        """The next record that this seat sent reaches the other."""
        receiver = self.peers[other(seat)]
        try:
            self.events[receiver.seat].extend(receiver.receive(self.under_way[seat].popleft()))
        finally:
            self.collect(receiver.seat)

    def pump(self) -> Pair:
        """Everything under way arrives; then both stand at the same record, and the game can go on."""
        while any(self.under_way):
            for seat in SEATS:
                if self.under_way[seat]:
                    self.hand_over(seat)
        zero, one = self.peers
        assert zero.records == one.records
        assert zero.session == one.session
        assert not zero.behind
        assert not one.behind
        return Pair(self.peers, list(zero.records))


# A victim of lies


def knows(peer: Peer) -> tuple[object, ...]:
    """What a refusal must leave as it was."""
    return peer.session, tuple(peer.records), peer._hand, peer.choices(), peer.stand()


def refuses(peer: Peer, data: bytes, cause: Cause, blame: Seat | None) -> PeerFault:
    """The peer refuses the record, and nothing has changed; its evidence blames the same seat, or nobody."""
    before, seq = knows(peer), peer.session.seq
    with pytest.raises(PeerFault) as caught:
        peer.receive(data)
    fault = caught.value
    assert (fault.seq, fault.cause, fault.blame) == (seq, cause, blame), str(fault)
    assert knows(peer) == before
    assert peer.frames() == []
    report_fault(peer.session, data, fault)
    assert peer.evidence == file_of(*peer.records, data)
    found = verify(peer.evidence).fault
    assert (found.blame if found is not None else None) == blame
    return fault


def silent(peer: Peer, move: Move | None = None) -> None:
    """The peer says nothing, whatever its player wants."""
    assert peer.behind
    assert peer.choices() == ()
    assert peer.frames() == []
    if move is not None:
        before = knows(peer)
        with pytest.raises(IllegalMove, match="still to come from the other side"):
            peer.play(move)
        assert knows(peer) == before
        assert peer.frames() == []


def told(peer: Peer, count: int, head: bytes | None = None) -> Stand:
    """The other says that it has `count` records of the peer's game, and of the last that hash (the true one)."""
    if head is None:
        head = head_of(peer.records[count - 1]) if count else bytes(32)
    return Stand(peer.stand().game_id, count, head)


def plays(story: Story, seat: Seat) -> list[int]:
    """The numbers of that seat's MOVEs."""
    return [record.seq for record in story.records if record.kind is Kind.MOVE and record.seat == seat]


def moved_otherwise(story: Story, at: int) -> Peer:
    """The author of MOVE `at`, put back to the moment before it, who then decides otherwise. His program is honest.

    He has no mark, and believes that the other has no more records than he.
    """
    lived = story.end.peers[story.records[at].seat]
    peer = restored(lived, at)
    peer.resume(told(peer, at))
    said = Stage.of(story, at).move
    peer.play(next(move for move in peer.choices() if public(story.end.session.rules, move) != said))
    peer.frames()
    assert peer.records[:at] == lived.records[:at]
    assert peer.records[at] != lived.records[at]
    return peer
