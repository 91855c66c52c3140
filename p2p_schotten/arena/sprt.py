"""Is a bot better by some Elo points or not? A sequential test asks after every pair, and stops when it is sure enough.

The generalised sequential probability ratio test (GSPRT) over the scores of pairs: the likelihood of what was seen
under the best fit whose mean score is that of ELO1, over that under the best fit whose mean is that of ELO0. The test
ends when the logarithm of this ratio leaves Wald's bounds log(beta / (1 - alpha)) and log((1 - beta) / alpha).

Sources: A. Wald, Sequential Tests of Statistical Hypotheses, Annals of Mathematical Statistics 16 (1945); X. Li, J. Liu
and Z. Ying, Generalized Sequential Probability Ratio Test for Separate Families of Hypotheses, Sequential Analysis 33
(2014); the fit with a given mean: A. Owen, Empirical Likelihood Ratio Confidence Intervals for a Single Functional,
Biometrika 75 (1988).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import log

from p2p_schotten.arena.rating import SCORES, Counts, expected

ALPHA = BETA = 0.05
LOWER, UPPER = log(BETA / (1 - ALPHA)), log((1 - BETA) / ALPHA)

NEVER_SEEN = 1e-3
"""What counts for a score that no pair has had: without it the first pairs would already exclude everything else."""

_STEPS = 60  # halvings: an interval of less than 10 shrinks to the precision of a float


class Verdict(StrEnum):
    """What the test says so far."""

    OPEN = "undecided"
    BETTER = "accepted"  # at least ELO1
    NOT_BETTER = "rejected"  # at most ELO0


@dataclass(frozen=True, slots=True)
class Sprt:
    """The question: is the difference ELO0 at most, or ELO1 at least? `low` < `high`, in Elo points."""

    low: float
    high: float

    def ratio(self, counts: Counts) -> float:
        """The logarithm of the likelihood ratio after these pairs."""
        if not sum(counts):
            return 0.0
        weights = [count or NEVER_SEEN for count in counts]
        at_low, at_high = (_fit(weights, expected(elo)) for elo in (self.low, self.high))
        return sum(weight * log(high / low) for weight, low, high in zip(weights, at_low, at_high, strict=True))

    def verdict(self, counts: Counts) -> Verdict:
        """Whether that is enough."""
        ratio = self.ratio(counts)
        if ratio >= UPPER:
            return Verdict.BETTER
        return Verdict.NOT_BETTER if ratio <= LOWER else Verdict.OPEN


def _fit(weights: Sequence[float], mean: float) -> list[float]:
    """The most likely distribution of scores with that mean: p_i = w_i / (1 + x (a_i - mean)), w summing to 1.

    x is the zero of the sum of w_i (a_i - mean) / (1 + x (a_i - mean)), which falls between the poles that keep all
    p_i positive.
    """
    total = sum(weights)
    shares = [weight / total for weight in weights]
    gaps = [score - mean for score in SCORES]
    low, high = -1 / gaps[-1], -1 / gaps[0]
    for _ in range(_STEPS):
        x = (low + high) / 2
        if sum(share * gap / (1 + x * gap) for share, gap in zip(shares, gaps, strict=True)) > 0:
            low = x
        else:
            high = x
    return [share / (1 + low * gap) for share, gap in zip(shares, gaps, strict=True)]
