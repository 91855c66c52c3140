"""Which game `schotten resume` goes on with, and what it says where it cannot: one line, a hint, a status."""

from __future__ import annotations

import os
import socket
from datetime import datetime
from pathlib import Path

import pytest

from p2p_schotten.cli.saved import restore
from p2p_schotten.errors import JournalError
from p2p_schotten.ids import SEATS
from p2p_schotten.match import Rounds, played
from tests.cli.said import ALONE, Said, files
from tests.cli.standing import DEALT, WHOLE, Standing

HOST, GUEST = SEATS


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Said:
    return Said(monkeypatch, capsys)


def going_on(standing: Standing, seat: int, lines: list[str]) -> None:
    """It tried, and the other player was not there."""
    assert lines[0] == f"Going on with game {standing.game[:12]} after {DEALT} records."
    assert lines[1] == f"Waiting for the other player at port {standing.ports[seat]}."
    why = f"127.0.0.1:{standing.ports[1 - seat]}: nobody listens there"
    assert lines[2:] == [f"schotten: no way back was found: {why}"]


@pytest.mark.parametrize("seat", SEATS)
def test_where_the_other_is_not_there_the_waiting_ends_in_one_line_and_the_game_stands(
    tmp_path: Path, said: Said, seat: int
) -> None:
    standing = Standing(tmp_path).add()
    before = files(standing.homes[seat])
    status, lines = said(standing.homes[seat], "--wait", "1")
    assert status == 4
    going_on(standing, seat, lines)
    assert files(standing.homes[seat]) == before


def test_where_nobody_can_be_dialed_nobody_came(tmp_path: Path, said: Said) -> None:
    standing = Standing(tmp_path).add()
    standing.secret(HOST, "json").unlink()
    status, lines = said(standing.homes[HOST], "--me", "greedy", *ALONE)
    assert (status, lines[-1]) == (4, "schotten: no way back was found: nobody came")


def test_a_port_that_another_program_has_is_told_and_the_other_is_looked_for_all_the_same(
    tmp_path: Path, said: Said
) -> None:
    standing = Standing(tmp_path).add()
    with socket.create_server(("", standing.ports[HOST])):
        status, lines = said(standing.homes[HOST], "--wait", "1")
    taken = f"port {standing.ports[HOST]} is taken by another program; choose another with --port, or 0 for any"
    assert lines[1] == f"Looking for the other player where he was, but he cannot find you: {taken}."
    assert lines[2:] == [
        f"schotten: no way back was found: 127.0.0.1:{standing.ports[GUEST]}: nobody listens there",
    ]
    assert status == 4


def test_another_address_is_tried_beside_the_known_one(tmp_path: Path, said: Said) -> None:
    standing = Standing(tmp_path).add()
    status, lines = said(standing.homes[HOST], "--address", "127.0.0.1:9", "--wait", "1.5")
    assert status == 4
    assert "127.0.0.1:9: nobody listens there; " in lines[-1]
    assert f"127.0.0.1:{standing.ports[GUEST]}: nobody listens there" in lines[-1]


def test_no_game_stands_unfinished_in_a_new_home(tmp_path: Path, said: Said) -> None:
    status, lines = said(tmp_path / "new")
    assert (status, lines) == (2, ["schotten: no game stands unfinished here", "hint: schotten games lists them all"])
    assert not (tmp_path / "new" / "games").exists()


@pytest.mark.parametrize("seat", SEATS)
def test_the_one_that_stands_unfinished_is_chosen_among_those_that_are_over(
    tmp_path: Path, said: Said, seat: int
) -> None:
    standing = Standing(tmp_path).add((WHOLE, WHOLE))
    standing.games.clear()
    standing.add(sitting=1)
    status, lines = said(standing.homes[seat], *ALONE)
    assert status == 4
    assert lines[0] == f"Going on with game {standing.game[:12]} after {DEALT} records."


def test_several_are_told_with_their_opponents_the_latest_first_and_each_can_be_chosen_by_its_first_digits(
    tmp_path: Path, said: Said
) -> None:
    standing = Standing(tmp_path).add()
    first = standing.game
    standing.games.clear()
    standing.add(sitting=1)
    ids = first[:12], standing.game[:12]
    for at, (game, minute) in enumerate(((first, 30), (standing.game, 0))):
        when = datetime(2026, 11, 30, 19, minute).timestamp()  # local time, as it is told
        os.utime(standing.path(HOST, game), (when, when))
        assert standing.path(HOST, game).parent.name[:12] == ids[at]
    status, lines = said(standing.homes[HOST])
    assert status == 2
    assert lines == [
        f"schotten: several games stand unfinished: {ids[0]} (base against bob, 2026-11-30 19:30); "
        f"{ids[1]} (base against bob, 2026-11-30 19:00)",
        "hint: schotten resume ID goes on with one; schotten games lists all",
    ]
    for digits in (standing.game[:6], standing.game[:12], standing.game):
        status, lines = said(standing.homes[HOST], digits, *ALONE)
        assert status == 4
        assert lines[0] == f"Going on with game {standing.game[:12]} after {DEALT} records."


def test_a_game_that_no_seat_here_has_signed_anything_of_is_chosen_by_its_id_only(tmp_path: Path, said: Said) -> None:
    standing = Standing(tmp_path).add((2, 2))
    met = standing.game
    status, lines = said(standing.homes[GUEST])
    assert (status, lines[0]) == (2, "schotten: no game stands unfinished here")
    status, lines = said(standing.homes[GUEST], met[:12], *ALONE)
    assert (status, lines[0]) == (4, f"Going on with game {met[:12]} after 2 records.")
    standing.games.clear()
    standing.add(sitting=1)
    status, lines = said(standing.homes[GUEST], *ALONE)
    assert (status, lines[0]) == (4, f"Going on with game {standing.game[:12]} after {DEALT} records.")


def test_an_id_that_fits_several_games_needs_more_digits(tmp_path: Path, said: Said) -> None:
    standing = Standing(tmp_path).add()
    seeds = standing.homes[HOST] / "seeds"
    digits = standing.game[:8]
    (seeds / f"{digits}{'0' * 56}-1.seed").write_bytes(bytes(32))
    status, lines = said(standing.homes[HOST], digits)
    assert (status, lines) == (2, [f"schotten: {digits} fits 2 games: type more digits"])


@pytest.mark.parametrize("given", ["abc", "xyzxyz", "ABCDEF12", "0" * 65, "../../etc", ""])
def test_what_is_no_id_is_refused_by_its_form(tmp_path: Path, said: Said, given: str) -> None:
    status, lines = said(Standing(tmp_path).add().homes[HOST], given)
    assert status == 2
    assert lines[0].startswith(f"schotten: {given}: the id of a game is ")
    assert lines[1] == "hint: schotten games shows the ids"


def test_an_id_of_no_game_here_is_told(tmp_path: Path, said: Said) -> None:
    standing = Standing(tmp_path).add()
    other = "0" * 12 if not standing.game.startswith("0") else "1" * 12
    status, lines = said(standing.homes[HOST], other)
    assert (status, lines) == (2, [f"schotten: no game here has an id that begins with {other}"])


def test_a_game_that_is_over_does_not_go_on(tmp_path: Path, said: Said) -> None:
    standing = Standing(tmp_path).add((WHOLE, WHOLE))
    before = files(standing.homes[HOST])
    status, lines = said(standing.homes[HOST], standing.game[:12])
    assert status == 2
    assert lines == ["schotten: this game is over", f"hint: schotten replay {standing.game[:12]}"]
    assert said(standing.homes[HOST])[1][0] == "schotten: no game stands unfinished here"
    assert files(standing.homes[HOST]) == before


@pytest.mark.parametrize(("rounds", "games", "goes_on"), [(3, 1, True), (3, 2, True), (2, 2, False), (2, 1, True)])
def test_a_match_that_was_left_between_two_games_goes_on_with_its_last_one(
    tmp_path: Path, said: Said, rounds: int, games: int, goes_on: bool
) -> None:
    standing = Standing(tmp_path, form=Rounds(rounds))
    for _ in range(games):
        standing.add((WHOLE, WHOLE))
    status, lines = said(standing.homes[HOST], *ALONE)
    if goes_on:
        assert status == 4
        assert lines[0] == f"Going on with game {standing.game[:12]} after {standing.count(HOST)} records."
    else:
        assert (status, lines[0]) == (2, "schotten: no game stands unfinished here")


@pytest.mark.parametrize("seat", SEATS)
def test_a_game_of_a_match_is_not_gone_on_with_where_the_next_one_stands(tmp_path: Path, said: Said, seat: int) -> None:
    standing = Standing(tmp_path, form=Rounds(3)).add((WHOLE, WHOLE))
    first = standing.game
    standing.add()
    status, lines = said(standing.homes[seat], first[:12], *ALONE)
    assert (status, lines[0]) == (2, "schotten: this game is over, and the next one of its match stands here")
    assert lines[1] == f"hint: schotten resume {standing.game[:12]}"


def test_a_match_of_which_a_game_is_missing_here_is_refused_by_its_number(tmp_path: Path, said: Said) -> None:
    standing = Standing(tmp_path, form=Rounds(3)).add((WHOLE, WHOLE)).add()
    first = standing.games[0].peers[0].game_id
    assert first is not None
    standing.path(HOST, first.hex()).unlink()
    status, lines = said(standing.homes[HOST], standing.game[:12], *ALONE)
    assert status != 0
    assert lines[-1].endswith("game 1 of this match is not here")


def test_a_game_of_a_match_before_this_one_that_is_damaged_is_told_by_its_number(tmp_path: Path, said: Said) -> None:
    standing = Standing(tmp_path, form=Rounds(3)).add((WHOLE, WHOLE)).add()
    first = standing.games[0].peers[0].game_id
    assert first is not None
    path = standing.path(HOST, first.hex())
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    status, lines = said(standing.homes[HOST], standing.game[:12], *ALONE)
    assert status != 0
    assert "game 1 of this match is not" in lines[-1]


def test_of_a_lost_journal_the_games_before_are_found_when_its_beginning_comes_back(tmp_path: Path) -> None:
    standing = Standing(tmp_path, form=Rounds(3)).add((WHOLE, WHOLE)).add()
    standing.path(GUEST).unlink()
    restored = restore(standing.homes[GUEST], standing.game, GUEST).restored
    restored.journal.close()
    assert (restored.peer.session.hellos, restored.before) == ((), ())
    assert restored.look_back is not None
    one, two = (pair.peers[HOST].session for pair in standing.games)
    assert restored.look_back(two) == (played(one),)
    standing.path(GUEST, one.game_id.hex()).unlink()
    with pytest.raises(JournalError, match="game 1 of this match is not here"):
        restored.look_back(two)
