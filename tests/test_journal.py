"""The journal holds what was appended, also when the disk is full, the power fails or the file is there already."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from p2p_schotten.disk import RealFile
from p2p_schotten.errors import JournalError, TranscriptError
from p2p_schotten.ids import Seat
from p2p_schotten.journal import MAX_EVIDENCE, Journal
from p2p_schotten.protocol.file import HEADER, frame, read_file

GAME = bytes(range(32))
SEED = b"s" * 32


def begun(home: Path, *records: bytes) -> Journal:
    journal = Journal(home, Seat(0))
    journal.begin(GAME, SEED)
    for record in records:
        journal.append(record)
    return journal


def path_of(journal: Journal) -> Path:
    assert journal.path is not None
    return journal.path


def items(path: Path) -> tuple[bytes, ...]:
    return read_file(path.read_bytes()).items


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_hellos_wait_in_memory_until_the_game_has_its_id(tmp_path: Path) -> None:
    journal = Journal(tmp_path, Seat(1))
    journal.append(b"hello 0")
    journal.append(b"hello 1")
    assert list(tmp_path.iterdir()) == []
    journal.begin(GAME, SEED)
    journal.append(b"commit")
    assert path_of(journal) == tmp_path / "games" / GAME.hex() / "1.schotten"
    assert path_of(journal).read_bytes() == HEADER + frame(b"hello 0") + frame(b"hello 1") + frame(b"commit")
    journal.close()


def test_the_seed_lies_apart_from_the_transcript_and_is_stored_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    real = os.open

    def spy(path: str | Path, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_CREAT:
            opened.append(Path(path).name)
        return real(path, flags, mode)

    monkeypatch.setattr(os, "open", spy)
    journal = begun(tmp_path, b"record")
    assert (tmp_path / "seeds" / f"{GAME.hex()}-0.seed").read_bytes() == SEED
    assert SEED not in path_of(journal).read_bytes()
    made = [f"{GAME.hex()}-0.lock", f"{GAME.hex()}-0.seed", f"{GAME.hex()}-0.mark", "0.schotten"]
    assert opened == made
    journal.close()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_files_have_mode_0600_and_folders_0700(tmp_path: Path) -> None:
    journal = begun(tmp_path / "home", b"record")
    evidence = journal.evidence(b"bad")
    assert evidence is not None
    made = sorted((tmp_path / "home").rglob("*"))
    assert {mode(path) for path in made if path.is_file()} == {0o600}
    assert {mode(path) for path in made if path.is_dir()} | {mode(tmp_path / "home")} == {0o700}
    names = {path.name.removeprefix(f"{GAME.hex()}-") for path in made if path.is_file()}
    assert names == {"0.seed", "0.mark", "0.lock", "0.schotten", "0-1.evidence"}
    journal.close()


def test_a_game_that_has_a_file_is_never_begun_anew(tmp_path: Path) -> None:
    begun(tmp_path, b"record").close()
    path = tmp_path / "games" / GAME.hex() / "0.schotten"
    before = path.read_bytes()
    again = Journal(tmp_path, Seat(0))
    with pytest.raises(JournalError, match="exists already and is not overwritten"):
        again.begin(GAME, b"t" * 32)
    assert path.read_bytes() == before
    assert (tmp_path / "seeds" / f"{GAME.hex()}-0.seed").read_bytes() == SEED


def test_every_append_is_synced_before_it_returns_and_an_own_record_also_in_the_mark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = begun(tmp_path, b"hello 0", b"hello 1")
    mark = (tmp_path / "seeds" / f"{GAME.hex()}-0.mark").stat()
    synced: list[tuple[bool, int]] = []

    def spy(file: RealFile) -> None:
        status = os.fstat(file._file)
        synced.append((os.path.samestat(status, mark), status.st_size))

    monkeypatch.setattr(RealFile, "sync", spy)
    size = len(HEADER) + 2 * (4 + 7)
    journal.append(b"one", own=True)
    assert synced == [(False, size + 4 + 3), (True, mark.st_size + 40)]
    journal.append(b"three")
    assert synced[2:] == [(False, size + 4 + 3 + 4 + 5)]
    journal.close()


def test_a_full_disk_in_the_middle_of_a_record_leaves_the_records_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = begun(tmp_path, b"first")
    real: Callable[[int, bytes], int] = os.write

    def half(file: int, data: bytes) -> int:
        if len(data) <= 4:
            raise OSError(28, "No space left on device")
        return real(file, data[: len(data) // 2])

    monkeypatch.setattr(os, "write", half)
    with pytest.raises(JournalError, match="No space left on device"):
        journal.append(b"second record")
    monkeypatch.undo()
    assert path_of(journal).read_bytes() == HEADER + frame(b"first")
    with pytest.raises(JournalError, match="takes nothing more"):
        journal.append(b"third")
    assert items(path_of(journal)) == (b"first",)


def test_a_home_that_cannot_be_written_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    journal = Journal(tmp_path / "file", Seat(0))
    journal.append(b"hello")
    with pytest.raises(JournalError) as caught:
        journal.begin(GAME, SEED)
    assert "\n" not in str(caught.value)


def test_evidence_never_enters_the_journal_and_is_never_overwritten(tmp_path: Path) -> None:
    journal = begun(tmp_path, b"record")
    paths = [journal.evidence(b"bad %d" % number) for number in range(MAX_EVIDENCE)]
    assert [path.read_bytes() for path in paths if path] == [b"bad %d" % number for number in range(MAX_EVIDENCE)]
    with pytest.raises(JournalError, match="evidence files stand here already"):
        journal.evidence(b"one too many")
    assert items(path_of(journal)) == (b"record",)
    journal.close()


def test_before_the_game_has_its_id_a_stranger_cannot_fill_the_disk_with_evidence(tmp_path: Path) -> None:
    assert Journal(tmp_path, Seat(0)).evidence(b"bad hello") is None
    assert list(tmp_path.iterdir()) == []


def test_a_game_that_never_existed_leaves_neither_a_folder_nor_a_seed(tmp_path: Path) -> None:
    journal = begun(tmp_path, b"commit")
    journal.discard()
    assert journal.path is None
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["games", "seeds"]
    begun(tmp_path, b"commit").close()  # as if it had never been


def test_discarding_touches_neither_evidence_nor_what_others_made(tmp_path: Path) -> None:
    guest = Journal(tmp_path, Seat(1))
    guest.begin(GAME, b"t" * 32)
    guest.close()
    journal = begun(tmp_path, b"commit")
    evidence = journal.evidence(b"bad")
    assert evidence is not None
    journal.discard()
    left = {path.name for path in tmp_path.rglob("*") if path.is_file()}
    assert left == {evidence.name, "1.schotten", f"{GAME.hex()}-1.seed", f"{GAME.hex()}-1.mark"}


def test_discarding_a_journal_that_could_not_begin_keeps_the_game_that_stands_there(tmp_path: Path) -> None:
    first = begun(tmp_path, b"a game")
    first.close()
    again = Journal(tmp_path, Seat(0))
    with pytest.raises(JournalError, match="exists already"):
        again.begin(GAME, SEED)
    again.discard()
    assert items(path_of(first)) == (b"a game",)
    assert (tmp_path / "seeds" / f"{GAME.hex()}-0.seed").read_bytes() == SEED


def test_a_journal_opened_again_goes_on_behind_its_last_whole_record(tmp_path: Path) -> None:
    journal = begun(tmp_path, b"one", b"two")
    journal.close()
    path = path_of(journal)
    whole = path.read_bytes()
    for kept in range(len(whole) - len(frame(b"two")) + 1, len(whole)):
        path.write_bytes(whole[:kept])
        again, records = Journal.open(path)
        assert records == (b"one",)
        assert path.read_bytes() == HEADER + frame(b"one")
        again.append(b"more")
        again.close()
        assert items(path) == (b"one", b"more")
    path.write_bytes(whole)
    again, records = Journal.open(path)
    assert records == (b"one", b"two")
    again.append(b"three")
    again.close()
    assert items(path) == (b"one", b"two", b"three")


def test_only_a_transcript_is_opened_as_a_journal(tmp_path: Path) -> None:
    folder = tmp_path / "games" / GAME.hex()
    folder.mkdir(parents=True)
    stranger = folder / "0.schotten"
    stranger.write_bytes(b"something else, which must stay as it is")
    with pytest.raises(TranscriptError):
        Journal.open(stranger)
    assert stranger.read_bytes() == b"something else, which must stay as it is"
    for name in ("2.schotten", "0.txt", "notes.schotten"):
        with pytest.raises(JournalError, match="a journal is named"):
            Journal.open(folder / name)
    with pytest.raises(JournalError, match="a journal lies in a folder named by the id of its game"):
        Journal.open(tmp_path / "0.schotten")
    with pytest.raises(JournalError, match="No such file"):
        Journal.open(folder / "1.schotten")
    assert [path.name for path in folder.iterdir()] == ["0.schotten"]
