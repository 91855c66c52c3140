"""A batch, and its bots: one that cannot be made has lost a game, and no more."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from p2p_schotten.arena.batch import play_batch
from p2p_schotten.arena.game import FORFEIT
from p2p_schotten.bots.base import Fault
from p2p_schotten.errors import Unreadable
from tests.arena.bots import Moody, line_of, vanishing
from tests.arena.plans import PLAIN, plan

MOODY = "tests.arena.bots:Moody"


def test_a_class_that_makes_no_bot_in_the_middle_of_a_match_forfeits_that_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Moody, "made", 0)
    log = tmp_path / "bots.log"
    results = [played.game.result for played in play_batch(plan(PLAIN, MOODY), range(2), str(log))]
    assert [(result.winner, result.reason) for result in results] == [(0, FORFEIT), (1, FORFEIT)] * 2
    stops, unmade = (line_of(f'raise ValueError("{why}")') for why in ("no idea", "not today"))
    said = [
        f"moody stopped: ValueError: no idea (bots.py:{stops})",
        f"tests.arena.bots:Moody cannot be made so: ValueError: not today (bots.py:{unmade})",
    ]
    assert [stopped.why for result in results for stopped in result.stopped] == said * 2
    assert {stopped.fault for result in results for stopped in result.stopped} == {Fault.CRASH}
    assert log.read_text().count("\nValueError: not today\n") == 2


@pytest.mark.skipif(os.name == "nt", reason="a script is no program there")
def test_a_program_that_is_gone_in_the_middle_of_a_batch_forfeits_what_is_left_of_it(tmp_path: Path) -> None:
    spec = vanishing(tmp_path)
    results = [played.game.result for played in play_batch(plan(PLAIN, spec), range(2))]
    faults = [(stopped.fault, stopped.why) for result in results for stopped in result.stopped]
    assert faults[0] == (Fault.CRASH, "bot.sh ended with status 3")
    assert [fault for fault, _ in faults] == [Fault.CRASH] * 4
    assert all(why.startswith("no program '") for _, why in faults[1:])
    with pytest.raises(Unreadable, match="no program '"):
        play_batch(plan(PLAIN, spec), range(1))


def test_a_class_that_is_not_there_is_no_fault_of_a_bot() -> None:
    for spec in ("tests.arena.bots:Nobody", "cmd:./nobody"):
        with pytest.raises(Unreadable):
            play_batch(plan(PLAIN, spec), range(1))
