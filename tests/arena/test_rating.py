"""Rates, Elo points and their intervals, against calculations by hand, tables and simulations."""

from __future__ import annotations

from math import inf, isinf
from random import Random

import pytest

from p2p_schotten.arena.rating import SCORES, Estimate, elo, elo_difference, expected, rate, student


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    # A table of Student's t, 97.5 %
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (10, 2.228), (30, 2.042), (100, 1.984)],
)
def test_students_quantiles_are_those_of_the_table(freedom: int, quantile: float) -> None:
    assert student(freedom) == pytest.approx(quantile, abs=0.005)


@pytest.mark.parametrize(
    ("counts", "value", "around"),
    [
        # mean 0.5, variance 20 * 0.25 / 99, t(99) = 1.9842
        ((10, 0, 80, 0, 10), 0.5, 1.9842 * (20 * 0.25 / 99 / 100) ** 0.5),
        # mean 0.9, variance (20 * 0.16 + 80 * 0.01) / 99
        ((0, 0, 20, 0, 80), 0.9, 1.9842 * (4 / 99 / 100) ** 0.5),
        # mean 0.5, variance (2 * 0.0625) / 10, t(10) = 2.2281
        ((0, 1, 9, 1, 0), 0.5, 2.2281 * (0.125 / 10 / 11) ** 0.5),
    ],
)
def test_the_interval_is_that_of_the_mean_over_pairs(counts: tuple[int, ...], value: float, around: float) -> None:
    found = rate(counts)
    assert found.value == pytest.approx(value)
    assert found.low == pytest.approx(value - around, abs=1e-5)
    assert found.high == pytest.approx(value + around, abs=1e-5)


def test_the_interval_stays_between_nothing_and_everything() -> None:
    # mean 0.5, variance 1/6, t(3) * sqrt(1/24) = 0.65
    assert rate((1, 0, 2, 0, 1)) == Estimate(0.5, 0.0, 1.0)


@pytest.mark.parametrize("pairs", [1, 20, 1000])
def test_who_has_won_or_lost_everything_is_bounded_by_what_could_have_stayed_hidden(pairs: int) -> None:
    # With this rest of deals that go otherwise, so many pairs show none of them with a probability of 5 %.
    rest = 1 - 0.05 ** (1 / pairs)
    assert (1 - rest) ** pairs == pytest.approx(0.05)
    wanted = (
        ((0, 0, 0, 0, pairs), 1.0, 1 - rest, 1.0),
        ((pairs, 0, 0, 0, 0), 0.0, 0.0, rest),
        ((0, 0, pairs, 0, 0), 0.5, 0.5 - rest / 2, 0.5 + rest / 2),
    )
    for counts, *ends in wanted:
        found = rate(counts)
        assert [found.value, found.low, found.high] == pytest.approx(ends)


@pytest.mark.parametrize(("share", "points"), [(0.5, 0.0), (0.75, 190.85), (0.9, 381.70), (0.1, -381.70)])
def test_elo_points_are_those_of_the_table(share: float, points: float) -> None:
    assert elo(share) == pytest.approx(points, abs=0.01)
    assert expected(points) == pytest.approx(share, abs=1e-4)


def test_elo_points_are_unbounded_only_where_everything_is_won_or_lost() -> None:
    won, lost = elo_difference((0, 0, 0, 0, 100)), elo_difference((100, 0, 0, 0, 0))
    assert (won.value, won.high, lost.value, lost.low) == (inf, inf, -inf, -inf)
    # 3 in 100 is the rule of three: 400 log10(0.97 / 0.03) = 604
    assert won.low == pytest.approx(604, abs=5)
    assert lost.high == -won.low
    assert not any(map(isinf, (elo_difference((0, 0, 50, 0, 50)).low, elo_difference((0, 0, 50, 0, 50)).high)))


@pytest.mark.parametrize(
    "weights",
    [(0.05, 0.05, 0.4, 0.1, 0.4), (0.3, 0.0, 0.4, 0.0, 0.3), (0.0, 0.0, 0.02, 0.0, 0.98)],
)
def test_in_about_nineteen_of_twenty_samples_the_interval_holds_the_truth(weights: tuple[float, ...]) -> None:
    random, truth, trials, hits = Random(1), sum(w * s for w, s in zip(weights, SCORES, strict=True)), 600, 0
    for _ in range(trials):
        drawn = random.choices(range(len(SCORES)), weights, k=60)
        found = rate([drawn.count(score) for score in range(len(SCORES))])
        hits += found.low <= truth <= found.high
    assert hits / trials > 0.92
