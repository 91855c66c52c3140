"""A disk that is found as it was at an earlier moment: refused by the mark, or told by the other side; never silently.

(What the mark and the journal say to each other alone stands in tests/test_journal_again.py.)
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from p2p_schotten.errors import Cause, IllegalMove, JournalError
from p2p_schotten.ids import SEATS, Seat, other
from p2p_schotten.journal import Journal
from p2p_schotten.mark import NoMark
from p2p_schotten.protocol.record import Kind, head_of
from p2p_schotten.protocol.resume import Stand
from p2p_schotten.transcript import verify
from tests.crash.remembered import remembering
from tests.crash.seats import HELLOS, Choose, Story, Table, knows, story
from tests.disks import After
from tests.fuzz.sides import HOME


@pytest.fixture(autouse=True, scope="module")
def _remembering() -> Iterator[None]:
    with remembering():
        yield


def game() -> Story:
    return story("gives up", 11, "base")


def late() -> Table:
    """Both seats when the last move has come to the other."""
    return next(
        before.fork()
        for before, _ in game().steps
        if all(side.peer.session.outcome is not None for side in before.sides)
    )


def set_back(table: Table, seat: Seat, earlier: Table) -> None:
    """The whole disk of this seat is as it was at that table: its journal, its mark, everything."""
    table.cut()
    table.sides[seat].disk = earlier.sides[seat].disk.crash(After.GONE)
    table.restart(seat)


def check_alike(table: Table) -> None:
    """Both know all that the undisturbed game knew at that record, and both disks hold the same."""
    zero, one = table.sides
    assert table.refused == []
    assert zero.peer.records == one.peer.records
    assert zero.on_disk == one.on_disk == tuple(zero.peer.records)
    for side in table.sides:
        assert knows(side.peer) == game().seen[side.peer.seat][len(side.peer.records)]


@pytest.mark.parametrize("seat", SEATS)
def test_a_journal_of_any_earlier_moment_says_nothing_new_until_its_records_are_back(seat: Seat) -> None:
    start = late()
    count, records = len(start.sides[seat].peer.records), game().records
    signed = [seq for seq in range(HELLOS, count) if game().authors[seq] == seat]
    for left in range(count):
        table = start.fork()
        table.cut()
        table.roll_back(seat, left)
        side = table.sides[seat]
        assert side.journal.floor == signed[-1] + 1
        assert side.peer.behind == (left <= signed[-1])
        assert side.peer.choices() == ()
        if left in signed:
            with pytest.raises(JournalError, match="this seat has signed another record"):
                side.journal.append(records[left] + b"\0", own=True)
        assert list(side.on_disk) == list(records[:left])
        table.meet()
        table.pump()
        check_alike(table)


@pytest.mark.parametrize("seat", SEATS)
def test_who_is_set_back_mark_and_all_takes_his_records_back_from_the_other(seat: Seat) -> None:
    start, taken = late(), 0
    count = len(start.sides[seat].peer.records)
    for earlier, _ in game().steps:
        if not HELLOS <= len(earlier.sides[seat].peer.records) < count:
            continue
        table = start.fork()
        set_back(table, seat, earlier)
        assert table.sides[seat].journal.lacks == 0  # nothing here knows better
        table.meet()
        table.pump()
        check_alike(table)
        assert len(table.sides[seat].peer.records) >= count
        taken += 1
    assert taken > 10


def test_who_is_set_back_and_decides_otherwise_because_the_other_withholds_is_found_out() -> None:
    """The other says that it has no more than I; my program believes it, and the other keeps both records."""
    found = 0
    for earlier, step in game().steps:
        if not isinstance(step, Choose):
            continue
        seat, friend = step.seat, other(step.seat)
        table = late()
        set_back(table, seat, earlier)
        back, honest = table.sides[seat], table.sides[friend]
        at, before = len(back.peer.records), list(honest.peer.records)
        back.peer.resume(Stand(back.peer.stand().game_id, at, head_of(before[at - 1])))
        back.peer.play(next(move for move in back.peer.choices() if move != step.move))
        back.scribe.write()  # no mark knows of the record that it had signed there
        assert back.peer.records[at] != before[at]
        table.wires[friend].append(back.peer.records[at])
        honest.met = True
        table.deliver(friend)
        fault, _ = table.refused[-1]
        assert (fault.seq, fault.cause, fault.blame) == (len(before), Cause.FORK, seat)
        assert honest.peer.records == before
        assert list(honest.on_disk) == before
        assert honest.peer.evidence is not None
        path = honest.journal.evidence(honest.peer.evidence)
        assert path is not None
        verdict = verify(honest.disk.files[path].safe)
        assert verdict.fault is not None
        assert (verdict.fault.cause, verdict.fault.blame) == (Cause.FORK, seat)
        found += 1
    assert found >= 3


@pytest.mark.parametrize("seat", SEATS)
def test_without_a_mark_nobody_goes_on_unless_he_says_so(seat: Seat) -> None:
    table = late()
    side = table.sides[seat]
    disk = side.disk.crash(After.GONE)
    (mark,) = (path for path in disk.files if path.suffix == ".mark")
    del disk.files[mark]
    kept = {path: content.seen for path, content in disk.files.items()}
    with pytest.raises(NoMark, match="without it nobody knows what this seat has signed"):
        Journal.open(side.path, disk=disk)
    assert {path: content.seen for path, content in disk.files.items()} == kept
    journal, items = Journal.open(side.path, disk=disk, without_mark=True)
    assert items == tuple(side.peer.records)
    assert (journal.lacks, mark in disk.files) == (0, True)
    assert mark.parent == HOME / "seeds"


def test_who_lacks_records_may_not_play_even_when_the_other_says_that_there_are_none() -> None:
    before, step = next((before, step) for before, step in reversed(game().steps) if isinstance(step, Choose))
    table, seat = late(), step.seat
    table.cut()
    at = len(before.sides[seat].peer.records)
    table.roll_back(seat, at)
    peer = table.sides[seat].peer
    assert peer.session.due() == (seat, Kind.MOVE)
    peer.resume(Stand(peer.stand().game_id, at, head_of(peer.records[-1])))
    with pytest.raises(IllegalMove, match="still to come from the other side"):
        peer.play(step.move)
    assert (len(peer.records), peer.frames()) == (at, [])
