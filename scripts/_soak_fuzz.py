"""Many inputs for every door of the program (tests/fuzz): nothing may escape but the door's own refusals."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.fuzz.run import Tally

ROOT = Path(__file__).resolve().parent.parent
NO_ATHERIS = "soak: atheris is not installed; .venv/bin/python -m pip install '.[fuzz]' brings it on Linux"


def fuzz_arguments(parser: ArgumentParser) -> None:
    """What `soak.py fuzz` takes."""
    parser.add_argument("--count", type=int, default=100_000, metavar="N", help="inputs in total (default: 100,000)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the changes (default: 1)")
    parser.add_argument("--target", metavar="T", help="one door only; a wrong name lists them")
    parser.add_argument("--atheris", action="store_true", help="guided by coverage; needs the extra fuzz")


def soak_fuzz(count: int, seed: int, target: str | None, guided: bool) -> int:
    """`count` inputs, shared out among the targets; 1 when something escaped."""
    if guided and importlib.util.find_spec("atheris") is None:
        print(NO_ATHERIS, file=sys.stderr)
        return 1
    sys.path.insert(0, str(ROOT))  # the targets stand beside the tests
    from tests.fuzz.run import run, split
    from tests.fuzz.targets import ALL, BY_NAME

    if target is not None and target not in BY_NAME:
        print(f"soak: there is no target {target!r}: expected one of {', '.join(BY_NAME)}", file=sys.stderr)
        return 1
    targets = ALL if target is None else (BY_NAME[target],)
    ran, seconds, escaped = 0, 0.0, 0
    for one, share in split(targets, count):
        if guided:
            ran, escaped = ran + share, escaped + _guided(one.name, share, seed)
            continue
        tally = run(one, share, seed)
        each = 1e6 * tally.seconds / tally.ran
        line = (
            f"{one.name:12}{tally.ran:>9,} inputs, {tally.taken:>8,} taken, {tally.seconds:6.1f} s, {each:6.0f} us each"
        )
        print(line, flush=True)
        ran, seconds, escaped = ran + tally.ran, seconds + tally.seconds, escaped + _told(tally)
    print(f"{ran:,} inputs, {escaped} escaped" + ("" if guided else f", {seconds:.0f} s"))
    return 1 if escaped else 0


def _told(tally: Tally) -> int:
    """Each thing that escaped is printed, and the input that did it kept."""
    from tests.fuzz.run import file_name

    if tally.finds:
        folder = Path(tempfile.mkdtemp(prefix=f"schotten-fuzz-{tally.target}-"))
        for what, data in tally.finds.items():
            path = folder / file_name(data)
            path.write_bytes(data)
            print(f"  {what}\n    {path}")
    return len(tally.finds)


def _guided(name: str, count: int, seed: int) -> int:
    """1 when something escaped; what libFuzzer says of it is printed."""
    folder = Path(tempfile.mkdtemp(prefix=f"schotten-fuzz-{name}-"))
    (folder / "inputs").mkdir()
    command = [sys.executable, "-m", "tests.fuzz.guided", name, str(count), str(seed), str(folder / "inputs")]
    started = time.perf_counter()
    # Its end is no end of a Python program: what it leaves behind must lie where it is cleared away here.
    world = {**os.environ, "TMPDIR": str(folder)}
    done = subprocess.run(command, cwd=ROOT, env=world, capture_output=True, text=True, errors="replace", check=False)
    said = done.stdout + done.stderr
    reached = re.findall(r"cov: (\d+)", said)
    what = f"{reached[0]} to {reached[-1]} places reached" if reached else "nothing measured"
    print(f"{name:12}{count:>9,} inputs, {what}, {time.perf_counter() - started:.1f} s", flush=True)
    if done.returncode:
        print("\n".join(said.splitlines()[-40:]))
    else:
        shutil.rmtree(folder)
    return int(done.returncode != 0)
