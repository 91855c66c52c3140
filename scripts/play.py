"""`python3 scripts/play.py` is `schotten play`, with the environment made on the first start.

Options go to `play`; with a command before them it is `schotten COMMAND`: `python3 scripts/play.py resume`.
"""

from __future__ import annotations

import sys

import _env

NO_GAME = 5  # the exit status of `schotten` when no game came about


def main() -> int:
    python = _env.prepared_or_exit("run", NO_GAME)
    return _env.become([str(python), "-P", "-m", "p2p_schotten", *command_line(sys.argv[1:])])


def command_line(arguments: list[str]) -> list[str]:
    """The arguments of `schotten`: `play` stands before options, and alone."""
    return arguments if arguments and not arguments[0].startswith("-") else ["play", *arguments]


if __name__ == "__main__":
    sys.exit(main())
