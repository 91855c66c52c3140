"""The sequential test, against calculations by hand, an approximation and simulations."""

from __future__ import annotations

from math import log
from random import Random

import pytest

from p2p_schotten.arena.rating import SCORES, expected
from p2p_schotten.arena.sprt import LOWER, UPPER, Sprt, Verdict


def test_the_bounds_are_walds() -> None:
    assert pytest.approx(log(0.95 / 0.05)) == UPPER == -LOWER


def test_where_pairs_are_won_or_lost_the_ratio_is_that_of_two_coins() -> None:
    at_0, at_50 = 0.5, 1 / (1 + 10 ** (-50 / 400))
    wanted = 60 * log(at_50 / at_0) + 40 * log((1 - at_50) / (1 - at_0))
    assert Sprt(0, 50).ratio((40, 0, 0, 0, 60)) == pytest.approx(wanted, abs=0.01)


def test_many_pairs_come_near_the_normal_approximation() -> None:
    # LLR = n (s1 - s0) (2 mean - s0 - s1) / (2 variance)
    counts = (500, 1500, 5000, 2000, 1000)
    n, low, high = sum(counts), expected(0), expected(10)
    mean = sum(count * score for count, score in zip(counts, SCORES, strict=True)) / n
    variance = sum(count * (score - mean) ** 2 for count, score in zip(counts, SCORES, strict=True)) / n
    wanted = n * (high - low) * (2 * mean - low - high) / (2 * variance)
    assert Sprt(0, 10).ratio(counts) == pytest.approx(wanted, rel=0.02)


def test_the_question_turned_round_has_the_answer_turned_round() -> None:
    counts = (3, 10, 40, 20, 9)
    assert Sprt(-10, 5).ratio(counts) == pytest.approx(-Sprt(-5, 10).ratio(counts[::-1]))


def test_nothing_is_decided_before_a_pair_or_by_a_few() -> None:
    assert Sprt(0, 10).ratio((0, 0, 0, 0, 0)) == 0
    for counts in ((0, 0, 0, 0, 3), (3, 0, 0, 0, 0), (0, 0, 3, 0, 0)):
        assert Sprt(0, 10).verdict(counts) is Verdict.OPEN


def decided(elo: float, random: Random) -> Verdict:
    """What the test of 0 against 120 points says of a bot that is `elo` points better; it is asked every fifth pair."""
    mean, counts = expected(elo), [0] * len(SCORES)
    spread = (0.1, 0.1, 0.3, 0.2, 0.3)
    shift = mean - sum(w * s for w, s in zip(spread, SCORES, strict=True))
    weights = (spread[0] - shift, *spread[1:4], spread[4] + shift)
    while True:
        for score in random.choices(range(len(SCORES)), weights, k=5):
            counts[score] += 1
        verdict = Sprt(0, 120).verdict(counts)
        if verdict is not Verdict.OPEN:
            return verdict


@pytest.mark.parametrize(("elo", "right"), [(0, Verdict.NOT_BETTER), (120, Verdict.BETTER)])
def test_it_errs_about_once_in_twenty(elo: float, right: Verdict) -> None:
    random = Random(7)
    wrong = sum(decided(elo, random) is not right for _ in range(100))
    assert wrong <= 10  # 5 are expected; more than 10 come about once in a hundred times
