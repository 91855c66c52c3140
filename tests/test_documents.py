"""What the documents point at exists: files that they link to, tests that they name, positions that they show."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from p2p_schotten.engine.claim import weigh
from p2p_schotten.engine.formation import Side, Terms, side_of
from p2p_schotten.engine.rulesets import ruleset

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted(path for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")] if ".venv" not in path.parts)
BASE = ruleset("base")
TERMS = Terms(BASE.grid, BASE.tiles[0].size, BASE.tiles[0].contest)
CARD = re.compile(r"\b[RGBYPN][1-9]\b")


def names_of_tests(folder: Path) -> set[str]:
    """The names of all test functions below a folder."""
    return {
        node.name
        for path in folder.rglob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    }


def tables(document: str) -> list[list[str]]:
    """Every row of every table, cells stripped; heads and rules left out."""
    lines = (ROOT / "docs" / document).read_text("utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return [row for row in rows if not set("".join(row)) <= set("-: ")]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_to_a_file(path: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text("utf-8"))
    assert [link for link in links if not (path.parent / link).exists()] == []


def test_every_test_that_the_rulings_name_exists() -> None:
    text = (ROOT / "docs" / "rulings.md").read_text("utf-8")
    named = {name.split("[")[0] for name in re.findall(r"`(test_\w+(?:\[\w+\])?)`", text)}
    assert len(named) >= 20
    assert named - names_of_tests(ROOT / "tests") == set()


def test_every_row_that_the_rulings_name_is_a_row_of_the_tests() -> None:
    text = (ROOT / "docs" / "rulings.md").read_text("utf-8")
    rows = (ROOT / "tests" / "engine" / "test_rows.py").read_text("utf-8")
    named = set(re.findall(r"`test_(?:row|patterns_of_stones)\[(P\d+)\]`", text))
    assert len(named) >= 6
    assert {row for row in named if f'"{row}"' not in rows} == set()


def may_claim(mine: str, theirs: str, elsewhere: str) -> bool:
    """What the engine says of a row of a document; who comes first stands behind the cards."""

    def side(text: str) -> tuple[Side, int]:
        cards = tuple(sorted(BASE.card(card) for card in CARD.findall(text)))
        return side_of(TERMS, cards), sum(1 << card for card in cards)

    (own, on_mine), (other, on_theirs) = side(mine), side(theirs)
    seen = on_mine | on_theirs
    if elsewhere.startswith("all but "):
        seen |= BASE.grid.all & ~side(elsewhere)[1]
    elif elsewhere == "all six 2s":
        seen |= side("R2 G2 B2 Y2 P2 N2")[1]
    elif "hand" not in elsewhere:  # a hand is no evidence
        seen |= side(elsewhere)[1]
    return weigh(BASE, own, other, "first" not in theirs, BASE.grid.all & ~seen).claim


def test_the_engine_agrees_with_every_position_of_the_rulings() -> None:
    rows = [row for row in tables("rulings.md") if len(row) == 6 and re.fullmatch(r"P\d+", row[0])]
    assert len(rows) == 26
    for name, mine, theirs, elsewhere, answer, _ in rows:
        assert answer in ("yes", "no")
        assert (name, may_claim(mine, theirs, elsewhere)) == (name, answer == "yes")


def test_the_engine_agrees_with_every_example_of_the_rules() -> None:
    rows = [row for row in tables("rules.md") if len(row) == 4 and row[3].startswith(("yes", "no:"))]
    assert len(rows) == 9
    for mine, theirs, elsewhere, answer in rows:
        assert (mine, theirs, may_claim(mine, theirs, elsewhere)) == (mine, theirs, answer.startswith("yes"))


def test_the_formations_of_the_rules_rank_as_they_stand_there() -> None:
    examples = [row[3] for row in tables("rules.md") if re.fullmatch("[1-5]", row[0])]
    assert len(examples) == 5
    keys = [side_of(TERMS, tuple(sorted(BASE.card(card) for card in text.split()))).key for text in examples]
    assert keys == sorted(keys, reverse=True)
    assert len(set(keys)) == 5
