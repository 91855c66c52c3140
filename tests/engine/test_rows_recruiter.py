"""The positions T of docs/rulings.md about the recruiter."""

from __future__ import annotations

from functools import partial

import pytest

from p2p_schotten.engine.move import (
    Claim,
    Draw,
    Play,
    PublicMove,
    Resign,
    Return,
    ReturnFrom,
    Scout,
)
from p2p_schotten.engine.rules import apply, legal_moves
from p2p_schotten.engine.rulesets import TACTIC
from p2p_schotten.engine.state import Beside, Phase
from p2p_schotten.engine.step import (
    Drew,
    HandToOpen,
    HandToPile,
    PileToHand,
    Returned,
    Used,
)
from p2p_schotten.ids import CardId, DeckId, StoneId
from tests.engine.positions import ME, YOU, cards, position, refusal, stone

at = partial(stone, rules=TACTIC)
CLAN, TACTICS = DeckId(0), DeckId(1)
SPY, REC = cards("SPY REC", TACTIC)
ONE = StoneId(0)
UNDONE = "what was begun must be done first"


def nth(text: str) -> CardId:
    return TACTIC.card(text)


def test_t52_a13_a_recruiter_draws_the_two_cards_that_are_left_and_puts_two_back() -> None:
    state = position({}, rules=TACTIC, hands=((5, 2), (6, 1)), pile=(1, 1))
    step = apply(state, Scout(REC))
    assert step.events == (Used(ME, REC),)
    assert step.transfers == (HandToOpen(ME, REC),)
    assert (step.state.phase, step.state.beside.left, step.state.beside.discard) == (Phase.SCOUT, 2, (REC,))
    assert legal_moves(step.state, ()) == (Draw(CLAN), Draw(TACTICS))
    step = apply(step.state, Draw(TACTICS))
    # The other card is drawn without being asked for.
    assert step.transfers == (PileToHand(TACTICS, ME), PileToHand(CLAN, ME))
    assert step.events == (Drew(ME, TACTICS), Drew(ME, CLAN))
    assert (step.state.phase, step.state.hands[ME], step.state.piles) == (Phase.RETURN, (6, 2), (0, 0))
    state = step.state
    assert legal_moves(state, (nth("R1"), SPY)) == (Return(nth("R1")), Return(SPY))
    state = apply(state, ReturnFrom(CLAN)).state
    step = apply(state, ReturnFrom(CLAN))
    # Two were drawn and two put back: six cards are left, so the turn ends with a draw.
    assert step.transfers == (HandToPile(ME, CLAN, top=False), PileToHand(CLAN, ME))
    assert step.events == (Returned(ME, CLAN), Drew(ME, CLAN))
    assert (step.state.to_move, step.state.hands[ME], step.state.piles) == (YOU, (5, 2), (1, 0))


def test_a13_with_one_card_left_the_recruiter_draws_one_and_puts_two_back() -> None:
    state = position({}, rules=TACTIC, hands=((5, 2), (6, 1)), pile=(0, 1))
    step = apply(state, Scout(REC))
    assert step.transfers == (HandToOpen(ME, REC), PileToHand(TACTICS, ME))
    assert (step.state.phase, step.state.hands[ME]) == (Phase.RETURN, (5, 2))
    step = apply(apply(step.state, ReturnFrom(TACTICS)).state, ReturnFrom(CLAN))
    # Five cards are left, but only one is drawn; now there are two decks to choose from.
    assert (step.state.phase, step.state.hands[ME], step.state.piles) == (Phase.CLAIM, (4, 1), (1, 1))
    assert apply(step.state, Draw(TACTICS)).state.hands[ME] == (4, 2)


def test_t53_a13_with_both_decks_empty_a_recruiter_is_refused() -> None:
    state = position({}, rules=TACTIC, hands=((5, 2), (6, 1)), pile=0)
    assert refusal(state, Scout(REC)) == "both piles are empty"
    assert legal_moves(state, (REC,)) == ()


def test_t54_after_a_recruiter_there_is_no_draw_and_the_hand_is_full() -> None:
    state = position({}, rules=TACTIC, hands=((5, 2), (6, 1)), pile=(20, 5))
    state = apply(state, Scout(REC)).state
    for deck in (CLAN, TACTICS):
        step = apply(state, Draw(deck))
        assert step.transfers == (PileToHand(deck, ME),)
        assert step.events == (Drew(ME, deck),)
        state = step.state
        assert state.phase is Phase.SCOUT
    state = apply(state, Draw(CLAN)).state
    assert (state.phase, state.hands[ME], state.piles) == (Phase.RETURN, (7, 2), (18, 4))
    step = apply(state, ReturnFrom(TACTICS))
    assert step.transfers == (HandToPile(ME, TACTICS, top=False),)
    assert step.events == (Returned(ME, TACTICS),)
    assert (step.state.to_move, step.state.phase, step.state.beside.left) == (ME, Phase.RETURN, 1)
    step = apply(step.state, ReturnFrom(CLAN))
    assert step.transfers == (HandToPile(ME, CLAN, top=False),)
    assert step.events == (Returned(ME, CLAN),)
    after = step.state
    assert (after.to_move, after.phase, after.hands, after.piles) == (YOU, Phase.PLAY, ((6, 1), (6, 1)), (19, 5))
    assert (after.beside, after.acted) == (Beside(discard=(REC,), tactics=(1, 0)), False)


def test_a_recruiter_with_one_deck_draws_all_three_at_once() -> None:
    state = position({}, rules=TACTIC, hands=((5, 2), (6, 1)), pile=(20, 0))
    step = apply(state, Scout(REC))
    assert step.transfers == (HandToOpen(ME, REC), *(PileToHand(CLAN, ME),) * 3)
    assert step.events == (Used(ME, REC), *(Drew(ME, CLAN),) * 3)
    assert (step.state.phase, step.state.hands[ME], step.state.piles) == (Phase.RETURN, (8, 1), (17, 0))


def test_stones_are_claimed_after_the_second_card_is_put_back() -> None:
    state = position({0: at("R7 R8 R9")}, rules=TACTIC, hands=((5, 2), (6, 1)), pile=(20, 0))
    state = apply(apply(state, Scout(REC)).state, ReturnFrom(CLAN)).state
    assert (state.phase, state.claimable) == (Phase.RETURN, ())
    state = apply(state, ReturnFrom(CLAN)).state
    assert (state.phase, state.claimable) == (Phase.CLAIM, (0,))


@pytest.mark.parametrize(
    ("move", "why"),
    [
        (Play(SPY, ONE), UNDONE),
        (Scout(REC), UNDONE),
        (Claim(ONE), UNDONE),
        (Draw(DeckId(2)), "there is no such deck"),
        (Draw(DeckId(-1)), "there is no such deck"),
        (ReturnFrom(CLAN), "no card is to be put back now"),
    ],
)
def test_while_a_recruiter_draws_only_a_deck_is_chosen(move: PublicMove, why: str) -> None:
    state = position({0: at("R7 R8 R9")}, rules=TACTIC, hands=((5, 2), (6, 1)), pile=(20, 5))
    assert refusal(apply(state, Scout(REC)).state, move) == why


def test_a_recruiter_does_not_draw_from_an_empty_pile() -> None:
    state = position({}, rules=TACTIC, phase=Phase.SCOUT, pile=(3, 0), beside=Beside(left=2))
    assert refusal(state, Draw(TACTICS)) == "that pile is empty"


@pytest.mark.parametrize(
    ("move", "why"),
    [
        (Play(SPY, ONE), UNDONE),
        (Claim(ONE), UNDONE),
        (Draw(CLAN), "nothing is drawn now: cards are drawn at the end of the turn"),
        (ReturnFrom(TACTICS), "this hand holds no card of that deck"),
        (ReturnFrom(DeckId(2)), "this hand holds no card of that deck"),
        (ReturnFrom(DeckId(-1)), "this hand holds no card of that deck"),
    ],
)
def test_while_a_recruiter_puts_back_only_a_card_of_the_hand_is_chosen(move: PublicMove, why: str) -> None:
    state = position({0: at("R7 R8 R9")}, rules=TACTIC, hands=((6, 1), (6, 1)), pile=(20, 0))
    state = apply(state, Scout(REC)).state
    assert state.hands[ME] == (9, 0)
    assert refusal(state, move) == why
    assert apply(state, Resign()).state.outcome is not None
