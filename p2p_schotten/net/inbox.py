"""What comes over one connection: bytes, waited for no longer than patience says, cut into frames."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import trio

from p2p_schotten.errors import ChannelError
from p2p_schotten.net.connection import Connection
from p2p_schotten.net.frames import MOST_BYTES, Frame, FrameBuffer, Tag
from p2p_schotten.net.patience import Patience
from p2p_schotten.protocol.peer import Peer

READ_BYTES = 16 * 1024  # at one time; so the buffer holds at most that and one frame


class Inbox:
    """`stopped()`: nothing more is wanted; `parting()`: an end is expected. `name()` says who is at the other end."""

    def __init__(
        self,
        connection: Connection,
        peer: Peer,
        patience: Patience,
        stopped: Callable[[], bool],
        parting: Callable[[], bool],
        name: Callable[[], str],
    ) -> None:
        self._connection = connection
        self._peer = peer
        self._patience = patience
        self._stopped, self._parting, self._name = stopped, parting, name
        self._buffer = FrameBuffer(lambda tag: peer.limit() if tag is Tag.RECORD else MOST_BYTES.get(tag, 0))
        self._buffer.feed(connection.unread)
        self._reading = trio.CancelScope()

    def wake(self) -> None:
        """Whoever waits for bytes looks again whether they are wanted."""
        self._reading.cancel()

    def wait_until(self, deadline: float) -> None:
        """Whoever waits for bytes waits no longer than that."""
        self._reading.deadline = deadline

    async def frame(self) -> Frame | None:
        """The next frame; None at the end. Raises as `receive`, and Malformed."""
        while (frame := self._buffer.next()) is None:
            data = await self.receive()
            if not data:
                return None
            self._buffer.feed(data)
        return frame

    def leave(self) -> None:
        """What came behind the last frame stays with the connection."""
        self._connection.unread = self._buffer.rest()

    async def drain(self, seconds: float) -> None:
        """What still comes is read and forgotten, for no longer than that: he reads what was sent to him meanwhile."""
        with trio.move_on_after(seconds), suppress(ChannelError):
            while await self.receive():
                pass

    async def receive(self) -> bytes:
        """Some bytes; none when stopped or at an end that was expected. Raises ChannelError at any other end."""
        while not self._stopped():
            with trio.CancelScope(deadline=self._patience.deadline(self._peer)) as self._reading:
                try:
                    data = await self._connection.stream.receive_some(READ_BYTES)
                except (trio.BrokenResourceError, trio.ClosedResourceError):
                    data = b""
                if data or self._parting():
                    return bytes(data)
                raise ChannelError(f"the connection to {self._name()} is gone")
            if self._parting():
                return b""
            if not self._stopped() and trio.current_time() >= self._patience.deadline(self._peer):
                raise self._patience.end(self._name())
        return b""
