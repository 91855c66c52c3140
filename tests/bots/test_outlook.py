"""What a stone promises: no card serves twice, and what is remembered of a position before holds in this one."""

from __future__ import annotations

import pytest

from p2p_schotten.bots.outlook import Outlook
from p2p_schotten.engine.rulesets import SIEGE_TACTIC, TACTIC
from p2p_schotten.engine.state import State
from p2p_schotten.engine.view import Memory, View
from p2p_schotten.ids import StoneId
from tests.engine.positions import ME, cards, position, stone

FIVE = StoneId(4)


def outlook(state: State, hand: str, last: Outlook | None = None) -> Outlook:
    """That of ME."""
    return Outlook(View(ME, state, cards(hand, state.rules), Memory()), last)


def test_the_other_player_cannot_use_the_card_that_completes_my_side() -> None:
    # Three fives of mine. Y5 would make a colour run of Y6 Y7, as would Y8, which is gone: colour is all that is left.
    state = position({FIVE: stone("G5 B5", "Y6 Y7", rules=TACTIC)}, rules=TACTIC, seen="Y8")
    now = outlook(state, "Y5 R1 R2")
    assert now.now[FIVE] + now.put(TACTIC.card("Y5"), FIVE) == pytest.approx(1.0)
    # With Y8 in some hand or pile nothing is certain.
    state = position({FIVE: stone("G5 B5", "Y6 Y7", rules=TACTIC)}, rules=TACTIC)
    now = outlook(state, "Y5 R1 R2")
    assert now.now[FIVE] + now.put(TACTIC.card("Y5"), FIVE) < 0.99


def test_cards_that_a_support_brought_back_count_again() -> None:
    def at(discard: str) -> State:
        return position({2: stone("R9", rules=SIEGE_TACTIC)}, rules=SIEGE_TACTIC, discard=discard)

    gone, back, hand = at("R8 R10 R11"), at(""), "G1 B4 Y2 P6"
    before = outlook(gone, hand)
    assert outlook(back, hand, before).now == outlook(back, hand).now
    assert outlook(back, hand, before).now[2] > before.now[2]
