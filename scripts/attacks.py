"""The table of attacks in docs/security.md says what the tests of attacks see. `.venv/bin/python scripts/attacks.py`

Runs all of them, the long ones too (a minute or two), and writes tests/golden/attacks.txt and the table; nothing is
written where a test fails. Look at the difference before you commit it: it is what an attacker is answered.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WRITING = "SCHOTTEN_ATTACKS"  # as in tests/attacks.py, which does the writing
FOLDERS = ["tests/protocol", "tests/net"]


def main() -> int:
    """The exit status of the tests."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("tests", nargs="*", default=FOLDERS, help="files of tests; the lines of all others stay")
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:randomly", *parser.parse_args().tests]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, WRITING: "1"}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
