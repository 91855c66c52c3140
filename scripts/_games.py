"""Whole games of `schotten play` one after the other: they may leave transcripts behind, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from p2p_schotten.transcript import verify

LIMIT = 60  # seconds for one game of two bots; it takes about two
KEPT = {"identity", "known.json", "games", "seeds"}  # what a home holds between games


def soak_games(count: int, seed: int) -> int:
    """Plays `count` games between two processes over TCP; 1 when one of them fails or leaves something behind."""
    wrong: list[str] = []
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        home, scratch = Path(folder, "home"), Path(folder, "scratch")
        scratch.mkdir()
        env = {**os.environ, "SCHOTTEN_HOME": str(home), "TMPDIR": str(scratch), "TEMP": str(scratch)}
        for number in range(seed, seed + count):
            wrong += _play(number, env)
        games = sorted(home.glob("games/*"))
        if len(games) != count:
            wrong.append(f"{len(games)} games have a folder, expected {count}")
        for game in games:
            wrong += _judge(game)
        wrong += [f"left behind: {path.name}" for path in scratch.iterdir()]
        wrong += [f"left behind: {path.name}" for path in home.iterdir() if path.name not in KEPT]
        strays = _processes(str(home))
        wrong += [f"still running: process {number}" for number in strays or ()]
    for line in wrong:
        print(line)
    seconds = time.monotonic() - began
    # A socket lives as long as its process, so where no process is left no socket is.
    looked = "processes not looked at" if strays is None else f"{len(strays)} processes and sockets left"
    print(f"{count} games in {seconds:.0f} s, {len(wrong)} wrong, {looked}")
    return 1 if wrong else 0


def _play(number: int, env: dict[str, str]) -> list[str]:
    command = [sys.executable, "-m", "p2p_schotten", "play", "--me", "greedy", "--opponent", "uniform", "--plain"]
    try:
        done = subprocess.run(
            [*command, "--seed", str(number)],
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LIMIT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return [f"game {number}: not over after {LIMIT} s"]
    if done.returncode or done.stderr:
        return [f"game {number}: status {done.returncode}: {done.stderr.strip()}"]
    return []


def _judge(game: Path) -> list[str]:
    """Both seats kept the same bytes, and nothing beside them; the game is over, sealed and revealed by both."""
    names = sorted(path.name for path in game.iterdir())
    if names != ["0.schotten", "1.schotten"]:
        return [f"{game.name}: holds {names}"]
    first, second = ((game / name).read_bytes() for name in names)
    verdict = verify(first)
    if first != second or not verdict.over or len(verdict.sealed) + len(verdict.revealed) != 4:
        return [f"{game.name}: {verdict.ending()}; both files equal: {first == second}"]
    return []


def _processes(home: str) -> list[int] | None:
    """The processes that have this home in their environment; None where the system does not show that."""
    if not Path("/proc/self/environ").exists():
        return None
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            environment = (folder / "environ").read_bytes()
        except OSError:
            continue  # it has just ended, or is somebody else's
        if home.encode() in environment:
            found.append(int(folder.name))
    return found
