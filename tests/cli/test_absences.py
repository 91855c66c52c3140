"""What `verify` and `games` say of wins by absence beside a game that stands unfinished."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from p2p_schotten.absence import Absence, write_absence
from p2p_schotten.cli.main import dispatch
from p2p_schotten.ids import SEATS
from p2p_schotten.protocol.absent import Word
from p2p_schotten.protocol.file import HEADER, frame, read_file
from p2p_schotten.protocol.record import head_of
from p2p_schotten.transcript import verify

GOLDEN = Path(__file__).parents[1] / "golden" / "base.format-1.schotten"
ANN, BOB = SEATS
ITEMS = read_file(GOLDEN.read_bytes()).items
STANDS = 5  # records of the game that stands unfinished: both have committed, and seat 0 has opened
GAME = verify(GOLDEN.read_bytes()).session.game_id
WIN = Absence(GAME, STANDS, head_of(ITEMS[STANDS - 1]), ANN, 66, 1_700_000_000)
ONLY_WORD = "this is his word only: nobody can verify time"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the golden game in a home, with both seats' journals as long as the game stands."""
    monkeypatch.setenv("SCHOTTEN_HOME", str(tmp_path))
    below = tmp_path / "games" / GAME.hex()
    below.mkdir(parents=True)
    for seat in SEATS:
        written(below / f"{seat}.schotten", STANDS)
    return below


def written(path: Path, count: int) -> None:
    path.write_bytes(HEADER + b"".join(map(frame, ITEMS[:count])))


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """The lines of `verify`, which is never content with an unfinished game."""
    assert dispatch(["verify", *arguments]) == 1
    return capsys.readouterr().out.splitlines()


def test_a_recorded_win_is_told_as_the_word_of_one_seat(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_absence(folder / "0.absence", WIN)
    first, _second, line = said(capsys, str(folder))
    assert "valid, unfinished" in first
    assert line == (
        f"{folder}/0.absence: Ann (seat 0) recorded after 5 records that Ann (seat 0) wins by absence: Bob (seat 1) "
        f"was away for 66 seconds; he has no answer of the other side; the transcript is unfinished; {ONLY_WORD}"
    )


@pytest.mark.parametrize("named", ["0.schotten", "0.absence"])
def test_it_is_found_by_its_transcript_by_its_own_name_and_by_the_id_of_the_game(
    folder: Path, capsys: pytest.CaptureFixture[str], named: str
) -> None:
    write_absence(folder / "0.absence", WIN)
    transcript, line = said(capsys, str(folder / named))
    assert transcript.startswith(f"{folder}/0.schotten: valid, unfinished")
    assert line.startswith(f"{folder}/0.absence: Ann (seat 0) recorded")
    assert said(capsys, GAME.hex()[:12])[-1] == line


def test_a_loss_that_was_admitted_is_told_too_and_both_files_say_the_same(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for seat in SEATS:
        write_absence(folder / f"{seat}.absence", replace(WIN, answer=Word.AGREED))
    *_transcripts, mine, theirs, both = said(capsys, str(folder))
    assert "; he says that the other side agrees; the transcript is unfinished" in mine
    assert "1.absence: Bob (seat 1) recorded after 5 records that Ann (seat 0) wins" in theirs
    assert both == f"game {GAME.hex()[:12]}: both seats recorded the same win by absence: their word, and no proof"


def test_two_seats_that_recorded_different_things_are_told_to_differ(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_absence(folder / "0.absence", replace(WIN, answer=Word.BOTH))
    write_absence(folder / "1.absence", replace(WIN, by=BOB, answer=Word.BOTH))
    *_transcripts, mine, _theirs, both = said(capsys, str(folder))
    assert "; he says that the other side differs; " in mine
    assert both == (f"game {GAME.hex()[:12]}: the two seats recorded different things: no file can say who was away")


def test_what_no_longer_counts_is_said_to_be_past(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_absence(folder / "0.absence", WIN)
    written(folder / "0.schotten", STANDS + 1)
    assert "; the game went on after it; " in said(capsys, str(folder / "0.schotten"))[-1]
    written(folder / "0.schotten", len(ITEMS))
    assert dispatch(["verify", str(folder / "0.schotten")]) == 0
    assert "; the game went on to its end, and that counts; " in capsys.readouterr().out.splitlines()[-1]


def test_what_belongs_to_another_game_or_branch_is_said_not_to_fit(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for absence in (replace(WIN, game=bytes(32)), replace(WIN, head=b"\1" * 32), replace(WIN, seq=STANDS + 1)):
        write_absence(folder / "0.absence", absence)
        assert "; the transcript beside it does not lead there; " in said(capsys, str(folder))[-1]


def test_a_file_that_stands_alone_or_is_damaged_is_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_absence(folder / "0.absence", WIN)
    (folder / "0.schotten").unlink()
    (line,) = said(capsys, str(folder / "0.absence"))
    assert line.startswith(f"{folder}/0.absence: seat 0 recorded after 5 records that seat 0 wins by absence")
    assert "; the transcript is not among these files; " in line
    (folder / "1.absence").write_text("{}")
    assert said(capsys, str(folder))[-1] == f"{folder}/1.absence: not the record of a win by absence"
    assert said(capsys, str(folder / "2.absence")) == [f"{folder}/2.absence: no such file"]


def test_the_same_in_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_absence(folder / "0.absence", WIN)
    write_absence(folder / "1.absence", replace(WIN, by=BOB, answer=Word.BOTH))
    *_transcripts, mine, theirs, both = map(json.loads, said(capsys, "--json", str(folder)))
    assert mine == {
        "v": 1,
        "file": f"{folder}/0.absence",
        "proven": False,
        "absence": {
            "seat": 0,
            "game": GAME.hex(),
            "by": 0,
            "record": 5,
            "seconds": 66,
            "when": 1_700_000_000,
            "agreed": None,
            "stands": True,
        },
    }
    assert (theirs["absence"]["agreed"], theirs["absence"]["stands"]) == (False, False)
    assert both == {"v": 1, "game": GAME.hex(), "same": False, "proven": False}
    documented = (Path(__file__).parents[2] / "docs" / "json.md").read_text()
    for word in (*mine, *mine["absence"], *both):
        assert f"`{word}`" in documented, word


@pytest.mark.parametrize(
    ("absence", "result"),
    [
        (WIN, "won (absent)"),
        (replace(WIN, answer=Word.AGREED), "won (absent)"),
        (replace(WIN, by=BOB, answer=Word.AGREED), "lost (absent)"),
        (replace(WIN, answer=Word.SHORT), "unfinished"),
        (replace(WIN, head=b"\1" * 32), "unfinished"),
    ],
)
def test_games_shows_who_was_absent(
    folder: Path, capsys: pytest.CaptureFixture[str], absence: Absence, result: str
) -> None:
    write_absence(folder / "0.absence", absence)
    assert dispatch(["games"]) == 0
    _head, row = capsys.readouterr().out.splitlines()
    assert f"  {result}  " in row


def test_games_shows_a_game_also_when_the_file_beside_it_is_damaged(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "0.absence").write_text("{}")
    assert dispatch(["games"]) == 0
    _head, row, strange = capsys.readouterr().out.splitlines()
    assert "  unfinished  " in row
    assert strange == f"{folder}/0.absence: not the record of a win by absence"
