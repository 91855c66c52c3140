"""A crash at every boundary of write, fsync and send of either seat, and what both find when they meet again.

Everything that a peer does follows from its seed and its player's moves, so after a crash nothing may differ from the
game that nothing disturbed: each table is compared with it, and need not be played to its end each time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property

from p2p_schotten.engine.move import public
from p2p_schotten.errors import JournalError
from p2p_schotten.ids import SEATS, Seat, other
from p2p_schotten.protocol.file import HEADER, frame
from p2p_schotten.protocol.record import Kind, head_of
from p2p_schotten.transcript import verify
from tests.crash.seats import (
    COMMITTED,
    HELLOS,
    STANDBY,
    Accept,
    Choose,
    CloseAlone,
    Step,
    Story,
    Table,
    knows,
    next_step,
)
from tests.disks import After, PowerCut

GO_ON = 2  # records that both take together after a crash, to see that they can


@dataclass(frozen=True, slots=True)
class Way:
    """How a crash comes about.

    `after`: what the disk kept of what was not synced. `arrives`: what was sent before is read by the other, else it is
    lost with the connection. `both`: the other program is gone too.
    """

    after: After
    arrives: bool
    both: bool


WAYS = tuple(Way(after, arrives, both) for both in (False, True) for arrives in (True, False) for after in After)


@dataclass(frozen=True)
class Crash:
    """A table at the moment at which the power of one seat went."""

    table: Table
    victim: Seat

    def cut(self, *, arrives: bool) -> Table:
        """When the other has seen that the connection is gone; what was sent has arrived there, or not."""
        return self._arrived if arrives else self._lost

    @cached_property
    def _lost(self) -> Table:
        table = self.table.fork()
        table.disarm()
        table.cut()
        return table

    @cached_property
    def _arrived(self) -> Table:
        table, seat = self.table.fork(), other(self.victim)
        table.disarm()
        while table.wires[seat]:
            table.deliver(seat)
            if table.sides[seat].peer.session.due() == (SEATS[1], Kind.HELLO) and seat == SEATS[1]:
                table.do(Accept())
        table.cut()  # what it answered reaches nobody
        return table


@dataclass
class Tally:
    """What a matrix has seen: crashes, crashes times ways, and what came of those that differed."""

    boundaries: int = 0
    cases: int = 0
    again: int = 0  # boundaries of a second crash
    outcomes: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        found = ", ".join(f"{count:,} {what}" for what, count in sorted(self.outcomes.items()))
        return (
            f"{self.boundaries:,} boundaries, {self.again:,} of a second crash, {self.cases:,} cases, "
            f"{self.outcomes.total():,} of them distinct: {found}"
        )

    def add(self, more: Tally) -> None:
        """Both together."""
        self.boundaries += more.boundaries
        self.cases += more.cases
        self.again += more.again
        self.outcomes += more.outcomes


NO_GAME, SAME = "no game came about", "went on alike"


def crashes(before: Table, step: Step) -> Iterator[Crash]:
    """One at each boundary of this step."""
    moment = 0
    while True:
        table = before.fork()
        table.arm(moment)
        try:
            table.do(step)
        except PowerCut:
            yield Crash(table, next(seat for seat in SEATS if table.sides[seat].disk.off))
            moment += 1
        else:
            return


@dataclass
class Matrix:
    """The crashes of one game. `known`: the cases that were met before; they are the same again, and left out."""

    story: Story
    tally: Tally = field(default_factory=Tally)
    known: set[object] = field(default_factory=set)

    def cross(self, before: Table, step: Step, ways: Sequence[Way] = WAYS, *, whole: bool = False) -> None:
        """Every boundary of a step, in every way. `whole`: each goes on to the end of the game."""
        for crash in crashes(before, step):
            self.tally.boundaries += 1
            for way in ways:
                self.tally.cases += 1
                table = self._crashed(crash, way)
                if table is not None:
                    self.tally.outcomes[self._settle(table, crash.victim, whole or isinstance(step, CloseAlone))] += 1

    def cross_again(self, before: Table, step: Step, way: Way) -> None:
        """Every boundary of a step, and after each a second crash at every boundary of going on."""
        for crash in crashes(before, step):
            self.tally.boundaries += 1
            found = self._crashed(crash, way)
            if found is None:
                continue
            moment = 0
            while (table := self._second(found.fork(), crash.victim, moment, way)) is not None:
                moment += 1
                self.tally.again += 1
                self.tally.outcomes[self._together(table)] += 1

    def _settle(self, table: Table, victim: Seat, whole: bool) -> str:
        """The program that crashed is back, and both go on."""
        if self._restart(table, victim):
            table.meet()
            return self._together(table, whole)
        self._no_game(table)
        return NO_GAME

    def _crashed(self, crash: Crash, way: Way) -> Table | None:
        """After the crash, nobody is back; None if that was met before, or the other has forgotten the game by then."""
        cut, friend = crash.cut(arrives=way.arrives), other(crash.victim)
        disk = cut.sides[crash.victim].disk.crash(way.after)
        image = tuple(sorted((path, content.seen) for path, content in disk.files.items()))
        case = image, crash.victim, len(cut.sides[friend].peer.records), way.both
        if case in self.known:
            return None
        self.known.add(case)
        table = cut.fork()
        table.sides[crash.victim].disk = disk
        if self._stays(table, friend, way):
            return table
        self._restart(table, crash.victim)
        self._no_game(table)
        self.tally.outcomes[NO_GAME] += 1
        return None

    def _stays(self, table: Table, friend: Seat, way: Way) -> bool:
        """The other still has the game after the cut, in memory or, if its program is gone as well, on its disk."""
        side = table.sides[friend]
        records = list(side.peer.records)
        if way.both:
            side.disk = side.disk.crash(After.GONE)
            if not self._restart(table, friend):
                return False
            assert side.peer.records == records
            return True
        if not begun(table, friend):
            side.journal.discard()
            assert side.disk.files == {}
            return False
        return True

    def _restart(self, table: Table, seat: Seat) -> bool:
        """The program of this seat is back with what is on its disk; false where there is nothing to go on with.

        Whatever it had signed and sent is there, in journal and mark, and so is what it needs to find the other.
        """
        side, story, sent = table.sides[seat], self.story, table.sent_by(seat)
        if side.peer.game_id is None:
            assert side.disk.files == {}
            return False
        mark = table.mark(seat)
        try:
            table.restart(seat)
        except JournalError:
            assert sent.keys() <= {0}, "it has sent what it has not kept"
            return False
        peer = side.peer
        assert mark.items() >= {(seq, head) for seq, head in sent.items() if seq >= HELLOS}
        for seq, head in sent.items():
            assert seq == 0 or head_of(peer.records[seq]) == head  # the first HELLO is said before there is a game
        assert tuple(peer.records) == story.records[: len(peer.records)]
        own = [seq for seq in range(HELLOS, len(peer.records)) if story.authors[seq] == seat]
        assert (side.journal.lacks, side.journal.floor) == (0, max(own, default=-1) + 1)
        if len(peer.records) >= HELLOS:
            assert knows(peer) == story.seen[seat][len(peer.records)]
        if any(seq >= HELLOS for seq in sent):
            assert table.standby(seat) == STANDBY
        return True

    def _second(self, table: Table, victim: Seat, moment: int, way: Way) -> Table | None:
        """They go on, and at that boundary the power of one goes again; None when there is no such boundary."""
        table.arm(moment)
        try:
            if not self._restart(table, victim):
                return None
            table.meet()
            table.pump()
        except PowerCut:
            second = next(seat for seat in SEATS if table.sides[seat].disk.off)
        else:
            return None
        table.disarm()
        table.cut()
        table.sides[second].disk = table.sides[second].disk.crash(way.after)
        assert self._restart(table, second)
        table.meet()
        return table

    def _no_game(self, table: Table) -> None:
        """Nobody has both COMMITs, or nobody could say that no game came about."""
        assert all(len(side.peer.records) < COMMITTED for side in table.sides)

    def _together(self, table: Table, whole: bool = False) -> str:
        """They stand where the undisturbed game stood, and go on as it did."""
        most = max(len(side.peer.records) for side in table.sides)
        table.pump()
        if all(len(side.peer.records) < HELLOS for side in table.sides):
            return NO_GAME
        self._decides_otherwise(table)
        end = len(self.story.records)
        goal = end if whole else min(end, most + GO_ON)
        self._same(table, most)
        while (step := next_step(table, self.story.policy)) is not None and self._count(table) < goal:
            table.do(step)
        table.pump()
        self._same(table, goal)
        return SAME

    def _decides_otherwise(self, table: Table) -> None:
        """Whose move was lost with the crash may choose another one: nobody has seen the first."""
        match next_step(table, self.story.policy):
            case Choose(seat, move) if (seat, self._count(table)) not in table.sent:
                twin = table.fork()
                rules = twin.sides[seat].peer.session.rules
                moves = [one for one in twin.sides[seat].peer.choices() if public(rules, one) != public(rules, move)]
                if not moves:
                    return
                twin.play(seat, moves[0])
                twin.pump()
                zero, one = (side.peer for side in twin.sides)
                assert twin.refused == []
                assert zero.records == one.records
                assert len(zero.records) > self._count(table)

    def _count(self, table: Table) -> int:
        return min(len(side.peer.records) for side in table.sides)

    def _same(self, table: Table, least: int) -> None:
        """Both have at least so many records, know what they knew then, and keep the same bytes for certain."""
        assert table.refused == []
        count, story = self._count(table), self.story
        assert count >= least
        expected = HEADER + b"".join(map(frame, story.records[:count]))
        for side in table.sides:
            assert tuple(side.peer.records) == story.records[:count]
            assert knows(side.peer) == story.seen[side.peer.seat][count]
            assert not side.peer.behind
            assert side.disk.files[side.path].safe == expected
        if count == len(story.records):
            assert is_valid(expected)


def begun(table: Table, seat: Seat) -> bool:
    """Whether a link would go on with the game after a cut (`Link.begun`, where the other was invited)."""
    commits = len(table.sides[seat].peer.session.commits)
    return commits > seat or commits == len(SEATS)


@cache
def is_valid(transcript: bytes) -> bool:
    """It is over, sealed and revealed by both."""
    verdict = verify(transcript)
    return verdict.over and verdict.sealed == verdict.revealed == SEATS
