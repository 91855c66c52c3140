"""Two seats of a game under way, whose time is moved by hand; what one says arrives when the two are connected."""

from __future__ import annotations

import io
import json
from functools import cache
from pathlib import Path

import pytest

from p2p_schotten.absence import Absence, absence_path, read_absence
from p2p_schotten.bots import make_bot
from p2p_schotten.cli.absent import Absences
from p2p_schotten.cli.player import Player
from p2p_schotten.engine.move import Move
from p2p_schotten.errors import ChannelError
from p2p_schotten.ids import SEATS, Seat, other
from p2p_schotten.protocol.absent import Absent
from p2p_schotten.protocol.messages import Options
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.ui.json_front import JsonFront
from p2p_schotten.ui.notice import Happening, Recorded
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
