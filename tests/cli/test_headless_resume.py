"""A headless seat is gone on with by the bot that held it, as it was asked for, or by another; told in JSON lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from p2p_schotten.cli.main import dispatch
from p2p_schotten.ids import SEATS
from p2p_schotten.standby import load_standby
from tests.cli.headless import resume
from tests.cli.said import ALONE
from tests.cli.standing import DEALT, Standing

HOST, GUEST = SEATS
SPEC = "easy,errs=0.75"


@pytest.fixture
def standing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Standing:
    """A game between a bot with options and one that is nowhere to be found; the commands here are the host's."""
    made = Standing(tmp_path, bots=(SPEC, "gone:Bot")).add()
    monkeypatch.setenv("SCHOTTEN_HOME", str(made.homes[HOST]))
    return made


def test_a_headless_resume_says_which_game_goes_on_and_how_it_ended(
    standing: Standing, capsys: pytest.CaptureFixture[str]
) -> None:
    assert dispatch(["resume", "--json", *ALONE]) == 4
    said = capsys.readouterr()
    resuming, end = map(json.loads, said.out.splitlines())
    assert resuming == {"v": 1, "event": "resuming", "game": standing.game, "records": DEALT}
    assert end == {
        "v": 1,
        "event": "end",
        "status": 4,
        "why": said.err.splitlines()[-1][len("schotten: ") :],
        "hint": "",
    }
    assert end["why"].startswith("no way back was found: ")


def test_a_bot_that_is_nowhere_to_be_found_any_more_is_told_with_what_helps(
    standing: Standing, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SCHOTTEN_HOME", str(standing.homes[GUEST]))
    assert dispatch(["resume", "--json", *ALONE]) == 2
    out, err = capsys.readouterr()
    why, hint = (
        "no bot at gone:Bot: ModuleNotFoundError: No module named 'gone'",
        "--me BOT lets another bot hold the seat",
    )
    assert err.splitlines() == [f"schotten: {why}", f"hint: {hint}"]
    assert json.loads(out) == {"v": 1, "event": "end", "status": 2, "why": why, "hint": hint}
    assert dispatch(["resume", "--me", "gone:Bot", *ALONE]) == 2
    assert capsys.readouterr() == ("", f"schotten: {why}\n")


def test_nobody_forfeits_a_seat_that_a_person_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Standing(tmp_path, bots=("", "greedy")).add()
    monkeypatch.setenv("SCHOTTEN_HOME", str(made.homes[HOST]))
    assert dispatch(["resume", "--forfeit", *ALONE]) == 2


def test_the_bot_that_held_the_seat_holds_it_again_with_its_options_and_another_one_when_it_is_told(
    standing: Standing,
) -> None:
    ann, bob = resume(standing.folder, guest=("--me", "greedy"))
    assert (ann.status, bob.status) == (0, 0), ann.err + bob.err
    assert load_standby(standing.secret(HOST, "json")).bot == SPEC
    assert load_standby(standing.secret(GUEST, "json")).bot == "greedy"
    assert ann.one("resuming")["game"] == bob.one("resuming")["game"] == standing.game
    assert standing.verdict().over
