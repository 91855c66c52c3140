"""A stuck game is decided by ruling A8: complete sides take their stones, then patterns count, then numbers."""

from __future__ import annotations

import pytest

from p2p_schotten.engine.move import Done, Play
from p2p_schotten.engine.rules import apply
from p2p_schotten.engine.rulesets import BASE
from p2p_schotten.engine.state import Phase, Stone
from p2p_schotten.engine.step import Awarded, Ended, Outcome, Reason, Skipped
from p2p_schotten.ids import Seat, StoneId
from tests.engine.positions import ME, YOU, owned, position, stone

WEAK_ME, WEAK_YOU = stone("R1 G3 B8", "P2"), stone("R2", "G4 B6 P9")


def stuck(row: dict[int, Stone]) -> tuple[list[tuple[Seat, int]], Outcome]:
    """What a game with these stones comes to when both hands and the pile are empty and ME ends its turn."""
    state = position(row, phase=Phase.CLAIM, acted=False, skips=2, hands=(0, 0), pile=0)
    step = apply(state, Done())
    assert step.events[0] == Skipped(ME)
    assert step.transfers == ()
    ended = step.events[-1]
    assert isinstance(ended, Ended)
    assert step.state.outcome == ended.outcome
    awarded = [(event.seat, int(event.stone)) for event in step.events if isinstance(event, Awarded)]
    assert len(awarded) == len(step.events) - 2
    assert all(step.state.stones[number].owner == seat for seat, number in awarded)
    return awarded, ended.outcome


def test_a_stone_with_two_complete_sides_goes_to_the_better_one() -> None:
    assert stuck({3: stone("R7 B8 G9", "P1 P2 P4")})[0] == [(YOU, 3)]
    assert stuck({3: stone("R1 R2 R3", "P9 G9 B9")})[0] == [(ME, 3)]


@pytest.mark.parametrize("first", [ME, YOU])
def test_of_two_equal_complete_sides_the_one_that_was_first_takes_the_stone(first: Seat) -> None:
    assert stuck({3: stone("R7 R8 R9", "B7 B8 B9", first=first)})[0] == [(first, 3)]


def test_a_stone_with_one_complete_side_goes_to_that_side_however_weak() -> None:
    assert stuck({1: stone("R1 G2 B4", "P8 P9"), 6: stone("N8 N9", "Y1 N2 B5")})[0] == [(ME, 1), (YOU, 6)]


def test_a_stone_without_a_complete_side_stays_and_claimed_stones_keep_their_owner() -> None:
    row = owned([0], [], {1: stone("R8 R9", "B8 B9"), 2: stone("P1 G3 B6", "Y7 Y8 Y9", owner=ME)})
    assert stuck(row) == ([], Outcome(ME, Reason.STUCK, (5, 0)))


def test_the_only_one_with_three_adjacent_stones_wins_with_fewer_stones() -> None:
    awarded, end = stuck(owned([0, 1], [3, 4, 6, 7], {2: WEAK_ME}))
    assert awarded == [(ME, 2)]
    assert end == Outcome(ME, Reason.STUCK, (5, 4))


def test_the_only_one_with_five_stones_wins() -> None:
    assert stuck(owned([0, 1, 3], [4, 5, 7, 8], {2: WEAK_YOU}))[1] == Outcome(YOU, Reason.STUCK, (3, 5))


def test_when_both_have_a_pattern_the_greater_number_of_stones_wins() -> None:
    five_and_three = owned([0, 1, 5], [3, 4, 6, 7], {2: WEAK_ME, 8: WEAK_YOU})
    assert stuck(five_and_three)[1] == Outcome(YOU, Reason.STUCK, (4, 5))


def test_when_both_have_three_adjacent_and_equally_many_it_is_drawn() -> None:
    row = owned([0, 1], [6, 7], {2: WEAK_ME, 8: WEAK_YOU})
    assert stuck(row)[1] == Outcome(None, Reason.STUCK, (3, 3))


def test_without_a_pattern_the_greater_number_of_stones_wins() -> None:
    assert stuck(owned([0, 1, 3], [5, 7], {}))[1] == Outcome(ME, Reason.STUCK, (5, 2))
    assert stuck(owned([5], [0, 3], {}))[1] == Outcome(YOU, Reason.STUCK, (1, 5))


def test_equally_many_stones_without_a_pattern_are_drawn_and_nobody_gets_five() -> None:
    assert stuck(owned([0, 3], [5, 7], {}))[1] == Outcome(None, Reason.STUCK, (2, 2))
    assert stuck({})[1] == Outcome(None, Reason.STUCK, (0, 0))


def test_one_skip_alone_does_not_end_the_game() -> None:
    state = position({0: stone("R7 R8 R9")}, phase=Phase.CLAIM, acted=False, skips=1, hands=(0, 1), pile=0)
    step = apply(state, Done())
    assert step.events == (Skipped(ME),)
    assert (step.state.to_move, step.state.phase, step.state.outcome) == (YOU, Phase.PLAY, None)


def test_a_skip_after_a_play_that_drew_nothing_is_the_first_skip() -> None:
    # ME lays its last card; YOU, then ME, are skipped: two skips in succession end the game, the play is none.
    state = position({0: stone("R7 B1", "G1")}, hands=(1, 0), pile=0)
    step = apply(state, Play(BASE.card("Y9"), StoneId(5)))
    assert step.events[1:] == (Skipped(YOU), Skipped(ME), Ended(Outcome(None, Reason.STUCK, (0, 0))))
    assert step.state.ply == 3
