"""`schotten bots`: the list, the schema, and the first check of a bot."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from p2p_schotten.bots.finding import BUILT_IN
from p2p_schotten.cli.main import dispatch
from p2p_schotten.cli.status import Status
from p2p_schotten.engine.rulesets import RULESETS
from tests.bots.programs import Programs, program
from tests.cli.running import schotten

__all__ = ["program"]

EXAMPLE = Path(__file__).parents[2] / "examples" / "python_bot.py"
BY_EXAMPLE = f"cmd:{shlex.quote(sys.executable)} {shlex.quote(str(EXAMPLE))}"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SCHOTTEN_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_the_list_names_what_is_built_in_and_installed_and_how_to_name_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    info = tmp_path / "my_bots-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-bots\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[p2p_schotten.bots]\nmine = my_bots:Mine\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert dispatch(["bots"]) == Status.DONE
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[: len(BUILT_IN)]] == list(BUILT_IN)
    assert lines[len(BUILT_IN)] == "mine       my_bots:Mine"
    assert all(len(line) < 80 for line in lines)
    assert "Levels: easy, normal (greedy), hard (search,seconds=0.5)." in lines
    assert "cmd:PROGRAM" in " ".join(lines[-3:])


def test_the_schema_is_printed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert dispatch(["bots", "--schema"]) == Status.DONE
    told = json.loads(capsys.readouterr().out)
    Draft202012Validator.check_schema(told)
    assert Draft202012Validator(told).is_valid({"type": "move", "move": "play R7 3"})
    assert not Draft202012Validator(told).is_valid({"type": "move", "card": "R7"})


def test_a_good_bot_passes_the_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert dispatch(["bots", "--check", "uniform"]) == Status.DONE
    *by_rules, last = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in by_rules] == list(RULESETS)
    assert all(re.fullmatch(r"won [012] of 2", line.split(maxsplit=1)[1]) for line in by_rules)
    assert last.startswith("No fault in 16 games against uniform, ")


def test_a_bot_that_fails_sometimes_is_told_of_each_kind_of_fault(
    program: Programs, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body = """
greet()
rules = until("newgame")["rules"]["name"]
while until("act"):
    if rules == "siege":
        print("a siege is too hard", file=sys.stderr)
        sys.exit(3)
    say(type="move", move="play" if rules == "tactic" else "resign")
    if rules != "tactic":
        rules = until("newgame")["rules"]["name"]
"""
    assert dispatch(["bots", "--check", f"cmd:{program(body)}"]) == Status.FAILED
    told = capsys.readouterr()
    *by_rules, played, sieges = told.out.splitlines()
    assert [line for line in by_rules if "fault" in line] == [
        "tactic               won 0 of 2, 2 faults",
        "siege                won 0 of 2, 2 faults",
    ]
    assert len(by_rules) == len(RULESETS)
    assert played == "  2 games: illegal move: tester chose what may not be chosen: 'play'"
    assert sieges == "  2 games: crash: tester ended with status 3: a siege is too hard"
    assert told.err.splitlines() == [
        "schotten: 4 games were lost by a fault of the bot",
        f"hint: its standard error and its tracebacks lie in {home / 'bots.log'}",
    ]
    assert (home / "bots.log").read_text().count("a siege is too hard\n") == 2


def test_of_a_bot_that_said_nothing_beside_its_game_no_log_is_named(
    program: Programs, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home.mkdir()
    (home / "bots.log").write_text("--- of another day\n")
    bot = program("greet(); until('act'); print('my move', flush=True); until('quit')")
    assert dispatch(["bots", "--check", f"cmd:{bot}", "--rules", "base"]) == Status.FAILED
    assert capsys.readouterr().err == "schotten: 2 games were lost by a fault of the bot\n"
    assert (home / "bots.log").read_text() == "--- of another day\n"


MINE = """
from p2p_schotten.bots.uniform import Uniform

class Late(Uniform):
    name = "late"

    def act(self, view, legal):
        print("I think")
        return super().act(view, legal)

    def game_over(self, view):
        if view.seat == 0 or view.state.rules.siege:
            raise ValueError("too late")

class Raiser(Late):
    def act(self, view, legal):
        raise KeyboardInterrupt
"""


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The module `late_bot_of_mine`, whose bots play in this process."""
    (tmp_path / "late_bot_of_mine.py").write_text(MINE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("p2p_schotten.bots.finding.is_somebodys_class", lambda spec: False)


@pytest.mark.usefixtures("mine")
def test_a_bot_that_fails_only_behind_the_end_has_lost_no_game_by_that(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["bots", "--check", "late_bot_of_mine:Late", "--rules", "base", "--rules", "siege"]
    assert dispatch(asked) == Status.FAILED
    told = capsys.readouterr()
    base, siege, late = told.out.splitlines()
    assert re.fullmatch(r"base +won [012] of 2, 1 fault", base)
    assert re.fullmatch(r"siege +won [012] of 2, 2 faults", siege)
    assert late == "  3 games: crash: late stopped: ValueError: too late (late_bot_of_mine.py:13)"
    *printed, why, hint = told.err.splitlines()
    assert set(printed) == {"I think"}
    assert why == "schotten: it stopped after the end of 3 games"
    assert hint.endswith(str(home / "bots.log"))
    assert (home / "bots.log").read_text().count("ValueError: too late\n") == 3


@pytest.mark.usefixtures("mine")
def test_who_stops_the_check_is_told_how_far_it_came(capsys: pytest.CaptureFixture[str]) -> None:
    assert dispatch(["bots", "--check", "late_bot_of_mine:Raiser"]) == Status.UNFINISHED
    assert capsys.readouterr() == ("", "schotten: interrupted after 0 games\n")


def test_a_bot_that_ends_its_process_has_not_passed_though_that_says_all_is_well(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert dispatch(["bots", "--check", "tests.arena.bots:Kills,status=0"]) == Status.FAILED
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("schotten: a process that played has died: ")
    assert err.endswith("; 0 games were played\n")


def test_rules_are_those_of_a_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert dispatch(["bots", "--rules", "base"]) == Status.USAGE
    assert dispatch(["bots", "--check", "greedy", "--rules", "chess"]) == Status.USAGE
    assert "'chess' is not a ruleset" in capsys.readouterr().err


def test_no_such_bot_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert dispatch(["bots", "--check", "cmd:./no-such-bot"]) == Status.USAGE
    assert dispatch(["bots", "--check", "greedy", "--schema"]) == Status.USAGE
    assert capsys.readouterr().out == ""


def test_a_program_plays_a_whole_game_with_proofs_against_the_second_peer(tmp_path: Path) -> None:
    home = tmp_path / "other home"
    done = schotten(home, "play", "--me", BY_EXAMPLE, "--opponent", "uniform", "--seed", "5", "--json")
    assert done.returncode == Status.DONE, done.stderr
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert "ended" in {event["event"] for event in events}
    seated = next(event for event in events if event["event"] == "seated")
    assert seated["names"][seated["seat"]] == "example"
    assert not (home / "bots.log").exists(), "it has said nothing beside its game"
