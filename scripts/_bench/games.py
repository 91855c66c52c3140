"""Games: what the referee costs, for every ruleset, what greedy costs, and both beside other engines."""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

from _bench import elsewhere
from _bench.measure import Goal, Row, Units, clear_caches
from p2p_schotten.arena.game import play_game
from p2p_schotten.bots import make_bot
from p2p_schotten.engine.move import Claim
from p2p_schotten.engine.rules import legal_moves
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import RULESETS
from p2p_schotten.engine.table import Cards, Shuffle, Table, deal, play
from p2p_schotten.ids import SEATS

ROOT = Path(__file__).resolve().parents[2]
WARM = 2000  # games that fill the caches first: a match has thousands
GAMES = 60  # in one timed run: long enough that the clock's grain does not matter
GREEDY_WARM, GREEDY_GAMES = 40, 20
RUNS = 5
ROUNDS, ROUND_GAMES = 41, 60  # beside another checkout: short rounds, so that both meet the same weather
SCALE = 10_000  # SM in a second, where one takes 100 us: what the goals are given for
GOALS = {"base": (1200, 1000), "siege": (500, 400), "siege-tactic": (500, 400)}
"""Games per second at that scale, and the floor."""
OTHER_GOAL = (700, 500)
GREEDY_GOAL = (200, 120)


def dealt(rules: Ruleset, chance: random.Random) -> tuple[Table, Shuffle]:
    """A new game whose decks are shuffled, and how its piles will be."""

    def shuffle(cards: Cards) -> Cards:
        return tuple(chance.sample(cards, len(cards)))

    order = tuple(chance.sample(range(len(deck.cards)), len(deck.cards)) for deck in rules.decks)
    return deal(rules, chance.choice(SEATS), order), shuffle


def random_game(rules: Ruleset, chance: random.Random) -> int:
    """The plies of a whole game: every claim offered is made, else the choice is uniform."""
    table, shuffle = dealt(rules, chance)
    while table.state.outcome is None:
        moves = legal_moves(table.state, table.hands[table.state.to_move])
        table, _ = play(table, moves[0] if isinstance(moves[0], Claim) else chance.choice(moves), shuffle)
    return table.state.ply


def greedy_game(rules: Ruleset, chance: random.Random) -> int:
    """The plies of a whole game of greedy against itself, as the arena plays it."""
    table, shuffle = dealt(rules, chance)
    result = play_game(table, [make_bot("greedy", chance.getrandbits(32)) for _ in SEATS], shuffle)
    assert not result.stopped
    return result.plies


def games(units: Units) -> list[Row]:
    """Speed and length of random games of every ruleset, of greedy's, and of other libraries' games."""
    clear_caches("p2p_schotten.engine")
    began = time.process_time()
    random_game(RULESETS["base"], random.Random(0))
    cold = time.process_time() - began
    rows = [row for name in RULESETS for row in _random(name, units)]
    return [*rows, Row("first base game, engine caches empty", cold * 1000, "ms"), *_greedy(units), *elsewhere.games()]


def _random(name: str, units: Units) -> list[Row]:
    """Speed and length of random games of one ruleset, as in a match of it: the caches know no other."""
    rules, chance, plies = RULESETS[name], random.Random(0), list[int]()
    clear_caches("p2p_schotten.engine")
    for _ in range(WARM):
        random_game(rules, chance)

    def run() -> None:
        plies.extend([random_game(rules, chance) for _ in range(GAMES)])

    runs = units.beside(run, RUNS)
    costs = [took / GAMES / unit["mul"] for took, unit in runs]
    length = f"mean {statistics.mean(plies):.1f}, at most {max(plies)} in {len(plies)} games"
    return [
        Row(f"random {name} game, best of five", min(costs), "SM"),
        Row(f"random {name} game, median", statistics.median(costs), "SM"),
        Row(
            f"random {name} games per second at 100 us per SM, best",
            SCALE / min(costs),
            "/s",
            Goal("at least", *GOALS.get(name, OTHER_GOAL)),
        ),
        Row(f"random {name} games per second, best", GAMES / min(took for took, _ in runs), "/s"),
        Row(f"plies of a {name} game, median", statistics.median(plies), "", None, length),
    ]


def _greedy(units: Units) -> list[Row]:
    """Speed of base games of greedy against itself."""
    rules, chance = RULESETS["base"], random.Random(0)
    for _ in range(GREEDY_WARM):
        greedy_game(rules, chance)

    def run() -> None:
        for _ in range(GREEDY_GAMES):
            greedy_game(rules, chance)

    runs = units.beside(run, RUNS)
    best = min(took / costs["mul"] for took, costs in runs) / GREEDY_GAMES
    return [
        Row("base game of greedy against greedy, best of five", best, "SM"),
        Row("greedy games per second at 100 us per SM, best", SCALE / best, "/s", Goal("at least", *GREEDY_GOAL)),
        Row("greedy games per second, best", GREEDY_GAMES / min(took for took, _ in runs), "/s"),
    ]


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
