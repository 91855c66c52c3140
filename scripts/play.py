"""`python3 scripts/play.py ARGS` is `schotten play ARGS`, with the environment made on the first start."""

from __future__ import annotations

import sys

import _env

NO_GAME = 5  # the exit status of `schotten` when no game came about


def main() -> int:
    python = _env.prepared_or_exit("run", NO_GAME)
    return _env.become([str(python), "-P", "-m", "p2p_schotten", "play", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
