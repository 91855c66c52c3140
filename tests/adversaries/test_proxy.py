"""The fault proxy does what its plan says: else the tests that use it would prove nothing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random

import pytest
import trio

from tests.adversaries.proxy import (
    GONE,
    LOOPBACK,
    Cut,
    Faults,
    Plan,
    Proxy,
    Way,
    always,
    by_chance,
    harmless,
    in_turn,
    open_proxy,
)

ROOT = Path(__file__).resolve().parent.parent.parent


@asynccontextmanager
async def echo(plan: Plan = harmless) -> AsyncGenerator[tuple[Proxy, list[bytes]]]:
    """A proxy before a server that sends back what comes, and remembers it, one entry for each piece."""
    heard: list[bytes] = []

    async def serve(stream: trio.SocketStream) -> None:
        async with stream:
            with suppress(*GONE):
                async for data in stream:
                    heard.append(bytes(data))
                    await stream.send_all(data)

    with trio.fail_after(10):
        async with trio.open_nursery() as nursery:
            listeners = await trio.open_tcp_listeners(0, host=LOOPBACK)
            nursery.start_soon(trio.serve_listeners, serve, listeners)
            async with open_proxy(int(listeners[0].socket.getsockname()[1]), plan) as proxy:
                yield proxy, heard
            nursery.cancel_scope.cancel()


@pytest.fixture
async def streams() -> AsyncGenerator[list[trio.SocketStream]]:
    """Who came; closed behind the test."""
    came: list[trio.SocketStream] = []
    yield came
    for stream in came:
        await trio.aclose_forcefully(stream)


async def until_line(stream: trio.abc.ReceiveStream) -> bytes:
    """Up to the end of a line, byte by byte."""
    line = b""
    while not line.endswith(b"\n"):
        byte = await stream.receive_some(1)
        assert byte, "it ended before a line"
        line += byte
    return line


Come = Callable[[Proxy], Awaitable[trio.SocketStream]]


@pytest.fixture
def come(streams: list[trio.SocketStream]) -> Come:
    async def come(proxy: Proxy) -> trio.SocketStream:
        streams.append(await trio.open_tcp_stream(LOOPBACK, proxy.port))
        return streams[-1]

    return come


async def until_end(stream: trio.SocketStream) -> bytes:
    """All that comes to a polite end; raises BrokenResourceError at another."""
    return b"".join([bytes(data) async for data in stream])


async def test_without_faults_bytes_and_ends_travel_both_ways(come: Come) -> None:
    async with echo() as (proxy, heard):
        stream = await come(proxy)
        await stream.send_all(b"x" * 100_000)
        await stream.send_eof()
        assert await until_end(stream) == b"x" * 100_000
        assert b"".join(heard) == b"x" * 100_000
        assert proxy.forwarded == {Way.OUT: 100_000, Way.BACK: 100_000}
        assert proxy.cuts == {}


@pytest.mark.parametrize(("way", "there", "back"), [(Way.OUT, 7, None), (Way.BACK, None, 7)])
async def test_a_cut_by_fin_comes_after_exactly_so_many_bytes(
    way: Way, there: int | None, back: int | None, come: Come
) -> None:
    async with echo(in_turn(Faults(cut=Cut.FIN, after=7, way=way))) as (proxy, heard):
        stream = await come(proxy)
        await stream.send_all(b"0123456789")
        got = await until_end(stream)
        assert there is None or b"".join(heard) == b"0123456"
        assert back is None or got == b"0123456"
        assert proxy.cuts == {Cut.FIN: 1}
        later = await come(proxy)
        await later.send_all(b"0123456789")
        await later.send_eof()
        assert await until_end(later) == b"0123456789", "the plan spares the second connection"


async def test_a_cut_by_rst_breaks_both_ends(come: Come) -> None:
    async with echo(always(Faults(cut=Cut.RST, after=4, way=Way.OUT))) as (proxy, heard):
        stream = await come(proxy)
        await stream.send_all(b"0123456789")
        with pytest.raises(trio.BrokenResourceError):
            await until_end(stream)
        assert proxy.cuts == {Cut.RST: 1}
        assert b"".join(heard) in (b"0123", b""), "what was on its way may be lost"


async def test_half_open_keeps_both_ends_and_passes_nothing_on(come: Come) -> None:
    async with echo() as (proxy, heard):
        stream = await come(proxy)
        await stream.send_all(b"before")
        assert await stream.receive_some(100) == b"before"
        assert proxy.cut(Cut.HALF_OPEN) == 1
        await stream.send_all(b"behind")
        with trio.move_on_after(0.1) as waiting:
            await stream.receive_some(100)
        assert waiting.cancelled_caught
        assert heard == [b"before"]


async def test_single_bytes_come_one_at_a_time_and_late(come: Come) -> None:
    async with echo(always(Faults(piece=1, delay=0.01))) as (proxy, heard):
        stream = await come(proxy)
        began = trio.current_time()
        await stream.send_all(b"crumbs")
        await stream.send_eof()
        assert await until_end(stream) == b"crumbs"
        assert trio.current_time() - began >= 0.06
        assert heard == [bytes([byte]) for byte in b"crumbs"]


async def test_a_proxy_that_does_not_listen_refuses_and_comes_back_at_the_same_port(come: Come) -> None:
    async with echo() as (proxy, _heard):
        proxy.stop_listening(0.4)
        await trio.sleep(0.02)
        with pytest.raises(OSError, match="attempts to connect"):
            await come(proxy)
        await trio.sleep(0.45)
        stream = await come(proxy)
        await stream.send_all(b"again")
        assert await stream.receive_some(100) == b"again"


def test_chance_cuts_in_the_same_places_in_every_run() -> None:
    first, second = (by_chance(Random(5), within=1000, cuts=tuple(Cut)) for _ in range(2))
    plans = [first(number) for number in range(100)]
    assert plans == [second(number) for number in range(100)]
    assert {faults.cut for faults in plans} == set(Cut)
    assert all(0 <= faults.after < 1000 for faults in plans)


async def test_the_proxy_is_a_process_too_and_counts_its_cuts() -> None:
    async with echo() as (target, _heard):
        command = [sys.executable, "-m", "tests.adversaries.proxy", LOOPBACK, str(target.port), "--within", "1"]
        process = await trio.lowlevel.open_process(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT)
        assert process.stdout is not None
        assert process.stdin is not None
        port = int(await until_line(process.stdout))
        async with await trio.open_tcp_stream(LOOPBACK, port) as stream:
            with suppress(*GONE):
                await stream.send_all(b"cut me")
                await until_end(stream)
        await process.stdin.aclose()
        assert (await until_line(process.stdout)).startswith(b"1 connections, cuts: 1 by ")
        await process.wait()
        await process.stdout.aclose()
