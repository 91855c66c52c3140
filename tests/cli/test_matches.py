"""Matches, flags and roles between two processes: what is offered, what is played, and what `verify` makes of it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from p2p_schotten.cli.main import dispatch
from p2p_schotten.ids import SEATS
from p2p_schotten.match import Free, Roles, Target, form_of, played, standing
from p2p_schotten.protocol.session import Session
from p2p_schotten.transcript import verify
from tests.cli.running import LIMIT, ended, hosting, schotten, surroundings, transcripts

Event = dict[str, object]


def events(output: str, kind: str = "") -> list[Event]:
    """The JSON events of a run, or those of one kind."""
    found: list[Event] = [json.loads(line) for line in output.splitlines()]
    return [event for event in found if not kind or event["event"] == kind]


def sessions(home: Path, seat: int = 0) -> list[Session]:
    """The games of that home, in the order of the match; each is over and valid."""
    verdicts = [verify(path.read_bytes()) for path in transcripts(home) if path.name == f"{seat}.schotten"]
    assert all(verdict.over for verdict in verdicts)
    return sorted((verdict.session for verdict in verdicts), key=lambda session: session.offer.match.number)


def test_two_processes_play_a_siege_in_which_the_host_attacks(tmp_path: Path) -> None:
    host_options = ("--me", "uniform", "--name", "ann", "--rules", "siege", "--role", "attack", "--seed", "1", "--json")
    process = subprocess.Popen(
        [sys.executable, "-m", "p2p_schotten", "host", "--bind", "127.0.0.1", *host_options],
        env=surroundings(tmp_path / "a"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    invited = json.loads(process.stdout.readline())
    assert (invited["rules"], invited["first"], invited["match"], invited["flags"]) == ("siege", 0, "", {})
    guest = schotten(tmp_path / "b", "join", invited["invite"], "--me", "uniform", "--name", "bob", "--seed", "2")
    code, _out, err = ended(process)
    assert (code, guest.returncode) == (0, 0), err + guest.stderr
    assert (
        "ann offers a game by the ruleset siege: 7 tiles, 6 cards in hand.\nann attacks, you defend.\n" in guest.stdout
    )
    (session,) = sessions(tmp_path / "a")
    assert session.options.first == SEATS[0]
    assert session.state is not None
    assert session.state.beside.attacker == SEATS[0]
    (mine,), (theirs,) = transcripts(tmp_path / "a"), transcripts(tmp_path / "b")
    assert mine.read_bytes() == theirs.read_bytes()


@pytest.mark.parametrize(
    ("role", "words"),
    [
        ("attack", "You attack, your friend defends."),
        ("defend", "Your friend attacks, you defend."),
        ("coin", "A coin"),
    ],
)
def test_the_role_is_shown_where_the_invite_is(tmp_path: Path, role: str, words: str) -> None:
    with hosting(tmp_path, "--rules", "siege-tactic", "--role", role, "--me", "greedy") as (host, _invite, _address):
        assert host.stderr is not None
        assert words.lower() in host.stderr.readline().lower()


def test_a_match_of_two_sieges_swaps_the_roles_and_is_one_chain(tmp_path: Path) -> None:
    options = ("--rules", "siege", "--role", "defend", "--match", "2", "--me", "uniform", "--opponent", "uniform")
    done = schotten(tmp_path, "play", *options, "--seed", "3", "--json")
    assert done.returncode == 0, done.stderr
    first, second = sessions(tmp_path)
    assert [game.options.first for game in (first, second)] == [SEATS[1], SEATS[0]]
    assert form_of(first) == Roles()
    match = first.offer.match
    assert (match.number, match.previous, len(match.id)) == (1, b"", 32)
    assert (second.offer.match.id, second.offer.match.number) == (match.id, 2)
    assert second.offer.match.previous == first.final_head
    expected = standing(Roles(), [played(first), played(second)])
    scores = events(done.stdout, "score")
    assert [score["over"] for score in scores] == [False, True]
    assert scores[1]["points"] == list(expected.points)
    assert scores[1]["winner"] == expected.winner
    assert len(events(done.stdout, "saved")) == len(events(done.stdout, "finished")) == 2
    assert events(done.stdout, "rematch") == []


def test_a_tactic_match_to_ten_points_between_host_and_guest_ends_when_they_are_reached(tmp_path: Path) -> None:
    terms = ("--rules", "tactic", "--set", "return_to=top", "--to", "10")
    with hosting(tmp_path / "a", *terms, "--me", "uniform", "--name", "ann") as (host, invite, _address):
        guest = schotten(tmp_path / "b", "join", invite, "--me", "uniform", "--name", "bob")
        code, out, err = ended(host)
    assert (code, guest.returncode) == (0, 0), err + guest.stderr
    assert "What differs from tactic: return_to=top.\nIt is a match to 10 points.\n" in guest.stdout
    mine, theirs = transcripts(tmp_path / "a"), transcripts(tmp_path / "b")
    assert [path.read_bytes() for path in mine] == [path.read_bytes() for path in theirs]
    games = sessions(tmp_path / "a")
    results = [played(game) for game in games]
    for count in range(1, len(results)):
        assert max(standing(Target(10), results[:count]).points) < 10
    last = standing(Target(10), results)
    assert max(last.points) >= 10
    for before, after in zip(results, games[1:], strict=False):
        winner = before.outcome.winner
        assert after.options.first == (SEATS[1 - before.first] if winner is None else winner)
    assert all(game.rules.flags == (("return_to", "top"),) for game in games)
    assert re.search(rf"^The match is over.* you {last.points[0]}, bob {last.points[1]}\.$", out, re.MULTILINE)
    assert re.search(rf"^The match is over.* you {last.points[1]}, ann {last.points[0]}\.$", guest.stdout, re.MULTILINE)
    assert "Another game?" not in out + guest.stdout
    numbers = [f"This is game {number}, to 10 points." for number in range(1, len(games) + 1)]
    for told in (out, guest.stdout):
        assert re.findall("^This is .*", told, re.MULTILINE) == numbers
    verified = schotten(tmp_path / "a", "verify", str(tmp_path / "a" / "games"))
    assert verified.returncode == 0
    line = verified.stdout.splitlines()[-1]
    assert f"match {games[0].offer.match.id.hex()[:8]}: games 1-{len(games)}; one chain; The match is over" in line
    assert f"ann {last.points[0]}, bob {last.points[1]}." in line


@pytest.mark.parametrize(
    "rules", ["expert", "battle-line", "battle-line-plain", "battle-line-advanced", "siege-tactic"]
)
def test_every_ruleset_is_played_headless(tmp_path: Path, rules: str) -> None:
    done = schotten(tmp_path, "play", "--rules", rules, "--me", "uniform", "--opponent", "uniform", "--seed", "5")
    assert done.returncode == 0, done.stderr
    first, second = transcripts(tmp_path)
    assert first.read_bytes() == second.read_bytes()
    (session,) = sessions(tmp_path)
    assert session.rules.name == rules
    assert form_of(session) == Free()


def test_bots_and_scripts_play_no_other_game_that_was_not_agreed(tmp_path: Path) -> None:
    with hosting(tmp_path / "a", "--me", "greedy") as (host, invite, _address):
        guest = schotten(tmp_path / "b", "join", invite, "--yes", typed="resign\nyes\nyes\nyes\n")
        code, _out, _err = ended(host)
    assert (code, guest.returncode) == (0, 0)
    assert len(transcripts(tmp_path / "a")) == len(transcripts(tmp_path / "b")) == 1


def test_a_match_that_one_leaves_stands_unfinished_for_both(tmp_path: Path) -> None:
    with hosting(tmp_path / "a", "--me", "greedy", "--match", "3", "--name", "ann") as (host, invite, _address):
        guest = schotten(tmp_path / "b", "join", invite, "--yes", "--name", "bob", typed="resign\nyes\n")
        code, _out, err = ended(host)
    assert guest.returncode == code == 4
    assert guest.stderr.startswith("schotten: the game stands unfinished: the input ended")
    told = [line for line in err.splitlines() if line.startswith("schotten: ")]  # behind the lines about the invite
    assert len(told) == 1
    assert told[0].startswith("schotten: the game stands unfinished: ")
    assert len(transcripts(tmp_path / "a")) == 2  # the second game had begun
    listed = schotten(tmp_path / "a", "games").stdout.splitlines()
    assert [re.split(r"  +", line)[3:] for line in listed[1:]] == [
        ["won 5-0", "1/3 5-0", "bob"],
        ["unfinished", "2/3 5-0", "bob"],
    ]


# Other rules, and what cannot be asked for


@pytest.mark.parametrize(
    ("strange", "why"),
    [
        (
            "RULESETS['tactic'] = replace(RULESETS['tactic'], win_points=6)",
            "ruleset tactic has other cards, tiles or numbers there: it cannot judge",
        ),
        ("del RULESETS['tactic']", "'tactic' is not a ruleset: known are base, expert, "),
        ("del FLAGS['return_to']", "'return_to' is not a flag: known are claim_timing, joker_limit, "),
    ],
    ids=["other numbers", "no such ruleset", "no such flag"],
)
def test_a_guest_whose_program_has_other_rules_is_told_and_the_host_too(tmp_path: Path, strange: str, why: str) -> None:
    program = (
        "import sys; from dataclasses import replace; from p2p_schotten.engine.rulesets import RULESETS; "
        f"from p2p_schotten.engine.flags import FLAGS; {strange}; "
        "from p2p_schotten.cli.main import dispatch; sys.exit(dispatch(sys.argv[1:]))"
    )
    with hosting(tmp_path / "a", "--me", "greedy", "--rules", "tactic", "--set", "return_to=top") as (host, invite, _a):
        guest = subprocess.run(
            [sys.executable, "-c", program, "join", invite, "--me", "greedy", "--name", "bob"],
            env=surroundings(tmp_path / "b"),
            capture_output=True,
            text=True,
            timeout=LIMIT,
            check=False,
        )
        assert guest.returncode == 5
        assert guest.stderr.startswith(f"schotten: {why}")
        assert host.stdout is not None
        said = host.stdout.readline()
        assert said.startswith("Turned away: ")
        assert f"refuses record 0 of this side: rules: {why[:60]}" in said
    assert transcripts(tmp_path / "b") == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--set", "return_to=top"), "return_to needs tactic cards"),
        (("--set", "tactics"), "--set tactics: expected FLAG=VALUE"),
        (("--set", "tactics=on", "--set", "tactics=on"), "--set tactics: it is set twice"),
        (("--set", "x=1"), "'x' is not a flag: known are claim_timing, "),
        (("--set", "tactics=maybe"), "'maybe' is not a value of tactics: possible are on and off"),
        (("--rules", "siege", "--set", "claim_timing=after_play"), "claim_timing needs stones to claim"),
        (("--rules", "chess"), "'chess' is not a ruleset: known are base, tactic, "),
        (("--role", "attack"), "--role: nobody attacks in base, only in a siege"),
        (("--rules", "siege", "--role", "king"), "--role"),
        (("--match", "0"), "--match: 1 to 50 games, not 0"),
        (("--match", "51"), "--match: 1 to 50 games, not 51"),
        (("--to", "501"), "--to: 1 to 500 points, not 501"),
        (("--clock", "9"), "--clock: 10 to 86400 seconds for a turn, not 9"),
        (("--clock", "86401"), "--clock: 10 to 86400 seconds for a turn, not 86401"),
        (("--clock", "soon"), "--clock"),
        (("--match", "3", "--to", "15"), "--match and --to exclude each other"),
        (("--rules", "siege", "--match", "3"), "a match of siege is --match 2: each attacks once"),
        (("--rules", "siege", "--to", "15"), "a match of siege is --match 2: each attacks once"),
    ],
)
def test_what_cannot_be_played_is_a_usage_error_in_words(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    words: str,
) -> None:
    monkeypatch.setenv("SCHOTTEN_HOME", str(tmp_path))
    assert dispatch(["host", "--me", "greedy", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert words in said.err.splitlines()[0]
    assert list(tmp_path.iterdir()) == []


def test_play_refuses_the_same_before_a_game_begins(tmp_path: Path) -> None:
    done = schotten(tmp_path, "play", "--rules", "tactic", "--set", "joker_limit=no")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "schotten: 'no' is not a value of joker_limit: possible are on and off\n"
    assert list(tmp_path.iterdir()) == []
