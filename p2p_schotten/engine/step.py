"""What one decision leads to: the next state, the cards that change zone, and what there is to tell."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from p2p_schotten.ids import CardId, DeckId, Seat, StoneId

if TYPE_CHECKING:
    from p2p_schotten.engine.state import State


class Reason(StrEnum):
    """Why a game ended."""

    ADJACENT = "three adjacent stones"
    FIVE = "five stones"
    STUCK = "nobody can play any more"
    RESIGNED = "resignation"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game. `winner` is None when drawn; `points` per seat (rules: 5 to the winner, 1 per stone else)."""

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


Transfer = PileToHand | HandToOpen


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
class Ended:
    outcome: Outcome


Event = Dealt | Played | Claimed | Drew | Passed | Skipped | Awarded | Ended


@dataclass(frozen=True, slots=True)
class Step:
    """`apply` of a move, or the start of a game (the deal is made of transfers too)."""

    state: State
    transfers: tuple[Transfer, ...]
    events: tuple[Event, ...]
