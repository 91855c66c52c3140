"""The allowance of talk, against a count of whole seconds made by hand."""

from __future__ import annotations

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from p2p_schotten.errors import Malformed
from p2p_schotten.net.chats import CHATS_AT_ONCE, CHATS_WAITING, Chats
from p2p_schotten.net.frames import Frame, Tag
from p2p_schotten.net.told import ChatDropped, Chatted, Told
from tests.net.game import HOST, think
from tests.net.resumed import DEALT, Way, back_against_hand


def told(chats: Chats, lines: int, now: float) -> list[Told]:
    return [event for _ in range(lines) for event in chats.hear(b"hello", now)]


def test_a_friend_who_writes_a_line_a_second_is_always_told() -> None:
    chats = Chats()
    for second in range(1000):
        (event,) = told(chats, 1, 100.0 + second)
        assert event == Chatted("hello")
        chats.leave(event)


def test_silence_earns_no_more_than_a_screenful() -> None:
    chats = Chats()
    told(chats, 1, 0.0)
    assert told(chats, 100, 10_000.0) == [*[Chatted("hello")] * CHATS_AT_ONCE, ChatDropped()]


def test_that_lines_are_dropped_is_said_once() -> None:
    chats = Chats()
    events = [event for second in range(50) for event in told(chats, 100, float(second))]
    assert events.count(ChatDropped()) == 1
    assert events.count(Chatted("hello")) == min(CHATS_AT_ONCE + 49, CHATS_WAITING)


async def test_who_comes_back_again_and_again_says_no_more_each_time_than_a_friend_would(
    autojump_clock: MockClock,
) -> None:
    async with back_against_hand(HOST, (DEALT, DEALT), think, way=Way(returns=True)) as (ann, bob):
        await bob.meet()
        await bob.send(*[Frame(Tag.CHAT, b"hello")] * 60)
        await trio.testing.wait_all_tasks_blocked()
        assert ann.told[-3:] == [Chatted("hello"), Chatted("hello"), ChatDropped()]
        assert ann.told.count(Chatted("hello")) == 2
        await trio.aclose_forcefully(bob.stream)


def test_a_dropped_line_is_checked_like_the_others() -> None:
    chats = Chats()
    told(chats, 100, 0.0)
    for bad in (b"\xff", b"", b"x" * 501, b"\x1b[2J"):
        with pytest.raises(Malformed):
            chats.hear(bad, 0.0)
