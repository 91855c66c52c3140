"""Rules are data where the games differ: a ruleset says which cards, hands, stones, claim window and victory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from p2p_schotten.engine.cards import Card, Grid, Power
from p2p_schotten.errors import Unreadable
from p2p_schotten.ids import CardId, DeckId

Code = int | str | tuple["Code", ...]
"""What both peers hash: nested tuples of integers and strings."""


MOST_CARDS = 4  # on one side of a stone, muds counted: no formation has more


class Contest(StrEnum):
    """What decides a stone. A side that lacks the property asked for is only a sum."""

    ANY = "_"  # the best formation, then the higher sum
    HIGH = "+"  # the higher sum only
    LOW = "-"  # the lower sum only
    COLOUR = "c"  # one colour beats a sum
    RUN = "r"  # successive values beat a sum
    SAME = "="  # equal values beat a sum


class ClaimWindow(StrEnum):
    """When stones may be claimed."""

    AFTER_PLAY = "after the play"
    START = "at the start of the turn"
    ATTACKER = "by the attacker, until his draw"


@dataclass(frozen=True, slots=True)
class Deck:
    """Cards that are shuffled together, in the order of their ids."""

    name: str
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Tile:
    """One place of the row: cards per side, what decides it, and (siege) the same place damaged."""

    size: int
    contest: Contest
    damaged: Tile | None = None


@dataclass(frozen=True, slots=True)
class Tactics:
    """What two games do differently with their tactic cards."""

    joker_limit: bool  # whoever has laid one joker never lays another
    ruses_take: str  # "any" card, or "clan" cards only: what a redeploy or a desert may take
    modes_targetable: bool  # modes lie on the side of their player, where a redeploy or a desert reaches them
    return_to: str  # "bottom" or "top" of the pile: where a scout puts cards back


@dataclass(frozen=True, slots=True)
class Siege:
    """One seat attacks a wall: the first one; the other defends it. A tile that is controlled is turned over."""

    oil: int  # how often the defender may pour oil
    breach: int  # so many damaged tiles, or a damaged one controlled, win for the attacker
    full_defender_wins: bool  # a defender who begins a turn without room on any side wins


@dataclass(frozen=True, slots=True)
class Ruleset:
    """Everything that defines a game. Deck 0 holds the numbered cards and is dealt; stones are `tiles`, left to right.

    `adjacent` stones side by side or `majority` stones anywhere win at once (not in a siege); a won game scores
    `win_points`. `flags`: how it differs from the ruleset of its name, sorted, as (flag, value).
    """

    name: str
    decks: tuple[Deck, ...]
    hand_size: int
    tiles: tuple[Tile, ...]
    claims: ClaimWindow
    adjacent: int
    majority: int
    win_points: int
    tactics: Tactics | None = None  # with a second deck
    siege: Siege | None = None
    colour_run_bonus: bool = False  # on a tile that asks for a run or a colour, a colour run beats both
    flags: tuple[tuple[str, str], ...] = ()
    grid: Grid = field(init=False, compare=False, repr=False)
    cards: tuple[Card, ...] = field(init=False, compare=False, repr=False)  # by CardId
    wilds: tuple[tuple[CardId, int, int], ...] = field(init=False, compare=False, repr=False)  # with their values
    _by_text: Mapping[str, tuple[CardId, ...]] = field(init=False, compare=False, repr=False)
    _starts: tuple[int, ...] = field(init=False, compare=False, repr=False)  # the first CardId of each deck

    def __post_init__(self) -> None:
        cards = tuple(card for deck in self.decks for card in deck.cards)
        assert [card.id for card in cards] == list(range(len(cards)))
        colours = [card.colour for card in self.decks[0].cards if card.colour is not None]
        values = [card.value for card in self.decks[0].cards if card.value is not None]
        grid = Grid(max(colours) + 1, min(values), max(values))
        assert len(values) == len(self.decks[0].cards) == grid.width * grid.colours
        assert (self.tactics is None) == (len(self.decks) == 1)
        assert (self.claims is ClaimWindow.ATTACKER) == (self.siege is not None), "who controls a wall attacks it"
        assert self.siege is None or all(tile.damaged for tile in self.tiles), "every tile of a wall has two faces"
        muds = sum(card.power is Power.MUD for card in cards)
        faces = [face for tile in self.tiles for face in (tile, tile.damaged) if face is not None]
        assert all(2 <= face.size <= MOST_CARDS - muds for face in faces), "a mud takes one card more"
        starts = [0]
        for deck in self.decks:
            starts.append(starts[-1] + len(deck.cards))
        by_text: dict[str, tuple[CardId, ...]] = {}
        for card in cards:
            by_text[card.text] = (*by_text.get(card.text, ()), card.id)
        for name, value in (
            ("grid", grid),
            ("cards", cards),
            ("wilds", tuple((card.id, *card.wild) for card in cards if card.wild is not None)),
            ("_by_text", by_text),
            ("_starts", tuple(starts)),
        ):
            object.__setattr__(self, name, value)

    def __hash__(self) -> int:
        """Equal rules have one name; to hash all their cards would take long."""
        return hash(self.name)

    @property
    def place(self) -> str:
        """What a stone is called in this game: a wall is made of tiles."""
        return "stone" if self.siege is None else "tile"

    @property
    def no_such_place(self) -> str:
        """Why nothing can be done at a number beyond the row."""
        return f"there is no such {self.place}: they are numbered 1 to {len(self.tiles)}"

    def text(self, card: CardId) -> str:
        """The card as it is written everywhere: "R7"."""
        return self.cards[card].text

    def texts(self, cards: tuple[CardId, ...]) -> str:
        """Several cards, with spaces between."""
        return " ".join(self.cards[card].text for card in cards)

    def named(self, text: str) -> tuple[CardId, ...]:
        """Every card written `text`, in either case (two jokers have one face). Raises Unreadable."""
        found = self._by_text.get(text.strip().upper())
        if found is None:
            like = " or ".join(deck.cards[0].text for deck in self.decks)
            raise Unreadable(f"{text.strip()[:20]!r} is not a card: expected a card like {like}")
        return found

    def card(self, text: str) -> CardId:
        """The card written `text`, in either case; of two jokers the first. Raises Unreadable."""
        return self.named(text)[0]

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
        tactics, siege = self.tactics, self.siege
        return (
            self.name,
            tuple((deck.name, tuple(map(_card_code, deck.cards))) for deck in self.decks),
            self.hand_size,
            tuple(map(_tile_code, self.tiles)),
            self.claims.value,
            (self.adjacent, self.majority, self.win_points, int(self.colour_run_bonus)),
            ()
            if tactics is None
            else (int(tactics.joker_limit), tactics.ruses_take, int(tactics.modes_targetable), tactics.return_to),
            () if siege is None else (siege.oil, siege.breach, int(siege.full_defender_wins)),
            self.flags,
        )


def _card_code(card: Card) -> Code:
    if card.power is None:
        return card.text, () if card.colour is None or card.value is None else (card.colour, card.value)
    return card.text, card.power.value, card.wild or ()


def _tile_code(tile: Tile) -> Code:
    return tile.size, tile.contest.value, () if tile.damaged is None else _tile_code(tile.damaged)
