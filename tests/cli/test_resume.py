"""`schotten resume`: a game that two programs left goes on in two other programs, and ends as if nothing had been."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2p_schotten.ids import SEATS, Seat, other
from p2p_schotten.match import Rounds, played
from p2p_schotten.protocol.file import HEADER, frame
from tests.cli.running import ended, schotten, start
from tests.cli.standing import DEALT, WHOLE, Standing

HOST, GUEST = SEATS
PEOPLE = ("", "")
GIVES_UP = "resign\nyes\n"  # read only where a card is asked for
Ended = tuple[int, str, str]


_running: list[subprocess.Popen[str]] = []


@pytest.fixture(autouse=True)
def _no_program_stays() -> Iterator[None]:
    yield
    for program in _running:
        program.kill()
        program.communicate()
    _running.clear()


def resume(standing: Standing, seat: Seat, *arguments: str, typed: str = "") -> subprocess.Popen[str]:
    """`schotten resume` in the home of that seat; it waits for the other for so long as a busy machine may need."""
    program = start(standing.homes[seat], "resume", "--wait", "30", *arguments)
    _running.append(program)
    assert program.stdin is not None
    program.stdin.write(typed)
    program.stdin.flush()
    return program


def end_of(program: subprocess.Popen[str]) -> Ended:
    """What became of it."""
    _running.remove(program)
    return ended(program)


def both(standing: Standing, *arguments: str, typed: str = "") -> tuple[Ended, Ended]:
    """Status, output and error output in both homes at once."""
    programs = [resume(standing, seat, *arguments, typed=typed) for seat in SEATS]
    first, second = (end_of(program) for program in programs)
    return first, second


def check_over(standing: Standing) -> None:
    """The last game is over, sealed and revealed by both, and both have the same bytes."""
    verdict = standing.verdict()
    assert verdict.over
    assert verdict.fault is None
    assert (len(verdict.sealed), len(verdict.revealed)) == (2, 2)


def until(process: subprocess.Popen[str], text: str) -> str:
    """What the program said on its error output up to the line that has this in it."""
    said = ""
    assert process.stderr is not None
    for line in process.stderr:
        said += line
        if text in line:
            return said
    raise AssertionError(f"{text!r} did not come:\n{said}")


# Both were killed


def test_two_programs_that_were_killed_go_on_and_end_the_game(tmp_path: Path) -> None:
    standing = Standing(tmp_path, PEOPLE).add()
    for seat, (code, out, err) in enumerate(both(standing, typed=GIVES_UP)):
        assert code == 0, err
        lines = err.splitlines()
        assert lines[0] == f"Going on with game {standing.game[:12]} after {DEALT} records."
        assert lines[1] == f"Waiting for the other player at port {standing.ports[seat]}."
        assert f"{('bob', 'ann')[seat]} is there again: the game goes on after {DEALT} records." in out
        assert "The game is over: " in out
    check_over(standing)


@pytest.mark.parametrize("counts", [(4, 4), (8, 7), (14, 14), (14, 16), (17, 16)])
def test_they_do_so_from_any_two_records(tmp_path: Path, counts: tuple[int, int]) -> None:
    standing = Standing(tmp_path, PEOPLE).add(counts)
    for code, _out, err in both(standing, standing.game[:6], typed=GIVES_UP):
        assert code == 0, err
    check_over(standing)


def test_bots_hold_the_seats_that_they_held(tmp_path: Path) -> None:
    standing = Standing(tmp_path).add()
    for code, out, err in both(standing):
        assert code == 0, err
        assert "The game is over: " in out
    check_over(standing)
    assert standing.count(HOST) > 30


def test_programs_read_of_it_in_json(tmp_path: Path) -> None:
    standing = Standing(tmp_path, PEOPLE).add()
    for code, out, err in both(standing, "--json", typed=GIVES_UP):
        assert code == 0, err
        events = [json.loads(line) for line in out.splitlines()]
        assert {event["v"] for event in events} == {1}
        kinds = [event["event"] for event in events]
        assert kinds[:3] == ["resuming", "seated", "resumed"]
        assert [event["records"] for event in events[:3] if "records" in event] == [DEALT, DEALT]
        assert (kinds.count("seated"), kinds.count("resumed")) == (1, 1)
        assert kinds[-3:] == ["finished", "saved", "end"]
    check_over(standing)


# The other seat is a second process of mine


def test_a_game_against_a_built_in_opponent_goes_on_with_both_seats(tmp_path: Path) -> None:
    standing = Standing(tmp_path, ("", "greedy"), beside=True).add()
    code, out, err = end_of(resume(standing, HOST, "--seed", "0", typed=GIVES_UP))
    assert code == 0, err
    assert err == f"Going on with game {standing.game[:12]} after {DEALT} records.\n"
    assert f"bob is there again: the game goes on after {DEALT} records." in out
    check_over(standing)


@pytest.mark.parametrize(
    ("ending", "why"),
    [
        ("json", "it is not known who held the other seat"),
        ("mark", "without it nobody knows what this seat has signed"),
    ],
)
def test_where_the_second_seat_cannot_go_on_its_reason_is_told(tmp_path: Path, ending: str, why: str) -> None:
    standing = Standing(tmp_path, ("", "greedy"), beside=True).add()
    standing.secret(GUEST, ending).unlink()
    before = [standing.path(seat).read_bytes() for seat in SEATS]
    code, _out, err = end_of(resume(standing, HOST, typed=GIVES_UP))
    assert code in (4, 5)
    assert err.splitlines()[1].startswith("schotten: the second peer did not come: ")
    assert why in err
    assert [standing.path(seat).read_bytes() for seat in SEATS] == before


def test_without_the_marks_of_both_seats_it_goes_on_when_the_player_says_so(tmp_path: Path) -> None:
    standing = Standing(tmp_path, ("", "greedy"), beside=True).add()
    for seat in SEATS:
        standing.secret(seat, "mark").unlink()
    code, _out, err = end_of(resume(standing, HOST, "--without-mark", typed=GIVES_UP))
    assert code == 0, err
    assert all(standing.secret(seat, "mark").exists() for seat in SEATS)
    check_over(standing)


# One has less than it had


@pytest.mark.parametrize("old", SEATS)
@pytest.mark.parametrize("kept", [0, 3, DEALT])
def test_a_journal_from_before_gets_its_records_back_and_nothing_is_signed_twice(
    tmp_path: Path, old: Seat, kept: int
) -> None:
    standing = Standing(tmp_path, PEOPLE).add((14, 14))
    records = standing.games[0].records
    standing.path(old).write_bytes(HEADER + b"".join(map(frame, records[:kept])))
    outcomes = both(standing, typed=GIVES_UP)
    for code, _out, err in outcomes:
        assert code == 0, err
    lost = len(standing.signed(old, 14)) and standing.signed(old, 14)[-1] + 1 - kept
    assert f"This journal is older than what you have signed: {lost} records must come back" in outcomes[old][2]
    assert "This journal is older" not in outcomes[other(old)][2]
    check_over(standing)
    assert standing.verdict().session.final_head == standing.games[0].peers[0].session.final_head


# Another program has the game, or nobody is there


def test_a_second_program_on_one_game_is_refused_in_plain_words_and_the_first_goes_on(tmp_path: Path) -> None:
    standing = Standing(tmp_path, PEOPLE).add()
    first = resume(standing, HOST, typed=GIVES_UP)
    until(first, "Waiting for the other player")
    second = schotten(standing.homes[HOST], "resume")
    assert second.returncode == 5
    assert second.stderr.endswith(": another program plays this seat of this game; end it first\n")
    assert len(second.stderr.splitlines()) == 1
    assert first.poll() is None
    guest = resume(standing, GUEST, typed=GIVES_UP)
    assert [end_of(first)[0], end_of(guest)[0]] == [0, 0]
    check_over(standing)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_nobody_is_there_ends_the_waiting_and_the_game_stands(tmp_path: Path, number: int) -> None:
    standing = Standing(tmp_path, PEOPLE).add()
    before = standing.path(HOST).read_bytes()
    waits = resume(standing, HOST)
    until(waits, "Waiting for the other player")
    time.sleep(0.3)
    waits.send_signal(number)
    code, _out, err = end_of(waits)
    if number == signal.SIGINT:
        assert code == 4
        assert err == "schotten: interrupted before the other player came back\n"
    assert standing.path(HOST).read_bytes() == before
    assert len(schotten(standing.homes[HOST], "resume", "--wait", "0.2").stderr.splitlines()) == 3


# Matches


@pytest.mark.parametrize("lost", [False, True])
def test_a_match_that_was_left_in_its_second_game_goes_on_there_and_counts_both(tmp_path: Path, lost: bool) -> None:
    standing = Standing(tmp_path, PEOPLE, Rounds(2)).add((WHOLE, WHOLE)).add()
    if lost:  # only the other side can tell that this is the second game of a match
        standing.path(GUEST).unlink()
    outcomes = both(standing, standing.game, "--json", typed=GIVES_UP)
    for code, _out, err in outcomes:
        assert code == 0, err
    check_over(standing)
    games = [played(session) for session in (standing.games[0].peers[0].session, standing.verdict().session)]
    points = [sum(game.outcome.points[seat] for game in games) for seat in SEATS]
    for _code, out, _err in outcomes:
        (score,) = [event for line in out.splitlines() if (event := json.loads(line))["event"] == "score"]
        assert (score["over"], score["games"], score["points"]) == (True, 2, points)


def test_a_match_that_was_left_between_two_games_goes_on_with_the_next(tmp_path: Path) -> None:
    standing = Standing(tmp_path, PEOPLE, Rounds(2)).add((WHOLE, WHOLE))
    for code, out, err in both(standing, "--json", typed=GIVES_UP):
        assert code == 0, err
        events = [json.loads(line) for line in out.splitlines()]
        scores = [event["over"] for event in events if event["event"] == "score"]
        assert scores == [False, True]
    for home in standing.homes:
        assert len(list((home / "games").iterdir())) == 2
    done = schotten(standing.homes[HOST], "verify", str(standing.homes[HOST] / "games"))
    assert done.returncode == 0
    assert "games 1-2; one chain; The match is over" in done.stdout
