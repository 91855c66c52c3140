"""The program as a script runs it: its own process, its own home folder."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

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


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Status, output and error output of a program that ends by itself."""
    process.wait(LIMIT)  # first, because `communicate` ends the input, and that means something to the program
    out, err = process.communicate(timeout=LIMIT)
    assert "Traceback" not in err, err
    return process.returncode, out, err


@contextmanager
def hosting(home: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str, str]]:
    """A host on loopback; its process, its invite and its host:port."""
    process = start(home, "host", "--bind", "127.0.0.1", *arguments)
    try:
        assert process.stdout is not None
        assert process.stderr is not None
        invite = process.stdout.readline().strip()
        address = process.stderr.readline().split(" at ")[1].strip().rstrip(".")
        yield process, invite, address
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()


def importable(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str) -> Path:
    """A new folder in `folder` with a module that every process started from now on can import."""
    site = folder / "site"
    site.mkdir()
    (site / f"{name}.py").write_text(text)
    monkeypatch.setenv("PYTHONPATH", str(site))
    return site


def transcripts(home: Path) -> list[Path]:
    """Every transcript of that home folder, by game and seat."""
    return sorted((home / "games").glob("*/*.schotten"))
