"""Beside a game under way: the heartbeat, the look for silence, and the look for a connection that is none any more."""

from __future__ import annotations

from collections.abc import Callable

import trio

from p2p_schotten.errors import ChannelError
from p2p_schotten.net.asleep import Sleep
from p2p_schotten.net.connection import Connection
from p2p_schotten.net.frames import Frame, Tag
from p2p_schotten.net.limits import Limits
from p2p_schotten.net.outbox import Outbox
from p2p_schotten.net.patience import Patience
from p2p_schotten.net.told import HeardAgain, Silent


class Pulse:
    """What is done every few seconds of one connection. `over()`: nothing more is to be said over it."""

    def __init__(
        self,
        connection: Connection,
        outbox: Outbox,
        patience: Patience,
        limits: Limits,
        over: Callable[[], bool],
        tell: Callable[[Silent | HeardAgain], None],
    ) -> None:
        self._connection = connection
        self._outbox = outbox
        self._patience = patience
        self._limits = limits
        self._over = over
        self._tell = tell
        self._scope = trio.CancelScope()

    async def run(self) -> None:
        """Until `stop`; raises ChannelError when the connection is not to be waited for any longer."""
        with self._scope:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._beat)
                nursery.start_soon(self._listen)
                nursery.start_soon(self._yield)

    def stop(self) -> None:
        """`run` returns."""
        self._scope.cancel()

    def hear(self) -> None:
        """A whole frame came."""
        self._patience.heard()
        if self._patience.silent:
            self._patience.silent = False
            self._tell(HeardAgain())

    async def _beat(self) -> None:
        sleep = Sleep()
        while not self._over():
            await trio.sleep(self._limits.ping)
            if sleep.noticed():
                raise ChannelError("this machine was asleep")  # the other has long given up this connection
            if not self._over():
                self._outbox.send(Frame(Tag.PING))

    async def _listen(self) -> None:
        """The player is told, once, when nothing has been heard for a while."""
        while True:
            await trio.sleep_until(self._patience.notice_by())
            if trio.current_time() >= self._patience.notice_by():
                if not self._patience.silent and not self._over():
                    self._patience.silent = True
                    self._tell(Silent(self._limits.notice))
                await trio.sleep(self._limits.notice / 2)  # what comes next begins a new wait

    async def _yield(self) -> None:
        await self._connection.closed.wait()
        raise ChannelError("a newer connection took the place of this one")
