"""Everything that has to hold before a change stands: ruff, format, types, tests, coverage of the heart.

`python3 scripts/test.py` runs all of it but the long tests (tests/long.txt, `scripts/soak.py tests`). Arguments are
passed on to pytest (`-k claim tests/engine`), and then coverage is shown but not demanded. All steps run, also after
one failed; the last line is pytest's own count.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import _env

DEMANDED = ("engine", "crypto", "protocol")  # whose lines and branches must be covered
FLOOR = 95.0  # percent
WORKERS = "2"
COUNTS = re.compile(r"\b\d+ (passed|failed|skipped|errors?|deselected|xfailed|xpassed)\b|\bno tests ran\b")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Covered:
    """Lines and branches of one package: reached of all."""

    lines: int
    all_lines: int
    branches: int
    all_branches: int

    def percent(self) -> tuple[float, float]:
        """Of lines and of branches; nothing to reach counts as all reached."""
        return (
            100.0 * self.lines / self.all_lines if self.all_lines else 100.0,
            100.0 * self.branches / self.all_branches if self.all_branches else 100.0,
        )


def coverage_by_package(report: str) -> dict[str, Covered]:
    """Sums of coverage's JSON report per package of p2p_schotten; modules at its top are under ""."""
    sums: dict[str, Covered] = {}
    for name, file in json.loads(report)["files"].items():
        parts = Path(name.replace("\\", "/")).parts
        inside = parts[parts.index("p2p_schotten") + 1 :]
        package = inside[0] if len(inside) > 1 else ""
        had, new = sums.get(package, Covered(0, 0, 0, 0)), file["summary"]
        sums[package] = Covered(
            had.lines + new["covered_lines"],
            had.all_lines + new["num_statements"],
            had.branches + new.get("covered_branches", 0),
            had.all_branches + new.get("num_branches", 0),
        )
    return sums


def below_floor(sums: dict[str, Covered]) -> list[str]:
    """The demanded packages that are not covered as demanded (a package without a file is one of them)."""
    return [name for name in DEMANDED if name not in sums or min(sums[name].percent()) < FLOOR]


def counts_line(output: list[str]) -> str:
    """The last line of pytest's output that counts tests, without colour and rules."""
    for line in reversed(output):
        plain = COLOUR.sub("", line).strip().strip("=").strip()
        if COUNTS.search(plain):
            return plain
    return "pytest gave no count"


def step(name: str, command: list[str]) -> bool:
    """Runs one check and says how it went."""
    print(f"--- {name}", flush=True)
    began = time.monotonic()
    status = subprocess.run(command, cwd=_env.ROOT, check=False).returncode
    print(
        f"    {'ok' if status == 0 else f'FAILED with status {status}'}, {time.monotonic() - began:.1f} s", flush=True
    )
    return status == 0


def run_tests(python: str, arguments: list[str]) -> tuple[bool, str]:
    """Runs pytest under coverage, shows the coverage per package; whether all is well, and pytest's count."""
    print(f"--- pytest {' '.join(arguments)}".rstrip(), flush=True)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "coverage.json"
        command = [python, "-m", "pytest", "-q", "-n", WORKERS, "--cov=p2p_schotten", "--cov-branch"]
        command += [f"--cov-report=json:{report}", *(["--color=yes"] if sys.stdout.isatty() else [])]
        command += arguments or ["-m", "not long"]
        status, output = _echoed(command)
        sums = coverage_by_package(report.read_text(encoding="utf-8")) if report.exists() else {}
    print(
        f"    {'ok' if status == 0 else f'FAILED with status {status}'}, {time.monotonic() - began:.1f} s", flush=True
    )
    good = status == 0
    print("--- coverage in percent: lines, branches", flush=True)
    for name in sorted(sums):
        lines, branches = sums[name].percent()
        print(f"    {name or '(top level)':12} {lines:6.1f} {branches:6.1f}")
    low = below_floor(sums)
    if arguments:
        print("    not demanded: only chosen tests ran", flush=True)
    elif low:
        print(f"    FAILED: below {FLOOR:g} percent: {', '.join(low)}", flush=True)
        good = False
    return good, counts_line(output)


def _echoed(command: list[str]) -> tuple[int, list[str]]:
    """Runs a command, shows its output as it comes, and keeps it."""
    output: list[str] = []
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"}
    with subprocess.Popen(
        command,
        cwd=_env.ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    ) as child:
        assert child.stdout is not None  # asked for above
        for line in child.stdout:
            print(line, end="", flush=True)
            output.append(line)
    return child.returncode, output


def main(arguments: list[str]) -> int:
    python = str(_env.prepared_or_exit("dev", 1))
    results = [
        step("ruff check", [python, "-m", "ruff", "check", "."]),
        step("ruff format --check", [python, "-m", "ruff", "format", "--check", "."]),
        step("mypy", [python, "-m", "mypy"]),
    ]
    good, counts = run_tests(python, arguments)
    failed = [
        name for name, ok in zip(("ruff check", "format", "mypy", "tests"), [*results, good], strict=True) if not ok
    ]
    print(f"--- {'FAILED: ' + ', '.join(failed) if failed else 'all is well'}", flush=True)
    print(counts, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
