"""The arena makes the same file whoever plays, and whatever interrupts it.

One match is played by one process, by two, by the two workers of a dask cluster on this machine, and by two processes
that are killed again and again in the middle and gone on with. Each of the four files must hold the same bytes.
"""

from __future__ import annotations

import hashlib
import logging
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from p2p_schotten.errors import SchottenError

ROOT = Path(__file__).resolve().parent.parent
KILLS = 4


def soak_arena(games: int, seed: int) -> int:
    """The exit status: 1 when a run fails or two files differ. A line tells of each way to play the match."""
    pairs = max(1, games // 2)
    match = ("uniform", "uniform", "--pairs", str(pairs), "--seed", str(seed), "--plain")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _timed("1 job", pairs, folder, (*match, "--jobs", "1"))
        _timed("2 jobs", pairs, folder, (*match, "--jobs", "2"))
        with _cluster() as address:
            _timed("dask", pairs, folder, (*match, "--executor", f"dask:{address}"))
        kills = _killed(folder / "killed.jsonl", pairs, (*match, "--jobs", "2"), seed)
        print(f"{f'killed {kills} times':15} {_digest(folder / 'killed.jsonl')}", flush=True)
        found = {path.read_bytes() for path in folder.iterdir()}
    games = min(len(data.splitlines()) - 1 for data in found)
    same = len(found) == 1 and games == 2 * pairs and kills == KILLS
    print(f"{games:,} games: {'every file holds the same bytes' if same else 'THIS WENT WRONG'}")
    return 0 if same else 1


def _timed(way: str, pairs: int, folder: Path, arguments: Sequence[str]) -> None:
    path, began = folder / f"{way}.jsonl", time.monotonic()
    _run(path, arguments)
    seconds = time.monotonic() - began
    print(f"{way:15} {_digest(path)}  {seconds:6.1f} s, {2 * pairs / seconds:7,.0f} games/s", flush=True)


def _run(path: Path, arguments: Sequence[str]) -> None:
    done = subprocess.run(_command(path, arguments), cwd=ROOT, check=False, capture_output=True, text=True)
    if done.returncode:
        raise SchottenError(f"status {done.returncode}: {done.stderr}")


def _command(path: Path, arguments: Sequence[str]) -> list[str]:
    return [sys.executable, "-m", "p2p_schotten", "arena", *arguments, "--out", str(path), "--resume"]


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


@contextmanager
def _cluster() -> Iterator[str]:
    """The address of a dask scheduler with two workers, on loopback and without a page for browsers."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address=None,
        silence_logs=logging.ERROR,
    ) as cluster:
        yield str(cluster.scheduler_address)


def _killed(path: Path, pairs: int, arguments: Sequence[str], seed: int) -> int:
    """Killed at chosen places of the file, gone on with each time, and then left in peace; how often it was killed."""
    chance, kills = random.Random(seed), 0
    for place in sorted(chance.sample(range(2 * pairs), KILLS)):
        process = subprocess.Popen(
            _command(path, arguments), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        while process.poll() is None and _lines(path) <= place:
            time.sleep(0.02)
        kills += process.poll() is None
        process.kill()
        process.wait()
    # What a power cut may leave behind the last whole line.
    with path.open("ab") as file:
        file.write(b'{"bots": [0, 1], "ga')
    _run(path, arguments)
    return kills


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0
