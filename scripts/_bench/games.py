"""Random games: what the referee costs, for every ruleset, and beside another checkout of the program."""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

from _bench.measure import Goal, Row, Units, clear_caches
from p2p_schotten.engine.move import Claim
from p2p_schotten.engine.rules import legal_moves
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import RULESETS
from p2p_schotten.engine.table import Cards, deal, play
from p2p_schotten.ids import SEATS

ROOT = Path(__file__).resolve().parents[2]
GAMES = 60  # in one timed run: long enough that the clock's grain does not matter
RUNS = 5
ROUNDS, ROUND_GAMES = 41, 60  # beside another checkout: short rounds, so that both meet the same weather
GOALS = {"base": 10, "battle-line-plain": 20, "siege": 25, "siege-tactic": 25}
"""In SM; every other ruleset has 20."""


def random_game(rules: Ruleset, chance: random.Random) -> int:
    """The plies of a whole game, its decks shuffled first: every claim offered is made, else the choice is uniform."""

    def shuffle(cards: Cards) -> Cards:
        return tuple(chance.sample(cards, len(cards)))

    order = tuple(chance.sample(range(len(deck.cards)), len(deck.cards)) for deck in rules.decks)
    table = deal(rules, chance.choice(SEATS), order)
    while not table.state.over:
        moves = legal_moves(table.state, table.hands[table.state.to_move])
        table, _ = play(table, moves[0] if isinstance(moves[0], Claim) else chance.choice(moves), shuffle)
    return table.state.ply


def games(units: Units) -> list[Row]:
    """Speed and length of random games of every ruleset, best and median of runs that are interleaved."""
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in RULESETS}  # seconds and SM of a game, per run
    plies: dict[str, list[int]] = {name: [] for name in RULESETS}
    clear_caches("p2p_schotten.engine")
    began = time.process_time()
    random_game(RULESETS["base"], random.Random(0))
    cold = time.process_time() - began
    for seed in range(RUNS + 1):
        for name, rules in RULESETS.items():
            chance = random.Random(seed)

            def run(rules: Ruleset = rules, name: str = name, chance: random.Random = chance) -> None:
                plies[name].extend(random_game(rules, chance) for _ in range(GAMES))

            for took, costs in units.beside(run, 1):
                if seed:  # the first round fills the caches
                    taken[name].append((took / GAMES, took / GAMES / costs["mul"]))
    rows = []
    for name in RULESETS:
        best = min(sm for _, sm in taken[name])
        middle = statistics.median(sm for _, sm in taken[name])
        length = f"mean {statistics.mean(plies[name]):.1f}, at most {max(plies[name])} in {len(plies[name])} games"
        rows += [
            Row(f"random {name} game, best of five", best, "SM", Goal("at most", GOALS.get(name, 20))),
            Row(f"random {name} game, median", middle, "SM"),
            Row(f"random {name} games per second, best", 1 / min(took for took, _ in taken[name]), "/s"),
            Row(f"plies of a {name} game, median", statistics.median(plies[name]), "", None, length),
        ]
    return [*rows, Row("first base game, engine caches empty", cold * 1000, "ms")]


def against(checkout: Path) -> list[Row]:
    """Base games here and in another checkout, in turn in one run; each in a process of its own."""
    times: tuple[list[float], list[float]] = ([], [])
    with ExitStack() as stack:
        players = [stack.enter_context(_player(where)) for where in (ROOT, checkout)]
        for seed in range(-2, ROUNDS):  # two rounds fill the caches
            for at in (0, 1) if seed % 2 else (1, 0):
                took = _ask(players[at], seed)
                if seed >= 0:
                    times[at].append(took)
    here, there = times
    best = min(there) / min(here)
    middle = statistics.median(two / one for one, two in zip(here, there, strict=True))
    return [
        Row("base speed here / there, median of rounds", middle, "", Goal("at least", 0.95), f"{ROUNDS} pairs in turn"),
        Row("base speed here / there, best rounds", best, ""),
        Row("base games per second here, best round", ROUND_GAMES / min(here), "/s"),
        Row("base games per second there, best round", ROUND_GAMES / min(there), "/s", None, str(checkout)),
    ]


def _player(checkout: Path) -> subprocess.Popen[str]:
    script = Path(__file__).with_name("player.py")
    player = subprocess.Popen(
        [sys.executable, str(script), str(ROUND_GAMES)],
        env={**os.environ, "PYTHONPATH": str(checkout)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert player.stdout is not None
    home = Path(player.stdout.readline().strip())
    if not home.is_relative_to(checkout.resolve()):
        player.kill()
        raise SystemExit(f"bench: {checkout} is not a checkout of this program: it plays with {home}")
    return player


def _ask(player: subprocess.Popen[str], seed: int) -> float:
    assert player.stdin is not None
    assert player.stdout is not None
    player.stdin.write(f"{seed}\n")
    player.stdin.flush()
    return float(player.stdout.readline())
