"""The clock of a turn when its connection is cut again and again: how often a turn begins anew."""

from __future__ import annotations

import pytest

from p2p_schotten.ids import SEATS
from p2p_schotten.ui.notice import TimeUp
from tests.cli.test_clock import ANN, BOB, Table


@pytest.mark.parametrize("me", SEATS)
def test_who_stalls_gains_no_time_by_cutting_again_and_again(me: int) -> None:
    """Ann has 60 s for her turn. She cuts the connection before they are over, and comes back after two seconds."""
    table = Table(me)
    table.turn(0, waited=ANN)
    for _ in range(3):
        table.wait(50.0)
        table.clock.cut()
        table.wait(2.0)
        table.clock.joined()
    # Twice the turn began anew, then it went on. Of the third cut ann knows that she was there, and bob does not.
    assert table.clock.used(ANN) == pytest.approx(50.0 if me == ANN else 52.0)
    table.wait(12.9)
    assert (table.clock.news() == ()) == (me == BOB)  # bob grants five seconds more
    table.wait(0.2)
    assert table.clock.used(ANN) == pytest.approx(63.1 if me == ANN else 65.1)
    assert (table.clock.news() == (TimeUp(ANN, 60),)) == (me == BOB)
    head = table.session.head
    table.turn(1, waited=BOB)
    found = table.clock.lapse(head)
    assert found is not None
    assert found.turn == pytest.approx(63.1 if me == ANN else 0.0)


def test_who_stays_away_and_comes_back_for_a_moment_each_time_gains_no_time_either() -> None:
    """Ann has 60 s, and bob grants five more. She is away for 64 s of each 65, and never moves."""
    table = Table(BOB)
    table.turn(0, waited=ANN)
    seconds = 0
    while not table.clock.news():
        assert seconds < 1000, "bob waits for ever"
        table.clock.cut()
        table.wait(64.0)
        table.clock.joined()
        table.wait(1.0)
        seconds += 65
    assert seconds == 3 * 65  # the turn began anew after the first two cuts; the third counts
    assert table.clock.left <= 0


def test_the_next_turn_begins_anew_with_the_connection_again() -> None:
    table = Table(BOB)
    table.turn(0, waited=ANN)
    for _ in range(5):
        table.clock.cut()
        table.clock.joined()
    table.turn(1, waited=BOB)
    table.wait(50.0)
    table.clock.cut()
    table.clock.joined()
    assert table.clock.used(BOB) == 0.0


def test_records_that_come_back_before_both_stand_together_leave_nothing_of_the_turn_before() -> None:
    table = Table(BOB)
    table.turn(0, waited=ANN)
    for _ in range(3):
        table.wait(50.0)
        table.clock.cut()
        table.clock.joined()
    table.clock.cut()
    table.turn(1, waited=BOB)
    table.clock.joined()
    assert (table.clock.used(ANN), table.clock.used(BOB)) == (0.0, 0.0)
