"""Two seats, their clocks and a win by absence: who may record one, when the other agrees, and what both say if not.

The time is moved by hand, and what one says to the other arrives when the two are connected.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from p2p_schotten.absence import Absence, absence_path, read_absence, write_absence
from p2p_schotten.bots import make_bot
from p2p_schotten.cli.absent import ANSWER, Absences
from p2p_schotten.cli.player import Player
from p2p_schotten.engine.move import Move, Resign
from p2p_schotten.errors import ChannelError, JournalError
from p2p_schotten.ids import SEATS, Seat, other
from p2p_schotten.protocol.absent import Absent, Word
from p2p_schotten.protocol.messages import Options
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.ui.json_front import JsonFront
from p2p_schotten.ui.notice import Happening, Recorded, TimeUp
from tests.protocol.courses import new_pair
from tests.protocol.pair import Pair

ANN, BOB = SEATS
NAMES = ("ann", "bob")


class Side:
    """One seat as `Absences` sees it. `said` is what it sent; `why_left` is empty while it sits there."""

    def __init__(self, table: Table, seat: Seat, *, bot: bool = False, resumed: bool = False) -> None:
        self.table, self.seat, self.resumed = table, seat, resumed
        self.peer: Peer = table.pair.peers[seat]
        self.path: Path | None = table.folder / f"{seat}.schotten"
        self.out = io.StringIO()
        self.player = Player(JsonFront(self.out), make_bot("greedy", 1) if bot else None)
        self.told: list[Happening] = []
        self.said: list[Absent] = []
        self.why_left, self.lines = "", 0
        self.absences = Absences(self, now=lambda: table.time)
        if not resumed:
            self.absences.clock.kept(self.peer.session)

    @property
    def link(self) -> Side:
        return self

    async def absent(self, said: Absent) -> None:
        if not self.table.connected:
            raise ChannelError("gone")
        self.said.append(said)
        if self.table.hears:
            await self.table.sides[other(self.seat)].hears(said)

    async def hears(self, said: Absent) -> None:
        await self.absences.heard(said, len(self.peer.records))

    def name(self) -> str:
        return NAMES[other(self.seat)]

    def tell(self, happening: Happening) -> None:
        self.told.append(happening)

    def ask_line(self) -> None:
        self.lines += 1

    async def leave(self, why: str) -> None:
        self.why_left = why

    @property
    def file(self) -> Absence | None:
        assert self.path is not None
        return read_absence(absence_path(self.path))

    @property
    def recorded(self) -> list[Recorded]:
        return [notice for notice in self.told if isinstance(notice, Recorded)]

    @property
    def refused(self) -> list[str]:
        return [json.loads(line)["why"] for line in self.out.getvalue().splitlines()]


@cache
def dealt(waited: Seat, clock: int | None) -> Pair:
    """The cards are dealt, and the first move is awaited."""
    pair = new_pair(7, Peer, options=Options(waited, "", clock))
    return pair.until(lambda pair: pair.session.state is not None and not pair.queue)


class Table:
    """A game that stands in the first turn of `waited`, with a clock of 60 s, and both sides of it."""

    def __init__(self, folder: Path, *, clock: int | None = 60, waited: Seat = BOB, bots: bool = False) -> None:
        self.folder = folder
        self.time = 1000.0
        self.connected = True
        self.hears = True  # what is said arrives
        self.pair = dealt(waited, clock).fork()
        self.sides = [Side(self, seat, bot=bots) for seat in SEATS]

    def wait(self, seconds: float, *, sleeping: Seat | None = None) -> None:
        """Both programs look at the clock meanwhile, but for one that does not run."""
        end = self.time + seconds
        while self.time < end:
            self.time = min(self.time + 2.0, end)
            for side in self.sides:
                if side.seat != sleeping:
                    side.absences.clock.tick()

    def cut(self) -> None:
        self.connected = False
        for side in self.sides:
            side.absences.clock.cut()

    async def join(self) -> None:
        """Connected again, seat 0 a moment before seat 1."""
        self.connected = True
        for side in self.sides:
            await side.absences.joined()

    def start_anew(self, seat: Seat) -> Side:
        """The program of that seat was ended, and started again."""
        self.sides[seat] = Side(self, seat, resumed=True)
        return self.sides[seat]

    def move(self, move: Move | None = None) -> None:
        """Whoever is to move does that, or the first thing that he may, and both have what comes of it."""
        peer = next(peer for peer in self.pair.peers if peer.choices())
        peer.play(move or peer.choices()[0])
        for mine, theirs in (self.pair.peers, self.pair.peers[::-1]) * 4:
            for record in mine.frames():
                theirs.receive(record)
        for side in self.sides:
            side.absences.clock.kept(side.peer.session)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


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


async def test_a_disk_that_refuses_is_said_and_nothing_is_claimed(table: Table) -> None:
    ann, bob = table.sides
    table.wait(70.0)
    ann.path = table.folder / "file" / "0.schotten"
    (table.folder / "file").write_bytes(b"")
    await ann.absences.record()
    (why,) = ann.refused
    assert "the win is not recorded" in why
    assert (ann.said, ann.recorded, ann.why_left) == ([], [], "")
    bob.path = table.folder / "file" / "1.schotten"
    with pytest.raises(JournalError, match="the win is not recorded"):
        await bob.hears(Absent(Word.CLAIM, len(ann.peer.records), ann.peer.session.head, 70))
    assert bob.said == []


async def test_a_damaged_file_of_an_earlier_run_is_told_and_the_game_goes_on(
    table: Table, capsys: pytest.CaptureFixture[str]
) -> None:
    (table.folder / "0.absence").write_text("{}")
    ann = table.start_anew(ANN)
    await table.join()
    assert "not the record of a win by absence" in capsys.readouterr().err
    assert (ann.said, ann.recorded, ann.why_left) == ([], [], "")


async def test_what_was_recorded_in_another_game_is_not_told_here(table: Table) -> None:
    path = absence_path(table.folder / "0.schotten")
    write_absence(path, Absence(bytes(32), 3, b"\1" * 32, ANN, 70, 1))
    ann = table.start_anew(ANN)
    await table.join()
    assert (ann.said, ann.recorded) == ([], [])


async def watched(table: Table, until: Callable[[], bool]) -> None:
    """Both programs look at their clocks until that is so."""
    with trio.fail_after(20):
        async with trio.open_nursery() as nursery:
            for side in table.sides:
                nursery.start_soon(side.absences.watch)
            while not until():
                await trio.sleep(0.05)
            nursery.cancel_scope.cancel()


async def test_a_person_is_told_and_may_type_a_line(autojump_clock: MockClock, table: Table) -> None:
    ann, bob = table.sides
    table.wait(65.5)
    await watched(table, lambda: bool(ann.told and bob.told))
    assert (ann.told, bob.told) == ([TimeUp(BOB, 60)], [TimeUp(BOB, 60)])
    assert (ann.lines, bob.lines) == (1, 0)
    assert (ann.file, bob.file) == (None, None)


async def test_a_bot_records_by_itself(autojump_clock: MockClock, tmp_path: Path) -> None:
    table = Table(tmp_path, bots=True)
    table.wait(65.5)
    await watched(table, lambda: all(side.why_left for side in table.sides))
    assert [side.file.by for side in table.sides if side.file] == [ANN, ANN]
