"""What is said of a win by absence travels beside the records, in order, and never more of it than is needed."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from p2p_schotten.errors import Cause, PeerFault
from p2p_schotten.net.absents import MOST_ABSENTS
from p2p_schotten.net.frames import Frame, Tag
from p2p_schotten.net.told import AbsenceSaid
from p2p_schotten.protocol.absent import Absent, Word
from p2p_schotten.protocol.record import head_of
from tests.net.game import HOST, against_hand, think

CLAIM = Absent(Word.CLAIM, 9, b"\1" * 32, 66)


async def test_a_claim_and_its_answer_travel_and_change_no_record(autojump_clock: MockClock) -> None:
    async with against_hand(HOST, think) as (ann, bob):
        await bob.deal()
        before, session = list(ann.ledger.records), ann.peer.session
        await bob.send(Frame(Tag.ABSENT, CLAIM.pack()))
        await trio.testing.wait_all_tasks_blocked()
        assert ann.told[-1] == AbsenceSaid(CLAIM, len(before))
        answer = Absent(Word.SHORT, 9, b"\1" * 32, 12)
        await ann.link.absent(answer)
        assert await bob.next() == Frame(Tag.ABSENT, answer.pack())
        await ann.link.leave()
        await bob.send(Frame(Tag.BYE))
    assert ann.error is None
    assert (ann.ledger.records, ann.peer.session) == (before, session)


async def test_who_says_it_again_and_again_is_a_fault_without_blame(autojump_clock: MockClock) -> None:
    async with against_hand(HOST, think) as (ann, bob):
        await bob.deal()
        session = ann.peer.session
        await bob.send(*[Frame(Tag.ABSENT, CLAIM.pack())] * (MOST_ABSENTS + 1))
        while await bob.next() is not None:
            pass
        await trio.aclose_forcefully(bob.stream)
    assert isinstance(ann.error, PeerFault)
    assert (ann.error.cause, ann.error.blame) == (Cause.BYTES, None)
    assert "expected at most 4 between two records" in ann.error.detail
    assert ann.told.count(AbsenceSaid(CLAIM, len(ann.peer.records))) == MOST_ABSENTS
    assert ann.peer.session == session


async def test_a_claim_before_both_have_committed_is_a_fault_without_blame_and_told_to_nobody(
    autojump_clock: MockClock,
) -> None:
    async with against_hand(HOST, think) as (ann, bob):
        hello = await bob.next()
        assert hello is not None
        early = Absent(Word.CLAIM, 1, head_of(hello.payload), 3600)
        await bob.send(Frame(Tag.ABSENT, early.pack()))
        while await bob.next() is not None:
            pass
        await trio.aclose_forcefully(bob.stream)
    assert isinstance(ann.error, PeerFault)
    assert (ann.error.cause, ann.error.blame) == (Cause.BYTES, None)
    assert "expected none before both have committed" in ann.error.detail
    assert ann.told == []


@pytest.mark.parametrize(
    ("payload", "cause", "why"),
    [
        (b"", Cause.BYTES, "expected 41 bytes, got 0"),
        (CLAIM.pack()[:-1], Cause.BYTES, "expected 41 bytes, got 40"),
        (CLAIM.pack() + b"\0", Cause.LENGTH, "ABSENT: expected at most 41 bytes, 42 are announced"),
        (b"\10" + CLAIM.pack()[1:], Cause.BYTES, "expected a word from 0 to 7, got 8"),
    ],
)
async def test_other_bytes_are_a_fault_without_blame(
    autojump_clock: MockClock, payload: bytes, cause: Cause, why: str
) -> None:
    async with against_hand(HOST, think) as (ann, bob):
        await bob.deal()
        session = ann.peer.session
        await bob.send(Frame(Tag.ABSENT, payload))
        while await bob.next() is not None:
            pass
        await trio.aclose_forcefully(bob.stream)
    assert isinstance(ann.error, PeerFault)
    assert (ann.error.cause, ann.error.blame) == (cause, None)
    assert why in ann.error.detail
    assert not any(isinstance(event, AbsenceSaid) for event in ann.told)
    assert ann.peer.session == session
