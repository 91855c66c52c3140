"""Looks one decision ahead: it claims whatever it can prove, and plays what gains most at the stones.

It values stones as `outlook` says, moves as `ruses` says, and of moves that gain the same takes one at random.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from random import Random
from typing import assert_never

from p2p_schotten.bots.outlook import Outlook, fitted
from p2p_schotten.bots.ruses import gains, price
from p2p_schotten.bots.worth import Pool
from p2p_schotten.engine.move import Claim, Discard, Draw, Move, Oil, Retreat
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.state import Phase, State, ground_terms
from p2p_schotten.engine.table import hidden_cards
from p2p_schotten.engine.tactics import has_laid_joker
from p2p_schotten.engine.view import View
from p2p_schotten.ids import CardId, DeckId, Seat, other

_BEFORE = (Oil, Retreat)


class Greedy:
    """Plays in about a millisecond."""

    name = "greedy"
    _random: Random
    _last: Outlook | None
    _whole: Pool | None

    def new_game(self, rules: Ruleset, seat: Seat, random: Random) -> None:
        """Chance decides between moves that gain the same."""
        self._random = random
        self._last = self._whole = None

    def among(self, whole: Pool) -> None:
        """The game is one of many that begin with these cards unseen."""
        self._whole = whole

    def act(self, view: View, legal: tuple[Move, ...]) -> Move:
        """A claim when there is one, else the move that gains most."""
        phase = view.state.phase
        if isinstance(legal[0], Claim):
            return legal[0]
        match phase:
            case Phase.PLAY | Phase.POUR:
                return self._play(view, legal)
            case Phase.CLAIM | Phase.SCOUT:
                return _drawn(view, legal)
            case Phase.RETURN | Phase.GIVE:
                return parted(view, legal)[0]
            case Phase.CLEAR:
                return _discarded(view.state, legal)
            case Phase.OVER:
                raise AssertionError("a game that is over leaves no choice")
            case _:
                assert_never(phase)

    def _play(self, view: View, choices: Sequence[Move]) -> Move:
        outlook = self._last = Outlook(view, self._last, self._whole)
        values = gains(outlook, choices)
        if outlook.rules.siege is not None:
            before = [(move, gain) for move, gain in zip(choices, values, strict=True) if isinstance(move, _BEFORE)]
            values = [gain for move, gain in zip(choices, values, strict=True) if not isinstance(move, _BEFORE)]
            choices = [move for move in choices if not isinstance(move, _BEFORE)]
            if before:
                # Oil and retreats cost no play. A retreat also makes room for a card that would spoil something
                # elsewhere.
                first, most = max(before, key=_second)
                if most > 0 or (isinstance(first, Retreat) and most > max(values, default=-inf)):
                    return first
        most = max(values)
        if values.count(most) == 1:
            return self._random.choice([choices[values.index(most)]])  # the chances of a seed do not shift
        return self._random.choice([move for move, gain in zip(choices, values, strict=True) if gain == most])


def _second(valued: tuple[Move, float]) -> float:
    return valued[1]


def _drawn(view: View, choices: Sequence[Move]) -> Move:
    """From the deck of tactic cards when the seat may play one and holds none of use, else from the first deck."""
    state, tactics = view.state, view.state.beside.tactics
    held = [card for card in view.hand if state.rules.cards[card].power is not None and not has_laid_joker(state, card)]
    draw = Draw(DeckId(int(not held and tactics[view.seat] <= tactics[other(view.seat)])))
    return draw if draw in choices else choices[0]


def parted(view: View, choices: Sequence[Move]) -> list[Move]:
    """The choices by the cards that leave the hand: those first that are missed least."""
    outlook, state = Outlook(view), view.state

    def missed(card: CardId) -> float:
        if state.rules.cards[card].power is None:
            return outlook.lose(card)
        return -1.0 if has_laid_joker(state, card) else price(state, card)

    misses = {card: missed(card) for card in view.hand}

    def parting(move: Move) -> float:
        return sum([misses[card] for card in hidden_cards(move)])

    return sorted(choices, key=parting)


def _discarded(state: State, choices: Sequence[Move]) -> Move:
    """The card without which the side is best."""
    number = state.beside.crowded
    assert number is not None
    stone = state.stones[number]
    cards = stone.sides[state.to_move].cards
    left = fitted(ground_terms(state.rules, number, stone.ground), cards)
    return next(move for move in choices if isinstance(move, Discard) and move.card not in left.cards)
