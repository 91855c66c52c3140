"""Between the engine and the slow referee: cards and moves of the engine in the words of the other (JOK2)."""

from __future__ import annotations

from collections.abc import Sequence

from p2p_schotten.engine.move import Give, Move, Support
from p2p_schotten.engine.notation import move_text
from p2p_schotten.engine.rules import legal_moves
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.table import Table, deal
from p2p_schotten.ids import SEATS, CardId, DeckId

TWIN = "2"  # what a second card with the same face has after it


def card_word(rules: Ruleset, card: CardId) -> str:
    """The card's text; the second of two alike has a 2 after it."""
    text = rules.text(card)
    return text if rules.card(text) == card else text + TWIN


def card_of(rules: Ruleset, word: str) -> CardId:
    """The card of that word."""
    return next(card.id for card in rules.cards if card_word(rules, card.id) == word)


def move_words(rules: Ruleset, move: Move) -> str:
    """The move as a player types it, but with words for cards; several cards stand in the order of their words."""
    match move:
        case Give():
            return " ".join(["give", *sorted(card_word(rules, card) for card in move.cards)])
        case Support():
            return " ".join(["play", rules.text(move.card), *sorted(rules.text(card) for card in move.cards)])
    words = move_text(rules, move).split()
    named = [card for name in ("card", "moved", "target") if (card := getattr(move, name, None)) is not None]
    for at, card in enumerate(named, 1):
        words[at] = card_word(rules, card)
    return " ".join(words)


def choices_of(table: Table) -> dict[str, Move]:
    """The legal moves of the seat that is to move, by their words."""
    rules, state = table.state.rules, table.state
    moves = legal_moves(state, table.hands[state.to_move])
    by_words = {move_words(rules, move): move for move in moves}
    assert len(by_words) == len(moves), "two moves with the same words"
    return by_words


def dealt(rules: Ruleset, first: int, decks: Sequence[Sequence[str]]) -> Table:
    """A new game from decks of words, top first."""
    order = [[rules.index(card_of(rules, word)) for word in deck] for deck in decks]
    assert all(
        rules.deck_of(card_of(rules, word)) == DeckId(deck) for deck, words in enumerate(decks) for word in words
    )
    return deal(rules, SEATS[first], order)
