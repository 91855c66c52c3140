"""Where a clock is shown, and the time that is left of a turn."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from p2p_schotten.cli.main import dispatch
from p2p_schotten.protocol.messages import Options
from p2p_schotten.protocol.peer import Peer
from tests.cli.test_clock import ANN, BOB, CLOCK, Table
from tests.protocol.courses import new_pair, resigning
from tests.protocol.pair import first_choice


def test_the_clock_is_shown_wherever_the_rules_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SCHOTTEN_HOME", str(tmp_path))
    pair = new_pair(5, Peer, options=Options(ANN, "", CLOCK)).play(resigning(first_choice, 0))
    path = tmp_path / "games" / pair.session.game_id.hex() / "0.schotten"
    path.parent.mkdir(parents=True)
    path.write_bytes(pair.file_bytes())
    assert dispatch(["verify", str(path)]) == 0
    assert "; base, 60 s for a turn; " in capsys.readouterr().out
    assert dispatch(["verify", "--json", str(path)]) == 0
    assert json.loads(capsys.readouterr().out)["clock"] == CLOCK
    assert dispatch(["export", str(path)]) == 0
    assert "clock 60" in capsys.readouterr().out.splitlines()
    assert dispatch(["export", "--format", "json", str(path)]) == 0
    assert json.loads(capsys.readouterr().out)["clock"] == CLOCK
    assert dispatch(["games"]) == 0
    assert "  base clock=60  " in capsys.readouterr().out


def test_what_a_player_is_shown_runs_down_in_whole_seconds_and_stops_at_nothing() -> None:
    table = Table(ANN)
    table.turn(0, waited=ANN)
    table.wait(18.3)
    assert table.clock.shown(ANN) == 42
    assert table.clock.shown(BOB) == 60  # nobody waits for him
    table.wait(60.0)
    assert table.clock.shown(ANN) == 0
    table.turn(1, waited=BOB)
    table.wait(20.0)
    assert (table.clock.shown(ANN), table.clock.shown(BOB)) == (60, 40)


def test_no_time_is_shown_where_no_clock_runs() -> None:
    assert Table(ANN).clock.shown(ANN) is None  # the game is not agreed yet
    free = Table(ANN, None)
    free.turn(0, waited=ANN)
    assert free.clock.shown(ANN) is None
    table = Table(ANN)
    table.turn(0, waited=ANN)
    table.clock.cut()
    assert table.clock.shown(BOB) is None
    table.clock.joined()
    assert table.clock.shown(BOB) == 60
