"""Inside TLS both sides prove who they are; whoever cannot, learns in words that he did not, and nothing more."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest
import trio
import trio.testing

from p2p_schotten.crypto.identity import fingerprint
from p2p_schotten.errors import ChannelError, InvalidProof, Refused
from p2p_schotten.net import handshake
from p2p_schotten.net.handshake import (
    HELLO_BYTES,
    VERSIONS,
    Exchange,
    Hello,
    Kind,
    OwnIdentity,
    Proven,
    Refusal,
    Role,
    Said,
    WrongPin,
    agree,
)
from p2p_schotten.net.tls import seen_certificate_hash
from p2p_schotten.protocol import session
from tests.attacks import report_channel
from tests.net.sides import (
    ANN,
    BOB,
    EVE,
    HELLO_ANN,
    HELLO_BOB,
    SECRET,
    Result,
    Stream,
    Way,
    dial_on,
    listen_on,
    outcome,
    shake,
    tls_pair,
)

# The seven points of small order other than the identity, and the identity: RFC 8032 encodings, Section 5.1.3 decoding.
SMALL_ORDER = [
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
]


async def test_with_pin_and_secret_both_know_whom_they_met() -> None:
    host, guest = await shake(Way(ANN, secret=SECRET), Way(BOB, secret=SECRET, pin=ANN.public))
    assert host == Proven(BOB.public, Role.DIAL, True, 1)
    assert guest == Proven(ANN.public, Role.LISTEN, True, 1)


async def test_without_pin_and_secret_it_is_trust_on_first_use_with_a_fingerprint_to_read_aloud() -> None:
    host, guest = await shake(Way(ANN, secret=SECRET), Way(BOB))
    assert host == Proven(BOB.public, Role.DIAL, False, 1)
    assert guest == Proven(ANN.public, Role.LISTEN, False, 1)
    assert isinstance(guest, Proven)
    assert len(fingerprint(guest.identity).replace("-", "")) * 5 >= 80


async def test_a_version_mismatch_is_said_in_words_on_both_sides() -> None:
    host, guest = await shake(Way(ANN, versions=(2, 3)), Way(BOB, versions=(1, 1)))
    assert isinstance(host, Refused)
    assert isinstance(guest, Refused)
    assert str(host) == "you speak 2-3, your peer speaks 1: your peer needs a newer version of this program"
    assert str(guest) == "you speak 1, your peer speaks 2-3: you need a newer one"


async def test_the_highest_common_version_is_spoken() -> None:
    host, guest = await shake(Way(ANN, versions=(1, 3)), Way(BOB, versions=(2, 5)))
    assert isinstance(host, Proven)
    assert isinstance(guest, Proven)
    assert (host.version, guest.version) == (3, 3)
    assert agree((1, 3), (3, 9)) == 3


def test_the_channel_offers_the_versions_that_the_protocol_speaks() -> None:
    assert VERSIONS == session.VERSIONS


async def test_a_listener_with_another_key_than_the_pin_ends_the_attempt_before_anything_is_signed() -> None:
    left, right, certificate_hash = await tls_pair()
    into: dict[str, Result] = {}
    guest = Way(BOB, secret=SECRET, pin=ANN.public)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(
            outcome, lambda: listen_on(left, certificate_hash, Way(EVE, secret=SECRET)), left, into, "eve"
        )
        nursery.start_soon(outcome, lambda: dial_on(right, guest), right, into, "guest")
    assert isinstance(into["guest"], WrongPin)
    report_channel(into["guest"])
    assert fingerprint(ANN.public) in str(into["guest"])
    assert fingerprint(EVE.public) in str(into["guest"])
    assert isinstance(into["eve"], ChannelError)


async def test_a_wrong_secret_is_refused_in_words_on_both_sides() -> None:
    host, guest = await shake(Way(ANN, secret=SECRET), Way(BOB, secret=b"another 16 bytes", pin=ANN.public))
    for side in (host, guest):
        assert isinstance(side, Said)
        assert side.refusal is Refusal.SECRET_WRONG
        assert "ask for a new one" in str(side)


async def test_a_host_without_a_secret_takes_no_secret_for_proven() -> None:
    host, guest = await shake(Way(ANN), Way(BOB, secret=SECRET))
    assert isinstance(host, Said)
    assert isinstance(guest, Said)


async def test_my_own_identity_is_recognised_by_the_dialer() -> None:
    _, guest = await shake(Way(ANN), Way(ANN))
    assert isinstance(guest, OwnIdentity)


@pytest.mark.parametrize("key", SMALL_ORDER)
async def test_an_identity_key_of_small_order_is_refused_by_both_sides(key: str) -> None:
    for side in ("host", "guest"):
        left, right, certificate_hash = await tls_pair()
        into: dict[str, Result] = {}
        honest, attacker = (left, right) if side == "host" else (right, left)

        async def honestly(side: str = side, stream: Stream = honest, hashed: bytes = certificate_hash) -> Proven:
            return await (listen_on(stream, hashed, Way(ANN)) if side == "host" else dial_on(stream, Way(BOB)))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(outcome, honestly, honest, into, side)
            role = Role.DIAL if side == "host" else Role.LISTEN
            await attacker.send_all(Hello(role, (1, 1), bytes.fromhex(key), b"N" * 32).encode())
        assert isinstance(into[side], InvalidProof)
        report_channel(into[side])


async def relayed(host: Way, guest: Way) -> tuple[Result, Result, list[bytes]]:
    """A relay ends TLS towards both with a certificate of its own and passes on every byte of the handshake."""
    to_host_left, to_host_right, certificate_hash = await tls_pair()
    relay_end, guest_end, _ = await tls_pair()
    passed: list[bytes] = []
    into: dict[str, Result] = {}

    async def pump(source: Stream, target: Stream) -> None:
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            while data := await source.receive_some(4096):
                passed.append(bytes(data))
                await target.send_all(data)
        await trio.aclose_forcefully(target)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(outcome, lambda: listen_on(to_host_left, certificate_hash, host), to_host_left, into, "host")
        nursery.start_soon(outcome, lambda: dial_on(guest_end, guest), guest_end, into, "guest")
        nursery.start_soon(pump, relay_end, to_host_right)
        nursery.start_soon(pump, to_host_right, relay_end)
    return into["host"], into["guest"], passed


@pytest.mark.parametrize("pin", [ANN.public, None], ids=["pin", "no pin"])
async def test_a_relay_in_the_middle_fails_with_and_without_a_pin(pin: bytes | None) -> None:
    host, guest, passed = await relayed(Way(ANN, secret=SECRET), Way(BOB, secret=SECRET, pin=pin))
    assert len(b"".join(passed)) >= 2 * HELLO_BYTES + 65, "the relay did pass the hellos and the listener's proof"
    assert isinstance(guest, Refused)
    assert "somebody may sit between" in str(guest)
    report_channel(guest)
    assert isinstance(host, ChannelError)


async def test_the_secret_never_travels() -> None:
    passed: list[bytes] = []
    left, right, certificate_hash = await tls_pair()

    class Heard:
        """Sees what the dialer says inside TLS."""

        def __init__(self, stream: Stream) -> None:
            self.stream = stream

        async def send_all(self, data: bytes) -> None:
            passed.append(data)
            await self.stream.send_all(data)

        async def receive_some(self, size: int) -> bytes:
            return bytes(await self.stream.receive_some(size))

    async def guest() -> None:
        await handshake.dial(
            Heard(right),  # type: ignore[arg-type]  # the two methods that a handshake uses
            BOB,
            seen_certificate_hash(right),
            b"D" * 32,
            versions=(1, 1),
            pin=None,
            secret=SECRET,
            before_proof=trio.Lock(),
        )

    async with trio.open_nursery() as nursery:
        nursery.start_soon(guest)
        proven = await listen_on(left, certificate_hash, Way(ANN, secret=SECRET))
    assert proven.pinned
    assert len(passed) == 2
    assert SECRET not in b"".join(passed)


def test_every_part_of_the_exchange_enters_what_is_signed_and_what_proves_the_secret() -> None:
    base = Exchange(b"c" * 32, HELLO_ANN, HELLO_BOB)
    pairs = [
        *((_changed(HELLO_ANN, change), HELLO_BOB) for change in range(3)),
        *((HELLO_ANN, _changed(HELLO_BOB, change)) for change in range(3)),
        (HELLO_ANN, replace(HELLO_BOB, role=Role.WATCH)),
    ]
    others = [Exchange(b"d" * 32, HELLO_ANN, HELLO_BOB), *(Exchange(b"c" * 32, *pair) for pair in pairs)]
    for exchange in others:
        assert exchange.listener_statement() != base.listener_statement()
        assert exchange.dialer_statement(b"s" * 64) != base.dialer_statement(b"s" * 64)
        assert exchange.mac(SECRET, b"s" * 64, b"t" * 64) != base.mac(SECRET, b"s" * 64, b"t" * 64)
    assert base.dialer_statement(b"s" * 64) != base.dialer_statement(b"r" * 64)
    assert base.listener_statement() != base.dialer_statement(b"")
    assert len({base.mac(*parts) for parts in _mac_parts()}) == 4


def _mac_parts() -> list[tuple[bytes, bytes, bytes]]:
    return [
        (SECRET, b"s" * 64, b"t" * 64),
        (b"another 16 bytes", b"s" * 64, b"t" * 64),
        (SECRET, b"r" * 64, b"t" * 64),
        (SECRET, b"s" * 64, b"r" * 64),
    ]


def _changed(hello: Hello, change: int) -> Hello:
    return (replace(hello, versions=(1, 2)), replace(hello, key=EVE.public), replace(hello, nonce=b"x" * 32))[change]


async def test_a_dialers_proof_recorded_earlier_opens_no_second_channel() -> None:
    """EVE plays back what BOB sent to ANN; the certificate is another, so the signature does not fit."""
    left, right, first_hash = await tls_pair()
    again_left, again_right, second_hash = await tls_pair()
    exchange = Exchange(first_hash, HELLO_ANN, HELLO_BOB)
    signature = ANN.sign(exchange.listener_statement())
    recorded = BOB.sign(exchange.dialer_statement(signature)) + bytes(32)
    for stream, honest, hashed, works in (
        (right, left, first_hash, True),
        (again_right, again_left, second_hash, False),
    ):
        into: dict[str, Result] = {}

        async def host(stream: Stream = honest, hashed: bytes = hashed) -> Proven:
            return await listen_on(stream, hashed, Way(ANN))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(outcome, host, honest, into, "host")
            await stream.send_all(HELLO_BOB.encode())
            await stream.send_all(bytes([Kind.PROVED]) + recorded)
        assert isinstance(into["host"], Proven if works else InvalidProof)
    report_channel(into["host"])
