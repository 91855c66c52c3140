"""Whole games as readable text: a change of the rules shows as a diff that a person can judge.

`python -m tests.playthroughs.write` writes the files again. Nothing in it depends on how a Python version shuffles:
the decks and the choices come from a small generator of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import assert_never

from p2p_schotten.engine.move import Move, Play
from p2p_schotten.engine.notation import move_text
from p2p_schotten.engine.rules import legal_moves
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import BASE
from p2p_schotten.engine.state import State
from p2p_schotten.engine.step import (
    Awarded,
    Claimed,
    Dealt,
    Drew,
    Ended,
    Event,
    Passed,
    Played,
    Skipped,
)
from p2p_schotten.engine.table import Table, deal, play
from p2p_schotten.ids import SEATS, Seat

FOLDER = Path(__file__).parent

Dice = Callable[[int], int]
"""A number below the given one."""


def dice(seed: int) -> Dice:
    """Numbers of a linear congruential generator (Knuth's MMIX constants), from its upper bits."""
    value = seed

    def roll(below: int) -> int:
        nonlocal value
        value = (value * 6364136223846793005 + 1442695040888963407) % 2**64
        return (value >> 33) % below

    return roll


def shuffled(count: int, roll: Dice) -> list[int]:
    """The numbers below `count` in random order."""
    order = list(range(count))
    for last in range(count - 1, 0, -1):
        other = roll(last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def lively(state: State, moves: tuple[Move, ...], roll: Dice) -> Move:
    """Claims what it can; else lays a random card, mostly on a stone where it has begun."""
    if state.claimable:
        return moves[0]
    mine = [
        move
        for move in moves
        if isinstance(move, Play) and state.stones[move.stone].sides[state.to_move].cards and roll(4)
    ]
    return mine[roll(len(mine))] if mine else moves[roll(len(moves))]


def shy(state: State, moves: tuple[Move, ...], roll: Dice) -> Move:
    """Claims nothing before the pile is empty, and then only now and then."""
    if state.claimable:
        return moves[0] if state.piles == (0,) and roll(8) == 0 else moves[-1]
    return moves[roll(len(moves))]


PLAYTHROUGHS = {
    "base": (BASE, lively, 8),
    "base-stuck": (BASE, shy, 11),
}


def event_text(rules: Ruleset, event: Event) -> str:
    """One event in a few words."""
    match event:
        case Dealt():
            return f"dealt {event.count} each, seat {event.first} begins"
        case Played():
            return f"seat {event.seat} lays {rules.text(event.card)} on {event.stone + 1}"
        case Claimed():
            return f"seat {event.seat} claims {event.stone + 1}"
        case Drew():
            return f"seat {event.seat} draws ({rules.decks[event.deck].name})"
        case Passed():
            return f"seat {event.seat} passes"
        case Skipped():
            return f"seat {event.seat} is skipped"
        case Awarded():
            return f"stone {event.stone + 1} goes to seat {event.seat}"
        case Ended():
            end = event.outcome
            winner = "drawn" if end.winner is None else f"seat {end.winner} wins"
            return f"the end: {winner}, {end.reason.value}, points {end.points[0]}:{end.points[1]}"
        case _:
            assert_never(event)


def board(table: Table, seat: Seat) -> str:
    """One line per seat: its sides stone by stone (* = owned), then its hand."""
    state, rules = table.state, table.state.rules
    sides = [
        ("*" if stone.owner == seat else "") + (" ".join(rules.text(card) for card in stone.cards(seat)) or "-")
        for stone in state.stones
    ]
    hand = " ".join(rules.text(card) for card in table.hands[seat])
    return f"    {seat} | {' | '.join(f'{side:9}' for side in sides)} | hand {hand}".rstrip()


def playthrough(name: str) -> str:
    """The text of one game."""
    rules, choose, seed = PLAYTHROUGHS[name]
    roll = dice(seed)
    table = deal(rules, SEATS[roll(2)], [shuffled(len(deck.cards), roll) for deck in rules.decks])
    lines = [
        f"# ruleset {rules.name}, seed {seed}, choices: {choose.__name__}",
        f"# stones 1 to {len(rules.tiles)} from the left; sides in the order in which their cards came; * = owned",
        *(board(table, seat) for seat in SEATS),
    ]
    while not table.state.over:
        state = table.state
        seat = state.to_move
        moves = legal_moves(state, table.hands[seat])
        offers = f", may claim {' '.join(str(stone + 1) for stone in state.claimable)}" if state.claimable else ""
        move = choose(state, moves, roll)
        table, events = play(table, move)
        piles = " ".join(str(len(pile)) for pile in table.piles)
        lines += [
            "",
            f"{table.state.ply:2}. seat {seat}: {move_text(rules, move)}   ({len(moves)} choices{offers})",
            f"    {'; '.join(event_text(rules, event) for event in events) or 'the window closes'}; pile {piles}",
            *(board(table, each) for each in SEATS),
        ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for name in PLAYTHROUGHS:
        (FOLDER / f"{name}.txt").write_text(playthrough(name))
