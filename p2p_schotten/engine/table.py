"""The plain table: it knows every face and carries transfers out in the open. For local games, bots and search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from p2p_schotten.engine.move import Move, Play
from p2p_schotten.engine.rules import apply, new_game
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.state import State
from p2p_schotten.engine.step import Event, HandToOpen, PileToHand, Step
from p2p_schotten.errors import IllegalMove
from p2p_schotten.ids import CardId, DeckId, Seat

Cards = tuple[CardId, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A position with every hidden card: per deck its pile, top first; per seat its hand, oldest card first."""

    state: State
    piles: tuple[Cards, ...]
    hands: tuple[Cards, Cards]


def deal(rules: Ruleset, first: Seat, order: Sequence[Sequence[int]]) -> Table:
    """A new game from decks in this order: `order[deck]` is a permutation of the deck's 0-based indices, top first."""
    assert [sorted(deck) for deck in order] == [list(range(len(deck.cards))) for deck in rules.decks]
    piles = tuple(
        tuple([rules.card_id(DeckId(deck), index) for index in indices]) for deck, indices in enumerate(order)
    )
    return _carried_out(piles, ((), ()), new_game(rules, first))


def play(table: Table, move: Move) -> tuple[Table, tuple[Event, ...]]:
    """The table after the move of the seat that is to move. Raises IllegalMove, also for a card it does not hold."""
    state = table.state
    if isinstance(move, Play) and move.card not in table.hands[state.to_move] and not state.over:
        # What is wrong for everybody is said first.
        apply(state, move)
        raise IllegalMove(move, f"{state.rules.text(move.card)} is not in this hand")
    step = apply(state, move)
    return _carried_out(table.piles, table.hands, step), step.events


def _carried_out(piles: tuple[Cards, ...], hands: tuple[Cards, Cards], step: Step) -> Table:
    below, held = list(piles), list(hands)
    for transfer in step.transfers:
        match transfer:
            case PileToHand():
                pile = below[transfer.deck]
                held[transfer.seat] = (*held[transfer.seat], pile[0])
                below[transfer.deck] = pile[1:]
            case HandToOpen():
                hand = held[transfer.seat]
                at = hand.index(transfer.card)
                held[transfer.seat] = hand[:at] + hand[at + 1 :]
            case _:
                assert_never(transfer)
    return Table(step.state, tuple(below), (held[0], held[1]))
