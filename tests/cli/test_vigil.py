"""Who resumes a game and finds nobody there may leave, or record a win by absence once the agreed time has run out."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from p2p_schotten.absence import absence_path, read_absence
from p2p_schotten.bots import make_bot
from p2p_schotten.cli.keyboard import Keyboard
from p2p_schotten.cli.player import Player
from p2p_schotten.cli.saved import Saved, restore
from p2p_schotten.cli.status import Failure, Status
from p2p_schotten.cli.vigil import Vigil
from p2p_schotten.ids import SEATS, Seat
from p2p_schotten.net.limits import first_error
from p2p_schotten.protocol.absent import TOLERANCE, Word
from p2p_schotten.protocol.file import HEADER, frame
from p2p_schotten.ui.front import Front
from p2p_schotten.ui.json_front import JsonFront
from p2p_schotten.ui.plain import PlainFront
from tests.cli.standing import DEALT, Standing

HOST, GUEST = SEATS
CLOCK = 60
LEFT = "you left before the other player came back"


@contextmanager
def saved(standing: Standing, seat: Seat) -> Iterator[Saved]:
    """That seat, as `resume` takes it up."""
    found = restore(standing.homes[seat], standing.game, seat)
    yield found
    found.restored.journal.close()


async def ends(vigil: Vigil, within: float) -> Failure | None:
    """What the waiting comes to; None when it goes on."""
    with trio.move_on_after(within):
        try:
            await vigil.run()
        except BaseExceptionGroup as group:
            error = first_error(group)
            if isinstance(error, Failure):
                return error
            raise
    return None


class Typed:
    """A player at a keyboard, who types each line so many seconds after the one before."""

    def __init__(self, *lines: tuple[float, str], terminal: bool = True) -> None:
        self._lines = lines
        self._give, take = trio.open_memory_channel[str](9)
        self.out = io.StringIO()
        front: Front = PlainFront(self.out, self.out, terminal=terminal)
        self.player = Player(front, None)
        self.player.keyboard = Keyboard(take, terminal)

    async def type(self) -> None:
        for after, line in self._lines:
            await trio.sleep(after)
            await self._give.send(line)


async def waits(standing: Standing, typed: Typed, within: float) -> Failure | None:
    """What comes of the waiting of ann, who types that."""
    failures: list[Failure | None] = []
    with saved(standing, HOST) as found:
        vigil = Vigil(found, typed.player, trio.current_time)

        async def run() -> None:
            failures.append(await ends(vigil, within))
            nursery.cancel_scope.cancel()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(run)
            nursery.start_soon(typed.type)
    return failures[0]


@pytest.mark.parametrize("seat", SEATS)
async def test_a_bot_records_its_win_when_the_agreed_time_is_over_whosever_turn_it_is(
    autojump_clock: MockClock, tmp_path: Path, seat: Seat
) -> None:
    standing, out = Standing(tmp_path, clock=CLOCK).add(), io.StringIO()
    begun = trio.current_time()
    with saved(standing, seat) as found:
        failure = await ends(Vigil(found, Player(JsonFront(out), make_bot("greedy", 1)), trio.current_time), 1000)
    assert failure is not None
    assert (failure.status, failure.message) == (
        Status.UNFINISHED,
        "the game stands unfinished: your win by absence is recorded",
    )
    assert CLOCK + TOLERANCE <= trio.current_time() - begun < CLOCK + TOLERANCE + 1
    absence = read_absence(absence_path(standing.path(seat)))
    assert absence is not None
    assert (absence.by, absence.seq, absence.seconds, absence.answer) == (seat, DEALT, 65, Word.CLAIM)
    assert [json.loads(line)["event"] for line in out.getvalue().splitlines()][-2:] == ["time up", "recorded"]


async def test_without_a_clock_nothing_is_recorded_however_long_it_takes(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    standing = Standing(tmp_path).add()
    with saved(standing, HOST) as found:
        player = Player(JsonFront(io.StringIO()), make_bot("greedy", 1))
        assert await ends(Vigil(found, player, trio.current_time), 500) is None
    assert read_absence(absence_path(standing.path(HOST))) is None


async def test_somebody_at_a_terminal_is_told_and_decides(
    autojump_clock: MockClock, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    standing = Standing(tmp_path, clock=CLOCK).add()
    typed = Typed((30, "record"), (40, "wait"), (1, "record"), (1, "yes"))
    failure = await waits(standing, typed, 1000)
    assert failure is not None
    assert failure.message == "the game stands unfinished: your win by absence is recorded"
    assert capsys.readouterr().err == "Still waiting; type quit to leave.\n"
    said = typed.out.getvalue()
    assert "The 60 s of bob for this turn are over." in said
    assert "You go on waiting for bob." in said
    assert "You have recorded a win by absence after 9 records: bob kept you waiting." in said
    absence = read_absence(absence_path(standing.path(HOST)))
    assert absence is not None
    assert (absence.by, absence.seconds) == (HOST, 72)


@pytest.mark.parametrize("when", [10, 70])
@pytest.mark.parametrize("word", ["quit", "Q"])
async def test_he_may_leave_before_and_after(autojump_clock: MockClock, tmp_path: Path, when: float, word: str) -> None:
    standing = Standing(tmp_path, clock=CLOCK).add()
    failure = await waits(standing, Typed((when, word)), 1000)
    assert failure is not None
    assert (failure.status, failure.message) == (Status.UNFINISHED, LEFT)
    assert read_absence(absence_path(standing.path(HOST))) is None


async def test_a_script_is_not_read_before_the_time_is_over(autojump_clock: MockClock, tmp_path: Path) -> None:
    standing = Standing(tmp_path, clock=CLOCK).add()
    typed = Typed((1, "record"), terminal=False)
    assert await waits(standing, typed, 64) is None
    assert typed.player.keyboard is not None
    assert await typed.player.keyboard.line() == "record"
    failure = await waits(standing, Typed((1, "record"), terminal=False), 1000)
    assert failure is not None
    assert failure.message == "the game stands unfinished: your win by absence is recorded"


async def test_who_lacks_records_does_not_know_whose_turn_it_is_and_records_nothing(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    standing = Standing(tmp_path, clock=CLOCK).add()
    path, records = standing.path(HOST), standing.games[0].records
    path.write_bytes(HEADER + b"".join(map(frame, records[: DEALT - 1])))
    with saved(standing, HOST) as found:
        assert found.restored.peer.behind
        player = Player(JsonFront(io.StringIO()), make_bot("greedy", 1))
        assert await ends(Vigil(found, player, trio.current_time), 500) is None
    assert read_absence(absence_path(standing.path(HOST))) is None
