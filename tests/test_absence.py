"""The file of a win by absence: what is written is read back, anything else is refused in one sentence."""

from __future__ import annotations

import json
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from p2p_schotten.absence import MAX_FILE, Absence, absence_path, read_absence, write_absence
from p2p_schotten.crypto.hashing import hash32
from p2p_schotten.errors import JournalError, Malformed
from p2p_schotten.ids import SEATS
from p2p_schotten.protocol.absent import Word

RECORDS = (b"one", b"two", b"three")
ABSENCE = Absence(b"\1" * 32, 3, hash32("head", b"three"), SEATS[0], 66, 1_700_000_000)


def test_a_win_is_kept_beside_the_journal_for_its_owner_only(tmp_path: Path) -> None:
    path = absence_path(tmp_path / "1.schotten")
    assert path == tmp_path / "1.absence"
    for answer in Word:
        absence = replace(ABSENCE, answer=answer)
        write_absence(path, absence)
        assert read_absence(path) == absence
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_where_nothing_was_recorded_nothing_is_read(tmp_path: Path) -> None:
    assert read_absence(tmp_path / "1.absence") is None


def test_the_longest_that_is_written_can_be_read(tmp_path: Path) -> None:
    longest = Absence(b"\xff" * 32, 4096, b"\xff" * 32, SEATS[1], 2**32 - 1, 253_402_300_799, Word.NO_CLOCK)
    write_absence(tmp_path / "1.absence", longest)
    assert (tmp_path / "1.absence").stat().st_size <= MAX_FILE
    assert read_absence(tmp_path / "1.absence") == longest


def test_a_disk_that_refuses_leaves_what_was_recorded_before(tmp_path: Path) -> None:
    path = tmp_path / "1.absence"
    write_absence(path, ABSENCE)
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(JournalError, match="the win is not recorded"):
        write_absence(tmp_path / "file" / "1.absence", ABSENCE)
    assert read_absence(path) == ABSENCE


@pytest.mark.parametrize(
    "change",
    [
        {"form": 2},
        {"form": True},
        {"game": "01" * 31},
        {"game": "0G" * 32},
        {"game": "AB" * 32},
        {"seq": 0},
        {"seq": 4097},
        {"seq": 3.0},
        {"seq": True},
        {"head": "\N{ARABIC-INDIC DIGIT ONE}" * 64},
        {"by": 2},
        {"by": False},
        {"by": "0"},
        {"seconds": -1},
        {"seconds": 2**32},
        {"when": -1},
        {"when": 10**30},
        {"answer": "yes"},
        {"answer": None},
        {"agreed": True},
        {"game": None},
    ],
    ids=str,
)
def test_a_changed_file_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    path = tmp_path / "1.absence"
    write_absence(path, ABSENCE)
    fields: dict[str, object] = json.loads(path.read_text())
    path.write_text(json.dumps(fields | change))
    with pytest.raises(Malformed, match="not the record of a win by absence"):
        read_absence(path)


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"[]", b"null", b"\xff\xfe", b"[" * 1024, b"9" * 1024, b" " * (MAX_FILE + 1), b"NaN"]
)
def test_other_files_are_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "1.absence"
    path.write_bytes(data)
    with pytest.raises(Malformed, match="not the record of a win by absence"):
        read_absence(path)


def test_a_folder_of_that_name_is_an_error_of_the_system(tmp_path: Path) -> None:
    (tmp_path / "1.absence").mkdir()
    with pytest.raises(OSError, match=r"1\.absence"):
        read_absence(tmp_path / "1.absence")


@pytest.mark.parametrize(
    ("absence", "records", "stands"),
    [
        (ABSENCE, RECORDS, True),
        (replace(ABSENCE, answer=Word.SHORT), RECORDS, False),
        (replace(ABSENCE, answer=Word.AGREED), RECORDS, True),
        # both say something else: the game goes on
        (replace(ABSENCE, answer=Word.BOTH), RECORDS, False),
        # the game went on: only what both agreed on still counts
        (ABSENCE, (*RECORDS, b"four"), False),
        (replace(ABSENCE, answer=Word.SHORT), (*RECORDS, b"four"), False),
        (replace(ABSENCE, answer=Word.AGREED), (*RECORDS, b"four"), True),
        # of another branch, or of records that are not here
        (replace(ABSENCE, answer=Word.AGREED), (b"one", b"two", b"other"), False),
        (ABSENCE, RECORDS[:2], False),
        (ABSENCE, (), False),
    ],
)
def test_it_counts_for_the_position_that_it_names(absence: Absence, records: tuple[bytes, ...], stands: bool) -> None:
    assert absence.stands(records) is stands


def test_the_answer_says_whether_the_other_agrees() -> None:
    said = {word: replace(ABSENCE, answer=word).agreed for word in Word}
    assert (said.pop(Word.CLAIM), said.pop(Word.AGREED)) == (None, True)
    assert set(said.values()) == {False}
