"""The games in this folder are played exactly as they stand there."""

from __future__ import annotations

import pytest

from tests.playthroughs.write import FOLDER, PLAYTHROUGHS, playthrough


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_the_game_is_played_as_it_is_written(name: str) -> None:
    written = (FOLDER / f"{name}.txt").read_text()
    assert playthrough(name) == written, "when the change is meant: python -m tests.playthroughs.write, read the diff"


def test_every_file_belongs_to_a_game() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == sorted(PLAYTHROUGHS)
