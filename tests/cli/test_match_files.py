"""What `verify` and `games` make of the transcripts of a match: chains, broken ones, and scores."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from p2p_schotten.cli.main import dispatch
from p2p_schotten.engine.rulesets import BASE
from p2p_schotten.ids import SEATS
from p2p_schotten.match import Rounds, following, new_match, played, standing
from p2p_schotten.protocol.file import HEADER, frame
from p2p_schotten.protocol.messages import Match, Options
from p2p_schotten.protocol.offer import Offer
from p2p_schotten.transcript import verify
from tests.cli.running import schotten, transcripts
from tests.test_match_chains import given_up


@pytest.fixture(scope="module")
def three_games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a match of three base games."""
    home = tmp_path_factory.mktemp("match")
    options = ("--match", "3", "--me", "uniform", "--opponent", "uniform", "--seed", "7", "--name", "ann")
    assert schotten(home, "play", *options).returncode == 0
    return home


def ordered(home: Path) -> list[Path]:
    """Seat 0's files of the match, by number."""
    files = [path for path in transcripts(home) if path.name == "0.schotten"]
    return sorted(files, key=lambda path: verify(path.read_bytes()).session.offer.match.number)


def last_line(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    status = dispatch(["verify", *arguments])
    return status, capsys.readouterr().out.splitlines()[-1]


def test_verify_tells_the_chain_and_the_score_of_a_match_in_words_and_json(
    three_games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = ordered(three_games)
    games = [verify(path.read_bytes()).session for path in files]
    expected = standing(Rounds(3), [played(game) for game in games])
    status, line = last_line(capsys, str(three_games / "games"))
    assert status == 0
    assert "games 1-3; one chain; The match is over" in line
    assert f"ann {expected.points[0]}, uniform {expected.points[1]}." in line
    status, line = last_line(capsys, "--json", *map(str, reversed(files)))
    assert status == 0
    assert json.loads(line) == {
        "v": 1,
        "chain": games[0].offer.match.id.hex(),
        "ok": True,
        "error": "",
        "ids": [game.game_id.hex() for game in games],
        "score": {
            "match": "rounds 3",
            "games": 3,
            "points": list(expected.points),
            "over": True,
            "winner": expected.winner,
        },
    }


def test_verify_of_a_folder_goes_through_the_games_of_a_match_in_their_order(
    three_games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, path in zip("ca", ordered(three_games), strict=False):
        (tmp_path / f"{name}.schotten").write_bytes(path.read_bytes())
    (tmp_path / "b.schotten").write_bytes(b"no game")
    dispatch(["verify", str(tmp_path)])
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(": ")[0] for line in lines[:3]] == [str(tmp_path / f"{name}.schotten") for name in "cab"]


def test_a_match_without_one_of_its_games_is_a_broken_chain(
    three_games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second, third = map(str, ordered(three_games))
    for given, why in (((first, third), "game 2 is not here"), ((second, third), "game 1 is not here")):
        status, line = last_line(capsys, *given)
        assert status == 1
        assert f"; broken chain: {why}" in line
    status, line = last_line(capsys, first, second)
    assert status == 0
    assert "games 1-2; one chain; A match of 3 games, after game 2: ann " in line
    status, line = last_line(capsys, third)
    assert status == 0
    assert line.endswith("game 3; what came before it is not here")


def test_a_game_that_was_never_finished_or_is_damaged_breaks_the_chain_behind_it(
    three_games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second, third = ordered(three_games)
    cut = tmp_path / "cut.schotten"
    cut.write_bytes(first.read_bytes()[:-60])  # the last REVEAL is cut off
    status, line = last_line(capsys, str(cut), str(second), str(third))
    assert status == 1
    assert "; broken chain: game 1 is not valid" in line
    changed = bytearray(second.read_bytes())
    changed[len(changed) // 2] ^= 1
    cut.write_bytes(changed)
    status, line = last_line(capsys, str(first), str(cut), str(third))
    assert status == 1
    assert "; broken chain: game 2 is not valid" in line


def write(folder: Path, offer: Offer) -> Path:
    """The transcript of a game by that offer, given up at once."""
    peer = given_up(offer)
    path = folder / f"{peer.session.game_id.hex()}.schotten"
    path.write_bytes(HEADER + b"".join(map(frame, peer.records)))
    return path


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (
            lambda match: replace(match, previous=bytes(32)),
            "game 2 does not follow game 1: place in the match: mine game",
        ),
        (None, "two games have the number 2"),
    ],
    ids=["another past", "two futures"],
)
def test_games_that_are_each_valid_are_no_chain_when_they_do_not_follow(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    change: Callable[[Match], Match] | None,
    why: str,
) -> None:
    first = write(tmp_path, Offer(BASE, Options(SEATS[0], "rounds 3"), new_match(Rounds(3), os.urandom)))
    offer = following(verify(first.read_bytes()).session)
    write(tmp_path, offer if change is None else replace(offer, match=change(offer.match)))
    if change is None:
        write(tmp_path, offer)
    status = dispatch(["verify", str(tmp_path)])
    lines = capsys.readouterr().out.splitlines()
    count = 2 if change else 3
    assert all(": valid, over, sealed by both" in file for file in lines[:count])
    assert status == 1
    told = sorted(lines[count:])
    assert "game 1; one chain; A match of 3 games, after game 1: ann 0, bob 5." in told[0]
    assert len(told) == count
    assert all(f": game 2; broken chain: {why}" in line for line in told[1:])


def test_games_lists_a_match_with_its_score_and_says_when_there_is_nothing(three_games: Path, tmp_path: Path) -> None:
    results = [played(verify(path.read_bytes()).session) for path in ordered(three_games)]
    listed = schotten(three_games, "games")
    assert listed.returncode == 0
    head, *rows = listed.stdout.splitlines()
    assert head.split() == ["date", "game", "rules", "result", "match", "against"]
    for count, (row, path) in enumerate(zip(rows, ordered(three_games), strict=True), 1):
        total = standing(Rounds(3), results[:count]).points
        outcome = results[count - 1].outcome
        word = "drawn" if outcome.winner is None else ("won", "lost")[outcome.winner]
        wanted = rf"[-\d]+ [:\d]+  {path.parent.name[:12]}  base +{word} {outcome.points[0]}-{outcome.points[1]} +"
        assert re.fullmatch(rf"{wanted}{count}/3 {total[0]}-{total[1]} +uniform", row)
    empty = schotten(tmp_path, "games")
    assert (empty.returncode, empty.stdout) == (0, "No games yet: schotten play begins one.\n")
    assert list(tmp_path.iterdir()) == []


def test_games_names_a_folder_in_which_none_can_be_read_and_lists_the_others(three_games: Path, tmp_path: Path) -> None:
    shutil.copytree(three_games, tmp_path / "home")
    games = tmp_path / "home" / "games"
    (games / "empty").mkdir()
    (games / "strange").mkdir()
    (games / "strange" / "0.schotten").write_bytes(b"what is this?")
    listed = schotten(tmp_path / "home", "games")
    assert listed.returncode == 0
    lines = listed.stdout.splitlines()
    assert len(lines) == 1 + 3 + 2
    assert lines[4] == f"{games / 'empty'}: no game can be read there: no transcript"
    assert lines[5].startswith(f"{games / 'strange'}: no game can be read there: ")
