"""The positions S of docs/rulings.md: zero against eleven, and the end."""

from __future__ import annotations

from functools import partial

import pytest

from p2p_schotten.engine.move import Claim, Done, Play, Resign
from p2p_schotten.engine.rules import apply, new_game
from p2p_schotten.engine.rulesets import SIEGE
from p2p_schotten.engine.state import Beside, Phase
from p2p_schotten.engine.step import (
    Controlled,
    Dealt,
    Drew,
    Eliminated,
    Ended,
    HandToOpen,
    Outcome,
    PileToHand,
    Played,
    Reason,
)
from p2p_schotten.ids import SEATS, CardId, DeckId, Seat, StoneId
from tests.engine.positions import ME, YOU, cards, position, refusal, stone

at = partial(stone, rules=SIEGE)
here = partial(position, rules=SIEGE)  # ME attacks
WAR = DeckId(0)
LEFT_PIT, TOWER, WALL, GATE, RIGHT_WALL, RIGHT_TOWER, RIGHT_PIT = map(StoneId, range(7))


def nth(text: str) -> CardId:
    return SIEGE.card(text)


# Zero against eleven


@pytest.mark.parametrize(("there", "played"), [("R11", "R0"), ("R0", "R11")])
@pytest.mark.parametrize("seat", SEATS)
def test_s38_zero_and_eleven_of_one_colour_are_both_discarded(there: str, played: str, seat: Seat) -> None:
    mine, theirs = (f"{there} G4", "B5 Y6") if seat == YOU else ("B5 Y6", f"{there} G4")
    state = here({TOWER: at(mine, theirs)}, to_move=seat, pile=9)
    card = nth(played)
    step = apply(state, Play(card, TOWER))
    assert step.transfers == (HandToOpen(seat, card), PileToHand(WAR, seat))
    assert step.events == (Played(seat, card, TOWER), Eliminated((card, nth(there)), TOWER), Drew(seat, WAR))
    tower = step.state.stones[TOWER]
    assert tower.arrived == tuple(each for each in state.stones[TOWER].arrived if each != nth(there))
    assert step.state.beside.discard == (card, nth(there))
    assert not step.state.unseen >> card & 1


@pytest.mark.parametrize("played", ["B0", "R1", "R10"])
def test_s39_only_zero_and_eleven_of_the_same_colour_meet(played: str) -> None:
    step = apply(here({TOWER: at("R11")}, to_move=YOU, pile=0, hands=(6, 2)), Play(nth(played), TOWER))
    assert step.state.beside.discard == ()
    assert step.state.stones[TOWER].arrived == cards(f"R11 {played}", SIEGE)


def test_s41_on_different_tiles_or_on_the_same_side_they_do_not_meet() -> None:
    state = here({TOWER: at("R11"), WALL: at("", "G11")}, to_move=YOU)
    for card, tile in ((nth("R0"), WALL), (nth("G0"), WALL)):
        assert apply(state, Play(card, tile)).state.beside.discard == ()


def test_a_full_side_cannot_use_a_zero_even_for_a_moment() -> None:
    state = here({GATE: at("R11", "G4 B5")}, to_move=YOU)
    assert refusal(state, Play(nth("R0"), GATE)) == "this side of tile 4 has its 2 cards already"


def test_a29_the_elimination_comes_first_and_the_side_is_not_complete() -> None:
    state = here({GATE: at("R10", "R0")}, pile=9)
    step = apply(state, Play(nth("R11"), GATE))
    gate = step.state.stones[GATE]
    assert (gate.sides[ME].cards, gate.sides[ME].full, gate.sides[YOU].cards) == (cards("R10", SIEGE), False, ())
    assert (step.state.to_move, step.state.places) == (YOU, (0b1111111, 0b1111111))


# The end


def test_s43_the_fourth_damaged_tile_breaches_the_wall() -> None:
    damaged = {number: at(damaged=True) for number in (0, 1, 2)}
    step = apply(here({**damaged, GATE: at("B10 B11")}), Claim(GATE))
    end = Outcome(ME, Reason.BREACH, (5, 0))
    assert step.events == (Controlled(ME, GATE), Ended(end))
    assert (step.state.outcome, step.state.phase) == (end, Phase.OVER)


def test_three_damaged_tiles_do_not_end_the_game() -> None:
    damaged = {number: at(damaged=True) for number in (0, 1)}
    assert apply(here({**damaged, GATE: at("B10 B11")}), Claim(GATE)).state.outcome is None


def test_s44_control_of_a_damaged_tile_wins() -> None:
    state = here({TOWER: at("R11 G11", "B1", damaged=True)})
    step = apply(state, Claim(TOWER))
    assert step.events == (Controlled(ME, TOWER), Ended(Outcome(ME, Reason.DAMAGED, (5, 0))))


def test_s46_when_the_defender_draws_the_last_card_one_turn_of_the_attacker_follows() -> None:
    row = {LEFT_PIT: at(damaged=True), TOWER: at(damaged=True)}
    step = apply(here(row, to_move=YOU, pile=1), Play(nth("Y5"), WALL))
    assert step.events == (Played(YOU, nth("Y5"), WALL), Drew(YOU, WAR))
    step = apply(step.state, Play(nth("Y6"), WALL))
    end = Outcome(YOU, Reason.HELD, (2, 5))
    assert step.transfers == (HandToOpen(ME, nth("Y6")),)
    assert step.events == (Played(ME, nth("Y6"), WALL), Ended(end))


def test_when_the_attacker_draws_the_last_card_both_have_one_turn_more() -> None:
    step = apply(here({}, pile=1), Play(nth("Y5"), WALL))
    assert step.events == (Played(ME, nth("Y5"), WALL), Drew(ME, WAR))
    step = apply(step.state, Play(nth("Y6"), WALL))
    assert step.events == (Played(YOU, nth("Y6"), WALL),)
    step = apply(step.state, Play(nth("Y7"), WALL))
    assert step.events == (Played(ME, nth("Y7"), WALL), Ended(Outcome(YOU, Reason.HELD, (0, 5))))


def test_in_his_last_turn_the_attacker_may_still_win() -> None:
    damaged = {number: at(damaged=True) for number in (0, 1, 2)}
    state = here({**damaged, GATE: at("B10")}, pile=0)
    state = apply(state, Play(nth("B11"), GATE)).state
    assert apply(state, Claim(GATE)).state.outcome == Outcome(ME, Reason.BREACH, (5, 0))
    assert apply(state, Done()).state.outcome == Outcome(YOU, Reason.HELD, (3, 5))


@pytest.mark.parametrize("first", SEATS)
def test_the_attacker_begins_and_the_defender_has_three_oils(first: Seat) -> None:
    step = new_game(SIEGE, first)
    assert step.transfers == (PileToHand(WAR, SEATS[0]),) * 6 + (PileToHand(WAR, SEATS[1]),) * 6
    assert step.events == (Dealt(6, first),)
    assert (step.state.piles, step.state.hands) == ((48,), ((6,), (6,)))
    assert (step.state.to_move, step.state.beside) == (first, Beside(attacker=first, oil=3))


@pytest.mark.parametrize(("seat", "points"), [(ME, (2, 5)), (YOU, (5, 0))])
def test_whoever_resigns_loses(seat: Seat, points: tuple[int, int]) -> None:
    state = here({LEFT_PIT: at(damaged=True), TOWER: at(damaged=True)}, to_move=seat)
    step = apply(state, Resign())
    assert step.events == (Ended(Outcome(SEATS[1 - seat], Reason.RESIGNED, points)),)


def test_any_number_of_tiles_is_controlled_in_one_turn() -> None:
    state = here({GATE: at("B10 B11"), RIGHT_PIT: at("R0 G0 Y0")})
    assert state.claimable == (GATE, RIGHT_PIT)
    step = apply(state, Claim(RIGHT_PIT))
    assert (step.events, step.state.claimable) == ((Controlled(ME, RIGHT_PIT),), (GATE,))
    step = apply(step.state, Claim(GATE))
    assert (step.events, step.state.claimable) == ((Controlled(ME, GATE),), ())
    assert [stone.ground.damaged for stone in step.state.stones] == [False, False, False, True, False, False, True]
