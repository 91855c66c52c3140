"""Both ends of a channel for the tests: identities, TLS over memory, and what each side of a handshake came to."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

import trio
import trio.testing

from p2p_schotten.crypto.identity import Identity
from p2p_schotten.errors import SchottenError
from p2p_schotten.net import handshake
from p2p_schotten.net.handshake import Hello, Proven, Refusal, Role, Versions
from p2p_schotten.net.limits import DEFAULT_LIMITS
from p2p_schotten.net.tls import Listening, listening, seen_certificate_hash, wrap_dialer, wrap_listener

ANN = Identity.generate(bytes([1]) * 32)  # the host
BOB = Identity.generate(bytes([2]) * 32)  # the guest
EVE = Identity.generate(bytes([3]) * 32)
SECRET = b"sixteen bytes ok"
HELLO_ANN = Hello(Role.LISTEN, (1, 1), ANN.public, b"L" * 32)
HELLO_BOB = Hello(Role.DIAL, (1, 1), BOB.public, b"D" * 32)
QUICK = replace(DEFAULT_LIMITS, connect=2.0, stagger=0.05, handshake=1.0, linger=0.3)

Stream = trio.SSLStream[trio.abc.Stream]
Result = Proven | SchottenError


@dataclass(frozen=True)
class Way:
    """What one side of a handshake does; fields that are its own fault are changed by the tests."""

    identity: Identity
    versions: Versions = (1, 1)
    secret: bytes | None = None
    pin: bytes | None = None


def welcome(hello: Hello, proved: bool | None) -> Refusal | None:
    return Refusal.SECRET_WRONG if proved is False else None


def memory_pair() -> tuple[trio.abc.Stream, trio.abc.Stream]:
    """Two ends in memory."""
    return trio.testing.memory_stream_pair()


async def tls_pair(mine: Listening | None = None) -> tuple[Stream, Stream, bytes]:
    """Listener's stream, dialer's stream, hash of the certificate."""
    used = mine or listening()
    left, right = memory_pair()
    host, guest = wrap_listener(left, used), wrap_dialer(right)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(host.do_handshake)
        nursery.start_soon(guest.do_handshake)
    return host, guest, used.certificate_hash


async def listen_on(stream: Stream, certificate_hash: bytes, way: Way) -> Proven:
    return await handshake.listen(
        stream,
        way.identity,
        certificate_hash,
        b"L" * 32,
        versions=way.versions,
        secret=way.secret,
        heard=lambda: None,
        policy=welcome,
    )


async def dial_on(stream: Stream, way: Way) -> Proven:
    return await handshake.dial(
        stream,
        way.identity,
        seen_certificate_hash(stream),
        b"D" * 32,
        versions=way.versions,
        pin=way.pin,
        secret=way.secret,
        before_proof=trio.Lock(),
    )


async def outcome(attempt: Callable[[], Awaitable[Proven]], stream: Stream, into: dict[str, Result], name: str) -> None:
    """What the attempt came to; then its stream is closed, as the lobby and the dialer do."""
    try:
        into[name] = await attempt()
    except SchottenError as error:
        into[name] = error
    await trio.aclose_forcefully(stream)


async def shake(host: Way, guest: Way) -> tuple[Result, Result]:
    """What a handshake of these two comes to, on both sides."""
    left, right, certificate_hash = await tls_pair()
    into: dict[str, Result] = {}
    async with trio.open_nursery() as nursery:
        nursery.start_soon(outcome, lambda: listen_on(left, certificate_hash, host), left, into, "host")
        nursery.start_soon(outcome, lambda: dial_on(right, guest), right, into, "guest")
    return into["host"], into["guest"]
