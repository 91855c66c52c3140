"""A game over a link for the tests: a player who follows a plan, a ledger in memory, and a side driven by hand."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import trio
import trio.testing

from p2p_schotten.engine.move import Move, Resign
from p2p_schotten.engine.rulesets import ruleset
from p2p_schotten.errors import JournalError, SchottenError
from p2p_schotten.ids import SEATS, Seat, other
from p2p_schotten.net.connection import Connection
from p2p_schotten.net.frames import Frame, FrameBuffer, Tag
from p2p_schotten.net.handshake import Proven, Role
from p2p_schotten.net.limits import DEFAULT_LIMITS, Limits
from p2p_schotten.net.link import Link
from p2p_schotten.net.told import Told
from p2p_schotten.protocol.closing import Close, read_item
from p2p_schotten.protocol.events import Offered, YourTurn
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind
from tests.net.sides import ANN, BOB, memory_pair

HOST, GUEST = SEATS
IDENTITIES = (ANN, BOB)
NAMES = ("ann", "bob")
Plan = Callable[[Peer], Move | None]


def play_on(peer: Peer) -> Move:
    """The first legal move that lays a card or claims."""
    return peer.choices()[0]


def resign_after(plies: int) -> Plan:
    """Lays cards, and gives up when that many moves were made on the table."""

    def choose(peer: Peer) -> Move:
        assert peer.session.state is not None
        return Resign() if peer.session.state.ply >= plies else play_on(peer)

    return choose


def think(peer: Peer) -> None:
    """Never moves."""
    return


@dataclass
class Memory:
    """A ledger in memory. `log` is shared by all that tells the order of things; it fails from append `fails_at` on."""

    log: list[tuple[str, bytes]] = field(default_factory=list)
    fails_at: int | None = None
    begun: bool = False
    seed: bytes | None = None
    records: list[bytes] = field(default_factory=list)
    kept: list[bytes] = field(default_factory=list)

    def begin(self, game_id: bytes, seed: bytes) -> None:
        assert not self.begun
        self.begun = True
        self.seed = seed

    def append(self, record: bytes, *, own: bool = False) -> None:
        if self.fails_at is not None and len(self.records) >= self.fails_at:
            raise JournalError("disk full")
        self.records.append(record)
        self.log.append(("journal", record))

    def drop_close(self) -> None:
        if self.records and isinstance(read_item(self.records[-1]), Close):
            self.records.pop()

    def evidence(self, data: bytes) -> Path | None:
        self.kept.append(data)
        return Path("evidence")


class Watched(trio.abc.Stream):
    """A stream that writes into `log` what is sent, frame by frame."""

    def __init__(self, stream: trio.abc.Stream, log: list[tuple[str, bytes]]) -> None:
        self._stream = stream
        self._log = log

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        self._log.append(("send", bytes(data)))
        await self._stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        return await self._stream.receive_some(max_bytes)

    async def aclose(self) -> None:
        await self._stream.aclose()


class Crumbs(Watched):
    """A stream from which bytes come one by one."""

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        return await self._stream.receive_some(1)


def peer_of(seat: Seat) -> Peer:
    rules = ruleset("base") if seat == 0 else None
    identity = IDENTITIES[other(seat)].public
    return Peer(seat, IDENTITIES[seat], NAMES[seat], rules, os.urandom, other_identity=identity)


def connection_of(seat: Seat, stream: trio.abc.Stream) -> Connection:
    """As if a handshake had been."""
    role = Role.DIAL if seat == 0 else Role.LISTEN
    return Connection(stream, seat, Proven(IDENTITIES[other(seat)].public, role, True, 1))


class Player:
    """One seat: a link, and a front end that follows a plan and remembers what it was told."""

    def __init__(
        self,
        seat: Seat,
        stream: trio.abc.Stream,
        plan: Plan = play_on,
        *,
        limits: Limits = DEFAULT_LIMITS,
        peer: Peer | None = None,
    ) -> None:
        self.ledger = Memory()
        self.peer = peer or peer_of(seat)
        self.connection = connection_of(seat, stream)
        self.link = Link(self.connection, self.peer, self.ledger, limits=limits)
        self.told: list[Told] = []
        self.error: SchottenError | None = None
        self.plan = plan

    async def deliver(self, event: Told) -> None:
        self.told.append(event)
        if isinstance(event, Offered):
            await self.link.accept()
        if isinstance(event, YourTurn):
            move = self.plan(self.peer)
            if move is not None:
                await self.link.play(move)

    async def run(self, deliver: Callable[[Told], Awaitable[None]] | None = None) -> None:
        """To the end; an error of the game is kept in `error`."""
        try:
            await self.link.run(deliver or self.deliver)
        except SchottenError as error:
            self.error = error


async def play_out(*players: Player) -> None:
    """All run until they end by themselves."""
    with trio.fail_after(1000):
        async with trio.open_nursery() as nursery:
            for player in players:
                nursery.start_soon(player.run)


class Hand:
    """One seat driven by hand over the bare stream: honest as long as it is told to be."""

    def __init__(self, seat: Seat, stream: trio.abc.Stream) -> None:
        self.peer = peer_of(seat)
        self.stream = stream
        self.buffer = FrameBuffer(lambda tag: 100_000)
        self.heard: list[Frame] = []

    async def send(self, *frames: Frame) -> None:
        for frame in frames:
            await self.stream.send_all(frame.encode())

    async def speak(self) -> None:
        """Sends what the peer has ready."""
        await self.send(*(Frame(Tag.RECORD, record) for record in self.peer.frames()))

    async def next(self) -> Frame | None:
        """The next frame but PING, which is answered; None at the end of the stream."""
        while True:
            frame = self.buffer.next()
            if frame is None:
                try:
                    data = bytes(await self.stream.receive_some(4096))
                except trio.BrokenResourceError:
                    data = b""
                if not data:
                    return None
                self.buffer.feed(data)
            elif frame.tag is Tag.PING:
                await self.send(Frame(Tag.PONG))
            elif frame.tag not in (Tag.PONG, Tag.HERE):
                self.heard.append(frame)
                return frame

    async def deal(self) -> None:
        """The whole set-up: the next record is a player's choice."""
        await self.go_on(to_choose)
        await self.speak()
        await trio.testing.wait_all_tasks_blocked()

    async def go_on(self, until: Callable[[Peer], bool], plan: Plan = play_on) -> None:
        """Plays honestly, until that is so (asked before each reading)."""
        if self.peer.seat == 0 and self.peer.session.seq == 0:
            self.peer.start()
        await self.speak()
        while not until(self.peer):
            if self.peer.choices():
                move = plan(self.peer)
                assert move is not None
                self.peer.play(move)
            else:
                frame = await self.next()
                assert frame is not None
                assert frame.tag is Tag.RECORD
                events = self.peer.receive(frame.payload)
                if any(isinstance(event, Offered) for event in events):
                    self.peer.accept()
            if until(self.peer):
                return
            await self.speak()


@asynccontextmanager
async def against_hand(
    seat: Seat,
    plan: Plan = play_on,
    *,
    limits: Limits = DEFAULT_LIMITS,
    pair: tuple[trio.abc.Stream, trio.abc.Stream] | None = None,
) -> AsyncGenerator[tuple[Player, Hand]]:
    """A player at `seat` whose link runs, and the other seat in the hand of the test. Ends when the link does."""
    mine, theirs = pair or memory_pair()
    player, hand = Player(seat, mine, plan, limits=limits), Hand(other(seat), theirs)
    with trio.fail_after(1000):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(player.run)
            yield player, hand
    await trio.aclose_forcefully(theirs)


def to_choose(peer: Peer) -> bool:
    """The cards are on the table, nothing is owed, and somebody has to choose."""
    due = peer.session.due()
    return due is not None and due[1] is Kind.MOVE


def my_turn(peer: Peer) -> bool:
    """It is my turn to choose."""
    return bool(peer.choices())


def over(peer: Peer) -> bool:
    """The engine says over."""
    return peer.session.outcome is not None
