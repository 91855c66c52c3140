"""The link: what is said is on record first, what is refused is never used, and every end is said in one line."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from p2p_schotten.engine.move import Claim, Move, Resign
from p2p_schotten.errors import Cause, ChannelError, IllegalMove, Inconsistent, JournalError, Malformed, PeerFault
from p2p_schotten.ids import SEATS, StoneId
from p2p_schotten.net.chats import CHATS_AT_ONCE, CHATS_WAITING
from p2p_schotten.net.frames import Frame, Tag
from p2p_schotten.net.limits import DEFAULT_LIMITS as LIMITS
from p2p_schotten.net.link import OUTBOX, Link
from p2p_schotten.net.told import ChatDropped, Chatted, ClosedAlone, FaultClaimed, Told
from p2p_schotten.protocol.closing import Close, Fault, read_item
from p2p_schotten.protocol.events import Finished, Happened, Met, Offered, Revealed, Sealed, Took, YourTurn
from p2p_schotten.protocol.file import read_file
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind, Value, make_record, read_record
from p2p_schotten.protocol.session import Session
from tests.net.game import (
    Crumbs,
    Hand,
    Player,
    Watched,
    against_hand,
    connection_of,
    my_turn,
    over,
    peer_of,
    play_on,
    play_out,
    resign_after,
    think,
)
from tests.net.sides import ANN, BOB, memory_pair

HOST, GUEST = SEATS


def claims_what_is_not_proven(peer: Peer) -> Move:
    return Claim(StoneId(0))


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


async def test_the_connection_is_settled_when_both_have_committed(autojump_clock: MockClock) -> None:
    async with against_hand(HOST, think) as (ann, bob):
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
            raise Inconsistent("a cell opens to no card")

        ann.peer.receive = no_card  # type: ignore[method-assign]  # cannot be made to happen otherwise
        await bob.send(Frame(Tag.RECORD, b"a record"))
    assert isinstance(ann.error, Inconsistent)
    assert ann.ledger.records[-1] == b"a record"


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


# The other breaks the protocol


async def test_an_edited_record_is_refused_kept_as_evidence_and_answered_with_a_fault(
    autojump_clock: MockClock,
) -> None:
    async with against_hand(HOST, think) as (ann, bob):
        await bob.go_on(lambda peer: len(peer.session.commits) >= 1)
        (commit,) = bob.peer.frames()
        edited = commit[:40] + bytes([commit[40] ^ 1]) + commit[41:]
        await trio.testing.wait_all_tasks_blocked()
        before, session = list(ann.ledger.records), ann.peer.session
        await bob.send(Frame(Tag.RECORD, edited))
        answer = await bob.next()
        assert await bob.next() is None
    assert isinstance(ann.error, PeerFault)
    assert ann.error.seq == 3
    assert ann.peer.session == session
    assert ann.ledger.records == before
    assert len(ann.ledger.kept) == 1
    assert read_file(ann.ledger.kept[0]).items == (*before, edited)
    assert ann.link.evidence == Path("evidence")
    assert answer is not None
    assert answer.tag is Tag.FAULT
    fault = read_item(answer.payload)
    assert isinstance(fault, Fault)
    assert (fault.seq, fault.cause) == (ann.error.seq, ann.error.cause.value)


async def test_the_side_that_is_accused_says_what_the_other_claims(autojump_clock: MockClock) -> None:
    class Liar(Peer):
        def frames(self) -> list[bytes]:
            return [
                record[:-1] + bytes([record[-1] ^ 1]) if len(record) < 300 else record for record in super().frames()
            ]

    left, right = memory_pair()
    liar = Liar(GUEST, BOB, "bob", None, bytes, other_identity=ANN.public)
    ann, bob = Player(HOST, left, think), Player(GUEST, right, think, peer=liar)
    await play_out(ann, bob)
    assert isinstance(ann.error, PeerFault)
    assert ann.error.cause is Cause.SIGNATURE
    assert isinstance(bob.error, FaultClaimed)
    assert str(bob.error) == f"ann refuses record {ann.error.seq} of this side: signature"


async def test_what_a_fault_claims_cannot_steer_the_terminal(autojump_clock: MockClock) -> None:
    async with against_hand(GUEST, think) as (bob, ann):
        await ann.deal()
        await ann.send(Frame(Tag.FAULT, Fault(HOST, 7, "\x1b[2J\u202egone", bytes(32), b"").pack()))
    assert isinstance(bob.error, FaultClaimed)
    assert str(bob.error) == "ann refuses record 7 of this side: \ufffd[2J\ufffdgone"


@pytest.mark.parametrize(
    ("sent", "cause", "why"),
    [
        (bytes([Tag.RECORD]) + b"\xff\xff\xff\xff", Cause.LENGTH, "4294967295 are announced"),
        (bytes([Tag.CHAT]) + (2001).to_bytes(4, "big"), Cause.LENGTH, "at most 2000 bytes, 2001 are announced"),
        (bytes([Tag.PING]) + (1).to_bytes(4, "big"), Cause.LENGTH, "PING: expected at most 0 bytes"),
        (bytes([Tag.FAULT]) + (513).to_bytes(4, "big"), Cause.LENGTH, "FAULT: expected at most 512 bytes"),
        (bytes([Tag.CLOSE]) + (513).to_bytes(4, "big"), Cause.LENGTH, "CLOSE: expected at most 512 bytes"),
        (b"GET / HTTP/1.1\r\n\r\n", Cause.BYTES, "got tag 71"),
        (bytes(5), Cause.BYTES, "got tag 0"),
        (Frame(Tag.CHAT, b"\xff").encode(), Cause.BYTES, "not UTF-8"),
        (Frame(Tag.CHAT, b"\x1b[2J").encode(), Cause.BYTES, r"U\+001B"),
        (Frame(Tag.CHAT, b"x" * 501).encode(), Cause.BYTES, "1 to 500 characters"),
        (Frame(Tag.CHAT).encode(), Cause.BYTES, "1 to 500 characters"),
        (Frame(Tag.FAULT, b"\x00").encode(), Cause.BYTES, "expected a FAULT"),
        (Frame(Tag.FAULT, b"\xc1").encode(), Cause.BYTES, "msgpack"),
        (Frame(Tag.RESUME).encode(), Cause.BYTES, "not spoken here yet"),
        (Frame(Tag.RECORD, b"\xc0").encode(), Cause.BYTES, "NoneType"),
    ],
)
async def test_bytes_that_may_not_come_are_refused_and_nothing_changes(
    autojump_clock: MockClock, sent: bytes, cause: Cause, why: str
) -> None:
    async with against_hand(HOST, think) as (ann, bob):
        await bob.deal()
        before, session = list(ann.ledger.records), ann.peer.session
        await bob.stream.send_all(sent)
        frames = []
        while (frame := await bob.next()) is not None:
            frames.append(frame)
        await trio.aclose_forcefully(bob.stream)
    assert isinstance(ann.error, PeerFault)
    assert ann.error.cause is cause
    assert ann.error.blame is None
    with pytest.raises(PeerFault, match=why):
        raise ann.error
    assert [frame.tag for frame in frames] == [Tag.FAULT]
    assert ann.peer.session == session
    assert ann.ledger.records == before


async def test_a_record_longer_than_any_that_may_come_now_is_refused_before_it_is_read(
    autojump_clock: MockClock,
) -> None:
    async with against_hand(HOST, think) as (ann, bob):
        await bob.deal()
        limit = ann.peer.limit()
        await bob.stream.send_all(bytes([Tag.RECORD]) + (limit + 1).to_bytes(4, "big"))
        while await bob.next() is not None:
            pass
        await trio.aclose_forcefully(bob.stream)
    assert isinstance(ann.error, PeerFault)
    assert ann.error.cause is Cause.LENGTH


async def test_a_record_out_of_turn_is_a_fault(autojump_clock: MockClock) -> None:
    async with against_hand(HOST, think) as (ann, bob):
        hello = await bob.next()
        assert hello is not None
        await bob.send(Frame(Tag.RECORD, hello.payload))
        while await bob.next() is not None:
            pass
    assert isinstance(ann.error, PeerFault)
    assert ann.peer.session.seq == 1


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
        assert ann.link._outbox.statistics().current_buffer_used <= 1
        while not ann.link._ended:
            with trio.move_on_after(1), suppress(trio.BrokenResourceError):
                await bob.stream.send_all(Frame(Tag.PING).encode() * 1000)
            await trio.sleep(1)
        await trio.aclose_forcefully(right)
    assert str(ann.error) == "the other side does not read what is sent"


# A fault is what the player hears of, whatever comes beside it


def another_move(session: Session) -> Frame:
    """A move of the guest at the next place, under a right signature; not a legal one."""
    body: list[Value] = [b"", [], [5], [], b"", bytes(32)]
    return Frame(Tag.RECORD, make_record(session.seq, session.head, GUEST, Kind.MOVE, body, session.game_id, BOB))


async def test_a_cheat_behind_a_legal_record_is_a_fault_also_for_a_bot_that_answers_the_record(
    autojump_clock: MockClock,
) -> None:
    async with against_hand(HOST, play_on) as (ann, bob):
        await bob.go_on(my_turn)
        while my_turn(bob.peer):
            session = bob.peer.session
            bob.peer.play(play_on(bob.peer))
        frames = [*(Frame(Tag.RECORD, record) for record in bob.peer.frames()), another_move(session)]
        await bob.stream.send_all(b"".join(frame.encode() for frame in frames))
        while await bob.next() is not None:
            pass
        await trio.aclose_forcefully(bob.stream)
    assert isinstance(ann.told[-1], YourTurn), "the bot was asked, and its answer came too late"
    assert isinstance(ann.error, PeerFault)
    assert ann.error.cause is Cause.FORK
    assert bob.heard[-1].tag is Tag.FAULT
    assert len(ann.ledger.kept) == 1
    assert ann.link.evidence == Path("evidence")


async def test_a_cheat_behind_the_offer_is_a_fault_also_for_a_guest_who_accepts_at_once(
    autojump_clock: MockClock,
) -> None:
    async with against_hand(GUEST, think) as (bob, ann):
        ann.peer.start()
        (hello,) = ann.peer.frames()
        await ann.stream.send_all(Frame(Tag.RECORD, hello).encode() * 2)
        while await ann.next() is not None:
            pass
        await trio.aclose_forcefully(ann.stream)
    assert [type(event) for event in bob.told] == [Offered]
    assert isinstance(bob.error, PeerFault)


async def test_a_host_who_offers_and_leaves_is_named(autojump_clock: MockClock) -> None:
    async with against_hand(GUEST, think) as (bob, ann):
        ann.peer.start()
        (hello,) = ann.peer.frames()
        await ann.stream.send_all(Frame(Tag.RECORD, hello).encode() + Frame(Tag.BYE).encode())
    assert [type(event) for event in bob.told] == [Offered]
    assert str(bob.error) == "ann left"


@pytest.mark.parametrize("pings", [1, OUTBOX, OUTBOX + 1, 1000])
async def test_no_number_of_pings_hides_a_fault(autojump_clock: MockClock, pings: int) -> None:
    async with against_hand(HOST, think) as (ann, bob):
        await bob.deal()
        await bob.stream.send_all(Frame(Tag.PING).encode() * pings + Frame(Tag.RECORD, b"\xc0").encode())
        while await bob.next() is not None:
            pass
        await trio.aclose_forcefully(bob.stream)
    assert isinstance(ann.error, PeerFault)
    assert ann.link.evidence == Path("evidence")


async def test_a_full_outbox_does_not_hide_a_fault(autojump_clock: MockClock) -> None:
    left, right = trio.testing.lockstep_stream_pair()  # what is sent waits until it is read
    async with against_hand(HOST, think, pair=(left, right)) as (ann, bob):
        await bob.next()
        with suppress(ChannelError):
            while True:
                await ann.link.chat("do you read me?")
        await bob.stream.send_all(Frame(Tag.PING).encode() + Frame(Tag.RECORD, b"\xc0").encode())
        with trio.move_on_after(2 * LIMITS.write):
            while not ann.link._ended:
                await trio.sleep(1)
        await trio.aclose_forcefully(right)
    assert isinstance(ann.error, PeerFault)


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
