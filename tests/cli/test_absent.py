"""Two seats, their clocks and a win by absence: who may record one, when the other agrees, and what both say if not.

The time is moved by hand, and what one says to the other arrives when the two are connected.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from p2p_schotten.cli.absent import ANSWER
from p2p_schotten.engine.move import Resign
from p2p_schotten.ids import SEATS, Seat
from p2p_schotten.protocol.absent import Absent, Word
from p2p_schotten.ui.notice import Recorded
from tests.cli.absent_table import ANN, BOB, Table, table

__all__ = ["table"]


async def test_who_thinks_too_long_agrees_and_both_record_the_same(table: Table) -> None:
    ann, bob = table.sides
    table.wait(65.5)
    await ann.absences.record()
    position = (len(ann.peer.records), ann.peer.session.head)
    for side in (ann, bob):
        file = side.file
        assert file is not None
        assert (file.game, file.by, file.seconds, file.answer) == (ann.peer.session.game_id, ANN, 65, Word.AGREED)
        assert (file.seq, file.head) == position
    assert ann.recorded == [Recorded(ANN, position[0], None), Recorded(ANN, position[0], True)]
    assert bob.recorded == [Recorded(ANN, position[0], True)]
    assert ann.why_left == "your win by absence is recorded"
    assert bob.why_left == "ann's win by your absence is recorded"
    assert [said.word for said in ann.said + bob.said] == [Word.CLAIM, Word.AGREED]
    assert ann.refused == bob.refused == []


async def test_a_win_to_which_the_other_agreed_is_not_recorded_again_without_his_word(table: Table) -> None:
    ann, _bob = table.sides
    table.wait(65.5)
    await ann.absences.record()
    agreed = ann.file
    ann = table.start_anew(ANN)
    table.cut()
    table.wait(65.5)
    await ann.absences.record()
    assert ann.refused == ["A win by absence is recorded already, and the other side agrees."]
    assert ann.file == agreed


@pytest.mark.parametrize(
    ("waited", "seconds", "why"),
    [
        (BOB, 60.0, "bob has 6 s left."),
        (BOB, 64.5, "bob has 1 s left."),
        (ANN, 600.0, "It is your own turn."),
    ],
)
async def test_before_the_time_is_up_nothing_is_recorded(
    tmp_path: Path, waited: Seat, seconds: float, why: str
) -> None:
    table = Table(tmp_path, waited=waited)
    ann, bob = table.sides
    table.wait(seconds)
    await ann.absences.record()
    assert ann.refused == [why]
    assert (ann.file, bob.file, ann.said, ann.recorded, ann.why_left) == (None, None, [], [], "")


async def test_without_a_clock_nothing_is_recorded_and_no_claim_is_agreed_to(tmp_path: Path) -> None:
    table = Table(tmp_path, clock=None)
    ann, bob = table.sides
    table.wait(3600.0)
    await ann.absences.record()
    assert ann.refused == ["You agreed on no clock: you can wait, or adjourn."]
    await ann.absent(Absent(Word.CLAIM, len(ann.peer.records), ann.peer.session.head, 3600))
    assert (bob.said[0].word, bob.file, bob.why_left) == (Word.NO_CLOCK, None, "")


async def test_a_claim_that_comes_too_early_is_not_agreed_to(table: Table) -> None:
    """By a program that takes the time for up when it is not; both know why they differ."""
    ann, bob = table.sides
    table.wait(12.0)
    await ann.absent(Absent(Word.CLAIM, len(ann.peer.records), ann.peer.session.head, 70))
    assert bob.said == [Absent(Word.SHORT, len(ann.peer.records), ann.peer.session.head, 12)]
    assert bob.recorded == [Recorded(ANN, len(ann.peer.records), False, "your side measured 12 s")]
    assert (bob.file, bob.why_left) == (None, "")


async def test_a_cut_is_no_absence_for_who_was_there(table: Table) -> None:
    """Nobody wins by pulling the cable: bob's program was there all the time, and he had taken 5 s."""
    ann, bob = table.sides
    table.wait(5.0)
    table.cut()
    table.wait(70.0)
    await ann.absences.record()
    assert ann.file is not None
    assert (ann.file.answer, ann.why_left) == (Word.CLAIM, "your win by absence is recorded")
    assert bob.told == []
    again = table.start_anew(ANN)
    await table.join()
    assert again.file is not None
    assert (again.file.answer, bob.file) == (Word.SHORT, None)
    assert again.recorded == [Recorded(ANN, len(ann.peer.records), False, "the side of bob measured 5 s")]
    assert bob.recorded == [Recorded(ANN, len(ann.peer.records), False, "your side measured 5 s")]
    assert (again.why_left, bob.why_left) == ("", "")  # the game goes on


async def test_who_slept_agrees_when_he_wakes(table: Table) -> None:
    ann, bob = table.sides
    table.wait(5.0)
    table.connected = False
    ann.absences.clock.cut()
    table.wait(70.0, sleeping=BOB)
    await ann.absences.record()
    bob.absences.clock.cut()  # he notices when he wakes
    table.start_anew(ANN)
    await table.join()
    assert [side.file.answer for side in table.sides if side.file] == [Word.AGREED, Word.AGREED]
    assert all(side.why_left for side in table.sides)


async def test_who_moves_late_while_nobody_hears_him_was_late_all_the_same(
    autojump_clock: MockClock, table: Table
) -> None:
    ann, bob = table.sides
    table.wait(70.0)
    table.hears = False
    with trio.move_on_after(ANSWER * 2):
        await ann.absences.record()
    position = len(ann.peer.records)
    table.hears = True
    table.move()
    assert len(ann.peer.records) > position
    await bob.hears(ann.said[0])
    assert bob.recorded[-1] == Recorded(ANN, position, True)
    assert ann.file is not None
    assert (ann.file.seq, ann.file.answer) == (position, Word.AGREED)


async def test_two_that_recorded_a_win_each_differ_and_both_know_why(table: Table) -> None:
    table.cut()
    table.wait(70.0)
    for side in table.sides:
        await side.absences.record()
    assert [side.file.by for side in table.sides if side.file] == [ANN, BOB]
    for seat in SEATS:
        table.start_anew(seat)
    await table.join()
    for side in table.sides:
        assert side.file is not None
        assert (side.file.by, side.file.answer) == (side.seat, Word.BOTH)
        assert all(notice.why == "each has recorded a win of its own" for notice in side.recorded)
        assert side.recorded
        assert side.why_left == ""


async def test_a_program_that_was_started_anew_agrees_to_nothing_of_before(table: Table) -> None:
    table.cut()
    table.wait(70.0)
    await table.sides[ANN].absences.record()
    ann, bob = table.start_anew(ANN), table.start_anew(BOB)
    await table.join()
    assert ann.file is not None
    assert (ann.file.answer, bob.file) == (Word.UNKNOWN, None)
    assert ann.recorded[-1].why == "the side of bob measured nothing there, its program was started anew"
    assert bob.recorded[-1].why == "your side measured nothing there, its program was started anew"


async def test_what_was_admitted_once_is_said_again_to_who_did_not_hear_it(
    autojump_clock: MockClock, table: Table
) -> None:
    ann, bob = table.sides
    table.wait(70.0)
    table.hears = False
    with trio.move_on_after(ANSWER * 2):
        await ann.absences.record()
    await bob.hears(ann.said[0])  # the answer is lost
    assert ann.file is not None
    assert ann.file.answer is Word.CLAIM
    table.hears = True
    ann, bob = table.start_anew(ANN), table.start_anew(BOB)
    await table.join()
    assert [side.file.answer for side in (ann, bob) if side.file] == [Word.AGREED, Word.AGREED]
    assert (ann.why_left, bob.why_left) == (
        "your win by absence is recorded",
        "ann's win by your absence is recorded",
    )


async def test_what_the_other_did_not_agree_to_is_not_recorded_twice_at_one_position(table: Table) -> None:
    ann, _bob = table.sides
    table.cut()
    table.wait(70.0)
    await ann.absences.record()
    ann = table.start_anew(ANN)
    await table.join()
    table.cut()
    table.wait(70.0)
    await ann.absences.record()
    assert ann.refused == ["You have recorded that already, and the other side differs. You can wait, or adjourn."]
    assert len(ann.said) == 1
    await table.join()
    table.move()
    table.cut()
    table.wait(70.0)
    await ann.absences.record()
    assert ann.file is not None
    assert ann.file.seq == len(ann.peer.records)


async def test_a_win_that_was_not_claimed_before_the_next_move_is_not_claimed_afterwards(table: Table) -> None:
    """Bob was late by a second, which ann could not record. She went on, is losing now, and remembers it."""
    ann, bob = table.sides
    late = (len(ann.peer.records), ann.peer.session.head)
    table.wait(61.0)
    for _ in range(4):  # bob, ann, bob, ann
        table.move()
        table.wait(2.0)
    await bob.hears(Absent(Word.CLAIM, *late, 66))
    assert bob.said == [Absent(Word.MOVED, *late, 61)]
    assert bob.recorded == [Recorded(ANN, late[0], False, "to your side the game had gone on before it was claimed")]
    assert (bob.file, bob.why_left) == (None, "")


async def test_a_claim_counts_though_the_next_move_comes_before_it_is_read(table: Table) -> None:
    ann, bob = table.sides
    late = (len(ann.peer.records), ann.peer.session.head)
    table.wait(70.0)
    table.move()
    came = len(bob.peer.records)
    table.move()
    assert bob.peer.choices()
    await bob.absences.heard(Absent(Word.CLAIM, *late, 70), came)
    assert bob.said == [Absent(Word.AGREED, *late, 70)]


async def test_who_has_agreed_to_a_win_takes_it_neither_back_nor_for_himself(table: Table) -> None:
    """Neither by a claim of his own at that position nor by one at an earlier, where ann was late."""
    table = Table(table.folder, waited=ANN)
    ann, bob = table.sides
    late = (len(ann.peer.records), ann.peer.session.head)
    table.wait(61.0)
    table.move()
    table.wait(70.0)
    await ann.absences.record()
    agreed = ann.file
    assert agreed is not None
    assert (agreed.by, agreed.answer) == (ANN, Word.AGREED)
    for seq, head in (late, (agreed.seq, agreed.head)):
        await ann.hears(Absent(Word.CLAIM, seq, head, 3600))
        assert (ann.said[-1].word, ann.said[-1].seq) == (Word.BOTH, seq)
        assert ann.file == agreed
    again = table.start_anew(ANN)
    await again.absences.joined()
    assert (again.why_left, again.file) == ("your win by absence is recorded", agreed)
    assert bob.file is not None
    assert (bob.file.by, bob.file.answer) == (ANN, Word.AGREED)


async def test_who_moves_at_the_last_moment_and_says_nothing_ends_no_sitting(
    autojump_clock: MockClock, table: Table
) -> None:
    """His move crosses the claim, and he does not answer: he is there, so the other need not leave."""
    ann, _bob = table.sides
    table.wait(65.5)
    table.hears = False
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ann.absences.record)
        await trio.testing.wait_all_tasks_blocked()
        table.move()
    assert ann.file is not None
    assert ann.file.answer is Word.CLAIM
    assert not ann.file.stands(ann.peer.records)
    assert ann.why_left == ""


async def test_a_claim_for_records_that_are_not_here_is_unknown(table: Table) -> None:
    ann, bob = table.sides
    table.wait(3600.0)
    count, head = len(bob.peer.records), bob.peer.session.head
    for claim in (
        Absent(Word.CLAIM, count + 1, head, 3600),
        Absent(Word.CLAIM, count - 1, head, 3600),
        Absent(Word.CLAIM, count, b"\1" * 32, 3600),
    ):
        await ann.absent(claim)
        assert bob.said[-1].word is Word.UNKNOWN
    assert (bob.file, bob.why_left) == (None, "")


async def test_an_answer_that_nobody_asked_for_changes_nothing(table: Table) -> None:
    ann, _bob = table.sides
    here = (len(ann.peer.records), ann.peer.session.head)
    await ann.hears(Absent(Word.AGREED, *here, 70))
    assert (ann.file, ann.told, ann.why_left) == (None, [], "")
    await ann.hears(Absent(Word.SHORT, *here, 70))
    assert (ann.file, ann.told) == (None, [])


async def test_after_the_end_there_is_no_absence(tmp_path: Path) -> None:
    table = Table(tmp_path)
    ann, bob = table.sides
    here = (len(ann.peer.records), ann.peer.session.head)
    table.wait(70.0)
    table.move(Resign())
    assert ann.peer.session.outcome is not None
    await ann.absences.record()
    assert ann.refused == ["There is no game under way."]
    await ann.absent(Absent(Word.CLAIM, *here, 70))
    assert bob.said[0].word is Word.OVER
    assert (ann.file, bob.file) == (None, None)
