"""An arena whose processes are killed, told to end or ended by a bot: nobody is left behind, and nothing is lost."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path

import pytest

from p2p_schotten.cli.main import dispatch
from tests.cli.running import LIMIT, alive, children, schotten, start

MATCH = ("arena", "uniform", "greedy", "--pairs", "400")


def under_way(path: Path, home: Path) -> tuple[subprocess.Popen[str], list[int]]:
    """An arena with two processes that has written some games, and everybody who belongs to it."""
    process = start(home, *MATCH, "--jobs", "2", "--out", str(path), "--resume")
    before = path.stat().st_size if path.exists() else 0
    deadline = time.monotonic() + LIMIT
    while not path.exists() or path.stat().st_size < before + 4000:
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return process, children(process.pid)


def gone(pids: list[int]) -> bool:
    """Whether all of them end within some seconds."""
    deadline = time.monotonic() + 20
    while any(map(alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not any(map(alive, pids))


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="the helpers of a process are found in /proc")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_an_arena_that_is_cut_leaves_nobody_behind_and_goes_on_to_the_same_file(
    tmp_path: Path, number: signal.Signals
) -> None:
    path, whole = tmp_path / "games.jsonl", tmp_path / "whole.jsonl"
    process, helpers = under_way(path, tmp_path)
    assert len(helpers) >= 2
    process.send_signal(number)
    out, err = process.communicate(timeout=LIMIT)
    assert gone(helpers)
    if number is signal.SIGKILL:
        assert process.returncode == -number
    else:
        assert process.returncode == 4
        assert out.startswith("base, seed 1, pairs: ")
        assert err.splitlines()[-2].startswith("schotten: interrupted after ")
        assert "Traceback" not in err
    done = path.read_bytes().count(b"\n") // 2
    pairs = ("--pairs", str(done + 10))
    again = schotten(tmp_path, *MATCH[:3], *pairs, "--jobs", "2", "--out", str(path), "--resume")
    alone = schotten(tmp_path, *MATCH[:3], *pairs, "--jobs", "1", "--out", str(whole))
    assert (again.returncode, alone.returncode) == (0, 0)
    assert again.stdout == alone.stdout
    assert path.read_bytes() == whole.read_bytes()


def test_a_bot_that_ends_the_only_process_that_plays_is_told_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.jsonl"
    kills = "tests.arena.bots:Kills,status=0"
    assert dispatch(["arena", "uniform", kills, "--pairs", "1", "--jobs", "1", "--out", str(path)]) == 4
    said = capsys.readouterr()
    assert said.out.splitlines()[0] == "base, seed 1, pairs: 0, games: 0"
    first, hint = said.err.splitlines()
    assert first.startswith("schotten: a process that played has died: ")
    assert hint == f"hint: --resume goes on with {path}"
