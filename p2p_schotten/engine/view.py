"""All that one seat may know: the public state, its own hand, and what it remembers of cards it put away."""

from __future__ import annotations

from dataclasses import dataclass

from p2p_schotten.engine.move import Move
from p2p_schotten.engine.rules import legal_moves
from p2p_schotten.engine.state import State
from p2p_schotten.ids import CardId, Seat


@dataclass(frozen=True, slots=True)
class Memory:
    """Hidden cards that the seat knows because it held them: those it put under a deck, and those it gave away."""

    returned: tuple[CardId, ...] = ()
    given: tuple[CardId, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """What bots and screens get."""

    seat: Seat
    state: State
    hand: tuple[CardId, ...]
    memory: Memory

    def choices(self) -> tuple[Move, ...]:
        """The legal moves, when it is this seat that is to move; else none."""
        return legal_moves(self.state, self.hand) if self.state.to_move == self.seat else ()


def view(state: State, seat: Seat, hand: tuple[CardId, ...], memory: Memory) -> View:
    """The view of `seat`, which holds `hand`."""
    return View(seat, state, hand, memory)
