"""`schotten arena` as a script sees it: its table, its files, its statuses."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2p_schotten.cli.arena_progress import games_in_a_time
from p2p_schotten.cli.main import dispatch
from p2p_schotten.transcript import verify
from tests.arena.bots import Interrupts, line_of, vanishing

FIRST, PLAIN, STOPS = (f"tests.arena.bots:{name}" for name in ("First", "Plain", "Stops"))
GIVES_UP = "tests.arena.bots:GivesUp"
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bots of these tests play in this process too."""
    monkeypatch.setattr("p2p_schotten.bots.finding.is_somebodys_class", lambda spec: False)


def arena(*arguments: str) -> int:
    """Run it in this process."""
    return dispatch(["arena", "--jobs", "1", *arguments])


def report(capsys: Capture, *arguments: str) -> dict[str, object]:
    """What it says as JSON."""
    assert arena("--json", *arguments) == 0
    said: dict[str, object] = json.loads(capsys.readouterr().out)
    return said


def test_the_table_says_who_won_how_often_and_how_sure_that_is(capsys: Capture) -> None:
    assert arena(PLAIN, GIVES_UP, "--pairs", "20", "--seed", "3") == 0
    said = capsys.readouterr()
    assert said.err == ""
    lines = said.out.splitlines()
    assert lines[0] == "base, seed 3, pairs: 20, games: 40"
    assert lines[3].split() == [PLAIN, "40", "0", "0", "100.0", "%"]
    assert lines[5:] == [
        f"{PLAIN} against {GIVES_UP}",
        "  score  100.0 %  (95 %: 86.1 % to 100.0 %)",  # 1 - 0.05^(1/20) is 13.9 %
        "  Elo    above +317 (95 %)",
        "  pairs  lost 0, 1/4 0, even 0, 3/4 0, won 20",
    ]


def test_a_siege_is_told_by_role(capsys: Capture) -> None:
    assert arena("greedy", GIVES_UP, "--pairs", "1", "--rules", "siege") == 0
    out = capsys.readouterr().out
    assert re.search(r"^  attacking +1 +0 +0 +100\.0 %$", out, re.MULTILINE)
    assert re.search(r"^  defending +1 +0 +0 +100\.0 %$", out, re.MULTILINE)


def test_forfeits_are_counted_by_kind_and_the_first_of_each_is_quoted(capsys: Capture) -> None:
    assert arena(PLAIN, f"{STOPS},ply=3", f"{STOPS},fault=silence", "--pairs", "2") == 0
    out = capsys.readouterr().out
    where = line_of('raise ValueError("no idea")')
    assert f"forfeits of {STOPS},ply=3: crash 4 (stops stopped: ValueError: no idea (bots.py:{where}))\n" in out
    assert f"forfeits of {STOPS},fault=silence: silence 8 (stops: silence)\n" in out


def test_a_program_that_fails_loses_every_game_and_its_last_words_are_in_the_log(
    capsys: Capture, tmp_path: Path
) -> None:
    path = tmp_path / "bots.log"
    assert arena(PLAIN, "cmd:sh -c 'echo oops >&2; exit 3'", "--pairs", "1", "--log", str(path)) == 0
    out = capsys.readouterr().out
    assert re.search(r"^forfeits of cmd:sh .*: crash 2 \(sh .*3.*\)$", out, re.MULTILINE), out
    assert path.read_text().count("oops\n") == 2


@pytest.mark.skipif(os.name == "nt", reason="a script is no program there")
def test_where_a_program_is_gone_what_was_played_is_shown_and_kept(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    assert arena(PLAIN, vanishing(tmp_path), "--pairs", "6", "--out", str(path)) == 4
    said = capsys.readouterr()
    assert said.out.splitlines()[0] == "base, seed 1, pairs: 5, games: 10"
    first, hint = said.err.splitlines()
    assert re.fullmatch(r"schotten: no program '.*; 10 games were played", first)
    assert hint == f"hint: --resume goes on with {path}"
    assert path.read_bytes().count(b"\n") == 11


def test_three_bots_get_a_cross_table(capsys: Capture) -> None:
    assert arena(PLAIN, GIVES_UP, PLAIN, "--pairs", "3") == 0
    head, *rows = capsys.readouterr().out.splitlines()[2:6]
    assert head.split() == ["wins", "draws", "losses", "score", "Elo", "95", "%", "bot"]
    assert sorted(row.split("  ")[-1] for row in rows[:2]) == [PLAIN, f"{PLAIN} (2)"]
    assert rows[2].split()[:6] == ["3", "0", "0", "12", "0.0", "%"]
    assert rows[2].split()[-1] == GIVES_UP


def test_a_cross_table_of_eight_fits_a_terminal_and_counts_what_each_has_won(capsys: Capture) -> None:
    # Who resigns earlier loses: number k, from 0, wins both games of each pair against the k before it.
    bots = [f"{GIVES_UP},ply={2 * number:019}" for number in range(8)]
    assert arena(*bots, "--pairs", "1") == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) < 80
    games, shares = (lines[3:19], lines[22:30])
    for rank, number in enumerate(reversed(range(8)), 1):
        row, rest = games[2 * rank - 2 : 2 * rank]
        assert row.split()[:5] == [str(rank), str(2 * number), "0", str(14 - 2 * number), f"{100 * number / 7:.1f}"]
        assert row.split()[-1] + rest.strip() == f"{bots[number][:24]}…{bots[number][-15:]}"
        wanted = ["-" if rival == rank else "0.0" if rival < rank else "100.0" for rival in range(1, 9)]
        assert shares[rank - 1].split() == [str(rank), *wanted]


def test_who_won_against_whom_is_told_ten_by_ten(capsys: Capture) -> None:
    assert arena(*[GIVES_UP] * 11, "--pairs", "1") == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) < 80
    heads = [line.split() for line in lines if re.fullmatch("[ 0-9]+", line)]
    assert heads == [[str(number) for number in range(1, 11)], ["11"]]


def test_on_a_terminal_a_long_line_is_cut_between_words(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    stops = f"{STOPS},ply=0000000000000003"
    assert arena(PLAIN, stops, "--pairs", "1") == 0
    whole = capsys.readouterr().out
    monkeypatch.setattr("p2p_schotten.ui.wrapping.columns_of", lambda stream: 80)
    assert arena(PLAIN, stops, "--pairs", "1") == 0
    cut = capsys.readouterr().out
    assert max(map(len, whole.splitlines())) > 80 > max(map(len, cut.splitlines()))
    assert re.sub(r"\n  (?=\S)", " ", cut.split("  pairs  ")[1]) == whole.split("  pairs  ")[1]


def test_the_same_is_said_to_programs(capsys: Capture) -> None:
    said = report(capsys, PLAIN, f"{STOPS},ply=3", "--pairs", "2", "--set", "claim_timing=start_of_turn")
    assert {key: said[key] for key in ("v", "rules", "flags", "seed", "sealed", "pairs", "games", "over", "sprt")} == {
        "v": 1,
        "rules": "base",
        "flags": {"claim_timing": "start_of_turn"},
        "seed": 1,
        "sealed": False,
        "pairs": 2,
        "games": 4,
        "over": True,
        "sprt": None,
    }
    assert said["bots"] == [
        {"bot": PLAIN, "wins": 4, "draws": 0, "losses": 0, "elo": None, "forfeits": {}, "stopped_late": {}},
        {
            "bot": f"{STOPS},ply=3",
            "wins": 0,
            "draws": 0,
            "losses": 4,
            "elo": None,
            "forfeits": {"crash": 4},
            "stopped_late": {},
        },
    ]
    meetings = said["meetings"]
    assert isinstance(meetings, list)
    (meeting,) = meetings
    assert meeting["begun"] == meeting["awaited"] == {"wins": 2, "draws": 0, "losses": 0}
    assert meeting["pairs"] == [0, 0, 0, 0, 2]
    assert meeting["score"]["low"] == pytest.approx(0.05**0.5)
    assert meeting["elo"]["value"] is meeting["elo"]["high"] is None


def test_a_question_is_answered_as_soon_as_it_is_clear(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    said = report(capsys, PLAIN, GIVES_UP, "--pairs", "1000", "--sprt", "0,200", "--out", str(path))
    # Every pair is won: each counts log(s1 / 0.5) with s1 = 1 / (1 + 10^-0.5) = 0.7597, so eight pass 2.944.
    assert said["sprt"] == {"elo0": 0, "elo1": 200, "verdict": "accepted", "ratio": pytest.approx(8 * 0.4183, abs=0.02)}
    assert said["games"] == 16
    assert len(path.read_bytes().splitlines()) == 17
    assert report(capsys, PLAIN, GIVES_UP, "--sprt", "0,200", "--out", str(path), "--resume") == said


@pytest.fixture
def interrupted() -> Iterator[None]:
    Interrupts.begun = 0
    yield
    Interrupts.begun = 0


@pytest.mark.usefixtures("interrupted")
def test_ctrl_c_keeps_what_is_done_and_resume_makes_the_same_file(capsys: Capture, tmp_path: Path) -> None:
    path, whole = tmp_path / "games.jsonl", tmp_path / "whole.jsonl"
    match = ("uniform", "tests.arena.bots:Interrupts,game=13", "--pairs", "12")
    assert arena(*match, "--out", str(path)) == 4
    said = capsys.readouterr()
    assert said.out.splitlines()[0] == "base, seed 1, pairs: 5, games: 10"
    assert said.err.splitlines() == [
        "schotten: interrupted after 10 games",
        f"hint: --resume goes on with {path}",
    ]
    assert arena(*match, "--out", str(whole)) == 0
    full = capsys.readouterr().out
    assert arena(*match, "--out", str(path), "--resume") == 0
    assert capsys.readouterr().out == full
    assert path.read_bytes() == whole.read_bytes()


def test_more_pairs_are_added_to_a_file_that_was_complete(capsys: Capture, tmp_path: Path) -> None:
    path, whole = tmp_path / "games.jsonl", tmp_path / "whole.jsonl"
    bots = ("uniform", FIRST, PLAIN)
    assert arena(*bots, "--pairs", "2", "--out", str(path)) == 0
    assert arena(*bots, "--pairs", "3", "--out", str(path), "--resume") == 0
    assert arena(*bots, "--pairs", "3", "--out", str(whole), "--resume") == 0
    assert path.read_bytes() == whole.read_bytes()


def test_of_a_file_with_more_pairs_than_are_asked_for_it_is_said_that_only_some_are_shown(
    capsys: Capture, tmp_path: Path
) -> None:
    path = tmp_path / "games.jsonl"
    match = (PLAIN, GIVES_UP, "--out", str(path), "--resume")
    assert arena(*match, "--pairs", "3") == 0
    data = path.read_bytes()
    assert capsys.readouterr().err == ""
    assert arena(*match, "--pairs", "2") == 0
    said = capsys.readouterr()
    assert said.out.splitlines()[0] == "base, seed 1, pairs: 2, games: 4"
    assert said.err == f"{path} holds 3 pairs, and this match is over after the first 2: only they are shown.\n"
    assert path.read_bytes() == data


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((PLAIN,), "2 to 50 bots play each other, not 1"),
        ((PLAIN, "deep"), "'deep' is not a bot"),
        ((PLAIN, PLAIN, "--pairs", "0"), "--pairs"),
        ((PLAIN, PLAIN, "--seed", "-1"), "--seed"),
        ((PLAIN, PLAIN, "--rules", "chess"), "'chess' is not a ruleset"),
        ((PLAIN, PLAIN, "--set", "x=y"), "'x' is not a flag"),
        ((PLAIN, PLAIN, "--sprt", "10,0"), "--sprt 10,0: expected two differences"),
        ((PLAIN, PLAIN, "--sprt", "nan,1"), "--sprt nan,1: expected two differences"),
        ((PLAIN, PLAIN, PLAIN, "--sprt", "0,10"), "--sprt compares two bots, not 3"),
        ((PLAIN, PLAIN, "--resume"), "--resume needs --out FILE"),
        ((PLAIN, PLAIN, "--keep", "x"), "--keep needs --sealed"),
        ((PLAIN, PLAIN, "--json", "--plain"), "--json and --plain exclude each other"),
        ((PLAIN, PLAIN, "--executor", "dask:tcp://a:1"), "--executor and --jobs exclude each other"),
    ],
)
def test_what_cannot_be_meant_is_a_usage_error(capsys: Capture, arguments: tuple[str, ...], named: str) -> None:
    assert arena(*arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert named in said.err.splitlines()[0]


def test_without_dask_nothing_is_played_and_no_file_begun(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    words = ["arena", PLAIN, PLAIN, "--executor", "dask:tcp://127.0.0.1:1", "--out", str(tmp_path / "games.jsonl")]
    assert dispatch(words) == 2
    assert capsys.readouterr().err.startswith("schotten: dask is not installed: ")
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_never_overwritten_and_only_gone_on_with_by_its_own_match(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    match = (PLAIN, GIVES_UP, "--pairs", "1", "--out", str(path))
    assert arena(*match) == 0
    data = path.read_bytes()
    capsys.readouterr()
    assert arena(*match) == 2
    assert capsys.readouterr().err.splitlines()[1] == "hint: --resume goes on with a file of the same match"
    assert arena(PLAIN, PLAIN, "--out", str(path.parent / "nowhere" / "games.jsonl")) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1, "nothing is there to go on with"
    assert arena(*match, "--resume", "--seed", "2") == 2
    assert "it holds another match: seed is 1 there, and 2 here" in capsys.readouterr().err
    assert path.read_bytes() == data


def test_a_sealed_match_keeps_transcripts_that_anybody_can_verify(capsys: Capture, tmp_path: Path) -> None:
    assert arena(PLAIN, GIVES_UP, "--sealed", "--pairs", "1", "--keep", str(tmp_path)) == 0
    files = sorted(tmp_path.rglob("*.schotten"))
    assert [str(file.relative_to(tmp_path)) for file in files] == [
        f"0-1/00000{game}/{seat}.schotten" for game in (0, 1) for seat in (0, 1)
    ]
    assert files[0].read_bytes() == files[1].read_bytes()
    winners = [verify(file.read_bytes()).session.outcome for file in files[::2]]
    assert [outcome is not None and outcome.winner for outcome in winners] == [0, 1]


def test_what_a_bot_prints_does_not_come_between_the_lines_of_a_script(capsys: Capture) -> None:
    assert arena("--json", "tests.arena.bots:Prints", GIVES_UP, "--pairs", "1") == 0
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 1
    for word in ("I am made", "I think Play", "I go"):
        assert word in said.err


class Terminal(io.StringIO):
    """Standard error where somebody looks on."""

    def isatty(self) -> bool:
        return True


def test_on_a_terminal_a_bar_shows_how_far_it_is_with_rate_and_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Terminal()
    monkeypatch.setattr("sys.stderr", shown)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    assert arena(PLAIN, GIVES_UP, "--pairs", "5") == 0
    text = re.sub("\x1b\\[[0-9;?]*[A-Za-z]", "", shown.getvalue())
    assert "0/10 games" in text
    assert re.search(r"10/10 [0-9.]+ games/s +0?0:00", text)


def test_of_slow_bots_the_games_of_a_minute_are_told() -> None:
    assert [games_in_a_time(speed) for speed in (250, 1, 0.5, 0.004)] == [
        *("250.0 games/s", "1.0 games/s", "30.0 games/min", "0.2 games/min")
    ]


@pytest.mark.parametrize("option", ["--plain", "--json"])
def test_who_wants_lines_gets_no_bar(monkeypatch: pytest.MonkeyPatch, option: str) -> None:
    shown = Terminal()
    monkeypatch.setattr("sys.stderr", shown)
    assert arena(PLAIN, GIVES_UP, "--pairs", "5", option) == 0
    assert shown.getvalue() == ""


def test_off_a_terminal_a_line_now_and_then_says_how_far_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr("p2p_schotten.cli.arena_progress.LINE_SECONDS", 0)
    assert arena(PLAIN, GIVES_UP, "--pairs", "2") == 0
    first, last = capsys.readouterr().err.splitlines()
    assert re.fullmatch(r"2 of 4 games, [0-9.]+ games/s, \d+ s left", first)
    assert re.fullmatch(r"4 of 4 games, [0-9.]+ games/s, 0 s left", last)
