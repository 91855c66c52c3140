"""The door of the channel: what a stranger says before it is proven who he is, to somebody who listens or who dials."""

from __future__ import annotations

from functools import cache

import trio

from p2p_schotten.crypto.identity import Identity
from p2p_schotten.errors import ChannelError, InvalidProof, Malformed
from p2p_schotten.net.handshake import VERSIONS, Exchange, Hello, Kind, Proven, Refusal, Role, dial, listen
from tests.fuzz.mutate import Shape
from tests.fuzz.target import Target, check_sentence

# The nonces and the certificate are the same in every run, so that what was said once is an answer again.
LISTENER, DIALER = Identity(b"\x01" * 32), Identity(b"\x02" * 32)
CERTIFICATE, SECRET = b"\x03" * 32, b"\x04" * 16
NONCES = b"\x05" * 32, b"\x06" * 32
DIALS = 128  # a first byte from here on: I dial, else I listen; what is left of it is how many bytes come at once


class Said(trio.abc.Stream):
    """A stream on which everything was said before."""

    def __init__(self, data: bytes, cut: int) -> None:
        self._data, self._cut = data, cut
        self.taken = 0

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        assert data

    async def wait_send_all_might_not_block(self) -> None:
        """It never blocks."""

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        assert max_bytes is not None
        count = min(max_bytes, self._cut)
        self.taken, begin = min(self.taken + count, len(self._data)), self.taken
        return self._data[begin : self.taken]

    async def aclose(self) -> None:
        """Nothing is open."""


def handshake(data: bytes) -> bool:
    """Nobody gets in but who holds the key that he names; a refusal is one of those that the caller expects."""
    first = data[0] if data else 0
    stream = Said(data[1:], first % DIALS + 1)
    try:
        proven = trio.run(_dial if first >= DIALS else _listen, stream)
    except (ChannelError, Malformed, InvalidProof) as error:
        check_sentence(error)
        return False
    assert proven.identity == (LISTENER if first >= DIALS else DIALER).public
    assert proven.role is Role.LISTEN if first >= DIALS else proven.role in (Role.DIAL, Role.RESUME)
    assert stream.taken == len(_dialer_says() if first < DIALS else _listener_says())
    return True


async def _listen(stream: Said) -> Proven:
    return await listen(
        stream,
        LISTENER,
        CERTIFICATE,
        NONCES[0],
        versions=VERSIONS,
        secret=SECRET,
        heard=lambda: None,
        policy=lambda hello, proved: Refusal.SECRET_WRONG if proved is False else None,
    )


async def _dial(stream: Said) -> Proven:
    return await dial(
        stream,
        DIALER,
        CERTIFICATE,
        NONCES[1],
        versions=VERSIONS,
        pin=None,
        secret=SECRET,
        before_proof=trio.Lock(),
    )


def _hellos(role: Role = Role.DIAL) -> tuple[Hello, Hello]:
    mine = Hello(Role.LISTEN, VERSIONS, LISTENER.public, NONCES[0])
    return mine, Hello(role, VERSIONS, DIALER.public, NONCES[1])


@cache
def _listener_says() -> bytes:
    """All that an honest listener says to a dialer."""
    mine, theirs = _hellos()
    signature = LISTENER.sign(Exchange(CERTIFICATE, mine, theirs).listener_statement())
    return mine.encode() + bytes([Kind.PROVED]) + signature + bytes([Kind.WELCOME])


@cache
def _dialer_says(role: Role = Role.DIAL, *, secret: bool = True) -> bytes:
    """All that an honest dialer says to a listener."""
    mine, theirs = _hellos(role)
    exchange = Exchange(CERTIFICATE, mine, theirs)
    first = LISTENER.sign(exchange.listener_statement())
    second = DIALER.sign(exchange.dialer_statement(first))
    mac = exchange.mac(SECRET, first, second) if secret else bytes(32)
    return theirs.encode() + bytes([Kind.PROVED]) + second + mac


def _seeds() -> tuple[bytes, ...]:
    dialers = (_dialer_says(), _dialer_says(secret=False), _dialer_says(Role.RESUME))
    return (*(bytes([cut]) + said for said in dialers for cut in (0, 100)), bytes([DIALS + 7]) + _listener_says())


CHANNEL = (Target("handshake", handshake, _seeds, Shape.BYTES, 3),)
