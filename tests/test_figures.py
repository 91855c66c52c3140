"""What the scripts report: coverage per package with its floor, pytest's count, and costs counted call by call."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

from _bench.measure import Goal, counted, seconds, sm
from _bench.sealed import longest, set_up, turns
from p2p_schotten.crypto import dleq, group
from p2p_schotten.crypto.cells import start_cells
from p2p_schotten.crypto.identity import Identity, verify_signature
from p2p_schotten.crypto.secret import Secret
from p2p_schotten.engine.move import Play
from p2p_schotten.errors import InvalidProof

SCRIPTS = Path(__file__).resolve().parent.parent / "scripts"


@pytest.fixture(scope="module")
def checks() -> ModuleType:
    """scripts/test.py, under another name: `test` is a package of the standard library."""
    spec = importlib.util.spec_from_file_location("scripts_test", SCRIPTS / "test.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def report(**files: tuple[int, int, int, int]) -> str:
    """coverage's JSON: lines, all lines, branches, all branches per file (two underscores stand for a folder)."""
    keys = ("covered_lines", "num_statements", "covered_branches", "num_branches")
    return json.dumps(
        {
            "files": {
                f"p2p_schotten/{name.replace('__', '/')}.py": {"summary": dict(zip(keys, numbers, strict=True))}
                for name, numbers in files.items()
            }
        }
    )


# scripts/test.py


def test_coverage_is_summed_per_package(checks: ModuleType) -> None:
    sums = checks.coverage_by_package(
        report(engine__claim=(90, 100, 8, 10), engine__rules=(10, 100, 2, 10), ids=(5, 5, 0, 0))
    )
    assert sums["engine"].percent() == (50.0, 50.0)
    assert sums[""].percent() == (100.0, 100.0)


FULL = (100, 100, 100, 100)


@pytest.mark.parametrize(
    ("engine", "low"),
    [(FULL, []), ((95, 100, 95, 100), []), ((94, 100, 100, 100), ["engine"]), ((100, 100, 94, 100), ["engine"])],
)
def test_lines_and_branches_below_the_floor_fail(
    checks: ModuleType, engine: tuple[int, int, int, int], low: list[str]
) -> None:
    sums = checks.coverage_by_package(report(engine__a=engine, crypto__a=FULL, protocol__a=FULL, net__a=(0, 9, 0, 9)))
    assert checks.below_floor(sums) == low


def test_a_demanded_package_that_was_not_measured_fails(checks: ModuleType) -> None:
    assert checks.below_floor(checks.coverage_by_package(report(engine__a=FULL, crypto__a=FULL))) == ["protocol"]


@pytest.mark.parametrize(
    ("output", "line"),
    [
        (["....\n", "352 passed in 10.77s\n"], "352 passed in 10.77s"),
        (["= 1 failed, 2 passed, 3 skipped in 4.00s =\n", "\n"], "1 failed, 2 passed, 3 skipped in 4.00s"),
        (["\x1b[33m\x1b[32m7 passed\x1b[0m, \x1b[33m1 skipped\x1b[0m in 1s\x1b[0m\n"], "7 passed, 1 skipped in 1s"),
        (["no tests ran in 0.01s\n"], "no tests ran in 0.01s"),
        (["ERROR: usage\n"], "pytest gave no count"),
    ],
)
def test_the_count_of_pytest_is_found(checks: ModuleType, output: list[str], line: str) -> None:
    assert checks.counts_line(output) == line


# scripts/bench.py


@pytest.mark.parametrize(
    ("goal", "figure", "verdict"),
    [
        (Goal("at most", 10), 10, "met"),
        (Goal("at most", 10), 10.01, "NOT MET"),
        (Goal("at most", 10, 12), 11, "floor"),
        (Goal("at most", 10, 12), 12.5, "NOT MET"),
        (Goal("at least", 10), 9.9, "NOT MET"),
        (Goal("at least", 10, 8), 9, "floor"),
        (Goal("at least", 10, 8), 10, "met"),
    ],
)
def test_a_figure_is_judged_by_its_goal(goal: Goal, figure: float, verdict: str) -> None:
    assert goal.verdict(figure) == verdict


def test_calls_are_priced_in_multiplications() -> None:
    costs = {"mul": 2.0, "mul_base": 0.5, "add": 0.25}
    calls = Counter({"mul": 3, "mul_base": 4, "add": 2})
    assert seconds(calls, costs, ("mul", "mul_base", "add")) == 3 * 2.0 + 4 * 0.5 + 2 * 0.25
    assert sm(calls, costs, ("mul", "mul_base", "add")) == 8.5 / 2.0
    assert sm(calls, costs, ("mul",)) == 3.0


def test_the_calls_of_a_share_are_counted_as_the_formulas_have_them() -> None:
    """Made: xa, wG, wa. Checked: sG - zX and sa - zD."""
    secret = Secret(bytes(32))
    x = secret.scalar("x")
    X = group.mul_base(x)
    cell = start_cells(0, 1, X)[0]
    with counted() as calls:
        share = dleq.prove_share(secret, x, X, bytes(32), cell)
        made = Counter(calls)
        calls.clear()
        dleq.verify_share(X, bytes(32), cell, share)
    kept = ("mul", "mul_base", "add", "sub", "check_point", "hash_to_group")
    assert {name: made[name] for name in kept if made[name]} == {"mul": 2, "mul_base": 1}
    assert {name: calls[name] for name in kept if calls[name]} == {"mul": 3, "mul_base": 1, "sub": 2}


def test_signatures_are_counted_wherever_they_are_made_and_checked() -> None:
    with counted() as calls:
        pair = set_up(7)
    records = len(pair.records)
    assert calls["sign"] == records
    assert calls["verify"] >= records  # each by the other seat at least


def test_after_counting_everything_is_as_before() -> None:
    before = (group.mul, group.check_point, group.s_add, Identity.sign, verify_signature)
    with pytest.raises(InvalidProof), counted() as calls:
        group.check_point(group.Point(bytes(32)))
    assert calls["check_point"] == 1
    assert (group.mul, group.check_point, group.s_add, Identity.sign, verify_signature) == before


def test_the_measured_games_are_the_same_on_every_run() -> None:
    assert set_up(3).records == set_up(3).records


def test_the_longest_game_lays_all_cards_and_ends_the_same_for_both() -> None:
    pair = set_up(2)
    plays = sum(isinstance(move, Play) for _, move in turns(pair, longest))
    assert plays == 54
    assert pair.peers[0].session.state == pair.peers[1].session.state
    assert pair.state is not None
    assert pair.state.unseen == 0
