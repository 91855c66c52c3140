"""A journal on a disk of the tests: the records of the golden game, a run that appends them, and what must be left."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from pathlib import Path

from p2p_schotten.ids import SEATS, Seat
from p2p_schotten.journal import Journal
from p2p_schotten.protocol.file import read_file
from p2p_schotten.protocol.messages import Hello, read_body
from p2p_schotten.protocol.record import Kind, head_of, read_record
from p2p_schotten.protocol.session import game_id_of
from tests.disks import MemoryDisk

GAME = read_file((Path(__file__).parent / "golden" / "base.format-1.schotten").read_bytes()).items
AUTHORS = tuple(read_record(record).seat for record in GAME)
HELLOS = 2
ME, OTHER = SEATS
HOME = Path("/home")
SEED = b"s" * 32
# A CLOSE by its form; nothing in it is proven.
CLOSE = b"\x96\xa5close\x00\xc4\x20" + b"h" * 32 + b"\x94\x00\x01\x05\x02\xc4\x20" + b"s" * 32 + b"\xc4\x40" + b"g" * 64


def _hello(record: bytes) -> Hello:
    body = read_body(Kind.HELLO, read_record(record).body)
    assert isinstance(body, Hello)
    return body


ID = game_id_of([_hello(record) for record in GAME[:HELLOS]])


def journal_path(seat: Seat, home: Path = HOME) -> Path:
    return home / "games" / ID.hex() / f"{seat}.schotten"


def mark_path(seat: Seat, home: Path = HOME) -> Path:
    return home / "seeds" / f"{ID.hex()}-{seat}.mark"


@dataclass
class Sitting:
    """One seat appends the first `records` of the golden game. `stored`: how many were acknowledged."""

    disk: MemoryDisk
    seat: Seat
    records: int
    stored: int = 0

    def run(self) -> Journal:
        """From the first record to the last."""
        journal = Journal(HOME, self.seat, self.disk)
        for seq in range(HELLOS):
            journal.append(GAME[seq], own=AUTHORS[seq] == self.seat)
        journal.begin(ID, SEED)
        self.stored = HELLOS
        self.go_on(journal)
        return journal

    def go_on(self, journal: Journal) -> None:
        """From where the journal stands to the last."""
        for seq in range(journal.count, self.records):
            journal.append(GAME[seq], own=AUTHORS[seq] == self.seat)
            self.stored = seq + 1

    @property
    def signed(self) -> dict[int, bytes]:
        """What the mark must know of what was acknowledged."""
        return {seq: head_of(GAME[seq]) for seq in range(HELLOS, self.stored) if AUTHORS[seq] == self.seat}


def written_mark(*entries: tuple[int, bytes]) -> bytes:
    """A mark as docs/protocol.md says it."""
    data = b"schotten mark 1\n"
    for seq, head in entries:
        entry = seq.to_bytes(4, "big") + head
        data += entry + zlib.crc32(entry).to_bytes(4, "big")
    return data


def marked(disk: MemoryDisk, seat: Seat) -> dict[int, bytes]:
    """What a mark without a torn tail says."""
    data = disk.files[mark_path(seat)].seen
    places = range(len(b"schotten mark 1\n"), len(data), 40)
    entries = {int.from_bytes(data[at : at + 4], "big"): data[at + 4 : at + 36] for at in places}
    assert data == written_mark(*entries.items())
    return entries


def seen(disk: MemoryDisk) -> dict[Path, bytes]:
    return {path: content.seen for path, content in disk.files.items()}


def stored(records: int) -> MemoryDisk:
    """The disk after a sitting of that many records."""
    disk = MemoryDisk()
    Sitting(disk, ME, records).run().close()
    return disk
