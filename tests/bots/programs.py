"""Bots that are programs, written by a test: what each says and does stands in its body."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

import pytest

from p2p_schotten.bots.base import BotStopped, Fault
from p2p_schotten.bots.external import External
from p2p_schotten.bots.program import Program
from p2p_schotten.bots.seated import Seated
from p2p_schotten.engine.rulesets import BASE
from tests.bots.games import dealt, seen_by
from tests.engine.positions import ME

START = seen_by(dealt(BASE, ME, 1), ME)

PRELUDE = """
import json, os, sys, time

def say(**message):
    print(json.dumps(message), flush=True)

def told():
    line = sys.stdin.readline()
    return json.loads(line) if line else {"type": "quit"}

def until(kind):
    while (message := told())["type"] != kind:
        if message["type"] == "quit":
            sys.exit()
    return message

def greet():
    until("hello")
    say(type="hello", version=1, name="tester")

def play(greeted=False):
    if not greeted:
        greet()
    while until("act"):
        say(type="move", move=0)

"""

Programs = Callable[[str], str]
"""The command that runs a bot with this body."""


@pytest.fixture
def program(tmp_path: Path) -> Programs:
    """Writes a bot; `MARK` is a path that belongs to it."""

    def write(body: str) -> str:
        script = tmp_path / "tester.py"
        script.write_text(f"{PRELUDE}MARK = {str(tmp_path / 'mark')!r}\n{body}")
        return f"{shlex.quote(sys.executable)} -I -S {shlex.quote(str(script))}"

    return write


def begun(bot: External, until: Callable[[Program], object]) -> Program:
    """The program of a bot whose game has begun, once `until` says so of it."""
    bot.new_game(BASE, ME, Random(0))
    mine = bot._program
    assert mine is not None
    with mine._news:
        assert mine._news.wait_for(lambda: until(mine), 30)
    return mine


def fault_of(bot: External) -> tuple[Fault, str]:
    """How it fails in a game that begins."""
    with pytest.raises(BotStopped) as stopped:
        Seated(bot, 0, "tester").choose(START)
    assert bot._program is None, "it is not used any more"
    return stopped.value.fault, str(stopped.value)


def lines(path: Path) -> list[Mapping[str, object]]:
    """What a bot wrote down, an object per line."""
    return [json.loads(line) for line in path.read_text().splitlines()]
