"""Somebody sits at a terminal while the other is away: he is told, asked anew when the other is back, and can leave."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2p_schotten.ids import SEATS
from tests.cli.running import start
from tests.cli.standing import DEALT, Standing
from tests.cli.test_terminal import Terminal

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed here")

HOST, GUEST = SEATS
PEOPLE = ("", "")


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    opened = Terminal(tmp_path)
    yield opened
    opened.close()


@pytest.mark.parametrize("key", ["quit", "C-c", "C-d"])
def test_who_waits_for_the_other_can_leave_and_the_game_stands(terminal: Terminal, tmp_path: Path, key: str) -> None:
    standing = Standing(tmp_path, PEOPLE).add()
    terminal.run("a", "resume", home="a")
    terminal.wait("a", rf"^Waiting for the other player at port {standing.ports[HOST]}\.$")
    terminal.type("a", "1 1")
    terminal.wait("a", r"^Still waiting; type quit to leave\.$")
    if key == "quit":
        terminal.type("a", key)
    else:
        terminal.press("a", key)
    terminal.wait("a", r"^status=4$")
    why = "interrupted" if key == "C-c" else "you left"
    assert re.search(rf"^schotten: {why} before the other player came back$", terminal.screen("a"), re.MULTILINE)
    assert "Traceback" not in terminal.screen("a")
    assert standing.count(HOST) == DEALT


class Guest:
    """Bob, a bot in a program of its own that can be killed at any time."""

    def __init__(self, standing: Standing) -> None:
        self._standing = standing
        self.program = start(standing.homes[GUEST], "resume", "--wait", "60")

    def kill(self) -> None:
        """As a power cut would."""
        self.program.kill()
        self.program.communicate()


@pytest.fixture
def guest(tmp_path: Path) -> Iterator[tuple[Standing, Guest]]:
    standing = Standing(tmp_path, ("", "greedy")).add()
    bob = Guest(standing)
    yield standing, bob
    bob.kill()


def test_who_thinks_when_the_other_is_cut_off_is_told_and_asked_anew(
    terminal: Terminal, guest: tuple[Standing, Guest]
) -> None:
    standing, bob = guest
    terminal.run("a", "resume", home="a", size=(80, 50))
    terminal.wait("a", r"^bob is there again: the game goes on after \d+ records\.$")
    terminal.wait("a", r"^card> ?$")
    bob.kill()
    terminal.wait(
        "a", r"^The connection to bob is gone\.\nTrying to reach him again; the game is saved\. Type quit to leave\.$"
    )
    count = standing.count(HOST)
    terminal.type("a", "1 1")
    terminal.wait("a", r"^'1 1' has to wait: bob is not there\.")
    assert standing.count(HOST) == count
    bob.program = start(standing.homes[GUEST], "resume", "--wait", "60")
    back = rf"bob is there again: the game goes on after {count} records\."
    terminal.wait("a", rf"reach him again(.*\n)*{back}\n(.*\n)*card> ?$")
    terminal.type("a", "1 1")
    terminal.wait("a", r"^You play [RGBYPN]\d on stone 1\.\n(.*\n)*bob plays .*\n(.*\n)*card> ?$")
    terminal.type("a", "resign")
    terminal.wait("a", r"^resign\? yes or no> ?$")
    terminal.type("a", "yes")
    terminal.wait("a", r"^The game is over: ")
    assert bob.program.wait(30) == 0
    verdict = standing.verdict()
    assert verdict.over


@pytest.mark.parametrize("key", ["quit", "C-c"])
def test_who_was_left_in_the_middle_of_the_game_can_leave_too(
    terminal: Terminal, guest: tuple[Standing, Guest], key: str
) -> None:
    standing, bob = guest
    terminal.run("a", "resume", home="a", size=(80, 50))
    terminal.wait("a", r"^card> ?$")
    bob.kill()
    terminal.wait("a", r"^Trying to reach him again; the game is saved\. Type quit to leave\.$")
    count = standing.count(HOST)
    if key == "quit":
        terminal.type("a", key)
        terminal.wait("a", r"^leave\? yes or no> ?$")
        terminal.type("a", "yes")
    else:
        terminal.press("a", key)
    terminal.wait("a", r"status=4$")
    seen = terminal.screen("a")
    assert "the game stands unfinished: " in seen
    assert "Traceback" not in seen
    assert standing.count(HOST) == count
