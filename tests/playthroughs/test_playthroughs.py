"""The games in this folder are played exactly as they stand there."""

from __future__ import annotations

import pytest

from p2p_schotten.engine.rulesets import RULESETS
from tests.playthroughs.words import played
from tests.playthroughs.write import FOLDER, PLAYTHROUGHS, playthrough


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_the_game_is_played_as_it_is_written(name: str) -> None:
    written = (FOLDER / f"{name}.txt").read_text()
    assert playthrough(name) == written, "when the change is meant: python -m tests.playthroughs.write, read the diff"


def test_every_file_belongs_to_a_game() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == sorted(PLAYTHROUGHS)


def test_every_ruleset_has_a_game_and_every_tactic_card_is_played_in_one() -> None:
    assert {rules.name for rules, _, _ in PLAYTHROUGHS.values()} == set(RULESETS)
    for name, rules in RULESETS.items():
        texts = [(FOLDER / f"{file}.txt").read_text() for file, game in PLAYTHROUGHS.items() if game[0] == rules]
        faces = {card.text for card in rules.cards if card.power is not None}
        assert set().union(*(played(rules, text) for text in texts)) == faces, name
