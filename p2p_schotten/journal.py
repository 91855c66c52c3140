"""What happened is on the disk before anybody hears of it.

The journal of a seat is its transcript: the file that `verify` reads. Seeds lie apart from it, because a transcript may
be given away and a seed never:

    HOME/games/<game id>/<seat>.schotten          header and records, appended and synced one by one
    HOME/games/<game id>/<seat>-1.evidence        a refused record with its prefix; never part of the journal
    HOME/seeds/<game id>-<seat>.seed              32 bytes

Files are made with mode 0600 and never overwritten; folders with 0700. A game that came to nothing before both seats
had committed to it leaves nothing but evidence, if there is any.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from p2p_schotten.errors import JournalError
from p2p_schotten.ids import SEATS, Seat
from p2p_schotten.protocol.file import HEADER, frame, read_file

SUFFIX = ".schotten"
MAX_EVIDENCE = 9  # files per seat and game: a peer that breaks the protocol ends the game, so one is usual


class Journal:
    """The file of one seat in one game. Before the game has its id it holds the HELLOs in memory.

    Every failure of the disk is a JournalError, after which the journal takes nothing more: what it holds is whole.
    """

    def __init__(self, directory: Path, seat: Seat) -> None:
        """`directory`: the home folder, made when the game begins."""
        self._directory = directory
        self._seat = seat
        self._waiting: list[bytes] = []
        self._file: int | None = None
        self._size = 0
        self._failed = False
        self._seed: Path | None = None
        self.path: Path | None = None

    @property
    def begun(self) -> bool:
        """The game has its file."""
        return self.path is not None

    def begin(self, game_id: bytes, seed: bytes) -> None:
        """The seed is stored, then the file made, with what was appended so far; raises JournalError if one exists."""
        if self.path is not None:
            raise JournalError(f"{self.path}: this journal has begun already")
        name = game_id.hex()
        path = self._directory / "games" / name / f"{self._seat}{SUFFIX}"
        try:
            seeds = self._directory / "seeds" / f"{name}-{self._seat}.seed"
            _write_new(seeds, seed)
            self._seed = seeds
            make_folder(path.parent)
            self._file = os.open(path, _NEW, 0o600)
            self.path = path
            self._write(HEADER + b"".join(frame(record) for record in self._waiting))
            sync_folder(path.parent)
        except OSError as error:
            raise self._broken(error, path) from error
        self._waiting.clear()

    def append(self, record: bytes, *, own: bool = False) -> None:
        """The record stands behind the others and is synced; raises JournalError, and then nothing was appended."""
        if self._failed:
            raise JournalError(f"{self.path}: a write failed before; the journal takes nothing more")
        if self.path is None:
            self._waiting.append(record)
            return
        try:
            self._write(frame(record))
        except OSError as error:
            raise self._broken(error, self.path) from error

    def evidence(self, data: bytes) -> Path | None:
        """The file of its own in which `data` is kept; None before the game began, when it would convict nobody.

        (Not keeping it then also bounds what somebody who breaks the protocol again and again can make us store.)
        """
        if self.path is None:
            return None
        try:
            for number in range(1, MAX_EVIDENCE + 1):
                path = self.path.with_name(f"{self._seat}-{number}.evidence")
                with contextlib.suppress(FileExistsError):
                    _write_new(path, data)
                    return path
        except OSError as error:
            raise JournalError(f"{self.path.parent}: {_words(error)}") from error
        raise JournalError(f"{self.path.parent}: {MAX_EVIDENCE} evidence files stand here already")

    def close(self) -> None:
        """The file is closed; everything appended stands in it."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
        self._failed = True

    def discard(self) -> None:
        """What this journal made is gone, as far as the disk allows: the game never existed. Evidence stays."""
        self.close()
        made = [path for path in (self.path, self._seed) if path is not None]
        for path in made:
            with contextlib.suppress(OSError):
                path.unlink()
        if self.path is not None:
            with contextlib.suppress(OSError):
                self.path.parent.rmdir()  # refused where evidence, or the other seat's file, stands in it
        self.path = self._seed = None

    @classmethod
    def open(cls, path: Path) -> tuple[Journal, tuple[bytes, ...]]:
        """The journal of an earlier run, ready to go on, and its items; a torn tail is cut off.

        Raises JournalError when the file cannot be used, TranscriptError when it is no transcript.
        """
        seat = path.name.removesuffix(SUFFIX)
        if not path.name.endswith(SUFFIX) or seat not in {str(seat) for seat in SEATS}:
            raise JournalError(f"{path}: a journal is named 0{SUFFIX} or 1{SUFFIX}")
        try:
            contents = read_file(path.read_bytes())
            journal = cls(path.parent.parent.parent, SEATS[int(seat)])
            journal._file = os.open(path, os.O_RDWR | _BINARY)
            journal._size = os.fstat(journal._file).st_size - contents.torn
            os.ftruncate(journal._file, journal._size)
            os.lseek(journal._file, journal._size, os.SEEK_SET)
            sync(journal._file)
        except OSError as error:
            raise JournalError(f"{path}: {_words(error)}") from error
        journal.path = path
        return journal, contents.items

    def _write(self, data: bytes) -> None:
        """Written and synced, or, as far as the disk allows, as if nothing had been written."""
        assert self._file is not None, "closed"
        try:
            _write_all(self._file, data)
            sync(self._file)
        except OSError:
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, self._size)
            raise
        self._size += len(data)

    def _broken(self, error: OSError, path: Path) -> JournalError:
        self.close()
        return JournalError(f"{path}: {_words(error)}; the game stops here, nothing was sent that is not on record")


_BINARY = getattr(os, "O_BINARY", 0)  # Windows translates line ends otherwise
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY


def make_folder(path: Path) -> None:
    """The folder and those above it exist; new ones have mode 0700, and their names are synced."""
    if path.is_dir():
        return
    make_folder(path.parent)
    path.mkdir(mode=0o700, exist_ok=True)
    sync_folder(path.parent)


def sync(file: int) -> None:
    """What was written to the descriptor is on the disk itself (on macOS only this call waits for the disk)."""
    if sys.platform == "darwin":
        import fcntl  # does not exist on Windows

        with contextlib.suppress(OSError):  # network file systems do not know it
            fcntl.fcntl(file, fcntl.F_FULLFSYNC)
            return
    os.fsync(file)


def sync_folder(path: Path) -> None:
    """The names in the folder are on the disk, where the system can promise that (Windows and some others cannot)."""
    with contextlib.suppress(OSError):
        folder = os.open(path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _write_new(path: Path, data: bytes) -> None:
    """A new file of mode 0600 with these bytes, synced; raises FileExistsError rather than touch an old one."""
    make_folder(path.parent)
    file = os.open(path, _NEW, 0o600)
    try:
        _write_all(file, data)
        sync(file)
    finally:
        os.close(file)
    sync_folder(path.parent)


def _write_all(file: int, data: bytes) -> None:
    while data:
        data = data[os.write(file, data) :]


def _words(error: OSError) -> str:
    if isinstance(error, FileExistsError):
        return "it exists already and is not overwritten"
    return error.strerror or type(error).__name__
