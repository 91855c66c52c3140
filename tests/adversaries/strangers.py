"""Strangers on the port of a real `schotten host`: what they do there, and how much memory it costs the process."""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import trio

from p2p_schotten.crypto.identity import Identity
from p2p_schotten.errors import ChannelError
from p2p_schotten.net.dial import dial
from p2p_schotten.net.handshake import Hello, Role
from p2p_schotten.net.invite import parse_target
from p2p_schotten.net.tls import wrap_dialer
from tests.adversaries.flood import AT_THE_DOOR, MEBIBYTE, UNBEARABLE, flood
from tests.adversaries.proxy import GONE, LOOPBACK
from tests.net.sides import EVE
from tests.net.visits import until_closed

CROWD = 200  # connections of one stranger
MUCH = 4 * MEBIBYTE  # bytes that a flooder tries to get rid of at each visit
BOUND = 64 * MEBIBYTE  # bytes above idle
REST = 0.1  # seconds between two visits of one stranger: whoever comes more often only pushes out himself
Stranger = Callable[[int], Awaitable[None]]


def floods(data: bytes, *, tls: bool) -> Stranger:
    """Comes, sends as much as it can, and is sent away."""

    async def visit(port: int) -> None:
        transport = await trio.open_tcp_stream(LOOPBACK, port)
        try:
            await flood(wrap_dialer(transport) if tls else transport, data, MUCH)
        finally:
            await trio.aclose_forcefully(transport)

    return visit


async def drips(port: int) -> None:
    """A hello in TLS, one byte a second, until it is sent away."""
    transport = await trio.open_tcp_stream(LOOPBACK, port)
    try:
        stream = wrap_dialer(transport)
        for byte in Hello(Role.DIAL, (1, 1), EVE.public, bytes(32)).encode():
            await stream.send_all(bytes([byte]))
            await trio.sleep(1)
    finally:
        await trio.aclose_forcefully(transport)


async def crowds(port: int) -> None:
    """Two hundred connections at once, in TLS as far as they get; they stay until they are sent away."""

    async def one(tls: bool) -> None:
        with suppress(OSError, *GONE):
            transport = await trio.open_tcp_stream(LOOPBACK, port)
            try:
                if tls:
                    await wrap_dialer(transport).do_handshake()
                await until_closed(transport)
            finally:
                await trio.aclose_forcefully(transport)

    async with trio.open_nursery() as nursery:
        for number in range(CROWD):
            nursery.start_soon(one, number % 2 == 0)


async def sits_down_and_floods(port: int) -> None:
    """Somebody without the invite who proves an identity and then sends what may not come."""
    with suppress(ChannelError):
        connection = await dial(parse_target(f"{LOOPBACK}:{port}"), Identity.generate())
        try:
            await flood(connection.stream, UNBEARABLE["a mebibyte of empty arrays"], MUCH)
        finally:
            await trio.aclose_forcefully(connection.stream)


STRANGERS: dict[str, Stranger] = {
    **{
        f"{name}, {'in TLS' if tls else 'bare'}": floods(data, tls=tls)
        for name, data in AT_THE_DOOR.items()
        for tls in (False, True)
    },
    "drips": drips,
    "sits down and floods": sits_down_and_floods,
}


async def visit(stranger: Stranger, port: int, seconds: float) -> None:
    """One visit, of so many seconds at most."""
    with trio.move_on_after(seconds), suppress(OSError, *GONE):
        await stranger(port)


async def _again_and_again(stranger: Stranger, port: int) -> None:
    while True:
        await visit(stranger, port, math.inf)
        await trio.sleep(REST)


class Process:
    """The memory of a process, in bytes; 0 where the system does not tell (only /proc does)."""

    def __init__(self, pid: int) -> None:
        self._status = Path(f"/proc/{pid}/status")
        self.idle = self._read("VmRSS")
        self.peak = self.idle

    def look(self) -> None:
        """`peak` is up to date; nothing changes once the process has ended."""
        self.peak = max(self.peak, self._read("VmHWM"))

    @property
    def above_idle(self) -> int:
        """What it took at its peak beyond what it had at the beginning."""
        return self.peak - self.idle

    def _read(self, field: str) -> int:
        try:
            lines = self._status.read_text(encoding="ascii").splitlines()
        except OSError:
            return 0
        return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{field}:")), 0)


@asynccontextmanager
async def besieged(port: int, process: Process, *, crowd: bool) -> AsyncGenerator[None]:
    """While the block runs strangers of every kind come again and again, and a crowd if wanted, and memory is read."""

    async def watch() -> None:
        while True:
            process.look()
            await trio.sleep(0.05)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(watch)
        for stranger in STRANGERS.values():
            nursery.start_soon(_again_and_again, stranger, port)
        if crowd:
            nursery.start_soon(_again_and_again, crowds, port)
        yield
        nursery.cancel_scope.cancel()
    process.look()
