"""A win by absence between two peers: what one tells the other, and when the other agrees.

No record shows the time, so nothing of this is proved and nothing of it enters the transcript. Each side measures for
itself; a side agrees that it was absent only when its own clock says so too. A mere cut is no absence by that clock:
nobody shall win by pulling the cable. The payload of the frame ABSENT:

    absent = word (1 byte) seq (4, big-endian) head (32) seconds (4)          always 41 bytes

`seq` and `head`: the position, named by the number of records that led to it and the hash of the last. `seconds`: what
whoever says it measured. A claim is answered by any other word, about the same position.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from p2p_schotten.errors import Malformed
from p2p_schotten.protocol.record import HASH_BYTES, NO_HEAD
from p2p_schotten.protocol.resume import MAX_RECORDS, SEQ_BYTES

# Both sides measure for themselves, and a record is on its way for up to seconds (a phone that changes its network, a
# disk that wakes up). So whoever waits grants so much more than was agreed. Who was absent admits what was agreed and
# not less: a turn within the clock is nobody's loss, whatever the other claims of it.
TOLERANCE = 5.0
SECONDS_BYTES = 4
MOST_SECONDS = (1 << 8 * SECONDS_BYTES) - 1  # 136 years
MAX_ABSENT = 1 + SEQ_BYTES + HASH_BYTES + SECONDS_BYTES


class Word(IntEnum):
    """What is said about a win by absence. The numbers are part of the protocol."""

    CLAIM = 0  # I have recorded a win: you were absent
    AGREED = 1  # so I was: I have recorded the same
    SHORT = 2  # by my clock I was not
    BOTH = 3  # I have recorded a win of my own here
    OVER = 4  # the game is over: the transcript says who won
    NO_CLOCK = 5  # we agreed on no clock
    UNKNOWN = 6  # I measured nothing at that position, or have never been there
    MOVED = 7  # you have moved since: who goes on with the game gives up what he could have claimed before


@dataclass(frozen=True, slots=True)
class Absent:
    """A claim or the answer to one."""

    word: Word
    seq: int
    head: bytes
    seconds: int

    def pack(self) -> bytes:
        """The payload of an ABSENT."""
        seconds = self.seconds.to_bytes(SECONDS_BYTES, "big")
        return bytes([self.word]) + self.seq.to_bytes(SEQ_BYTES, "big") + self.head + seconds


@dataclass(frozen=True, slots=True)
class Lapse:
    """What a side measured at one position, in seconds."""

    turn: float  # how long its own turn had lasted, while the two were connected, when it left the position, or now
    asleep: float  # how long its program did not run there at a stretch: stopped, or the machine slept


def read_absent(data: bytes) -> Absent:
    """What these bytes say; raises Malformed."""
    if len(data) != MAX_ABSENT:
        raise Malformed(f"ABSENT: expected {MAX_ABSENT} bytes, got {len(data)}")
    word, head = data[0], data[1 + SEQ_BYTES : -SECONDS_BYTES]
    seq, seconds = int.from_bytes(data[1 : 1 + SEQ_BYTES], "big"), int.from_bytes(data[-SECONDS_BYTES:], "big")
    if word not in Word.__members__.values():
        raise Malformed(f"ABSENT: expected a word from 0 to {max(Word)}, got {word}")
    if not 0 < seq <= MAX_RECORDS or head == NO_HEAD:
        raise Malformed(f"ABSENT: expected a position after 1 to {MAX_RECORDS} records, got {seq} and {head.hex()[:8]}")
    return Absent(Word(word), seq, head, seconds)


def whole(seconds: float) -> int:
    """Measured seconds as they travel."""
    return min(int(seconds), MOST_SECONDS)


def judge_absence(
    claim: Absent, clock: int | None, lapse: Lapse | None, *, over: bool, own: bool, moved: bool
) -> Absent:
    """My answer to the claim that I was absent at a position.

    `clock`: the agreed seconds; `lapse`: what I measured there, None for nothing; `over`: the game is over here;
    `own`: I have recorded a win of my own there, by the other's absence, or he has admitted one anywhere; `moved`: he
    had moved since when he claimed it.
    """
    measured = 0.0 if lapse is None else max(lapse.turn, lapse.asleep)
    if over:
        word = Word.OVER
    elif clock is None:
        word = Word.NO_CLOCK
    elif own:
        word = Word.BOTH
    elif moved:
        word = Word.MOVED
    elif lapse is None:
        word = Word.UNKNOWN
    elif claim.seconds < clock or measured <= clock:
        word = Word.SHORT
    else:
        word = Word.AGREED
    return Absent(word, claim.seq, claim.head, whole(measured))
