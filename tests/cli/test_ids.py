"""A game in the home folder is named by the beginning of its id, where no file has that name."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2p_schotten.cli.files import by_id, found
from p2p_schotten.errors import Unreadable

ONE, TWO = "abcd12" + "0" * 58, "abcd34" + "0" * 58


@pytest.fixture(autouse=True)
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two games whose ids begin alike; only the first has both transcripts."""
    monkeypatch.setenv("SCHOTTEN_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for game, seats in ((ONE, "01"), (TWO, "1")):
        (tmp_path / "games" / game).mkdir(parents=True)
        for seat in seats:
            (tmp_path / "games" / game / f"{seat}.schotten").write_bytes(b"")
    return tmp_path / "games"


def test_a_unique_beginning_names_the_folder_or_one_transcript_of_it(games: Path) -> None:
    assert by_id("abcd1") == str(games / ONE)
    assert by_id("abcd1", one=True) == str(games / ONE / "0.schotten")
    assert by_id(TWO, one=True) == str(games / TWO / "1.schotten")
    assert list(found(["abcd1"])) == [(str(games / ONE / f"{seat}.schotten"), "") for seat in "01"]


def test_a_file_of_that_name_comes_first(games: Path) -> None:
    Path("abcd1").write_bytes(b"")
    assert by_id("abcd1") == "abcd1"


@pytest.mark.parametrize("name", ["abc", "ABCD1", "abcd1.schotten", "-", "../abcd1", "*bcd1", "a" * 65])
def test_what_is_no_beginning_of_an_id_stays_a_name(name: str) -> None:
    assert by_id(name) == name


def test_an_ambiguous_or_unknown_beginning_is_said_in_words() -> None:
    with pytest.raises(Unreadable, match=r"^abcd fits 2 games: type more digits of the id that schotten games shows$"):
        by_id("abcd")
    with pytest.raises(Unreadable, match=r"^abce: no such file, and no game here has an id that begins so$"):
        by_id("abce")
    assert list(found(["abcd"])) == [
        ("abcd", "abcd fits 2 games: type more digits of the id that schotten games shows")
    ]
