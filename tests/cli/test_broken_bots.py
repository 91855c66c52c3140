"""A bot that raises ends its game in one sentence: no traceback, and the game is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2p_schotten.cli.status import Status
from tests.cli.running import schotten, transcripts

BROKEN = """
from p2p_schotten.bots.greedy import Greedy

class Broken(Greedy):
    name = "greedy"

    def act(self, view, legal):
        if view.state.ply > 3:
            raise ValueError("no idea\\nwhat to play")
        return super().act(view, legal)
"""


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home for a game in which every process can import the bot."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "broken_bot.py").write_text(BROKEN)
    monkeypatch.setenv("PYTHONPATH", str(site))
    return tmp_path / "home"


def test_a_bot_that_raises_at_my_seat_leaves_the_game_unfinished_in_one_sentence(broken: Path) -> None:
    done = schotten(broken, "play", "--me", "broken_bot:Broken", "--plain", "--seed", "1")
    assert done.returncode == Status.UNFINISHED
    first, hint = done.stderr.splitlines()
    assert first == "schotten: the game stands unfinished: greedy stopped: ValueError: no idea what to play"
    assert hint.startswith("hint: the game is saved: ")
    assert len(transcripts(broken)) == 2


def test_an_opponent_that_raises_leaves_the_game_unfinished_and_says_so(broken: Path) -> None:
    done = schotten(broken, "play", "--me", "uniform", "--opponent", "broken_bot:Broken", "--plain", "--seed", "1")
    assert done.returncode == Status.UNFINISHED
    lines = done.stderr.splitlines()
    assert "schotten: greedy stopped: ValueError: no idea what to play" in lines
    assert any(line.startswith("schotten: the game stands unfinished: ") for line in lines)
    assert any(line.startswith("hint: the game is saved: ") for line in lines)
    assert len(lines) == 3
    assert len(transcripts(broken)) == 2
