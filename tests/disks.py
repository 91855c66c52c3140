"""A disk in memory that loses what was not synced, and that can be full, read-only or broken.

Its model is the worst that a real one may do: bytes that were not synced are gone after a power cut, or a part of them
is there, or zeros stand in their place; a name that was made, replaced or removed may or may not be what it was before,
until its folder was synced.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path


class PowerCut(Exception):
    """The machine is off: raised by every operation from the moment a test chose."""


class After(Enum):
    """What a power cut does to all that was not synced."""

    GONE = "gone"
    HALF = "the first half of the bytes, and all names"
    ZEROS = "the length, but zeros for the bytes, and all names"
    ZERO_END = "the first half of the bytes, zeros for the others, and all names"
    KEPT = "all of it, as when only the program was killed"


Hook = Callable[[str, Path], None]


def at(moment: int, act: Callable[[], None]) -> Hook:
    """Does `act` at the boundary with that number, from 0: before or after an operation."""
    left = [moment]

    def hook(what: str, path: Path) -> None:
        left[0] -= 1
        if left[0] == -1:
            act()

    return hook


def power_cut() -> None:
    """What ends a run at a boundary."""
    raise PowerCut


def count(disk: MemoryDisk, act: Callable[[], None]) -> int:
    """How many boundaries `act` has."""
    seen: list[str] = []
    disk.hook = lambda what, path: seen.append(what)
    act()
    return len(seen)


@dataclass
class Content:
    """A file: what is seen, and what a power cut leaves for certain."""

    seen: bytes = b""
    safe: bytes = b""

    def cut(self, after: After) -> bytes:
        if after is After.KEPT:
            return self.seen
        if after is After.GONE or not self.seen.startswith(self.safe):
            return self.safe
        new = self.seen[len(self.safe) :]
        kept = b"" if after is After.ZEROS else new[: len(new) // 2]
        zeros = 0 if after is After.HALF else len(new) - len(kept)
        return self.safe + kept + bytes(zeros)


@dataclass
class MemoryFile:
    """An open file of a memory disk."""

    disk: MemoryDisk
    path: Path
    content: Content
    closed: bool = False

    def append(self, data: bytes) -> None:
        self._begin("append")
        written = data if self.disk.room is None else data[: self.disk.room]
        self.content.seen += written
        if self.disk.room is not None:
            self.disk.room -= len(written)
        if len(written) < len(data):
            raise _error(errno.ENOSPC, self.path)
        self.disk.done("append", self.path)

    def truncate(self, size: int) -> None:
        self._begin("truncate")
        self.content.seen = self.content.seen[:size].ljust(size, b"\0")
        self.disk.done("truncate", self.path)

    def sync(self) -> None:
        self._begin("sync")
        if self.disk.syncs_fail:
            raise _error(errno.EIO, self.path)
        self.content.safe = self.content.seen
        self.disk.done("sync", self.path)

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            self.disk.begin("close", self.path)

    def _begin(self, what: str) -> None:
        assert not self.closed, f"{what} of a closed file: {self.path}"
        self.disk.begin(what, self.path)


@dataclass
class MemoryDisk:
    """The disk. `hook` is called with "append before", "append after" and the like, and may raise PowerCut.

    `room`: bytes that still fit, None for any number.
    """

    hook: Hook = lambda what, path: None
    room: int | None = None
    read_only: bool = False
    syncs_fail: bool = False
    off: bool = False
    files: dict[Path, Content] = field(default_factory=dict)
    safe_files: dict[Path, Content] = field(default_factory=dict)
    folders: set[Path] = field(default_factory=lambda: {Path("/")})
    safe_folders: set[Path] = field(default_factory=lambda: {Path("/")})
    locks: set[Path] = field(default_factory=set)

    def begin(self, what: str, path: Path) -> None:
        if self.off:
            raise PowerCut
        self._call(f"{what} before", path)
        if self.read_only and what in ("append", "create", "replace", "unlink", "rmdir", "folder", "lock", "truncate"):
            raise _error(errno.EROFS, path)

    def done(self, what: str, path: Path) -> None:
        self._call(f"{what} after", path)

    def _call(self, what: str, path: Path) -> None:
        try:
            self.hook(what, path)
        except PowerCut:
            self.off = True
            raise

    def crash(self, after: After) -> MemoryDisk:
        """The disk as it is found when the machine is on again, without faults."""
        named = self.safe_files if after is After.GONE else self.files
        folders = self.safe_folders if after is After.GONE else self.folders
        files = {
            path: Content(data, data)
            for path, content in named.items()
            if set(path.parents) <= folders
            for data in [content.cut(after)]
        }
        return MemoryDisk(files=files, safe_files=dict(files), folders=set(folders), safe_folders=set(folders))

    def make_folder(self, path: Path) -> None:
        if path in self.folders:
            return
        if path in self.files:
            raise _error(errno.EEXIST, path)
        self.make_folder(path.parent)
        self.begin("folder", path)
        self.folders.add(path)
        self.done("folder", path)
        self.sync_folder(path.parent)

    def create(self, path: Path) -> MemoryFile:
        self.begin("create", path)
        self._parent(path)
        if path in self.files or path in self.folders:
            raise _error(errno.EEXIST, path)
        content = self.files[path] = Content()
        self.done("create", path)
        return MemoryFile(self, path, content)

    def open(self, path: Path) -> MemoryFile:
        self.begin("open", path)
        if self.read_only:
            raise _error(errno.EROFS, path)
        return MemoryFile(self, path, self._content(path))

    def read(self, path: Path, most: int) -> bytes:
        self.begin("read", path)
        return self._content(path).seen[: most + 1]

    def exists(self, path: Path) -> bool:
        self.begin("exists", path)
        return path in self.files or path in self.folders

    def replace(self, old: Path, new: Path) -> None:
        self.begin("replace", new)
        content = self._content(old)
        self._parent(new)
        del self.files[old]
        self.files[new] = content
        self.done("replace", new)

    def unlink(self, path: Path) -> None:
        self.begin("unlink", path)
        self._content(path)
        del self.files[path]
        self.done("unlink", path)

    def rmdir(self, path: Path) -> None:
        self.begin("rmdir", path)
        if path not in self.folders:
            raise _error(errno.ENOENT, path)
        if any(other.parent == path for other in (*self.files, *self.folders)):
            raise _error(errno.ENOTEMPTY, path)
        self.folders.remove(path)
        self.done("rmdir", path)

    def sync_folder(self, path: Path) -> None:
        self.begin("folder sync", path)
        self.safe_files = {p: c for p, c in self.safe_files.items() if p.parent != path}
        self.safe_files |= {p: c for p, c in self.files.items() if p.parent == path}
        self.safe_folders -= {p for p in self.safe_folders if p.parent == path and p != path}
        self.safe_folders |= {p for p in self.folders if p.parent == path}
        self.done("folder sync", path)

    def lock(self, path: Path) -> Callable[[], None]:
        self.begin("lock", path)
        self._parent(path)
        if path in self.locks:
            raise _error(errno.EAGAIN, path)
        self.locks.add(path)
        self.done("lock", path)
        return lambda: self.locks.discard(path)

    def _content(self, path: Path) -> Content:
        if path not in self.files:
            raise _error(errno.ENOENT, path)
        return self.files[path]

    def _parent(self, path: Path) -> None:
        if path.parent not in self.folders:
            raise _error(errno.ENOENT, path)


def _error(number: int, path: Path) -> OSError:
    return OSError(number, os.strerror(number), str(path))
