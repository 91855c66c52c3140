"""Elo points for several bots that all have played each other, by the model of Bradley and Terry.

It says that i scores g_i / (g_i + g_j) against j; Elo points are 400 log10 g. Here the points are those of pairs of
games, and their mean over all bots is 0. Sources: R. Bradley and M. Terry, Rank Analysis of Incomplete Block Designs,
Biometrika 39 (1952); the iteration: D. Hunter, MM Algorithms for Generalized Bradley-Terry Models, Annals of Statistics
32 (2004); the interval: H. White, Maximum Likelihood Estimation of Misspecified Models, Econometrica 50 (1982), since
pairs of games are less scattered than single ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log, log10, sqrt
from statistics import NormalDist

from p2p_schotten.arena.plan import Pairing
from p2p_schotten.arena.rating import CONFIDENCE, SCORES, Counts, Estimate, mean_and_variance

PRECISION = 1e-9  # in natural logarithms, where one Elo point is 0.006
MOST_ROUNDS = 100_000
_EVEN = SCORES.index(0.5)
_SCALE = 400 / log(10)
Matrix = list[list[float]]


def ratings(bots: int, found: Mapping[Pairing, Counts]) -> tuple[Estimate, ...]:
    """The Elo points of each bot; `found` holds the pairs of each pairing as the earlier bot scored them.

    To every pairing one drawn pair is added: else who has won everything would have infinitely many points.
    """
    counts = {pairing: _with_one_drawn(pairs) for pairing, pairs in found.items()}
    strengths = _strengths(bots, counts)
    spread = _spread(bots, counts, strengths)
    around = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * _SCALE
    points = [400 * log10(strength) for strength in strengths]
    middle = sum(points) / bots
    return tuple(
        Estimate(point - middle, point - middle - around * sqrt(variance), point - middle + around * sqrt(variance))
        for point, variance in zip(points, spread, strict=True)
    )


def _with_one_drawn(counts: Counts) -> Counts:
    return [count + (at == _EVEN) for at, count in enumerate(counts)]


def _strengths(bots: int, counts: Mapping[Pairing, Counts]) -> list[float]:
    """The g of each bot, by Hunter's iteration: g_i = points of i / sum over j of pairs_ij / (g_i + g_j)."""
    points = [0.0] * bots
    for (one, two), pairs in counts.items():
        won = sum(pairs) * mean_and_variance(pairs)[0]
        points[one] += won
        points[two] += sum(pairs) - won
    strengths = [1.0] * bots
    for _ in range(MOST_ROUNDS):
        met = [0.0] * bots
        for (one, two), pairs in counts.items():
            share = sum(pairs) / (strengths[one] + strengths[two])
            met[one] += share
            met[two] += share
        after = [won / share for won, share in zip(points, met, strict=True)]
        scale = sum(after) / bots
        after = [strength / scale for strength in after]
        moved = max(abs(log(new / old)) for new, old in zip(after, strengths, strict=True))
        strengths = after
        if moved < PRECISION:
            break
    return strengths


def _spread(bots: int, counts: Mapping[Pairing, Counts], strengths: Sequence[float]) -> list[float]:
    """The variances of the log g_i, whose sum is held at 0: the diagonal of H^-1 V H^-1.

    H is the curvature of the likelihood, V what the pairs scatter. H knows no sum; 1 / bots in every place supplies
    what is missing, and changes nothing for values whose sum is 0.
    """
    curvature: Matrix = [[1 / bots] * bots for _ in range(bots)]
    scatter: Matrix = [[0.0] * bots for _ in range(bots)]
    for (one, two), pairs in counts.items():
        number, share = sum(pairs), strengths[one] / (strengths[one] + strengths[two])
        _couple(curvature, one, two, number * share * (1 - share))
        _couple(scatter, one, two, number * mean_and_variance(pairs)[1])
    inverse = _inverse(curvature)
    return [sum(row[i] * scatter[i][j] * row[j] for i in range(bots) for j in range(bots)) for row in inverse]


def _couple(matrix: Matrix, one: int, two: int, value: float) -> None:
    matrix[one][one] += value
    matrix[two][two] += value
    matrix[one][two] -= value
    matrix[two][one] -= value


def _inverse(matrix: Matrix) -> Matrix:
    """By Gauss and Jordan; the matrix is symmetric and positive definite, so no row need be exchanged."""
    size = len(matrix)
    rows = [[*row, *(float(at == number) for at in range(size))] for number, row in enumerate(matrix)]
    for at in range(size):
        rows[at] = [value / rows[at][at] for value in rows[at]]
        for number in range(size):
            if number != at:
                factor = rows[number][at]
                rows[number] = [value - factor * lead for value, lead in zip(rows[number], rows[at], strict=True)]
    return [row[size:] for row in rows]
