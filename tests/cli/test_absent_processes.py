"""A game with a clock between two processes: one is away, the other records it, and both meet again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from p2p_schotten.absence import read_absence
from p2p_schotten.ids import SEATS
from p2p_schotten.protocol.absent import Word
from p2p_schotten.protocol.file import read_file
from p2p_schotten.transcript import verify
from tests.cli.running import ended, schotten, start, transcripts

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no process can be stopped here")
Process = subprocess.Popen[str]
ANN, BOB = SEATS
CLOCK, LATE = 10, 15  # seconds that were agreed; and with the tolerance


def gone(*processes: Process) -> None:
    """Nothing of them is left."""
    for process in processes:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()


@contextmanager
def at_bobs_turn(folder: Path) -> Iterator[tuple[Process, Process]]:
    """Ann's bot hosts with a clock; bob, at a keyboard, is asked for his first move."""
    options = ("--clock", str(CLOCK), "--me", "greedy", "--name", "ann", "--json")
    ann = start(folder / "a", "host", "--bind", "127.0.0.1", *options)
    assert ann.stdout is not None
    invite = json.loads(ann.stdout.readline())["invite"]
    bob = start(folder / "b", "join", "--yes", "--name", "bob", "--json", invite)
    try:
        assert bob.stdout is not None
        while '"event": "choose"' not in (line := bob.stdout.readline()):
            assert line, "bob's program ended"
        yield ann, bob
    finally:
        gone(ann, bob)


def events(out: str, kind: str) -> list[dict[str, object]]:
    return [event for event in map(json.loads, out.splitlines()) if event["event"] == kind]


def recorded(home: Path, seat: int) -> tuple[int, int, Word] | None:
    """Who wins by absence, after how many records, and what the other said to it."""
    (path,) = transcripts(home)
    assert path.name == f"{seat}.schotten"
    absence = read_absence(path.with_suffix(".absence"))
    return None if absence is None else (absence.by, absence.seq, absence.answer)


def records(home: Path) -> tuple[bytes, ...]:
    (path,) = transcripts(home)
    return read_file(path.read_bytes()).items


def test_a_player_who_thinks_too_long_loses_by_absence_on_both_sides(tmp_path: Path) -> None:
    with at_bobs_turn(tmp_path) as (ann, bob):
        code, out, err = ended(ann)
        his_code, his_out, his_err = ended(bob)
    assert (code, his_code) == (4, 4)
    assert "your win by absence is recorded" in err
    assert "ann's win by your absence is recorded" in his_err
    count = len(records(tmp_path / "a"))
    assert records(tmp_path / "a") == records(tmp_path / "b")
    assert recorded(tmp_path / "a", ANN) == recorded(tmp_path / "b", BOB) == (ANN, count, Word.AGREED)
    assert events(his_out, "time up") == [{"v": 1, "event": "time up", "seat": BOB, "seconds": CLOCK}]
    for said in (events(out, "recorded")[-1], events(his_out, "recorded")[-1]):
        assert said == {"v": 1, "event": "recorded", "by": ANN, "record": count, "agreed": True, "why": ""}
    assert "won (absent)" in schotten(tmp_path / "a", "games").stdout
    assert "lost (absent)" in schotten(tmp_path / "b", "games").stdout
    done = schotten(tmp_path / "b", "verify", str(tmp_path / "b" / "games"))
    assert done.returncode == 1
    transcript, word = done.stdout.splitlines()
    assert "valid, unfinished: bob's record would be next; base, 10 s for a turn; " in transcript
    assert word.endswith("; the transcript is unfinished; this is his word only: nobody can verify time")


def test_a_player_whose_machine_slept_agrees_when_both_meet_again(tmp_path: Path) -> None:
    with at_bobs_turn(tmp_path) as (ann, bob):
        os.kill(bob.pid, signal.SIGSTOP)
        stopped = time.monotonic()
        code, out, _err = ended(ann)
        assert (code, time.monotonic() - stopped >= LATE) == (4, True)
        assert [said["agreed"] for said in events(out, "recorded")] == [None]
        os.kill(bob.pid, signal.SIGCONT)
        # He may still find the claim in his dead connection, agree and leave: to him nothing stands unfinished then,
        # and he comes back to that game only by its id. Else he looks for ann again.
        with suppress(subprocess.TimeoutExpired):
            assert bob.wait(5) == 4
            (path,) = transcripts(tmp_path / "b")
            bob = start(tmp_path / "b", "resume", path.parent.name, "--json", "--me", "greedy")
        again = schotten(tmp_path / "a", "resume", "--json")
        his_code, his_out, his_err = ended(bob)
    assert (again.returncode, his_code) == (4, 4), again.stderr + his_err
    count = len(records(tmp_path / "a"))
    assert records(tmp_path / "a") == records(tmp_path / "b")
    assert recorded(tmp_path / "a", ANN) == recorded(tmp_path / "b", BOB) == (ANN, count, Word.AGREED)
    assert [said["agreed"] for said in events(again.stdout, "recorded")] == [True]
    assert [said["agreed"] for said in events(his_out, "recorded")] == [True]


def test_a_player_whose_program_was_killed_differs_both_know_why_and_the_game_goes_on(tmp_path: Path) -> None:
    with at_bobs_turn(tmp_path) as (ann, bob):
        bob.kill()
        code, out, err = ended(ann)
    assert code == 4, err
    count = len(records(tmp_path / "a"))
    assert [said["agreed"] for said in events(out, "recorded")] == [None]
    assert recorded(tmp_path / "a", ANN) == (ANN, count, Word.CLAIM)
    ann = start(tmp_path / "a", "resume", "--json")
    his = schotten(tmp_path / "b", "resume", "--me", "greedy", "--json")
    code, out, err = ended(ann)
    assert (code, his.returncode) == (0, 0), err + his.stderr
    side = "measured nothing there, its program was started anew"
    assert [said["why"] for said in events(out, "recorded")] == [f"the side of bob {side}"]
    assert [said["why"] for said in events(his.stdout, "recorded")] == [f"your side {side}"]
    assert recorded(tmp_path / "a", ANN) == (ANN, count, Word.UNKNOWN)
    assert recorded(tmp_path / "b", BOB) is None
    assert records(tmp_path / "a") == records(tmp_path / "b")
    (path,) = transcripts(tmp_path / "a")
    verdict = verify(path.read_bytes())
    assert (verdict.over, verdict.sealed) == (True, SEATS)


def test_who_is_told_that_the_time_is_up_may_wait_or_adjourn(tmp_path: Path) -> None:
    """Bob's time is up; ann, at a keyboard, waits, and leaves later. Nothing is recorded."""
    ann = start(tmp_path / "a", "host", "--bind", "127.0.0.1", "--clock", str(CLOCK), "--name", "ann", "--json")
    assert ann.stdout is not None
    assert ann.stdin is not None
    invite = json.loads(ann.stdout.readline())["invite"]
    bob = start(tmp_path / "b", "join", "--yes", "--name", "bob", "--json", invite)
    assert bob.stdin is not None
    try:
        first = ""
        while '"event": "dealt"' not in (first := ann.stdout.readline()):
            assert first
        if json.loads(first)["first"] == ANN:
            while '"event": "choose"' not in (line := ann.stdout.readline()):
                assert line
            ann.stdin.write(json.loads(line)["choices"][0] + "\n")
            ann.stdin.flush()
        while '"event": "time up"' not in (line := ann.stdout.readline()):
            assert line
        assert json.loads(line)["seat"] == BOB
        ann.stdin.write("wait\n")
        ann.stdin.flush()
        assert "You go on waiting for bob." in ann.stdout.readline()
        os.kill(ann.pid, signal.SIGINT)
        code, out, err = ended(ann)
        assert (code, events(out, "recorded")) == (4, [])
        assert "interrupted" in err
        his_code, his_out, his_err = ended(bob)
        assert (his_code, events(his_out, "recorded")) == (4, [])
        assert "ann left" in his_err
        assert recorded(tmp_path / "a", ANN) is recorded(tmp_path / "b", BOB) is None
    finally:
        gone(ann, bob)
