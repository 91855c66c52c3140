"""Sides and stones of every game of the family by their texts, for the engine and for the oracle alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from p2p_schotten.engine.formation import Side, Terms, side_of
from p2p_schotten.engine.ruleset import Contest, Ruleset
from p2p_schotten.engine.rulesets import BATTLE_LINE, SIEGE_TACTIC, TACTIC
from p2p_schotten.ids import CardId
from tests.engine.oracle import FLAG, STONE, WALL, Place

RULES: Mapping[str, Ruleset] = {STONE.letters: TACTIC, FLAG.letters: BATTLE_LINE, WALL.letters: SIEGE_TACTIC}


def terms_of(place: Place) -> Terms:
    """The same stone for the engine."""
    rules = RULES[place.letters]
    return Terms(rules.grid, place.size, Contest(place.contest), rules.wilds, place.bonus)


def ids(texts: Iterable[str], place: Place) -> tuple[CardId, ...]:
    """The cards, ascending; a text that stands there twice takes its cards in turn."""
    found: list[CardId] = []
    for text in texts:
        found.append(next(card for card in RULES[place.letters].named(text) if card not in found))
    return tuple(sorted(found))


def side_at(texts: Iterable[str], place: Place) -> Side:
    """The side with these cards."""
    return side_of(terms_of(place), ids(texts, place))


def bits(texts: Iterable[str], place: Place) -> int:
    """The set of these cards."""
    return sum(1 << card for card in ids(texts, place))
