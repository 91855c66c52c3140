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
    assert table.clock.used(ANN) == pytest.approx(50.0)  # twice the turn began anew, then it went on
    table.wait(14.9)
    assert (table.clock.news() == ()) == (me == BOB)  # bob grants five seconds more
    table.wait(0.2)
    assert table.clock.used(ANN) == pytest.approx(65.1)
    assert (table.clock.news() == (TimeUp(ANN, 60),)) == (me == BOB)
    head = table.session.head
    table.turn(1, waited=BOB)
    found = table.clock.lapse(head)
    assert found is not None
    assert found.turn == pytest.approx(65.1 if me == ANN else 0.0)


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
