"""A program is killed in the middle of a game; `schotten resume` goes on, and who was left waits for it by himself."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2p_schotten.ids import SEATS, Seat
from p2p_schotten.protocol.file import read_file
from p2p_schotten.transcript import verify
from tests.cli.running import LIMIT, alive, children, ended, schotten, start, transcripts

HOST, GUEST = SEATS
DEALT = 9  # records when the first card is to be laid
GIVES_UP = "resign\nyes\n"  # read only where a card is asked for
KEYS = "1\n" * 6


class Killed:
    """A host and a guest who play; each is a person whose keys are typed by the test. At the end nobody runs."""

    def __init__(self, folder: Path) -> None:
        self.homes = folder / "a", folder / "b"
        self.programs: list[subprocess.Popen[str]] = []

    def start(self, seat: Seat, *arguments: str, typed: str = "") -> subprocess.Popen[str]:
        """One more program in that seat's home."""
        program = start(self.homes[seat], *arguments)
        self.programs.append(program)
        assert program.stdin is not None
        program.stdin.write(typed)
        program.stdin.flush()
        return program

    def end(self, program: subprocess.Popen[str]) -> tuple[int, str, str]:
        """What became of it."""
        self.programs.remove(program)
        return ended(program)

    def count(self, seat: Seat) -> int:
        """Records in that seat's journal."""
        paths = list(self.homes[seat].glob(f"games/*/{seat}.schotten"))
        return len(read_file(paths[0].read_bytes()).items) if paths else 0

    def until_dealt(self) -> None:
        """Both have the cards, and somebody is asked."""
        end = time.monotonic() + LIMIT
        while min(map(self.count, SEATS)) < DEALT:
            assert time.monotonic() < end, list(map(self.count, SEATS))
            time.sleep(0.02)

    def kill(self, program: subprocess.Popen[str]) -> None:
        """As a power cut would."""
        program.send_signal(signal.SIGKILL)
        program.communicate()
        self.programs.remove(program)


@pytest.fixture
def killed(tmp_path: Path) -> Iterator[Killed]:
    game = Killed(tmp_path)
    yield game
    for program in game.programs:
        program.kill()
        program.communicate()


def first_line(program: subprocess.Popen[str]) -> str:
    assert program.stdout is not None
    return program.stdout.readline().strip()


@pytest.mark.parametrize("dead", [(GUEST,), (HOST,), (HOST, GUEST)], ids=["guest", "host", "both"])
def test_whoever_is_killed_the_game_goes_on_to_its_end(killed: Killed, dead: tuple[Seat, ...]) -> None:
    host = killed.start(HOST, "host", "--bind", "127.0.0.1", "--wait", "60", "--name", "ann")
    invite = first_line(host)
    guest = killed.start(GUEST, "join", invite, "--yes", "--wait", "60", "--name", "bob")
    killed.until_dealt()
    programs = [host, guest]
    for seat in dead:
        killed.kill(programs[seat])
    if dead == (GUEST,):
        again = schotten(killed.homes[GUEST], "join", invite, "--yes")
        assert again.returncode == 5
        assert again.stderr == ("schotten: a game with you stands unfinished there: schotten resume goes on with it\n")
    for seat in dead:
        programs[seat] = killed.start(seat, "resume", "--wait", "60")
    for program in programs:
        assert program.stdin is not None
        program.stdin.write(GIVES_UP)
        program.stdin.flush()
    for seat, program in zip(SEATS, programs, strict=True):
        code, out, err = killed.end(program)
        assert code == 0, err
        if seat not in dead:
            assert "Trying to reach him again; the game is saved." in out
        assert "is there again: the game goes on after" in out
    (mine,), (theirs,) = map(transcripts, killed.homes)
    assert mine.read_bytes() == theirs.read_bytes()
    verdict = verify(mine.read_bytes())
    assert verdict.over
    assert (len(verdict.sealed), len(verdict.revealed)) == (2, 2)


def test_a_killed_game_against_a_built_in_opponent_goes_on_with_both_seats(killed: Killed) -> None:
    program = killed.start(HOST, "play", "--opponent", "greedy", "--name", "ann")
    end = time.monotonic() + LIMIT
    while killed.count(HOST) < DEALT:
        assert time.monotonic() < end
        time.sleep(0.02)
    (second,) = children(program.pid)
    killed.kill(program)
    while alive(second):
        assert time.monotonic() < end
        time.sleep(0.02)
    again = killed.start(HOST, "resume", typed=GIVES_UP)
    code, out, err = killed.end(again)
    assert code == 0, err
    assert "The game is over: " in out
    assert "greedy is there again: the game goes on after" in out
    first, other = transcripts(killed.homes[HOST])
    assert first.read_bytes() == other.read_bytes()
    assert verify(first.read_bytes()).over
    assert str(other) in out.replace("\n", "").replace("  ", "")


def test_a_match_against_a_built_in_opponent_goes_on_in_its_second_game_and_counts_both(killed: Killed) -> None:
    home = killed.homes[HOST]
    program = killed.start(HOST, "play", "--opponent", "greedy", "--name", "ann", "--match", "2", typed=GIVES_UP)
    end = time.monotonic() + LIMIT
    while len(second := [path for path in home.glob("games/*/0.schotten") if not finished(path)]) != 1 or (
        len(list(home.glob("games/*"))) != 2 or len(read_file(second[0].read_bytes()).items) < DEALT
    ):
        assert time.monotonic() < end
        time.sleep(0.05)
    killed.kill(program)
    code, out, err = killed.end(killed.start(HOST, "resume", typed=GIVES_UP))
    assert code == 0, err
    assert "greedy is there again: the game goes on after" in out
    assert "The match is over: " in out
    done = schotten(home, "verify", str(home / "games"))
    assert done.returncode == 0
    assert "games 1-2; one chain; The match is over" in done.stdout


def finished(path: Path) -> bool:
    return verify(path.read_bytes()).over


def test_two_who_share_a_home_both_go_on_one_after_the_other(killed: Killed) -> None:
    """The guest has a throw-away identity; the second `resume` takes the seat that the first one left."""
    killed.homes = killed.homes[0], killed.homes[0]
    host = killed.start(HOST, "host", "--bind", "127.0.0.1", "--name", "ann")
    guest = killed.start(GUEST, "join", first_line(host), "--yes", "--name", "bob")
    killed.until_dealt()
    killed.kill(host)
    killed.kill(guest)
    programs = [killed.start(HOST, "resume", "--wait", "60", typed=GIVES_UP)]
    assert programs[0].stderr is not None
    assert "Going on with game" in programs[0].stderr.readline()
    programs.append(killed.start(HOST, "resume", "--wait", "60", typed=GIVES_UP))
    for program in programs:
        code, _out, err = killed.end(program)
        assert code == 0, err
    mine, theirs = transcripts(killed.homes[HOST])
    assert mine.read_bytes() == theirs.read_bytes()
    assert verify(mine.read_bytes()).over
