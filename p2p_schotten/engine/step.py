"""What one decision leads to: the next state, the cards that change zone, and what there is to tell."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from p2p_schotten.ids import CardId, DeckId, Seat, StoneId

if TYPE_CHECKING:
    from p2p_schotten.engine.state import State


class Reason(StrEnum):
    """Why a game ended."""

    ADJACENT = "three adjacent stones"
    FIVE = "five stones"
    STUCK = "nobody can play any more"
    RESIGNED = "resignation"
    BREACH = "the wall is breached"
    DAMAGED = "a damaged tile is controlled"
    HELD = "the wall has held"
    FULL = "the defender has no room left"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game. `winner` is None when drawn.

    `points` per seat: `win_points` of the ruleset to the winner, else 1 per own stone; in a siege 1 per damaged tile
    for a beaten attacker.
    """

    winner: Seat | None
    reason: Reason
    points: tuple[int, int]


# Transfers: a cell changes its zone. The table that carries them out needs nothing else.


@dataclass(frozen=True, slots=True)
class PileToHand:
    """The top card of a pile goes to a hand (deal, draw)."""

    deck: DeckId
    seat: Seat


@dataclass(frozen=True, slots=True)
class HandToOpen:
    """A card leaves a hand and shows its face (play, also beside the table)."""

    seat: Seat
    card: CardId


@dataclass(frozen=True, slots=True)
class HandToPile:
    """A card that its owner chose goes back into its pile, face down: on top of it, or to its bottom."""

    seat: Seat
    deck: DeckId
    top: bool


@dataclass(frozen=True, slots=True)
class Name:
    """A card that its owner chose will leave the hand when the other has chosen too; until then it stays there."""

    seat: Seat
    deck: DeckId


@dataclass(frozen=True, slots=True)
class HandToHand:
    """The next of the cards that `giver` named, in the order in which they were named, goes to the other hand."""

    giver: Seat
    deck: DeckId


@dataclass(frozen=True, slots=True)
class OpenToPile:
    """An open card goes to the bottom of its pile; after the step both seats shuffle that pile."""

    card: CardId


Transfer = PileToHand | HandToOpen | HandToPile | Name | HandToHand | OpenToPile


# Events: what happened, in the order in which it happened; faces appear only where they are public.


@dataclass(frozen=True, slots=True)
class Dealt:
    """Each seat holds `count` cards; `first` begins."""

    count: int
    first: Seat


@dataclass(frozen=True, slots=True)
class Played:
    seat: Seat
    card: CardId
    stone: StoneId


@dataclass(frozen=True, slots=True)
class Claimed:
    seat: Seat
    stone: StoneId


@dataclass(frozen=True, slots=True)
class Drew:
    """A card was drawn; its face is not public."""

    seat: Seat
    deck: DeckId


@dataclass(frozen=True, slots=True)
class Passed:
    """A seat chose to lay nothing."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Skipped:
    """A seat could lay no card; its turn is over (after its claims, if it made any)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Awarded:
    """A stuck game ended and this stone went to the seat with the better (or only) complete side."""

    seat: Seat
    stone: StoneId


@dataclass(frozen=True, slots=True)
class Used:
    """A tactic card was played beside the stones; what it did follows."""

    seat: Seat
    card: CardId


@dataclass(frozen=True, slots=True)
class Moved:
    """A card of `seat` (a mode too) went from one stone to another."""

    seat: Seat
    card: CardId
    source: StoneId
    stone: StoneId


@dataclass(frozen=True, slots=True)
class Betrayed:
    """`seat` took a card of the other's side of `source` to its own side of `stone`."""

    seat: Seat
    card: CardId
    source: StoneId
    stone: StoneId


@dataclass(frozen=True, slots=True)
class Recruited:
    """`seat` took a card from the discard pile to its side of `stone`."""

    seat: Seat
    card: CardId
    stone: StoneId


@dataclass(frozen=True, slots=True)
class Discarded:
    """Cards of the side of `seat` (or its mode) went from `stone` to the discard pile, in this order."""

    seat: Seat
    cards: tuple[CardId, ...]
    stone: StoneId


@dataclass(frozen=True, slots=True)
class Eliminated:
    """The lowest and the highest card of a colour met: both were discarded; `cards` with the played one first."""

    cards: tuple[CardId, CardId]
    stone: StoneId


@dataclass(frozen=True, slots=True)
class Returned:
    """A card of that deck was put back into its pile; its face is not public."""

    seat: Seat
    deck: DeckId


@dataclass(frozen=True, slots=True)
class Gave:
    """`seat` has chosen what it gives; the faces are not public."""

    seat: Seat
    decks: tuple[DeckId, ...]


@dataclass(frozen=True, slots=True)
class Exchanged:
    """Both have chosen, and `count` cards changed hands each way."""

    count: int


@dataclass(frozen=True, slots=True)
class Supported:
    """These cards went from the discard pile back into their pile, which is shuffled."""

    seat: Seat
    cards: tuple[CardId, CardId]


@dataclass(frozen=True, slots=True)
class Poured:
    """The defender poured oil at `stone`; `left` tokens remain."""

    seat: Seat
    stone: StoneId
    left: int


@dataclass(frozen=True, slots=True)
class Retreated:
    """The attacker left `stone`."""

    seat: Seat
    stone: StoneId


@dataclass(frozen=True, slots=True)
class Controlled:
    """The attacker controls a tile: both sides are discarded, and the tile is damaged from now on."""

    seat: Seat
    stone: StoneId


@dataclass(frozen=True, slots=True)
class Ended:
    outcome: Outcome


Event = (
    Dealt
    | Played
    | Claimed
    | Drew
    | Passed
    | Skipped
    | Awarded
    | Used
    | Moved
    | Betrayed
    | Recruited
    | Discarded
    | Eliminated
    | Returned
    | Gave
    | Exchanged
    | Supported
    | Poured
    | Retreated
    | Controlled
    | Ended
)


class Step(NamedTuple):
    """`apply` of a move, or the start of a game (the deal is made of transfers too)."""

    state: State
    transfers: tuple[Transfer, ...]
    events: tuple[Event, ...]
