"""A win by absence stands beside the journal of a seat, never in it: the transcript stays unfinished.

    HOME/games/<game id>/<seat>.absence          one JSON object, mode 0600, replaced as a whole

It is the word of that seat only. Nobody can verify the time, and who has the folder can write the file.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from p2p_schotten.disk import DISK, Disk, replace_file, words
from p2p_schotten.errors import JournalError, Malformed
from p2p_schotten.ids import ID_DIGITS, SEATS, Seat
from p2p_schotten.protocol.absent import MOST_SECONDS, Word
from p2p_schotten.protocol.record import head_of
from p2p_schotten.protocol.resume import MAX_RECORDS
from p2p_schotten.text import is_hex

SUFFIX = ".absence"
FORM = 1
MAX_FILE = 1024  # bytes; what this program writes has about 300
MOST_WHEN = 253_402_300_799  # the last second of the year 9999, as seconds since 1970


@dataclass(frozen=True, slots=True)
class Absence:
    """`by` has won, says the seat whose file this is, because the other was absent at a position of the game."""

    game: bytes  # its id, 32 bytes
    seq: int  # how many records had led to the position
    head: bytes  # the hash of the last of them
    by: Seat
    seconds: int  # how long `by` had waited, as it says
    when: int  # seconds since 1970, by the clock of the machine that recorded it
    answer: Word = Word.CLAIM  # what the other seat said of it; CLAIM: nothing yet

    @property
    def agreed(self) -> bool | None:
        """The other seat recorded the same; None: it has not answered."""
        return None if self.answer is Word.CLAIM else self.answer is Word.AGREED

    def stands(self, records: Sequence[bytes]) -> bool:
        """It counts in the game with these records: both agree, or no answer and no record has come since."""
        if not self.fits(records):
            return False
        return self.agreed is True or (self.agreed is None and self.seq == len(records))

    def fits(self, records: Sequence[bytes]) -> bool:
        """These records led to its position."""
        return self.seq <= len(records) and head_of(records[self.seq - 1]) == self.head


def absence_path(journal: Path) -> Path:
    """Where it stands, beside the journal of its seat."""
    return journal.with_suffix(SUFFIX)


def read_absence(path: Path, disk: Disk = DISK) -> Absence | None:
    """What the file says; None when there is none. Raises Malformed when it is not such a file, OSError."""
    try:
        data = disk.read(path, MAX_FILE)
    except FileNotFoundError:
        return None
    refused = Malformed(f"{path}: not the record of a win by absence")
    if len(data) > MAX_FILE:
        raise refused
    try:
        value: object = json.loads(data)
    except (ValueError, RecursionError):
        raise refused from None
    absence = _read(value)
    if absence is None:
        raise refused
    return absence


def _read(value: object) -> Absence | None:
    """Strictly what `write_absence` writes: no other field, no other type, nothing out of bounds."""
    match value:
        case {
            "form": int(form),
            "game": str(game),
            "seq": int(seq),
            "head": str(head),
            "by": int(by),
            "seconds": int(seconds),
            "when": int(when),
            "answer": str(answer),
            **rest,
        } if not rest and is_hex(game, ID_DIGITS) and is_hex(head, ID_DIGITS):
            numbers = (form, seq, by, seconds, when)
            bounds = ((FORM, FORM), (1, MAX_RECORDS), (0, 1), (0, MOST_SECONDS), (0, MOST_WHEN))
            whole = all(type(number) is int for number in numbers)  # a bool is an int too
            inside = all(low <= number <= high for number, (low, high) in zip(numbers, bounds, strict=True))
            word = {one.name.lower(): one for one in Word}.get(answer)
            if whole and inside and word is not None:
                return Absence(bytes.fromhex(game), seq, bytes.fromhex(head), SEATS[by], seconds, when, word)
    return None


def write_absence(path: Path, absence: Absence, disk: Disk = DISK) -> None:
    """The file says this, all of it or, when the disk refuses, what it said before; raises JournalError."""
    fields = {
        "form": FORM,
        "game": absence.game.hex(),
        "seq": absence.seq,
        "head": absence.head.hex(),
        "by": int(absence.by),
        "seconds": absence.seconds,
        "when": absence.when,
        "answer": absence.answer.name.lower(),
    }
    try:
        replace_file(disk, path, json.dumps(fields, indent=1).encode() + b"\n")
    except OSError as error:
        raise JournalError(f"{path}: {words(error)}; the win is not recorded") from error
