"""Looks one card ahead: it raises the worth of its own sides, and claims whatever it can prove.

A full side is worth its key; another one 0.55 x the best key that its own hand makes of it + 0.36 x the best key that
any unseen card makes of it (weights chosen by trial).
"""

from __future__ import annotations

from random import Random

from p2p_schotten.engine.formation import Side, best, with_card
from p2p_schotten.engine.move import Claim, Move, Play
from p2p_schotten.engine.view import View

OWN, ANY = 0.55, 0.36


class Greedy:
    """Plays in well under a millisecond. Of moves that are worth the same it takes one at random."""

    name = "greedy"

    def __init__(self, random: Random) -> None:
        self._random = random

    def choose(self, view: View) -> Move:
        """A claim when there is one, else the play that raises the worth of a side most."""
        choices = view.choices()
        claims = [move for move in choices if isinstance(move, Claim)]
        if claims:
            return claims[0]
        plays = [move for move in choices if isinstance(move, Play)]
        state = view.state
        hand = sum(1 << card for card in view.hand)
        now = [worth(stone.sides[view.seat], hand, state.unseen) for stone in state.stones]
        gains = []
        for move in plays:
            bit = 1 << move.card
            side = with_card(state.stones[move.stone].sides[view.seat], move.card)
            gains.append(worth(side, hand ^ bit, state.unseen ^ bit) - now[move.stone])
        most = max(gains)
        return self._random.choice([move for move, gain in zip(plays, gains, strict=True) if gain == most])


def worth(side: Side, hand: int, unseen: int) -> float:
    """What the side is worth to its owner, in units of a key; `hand` and `unseen` are sets of cards."""
    if side.full:
        return side.key
    return OWN * best(side, hand)[0] + ANY * best(side, unseen)[0]
