"""Rules are data where the games differ: a ruleset says which cards, hands, stones, claim window and victory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from p2p_schotten.engine.cards import Card, Grid
from p2p_schotten.errors import Unreadable
from p2p_schotten.ids import CardId, DeckId

Code = int | str | tuple["Code", ...]
"""What both peers hash: nested tuples of integers and strings."""


class Contest(StrEnum):
    """What decides a stone."""

    ANY = "_"  # the best formation, then the higher sum


class ClaimWindow(StrEnum):
    """When stones may be claimed."""

    AFTER_PLAY = "after the play"


@dataclass(frozen=True, slots=True)
class Deck:
    """Cards that are shuffled together, in the order of their ids."""

    name: str
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Tile:
    """One place of the row: how many cards a side takes, and what decides it."""

    size: int
    contest: Contest


@dataclass(frozen=True, slots=True)
class Ruleset:
    """Everything that defines a game. Deck 0 holds the numbered cards and is dealt; stones are `tiles`, left to right.

    `adjacent` stones side by side or `majority` stones anywhere win at once; a won game scores `win_points`.
    """

    name: str
    decks: tuple[Deck, ...]
    hand_size: int
    tiles: tuple[Tile, ...]
    claims: ClaimWindow
    adjacent: int
    majority: int
    win_points: int
    grid: Grid = field(init=False, compare=False, repr=False)
    cards: tuple[Card, ...] = field(init=False, compare=False, repr=False)  # by CardId
    _by_text: Mapping[str, CardId] = field(init=False, compare=False, repr=False)
    _starts: tuple[int, ...] = field(init=False, compare=False, repr=False)  # the first CardId of each deck

    def __post_init__(self) -> None:
        cards = tuple(card for deck in self.decks for card in deck.cards)
        assert [card.id for card in cards] == list(range(len(cards)))
        colours = [card.colour for card in self.decks[0].cards if card.colour is not None]
        values = [card.value for card in self.decks[0].cards if card.value is not None]
        grid = Grid(max(colours) + 1, min(values), max(values))
        assert len(values) == len(self.decks[0].cards) == grid.width * grid.colours
        starts = [0]
        for deck in self.decks:
            starts.append(starts[-1] + len(deck.cards))
        for name, value in (
            ("grid", grid),
            ("cards", cards),
            ("_by_text", {card.text: card.id for card in cards}),
            ("_starts", tuple(starts)),
        ):
            object.__setattr__(self, name, value)

    def text(self, card: CardId) -> str:
        """The card as it is written everywhere: "R7"."""
        return self.cards[card].text

    def texts(self, cards: tuple[CardId, ...]) -> str:
        """Several cards, with spaces between."""
        return " ".join(self.cards[card].text for card in cards)

    def card(self, text: str) -> CardId:
        """The card written `text`, in either case. Raises Unreadable."""
        found = self._by_text.get(text.strip().upper())
        if found is None:
            raise Unreadable(f"{text.strip()[:20]!r} is not a card: expected a card like {self.cards[0].text}")
        return found

    def deck_of(self, card: CardId) -> DeckId:
        """The deck that the card belongs to."""
        return self.cards[card].deck

    def index(self, card: CardId) -> int:
        """The card's 0-based place in its (unshuffled) deck."""
        return card - self._starts[self.cards[card].deck]

    def card_id(self, deck: DeckId, index: int) -> CardId:
        """The card at 0-based `index` of the (unshuffled) deck."""
        assert 0 <= index < len(self.decks[deck].cards)
        return CardId(self._starts[deck] + index)

    def code(self) -> Code:
        """Everything that defines the rules, canonically: what both peers sign."""
        decks: tuple[Code, ...] = tuple(
            (
                deck.name,
                tuple(
                    (card.text, () if card.colour is None or card.value is None else (card.colour, card.value))
                    for card in deck.cards
                ),
            )
            for deck in self.decks
        )
        return (
            self.name,
            decks,
            self.hand_size,
            tuple((tile.size, tile.contest.value) for tile in self.tiles),
            self.claims.value,
            (self.adjacent, self.majority, self.win_points),
        )
