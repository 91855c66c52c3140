"""Two seats that look for each other on this machine, for the tests of coming back."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import trio

from p2p_schotten.crypto.identity import Identity
from p2p_schotten.net.connection import Connection
from p2p_schotten.net.dial import dial
from p2p_schotten.net.invite import Address, Target
from p2p_schotten.net.lobby import Lobby
from p2p_schotten.net.reconnect import Parties, WayBack, way_back
from tests.net.game import GUEST, HOST
from tests.net.sides import ANN, BOB, QUICK
from tests.net.visits import LOOPBACK


@asynccontextmanager
async def seat(
    identity: Identity, *, lobby: Lobby | None = None, at: int | None = None, to: int | None = None
) -> AsyncGenerator[WayBack]:
    """Ann at seat 0 or Bob at seat 1, who listens at one port and has met the other at another."""
    parties = Parties(ANN, HOST, BOB.public) if identity is ANN else Parties(BOB, GUEST, ANN.public)
    addresses = (Address(LOOPBACK, to),) if to else ()
    async with way_back(parties, lobby=lobby, port=at, addresses=addresses, limits=QUICK) as way:
        yield way


@asynccontextmanager
async def together(ann: WayBack, bob: WayBack) -> AsyncGenerator[tuple[Connection, Connection]]:
    """What each of them connects to, within the two seconds that a cut on one machine may last; closed afterwards."""
    found: dict[str, Connection] = {}

    async def one(name: str, way: WayBack) -> None:
        found[name] = await way.connect()

    with trio.fail_after(2):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(one, "ann", ann)
            nursery.start_soon(one, "bob", bob)
    yield found["ann"], found["bob"]
    await close(*found.values())


async def close(*connections: Connection) -> None:
    """All these are closed, by either side."""
    for connection in connections:
        await trio.aclose_forcefully(connection.stream)
        connection.closed.set()


async def come_back(port: int, identity: Identity, secret: bytes | None = None) -> Connection:
    """Dials Ann to go on with a game."""
    target = Target((Address(LOOPBACK, port),), ANN.public, secret)
    return await dial(target, identity, resume=GUEST, limits=QUICK)
