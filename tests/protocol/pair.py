"""Two real peers in memory that talk in bytes, the same bytes on every run: what the protocol tests start from.

Records are handed over one at a time, in the order of the transcript. `fork` is cheap (a session never changes), so
one game, played once, serves many tests: `Story` keeps the pair before each of its records.
"""

from __future__ import annotations

import copy
import hashlib
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from p2p_schotten.bots import make_bot
from p2p_schotten.crypto.identity import Identity
from p2p_schotten.engine.move import Done, Move, Resign
from p2p_schotten.engine.rulesets import ruleset
from p2p_schotten.engine.state import State
from p2p_schotten.ids import SEATS, Seat, other
from p2p_schotten.protocol.events import Event, Offered
from p2p_schotten.protocol.file import HEADER, frame
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind, Record, read_record
from p2p_schotten.protocol.session import Session

Policy = Callable[[Peer], Move]


def entropy(*labels: object) -> Callable[[int], bytes]:
    """Bytes that look random and are the same in every run."""
    stream = hashlib.shake_256(repr(labels).encode())
    given = 0

    def give(n: int) -> bytes:
        nonlocal given
        given += n
        return stream.digest(given)[given - n :]

    return give


def identity_of(seed: int, seat: Seat) -> Identity:
    """The identity that `Pair.new(seed)` gives to that seat."""
    return Identity(entropy("identity", seed, seat)(32))


def first_choice(peer: Peer) -> Move:
    """The first of the legal moves: dull, and often stuck."""
    return peer.choices()[0]


def bot(name: str, seed: int = 0) -> Policy:
    """A built-in bot as a policy for both seats; the same seed plays the same game."""
    player = make_bot(name, seed)
    return lambda peer: player.choose(peer.view())


def patient(peer: Peer) -> Move:
    """Claims nothing, so that all cards are laid: the deck runs out, and the game ends because nobody can go on."""
    choices = peer.choices()
    return Done() if Done() in choices else choices[0]


def gives_up(ply: int) -> Policy:
    """Patient play until that many cards lie; then whoever is to lay the next one resigns."""

    def choose(peer: Peer) -> Move:
        state = peer.session.state
        assert state is not None
        return Resign() if state.ply >= ply and not state.acted else patient(peer)

    return choose


def lets_win(winner: Seat) -> Policy:
    """One seat plays well and claims what it can, the other claims nothing: who wins is known beforehand."""
    good = bot("greedy")
    return lambda peer: good(peer) if peer.seat == winner else patient(peer)


@dataclass
class Pair:
    """Both peers of a game, seat 0 first, the records handed over so far, and those made but not yet handed over."""

    peers: tuple[Peer, Peer]
    records: list[bytes] = field(default_factory=list)
    queue: deque[bytes] = field(default_factory=deque)
    events: tuple[list[Event], list[Event]] = field(default_factory=lambda: ([], []))

    @classmethod
    def new(cls, seed: int = 0, *, names: tuple[str, str] = ("Ann", "Bob"), sitting: int = 0) -> Pair:
        """A pair that has said nothing yet; its HELLO waits in the queue. Another sitting: same two, other secrets."""
        peers = [
            Peer(
                seat,
                identity_of(seed, seat),
                names[seat],
                ruleset("base") if seat == 0 else None,
                entropy("game", seed, sitting, seat),
                other_identity=identity_of(seed, other(seat)).public,
            )
            for seat in SEATS
        ]
        pair = cls((peers[0], peers[1]))
        pair.events[0].extend(peers[0].start())
        pair._collect()
        return pair

    @property
    def state(self) -> State | None:
        """The engine's state in the session that stands on what was handed over."""
        return self.session.state

    @property
    def session(self) -> Session:
        """The session of whoever is to receive the next record (both sessions when nothing waits)."""
        if not self.queue:
            return self.peers[0].session
        return self.peers[other(read_record(self.queue[0]).seat)].session

    @property
    def next(self) -> Record | None:
        """The record that is handed over next, if one waits."""
        return read_record(self.queue[0]) if self.queue else None

    def fork(self) -> Pair:
        """A copy that can go its own way."""
        peers = []
        for peer in self.peers:
            twin = copy.copy(peer)
            twin.records = list(peer.records)
            twin._outbox = list(peer._outbox)
            peers.append(twin)
        events = (list(self.events[0]), list(self.events[1]))
        return Pair((peers[0], peers[1]), list(self.records), deque(self.queue), events)

    def file_bytes(self, records: int | None = None) -> bytes:
        """The transcript of the first `records` records handed over, by default of all."""
        return HEADER + b"".join(frame(record) for record in self.records[:records])

    def hand_over(self) -> None:
        """The next record of the queue reaches the other peer, which answers by itself what it must."""
        record = self.queue.popleft()
        seat = read_record(record).seat
        self.records.append(record)
        receiver = self.peers[other(seat)]
        events = receiver.receive(record)
        if any(isinstance(event, Offered) for event in events):
            events += receiver.accept()
        self.events[receiver.seat].extend(events)
        self._collect()

    def pump(self) -> None:
        """Hands over until nobody has anything to say by himself."""
        while self.queue:
            self.hand_over()

    def move(self, policy: Policy) -> None:
        """The seat that is to move decides; its record waits in the queue. Nothing else may wait."""
        assert not self.queue
        for peer in self.peers:
            if peer.session.due() == (peer.seat, Kind.MOVE):
                self.events[peer.seat].extend(peer.play(policy(peer)))
                self._collect()
                return
        raise AssertionError("nobody is to move")

    def until(self, predicate: Callable[[Pair], bool], policy: Policy = first_choice) -> Pair:
        """Plays on until `predicate` holds, which is asked before each record is handed over and before each move.

        Raises AssertionError when the game finishes first.
        """
        while not predicate(self):
            if self.queue:
                self.hand_over()
            else:
                assert not self.session.finished, "the game was finished before"
                self.move(policy)
        return self

    def play(self, policy: Policy = first_choice) -> Pair:
        """Plays the game to its last record."""
        return self.until(lambda pair: not pair.queue and pair.session.finished, policy)

    def _collect(self) -> None:
        for peer in self.peers:
            self.queue.extend(peer.frames())


class Story:
    """One game played to its end, and the pair as it was before each of its records was handed over."""

    def __init__(self, pair: Pair, policy: Policy = first_choice) -> None:
        self._before: list[Pair] = []

        def watch(at: Pair) -> bool:
            if at.queue:
                self._before.append(at.fork())
            return not at.queue and at.session.finished

        pair.until(watch, policy)
        self.end = pair
        self.records = tuple(read_record(record) for record in pair.records)

    def before(self, number: int) -> Pair:
        """A fork of the pair when the record of that number waited to be handed over."""
        return self._before[number].fork()

    def first(self, predicate: Callable[[Record], bool]) -> int:
        """The number of the first record of which `predicate` holds."""
        return next(record.seq for record in self.records if predicate(record))
