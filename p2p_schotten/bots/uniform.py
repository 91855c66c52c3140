"""Any legal move, each as likely as the others: the yardstick below which nothing counts as play."""

from __future__ import annotations

from random import Random

from p2p_schotten.engine.move import Move
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.view import View
from p2p_schotten.ids import Seat


class Uniform:
    """Chooses among the legal moves with equal chances."""

    name = "uniform"
    _random: Random

    def new_game(self, rules: Ruleset, seat: Seat, random: Random) -> None:
        """Chance is all that it needs."""
        self._random = random

    def act(self, view: View, legal: tuple[Move, ...]) -> Move:
        """One of `legal`."""
        return self._random.choice(legal)
