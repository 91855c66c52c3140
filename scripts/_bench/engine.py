"""Claim queries: what the referee costs (games stand in `games`)."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from _bench.measure import Goal, Row, Units, clear_caches
from p2p_schotten.cli.judge import respond
from p2p_schotten.engine.claim import weigh
from p2p_schotten.engine.formation import side_of
from p2p_schotten.engine.judge import question

CASES = Path(__file__).resolve().parents[2] / "tests" / "cases"
FILES = ("st1_claims", "st1_tactic_claims", "battle_line_claims", "st2_control", "extra")


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
