"""A peer read out of its own journal is the peer that wrote it, at every record; and both sides go on from there."""

from __future__ import annotations

import pytest

from p2p_schotten.engine.rulesets import ruleset
from p2p_schotten.protocol.events import Event
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.session import Session
from tests.protocol.courses import POLICIES, new_pair
from tests.protocol.pair import Pair, identity_of


def restored(peer: Peer, count: int | None = None, seed: int = 1, *, floor: int = 0) -> Peer:
    """That seat's peer out of the first `count` records of `peer` (all)."""
    items = peer.records[:count]
    assert peer.game_id is not None
    return Peer.restore(
        peer.seat, identity_of(seed, peer.seat), peer.secret_seed, items, floor=floor, game_id=peer.game_id
    )


class Snapped(Peer):
    """A peer that notes what it knows after each record, also within one call."""

    seen: list[tuple[object, ...]]

    def _take(self, data: bytes, after: Session) -> tuple[Event, ...]:
        events = super()._take(data, after)
        if len(self.records) == 1:
            self.seen = []
        self.seen.append(knows(self))
        return events


def knows(peer: Peer) -> tuple[object, ...]:
    """Everything that a peer knows of its game."""
    dealt = peer.session.state is not None
    state_of_hand = (peer.hand, peer._hand, peer.choices(), peer.view() if dealt else None)
    return peer.session, tuple(peer.records), state_of_hand


def restored_alike(pair: Pair, seed: int) -> None:
    """Both journals give at every record what the peers knew when it was the last."""
    for peer in pair.peers:
        assert isinstance(peer, Snapped)
        twin = Snapped.restore(
            peer.seat, identity_of(seed, peer.seat), peer.secret_seed, peer.records, game_id=peer.game_id
        )
        assert len(twin.seen) == len(peer.seen) == len(pair.records)
        for number, (told, lived) in enumerate(zip(twin.seen, peer.seen, strict=True)):
            if number >= 1:  # with less than both HELLOs, a peer that exists already waits for them
                assert told == lived, f"after record {number}"
        assert twin.frames() == []
        for count in (2, 3, 7, len(peer.records) // 2, len(peer.records) - 1):
            assert knows(restored(peer, count, seed)) == peer.seen[count - 1]


WHOLE = (
    ("greedy", 1, "base"),
    ("first choice", 3, "base"),
    ("resigning in the claim window", 9, "base"),
    ("ruses first", 1, "tactic"),
    ("ruses first", 1, "expert"),
    ("ruses first", 1, "siege-tactic"),
    ("ruses first", 11, "battle-line"),
    ("ruses first", 1, "battle-line-advanced"),
    ("uniform", 2, "siege"),
)


@pytest.mark.parametrize(("policy", "seed", "rules"), WHOLE)
def test_a_whole_game_is_restored_as_it_was_at_every_record(policy: str, seed: int, rules: str) -> None:
    pair = new_pair(seed, Snapped, rules=ruleset(rules)).play(POLICIES[policy](seed))
    restored_alike(pair, seed)


def test_a_short_game_is_restored_as_it_was_at_every_record() -> None:
    pair = new_pair(1, Snapped).play(POLICIES["resigning early"](7))
    restored_alike(pair, 1)
