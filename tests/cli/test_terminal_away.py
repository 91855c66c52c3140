"""Two people at two terminals: one waits too long for the other and records it; one adjourns, and both go on."""

from __future__ import annotations

import shutil

import pytest

from tests.cli.test_terminal import Terminal, terminal, who_begins

__all__ = ["terminal"]  # the fixture
pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed here")


def seated(terminal: Terminal, *options: str) -> tuple[str, str]:
    """Both sit down; the window of who begins, and that of who waits for him."""
    terminal.run("host", "host", "--bind", "127.0.0.1", "--name", "ann", *options, size=(100, 50), home="a")
    invite = terminal.wait("host", r"^SCHOTTEN1:[A-Z2-7]+").group()
    terminal.run("guest", "join", invite, "--name", "bob", "--yes", size=(100, 50), home="b")
    return who_begins(terminal, "host", "guest")


def test_who_waits_too_long_is_told_and_records_a_win_after_one_question(terminal: Terminal) -> None:
    first, second = seated(terminal, "--clock", "10")
    terminal.wait(first, r"^0:\d\d card> ?$")
    terminal.wait(first, r"your turn 0:(10|0\d)$")
    terminal.wait(second, r"(ann|bob)'s turn 0:(10|0\d)$")
    terminal.type(second, "record")
    terminal.wait(second, r"^No time is up\. A win by absence can be recorded when (ann|bob) has been away")
    terminal.type(second, "wait")
    terminal.wait(second, r"^You go on waiting for (ann|bob)\.$")
    terminal.wait(first, r"^Your 10 s for this turn are over\. You may still move, but (ann|bob) may record a win")
    terminal.wait(second, r"^The 10 s of (ann|bob) for this turn are over\.$")
    terminal.type(second, "record")
    terminal.wait(second, r"^record\? yes or no> ?$")
    terminal.type(second, "?")
    terminal.wait(second, r"Nobody can verify who was away\.")
    terminal.type(second, "yes")
    terminal.wait(second, r"^(ann|bob) agrees\.$")
    terminal.wait(first, r"^Your own clock says so too: you have recorded the same\.$")
    for name in (first, second):
        terminal.wait(name, r"^It is recorded only, not proved: no file shows who was away, and the transcript stays")
        terminal.wait(name, r"^status=4$")
    assert "your win by absence is recorded" in terminal.screen(second)
    assert "win by your absence is recorded" in terminal.screen(first)


def test_who_moves_in_time_cannot_be_recorded_as_absent(terminal: Terminal) -> None:
    first, second = seated(terminal, "--clock", "10")
    terminal.wait(first, r"^0:\d\d card> ?$")
    terminal.wait(second, r"^The 10 s of (ann|bob) for this turn are over\.$")
    terminal.type(second, "record")
    terminal.wait(second, r"^record\? yes or no> ?$")
    terminal.type(first, "1 1")
    terminal.wait(second, r"^(ann|bob) plays [RGBYPN]\d on stone 1\.$")
    terminal.wait(second, r"^0:\d\d card> ?$")
    terminal.type(second, "record")
    terminal.wait(second, r"^No time is up\.")
    terminal.type(second, "1 2")
    terminal.wait(first, r"^(ann|bob) plays [RGBYPN]\d on stone 2\.$")


def test_a_game_that_one_adjourns_is_saved_for_both_and_goes_on_when_both_resume(terminal: Terminal) -> None:
    first, second = seated(terminal)
    terminal.wait(first, r"^card> ?$")
    terminal.type(first, "1 1")
    terminal.wait(second, r"^card> ?$")
    terminal.type(first, "adjourn")
    for name, why in ((first, "you left"), (second, "(ann|bob) left")):
        terminal.wait(name, rf"the game stands unfinished: {why}")
        terminal.wait(name, r"^status=4$")
    homes = {"host": "a", "guest": "b"}
    for name in (first, second):
        terminal.run(f"{name}2", "resume", size=(100, 50), home=homes[name])
    terminal.wait(f"{first}2", r"is there again: the game goes on after \d+ records\.$")
    terminal.wait(f"{second}2", r"^card> ?$")
    terminal.type(f"{second}2", "resign")
    terminal.wait(f"{second}2", r"^resign\? yes or no> ?$")
    terminal.type(f"{second}2", "yes")
    for name in (first, second):
        terminal.wait(f"{name}2", r" 5-0 \([a-z ]+\)\.$")
