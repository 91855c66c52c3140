"""The link: what is said is on record first, what is refused here is not sent, and talk leaves no trace."""

from __future__ import annotations

from dataclasses import replace

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from p2p_schotten.engine.move import Claim, Resign
from p2p_schotten.errors import ChannelError, IllegalMove, Inconsistent, JournalError, Malformed, PeerFault
from p2p_schotten.ids import StoneId
from p2p_schotten.net.chats import CHATS_AT_ONCE, CHATS_WAITING
from p2p_schotten.net.frames import Frame, Tag
from p2p_schotten.net.limits import DEFAULT_LIMITS as LIMITS
from p2p_schotten.net.told import ChatDropped, Chatted, Told
from p2p_schotten.protocol.events import Finished, Happened, Met, Offered, Revealed, Sealed, Took, YourTurn
from p2p_schotten.protocol.record import read_record
from tests.net.game import (
    GUEST,
    HOST,
    Crumbs,
    Hand,
    Player,
    Watched,
    against_hand,
    my_turn,
    play_on,
    play_out,
    resign_after,
    think,
)
from tests.net.sides import memory_pair

# Whole games


async def test_two_peers_over_memory_cut_into_single_bytes(autojump_clock: MockClock) -> None:
    left, right = memory_pair()
    ann = Player(HOST, Crumbs(left, []), resign_after(2))
    bob = Player(GUEST, Crumbs(right, []), resign_after(2))
    await play_out(ann, bob)
    assert (ann.error, bob.error) == (None, None)
    assert ann.peer.session.finished
    assert bob.peer.session.finished
    assert ann.ledger.records == bob.ledger.records
    assert ann.peer.session.state == bob.peer.session.state


async def test_events_are_told_in_their_order_once_each(autojump_clock: MockClock) -> None:
    left, right = memory_pair()
    ann, bob = Player(HOST, left, resign_after(1)), Player(GUEST, right, resign_after(1))
    await play_out(ann, bob)
    for player in (ann, bob):
        kinds = [type(event) for event in player.told]
        assert kinds.count(Met) == 1
        assert kinds.count(Sealed) == kinds.count(Revealed) == 2
        assert kinds[-1] is Finished
        order = [kinds.index(kind) for kind in (Met, Happened, Took, Sealed, Revealed, Finished)]
        assert order == sorted(order)
    assert isinstance(bob.told[0], Offered)
    assert not any(isinstance(event, Offered) for event in ann.told)


async def test_with_an_invited_guest_the_game_exists_once_the_host_has_committed(autojump_clock: MockClock) -> None:
    async with against_hand(HOST, think) as (ann, bob):
        await bob.go_on(lambda peer: len(peer.session.commits) >= 1)
        await trio.testing.wait_all_tasks_blocked()
        assert ann.connection.settled
        assert ann.link.begun
        await ann.link.leave()


async def test_with_anybody_else_the_game_exists_once_both_have_committed(autojump_clock: MockClock) -> None:
    async with against_hand(HOST, think) as (ann, bob):
        ann.connection.proven = replace(ann.connection.proven, pinned=False)
        await bob.go_on(lambda peer: len(peer.session.commits) >= 1)
        await trio.testing.wait_all_tasks_blocked()
        assert not ann.connection.settled
        assert not ann.link.begun
        await bob.deal()
        assert ann.connection.settled
        assert ann.link.begun
        await ann.link.leave()


# On record first


async def test_every_record_is_in_the_journal_before_its_first_byte_is_sent_and_before_it_is_told(
    autojump_clock: MockClock,
) -> None:
    left, right = memory_pair()
    log: list[tuple[str, bytes]] = []
    ann, bob = Player(HOST, Watched(left, log), resign_after(3)), Player(GUEST, right, resign_after(3))
    ann.ledger.log = log
    behind: list[int] = []

    async def deliver(event: Told) -> None:
        if isinstance(event, Happened):
            behind.append(len(ann.ledger.records))
            assert ann.peer.session.seq == len(ann.ledger.records)
        await ann.deliver(event)

    with trio.fail_after(500):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ann.run, deliver)
            nursery.start_soon(bob.run)
    assert ann.error is None
    assert behind
    sent = 0
    for place, (what, data) in enumerate(log):
        if what == "send" and data[0] == Tag.RECORD:
            sent += 1
            assert ("journal", data[5:]) in log[:place]
    assert sent == sum(read_record(record).seat == HOST for record in ann.ledger.records)


async def test_the_seed_is_stored_before_the_commit_is_on_record(autojump_clock: MockClock) -> None:
    left, right = memory_pair()
    ann, bob = Player(HOST, left, resign_after(0)), Player(GUEST, right, resign_after(0))
    at: list[int] = []
    begin = ann.ledger.begin

    def spy(game_id: bytes, seed: bytes) -> None:
        at.append(len(ann.ledger.records))
        assert game_id == ann.peer.game_id
        assert seed == ann.peer.secret_seed
        begin(game_id, seed)

    ann.ledger.begin = spy  # type: ignore[method-assign]  # a spy
    await play_out(ann, bob)
    assert at == [1], "after my HELLO, before the other's and my COMMIT"


async def test_a_disk_that_is_full_at_my_move_stops_the_game_and_the_move_is_not_sent(
    autojump_clock: MockClock,
) -> None:
    async with against_hand(HOST, think) as (ann, bob):
        await bob.deal()
        while not my_turn(ann.peer):
            await bob.go_on(lambda peer: not my_turn(peer))
            await bob.deal()
        on_record, before = list(ann.ledger.records), len(bob.heard)
        ann.ledger.fails_at = len(on_record)
        with pytest.raises(JournalError, match="disk full"):
            await ann.link.play(play_on(ann.peer))
        while await bob.next() is not None:
            pass
    assert isinstance(ann.error, JournalError)
    assert ann.ledger.records == on_record
    assert [frame for frame in bob.heard[before:] if frame.tag is Tag.RECORD] == []


async def test_a_disk_that_is_full_at_the_others_move_stops_the_game_before_the_move_is_told(
    autojump_clock: MockClock,
) -> None:
    async with against_hand(HOST, play_on) as (ann, bob):
        await bob.go_on(my_turn)
        await bob.speak()
        await trio.testing.wait_all_tasks_blocked()
        on_record, told = list(ann.ledger.records), list(ann.told)
        ann.ledger.fails_at = len(on_record)
        bob.peer.play(play_on(bob.peer))
        await bob.speak()
        while await bob.next() is not None:
            pass
    assert isinstance(ann.error, JournalError)
    assert ann.ledger.records == on_record
    assert ann.told == told


@pytest.mark.parametrize("fails_at", range(8))
async def test_a_disk_that_is_full_at_any_record_of_the_set_up_stops_the_game(
    autojump_clock: MockClock, fails_at: int
) -> None:
    left, right = memory_pair()
    log: list[tuple[str, bytes]] = []
    ann, bob = Player(HOST, Watched(left, log), think), Player(GUEST, right, think)
    ann.ledger.fails_at = fails_at
    await play_out(ann, bob)
    assert isinstance(ann.error, JournalError)
    assert isinstance(bob.error, ChannelError)
    assert len(ann.ledger.records) == fails_at
    sent = [data[5:] for what, data in log if what == "send" and data[0] == Tag.RECORD]
    assert set(sent) <= set(ann.ledger.records)


async def test_a_journal_error_that_the_caller_swallows_ends_the_link_all_the_same(autojump_clock: MockClock) -> None:
    async with against_hand(HOST, think) as (ann, bob):
        await bob.deal()
        while not my_turn(ann.peer):
            await bob.go_on(lambda peer: not my_turn(peer))
            await bob.deal()
        ann.ledger.fails_at = 0
        start = trio.current_time()
        for move in (play_on(ann.peer), Resign()):
            with pytest.raises(JournalError):
                await ann.link.play(move)
        while await bob.next() is not None:
            pass
        assert trio.current_time() - start < LIMITS.ping
    assert isinstance(ann.error, JournalError)


async def test_a_cell_that_opens_to_no_card_stops_the_game_and_keeps_the_record(autojump_clock: MockClock) -> None:
    async with against_hand(HOST, think) as (ann, bob):
        await bob.deal()

        def no_card(data: bytes) -> tuple[()]:
            ann.peer.records.append(data)
            raise Inconsistent("a cell opens to no card")

        record, count = ann.peer.records[2], len(ann.peer.records)
        ann.peer.receive = no_card  # type: ignore[method-assign]  # cannot be made to happen otherwise
        await bob.send(Frame(Tag.RECORD, record))
    assert isinstance(ann.error, Inconsistent)
    assert ann.ledger.records[count:] == [record]


async def test_an_illegal_move_is_refused_here_and_the_game_goes_on(autojump_clock: MockClock) -> None:
    left, right = memory_pair()
    log: list[tuple[str, bytes]] = []
    refused: list[str] = []
    ann, bob = Player(HOST, Watched(left, log), resign_after(2)), Player(GUEST, right, resign_after(2))

    async def deliver(event: Told) -> None:
        if isinstance(event, YourTurn):
            before = (len(log), len(ann.ledger.records))
            with pytest.raises(IllegalMove) as error:
                await ann.link.play(Claim(StoneId(0)))
            refused.append(error.value.reason)
            assert [entry for entry in log[before[0] :] if entry[1][0] == Tag.RECORD] == []
            assert len(ann.ledger.records) == before[1]
        await ann.deliver(event)

    with trio.fail_after(500):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ann.run, deliver)
            nursery.start_soon(bob.run)
    assert refused
    assert (ann.error, bob.error) == (None, None)
    assert ann.peer.session.finished


# Talk


async def test_chat_goes_both_ways_and_leaves_no_trace_in_the_journal(autojump_clock: MockClock) -> None:
    async with against_hand(HOST, think) as (ann, bob):
        await bob.deal()
        before = list(ann.ledger.records)
        await ann.link.chat("guten Tag, Grüße 🐑")
        frame = await bob.next()
        assert frame == Frame(Tag.CHAT, "guten Tag, Grüße 🐑".encode())
        await bob.send(Frame(Tag.CHAT, b"hello"))
        await trio.testing.wait_all_tasks_blocked()
        assert ann.told[-1] == Chatted("hello")
        assert ann.ledger.records[: len(before)] == before
        assert not any(b"hello" in record for record in ann.ledger.records)
        for bad in ("", "x" * 501, "\x1b[2J"):
            with pytest.raises(Malformed):
                await ann.link.chat(bad)
        await ann.link.leave()


async def test_of_a_flood_of_chat_a_conversation_is_told(autojump_clock: MockClock) -> None:
    async with against_hand(HOST, think) as (ann, bob):
        await bob.next()
        start = trio.current_time()
        await bob.send(*(Frame(Tag.CHAT, b"again") for _ in range(500)))
        await trio.testing.wait_all_tasks_blocked()
        assert ann.told == [*[Chatted("again")] * CHATS_AT_ONCE, ChatDropped()]
        await trio.sleep(5.5)
        await bob.send(*(Frame(Tag.CHAT, b"later") for _ in range(500)))
        await trio.testing.wait_all_tasks_blocked()
        assert trio.current_time() - start < 6
        assert ann.told[CHATS_AT_ONCE + 1 :] == [Chatted("later")] * 5, "one a second, and that some are dropped once"
        await bob.send(Frame(Tag.CHAT, b"\xff"))
    assert isinstance(ann.error, PeerFault), "what is dropped is checked too"


async def test_a_flood_of_chat_does_not_fill_the_memory_of_a_player_who_thinks(autojump_clock: MockClock) -> None:
    left, right = memory_pair()
    ann, bob = Player(HOST, left), Hand(GUEST, right)
    heard: list[Told] = []
    thinking = trio.Event()

    async def deliver(event: Told) -> None:
        heard.append(event)
        await thinking.wait()

    with trio.fail_after(500):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ann.run, deliver)
            await bob.next()
            for _ in range(200):
                await bob.send(*(Frame(Tag.CHAT, b"again") for _ in range(3)))
                await trio.sleep(1)
            thinking.set()
            await trio.testing.wait_all_tasks_blocked()
            assert heard.count(Chatted("again")) == CHATS_WAITING + 1  # one was being told
            assert heard.count(ChatDropped()) == 1
            await ann.link.leave()
            await trio.aclose_forcefully(right)
