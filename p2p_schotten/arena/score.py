"""What has been played so far, added up: games by who won, pairs by what they scored, and who stopped how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from p2p_schotten.arena.game import FORFEIT
from p2p_schotten.arena.plan import Game, Pairing, Plan
from p2p_schotten.arena.rating import SCORES
from p2p_schotten.bots.base import Fault


@dataclass(slots=True)
class Games:
    """Games of one bot against others, as that bot sees them."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def count(self) -> int:
        """How many there are."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """A drawn game is half a won one."""
        return self.wins + self.draws / 2

    @property
    def share(self) -> float:
        """Points per game; of no game a half."""
        return self.points / self.count if self.count else 0.5

    def mirrored(self) -> Games:
        """The same games as the other side sees them."""
        return Games(self.losses, self.draws, self.wins)

    def plus(self, more: Games) -> Games:
        """These games and those."""
        return Games(self.wins + more.wins, self.draws + more.draws, self.losses + more.losses)

    def add(self, won: bool | None) -> None:
        """One more; None: drawn."""
        if won is None:
            self.draws += 1
        elif won:
            self.wins += 1
        else:
            self.losses += 1


@dataclass(slots=True)
class Meeting:
    """Two bots, as the earlier one of the pairing sees it: its games, those that it began, those that the other began.

    `pairs`: per value of SCORES how many pairs it scored so.
    """

    games: Games = field(default_factory=Games)
    begun: Games = field(default_factory=Games)
    awaited: Games = field(default_factory=Games)
    pairs: list[int] = field(default_factory=lambda: [0] * len(SCORES))

    def add(self, one: int, games: Iterable[Game]) -> None:
        """A pair more, in which contestant `one` is the earlier of the two."""
        quarters = 0
        for game in games:
            seat, winner = game.seats.index(one), game.result.winner
            won = None if winner is None else winner == seat
            for kind in (self.games, self.begun if game.first == seat else self.awaited):
                kind.add(won)
            quarters += 1 if won is None else 2 * won
        self.pairs[quarters] += 1


class Score:
    """The match so far."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.meetings: dict[Pairing, Meeting] = {pairing: Meeting() for pairing in plan.pairings}
        self.forfeits = [Counter[Fault]() for _ in plan.bots]
        self.late_stops = [Counter[Fault]() for _ in plan.bots]  # only when they were told how a game had ended
        self.games = self.plies = 0
        self.said: dict[tuple[int, Fault], str] = {}  # the first sentence about each kind of fault of each bot

    def add(self, number: int, games: tuple[Game, Game]) -> None:
        """Pair `number` of the match."""
        pairing = self.plan.place(number).pairing
        self.meetings[pairing].add(pairing[0], games)
        for game in games:
            self.games += 1
            self.plies += game.result.plies
            for stopped in game.result.stopped:
                bot = game.seats[stopped.seat]
                counter = self.forfeits if game.result.reason == FORFEIT else self.late_stops
                counter[bot][stopped.fault] += 1
                self.said.setdefault((bot, stopped.fault), stopped.why)

    def of(self, bot: int) -> Games:
        """All games of one bot."""
        total = Games()
        for (one, two), meeting in self.meetings.items():
            if bot in (one, two):
                total = total.plus(meeting.games if bot == one else meeting.games.mirrored())
        return total
