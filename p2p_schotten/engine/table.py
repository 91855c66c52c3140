"""The plain table: it knows every face and carries transfers out in the open. For local games, bots and search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, assert_never

from p2p_schotten.engine.move import (
    Claim,
    Discard,
    Done,
    Draw,
    Give,
    GiveFrom,
    Move,
    Oil,
    Pass,
    Play,
    Resign,
    Retreat,
    Return,
    ReturnFrom,
    public,
)
from p2p_schotten.engine.quick import quick
from p2p_schotten.engine.rules import apply, new_game
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.state import State
from p2p_schotten.engine.step import (
    Event,
    HandToHand,
    HandToOpen,
    HandToPile,
    Name,
    OpenToPile,
    PileToHand,
    Step,
)
from p2p_schotten.engine.view import NO_MEMORY, Memory, refreshed, remembered
from p2p_schotten.errors import IllegalMove
from p2p_schotten.ids import SEATS, CardId, Seat, other

Cards = tuple[CardId, ...]
Shuffle = Callable[[Cards], Sequence[CardId]]
"""The cards of a pile in a new order that nobody can foresee."""


NO_MEMORIES = (NO_MEMORY, NO_MEMORY)
_TAKE_NONE = (Draw, Claim, Done, Pass, Resign, Oil, Retreat, Discard, ReturnFrom, GiveFrom)
_HIDDEN_FORMS, _PUBLIC_FORMS = (Return, Give), (ReturnFrom, GiveFrom)


class Table(NamedTuple):
    """A position with every hidden card: per deck its pile, top first; per seat its hand, oldest card first.

    `named`: per seat the cards of its hand that it has chosen to give away. `memories`: what each seat remembers.
    """

    state: State
    piles: tuple[Cards, ...]
    hands: tuple[Cards, Cards]
    named: tuple[Cards, Cards] = ((), ())
    memories: tuple[Memory, Memory] = NO_MEMORIES


_table = quick(Table)


def deal(rules: Ruleset, first: Seat, order: Sequence[Sequence[int]]) -> Table:
    """A new game from decks in this order: `order[deck]` is a permutation of the deck's 0-based indices, top first."""
    assert [sorted(deck) for deck in order] == [list(range(len(deck.cards))) for deck in rules.decks]
    piles = tuple(
        tuple([deck.cards[index].id for index in indices]) for deck, indices in zip(rules.decks, order, strict=True)
    )
    step = new_game(rules, first)
    return _carried_out(Table(step.state, piles, ((), ())), step, (), None)


def play(table: Table, move: Move, shuffle: Shuffle | None = None) -> tuple[Table, tuple[Event, ...]]:
    """The table after the move of the seat that is to move. Raises IllegalMove, also for a card it does not hold.

    `shuffle` is needed where cards go from the discard pile back into their pile.
    """
    state = table.state
    # What is wrong for everybody is said first.
    step = apply(state, public(state.rules, move) if isinstance(move, _HIDDEN_FORMS) else move)
    cards = hidden_cards(move)
    hand = table.hands[state.to_move]
    for card in cards:
        if card not in hand:
            raise IllegalMove(move, f"{state.rules.text(card)} is not in this hand")
    if not cards:
        if isinstance(move, _PUBLIC_FORMS):
            raise IllegalMove(move, "a card of the hand is named here, not only its deck")
    elif len(cards) > 1 and len(set(cards)) < len(cards):
        raise IllegalMove(move, "a card is named twice")
    after = _carried_out(table, step, cards, shuffle)
    if step.transfers and (after.memories is not NO_MEMORIES or isinstance(move, _HIDDEN_FORMS)):
        after = _remembering(after, state.to_move, move)
    return after, step.events


def hidden_cards(move: Move) -> Cards:
    """The cards of the hand that the move takes."""
    if isinstance(move, Play):  # most moves are, and the rest takes long to find that out
        return (move.card,)
    if isinstance(move, _TAKE_NONE):
        return ()
    return move.cards if isinstance(move, Give) else (move.card,)


def _carried_out(table: Table, step: Step, cards: Cards, shuffle: Shuffle | None) -> Table:
    if not step.transfers:
        return _table(step.state, table.piles, table.hands, table.named, table.memories)
    below, held, named, restocked = list(table.piles), list(table.hands), table.named, False
    for transfer in step.transfers:
        if isinstance(transfer, PileToHand):  # these two are most transfers, and `match` takes long to find one
            deck = transfer.deck
            pile = below[deck]
            assert pile, "nobody draws from an empty pile"
            held[transfer.seat] += pile[:1]
            below[deck] = pile[1:]
            continue
        if isinstance(transfer, HandToOpen):
            held[transfer.seat] = _without(held[transfer.seat], transfer.card)
            continue
        match transfer:
            case HandToPile():
                (card,), pile = cards, below[transfer.deck]
                held[transfer.seat] = _without(held[transfer.seat], card)
                below[transfer.deck] = (card, *pile) if transfer.top else (*pile, card)
            case Name():
                named = (cards, named[1]) if transfer.seat == 0 else (named[0], cards)
            case HandToHand():
                giver = transfer.giver
                card, left = named[giver][0], named[giver][1:]
                named = (left, named[1]) if giver == 0 else (named[0], left)
                held[giver] = _without(held[giver], card)
                held[other(giver)] = (*held[other(giver)], card)
            case OpenToPile():
                below[0], restocked = (*below[0], transfer.card), True
            case _:
                assert_never(transfer)
    if restocked:
        assert shuffle is not None, "a restocked pile is shuffled"
        below[0] = tuple(shuffle(below[0]))
    return _table(step.state, tuple(below), (held[0], held[1]), named, table.memories)


def _without(hand: Cards, card: CardId) -> Cards:
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]


def _remembering(table: Table, seat: Seat, move: Move) -> Table:
    memories = list(table.memories)
    memories[seat] = remembered(memories[seat], move)
    for each in SEATS:
        if memories[each] is not NO_MEMORY:
            hand, named = table.hands[each], table.named[each]
            kept = tuple([card for card in hand if card not in named]) if named else hand
            memories[each] = refreshed(memories[each], kept, table.state.unseen)
    one, two = memories
    both = NO_MEMORIES if one is two is NO_MEMORY else (one, two)
    return _table(table.state, table.piles, table.hands, table.named, both)
