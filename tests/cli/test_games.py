"""Whole games through the command line: headless, scripted, left, cut, and between a host and a guest."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import trio

from p2p_schotten.crypto.identity import Identity
from p2p_schotten.home import load_identity, remember
from p2p_schotten.net.dial import dial
from p2p_schotten.net.invite import parse_target
from p2p_schotten.transcript import verify
from tests.cli.running import LIMIT, PROGRAM, alive, children, schotten, start, surroundings


def transcripts(home: Path) -> list[Path]:
    return sorted((home / "games").glob("*/*.schotten"))


def wait_until_gone(pids: list[int], seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while any(map(alive, pids)) and time.monotonic() < end:
        time.sleep(0.05)
    assert not any(map(alive, pids))


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    process.wait(LIMIT)  # first, because `communicate` ends the input, and that means something to the program
    out, err = process.communicate(timeout=LIMIT)
    assert "Traceback" not in err, err
    return process.returncode, out, err


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
    assert done.stderr.splitlines()[1] == f"hint: the game is saved: {transcripts(tmp_path)[0]}"
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


# host and join


@contextmanager
def hosting(home: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str, str]]:
    """A host on loopback; its process, its invite and its host:port."""
    process = start(home, "host", "--bind", "127.0.0.1", *arguments)
    try:
        assert process.stdout is not None
        assert process.stderr is not None
        invite = process.stdout.readline().strip()
        address = process.stderr.readline().split(" at ")[1].strip().rstrip(".")
        yield process, invite, address
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()


def test_two_bots_on_two_homes_play_from_invite_to_transcript(tmp_path: Path) -> None:
    with hosting(tmp_path / "a", "--me", "greedy", "--name", "ann") as (host, invite, _address):
        assert invite.startswith("SCHOTTEN1:")
        assert " " not in invite
        guest = schotten(tmp_path / "b", "join", invite, "--me", "uniform", "--name", "bob")
        assert guest.returncode == 0
        code, out, _err = ended(host)
    assert code == 0
    assert "ann offers a game by the ruleset base" in guest.stdout
    assert "bob is new to you. Fingerprint: " in out
    (mine,), (theirs,) = transcripts(tmp_path / "a"), transcripts(tmp_path / "b")
    assert mine.read_bytes() == theirs.read_bytes()
    assert "  ann (as he calls himself)" in schotten(tmp_path / "b", "keys", "list").stdout


def test_a_guest_reads_the_invite_and_his_moves_from_standard_input(tmp_path: Path) -> None:
    with hosting(tmp_path / "a", "--me", "greedy") as (host, invite, _address):
        guest = schotten(tmp_path / "b", "join", "-", "--yes", typed=f"{invite}\nresign\nyes\n")
        assert guest.returncode == 0
        assert ended(host)[0] == 0
    assert "you resigned" in guest.stdout


def test_two_players_in_one_home_play_and_the_guest_says_that_his_identity_is_thrown_away(tmp_path: Path) -> None:
    with hosting(tmp_path, "--me", "greedy") as (host, invite, _address):
        guest = schotten(tmp_path, "join", invite, "--me", "uniform")
        assert guest.returncode == 0
        assert ended(host)[0] == 0
    assert guest.stderr == "The host has your own identity: you play with a throw-away one.\n"
    first, second = transcripts(tmp_path)
    assert first.read_bytes() == second.read_bytes()


def test_off_a_terminal_what_would_be_asked_is_a_usage_error_that_names_the_option(tmp_path: Path) -> None:
    with hosting(tmp_path / "a", "--me", "greedy") as (_host, invite, address):
        rules = schotten(tmp_path / "b", "join", invite)
        assert rules.returncode == 2
        assert "--yes" in rules.stderr
        key = schotten(tmp_path / "b", "join", address, "--yes")
        assert key.returncode == 2
        assert "--trust" in key.stderr
        bot = schotten(tmp_path / "b", "join", address, "--me", "greedy")
        assert bot.returncode == 2
        assert "--trust" in bot.stderr
        trusted = schotten(tmp_path / "b", "join", address, "--me", "greedy", "--trust")
        assert trusted.returncode == 0
        assert "is new to you. Fingerprint: " in trusted.stdout


def test_a_known_name_with_another_key_is_refused_loudly(tmp_path: Path) -> None:
    remember(tmp_path / "b", Identity.generate(b"a" * 32).public, "ann")
    with hosting(tmp_path / "a", "--me", "greedy", "--name", "ann") as (host, _invite, address):
        guest = schotten(tmp_path / "b", "join", address, "--me", "greedy", "--trust")
        assert guest.returncode == 5
        assert guest.stderr.startswith("schotten: THE KEY OF ann HAS CHANGED: ")
        assert host.poll() is None  # and the host goes on waiting
    assert transcripts(tmp_path / "b") == []


def test_an_invite_that_was_used_is_used_up_for_others(tmp_path: Path) -> None:
    with hosting(tmp_path / "a") as (host, invite, _address):
        first = start(tmp_path / "b", "join", invite, "--me", "greedy")
        assert host.stdout is not None
        for line in host.stdout:
            if line.startswith("Each player holds"):
                break
        second = schotten(tmp_path / "c", "join", invite, "--me", "greedy")
        assert second.returncode == 5
        assert len(second.stderr.splitlines()) == 1
        host.send_signal(signal.SIGINT)
        assert ended(host)[0] == 4
        code, _out, err = ended(first)
        assert code == 4
        assert " left" in err


def test_the_lobby_survives_strangers_and_a_friend_who_drops_before_the_deal(tmp_path: Path) -> None:
    with hosting(tmp_path / "a", "--me", "greedy") as (host, invite, address):
        name, port = address.rsplit(":", 1)
        for greeting in (b"GET / HTTP/1.1\r\n\r\n", b"\x00" * 100, b""):
            with socket.create_connection((name, int(port)), timeout=5) as stranger:
                stranger.sendall(greeting)
        trio.run(drop_out, tmp_path / "b", invite)
        guest = schotten(tmp_path / "b", "join", invite, "--me", "greedy")
        assert guest.returncode == 0
        code, out, _err = ended(host)
    assert code == 0
    assert sum(line.startswith("Turned away: ") for line in out.splitlines()) == 1


async def drop_out(home: Path, invite: str) -> None:
    """Prove the invite with the identity of that home, hear the host's HELLO, and hang up."""
    connection = await dial(parse_target(invite), load_identity(home))
    await connection.stream.receive_some(4096)
    await connection.aclose()


@pytest.mark.parametrize(
    ("word", "named"),
    [
        ("SCHOTTEN1:AAAA", "invite"),
        ("SCHOTTEN2:AAAA", "form 2"),
        ("hello", "SCHOTTEN1"),
        ("127.0.0.1:99999", "65535"),
        ("127.0.0.1:1", "nobody listens there"),
    ],
)
def test_a_wrong_invite_or_a_host_that_is_not_there_is_one_line_with_status_5(
    tmp_path: Path, word: str, named: str
) -> None:
    done = schotten(tmp_path, "join", word, "--me", "greedy", "--trust")
    assert done.returncode == 5
    assert len(done.stderr.splitlines()) == 1
    assert named in done.stderr
    alone = schotten(tmp_path, "join", word, "--trust")  # what is wrong comes before what nobody can be asked
    if word != "127.0.0.1:1":
        assert (alone.returncode, alone.stderr) == (done.returncode, done.stderr)


def test_an_address_that_leads_here_stands_first_in_the_invite(tmp_path: Path) -> None:
    more = ("--address", "House.example.org", "--address", "2001:db8::7", "--address", "192.0.2.7:99")
    with hosting(tmp_path, *more) as (host, invite, _address):
        port = parse_target(invite).addresses[-1].port
        assert tuple(map(str, parse_target(invite).addresses)) == (
            f"house.example.org:{port}",
            f"[2001:db8::7]:{port}",
            "192.0.2.7:99",
            f"127.0.0.1:{port}",
        )
        assert host.stderr is not None
        assert any(line.startswith("Your fingerprint: ") for line in (host.stderr.readline() for _ in range(3)))


def test_a_busy_port_is_one_line_with_status_5(tmp_path: Path) -> None:
    with hosting(tmp_path, "--me", "greedy") as (_host, _invite, address):
        done = schotten(tmp_path, "host", "--bind", "127.0.0.1", "--port", address.rsplit(":", 1)[1])
    assert done.returncode == 5
    assert len(done.stderr.splitlines()) == 1
    assert "taken" in done.stderr


def test_a_host_who_is_interrupted_before_a_friend_comes_has_no_game(tmp_path: Path) -> None:
    with hosting(tmp_path) as (host, _invite, _address):
        host.send_signal(signal.SIGINT)
        code, _out, err = ended(host)
    assert code == 5
    assert err.splitlines()[-1] == "schotten: interrupted before a friend came"


def test_an_empty_standard_input_is_no_invite(tmp_path: Path) -> None:
    done = schotten(tmp_path, "join", "-", "--yes")
    assert done.returncode == 5
    assert done.stderr.startswith("schotten: no invite came on standard input")


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
