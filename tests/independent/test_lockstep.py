"""The engine and the game of the document go through the same positions, also where a move is against the rules.

No cards are hidden here: what is compared is the state code, which every digest on the wire contains.
"""

from __future__ import annotations

from random import Random

import pytest

from p2p_schotten.engine.move import move_code, public, read_move
from p2p_schotten.engine.rules import apply
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.state import State, state_code
from p2p_schotten.errors import IllegalMove, Malformed
from tests.engine.random_games import MANNERS, games
from tests.engine.variants import VARIANTS, named
from tests.independent.game import Game, Illegal
from tests.independent.rules import Rules, rules_of
from tests.independent.steps import move


def plain(code: object) -> object:
    """The code with its named integers and words as plain ones."""
    if isinstance(code, tuple):
        return tuple(plain(part) for part in code)
    if isinstance(code, str):
        return str(code)
    assert isinstance(code, int)
    return int(code)


def by_the_document(rules: Ruleset) -> Rules:
    return rules_of(rules.name, tuple((str(flag), str(value)) for flag, value in rules.flags))


def of_the_engine(state: State, code: list[int]) -> object:
    """The state code behind the move; None if the engine refuses it."""
    try:
        return plain(state_code(apply(state, read_move(state.rules, code)).state))
    except (IllegalMove, Malformed):
        return None


def of_the_document(game: Game, code: list[int]) -> object:
    try:
        return move(game, code)[0].code()
    except Illegal:
        return None


def strange(code: list[int], random: Random) -> list[int]:
    """Another code, near to one that is legal or far from every one."""
    numbers = [random.choice([random.randrange(3), random.randrange(11), random.randrange(72)]) for _ in range(4)]
    if random.random() < 0.3:
        return [random.randrange(20), *numbers[: random.randrange(4)]]
    at = random.randrange(len(code) + 1)
    return [*code[:at], numbers[0], *code[at + random.choice([0, 1, 1, 1]) :]]


def lockstep(rules: Ruleset, seed: int, tries: int = 1) -> tuple[int, int]:
    """Plays a random game in both, and at each position tries strange codes: how many of them are legal and illegal."""
    random = Random(seed)
    one, two = (MANNERS[random.choice(list(MANNERS))] for _ in range(2))
    tables, steps = games(rules, seed, one, two)
    game = Game(by_the_document(rules), int(tables[0].state.turn))
    assert game.code() == plain(state_code(tables[0].state))
    counts = [0, 0]
    for number, (chosen, _) in enumerate(steps):
        state, code = tables[number].state, [int(part) for part in move_code(public(rules, chosen))]
        for _ in range(tries):
            other = strange(code, random)
            found = of_the_engine(state, other)
            assert of_the_document(game, other) == found, (named(rules), seed, number, other)
            counts[found is None] += 1
        game, _ = move(game, code)
        assert game.code() == plain(state_code(tables[number + 1].state)), (named(rules), seed, number, code)
    assert game.outcome is not None
    return counts[0], counts[1]


@pytest.mark.parametrize("rules", VARIANTS, ids=named)
def test_engine_and_document_go_through_the_same_positions(rules: Ruleset) -> None:
    legal, illegal = lockstep(rules, 1)
    assert legal + illegal >= 5
    assert illegal
