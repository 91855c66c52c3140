"""Random games inside one process, as many as wanted: every one must end, and the figures show how they go.

Every claim is made when it is offered. `uniform` chooses among all other legal moves alike; `steady` retreats only when
nothing else is possible, and whether it pours oil it decides by a coin at each turn.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from multiprocessing import Pool

from p2p_schotten.engine.move import Claim, Move, Oil, Retreat
from p2p_schotten.engine.rules import legal_moves
from p2p_schotten.engine.rulesets import RULESETS
from p2p_schotten.engine.step import Reason
from p2p_schotten.engine.table import Cards, Table, deal, play
from p2p_schotten.ids import SEATS

Manner = Callable[[Sequence[Move], random.Random], Move]
PLIES = 200  # no game comes near: one that reaches it does not end
CHUNK = 100  # games of one task


def uniform(moves: Sequence[Move], chance: random.Random) -> Move:
    """Any move."""
    return chance.choice(moves)


def steady(moves: Sequence[Move], chance: random.Random) -> Move:
    """Any move, but no retreat where there is a choice, and oil by a coin."""
    oil = [move for move in moves if isinstance(move, Oil)]
    if oil and chance.random() < 0.5:
        return chance.choice(oil)
    rest = [move for move in moves if not isinstance(move, Oil | Retreat)]
    return chance.choice(rest or moves)


MANNERS: dict[str, Manner] = {"uniform": uniform, "steady": steady}


@dataclass(frozen=True, slots=True)
class Played:
    """How one game went: its plies, whether its first seat won (None: drawn or not over), and why it ended."""

    plies: int
    first_won: bool | None
    reason: Reason | None


def _one(name: str, manner: str, seed: int) -> Played:
    rules, choose, chance = RULESETS[name], MANNERS[manner], random.Random(seed)

    def shuffle(cards: Cards) -> Cards:
        return tuple(chance.sample(cards, len(cards)))

    order = tuple(chance.sample(range(len(deck.cards)), len(deck.cards)) for deck in rules.decks)
    table: Table = deal(rules, chance.choice(SEATS), order)
    first = table.state.turn
    while not table.state.over and table.state.ply < PLIES:
        moves = legal_moves(table.state, table.hands[table.state.to_move])
        table, _ = play(table, moves[0] if isinstance(moves[0], Claim) else choose(moves, chance), shuffle)
    outcome = table.state.outcome
    if outcome is None:
        return Played(table.state.ply, None, None)
    return Played(table.state.ply, None if outcome.winner is None else outcome.winner == first, outcome.reason)


def _some(name: str, manner: str, seeds: range) -> list[Played]:
    return [_one(name, manner, seed) for seed in seeds]


def soak_random(count: int, seed: int) -> int:
    """Plays `count` games of every ruleset, sieges in both manners; 1 when one of them does not end.

    A line tells how many ended, their plies, and how often the first seat (the attacker of a siege) won.
    """
    endless = 0
    print(f"{'ruleset':20} {'manner':8} {'ended':>7} {'median':>7} {'mean':>6} {'most':>5} {'first':>7}  ends")
    began = time.monotonic()
    with Pool() as pool:
        for name, rules in RULESETS.items():
            for manner in MANNERS if rules.siege is not None else ("uniform",):
                chunks = [range(at, min(at + CHUNK, seed + count)) for at in range(seed, seed + count, CHUNK)]
                found = [*chain.from_iterable(pool.starmap(_some, zip(repeat(name), repeat(manner), chunks)))]
                endless += sum(game.reason is None for game in found)
                print(_line(name, manner, found), flush=True)
    print(f"{time.monotonic() - began:.0f} s, {endless} games without an end")
    return 1 if endless else 0


def _line(name: str, manner: str, found: list[Played]) -> str:
    plies = [game.plies for game in found]
    ended = [game for game in found if game.reason is not None]
    won = sum(game.first_won is True for game in found) / len(found)
    ends = ", ".join(
        f"{reason.value} {100 * sum(game.reason is reason for game in ended) / len(found):.0f} %"
        for reason in Reason
        if any(game.reason is reason for game in ended)
    )
    return (
        f"{name:20} {manner:8} {len(ended):7,} {statistics.median(plies):7.0f} {statistics.mean(plies):6.1f} "
        f"{max(plies):5} {100 * won:5.1f} %  {ends}"
    )
