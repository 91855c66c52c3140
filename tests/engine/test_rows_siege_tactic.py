"""The positions S of docs/rulings.md about the siege with tactic cards, and what each of its eleven cards does."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import pytest

from p2p_schotten.engine.move import (
    Betray,
    BlowUp,
    Claim,
    Desert,
    Done,
    Draw,
    Play,
    Recruit,
    Redeploy,
    Retreat,
    Support,
)
from p2p_schotten.engine.rules import apply, legal_moves, new_game
from p2p_schotten.engine.rulesets import SIEGE_TACTIC
from p2p_schotten.engine.state import Beside, Phase, State, Stone
from p2p_schotten.engine.step import (
    Betrayed,
    Dealt,
    Discarded,
    Drew,
    Ended,
    HandToOpen,
    Moved,
    OpenToPile,
    Outcome,
    PileToHand,
    Played,
    Reason,
    Recruited,
    Supported,
    Used,
)
from p2p_schotten.ids import SEATS, CardId, DeckId, Seat, StoneId
from tests.engine.positions import ME, YOU, cards, position, refusal, stone

at = partial(stone, rules=SIEGE_TACTIC)
WAR, TACTICS = DeckId(0), DeckId(1)
TOWER, WALL, GATE = StoneId(1), StoneId(2), StoneId(3)
JOKER, SECOND = cards("JOK JOK", SIEGE_TACTIC)
SPY, RED, REC, DES, BET, BLO, SUP = cards("SPY RED REC DES BET BLO SUP", SIEGE_TACTIC)


def nth(text: str) -> CardId:
    return SIEGE_TACTIC.card(text)


def ready(
    row: Mapping[int, Stone] | Mapping[StoneId, Stone], discard: str = "", pile: tuple[int, int] = (9, 0)
) -> State:
    """ME attacks and is on turn; each seat holds five siege and two tactic cards."""
    return position(row, rules=SIEGE_TACTIC, hands=((5, 2), (5, 2)), pile=pile, discard=discard)


# Hands, draws and the limit


@pytest.mark.parametrize("first", SEATS)
def test_a33_the_opening_hand_is_seven_siege_cards(first: Seat) -> None:
    step = new_game(SIEGE_TACTIC, first)
    assert step.transfers == (PileToHand(WAR, SEATS[0]),) * 7 + (PileToHand(WAR, SEATS[1]),) * 7
    assert step.events == (Dealt(7, first),)
    assert (step.state.hands, step.state.piles) == (((7, 0), (7, 0)), (46, 11))


def test_s48_an_empty_tactic_deck_ends_nothing() -> None:
    step = apply(ready({}), Play(nth("Y5"), WALL))
    assert step.events == (Played(ME, nth("Y5"), WALL), Drew(ME, WAR))
    step = apply(step.state, Play(nth("Y6"), WALL))
    assert step.events == (Played(YOU, nth("Y6"), WALL), Drew(YOU, WAR))
    assert step.state.outcome is None


def test_a32_once_the_siege_deck_is_empty_nobody_draws_any_more() -> None:
    step = apply(ready({}, pile=(1, 5)), Play(nth("Y5"), WALL))
    state = apply(step.state, Draw(WAR)).state
    assert state.piles == (0, 5)
    step = apply(state, Play(nth("Y6"), WALL))
    assert step.transfers == (HandToOpen(YOU, nth("Y6")),)
    assert step.events == (Played(YOU, nth("Y6"), WALL),)
    step = apply(step.state, Play(nth("Y7"), WALL))
    assert step.events == (Played(ME, nth("Y7"), WALL), Ended(Outcome(YOU, Reason.HELD, (0, 5))))


def test_nobody_gets_two_tactic_cards_ahead() -> None:
    beside = Beside(attacker=ME, oil=3, tactics=(1, 0))
    state = position({}, rules=SIEGE_TACTIC, hands=((5, 2), (5, 2)), beside=beside)
    why = "this seat has played 1 tactic card and the other 0: it may be one ahead, not more"
    assert refusal(state, Play(SPY, WALL)) == why


def test_a24_a_seat_may_lay_both_jokers() -> None:
    beside = Beside(attacker=ME, oil=3, tactics=(1, 1), jokers=(True, False))
    state = position({WALL: at("JOK")}, rules=SIEGE_TACTIC, hands=((5, 2), (5, 2)), pile=0, beside=beside)
    step = apply(state, Play(SECOND, WALL))
    assert step.state.stones[WALL].sides[ME].cards == (JOKER, SECOND)


@pytest.mark.parametrize("card", [JOKER, SECOND])
def test_s51_a21_a_joker_opposite_an_eleven_or_a_zero_eliminates_nothing(card: CardId) -> None:
    row = {TOWER: at("", "R11 G0")}
    step = apply(ready(row, pile=(0, 0)), Play(card, TOWER))
    assert step.state.stones[TOWER].sides[YOU].cards == cards("R11 G0", SIEGE_TACTIC)
    assert step.state.beside.discard == ()
    other = apply(ready({TOWER: at("", "JOK")}, pile=(0, 0)), Play(nth("R0"), TOWER))
    assert other.state.beside.discard == ()


def test_s49_the_spy_is_a_ten() -> None:
    assert ready({GATE: at("SPY R11")}).claimable == (GATE,)
    assert ready({GATE: at("SPY R9")}).claimable == ()


def test_an_open_tactic_card_is_cleared_away_with_its_tile() -> None:
    step = apply(ready({GATE: at("SPY R11", "B1")}), Claim(GATE))
    assert step.state.beside.discard == cards("SPY R11 B1", SIEGE_TACTIC)


# What the cards do


def test_a23_a_redeploy_moves_an_own_card_to_another_tile_or_discards_it() -> None:
    state = ready({WALL: at("R5 SPY", "G1"), GATE: at("B1")})
    step = apply(state, Redeploy(RED, nth("R5"), GATE))
    assert step.transfers == (HandToOpen(ME, RED), PileToHand(WAR, ME))
    assert step.events == (Used(ME, RED), Moved(ME, nth("R5"), WALL, GATE), Drew(ME, WAR))
    assert step.state.stones[GATE].arrived == cards("B1 R5", SIEGE_TACTIC)
    assert step.state.beside.discard == (RED,)
    step = apply(state, Redeploy(RED, SPY, None))
    assert step.events == (Used(ME, RED), Discarded(ME, (SPY,), WALL), Drew(ME, WAR))
    assert step.state.beside.discard == (RED, SPY)
    assert refusal(state, Redeploy(RED, nth("R5"), WALL)) == "R5 lies there already: it goes to another tile"
    why = "G1 is no own card at an unclaimed tile that may be moved"
    assert refusal(state, Redeploy(RED, nth("G1"), GATE)) == why


def test_a36_no_elimination_after_a_redeploy_a_recruit_or_a_betrayal() -> None:
    state = ready({WALL: at("R0"), TOWER: at("", "R11 G4")})
    step = apply(state, Redeploy(RED, nth("R0"), TOWER))
    assert step.state.stones[TOWER].arrived == cards("R11 G4 R0", SIEGE_TACTIC)
    state = ready({TOWER: at("", "R11")}, discard="R0")
    step = apply(state, Recruit(REC, nth("R0"), TOWER))
    assert step.state.stones[TOWER].arrived == cards("R11 R0", SIEGE_TACTIC)
    state = ready({TOWER: at("", "R11 R0")})
    step = apply(state, Betray(BET, nth("R0"), TOWER))
    assert step.state.stones[TOWER].arrived == cards("R11 R0", SIEGE_TACTIC)
    assert step.state.stones[TOWER].sides[ME].cards == (nth("R0"),)


def test_a23_a_recruit_takes_a_siege_card_from_the_discard_pile_to_the_own_side() -> None:
    state = ready({GATE: at("R10 R9"), WALL: at("G4")}, discard="SPY R5 B6")
    assert legal_moves(state, (REC,)) == (
        Retreat(WALL),
        Retreat(GATE),
        *(
            Recruit(REC, nth(text), StoneId(number))
            for text in ("R5", "B6")
            for number in (0, 1, 2, 4, 5, 6)  # not at the gate, which is full
        ),
    )
    step = apply(state, Recruit(REC, nth("R5"), WALL))
    assert step.transfers == (HandToOpen(ME, REC), PileToHand(WAR, ME))
    assert step.events == (Used(ME, REC), Recruited(ME, nth("R5"), WALL), Drew(ME, WAR))
    assert step.state.stones[WALL].arrived == cards("G4 R5", SIEGE_TACTIC)
    assert step.state.beside.discard == cards("SPY B6 REC", SIEGE_TACTIC)
    assert not step.state.unseen >> nth("R5") & 1
    assert refusal(state, Recruit(REC, SPY, WALL)) == "SPY is no siege card of the discard pile"
    assert refusal(state, Recruit(REC, nth("Y1"), WALL)) == "Y1 is no siege card of the discard pile"
    assert refusal(state, Recruit(REC, nth("R5"), GATE)) == "this side of tile 4 has its 2 cards already"


def test_a17_a_recruit_with_an_empty_discard_pile_is_not_played() -> None:
    assert legal_moves(ready({}), (REC,)) == ()


@pytest.mark.parametrize("text", ["R5", "SPY"])
def test_a23_a_desertion_discards_any_card_of_the_opponent(text: str) -> None:
    state = ready({WALL: at("G4", "R5 SPY")})
    step = apply(state, Desert(DES, nth(text)))
    assert step.events == (Used(ME, DES), Discarded(YOU, (nth(text),), WALL), Drew(ME, WAR))
    assert step.state.beside.discard == (DES, nth(text))
    why = "G4 is no card of the opponent at an unclaimed tile that may be discarded"
    assert refusal(state, Desert(DES, nth("G4"))) == why


def test_a23_a_betrayal_takes_a_siege_card_only() -> None:
    state = ready({WALL: at("G4", "R5 SPY")})
    step = apply(state, Betray(BET, nth("R5"), WALL))
    assert step.events == (Used(ME, BET), Betrayed(ME, nth("R5"), WALL, WALL), Drew(ME, WAR))
    assert step.state.stones[WALL].sides[ME].cards == cards("R5 G4", SIEGE_TACTIC)
    assert refusal(state, Betray(BET, SPY, WALL)) == "SPY is no siege card of the opponent at an unclaimed tile"


def test_a23_a_blow_up_discards_one_side_of_a_tile_own_or_other() -> None:
    row = {TOWER: at("G4 SPY", "R5 B6", order="R5 G4 B6 SPY"), WALL: at("", "Y1")}
    state = ready(row)
    own, other, wall = (BlowUp(BLO, *rest) for rest in ((TOWER, True), (TOWER, False), (WALL, False)))
    assert legal_moves(state, (BLO,))[1:] == (own, other, wall)
    step = apply(state, own)
    assert step.events == (Used(ME, BLO), Discarded(ME, cards("G4 SPY", SIEGE_TACTIC), TOWER), Drew(ME, WAR))
    assert step.state.stones[TOWER].arrived == cards("R5 B6", SIEGE_TACTIC)
    step = apply(state, other)
    assert step.events == (Used(ME, BLO), Discarded(YOU, cards("R5 B6", SIEGE_TACTIC), TOWER), Drew(ME, WAR))
    assert step.state.beside.discard == cards("BLO R5 B6", SIEGE_TACTIC)
    why = "there is no card on that side of tile 3"
    assert refusal(state, BlowUp(BLO, WALL, own=True)) == why
    assert refusal(state, BlowUp(BLO, StoneId(-1), own=False)) == "there is no card on that side of tile 0"
    assert legal_moves(ready({}), (BLO,)) == ()


def test_a23_a_support_shuffles_two_discarded_siege_cards_into_their_deck() -> None:
    one, two = nth("R5"), nth("B6")
    state = ready({GATE: at("R10 R11")}, discard="B6 SPY R5 Y1", pile=(2, 3))
    pairs = [(one, two), (one, nth("Y1")), (two, nth("Y1"))]
    assert legal_moves(state, (SUP,))[2:] == tuple(Support(SUP, pair) for pair in pairs)
    step = apply(state, Support(SUP, (one, two)))
    assert step.transfers == (HandToOpen(ME, SUP), OpenToPile(one), OpenToPile(two))
    assert step.events == (Used(ME, SUP), Supported(ME, (one, two)))
    after = step.state
    assert after.beside.discard == cards("SPY Y1 SUP", SIEGE_TACTIC)
    assert (after.piles, after.unseen >> one & 1, after.unseen >> two & 1) == ((4, 3), 1, 1)
    # Control is open until the draw, which is a decision of its own.
    assert (after.phase, after.claimable) == (Phase.CLAIM, (GATE,))
    assert legal_moves(after, ()) == (Claim(GATE), Draw(WAR), Draw(TACTICS))


def test_after_a_support_the_draw_is_chosen_with_one_deck_too() -> None:
    state = ready({}, discard="B6 R5", pile=(2, 0))
    state = apply(state, Support(SUP, (nth("R5"), nth("B6")))).state
    assert (state.phase, state.to_move) == (Phase.CLAIM, ME)
    assert legal_moves(state, ()) == (Draw(WAR),)
    assert refusal(state, Done()) == "the turn ends with a draw: choose the deck"
    assert refusal(state, Draw(TACTICS)) == "that pile is empty"
    step = apply(state, Draw(WAR))
    assert step.transfers == (PileToHand(WAR, ME),)
    assert (step.state.to_move, step.state.beside.restocked) == (YOU, False)
    # The next draw is made without asking again.
    assert apply(step.state, Play(nth("Y5"), WALL)).events[-1] == Drew(YOU, WAR)


@pytest.mark.parametrize("left", [0, 1])
def test_s52_a_support_needs_two_cards_in_the_siege_deck(left: int) -> None:
    state = ready({}, discard="B6 R5", pile=(left, 3))
    why = "fewer than 2 cards are left in the pile"
    assert refusal(state, Support(SUP, (nth("R5"), nth("B6")))) == why
    assert legal_moves(state, (SUP,)) == ()


def test_a35_a_support_needs_two_siege_cards_in_the_discard_pile() -> None:
    state = ready({}, discard="R5 SPY JOK")
    assert legal_moves(state, (SUP,)) == ()
    assert refusal(state, Support(SUP, (nth("R5"), SPY))) == "SPY is no siege card of the discard pile"
    why = "two different cards are named, in ascending order"
    assert refusal(state, Support(SUP, (nth("R5"), nth("R5")))) == why
    assert refusal(state, Support(SUP, (nth("B6"), nth("R5")))) == why


def test_a_supported_card_is_no_evidence_any_more() -> None:
    # Against 0 and 0 nothing is left but the two discarded zeros and ones.
    row = {6: at("R1 B1 G1", "Y1")}
    discard = "R0 G0 B0 Y0 P0"
    state = ready(row, discard=discard)
    assert state.claimable == (6,)
    step = apply(state, Support(SUP, (nth("R0"), nth("G0"))))
    assert step.state.claimable == ()
