"""A match under way: what has been played, what is missing, and whether it is over."""

from __future__ import annotations

from p2p_schotten.arena.plan import Game, Plan
from p2p_schotten.arena.score import Score
from p2p_schotten.arena.sprt import Sprt, Verdict


class Match:
    """So many pairs for every two bots, or fewer when a question is answered before."""

    def __init__(self, plan: Plan, pairs: int, question: Sprt | None = None) -> None:
        self.plan, self.score, self.question = plan, Score(plan), question
        self.total = pairs * len(plan.pairings)
        self.played = 0  # pairs; the next one bears this number

    @property
    def missing(self) -> range:
        """The numbers of the pairs to come."""
        return range(self.played, self.total)

    @property
    def verdict(self) -> Verdict:
        """What the question has come to; it is asked of two bots only."""
        if self.question is None:
            return Verdict.OPEN
        (meeting,) = self.score.meetings.values()
        return self.question.verdict(meeting.pairs)

    @property
    def over(self) -> bool:
        """Nothing more is played."""
        return self.played >= self.total or self.verdict is not Verdict.OPEN

    def add(self, games: tuple[Game, Game]) -> None:
        """The next pair was played."""
        self.score.add(self.played, games)
        self.played += 1
