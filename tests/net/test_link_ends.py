"""Every end of a link is said in one line: the other is gone or silent, one seat closes alone, the front end stops."""

from __future__ import annotations

from contextlib import suppress

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from p2p_schotten.engine.move import Resign
from p2p_schotten.errors import ChannelError
from p2p_schotten.net.frames import Frame, Tag
from p2p_schotten.net.limits import DEFAULT_LIMITS as LIMITS
from p2p_schotten.net.link import Link
from p2p_schotten.net.told import Chatted, ClosedAlone, Told
from p2p_schotten.protocol.closing import Close, read_item
from p2p_schotten.protocol.events import Met, Offered
from p2p_schotten.protocol.record import read_record
from tests.attacks import ANY, report
from tests.net.game import GUEST, HOST, Hand, Player, against_hand, connection_of, over, peer_of, resign_after, think
from tests.net.sides import memory_pair

# The other is gone


async def test_leaving_is_told_to_the_other_side(autojump_clock: MockClock) -> None:
    left, right = memory_pair()
    ann, bob = Player(HOST, left, think), Player(GUEST, right, think)

    async def leave() -> None:
        while not bob.link.begun:
            await trio.sleep(0.1)
        await bob.link.leave()

    with trio.fail_after(500):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ann.run)
            nursery.start_soon(bob.run)
            nursery.start_soon(leave)
    assert bob.error is None
    assert str(ann.error) == "bob left"
    with pytest.raises(ChannelError, match="bob left"):
        await ann.link.play(Resign())
    with pytest.raises(ChannelError, match="the connection is closed"):
        await bob.link.play(Resign())


async def test_a_peer_that_dies_is_noticed_at_once(autojump_clock: MockClock) -> None:
    start = trio.current_time()
    async with against_hand(HOST, think) as (ann, bob):
        await bob.deal()
        await trio.aclose_forcefully(bob.stream)
    assert isinstance(ann.error, ChannelError)
    assert str(ann.error) == "the connection to bob is gone"
    assert trio.current_time() - start < 2


async def test_a_peer_that_is_stopped_is_noticed_within_the_limit(autojump_clock: MockClock) -> None:
    async with against_hand(HOST, think) as (ann, bob):
        await bob.deal()
        start = trio.current_time()
        while not ann.link._ended:
            await trio.sleep(0.1)
        assert trio.current_time() - start < LIMITS.silence + 1
    assert str(ann.error) == "nothing was heard from bob for 20 seconds"


async def test_a_peer_that_answers_pings_may_think_longer_than_the_limit(autojump_clock: MockClock) -> None:
    async with against_hand(HOST, think) as (ann, bob):
        await bob.deal()
        with trio.move_on_after(2 * LIMITS.silence):
            while True:
                await bob.next()
        assert ann.error is None
        assert not ann.link._ended
        await ann.link.leave()


async def test_a_slow_drip_inside_a_frame_is_no_sign_of_life(autojump_clock: MockClock) -> None:
    async with against_hand(HOST, think) as (ann, bob):
        await bob.deal()
        await bob.stream.send_all(bytes([Tag.CHAT]) + (2000).to_bytes(4, "big"))
        start = trio.current_time()
        while not ann.link._ended:
            await bob.stream.send_all(b"x")
            await trio.sleep(0.5)
        assert trio.current_time() - start < LIMITS.silence + 1
    assert str(ann.error) == "nothing was heard from bob for 20 seconds"
    report(ANY, "connection lost: silence")


async def test_a_listener_that_never_says_hello_does_not_count_as_connected(autojump_clock: MockClock) -> None:
    async with against_hand(GUEST, think) as (bob, ann):
        while not bob.link._ended:
            await ann.send(Frame(Tag.PING))
            await trio.sleep(1)
    assert str(bob.error) == "the other side did not go on with the game for 20 seconds"
    assert not bob.ledger.begun


async def test_a_guest_who_reads_the_rules_for_long_is_waited_for(autojump_clock: MockClock) -> None:
    async with against_hand(HOST, think) as (ann, bob):
        await bob.next()
        with trio.move_on_after(2 * LIMITS.answer):
            while True:
                await bob.next()
        assert not ann.link._ended
        await ann.link.leave()


async def test_a_peer_that_withholds_a_record_without_a_choice_does_not_hold_the_game_for_ever(
    autojump_clock: MockClock,
) -> None:
    async with against_hand(HOST, think) as (ann, bob):
        await bob.go_on(lambda peer: peer.session.shuffles >= 1)
        bob.peer.frames()  # the shuffle that is never sent
        while await bob.next() is not None:
            pass
    assert str(ann.error) == "bob did not go on with the game for 20 seconds"


async def test_a_peer_that_does_not_read_is_noticed(autojump_clock: MockClock) -> None:
    left, right = trio.testing.lockstep_stream_pair()
    async with against_hand(HOST, think, pair=(left, right)) as (ann, bob):
        await bob.next()
        start = trio.current_time()
        with suppress(trio.BrokenResourceError):
            while not ann.link._ended:
                with trio.move_on_after(1):
                    await bob.send(Frame(Tag.PING))
                await trio.sleep(1)
        assert trio.current_time() - start < 30
        await trio.aclose_forcefully(right)
    assert isinstance(ann.error, ChannelError)
    assert str(ann.error) == "the other side does not read what is sent"


async def test_a_flood_of_pings_whose_answers_nobody_reads_waits_as_one_answer(autojump_clock: MockClock) -> None:
    left, right = trio.testing.lockstep_stream_pair()
    async with against_hand(HOST, think, pair=(left, right)) as (ann, bob):
        await bob.next()
        with trio.move_on_after(1):
            await bob.stream.send_all(Frame(Tag.PING).encode() * 1000)
        assert ann.link._outbox.waiting <= 1
        while not ann.link._ended:
            with trio.move_on_after(1), suppress(trio.BrokenResourceError):
                await bob.stream.send_all(Frame(Tag.PING).encode() * 1000)
            await trio.sleep(1)
        await trio.aclose_forcefully(right)
    assert str(ann.error) == "the other side does not read what is sent"


async def test_a_host_who_offers_and_leaves_is_named(autojump_clock: MockClock) -> None:
    async with against_hand(GUEST, think) as (bob, ann):
        ann.peer.start()
        (hello,) = ann.peer.frames()
        await ann.stream.send_all(Frame(Tag.RECORD, hello).encode() + Frame(Tag.BYE).encode())
    assert [type(event) for event in bob.told] == [Offered]
    assert str(bob.error) == "ann left"


async def test_the_last_events_before_the_cut_are_still_told(autojump_clock: MockClock) -> None:
    left, right = memory_pair()
    ann, bob = Player(HOST, left, think), Hand(GUEST, right)

    async def slowly(event: Told) -> None:
        await trio.sleep(0.5)
        ann.told.append(event)

    with trio.fail_after(500):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ann.run, slowly)
            await bob.next()
            await bob.send(Frame(Tag.CHAT, b"one"), Frame(Tag.CHAT, b"I must go"), Frame(Tag.BYE))
    await trio.aclose_forcefully(right)
    assert str(ann.error) == "the other side left"
    assert ann.told == [Chatted("one"), Chatted("I must go")]


async def test_a_front_end_that_waits_for_a_person_does_not_hold_up_the_end(autojump_clock: MockClock) -> None:
    left, right = memory_pair()
    ann, bob = Player(HOST, left, think), Hand(GUEST, right)

    async def asks(event: Told) -> None:
        await trio.sleep_forever()

    with trio.fail_after(500):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ann.run, asks)
            await bob.next()
            start = trio.current_time()
            await bob.send(Frame(Tag.CHAT, b"I must go"), Frame(Tag.BYE))
    await trio.aclose_forcefully(right)
    assert trio.current_time() - start <= LIMITS.linger + 0.1
    assert str(ann.error) == "the other side left"


# The end that one seat writes alone


async def test_a_won_game_is_closed_alone_when_the_other_falls_silent_before_the_seals(
    autojump_clock: MockClock,
) -> None:
    async with against_hand(HOST, resign_after(0)) as (ann, bob):
        await bob.go_on(lambda peer: over(peer), lambda peer: Resign())
        while not (over(ann.peer) and ann.peer.session.speaker == GUEST):
            await bob.speak()
            await trio.testing.wait_all_tasks_blocked()
        await trio.aclose_forcefully(bob.stream)
    assert ann.error is None
    assert ann.told[-1] == ClosedAlone("the connection to bob is gone")
    close = read_item(ann.ledger.records[-1])
    assert isinstance(close, Close)
    assert close.seat == HOST
    assert read_record(ann.ledger.records[-2]).seq == ann.peer.session.seq - 1


async def test_a_game_that_is_not_over_is_never_closed_alone(autojump_clock: MockClock) -> None:
    async with against_hand(HOST, think) as (ann, bob):
        await bob.deal()
        await trio.aclose_forcefully(bob.stream)
    assert isinstance(ann.error, ChannelError)
    assert read_record(ann.ledger.records[-1]).seq == ann.peer.session.seq - 1


# The front end


async def test_what_the_front_end_raises_comes_out_and_closes_the_connection(autojump_clock: MockClock) -> None:
    left, right = memory_pair()
    link = Link(connection_of(GUEST, right), peer_of(GUEST), Player(GUEST, right).ledger, limits=LIMITS)
    ann = Player(HOST, left, think)

    async def deliver(event: Told) -> None:
        raise KeyError("a bug in the front end")

    async def run() -> None:
        with pytest.raises(KeyError, match="a bug in the front end"):
            await link.run(deliver)

    with trio.fail_after(500):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ann.run)
            nursery.start_soon(run)
    assert isinstance(ann.error, ChannelError)


async def test_a_cancelled_link_closes_its_connection_and_leaves_no_task(autojump_clock: MockClock) -> None:
    left, right = memory_pair()
    ann, bob = Player(HOST, left, think), Player(GUEST, right, think)
    with trio.fail_after(500):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(bob.run)
            with trio.move_on_after(0.2) as scope:
                await ann.run()
        assert scope.cancelled_caught
    assert ann.connection.closed.is_set()
    assert isinstance(bob.error, ChannelError)


async def test_a_front_end_that_thinks_does_not_stop_the_heartbeat(autojump_clock: MockClock) -> None:
    left, right = memory_pair()
    ann, bob = Player(HOST, left, think), Player(GUEST, right, think)

    async def thinks(event: Told) -> None:
        await ann.deliver(event)
        if isinstance(event, Met):
            await trio.sleep(2 * LIMITS.silence)
            await ann.link.leave()

    with trio.fail_after(500):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ann.run, thinks)
            nursery.start_soon(bob.run)
    assert ann.error is None
    assert str(bob.error) == "ann left"
