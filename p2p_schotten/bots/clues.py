"""What a play tells of the hand that it came from: who had a card that gains more would have played that one.

The other is taken for somebody who values plays as `greedy` does. He may be somebody else, so a clue only makes hands
less likely: worlds are drawn until one fits, but not for ever. Only his last play counts.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from p2p_schotten.bots.outlook import Outlook
from p2p_schotten.bots.worlds import world
from p2p_schotten.bots.worth import Pool
from p2p_schotten.engine.move import Play
from p2p_schotten.engine.state import Phase, State
from p2p_schotten.engine.step import Event, Played
from p2p_schotten.engine.table import Cards, Table
from p2p_schotten.engine.view import NO_MEMORY, View, view
from p2p_schotten.ids import other


class Clue(NamedTuple):
    """The other's last play of a numbered card, and the position in which he chose it."""

    state: State
    move: Play


class Watch:
    """Keeps the last clue of a game."""

    def __init__(self) -> None:
        self.clue: Clue | None = None
        self._before: State | None = None

    def see(self, seen: View, event: Event) -> None:
        """Something happened, and `seen` is what stands now."""
        state, foe = seen.state, other(seen.seat)
        if isinstance(event, Played) and event.seat == foe:
            before, self._before, self.clue = self._before, None, None
            if before is not None and event.card <= state.rules.grid.last:
                self.clue = Clue(before, Play(event.card, event.stone))
        if state.to_move == foe and state.phase is Phase.PLAY:
            self._before = state


def likely_world(seen: View, clue: Clue | None, whole: Pool | None, random: Random, tries: int) -> Table:
    """A world that fits the view and, if one of `tries` does, the clue; else the last of them.

    `whole`: the cards that were unseen when the clue was given, and what is known of them.
    """
    made = world(seen, random)
    if clue is not None:
        for _ in range(tries - 1):
            if fits(clue, made.hands[other(seen.seat)], whole):
                break
            made = world(seen, random)
    return made


def fits(clue: Clue, hand: Cards, whole: Pool | None) -> bool:
    """Whether somebody who has that hand now would have played so: no other card of it gained more.

    What he has drawn since is not known; it is taken for the last one of the numbered cards.
    """
    state, move = clue
    seat, last = state.to_move, state.rules.grid.last
    numbered = [card for card in hand if card <= last][: state.hands[seat][0] - 1]
    outlook = Outlook(view(state, seat, (*numbered, move.card), NO_MEMORY), None, whole)
    gains = outlook.puts()
    return gains[move.card][move.stone] >= max(map(max, gains.values()))
