"""What a match is: which bots, by which rules, and what chance does in each of its games.

Everything that chance decides in a game follows from the seed, the rules and the number of the game, by way of a text
that a random generator of its own is seeded with. So it matters neither in which order games are played, nor how many
at a time, nor on which machine, nor which other bots take part.

A pair is two games with the same deal, the same seat to begin (in a siege: to attack) and the same shuffles later on,
but with the seats swapped. Pair p of two bots are their games 2p and 2p + 1, whoever else plays.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from random import Random

from p2p_schotten.arena.game import Result
from p2p_schotten.engine.flags import flagged
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import ruleset
from p2p_schotten.engine.table import Shuffle, Table, deal
from p2p_schotten.ids import SEATS, Seat

Pairing = tuple[int, int]
"""Two contestants by their place in the command, the earlier one first."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A match. `bots` as they were asked for; `digest` names the rules, flags included, in hexadecimal digits."""

    bots: tuple[str, ...]
    rules: str
    flags: tuple[tuple[str, str], ...]
    digest: str
    seed: int
    sealed: bool = False

    @property
    def pairings(self) -> tuple[Pairing, ...]:
        """Who plays whom, in the order in which their pairs are played."""
        return tuple(combinations(range(len(self.bots)), 2))

    def place(self, number: int) -> Place:
        """Pair `number` of the match: everybody's pair 0 comes first, then everybody's pair 1, and so on."""
        pair, pairing = divmod(number, len(self.pairings))
        return Place(self.pairings[pairing], pair)

    def chance(self, *labels: object) -> Random:
        """The chance of this match that bears these labels."""
        return Random("|".join(map(str, ("schotten arena 1", self.seed, self.digest, *labels))))


@dataclass(frozen=True, slots=True)
class Place:
    """Which pair of games: of which two contestants, and the how-manieth of theirs, from 0."""

    pairing: Pairing
    pair: int


@dataclass(frozen=True, slots=True)
class Game:
    """One game that was played: its number among those of its pairing, who sat where, who began, how it ended."""

    number: int
    seats: Pairing
    first: Seat
    result: Result


def game_numbers(place: Place) -> tuple[int, int]:
    """The two games of a pair."""
    return 2 * place.pair, 2 * place.pair + 1


def seats_of(pairing: Pairing, number: int) -> Pairing:
    """Who sits where in game `number` of a pairing: they swap after every game."""
    return pairing if number % 2 == 0 else (pairing[1], pairing[0])


def first_of(number: int) -> Seat:
    """The seat that begins game `number`: the same in both games of a pair, the other in the next pair."""
    return SEATS[number // 2 % 2]


def dealt(plan: Plan, number: int) -> Table:
    """The table of game `number` of any pairing, with its cards dealt."""
    rules, chance = rules_of(plan), plan.chance(number // 2, "deal")
    order = [chance.sample(range(len(deck.cards)), len(deck.cards)) for deck in rules.decks]
    return deal(rules, first_of(number), order)


def shuffler(plan: Plan, number: int) -> Shuffle:
    """How piles are shuffled in the course of that game."""
    chance = plan.chance(number // 2, "shuffle")
    return lambda pile: chance.sample(pile, len(pile))


def bot_seed(plan: Plan, number: int, side: int) -> str:
    """What the chance of a bot is seeded with in that game: of the earlier (0) or the later (1) bot of the pairing."""
    return "|".join(map(str, ("schotten arena 1", plan.seed, plan.digest, "bot", number, side)))


def rules_of(plan: Plan) -> Ruleset:
    """The rules, made once in every process."""
    return _made(plan.rules, plan.flags)


@cache
def _made(name: str, flags: tuple[tuple[str, str], ...]) -> Ruleset:
    return flagged(ruleset(name), dict(flags))
