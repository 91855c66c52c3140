"""Two peers in one process, their records handed over in memory: the game without a network, the same on every run."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from p2p_schotten.crypto.identity import Identity
from p2p_schotten.engine.move import Claim, Done, Move, Play
from p2p_schotten.engine.rules import apply
from p2p_schotten.engine.rulesets import ruleset
from p2p_schotten.engine.state import Phase, State
from p2p_schotten.ids import SEATS, Seat, other
from p2p_schotten.protocol.events import Event, Offered
from p2p_schotten.protocol.file import HEADER, frame
from p2p_schotten.protocol.peer import Peer

Policy = Callable[[Peer], Move]


def entropy(label: str) -> Callable[[int], bytes]:
    """Bytes that look random and are the same in every run."""
    state = hashlib.sha512(label.encode()).digest()

    def give(n: int) -> bytes:
        nonlocal state
        state = hashlib.sha512(state).digest()
        return hashlib.shake_256(state).digest(n)

    return give


@dataclass
class Pair:
    """Both peers of a game, seat 0 first, and every record in the order in which it travelled."""

    peers: tuple[Peer, Peer]
    records: list[bytes] = field(default_factory=list)

    @property
    def state(self) -> State | None:
        return self.peers[0].session.state

    def transcript(self, records: int | None = None) -> bytes:
        """The file of the first `records` records, by default of all."""
        return HEADER + b"".join(frame(record) for record in self.records[:records])

    def exchange(self) -> None:
        """Hands over what is ready, until neither peer says anything more by itself."""
        while self._hand_over(SEATS[0]) or self._hand_over(SEATS[1]):
            pass

    def _hand_over(self, seat: Seat) -> bool:
        ready = self.peers[seat].frames()
        for record in ready:
            self.records.append(record)
            events: tuple[Event, ...] = self.peers[other(seat)].receive(record)
            if any(isinstance(event, Offered) for event in events) and seat == 0:
                self.peers[1].accept()
        return bool(ready)


def set_up(number: int = 0, rules: str = "base") -> Pair:
    """A pair whose hands are dealt and open to their owners."""
    peers = tuple(
        Peer(
            seat,
            Identity(entropy(f"identity {number} {seat}")(32)),
            f"seat {seat}",
            ruleset(rules) if seat == 0 else None,
            entropy(f"game {number} {seat}"),
        )
        for seat in SEATS
    )
    pair = Pair((peers[0], peers[1]))
    pair.peers[0].start()
    pair.exchange()
    return pair


def turns(pair: Pair, policy: Policy) -> Iterator[tuple[State, Move]]:
    """Plays the game to its end; gives, after each move and all that it brings about, the state before it, and it."""
    while (state := pair.state) is not None and not state.over:
        peer = pair.peers[state.to_move]
        move = policy(peer)
        peer.play(move)
        pair.exchange()
        yield state, move


def longest(peer: Peer) -> Move:
    """Lays all 54 cards: every side grows evenly, windows stay shut as long as they can, no claim takes a place away.

    A stone with two full sides is claimed where that does not end the game, so that it is not asked for again.
    """
    state, choices = peer.session.state, peer.choices()
    assert state is not None
    for move in choices:
        if isinstance(move, Claim):
            both_full = all(side.full for side in state.stones[move.stone].sides)
            if both_full and not apply(state, move).state.over:
                return move
    if Done() in choices:
        return Done()

    def badness(move: Move) -> tuple[int, bool, int]:
        assert isinstance(move, Play)
        after = apply(state, move).state
        return len(state.stones[move.stone].sides[peer.seat].cards), after.phase is Phase.CLAIM, move.stone

    return min(choices, key=badness)
