"""The list of games: whom I played, by the name that he had then, and rows that a terminal has room for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from p2p_schotten.absence import Absence
from p2p_schotten.cli.games import HEAD, entry_of, row
from p2p_schotten.cli.main import dispatch
from p2p_schotten.home import remember, rename
from p2p_schotten.ids import SEATS
from p2p_schotten.match import Rounds, form_text
from p2p_schotten.protocol.absent import Word
from tests.cli.standing import Standing

HOST, GUEST = SEATS


@pytest.fixture
def standing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Standing:
    """A game of ann and bob in the home of ann, who asks."""
    made = Standing(tmp_path).add((None, None))
    monkeypatch.setenv("SCHOTTEN_HOME", str(made.homes[HOST]))
    return made


def opponents(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The last column."""
    assert dispatch(["games"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    return [line[head.index("against") :] for line in rows]


def test_a_bot_is_called_as_it_called_itself_whoever_played_later_with_its_key(
    standing: Standing, capsys: pytest.CaptureFixture[str]
) -> None:
    home, key = standing.homes[HOST], standing.games[0].peers[HOST].session.identities[GUEST]
    remember(home, key, "bob")
    remember(home, key, "another bot")
    assert opponents(capsys) == ["bob"]


def test_a_player_whom_i_call_otherwise_is_called_so_and_as_he_called_himself(
    standing: Standing, capsys: pytest.CaptureFixture[str]
) -> None:
    home, key = standing.homes[HOST], standing.games[0].peers[HOST].session.identities[GUEST]
    rename(home, key, "my neighbour")
    assert opponents(capsys) == ["my neighbour (bob)"]
    rename(home, key, "bob")
    assert opponents(capsys) == ["bob"]


def test_a_game_of_a_match_with_a_clock_that_was_lost_by_absence_fits_a_terminal(standing: Standing) -> None:
    entry = entry_of(standing.path(HOST).parent, standing.games[0].peers[HOST].session.identities[HOST])
    offer = replace(entry.offer, options=replace(entry.offer.options, form=form_text(Rounds(3)), clock=60))
    absence = Absence(bytes(32), 9, bytes(32), GUEST, 60, 1_800_000_000, Word.AGREED)
    lost = replace(entry, offer=offer, outcome=None, absence=absence)
    cells = row(lost, "1/3 0-0", {})
    assert cells[3] == "lost (absent)"
    widths = [max(len(head), len(cell)) for head, cell in zip(HEAD, cells, strict=True)]
    assert widths[-1] == len("against")
    assert sum(widths) + 2 * (len(HEAD) - 1) < 80
