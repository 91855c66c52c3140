"""The program as a script runs it: its own process, its own home folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = (sys.executable, "-m", "p2p_schotten")
LIMIT = 60  # seconds; a game takes two


def surroundings(home: Path) -> dict[str, str]:
    """The environment with that home folder and without what would colour the output."""
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLORTERM")}
    return {**kept, "SCHOTTEN_HOME": str(home), "TERM": "xterm", "PYTHONWARNINGS": "error"}


def schotten(home: Path, *arguments: str, typed: str | bytes = "") -> subprocess.CompletedProcess[str]:
    """Run to the end with this on standard input."""
    data = typed.encode() if isinstance(typed, str) else typed
    done = subprocess.run(
        [*PROGRAM, *arguments], input=data, env=surroundings(home), capture_output=True, timeout=LIMIT, check=False
    )
    out, err = done.stdout.decode(errors="replace"), done.stderr.decode()
    assert "Traceback" not in err, err
    return subprocess.CompletedProcess(done.args, done.returncode, out, err)


def start(home: Path, *arguments: str) -> subprocess.Popen[str]:
    """Start and go on; the caller waits for it."""
    return subprocess.Popen(
        [*PROGRAM, *arguments],
        env=surroundings(home),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def children(pid: int) -> list[int]:
    """The processes whose parent this is (Linux)."""
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(word) for word in path.read_text().split()] if path.exists() else []


def alive(pid: int) -> bool:
    """The process exists and has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1][0] != "Z"
    except FileNotFoundError:
        return False
