"""Every ruleset, and the flags that it may be played with so that every two answers meet in some game (pairwise)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, product

from p2p_schotten.engine.flags import FLAGS, flagged, flags_of
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import RULESETS

Answers = Mapping[str, str]
Pair = frozenset[tuple[str, str]]


def all_answers(preset: Ruleset) -> Iterator[Answers]:
    """Every way to set all flags that have a meaning in the preset with, and without, its tactic cards."""
    for tactics in FLAGS["tactics"].values:
        names = [name for name in flags_of(flagged(preset, {"tactics": tactics})) if name != "tactics"]
        for values in product(*(FLAGS[name].values for name in names)):
            yield {"tactics": tactics, **dict(zip(names, values, strict=True))}


def pairs(preset: str, answers: Answers) -> set[Pair]:
    """What meets in one game: two answers, or an answer and the name of the ruleset."""
    return {frozenset(pair) for pair in combinations((("ruleset", preset), *answers.items()), 2)}


ALL = tuple((name, answers) for name, preset in RULESETS.items() for answers in all_answers(preset))


def _pairwise() -> tuple[tuple[str, Answers], ...]:
    # The presets as they are, then again and again the game in which most pairs meet for the first time.
    chosen = [(name, flags_of(preset)) for name, preset in RULESETS.items()]
    left: set[Pair] = set().union(*(pairs(*game) for game in ALL)) - set().union(*(pairs(*game) for game in chosen))
    while left:
        best = max(ALL, key=lambda game: len(pairs(*game) & left))
        chosen.append(best)
        left -= pairs(*best)
    return tuple(chosen)


PAIRWISE = _pairwise()
"""Each as (preset, answers)."""

VARIANTS: tuple[Ruleset, ...] = tuple(dict.fromkeys(flagged(RULESETS[name], answers) for name, answers in PAIRWISE))
"""The same as rulesets, each once."""


def named(rules: Ruleset) -> str:
    """The preset and the flags that differ from it, for a test's id."""
    return "+".join([rules.name, *(f"{name}={value}" for name, value in rules.flags)])
