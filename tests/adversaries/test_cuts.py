"""A game over connections that are cut goes on, quickly, and ends alike at both seats; who is silent is told of."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from p2p_schotten.engine.rulesets import RULESETS
from tests.adversaries.cut_games import BEGUN, Played, cutting, play
from tests.adversaries.proxy import Cut, Faults, in_turn

FEW = 3  # moves of each seat, then it resigns
QUICKLY = 2.0  # seconds from a cut on loopback to the same game over another connection
BASE = 0  # number of a base game


def check_good(played: Played) -> None:
    assert played.wrong == []
    assert played.records > 0


async def cut_once(folder: Path, cut: Cut, after: int, away: float = 0.0) -> Played:
    played = await play(BASE, folder, in_turn(Faults(cut=cut, after=after, away=away)), last=FEW)
    check_good(played)
    assert played.cuts == {cut: 1}
    return played


async def test_after_a_cut_both_stand_equal_again_within_two_seconds(tmp_path: Path) -> None:
    played = await cut_once(tmp_path, Cut.RST, 30_000)
    assert len(played.back) == 2
    assert max(played.back) <= QUICKLY


@pytest.mark.parametrize("cut", [Cut.FIN, Cut.RST])
@pytest.mark.parametrize("after", [BEGUN, 20_000, 31_000, 33_000])
async def test_it_does_so_wherever_the_cut_comes(tmp_path: Path, cut: Cut, after: int) -> None:
    played = await cut_once(tmp_path, cut, after)
    assert len(played.back) == 2
    assert max(played.back) <= QUICKLY


async def test_a_way_that_is_gone_for_a_while_is_tried_again(tmp_path: Path) -> None:
    played = await cut_once(tmp_path, Cut.RST, 30_000, away=1.5)
    assert len(played.back) == 2


async def test_a_connection_that_falls_silent_is_told_of_after_ten_seconds_and_another_one_found(
    tmp_path: Path,
) -> None:
    played = await cut_once(tmp_path, Cut.HALF_OPEN, 30_000)
    assert played.silent == [10.0, 10.0]
    assert len(played.back) == 2


async def test_a_game_that_is_cut_by_chance_ends_alike_at_both_seats(tmp_path: Path) -> None:
    played = await play(BASE, tmp_path, cutting(Random(7), (Cut.FIN, Cut.RST)), last=FEW)
    check_good(played)
    assert played.cuts.total() >= 1
    assert played.resumes >= 1


@pytest.mark.parametrize("number", range(len(RULESETS)))
async def test_a_game_of_every_ruleset_does(tmp_path: Path, number: int) -> None:
    check_good(await play(number, tmp_path, cutting(Random(number), (Cut.FIN, Cut.RST))))
