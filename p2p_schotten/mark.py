"""The high-water mark: which records this seat has signed, kept beside its keys and apart from the journal.

    HOME/seeds/<game id>-<seat>.mark

    mark  = "schotten mark 1" 0a entry*
    entry = seq (4 bytes, big-endian) head (32 bytes) check (4 bytes: CRC-32 of the 36 before)

A journal that was restored from a backup would let an honest player sign a second record at one place, which nobody can
tell from cheating. The mark remembers. Each own record from COMMIT on is entered and synced when it stands in the
journal and before it is sent, so the mark never knows a record that the disk did not hold. (HELLOs are signed for no
game and bind nobody.)
"""

from __future__ import annotations

import zlib
from pathlib import Path

from p2p_schotten.disk import Disk, OpenFile, append_whole, write_new
from p2p_schotten.errors import JournalError

FORMAT = 1
MAGIC = b"schotten mark "
HEADER = MAGIC + b"%d\n" % FORMAT
SEQ_BYTES = 4
HEAD_BYTES = 32
ENTRY_BYTES = SEQ_BYTES + HEAD_BYTES + 4
MAX_MARK = len(HEADER) + ENTRY_BYTES * 16 * 1024  # bytes; the longest games have some hundred records


class NoMark(JournalError):
    """The mark is not there: nobody knows what this seat has signed beyond its journal.

    Only the player can decide to go on all the same (`Journal.open(..., without_mark=True)`).
    """


class Mark:
    """An open mark. After an OSError it must not be used again; what it holds is whole."""

    def __init__(self, file: OpenFile, signed: dict[int, bytes], size: int) -> None:
        self._file = file
        self._size = size
        self.signed = signed  # seq -> head, in the order of signing

    @property
    def floor(self) -> int:
        """The number of records that the journal must have before this seat may sign the next one."""
        return max(self.signed, default=-1) + 1

    @classmethod
    def create(cls, disk: Disk, path: Path) -> Mark:
        """A new empty mark, safe; raises OSError."""
        write_new(disk, path, HEADER)
        return cls(disk.open(path), {}, len(HEADER))

    @classmethod
    def open(cls, disk: Disk, path: Path) -> Mark:
        """The mark of an earlier run, a torn tail cut off; raises NoMark, OSError, JournalError for a damaged one."""
        try:
            data = disk.read(path, MAX_MARK)
        except FileNotFoundError:
            raise NoMark(f"{path}: no such file; {_WHY}") from None
        signed, size = _read(path, data)
        file = disk.open(path)
        try:
            file.truncate(size)
            file.sync()
        except OSError:
            file.close()
            raise
        return cls(file, signed, size)

    def add(self, entries: dict[int, bytes]) -> None:
        """The records with these numbers and heads are marked as signed, and that is synced; raises OSError."""
        data = b"".join(_entry(seq, head) for seq, head in entries.items())
        self._size = append_whole(self._file, data, self._size)
        self.signed |= entries

    def close(self) -> None:
        self._file.close()


def has_signed(disk: Disk, path: Path) -> bool:
    """The mark there knows of a record; it is only looked at. Raises OSError, JournalError."""
    signed, _ = _read(path, disk.read(path, MAX_MARK))
    return bool(signed)


_WHY = "without it nobody knows what this seat has signed, and signing twice cannot be told from cheating"


def _entry(seq: int, head: bytes) -> bytes:
    assert len(head) == HEAD_BYTES
    entry = seq.to_bytes(SEQ_BYTES, "big") + head
    return entry + zlib.crc32(entry).to_bytes(4, "big")


def _read(path: Path, data: bytes) -> tuple[dict[int, bytes], int]:
    """The entries, and the size of the file without a torn tail (which may be zeros: some file systems leave them)."""
    if len(data) > MAX_MARK:
        raise JournalError(f"{path}: more than {MAX_MARK} bytes, which no mark has")
    number = data[len(MAGIC) : len(MAGIC) + 8].split(b"\n")[0]
    if data.startswith(MAGIC) and number.isdigit() and int(number) > FORMAT:
        raise JournalError(f"{path}: a mark of format {int(number)}; this program reads format {FORMAT}")
    if not data.startswith(HEADER):
        raise NoMark(f"{path}: not a mark, expected it to begin with {HEADER.decode().strip()!r}; {_WHY}")
    signed: dict[int, bytes] = {}
    at = len(HEADER)
    while at < len(data):
        entry = data[at : at + ENTRY_BYTES]
        seq, head = int.from_bytes(entry[:SEQ_BYTES], "big"), entry[SEQ_BYTES : SEQ_BYTES + HEAD_BYTES]
        if len(entry) < ENTRY_BYTES or entry != _entry(seq, head):
            if len(data[at:].rstrip(b"\0")) < ENTRY_BYTES:
                break
            raise JournalError(f"{path}: damaged at byte {at}, expected an entry with a fitting check; {_WHY}")
        last = next(reversed(signed), -1)
        if seq <= last:
            raise JournalError(f"{path}: damaged at byte {at}, record {seq} stands behind record {last}; {_WHY}")
        signed[seq] = head
        at += ENTRY_BYTES
    return signed, at
