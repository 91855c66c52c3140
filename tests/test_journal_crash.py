"""Whatever was acknowledged survives, at whatever moment the power goes or the disk fails, and nobody signs twice."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial

import pytest

from p2p_schotten.errors import JournalError
from p2p_schotten.ids import SEATS, Seat
from p2p_schotten.journal import Journal
from p2p_schotten.mark import NoMark
from p2p_schotten.protocol.file import HEADER, frame
from tests.disks import After, MemoryDisk, PowerCut, at, count, power_cut
from tests.sittings import CLOSE, GAME, HELLOS, HOME, SEED, Sitting, journal_path, mark_path, marked

RECORDS = 6  # both HELLOs, COMMITs and OPENs: three of each seat
EVERY_WAY = pytest.mark.parametrize("after", After)
EVERY_SEAT = pytest.mark.parametrize("seat", SEATS)


def moments_of(seat: Seat) -> int:
    disk = MemoryDisk()
    moments = count(disk, lambda: Sitting(disk, seat, RECORDS).run().close())
    assert moments > 60  # begin alone makes four files and two folders
    return moments


def cut_short(seat: Seat, moment: int) -> Sitting:
    """A sitting that ends with a power cut at that boundary."""
    sitting = Sitting(MemoryDisk(hook=at(moment, power_cut)), seat, RECORDS)
    with pytest.raises(PowerCut):
        sitting.run().close()
    return sitting


def reopen(disk: MemoryDisk, seat: Seat) -> None:
    Journal.open(journal_path(seat), disk=disk)[0].close()


def could_open(disk: MemoryDisk, seat: Seat) -> tuple[bytes, ...] | str:
    try:
        return Journal.open(journal_path(seat), disk=disk)[1]
    except NoMark:
        return "no mark"
    except JournalError as error:
        return "no file" if "No such file, and no seed of this seat either" in str(error) else str(error)


def check_whole(disk: MemoryDisk, before: Sitting) -> None:
    """The journal opens with all that was acknowledged, or one record more; it goes on to the end, and opens again."""
    seat = before.seat
    journal, items = Journal.open(journal_path(seat), disk=disk)
    assert items in (GAME[: before.stored], GAME[: before.stored + 1])
    assert disk.files[journal_path(seat)].seen == HEADER + b"".join(map(frame, items))
    then = Sitting(disk, seat, RECORDS, len(items))
    assert marked(disk, seat) == then.signed  # so it knows what was acknowledged, and nothing that is not here
    assert (journal.count, journal.lacks, journal.seed()) == (len(items), 0, SEED)
    assert journal.floor == max((seq + 1 for seq in then.signed), default=0)
    then.go_on(journal)
    journal.close()
    journal, items = Journal.open(journal_path(seat), disk=disk.crash(After.GONE))
    assert items == GAME[:RECORDS]
    assert marked(disk, seat) == then.signed


@EVERY_WAY
@EVERY_SEAT
def test_after_a_power_cut_at_any_moment_what_was_acknowledged_is_there_or_one_record_more(
    seat: Seat, after: After
) -> None:
    begun = 0
    for moment in range(moments_of(seat)):
        sitting = cut_short(seat, moment)
        if sitting.stored:
            begun += 1
            check_whole(sitting.disk.crash(after), sitting)
    assert begun > 20


@EVERY_WAY
@EVERY_SEAT
def test_a_power_cut_while_a_game_begins_leaves_nothing_signed_and_nothing_half(seat: Seat, after: After) -> None:
    early = 0
    for moment in range(moments_of(seat)):
        sitting = cut_short(seat, moment)
        if sitting.stored:
            break
        early += 1
        disk = sitting.disk.crash(after)
        if journal_path(seat) not in disk.files:
            assert could_open(disk, seat) in ("no file", "no mark", ())
            continue
        journal, items = Journal.open(journal_path(seat), disk=disk)
        assert items in (GAME[:HELLOS], GAME[:1], ())
        assert (journal.floor, journal.lacks, marked(disk, seat)) == (0, 0, {})
    assert early > 20


@EVERY_WAY
@EVERY_SEAT
def test_a_second_power_cut_while_the_journal_is_opened_again_loses_nothing_either(seat: Seat, after: After) -> None:
    for moment in range(0, moments_of(seat), 7):
        sitting = cut_short(seat, moment)
        if not sitting.stored:
            continue
        found = sitting.disk.crash(after)
        again = found.crash(After.KEPT)
        for second in range(count(again, partial(reopen, again, seat))):
            disk = found.crash(After.KEPT)
            disk.hook = at(second, power_cut)
            with pytest.raises(PowerCut):
                reopen(disk, seat)
            check_whole(disk.crash(after), sitting)


def bytes_of(seat: Seat) -> int:
    disk = MemoryDisk(room=10**9)
    Sitting(disk, seat, RECORDS).run().close()
    assert disk.room is not None
    return 10**9 - disk.room


@EVERY_SEAT
def test_a_disk_that_is_full_after_any_number_of_bytes_stops_the_game_and_goes_on_when_it_has_room(seat: Seat) -> None:
    begun = 0
    for room in range(0, bytes_of(seat), 7):
        disk = MemoryDisk(room=room)
        sitting = Sitting(disk, seat, RECORDS)
        with pytest.raises(JournalError, match="No space left on device; the game stops here"):
            sitting.run()
        disk.room = None
        if sitting.stored:
            begun += 1
            check_whole(disk, sitting)
        else:
            assert disk.files == {}
            Sitting(disk, seat, RECORDS).run()
    assert begun > 50


def read_only(disk: MemoryDisk) -> None:
    disk.read_only = True


def failing(disk: MemoryDisk) -> None:
    disk.syncs_fail = True


@pytest.mark.parametrize("fault", [read_only, failing])
@EVERY_WAY
@EVERY_SEAT
def test_a_disk_that_fails_at_any_moment_stops_the_game_before_anything_unsent_is_lost(
    seat: Seat, after: After, fault: Callable[[MemoryDisk], None]
) -> None:
    stopped = 0
    for moment in range(moments_of(seat)):
        disk = MemoryDisk()
        disk.hook = at(moment, partial(fault, disk))
        sitting = Sitting(disk, seat, RECORDS)
        with suppress(JournalError):
            sitting.run().close()
        stopped += sitting.stored < RECORDS
        if sitting.stored:
            check_whole(disk.crash(after), sitting)
    assert stopped > 30


def test_a_write_that_fails_ends_the_journal_for_good() -> None:
    disk = MemoryDisk()
    journal = Sitting(disk, Seat(0), RECORDS).run()
    before = {path: content.seen for path, content in disk.files.items()}
    disk.room = 20
    with pytest.raises(JournalError, match="No space left on device"):
        journal.append(GAME[RECORDS], own=True)
    disk.room = None
    with pytest.raises(JournalError, match="a write failed before; the journal takes nothing more"):
        journal.append(GAME[RECORDS], own=True)
    assert {path: content.seen for path, content in disk.files.items()} == before


def test_a_mark_that_cannot_be_written_is_a_record_that_may_not_be_sent_and_is_marked_at_the_next_start() -> None:
    disk = MemoryDisk()
    journal = Sitting(disk, Seat(0), RECORDS).run()
    disk.room = len(frame(GAME[RECORDS])) + 39  # one byte too few for the entry
    with pytest.raises(JournalError, match="No space left on device"):
        journal.append(GAME[RECORDS], own=True)
    assert RECORDS not in marked(disk, Seat(0))
    disk.room = None
    again, items = Journal.open(journal_path(Seat(0)), disk=disk)
    assert items == GAME[: RECORDS + 1]
    assert again.floor == RECORDS + 1
    assert RECORDS in marked(disk, Seat(0))


@EVERY_WAY
def test_a_close_that_is_dropped_is_gone_or_there_after_a_power_cut_and_the_records_stay(after: After) -> None:
    start = MemoryDisk()
    journal = Sitting(start, Seat(0), RECORDS).run()
    journal.append(CLOSE)
    journal.close()

    def drop(disk: MemoryDisk) -> None:
        journal, items = Journal.open(journal_path(Seat(0)), disk=disk)
        assert items == (*GAME[:RECORDS], CLOSE)
        journal.drop_close()
        journal.close()

    done = start.crash(After.KEPT)
    moments = count(done, lambda: drop(done))
    assert Journal.open(journal_path(Seat(0)), disk=done.crash(After.GONE))[1] == GAME[:RECORDS]
    for moment in range(moments):
        disk = start.crash(After.KEPT)
        disk.hook = at(moment, power_cut)
        with pytest.raises(PowerCut):
            drop(disk)
        found = Journal.open(journal_path(Seat(0)), disk=disk.crash(after))[1]
        assert found in (GAME[:RECORDS], (*GAME[:RECORDS], CLOSE))


def test_what_a_mark_holds_can_be_read_by_hand() -> None:
    disk = MemoryDisk()
    sitting = Sitting(disk, Seat(1), RECORDS)
    sitting.run()
    assert sorted(sitting.signed) == [3, 5]  # COMMIT and OPEN of seat 1
    assert marked(disk, Seat(1)) == sitting.signed
    assert disk.files[mark_path(Seat(1))].safe == disk.files[mark_path(Seat(1))].seen
    assert mark_path(Seat(1)).parent == HOME / "seeds"
