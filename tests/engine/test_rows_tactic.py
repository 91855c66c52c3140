"""The positions T of docs/rulings.md about tactic cards and turns: the limit, jokers, modes, draws, passes."""

from __future__ import annotations

from functools import partial

import pytest

from p2p_schotten.engine.move import Claim, Desert, Done, Draw, Pass, Play, Redeploy, Return, Scout
from p2p_schotten.engine.rules import apply, legal_moves
from p2p_schotten.engine.rulesets import TACTIC
from p2p_schotten.engine.state import Beside, Phase
from p2p_schotten.engine.step import (
    Claimed,
    Discarded,
    Drew,
    Ended,
    HandToOpen,
    Outcome,
    Passed,
    PileToHand,
    Played,
    Reason,
    Skipped,
    Used,
)
from p2p_schotten.ids import SEATS, CardId, DeckId, StoneId
from tests.engine.positions import CLOSED, ME, YOU, cards, owned, position, refusal, stone

at = partial(stone, rules=TACTIC)
CLAN, TACTICS = DeckId(0), DeckId(1)
JOKER, SECOND = cards("JOK JOK", TACTIC)
SPY, SHB, FOG, MUD, REC, STR, BAN, TRA = cards("SPY SHB FOG MUD REC STR BAN TRA", TACTIC)
N1, N2, N9 = cards("N1 N2 N9", TACTIC)
BOTH = ((5, 2), (6, 1))  # clan and tactic cards of both hands
ONE, TWO, NINE = StoneId(0), StoneId(1), StoneId(8)


def nth(text: str) -> CardId:
    return TACTIC.card(text)


# The limit: at most one ahead of the other


def test_t01_a_third_tactic_card_against_one_of_the_opponent_is_refused() -> None:
    state = position({}, rules=TACTIC, hands=BOTH, beside=Beside(tactics=(2, 1)))
    why = "this seat has played 2 tactic cards and the other 1: it may be one ahead, not more"
    assert refusal(state, Play(SPY, ONE)) == why
    assert refusal(state, Scout(REC)) == why
    assert legal_moves(state, (N1, SPY, REC)) == tuple(Play(N1, StoneId(number)) for number in range(9))


def test_t02_a_discarded_tactic_card_counts_against_the_limit() -> None:
    state = position({0: at("", "R7")}, rules=TACTIC, hands=BOTH, pile=(20, 0))
    step = apply(state, Desert(BAN, nth("R7")))
    assert step.state.beside.discard == (BAN, nth("R7"))
    mine = apply(step.state, Play(N9, ONE)).state
    assert (mine.to_move, mine.beside.tactics) == (ME, (1, 0))
    why = "this seat has played 1 tactic card and the other 0: it may be one ahead, not more"
    assert refusal(mine, Play(SPY, ONE)) == why


@pytest.mark.parametrize("seat", SEATS)
def test_t03_with_none_played_one_may_be_played(seat: int) -> None:
    state = position({}, rules=TACTIC, hands=((5, 2), (5, 2)), pile=0, to_move=SEATS[seat])
    step = apply(state, Play(SPY, ONE))
    assert step.state.beside.tactics == ((1, 0) if seat == ME else (0, 1))
    assert step.transfers == (HandToOpen(SEATS[seat], SPY),)
    assert step.events == (Played(SEATS[seat], SPY, ONE),)


def test_t04_two_behind_catches_up_one_card_each_turn() -> None:
    state = position({}, rules=TACTIC, hands=((4, 3), (7, 0)), pile=(20, 4), beside=Beside(tactics=(0, 2)))
    state = apply(state, Play(SPY, ONE)).state
    assert refusal(state, Play(SHB, ONE)) == "a card was laid already"
    state = apply(state, Draw(CLAN)).state
    state = apply(apply(state, Play(N9, ONE)).state, Draw(CLAN)).state
    state = apply(apply(state, Play(SHB, ONE)).state, Draw(CLAN)).state
    assert state.beside.tactics == (2, 2)
    state = apply(apply(state, Play(N2, ONE)).state, Draw(CLAN)).state
    state = apply(state, Play(MUD, ONE)).state
    assert state.beside.tactics == (3, 2)


# Jokers


def test_t05_the_second_joker_stays_in_the_hand() -> None:
    state = position({}, rules=TACTIC, hands=((4, 2), (7, 0)), pile=0, beside=Beside(tactics=(0, 1)))
    state = apply(state, Play(JOKER, ONE)).state
    state = apply(state, Play(N9, ONE)).state
    why = "this seat has laid a joker: it keeps the other to the end of the game"
    assert refusal(state, Play(SECOND, TWO)) == why
    assert legal_moves(state, (SECOND, SPY)) == tuple(Play(SPY, StoneId(number)) for number in range(9))


def test_t06_a3_not_even_after_the_first_joker_was_discarded() -> None:
    row = {0: at("JOK R8")}
    beside = Beside(tactics=(1, 0), jokers=(True, False))
    state = position(row, rules=TACTIC, hands=((4, 1), (6, 1)), pile=(20, 0), to_move=YOU, beside=beside)
    state = apply(state, Desert(BAN, JOKER)).state
    assert state.stones[0].sides[ME].cards == (nth("R8"),)
    why = "this seat has laid a joker: it keeps the other to the end of the game"
    assert refusal(state, Play(SECOND, ONE)) == why


def test_a3_a_joker_that_cannot_be_laid_leaves_the_hand_through_a_recruiter() -> None:
    beside = Beside(tactics=(1, 1), jokers=(True, False))
    state = position({0: at("JOK")}, rules=TACTIC, hands=((5, 2), (7, 0)), pile=(20, 0), beside=beside)
    state = apply(state, Scout(REC)).state
    assert Return(SECOND) in legal_moves(state, (N9, SECOND))


def test_the_other_seat_may_lay_the_other_joker() -> None:
    beside = Beside(tactics=(1, 0), jokers=(True, False))
    state = position({0: at("JOK")}, rules=TACTIC, hands=((6, 0), (6, 1)), to_move=YOU, beside=beside)
    step = apply(state, Play(SECOND, ONE))
    assert step.state.stones[0].sides[YOU].cards == (SECOND,)
    assert step.state.beside.jokers == (True, True)


# Modes


def test_t34_a12_mud_may_be_laid_on_a_stone_that_is_full_on_both_sides_and_nobody_can_claim_it_now() -> None:
    state = position({0: at("R7 R8 R9", "B1 B2 B4")}, rules=TACTIC, hands=BOTH, pile=(20, 2))
    step = apply(state, Play(MUD, ONE))
    here = step.state.stones[0]
    assert (here.sides[ME].full, here.sides[YOU].full) == (False, False)
    assert here.ground.modes == ((ME, MUD),)
    assert step.state.claimable == ()
    assert refusal(step.state, Claim(ONE)) == "the side has 3 of 4 cards: only a complete side can claim"
    assert [places & 1 for places in step.state.places] == [1, 1]


def test_t35_after_the_mud_the_fourth_cards_decide_who_was_first() -> None:
    row = {0: at("R7 R8 R9", "B7 B8 B9", first=YOU)}
    state = position(row, rules=TACTIC, hands=BOTH, pile=0)
    state = apply(state, Play(MUD, ONE)).state
    state = apply(state, Play(N1, TWO)).state
    state = apply(state, Play(nth("R6"), ONE)).state
    state = apply(state, Done()).state  # nothing beats it, so ME could claim at once
    state = apply(state, Play(nth("B6"), ONE)).state
    assert (state.to_move, state.claimable) == (ME, ())
    assert apply(state, Play(N2, TWO)).state.claimable == (0,)


@pytest.mark.parametrize("seat", SEATS)
def test_t36_no_mode_is_laid_on_a_claimed_stone(seat: int) -> None:
    state = position(owned([0], [1], {}), rules=TACTIC, hands=((5, 2), (5, 2)), to_move=SEATS[seat])
    for mode in (FOG, MUD):
        assert refusal(state, Play(mode, ONE)) == "stone 1 is claimed: it takes no more cards"
        assert refusal(state, Play(mode, TWO)) == "stone 2 is claimed: it takes no more cards"
        assert legal_moves(state, (mode,)) == tuple(Play(mode, StoneId(number)) for number in range(2, 9))


@pytest.mark.parametrize(("there", "laid"), [("MUD", FOG), ("FOG", MUD)])
def test_t37_a15_both_modes_on_one_stone_ask_for_the_sum_of_four(there: str, laid: CardId) -> None:
    row = {0: at("R1 R2 R3", "B9 G9 Y2", modes=("", there))}
    state = position(row, rules=TACTIC, hands=BOTH, pile=0)
    step = apply(state, Play(laid, ONE))
    assert step.state.stones[0].ground.modes == ((YOU, nth(there)), (ME, laid))
    state = apply(step.state, Play(nth("P1"), ONE)).state  # 9 + 9 + 2 + 1 = 21 against at most 1 + 2 + 3 + 9
    assert (state.to_move, state.claimable) == (YOU, (0,))
    state = apply(apply(state, Done()).state, Play(nth("R4"), ONE)).state  # a colour run of four, but only 10
    assert state.to_move == YOU
    assert apply(state, Play(N2, TWO)).state.claimable == (0,)


def test_a_mode_lies_at_the_stone_and_takes_no_place() -> None:
    state = position({0: at("R7 R8", "B7")}, rules=TACTIC, hands=BOTH, pile=0)
    step = apply(state, Play(FOG, ONE))
    assert step.state.stones[0].sides[ME].cards == cards("R7 R8")
    assert step.state.stones[0].arrived == cards("R7 R8 B7")
    assert step.state.hands == ((5, 1), (6, 1))
    assert step.state.beside == Beside(tactics=(1, 0))


@pytest.mark.parametrize("troop", [JOKER, SPY, SHB])
def test_an_elite_troop_needs_a_place_like_a_clan_card(troop: CardId) -> None:
    state = position({0: at("R1 G5 B9"), 1: at(owner=YOU)}, rules=TACTIC, hands=BOTH)
    assert refusal(state, Play(troop, ONE)) == "this side of stone 1 has its 3 cards already"
    assert refusal(state, Play(troop, TWO)) == "stone 2 is claimed: it takes no more cards"
    assert legal_moves(state, (troop,)) == tuple(Play(troop, StoneId(number)) for number in range(2, 9))


# Claims and draws after a tactic card


def test_a9_stones_are_claimed_after_a_ruse_a_mode_and_a_pass() -> None:
    row = {0: at("R7 R8 R9"), 1: at("", "B5")}
    state = position(row, rules=TACTIC, hands=BOTH)
    for move in (Desert(BAN, nth("B5")), Play(FOG, TWO)):
        assert apply(state, move).state.claimable == (0,)
    passing = position(row, rules=TACTIC, hands=((0, 7), (6, 1)))
    step = apply(passing, Pass())
    assert step.events == (Passed(ME),)
    assert (step.state.phase, step.state.claimable, step.state.skips) == (Phase.CLAIM, (0,), 1)
    after = apply(step.state, Claim(ONE))
    assert after.events == (Claimed(ME, ONE),)
    assert (after.state.to_move, after.state.skips) == (YOU, 0)


def test_the_seat_chooses_the_deck_it_draws_from_and_the_window_closes() -> None:
    state = position({0: at("R7 R8")}, rules=TACTIC, hands=BOTH, pile=(3, 2))
    state = apply(state, Play(nth("R9"), ONE)).state
    assert legal_moves(state, (N9,)) == (Claim(ONE), Draw(CLAN), Draw(TACTICS))
    assert refusal(state, Done()) == "the turn ends with a draw: choose the deck"
    assert refusal(state, Draw(DeckId(2))) == "there is no such deck"
    step = apply(state, Draw(TACTICS))
    assert step.transfers == (PileToHand(TACTICS, ME),)
    assert step.events == (Drew(ME, TACTICS),)
    assert (step.state.to_move, step.state.hands, step.state.piles) == (YOU, ((4, 3), (6, 1)), (3, 1))


def test_t55_nothing_is_drawn_from_an_empty_tactic_deck() -> None:
    state = position({}, rules=TACTIC, hands=BOTH, pile=(3, 0))
    step = apply(state, Play(N9, ONE))
    assert step.events == (Played(ME, N9, ONE), Drew(ME, CLAN))
    window = position({0: at("R7 R8 R9")}, rules=TACTIC, hands=((4, 2), (6, 1)), pile=(3, 0), phase=Phase.CLAIM)
    why = "there is no deck to choose: what can be drawn is drawn at the end of the turn"
    assert refusal(window, Draw(TACTICS)) == why
    assert apply(window, Done()).events == (Drew(ME, CLAN),)


def test_a11_the_last_tactic_cards_must_be_drawn() -> None:
    state = position({}, rules=TACTIC, hands=BOTH, pile=(0, 2))
    step = apply(state, Play(N9, ONE))
    assert step.events == (Played(ME, N9, ONE), Drew(ME, TACTICS))
    assert step.transfers == (HandToOpen(ME, N9), PileToHand(TACTICS, ME))
    assert step.state.piles == (0, 1)


# Passing


def test_t56_passing_with_a_clan_card_and_a_free_place_is_refused() -> None:
    state = position({}, rules=TACTIC, hands=((1, 6), (6, 1)))
    assert refusal(state, Pass()) == "passing is not allowed while a clan card can be laid"
    assert Pass() not in legal_moves(state, (N9, SPY))


def test_a_tactic_card_that_cannot_be_played_is_no_reason_to_pass() -> None:
    state = position({}, rules=TACTIC, hands=((1, 6), (6, 1)), beside=Beside(tactics=(2, 0)))
    assert refusal(state, Pass()) == "passing is not allowed while a clan card can be laid"


def test_t57_with_tactic_cards_only_and_the_limit_reached_the_seat_is_skipped() -> None:
    state = position({}, rules=TACTIC, hands=((0, 7), (7, 0)), to_move=YOU, pile=0, beside=Beside(tactics=(1, 0)))
    step = apply(state, Play(N9, ONE))
    assert step.events == (Played(YOU, N9, ONE), Skipped(ME))
    assert (step.state.to_move, step.state.phase) == (YOU, Phase.PLAY)


def test_t57_its_claims_are_still_asked() -> None:
    row = {4: at("R7 R8 R9")}
    state = position(row, rules=TACTIC, hands=((0, 7), (7, 0)), to_move=YOU, pile=0, beside=Beside(tactics=(1, 0)))
    state = apply(state, Play(N9, ONE)).state
    assert legal_moves(state, (SPY,)) == (Claim(StoneId(4)), Done())
    assert refusal(state, Play(SPY, ONE)) == "this seat can lay no card"
    assert apply(state, Claim(StoneId(4))).events == (Claimed(ME, StoneId(4)), Skipped(ME))


def test_t57_with_the_limit_open_it_passes_or_plays_a_tactic_card() -> None:
    state = position({}, rules=TACTIC, hands=((0, 7), (7, 0)), to_move=YOU, pile=0, beside=Beside(tactics=(1, 1)))
    state = apply(state, Play(N9, ONE)).state
    assert (state.to_move, state.phase) == (ME, Phase.PLAY)
    assert legal_moves(state, (REC, FOG)) == (*(Play(FOG, StoneId(number)) for number in range(9)), Pass())
    step = apply(state, Pass())
    assert step.events == (Passed(ME),)
    assert (step.transfers, step.state.to_move, step.state.skips) == ((), YOU, 1)


def test_t58_without_a_free_place_a_seat_passes_or_plays_its_banshee() -> None:
    state = position(CLOSED, rules=TACTIC, hands=((6, 1), (7, 0)), pile=(20, 0))
    r4 = nth("R4")
    assert legal_moves(state, (N2, BAN)) == (Desert(BAN, r4), Pass())
    assert apply(state, Pass()).events == (Passed(ME),)
    step = apply(state, Desert(BAN, r4))
    assert step.events == (Used(ME, BAN), Discarded(YOU, (r4,), NINE), Drew(ME, CLAN))
    assert step.state.hands == ((7, 0), (7, 0))


def test_a_seat_with_clan_cards_and_no_place_may_use_a_strategist_to_make_room() -> None:
    state = position(CLOSED, rules=TACTIC, hands=((6, 1), (7, 0)), pile=(20, 0))
    step = apply(state, Redeploy(STR, nth("R1"), None))
    assert step.state.places[ME] == 1


def test_two_passes_in_succession_end_the_game_as_a_stuck_one() -> None:
    row = {0: at("R1 B2 G4", "G7 B8")}
    state = position(row, rules=TACTIC, hands=((0, 7), (0, 7)), pile=0)
    state = apply(state, Pass()).state
    assert (state.to_move, state.skips) == (YOU, 1)
    step = apply(state, Pass())
    assert step.events[0] == Passed(YOU)
    assert step.events[-1] == Ended(Outcome(ME, Reason.STUCK, (5, 0)))


def test_a_pass_after_a_play_does_not_end_the_game() -> None:
    state = position({}, rules=TACTIC, hands=((0, 7), (1, 6)), pile=0)
    state = apply(state, Pass()).state
    state = apply(state, Play(N9, ONE)).state
    assert (state.to_move, state.skips) == (ME, 0)
    state = apply(state, Pass()).state
    assert (state.to_move, state.skips, state.outcome) == (YOU, 1, None)


def test_a_seat_that_can_play_nothing_still_draws_while_its_hand_is_not_full() -> None:
    # YOU has a card too many, so that it draws nothing.
    state = position(CLOSED, rules=TACTIC, hands=((5, 0), (8, 0)), pile=(0, 1), to_move=YOU, skips=1)
    step = apply(state, Play(N2, NINE))
    assert step.events == (Played(YOU, N2, NINE), Drew(ME, TACTICS), Skipped(ME))
    assert step.transfers == (HandToOpen(YOU, N2), PileToHand(TACTICS, ME))
    assert (step.state.to_move, step.state.skips, step.state.hands) == (YOU, 0, ((5, 1), (7, 0)))


def test_it_chooses_the_deck_where_there_are_two() -> None:
    state = position(CLOSED, rules=TACTIC, hands=((5, 0), (8, 0)), pile=(1, 1), to_move=YOU)
    state = apply(state, Play(N2, NINE)).state
    assert (state.to_move, state.phase, state.acted) == (ME, Phase.CLAIM, False)
    assert legal_moves(state, (N9,)) == (Draw(CLAN), Draw(TACTICS))
    step = apply(state, Draw(TACTICS))
    assert step.events == (Drew(ME, TACTICS), Skipped(ME))
    assert (step.state.to_move, step.state.skips) == (YOU, 0)
