"""The file of results: what stands in it, that a cut costs nothing, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import p2p_schotten
from p2p_schotten.arena.batch import play_batch
from p2p_schotten.arena.game import Result, Stopped
from p2p_schotten.arena.lines import MAX_LINE, game_lines
from p2p_schotten.arena.plan import Game, Place, Plan
from p2p_schotten.arena.results import Pair, ResultsError, new_results, old_results
from p2p_schotten.bots.base import Fault
from p2p_schotten.bots.finding import MAX_SPEC
from p2p_schotten.bots.seated import SHOWN_FAULT
from p2p_schotten.cli.arena import MOST_BOTS
from p2p_schotten.ids import SEATS
from tests.arena.plans import FIRST, PLAIN, plan

MATCH = plan(FIRST, "tests.arena.bots:Stops,ply=7")


def pairs_of(match: Plan, count: int) -> list[Pair]:
    """The first pairs of a match."""
    played = [game.game for game in play_batch(match, range(count))]
    return list(zip(played[::2], played[1::2], strict=True))


PAIRS = pairs_of(MATCH, 3)


def written(path: Path, pairs: list[Pair], match: Plan = MATCH) -> bytes:
    """A file with these pairs."""
    with new_results(path, match) as results:
        for number, pair in enumerate(pairs):
            results.add(match, number, pair)
    return path.read_bytes()


def passed_over(pair: Pair) -> None:
    """For who only wants to know whether the file is taken."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.jsonl"


def test_the_header_says_which_match_it_is(path: Path) -> None:
    header = json.loads(written(path, []))
    assert header == {
        "arena": 1,
        "version": p2p_schotten.__version__,
        "rules": "base",
        "flags": {},
        "digest": MATCH.digest,
        "seed": 1,
        "sealed": False,
        "bots": list(MATCH.bots),
    }


def test_a_game_is_a_line_of_these_fields() -> None:
    ended = Game(6, (0, 2), SEATS[1], Result(SEATS[1], "five stones", (3, 5), 44))
    stopped = Stopped(SEATS[0], Fault.SILENCE, "zzz")
    cut = Game(7, (2, 0), SEATS[1], Result(SEATS[1], "forfeit", (1, 5), 12, (stopped,)))
    assert game_lines(Place((0, 2), 3), (ended, cut)) == (
        b'{"bots": [0, 2], "game": 6, "pair": 3, "seats": [0, 2], "first": 1, "winner": 2, '
        b'"reason": "five stones", "points": [3, 5], "plies": 44}\n'
        b'{"bots": [0, 2], "game": 7, "pair": 3, "seats": [2, 0], "first": 1, "winner": 0, '
        b'"reason": "forfeit", "points": [1, 5], "plies": 12, "stopped": 2, "fault": "silence", "why": "zzz"}\n'
    )


BOTH_STOP = plan("tests.arena.bots:Stops,when=over", "tests.arena.bots:Stops,when=ended")


def test_a_line_names_both_who_stopped_at_the_end(path: Path) -> None:
    (pair,) = pairs_of(BOTH_STOP, 1)
    lines = written(path, [pair], BOTH_STOP).splitlines()[1:]
    for number, line in enumerate(lines):
        fields = json.loads(line)
        assert list(fields)[-4:] == ["stopped", "fault", "why", "also"]
        assert list(fields["also"]) == ["stopped", "fault", "why"]
        assert [fields["stopped"], fields["also"]["stopped"]] == fields["seats"] == [number, 1 - number]
        over, ended = (fields, fields["also"])[:: (1, -1)[number]]
        assert "is it over?" in over["why"]
        assert "do not tell me" in ended["why"]
    read: list[Pair] = []
    with old_results(path, BOTH_STOP, read.append):
        assert read == [pair]


def test_the_longest_sentences_fit_in_a_line(path: Path) -> None:
    said = (SHOWN_FAULT - 1) * "\N{GAME DIE}" + "…"
    stopped = tuple(Stopped(seat, Fault.ILLEGAL, said) for seat in SEATS)
    ended = Result(None, "nobody can play any more", (0, 0), 9, stopped)
    pair = Game(0, (0, 1), SEATS[0], ended), Game(1, (1, 0), SEATS[0], ended)
    written(path, [pair], BOTH_STOP)
    read: list[Pair] = []
    with old_results(path, BOTH_STOP, read.append):
        assert read == [pair]


def test_of_a_game_that_was_forfeited_only_one_has_stopped(path: Path) -> None:
    stopped = tuple(Stopped(seat, Fault.EXIT, "gone") for seat in SEATS)
    lost = Result(SEATS[1], "forfeit", (0, 5), 9, stopped)
    written(path, [(Game(0, (0, 1), SEATS[0], lost), Game(1, (1, 0), SEATS[0], lost))], BOTH_STOP)
    with pytest.raises(ResultsError, match="line 2 and the next: a line of game 0 gives no reason why it ended"):
        old_results(path, BOTH_STOP, passed_over)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"also": {"stopped": 1', '"also": {"stopped": 0'),
        ('"also": {"stopped": 1', '"also": {"stopped": 2'),
        ('"also": {"stopped": 1, "fault": "crash"', '"also": {"stopped": 1, "fault": "flu"'),
        ('"also": {"stopped": 1', '"also": {"also": {}, "stopped": 1'),
        ('"also": {', '"also": 7, "x": {'),
        ('"stopped": 0, "fault"', '"halted": 0, "fault"'),
    ],
)
def test_a_line_that_names_others_who_stopped_is_refused(path: Path, old: str, new: str) -> None:
    header, line, *rest = written(path, pairs_of(BOTH_STOP, 1), BOTH_STOP).splitlines(keepends=True)
    assert old.encode() in line
    changed = b"".join((header, line.replace(old.encode(), new.encode(), 1), *rest))
    path.write_bytes(changed)
    with pytest.raises(ResultsError, match="line 2 and the next"):
        old_results(path, BOTH_STOP, passed_over)
    assert path.read_bytes() == changed


def test_what_was_written_is_read_again(path: Path) -> None:
    data = written(path, PAIRS)
    pairs: list[Pair] = []
    with old_results(path, MATCH, pairs.append):
        assert pairs == PAIRS
    assert path.read_bytes() == data
    assert [name.name for name in path.parent.iterdir()] == [path.name]


def test_a_file_that_was_cut_anywhere_goes_on_as_if_nothing_had_been(path: Path) -> None:
    whole = written(path, PAIRS)
    for size in range(0, len(whole), 37):
        path.write_bytes(whole[:size])
        pairs: list[Pair] = []
        with old_results(path, MATCH, pairs.append) as results:
            assert pairs == PAIRS[: len(pairs)]
            assert len(pairs) == max(0, whole[:size].count(b"\n") - 1) // 2
            for number in range(len(pairs), len(PAIRS)):
                results.add(MATCH, number, PAIRS[number])
        assert path.read_bytes() == whole, size


@pytest.mark.parametrize(
    ("other", "named"),
    [
        (plan(*MATCH.bots, seed=2), "seed is 1 there, and 2 here"),
        (plan(*MATCH.bots, rules="siege"), 'rules is "base" there, and "siege" here'),
        (plan(*MATCH.bots[::-1]), "bots is "),
        (plan(*MATCH.bots, sealed=True), "sealed is false there, and true here"),
        (plan(*MATCH.bots, PLAIN), "bots is "),
    ],
)
def test_the_file_of_another_match_is_refused_in_a_sentence_and_stays_as_it_is(
    path: Path, other: Plan, named: str
) -> None:
    data = written(path, PAIRS[:1])
    with pytest.raises(ResultsError, match="it holds another match: ") as caught:
        old_results(path, other, passed_over)
    assert named in str(caught.value)
    assert path.read_bytes() == data


def test_the_file_of_another_version_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(path, PAIRS[:1])
    monkeypatch.setattr(p2p_schotten, "__version__", "9.9")
    with pytest.raises(ResultsError, match=r'version is "[^"]+" there, and "9.9" here'):
        old_results(path, MATCH, passed_over)


CHANGES = {
    "a winner who did not play": ('"winner": 0', '"winner": 5'),
    "no such reason": ('"reason": "forfeit"', '"reason": "boredom"'),
    "a forfeit of nobody": (', "stopped": 1, "fault": "crash"', ', "halted": 1, "fault": "crash"'),
    "no such fault": ('"fault": "crash"', '"fault": "flu"'),
    "no sentence": ('"why": "', '"why": 7, "x": "'),
    "points that are none": ('"points": [5, 0]', '"points": [true, 0]'),
    "points of one seat": ('"points": [5, 0]', '"points": [5]'),
    "plies below nothing": ('"plies": 7', '"plies": -7'),
    "another game": ('"game": 0', '"game": 4'),
    "another first seat": ('"first": 0', '"first": 1'),
    "a field more": ('"pair": 0', '"pair": 0, "time": 7'),
    "other spaces": ('"pair": 0', '"pair":0'),
    "no JSON": ('{"bots": [0, 1], "game": 0', '{"bots": [0, 1] "game": 0'),
    "no object": ('{"bots": [0, 1], "game": 0', '[{"bots": [0, 1], "game": 0'),
    "a huge number": ('"plies": 7', f'"plies": {"9" * 3000}'),
    "a line without end": ('"why": "', f'"why": "{"x" * MAX_LINE}'),
    "bytes that are no text": ('"why": "', '"why": "\xff'),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_line_that_the_arena_did_not_write_is_refused_and_stays_as_it_is(path: Path, change: str) -> None:
    old, new = CHANGES[change]
    data = written(path, PAIRS)
    assert old.encode() in data
    changed = data.replace(old.encode(), new.encode("latin-1"), 1)
    path.write_bytes(changed)
    with pytest.raises(ResultsError, match=r"^.*games\.jsonl: ") as caught:
        old_results(path, MATCH, passed_over)
    assert len(str(caught.value)) < 400
    assert path.read_bytes() == changed


def test_lines_in_another_order_are_refused(path: Path) -> None:
    header, *lines = written(path, PAIRS).splitlines(keepends=True)
    path.write_bytes(b"".join((header, *lines[2:], *lines[:2])))
    with pytest.raises(ResultsError, match="there is another line where game 0 of bots"):
        old_results(path, MATCH, passed_over)


@pytest.mark.parametrize("data", [b"hello\n", b"x", b"{}\n", b'{"arena": 2}\n', b"\xff" * 70_000])
def test_any_other_file_is_refused_and_stays_as_it_is(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    with pytest.raises(ResultsError):
        old_results(path, MATCH, passed_over)
    assert path.read_bytes() == data


def test_a_new_file_takes_the_place_of_no_other(path: Path) -> None:
    path.write_bytes(b"mine")
    with pytest.raises(ResultsError, match="exists already, and is not overwritten"):
        new_results(path, MATCH)
    assert path.read_bytes() == b"mine"


def test_the_longest_header_is_read_again_and_a_longer_one_costs_no_results(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = plan(*["cmd:" + "\N{GAME DIE}" * (MAX_SPEC - 4)] * MOST_BOTS)
    kept = written(path, PAIRS[:1], match)
    found: list[Pair] = []
    with old_results(path, match, found.append):
        assert found == PAIRS[:1]
    assert path.read_bytes() == kept
    monkeypatch.setattr("p2p_schotten.arena.results.MAX_HEADER", 1000)
    with pytest.raises(ResultsError, match="it is no file of results of the arena"):
        old_results(path, match, passed_over)
    assert path.read_bytes() == kept


@pytest.mark.parametrize("how", ["symlink_to", "hardlink_to"])
def test_nobody_else_writes_the_file_by_another_name_of_it_either(path: Path, how: str) -> None:
    link = path.with_name("link.jsonl")
    with new_results(path, MATCH):
        getattr(link, how)(path)
        with pytest.raises(ResultsError, match=r"link\.jsonl: another arena writes this file"):
            old_results(link, MATCH, passed_over)
    with old_results(link, MATCH, passed_over) as results:
        results.add(MATCH, 0, PAIRS[0])
    assert path.read_bytes().count(b"\n") == 3


def test_no_file_is_touched_but_that_of_the_results(path: Path) -> None:
    other = path.with_name(f"{path.name}.lock")  # as poetry.lock beside poetry
    other.write_bytes(b"mine")
    with new_results(path, MATCH):
        assert sorted(path.parent.iterdir()) == [path, other]
    assert other.read_bytes() == b"mine"


def test_who_begins_the_same_new_file_a_moment_later_takes_nothing_away(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("p2p_schotten.arena.results.flock", lambda _file: path.write_bytes(b"theirs"))
    with pytest.raises(ResultsError, match="exists already, and is not overwritten"):
        new_results(path, MATCH)
    assert path.read_bytes() == b"theirs"


def test_a_link_that_leads_nowhere_is_named(path: Path) -> None:
    path.symlink_to("nowhere")
    with pytest.raises(ResultsError, match="is a link that leads nowhere"):
        new_results(path, MATCH)
    assert [name.name for name in path.parent.iterdir()] == [path.name]


def test_nobody_else_writes_the_file_meanwhile(path: Path) -> None:
    with new_results(path, MATCH), pytest.raises(ResultsError, match="another arena writes this file"):
        old_results(path, MATCH, passed_over)
    with old_results(path, MATCH, passed_over):
        pass


def test_a_folder_that_is_not_there_and_what_is_no_file_are_named(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match="there is no folder "):
        new_results(tmp_path / "none" / "games.jsonl", MATCH)
    with pytest.raises(ResultsError, match="is no file"):
        old_results(tmp_path, MATCH, passed_over)
