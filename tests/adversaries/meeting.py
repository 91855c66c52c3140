"""Both ends of a proven connection over TCP and TLS on this machine: one for a victim's link, one for an adversary."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress

import trio

from p2p_schotten.crypto.identity import Identity
from p2p_schotten.ids import Seat
from p2p_schotten.net.connection import Connection
from p2p_schotten.net.dial import dial
from p2p_schotten.net.frames import Frame, FrameBuffer, Tag
from p2p_schotten.net.invite import parse_target
from p2p_schotten.net.limits import DEFAULT_LIMITS, Limits
from p2p_schotten.net.lobby import open_lobby
from tests.adversaries.proxy import GONE, LOOPBACK

LONGEST = 100_000  # bytes of a frame that a victim may send


@asynccontextmanager
async def meeting(
    victim: Seat, identities: Sequence[Identity], limits: Limits = DEFAULT_LIMITS
) -> AsyncGenerator[tuple[Connection, Connection]]:
    """The end of seat `victim`, then the other one. `identities`: of both seats; seat 0 listens."""
    async with open_lobby(identities[0], bind=LOOPBACK, limits=limits) as lobby:
        guest = await dial(parse_target(f"{LOOPBACK}:{lobby.port}"), identities[1], limits=limits)
        host = await lobby.next()
        ends = (host, guest) if victim == 0 else (guest, host)
        try:
            yield ends
        finally:
            for end in ends:
                with trio.CancelScope(shield=True):
                    await trio.aclose_forcefully(end.stream)
                end.closed.set()


async def heard_until(stream: trio.abc.Stream, last: Tag | None = None) -> tuple[Frame, ...]:
    """Every frame that comes, to the first with that tag or to the end of the stream."""
    buffer, heard = FrameBuffer(lambda tag: LONGEST), list[Frame]()
    with suppress(*GONE):
        while data := bytes(await stream.receive_some(16 * 1024)):
            buffer.feed(data)
            while (frame := buffer.next()) is not None:
                heard.append(frame)
                if frame.tag is last:
                    return tuple(heard)
    return tuple(heard)


def records_of(frames: Sequence[Frame]) -> list[bytes]:
    """The records among them."""
    return [frame.payload for frame in frames if frame.tag is Tag.RECORD]
