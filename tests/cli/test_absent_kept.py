"""A win by absence on the disk, and two programs that look at their clocks by themselves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from p2p_schotten.absence import Absence, absence_path, write_absence
from p2p_schotten.errors import JournalError
from p2p_schotten.protocol.absent import Absent, Word
from p2p_schotten.ui.notice import TimeUp
from tests.cli.absent_table import ANN, BOB, Table, table

__all__ = ["table"]


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


async def test_a_bot_waits_as_long_again_for_who_stalls_and_denies_it_and_then_leaves(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    table = Table(tmp_path, bots=True)
    ann, bob = table.sides
    table.hears = False  # bob answers as he likes
    here = (len(ann.peer.records), ann.peer.session.head)
    table.wait(65.5)

    def answered() -> bool:
        return ann.file is not None and ann.file.answer is Word.SHORT

    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ann.absences.watch)
            while not ann.said:
                await trio.sleep(0.05)
            await ann.hears(Absent(Word.SHORT, *here, 0))
            assert answered()
            table.wait(64.0)  # 129.5 s
            await trio.sleep(1.0)
            assert ann.why_left == ""
            table.wait(1.0)
            while not ann.why_left:
                await trio.sleep(0.05)
            nursery.cancel_scope.cancel()
    assert ann.why_left == "bob does not go on with the game, and does not admit it"
    assert ann.said == [Absent(Word.CLAIM, *here, 65)]
    assert answered()  # what was recorded stays, with what he said of it
    assert bob.why_left == ""


async def test_a_person_decides_himself_how_long_he_waits_for_who_denies_it(
    autojump_clock: MockClock, table: Table
) -> None:
    ann, _bob = table.sides
    table.hears = False
    table.wait(65.5)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ann.absences.record)
        while not ann.said:
            await trio.sleep(0.05)
        await ann.hears(Absent(Word.SHORT, len(ann.peer.records), ann.peer.session.head, 0))
    table.wait(3600.0)
    with trio.move_on_after(10):
        await ann.absences.watch()
    assert ann.why_left == ""
