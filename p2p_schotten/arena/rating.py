"""How good is a bot against another, and how sure is that?

Pairs are the sample, not games: the two games of a pair share their deal, so they are not independent, and a pair
balances what luck the deal brings. The score of a pair is 0, 1/4, 1/2, 3/4 or 1: a won game counts half of it, a drawn
one a quarter.

Sources: Student, The Probable Error of a Mean, Biometrika 6 (1908); J. Hanley and A. Lippman-Hand, If Nothing Goes
Wrong, Is Everything All Right?, JAMA 249 (1983), for samples without a spread; A. Elo, The Rating of Chessplayers
(1978), with the logistic curve that has since become usual.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, inf, log, log10, sqrt
from statistics import NormalDist

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""What a pair can score."""

CONFIDENCE = 0.95
Counts = Sequence[int]
"""Per value of SCORES, how many pairs scored it."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value and the ends of its 95 % interval; Elo can be infinite at an end, or altogether."""

    value: float
    low: float
    high: float


def mean_and_variance(counts: Counts) -> tuple[float, float]:
    """The mean score of these pairs, at least one, and its variance within the sample (divided by n - 1; 0 for one)."""
    n = sum(counts)
    mean = sum(count * score for count, score in zip(counts, SCORES, strict=True)) / n
    squares = sum(count * (score - mean) ** 2 for count, score in zip(counts, SCORES, strict=True))
    return mean, squares / (n - 1) if n > 1 else 0.0


def rate(counts: Counts) -> Estimate:
    """The share of games that is won (a drawn game is a half), with the interval for its mean over all deals.

    The usual interval mean +- t s / sqrt(n) with n - 1 degrees of freedom, cut off at 0 and 1. Where all pairs score
    the same, s says nothing. Then at most a share q of all deals brings another score, with q = 1 - 0.05^(1/n): were it
    more, n pairs in a row like these would come about with less than 5 %. Those can score anything from 0 to 1.
    """
    n = sum(counts)
    mean, variance = mean_and_variance(counts)
    if variance == 0:
        rest = 1 - (1 - CONFIDENCE) ** (1 / n)
        return Estimate(mean, mean * (1 - rest), mean * (1 - rest) + rest)
    around = student(n - 1) * sqrt(variance / n)
    return Estimate(mean, max(0.0, mean - around), min(1.0, mean + around))


def elo(share: float) -> float:
    """The difference in Elo points that lets one expect that share of the points: 400 log10(share / (1 - share))."""
    if share <= 0:
        return -inf
    return 400 * log10(share / (1 - share)) if share < 1 else inf


def expected(difference: float) -> float:
    """The share of the points that this difference in Elo points lets one expect: the inverse of `elo`."""
    return 1 / (1 + exp(-difference * log(10) / 400))


def elo_difference(counts: Counts) -> Estimate:
    """The difference in Elo points, its interval being that of the rate."""
    found = rate(counts)
    return Estimate(elo(found.value), elo(found.low), elo(found.high))


def student(freedom: int) -> float:
    """The 97.5 % quantile of Student's t distribution.

    Expansion 26.7.5 in Abramowitz and Stegun, Handbook of Mathematical Functions; for one and two degrees of freedom
    the exact values tan(0.475 pi) and 0.95 sqrt(2 / 0.0975). The error is below 0.01.
    """
    if freedom <= 2:
        return (12.7062, 4.3027)[freedom - 1]
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return sum(term / float(freedom) ** power for power, term in enumerate(terms))
