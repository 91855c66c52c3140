"""What a side is worth to its owner, and how likely a player is to take a stone. All weights were chosen by trial."""

from __future__ import annotations

from functools import cache

from p2p_schotten.engine.formation import SUM, Side, Terms, best, side_of

OWN, ANY = 0.55, 0.36
"""What the best key counts that the own hand makes of a side, and the best one that any unseen card makes of it."""

THEIRS = 0.6
"""What the best key counts that unseen cards make of the other player's side."""

LACKING = 0.06
"""What a side loses for each card that it still lacks."""

HELD, HOPED = 0.5, 0.2
"""The chances to beat a full side: a hand that can do it, and unseen cards that can."""


def worth(side: Side, hand: int, unseen: int) -> float:
    """What the side is worth to its owner, in units of a key; `hand` and `unseen` are sets of cards."""
    if side.full:
        return side.key
    return OWN * best(side, hand)[0] + ANY * best(side, unseen)[0]


def chance(mine: Side, theirs: Side, first: bool, hand: int, unseen: int, before: int) -> float:
    """How likely the owner of `mine` and of `hand` is to take the stone, 0..1; both ends are certain.

    `first` says that `mine` was complete first; it matters only where both sides are full. `before` is what was unseen
    before the move that is judged: by that the prospects of `theirs` are valued, since a card that leaves the hand
    lowers them at every stone alike, not only at the one where it comes to lie.
    """
    if mine.full and theirs.full:
        return 1.0 if mine.key > theirs.key or (first and mine.key == theirs.key) else 0.0
    if theirs.full:
        if not best(mine, unseen, theirs.key)[0]:
            return 0.0
        odds = HELD + HOPED if best(mine, hand, theirs.key)[0] else HOPED
        return odds * (1 - LACKING * mine.hopes.missing)
    if mine.full:
        if not best(theirs, unseen, mine.key)[0]:
            return 1.0
        strength = share(mine.terms, mine.key)
    else:
        terms = mine.terms
        strength = OWN * share(terms, best(mine, hand)[0]) + ANY * share(terms, best(mine, unseen)[0])
        strength *= 1 - LACKING * mine.hopes.missing
    return 0.5 + 0.5 * (strength - THEIRS * share(theirs.terms, best(theirs, before)[0]))


def share(terms: Terms, key: int) -> float:
    """The key as a share of what a side can be worth there: 0 for the lowest one (or none at all), 1 for the best."""
    low, width = _span(terms)
    return max(0.0, (key - low) / width)


@cache
def _span(terms: Terms) -> tuple[int, int]:
    # The lowest key there, and how much the best one is above it.
    grid, empty = terms.grid, side_of(terms)
    low = SUM - terms.size * grid.high if empty.hopes.lowest else SUM + terms.size * grid.low
    return low, best(empty, grid.all)[0] - low
