"""The public position: all that both players, a verifier and a spectator know alike. No hidden face is in it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from p2p_schotten.engine.formation import Side
from p2p_schotten.engine.ruleset import Code, Ruleset
from p2p_schotten.engine.step import Outcome
from p2p_schotten.ids import SEATS, CardId, Seat, StoneId


class Phase(Enum):
    """What the seat that is to move may choose."""

    PLAY = 0  # a card to lay
    CLAIM = 1  # a stone to claim, or the end of the turn
    OVER = 2  # nothing: the game has its outcome


@dataclass(frozen=True, slots=True)
class Stone:
    """One stone of the row: both sides by seat, its owner once claimed, and the cards in the order of their arrival."""

    sides: tuple[Side, Side]
    owner: Seat | None
    arrived: tuple[CardId, ...]

    def first_complete(self, seat: Seat) -> bool:
        """Whether `seat` completed its side before the other did (rules 1.2: the latest arrival decides)."""
        mine, theirs = self.sides[seat], self.sides[1 - seat]
        return mine.full and (not theirs.full or self.arrived[-1] not in mine.cards)

    def cards(self, seat: Seat) -> tuple[CardId, ...]:
        """The cards on the side of `seat`, in the order of their arrival."""
        mine = self.sides[seat].cards
        return tuple(card for card in self.arrived if card in mine)


@dataclass(frozen=True, slots=True)
class State:
    """A position between two decisions.

    `unseen` is the bit set of the numbered cards that lie nowhere face up (rules 1.3). `piles[deck]` and
    `hands[seat][deck]` are counts. `places[seat]` is the bit set of the stones where the seat has room for a card.
    `claimable` holds what `to_move` may claim; it is empty unless the phase is CLAIM.
    """

    rules: Ruleset
    turn: Seat  # whose turn it is
    to_move: Seat  # who must choose now; the last mover once the game is over
    phase: Phase
    stones: tuple[Stone, ...]
    places: tuple[int, int]
    unseen: int
    piles: tuple[int, ...]
    hands: tuple[tuple[int, ...], tuple[int, ...]]
    claimable: tuple[StoneId, ...]
    laid: bool  # a card was laid in this turn
    skips: int  # turns in succession, this one so far included, without a card laid, a claim or a draw
    ply: int  # cards laid and turns skipped so far
    outcome: Outcome | None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None


def places(stones: tuple[Stone, ...]) -> tuple[int, int]:
    """Per seat the bit set of the unclaimed stones where its side is not full."""
    sets = [0, 0]
    for number, stone in enumerate(stones):
        for seat in SEATS:
            if stone.owner is None and not stone.sides[seat].full:
                sets[seat] |= 1 << number
    return sets[0], sets[1]


def state_code(state: State) -> Code:
    """Everything that determines how the game may go on under `state.rules`, canonically: what the digest covers.

    Left out is only what follows from the rest (`places`).
    """
    outcome = state.outcome
    return (
        state.turn,
        state.to_move,
        state.phase.value,
        tuple(
            (stone.sides[0].cards, stone.sides[1].cards, 0 if stone.owner is None else 1 + stone.owner, stone.arrived)
            for stone in state.stones
        ),
        state.unseen,
        state.piles,
        state.hands,
        state.claimable,
        int(state.laid),
        state.skips,
        state.ply,
        ()
        if outcome is None
        else (0 if outcome.winner is None else 1 + outcome.winner, outcome.reason.value, outcome.points),
    )
