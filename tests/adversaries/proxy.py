"""A fault proxy between two real TCP ends: it forwards bytes late, in crumbs, or no longer.

A plan says what happens to each connection; a test may change it, cut what is open, or make the proxy stop listening,
at any time. As a process of its own: `python -m tests.adversaries.proxy HOST PORT --seed N` writes its port on a line,
and ends with its standard input, after a line with its counters.
"""

from __future__ import annotations

import argparse
import socket
import struct
import sys
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from random import Random

import trio

LOOPBACK = "127.0.0.1"
GONE = (trio.BrokenResourceError, trio.ClosedResourceError)
CHUNK = 16 * 1024  # bytes forwarded at one time, at most
RESET = struct.pack("ii", 1, 0)  # SO_LINGER of 0 seconds: closing sends RST


class Cut(StrEnum):
    """How a connection ends, or seems not to."""

    FIN = "FIN"  # both ends hear that the other has closed
    RST = "RST"  # both ends hear that the connection broke; bytes on their way are lost
    HALF_OPEN = "half-open"  # both ends stay open, and nothing comes any more


class Way(StrEnum):
    """Whose bytes are counted until the cut."""

    OUT = "out"  # from who dialed the proxy
    BACK = "back"  # to him
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Faults:
    """What happens to one connection. Times in seconds, sizes in bytes."""

    delay: float = 0.0  # before each piece is forwarded
    jitter: float = 0.0  # and up to so much more, by chance
    piece: int = CHUNK  # the most that is forwarded at one time: 1 for single bytes
    cut: Cut | None = None
    after: int = 0  # the cut comes when so many bytes were forwarded, in the middle of a piece if need be
    way: Way = Way.BOTH
    away: float = 0.0  # after the cut nobody is let in for so long


HARMLESS = Faults()
Plan = Callable[[int], Faults]  # of the connection with this number, from 0


def always(faults: Faults) -> Plan:
    """The same for every connection."""
    return lambda number: faults


def harmless(number: int) -> Faults:
    """Every connection is left alone."""
    return HARMLESS


def in_turn(*first: Faults, then: Faults = HARMLESS) -> Plan:
    """These for the first connections, `then` for all later ones."""
    return lambda number: first[number] if number < len(first) else then


def by_chance(
    random: Random, *, within: int, cuts: tuple[Cut, ...] = (Cut.FIN, Cut.RST), jitter: float = 0.0, away: float = 0.0
) -> Plan:
    """Every connection is cut within so many bytes, in one of these ways, and late by up to `jitter`."""

    def plan(number: int) -> Faults:
        return Faults(
            jitter=random.uniform(0, jitter),
            piece=random.choice((1, 7, 100, CHUNK)),
            cut=random.choice(cuts),
            after=random.randrange(within),
            way=random.choice(tuple(Way)),
            away=random.uniform(0, away),
        )

    return plan


class _Pair:
    """One connection through the proxy."""

    def __init__(self, near: trio.SocketStream, far: trio.SocketStream, faults: Faults) -> None:
        self.faults = faults
        self.left = faults.after  # bytes until the cut
        self.ended: Cut | None = None
        self._sockets = (near.socket, far.socket)

    def end(self, how: Cut) -> None:
        """The connection ends so, at once; what still comes is dropped."""
        self.ended = how
        for end in self._sockets:
            with suppress(OSError):  # that end is gone already
                if how is Cut.RST:
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
                    end.close()
                elif how is Cut.FIN:
                    end.shutdown(socket.SHUT_WR)


class Proxy:
    """Listens at `port` while the block of `open_proxy` runs. `plan` may be replaced at any time."""

    def __init__(self, target: tuple[str, int], plan: Plan, random: Random) -> None:
        self.target = target
        self.plan = plan
        self.cuts: Counter[Cut] = Counter()
        self.connections = 0  # so many came
        self.forwarded: Counter[Way] = Counter()  # bytes each way
        self.port = 0
        self._random = random
        self._open: set[_Pair] = set()
        self._listening = trio.CancelScope()
        self._away = 0.0

    def cut(self, how: Cut) -> int:
        """Every connection that is open ends so, now; returns how many."""
        pairs = [pair for pair in self._open if pair.ended is None]
        for pair in pairs:
            self._end(pair, how)
        return len(pairs)

    def stop_listening(self, seconds: float) -> None:
        """Nobody is let in for so long: who dials is refused."""
        self._away = max(self._away, seconds)
        self._listening.cancel()

    async def run(self, started: trio.Event) -> None:
        """Serves until it is cancelled."""
        async with trio.open_nursery() as nursery:
            while True:
                listeners = await trio.open_tcp_listeners(self.port, host=LOOPBACK)
                self.port = int(listeners[0].socket.getsockname()[1])
                started.set()
                with trio.CancelScope() as self._listening:
                    await trio.serve_listeners(self._serve, listeners, handler_nursery=nursery)
                away, self._away = self._away, 0.0
                await trio.sleep(away)

    async def _serve(self, near: trio.SocketStream) -> None:
        number = self.connections
        self.connections += 1
        try:
            far = await trio.open_tcp_stream(*self.target)
        except OSError:
            await trio.aclose_forcefully(near)
            return
        pair = _Pair(near, far, self.plan(number))
        self._open.add(pair)
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._forward, pair, near, far, Way.OUT)
                nursery.start_soon(self._forward, pair, far, near, Way.BACK)
        finally:
            self._open.discard(pair)
            for stream in (near, far):
                stream.socket.close()  # here a cancelled task may not wait

    async def _forward(self, pair: _Pair, source: trio.SocketStream, target: trio.SocketStream, way: Way) -> None:
        """Bytes go one way until its end; after the cut they are dropped."""
        try:
            while data := bytes(await source.receive_some(pair.faults.piece)):
                if pair.ended is None:
                    await self._pass_on(pair, data, target, way)
            if pair.ended is None:
                await target.send_eof()
        except GONE:
            if pair.ended is None:
                pair.end(Cut.RST)  # one end broke, so the other hears of it; that is no cut of ours

    async def _pass_on(self, pair: _Pair, data: bytes, target: trio.SocketStream, way: Way) -> None:
        faults = pair.faults
        counts = faults.cut is not None and faults.way in (way, Way.BOTH)
        if faults.delay or faults.jitter:
            await trio.sleep(faults.delay + self._random.uniform(0, faults.jitter))
            if pair.ended is not None:
                return
        if counts:
            data = data[: pair.left]
            pair.left -= len(data)
        self.forwarded[way] += len(data)
        await target.send_all(data)
        if counts and pair.left == 0 and pair.ended is None and faults.cut is not None:
            self._end(pair, faults.cut)

    def _end(self, pair: _Pair, how: Cut) -> None:
        self.cuts[how] += 1
        pair.end(how)
        if pair.faults.away:
            self.stop_listening(pair.faults.away)


@asynccontextmanager
async def open_proxy(
    port: int, plan: Plan = harmless, *, host: str = LOOPBACK, random: Random | None = None
) -> AsyncGenerator[Proxy]:
    """A proxy in front of that port while the block runs. `random`: of the jitter."""
    proxy, started = Proxy((host, port), plan, random or Random(0)), trio.Event()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(proxy.run, started)
        await started.wait()
        yield proxy
        nursery.cancel_scope.cancel()


async def _serve_until_input_ends(host: str, port: int, plan: Plan, random: Random) -> None:
    async with open_proxy(port, plan, host=host, random=random) as proxy:
        print(proxy.port, flush=True)
        while await trio.to_thread.run_sync(sys.stdin.buffer.read, 1, abandon_on_cancel=True):
            pass
        cuts = ", ".join(f"{count} by {how}" for how, count in sorted(proxy.cuts.items())) or "none"
        print(f"{proxy.connections} connections, cuts: {cuts}", flush=True)


def main() -> None:
    """The proxy as a process."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    parser.add_argument("--seed", type=int, default=1, help="of the cuts")
    parser.add_argument("--within", type=int, default=100_000, help="bytes within which each connection is cut")
    parser.add_argument("--jitter", type=float, default=0.0, help="seconds that a piece is late, at most")
    parser.add_argument("--away", type=float, default=0.0, help="seconds nobody is let in after a cut, at most")
    parser.add_argument("--cuts", nargs="+", type=Cut, default=[Cut.FIN, Cut.RST], choices=list(Cut))
    asked = parser.parse_args()
    random = Random(asked.seed)
    plan = by_chance(random, within=asked.within, cuts=tuple(asked.cuts), jitter=asked.jitter, away=asked.away)
    trio.run(_serve_until_input_ends, asked.host, asked.port, plan, random)


if __name__ == "__main__":
    main()
