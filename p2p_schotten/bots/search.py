"""Plays promising moves out in worlds that fit its view: the strongest bot.

The moves that `greedy` likes best are tried in the same worlds (worlds.py, clues.py): after the move both sides play
on like `greedy` for some turns, and what then stands is valued by what the seat itself may know (prospects.py). After
each third of the budget the worse half of the moves is dropped; the move that wins most at the end is played.

Few turns and a good judgement at their end: each further turn adds more chance than insight. Over 136 pairs of moves
the value after 4 turns agreed with the true one (greedy playing on to the end) to 0.90 with a spread of 0.05 in one
world, after 10 turns to 0.87 with 0.11, at once to 0.51 with 0.02.
"""

from __future__ import annotations

from random import Random
from time import thread_time

from p2p_schotten.bots.clues import Watch, likely_world
from p2p_schotten.bots.greedy import Greedy, parted
from p2p_schotten.bots.outlook import Outlook
from p2p_schotten.bots.prospects import Prospects
from p2p_schotten.bots.ruses import gain
from p2p_schotten.bots.worth import ALL, Pool
from p2p_schotten.engine.cards import card_set
from p2p_schotten.engine.move import Claim, Move
from p2p_schotten.engine.rules import legal_moves
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.state import Phase
from p2p_schotten.engine.step import Event
from p2p_schotten.engine.table import Cards, Table, play
from p2p_schotten.engine.view import View, view
from p2p_schotten.ids import Seat

ITERATIONS = 300
"""Lines played out for a move when nothing else is asked for."""

WIDTH = 8
"""So many moves are tried."""

TURNS = 4
"""So many turns are played out after the move."""

TRIES = 6
"""So many worlds are looked at until one fits the last play of the other; with 1 his plays tell nothing."""

MOST_ITERATIONS, MOST_SECONDS, MOST_WIDTH, MOST_TURNS, MOST_TRIES = 10_000_000, 3600, 1000, 100, 1000
"""Beyond these somebody has mistyped: a move would take hours, or a game has no more of them."""

STAGES = 3
"""The worse half of the moves is dropped after each of so many parts of the budget."""

_TURN_BEGINS = (Phase.PLAY, Phase.POUR)


class Search:
    """Plays every ruleset. The same seed plays the same moves, unless it looks at a clock."""

    name = "search"
    _random: Random
    _watch: Watch

    def __init__(
        self,
        iterations: int | None = None,
        seconds: float | None = None,
        width: int = WIDTH,
        turns: int = TURNS,
        tries: int = TRIES,
    ) -> None:
        """`iterations`: lines played out for a move; or `seconds`: CPU time of the thread for a move.

        Where both are asked for, iterations count. `width`, `turns`, `tries`: see WIDTH, TURNS, TRIES. Raises TypeError
        for a number that is none of these.
        """
        for word, value, kind, least, most in (
            ("iterations", ITERATIONS if iterations is None else iterations, int, 1, MOST_ITERATIONS),
            ("seconds", 0 if seconds is None else seconds, int | float, 0, MOST_SECONDS),
            ("width", width, int, 1, MOST_WIDTH),
            ("turns", turns, int, 0, MOST_TURNS),
            ("tries", tries, int, 1, MOST_TRIES),
        ):
            if not isinstance(value, kind) or not least <= value <= most:
                whole = "whole number" if kind is int else "number"
                raise TypeError(f"{word} is a {whole} from {least} to {most}, not {value}")
        self._seconds = seconds if iterations is None else None
        self._iterations = ITERATIONS if iterations is None else iterations
        self._width, self._turns, self._tries = width, turns, tries

    def new_game(self, rules: Ruleset, seat: Seat, random: Random) -> None:
        """Chance makes the worlds."""
        self._random, self._watch = random, Watch()

    def observe(self, view: View, event: Event) -> None:
        """What the other plays tells something of his hand."""
        self._watch.see(view, event)

    def act(self, view: View, legal: tuple[Move, ...]) -> Move:
        """A claim when there is one, else the move that wins most."""
        if len(legal) == 1 or isinstance(legal[0], Claim):
            return legal[0]
        return self._best(view, promising(view, legal, self._width, self._random))

    def _best(self, view: View, moves: list[Move]) -> Move:
        won, whole = dict.fromkeys(moves, 0.0), Pool(view.state.unseen, {}, ALL)
        clue = self._watch.clue
        before = None if clue is None else Pool(clue.state.unseen, {}, ALL)
        began, played, stage = thread_time(), 0, 1
        while len(moves) > 1:
            if self._seconds is None:
                used, budget = float(played), float(self._iterations)
            else:
                used, budget = thread_time() - began, self._seconds
            if used >= budget:
                break
            if used >= budget * stage / STAGES:
                stage += 1
                moves = sorted(moves, key=lambda move: -won[move])[: max(2, (len(moves) + 1) // 2)]
            chance = self._random.getrandbits(64)
            table = likely_world(view, clue, before, Random(chance), self._tries)
            for move in moves:
                won[move] += line(table, move, view.seat, self._turns, Random(chance), whole)
            played += len(moves)
        return max(moves, key=lambda move: won[move])


def promising(view: View, legal: tuple[Move, ...], width: int, random: Random) -> list[Move]:
    """At most so many moves, those first that `greedy` likes best; what it would play is among them."""
    greedy = Greedy()
    greedy.new_game(view.state.rules, view.seat, random)
    first = greedy.act(view, legal)
    others = [move for move in legal if move != first]
    if len(others) >= width:
        if view.state.phase in _TURN_BEGINS:
            outlook = Outlook(view)
            others.sort(key=lambda move: -gain(outlook, move))
        elif view.state.phase in (Phase.RETURN, Phase.GIVE):
            others = parted(view, others)
    return [first, *others[: width - 1]]


def line(table: Table, move: Move, seat: Seat, turns: int, random: Random, whole: Pool) -> float:
    """The chance of `seat` to win after the move and some turns that both play like `greedy`.

    `whole`: the cards that are unseen at the table, and what is known of them from other lines.
    """

    def shuffle(pile: Cards) -> Cards:
        return tuple(random.sample(pile, len(pile)))

    greedy = Greedy()
    greedy.new_game(table.state.rules, seat, random)
    greedy.among(whole)
    last = table.state.ply + turns + (table.state.phase in _TURN_BEGINS)
    table, _ = play(table, move, shuffle)
    while not table.state.over and (table.state.ply < last or table.state.phase not in _TURN_BEGINS):
        state, hand = table.state, table.hands[table.state.to_move]
        seen = view(state, state.to_move, hand, table.memories[state.to_move])
        table, _ = play(table, greedy.act(seen, legal_moves(state, hand)), shuffle)
    outcome = table.state.outcome
    if outcome is None:
        return Prospects(table.state, seat, card_set(table.hands[seat])).win()
    return 0.5 if outcome.winner is None else float(outcome.winner == seat)
