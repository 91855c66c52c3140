"""Games between a host and a guest through the command line: invites, keys, strangers, and no game at all."""

from __future__ import annotations

import signal
import socket
from pathlib import Path

import pytest
import trio

from p2p_schotten.crypto.identity import Identity
from p2p_schotten.home import load_identity, remember
from p2p_schotten.net.dial import dial
from p2p_schotten.net.invite import parse_target
from tests.cli.running import ended, hosting, schotten, start, transcripts


def test_two_bots_on_two_homes_play_from_invite_to_transcript(tmp_path: Path) -> None:
    with hosting(tmp_path / "a", "--me", "greedy", "--name", "ann") as (host, invite, _address):
        assert invite.startswith("SCHOTTEN1:")
        assert " " not in invite
        pieces = (invite[:30], invite[30:60], invite[60:])  # as a shell gives one that was copied with its line breaks
        guest = schotten(tmp_path / "b", "join", *pieces, "--me", "uniform", "--name", "bob")
        assert guest.returncode == 0
        code, out, _err = ended(host)
    assert code == 0
    assert "ann offers a game by the ruleset base" in guest.stdout
    assert "bob is new to you. Fingerprint: " in out
    (mine,), (theirs,) = transcripts(tmp_path / "a"), transcripts(tmp_path / "b")
    assert mine.read_bytes() == theirs.read_bytes()
    assert "  ann (as he calls himself)" in schotten(tmp_path / "b", "keys", "list").stdout


def test_a_guest_reads_an_invite_in_lines_and_his_moves_from_standard_input(tmp_path: Path) -> None:
    with hosting(tmp_path / "a", "--me", "greedy") as (host, invite, _address):
        lines = f"{invite[:80]}\n{invite[80:]}"
        guest = schotten(tmp_path / "b", "join", "-", "--yes", typed=f"{lines}\nresign\nyes\n")
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
    error, *hint = done.stderr.splitlines()
    assert named in error
    cut = ["hint: schotten join - takes an invite that was copied with its line breaks"]
    assert hint == (cut if word == "SCHOTTEN1:AAAA" else [])
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
