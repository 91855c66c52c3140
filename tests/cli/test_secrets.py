"""What a player sees, writes down or starts shows none of his secrets: output, files, arguments, surroundings."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from p2p_schotten.cli.export import text, tree
from p2p_schotten.cli.main import dispatch
from p2p_schotten.cli.moments import story
from p2p_schotten.crypto.secret import Secret
from p2p_schotten.net.invite import parse_target
from p2p_schotten.protocol.session import secret_key
from p2p_schotten.standby import load_standby
from p2p_schotten.transcript import verify
from tests.cli.running import PROGRAM, children, ended, hosting, start, surroundings, transcripts
from tests.needles import Needles
from tests.protocol.courses import course

LINUX = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="processes are looked at through /proc")


def secrets_in(home: Path) -> Iterator[tuple[str, bytes]]:
    """Everything secret that the program put into its home: the identity, each seed and the key that it makes."""
    yield "identity", bytes.fromhex((home / "identity").read_text().split()[-1])
    for path in sorted((home / "seeds").glob("*.seed")):
        seed, (game, seat) = path.read_bytes(), path.stem.split("-")
        yield f"seed of seat {seat}", seed
        session = verify((home / "games" / game / f"{seat}.schotten").read_bytes()).session
        yield f"key of seat {seat}", secret_key(session, Secret(seed))
        standby = path.with_suffix(".json")
        if standby.exists() and (private := load_standby(standby).identity):
            yield f"throw-away identity of seat {seat}", private


@dataclass(frozen=True, slots=True)
class Process:
    """What everybody on the machine, or at least everybody with this account, sees of a process."""

    arguments: bytes
    environment: bytes

    @classmethod
    def of(cls, pid: int) -> Process:
        """Of a running one."""
        folder = Path(f"/proc/{pid}")
        return cls((folder / "cmdline").read_bytes(), (folder / "environ").read_bytes())


@dataclass(frozen=True, slots=True)
class Played:
    """A game that its player left in the middle: nobody has revealed anything."""

    home: Path
    output: str
    processes: tuple[Process, ...]
    needles: Needles


def left_at_the_second_question(home: Path, *command: str) -> Played:
    """A card is laid, and the input ends at the next question."""
    process = start(home, *command)
    assert process.stdin is not None
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line)
        if "Which card" in line or '"choose"' in line:
            break
    seen = tuple(map(Process.of, [process.pid, *children(process.pid)])) if Path("/proc/self/environ").exists() else ()
    process.stdin.write("1 1\n")
    process.stdin.close()
    process.stdin = None
    code, out, err = ended(process)
    assert code == 4, err
    return Played(home, "".join(lines) + out + err, seen, Needles(secrets_in(home)))


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """A game against a bot that was left."""
    home = tmp_path_factory.mktemp("left")
    return left_at_the_second_question(home, "play", "--plain", "--name", "ann", "--opponent", "uniform", "--seed", "1")


def test_the_secrets_that_are_looked_for_are_there(left: Played) -> None:
    names = {re.sub(r" \d$", "", name) for name in left.needles.secrets}
    assert {"identity", "seed of seat", "key of seat"} <= names
    assert len(left.needles.secrets) >= 5


def test_what_a_game_prints_holds_no_secret(left: Played) -> None:
    assert "stone" in left.output
    assert left.needles.found(left.output) == []


def test_what_a_game_tells_a_program_holds_no_secret(tmp_path: Path) -> None:
    played = left_at_the_second_question(tmp_path, "play", "--json", "--name", "ann")
    assert '"event": "choose"' in played.output or '"event":"choose"' in played.output
    assert played.needles.found(played.output) == []


COMMANDS: dict[str, Callable[[str], list[str]]] = {
    "games": lambda game: ["games"],
    "keys": lambda game: ["keys"],
    "doctor": lambda game: ["doctor"],
    "verify": lambda game: ["verify", game],
    "verify in JSON": lambda game: ["verify", "--json", game],
    "replay": lambda game: ["replay", game],
    "export": lambda game: ["export", game],
    "export in JSON": lambda game: ["export", game, "--format", "json"],
    "export in msgpack": lambda game: ["export", game, "--format", "msgpack"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_what_a_command_prints_of_an_unfinished_game_holds_no_secret(
    left: Played, command: str, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setenv("SCHOTTEN_HOME", str(left.home))
    for game in transcripts(left.home):
        dispatch(COMMANDS[command](str(game)))
        sys.stdout.flush()
        out, err = capfdbinary.readouterr()
        assert out
        assert left.needles.found(out + err) == []


def test_no_file_but_the_secret_ones_holds_a_secret(left: Played) -> None:
    """The transcript may be given away, and so may everything beside it."""
    found = {
        str(path.relative_to(left.home)): left.needles.found(path.read_bytes())
        for path in sorted(left.home.rglob("*"))
        if path.is_file()
    }
    with_secrets = [name for name, secrets in found.items() if secrets]
    assert [name for name in with_secrets if name != "identity" and not name.startswith("seeds/")] == []
    assert "identity" in with_secrets
    assert len(with_secrets) >= 3


def check_processes(played: Played) -> None:
    """Neither process of a game has a secret in its arguments or its environment."""
    parent, child = played.processes
    words = [word.decode() for word in child.arguments.split(b"\0")[:-1]]
    assert words[1:] == ["-m", "p2p_schotten", "second-peer"]
    # Nothing was added to the environment for the child: all that it needs came through the pipe.
    assert sorted(child.environment.split(b"\0")) == sorted(parent.environment.split(b"\0"))
    for process in played.processes:
        assert played.needles.found(process.arguments + process.environment) == []
        assert b"SCHOTTEN1:" not in process.arguments + process.environment


@LINUX
def test_neither_process_of_a_game_has_a_secret_in_its_arguments_or_its_environment(left: Played) -> None:
    check_processes(left)


@LINUX
def test_going_on_with_a_game_shows_no_secret_either_and_the_transcript_only_grows(
    left: Played, tmp_path: Path
) -> None:
    shutil.copytree(left.home, tmp_path / "home")
    before = [path.read_bytes() for path in transcripts(left.home)]
    again = left_at_the_second_question(tmp_path / "home", "resume", "--plain")
    assert again.needles.secrets == left.needles.secrets
    assert again.needles.found(again.output) == []
    check_processes(again)
    for path, old in zip(transcripts(again.home), before, strict=True):
        assert path.read_bytes().startswith(old)
        assert len(path.read_bytes()) > len(old)
        assert again.needles.found(path.read_bytes()) == []


@LINUX
def test_an_invite_from_standard_input_stands_in_no_argument_and_its_secret_in_no_file(tmp_path: Path) -> None:
    host_home, guest_home = tmp_path / "a", tmp_path / "b"
    with hosting(host_home, "--me", "greedy") as (host, invite, _address):
        secret = parse_target(invite).secret
        assert secret is not None
        needles = Needles([("the secret of the invite", secret)])
        assert needles.found(invite), "the invite holds it"
        guest = start(guest_home, "join", "-", "--yes", "--plain")
        assert guest.stdin is not None
        assert guest.stdout is not None
        guest.stdin.write(invite + "\n")
        guest.stdin.flush()
        said = ""
        while "Which card" not in said:
            line = guest.stdout.readline()
            assert line, said
            said += line
        for process in (host, guest):
            seen = Process.of(process.pid)
            assert needles.found(seen.arguments + seen.environment) == []
            assert b"SCHOTTEN1:" not in seen.arguments
        guest.stdin.write("quit\n")
        guest.stdin.flush()
        code, out, err = ended(guest)
        assert code == 4, err
        assert needles.found(said + out + err) == []
    for path in [*host_home.rglob("*"), *guest_home.rglob("*")]:
        assert not path.is_file() or needles.found(path.read_bytes()) == [], path


# A bug


BUG = """
import sys
from p2p_schotten.cli import main
from p2p_schotten import home
def broken(folder):
    private = bytes.fromhex(sys.argv[1])
    raise ZeroDivisionError("a bug")
home.load_identity = broken
main.dispatch(["keys"])
"""


def test_the_traceback_of_a_bug_shows_no_values(tmp_path: Path) -> None:
    """Some libraries print the local variables of every frame: here that would be keys."""
    private = bytes(range(60, 92))
    done = subprocess.run(
        [sys.executable, "-c", BUG, private.hex()], env=surroundings(tmp_path), capture_output=True, check=False
    )
    assert done.returncode != 0
    assert b"ZeroDivisionError: a bug" in done.stderr
    assert Needles([("private key", private)]).found(done.stdout + done.stderr) == []


# What export shows of a hand

NAMED = re.compile(r"\b[RGBYPN](?:10|[1-9])\b")


@pytest.mark.parametrize("count", [12, -40, -2])
def test_an_export_before_the_reveal_names_open_cards_only(count: int) -> None:
    game = course("greedy", 1)
    data = game.pair.file_bytes(count)
    session = game.sessions[0][count % len(game.records)]
    assert session.state is not None
    assert session.seeds == ()
    opened = {session.rules.text(card) for stone in session.state.stones for card in stone.arrived}
    told = story(data)
    shown = tree(told)
    assert shown["dealt"] == []
    words = set(NAMED.findall(repr([record_without_bytes(each) for each in as_list(shown["records"])])))
    assert words == opened
    assert set(NAMED.findall("\n".join(text(told)))) <= opened
    assert opened


def test_an_export_behind_the_reveals_shows_both_hands() -> None:
    dealt = tree(story(course("greedy", 1).pair.file_bytes()))["dealt"]
    assert [len(hand) for hand in as_list(dealt)] == [6, 6]


def as_list(value: object) -> list[dict[str, object]]:
    assert isinstance(value, list)
    return value


def record_without_bytes(record: dict[str, object]) -> dict[str, object]:
    """A repr of ciphertexts and signatures looks like a card here and there."""
    return {name: value for name, value in record.items() if name not in ("prev", "body", "signature")}


# Modes

POSIX = pytest.mark.skipif(os.name == "nt", reason="Windows keeps the home folder of a user from others in its own way")


def modes_below(home: Path) -> None:
    """Every folder is 0700 and every file 0600."""
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in [home, *home.rglob("*")]}
    assert len(modes) > 8
    for path, mode in modes.items():
        assert mode == (0o700 if path.is_dir() else 0o600), path


@POSIX
def test_every_file_of_a_game_is_its_owners_alone(left: Played) -> None:
    modes_below(left.home)


@POSIX
@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077], ids=["umask 000", "umask 022", "umask 077"])
def test_every_file_is_its_owners_alone_whatever_the_umask_and_no_other_is_left(tmp_path: Path, mask: int) -> None:
    """Also a certificate and its key pass through a file, because the library reads them from files only."""
    home, temporary = tmp_path / "home", tmp_path / "temporary"
    temporary.mkdir()
    done = subprocess.run(
        [*PROGRAM, "play", "--plain", "--name", "ann"],
        input=b"1 1\n",
        env={**surroundings(home), **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(temporary))},
        capture_output=True,
        check=False,
        umask=mask,
    )
    assert done.returncode == 4, done.stderr
    modes_below(home)
    assert list(temporary.iterdir()) == []
