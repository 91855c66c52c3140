"""All that one seat may know: the public state, its own hand, and what it remembers of cards it put away."""

from __future__ import annotations

from dataclasses import dataclass

from p2p_schotten.engine.move import Give, Move, Return
from p2p_schotten.engine.rules import legal_moves
from p2p_schotten.engine.state import State
from p2p_schotten.ids import CardId, Seat


@dataclass(frozen=True, slots=True)
class Memory:
    """Hidden cards that the seat knows because it held them: those it put under a deck, and those it gave away."""

    returned: tuple[CardId, ...] = ()
    given: tuple[CardId, ...] = ()


NO_MEMORY = Memory()


def remembered(memory: Memory, move: Move) -> Memory:
    """What a seat remembers after its own move."""
    match move:
        case Return(card):
            return Memory((*memory.returned, card), memory.given)
        case Give(cards):
            return Memory(memory.returned, (*memory.given, *cards))
    return memory


def refreshed(memory: Memory, hand: tuple[CardId, ...], unseen: int) -> Memory:
    """What is left to remember when the seat holds `hand`, and the cards of the bit set `unseen` lie nowhere open."""
    known = memory.returned + memory.given
    hidden = [card for card in known if unseen >> card & 1 and card not in hand]
    if len(hidden) == len(known):
        return memory
    if not hidden:
        return NO_MEMORY
    return Memory(*[tuple([card for card in cards if card in hidden]) for cards in (memory.returned, memory.given)])


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
