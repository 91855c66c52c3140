"""Plays like somebody who is new to the game: as greedy does, but now and then whatever comes to his mind."""

from __future__ import annotations

from random import Random

from p2p_schotten.bots.greedy import Greedy
from p2p_schotten.engine.move import Claim, Move
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.view import View
from p2p_schotten.ids import Seat

ERRS = 0.3  # by trial: it wins one or two games of ten against greedy, in a siege four, and nearly all against uniform


class Easy:
    """The level below greedy."""

    name = "easy"
    _chance: Random

    def __init__(self, errs: float = ERRS) -> None:
        """`errs`: how often, 0 to 1. A claim is never missed."""
        if isinstance(errs, str) or not 0 <= errs <= 1:
            raise TypeError(f"errs is a share from 0 to 1, not {errs}")
        self._errs, self._greedy = errs, Greedy()

    def new_game(self, rules: Ruleset, seat: Seat, random: Random) -> None:
        """Chance decides also when it errs."""
        self._chance = random
        self._greedy.new_game(rules, seat, random)

    def act(self, view: View, legal: tuple[Move, ...]) -> Move:
        """As greedy, or any legal move."""
        if not isinstance(legal[0], Claim) and self._chance.random() < self._errs:
            return self._chance.choice(legal)
        return self._greedy.act(view, legal)
