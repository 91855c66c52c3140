"""The plain front end on a real terminal: keys go in, the screen is read. tmux is the terminal."""

from __future__ import annotations

import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed here")

PATIENCE = 30  # seconds for a screen to show what is waited for, on a busy machine

AGAIN = r"Another game\? So far: [^\n]+\. Type yes or no\.\nagain\? yes or no> "


class Terminal:
    """One tmux server with one or more windows of their own size."""

    def __init__(self, folder: Path) -> None:
        self._socket = folder / "tmux"
        self._folder = folder

    def _tmux(self, *arguments: str) -> str:
        done = subprocess.run(
            ["tmux", "-S", str(self._socket), *arguments], capture_output=True, text=True, check=True, timeout=20
        )
        return done.stdout

    def run(self, name: str, *arguments: str, size: tuple[int, int] = (80, 24), home: str = "home", **env: str) -> None:
        """Start the program in a window of that many columns and lines; its status is shown when it ends."""
        command = shlex.join([sys.executable, "-m", "p2p_schotten", *arguments])
        settings = {"SCHOTTEN_HOME": str(self._folder / home), "LC_ALL": "C.UTF-8", **env}
        words = " ".join(f"{key}={shlex.quote(value)}" for key, value in settings.items())
        line = f"env {words} {command}; echo status=$?; cat"
        self._tmux("-f", "/dev/null", "new-session", "-d", "-s", name, "-x", str(size[0]), "-y", str(size[1]), line)

    def screen(self, name: str) -> str:
        """What stands there, the lines above the screen too; wrapped lines are joined."""
        return self._tmux("capture-pane", "-p", "-J", "-S", "-500", "-t", name)

    def visible(self, name: str) -> str:
        """What is on the screen now."""
        return self._tmux("capture-pane", "-p", "-t", name)

    def type(self, name: str, text: str) -> None:
        """Type a line."""
        self._tmux("send-keys", "-t", name, "-l", text)
        self._tmux("send-keys", "-t", name, "Enter")

    def press(self, name: str, key: str) -> None:
        """Press one key, in tmux's words."""
        self._tmux("send-keys", "-t", name, key)

    def wait(self, name: str, pattern: str) -> re.Match[str]:
        """Wait until the screen shows it."""
        end = time.monotonic() + PATIENCE
        while True:
            seen = self.screen(name)
            found = re.search(pattern, seen, re.MULTILINE)
            if found:
                return found
            assert time.monotonic() < end, f"{pattern!r} did not come:\n{seen}"
            time.sleep(0.05)

    def close(self) -> None:
        """End the server and everything in it."""
        subprocess.run(["tmux", "-S", str(self._socket), "kill-server"], capture_output=True, check=False)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    opened = Terminal(tmp_path)
    yield opened
    opened.close()


GRID_AT_80 = (
    r"^ {8,}┌──1──┬──2──┬──3──┬──4──┬──5──┬──6──┬──7──┬──8──┬──9──┐$",
    r"^  greedy +│",
    r"^ {8,}├──■──┼──■──┼──■──┼──■──┼──■──┼──■──┼──■──┼──■──┼──■──┤$",
    r"^  you +│",
    r"^  hand  1 [RGBYPN]\d[◆●▲■★✚]  2 .*  6 [RGBYPN]\d[◆●▲■★✚]   play 2 4 = card 2 on stone 4$",
)


def test_the_board_is_drawn_before_the_first_question(terminal: Terminal) -> None:
    terminal.run("a", "play")
    terminal.wait("a", r"^card> ?$")
    seen = terminal.visible("a")
    for pattern in GRID_AT_80:
        assert re.search(pattern, seen, re.MULTILINE), (pattern, seen)
    assert re.search(r"^ you .* ruleset base .* greedy  deck 4[12]   your turn$", seen, re.MULTILINE)


def test_a_card_is_chosen_taken_back_and_played_and_the_opponent_answers(terminal: Terminal) -> None:
    terminal.run("a", "play")
    terminal.wait("a", r"^card> ?$")
    terminal.type("a", "2")
    terminal.wait("a", r"^stone for [RGBYPN]\d> ?$")
    terminal.type("a", "back")
    terminal.wait("a", r"back\n.*Which card")
    terminal.type("a", "2 5")
    card = terminal.wait("a", r"^You play ([RGBYPN]\d) on stone 5\.$").group(1)
    terminal.wait("a", r"You draw [RGBYPN]\d\.\n(.*\n)*greedy plays [RGBYPN]\d on stone \d\.(.*\n)*card> ?$")
    assert f"│ {card}" in terminal.visible("a")


@pytest.mark.parametrize(
    ("typed", "prompt"), [("", "card> "), ("3", r"stone for [RGBYPN]\d> "), ("resign", "resign\\? yes or no> ")]
)
@pytest.mark.parametrize("key", ["C-c", "C-d"])
def test_ctrl_c_and_ctrl_d_end_cleanly_at_every_prompt(
    terminal: Terminal, tmp_path: Path, typed: str, prompt: str, key: str
) -> None:
    terminal.run("a", "play")
    terminal.wait("a", r"^card> ?$")
    if typed:
        terminal.type("a", typed)
        terminal.wait("a", f"^{prompt.rstrip()} ?$")
    terminal.press("a", key)
    terminal.wait("a", r"^status=4$")
    seen = terminal.screen("a")
    assert "Traceback" not in seen
    why = "interrupted" if key == "C-c" else "the input ended"
    assert f"\nschotten: the game stands unfinished: {why}\n" in seen
    assert len(list((tmp_path / "home" / "games").glob("*/*.schotten"))) == 2


def who_begins(terminal: Terminal, host: str, guest: str) -> tuple[str, str]:
    """The windows of host and guest (bob), the one that begins first."""
    begins = terminal.wait(host, r"^Each player holds 6 cards\. (You begin|bob begins)\.$").group(1)
    return (host, guest) if begins == "You begin" else (guest, host)


def test_host_and_guest_agree_and_play_in_two_terminals(terminal: Terminal) -> None:
    terminal.run("host", "host", "--bind", "127.0.0.1", "--name", "ann", size=(80, 50), home="a")
    invite = terminal.wait("host", r"^SCHOTTEN1:[A-Z2-7]+").group()
    assert "█" in terminal.wait("host", r"█[█▄▀ ]+█\n").group()  # the QR code
    terminal.run("guest", "join", invite, "--name", "bob", size=(60, 24), home="b")
    terminal.wait("guest", r"^ann offers a game by the ruleset base")
    terminal.wait("guest", r"^Play by these rules\? yes or no> ?$")
    terminal.type("guest", "?")
    terminal.wait("guest", r"^`schotten rules base` shows them, in another window\.$")
    terminal.type("guest", "perhaps")
    terminal.wait("guest", r"^Type yes to agree or no to leave\.$")
    terminal.type("guest", "yes")
    first, second = who_begins(terminal, "host", "guest")
    terminal.wait(first, r"^card> ?$")
    terminal.type(second, "1 1")
    terminal.wait(second, r"'1 1' has to wait: it is (ann|bob)'s turn\.")
    terminal.type(second, "say good luck")
    terminal.wait(first, r"^(ann|bob) says: good luck\ncard> ?$")
    terminal.type(first, "1 1")
    terminal.wait(second, r"^(ann|bob) plays [RGBYPN]\d on stone 1\.$")
    terminal.wait(second, r"^card> ?$")
    terminal.type(second, "resign")
    terminal.wait(second, r"^resign\? yes or no> ?$")
    terminal.type(second, "yes")
    for name in (first, second):
        terminal.wait(name, rf" 5-0 \([a-z ]+\)\.\n{AGAIN}?$")
        seen = terminal.screen(name)
        assert "The game is over: " in seen
        assert "Transcript: " in seen.replace("Transcript:\n  ", "Transcript: ")
    assert "│    │" in terminal.screen("guest")  # four columns a stone at 60
    terminal.type(first, "no")
    terminal.wait(first, rf"{AGAIN}no\nstatus=0$")
    terminal.wait(second, r"^There is no other game: (ann|bob) left\.\nstatus=0$")


def test_a_rematch_that_both_want_begins_with_the_winner_and_can_be_left(terminal: Terminal) -> None:
    terminal.run("ann", "host", "--bind", "127.0.0.1", "--name", "ann", size=(80, 50), home="a")
    invite = terminal.wait("ann", r"^SCHOTTEN1:[A-Z2-7]+").group()
    terminal.run("bob", "join", invite, "--name", "bob", "--yes", size=(80, 50), home="b")
    first, second = who_begins(terminal, "ann", "bob")
    terminal.wait(first, r"^card> ?$")
    terminal.type(first, "resign")
    terminal.type(first, "yes")
    terminal.wait(second, rf"^{AGAIN}?$")
    terminal.type(second, "perhaps")
    terminal.wait(second, r"^Type yes to play again, no to leave, or say and a text to talk\.$")
    terminal.type(second, "yes")
    terminal.wait(first, rf"^{second} wants another game\.$")
    terminal.type(second, "yes")
    terminal.wait(second, r"^The other player has not answered yet\.")
    terminal.type(second, "say once more")
    terminal.wait(first, rf"^{second} says: once more$")
    terminal.type(first, "yes")
    terminal.wait(second, r"^Each player holds 6 cards\. You begin\.$")
    terminal.wait(first, rf"^Each player holds 6 cards\. {second} begins\.$")
    terminal.type(second, "resign")
    terminal.type(second, "yes")
    terminal.wait(first, rf"^After 2 games: you 5, {second} 5\.\n{AGAIN}?$")
    terminal.wait(second, rf"^After 2 games: you 5, {first} 5\.\n{AGAIN}?$")
    terminal.press(first, "C-d")
    terminal.wait(first, r"^status=0$")
    terminal.wait(second, r"^status=0$")


def test_a_code_that_would_push_the_invite_off_the_screen_is_not_drawn(terminal: Terminal) -> None:
    terminal.run("a", "host", "--name", "ann")  # all addresses of this machine, at 80x24
    terminal.wait("a", r"^Type quit to leave\.$")
    seen = terminal.visible("a")
    assert seen.startswith("SCHOTTEN1:")
    assert "█" not in seen
    assert re.search(r"^Your fingerprint: [a-z2-7-]+$", seen, re.MULTILINE)


def test_leaving_is_asked_once_and_the_game_goes_on_after_no(terminal: Terminal) -> None:
    terminal.run("a", "play")
    terminal.wait("a", r"^card> ?$")
    terminal.type("a", "quit")
    terminal.wait("a", r"^leave\? yes or no> ?$")
    terminal.type("a", "no")
    terminal.wait("a", r"^You go on playing\.\n(.*\n)*card> ?$")
    terminal.type("a", "quit")
    terminal.wait("a", r"(leave\? yes or no> ?.*\n(.*\n)*){2}")
    terminal.type("a", "yes")
    terminal.wait("a", r"^status=4$")


def test_an_invite_can_be_pasted_where_no_history_keeps_it(terminal: Terminal) -> None:
    terminal.run("host", "host", "--bind", "127.0.0.1", "--plain", home="a")
    invite = terminal.wait("host", r"^SCHOTTEN1:[A-Z2-7]+").group()
    terminal.run("guest", "join", "-", home="b")
    terminal.wait("guest", r"^Paste the invite and press Enter\.$")
    terminal.type("guest", invite)
    terminal.wait("guest", r"^Play by these rules\? yes or no> ?$")


@pytest.mark.parametrize("key", ["no", "C-c", "C-d"])
def test_a_guest_who_does_not_agree_has_no_game_and_the_host_waits_on(
    terminal: Terminal, tmp_path: Path, key: str
) -> None:
    terminal.run("host", "host", "--bind", "127.0.0.1", "--plain", home="a")
    invite = terminal.wait("host", r"^SCHOTTEN1:[A-Z2-7]+").group()
    terminal.run("guest", "join", invite, home="b")
    terminal.wait("guest", r"^Play by these rules\? yes or no> ?$")
    if key == "no":
        terminal.type("guest", key)
    else:
        terminal.press("guest", key)
    terminal.wait("guest", r"^status=5$")
    assert "Traceback" not in terminal.screen("guest")
    terminal.wait("host", r"^Turned away: ")
    assert "status=" not in terminal.screen("host")
    assert not (tmp_path / "b" / "games").exists()


@pytest.mark.parametrize("key", ["quit", "C-c", "C-d"])
def test_a_host_can_leave_while_he_waits(terminal: Terminal, key: str) -> None:
    terminal.run("a", "host", "--bind", "127.0.0.1", "--plain")
    terminal.wait("a", r"^SCHOTTEN1:[A-Z2-7]+")
    terminal.type("a", "1 1")
    terminal.wait("a", r"^Waiting for a friend; type quit to leave\.$")
    if key == "quit":
        terminal.type("a", key)
    else:
        terminal.press("a", key)
    terminal.wait("a", r"^status=5$")
    assert re.search(r"^schotten: (you left|interrupted) before a friend came$", terminal.screen("a"), re.MULTILINE)


def test_a_guest_who_is_interrupted_while_nobody_answers_has_no_game(terminal: Terminal) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:  # takes the connection and says nothing
        terminal.run("a", "join", f"127.0.0.1:{silent.getsockname()[1]}", "--trust")
        silent.settimeout(PATIENCE)
        with silent.accept()[0]:
            terminal.press("a", "C-c")
            terminal.wait("a", r"^status=5$")
    assert "\nschotten: interrupted before the game began\n" in terminal.screen("a")
    assert "Traceback" not in terminal.screen("a")


def test_a_dumb_terminal_and_no_colour_get_what_they_can_show(terminal: Terminal) -> None:
    terminal.run("dumb", "play", TERM="dumb")
    terminal.wait("dumb", r"Which card\? 1 [RGBYPN]\d, ")
    assert "┌" not in terminal.screen("dumb")
    terminal.run("plain", "play", NO_COLOR="1")
    terminal.wait("plain", r"^card> ?$")
    coloured = terminal._tmux("capture-pane", "-p", "-e", "-t", "plain")
    assert not re.search(r"\x1b\[(3|9)[1-7]m", coloured)
    assert "┌──1──┬" in coloured
    terminal.run("ascii", "play", "--ascii")
    terminal.wait("ascii", r"^card> ?$")
    assert terminal.visible("ascii").isascii()
    assert "+--1--+--2--+" in terminal.visible("ascii")


def test_a_clan_is_coloured_on_a_terminal(terminal: Terminal) -> None:
    terminal.run("a", "play")
    terminal.wait("a", r"^card> ?$")
    assert re.search(r"\x1b\[[0-9;]*m[RGBYPN]\d[◆●▲■★✚]", terminal._tmux("capture-pane", "-p", "-e", "-t", "a"))


def test_a_replay_steps_on_and_back_jumps_and_shows_both_hands(terminal: Terminal, tmp_path: Path) -> None:
    terminal.run("game", "play", "--me", "greedy", "--opponent", "uniform", "--plain")
    terminal.wait("game", r"^status=0$")
    (transcript,) = (tmp_path / "home" / "games").glob("*/0.schotten")
    terminal.run("a", "replay", str(transcript))
    terminal.wait("a", r"^0/\d+ .*> ?$")
    terminal.press("a", "Enter")
    terminal.wait("a", r"^1/\d+ .*> ?$")
    terminal.type("a", "h")
    terminal.wait("a", r"^  greedy(  [RGBYPN]\d[◆●▲■★✚]){6}$")
    terminal.type("a", "7")
    terminal.wait("a", r"^7/\d+ .*> ?$")
    terminal.type("a", "b")
    terminal.wait("a", r"^6/\d+ .*> ?$")
    terminal.type("a", "9999999")
    terminal.wait("a", r"^Type Enter, b, a number from 0 to \d+, h or q; \? says what they do\.$")
    terminal.type("a", "?")
    terminal.wait("a", r"^h         show the hands of both players, or hide them again$")
    terminal.press("a", "C-c")
    terminal.wait("a", r"^status=0$")
    assert "Traceback" not in terminal.screen("a")
