"""One seat's game over as many connections as it takes: when the other is looked for again, and when not."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from p2p_schotten.cli.away import Away
from p2p_schotten.cli.course import TRIES, Course
from p2p_schotten.cli.saved import restore
from p2p_schotten.engine.move import Resign
from p2p_schotten.errors import Cause, ChannelError, PeerFault, SchottenError
from p2p_schotten.ids import SEATS, Seat, other
from p2p_schotten.match import Rounds
from p2p_schotten.net.connection import Connection
from p2p_schotten.net.frames import Frame, Tag
from p2p_schotten.net.told import Parted, Told
from p2p_schotten.protocol.closing import Close, read_item
from p2p_schotten.protocol.events import Finished, YourTurn
from p2p_schotten.protocol.file import read_file
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind, read_record
from p2p_schotten.protocol.resume import FIRST_SIGNED
from p2p_schotten.transcript import verify
from p2p_schotten.ui.notice import Happening, Reconnecting, Settled
from tests.cli.standing import WHOLE, Standing
from tests.net.game import connection_of
from tests.net.resumed import Cable, HandBack
from tests.net.sides import memory_pair
from tests.protocol.reunion import told

HOST, GUEST = SEATS
NOBODY = "no way back was found: nobody came"
GONE = "the connection to {name} is gone"
ALL = 18  # records of the whole game
FIRST_MOVE = (HOST, Kind.MOVE)
LAST = Reconnecting("the other side may lack the last record")


@dataclass
class Ways(Away):
    """A way back that leads over these connections, one after the other; then nobody comes."""

    ways: list[Connection] = field(default_factory=list)
    asked: list[bool] = field(default_factory=list)  # for each time whether the game was over

    @property
    def possible(self) -> bool:
        return self.wait != 0

    async def connect(self, over: bool, least: float = 0.0) -> Connection:
        self.asked.append(over)
        await trio.sleep(1)
        if not self.ways:
            raise ChannelError(NOBODY)
        return self.ways.pop(0)


@dataclass
class Sat:
    """A seat whose player gives up when he is asked, and leaves when the game is over."""

    seat: Seat
    course: Course = field(init=False)
    left: bool = False
    cuts: int = 0
    told: list[Happening | Told] = field(default_factory=list)
    onward: bool | None = None
    error: SchottenError | None = None

    def tell(self, happening: Happening) -> None:
        self.told.append(happening)

    def kept(self) -> None:
        pass

    def cut(self) -> None:
        self.cuts += 1

    async def deliver(self, told: Told) -> None:
        self.told.append(told)
        if isinstance(told, YourTurn):
            await self.course.link.play(Resign())
        if isinstance(told, Finished):
            await self.course.link.leave()

    async def run(self) -> None:
        try:
            self.onward = await self.course.run(self.deliver)
        except SchottenError as error:
            self.error = error

    @property
    def away(self) -> Ways:
        assert isinstance(self.course.away, Ways)
        return self.course.away


@asynccontextmanager
async def sat(standing: Standing, seat: Seat, *streams: trio.abc.Stream, wait: float = 60.0) -> AsyncGenerator[Sat]:
    """The seat of that game with a first connection and those over which he is found again."""
    saved = restore(standing.homes[seat], standing.game, seat)
    first, *later = (connection_of(seat, stream) for stream in streams)
    made, home = Sat(seat), standing.homes[seat]
    peer, journal, before = saved.restored.peer, saved.restored.journal, saved.restored.before
    made.course = Course(first, peer, journal, home, Ways(wait=wait, ways=later), before, True, made)
    yield made
    journal.close()


async def play(*seats: Sat) -> None:
    """All to their ends."""
    with trio.fail_after(1000):
        async with trio.open_nursery() as nursery:
            for one in seats:
                nursery.start_soon(one.run)


def hand(standing: Standing, seat: Seat, stream: trio.abc.Stream) -> HandBack:
    """The other seat of that game, driven by hand."""
    saved = restore(standing.homes[seat], standing.game, seat)
    saved.restored.journal.close()
    return HandBack(seat, stream, saved.restored.peer)


@pytest.mark.parametrize("lengths", [(0, 300), (100, 0, 10, 500), (400, 700)])
async def test_a_game_goes_on_after_each_cut_and_both_are_told_of_it(
    autojump_clock: MockClock, tmp_path: Path, lengths: tuple[int, ...]
) -> None:
    standing = Standing(tmp_path).add()
    cables = [Cable(length) for length in lengths]
    last = memory_pair()
    async with AsyncExitStack() as stack:
        seats = [
            await stack.enter_async_context(sat(standing, seat, *(cable.ends[seat] for cable in cables), last[seat]))
            for seat in SEATS
        ]
        await play(*seats)
    for one in seats:
        assert one.error is None
        assert one.onward is False
        told = [event for event in one.told if isinstance(event, Reconnecting) and event != LAST]
        assert one.cuts == len(told)
        assert 1 <= one.cuts <= len(lengths)
    assert standing.verdict().over
    assert standing.count(HOST) == 14


async def test_where_nobody_comes_back_the_game_stands_and_both_reasons_are_said(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    standing = Standing(tmp_path).add()
    mine, theirs = memory_pair()
    await trio.aclose_forcefully(theirs)
    before = standing.path(HOST).read_bytes()
    async with sat(standing, HOST, mine) as ann:
        await play(ann)
    assert type(ann.error) is ChannelError
    assert str(ann.error) == f"{GONE.format(name='bob')}; {NOBODY}"
    assert ann.told == [Reconnecting(GONE.format(name="bob"))]
    assert ann.away.asked == [False]
    assert standing.path(HOST).read_bytes() == before


@pytest.mark.parametrize("how", ["he left on purpose", "I want to leave", "nobody is waited for"])
async def test_the_other_is_not_looked_for_when(autojump_clock: MockClock, tmp_path: Path, how: str) -> None:
    standing = Standing(tmp_path).add()
    mine, theirs = memory_pair()
    async with sat(standing, HOST, mine, wait=0.0 if how.startswith("nobody") else 60.0) as ann:
        ann.left = how.startswith("I want")
        if how.startswith("he left"):
            await theirs.send_all(Frame(Tag.BYE).encode())
        else:
            await trio.aclose_forcefully(theirs)
        await play(ann)
    assert str(ann.error) == ("bob left" if how.startswith("he left") else GONE.format(name="bob"))
    assert ann.away.asked == []
    assert ann.cuts == 0


@pytest.mark.parametrize("seat", SEATS)
async def test_a_game_that_is_over_is_closed_alone_when_the_other_does_not_come_for_the_rest(
    autojump_clock: MockClock, tmp_path: Path, seat: Seat
) -> None:
    count = 15 if seat == HOST else 14
    standing = Standing(tmp_path).add((count, count))
    mine, theirs = memory_pair()
    bob = hand(standing, other(seat), theirs)
    async with sat(standing, seat, mine) as one, trio.open_nursery() as nursery:
        nursery.start_soon(one.run)
        await bob.stand()
        await bob.send(Frame(Tag.RESUME, bob.peer.stand().pack()))
        await trio.testing.wait_all_tasks_blocked()
        await trio.aclose_forcefully(theirs)
    assert one.error is None
    assert one.onward is False
    assert one.away.asked == [True]
    assert one.told[-1] == Settled(NOBODY)
    assert isinstance(read_item(read_file(standing.path(seat).read_bytes()).items[-1]), Close)


# Behind the last record


async def test_who_wrote_the_last_record_hands_it_over_to_him_who_comes_back(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    standing = Standing(tmp_path).add((ALL - 1, ALL - 1))
    cable, later = Cable(2 * (5 + 68) + 150), memory_pair()
    async with (
        sat(standing, GUEST, cable.ends[GUEST], later[GUEST]) as bob,
        sat(standing, HOST, cable.ends[HOST], later[HOST]) as ann,
    ):
        await play(ann, bob)
    assert (ann.error, bob.error) == (None, None)
    assert standing.count(HOST) == standing.count(GUEST) == ALL
    assert standing.verdict().over


async def after_the_end(standing: Standing, *come: Callable[[HandBack], Sequence[Frame]]) -> Sat:
    """Bob has written the last record and was cut off; over each further connection ann's side does this."""
    first, ways = memory_pair(), [memory_pair() for _ in come]
    async with sat(standing, GUEST, first[GUEST], *(way[GUEST] for way in ways)) as bob:
        ann = hand(standing, HOST, first[HOST])
        with trio.fail_after(1000):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(bob.run)
                await ann.meet()
                await trio.aclose_forcefully(first[HOST])
                for act, way in zip(come, ways, strict=True):
                    again = hand(standing, HOST, way[HOST])
                    await again.stand()
                    await again.send(*act(again))
                    await again.end()
    return bob


async def test_nobody_waits_for_him_for_ever(autojump_clock: MockClock, tmp_path: Path) -> None:
    standing = Standing(tmp_path).add((ALL - 1, WHOLE))
    bob = await after_the_end(standing)
    assert bob.error is None
    assert bob.onward is False
    assert bob.away.asked == [True]
    assert bob.told[-1] == LAST
    assert standing.count(GUEST) == ALL


async def test_who_comes_back_and_does_not_take_it_has_a_few_chances(autojump_clock: MockClock, tmp_path: Path) -> None:
    standing = Standing(tmp_path).add((ALL - 1, WHOLE))
    bob = await after_the_end(standing, *[lambda ann: [Frame(Tag.RESUME, ann.peer.stand().pack())]] * TRIES)
    assert bob.error is None
    assert bob.away.asked == [True] * TRIES


async def test_what_a_cheat_says_after_the_end_ends_nothing(autojump_clock: MockClock, tmp_path: Path) -> None:
    standing = Standing(tmp_path).add((ALL - 1, WHOLE))
    bob = await after_the_end(standing, lambda ann: [Frame(Tag.RECORD, b"\0")])
    assert bob.error is None
    assert bob.onward is False
    assert len(bob.away.asked) == 1


def moved_otherwise(ann: HandBack) -> list[Frame]:
    """Ann says that she did something else at her first turn, and signs it."""
    peer = ann.peer
    at = next(record.seq for record in map(read_record, peer.records) if (record.seat, record.kind) == FIRST_MOVE)
    cheat = Peer.restore(HOST, peer._identity, peer.secret_seed, peer.records[:at], game_id=peer.game_id)
    cheat.resume(told(cheat, at))
    cheat.play(cheat.choices()[-1])
    assert cheat.records[at] != peer.records[at]
    records = [Frame(Tag.RECORD, record) for record in cheat.records[FIRST_SIGNED:]]
    return [Frame(Tag.RESUME, cheat.stand().pack()), *records]


async def test_a_second_record_that_is_signed_after_the_end_is_kept_and_the_player_told(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    standing = Standing(tmp_path).add((ALL - 1, WHOLE))
    bob = await after_the_end(standing, moved_otherwise)
    assert isinstance(bob.error, PeerFault)
    assert (bob.error.cause, bob.error.blame) == (Cause.FORK, HOST)
    assert standing.count(GUEST) == ALL
    evidence = bob.course.link.evidence
    assert evidence is not None
    fault = verify(evidence.read_bytes()).fault
    assert fault is not None
    assert (fault.cause, fault.blame) == (Cause.FORK, HOST)


async def test_between_two_games_of_a_match_the_other_is_looked_for_too(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    standing = Standing(tmp_path, form=Rounds(2)).add((WHOLE, WHOLE))
    mine, theirs = memory_pair()
    await trio.aclose_forcefully(theirs)
    async with sat(standing, HOST, mine) as ann:
        await play(ann)
    gone = GONE.format(name="bob")
    assert ann.told == [Reconnecting(gone), Parted(f"{gone}; {NOBODY}")]
    assert ann.away.asked == [False], "nothing is over that anybody would miss only the end of"
    assert ann.onward is False
