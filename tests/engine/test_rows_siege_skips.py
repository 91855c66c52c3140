"""The positions S of docs/rulings.md about passes and skips in a siege with tactic cards."""

from __future__ import annotations

from functools import partial

from p2p_schotten.engine.move import (
    Claim,
    Desert,
    Draw,
    Oil,
    Pass,
    Play,
)
from p2p_schotten.engine.rules import apply, legal_moves
from p2p_schotten.engine.rulesets import SIEGE_TACTIC
from p2p_schotten.engine.state import Beside, Phase
from p2p_schotten.engine.step import (
    Discarded,
    Drew,
    Ended,
    Outcome,
    Passed,
    Played,
    Poured,
    Reason,
    Skipped,
)
from p2p_schotten.ids import CardId, DeckId, StoneId
from tests.engine.positions import ME, YOU, cards, position, refusal, stone

at = partial(stone, rules=SIEGE_TACTIC)
WAR, TACTICS = DeckId(0), DeckId(1)
WALL, GATE = StoneId(2), StoneId(3)
SPY, DES = cards("SPY DES", SIEGE_TACTIC)
DRY = Beside(attacker=ME, oil=0)


def nth(text: str) -> CardId:
    return SIEGE_TACTIC.card(text)


# YOU is full everywhere but for one place at the gate.
NEARLY = {
    number: at("", text)
    for number, text in enumerate(["R1 G1 B2", "R2 G2 B3 Y3", "R3 G3 B4", "R4", "R5 G4 B5", "R6 G6 B7 Y7", "R7 G7 B6"])
}
FULL = {**NEARLY, 3: at("", "R4 G5")}


def test_s53_a34_both_skipped_ends_the_game_for_the_defender() -> None:
    beside = Beside(attacker=ME, oil=0, tactics=(1, 0))
    hands = ((0, 7), (7, 0))
    state = position(NEARLY, rules=SIEGE_TACTIC, hands=hands, pile=9, to_move=YOU, beside=beside)
    step = apply(state, Play(nth("G5"), GATE))
    assert step.events == (
        Played(YOU, nth("G5"), GATE),
        Drew(YOU, WAR),
        Skipped(ME),
        Skipped(YOU),
        Ended(Outcome(YOU, Reason.HELD, (0, 5))),
    )


def test_s54_a34_the_attacker_may_pass_and_two_passes_or_skips_end_the_game() -> None:
    state = position(FULL, rules=SIEGE_TACTIC, hands=((0, 7), (7, 0)), pile=9, beside=DRY)
    assert legal_moves(state, (SPY,)) == (*(Play(SPY, StoneId(number)) for number in range(7)), Pass())
    step = apply(state, Pass())
    assert step.events == (Passed(ME), Skipped(YOU), Ended(Outcome(YOU, Reason.HELD, (0, 5))))
    played = apply(state, Play(SPY, GATE))
    assert played.events == (Played(ME, SPY, GATE), Drew(ME, WAR), Skipped(YOU))
    assert (played.state.to_move, played.state.outcome) == (ME, None)


def test_a34_the_order_of_the_two_does_not_matter() -> None:
    hands = ((1, 6), (7, 0))
    state = position(FULL, rules=SIEGE_TACTIC, hands=hands, pile=(9, 5), beside=DRY)
    state = apply(apply(state, Play(nth("Y5"), WALL)).state, Draw(TACTICS)).state
    assert (state.to_move, state.skips, state.hands[ME]) == (ME, 1, (0, 7))
    step = apply(state, Pass())
    assert step.events == (Passed(ME), Ended(Outcome(YOU, Reason.HELD, (0, 5))))


def test_a34_a_control_between_them_keeps_the_game_going() -> None:
    row = {**FULL, GATE: at("B10 B11", "R4 G5")}
    state = position(row, rules=SIEGE_TACTIC, hands=((0, 7), (7, 0)), pile=9, beside=DRY, phase=Phase.PLAY, skips=1)
    step = apply(state, Pass())
    assert (step.state.phase, step.state.skips, step.state.claimable) == (Phase.CLAIM, 2, (GATE,))
    step = apply(step.state, Claim(GATE))
    assert (step.state.to_move, step.state.phase, step.state.skips) == (YOU, Phase.PLAY, 0)
    assert step.state.outcome is None


def test_a34_a_pass_is_refused_while_a_siege_card_can_be_laid_even_if_only_after_a_retreat() -> None:
    sides = ["R1 G1 B2", "R2 G2 B3 Y3", "R3 G3 B4", "R4 G5", "R5 G4 B5", "R6 G6 B7 Y7", "R7 G7 B6"]
    closed = {number: at(side) for number, side in enumerate(sides)}
    state = position(closed, rules=SIEGE_TACTIC, hands=((1, 6), (7, 0)), pile=9)
    assert refusal(state, Pass()) == "passing is not allowed: a retreat makes room for a card"
    free = position({}, rules=SIEGE_TACTIC, hands=((1, 6), (1, 6)), pile=9)
    assert refusal(free, Pass()) == "passing is not allowed while a siege card can be laid"


def test_a34_what_the_defender_hides_is_no_condition_and_poured_oil_is_a_skip() -> None:
    row = {**FULL, WALL: at("Y1", "R3 G3 B4")}
    beside = Beside(attacker=ME, oil=1)
    state = position(row, rules=SIEGE_TACTIC, hands=((0, 7), (7, 0)), pile=9, beside=beside)
    state = apply(state, Pass()).state
    assert (state.to_move, state.phase, state.skips) == (YOU, Phase.POUR, 2)
    step = apply(state, Oil(WALL))
    assert step.events == (
        Poured(YOU, WALL, 0),
        Discarded(ME, (nth("Y1"),), WALL),
        Skipped(YOU),
        Ended(Outcome(YOU, Reason.HELD, (0, 5))),
    )


def test_a_defender_with_tactic_cards_only_pours_oil_and_then_passes_or_plays() -> None:
    state = position({WALL: at("Y1")}, rules=SIEGE_TACTIC, hands=((7, 0), (0, 7)), pile=9, to_move=YOU)
    assert legal_moves(state, (DES,)) == (Oil(WALL), Desert(DES, nth("Y1")), Pass())
    state = apply(state, Oil(WALL)).state
    assert (state.to_move, state.phase) == (YOU, Phase.PLAY)
    assert legal_moves(state, (DES,)) == (Pass(),)
    assert apply(state, Pass()).events == (Passed(YOU),)


def test_an_attacker_who_may_play_nothing_is_not_asked_for_oil() -> None:
    beside = Beside(attacker=ME, oil=3, tactics=(1, 0))
    row = {WALL: at("Y1")}
    state = position(row, rules=SIEGE_TACTIC, hands=((0, 7), (7, 0)), pile=9, to_move=YOU, beside=beside)
    step = apply(state, Play(nth("G5"), GATE))
    assert step.events == (Played(YOU, nth("G5"), GATE), Drew(YOU, WAR), Skipped(ME))
    assert (step.state.to_move, step.state.phase) == (YOU, Phase.PLAY)


def test_a_defender_is_not_asked_for_oil_where_the_attacker_has_no_card() -> None:
    state = position(FULL, rules=SIEGE_TACTIC, hands=((0, 7), (7, 0)), pile=9)
    step = apply(state, Pass())
    assert step.events == (Passed(ME), Skipped(YOU), Ended(Outcome(YOU, Reason.HELD, (0, 5))))


def test_a34_a_control_at_the_start_of_a_turn_that_ends_with_a_pass_keeps_the_game_going() -> None:
    row = {**FULL, GATE: at("B10 B11", "R4 G5")}
    state = position(row, rules=SIEGE_TACTIC, hands=((0, 7), (0, 7)), pile=9, beside=DRY)
    state = apply(apply(state, Claim(GATE)).state, Pass()).state
    assert (state.to_move, state.skips) == (YOU, 0)
    state = apply(state, Pass()).state
    assert (state.to_move, state.skips, state.outcome) == (ME, 1, None)
    step = apply(state, Pass())
    assert step.events == (Passed(ME), Ended(Outcome(YOU, Reason.HELD, (1, 5))))
