"""What the cards on one side are worth, and what they may still become.

A **key** is 100 x rank + sum of values; the higher key is the better side. A tile for any formation ranks colour run 5,
same strength 4, colour 3, run 2, sum 1. One that asks for a property ranks it 2, all else 1; where colour runs have a
bonus they rank 3 (A20). Where the lower sum wins, the key is 100 - sum.

The **hopes** of a side are all formations that it may still become, best first, as bit sets of the cards it needs, so
that the best one among any set of cards is found by walking down. A wild card stands for whatever its owner needs most
(A1): its colour is never asked, and of a run it fills any gap within its values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, reduce
from operator import or_
from typing import NamedTuple

from p2p_schotten.engine.cards import Grid, card_set, members
from p2p_schotten.engine.ruleset import MOST_CARDS, Contest
from p2p_schotten.ids import CardId

RANK = 100
"""One rank weighs more than any sum: the highest sum is 4 x 11."""

SUM = RANK
"""The lowest rank, which every full side has."""

_OVER_COLOURS, _OVER_SUMS = 4 * RANK, 2 * RANK
"""No key of a colour, and none of a sum, reaches this much at any contest."""

NOTHING = (0, 0)
"""No key and no cards: there is no better formation."""


class Ranks(NamedTuple):
    """What each property is worth at a contest, without the sum; 0 where it counts for nothing."""

    colour_run: int
    same: int
    colour: int
    run: int


_RANKS: Mapping[Contest, Ranks] = {
    Contest.ANY: Ranks(5 * RANK, 4 * RANK, 3 * RANK, 2 * RANK),
    Contest.HIGH: Ranks(0, 0, 0, 0),
    Contest.LOW: Ranks(0, 0, 0, 0),
    Contest.COLOUR: Ranks(0, 0, 2 * RANK, 0),
    Contest.RUN: Ranks(0, 0, 0, 2 * RANK),
    Contest.SAME: Ranks(0, 2 * RANK, 0, 0),
}
_WITH_BONUS = frozenset({Contest.COLOUR, Contest.RUN})


@dataclass(frozen=True, slots=True)
class Terms:
    """By what a side is judged: the numbered cards of the game, cards per side (2..4), and the contest.

    `wilds`: the wild cards of the game, each with the lowest and the highest value that it may take. `bonus`: where a
    colour or a run is asked for, a colour run beats both.
    """

    grid: Grid
    size: int
    contest: Contest
    wilds: tuple[tuple[CardId, int, int], ...] = ()
    bonus: bool = False
    ranks: Ranks = field(init=False, compare=False, repr=False)
    least: int = field(init=False, compare=False, repr=False)  # no full side has a lower key
    spread: int = field(init=False, compare=False, repr=False)  # how much the best key is above that
    _hash: int = field(init=False, compare=False, repr=False)  # terms are looked up at every new side

    def __post_init__(self) -> None:
        assert 2 <= self.size <= MOST_CARDS
        ranks = _RANKS[self.contest]
        if self.bonus and self.contest in _WITH_BONUS:
            ranks = ranks._replace(colour_run=3 * RANK)
        object.__setattr__(self, "ranks", ranks)
        object.__setattr__(self, "_hash", hash((self.grid, self.size, self.contest, self.wilds, self.bonus)))
        lowest = self.contest is Contest.LOW
        least = SUM - self.size * self.grid.high if lowest else SUM + self.size * self.grid.low
        most, _ = _best(self.grid, _hopes(self, ()), self.grid.all, 0)
        object.__setattr__(self, "least", least)
        object.__setattr__(self, "spread", most - least)

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[type[Terms], tuple[Grid, int, Contest, tuple[tuple[CardId, int, int], ...], bool]]:
        # The hash of a text differs from process to process.
        return Terms, (self.grid, self.size, self.contest, self.wilds, self.bonus)


@cache
def key_text(key: int, terms: Terms) -> str:
    """A key in words: "colour run 24"."""
    if terms.contest is Contest.LOW:
        return f"sum {SUM - key}"
    rank, total = key // RANK * RANK, key % RANK
    same = "three of a kind" if terms.size == 3 else "same strength"
    names = zip(terms.ranks, ("colour run", same, "colour", "run"), strict=True)
    return f"{next((name for worth, name in names if worth == rank), 'sum')} {total}"


@dataclass(frozen=True, slots=True)
class Hopes:
    """What a side may become; `missing` cards are to come. Bit sets name cards; each list stands best first."""

    missing: int
    colour_runs: tuple[tuple[int, int], ...]  # (key, the cards needed)
    same: tuple[tuple[int, int], ...]  # (key, the row of which `missing` are needed)
    suits: tuple[int, ...]  # the colours of which `missing` are needed
    colour: int  # the key of a colour, without the cards to come
    runs: tuple[tuple[int, tuple[int, ...]], ...]  # (key, the rows of which one each is needed)
    total: int  # the sum of what lies there, wild cards at their best
    lowest: bool  # the lower sum wins
    starts: int = 0  # where nothing lies yet: the first cards of all colour runs, to tell at a glance that none is left


_NO_HOPES = Hopes(0, (), (), (), 0, (), 0, lowest=False)


@dataclass(frozen=True, slots=True)
class Side:
    """One player's cards at a stone, ascending by id (the stone knows the order of arrival). Interned by `side_of`."""

    terms: Terms
    cards: tuple[CardId, ...]
    full: bool = field(compare=False)
    key: int = field(compare=False)  # 0 unless full
    hopes: Hopes = field(compare=False, repr=False)  # none of a full side: it is what it is
    replies: dict[int, int] = field(compare=False, repr=False)  # a cache: by key, cards that make the side better
    near: dict[CardId, Side] = field(compare=False, repr=False)  # a cache: the side with one card more, or one less
    lying: int = field(compare=False, repr=False)  # the cards as a bit set

    def __reduce__(self) -> tuple[Callable[[Terms, tuple[CardId, ...]], Side], tuple[Terms, tuple[CardId, ...]]]:
        return side_of, (self.terms, self.cards)


@cache
def side_of(terms: Terms, cards: tuple[CardId, ...] = ()) -> Side:
    """The side with these cards, numbered and wild ones, which stand ascending.

    With more cards than `terms.size` (a mud has left) it is not full and has no hopes, until one of them has gone.
    """
    if len(cards) != terms.size:
        return Side(terms, cards, False, 0, _hopes(terms, cards), {}, {}, card_set(cards))
    numbered = cards[0] <= terms.grid.last
    # A numbered card makes of the others what it makes of the side before it came: that side is mostly known already.
    hopes = side_of(terms, cards[1:]).hopes if numbered else _hopes(terms, cards)
    key, _ = _best(terms.grid, hopes, 1 << cards[0], 0)
    return Side(terms, cards, True, key, _NO_HOPES, {}, {}, card_set(cards))


def with_card(side: Side, card: CardId) -> Side:
    """The side after one more card came to it; the card does not lie there yet."""
    found = side.near.get(card)
    if found is None:
        found = side.near[card] = side_of(side.terms, tuple(sorted((*side.cards, card))))
    return found


def without_card(side: Side, card: CardId) -> Side:
    """The side after a card that lies there has left it."""
    found = side.near.get(card)
    if found is None:
        at = side.cards.index(card)
        found = side.near[card] = side_of(side.terms, side.cards[:at] + side.cards[at + 1 :])
    return found


def best(side: Side, among: int, above: int = 0) -> tuple[int, int]:
    """The best key over `above` that the side reaches with cards from the set `among`, and the set of those cards.

    NOTHING when it reaches none. A full side reaches its own key with no card. Only numbered cards of `among` count.
    """
    if side.full:
        return (side.key, 0) if side.key > above else NOTHING
    return _best(side.terms.grid, side.hopes, among, above)


def may_beat(side: Side, key: int, among: int) -> bool:
    """Whether a side that is not full may still become better than `key` with cards from the set `among`."""
    known = side.replies.get(key)
    if known is not None and known & among == known:
        return True
    found, needed = _best(side.terms.grid, side.hopes, among, key)
    if found:
        side.replies[key] = needed
    return bool(found)


def _best(grid: Grid, hopes: Hopes, among: int, above: int) -> tuple[int, int]:
    # Every list is sorted and every rank is above the next: once a key is not over `above`, no later one is.
    missing = hopes.missing
    if not hopes.starts or hopes.starts & _runs(among, missing):
        for key, needed in hopes.colour_runs:
            if key <= above:
                return NOTHING
            if among & needed == needed:
                return key, needed
    for key, row in hopes.same:
        if key <= above:
            return NOTHING
        if (there := among & row).bit_count() >= missing:
            return key, _highest(grid, there, missing)[0]
    if above >= _OVER_COLOURS:
        return NOTHING
    found = NOTHING
    for suit in hopes.suits:
        if (there := among & suit).bit_count() >= missing:
            cards, worth = _highest(grid, there, missing)
            key = hopes.colour + worth
            if key > above and key > found[0]:
                found = key, cards
    if found[0]:
        return found
    for key, rows in hopes.runs:
        if key <= above:
            return NOTHING
        for row in rows:
            if not among & row:
                break
        else:
            return key, sum([1 << (among & row).bit_length() - 1 for row in rows])
    if above >= _OVER_SUMS:
        return NOTHING
    cards, total = 0, hopes.total
    for row in grid.rows if hopes.lowest else grid.rows_down:
        if missing <= 0:
            break
        if there := among & row:
            some, worth = _highest(grid, there, min(missing, there.bit_count()))
            cards |= some
            total += worth
            missing -= some.bit_count()
    key = SUM - total if hopes.lowest else SUM + total
    return NOTHING if missing or key <= above else (key, cards)


def _highest(grid: Grid, cards: int, count: int) -> tuple[int, int]:
    # The `count` highest members of the set, which has as many, and the sum of their values.
    taken = total = 0
    while count:
        last = cards.bit_length() - 1
        bit = 1 << last
        taken |= bit
        cards ^= bit
        total += grid.values[last]
        count -= 1
    return taken, total


def _runs(cards: int, length: int) -> int:
    # Where so many successive cards of the set begin; some of them go on from one colour to the next.
    for _ in range(1, length):
        cards &= cards >> 1
    return cards


def _hopes(terms: Terms, cards: tuple[CardId, ...]) -> Hopes:
    grid, size, ranks = terms.grid, terms.size, terms.ranks
    missing = size - len(cards)
    numbered, spans = cards, []
    if cards and cards[-1] > grid.last:
        numbered = tuple(card for card in cards if card <= grid.last)
        spans = [(low, high) for card, low, high in terms.wilds if card in cards]
        assert len(numbered) + len(spans) == len(cards)
    values = [grid.values[card] for card in numbered]
    lowest = terms.contest is Contest.LOW
    total = sum(values) + sum([low if lowest else high for low, high in spans])
    if missing < 0:
        return Hopes(missing, (), (), (), 0, (), total, lowest)
    colours = {card // grid.width for card in numbered}
    hues = tuple(range(grid.colours)) if not colours else tuple(colours) if len(colours) == 1 else ()
    windows = _windows(grid, size, values, spans) if ranks.run or (ranks.colour_run and hues) else []
    alike: Iterable[int] = ()
    if ranks.same and len(set(values)) <= 1:
        alike = values[:1] or range(grid.high, grid.low - 1, -1)
        for low, high in spans:
            alike = [value for value in alike if low <= value <= high]
    colour_runs: list[tuple[int, int]] = []
    if ranks.colour_run:
        colour_runs = [(ranks.colour_run + worth, gap << hue * grid.width) for worth, gap in windows for hue in hues]
    return Hopes(
        missing,
        tuple(colour_runs),
        tuple([(ranks.same + size * value, grid.rows[value - grid.low]) for value in alike]),
        tuple([grid.suits[hue] for hue in hues]) if ranks.colour else (),
        ranks.colour + total,
        tuple(
            [(ranks.run + worth, tuple([grid.rows[column] for column in members(needed)])) for worth, needed in windows]
        )
        if ranks.run
        else (),
        total,
        lowest,
        0 if cards else reduce(or_, [needed & -needed for _, needed in colour_runs], 0),
    )


def _windows(grid: Grid, size: int, values: list[int], spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    # Successive values that the side may still become, from the top: their sum, and those that numbered cards must
    # bring as a set of bits `value - low`; once for each choice of gaps that the wild cards fill.
    held = 0
    for value in values:
        held |= 1 << value - grid.low
    if held.bit_count() < len(values):
        return []
    found = []
    first = min([grid.high - size + 1, *values])
    last = max([grid.low + size - 1, *values]) - size + 1
    window, least = (1 << size) - 1, size * (size - 1) // 2
    for start in range(first, last - 1, -1):
        gap = (window << start - grid.low) & ~held
        worth = size * start + least
        if not spans:
            found.append((worth, gap))
            continue
        gaps = {gap}
        for low, high in spans:
            takes = (1 << high + 1 - low) - 1 << low - grid.low
            gaps = {gap ^ 1 << column for gap in gaps for column in members(gap & takes)}
        found += [(worth, gap) for gap in sorted(gaps, reverse=True)]
    return found
