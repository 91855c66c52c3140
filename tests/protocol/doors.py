"""A peer before, at and behind its two doors: what the tests of `play` and `receive` share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from p2p_schotten.engine.move import Move
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import RULESETS, ruleset
from p2p_schotten.errors import Cause, PeerFault
from p2p_schotten.ids import Seat, other
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind
from tests.protocol.courses import new_pair
from tests.protocol.pair import Pair, entropy, first_choice, identity_of

SHORT = replace(ruleset("base"), name="short", hand_size=3)


def a_peer(
    seat: Seat,
    *,
    name: str = "Ann",
    rules: Ruleset | None = None,
    seed: int = 1,
    expects: bytes | None = None,
    as_seat: Seat | None = None,
) -> Peer:
    """A peer that has said nothing; `expects` is the key that the other proved in the channel."""
    identity = identity_of(seed, seat if as_seat is None else as_seat)
    known = {**RULESETS, SHORT.name: SHORT}
    return Peer(seat, identity, name, rules, entropy("peer", seed, seat), other_identity=expects, known=known)


def knows(peer: Peer) -> tuple[object, ...]:
    """Everything that a refusal must leave as it was."""
    return (peer.session, tuple(peer.records), peer.hand, peer._hand, tuple(peer._outbox))


def quiet(pair: Pair) -> bool:
    """Nobody has a record under way, and a seat is to move."""
    return not pair.queue and pair.session.state is not None


def at_turn(seed: int, moves: int, policy: Callable[[Peer], Move] = first_choice) -> Pair:
    """The pair after that many moves, with a seat to move."""
    pair = new_pair(seed, Peer).until(quiet)
    for _ in range(moves):
        pair.move(policy)
        pair.pump()
    return pair


def mover_and_other(pair: Pair) -> tuple[Peer, Peer]:
    (mover,) = [peer for peer in pair.peers if peer.session.due() == (peer.seat, Kind.MOVE)]
    return mover, pair.peers[other(mover.seat)]


def turned_down(peer: Peer, data: bytes, cause: Cause, blame: Seat | None) -> PeerFault:
    before = knows(peer)
    with pytest.raises(PeerFault) as caught:
        peer.receive(data)
    assert (caught.value.cause, caught.value.blame) == (cause, blame)
    assert caught.value.seq == peer.session.seq
    assert knows(peer) == before
    assert peer.evidence is not None
    assert peer.fault is not None
    return caught.value
