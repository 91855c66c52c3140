"""What happened is on the disk before anybody hears of it.

The journal of a seat is its transcript: the file that `verify` reads. What is secret lies apart from it, because a
transcript may be given away and a seed never:

    HOME/games/<game id>/<seat>.schotten          header and records, appended and synced one by one
    HOME/games/<game id>/<seat>-1.evidence        a refused record with its prefix; never part of the journal
    HOME/seeds/<game id>-<seat>.seed              32 bytes
    HOME/seeds/<game id>-<seat>.mark              what this seat has signed (mark.py)
    HOME/seeds/<game id>-<seat>.json              what it needs to go on after a crash (standby.py)
    HOME/seeds/<game id>-<seat>.lock              there while a program has this seat

Files are made with mode 0600 and never overwritten; folders with 0700. A game that came to nothing before both seats
had committed to it leaves nothing but evidence, if there is any.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

from p2p_schotten.disk import DISK, Disk, OpenFile, append_whole, secret_file, words, write_new
from p2p_schotten.errors import JournalError, Malformed
from p2p_schotten.ids import ID_DIGITS, SEATS, Seat
from p2p_schotten.mark import Mark
from p2p_schotten.protocol.file import HEADER, MAX_FILE, frame
from p2p_schotten.protocol.messages import SEED_BYTES
from p2p_schotten.protocol.record import head_of, read_record
from p2p_schotten.tail import Whole, is_close, read_whole
from p2p_schotten.text import is_hex

SUFFIX = ".schotten"
MAX_EVIDENCE = 9  # files per seat and game: a peer that breaks the protocol ends the game, so one is usual


class Taken(JournalError):
    """Another program has this seat."""


class Journal:
    """The file of one seat in one game. Before the game has its id it holds the HELLOs in memory.

    Every failure of the disk is a JournalError, after which the journal takes nothing more: what it holds is whole.
    """

    def __init__(self, directory: Path, seat: Seat, disk: Disk = DISK) -> None:
        """`directory`: the home folder, made when the game begins."""
        self._directory = directory
        self._seat = seat
        self._disk = disk
        self._waiting: list[tuple[bytes, bool]] = []
        self._file: OpenFile | None = None
        self._size = 0
        self._close_at: int | None = None  # where the CLOSE at the end begins, if there is one
        self._mark: Mark | None = None
        self._unlock: Callable[[], None] | None = None
        self._failed = False
        self.game_id = b""  # empty before `begin`
        self._ours: list[Path] = []  # the files that this journal has made or opened
        self.count = 0  # records that it holds
        self.path: Path | None = None

    @property
    def begun(self) -> bool:
        """The game has its file."""
        return self.path is not None

    @property
    def floor(self) -> int:
        """The number of records that must stand here before this seat may sign the next one."""
        return self._mark.floor if self._mark is not None else 0

    @property
    def lacks(self) -> int:
        """How many records are missing that must have been here when this seat signed last; the other side has them.

        Not 0: the journal is older than what this seat has signed (it was restored, or its disk was lost).
        """
        return max(0, self.floor - self.count)

    def begin(self, game_id: bytes, seed: bytes) -> None:
        """The seed is stored, then the file made, with what was appended so far; raises JournalError if one exists."""
        if self.path is not None:
            raise JournalError(f"{self.path}: this journal has begun already")
        self.game_id = game_id
        path = self._path
        records = tuple(record for record, _ in self._waiting)
        try:
            self._lock(path)
            write_new(self._disk, self._secret("seed"), seed)
            self._ours.append(self._secret("seed"))
            self._mark = Mark.create(self._disk, self._secret("mark"))
            self._ours.append(self._secret("mark"))
            self._create(path)
            self._write(HEADER + b"".join(frame(record) for record in records))
            self._disk.sync_folder(path.parent)
            self._sign({seq: head_of(record) for seq, (record, own) in enumerate(self._waiting) if own})
        except OSError as error:
            self.discard()  # nothing was signed yet
            raise self._broken(error, path) from error
        self.path = path
        self.count = len(records)
        self._waiting.clear()

    def append(self, record: bytes, *, own: bool = False) -> None:
        """The record stands behind the others and is synced, and if it is my own, my mark knows it.

        Raises JournalError; then the record stands here in whole or not at all, and must not be sent: what was signed
        and sent is always on the disk.
        """
        if self._failed:
            raise JournalError(f"{self.path}: a write failed before; the journal takes nothing more")
        if self.path is None:
            self._waiting.append((record, own))
            return
        if self._close_at is not None:
            raise JournalError(f"{self.path}: the game is closed; nothing can stand behind a CLOSE")
        close = is_close(record)
        if not close:
            self._refuse_second(record, own)
        at = self._size
        try:
            self._write(frame(record))
            if own and not close:
                self._sign({self.count: head_of(record)})
        except OSError as error:
            raise self._broken(error, self.path) from error
        if close:
            self._close_at = at
        else:
            self.count += 1

    def drop_close(self) -> None:
        """A CLOSE at the end is gone: the game goes on. Nothing happens where there is none; raises JournalError."""
        if self._close_at is None or self.path is None or self._file is None:
            return
        try:
            self._file.truncate(self._close_at)
            self._file.sync()
        except OSError as error:
            raise self._broken(error, self.path) from error
        self._size, self._close_at = self._close_at, None

    def seed(self) -> bytes:
        """The seed of this seat, after `begin` or `open`; raises JournalError."""
        path = self._secret("seed")
        try:
            seed = self._disk.read(path, SEED_BYTES)
        except OSError as error:
            raise JournalError(f"{path}: {words(error)}; without its seed this seat cannot go on") from error
        if len(seed) != SEED_BYTES:
            raise JournalError(f"{path}: not a seed, expected {SEED_BYTES} bytes; without it this seat cannot go on")
        return seed

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
                    write_new(self._disk, path, data)
                    return path
        except OSError as error:
            raise JournalError(f"{self.path.parent}: {words(error)}") from error
        raise JournalError(f"{self.path.parent}: {MAX_EVIDENCE} evidence files stand here already")

    def close(self) -> None:
        """The files are closed and others may have this seat; everything appended stands on the disk."""
        self._failed = True
        for opened in (self._file, self._mark):
            if opened is not None:
                with contextlib.suppress(OSError):  # everything was synced
                    opened.close()
        if self._unlock is not None:
            self._unlock()
            self._unlock = None

    def discard(self) -> None:
        """The files of this journal are gone, as far as the disk allows: the game never existed. Evidence stays."""
        if self._ours:
            self._ours.append(self._secret("json"))
        for path in reversed(self._ours):
            with contextlib.suppress(OSError):
                self._disk.unlink(path)
        self.close()
        if self.game_id:
            with contextlib.suppress(OSError):  # refused where evidence, or the other seat's file, stands in it
                self._disk.rmdir(self._path.parent)
        self._ours.clear()
        self.path = None

    @classmethod
    def open(cls, path: Path, *, without_mark: bool = False, disk: Disk = DISK) -> tuple[Journal, tuple[bytes, ...]]:
        """The journal of an earlier run, ready to go on, and its items (also a CLOSE at the end); a torn tail is cut.

        Where the file is missing and the seed is not, it is made anew and empty: the other side has the records.
        Raises NoMark where it is not known what this seat has signed, unless `without_mark`: then the mark is made anew
        from the journal, and the player has been told that this can make him look like a cheat. Raises Taken when
        another program has the seat, JournalError when the file cannot be used, TranscriptError when it is no
        transcript.
        """
        seat, game_id = _names(path)
        journal = cls(path.parent.parent.parent, seat, disk)
        journal.game_id = game_id
        try:
            if not disk.exists(path) and not disk.exists(journal._secret("seed")):
                raise FileNotFoundError(2, "No such file, and no seed of this seat either")
            journal._lock(path)
            items = journal._reopen(path, without_mark)
        except OSError as error:
            journal.close()
            raise JournalError(f"{path}: {words(error)}") from error
        except BaseException:  # whatever it is goes on, but the lock does not stay
            journal.close()
            raise
        journal.path = path
        return journal, items

    def _reopen(self, path: Path, without_mark: bool) -> tuple[bytes, ...]:
        """The files of an earlier run are open, whole, and agree; raises as `open` does."""
        data = self._disk.read(path, MAX_FILE) if self._disk.exists(path) else b""
        whole = read_whole(data, path, self.game_id)
        if without_mark and self._disk.exists(self._secret("mark")):
            self._disk.unlink(self._secret("mark"))
        opener = Mark.create if without_mark else Mark.open
        self._mark = opener(self._disk, self._secret("mark"))
        self._check_signed(whole, path)
        if self._disk.exists(path):
            self._file = self._disk.open(path)
            self._file.truncate(whole.size)
            self._size = whole.size
        else:
            self._create(path)
        self._ours = [self._secret("seed"), self._secret("mark"), path]
        self._write(HEADER[self._size :])
        self._disk.sync_folder(path.parent)
        self.count = len(whole.records)
        self._close_at = whole.close_at
        self._sign(_own(whole.records, self._seat))
        return whole.items

    def _check_signed(self, whole: Whole, path: Path) -> None:
        """Journal and mark know the same records, as far as both go; raises JournalError."""
        assert self._mark is not None, "opened"
        for seq, head in self._mark.signed.items():
            if seq < len(whole.records) and head_of(whole.records[seq]) != head:
                raise JournalError(f"{path}: record {seq} is another one than this seat has signed, by {_MARK}")
        lost = sum(seq >= len(whole.records) for seq in self._mark.signed)
        if whole.cut and lost > 1:  # a crash tears one item; more of my own were behind this place
            raise JournalError(f"{path}: damaged behind record {len(whole.records) - 1}: {lost} signed records missing")

    def _refuse_second(self, record: bytes, own: bool) -> None:
        """No record may take the place of one that this seat has signed; raises JournalError, nothing was written."""
        assert self._mark is not None, "begun"
        before = self._mark.signed.get(self.count)
        if before is not None and before != head_of(record):
            raise JournalError(f"{self.path}: this seat has signed another record {self.count} before, by {_MARK}")
        if own and before is None and len(SEATS) <= self.count < self.floor:  # no mark knows a HELLO
            raise JournalError(
                f"{self.path}: the journal is older than what this seat has signed, by {_MARK}; "
                f"nothing new is signed before {self.lacks} more records are here"
            )

    @property
    def _path(self) -> Path:
        return self._directory / "games" / self.game_id.hex() / f"{self._seat}{SUFFIX}"

    def _secret(self, ending: str) -> Path:
        return secret_file(self._directory, self.game_id, self._seat, ending)

    def _lock(self, path: Path) -> None:
        """No other program may play this seat while this one does; raises Taken when one does, OSError."""
        lock = self._secret("lock")
        self._disk.make_folder(lock.parent)
        try:
            self._unlock = self._disk.lock(lock)
        except BlockingIOError:
            raise Taken(f"{path}: another program plays this seat of this game; end it first") from None

    def _create(self, path: Path) -> None:
        """The journal's file is there, empty."""
        self._disk.make_folder(path.parent)
        self._file = self._disk.create(path)
        self._ours.append(path)

    def _write(self, data: bytes) -> None:
        assert self._file is not None, "closed"
        self._size = append_whole(self._file, data, self._size)

    def _sign(self, heads: dict[int, bytes]) -> None:
        """My mark knows these records of mine, which stand in the journal; HELLOs bind nobody and are left out."""
        assert self._mark is not None, "begun"
        new = {seq: head for seq, head in heads.items() if seq >= max(self.floor, len(SEATS))}
        if new:
            self._mark.add(new)

    def _broken(self, error: OSError, path: Path) -> JournalError:
        self.close()
        return JournalError(f"{path}: {words(error)}; the game stops here, nothing was sent that is not on record")


_MARK = "the mark kept beside its seed"


def _names(path: Path) -> tuple[Seat, bytes]:
    """The seat and the game of a journal by its path; raises JournalError."""
    seat, game = path.name.removesuffix(SUFFIX), path.parent.name
    if not path.name.endswith(SUFFIX) or seat not in {str(seat) for seat in SEATS}:
        raise JournalError(f"{path}: a journal is named 0{SUFFIX} or 1{SUFFIX}")
    if not is_hex(game, ID_DIGITS):
        why = f"a journal lies in a folder named by the id of its game, {ID_DIGITS} hexadecimal digits"
        raise JournalError(f"{path}: {why}")
    return SEATS[int(seat)], bytes.fromhex(game)


def _own(records: tuple[bytes, ...], seat: Seat) -> dict[int, bytes]:
    """The heads of this seat's records, by their numbers."""
    return {seq: head_of(record) for seq, record in enumerate(records) if _author(record) == seat}


def _author(record: bytes) -> Seat | None:
    try:
        return read_record(record).seat
    except Malformed:  # whoever reads the game from these records will say what is wrong with this one
        return None
