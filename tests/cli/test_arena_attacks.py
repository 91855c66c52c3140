"""Files and folders that `schotten arena` is to keep out of, or that cannot be written."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path

import pytest

from p2p_schotten.cli.main import dispatch
from p2p_schotten.cli.status import Status
from p2p_schotten.disk import RealFile


def test_transcripts_of_another_match_are_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "0-1" / "000000" / "0.schotten"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(b"another match")
    words = ["arena", "uniform", "uniform", "--pairs", "1", "--jobs", "1", "--sealed", "--keep", str(tmp_path)]
    assert dispatch(words) == Status.USAGE
    assert capsys.readouterr() == ("", f"schotten: --keep {tmp_path}: it is not empty, and nothing is overwritten\n")
    assert kept.read_bytes() == b"another match"


def test_nor_are_they_where_there_is_nothing_to_resume(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, results = tmp_path / "kept", tmp_path / "games.jsonl"
    folder.mkdir()
    (folder / "mine").write_bytes(b"another match")
    assert uniform("--sealed", "--keep", str(folder), "--out", str(results), "--resume") == Status.USAGE
    assert capsys.readouterr().err == f"schotten: --keep {folder}: it is not empty, and nothing is overwritten\n"
    assert not results.exists()


def uniform(*arguments: str) -> int:
    """A match of two games."""
    return dispatch(["arena", "uniform", "uniform", "--pairs", "1", "--jobs", "1", *arguments])


@pytest.mark.parametrize("option", ["--log", "--out", "--keep"])
def test_what_cannot_be_written_is_refused_before_anything_is_played(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("p2p_schotten.cli.arena._play", lambda *_: pytest.fail("it plays"))
    file = tmp_path / "file"
    file.write_bytes(b"")
    for path in (file / "below", tmp_path / ("x" * 300)):
        assert uniform("--sealed", option, str(path)) == Status.USAGE
        said = capsys.readouterr()
        assert said.out == ""
        refused = rf"{option} {path}: it cannot be written \({tmp_path}/.*: [A-Z][a-z ]+\)"
        assert re.fullmatch(rf"schotten: ({refused}|{path}: there is no folder {file})\n", said.err)
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize("name", ["folder", "pipe", "/dev/full"])
def test_a_log_that_takes_nothing_is_refused_and_nobody_waits_for_it(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    results = tmp_path / "games.jsonl"
    assert uniform("--log", str(tmp_path / name), "--out", str(results)) == Status.USAGE
    said = capsys.readouterr()
    assert said.out == ""
    assert re.fullmatch(rf"schotten: --log {tmp_path / name}: it cannot be written \((.+: )?[A-Z][a-z ]+\)\n", said.err)
    assert not results.exists()


def test_a_log_says_which_match_it_belongs_to(tmp_path: Path) -> None:
    log = tmp_path / "new" / "bots.log"
    assert uniform("--log", str(log), "--seed", "7") == Status.DONE
    assert log.read_text() == "--- arena uniform uniform (base, seed 7)\n"


def test_a_disk_that_is_full_in_the_middle_costs_no_game_that_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, whole, room = tmp_path / "games.jsonl", tmp_path / "whole.jsonl", [1000]
    match = ("arena", "uniform", "uniform", "--pairs", "9", "--jobs", "1")
    write = RealFile.append

    def append(file: RealFile, data: bytes) -> None:
        write(file, data[: room[0]])
        room[0] = max(0, room[0] - len(data))
        if not room[0]:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(RealFile, "append", append)
    assert dispatch([*match, "--out", str(path)]) == Status.FAILED
    kept = path.read_bytes()
    games = (kept.count(b"\n") - 1) // 2 * 2
    assert len(kept) == 1000
    assert capsys.readouterr().err.splitlines() == [
        f"schotten: game {games + 1} could not be kept: {os.strerror(errno.ENOSPC)}",
        "hint: --resume goes on with what was kept before",
    ]
    monkeypatch.setattr(RealFile, "append", write)
    assert dispatch([*match, "--out", str(path), "--resume"]) == Status.DONE
    assert dispatch([*match, "--out", str(whole)]) == Status.DONE
    assert path.read_bytes() == whole.read_bytes()


def test_the_log_and_the_results_are_two_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results, link = tmp_path / "games.jsonl", tmp_path / "bots.log"
    assert uniform("--out", str(results)) == Status.DONE
    whole = results.read_bytes()
    link.symlink_to(results)
    capsys.readouterr()
    assert uniform("--out", str(results), "--resume", "--log", str(link)) == Status.USAGE
    assert capsys.readouterr() == ("", f"schotten: --log and --out are one file, {results}\n")
    assert results.read_bytes() == whole


def test_a_folder_for_transcripts_that_is_none_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"mine")
    assert uniform("--sealed", "--keep", str(file)) == Status.USAGE
    assert capsys.readouterr() == ("", f"schotten: --keep {file}: it is no folder\n")
