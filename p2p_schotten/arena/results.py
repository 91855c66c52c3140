"""The file of results: pairs are added in their order, and a match that was cut goes on behind the last whole one."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from p2p_schotten.arena.lines import MAX_HEADER, MAX_LINE, check_header, game_lines, header_line, read_pair
from p2p_schotten.arena.plan import Game, Plan
from p2p_schotten.disk import DISK, Disk, OpenFile
from p2p_schotten.errors import Malformed, SchottenError

SYNC_SECONDS = 1.0
"""A power cut costs the games of about so long; a process that is killed costs none that stand in the file."""

Pair = tuple[Game, Game]


class ResultsError(SchottenError):
    """The file cannot be used for this match: it is there already, or is another match's, or somebody writes it."""


class Results:
    """The open file of one match. Nobody else writes it meanwhile."""

    def __init__(self, file: OpenFile, locked: ExitStack) -> None:
        self._file, self._locked = file, locked
        self._synced = time.monotonic()

    def add(self, plan: Plan, number: int, games: Pair) -> None:
        """Both games of pair `number` of the match stand in the file, safe within about a second."""
        self._file.append(game_lines(plan.place(number), games))
        if time.monotonic() - self._synced >= SYNC_SECONDS:
            self._file.sync()
            self._synced = time.monotonic()

    def __enter__(self) -> Results:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with self._locked:
            try:
                self._file.sync()
            finally:
                self._file.close()


def new_results(path: Path, plan: Plan, disk: Disk = DISK) -> Results:
    """A new file with its header; raises ResultsError where one is there already."""
    with _locked(path, disk) as locked:
        try:
            file = disk.create(path)
        except FileExistsError:
            raise ResultsError(f"{path} exists already, and is not overwritten") from None
        file.append(header_line(plan))
        file.sync()
        disk.sync_folder(path.parent)
        return Results(file, locked.pop_all())


def old_results(path: Path, plan: Plan, take: Callable[[Pair], object], disk: Disk = DISK) -> Results:
    """The file as it was left, and `take` gets its pairs; what a cut left behind the last whole pair is taken away.

    Raises ResultsError, and then the file is as it was, where it is not one of this match.
    """
    with _locked(path, disk) as locked:
        try:
            size = _read(path, plan, take)
        except Malformed as error:
            raise ResultsError(f"{path}: {error}") from None
        file = disk.open(path)
        file.truncate(size)
        if not size:
            file.append(header_line(plan))
        return Results(file, locked.pop_all())


def _locked(path: Path, disk: Disk) -> ExitStack:
    """Nobody else writes the file until this is closed."""
    if not path.parent.is_dir():
        raise ResultsError(f"{path}: there is no folder {path.parent}")
    if path.exists() and not path.is_file():
        raise ResultsError(f"{path} is no file")
    real = Path(os.path.realpath(path))  # a link to a file leads to the same lock
    locked = ExitStack()
    try:
        locked.callback(disk.lock(real.with_name(f"{real.name}.lock")))
    except BlockingIOError:
        raise ResultsError(f"{path}: another arena writes this file at the moment") from None
    return locked


def _read(path: Path, plan: Plan, take: Callable[[Pair], object]) -> int:
    """How many bytes the header and the whole pairs of the file take; 0 for a header that was cut."""
    with path.open("rb") as file:
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
