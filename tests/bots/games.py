"""Whole games between bots, on every ruleset; the deal and the choices follow from the seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from p2p_schotten.bots import BUILT_IN, make_bot
from p2p_schotten.bots.base import Bot
from p2p_schotten.bots.seated import Seated
from p2p_schotten.engine.move import Move
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.step import Outcome
from p2p_schotten.engine.table import Table, deal, play
from p2p_schotten.engine.view import View, view
from p2p_schotten.ids import SEATS, Seat

QUICK = tuple("search,iterations=2,width=2" if name == "search" else name for name in BUILT_IN)
"""Every built-in bot; the one that thinks does not think long."""

Maker = Callable[[], Bot]


def dealt(rules: Ruleset, first: Seat, seed: int) -> Table:
    """The deal of that number."""
    random = Random(seed)
    return deal(rules, first, [random.sample(range(len(deck.cards)), len(deck.cards)) for deck in rules.decks])


def seen_by(table: Table, seat: Seat) -> View:
    """What that seat sees and remembers."""
    return view(table.state, seat, table.hands[seat], table.memories[seat])


def course(table: Table, bots: tuple[Seated, Seated], seed: int) -> tuple[list[Move], Outcome]:
    """Every move from the table on, each of them legal, and the end."""
    random, moves = Random(seed), list[Move]()
    while table.state.outcome is None:
        seen = seen_by(table, table.state.to_move)
        moves.append(bots[seen.seat].choose(seen))
        assert moves[-1] in seen.choices()
        table, _ = play(table, moves[-1], lambda pile: random.sample(pile, len(pile)))
    return moves, table.state.outcome


def won(rules: Ruleset, one: Maker, two: Maker, pairs: int, seed: int) -> float:
    """How many of 2 x `pairs` games `one` wins; each deal is played twice, seats swapped. A drawn game is a half."""
    score = 0.0
    for number in range(seed, seed + pairs):
        for seat in SEATS:
            mine, theirs = Seated(one(), number), Seated(two(), number + 1)
            bots = (mine, theirs) if seat == SEATS[0] else (theirs, mine)
            outcome = course(dealt(rules, SEATS[number % 2], number), bots, number)[1]
            score += 0.5 if outcome.winner is None else float(outcome.winner == seat)
    return score


def course_of(table: Table, names: tuple[str, str], seed: int) -> Iterator[Table]:
    """Every position from the table on, when these two bots play."""
    random, bots = Random(seed), tuple(make_bot(name, f"{seed}/{seat}") for seat, name in enumerate(names))
    yield table
    while not table.state.over:
        seat = table.state.to_move
        move = bots[seat].choose(seen_by(table, seat))
        table, _ = play(table, move, lambda pile: random.sample(pile, len(pile)))
        yield table
