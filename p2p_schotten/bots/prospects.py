"""How likely a seat is to win from a position that is not over, from what it may know alone.

A side is seen as a list of what it may end as, best first, each with its chance: a card of the own hand comes to the
side with one chance, a card that nobody has seen with another. Two lists give the chance that one side ends above the
other. That and a few more figures of the stone go into a small network (weights.py) that was taught by games which
`greedy` played against itself; the chances of all stones are folded over every way in which the stones may fall.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache, reduce
from math import exp, log, tanh
from operator import add, mul

from p2p_schotten.bots.weights import NETWORKS, Network
from p2p_schotten.bots.worth import share
from p2p_schotten.engine.claim import holds
from p2p_schotten.engine.ending import victory
from p2p_schotten.engine.formation import SUM, Side, best
from p2p_schotten.engine.rules import new_game
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.state import State, Stone
from p2p_schotten.ids import SEATS, Seat, other

HELD, DRAWN = 0.6, 0.4
"""The chance that a card of the hand comes to a side that wants it, and that one does which its owner will yet draw.

Other sides want it too. By trial: the network was taught with these.
"""

SURE = 0.9999
"""A chance above this, or as near to 0, is none any more."""

LEAST = 0.01
"""No chance that goes into the network is taken for smaller than this, or for larger than 1 less this."""

COLOUR_CARD, SUM_CARD = 5, 6
"""What a card that is still to come adds to the sum of a colour, and of a side without any property."""

Figures = tuple[float, ...]
"""What the network is told of one stone: ten figures."""

Endings = tuple[tuple[int, float], ...]
"""Keys, best first, each with the chance that the side ends so; the chances add up to 1."""


class Prospects:
    """The chances of one seat in one position; `hand` is the bit set of its cards."""

    def __init__(self, state: State, seat: Seat, hand: int) -> None:
        self._state, self._seat, self._foe = state, seat, other(seat)
        rules = state.rules
        unseen = state.unseen & rules.grid.all
        self._hand, self._rest = hand & unseen, unseen & ~hand
        pile = state.piles[0]
        hidden = max(1, self._rest.bit_count())
        self._drawn = round(DRAWN * (pile + 1) / 2 / hidden, 2)  # rounded: so that `at_least` meets few values
        self._theirs = round(DRAWN * (state.hands[self._foe][0] + pile / 2) / hidden, 2)
        self._clock = (pile / max(1, len(rules.decks[0].cards) - 2 * rules.hand_size), float(state.to_move == seat))
        self._network = NETWORKS[rules.tactics is not None, rules.siege is not None]
        self._mine: dict[Side, tuple[Endings, float, float, float]] = {}
        self._other: dict[Side, tuple[Endings, float, float]] = {}
        self._chances: dict[tuple[Side, Side], float] = {}

    def win(self) -> float:
        """The chance that the seat wins, 0..1."""
        return fold([self.stone(stone) for stone in self._state.stones], self._state, self._seat)

    def stone(self, stone: Stone) -> float:
        """The chance that the seat takes the stone."""
        if stone.owner is not None:
            return float(stone.owner == self._seat)
        mine, theirs = stone.sides[self._seat], stone.sides[self._foe]
        if mine.full and theirs.full:
            return float(holds(mine, theirs, stone.first_complete(self._seat), 0))
        found = self._chances.get((mine, theirs))
        if found is None:
            found = self._chances[mine, theirs] = self._chance(mine, theirs)
        return found

    def figures(self, mine: Side, theirs: Side) -> Figures:
        """What the network is told of a stone with these two sides, the chance to end above first; one is not full."""
        ends, expected, held, hoped = self._my_outlook(mine)
        foes, feared, worst = self._their_outlook(theirs)
        tie = 1.0 if mine.full else 0.0 if theirs.full else 0.5  # nobody knows who will be complete first
        lacking = mine.hopes.missing, theirs.hopes.missing
        return ends_above(ends, foes, tie), expected, feared, held, hoped, worst, *lacking, *self._clock

    def _chance(self, mine: Side, theirs: Side) -> float:
        figures = self.figures(mine, theirs)
        if (mine.full and figures[0] > SURE) or (theirs.full and figures[0] < 1 - SURE):
            return float(mine.full)
        return answer(self._network, figures)

    def _my_outlook(self, side: Side) -> tuple[Endings, float, float, float]:
        """How the own side may end, the key expected of it, and the best ones of the hand and of all cards: shares."""
        found = self._mine.get(side)
        if found is None:
            ends = endings(side, self._hand, self._rest, self._drawn)
            held, hoped = best(side, self._hand)[0], best(side, self._hand | self._rest)[0]
            found = ends, _expected(side, ends), share(side.terms, held), share(side.terms, hoped)
            self._mine[side] = found
        return found

    def _their_outlook(self, side: Side) -> tuple[Endings, float, float]:
        """The same of the other's side: nothing of his hand is known."""
        found = self._other.get(side)
        if found is None:
            ends = endings(side, 0, self._rest, self._theirs)
            found = self._other[side] = ends, _expected(side, ends), share(side.terms, best(side, self._rest)[0])
        return found


def _expected(side: Side, ends: Endings) -> float:
    return added([share(side.terms, key) * chance for key, chance in ends])


def added(numbers: Iterable[float]) -> float:
    """Their sum, from the left: `sum` rounds otherwise since Python 3.12, and a seed is to play one game in both."""
    return reduce(add, numbers, 0.0)


def answer(network: Network, figures: Figures) -> float:
    """What the network makes of the figures: one hidden layer of hyperbolic tangents, then the logistic function."""
    layer, total = network
    told = (logit(figures[0]), *figures[1:])
    for weights, offset, worth in layer:
        total += worth * tanh(offset + added(map(mul, weights, told)))
    return 1 / (1 + exp(-total))


def logit(chance: float) -> float:
    """The logarithm of the odds of a chance, which is first kept off both ends."""
    kept = min(max(chance, LEAST), 1 - LEAST)
    return log(kept / (1 - kept))


def endings(side: Side, hand: int, rest: int, drawn: float) -> Endings:
    """What the side may end as when each card of `hand` comes with the chance HELD, each of `rest` with `drawn`."""
    if side.full:
        return ((side.key, 1.0),)
    hopes, missing = side.hopes, side.hopes.missing
    lost = ~(hand | rest)
    found, left = [], 1.0
    for key, needed in hopes.colour_runs:
        if not needed & lost:
            chance = left * HELD ** (needed & hand).bit_count() * drawn ** (needed & rest).bit_count()
            found.append((key, chance))
            left -= chance
    for key, row in hopes.same:
        chance = left * at_least(missing, (row & hand).bit_count(), (row & rest).bit_count(), drawn)
        if chance:
            found.append((key, chance))
            left -= chance
    chance = max(
        [at_least(missing, (s & hand).bit_count(), (s & rest).bit_count(), drawn) for s in hopes.suits], default=0
    )
    if chance:
        found.append((hopes.colour + COLOUR_CARD * missing, left * chance))
        left -= left * chance
    for key, rows in hopes.runs:
        chance = left
        for row in rows:
            chance *= at_least(1, (row & hand).bit_count(), (row & rest).bit_count(), drawn)
        if chance:
            found.append((key, chance))
            left -= chance
    total = hopes.total + SUM_CARD * missing
    found.append((SUM - total if hopes.lowest else SUM + total, left))
    return tuple(found)


@lru_cache(maxsize=1 << 16)
def at_least(count: int, held: int, others: int, drawn: float) -> float:
    """The chance that at least `count` of these cards come."""
    if held + others < count:
        return 0.0
    chances = [1.0]  # by the number of cards that come
    for each in [HELD] * held + [drawn] * others:
        chances = [came * (1 - each) + less * each for came, less in zip([*chances, 0.0], [0.0, *chances], strict=True)]
    return added(chances[count:])


def ends_above(one: Endings, two: Endings, tie: float) -> float:
    """The chance that the first side ends above the second; `tie` is what an equal end counts."""
    won, under, at = 0.0, 1.0, 0
    for key, chance in one:
        while at < len(two) and two[at][0] > key:
            under -= two[at][1]
            at += 1
        equal = two[at][1] if at < len(two) and two[at][0] == key else 0.0
        won += chance * (under - equal + tie * equal)
    return won


def fold(chances: Sequence[float], state: State, seat: Seat) -> float:
    """The chance that `seat` wins, when it takes each stone with that chance, whatever becomes of the others."""
    attacker = state.beside.attacker
    values: Sequence[float] = _values(state.rules, None if attacker is None else attacker == seat, _damage(state))
    for chance in reversed(chances):
        half = len(values) // 2
        lost, won = values[:half], values[half:]
        values = [(1 - chance) * one + chance * two for one, two in zip(lost, won, strict=True)]
    return values[0]


def _damage(state: State) -> int:
    return sum([1 << number for number, stone in enumerate(state.stones) if stone.ground.damaged])


@lru_cache(maxsize=512)
def _values(rules: Ruleset, attacks: bool | None, damage: int) -> tuple[float, ...]:
    """Per set of stones that a seat takes, the others being the other's: 1 when it has won, 0 when the other has.

    A half where both have a winning pattern, or nobody: who was first is not known here.
    """
    everything = range(1 << len(rules.tiles))
    if attacks is None:
        row = new_game(rules, SEATS[0]).state.stones
        won = [victory(rules, _taken(row, taken), SEATS[0]) is not None for taken in everything]
        return tuple([0.5 + 0.5 * (won[taken] - won[~taken]) for taken in everything])
    assert rules.siege is not None
    breach = rules.siege.breach
    falls = [bool(taken & damage) or (taken | damage).bit_count() >= breach for taken in everything]
    return tuple([float(falls[taken]) if attacks else 1.0 - falls[~taken] for taken in everything])


def _taken(row: Sequence[Stone], taken: int) -> list[Stone]:
    owners = [SEATS[1 - (taken >> number & 1)] for number in range(len(row))]
    return [Stone(stone.sides, owner, stone.arrived) for stone, owner in zip(row, owners, strict=True)]
