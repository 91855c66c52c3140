"""The bot at a headless seat fails: both sides end at once and can go on with another bot, or it loses that game."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from tests.arena.bots import line_of
from tests.cli.headless import games, meet, resume
from tests.cli.running import importable, schotten, transcripts

BOTS = '''
import os
from p2p_schotten.bots.uniform import Uniform
from p2p_schotten.engine.move import Resign

class Broken(Uniform):
    """Fails at its second turn of its first game."""
    name = "broken"
    games = 0

    def __init__(self, how):
        self.how = how

    def new_game(self, rules, seat, random):
        super().new_game(rules, seat, random)
        self.games += 1
        self.turns = 0

    def act(self, view, legal):
        self.turns += 1
        if self.games > 1:
            return Resign()
        if self.turns > 1 and self.how == "crash":
            raise ValueError("no idea\\nwhat to play")
        if self.turns > 1 and self.how == "illegal":
            return "B2 3"
        if self.turns > 1 and self.how == "leave":
            raise SystemExit(0)
        return super().act(view, legal)

class Watcher(Uniform):
    """Fails when it is told something."""
    name = "watcher"

    def __init__(self, when):
        self.when = when

    def act(self, view, legal):
        return Resign() if view.state.ply > 2 else super().act(view, legal)

    def observe(self, view, event):
        if type(event).__name__ == self.when:
            raise ValueError("do not tell me")

    def game_over(self, view):
        if self.when == "over":
            raise ValueError("do not tell me")

    def close(self):
        if self.when == "close":
            raise ValueError("do not tell me")
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where both homes are, and a folder with bots that every process can import."""
    importable(tmp_path, monkeypatch, "broken_bots", BOTS)
    return tmp_path


HOW = {
    "crash": ("crash", f"broken stopped: ValueError: no idea what to play (broken_bots.py:{line_of('no idea', BOTS)})"),
    "illegal": (
        "illegal move",
        "broken chose what may not be chosen: 'B2 3'"
        " (expected one of the moves that it was given, and no text or number)",
    ),
    "leave": ("crash", f"broken stopped: SystemExit: 0 (broken_bots.py:{line_of('SystemExit(0)', BOTS)})"),
}


@pytest.mark.parametrize("how", HOW)
def test_a_bot_that_fails_leaves_a_game_that_both_can_go_on_with_at_once(folder: Path, how: str) -> None:
    fault, why = HOW[how]
    ann, bob = meet(folder, ("--me", "uniform"), ("--me", f"broken_bots:Broken,how={how}"))
    assert (ann.status, bob.status) == (4, 4)
    assert bob.one("fault") == {"v": 1, "event": "fault", "seat": 1, "fault": fault, "why": why, "forfeit": False}
    assert bob.events[-1]["why"] == f"the game stands unfinished: {why}"
    assert bob.err.splitlines()[0] == f"schotten: the game stands unfinished: {why}"
    assert bob.err.splitlines()[1] == f"hint: {bob.events[-1]['hint']}"
    assert ann.all("fault") == []
    assert ann.one("lost")["why"] == "bob left"
    assert ann.all("reconnecting") == []  # nobody waits for him
    again = resume(folder, guest=("--me", "greedy"))
    assert [stream.status for stream in again] == [0, 0], again[0].err + again[1].err
    assert again[1].one("resuming")["game"] == bob.one("met")["game"] == games(folder)[0].game_id.hex()


def test_with_forfeit_a_bot_that_fails_loses_that_game_and_the_match_goes_on(folder: Path) -> None:
    broken = ("--me", "broken_bots:Broken,how=crash", "--forfeit")
    ann, bob = meet(folder, (*broken, "--match", "2"), ("--me", "uniform"))
    assert (ann.status, bob.status) == (0, 0), ann.err + bob.err
    assert ann.one("fault")["fault"] == "crash"
    assert ann.one("fault")["forfeit"] is True
    assert bob.all("fault") == []
    first, second = games(folder)
    assert first.outcome is not None
    assert (first.outcome.winner, str(first.outcome.reason)) == (1, "resignation")
    assert second.outcome is not None
    assert second.outcome.winner == 1  # the bot was made for another game, and gave that up by itself
    assert [stream.all("score")[-1]["points"] for stream in (ann, bob)] == [[0, 10], [0, 10]]


def test_a_bot_that_fails_when_it_is_told_something_has_failed_too(folder: Path) -> None:
    ann, bob = meet(folder, ("--me", "broken_bots:Watcher,when=Drew", "--forfeit"), ("--me", "uniform"))
    assert (ann.status, bob.status) == (0, 0), ann.err + bob.err
    where = line_of("if type(event).__name__ == self.when", BOTS) + 1
    assert ann.one("fault")["why"] == f"watcher stopped: ValueError: do not tell me (broken_bots.py:{where})"
    assert ann.one("ended")["reason"] == "resignation"
    assert ann.one("ended")["winner"] == 1
    happened = [event["event"] for event in ann.events]
    assert happened.index("fault") == happened.index("drew") + 1  # and it gave up when it was to move again
    assert happened.count("drew") in (1, 2)


@pytest.mark.parametrize("when", ["Ended", "over", "close"])
def test_a_bot_that_fails_after_the_game_spoils_nothing(folder: Path, when: str) -> None:
    ann, bob = meet(folder, ("--me", f"broken_bots:Watcher,when={when}"), ("--me", "uniform"))
    assert (ann.status, bob.status) == (0, 0), ann.err + bob.err
    assert [event["forfeit"] for event in ann.all("fault")] == [False] * (when != "close")
    assert len(games(folder)) == 1
    assert games(folder)[0].finished


def test_an_opponent_of_play_may_print_what_it_likes_and_is_heard_of_when_it_fails(folder: Path) -> None:
    (folder / "site" / "loud.py").write_text(
        BOTS + "\n\nclass Loud(Broken):\n    def act(self, view, legal):\n"
        "        print('{}', flush=True)\n        return super().act(view, legal)\n"
    )
    done = schotten(folder / "home", "play", "--me", "uniform", "--opponent", "loud:Loud,how=crash", "--json")
    assert done.returncode == 4
    assert done.stdout.splitlines()[-1].startswith('{"v": 1, "event": "end", "status": 4, ')
    where = f"(loud.py:{line_of('no idea', BOTS)})"
    assert f"schotten: broken stopped: ValueError: no idea what to play {where}" in done.stderr.splitlines()
    assert "broken left" in done.stderr
    assert len(transcripts(folder / "home")) == 2


FIVE = """
import json, os, sys, time
from pathlib import Path

def say(**message):
    print(json.dumps(message), flush=True)

games = Path(__file__).with_name("games")
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say(type="hello", version=1, name="five")
    elif message["type"] == "newgame":
        games.write_text((games.read_text() if games.exists() else "") + "x")
    elif message["type"] == "act":
        game = len(games.read_text())
        if game == 1:
            print("no idea", flush=True)
        elif game == 2:
            say(type="move", move="play R1 99")
        elif game == 3:
            raise ValueError("no idea")
        elif game == 4:
            time.sleep(60)
        else:
            sys.exit()
"""


def test_each_of_the_five_faults_of_a_program_is_one_lost_game_of_a_match_that_goes_on(folder: Path) -> None:
    script = folder / "five.py"
    script.write_text(FIVE)
    five = f"cmd,limit=2:{shlex.quote(sys.executable)} {shlex.quote(str(script))}"
    example = f"cmd:{shlex.quote(sys.executable)} examples/python_bot.py"
    ann, bob = meet(folder, ("--match", "5", "--me", example), ("--me", five, "--forfeit"))
    assert (ann.status, bob.status) == (0, 0), ann.err + bob.err
    assert [event["fault"] for event in bob.all("fault")] == [
        "garbage",
        "illegal move",
        "crash",
        "silence",
        "early exit",
    ]
    assert [event["reason"] for event in ann.all("ended")] == ["resignation"] * 5
    assert ann.all("score")[-1]["points"] == [25, 0]
    assert len(games(folder)) == 5
    assert "ValueError: no idea" in (folder / "b" / "bots.log").read_text()


def test_a_program_that_is_gone_leaves_a_game_that_resume_gives_to_it_again(folder: Path) -> None:
    script = folder / "once.py"
    script.write_text(
        FIVE.replace(
            "        if game == 1:",
            "        if game > 1:\n            say(type='move', move=0)\n        elif game == 1:",
        )
    )
    once = f"cmd:{shlex.quote(sys.executable)} {shlex.quote(str(script))}"
    ann, bob = meet(folder, ("--me", "uniform"), ("--me", once))
    assert (ann.status, bob.status) == (4, 4)
    again = resume(folder)
    assert [stream.status for stream in again] == [0, 0], again[0].err + again[1].err
    assert again[1].all("fault") == []
    assert len(games(folder)) == 1
