"""A mark holds what a seat has signed; a torn tail is no damage, and damage is never taken for less signed."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2p_schotten.disk import write_new
from p2p_schotten.errors import JournalError
from p2p_schotten.mark import MAX_MARK, Mark, NoMark
from tests.disks import MemoryDisk
from tests.sittings import written_mark

GOLDEN = Path(__file__).parent / "golden" / "seat.format-1.mark"
PLACE = Path("/home/seeds/game-0.mark")
ENTRIES = ((2, b"\x22" * 32), (5, b"\x55" * 32), (256, b"\xee" * 32))
WHOLE = written_mark(*ENTRIES)


def opened(data: bytes) -> tuple[Mark, MemoryDisk]:
    disk = MemoryDisk()
    write_new(disk, PLACE, data)
    return Mark.open(disk, PLACE), disk


def test_the_golden_mark_of_format_1_is_read_for_good() -> None:
    mark, _ = opened(GOLDEN.read_bytes())
    assert mark.signed == dict(ENTRIES)
    assert mark.floor == 257


def test_a_mark_is_written_as_the_format_says_and_begins_without_a_floor() -> None:
    disk = MemoryDisk()
    mark = Mark.create(disk, PLACE)
    assert (mark.signed, mark.floor) == ({}, 0)
    mark.add({2: ENTRIES[0][1]})
    mark.add(dict(ENTRIES[1:]))
    assert disk.read(PLACE, 1000) == WHOLE
    assert disk.files[PLACE].safe == WHOLE
    assert mark.signed == dict(ENTRIES)


def test_a_tail_torn_at_any_byte_is_cut_off_with_and_without_zeros() -> None:
    two = len(written_mark(*ENTRIES[:2]))
    for kept in range(two, len(WHOLE)):
        for tail in (WHOLE[two:kept], WHOLE[two:kept].ljust(40, b"\0"), WHOLE[two:kept].ljust(4096, b"\0")):
            mark, disk = opened(WHOLE[:two] + tail)
            assert mark.signed == dict(ENTRIES[:2])
            assert disk.read(PLACE, 10_000) == WHOLE[:two]
            mark.add(dict(ENTRIES[2:]))
            assert disk.read(PLACE, 10_000) == WHOLE


def test_a_bit_that_flipped_in_any_entry_is_damage_and_the_file_stays_as_it_is() -> None:
    for place in range(len(written_mark()), len(WHOLE)):
        data = bytearray(WHOLE)
        data[place] ^= 1
        disk = MemoryDisk()
        write_new(disk, PLACE, bytes(data))
        with pytest.raises(JournalError, match="damaged at byte"):
            Mark.open(disk, PLACE)
        assert disk.read(PLACE, 1000) == bytes(data)


@pytest.mark.parametrize("second", [2, 1])
def test_entries_that_are_not_in_the_order_of_signing_are_damage(second: int) -> None:
    with pytest.raises(JournalError, match=f"record {second} stands behind record 2"):
        opened(written_mark((2, b"\x22" * 32), (second, b"\x33" * 32)))


@pytest.mark.parametrize(
    "data", [b"", b"schotten mark 1", b"\0" * 16, b"schotten mark 0\n", b"schotten transcript 1\n"]
)
def test_a_file_that_is_no_mark_says_nothing_about_what_was_signed(data: bytes) -> None:
    with pytest.raises(NoMark, match="not a mark, expected it to begin with 'schotten mark 1'"):
        opened(data)


@pytest.mark.parametrize("number", [2, 10, 12345678])
def test_a_mark_of_a_newer_program_is_refused_by_its_number_and_not_taken_for_none(number: int) -> None:
    with pytest.raises(JournalError, match=f"a mark of format {number}; this program reads format 1") as caught:
        opened(b"schotten mark %d\n" % number + WHOLE[16:])
    assert not isinstance(caught.value, NoMark)


def test_a_mark_that_is_not_there_is_an_error_of_its_own() -> None:
    with pytest.raises(NoMark, match="no such file; without it nobody knows what this seat has signed"):
        Mark.open(MemoryDisk(), PLACE)


def test_a_mark_that_no_game_can_fill_is_refused() -> None:
    with pytest.raises(JournalError, match="which no mark has"):
        opened(written_mark().ljust(MAX_MARK + 1, b"\0"))
    assert opened(written_mark().ljust(MAX_MARK, b"\0"))[0].signed == {}


def test_an_entry_that_does_not_fit_on_the_disk_leaves_the_ones_before_it() -> None:
    mark, disk = opened(WHOLE)
    disk.room = 39
    with pytest.raises(OSError, match="No space left"):
        mark.add({300: b"\x01" * 32})
    assert disk.read(PLACE, 1000) == WHOLE
    assert mark.signed == dict(ENTRIES)
