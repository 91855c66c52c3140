"""Cards are numbers; what is printed on them stands here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from p2p_schotten.ids import CardId, DeckId


class Power(StrEnum):
    """What a tactic card does."""

    JOKER = "joker"  # lies on a side as any numbered card; a player may be held to one (joker limit)
    ELITE = "elite"  # lies on a side as a numbered card of certain values
    FOG = "fog"  # a mode: the stone is decided by the sum alone
    MUD = "mud"  # a mode: each side of the stone takes one card more
    SCOUT = "scout"  # draw three, put two of the hand back into their piles
    REDEPLOY = "redeploy"  # an own card goes to another stone, or is discarded
    DESERT = "desert"  # a card of the opponent is discarded
    BETRAY = "betray"  # a numbered card of the opponent comes to the own side
    RECRUIT = "recruit"  # a numbered card comes from the discard pile to the own side
    BLOW_UP = "blow up"  # one side of a stone is discarded
    SUPPORT = "support"  # two discarded numbered cards are shuffled into their pile
    EXCHANGE = "exchange"  # both players swap cards of their choice


TROOPS = frozenset({Power.JOKER, Power.ELITE})
MODES = frozenset({Power.FOG, Power.MUD})


@dataclass(frozen=True, slots=True)
class Card:
    """One card of a ruleset.

    A numbered card has a colour (0-based) and a value. A tactic card has a power and a title; a wild one (a troop) also
    the lowest and the highest value that it may take, in any colour.
    """

    id: CardId
    deck: DeckId
    text: str
    colour: int | None
    value: int | None
    power: Power | None = None
    wild: tuple[int, int] | None = None
    title: str = ""


def numbered_cards(letters: str, low: int, high: int) -> tuple[Card, ...]:
    """Deck 0: every value `low`..`high` in every colour, colour by colour in the order of `letters`."""
    return tuple(
        Card(CardId(colour * (high - low + 1) + value - low), DeckId(0), f"{letter}{value}", colour, value)
        for colour, letter in enumerate(letters)
        for value in range(low, high + 1)
    )


@dataclass(frozen=True)
class Grid:
    """The numbered cards as a grid of colours and values, and its sets of cards as bit sets over CardIds.

    Card (colour, value) is bit colour * width + value - low, so inside one colour the higher bit is the higher value.
    Not slotted: the tables are worked out on first use and kept.
    """

    colours: int
    low: int
    high: int

    @cached_property
    def width(self) -> int:
        """How many values each colour has."""
        return self.high - self.low + 1

    @cached_property
    def last(self) -> CardId:
        """The last numbered card; those of other decks follow."""
        return CardId(self.width * self.colours - 1)

    @cached_property
    def values(self) -> tuple[int, ...]:
        """The value of each card."""
        return tuple(range(self.low, self.high + 1)) * self.colours

    @cached_property
    def rows(self) -> tuple[int, ...]:
        """Per value, from `low`: the set of its cards in all colours."""
        return tuple(
            sum(1 << colour * self.width + column for colour in range(self.colours)) for column in range(self.width)
        )

    @cached_property
    def rows_down(self) -> tuple[int, ...]:
        """The same from `high`."""
        return self.rows[::-1]

    @cached_property
    def suits(self) -> tuple[int, ...]:
        """Per colour: the set of its cards."""
        return tuple(((1 << self.width) - 1) << colour * self.width for colour in range(self.colours))

    @cached_property
    def all(self) -> int:
        """The set of all numbered cards."""
        return (1 << self.width * self.colours) - 1

    def card(self, colour: int, value: int) -> CardId:
        """The card of that colour and value."""
        return CardId(colour * self.width + value - self.low)


def card_set(cards: Iterable[CardId]) -> int:
    """These cards as a bit set: the inverse of `members`."""
    return sum([1 << card for card in cards])


def members(cards: int) -> tuple[CardId, ...]:
    """The cards of a bit set, ascending."""
    found = []
    while cards:
        lowest = cards & -cards
        found.append(CardId(lowest.bit_length() - 1))
        cards ^= lowest
    return tuple(found)
