"""Whole games through the command line against the program's own second seat: headless, scripted, left, and cut."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from p2p_schotten.transcript import verify
from tests.cli.running import LIMIT, PROGRAM, alive, children, ended, schotten, start, surroundings, transcripts


def wait_until_gone(pids: list[int], seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while any(map(alive, pids)) and time.monotonic() < end:
        time.sleep(0.05)
    assert not any(map(alive, pids))


def test_a_headless_game_ends_with_two_equal_transcripts_that_verify(tmp_path: Path) -> None:
    done = schotten(tmp_path, "play", "--me", "greedy", "--opponent", "uniform", "--plain", "--seed", "1")
    assert done.returncode == 0
    assert done.stderr == ""
    first, second = transcripts(tmp_path)
    assert (first.name, second.name) == ("0.schotten", "1.schotten")
    assert first.read_bytes() == second.read_bytes()
    lines = done.stdout.splitlines()
    assert lines[-3:-1] == [f"Transcript: {first}", f"Transcript: {second}"]
    assert re.fullmatch(r"(You win|uniform wins) [5-9]-\d \(.*\)\.|The game is drawn \d-\d\.", lines[-1])
    assert sum(line.startswith("The game is over: ") for line in lines) == 1
    verified = schotten(tmp_path, "verify", str(tmp_path / "games"))
    assert verified.returncode == 0
    assert len(verified.stdout.splitlines()) == 2
    for line in verified.stdout.splitlines():
        assert "valid, over, sealed by both, revealed by both; " in line


def test_a_program_plays_by_the_words_it_is_offered(tmp_path: Path) -> None:
    process = start(tmp_path, "play", "--opponent", "uniform", "--json", "--name", "ann")
    assert process.stdin is not None
    assert process.stdout is not None
    events = []
    for line in process.stdout:
        event = json.loads(line)
        assert event["v"] == 1
        events.append(event)
        if event["event"] == "choose":
            if len([e for e in events if e["event"] == "choose"]) == 1:
                process.stdin.write("foo\n")
            process.stdin.write(event["choices"][0] + "\n")
            process.stdin.flush()
    code, _out, err = ended(process)
    assert code == 0, err
    kinds = [event["event"] for event in events]
    assert kinds.count("refused") == kinds.count("ended") == kinds.count("finished") == kinds.count("saved") == 1
    assert next(e for e in events if e["event"] == "seated")["names"] == ["ann", "uniform"]
    mine = [e for e in events if e["event"] == "played" and e["seat"] == 0]
    assert len(mine) == sum(e["event"] == "choose" and e["position"]["phase"] == "play" for e in events)


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "the input ended"),
        ("2\n", "the input ended"),
        ("resign\n", "the input ended"),
        ("?\nwhy 1\nunseen\nboard\nfoo\n", "the input ended"),
        ("quit\n", "you left"),
        ("\xff\x00\x1b[A\n", "the input ended"),
    ],
)
def test_the_end_of_input_at_a_prompt_leaves_a_saved_game(tmp_path: Path, typed: str, why: str) -> None:
    done = schotten(tmp_path, "play", typed=typed.encode("latin-1"))
    assert done.returncode == 4
    assert done.stderr.splitlines()[0] == f"schotten: the game stands unfinished: {why}"
    path = transcripts(tmp_path)[0]
    goes_on = f"schotten resume {path.parent.name[:12]} goes on with it"
    assert done.stderr.splitlines()[1] == f"hint: the game is saved: {path}; {goes_on}"
    assert len(transcripts(tmp_path)) == 2
    assert "\x1b" not in done.stdout
    verdict = verify(transcripts(tmp_path)[0].read_bytes())
    assert verdict.valid
    assert not verdict.over


def test_the_end_of_input_at_a_claim_leaves_a_saved_game(tmp_path: Path) -> None:
    for _attempt in range(5):  # the cards decide whether something can be claimed before the game is over
        process = start(tmp_path, "play", "--opponent", "uniform", "--json")
        assert process.stdin is not None
        assert process.stdout is not None
        for line in process.stdout:
            event = json.loads(line)
            if event["event"] == "choose" and event["position"]["phase"] == "claim":
                assert event["choices"][-1] == "done"
                code, _out, err = ended_input(process)
                assert code == 4
                assert err.startswith("schotten: the game stands unfinished: the input ended")
                return
            if event["event"] == "choose":
                process.stdin.write(event["choices"][0] + "\n")
                process.stdin.flush()
        ended(process)
    raise AssertionError("nothing could be claimed in five games")


def ended_input(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=LIMIT)
    return process.returncode, out, err


def test_resigning_ends_the_game_and_seals_it(tmp_path: Path) -> None:
    done = schotten(tmp_path, "play", typed="resign\nno\nresign\nyes\n")
    assert done.returncode == 0
    assert "The game is over: greedy wins (you resigned). Points: you 0, greedy 5." in done.stdout
    assert verify(transcripts(tmp_path)[1].read_bytes()).over


def at_first_question(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        if "Which card?" in line:
            return
    raise AssertionError("no question came")


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_at_a_prompt_saves_the_game_and_leaves_no_process(tmp_path: Path, name: str) -> None:
    process = start(tmp_path, "play")
    at_first_question(process)
    below = children(process.pid)
    process.send_signal(getattr(signal, name))
    code, _out, err = ended(process)
    assert code == 4
    assert err.splitlines()[0] == "schotten: the game stands unfinished: interrupted"
    wait_until_gone(below)


def test_a_killed_parent_takes_the_second_process_with_it(tmp_path: Path) -> None:
    process = start(tmp_path, "play")
    at_first_question(process)
    below = children(process.pid)
    assert below or not Path("/proc").exists()
    process.kill()
    process.communicate(timeout=LIMIT)
    wait_until_gone(below)


@pytest.mark.parametrize("name", ["SIGKILL", "SIGSTOP"])
def test_a_killed_or_stopped_opponent_ends_the_game_in_one_line(tmp_path: Path, name: str) -> None:
    """A stopped one still holds its connection: only its silence (20 s, `net.limits`) gives it away."""
    process = start(tmp_path, "play")
    at_first_question(process)
    (below,) = children(process.pid)
    os.kill(below, getattr(signal, name))
    code, out, err = ended(process)
    assert code == 4
    assert "The connection is gone" in out
    assert len(err.splitlines()) == 2
    assert err.startswith("schotten: the game stands unfinished: ")
    wait_until_gone([below])
    refused = schotten(tmp_path, "verify", str(transcripts(tmp_path)[0]))
    assert refused.returncode == 1
    assert "valid, unfinished: " in refused.stdout
    assert schotten(tmp_path, "verify", "--allow-unfinished", str(transcripts(tmp_path)[0])).returncode == 0


def test_a_game_whose_output_nobody_reads_is_saved(tmp_path: Path) -> None:
    process = start(tmp_path, "play")
    at_first_question(process)
    below = children(process.pid)
    assert process.stdout is not None
    assert process.stdin is not None
    process.stdout.close()
    process.stdin.write("1 1\n")
    process.stdin.flush()
    assert process.wait(LIMIT) == 4
    assert process.stderr is not None
    assert process.stderr.read().splitlines()[0] == ("schotten: the game stands unfinished: nobody reads the output")
    process.stdin.close()
    process.stderr.close()
    wait_until_gone(below)


def test_closed_streams_and_a_poor_encoding_are_no_reason_to_fail(tmp_path: Path) -> None:
    command = f"{' '.join(PROGRAM)} play --name 한글 --opponent uniform --me greedy"
    env = {**surroundings(tmp_path), "PYTHONIOENCODING": "ascii"}
    poor = subprocess.run(["bash", "-c", command], env=env, capture_output=True, check=True)
    assert poor.stderr == b""
    assert poor.stdout.isascii()
    closed = subprocess.run(["bash", "-c", f"{' '.join(PROGRAM)} play <&-"], env=env, capture_output=True, check=False)
    assert closed.returncode == 4
    assert closed.stderr.splitlines()[0] == b"schotten: the game stands unfinished: the input ended"
    mute = subprocess.run(
        ["bash", "-c", f"{' '.join(PROGRAM)} play --me greedy >&-"], env=env, capture_output=True, check=False
    )
    assert mute.returncode == 0
    assert mute.stderr == b""


@pytest.mark.parametrize("command", ["play", "host", "keys"])
def test_a_home_that_cannot_be_used_is_one_line_with_status_5(tmp_path: Path, command: str) -> None:
    (tmp_path / "file").write_text("not a folder")
    done = schotten(tmp_path / "file", command)
    assert done.returncode == 5
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert str(tmp_path / "file") in line
