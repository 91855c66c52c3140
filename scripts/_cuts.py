"""Games over TCP through a proxy that cuts every connection by chance (tests/adversaries): each must end, and alike."""

from __future__ import annotations

import signal
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import Pool
from pathlib import Path

import trio

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # the adversaries live among the tests

from tests.adversaries.cut_games import Played, play_all  # noqa: E402
from tests.adversaries.proxy import Cut  # noqa: E402

AT_ONCE = 10  # games in one process: one that waits keeps no other from playing
CHUNK = 25  # games of one task
CUTS = (Cut.FIN, Cut.RST) * 12 + (Cut.HALF_OPEN,)  # the last costs the 20 s of silence after which a peer is gone


@dataclass
class Sum:
    """Of all games so far."""

    games: int = 0
    records: int = 0
    resumes: int = 0
    wrong: list[str] = field(default_factory=list)
    cuts: Counter[Cut] = field(default_factory=Counter)
    back: list[float] = field(default_factory=list)
    rules: Counter[str] = field(default_factory=Counter)

    def add(self, played: Played) -> None:
        """One more."""
        self.games += 1
        self.records += played.records
        self.resumes += played.resumes
        self.wrong += [f"game {played.number} ({played.rules}): {what}" for what in played.wrong]
        self.cuts += played.cuts
        self.back += played.back
        self.rules[played.rules] += 1

    def line(self) -> str:
        """The figures."""
        cuts = ", ".join(f"{count} {how.value}" for how, count in self.cuts.most_common())
        back = sorted(self.back) or [0.0]
        return (
            f"{self.games} games, {self.records} records, {self.cuts.total()} cuts ({cuts}), {self.resumes} resumes; "
            f"back after {back[len(back) // 2]:.2f} s (median), {back[-1]:.1f} s at most; {len(self.wrong)} wrong"
        )


def _some(numbers: range) -> list[Played]:
    found: list[Played] = []
    with tempfile.TemporaryDirectory() as folder:
        trio.run(partial(play_all, numbers, Path(folder), CUTS, at_once=AT_ONCE, tell=found.append))
    for name in (signal.SIGINT, signal.SIGTERM):  # several games at a time leave a handler of one that is over
        signal.signal(name, signal.SIG_DFL)
    return found


def soak_cuts(count: int, seed: int) -> int:
    """Plays `count` games of all rulesets in turn; 1 when one of them does not end, or not alike at both seats."""
    total, began = Sum(), time.monotonic()
    chunks = [range(at, min(at + CHUNK, seed + count)) for at in range(seed, seed + count, CHUNK)]
    with Pool() as pool:
        for some in pool.imap_unordered(_some, chunks):
            for played in some:
                total.add(played)
                for what in played.wrong:
                    print(f"game {played.number} ({played.rules}): {what}", flush=True)
            print(total.line(), flush=True)
    print(", ".join(f"{name} {games}" for name, games in sorted(total.rules.items())))
    print(f"{time.monotonic() - began:.0f} s")
    return 1 if total.wrong else 0
