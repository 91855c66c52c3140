"""The staller: an honest peer up to one step, who then says nothing more, or only that he is there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from enum import Enum
from typing import NoReturn

import trio

from p2p_schotten.ids import Seat
from p2p_schotten.net import handshake
from p2p_schotten.net.frames import Frame, Tag
from p2p_schotten.net.handshake import HELLO_BYTES, Exchange, Hello, Role, read_hello
from p2p_schotten.net.tls import listening, seen_certificate_hash, wrap_dialer, wrap_listener
from p2p_schotten.protocol.record import Kind, read_record
from tests.net.game import Hand, Plan, play_on
from tests.net.sides import ANN, BOB, Stream


class Door(Enum):
    """How far somebody comes at the door."""

    TCP = "after TCP"
    TLS = "after TLS"
    HELLO = "after the hello"
    PROOF = "after the proof"  # as a listener: without the welcome; as a dialer: after it, so he is connected


class Manner(Enum):
    """What he still does when he has stopped."""

    DEAD = "sends and reads nothing"
    AWAKE = "answers PING"


class _Stopped(Exception):
    """He has come to the step at which he stops."""


class Staller(Hand):
    """Honest until he would say a record of that kind."""

    def __init__(self, seat: Seat, stream: trio.abc.Stream, kind: Kind) -> None:
        super().__init__(seat, stream)
        self.kind = kind

    async def speak(self) -> None:
        for record in self.peer.frames():
            if read_record(record).kind is self.kind:
                raise _Stopped
            await self.send(Frame(Tag.RECORD, record))

    async def stall(self, manner: Manner, plan: Plan = play_on) -> NoReturn:
        """Plays to his step, and stays there until he is cancelled or the other has gone."""
        try:
            await self.go_on(lambda peer: False, plan)
        except _Stopped:
            while manner is Manner.AWAKE and await self.next() is not None:
                pass
        await trio.sleep_forever()


async def come_and_stall(stream: trio.SocketStream, door: Door) -> Stream:
    """A dialer who comes so far at a lobby and stops; his end, to be kept open."""
    tls = wrap_dialer(stream)
    if door is Door.TCP:
        return tls
    await tls.do_handshake()
    mine = Hello(Role.DIAL, (1, 1), BOB.public, b"D" * 32)
    if door is Door.HELLO:
        await tls.send_all(mine.encode())
        await handshake._receive(tls, HELLO_BYTES)
    elif door is Door.PROOF:
        await handshake.dial(
            tls,
            BOB,
            seen_certificate_hash(tls),
            mine.nonce,
            versions=(1, 1),
            pin=None,
            secret=None,
            before_proof=trio.Lock(),
        )
    return tls


def stalling_host(door: Door) -> Callable[[trio.SocketStream], Awaitable[None]]:
    """What a listener does with each connection, who comes so far and stops."""
    made = listening()

    async def serve(stream: trio.SocketStream) -> None:
        tls = wrap_listener(stream, made)
        if door is not Door.TCP:
            await tls.do_handshake()
        if door in (Door.HELLO, Door.PROOF):
            mine = Hello(Role.LISTEN, (1, 1), ANN.public, b"L" * 32)
            await tls.send_all(mine.encode())
            theirs = read_hello(await handshake._receive(tls, HELLO_BYTES))
            if door is Door.PROOF:
                statement = Exchange(made.certificate_hash, mine, theirs).listener_statement()
                await tls.send_all(bytes([handshake.Kind.PROVED]) + ANN.sign(statement))
        await trio.sleep_forever()

    return serve
