"""Random games and claim queries: what the referee costs."""

from __future__ import annotations

import json
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from _bench.measure import Goal, Row, Units, clear_caches
from p2p_schotten.cli.judge import respond
from p2p_schotten.engine.claim import weigh
from p2p_schotten.engine.formation import side_of
from p2p_schotten.engine.judge import question
from p2p_schotten.engine.move import Claim
from p2p_schotten.engine.rules import legal_moves
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import ruleset
from p2p_schotten.engine.table import deal, play
from p2p_schotten.ids import SEATS

CASES = Path(__file__).resolve().parents[2] / "tests" / "cases"
FILES = ("st1_claims", "st1_tactic_claims", "battle_line_claims", "st2_control", "extra")
GAMES = 150  # in one timed run: long enough that the clock's grain does not matter
RUNS = 5


def random_game(rules: Ruleset, chance: random.Random) -> int:
    """The plies of a whole game, its deck shuffled first: every claim offered is made, else the choice is uniform."""
    order = tuple(chance.sample(range(len(deck.cards)), len(deck.cards)) for deck in rules.decks)
    table = deal(rules, chance.choice(SEATS), order)
    while not table.state.over:
        moves = legal_moves(table.state, table.hands[table.state.to_move])
        table, _ = play(table, moves[0] if isinstance(moves[0], Claim) else chance.choice(moves))
    return table.state.ply


def games(units: Units) -> list[Row]:
    """Speed of random base games, best and median of interleaved runs."""
    rules = ruleset("base")
    plies: list[int] = []
    seeds = iter(range(RUNS + 1))

    def run() -> None:
        chance = random.Random(next(seeds))
        plies.extend(random_game(rules, chance) for _ in range(GAMES))

    clear_caches("p2p_schotten.engine")
    began = time.process_time()
    random_game(rules, random.Random(0))
    cold = time.process_time() - began
    run()
    plies.clear()
    found = [(took / GAMES, took / GAMES / costs["mul"]) for took, costs in units.beside(run, RUNS)]
    best = min(sm for _, sm in found)
    return [
        Row("random base game, best of five", best, "SM", Goal("at most", 10)),
        Row("random base game, median", statistics.median(sm for _, sm in found), "SM"),
        Row("random base games per second, best of five", 1 / min(took for took, _ in found), "/s"),
        Row("plies per game (plays and skips)", statistics.mean(plies), ""),
        Row("first game, engine caches empty", cold * 1000, "ms"),
    ]


def claims(units: Units) -> list[Row]:
    """The judge over all claim positions: the query alone (cards given), and a line of JSON with its answer."""
    lines = [line for name in FILES for line in (CASES / f"{name}.jsonl").read_bytes().splitlines()]
    cases = [json.loads(line) for line in lines]
    wrong = sum(
        json.loads(json.dumps(respond(line)))["claim"] != case["claim"] for line, case in zip(lines, cases, strict=True)
    )
    questions = [question(case) for case in cases]
    bare = [number for number, asked in enumerate(questions) if asked.mine.terms.size == 4 and not asked.theirs.cards]

    def query(number: int) -> None:
        rules, mine, theirs, first, unseen = questions[number]
        weigh(rules, side_of(mine.terms, mine.cards), side_of(theirs.terms, theirs.cards), first, unseen)

    def line(number: int) -> None:
        respond(lines[number])

    rows = [Row("wrong answers over all claim positions", wrong, "", Goal("at most", 0), f"of {len(lines)} lines")]
    for name, ask, held in (("claim query", query, True), ("line of judge, JSON included", line, False)):
        asked = [sorted(_microseconds(ask, number) for _ in range(5)) for number in range(len(lines))]
        cold = []
        for number in range(len(lines)):
            clear_caches("p2p_schotten.engine")
            cold.append(_microseconds(ask, number))
        mean = statistics.mean(times[2] for times in asked)
        goals = (Goal("at most", 10), Goal("at most", 100), Goal("at most", 2000)) if held else (None, None, None)
        empty = max(asked[number][0] for number in bare)
        rows += [
            Row(f"{name}: mean", mean, "us", goals[0]),
            Row(f"{name}: worst, warm", max(times[0] for times in asked), "us", goals[1], "best of 5 per line"),
            Row(f"{name}: worst, warm, four cards against none", empty, "us", goals[1], f"{len(bare)} lines"),
            Row(f"{name}: worst, all caches empty", max(cold), "us", goals[2]),
            Row(f"{name}: per second", 1e6 / mean, "/s"),
        ]
    return rows


def _microseconds(ask: Callable[[int], None], number: int) -> float:
    began = time.thread_time_ns()
    ask(number)
    return (time.thread_time_ns() - began) / 1000


def measure(units: Units) -> list[Row]:
    return games(units) + claims(units)
