"""The rulesets by name. A new game is a new value here."""

from __future__ import annotations

from collections.abc import Mapping

from p2p_schotten.engine.cards import numbered_cards
from p2p_schotten.engine.ruleset import ClaimWindow, Contest, Deck, Ruleset, Tile
from p2p_schotten.errors import Unreadable

BASE = Ruleset(
    name="base",
    decks=(Deck("clan", numbered_cards("RGBYPN", 1, 9)),),
    hand_size=6,
    tiles=(Tile(3, Contest.ANY),) * 9,
    claims=ClaimWindow.AFTER_PLAY,
    adjacent=3,
    majority=5,
    win_points=5,
)

RULESETS: Mapping[str, Ruleset] = {rules.name: rules for rules in (BASE,)}


def ruleset(name: str) -> Ruleset:
    """The ruleset called `name`. Raises Unreadable with the known names."""
    found = RULESETS.get(name)
    if found is None:
        raise Unreadable(f"{name[:40]!r} is not a ruleset: known are {', '.join(RULESETS)}")
    return found
