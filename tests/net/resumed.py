"""A game that goes on over a new connection, for the tests: seats made of their journals, and ways that are cut."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache

import trio
import trio.testing

from p2p_schotten.errors import Cause, PeerFault, SchottenError
from p2p_schotten.ids import Seat, other
from p2p_schotten.net.frames import Frame, Tag
from p2p_schotten.net.limits import DEFAULT_LIMITS
from p2p_schotten.net.link import Link
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.resume import Stand, read_stand
from tests.net.game import Hand, Memory, Plan, Player, Watched, play_on, think
from tests.net.sides import memory_pair
from tests.protocol.pair import Pair, gives_up
from tests.protocol.reunion import restored


@cache
def game(plies: int = 2) -> Pair:
    """One game from its first record to its last, given up after so many cards."""
    return Pair.new(1).play(gives_up(plies))


# How many records of `game()` there are when seat 0 lays the first card, when it gives up, and at the end
DEALT, OVER, ALL = 9, 14, 18


@dataclass
class Way:
    """How a link of the tests is made, besides what every one needs."""

    more: bool = False
    here: int = 0
    returns: bool = False
    kept: list[int] = field(default_factory=list)  # numbers of records in the ledger, at each call


class Back(Player):
    """A seat that was restored from the first `count` records of a game, or goes on with the peer it has."""

    def __init__(
        self,
        seat: Seat,
        stream: trio.abc.Stream,
        plan: Plan = play_on,
        *,
        peer: Peer,
        ledger: Memory | None = None,
        way: Way | None = None,
    ) -> None:
        super().__init__(seat, stream, plan, peer=peer)
        chosen = way or Way()
        self.ledger = ledger or Memory(begun=True, seed=peer.secret_seed, records=list(peer.records))
        self.onward: bool | None = None
        self.link = Link(
            self.connection,
            peer,
            self.ledger,
            more=chosen.more,
            resumed=True,
            here=chosen.here,
            kept=lambda: chosen.kept.append(len(self.ledger.records)),
            returns=lambda: chosen.returns,
            limits=DEFAULT_LIMITS,
        )


class HandBack(Hand):
    """The other seat of that game, driven by hand."""

    def __init__(self, seat: Seat, stream: trio.abc.Stream, peer: Peer) -> None:
        super().__init__(seat, stream)
        self.peer = peer

    async def stand(self) -> Stand:
        """What the link says first."""
        frame = await self.next()
        assert frame is not None
        assert frame.tag is Tag.RESUME
        return read_stand(frame.payload)

    async def meet(self) -> None:
        """Both have said where they stand, and what this side has to say is sent."""
        theirs = await self.stand()
        await self.send(Frame(Tag.RESUME, self.peer.stand().pack()))
        self.peer.resume(theirs)
        await self.speak()
        await trio.testing.wait_all_tasks_blocked()

    async def end(self) -> None:
        """Everything is read, to the end."""
        while await self.next() is not None:
            pass
        await trio.aclose_forcefully(self.stream)


@asynccontextmanager
async def back_against_hand(
    seat: Seat,
    counts: tuple[int | None, int | None],
    plan: Plan,
    *,
    plies: int = 2,
    floor: int = 0,
    ledger: Memory | None = None,
    way: Way | None = None,
) -> AsyncGenerator[tuple[Back, HandBack]]:
    """Seat 0 and seat 1 have so many records of the game (None: all), and the link of `seat` runs."""
    mine, theirs = memory_pair()
    peers = [restored(peer, count, floor=floor) for peer, count in zip(game(plies).peers, counts, strict=True)]
    player = Back(seat, mine, plan, peer=peers[seat], ledger=ledger, way=way)
    hand = HandBack(other(seat), theirs, peers[other(seat)])
    with trio.fail_after(1000):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(player.run)
            yield player, hand
    await trio.aclose_forcefully(theirs)


class Cable:
    """Two ends between which so many bytes travel, in both ways together; then it is cut."""

    def __init__(self, length: float, counts: Callable[[], bool] = lambda: True) -> None:
        self.left = length
        self._counts = counts
        left, right = memory_pair()
        self.ends = CableEnd(left, self), CableEnd(right, self)

    async def carry(self, end: trio.abc.Stream, data: bytes) -> None:
        """As many of the bytes as still travel."""
        if self._counts():
            data, self.left = data[: int(min(len(data), self.left))], self.left - len(data)
        await end.send_all(data)
        if self.left <= 0:
            for cut in self.ends:
                await trio.aclose_forcefully(cut)


class CableEnd(Watched):
    """One end of a cable."""

    def __init__(self, stream: trio.abc.Stream, cable: Cable) -> None:
        super().__init__(stream, [])
        self._cable = cable

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self._cable.carry(self._stream, bytes(data))


async def refused(
    seat: Seat, *frames: Frame, first: bool = False, at: int = DEALT, way: Way | None = None
) -> SchottenError | None:
    """What ends the link when these come, behind an honest RESUME if `first`; and that nothing else changed."""
    async with back_against_hand(seat, (at, at), think, way=way) as (player, hand):
        session = player.peer.session
        await hand.stand()
        if first:
            await hand.send(Frame(Tag.RESUME, hand.peer.stand().pack()))
        await hand.send(*frames)
        await hand.end()
    assert player.peer.session is session
    assert player.ledger.records == game().records[:at]
    return player.error


def check_fault(error: SchottenError | None, cause: Cause, why: str) -> None:
    assert isinstance(error, PeerFault), error
    assert (error.cause, error.blame) == (cause, None)
    assert why in error.detail
