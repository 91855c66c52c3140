"""Any legal move, each as likely as the others: the yardstick below which nothing counts as play."""

from __future__ import annotations

from random import Random

from p2p_schotten.engine.move import Move
from p2p_schotten.engine.view import View


class Uniform:
    """Chooses among the legal moves with equal chances."""

    name = "uniform"

    def __init__(self, random: Random) -> None:
        self._random = random

    def choose(self, view: View) -> Move:
        """One of `view.choices()`, which must not be empty."""
        return self._random.choice(view.choices())
