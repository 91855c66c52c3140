"""Where in his hand a player's cards lie: the positions that a move names, known to their owner only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.step import HandToHand, HandToOpen, HandToPile, Name, OpenToPile, PileToHand, Transfer
from p2p_schotten.ids import CardId, DeckId, Seat


def take_cards(
    rules: Ruleset,
    hands: Mapping[DeckId, list[CardId]],
    seat: Seat,
    transfers: Sequence[Transfer],
    cards: Sequence[CardId],
) -> tuple[int, ...]:
    """The 1-based positions of the cards that `seat` takes out of its `hands`, which lose them.

    `hands` holds its faces deck by deck in the order of the cells, after the mixes of the record; `cards` are those
    that the move takes. Cards to be given are named where they lie, deck by deck from the front: their order in the
    move says nothing. They leave when the other seat has named too.
    """
    positions: list[int] = []
    named = sorted(cards, key=lambda card: (rules.deck_of(card), hands[rules.deck_of(card)].index(card)))
    left = iter(named)
    for transfer in transfers:
        match transfer:
            case HandToOpen() | HandToPile():
                positions.append(_take(rules, hands, next(left)))
            case Name(_, deck):
                positions.append(hands[deck].index(next(left)) + 1)
            case HandToHand(giver, _) if giver == seat:
                _take(rules, hands, named.pop(0))
            case PileToHand() | HandToHand() | OpenToPile():
                pass
            case _:
                assert_never(transfer)
    return tuple(positions)


def cards_at(
    rules: Ruleset, hands: Mapping[DeckId, Sequence[CardId]], transfers: Sequence[Transfer], positions: Sequence[int]
) -> tuple[CardId, ...]:
    """The cards that lie at the positions which `take_cards` gave, in their order; the hands keep them."""
    lying = {deck: list(cards) for deck, cards in hands.items()}
    at = iter(positions)
    cards: list[CardId] = []
    for transfer in transfers:
        match transfer:
            case HandToOpen(_, card):
                cards.append(lying[rules.deck_of(card)].pop(next(at) - 1))
            case HandToPile(_, deck, _):
                cards.append(lying[deck].pop(next(at) - 1))
            case Name(_, deck):
                cards.append(lying[deck][next(at) - 1])
            case PileToHand() | HandToHand() | OpenToPile():
                pass
            case _:
                assert_never(transfer)
    return tuple(cards)


def _take(rules: Ruleset, hands: Mapping[DeckId, list[CardId]], card: CardId) -> int:
    hand = hands[rules.deck_of(card)]
    at = hand.index(card)
    del hand[at]
    return at + 1
