"""`schotten resume` of a game whose last move stands, when the other player does not come: who may close it alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2p_schotten.ids import SEATS, Seat
from p2p_schotten.match import Rounds
from p2p_schotten.protocol.closing import Close, read_item
from p2p_schotten.protocol.file import read_file
from p2p_schotten.transcript import verify
from tests.cli.said import ALONE, Said, files
from tests.cli.standing import Standing

HOST, GUEST = SEATS
OVER = 14  # records when the game is given up


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Said:
    return Said(monkeypatch, capsys)


@pytest.mark.parametrize(("seat", "count"), [(HOST, OVER + 1), (GUEST, OVER)])
def test_a_game_whose_last_move_stands_is_closed_alone_where_the_other_does_not_come(
    tmp_path: Path, said: Said, seat: Seat, count: int
) -> None:
    standing = Standing(tmp_path).add((count, count))
    before = standing.path(seat).read_bytes()
    status, lines = said(standing.homes[seat], *ALONE)
    assert (status, len(lines)) == (0, 2)
    after = standing.path(seat).read_bytes()
    assert after.startswith(before)
    assert isinstance(read_item(read_file(after).items[-1]), Close)
    assert verify(after).over
    assert said(standing.homes[seat])[1][0] == "schotten: no game stands unfinished here"


@pytest.mark.parametrize(("seat", "count"), [(HOST, OVER), (GUEST, OVER + 1)])
def test_a_game_in_which_my_own_seal_is_due_is_not_closed(tmp_path: Path, said: Said, seat: Seat, count: int) -> None:
    standing = Standing(tmp_path).add((count, count))
    before = files(standing.homes[seat])
    status, lines = said(standing.homes[seat], *ALONE)
    assert status == 4
    assert lines[-1].startswith("schotten: the game is over here, and nobody came for its last record: no way back")
    assert files(standing.homes[seat]) == before


def test_a_game_of_a_match_that_was_closed_alone_is_gone_on_with_when_the_other_comes_back(
    tmp_path: Path, said: Said
) -> None:
    standing = Standing(tmp_path, form=Rounds(2)).add((OVER + 1, OVER + 1))
    status, lines = said(standing.homes[HOST], *ALONE)
    assert status == 4
    assert lines[-2].startswith("schotten: the match stands unfinished: ")
    assert lines[-1] == f"hint: schotten resume {standing.game[:12]} goes on with it"
    assert verify(standing.path(HOST).read_bytes()).over
    status, lines = said(standing.homes[HOST], *ALONE)  # nobody comes now either
    assert (status, lines[0]) == (4, f"Going on with game {standing.game[:12]} after {OVER + 1} records.")
