"""Visits to a lobby on this machine for the tests: coming, being refused, and whether bytes travel."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

import pytest
import trio

from p2p_schotten.crypto.identity import Identity
from p2p_schotten.net.connection import Connection
from p2p_schotten.net.dial import dial
from p2p_schotten.net.handshake import Refusal, Said
from p2p_schotten.net.invite import Address, Target
from p2p_schotten.net.limits import Limits
from p2p_schotten.net.lobby import Lobby, open_lobby
from p2p_schotten.net.tls import wrap_dialer
from tests.net.sides import ANN, QUICK, SECRET, Stream

LOOPBACK = "127.0.0.1"
GONE = (trio.BrokenResourceError, trio.ClosedResourceError)


@asynccontextmanager
async def a_lobby(
    *, secret: bytes | None = SECRET, invited_only: bool = False, limits: Limits = QUICK
) -> AsyncGenerator[Lobby]:
    async with open_lobby(ANN, secret=secret, invited_only=invited_only, bind=LOOPBACK, limits=limits) as lobby:
        yield lobby


async def come(lobby: Lobby, identity: Identity, secret: bytes | None) -> Connection:
    target = Target((Address(LOOPBACK, lobby.port),), ANN.public, secret)
    return await dial(target, identity, limits=QUICK)


async def said(lobby: Lobby, identity: Identity, secret: bytes | None) -> Refusal:
    """What the lobby answers to somebody whom it does not let in."""
    with pytest.raises(Said) as refused:
        await come(lobby, identity, secret)
    return refused.value.refusal


async def works(host: Connection, guest: Connection) -> bool:
    """Bytes travel both ways."""
    for source, target in ((host, guest), (guest, host)):
        await source.stream.send_all(b"still here")
        with trio.fail_after(3):
            if await target.stream.receive_some(100) != b"still here":
                return False
    return True


async def nobody_unproven(lobby: Lobby) -> None:
    """The lobby has let go of every stranger."""
    with trio.fail_after(3):
        while lobby.unproven:
            await trio.sleep(0.01)


async def until_closed(stream: trio.abc.Stream) -> None:
    """Waits until the other side has closed this stream."""
    with suppress(*GONE):
        while await stream.receive_some(1000):
            pass


async def connected(lobby: Lobby) -> trio.SocketStream:
    return await trio.open_tcp_stream(LOOPBACK, lobby.port)


async def in_tls(lobby: Lobby) -> Stream:
    stream = wrap_dialer(await connected(lobby))
    await stream.do_handshake()
    return stream
