"""The engine finds as many ways to go on as the files of this folder say, which the slow referee has counted."""

from __future__ import annotations

import pytest

from p2p_schotten.engine.rulesets import RULESETS
from tests.engine.perft.games import GAMES
from tests.engine.perft.lockstep import differences
from tests.engine.perft.perft import FOLDER, Case, cases, engine_nodes, slow_nodes, split

CASES = [case for name in RULESETS for case in cases(name)]
RECOUNTED = 150  # nodes that the slow referee counts again in every run


def called(case: Case) -> str:
    return f"{case.ruleset}: {case.title}"


@pytest.mark.parametrize("case", CASES, ids=called)
def test_the_engine_counts_as_the_file_says(case: Case) -> None:
    table = case.table()
    assert differences(table, case.position()) == []
    for depth, nodes in enumerate(case.nodes, 1):
        found = engine_nodes(table, depth)
        assert found == nodes, "\n".join(
            [f"depth {depth}: {found} nodes, expected {nodes}", *split(table, case.position(), depth)]
        )


@pytest.mark.parametrize("case", CASES, ids=called)
def test_the_numbers_of_the_file_are_those_of_the_slow_referee(case: Case) -> None:
    now = case.position()
    few = [(depth, nodes) for depth, nodes in enumerate(case.nodes, 1) if nodes <= RECOUNTED]
    assert few
    for depth, nodes in few:
        assert slow_nodes(now, depth) == nodes


def test_a_split_names_the_first_move_after_which_the_counts_part() -> None:
    case = next(case for case in CASES if case.title == "a scout puts back")
    table, now = case.table(), case.position()
    assert not [line for line in split(table, now, 2) if "<--" in line]
    # As if the slow referee did not know of one card: its return is missing, and every other return leads to less.
    gone = sorted(now.hands[now.asked])[0]
    now.hands[now.asked].remove(gone)
    lines = split(table, now, 2)
    assert f"return {gone}: engine {len(table.hands[now.asked]) - 1}, slow not legal  <--" in lines
    after = next(at for at, line in enumerate(lines) if line.startswith("after return"))
    assert f"  return {gone}: engine 1, slow not legal  <--" in lines[after:]


def test_every_ruleset_has_its_file() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(RULESETS) == set(GAMES)
