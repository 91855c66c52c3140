"""The file of results: pairs are added in their order, and a match that was cut goes on behind the last whole one."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from p2p_schotten.arena.lines import MAX_HEADER, MAX_LINE, check_header, game_lines, header_line, read_pair
from p2p_schotten.arena.plan import Game, Plan
from p2p_schotten.disk import DISK, RealFile, flock
from p2p_schotten.errors import Malformed, SchottenError

SYNC_SECONDS = 1.0
"""A power cut costs the games of about so long; a process that is killed costs none that stand in the file."""

LOCKED_BYTE = 2**31 - 2
"""Windows locks a byte, and lets nobody else read it meanwhile: this one lies behind what ten million games take.
Elsewhere the lock is on the file as a whole."""

Pair = tuple[Game, Game]


class ResultsError(SchottenError):
    """The file cannot be used for this match: it is there already, or is another match's, or somebody writes it."""


class Results:
    """The open file of one match. Nobody else writes it meanwhile."""

    def __init__(self, file: RealFile) -> None:
        self._file = file
        self._synced = time.monotonic()

    def begin(self, plan: Plan) -> None:
        """The header of this match stands in the file, safe."""
        self._file.append(header_line(plan))
        self._file.sync()

    def add(self, plan: Plan, number: int, games: Pair) -> None:
        """Both games of pair `number` of the match stand in the file, safe within about a second."""
        self._file.append(game_lines(plan.place(number), games))
        if time.monotonic() - self._synced >= SYNC_SECONDS:
            self._file.sync()
            self._synced = time.monotonic()

    def __enter__(self) -> Results:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        try:
            self._file.sync()
        finally:
            self._file.close()


def new_results(path: Path, plan: Plan) -> Results:
    """A new file with its header; raises ResultsError where one is there already."""
    with _locked(path, os.O_CREAT | os.O_EXCL) as file:
        if os.fstat(file).st_size:  # somebody went on with it in the moment before it was locked
            raise ResultsError(f"{path} exists already, and is not overwritten")
        results = Results(RealFile(file))
        results.begin(plan)
        DISK.sync_folder(path.parent)
        return results


def old_results(path: Path, plan: Plan, take: Callable[[Pair], object]) -> Results:
    """The file as it was left, and `take` gets its pairs; what a cut left behind the last whole pair is taken away.

    Raises ResultsError, and then the file is as it was, where it is not one of this match.
    """
    with _locked(path, 0) as file:
        try:
            size = _read(file, plan, take)
        except Malformed as error:
            raise ResultsError(f"{path}: {error}") from None
        os.ftruncate(file, size)
        results = Results(RealFile(file))
        if not size:
            results.begin(plan)
        return results


@contextmanager
def _locked(path: Path, how: int) -> Iterator[int]:
    """The file is open, and nobody else writes it until it is closed; it is closed at once where the block fails.

    It is locked itself, so that it does not matter by which of its names somebody comes to it.
    """
    if not path.parent.is_dir():
        raise ResultsError(f"{path}: there is no folder {path.parent}")
    if path.exists() and not path.is_file():
        raise ResultsError(f"{path} is no file")
    if path.is_symlink() and not path.exists():
        raise ResultsError(f"{path} is a link that leads nowhere")
    try:
        file = os.open(path, os.O_RDWR | os.O_APPEND | how | getattr(os, "O_BINARY", 0), 0o600)
    except FileExistsError:
        raise ResultsError(f"{path} exists already, and is not overwritten") from None
    try:
        try:
            os.lseek(file, LOCKED_BYTE, os.SEEK_SET)
            flock(file)
        except BlockingIOError:
            raise ResultsError(f"{path}: another arena writes this file at the moment") from None
        os.lseek(file, 0, os.SEEK_SET)
        yield file
    except BaseException:  # whatever it is goes on, but no descriptor stays open
        os.close(file)
        raise


def _read(descriptor: int, plan: Plan, take: Callable[[Pair], object]) -> int:
    """How many bytes the header and the whole pairs of the file take; 0 for a header that was cut."""
    with os.fdopen(descriptor, "rb", closefd=False) as file:
        head = file.readline(MAX_HEADER + 1)
        if not head.endswith(b"\n"):
            if len(head) <= MAX_HEADER and header_line(plan).startswith(head):
                return 0
            raise Malformed("it is no file of results of the arena")
        check_header(plan, head)
        size = len(head)
        for number, lines in enumerate(_pairs_of_lines(file)):
            try:
                take(read_pair(plan.place(number), lines))
            except Malformed as error:
                raise Malformed(f"line {2 * number + 2} and the next: {error}") from None
            size += sum(map(len, lines))
    return size


def _pairs_of_lines(file: BinaryIO) -> Iterator[tuple[bytes, bytes]]:
    """Two whole lines at a time; what is less at the end was cut."""
    while True:
        lines = (file.readline(MAX_LINE + 1), file.readline(MAX_LINE + 1))
        if not lines[1].endswith(b"\n"):
            if max(map(len, lines)) > MAX_LINE:
                raise Malformed(f"a line has more than {MAX_LINE} bytes")
            return
        yield lines
