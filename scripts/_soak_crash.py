"""A crash at every boundary of write, fsync and send (tests/crash): in memory, or of real processes killed with -9."""

from __future__ import annotations

import random
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections import Counter
from functools import partial
from multiprocessing import Pool
from multiprocessing.pool import ThreadPool
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.crash.processes import Case

ROOT = Path(__file__).resolve().parent.parent
GAMES = (("greedy", 1, "base"), ("greedy", 1, "tactic"))  # policy (tests/protocol/courses.py), seed, ruleset
PARTS = 16  # of a game, so that two processors are busy until the end
STEP = 10  # every so many boundaries of a whole game, where not all are crossed


def crash_arguments(parser: ArgumentParser) -> None:
    """What `soak.py crash` takes."""
    parser.add_argument("--processes", action="store_true", help="kill real programs instead; takes an hour")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="how many at one time (default: 2)")
    parser.add_argument("--most", type=int, metavar="N", help="so many kills at most, chosen by chance (default: all)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of that choice (default: 1)")


def soak_crash(processes: bool, jobs: int, most: int | None, seed: int) -> int:
    """The whole matrix; 1 when something was lost, said twice, or stood differently on both sides."""
    sys.path.insert(0, str(ROOT))  # what crashes stands beside the tests
    return _kill(jobs, most, seed) if processes else _cut_power(jobs)


def _cut_power(jobs: int) -> int:
    """Every boundary of whole games on disks in memory."""
    from tests.crash.run import Found, Share, cross

    failures: list[str] = []
    for policy, number, rules in GAMES:
        began, found = time.monotonic(), Found()
        with Pool(jobs) as pool:
            shares = [Share(policy, number, rules, part, PARTS) for part in range(PARTS)]
            for more in pool.imap_unordered(cross, shares):
                found.add(more)
                print(f"  {rules}: {found.tally}", flush=True)
        print(f"{rules}: {found.tally}; {len(found.failures)} wrong, {time.monotonic() - began:.0f} s", flush=True)
        failures += found.failures
    for line in failures:
        print(line)
    return 1 if failures else 0


def _kill(jobs: int, most: int | None, seed: int) -> int:
    """A program killed with -9 at every boundary of the set-up, of three turns and of the end, and at every tenth."""
    from tests.crash.processes import name_of, run_in

    root, began = Path(tempfile.mkdtemp(prefix="schotten-crash-")), time.monotonic()
    chosen = _cases(root)
    random.Random(seed).shuffle(chosen)
    print(f"{len(chosen)} boundaries; what goes wrong stays in {root}", flush=True)
    found: Counter[str] = Counter()
    wrong: list[str] = []
    with ThreadPool(jobs) as pool:
        for outcome in pool.imap_unordered(partial(run_in, root), chosen[:most]):
            found["WRONG" if outcome.wrong else outcome.what] += 1
            if outcome.wrong:
                wrong.append(f"{name_of(outcome.case)}: {outcome.what}")
                print(wrong[-1], flush=True)
            if found.total() % 25 == 0:
                print(f"  {_told(found)}, {time.monotonic() - began:.0f} s", flush=True)
    print(f"{found.total()} killed: {_told(found)}; {time.monotonic() - began:.0f} s")
    return 1 if wrong else 0


def _cases(root: Path) -> list[Case]:
    """A short game for its set-up, turns and end; then a whole one of two bots for the rest, and for its end."""
    from tests.crash.processes import Players, cases

    short = cases(Players(early=True), root / "short", 1)
    whole = cases(Players(early=False), root / "whole", STEP, rest_only=True)
    return [*short, *whole]


def _told(found: Counter[str]) -> str:
    return ", ".join(f"{count} {what}" for what, count in sorted(found.items()))
