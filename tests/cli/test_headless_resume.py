"""A headless seat is gone on with by the bot that held it, as it was asked for, or by another; told in JSON lines."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from p2p_schotten.cli.away import Away
from p2p_schotten.cli.main import dispatch
from p2p_schotten.cli.player import Player
from p2p_schotten.cli.saved import Saved
from p2p_schotten.ids import SEATS
from p2p_schotten.standby import load_standby, save_standby, standby_path
from tests.cli.headless import resume
from tests.cli.running import importable, schotten
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


# What happens when the bot stops


def forfeits(standing: Standing, *, before: bool) -> None:
    """Whether `--forfeit` stood on the command line that began the game."""
    path = standing.secret(HOST, "json")
    save_standby(path, replace(load_standby(path), forfeit=before))


@pytest.mark.parametrize(
    ("before", "words", "now"),
    [
        (False, (), False),
        (True, (), True),
        (True, ("--me", "greedy"), True),
        (False, ("--forfeit",), True),
        (True, ("--no-forfeit",), False),
    ],
)
def test_a_bot_that_would_give_up_when_it_stops_does_so_still_unless_it_is_told_otherwise(
    standing: Standing, monkeypatch: pytest.MonkeyPatch, before: bool, words: tuple[str, ...], now: bool
) -> None:
    forfeits(standing, before=before)
    sat: list[Player] = []

    async def there(_saved: Saved, player: Player, *_rest: object) -> None:
        sat.append(player)

    monkeypatch.setattr("p2p_schotten.cli.resume._resume", there)
    assert dispatch(["resume", *words]) == 0
    assert [player.forfeit for player in sat] == [now]


def test_a_seat_keeps_whether_its_bot_gives_up(tmp_path: Path) -> None:
    for forfeit in (True, False):
        Away(bot="greedy", forfeit=forfeit).save(tmp_path, bytes(32), HOST, bytes(32))
        assert load_standby(standby_path(tmp_path, bytes(32), HOST)).forfeit is forfeit


# The opponent of `play`


def test_another_bot_plays_on_for_an_opponent_that_fails_and_is_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    importable(tmp_path, monkeypatch, "quitter", QUITTER)
    made = Standing(tmp_path, bots=("greedy", "gone:Bot"), beside=True).add()
    refused = schotten(made.homes[HOST], "resume")
    assert refused.returncode == 2
    assert refused.stderr.splitlines()[-1].endswith("--opponent BOT lets another one play")
    again = schotten(made.homes[HOST], "resume", "--opponent", "quitter:Quitter", "--json")
    assert again.returncode == 0, again.stderr
    ended = [event for event in map(json.loads, again.stdout.splitlines()) if event["event"] == "ended"]
    assert [(event["winner"], event["reason"]) for event in ended] == [(HOST, "resignation")]
    assert load_standby(made.secret(GUEST, "json")).bot == "quitter:Quitter"
    assert made.verdict().over


QUITTER = """
from p2p_schotten.bots.uniform import Uniform
from p2p_schotten.engine.move import Resign

class Quitter(Uniform):
    def act(self, view, legal):
        return Resign()
"""


def test_nobody_replaces_the_bot_of_somebody_elses_seat(standing: Standing, capsys: pytest.CaptureFixture[str]) -> None:
    assert dispatch(["resume", "--opponent", "greedy", *ALONE]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "schotten: --opponent: somebody else holds the other seat, and not a program beside this one",
        "hint: --me BOT lets a bot hold my seat",
    ]


def test_an_opponent_that_cannot_be_made_is_told_before_anything_is_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = Standing(tmp_path, bots=("greedy", "greedy"), beside=True).add()
    monkeypatch.setenv("SCHOTTEN_HOME", str(made.homes[HOST]))
    assert dispatch(["resume", "--opponent", "gone:Bot"]) == 2
    why = "schotten: the opponent: no bot at gone:Bot: ModuleNotFoundError: No module named 'gone'"
    assert capsys.readouterr().err.splitlines()[1:] == [why]
