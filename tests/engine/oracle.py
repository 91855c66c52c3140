"""The claim rule by enumerating every reply, written from rules 1.1 to 1.3 alone. It reads texts, never the engine."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, pairwise

Key = tuple[int, int]


def deck(letters: str = "RGBYPN", low: int = 1, high: int = 9) -> list[str]:
    """The numbered cards, colour by colour."""
    return [f"{letter}{value}" for letter in letters for value in range(low, high + 1)]


def key(cards: Iterable[str]) -> Key:
    """(rank, sum) of a complete side."""
    cards = list(cards)
    values = sorted(int(card[1:]) for card in cards)
    one_colour = len({card[0] for card in cards}) == 1
    successive = all(b - a == 1 for a, b in pairwise(values))
    if one_colour and successive:
        rank = 5
    elif len(set(values)) == 1:
        rank = 4
    elif one_colour:
        rank = 3
    elif successive:
        rank = 2
    else:
        rank = 1
    return rank, sum(values)


def best(side: list[str], among: list[str], size: int) -> Key | None:
    """The best key over every way to complete the side with cards from `among`; None when there is no way."""
    return max((key([*side, *filling]) for filling in combinations(among, size - len(side))), default=None)


def may_claim(mine: list[str], theirs: list[str], first: bool, unseen: list[str], size: int = 3) -> bool:
    """Rule 1.3, points 1 to 4."""
    if len(mine) < size:
        return False
    if len(theirs) == size:
        return key(mine) > key(theirs) or (key(mine) == key(theirs) and first)
    return all(key(mine) >= key([*theirs, *filling]) for filling in combinations(unseen, size - len(theirs)))


def beats(cards: list[str], mine: list[str], theirs: list[str], first: bool, unseen: list[str], size: int = 3) -> bool:
    """Whether `cards` are an honest answer to "what beats this claim"."""
    if len(mine) < size:
        return cards == []
    if len(theirs) == size:
        return sorted(cards) == sorted(theirs) and not may_claim(mine, theirs, first, unseen, size)
    return (
        len(set(cards)) == len(cards) == size - len(theirs)
        and set(cards) <= set(unseen)
        and key([*theirs, *cards]) > key(mine)
    )
