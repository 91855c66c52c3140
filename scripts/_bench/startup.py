"""What a command costs before it does anything, beside a bare typer program. CPU time of whole processes."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from _bench.measure import Goal, Row, Units

BARE = """import typer

app = typer.Typer()


@app.command()
def main(name: str = "you") -> None:
    "Say hello."
    print("hello", name)


if __name__ == "__main__":
    app()
"""
ROUNDS = 12
HEAVY = ("trio", "cryptography", "nacl", "textual")


def cpu_seconds(command: list[str]) -> float:
    """User and system time of one process from its start to its end (wall-clock time where the system tells less)."""
    if hasattr(os, "wait4"):
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        took = usage.ru_utime + usage.ru_stime
    else:
        began = time.perf_counter()
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        child.wait()
        took = time.perf_counter() - began
    if child.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} ended with status {child.returncode}")
    return took


def measure(units: Units) -> list[Row]:
    python = sys.executable
    with tempfile.TemporaryDirectory() as folder:
        bare = Path(folder) / "bare.py"
        bare.write_text(BARE, encoding="utf-8")
        commands = {
            "python -c pass": [python, "-c", "pass"],
            "bare typer program": [python, str(bare)],
            "bare typer program --help": [python, str(bare), "--help"],
            "schotten --version": [python, "-m", "p2p_schotten", "--version"],
            "schotten --help": [python, "-m", "p2p_schotten", "--help"],
        }
        took: dict[str, list[float]] = {name: [] for name in commands}
        for number in range(ROUNDS + 1):
            for name, command in commands.items():
                seconds = cpu_seconds(command)
                if number:  # the first round writes the compiled files
                    took[name].append(seconds)
    best = {name: min(times) for name, times in took.items()}
    rows = [Row(name, seconds * 1000, "ms", None, f"best of {ROUNDS}") for name, seconds in best.items()]
    for name, beside in (
        ("schotten --version", "bare typer program"),
        ("schotten --help", "bare typer program --help"),
    ):
        ratio = best[name] / best[beside]
        middle = statistics.median(took[name]) / statistics.median(took[beside])
        rows.append(Row(f"{name} / {beside}", ratio, "x", Goal("at most", 1.3), f"of the medians {middle:.2f}"))
    return rows
