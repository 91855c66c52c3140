"""The words of a game: a wall is made of tiles, and every other game has stones."""

from __future__ import annotations

import re

from p2p_schotten.engine.ruleset import Ruleset

_STONE = re.compile(r"(?<![{\w])(s|S)tone(s?)(?![}\w])")  # the word, not a field of that name


def said(rules: Ruleset, sentence: str) -> str:
    """The sentence, its fields still empty, as it is said in that game: in a siege `stone 3` is `tile 3`."""
    if rules.siege is None:
        return sentence
    return _STONE.sub(lambda found: ("Tile" if found[1] == "S" else "tile") + found[2], sentence)
