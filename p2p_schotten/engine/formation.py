"""What the cards on one side are worth, and what they may still become.

A **key** is 100 x rank + sum of values: colour run 5, same strength 4, colour 3, run 2, sum 1 (rules 1.1); the higher
key is the better formation. The **hopes** of a side are all formations that it may still become, best first, as bit
sets of the cards it needs, so that the best one among any set of cards is found by walking down (rules 1.5).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

from p2p_schotten.engine.cards import Grid
from p2p_schotten.engine.ruleset import Contest
from p2p_schotten.ids import CardId

RANK = 100
"""One rank weighs more than any sum: the highest sum is 4 x 11."""

COLOUR_RUN, SAME, COLOUR, RUN, SUM = 5 * RANK, 4 * RANK, 3 * RANK, 2 * RANK, 1 * RANK

NOTHING = (0, 0)
"""No key and no cards: there is no better formation."""


@cache
def key_text(key: int, size: int) -> str:
    """A key in words, for a side of `size` cards: "colour run 24"."""
    names = {5: "colour run", 4: "three of a kind" if size == 3 else "same strength", 3: "colour", 2: "run", 1: "sum"}
    return f"{names[key // RANK]} {key % RANK}"


@dataclass(frozen=True, slots=True)
class Terms:
    """By what a side is judged: the numbered cards of the game, cards per side (2..4), and the contest."""

    grid: Grid
    size: int
    contest: Contest


@dataclass(frozen=True, slots=True)
class Hopes:
    """What a side may become; `missing` cards are to come. Bit sets name cards; each list stands best first."""

    missing: int
    colour_runs: tuple[tuple[int, int], ...]  # (key, the cards needed)
    same: tuple[tuple[int, int], ...]  # (key, the row of which `missing` are needed)
    suits: tuple[int, ...]  # the colours of which `missing` are needed
    runs: tuple[tuple[int, tuple[int, ...]], ...]  # (key, the rows of which one each is needed)
    total: int  # the sum of what lies there


@dataclass(frozen=True, slots=True)
class Side:
    """One player's cards at a stone, ascending by id (the stone knows the order of arrival). Interned by `side_of`."""

    terms: Terms
    cards: tuple[CardId, ...]
    full: bool = field(compare=False)
    key: int = field(compare=False)  # 0 unless full
    hopes: Hopes = field(compare=False, repr=False)
    after: dict[CardId, Side] = field(compare=False, repr=False)  # a cache: the side with one more card

    def __reduce__(self) -> tuple[Callable[[Terms, tuple[CardId, ...]], Side], tuple[Terms, tuple[CardId, ...]]]:
        return side_of, (self.terms, self.cards)


@cache
def side_of(terms: Terms, cards: tuple[CardId, ...] = ()) -> Side:
    """The side with these cards, which stand ascending."""
    hopes = _hopes(terms, cards)
    full = hopes.missing == 0
    return Side(terms, cards, full, _best(terms.grid, hopes, 0, 0)[0] if full else 0, hopes, {})


def with_card(side: Side, card: CardId) -> Side:
    """The side after one more card came to it."""
    found = side.after.get(card)
    if found is None:
        found = side.after[card] = side_of(side.terms, tuple(sorted((*side.cards, card))))
    return found


def best(side: Side, among: int, above: int = 0) -> tuple[int, int]:
    """The best key over `above` that the side reaches with cards from the set `among`, and the set of those cards.

    NOTHING when it reaches none. A full side reaches its own key with no card.
    """
    return _best(side.terms.grid, side.hopes, among, above)


def _best(grid: Grid, hopes: Hopes, among: int, above: int) -> tuple[int, int]:
    # Every list is sorted and every rank is above the next: once a key is not over `above`, no later one is.
    missing = hopes.missing
    for key, needed in hopes.colour_runs:
        if key <= above:
            return NOTHING
        if among & needed == needed:
            return key, needed
    for key, row in hopes.same:
        if key <= above:
            return NOTHING
        if (among & row).bit_count() >= missing:
            return key, _highest(among & row, missing)
    if above >= SAME:
        return NOTHING
    found = NOTHING
    for suit in hopes.suits:
        if (among & suit).bit_count() >= missing:
            cards = _highest(among & suit, missing)
            key = COLOUR + hopes.total + _sum(grid, cards)
            if key > above and key > found[0]:
                found = key, cards
    if found[0]:
        return found
    for key, rows in hopes.runs:
        if key <= above:
            return NOTHING
        if all(among & row for row in rows):
            return key, sum([_highest(among & row, 1) for row in rows])
    if above >= RUN:
        return NOTHING
    cards = 0
    for row in reversed(grid.rows):
        if missing:
            cards |= (some := _highest(among & row, missing))
            missing -= some.bit_count()
    key = SUM + hopes.total + _sum(grid, cards)
    return NOTHING if missing or key <= above else (key, cards)


def _highest(cards: int, count: int) -> int:
    # The `count` highest members of the set, or all when there are fewer.
    taken = 0
    while count and cards:
        bit = 1 << cards.bit_length() - 1
        taken |= bit
        cards ^= bit
        count -= 1
    return taken


def _sum(grid: Grid, cards: int) -> int:
    total = 0
    while cards:
        last = cards.bit_length() - 1
        total += grid.values[last]
        cards ^= 1 << last
    return total


def _hopes(terms: Terms, cards: tuple[CardId, ...]) -> Hopes:
    grid, size = terms.grid, terms.size
    values = [grid.values[card] for card in cards]
    colours = {card // grid.width for card in cards}
    hues = tuple(range(grid.colours)) if not cards else tuple(colours) if len(colours) == 1 else ()
    windows = []
    if len(set(values)) == len(values):
        first = min([grid.high - size + 1, *values])
        last = max([grid.low + size - 1, *values]) - size + 1
        for start in range(first, last - 1, -1):
            window = range(start, start + size)
            windows.append((sum(window), [value for value in window if value not in values]))
    alike = range(grid.high, grid.low - 1, -1) if not cards else values[:1] if len(set(values)) == 1 else ()
    return Hopes(
        size - len(cards),
        tuple(
            (COLOUR_RUN + total, sum(1 << grid.card(hue, value) for value in needed))
            for total, needed in windows
            for hue in hues
        ),
        tuple((SAME + size * value, grid.rows[value - grid.low]) for value in alike),
        tuple(grid.suits[hue] for hue in hues),
        tuple((RUN + total, tuple(grid.rows[value - grid.low] for value in needed)) for total, needed in windows),
        sum(values),
    )
