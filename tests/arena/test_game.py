"""One game: who is asked and told what, and what becomes of a bot that stops."""

from __future__ import annotations

import pytest

from p2p_schotten.arena.game import FORFEIT, Result, Stopped, decided, play_game
from p2p_schotten.arena.plan import dealt, shuffler
from p2p_schotten.bots.base import Bot, Fault
from p2p_schotten.bots.seated import Seated
from p2p_schotten.engine.step import Dealt, Ended, Outcome, Played, Reason
from p2p_schotten.ids import SEATS, Seat, other
from tests.arena.bots import First, GivesUp, Plain, Stops, line_of
from tests.arena.plans import plan


def played(one: Bot, two: Bot, rules: str = "base", number: int = 0) -> Result:
    """Game `number` between them, `one` at seat 0."""
    match = plan(rules=rules)
    return play_game(dealt(match, number), [Seated(one, 1), Seated(two, 2)], shuffler(match, number))


def test_a_game_ends_by_the_rules_and_both_know_it() -> None:
    bots = First(), First()
    result = played(*bots)
    assert result.reason in set(Reason) - {Reason.RESIGNED}
    assert result.stopped == ()
    for seat, bot in zip(SEATS, bots, strict=True):
        (end,) = bot.ends
        assert end.seat == seat
        assert end.state.outcome is not None
        assert (end.state.outcome.winner, end.state.outcome.points) == (result.winner, result.points)
        assert end.state.ply == result.plies


def test_who_wants_to_know_is_told_everything_from_the_deal_to_the_end_in_order() -> None:
    bots = First(), First()
    played(*bots)
    told = bots[0].told
    assert told == bots[1].told
    assert told[0] == Dealt(6, SEATS[0])
    assert isinstance(told[-1], Ended)
    assert sum(isinstance(event, Played) for event in told) == bots[0].ends[0].state.ply


def test_a_bot_sees_its_own_hand_and_nobody_elses() -> None:
    bots = First(), First()
    played(*bots)
    for seat, bot in zip(SEATS, bots, strict=True):
        assert all(view.seat == view.state.to_move == seat for view in bot.seen)
        assert all(len(view.hand) == view.state.hands[seat][0] for view in bot.seen)


@pytest.mark.parametrize("rules", ["base", "siege"])
def test_who_resigns_loses_with_the_points_of_the_rules(rules: str) -> None:
    result = played(GivesUp(), Plain(), rules)
    assert (result.winner, result.reason, result.points, result.plies) == (1, "resignation", (0, 5), 0)


@pytest.mark.parametrize("fault", Fault)
@pytest.mark.parametrize("seat", SEATS)
def test_each_way_to_stop_is_a_forfeit_that_says_which(fault: Fault, seat: int) -> None:
    stops = Stops(fault.replace(" ", "_"), ply=4)
    result = played(*((stops, Plain()) if seat == 0 else (Plain(), stops)))
    assert (result.winner, result.reason) == (other(SEATS[seat]), FORFEIT)
    assert result.points == ((0, 5) if seat == 0 else (5, 0))
    assert result.plies in (4, 5)
    (stopped,) = result.stopped
    assert (stopped.seat, stopped.fault) == (seat, fault)
    assert stopped.why.startswith("stops")


def test_who_stops_when_he_is_told_something_forfeits_though_the_other_is_to_move() -> None:
    result = played(Plain(), Stops(when="observe"))
    assert (result.winner, result.reason, result.plies) == (0, FORFEIT, 0)
    where = line_of('raise ValueError("do not tell me")')
    said = f"stops stopped: ValueError: do not tell me (bots.py:{where})"
    assert result.stopped == (Stopped(SEATS[1], Fault.CRASH, said),)


@pytest.mark.parametrize(("when", "why"), [("ended", "do not tell me"), ("over", "is it over?")])
@pytest.mark.parametrize("seat", SEATS)
def test_who_stops_when_the_game_is_over_has_not_lost_by_that(when: str, why: str, seat: Seat) -> None:
    sound = played(Plain(), Plain())
    stops = Stops(when=when)
    result = played(*((stops, Plain()) if seat == 0 else (Plain(), stops)))
    assert (result.winner, result.reason, result.points) == (sound.winner, sound.reason, sound.points)
    said = f"stops stopped: ValueError: {why} (bots.py:{line_of(why)})"
    assert result.stopped == (Stopped(seat, Fault.CRASH, said),)


def test_both_may_stop_when_they_are_told_the_end_and_each_is_noted() -> None:
    result = played(Stops(when="over"), Stops(when="ended"))
    assert [stopped.seat for stopped in result.stopped] == list(SEATS)
    assert ["is it over?" in stopped.why for stopped in result.stopped] == [True, False]
    assert result.reason != FORFEIT


def test_who_stopped_late_is_noted_in_the_order_of_the_seats_whoever_was_told_first() -> None:
    ended = Outcome(SEATS[0], Reason.FIVE, (5, 2))
    one, two = (Stopped(seat, Fault.EXIT, "gone") for seat in SEATS)
    assert decided(ended, 44, [two, one]) == Result(SEATS[0], "five stones", (5, 2), 44, (one, two))
