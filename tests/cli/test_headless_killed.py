"""A match of ten games between two programs, each of which is killed and told to end on its way: both end alike."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.cli.headless import Event, begin, first, games
from tests.cli.running import importable

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs signals as POSIX has them")

BOT = """
from p2p_schotten.bots.uniform import Uniform
from p2p_schotten.engine.move import Resign

class Brief(Uniform):
    def act(self, view, legal):
        return Resign() if view.state.ply > 2 else super().act(view, legal)
"""
GAMES = 10
ON = ("--wait", "60")

Plan = Sequence[tuple[int, str, int]]
"""In which game, at which event, which signal comes."""


def play_on(home: Path, process: subprocess.Popen[str], plan: Plan) -> tuple[list[int], list[Event]]:
    """A side to the end of the match: the status of each of its programs, and all that they told."""
    statuses, told, waiting, number = list[int](), list[Event](), list(plan), 0
    while True:
        assert process.stdout is not None
        for line in process.stdout:
            event: Event = json.loads(line)
            told.append(event)
            number += event["event"] == "met"
            if waiting and (number, event["event"]) == waiting[0][:2]:
                process.send_signal(waiting.pop(0)[2])
        _out, err = process.communicate()
        assert "Traceback" not in err, err
        statuses.append(process.returncode)
        if process.returncode not in (4, -signal.SIGKILL):
            assert told[-1]["event"] == "end", err
            return statuses, told
        process = begin(home, "resume", *ON)


def test_a_match_of_ten_games_whose_programs_are_killed_and_told_to_end_is_the_same_for_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    importable(tmp_path, monkeypatch, "brief_bot", BOT)
    seat = ("--me", "brief_bot:Brief", *ON)
    ann = begin(tmp_path / "a", "host", "--bind", "127.0.0.1", "--match", str(GAMES), *seat)
    bob = begin(tmp_path / "b", "join", first(ann)["invite"], *seat)
    with ThreadPoolExecutor() as pool:
        mine = pool.submit(play_on, tmp_path / "a", ann, [(2, "dealt", signal.SIGKILL), (7, "sealed", signal.SIGTERM)])
        hers = pool.submit(play_on, tmp_path / "b", bob, [(4, "played", signal.SIGTERM), (9, "ended", signal.SIGKILL)])
        both = mine.result(), hers.result()
    scores = []
    for statuses, told in both:
        assert statuses[-1] == 0, (statuses, told[-4:])
        assert -signal.SIGKILL in statuses
        assert told[-1]["status"] == 0
        scores.append([event for event in told if event["event"] == "score"][-1])
    assert scores[0] == scores[1]
    assert (scores[0]["games"], scores[0]["over"]) == (GAMES, True)
    played = games(tmp_path)
    assert [game.offer.match.number for game in played] == list(range(1, GAMES + 1))
