"""Worlds that one seat cannot tell from the real one: its view with the hidden cards laid out by chance.

Nothing but the view goes in. A world has the hand of the other and the order of the piles; what the seat returned or
gave away is where it must be.
"""

from __future__ import annotations

from random import Random

from p2p_schotten.engine.cards import card_set, members
from p2p_schotten.engine.state import Phase
from p2p_schotten.engine.table import NO_MEMORIES, Cards, Table
from p2p_schotten.engine.view import NO_MEMORY, Memory, View
from p2p_schotten.ids import CardId, DeckId


def world(view: View, random: Random) -> Table:
    """One of the positions that `view` may be a view of, all with equal chances but for what is remembered."""
    state, rules = view.state, view.state.rules
    held = card_set(view.hand)
    theirs: list[CardId] = []
    piles = []
    for number, deck in enumerate(rules.decks):
        span = (1 << len(deck.cards)) - 1 << rules.card_id(DeckId(number), 0)
        hidden = list(members(state.unseen & span & ~held))
        random.shuffle(hidden)
        count = state.hands[1 - view.seat][number]
        given, ends = _kept(view, DeckId(number), count, len(hidden) - count)
        loose = [card for card in hidden if card not in given and card not in ends]
        more = count - len(given)
        theirs += given + loose[:more]
        above = loose[more:]
        piles.append(tuple(ends + above) if _on_top(view) else tuple(above + ends))
    mine, other = view.hand, tuple(theirs)
    hands = (mine, other) if view.seat == 0 else (other, mine)
    return Table(state, tuple(piles), hands, _named(view, hands), _memories(view))


def _kept(view: View, deck: DeckId, count: int, pile: int) -> tuple[list[CardId], list[CardId]]:
    """The remembered cards of that deck: those that the other was given and holds, and those that lie in the pile.

    Of more remembered cards than there is room the latest are known: the first ones were drawn first.
    """
    memory, rules = view.memory, view.state.rules
    given = [card for card in memory.given if rules.deck_of(card) == deck]
    ends = [card for card in memory.returned if rules.deck_of(card) == deck]
    given = given[max(0, len(given) - count) :]
    ends = ends[max(0, len(ends) - pile) :]
    return given, ends[::-1] if _on_top(view) else ends


def _on_top(view: View) -> bool:
    tactics = view.state.rules.tactics
    return tactics is not None and tactics.return_to == "top"


def _named(view: View, hands: tuple[Cards, Cards]) -> tuple[Cards, Cards]:
    """Where the seat on turn has named its gifts already, some of its cards of these decks are them."""
    state = view.state
    if state.phase is not Phase.GIVE or state.to_move == state.turn:
        return ((), ())
    left = list(hands[state.turn])
    named = []
    for deck in state.beside.given:
        card = next(card for card in left if state.rules.deck_of(card) == deck)
        left.remove(card)
        named.append(card)
    return (tuple(named), ()) if state.turn == 0 else ((), tuple(named))


def _memories(view: View) -> tuple[Memory, Memory]:
    if view.memory == NO_MEMORY:
        return NO_MEMORIES
    return (view.memory, NO_MEMORY) if view.seat == 0 else (NO_MEMORY, view.memory)
