"""The claim rule by enumerating every reply, written from rules 1.1 to 1.4 and 4.2 alone. It reads texts, never the
engine: every wild card is tried as every card that it may stand for, every gap is filled with every unseen card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise, product

Key = tuple[int, int]


@dataclass(frozen=True)
class Place:
    """A stone: the letters and values of its game, cards per side, what is asked for, and whether A20 is switched on.

    `contest`: _ any formation, + or - the highest or lowest sum, c a colour, r a run, = the same strength.
    """

    letters: str = "RGBYPN"
    low: int = 1
    high: int = 9
    size: int = 3
    contest: str = "_"
    bonus: bool = False

    def deck(self) -> list[str]:
        """The numbered cards of the game."""
        return deck(self.letters, self.low, self.high)


STONE = Place()
FLAG = Place("ROYGBP", 1, 10)
WALL = Place("RGBYP", 0, 11)

WILDS: Mapping[str, Mapping[str, tuple[int, int]]] = {
    STONE.letters: {"JOK": (1, 9), "SPY": (7, 7), "SHB": (1, 3)},
    FLAG.letters: {"ALX": (1, 10), "DAR": (1, 10), "CAV": (8, 8), "SHD": (1, 3)},
    WALL.letters: {"JOK": (0, 11), "SPY": (10, 10), "SHB": (1, 3)},
}
"""Per game the wild cards and the values that they may take (rules 2.5, 3 and 4.9)."""


def deck(letters: str = "RGBYPN", low: int = 1, high: int = 9) -> list[str]:
    """The numbered cards, colour by colour."""
    return [f"{letter}{value}" for letter in letters for value in range(low, high + 1)]


def key(cards: Iterable[str], place: Place = STONE) -> Key:
    """(rank, sum) of a complete side, each wild card as its owner likes it best; the higher is the better one."""
    return _key(tuple(sorted(cards)), place)


@lru_cache(maxsize=100_000)
def _key(cards: tuple[str, ...], place: Place) -> Key:
    return max(_plain_key(plain, place) for plain in _assignments(cards, place))


def _assignments(cards: tuple[str, ...], place: Place) -> Iterator[tuple[str, ...]]:
    wilds = WILDS[place.letters]
    return product(*(deck(place.letters, *wilds[card]) if card in wilds else (card,) for card in cards))


def _plain_key(cards: tuple[str, ...], place: Place) -> Key:
    values = sorted([int(card[1:]) for card in cards])
    one_colour = len({card[0] for card in cards}) == 1
    alike = values[0] == values[-1]
    successive = all(b - a == 1 for a, b in pairwise(values))
    if place.contest == "_":
        if one_colour and successive:
            rank = 5
        elif alike:
            rank = 4
        elif one_colour:
            rank = 3
        elif successive:
            rank = 2
        else:
            rank = 1
        return rank, sum(values)
    if place.contest == "-":
        return 1, -sum(values)
    accepted = {"+": False, "c": one_colour, "r": successive, "=": alike}[place.contest]
    if place.bonus and place.contest in "cr" and one_colour and successive:
        return 3, sum(values)
    return 2 if accepted else 1, sum(values)


def best(side: list[str], among: list[str], place: Place = STONE) -> Key | None:
    """The best key over every way to complete the side with cards from `among`; None when there is no way."""
    fillings = combinations(among, place.size - len(side))
    return max((key([*side, *filling], place) for filling in fillings), default=None)


def may_claim(mine: list[str], theirs: list[str], first: bool, unseen: list[str], place: Place = STONE) -> bool:
    """Rule 1.3, points 1 to 4."""
    if len(mine) < place.size:
        return False
    own = key(mine, place)
    if len(theirs) == place.size:
        return own > key(theirs, place) or (own == key(theirs, place) and first)
    return all(own >= key([*theirs, *filling], place) for filling in combinations(unseen, place.size - len(theirs)))


def beats(
    cards: list[str], mine: list[str], theirs: list[str], first: bool, unseen: list[str], place: Place = STONE
) -> bool:
    """Whether `cards` are an honest answer to "what beats this claim"."""
    if len(mine) < place.size:
        return cards == []
    if len(theirs) == place.size:
        return sorted(cards) == sorted(theirs) and not may_claim(mine, theirs, first, unseen, place)
    return (
        len(set(cards)) == len(cards) == place.size - len(theirs)
        and set(cards) <= set(unseen)
        and key([*theirs, *cards], place) > key(mine, place)
    )
