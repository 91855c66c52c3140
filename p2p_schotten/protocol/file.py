"""The transcript file: a header, then every record as it travelled, each behind its length.

    file  = HEADER item*
    item  = length (4 bytes, big-endian) bytes

The number in the header is the version of this format. A program reads every version up to its own for good; it never
rewrites an old file. Behind the last record may stand one item outside the chain: a CLOSE, or the FAULT of an evidence
file (both begin with a string, where a record begins with an integer).
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p_schotten.errors import TranscriptError
from p2p_schotten.protocol.record import MAX_RECORD

FORMAT = 1
MAGIC = b"schotten transcript "
HEADER = MAGIC + b"%d\n" % FORMAT
LENGTH_BYTES = 4
# The longest base game is 111 kB; every ruleset stays under 300 kB. A larger file is something else.
MAX_FILE = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Contents:
    """The items of a file in order, and what stands behind them if it is no item.

    `torn`: bytes of an item that the file ends in the middle of; `damage`: why no item can begin there, or empty.
    """

    items: tuple[bytes, ...]
    torn: int
    damage: str


def frame(item: bytes) -> bytes:
    """An item as it stands in the file."""
    return len(item).to_bytes(LENGTH_BYTES, "big") + item


def read_file(data: bytes) -> Contents:
    """The items of a transcript; raises TranscriptError when this is no transcript that this program can read."""
    if len(data) > MAX_FILE:
        raise TranscriptError(f"{len(data)} bytes: a transcript has at most {MAX_FILE}")
    if not data.startswith(HEADER):
        raise TranscriptError(_why_no_header(data))
    items: list[bytes] = []
    at = len(HEADER)
    while at < len(data):
        length = int.from_bytes(data[at : at + LENGTH_BYTES], "big")
        end = at + LENGTH_BYTES + length
        if at + LENGTH_BYTES <= len(data) and not 0 < length <= MAX_RECORD:
            damage = f"its length is given as {length} bytes, expected 1 to {MAX_RECORD}"
            return Contents(tuple(items), 0, damage)
        if end > len(data):
            break
        items.append(data[at + LENGTH_BYTES : end])
        at = end
    return Contents(tuple(items), len(data) - at, "")


def _why_no_header(data: bytes) -> str:
    line = data[: len(MAGIC) + 8].split(b"\n", 1)[0]
    number = line[len(MAGIC) :]
    if line.startswith(MAGIC) and number.isdigit():
        return f"a transcript of format {int(number)}; this program reads format {FORMAT}"
    return "not a transcript: it does not begin with " + repr(HEADER.decode().strip())
