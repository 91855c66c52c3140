"""What each decision of a turn would gain, in stones."""

from __future__ import annotations

from collections.abc import Sequence

from p2p_schotten.bots.outlook import Outlook
from p2p_schotten.engine.cards import MODES
from p2p_schotten.engine.move import (
    Betray,
    BlowUp,
    Desert,
    Exchange,
    Move,
    Oil,
    Play,
    Recruit,
    Redeploy,
    Retreat,
    Scout,
    Support,
)
from p2p_schotten.engine.state import State
from p2p_schotten.ids import CardId, StoneId

WAIT = 0.3
"""At the deal a tactic card is kept until it gains more than this, which it may be expected to gain later.

A retreat must gain as much when it gives up cards that could still win.
"""

TOKEN = 0.15
"""The same for a token of oil."""

UNSEEN = -0.05
"""The gain of a card that changes hands and piles only: to be played when any card on a stone would spoil more."""


def gains(outlook: Outlook, moves: Sequence[Move]) -> list[float]:
    """The gain of each move; of a play that gains less than another perhaps less than it gains."""
    rows = outlook.puts()
    if outlook.plain:  # every card of the hand is a numbered one, and nothing else gains
        return [rows[move.card][move.stone] if type(move) is Play else 0.0 for move in moves]
    return [
        rows[move.card][move.stone] if type(move) is Play and move.card in rows else gain(outlook, move)
        for move in moves
    ]


def gain(outlook: Outlook, move: Move) -> float:
    """What the move adds to the stones that the seat will take; a card or token that is used up has its price."""
    match move:
        case Play(card, stone):
            return _put(outlook, card, stone) - price(outlook.state, card)
        case Desert(card, target):
            return outlook.take(target) - price(outlook.state, card)
        case Betray(card, target, stone):
            return outlook.take(target) + outlook.put(target, stone) - price(outlook.state, card)
        case Redeploy(card, moved, to):
            return outlook.take(moved) + (0.0 if to is None else _put(outlook, moved, to)) - price(outlook.state, card)
        case Recruit(card, target, stone):
            return outlook.put(target, stone) - price(outlook.state, card)
        case BlowUp(card, stone, own):
            return outlook.clear(stone, outlook.seat if own else outlook.foe) - price(outlook.state, card)
        case Support(_, cards):
            pile = outlook.state.piles[0] + len(cards)
            return UNSEEN + sum([outlook.useful(card) for card in cards]) / pile
        case Scout() | Exchange():
            return UNSEEN
        case Oil(stone):
            return outlook.take(outlook.state.stones[stone].cards(outlook.foe)[0]) - TOKEN
        case Retreat(stone):
            # Cards that can win nothing any more are given up for nothing.
            return outlook.clear(stone, outlook.seat) - (WAIT if outlook.now[stone] else 0.0)
    return 0.0


def _put(outlook: Outlook, card: CardId, stone: StoneId) -> float:
    put = outlook.lay if outlook.rules.cards[card].power in MODES else outlook.put
    return put(card, stone)


def price(state: State, card: CardId) -> float:
    """What the card must gain before it leaves the hand: the less, the less is left to draw; a numbered one nothing."""
    rules = state.rules
    if rules.cards[card].power is None:
        return 0.0
    return WAIT * state.piles[0] / (len(rules.decks[0].cards) - 2 * rules.hand_size)
