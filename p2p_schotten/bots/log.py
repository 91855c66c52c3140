"""What bots say beside their game, kept in a file: the standard error of programs, the tracebacks of classes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO

from p2p_schotten.text import clean_text

MAX_LOG = 1024 * 1024  # bytes of a log file before a new one is begun
MAX_TRACE = 16 * 1024  # bytes of a traceback that are kept, those at its end: there stands what failed
FRAMES = 40  # of a traceback, the innermost ones
SHOWN_FILE = 60  # characters


def open_log(log: Path | None, heading: str) -> BinaryIO | None:
    """As `begun_log`; None where there is none, or where it cannot be written: a bot plays without it."""
    if log is None:
        return None
    try:
        return begun_log(log, heading)
    except OSError:
        return None


def begun_log(log: Path, heading: str) -> BinaryIO:
    """The log file, to append to, for its owner's eyes; a long one gives way to a new one. Raises OSError."""
    log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if log.exists() and log.stat().st_size >= MAX_LOG:
        log.replace(log.with_name(f"{log.name}.old"))
    kept = open(log, "ab", buffering=0, opener=_private)  # noqa: SIM115 (who writes closes it)
    try:
        kept.write(f"--- {heading}\n".encode(errors="replace"))
    except OSError:
        kept.close()
        raise
    return kept


def note_error(log: Path | None, heading: str, error: BaseException) -> None:
    """The traceback of what a class raised stands in the log file, where there is one."""
    if log is None:
        return
    from traceback import format_exception

    told = "".join(format_exception(type(error), error, error.__traceback__, limit=-FRAMES))
    kept = open_log(log, heading)
    if kept is not None:
        with kept:
            try:
                kept.write(told.encode(errors="backslashreplace")[-MAX_TRACE:])
            except OSError:  # the disk is full: the game goes on
                return


def place(error: BaseException, near: object, besides: str) -> str:
    """Where it was raised, as mybot.py:12: in the innermost line of code that lies in the folder of the module `near`.

    If there is none, in the outermost line that is not of the file `besides`, from which the bot was asked; empty
    where there is none either.
    """
    from sys import modules
    from traceback import walk_tb

    folder = os.path.dirname(getattr(modules.get(str(near)), "__file__", None) or "")
    lines = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
    lines = [(file, line) for file, line in lines if file != besides]
    own = [(file, line) for file, line in lines if folder and os.path.dirname(os.path.abspath(file)) == folder]
    return _shown(own[-1:] or lines[:1])


def place_of_import(error: BaseException) -> str:
    """The innermost line of a module that was being imported when this was raised; empty where none was."""
    from traceback import walk_tb

    codes = [(frame.f_code, line) for frame, line in walk_tb(error.__traceback__)]
    return _shown([(code.co_filename, line) for code, line in codes if code.co_name == "<module>"][-1:])


def _shown(found: list[tuple[str, int]]) -> str:
    return "".join(f"{clean_text(os.path.basename(file), SHOWN_FILE)}:{line}" for file, line in found)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0), 0o600)  # nobody waits for who would read a pipe
