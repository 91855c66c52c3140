"""After the last record: both say AGAIN and the next game goes on over the same connection, or one leaves politely."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from p2p_schotten.errors import ChannelError
from p2p_schotten.ids import Seat, other
from p2p_schotten.net.frames import Frame, Tag
from p2p_schotten.net.limits import DEFAULT_LIMITS as LIMITS
from p2p_schotten.net.link import Link
from p2p_schotten.net.told import Again, Chatted, Parted, Told
from p2p_schotten.protocol.events import Finished
from p2p_schotten.protocol.peer import Peer
from tests.net.game import GUEST, HOST, Crumbs, Hand, Memory, Player, play_on, resign_after
from tests.net.sides import memory_pair


class Regular(Player):
    """A player who can be asked for another game. `wants`: what he does when a game is over (None: he thinks)."""

    def __init__(self, seat: Seat, stream: trio.abc.Stream, wants: bool | None, *, again_first: bool = False) -> None:
        super().__init__(seat, stream, resign_after(0))
        self.wants = wants
        self.again_first = again_first
        self.onward: bool | None = None
        self.renew(self.peer)

    def renew(self, peer: Peer) -> None:
        """The next game, over the same connection."""
        self.peer, self.ledger = peer, Memory()
        self.link = Link(self.connection, peer, self.ledger, more=True, limits=LIMITS)

    async def deliver(self, event: Told) -> None:
        await super().deliver(event)
        if isinstance(event, Again if self.again_first else Finished):
            if self.wants:
                await self.link.again()
            elif self.wants is False:
                await self.link.leave()

    async def game(self) -> None:
        """One game to its end; an error is kept."""
        try:
            self.onward = await self.link.run(self.deliver)
        except ChannelError as error:
            self.error = error

    def parted(self) -> list[str]:
        return [event.because for event in self.told if isinstance(event, Parted)]


@asynccontextmanager
async def after_a_game(wants: bool | None) -> AsyncGenerator[tuple[Regular, Hand]]:
    """Bob at the end of a game, and ann's side of the way in the hand of the test. Ends when bob's link does."""
    left, right = memory_pair()
    bob, ann = Regular(GUEST, left, wants), Hand(HOST, right)
    with trio.fail_after(1000):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(bob.game)
            await ann.go_on(lambda peer: peer.session.finished, resign_after(0))
            yield bob, ann


async def both(*players: Regular) -> None:
    with trio.fail_after(1000):
        async with trio.open_nursery() as nursery:
            for player in players:
                nursery.start_soon(player.game)


async def open_stream(stream: trio.abc.Stream) -> bool:
    """Something can still be sent."""
    try:
        await stream.send_all(b"")
    except (trio.ClosedResourceError, trio.BrokenResourceError):
        return False
    return True


@pytest.mark.parametrize("seat_that_waits", [None, HOST, GUEST])
async def test_two_who_both_want_it_play_one_game_after_the_other_over_one_connection(
    autojump_clock: MockClock, seat_that_waits: Seat | None
) -> None:
    """Whoever answers first, and however the bytes are cut."""
    left, right = memory_pair()
    if seat_that_waits is None:
        left, right = Crumbs(left, []), Crumbs(right, [])
    ann = Regular(HOST, left, wants=True, again_first=seat_that_waits == HOST)
    bob = Regular(GUEST, right, wants=True, again_first=seat_that_waits == GUEST)
    games = set()
    for _game in range(2):
        await both(ann, bob)
        assert (ann.onward, bob.onward) == (True, True)
        assert (ann.error, bob.error) == (None, None)
        assert ann.ledger.records == bob.ledger.records
        assert ann.peer.session.finished
        assert ann.peer.game_id is not None
        games.add(ann.peer.game_id)
        assert await open_stream(left)
        assert ann.connection.settled
        for player in (ann, bob):
            assert player.told.count(Again()) == 1
            player.told.clear()
            player.renew(fresh_of(player.peer.seat))
    assert len(games) == 2


async def test_the_next_hello_that_comes_close_behind_is_not_lost(autojump_clock: MockClock) -> None:
    left, right = memory_pair()
    bob, ann = Regular(GUEST, left, wants=True), Hand(HOST, right)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(bob.game)
        await ann.go_on(lambda peer: peer.session.finished, resign_after(0))
        frame = await ann.next()
        while frame is not None and frame.tag is not Tag.AGAIN:
            frame = await ann.next()
        assert frame == Frame(Tag.AGAIN)
        ann.peer = fresh_of(HOST)
        ann.peer.start()
        (hello,) = ann.peer.frames()
        await right.send_all(Frame(Tag.AGAIN).encode() + Frame(Tag.RECORD, hello).encode())
    assert bob.onward is True
    bob.renew(fresh_of(GUEST))
    with trio.fail_after(1000):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(bob.game)
            await ann.go_on(lambda peer: peer.session.finished, resign_after(0))
            await ann.send(Frame(Tag.BYE))
    assert bob.peer.session.finished
    assert bob.onward is False
    assert bob.parted() == ["ann left"]


def fresh_of(seat: Seat) -> Peer:
    return Player(seat, memory_pair()[0]).peer


@pytest.mark.parametrize("leaver", [HOST, GUEST])
@pytest.mark.parametrize("thinks", [True, False])
async def test_one_who_does_not_want_it_ends_it_politely(autojump_clock: MockClock, leaver: Seat, thinks: bool) -> None:
    """Also while the other has not answered yet, or after he wanted it."""
    left, right = memory_pair()
    players = [
        Regular(HOST, left, wants=None if thinks else True),
        Regular(GUEST, right, wants=None if thinks else True),
    ]
    players[leaver].wants = False
    await both(*players)
    stays = players[other(leaver)]
    assert [player.onward for player in players] == [False, False]
    assert [player.error for player in players] == [None, None]
    assert stays.parted() == [f"{'ann' if leaver == HOST else 'bob'} left"]
    assert players[leaver].parted() == []
    assert not await open_stream(left)
    assert players[HOST].ledger.records == players[GUEST].ledger.records


@pytest.mark.parametrize("seat", [HOST, GUEST])
async def test_a_side_that_plays_one_game_only_is_gone_after_it(autojump_clock: MockClock, seat: Seat) -> None:
    streams = memory_pair()
    regular = Regular(seat, streams[0], wants=True)
    once = Player(other(seat), streams[1], resign_after(0))
    with trio.fail_after(1000):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(regular.game)
            nursery.start_soon(once.run)
    assert (regular.onward, regular.error, once.error) == (False, None, None)
    assert len(regular.parted()) == 1


async def test_both_may_think_for_an_hour_and_talk(autojump_clock: MockClock) -> None:
    left, right = memory_pair()
    ann, bob = Regular(HOST, left, wants=None), Regular(GUEST, right, wants=None)
    with trio.fail_after(10_000):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ann.game)
            nursery.start_soon(bob.game)
            await trio.sleep(3600)
            assert ann.peer.session.finished
            assert (ann.onward, bob.onward) == (None, None)
            await ann.link.chat("one more?")
            await trio.sleep(1)
            await bob.link.again()
            await trio.sleep(1)
            await ann.link.again()
    assert bob.told.count(Chatted("one more?")) == 1
    assert (ann.onward, bob.onward) == (True, True)


async def test_who_wanted_it_may_still_leave(autojump_clock: MockClock) -> None:
    left, right = memory_pair()
    ann, bob = Regular(HOST, left, wants=True), Regular(GUEST, right, wants=None)
    with trio.fail_after(1000):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ann.game)
            nursery.start_soon(bob.game)
            await trio.sleep(10)
            await ann.link.leave()
    assert (ann.onward, bob.onward) == (False, False)
    assert bob.parted() == ["ann left"]


async def test_wanting_it_twice_says_it_once_and_before_the_end_not_at_all(autojump_clock: MockClock) -> None:
    left, right = memory_pair()
    bob, ann = Regular(GUEST, left, wants=None), Hand(HOST, right)
    with trio.fail_after(1000):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(bob.game)
            await ann.deal()
            await bob.link.again()
            await ann.go_on(lambda peer: peer.session.finished, resign_after(0))
            await trio.testing.wait_all_tasks_blocked()
            await bob.link.again()
            await bob.link.again()
            await trio.testing.wait_all_tasks_blocked()
            await ann.send(Frame(Tag.BYE))
            while await ann.next() is not None:
                pass
    assert [frame.tag for frame in ann.heard].count(Tag.AGAIN) == 1
    assert bob.onward is False


@pytest.mark.parametrize(
    "frames",
    [
        (Frame(Tag.AGAIN), Frame(Tag.AGAIN)),
        (Frame(Tag.RECORD, b"x"),),
        (Frame(Tag.RECORD),),
        (Frame(Tag.AGAIN, b"x"),),
        (Frame(Tag.RESUME),),
    ],
    ids=["twice", "record", "empty record", "payload", "resume"],
)
async def test_what_may_not_come_between_two_games_ends_the_talk_and_not_the_game(
    autojump_clock: MockClock, frames: tuple[Frame, ...]
) -> None:
    async with after_a_game(None) as (bob, ann):
        kept = len(ann.peer.records)
        await ann.send(*frames)
    assert (bob.onward, bob.error) == (False, None)
    assert bob.parted() == ["ann sends what may not come between two games"]
    assert len(bob.ledger.records) == kept
    assert bob.ledger.kept == []


async def test_a_hello_before_both_want_the_next_game_is_not_taken(autojump_clock: MockClock) -> None:
    async with after_a_game(None) as (bob, ann):
        kept = len(ann.peer.records)
        ann.peer = fresh_of(HOST)
        ann.peer.start()
        await ann.send(Frame(Tag.AGAIN))
        await ann.speak()
    assert bob.told.count(Again()) == 1
    assert bob.parted() == ["ann sends what may not come between two games"]
    assert len(bob.ledger.records) == kept


async def test_the_next_game_cannot_be_asked_for_in_the_middle_of_one(autojump_clock: MockClock) -> None:
    left, right = memory_pair()
    bob, ann = Player(GUEST, left, play_on), Hand(HOST, right)
    with trio.fail_after(1000):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(bob.run)
            await ann.deal()
            await ann.send(Frame(Tag.AGAIN))
            while (frame := await ann.next()) is not None and frame.tag is not Tag.FAULT:
                pass
    assert "the next game was asked for where it cannot be" in str(bob.error)
    assert frame is not None


async def test_a_way_that_is_gone_between_two_games_ends_the_talk_and_not_the_game(autojump_clock: MockClock) -> None:
    async with after_a_game(True) as (bob, ann):
        await trio.testing.wait_all_tasks_blocked()
        await ann.stream.aclose()
    assert (bob.onward, bob.error) == (False, None)
    assert bob.parted() == ["the connection to ann is gone"]


async def test_silence_between_two_games_is_noticed(autojump_clock: MockClock) -> None:
    async with after_a_game(None) as (bob, _ann):
        pass
    assert bob.parted() == [f"nothing was heard from ann for {LIMITS.silence:g} seconds"]


class Stuck(Crumbs):
    """A stream that takes nothing more once it is `stuck`."""

    stuck = False

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        if self.stuck:
            raise trio.BrokenResourceError
        await super().send_all(data)


async def test_an_answer_that_can_no_longer_be_sent_leads_to_no_other_game(autojump_clock: MockClock) -> None:
    left, right = memory_pair()
    stream = Stuck(left, [])
    bob, ann = Regular(GUEST, stream, wants=None), Hand(HOST, right)
    with trio.fail_after(1000):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(bob.game)
            await ann.go_on(lambda peer: peer.session.finished, resign_after(0))
            await ann.send(Frame(Tag.AGAIN))
            await trio.testing.wait_all_tasks_blocked()
            stream.stuck = True
            await bob.link.again()
    assert (bob.onward, bob.error) == (False, None)
    assert bob.parted() == ["the connection to ann is gone"]
    assert not await open_stream(left)
