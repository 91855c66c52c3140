"""Many inputs over all targets, without any tool but Python: which were taken, which refused, and what escaped."""

from __future__ import annotations

import hashlib
import time
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from tests.fuzz.mutate import mutated
from tests.fuzz.target import Target

KEPT = 200  # inputs that were taken, of one target, to start from beside its seeds
LONGER = 64  # bytes more than the longest seed: an input that is taken and longer still is not kept
FINDS = 10  # of one target; more are most likely the same


@dataclass
class Tally:
    """What came of the inputs of one target."""

    target: str
    ran: int = 0
    taken: int = 0
    seconds: float = 0.0
    finds: dict[str, bytes] = field(default_factory=dict)  # where it escaped and what, and the shortest such input


def split(targets: Sequence[Target], count: int) -> Iterator[tuple[Target, int]]:
    """How many of `count` inputs each target gets."""
    whole = sum(target.share for target in targets)
    for target in targets:
        yield target, max(1, count * target.share // whole)


def run(target: Target, count: int, seed: int) -> Tally:
    """`count` inputs of one target, the same ones for the same seed."""
    random, tally, seeds = Random(f"{target.name} {seed}"), Tally(target.name), target.all_seeds()
    pool, started = list(seeds), time.perf_counter()
    most = max(map(len, seeds)) + LONGER
    while tally.ran < count and len(tally.finds) < FINDS:
        data = seeds[tally.ran] if tally.ran < len(seeds) else mutated(random, target.shape, pool, target.words)
        tally.ran += 1
        if not attempt(target, data, tally):
            continue
        tally.taken += 1
        if len(data) <= most:
            if len(pool) < len(seeds) + KEPT:
                pool.append(data)
            else:
                pool[random.randrange(len(seeds), len(pool))] = data
    tally.seconds = time.perf_counter() - started
    return tally


def attempt(target: Target, data: bytes, tally: Tally) -> bool:
    """The input was taken; what escapes is a find."""
    try:
        return target.run(data)
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        file = last.filename.rsplit("p2p_schotten", 1)[-1]
        what = f"{type(error).__name__} at {file}:{last.lineno}: {str(error)[:200]!r}"
        place = what.rsplit(":", 1)[0]
        known = next((key for key in tally.finds if key.rsplit(":", 1)[0] == place), what)
        if known not in tally.finds or len(data) < len(tally.finds[known]):
            tally.finds.pop(known, None)
            tally.finds[what] = data
        return False


def file_name(data: bytes) -> str:
    """Under which name an input is kept."""
    return hashlib.sha256(data).hexdigest()[:16]
