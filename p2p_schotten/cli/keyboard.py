"""Lines that somebody types, while the game goes on. The only reader of standard input once a game is on its way."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from io import BufferedReader
from typing import cast

import trio

from p2p_schotten.net.limits import first_error

READ_BYTES = 4096
LINE_CHARACTERS = 4096  # of one line; what is typed beyond that is dropped
LINES_WAITING = 64  # typed ahead; the reader then waits, a pipe keeps the rest


class Keyboard:
    """Made by `open_keyboard`. `line` may be cancelled at any time without losing what was typed."""

    def __init__(self, lines: trio.MemoryReceiveChannel[str], terminal: bool) -> None:
        self._lines = lines
        self.terminal = terminal  # somebody sits there: lines may come at any time, not only as answers

    async def line(self) -> str:
        """The next line without its end; raises EOFError at the end of input."""
        try:
            return await self._lines.receive()
        except trio.EndOfChannel:
            raise EOFError("the input ended") from None


@asynccontextmanager
async def open_keyboard(file: int = 0) -> AsyncGenerator[Keyboard]:
    """Reads the descriptor in a thread, which is left alone when the block ends: a blocked read cannot be cancelled."""
    give, take = trio.open_memory_channel[str](LINES_WAITING)
    terminal = sys.stdin.isatty() and sys.stdout.isatty() if file == 0 else os.isatty(file)
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_read, file, give)
            yield Keyboard(take, terminal)
            nursery.cancel_scope.cancel()
    except BaseExceptionGroup as group:  # a nursery wraps also a single error
        raise first_error(group) from None


async def _read(file: int, give: trio.MemorySendChannel[str]) -> None:
    waiting = bytearray()
    async with give:
        while data := await trio.to_thread.run_sync(_some, file, abandon_on_cancel=True):
            waiting += data
            *whole, rest = waiting.split(b"\n")
            waiting = bytearray(rest[: 4 * LINE_CHARACTERS])
            for line in whole:
                await give.send(_text(line))
        if waiting:
            await give.send(_text(waiting))


def _some(file: int) -> bytes:
    try:
        if sys.platform == "win32" and file == 0:
            # Only Python's own stream reads the console in letters, and gives them in UTF-8. It is read below its
            # buffer: the thread that waits here would keep the buffer locked when the interpreter ends.
            return cast(BufferedReader, sys.stdin.buffer).raw.read(READ_BYTES) or b""
        return os.read(file, READ_BYTES)
    except OSError:  # a terminal that is gone is the end of input
        return b""


def _text(line: bytes | bytearray) -> str:
    encoding = getattr(sys.stdin, "encoding", None) or "utf-8"
    return bytes(line).decode(encoding, errors="replace").rstrip("\r")[:LINE_CHARACTERS]
