"""What the program asks of the disk: few operations, so that a test can put a disk in its place that loses power.

A file is safe only when it was synced *and* the folder that names it was. Every failure is an OSError; who calls says
in the player's words what it means for the game.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from p2p_schotten.ids import Seat


class OpenFile(Protocol):
    """A file to which bytes are added at its end."""

    def append(self, data: bytes) -> None:
        """All of the bytes stand at the end; after an OSError some of them may."""

    def truncate(self, size: int) -> None:
        """The file has `size` bytes; what stood behind them is gone."""

    def sync(self) -> None:
        """What the file holds survives a power cut."""

    def close(self) -> None:
        """The file is closed, if it was not before; nothing is synced by that."""


class Disk(Protocol):
    """The operations. A name made, replaced or removed survives a power cut after `sync_folder` only."""

    def make_folder(self, path: Path) -> None:
        """The folder and those above it exist; new ones have mode 0700, and their names are synced."""

    def create(self, path: Path) -> OpenFile:
        """A new empty file of mode 0600; raises FileExistsError rather than touch an old one."""

    def open(self, path: Path) -> OpenFile:
        """The file that is there."""

    def read(self, path: Path, most: int) -> bytes:
        """The first `most` + 1 bytes: whoever gets more than `most` refuses them."""

    def exists(self, path: Path) -> bool:
        """Something has this name."""

    def replace(self, old: Path, new: Path) -> None:
        """The file `old` is now called `new`, in one step; what was called so before is gone."""

    def unlink(self, path: Path) -> None:
        """The file is gone."""

    def rmdir(self, path: Path) -> None:
        """The empty folder is gone."""

    def sync_folder(self, path: Path) -> None:
        """The names in the folder survive a power cut."""

    def lock(self, path: Path) -> Callable[[], None]:
        """Nobody else has this lock until the function returned is called or the process ends, however it ends.

        Raises BlockingIOError when somebody has it. The file is a mere handle: left over, it locks nothing.
        """


def secret_file(home: Path, game_id: bytes, seat: Seat, ending: str) -> Path:
    """Where a seat keeps what may never be given away with its transcript: HOME/seeds/<game id>-<seat>.<ending>."""
    return home / "seeds" / f"{game_id.hex()}-{seat}.{ending}"


def append_whole(file: OpenFile, data: bytes, size: int) -> int:
    """The bytes stand behind the first `size` of the file, safe; gives its new size.

    After an OSError it is, as far as the disk allows, as if nothing had been written.
    """
    try:
        file.append(data)
        file.sync()
    except OSError:
        with contextlib.suppress(OSError):
            file.truncate(size)
        raise
    return size + len(data)


def write_new(disk: Disk, path: Path, data: bytes) -> None:
    """A new file with these bytes, safe; raises FileExistsError rather than touch an old one.

    Nothing is left of it after another OSError.
    """
    disk.make_folder(path.parent)
    _fill(disk, path, data)
    disk.sync_folder(path.parent)


def write_beside(disk: Disk, path: Path, data: bytes) -> Path:
    """A synced new file next to `path`, to be renamed; nothing is left of it after an OSError."""
    new = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    _fill(disk, new, data)
    return new


def replace_file(disk: Disk, path: Path, data: bytes) -> None:
    """The file holds these bytes, safe; at any crash it holds the old ones or the new ones, never half of them."""
    disk.make_folder(path.parent)
    new = write_beside(disk, path, data)
    try:
        disk.replace(new, path)
    except OSError:
        with contextlib.suppress(OSError):
            disk.unlink(new)
        raise
    disk.sync_folder(path.parent)


def _fill(disk: Disk, path: Path, data: bytes) -> None:
    """A new synced file with these bytes, or none."""
    file = disk.create(path)
    try:
        try:
            file.append(data)
            file.sync()
        finally:
            file.close()
    except OSError:
        with contextlib.suppress(OSError):
            disk.unlink(path)
        raise


def words(error: OSError) -> str:
    """What the disk said, in a few words for the player."""
    if isinstance(error, FileExistsError):
        return "it exists already and is not overwritten"
    return error.strerror or type(error).__name__


_BINARY = getattr(os, "O_BINARY", 0)  # Windows translates line ends otherwise


class RealFile:
    """An open file of the operating system."""

    def __init__(self, file: int) -> None:
        self._file = file

    def append(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._file, data) :]

    def truncate(self, size: int) -> None:
        os.ftruncate(self._file, size)

    def sync(self) -> None:
        if sys.platform == "darwin":  # only this call waits for the disk there
            import fcntl  # does not exist on Windows

            with contextlib.suppress(OSError):  # network file systems do not know it
                fcntl.fcntl(self._file, fcntl.F_FULLFSYNC)
                return
        os.fsync(self._file)

    def close(self) -> None:
        if self._file >= 0:
            file, self._file = self._file, -1  # the number may belong to another file from now on
            os.close(file)


class RealDisk:
    """The disk of the operating system."""

    def make_folder(self, path: Path) -> None:
        if path.is_dir():
            return
        self.make_folder(path.parent)
        path.mkdir(mode=0o700, exist_ok=True)
        self.sync_folder(path.parent)

    def create(self, path: Path) -> RealFile:
        return RealFile(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | _BINARY, 0o600))

    def open(self, path: Path) -> RealFile:
        return RealFile(os.open(path, os.O_WRONLY | os.O_APPEND | _BINARY))

    def read(self, path: Path, most: int) -> bytes:
        file = os.open(path, os.O_RDONLY | _BINARY | getattr(os, "O_NONBLOCK", 0))  # a pipe never makes us wait
        try:
            if not stat.S_ISREG(os.fstat(file).st_mode):
                raise OSError(errno.EINVAL, "not a regular file; move it away", str(path))
            with os.fdopen(file, "rb", closefd=False) as source:
                return source.read(most + 1)
        finally:
            os.close(file)

    def exists(self, path: Path) -> bool:
        return path.exists()

    def replace(self, old: Path, new: Path) -> None:
        old.replace(new)

    def unlink(self, path: Path) -> None:
        path.unlink()

    def rmdir(self, path: Path) -> None:
        path.rmdir()

    def sync_folder(self, path: Path) -> None:
        """As far as the system can promise that: Windows and some others cannot."""
        with contextlib.suppress(OSError):
            folder = os.open(path, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)

    def lock(self, path: Path) -> Callable[[], None]:
        while True:
            file = os.open(path, os.O_RDWR | os.O_CREAT | _BINARY, 0o600)
            try:
                flock(file)
                if os.path.samestat(os.fstat(file), path.stat()):
                    return lambda: _unlock(path, file)
            except FileNotFoundError:
                pass  # removed between two calls by whoever had the lock: a lock without a name guards nothing
            except BaseException:  # whatever it is goes on, but no descriptor stays open
                os.close(file)
                raise
            os.close(file)


DISK: Disk = RealDisk()


def flock(file: int) -> None:
    """The system's lock on an open file, which goes with the process; raises BlockingIOError."""
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError(errno.EAGAIN, "locked by another program") from error
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _unlock(path: Path, file: int) -> None:
    """The name goes before the lock does; where an open file cannot be removed it stays, and locks nothing."""
    with contextlib.suppress(OSError):
        path.unlink()
    with contextlib.suppress(OSError):
        os.close(file)
