"""Elo points of several bots, against closed forms."""

from __future__ import annotations

from math import log, log10, sqrt

import pytest

from p2p_schotten.arena.crosstable import ratings


def test_for_two_bots_they_follow_from_the_share() -> None:
    one, two = ratings(2, {(0, 1): (20, 0, 0, 0, 80)})
    share = (80 + 0.5) / (100 + 1)  # with the one drawn pair
    assert one.value - two.value == pytest.approx(400 * log10(share / (1 - share)))
    assert one.value == pytest.approx(-two.value)


def test_three_bots_whose_scores_obey_the_model_get_its_points() -> None:
    # Strengths 1, 2 and 4: the shares are 1/3, 1/5 and 1/3.
    found = {(0, 1): (10_000, 0, 0, 0, 5_000), (0, 2): (12_000, 0, 0, 0, 3_000), (1, 2): (10_000, 0, 0, 0, 5_000)}
    step = 400 * log10(2)
    values = [estimate.value for estimate in ratings(3, found)]
    assert values == pytest.approx([-step, 0, step], abs=0.1)


def test_the_interval_is_that_of_the_share() -> None:
    one, _ = ratings(2, {(0, 1): (50, 0, 0, 0, 50)})
    # The share is 1/2 with a variance of 0.25 / 101, the slope of the points there 1600 / ln 10; half of it for each.
    around = 1.96 * sqrt(100 * 0.25 / 100 / 101) * 1600 / log(10) / 2
    assert one.high - one.value == pytest.approx(around, rel=0.01)
    assert one.value - one.low == pytest.approx(around, rel=0.01)


def test_pairs_that_scatter_less_than_single_games_make_it_narrower() -> None:
    wide, narrow = (ratings(2, {(0, 1): counts})[0] for counts in ((50, 0, 0, 0, 50), (10, 0, 80, 0, 10)))
    assert narrow.high - narrow.low < 0.5 * (wide.high - wide.low)


def test_who_has_won_everything_has_a_number_all_the_same() -> None:
    points = ratings(3, {(0, 1): (0, 0, 0, 0, 50), (0, 2): (0, 0, 0, 0, 50), (1, 2): (0, 0, 50, 0, 0)})
    assert points[0].value > 300
    assert points[1].value == pytest.approx(points[2].value, abs=0.01)
    assert sum(estimate.value for estimate in points) == pytest.approx(0, abs=1e-6)
