"""A bot thinks in a thread: whoever waits for it can leave, and a cut does not make it think twice."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from random import Random
from threading import Event as ThreadEvent
from threading import get_ident

import pytest
import trio

from p2p_schotten.bots.base import BotStopped, Fault
from p2p_schotten.bots.seated import Seated
from p2p_schotten.cli.mind import Mind
from p2p_schotten.engine.move import Move, Resign
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import BASE
from p2p_schotten.engine.step import Dealt, Event
from p2p_schotten.engine.view import View
from p2p_schotten.ids import Seat
from tests.bots.games import dealt, seen_by
from tests.engine.positions import ME

START = seen_by(dealt(BASE, ME, 1), ME)
PATIENCE = 5.0  # seconds; nothing here takes a tenth of it


class Thinker:
    """Chooses the first move when it is let go, and notes what it was asked."""

    name = "thinker"

    def __init__(self) -> None:
        self.asked: list[View] = []
        self.told: list[Event] = []
        self.begun, self.go, self.thread = ThreadEvent(), ThreadEvent(), 0
        self.error: Exception | None = None
        self.at_once = 0

    def new_game(self, rules: Ruleset, seat: Seat, random: Random) -> None:
        self.thread = get_ident()

    def act(self, view: View, legal: tuple[Move, ...]) -> Move:
        self.at_once += 1
        assert self.at_once == 1
        self.asked.append(view)
        self.begun.set()
        assert self.go.wait(PATIENCE)
        self.at_once -= 1
        if self.error is not None:
            raise self.error
        return legal[0]

    def observe(self, view: View, event: Event) -> None:
        self.told.append(event)
        if self.error is not None:
            raise self.error


class Table:
    """A mind that runs, and what it said when the bot stopped."""

    def __init__(self, bot: Thinker, *, forfeit: bool = False) -> None:
        self.bot, self.faults = bot, list[BotStopped]()
        self.seated = Seated(bot, 1)
        self.mind = Mind(self.seated, forfeit, self._stopped)

    async def _stopped(self, error: BotStopped) -> None:
        self.faults.append(error)

    def run(self, story: Callable[[Table], Awaitable[None]]) -> None:
        async def main() -> None:
            with trio.fail_after(PATIENCE):
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self.mind.run)
                    await story(self)
                    nursery.cancel_scope.cancel()

        trio.run(main)


async def begun(bot: Thinker) -> None:
    """The bot thinks."""
    while not bot.begun.is_set():
        await trio.sleep(0.001)
    bot.begun.clear()


def test_a_bot_thinks_in_another_thread_while_the_rest_goes_on() -> None:
    async def story(table: Table) -> None:
        async with trio.open_nursery() as nursery:

            async def let_go() -> None:
                await begun(table.bot)
                table.bot.go.set()

            nursery.start_soon(let_go)
            assert await table.mind.choose(START) == START.choices()[0]

    bot = Thinker()
    Table(bot).run(story)
    assert bot.thread not in (0, get_ident())


def test_who_asks_again_after_a_cut_gets_what_the_bot_thinks_about_still() -> None:
    async def story(table: Table) -> None:
        for _cut in range(3):
            with trio.move_on_after(0.02) as cut:
                await table.mind.choose(START)
            assert cut.cancelled_caught
        table.bot.go.set()
        assert await table.mind.choose(START) == START.choices()[0]
        assert await table.mind.choose(START) == START.choices()[0]  # the answer may be lost with a connection too
        assert table.bot.asked == [START]
        later = seen_by(dealt(BASE, ME, 2), ME)
        assert await table.mind.choose(later) == later.choices()[0]
        assert table.bot.asked == [START, later]

    Table(Thinker()).run(story)


def test_nobody_waits_for_a_bot_after_he_left_and_its_fault_is_nobodys() -> None:
    async def story(table: Table) -> None:
        async with trio.open_nursery() as nursery:

            async def leave() -> None:
                await begun(table.bot)
                table.mind.leave()

            nursery.start_soon(leave)
            assert await table.mind.choose(START) is None
        table.bot.error = ValueError("too late")
        table.bot.go.set()
        assert await table.mind.choose(START) is None
        await table.mind.observe(START, Dealt(6, ME))

    table = Table(Thinker())
    table.run(story)
    assert table.faults == []
    assert table.bot.told == []


@pytest.mark.parametrize("forfeit", [False, True])
def test_a_bot_that_stops_is_told_of_once_and_asked_nothing_more(forfeit: bool) -> None:
    async def story(table: Table) -> None:
        table.bot.go.set()
        table.bot.error = ValueError("no idea")
        await table.mind.observe(START, Dealt(6, ME))
        await table.mind.observe(START, Dealt(6, ME))
        assert await table.mind.choose(START) == (Resign() if forfeit else None)
        await table.mind.over(START)

    table = Table(Thinker(), forfeit=forfeit)
    table.run(story)
    (error,) = table.faults
    assert error.fault is Fault.CRASH
    assert str(error).startswith("thinker stopped: ValueError: no idea (test_headless_mind.py:")
    assert table.bot.told == [Dealt(6, ME)]
    assert table.bot.asked == []


def test_the_next_game_with_a_bot_that_still_thinks_begins_when_it_is_done() -> None:
    bot = Thinker()
    table = Table(bot)

    async def left(table: Table) -> None:
        with trio.move_on_after(0.02):
            await table.mind.choose(START)

    async def next_one(next_table: Table) -> None:
        with trio.move_on_after(0.05) as cut:
            await next_table.mind.choose(START)
        assert cut.cancelled_caught
        assert len(bot.asked) == 1
        bot.go.set()
        assert await next_table.mind.choose(START) == START.choices()[0]
        assert len(bot.asked) == 2

    table.run(left)
    following = Table(bot)
    following.mind = Mind(table.seated.again(), False, following._stopped)
    following.run(next_one)
