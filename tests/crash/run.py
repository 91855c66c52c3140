"""The whole matrix of one game, shared out among processes: what it has seen, and what went wrong."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from tests.crash.matrix import WAYS, Matrix, Tally
from tests.crash.remembered import remembering
from tests.crash.seats import Step, Story, Table, story

AGAIN = 10  # every so many steps a second crash comes at every boundary of going on after the first
WHOLE = 15  # every so many steps the game is played to its end after each crash
AFRESH = 25  # every so many steps the same once more, and nothing is remembered


@dataclass(frozen=True, slots=True)
class Share:
    """Every `parts`-th step of a game (tests/crash/seats.py: story), from `part` on."""

    policy: str
    seed: int
    rules: str
    part: int = 0
    parts: int = 1


@dataclass
class Found:
    """What came of a share."""

    tally: Tally = field(default_factory=Tally)
    failures: list[str] = field(default_factory=list)

    def add(self, more: Found) -> None:
        """Both together."""
        self.tally.add(more.tally)
        self.failures += more.failures


def cross(share: Share) -> Found:
    """Every boundary of the steps of that share; a step in which something is wrong is a failure."""
    found = Found()
    with remembering():
        game = story(share.policy, share.seed, share.rules)
        steps = [*enumerate(game.steps), *enumerate(game.closings(), len(game.steps))][share.part :: share.parts]
        for number, (before, step) in steps:
            found.add(_tried(share, number, step, partial(_cross, game, number, before, step)))
    for number, (before, step) in steps:
        if number % AFRESH == 0:
            found.add(_tried(share, number, step, partial(_cross_afresh, game, number, before, step)))
    return found


def _tried(share: Share, number: int, step: Step, act: Callable[[], Tally]) -> Found:
    try:
        return Found(act())
    except Exception:  # whatever escapes is what is looked for
        last = traceback.format_exc().strip().splitlines()
        return Found(failures=[f"{share.rules}, step {number}, {step}: {' | '.join(last[-4:])}"])


def _cross(game: Story, number: int, before: Table, step: Step) -> Tally:
    matrix, sample, way = Matrix(game), Matrix(game), WAYS[number % len(WAYS)]
    matrix.cross(before, step)
    if number % WHOLE == 0:
        sample.cross(before, step, [way], whole=True)
    if number % AGAIN == 0:
        sample.known.clear()
        sample.cross_again(before, step, way)
    sample.tally.boundaries = 0  # they are the same
    matrix.tally.add(sample.tally)
    return matrix.tally


def _cross_afresh(game: Story, number: int, before: Table, step: Step) -> Tally:
    matrix = Matrix(game)
    matrix.cross(before, step, [WAYS[number % len(WAYS)]])
    matrix.tally.boundaries = 0
    return matrix.tally
