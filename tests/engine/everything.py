"""Every move that can be written down for a ruleset, for laws that speak of all moves."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from random import Random

from p2p_schotten.engine.cards import Power
from p2p_schotten.engine.move import (
    MAX_GIVEN,
    Betray,
    BlowUp,
    Claim,
    Desert,
    Discard,
    Done,
    Draw,
    Exchange,
    Give,
    GiveFrom,
    Move,
    Oil,
    Pass,
    Play,
    PublicMove,
    Recruit,
    Redeploy,
    Retreat,
    Return,
    ReturnFrom,
    Scout,
    Support,
)
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.ids import CardId, DeckId, StoneId

SAMPLE = 12  # uses of a card that does something else, which differ in nothing that could matter


def written(rules: Ruleset, hand: tuple[CardId, ...], random: Random, *, every: bool) -> Iterator[Move]:
    """All moves whose cards of the hand are in `hand`, Resign apart; what a card cannot do at all is sampled.

    `every`: also every use of a tactic card, and not only a sample of them.
    """
    stones = [StoneId(number) for number in range(len(rules.tiles))]
    for stone in stones:
        yield from (Claim(stone), Oil(stone), Retreat(stone))
    for deck in range(len(rules.decks)):
        yield Draw(DeckId(deck))
    yield from (Done(), Pass())
    for card in rules.cards:
        yield Discard(card.id)
    for count in range(MAX_GIVEN + 2):
        yield from (Give(cards) for cards in combinations(sorted(hand), count))
    for held in hand:
        yield Return(held)
        yield from (Play(held, stone) for stone in stones)
        for power in (None, *Power):
            uses = list(_uses(rules, held, power, stones))
            does = every and rules.cards[held].power is power
            yield from uses if does else random.sample(uses, min(SAMPLE, len(uses)))


def _uses(rules: Ruleset, held: CardId, power: Power | None, stones: list[StoneId]) -> Iterator[Move]:
    cards = [card.id for card in rules.cards]
    match power:
        case Power.SCOUT:
            yield Scout(held)
        case Power.EXCHANGE:
            yield Exchange(held)
        case Power.REDEPLOY:
            yield from (Redeploy(held, card, stone) for card, stone in product(cards, [*stones, None]))
        case Power.DESERT:
            yield from (Desert(held, card) for card in cards)
        case Power.BETRAY:
            yield from (Betray(held, card, stone) for card, stone in product(cards, stones))
        case Power.RECRUIT:
            yield from (Recruit(held, card, stone) for card, stone in product(cards, stones))
        case Power.BLOW_UP:
            yield from (BlowUp(held, stone, own) for stone, own in product(stones, (True, False)))
        case Power.SUPPORT:
            yield from (Support(held, (one, two)) for one, two in product(cards, cards))


def senseless(rules: Ruleset) -> Iterator[PublicMove]:
    """Moves with numbers that no ruleset knows: just outside, far outside, and below zero."""
    for number in (-1, -2, 64, len(rules.cards), 2**63):
        card, stone, deck = CardId(number), StoneId(number), DeckId(number)
        yield from (Claim(stone), Oil(stone), Retreat(stone), Draw(deck), ReturnFrom(deck), Discard(card))
        yield from (GiveFrom((deck,)), GiveFrom((deck, deck)), GiveFrom((DeckId(0), DeckId(0), deck)))
        yield from (Play(card, StoneId(0)), Scout(card), Exchange(card), Desert(card, CardId(0)))
        for held in (rules.cards[0], *rules.cards[len(rules.decks[0].cards) :]):
            mine, first = held.id, rules.cards[0].id
            yield from (Play(mine, stone), Redeploy(mine, card, None), Redeploy(mine, first, stone))
            yield from (Desert(mine, card), Betray(mine, card, StoneId(0)), Betray(mine, first, stone))
            yield from (Recruit(mine, card, StoneId(0)), Recruit(mine, first, stone), BlowUp(mine, stone, own=True))
            yield from (Support(mine, (first, card)), Support(mine, (card, first)))
