"""The flooder: a peer, proven or not, that sends as much as it can of one thing."""

from __future__ import annotations

import tracemalloc
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from random import Random

import trio

from p2p_schotten.net.frames import HEADER_BYTES, Frame, Tag
from p2p_schotten.net.handshake import Hello, Role
from tests.adversaries.proxy import GONE
from tests.net.sides import EVE

MEBIBYTE = 1 << 20
CHUNK = 16 * 1024  # about so many bytes are sent at one time


def _many(frame: bytes) -> bytes:
    return frame * max(1, CHUNK // len(frame))


def announced(tag: Tag, length: int) -> bytes:
    """The header of a frame of that many bytes."""
    return bytes([tag]) + length.to_bytes(HEADER_BYTES - 1, "big")


ARRAYS = b"\x90" * MEBIBYTE  # a mebibyte of empty arrays
NESTED = b"\x91" * 5000 + b"\x90"  # arrays within arrays

BEARABLE = {
    "PINGs": _many(Frame(Tag.PING).encode()),
    "PONGs": _many(Frame(Tag.PONG).encode()),
    "CHATs": _many(Frame(Tag.CHAT, b"hello? " * 70).encode()),
}
"""What may be said at any time, though not so much of it."""

UNBEARABLE = {
    "records with junk": Frame(Tag.RECORD, Random(1).randbytes(200)).encode(),
    "a record of 4 GiB": announced(Tag.RECORD, 2**32 - 1) + ARRAYS,
    "a chat of 4 GiB": announced(Tag.CHAT, 2**32 - 1) + ARRAYS,
    "a mebibyte of empty arrays": Frame(Tag.RECORD, ARRAYS).encode(),
    "arrays within arrays": Frame(Tag.RECORD, NESTED).encode(),
    "short arrays within arrays": Frame(Tag.RECORD, NESTED[-100:]).encode(),
    "RESUMEs": _many(Frame(Tag.RESUME, bytes(68)).encode()),
    "HEREs": _many(Frame(Tag.HERE, b"\x10\x00").encode()),
    "AGAINs": _many(Frame(Tag.AGAIN).encode()),
    "FAULTs": _many(Frame(Tag.FAULT, bytes(500)).encode()),
    "CLOSEs": _many(Frame(Tag.CLOSE, bytes(500)).encode()),
    "frames without a tag": bytes(CHUNK),
    "random bytes": Random(2).randbytes(CHUNK),
    "a page asked for": _many(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
}
"""What ends the link where it comes."""

AT_THE_DOOR = {
    **UNBEARABLE,
    "hellos": _many(Hello(Role.DIAL, (1, 1), EVE.public, bytes(32)).encode()),
    "empty arrays": ARRAYS,
}


@dataclass
class Sent:
    """What became of a flood: so many bytes left before the other closed, if he did."""

    size: int = 0
    closed: bool = False


async def flood(stream: trio.abc.Stream, data: bytes, size: int) -> Sent:
    """`data` again and again, until so many bytes were sent or the other has closed; nothing is read."""
    sent = Sent()
    while sent.size < size:
        try:
            await stream.send_all(data)
        except GONE:
            sent.closed = True
            break
        sent.size += len(data)
    return sent


@asynccontextmanager
async def drained(stream: trio.abc.Stream) -> AsyncGenerator[trio.Event]:
    """While the block runs everything that comes is read and dropped; the event: the other has closed."""
    over = trio.Event()

    async def drain() -> None:
        try:
            while await stream.receive_some(CHUNK):
                pass
        except GONE:
            pass
        over.set()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(drain)
        yield over
        nursery.cancel_scope.cancel()


@dataclass
class Held:
    """How many bytes of Python's memory a block took at its peak, beyond what it found."""

    bytes: int = 0


@contextmanager
def memory() -> Iterator[Held]:
    """Measures the block. OpenSSL's own memory is not in it."""
    held = Held()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        yield held
        held.bytes = tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
