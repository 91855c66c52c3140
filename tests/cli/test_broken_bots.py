"""A bot that raises ends its game in one sentence: no traceback, and the game is kept."""

from __future__ import annotations

import json
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from p2p_schotten.bots.external import External
from p2p_schotten.bots.seated import Seated
from p2p_schotten.cli.main import dispatch
from p2p_schotten.cli.resume import check_opponent
from p2p_schotten.cli.status import Failure, Status
from p2p_schotten.ids import SEATS
from p2p_schotten.standby import Standby, save_standby, standby_path
from tests.arena.bots import line_of
from tests.bots.programs import START, Programs, program
from tests.cli.running import importable, schotten, transcripts

__all__ = ["program"]

BROKEN = """
from p2p_schotten.bots.greedy import Greedy

class Broken(Greedy):
    name = "greedy"

    def act(self, view, legal):
        if view.state.ply > 3:
            raise ValueError("no idea\\nwhat to play")
        return super().act(view, legal)
"""
STOPPED = f"greedy stopped: ValueError: no idea what to play (broken_bot.py:{line_of('no idea', BROKEN)})"


ODD = """
class Nameless:
    def new_game(self, rules, seat, random): pass
    def act(self, view, legal): pass

class Idle:
    name = "idle"
    def new_game(self, rules, seat, random): pass

class Angry:
    def __init__(self): raise ValueError("not today")

class Numbered(Nameless):
    name = 7

class Leaver(Nameless):
    def __init__(self): raise SystemExit(0)

class Mute(Exception):
    def __str__(self): raise BaseException

class Speechless(Nameless):
    def __init__(self): raise Mute
"""


def test_an_opponent_that_is_gone_is_told_before_a_game_goes_on_with_it(tmp_path: Path) -> None:
    game, seat = "ab" * 32, SEATS[1]
    path = standby_path(tmp_path, bytes.fromhex(game), seat)
    check_opponent(tmp_path, game, seat)  # nothing is known of it
    save_standby(path, Standby(b"", "greedy", 0, ()))
    check_opponent(tmp_path, game, seat)
    save_standby(path, Standby(b"", "gone_away:Bot", 0, ()))
    with pytest.raises(Failure) as refused:
        check_opponent(tmp_path, game, seat)
    assert refused.value.status == Status.USAGE
    assert refused.value.message == (
        "the opponent: no bot at gone_away:Bot: ModuleNotFoundError: No module named 'gone_away'"
    )
    assert "the current folder" in refused.value.hint


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home for a game in which every process can import the bot."""
    importable(tmp_path, monkeypatch, "broken_bot", BROKEN)
    return tmp_path / "home"


def test_a_bot_that_raises_at_my_seat_leaves_the_game_unfinished_in_one_sentence(broken: Path) -> None:
    done = schotten(broken, "play", "--me", "broken_bot:Broken", "--plain", "--seed", "1")
    assert done.returncode == Status.UNFINISHED
    first, hint = done.stderr.splitlines()
    assert first == f"schotten: the game stands unfinished: {STOPPED}"
    assert "no idea\nwhat to play\n" in (broken / "bots.log").read_text()
    assert hint.startswith("hint: the game is saved: ")
    assert len(transcripts(broken)) == 2


def test_an_opponent_that_raises_leaves_the_game_unfinished_and_says_so(broken: Path) -> None:
    done = schotten(broken, "play", "--me", "uniform", "--opponent", "broken_bot:Broken", "--plain", "--seed", "1")
    assert done.returncode == Status.UNFINISHED
    lines = done.stderr.splitlines()
    assert f"schotten: {STOPPED}" in lines
    assert "no idea\nwhat to play\n" in (broken / "bots.log").read_text()
    assert any(line.startswith("schotten: the game stands unfinished: ") for line in lines)
    assert any(line.startswith("hint: the game is saved: ") for line in lines)
    assert len(lines) == 3
    assert len(transcripts(broken)) == 2


@pytest.mark.parametrize(
    ("bot", "why"),
    [
        ("odd:Nameless", "a bot has a name, new_game and act: Nameless lacks name"),
        ("odd:Idle", "a bot has a name, new_game and act: Idle lacks act"),
        ("odd:Angry", "odd:Angry cannot be made so: ValueError: not today (odd.py:11)"),
        ("odd:Numbered", "a bot has a name, new_game and act: Numbered lacks name"),
        ("odd:Leaver", "odd:Leaver cannot be made so: SystemExit: 0 (odd.py:17)"),
        ("odd:Speechless", "odd:Speechless cannot be made so: it cannot say why (odd.py:23)"),
        (
            "leaving_import:Bot",
            "no bot at leaving_import:Bot: the module ends the program when it is imported (leaving_import.py:1)",
        ),
        ("os:getcwd", "no bot at os:getcwd: it is no class, and a bot has a name, new_game and act"),
        ("broken_import:Bot", "no bot at broken_import:Bot: ZeroDivisionError: division by zero (broken_import.py:1)"),
    ],
)
def test_what_is_no_bot_is_refused_in_one_sentence_before_anybody_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], bot: str, why: str
) -> None:
    (tmp_path / "odd.py").write_text(ODD)
    (tmp_path / "broken_import.py").write_text("1 / 0")
    (tmp_path / "leaving_import.py").write_text("raise SystemExit(0)  # a script without a __main__ guard")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "odd", raising=False)
    monkeypatch.setenv("SCHOTTEN_HOME", str(tmp_path / "home"))
    assert dispatch(["host", "--me", bot]) == Status.USAGE
    assert capsys.readouterr() == ("", f"schotten: {why}\n")
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize("command", [["host"], ["join", "127.0.0.1:9", "--trust"], ["play"]])
def test_a_program_that_does_not_say_hello_is_refused_before_anybody_is_waited_for(
    program: Programs,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: list[str],
) -> None:
    monkeypatch.setenv("SCHOTTEN_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("p2p_schotten.cli.child.COMMAND", ("-c", ""))  # the second process is not what this is about
    bot = program("sys.stderr.write('no model here'); sys.exit(3)")
    assert dispatch([*command, "--name", "ann", "--me", f"cmd:{bot}", "--json"]) == Status.USAGE
    out, err = capsys.readouterr()
    why = "tester.py ended with status 3: no model here"
    assert err == f"schotten: {why}\n"
    assert [json.loads(line) for line in out.splitlines()] == [
        {"v": 1, "event": "end", "status": 2, "why": why, "hint": ""}
    ]


def test_an_opponent_that_does_not_say_hello_calls_nobody_and_says_why(
    program: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("signal.signal", lambda number, handler: None)  # this process goes on to hear them
    monkeypatch.setattr("p2p_schotten.net.dial.dial", None)
    order = {"bot": f"cmd:{program('sys.exit(3)')}", "seed": "1", "home": str(tmp_path), "invite": "127.0.0.1:9"}
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(json.dumps(order).encode() + b"\n")))
    assert dispatch(["second-peer"]) == Status.USAGE
    assert json.loads(capsys.readouterr().out) == {"error": "tester.py ended with status 3", "status": 2}


def test_a_program_that_has_said_hello_is_not_asked_again_when_the_game_begins(program: Programs) -> None:
    bot = External(program("greet(); until('newgame'); play(greeted=True)"))
    seated = Seated(bot, 1)
    seated.ready()
    running = bot._program
    assert running is not None
    assert (seated.name, seated.choose(START)) == ("tester", START.choices()[0])
    assert bot._program is running
    seated.close()
