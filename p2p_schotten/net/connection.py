"""A connection whose two ends have proven who they are; frames may travel, no record has yet."""

from __future__ import annotations

from contextlib import suppress

import trio

from p2p_schotten.ids import Seat
from p2p_schotten.net.handshake import Proven

CLOSING = 1.0  # seconds for TLS to say goodbye; nobody waits longer for somebody who leaves


class Connection:
    """One stream to one proven peer. `seat` is mine: in a new game 0 for the listener, 1 for the dialer.

    `settled` becomes true when both COMMITs stand: a game exists, and the same identity may no longer begin anew.
    `host`: the address of the other end, empty where it has none.
    `unread`: bytes that came behind the last frame of one game and belong to the next.
    """

    def __init__(self, stream: trio.abc.Stream, seat: Seat, proven: Proven, host: str = "") -> None:
        self.stream = stream
        self.seat = seat
        self.proven = proven
        self.host = host
        self.settled = False
        self.unread = b""
        self.closed = trio.Event()

    async def aclose(self) -> None:
        """The stream is closed: politely if that takes less than a second, and in any case."""
        with trio.move_on_after(CLOSING) as scope:
            scope.shield = True
            with suppress(trio.BrokenResourceError, trio.ClosedResourceError):  # it was gone, or the lobby took it
                await self.stream.aclose()
        self.closed.set()
