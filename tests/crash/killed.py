"""The program, killed with -9 at one boundary of what it writes and sends.

    python -m tests.crash.killed AT LOG COMMAND...

A boundary is the moment before an operation on the disk, in the middle of an append or a send, or after a send; the
moment after an operation on the disk is the one before the next. They are counted from 0, and each is noted in LOG with
the size of the journal then. AT -1: it lives. What it draws from the system is the same in every run with one command,
so the same identities play the same game, and AT means the same moment.
"""

from __future__ import annotations

import hashlib
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

import trio

from p2p_schotten.disk import RealDisk, RealFile
from p2p_schotten.net.frames import Frame, Tag

P = ParamSpec("P")
R = TypeVar("R")
JOURNAL = ".schotten"
DISK_CALLS = ("make_folder", "create", "open", "replace", "unlink", "rmdir", "sync_folder", "lock")
TICKS = (Frame(Tag.PING).encode(), Frame(Tag.PONG).encode())  # they come when time passes, and not by what happens


class Boundaries:
    """Counts them, and ends this process at one."""

    def __init__(self, at: int, log: Path) -> None:
        self._left = at
        self._log = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self.journals: set[int] = set()  # files, by their ids in this process
        self.written = 0  # bytes of the journal

    def passes(self, what: str) -> None:
        """One boundary more."""
        os.write(self._log, f"{what} {self.written}\n".encode())
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        self._left -= 1

    def before(self, what: str, act: Callable[P, R]) -> Callable[P, R]:
        """`act` with a boundary before it."""

        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            self.passes(what)
            return act(*args, **kwargs)

        return call

    def watch_disk(self) -> None:
        """Every operation by which the disk changes has its boundaries."""
        whole, make, take = RealFile.append, RealDisk.create, RealDisk.open

        def append(file: RealFile, data: bytes) -> None:
            self.passes("append")
            half = len(data) // 2
            whole(file, data[:half])
            self.passes("append-half")
            whole(file, data[half:])
            if id(file) in self.journals:
                self.written += len(data)

        def known(file: RealFile, path: Path) -> RealFile:
            (self.journals.add if path.suffix == JOURNAL else self.journals.discard)(id(file))
            return file

        watched: dict[str, Callable[..., object]] = {name: getattr(RealDisk, name) for name in DISK_CALLS}
        watched["create"] = lambda disk, path: known(make(disk, path), path)
        watched["open"] = lambda disk, path: known(take(disk, path), path)
        for name, act in watched.items():
            setattr(RealDisk, name, self.before(name, act))
        for name, act in (("truncate", RealFile.truncate), ("sync", RealFile.sync)):
            setattr(RealFile, name, self.before(name, act))
        for name, add in (("append", append),):
            setattr(RealFile, name, add)

    def watch_sends(self) -> None:
        """So has every send, of the handshake and of frames."""
        whole = trio.SSLStream.send_all

        async def send_all(stream: trio.SSLStream[trio.abc.Stream], data: bytes) -> None:
            if data in TICKS:
                await whole(stream, data)
                return
            self.passes("send")
            half = len(data) // 2
            await whole(stream, data[:half])
            self.passes("send-half")
            await whole(stream, data[half:])
            self.passes("sent")

        for name in ("send_all",):
            setattr(trio.SSLStream, name, send_all)


def drawn(label: str) -> Callable[[int], bytes]:
    """Bytes that look random and are the same in every run."""
    given = 0

    def draw(count: int) -> bytes:
        nonlocal given
        given += count
        return hashlib.shake_256(label.encode()).digest(given)[given - count :]

    return draw


def main(at: int, log: Path, command: list[str]) -> None:
    """The program runs with that command, as far as it comes."""
    boundaries = Boundaries(at, log)
    boundaries.watch_disk()
    boundaries.watch_sends()
    for name in ("urandom",):
        setattr(os, name, drawn(command[0]))
    sys.argv = ["schotten", *command]
    from p2p_schotten.cli.main import run  # last, so that nothing has drawn before

    run()


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
