"""What waits to be sent over one connection: few frames, in the order in which they were queued."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress

import trio

from p2p_schotten.errors import ChannelError
from p2p_schotten.net.frames import Frame, Tag
from p2p_schotten.net.limits import Limits, limit

OUTBOX = 64  # frames besides records, of which a game has some hundred at the most; talk that nobody reads has a bound


class Outbox:
    """`write` runs once, beside who sends. `name()` says who reads at the other end."""

    def __init__(self, stream: trio.abc.Stream, limits: Limits, name: Callable[[], str]) -> None:
        self._stream = stream
        self._limits = limits
        self._name = name
        self._pong_waits = False  # it answers every PING until it leaves
        self._records = 0  # of the frames that wait
        self._given = 0  # bytes of all frames so far, also of those that wait
        self._asked: int | None = None  # how many there were when the PING was sent that is not answered yet
        self._read = 0  # bytes that have reached the other, as his last PONG tells
        self._give, self._take = trio.open_memory_channel[Frame](math.inf)

    @property
    def waiting(self) -> int:
        """How many frames wait besides records."""
        return self._give.statistics().current_buffer_used - self._records

    def send(self, frame: Frame) -> None:
        """The frame leaves behind those that wait; raises ChannelError when there is no room.

        A record always has: after a cut all that the other lacks is sent at once.
        """
        if frame.tag is not Tag.RECORD and self.waiting >= OUTBOX:
            raise ChannelError(f"{self._name()} does not read what is sent")
        self._give.send_nowait(frame)
        self._records += frame.tag is Tag.RECORD
        self._given += len(frame.encode())
        if frame.tag is Tag.PING and self._asked is None:
            self._asked = self._given

    @property
    def unread(self) -> int:
        """How many bytes wait or are on their way, or came since the other was last asked whether he is there."""
        return self._given - self._read

    def answer(self, tag: Tag) -> None:
        """A PING is answered, if no answer waits already and there is room: what comes behind it must still be read.

        A PONG tells that the other has read all that was sent before the PING.
        """
        if tag is Tag.PONG and self._asked is not None:
            self._read, self._asked = self._asked, None
        if tag is Tag.PING and not self._pong_waits:
            with suppress(ChannelError):
                self.send(Frame(Tag.PONG))
                self._pong_waits = True

    def close(self) -> None:
        """Nothing more may be sent: `write` ends when what waits has left."""
        self._give.close()

    async def write(self, parting: Callable[[], bool]) -> None:
        """Frames leave, each within its limit; raises ChannelError, but not for a way that is gone while `parting`."""
        async for frame in self._take:
            self._records -= frame.tag is Tag.RECORD
            if frame.tag is Tag.PONG:
                self._pong_waits = False
            async with limit(self._limits.write, f"{self._name()} does not read what is sent"):
                try:
                    await self._stream.send_all(frame.encode())
                except (trio.BrokenResourceError, trio.ClosedResourceError):
                    if parting():
                        return
                    raise ChannelError(f"the connection to {self._name()} is gone") from None
