"""Random games of card games in other open libraries, through their Python interfaces, when they are installed."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec

from _bench.measure import Row

RUNS, GAMES = 5, 10


def games() -> list[Row]:
    """OpenSpiel's gin rummy and hearts, whose rules are C++, and RLCard's gin rummy, whose rules are Python."""
    return [
        _row("OpenSpiel", "pyspiel", "gin rummy", lambda: _open_spiel("gin_rummy")),
        _row("OpenSpiel", "pyspiel", "hearts", lambda: _open_spiel("hearts")),
        _row("RLCard", "rlcard", "gin rummy", _rlcard),
    ]


def _row(library: str, module: str, name: str, prepare: Callable[[], Callable[[], int]]) -> Row:
    if find_spec(module) is None:
        return Row(f"random games of {library}'s {name} per second", 0, "/s", None, "not installed")
    play, best, moves = prepare(), float("inf"), 0
    for _ in range(RUNS):
        began = time.process_time()
        moves = sum([play() for _ in range(GAMES)])
        best = min(best, (time.process_time() - began) / GAMES)
    note = f"best of {RUNS}; {moves / GAMES:.0f} moves a game"
    return Row(f"random games of {library}'s {name} per second", 1 / best, "/s", None, note)


def _open_spiel(name: str) -> Callable[[], int]:
    game, chance = import_module("pyspiel").load_game(name), random.Random(0)

    def play() -> int:
        state, moves = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():  # a card is dealt or drawn
                cards, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chance.choices(cards, odds)[0])
            else:
                state.apply_action(chance.choice(state.legal_actions()))
                moves += 1
        return moves

    return play


def _rlcard() -> Callable[[], int]:
    env = import_module("rlcard").make("gin-rummy", config={"seed": 0})
    agent = import_module("rlcard.agents").RandomAgent(num_actions=env.num_actions)
    env.set_agents([agent] * env.num_players)

    def play() -> int:
        trajectories, _ = env.run(is_training=False)
        return sum([len(seen) // 2 for seen in trajectories])  # of states and actions in turn

    return play
