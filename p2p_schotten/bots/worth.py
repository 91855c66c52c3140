"""What a side is worth to its owner, and how likely a player is to take a stone. All weights were chosen by trial."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from p2p_schotten.engine.formation import Side, Terms, best
from p2p_schotten.engine.quick import quick

OWN, ANY = 0.55, 0.36
"""What the best key counts that the own hand makes of a side, and the best one that any unseen card makes of it."""

THEIRS = 0.6
"""What the best key counts that unseen cards make of the other player's side."""

LACKING = 0.06
"""What a side loses for each card that it still lacks."""

HELD, HOPED = 0.5, 0.2
"""The chances to beat a full side: a hand that can do it, and unseen cards that can."""


class Reach(NamedTuple):
    """The best key that `side` makes with cards of a set, and which cards of the set it takes for that."""

    side: Side
    key: int
    needs: int

    def best(self, _side: Side) -> Reach:
        """What a side with one card more reaches at most, when the card came from the set."""
        return self


_reach = quick(Reach)


class Reaches(Protocol):
    """What sides reach, or reach at most."""

    def best(self, side: Side) -> Reach: ...


class Pool:
    """A set of cards, and what sides reach with those of them that do not lie on the side already.

    `known` is what sides reached when the set was the same or larger, by their identity (sides are interned). Fewer
    cards make no better key: so it is the best one still while the cards that it needs are there. `whole` is a larger
    set from which many others are left: what it knows serves them all.
    """

    def __init__(self, cards: int, known: dict[int, Reach], whole: Pool | None = None) -> None:
        self.cards, self.known, self._whole = cards, known, whole

    def best(self, side: Side) -> Reach:
        """What the side reaches."""
        cards, reach = self.cards, self.known.get(id(side))
        if reach is None and self._whole is not None:
            reach = self.known[id(side)] = self._whole.best(side)
        if reach is not None and (needs := reach.needs) & cards == needs:
            return reach
        key, needs = best(side, cards & ~side.lying)
        reach = self.known[id(side)] = _reach(side, key, needs)
        return reach


ALL = Pool(-1, {})
"""Every card of every game: what a side may become at best, for as long as the program runs."""


def worth(side: Side, hand: Reaches, unseen: Reaches) -> float:
    """What the side is worth to its owner, in units of a key."""
    if side.full:
        return side.key
    return OWN * hand.best(side).key + ANY * unseen.best(side).key


def chance(mine: Side, theirs: Side, first: bool, hand: Reaches, unseen: Pool) -> float:
    """How likely the owner of `mine` and of `hand` is to take the stone, 0..1; both ends are certain.

    `first` says that `mine` was complete first; it matters only where both sides are full. The prospects of `theirs`
    are valued by what was unseen before the move that is judged, since a card that leaves the hand lowers them at every
    stone alike, not only at the one where it comes to lie.
    """
    if mine.full and theirs.full:
        return 1.0 if mine.key > theirs.key or (first and mine.key == theirs.key) else 0.0
    if theirs.full:
        if unseen.best(mine).key <= theirs.key:
            return 0.0
        odds = HELD + HOPED if hand.best(mine).key > theirs.key else HOPED
        return odds * (1 - LACKING * mine.hopes.missing)
    if mine.full:
        if not beaten(theirs, mine, unseen):
            return 1.0
        strength = share(mine.terms, mine.key)
    else:
        terms = mine.terms
        strength = OWN * share(terms, hand.best(mine).key) + ANY * share(terms, unseen.best(mine).key)
        strength *= 1 - LACKING * mine.hopes.missing
    return 0.5 + 0.5 * (strength - THEIRS * share(theirs.terms, unseen.best(theirs).key))


def beaten(theirs: Side, mine: Side, unseen: Pool) -> bool:
    """Whether `theirs` may become better than `mine`, which is full, with unseen cards that do not lie on `mine`."""
    reach, lying = unseen.best(theirs), mine.lying
    if reach.key <= mine.key or not reach.needs & lying:
        return reach.key > mine.key
    return best(theirs, unseen.cards & ~lying, mine.key)[0] > 0


def chance_ceiling(mine: Side, theirs: Side, hand: Pool, unseen: Pool) -> float:
    """No less than the chance to take the stone once a numbered card of the hand has come to `mine`."""
    missing = mine.hopes.missing - 1
    if not missing:
        return 1.0
    own, hoped = hand.best(mine).key, unseen.best(mine).key
    if theirs.full:
        if hoped <= theirs.key:
            return 0.0
        return (HELD + HOPED if own > theirs.key else HOPED) * (1 - LACKING * missing)
    strength = OWN * share(mine.terms, own) + ANY * share(mine.terms, hoped)
    strength *= 1 - LACKING * missing
    return 0.5 + 0.5 * (strength - THEIRS * share(theirs.terms, unseen.best(theirs).key))


def share(terms: Terms, key: int) -> float:
    """The key as a share of what a side can be worth there: 0 for the lowest one (or none at all), 1 for the best."""
    above = key - terms.least
    return above / terms.spread if above > 0 else 0.0
