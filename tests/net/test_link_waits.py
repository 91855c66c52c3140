"""Nobody waits for ever: silence is told, then it ends; a connection that is none any more is left."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
import trio
import trio.testing
from trio.testing import MockClock

import p2p_schotten.net.pulse
from p2p_schotten.engine.move import Resign
from p2p_schotten.errors import ChannelError, IllegalMove
from p2p_schotten.ids import Seat
from p2p_schotten.net.asleep import SLEPT, Sleep
from p2p_schotten.net.frames import Frame, Tag
from p2p_schotten.net.limits import DEFAULT_LIMITS as LIMITS
from p2p_schotten.net.outbox import OUTBOX, Outbox
from p2p_schotten.net.told import Chatted, HeardAgain, Silent
from p2p_schotten.protocol.events import YourTurn
from p2p_schotten.protocol.record import head_of
from p2p_schotten.protocol.resume import Stand
from tests.net.game import GUEST, HOST, resign_after, think
from tests.net.resumed import ALL, DEALT, OVER, HandBack, Way, back_against_hand, game
from tests.net.sides import memory_pair

RETURNS = Way(returns=True)
Say = Callable[[], Awaitable[None]]


async def pings(hand: HandBack, seconds: float) -> None:
    """A heartbeat, and nothing else, for so long."""
    end = trio.current_time() + seconds
    while trio.current_time() < end:
        await hand.send(Frame(Tag.PING))
        await trio.sleep(1)


# Silence


async def test_silence_is_told_after_ten_seconds_and_ends_the_connection_after_twenty(
    autojump_clock: MockClock,
) -> None:
    async with back_against_hand(HOST, (DEALT, DEALT), think, way=RETURNS) as (ann, bob):
        await bob.meet()
        heard = trio.current_time()
        await trio.sleep(9.9)
        assert Silent(10.0) not in ann.told
        await trio.sleep(0.2)
        assert ann.told[-1] == Silent(10.0)
        while ann.error is None:
            await trio.sleep(0.1)
        assert trio.current_time() - heard == pytest.approx(20, abs=0.2)
    assert ann.told.count(Silent(10.0)) == 1
    assert HeardAgain() not in ann.told
    assert type(ann.error) is ChannelError
    assert str(ann.error) == "nothing was heard from Bob for 20 seconds"
    assert ann.ledger.records == game().records[:DEALT]


async def test_who_was_silent_is_heard_again_and_each_is_told_once(autojump_clock: MockClock) -> None:
    async with back_against_hand(HOST, (DEALT, DEALT), think) as (ann, bob):
        await bob.meet()
        for _ in range(2):
            await trio.sleep(15)
            await bob.send(Frame(Tag.PONG), Frame(Tag.CHAT, b"here"))
            await trio.testing.wait_all_tasks_blocked()
        await ann.link.leave()
    signs = [event for event in ann.told if isinstance(event, Silent | HeardAgain | Chatted)]
    assert signs == [Silent(10.0), HeardAgain(), Chatted("here")] * 2


async def test_a_silence_that_begins_while_the_last_one_is_looked_at_is_told_too(autojump_clock: MockClock) -> None:
    """Whenever the other speaks, what comes after it is told within ten seconds and half of that again."""
    async with back_against_hand(HOST, (DEALT, DEALT), think) as (ann, bob):
        await bob.meet()
        for pause in (10.1, 12.3, 14.9, 15.1, 19.0):
            await trio.sleep(pause)
            await bob.send(Frame(Tag.PONG))
            await trio.testing.wait_all_tasks_blocked()
            assert ann.told[-2:] == [Silent(10.0), HeardAgain()]
            ann.told.clear()
        await ann.link.leave()


async def test_who_answers_pings_is_not_silent_and_may_think(autojump_clock: MockClock) -> None:
    async with back_against_hand(GUEST, (DEALT, DEALT), think) as (bob, ann):
        await ann.meet()
        await pings(ann, 300)
        assert not any(isinstance(event, Silent) for event in bob.told)
        assert bob.error is None
        await bob.link.leave()


async def test_who_never_says_where_he_stands_is_waited_for_no_longer_than_twenty_seconds(
    autojump_clock: MockClock,
) -> None:
    async with back_against_hand(HOST, (DEALT, DEALT), think, way=RETURNS) as (ann, bob):
        start = trio.current_time()
        while ann.error is None:
            await pings(bob, 1)
        assert trio.current_time() - start == pytest.approx(LIMITS.answer, abs=2)
    assert str(ann.error) == "Bob did not go on with the game for 20 seconds"
    assert ann.told == []


async def test_who_says_too_late_where_he_stands_is_not_heard(autojump_clock: MockClock) -> None:
    async with back_against_hand(HOST, (DEALT, DEALT), think, way=RETURNS) as (ann, bob):
        await pings(bob, LIMITS.answer + 1)
        with pytest.raises(trio.BrokenResourceError):
            await bob.send(Frame(Tag.RESUME, bob.peer.stand().pack()))
    assert ann.told == []


@pytest.mark.parametrize("seat", [HOST, GUEST])
async def test_who_claims_records_and_sends_none_holds_nobody_for_long_and_nothing_is_said_meanwhile(
    autojump_clock: MockClock, seat: Seat
) -> None:
    count = DEALT if seat == HOST else DEALT + 2
    async with back_against_hand(seat, (count, count), think, way=RETURNS) as (player, hand):
        await hand.stand()
        records = game().records
        more = Stand(hand.peer.stand().game_id, count + 3, head_of(records[count + 2]))
        await hand.send(Frame(Tag.RESUME, more.pack()))
        await trio.testing.wait_all_tasks_blocked()
        start = trio.current_time()
        assert player.told == []  # nor is it told that the other is back: no clock runs against who may say nothing
        assert player.peer.behind
        assert player.peer.choices() == ()
        with pytest.raises(IllegalMove, match="records of this game are still to come from the other side"):
            await player.link.play(Resign())
        while player.error is None:
            await pings(hand, 1)
        assert trio.current_time() - start == pytest.approx(LIMITS.answer, abs=2)
        frames = [frame.tag for frame in hand.heard]
    assert str(player.error) == f"{('Bob', 'Ann')[seat]} did not go on with the game for 20 seconds"
    assert frames == [Tag.RESUME]
    assert player.ledger.records == records[:count]
    assert not any(isinstance(event, YourTurn) for event in player.told)


# A move where nobody can hear it


@pytest.mark.parametrize("chat", [False, True])
async def test_a_move_before_he_is_back_is_refused_and_nothing_is_signed(autojump_clock: MockClock, chat: bool) -> None:
    async with back_against_hand(HOST, (DEALT, DEALT), think) as (ann, bob):
        await bob.stand()
        if chat:
            await ann.link.chat("hurry up")
            assert await bob.next() == Frame(Tag.CHAT, b"hurry up")
        session = ann.peer.session
        said: tuple[Say, ...] = (lambda: ann.link.play(Resign()), ann.link.again)
        for say in said:
            with pytest.raises(ChannelError, match=r"Bob is on his way back: try again in a moment"):
                await say()
        assert ann.peer.session is session
        assert ann.ledger.records == game().records[:DEALT]
        await bob.send(Frame(Tag.RESUME, bob.peer.stand().pack()))
        await trio.testing.wait_all_tasks_blocked()
        await ann.link.play(Resign())
        assert len(ann.ledger.records) == DEALT + 2  # and its SEAL
        await ann.link.leave()


async def test_a_move_after_the_cut_is_refused_with_its_reason_and_nothing_is_signed(
    autojump_clock: MockClock,
) -> None:
    async with back_against_hand(HOST, (DEALT, DEALT), think, way=RETURNS) as (ann, bob):
        await bob.meet()
        await trio.aclose_forcefully(bob.stream)
    session = ann.peer.session
    said: tuple[Say, ...] = (lambda: ann.link.play(Resign()), lambda: ann.link.chat("hello?"), ann.link.again)
    for say in said:
        with pytest.raises(ChannelError, match="the connection to Bob is gone"):
            await say()
    assert ann.peer.session is session
    assert ann.ledger.records == game().records[:DEALT]


# A connection that is none any more


async def test_a_machine_that_was_asleep_does_not_wait_for_the_silence_to_end(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    asleep = 0.0
    monkeypatch.setattr(p2p_schotten.net.pulse, "Sleep", lambda: Sleep(lambda: trio.current_time() + asleep))
    async with back_against_hand(HOST, (DEALT, DEALT), think, way=RETURNS) as (ann, bob):
        await bob.meet()
        await pings(bob, 30)
        assert ann.error is None
        asleep += SLEPT - 1  # a busy moment is no sleep
        await pings(bob, 12)
        assert ann.error is None
        asleep += 3600
        woken = trio.current_time()
        while ann.error is None:
            await pings(bob, 1)
        assert trio.current_time() - woken <= LIMITS.ping + 1
    assert type(ann.error) is ChannelError
    assert str(ann.error) == "this machine was asleep"


async def test_a_newer_connection_ends_the_older_one(autojump_clock: MockClock) -> None:
    async with back_against_hand(HOST, (DEALT, DEALT), think, way=RETURNS) as (ann, bob):
        await bob.meet()
        ann.connection.closed.set()
    assert type(ann.error) is ChannelError
    assert str(ann.error) == "a newer connection took the place of this one"


# Does the other have the last record?


@pytest.mark.parametrize("sign", [Tag.AGAIN, Tag.BYE])
async def test_who_wrote_the_last_record_is_sure_of_it_when_the_other_says_what_comes_after_it(
    autojump_clock: MockClock, sign: Tag
) -> None:
    async with back_against_hand(GUEST, (OVER, OVER), think, way=Way(more=True)) as (bob, ann):
        await ann.meet()
        await ann.go_on(lambda peer: peer.session.finished, think)
        await trio.testing.wait_all_tasks_blocked()
        assert bob.peer.session.finished
        assert not bob.link.sure
        await ann.send(Frame(sign))
        await trio.testing.wait_all_tasks_blocked()
        assert bob.link.sure
        await bob.link.leave()


@pytest.mark.parametrize(("has", "sure"), [(ALL, True), (ALL - 1, False)])
async def test_who_wrote_the_last_record_is_sure_of_it_when_the_other_says_so_on_coming_back(
    autojump_clock: MockClock, has: int, sure: bool
) -> None:
    async with back_against_hand(GUEST, (has, ALL), think, way=Way(more=True, returns=True)) as (bob, ann):
        assert not bob.link.sure
        await ann.stand()
        await ann.send(Frame(Tag.RESUME, ann.peer.stand().pack()))
        await trio.testing.wait_all_tasks_blocked()
        assert bob.link.sure is sure
        await trio.aclose_forcefully(ann.stream)


async def test_who_read_the_last_record_is_sure_of_it(autojump_clock: MockClock) -> None:
    async with back_against_hand(HOST, (ALL - 1, ALL), think, way=Way(more=True, returns=True)) as (ann, bob):
        assert not ann.link.sure
        await bob.meet()
        assert ann.link.sure
        await trio.aclose_forcefully(bob.stream)


# What is written down


async def test_each_record_is_in_the_journal_before_the_next_thing_happens(autojump_clock: MockClock) -> None:
    way = Way()
    async with back_against_hand(HOST, (DEALT, DEALT), resign_after(0), way=way) as (ann, bob):
        await bob.meet()
        await bob.go_on(lambda peer: peer.session.finished, think)
        await bob.speak()
        await bob.send(Frame(Tag.BYE))
    assert ann.error is None
    assert way.kept == list(range(DEALT + 1, len(ann.ledger.records) + 1))
    assert len(way.kept) == 5  # the resignation, two SEALs, two REVEALs


async def test_a_goodbye_has_room_behind_any_number_of_records_and_talk_has_not() -> None:
    mine, theirs = memory_pair()
    outbox = Outbox(mine, LIMITS, lambda: "Bob")
    for number in range(3 * OUTBOX):
        outbox.send(Frame(Tag.RECORD, bytes([number % 256])))
    assert outbox.waiting == 0
    for _ in range(OUTBOX):
        outbox.send(Frame(Tag.PING))
    assert outbox.waiting == OUTBOX
    for refused in (Frame(Tag.BYE), Frame(Tag.CHAT, b"hello")):
        with pytest.raises(ChannelError, match="Bob does not read what is sent"):
            outbox.send(refused)
    outbox.close()
    await outbox.write(lambda: False)
    assert outbox.waiting == 0
    assert await theirs.receive_some(6) == Frame(Tag.RECORD, b"\0").encode()
