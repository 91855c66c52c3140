"""A frame is a tag, a length and that many bytes; nothing is read before its length is known to be bearable.

    frame = tag (1 byte) length (4 bytes, big-endian) payload

This module does no input or output: bytes go in however they were cut, frames come out one at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from p2p_schotten.errors import Malformed
from p2p_schotten.net.chats import CHAT_BYTES
from p2p_schotten.protocol.absent import MAX_ABSENT
from p2p_schotten.protocol.closing import MAX_ITEM
from p2p_schotten.protocol.resume import MAX_STAND

HEADER_BYTES = 5


class Tag(IntEnum):
    """What a frame carries. The numbers are part of the protocol and are never used for something else."""

    RECORD = 1  # one record of the game
    PING = 2  # are you there? Answered by PONG
    PONG = 3
    CHAT = 4  # UTF-8
    FAULT = 5  # I refuse your record: [cause and detail, seq, evidence]
    BYE = 6  # I leave on purpose
    CLOSE = 7  # the end of the game, written by one seat alone
    RESUME = 8  # where I stand in the game that goes on: the first frame of a connection that is not the game's first
    AGAIN = 9  # the last record stands, and I want the next game
    HERE = 10  # the port on which I listen while the connection is gone
    ABSENT = 11  # I have recorded a win by your absence, or what I say to that


PORT_BYTES = 2
MOST_BYTES = {
    Tag.CHAT: CHAT_BYTES,
    Tag.FAULT: MAX_ITEM,
    Tag.CLOSE: MAX_ITEM,
    Tag.RESUME: MAX_STAND,
    Tag.HERE: PORT_BYTES,
    Tag.ABSENT: MAX_ABSENT,
}
"""The longest payload by tag; a RECORD's depends on the game, the others have none."""


class TooLong(Malformed):
    """A frame that announces more bytes than may come here; none of them was read."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame as it travels."""

    tag: Tag
    payload: bytes = b""

    def encode(self) -> bytes:
        """The bytes on the wire."""
        return bytes([self.tag]) + len(self.payload).to_bytes(4, "big") + self.payload


class FrameBuffer:
    """Bytes that arrived and are not yet a frame.

    `limit(tag)` is asked once per frame, when its header is complete, so that it can depend on every frame before it.
    Whoever feeds at most n bytes before taking all frames out holds at most n and one frame.
    """

    def __init__(self, limit: Callable[[Tag], int]) -> None:
        self._limit = limit
        self._bytes = bytearray()
        self._header: tuple[Tag, int] | None = None

    def feed(self, data: bytes) -> None:
        """More bytes came."""
        self._bytes += data

    def next(self) -> Frame | None:
        """The next whole frame, or None until more bytes come; raises Malformed for a tag or length that may not be."""
        if self._header is None:
            if len(self._bytes) < HEADER_BYTES:
                return None
            self._header = self._read_header()
        tag, length = self._header
        end = HEADER_BYTES + length
        if len(self._bytes) < end:
            return None
        payload = bytes(self._bytes[HEADER_BYTES:end])
        del self._bytes[:end]
        self._header = None
        return Frame(tag, payload)

    def rest(self) -> bytes:
        """What came behind the last frame that was taken: the next game begins with it."""
        return bytes(self._bytes)

    def _read_header(self) -> tuple[Tag, int]:
        number, length = self._bytes[0], int.from_bytes(self._bytes[1:HEADER_BYTES], "big")
        if number not in Tag.__members__.values():
            raise Malformed(f"expected a frame with a tag from 1 to {max(Tag)}, got tag {number}")
        tag = Tag(number)
        limit = self._limit(tag)
        if length > limit:
            raise TooLong(f"{tag.name}: expected at most {limit} bytes, {length} are announced")
        return tag, length
