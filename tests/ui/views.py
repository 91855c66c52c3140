"""A position in the middle of a turn, as ann sees it."""

from __future__ import annotations

from p2p_schotten.engine.view import Memory, View
from tests.engine.positions import ME, cards, position, stone

STATE = position({0: stone("B8 B9", "R7")})
VIEW = View(ME, STATE, cards("G5 R2"), Memory())
