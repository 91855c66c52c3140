"""A journal that is opened again: locked, whole, and never a way to sign twice."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from p2p_schotten.errors import JournalError
from p2p_schotten.ids import Seat
from p2p_schotten.journal import Journal
from p2p_schotten.mark import NoMark
from p2p_schotten.protocol.file import HEADER, frame
from p2p_schotten.protocol.record import head_of
from p2p_schotten.standby import Standby, save_standby, standby_path
from tests.disks import After, MemoryDisk
from tests.sittings import (
    AUTHORS,
    CLOSE,
    GAME,
    HOME,
    ID,
    ME,
    OTHER,
    SEED,
    Sitting,
    journal_path,
    mark_path,
    marked,
    seen,
    stored,
    written_mark,
)

PATH = journal_path(ME)
MARK = mark_path(ME)
LOCK = PATH.parent.parent.parent / "seeds" / f"{ID.hex()}-{ME}.lock"
OWN = [seq for seq in range(2, len(GAME)) if AUTHORS[seq] == ME]


def set_back(disk: MemoryDisk, records: int) -> None:
    """The journal is that of an earlier moment, as a backup leaves it; the mark is not."""
    disk.files[PATH].seen = disk.files[PATH].safe = HEADER + b"".join(map(frame, GAME[:records]))


# One program at a time


def test_a_second_program_is_told_that_the_seat_is_taken() -> None:
    disk = MemoryDisk()
    journal = Sitting(disk, ME, 6).run()
    before = seen(disk)
    with pytest.raises(JournalError, match="another program plays this seat of this game; end it first"):
        Journal.open(PATH, disk=disk)
    second = Journal(HOME, ME, disk)
    with pytest.raises(JournalError, match="another program plays this seat of this game; end it first"):
        second.begin(ID, SEED)
    second.discard()
    assert seen(disk) == before
    journal.append(GAME[6], own=AUTHORS[6] == ME)
    journal.close()
    again, items = Journal.open(PATH, disk=disk)
    assert items == GAME[:7]
    with pytest.raises(JournalError, match="another program plays this seat"):
        Journal.open(PATH, disk=disk)
    again.close()
    Journal.open(PATH, disk=disk)[0].close()


def test_both_seats_of_a_game_may_be_played_from_one_home() -> None:
    disk = MemoryDisk()
    Sitting(disk, ME, 6).run()
    Sitting(disk, OTHER, 6).run()
    assert disk.files[PATH].seen == disk.files[journal_path(OTHER)].seen


def test_a_journal_that_could_not_be_opened_locks_nobody_out() -> None:
    disk = stored(6)
    data = disk.files[MARK].seen
    del disk.files[MARK]
    with pytest.raises(NoMark):
        Journal.open(PATH, disk=disk)
    file = disk.create(MARK)
    file.append(data)
    assert Journal.open(PATH, disk=disk)[1] == GAME[:6]


def test_a_killed_program_leaves_the_seat_free_on_a_real_disk(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib; from p2p_schotten.ids import Seat; from p2p_schotten.journal import Journal; "
        "from tests.sittings import ID, SEED; journal = Journal(pathlib.Path(sys.argv[1]), Seat(0)); "
        "journal.begin(ID, SEED); print('begun', flush=True); sys.stdin.read()"
    )
    path = journal_path(ME, tmp_path)
    root = Path(__file__).parent.parent
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=root
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline().split() == [b"begun"]
        with pytest.raises(JournalError, match="another program plays this seat of this game"):
            Journal.open(path)
        holder.kill()
    Journal.open(path)[0].close()


# Never sign twice


@pytest.mark.parametrize("kept", range(2, 12))
def test_a_journal_older_than_what_was_signed_signs_nothing_until_the_missing_records_are_back(kept: int) -> None:
    disk = stored(12)
    floor = max(seq for seq in OWN if seq < 12) + 1
    set_back(disk, kept)
    journal, items = Journal.open(PATH, disk=disk)
    assert items == GAME[:kept]
    assert (journal.floor, journal.count, journal.lacks) == (floor, kept, max(0, floor - kept))
    signed = marked(disk, ME)
    if kept in signed:
        before = seen(disk)
        with pytest.raises(JournalError, match=f"this seat has signed another record {kept} before"):
            journal.append(b"another move at the same place", own=True)
        assert seen(disk) == before
    for seq in range(kept, 12):
        journal.append(GAME[seq])  # as they come back from the other side
    assert journal.lacks == 0
    assert marked(disk, ME) == signed
    journal.append(GAME[12], own=AUTHORS[12] == ME)
    assert disk.files[PATH].safe == HEADER + b"".join(map(frame, GAME[:13]))


def test_before_the_floor_nothing_of_mine_is_signed_where_the_mark_has_no_record_of_mine() -> None:
    disk = stored(12)
    set_back(disk, 3)  # record 3 is the other seat's
    assert AUTHORS[3] == OTHER
    journal, _ = Journal.open(PATH, disk=disk)
    before = seen(disk)
    with pytest.raises(JournalError, match=r"older than what this seat has signed.* before \d+ more records are here"):
        journal.append(b"out of turn, on another branch", own=True)
    assert seen(disk) == before
    journal.append(GAME[3])


def test_a_record_that_comes_back_changed_is_refused_by_the_mark() -> None:
    disk = stored(12)
    set_back(disk, 4)  # record 4 is mine
    assert AUTHORS[4] == ME
    journal, _ = Journal.open(PATH, disk=disk)
    with pytest.raises(JournalError, match="this seat has signed another record 4 before"):
        journal.append(GAME[5])
    journal.append(GAME[4])
    assert journal.count == 5


def test_a_journal_that_differs_from_what_was_signed_is_refused_and_stays_as_it_is() -> None:
    disk = stored(6)
    disk.files[MARK].seen = written_mark((2, head_of(GAME[2])), (4, b"\x44" * 32))
    before = seen(disk)
    with pytest.raises(JournalError, match="record 4 is another one than this seat has signed, by the mark"):
        Journal.open(PATH, disk=disk)
    assert seen(disk) == before


def test_without_its_mark_a_seat_never_goes_on_silently_but_the_player_may_say_so() -> None:
    disk = stored(6)
    data = disk.files[MARK].seen
    del disk.files[MARK], disk.safe_files[MARK]
    before = seen(disk)
    with pytest.raises(NoMark, match="without it nobody knows what this seat has signed"):
        Journal.open(PATH, disk=disk)
    assert seen(disk) == before
    journal, items = Journal.open(PATH, without_mark=True, disk=disk)
    assert items == GAME[:6]
    assert journal.floor == 5  # record 4 is the last of seat 0
    assert disk.crash(After.GONE).files[MARK].seen == data
    journal.close()
    assert Journal.open(PATH, disk=disk)[0].floor == 5


def test_a_mark_that_leads_nowhere_is_made_anew_when_the_player_says_so() -> None:
    disk = stored(12)
    set_back(disk, 6)
    journal, _ = Journal.open(PATH, without_mark=True, disk=disk)
    assert (journal.floor, journal.lacks) == (5, 0)
    assert sorted(marked(disk, ME)) == [2, 4]


# A lost journal


@pytest.mark.parametrize("folder", [True, False])
def test_a_lost_journal_whose_seed_is_there_opens_empty_and_takes_everything_back(folder: bool) -> None:
    disk = stored(12)
    disk.unlink(PATH)
    if not folder:
        disk.rmdir(PATH.parent)
    disk.sync_folder(PATH.parent)
    journal, items = Journal.open(PATH, disk=disk)
    assert items == ()
    assert (journal.count, journal.seed(), journal.game_id) == (0, SEED, ID)
    assert journal.lacks == journal.floor > 6
    assert disk.crash(After.GONE).files[PATH].seen == HEADER
    for record in GAME[:12]:
        journal.append(record)
    assert journal.lacks == 0
    journal.close()
    assert Journal.open(PATH, disk=disk)[1] == GAME[:12]


def test_a_lost_journal_without_a_mark_is_not_begun_anew_silently() -> None:
    disk = stored(12)
    disk.unlink(PATH)
    disk.unlink(MARK)
    before = seen(disk)
    with pytest.raises(NoMark):
        Journal.open(PATH, disk=disk)
    assert seen(disk) == before


def test_a_journal_without_a_seed_says_that_its_seat_cannot_go_on() -> None:
    disk = stored(6)
    seed = HOME / "seeds" / f"{ID.hex()}-0.seed"
    disk.files[seed].seen = b"short"
    with pytest.raises(JournalError, match="not a seed, expected 32 bytes; without it this seat cannot go on"):
        Journal.open(PATH, disk=disk)[0].seed()
    disk.unlink(seed)
    disk.locks.clear()
    with pytest.raises(JournalError, match="No such file or directory; without its seed this seat cannot go on"):
        Journal.open(PATH, disk=disk)[0].seed()


# The CLOSE, and what goes with a game that came to nothing


def test_a_close_at_the_end_is_read_kept_and_dropped_only_when_asked() -> None:
    disk = stored(6)
    journal, _ = Journal.open(PATH, disk=disk)
    journal.drop_close()  # there is none
    journal.append(CLOSE)
    with pytest.raises(JournalError, match="nothing can stand behind a CLOSE"):
        journal.append(GAME[6], own=True)
    journal.close()
    journal, items = Journal.open(PATH, disk=disk)
    assert items == (*GAME[:6], CLOSE)
    assert (journal.count, journal.floor) == (6, 5)
    with pytest.raises(JournalError, match="nothing can stand behind a CLOSE"):
        journal.append(GAME[6], own=True)
    journal.drop_close()
    journal.drop_close()
    journal.append(GAME[6], own=True)
    assert disk.files[PATH].safe == HEADER + b"".join(map(frame, GAME[:7]))
    assert journal.floor == 7


def test_a_write_that_fails_behind_a_dropped_close_leaves_the_records_and_nothing_else() -> None:
    disk = stored(6)
    journal, _ = Journal.open(PATH, disk=disk)
    journal.append(CLOSE)
    journal.drop_close()
    disk.room = 10
    with pytest.raises(JournalError, match="No space left on device"):
        journal.append(GAME[6], own=True)
    assert disk.files[PATH].seen == HEADER + b"".join(map(frame, GAME[:6]))


@pytest.mark.parametrize("again", [False, True])
def test_a_game_that_never_existed_leaves_neither_mark_nor_standby_nor_lock(again: bool, tmp_path: Path) -> None:
    journal = Journal(tmp_path, ME)
    journal.begin(ID, SEED)
    save_standby(standby_path(tmp_path, ID, ME), Standby(b"", "greedy", 0, ()))
    if again:
        journal.close()
        journal, _ = Journal.open(journal_path(ME, tmp_path))
    assert len(list((tmp_path / "seeds").iterdir())) == 4
    journal.discard()
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["games", "seeds"]


def test_a_closed_journal_on_a_real_disk_leaves_no_lock_behind(tmp_path: Path) -> None:
    journal = Journal(tmp_path, Seat(0))
    journal.begin(ID, SEED)
    assert (tmp_path / "seeds" / LOCK.name).exists()
    journal.close()
    assert not (tmp_path / "seeds" / LOCK.name).exists()
    journal, _ = Journal.open(journal_path(ME, tmp_path))
    assert (tmp_path / "seeds" / LOCK.name).exists()
    journal.close()
    assert sorted(path.suffix for path in (tmp_path / "seeds").iterdir()) == [".mark", ".seed"]
