"""The bot at a seat: it thinks in a thread, however long, while the connection lives and the player can leave."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from functools import partial

import trio

from p2p_schotten.bots.base import BotStopped
from p2p_schotten.bots.seated import Seated
from p2p_schotten.engine.move import Move, Resign
from p2p_schotten.engine.step import Event
from p2p_schotten.engine.view import View


class Mind:
    """For one game. Nothing is thought before `run`; whoever asks may be cancelled without disturbing the thought.

    `stop` is told once why the bot stopped. Then it is asked nothing any more: it plays nothing, or, with `forfeit`,
    gives the game up.
    """

    def __init__(self, bot: Seated, forfeit: bool, stop: Callable[[BotStopped], Awaitable[None]]) -> None:
        self._bot, self._forfeit, self._stop = bot, forfeit, stop
        self._give, self._take = trio.open_memory_channel[_Thought](math.inf)  # a game asks for one thing at a time
        self._chosen: tuple[View, _Thought] | None = None
        self._stopped = self._left = False
        self._waits = trio.CancelScope()

    async def run(self) -> None:
        """One thought after the other, until cancelled; a thread that thinks then is left to itself."""
        async for thought in self._take:
            await thought.run()

    async def choose(self, view: View) -> Move | None:
        """The bot's move; None where there is none, after `leave` or because it stopped.

        After a cut the same question comes again: the bot is not asked twice, it thinks about it still or has chosen.
        """
        if self._chosen is None or self._chosen[0] != view:
            self._chosen = view, self._ask(partial(self._bot.choose, view))
        thought = self._chosen[1]
        await self._wait(thought)
        return Resign() if self._stopped and self._forfeit else thought.move

    async def observe(self, view: View, event: Event) -> None:
        """The bot knows what happened, if it wants to know."""
        if self._bot.observes:
            await self._wait(self._ask(partial(self._bot.observe, view, event)))

    async def over(self, view: View) -> None:
        """The bot knows how the game ended, if it wants to know."""
        await self._wait(self._ask(partial(self._bot.over, view)))

    def leave(self) -> None:
        """Nobody waits for the bot any longer."""
        self._left = True
        self._waits.cancel()

    def _ask(self, think: Callable[[], Move | None]) -> _Thought:
        thought = _Thought(think)
        if not self._stopped:
            self._give.send_nowait(thought)
        return thought

    async def _wait(self, thought: _Thought) -> None:
        if self._left or self._stopped:
            return
        with trio.CancelScope() as self._waits:
            await thought.done.wait()
        if thought.error is not None and not self._left:
            self._stopped = True
            await self._stop(thought.error)


class _Thought:
    """Something that a bot is asked or told, and what came of it once it is `done`."""

    def __init__(self, think: Callable[[], Move | None]) -> None:
        self.move: Move | None = None
        self.error: BotStopped | None = None
        self.done = trio.Event()
        self._think = think

    async def run(self) -> None:
        """It is done."""
        try:
            self.move = await trio.to_thread.run_sync(self._think, abandon_on_cancel=True)
        except BotStopped as error:
            self.error = error
        self.done.set()
