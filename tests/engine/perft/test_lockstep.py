"""The engine and a second referee, written from the rules alone, agree on every choice of whole random games."""

from __future__ import annotations

import pytest

from tests.engine.perft.lockstep import lockstep
from tests.engine.variants import ALL, PAIRWISE, VARIANTS, Answers, pairs


def shown(value: str | Answers) -> str:
    return value if isinstance(value, str) else "+".join(f"{name}={said}" for name, said in value.items())


@pytest.mark.parametrize(("name", "flags"), PAIRWISE, ids=shown)
def test_two_referees_agree_on_every_choice_of_a_game(name: str, flags: Answers) -> None:
    for seed in (1, 2):
        lockstep(name, flags, seed)


def test_every_two_answers_meet_in_some_game() -> None:
    met = set().union(*(pairs(*game) for game in PAIRWISE))
    assert met == set().union(*(pairs(*game) for game in ALL))
    # By hand: a flag of a siege never meets one of stones, and every other two of the eight flags do in all four ways.
    for one, two in (
        ("joker_limit", "return_to"),
        ("mode_targetable", "ruse_takes"),
        ("claim_timing", "tactics"),
        ("joker_limit", "ruse_takes"),
        ("st2_colour_run_bonus", "st2_full_defender_wins"),
        ("ruse_takes", "st2_colour_run_bonus"),
    ):
        ways = {pair for pair in met if {name for name, _ in pair} == {one, two}}
        assert len(ways) == 4, (one, two)
    assert not [pair for pair in met if {name for name, _ in pair} == {"claim_timing", "st2_colour_run_bonus"}]
    assert len(VARIANTS) == len(set(VARIANTS)) >= 20
