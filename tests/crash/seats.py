"""A game between two seats with real journals on disks that lose power, and its every step, to be taken again.

What a seat does is what `net.scribe`, `net.link` and `cli.away` do, in their order: the record stands in the journal
and the mark, then what a later run needs stands beside them, and only then the first byte is sent. A frame that was
sent in part is a frame that was not sent: the other end drops what is not whole.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

from p2p_schotten.engine.move import Move
from p2p_schotten.engine.rulesets import ruleset
from p2p_schotten.ids import SEATS, Seat, other
from p2p_schotten.journal import Journal
from p2p_schotten.net.scribe import Scribe
from p2p_schotten.protocol.events import Event
from p2p_schotten.protocol.hand import Hand
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind, head_of, read_record
from p2p_schotten.protocol.session import Session
from p2p_schotten.standby import Standby, load_standby, save_standby, standby_path
from tests.disks import MemoryDisk, at, power_cut
from tests.fuzz.sides import HOME, Side, Sides
from tests.protocol.courses import POLICIES, new_pair
from tests.protocol.pair import Policy, gives_up

HELLOS = 2  # records that both need to know of one game
COMMITTED = 4  # records of a game that exists for both: HELLOs and COMMITs
STANDBY = Standby(b"", "greedy", 4711, ("192.0.2.1:4712",))


class Noted(Peer):
    """A peer that notes what it knows after each record; whoever takes the same step again notes nothing new."""

    seen: dict[int, tuple[Session, Hand]]

    def _take(self, data: bytes, after: Session) -> tuple[Event, ...]:
        events = super()._take(data, after)
        if "seen" not in self.__dict__:
            self.seen = {}
        self.seen.setdefault(len(self.records), knows(self))
        return events


def knows(peer: Peer) -> tuple[Session, Hand]:
    """All that a peer knows, the other's secrets apart: the session, its cards, and what it remembers of them."""
    return peer.session, peer._hand


@dataclass
class Keeper:
    """What `cli.away` keeps beside the seed, once in each run."""

    peer: Peer
    journal: Journal
    disk: MemoryDisk
    saved: bool = False

    def kept(self) -> None:
        """A record stands in the journal."""
        if self.journal.begun and not self.saved:
            assert self.peer.game_id is not None
            save_standby(standby_path(HOME, self.peer.game_id, self.peer.seat), STANDBY, self.disk)
            self.saved = True


# What is done at a table


@dataclass(frozen=True, slots=True)
class Begin:
    """Seat 0 says HELLO."""


@dataclass(frozen=True, slots=True)
class Accept:
    """Seat 1 agrees to what was offered."""


@dataclass(frozen=True, slots=True)
class Deliver:
    """What comes next to this seat comes."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Choose:
    """The player of this seat decides."""

    seat: Seat
    move: Move


@dataclass(frozen=True, slots=True)
class CloseAlone:
    """The game is over, the other is silent, and this seat waits no longer."""

    seat: Seat


Step = Begin | Accept | Deliver | Choose | CloseAlone


@dataclass
class Table(Sides):
    """Both seats. `sent`: the hash of every record that ever left its seat, by seat and number."""

    sent: dict[tuple[Seat, int], bytes] = field(default_factory=dict)

    @classmethod
    def laid(cls, seed: int, rules: str) -> Table:
        """Before anything was said."""
        sides = []
        pair = new_pair(seed, Noted, rules=ruleset(rules))
        pair.peers[0]._outbox.extend(pair.queue)  # the first HELLO, which nobody has journalled yet
        for peer in pair.peers:
            disk = MemoryDisk(folders={Path("/"), HOME}, safe_folders={Path("/"), HOME})
            journal = Journal(HOME, peer.seat, disk)
            sides.append(Side(peer, disk, journal, Scribe(peer, journal, Keeper(peer, journal, disk).kept)))
        return cls(seed, (sides[0], sides[1]))

    def fork(self) -> Table:
        """A copy that can go its own way. What never changes is shared."""
        memo: dict[int, object] = {id(self.sent): dict(self.sent)}
        for side in self.sides:
            twin = copy.copy(side.peer)
            twin.records, twin._outbox = list(side.peer.records), list(side.peer._outbox)
            memo[id(side.peer)] = twin
            memo |= {id(path): path for path in (*side.disk.files, *side.disk.safe_files, *side.disk.folders)}
        return copy.deepcopy(self, memo)

    def do(self, step: Step) -> None:
        """The step is taken, unless the power goes: then PowerCut is raised, and that seat's disk is off."""
        match step:
            case Begin():
                self._send(self.sides[0])
            case Accept():
                self.sides[1].peer.accept()
                self._send(self.sides[1])
            case Deliver(seat):
                self.deliver(seat)
            case Choose(seat, move):
                self.play(seat, move)
            case CloseAlone(seat):
                self.close_alone(seat)

    def _send(self, side: Side) -> None:
        side.scribe.write()
        seat = side.peer.seat
        for data in side.peer.frames():
            side.disk.begin("send", HOME)
            record = read_record(data)
            head = self.sent.setdefault((record.seat, record.seq), head_of(data))
            assert head == head_of(data), f"seat {record.seat} signed two records {record.seq}"
            self.wires[other(seat)].append(data)
            side.disk.done("send", HOME)

    def meet(self) -> None:
        """They are connected again, and both say where they stand."""
        self.connected = True
        for side, wire in zip(self.sides, reversed(self.wires), strict=True):
            self._attend(side)
            side.disk.begin("send", HOME)
            wire.append(side.peer.stand().pack())
            side.disk.done("send", HOME)

    def pump(self) -> None:
        """Everything under way arrives, and what it calls forth."""
        while any(self.wires):
            self.deliver(SEATS[0] if self.wires[0] else SEATS[1])

    def arm(self, moment: int) -> None:
        """The power of whoever gets there goes at that boundary, counted over both seats."""
        hook = at(moment, power_cut)
        for side in self.sides:
            side.disk.hook = hook

    def disarm(self) -> None:
        """No power goes any more."""
        for side in self.sides:
            side.disk.hook = lambda what, path: None

    def restart(self, seat: Seat) -> None:
        """A new program of this seat, with what its disk holds; raises JournalError, PowerCut."""
        self._start(seat)
        self._attend(self.sides[seat])

    def _attend(self, side: Side) -> None:
        """What stands in the journal already is written."""
        keeper = Keeper(side.peer, side.journal, side.disk)
        side.scribe = Scribe(side.peer, side.journal, keeper.kept, resumed=True)

    def sent_by(self, seat: Seat) -> dict[int, bytes]:
        """The hashes of what this seat has signed and sent, by number."""
        return {seq: head for (author, seq), head in self.sent.items() if author == seat}

    def mark(self, seat: Seat) -> dict[int, bytes]:
        """What the mark of this seat says (docs/protocol.md); what is torn at its end may say anything."""
        game_id = self.sides[seat].peer.game_id
        assert game_id is not None
        path = HOME / "seeds" / f"{game_id.hex()}-{seat}.mark"
        disk = self.sides[seat].disk
        data = disk.files[path].seen.removeprefix(b"schotten mark 1\n") if path in disk.files else b""
        entries = [data[start : start + 40] for start in range(0, len(data), 40)]
        return {int.from_bytes(entry[:4], "big"): entry[4:36] for entry in entries if len(entry) == 40}

    def standby(self, seat: Seat) -> Standby:
        """What a later run of this seat needs, from its disk."""
        game_id = self.sides[seat].peer.game_id
        assert game_id is not None
        return load_standby(standby_path(HOME, game_id, seat), self.sides[seat].disk)


def next_step(table: Table, policy: Policy) -> Step | None:
    """What happens next if nothing goes wrong."""
    for seat in SEATS:
        if table.wires[seat]:
            return Deliver(seat)
    for side in table.sides:
        match side.peer.session.due():
            case (side.peer.seat, Kind.HELLO):
                return Accept()
            case (side.peer.seat, Kind.MOVE):
                return Choose(side.peer.seat, policy(side.peer))
    return None


@dataclass(frozen=True)
class Story:
    """A game that nothing disturbed: every step with the table before it, and what each seat knew at each record."""

    steps: tuple[tuple[Table, Step], ...]
    records: tuple[bytes, ...]
    seen: tuple[dict[int, tuple[Session, Hand]], dict[int, tuple[Session, Hand]]]

    @cached_property
    def authors(self) -> tuple[Seat, ...]:
        """Who said each record."""
        return tuple(read_record(record).seat for record in self.records)

    @cached_property
    def moves(self) -> dict[int, Move]:
        """What was chosen, by the number of its record."""
        return {
            len(before.sides[step.seat].peer.records): step.move
            for before, step in self.steps
            if isinstance(step, Choose)
        }

    def policy(self, peer: Peer) -> Move:
        """What was chosen at this place."""
        return self.moves[len(peer.records)]

    def closings(self) -> Iterator[tuple[Table, Step]]:
        """The moments at which a seat could close the game alone."""
        for before, _ in self.steps:
            for side in before.sides:
                if side.peer.session.outcome is not None and side.peer.close_alone() is not None:
                    yield before, CloseAlone(side.peer.seat)


@cache
def story(policy: str, seed: int, rules: str) -> Story:
    """That game (tests/protocol/courses.py), or for "gives up" a short one. Callers fork what they change."""
    choose = gives_up(3) if policy == "gives up" else POLICIES[policy](seed)
    table = Table.laid(seed, rules)
    steps: list[tuple[Table, Step]] = [(table.fork(), Begin())]
    table.do(Begin())
    while (step := next_step(table, choose)) is not None:
        steps.append((table.fork(), step))
        table.do(step)
    zero, one = (side.peer for side in table.sides)
    assert zero.records == one.records
    assert zero.session.finished
    assert isinstance(zero, Noted)
    assert isinstance(one, Noted)
    return Story(tuple(steps), tuple(zero.records), (zero.seen, one.seen))
