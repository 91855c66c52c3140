"""Games of the arena through the whole protocol: they are proven, and the same every time."""

from __future__ import annotations

import pytest

from p2p_schotten.arena.batch import play_batch
from p2p_schotten.arena.game import FORFEIT, Stopped
from p2p_schotten.arena.plan import first_of
from p2p_schotten.arena.sealed import play_sealed
from p2p_schotten.bots.base import Fault
from p2p_schotten.bots.seated import Seated
from p2p_schotten.ids import SEATS
from p2p_schotten.protocol.session import first_seat
from p2p_schotten.transcript import verify
from tests.arena.bots import First, GivesUp, Stops, line_of
from tests.arena.plans import FIRST, PLAIN, plan


def gives_up(ply: int) -> str:
    return f"tests.arena.bots:GivesUp,ply={ply}"


def test_the_transcript_of_a_sealed_game_proves_what_its_line_says() -> None:
    match, seats = plan(FIRST, gives_up(1), sealed=True), (1, 0)
    result, transcript = play_sealed(match, 3, seats, (Seated(GivesUp(1), 1), Seated(First(), 2)))
    verdict = verify(transcript)
    outcome = verdict.session.outcome
    assert verdict.over
    assert outcome is not None
    assert (outcome.winner, outcome.reason, outcome.points) == (result.winner, result.reason, result.points)
    assert (result.winner, result.plies, result.stopped) == (1, 1, ())
    assert [hello.name for hello in verdict.session.hellos] == [gives_up(1)[:32], FIRST[:32]]
    assert first_seat(verdict.session) == first_of(3)


def test_a_sealed_pair_swaps_seats_and_deals_anew() -> None:
    one, two = play_batch(plan(FIRST, gives_up(1), sealed=True), range(1))
    assert (one.game.seats, two.game.seats) == ((0, 1), (1, 0))
    assert one.game.first == two.game.first == first_seat(verify(two.transcript).session)
    assert one.transcript != two.transcript


def test_a_bot_that_stops_has_lost_and_its_seat_resigns_in_the_transcript() -> None:
    (played, _) = play_batch(plan(PLAIN, "tests.arena.bots:Stops", sealed=True), range(1))
    result = played.game.result
    assert (result.winner, result.reason, result.plies) == (0, FORFEIT, 1)
    assert [(stopped.seat, stopped.fault) for stopped in result.stopped] == [(SEATS[1], Fault.CRASH)]
    assert verify(played.transcript).session.outcome is not None


def test_a_bot_that_stops_when_it_is_told_the_end_has_not_lost_by_that() -> None:
    bots = Seated(GivesUp(0), 1), Seated(Stops(when="ended"), 2)
    result, _ = play_sealed(plan(gives_up(0), "tests.arena.bots:Stops,when=ended", sealed=True), 0, (0, 1), bots)
    assert (result.winner, result.reason) == (1, "resignation")
    where = line_of('raise ValueError("do not tell me")')
    said = f"stops stopped: ValueError: do not tell me (bots.py:{where})"
    assert result.stopped == (Stopped(SEATS[1], Fault.CRASH, said),)


@pytest.mark.parametrize("rules", ["base", "siege-tactic"])
def test_the_same_seed_makes_the_same_transcripts_of_whole_games(rules: str) -> None:
    match = plan("greedy", "uniform", rules=rules, sealed=True)
    first = play_batch(match, range(1))
    assert play_batch(match, range(1)) == first
    assert all(verify(played.transcript).over for played in first)
    assert all(played.game.result.stopped == () for played in first)
