"""What the other side may not send is refused, kept as evidence and heard of, whatever comes beside it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from p2p_schotten.errors import Cause, ChannelError, PeerFault
from p2p_schotten.net.frames import Frame, Tag
from p2p_schotten.net.limits import DEFAULT_LIMITS as LIMITS
from p2p_schotten.net.outbox import OUTBOX
from p2p_schotten.net.told import FaultClaimed
from p2p_schotten.protocol.closing import Fault, read_item
from p2p_schotten.protocol.events import Offered, YourTurn
from p2p_schotten.protocol.file import read_file
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind, Value, make_record
from p2p_schotten.protocol.session import Session
from tests.attacks import report_fault
from tests.net.game import GUEST, HOST, Player, against_hand, my_turn, play_on, play_out, think
from tests.net.sides import ANN, BOB, memory_pair

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
        (Frame(Tag.RESUME).encode(), Cause.BYTES, "a RESUME came where it cannot be"),
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
        await bob.go_on(lambda peer: len(peer.session.commits) >= 1)
        limit = ann.peer.limit()
        await bob.stream.send_all(bytes([Tag.RECORD]) + (limit + 1).to_bytes(4, "big"))
        while await bob.next() is not None:
            pass
        await trio.aclose_forcefully(bob.stream)
    assert isinstance(ann.error, PeerFault)
    assert ann.error.cause is Cause.LENGTH
    report_fault(ann.peer.session, b"", ann.error)


async def test_a_record_out_of_turn_is_a_fault(autojump_clock: MockClock) -> None:
    async with against_hand(HOST, think) as (ann, bob):
        hello = await bob.next()
        assert hello is not None
        await bob.send(Frame(Tag.RECORD, hello.payload))
        while await bob.next() is not None:
            pass
    assert isinstance(ann.error, PeerFault)
    assert ann.peer.session.seq == 1


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
