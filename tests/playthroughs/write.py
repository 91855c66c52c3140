"""Whole games as readable text: a change of the rules shows as a diff that a person can judge.

`python -m tests.playthroughs.write` writes the files again. Nothing in it depends on how a Python version shuffles:
the decks and the choices come from a small generator of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from p2p_schotten.engine.move import Move, Play
from p2p_schotten.engine.notation import move_text
from p2p_schotten.engine.rules import legal_moves
from p2p_schotten.engine.rulesets import (
    BASE,
    BATTLE_LINE,
    BATTLE_LINE_ADVANCED,
    BATTLE_LINE_PLAIN,
    EXPERT,
    SIEGE,
    SIEGE_TACTIC,
    TACTIC,
)
from p2p_schotten.engine.state import State
from p2p_schotten.engine.table import Cards, deal, play
from p2p_schotten.ids import SEATS
from tests.playthroughs.words import board, event_text, tiles_text

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


def busy(state: State, moves: tuple[Move, ...], roll: Dice) -> Move:
    """Claims what it can, draws and plays tactics often, pours oil at once, and seldom retreats."""
    if state.claimable:
        return moves[0]
    kinds: dict[str, list[Move]] = {}
    for move in moves:
        numbered = isinstance(move, Play) and state.rules.deck_of(move.card) == 0
        kinds.setdefault("numbered" if numbered else type(move).__name__, []).append(move)
    if roll(8):
        kinds.pop("Retreat", None)
    rest = [kind for kind in kinds if kind != "numbered"]
    if "numbered" in kinds and (not rest or roll(3)):
        return lively(state, tuple(kinds["numbered"]), roll)
    among = kinds[rest[roll(len(rest))]] if rest else list(moves)
    return among[roll(len(among))]


PLAYTHROUGHS = {
    "base": (BASE, lively, 8),
    "base-stuck": (BASE, shy, 11),
    "tactic": (TACTIC, busy, 102),
    "expert": (EXPERT, busy, 118),
    "siege": (SIEGE, busy, 39),
    "siege-tactic": (SIEGE_TACTIC, busy, 160),
    "battle-line": (BATTLE_LINE, busy, 348),
    "battle-line-plain": (BATTLE_LINE_PLAIN, busy, 53),
    "battle-line-advanced": (BATTLE_LINE_ADVANCED, busy, 189),
}


def playthrough(name: str) -> str:
    """The text of one game."""
    rules, choose, seed = PLAYTHROUGHS[name]
    roll = dice(seed)

    def shuffle(cards: Cards) -> Cards:
        return tuple([cards[at] for at in shuffled(len(cards), roll)])

    table = deal(rules, SEATS[roll(2)], [shuffled(len(deck.cards), roll) for deck in rules.decks])
    lines = [
        f"# ruleset {rules.name}, seed {seed}, choices: {choose.__name__}",
        f"# stones 1 to {len(rules.tiles)} from the left; sides in the order in which their cards came; * = owned",
        *tiles_text(rules),
        *board(table),
    ]
    while not table.state.over:
        state = table.state
        seat = state.to_move
        moves = legal_moves(state, table.hands[seat])
        offers = f", may claim {' '.join(str(stone + 1) for stone in state.claimable)}" if state.claimable else ""
        move = choose(state, moves, roll)
        table, events = play(table, move, shuffle)
        piles = " ".join(str(len(pile)) for pile in table.piles)
        lines += [
            "",
            f"{table.state.ply:2}. seat {seat}: {move_text(rules, move)}   ({len(moves)} choices{offers})",
            f"    {'; '.join(event_text(rules, event) for event in events) or 'the window closes'}; pile {piles}",
            *board(table),
        ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for name in PLAYTHROUGHS:
        (FOLDER / f"{name}.txt").write_text(playthrough(name))
