"""The example bots play legal games by every ruleset, and better than chance."""

from __future__ import annotations

import ast
import json
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from p2p_schotten.arena.game import play_game
from p2p_schotten.bots.base import Bot
from p2p_schotten.bots.external import External
from p2p_schotten.bots.finding import find_bot
from p2p_schotten.bots.seated import Seated
from p2p_schotten.bots.uniform import Uniform
from p2p_schotten.engine.move import Claim, Exchange, Give, Move, Play, Return, Scout
from p2p_schotten.engine.rulesets import RULESETS
from p2p_schotten.engine.state import State
from p2p_schotten.engine.table import Shuffle, play
from p2p_schotten.engine.view import View
from p2p_schotten.ids import SEATS
from tests.bots.games import dealt, seen_by
from tests.bots.test_wire import FROM_BOT, TO_BOT

ROOT = Path(__file__).parents[2]
EXAMPLES = {
    "python_bot.py": (sys.executable, "example"),
    "shell_bot.sh": ("sh", "shell"),
    "js_bot.js": ("node", "javascript"),
}
each_example = pytest.mark.parametrize("file", EXAMPLES)


def command(file: str) -> str:
    """How that example is asked for; skips where nothing on this machine can run it."""
    runs, _ = EXAMPLES[file]
    if shutil.which(runs) is None:
        pytest.skip(f"there is no {runs} here")
    return f"cmd:{shlex.quote(runs)} {shlex.quote(str(ROOT / 'examples' / file))}"


def won(bot: Bot, games: int) -> float:
    """How many of so many games the bot wins against chance, a ruleset after the other; no game ends by a fault."""
    score, rulesets = 0.0, [*RULESETS.values()]
    for number in range(games):
        rules, seat, chance = rulesets[number % 8], SEATS[number // 8 % 2], Random(number)
        mine, theirs = Seated(bot, number, "mine"), Seated(Uniform(), number + 1)
        bots = (mine, theirs) if seat == SEATS[0] else (theirs, mine)
        result = play_game(dealt(rules, SEATS[number // 16 % 2], number), bots, shuffled(chance))
        assert result.stopped == ()
        score += 0.5 if result.winner is None else result.winner == seat
    return score


def shuffled(chance: Random) -> Shuffle:
    return lambda pile: chance.sample(pile, len(pile))


@pytest.fixture
def example(file: str) -> Iterator[Bot]:
    """The example bot in that file; skips where nothing on this machine can run it."""
    bot = find_bot(command(file))
    assert isinstance(bot, External)
    yield bot
    assert bot.name == EXAMPLES[file][1]
    bot.close()


@each_example
def test_an_example_plays_a_game(example: Bot) -> None:
    won(example, 1)


@each_example
def test_an_example_plays_a_hundred_games_and_does_better_than_chance(example: Bot, file: str) -> None:
    # Uniform against itself wins 50 of 100, with a standard deviation of 5.
    assert won(example, 100) > (65 if file != "shell_bot.sh" else 50)


def test_the_python_example_is_short_and_needs_the_standard_library_only() -> None:
    source = (ROOT / "examples" / "python_bot.py").read_text()
    assert len(source.splitlines()) < 60
    imported = [
        alias.name for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import) for alias in node.names
    ]
    assert imported == ["json", "random", "sys"]


def test_the_documents_show_how_to_start_every_example_that_there_is() -> None:
    shown = set(re.findall(r"examples/(\w+\.\w+)", (ROOT / "docs" / "bots.md").read_text()))
    assert shown >= set(EXAMPLES)


def blocks(kind: str) -> list[str]:
    """What stands in the fenced blocks of that kind in the document."""
    text = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{kind}\n((?:(?!```).*\n)*)```$", text, re.MULTILINE)


def test_the_class_of_the_document_is_short_and_beats_chance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = blocks("python")[0]
    assert len([line for line in source.splitlines() if line]) <= 15
    (tmp_path / "mybot_of_the_document.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    assert won(find_bot("mybot_of_the_document:MyBot"), 16) > 8


def test_the_position_behind_a_move_is_had_as_the_document_says_also_where_the_move_hides_a_card() -> None:
    made: dict[str, Callable[[View, Move], State]] = {}
    exec(blocks("python")[1], made)
    kinds = set[type]()
    for rules in RULESETS.values():
        chance, table = Random(3), dealt(rules, SEATS[0], 3)
        while table.state.outcome is None:
            seen = seen_by(table, table.state.to_move)
            moves = seen.choices()
            move = next((move for move in moves if isinstance(move, Scout | Exchange)), chance.choice(moves))
            after = made["after"](seen, move)
            table, _ = play(table, move, shuffled(chance))
            assert after == table.state
            kinds.add(type(move))
    assert kinds >= {Return, Give, Play, Claim}


def test_the_exchange_of_the_document_is_as_the_schema_says() -> None:
    (exchange,) = blocks("text")
    whole = [line for line in exchange.splitlines() if "..." not in line]
    assert {line[:2] for line in whole} == {"< ", "> "}
    for line in whole:
        (TO_BOT if line[0] == ">" else FROM_BOT).validate(json.loads(line[2:]))
    assert len(whole) >= 10
