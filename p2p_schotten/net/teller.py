"""Events of a link on their way to its front end: in order, one at a time, as slowly as a person reads."""

from __future__ import annotations

import math
from collections.abc import Callable

import trio

from p2p_schotten.errors import ChannelError
from p2p_schotten.net.chats import CHATS_ANEW, CHATS_AT_ONCE, Chats
from p2p_schotten.net.told import Deliver, Told


class Teller:
    """`closing()`: the link ends already, so that an answer to an event may come too late. `resumed`: see `Link`."""

    def __init__(self, closing: Callable[[], bool], *, resumed: bool = False) -> None:
        self._closing = closing
        self._chats = Chats(CHATS_ANEW if resumed else CHATS_AT_ONCE)
        self._give, self._take = trio.open_memory_channel[Told](math.inf)  # records and chats have their bounds
        self._told = trio.Event()

    def tell(self, *events: Told) -> None:
        """The events are told behind those that wait."""
        for event in events:
            self._give.send_nowait(event)

    def hear(self, payload: bytes) -> None:
        """A line of talk came; raises Malformed."""
        self.tell(*self._chats.hear(payload, trio.current_time()))

    def close(self) -> None:
        """Nothing more will be told: `run` returns when what waits was."""
        self._give.close()

    async def finish(self, seconds: float) -> None:
        """What waits is still told, if that takes no longer."""
        self.close()
        with trio.move_on_after(seconds):
            await self._told.wait()

    async def run(self, deliver: Deliver) -> None:
        """Until `close`; raises what `deliver` raises."""
        async for event in self._take:
            self._chats.leave(event)
            try:
                await deliver(event)
            except ChannelError:  # an answer that came too late; what ended the link is raised where it was noticed
                if not self._closing():
                    raise
        self._told.set()
