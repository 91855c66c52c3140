"""What of a journal is whole after a crash.

A crash in the middle of an append leaves a part of the item, or, on some file systems, the item or the part with zeros
where bytes should be. Nothing of it was sent, and it is cut off. Any other damage is not the work of a crash: it is
refused, and nothing is cut.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from p2p_schotten.errors import InvalidProof, JournalError, Malformed
from p2p_schotten.protocol.closing import Close, read_item
from p2p_schotten.protocol.file import HEADER, frame, read_file
from p2p_schotten.protocol.messages import Hello, read_body
from p2p_schotten.protocol.record import Kind, read_record

ZEROS = b"\0"


@dataclass(frozen=True, slots=True)
class Whole:
    """The whole items of a journal, and how many bytes they take. `cut`: something torn stands behind them."""

    items: tuple[bytes, ...]
    size: int
    cut: bool

    @property
    def records(self) -> tuple[bytes, ...]:
        """The items without a CLOSE at the end."""
        return self.items[:-1] if self.close_at is not None else self.items

    @property
    def close_at(self) -> int | None:
        """Where the CLOSE at the end begins, if there is one."""
        if not self.items or not is_close(self.items[-1]):
            return None
        return self.size - len(frame(self.items[-1]))


def is_close(item: bytes) -> bool:
    """The item is a CLOSE."""
    try:
        return isinstance(read_item(item), Close)
    except Malformed:
        return False


def read_whole(data: bytes, path: Path, game_id: bytes) -> Whole:
    """What is whole of the journal with these bytes; of one whose header is torn, nothing.

    Raises TranscriptError when this is no transcript, JournalError where it is damaged and no crash explains it.
    """
    begun = data.rstrip(ZEROS)
    if HEADER.startswith(begun):
        return Whole((), len(begun), len(begun) < len(data))
    contents = read_file(data)
    size = len(HEADER) + sum(len(frame(item)) for item in contents.items)
    if contents.damage and data[size:].strip(ZEROS):
        raise JournalError(f"{path}: damaged behind record {len(contents.items) - 1}: {contents.damage}")
    items = contents.items
    if items and items[-1].endswith(ZEROS) and not _is_sound(items, game_id):
        items, size = items[:-1], size - len(frame(items[-1]))
    return Whole(items, size, size < len(data))


def _is_sound(items: tuple[bytes, ...], game_id: bytes) -> bool:
    """The last item is a CLOSE, or a record that its author signed."""
    if is_close(items[-1]):
        return True
    try:
        record = read_record(items[-1])
        if record.kind is Kind.HELLO:
            game_id = b""
        hello = read_record(items[record.seat])
        body = read_body(Kind.HELLO, hello.body)
        assert isinstance(body, Hello)
        record.verify(game_id, body.identity)
    except (Malformed, InvalidProof, IndexError):
        return False
    return True
