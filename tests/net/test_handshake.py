"""Inside TLS both sides prove who they are; whoever cannot, learns in words that he did not, and nothing more."""

from __future__ import annotations

import ssl
import tempfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
import trio
import trio.testing
from hypothesis import given
from hypothesis import strategies as st

from p2p_schotten.crypto.identity import fingerprint
from p2p_schotten.errors import ChannelError, InvalidProof, Malformed, Refused, SchottenError
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
    read_hello,
)
from p2p_schotten.net.tls import listening, seen_certificate_hash, wrap_listener
from p2p_schotten.protocol import session
from tests.net.sides import (
    ANN,
    BOB,
    EVE,
    SECRET,
    Result,
    Stream,
    Way,
    dial_on,
    listen_on,
    memory_pair,
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


def error(result: Result) -> SchottenError:
    assert isinstance(result, SchottenError), f"expected an error, got {result}"
    return result


async def test_with_pin_and_secret_both_know_whom_they_met() -> None:
    host, guest = await shake(Way(ANN, secret=SECRET), Way(BOB, secret=SECRET, pin=ANN.public))
    assert host == Proven(BOB.public, Role.DIAL, True, 1)
    assert guest == Proven(ANN.public, Role.LISTEN, True, 1)


async def test_without_pin_and_secret_it_is_trust_on_first_use_with_a_fingerprint_to_read_aloud() -> None:
    host, guest = await shake(Way(ANN, secret=SECRET), Way(BOB))
    assert host == Proven(BOB.public, Role.DIAL, False, 1)
    assert guest == Proven(ANN.public, Role.LISTEN, False, 1)
    assert isinstance(guest, Proven)
    assert guest.fingerprint == fingerprint(ANN.public)
    assert len(guest.fingerprint.replace("-", "")) * 5 >= 80


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


@pytest.mark.parametrize("pin", [ANN.public, None])
async def test_a_relay_in_the_middle_fails_with_and_without_a_pin(pin: bytes | None) -> None:
    host, guest, passed = await relayed(Way(ANN, secret=SECRET), Way(BOB, secret=SECRET, pin=pin))
    assert len(b"".join(passed)) >= 2 * HELLO_BYTES + 65, "the relay did pass the hellos and the listener's proof"
    assert isinstance(guest, Refused)
    assert "somebody may sit between" in str(guest)
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


HELLO_ANN = Hello(Role.LISTEN, (1, 1), ANN.public, b"L" * 32)
HELLO_BOB = Hello(Role.DIAL, (1, 1), BOB.public, b"D" * 32)


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


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"GET / HTTP/1.1\r\n" + bytes(HELLO_BYTES - 16), "not this game"),
        (HELLO_BOB.encode()[:8] + b"\2" + HELLO_BOB.encode()[9:], "form 2, this program knows form 1"),
        (HELLO_BOB.encode()[:9] + b"\4" + HELLO_BOB.encode()[10:], "role 4"),
        (HELLO_BOB.encode()[:9] + b"\0" + HELLO_BOB.encode()[10:], "role 0"),
        (Hello(Role.DIAL, (0, 1), BOB.public, bytes(32)).encode(), "version range 0 to 1"),
        (Hello(Role.DIAL, (3, 2), BOB.public, bytes(32)).encode(), "version range 3 to 2"),
        (HELLO_BOB.encode()[:-1], "has 78 bytes, got 77"),
        (HELLO_BOB.encode() + b"\0", "has 78 bytes, got 79"),
    ],
)
def test_a_hello_that_is_none_is_refused_with_the_reason(data: bytes, why: str) -> None:
    with pytest.raises(Malformed, match=why):
        read_hello(data)


@given(
    st.builds(
        Hello,
        st.sampled_from(Role),
        st.tuples(st.integers(1, 65535), st.integers(1, 65535)).map(lambda pair: (min(pair), max(pair))),
        st.binary(min_size=32, max_size=32),
        st.binary(min_size=32, max_size=32),
    )
)
def test_a_hello_is_read_as_it_was_written_in_78_bytes(hello: Hello) -> None:
    assert len(hello.encode()) == 78
    assert read_hello(hello.encode()) == hello


async def listener_hears(*messages: bytes) -> Result:
    """What the listener comes to when a dialer says this and closes."""
    left, right, certificate_hash = await tls_pair()
    into: dict[str, Result] = {}
    async with trio.open_nursery() as nursery:
        nursery.start_soon(outcome, lambda: listen_on(left, certificate_hash, Way(ANN)), left, into, "host")
        for message in messages:
            await right.send_all(message)
        with trio.move_on_after(0.05), suppress(trio.BrokenResourceError):
            while await right.receive_some():
                pass
        await trio.aclose_forcefully(right)
    return into["host"]


async def test_a_dialer_cannot_be_a_listener_and_may_not_watch_yet() -> None:
    listener = await listener_hears(Hello(Role.LISTEN, (1, 1), BOB.public, bytes(32)).encode())
    assert isinstance(listener, Malformed)
    watcher = await listener_hears(Hello(Role.WATCH, (1, 1), BOB.public, bytes(32)).encode())
    assert isinstance(watcher, Said)
    assert watcher.refusal is Refusal.NO_WATCHING


async def test_a_dialer_that_signs_something_else_or_nothing_is_refused() -> None:
    hello = HELLO_BOB.encode()
    forged = bytes([Kind.PROVED]) + BOB.sign(b"something else") + bytes(32)
    assert isinstance(await listener_hears(hello, forged), InvalidProof)
    assert isinstance(await listener_hears(hello, bytes([Kind.WELCOME]) + forged[1:]), Malformed)
    closed = error(await listener_hears(hello))
    assert "before it was proven" in str(closed)


async def dialer_hears(*messages: bytes) -> Result:
    left, right, _ = await tls_pair()
    into: dict[str, Result] = {}
    async with trio.open_nursery() as nursery:
        nursery.start_soon(outcome, lambda: dial_on(right, Way(BOB)), right, into, "guest")
        for message in messages:
            await left.send_all(message)
        await trio.testing.wait_all_tasks_blocked()
        await trio.aclose_forcefully(left)
    return into["guest"]


async def test_a_refusal_that_comes_before_the_listener_proved_itself_is_not_final() -> None:
    refused = await dialer_hears(HELLO_ANN.encode(), bytes([Kind.REFUSED, Refusal.BUSY]))
    assert isinstance(refused, Refused)
    assert not isinstance(refused, Said)


async def test_a_refusal_with_an_unknown_number_shows_none_of_the_strangers_words() -> None:
    refused = error(await dialer_hears(HELLO_ANN.encode(), bytes([Kind.REFUSED, 200])))
    assert str(refused) == "the host said no, for a reason that this program does not know (number 200)"


async def test_a_listener_that_signs_something_else_or_nothing_is_refused() -> None:
    forged = bytes([Kind.PROVED]) + ANN.sign(b"something else")
    assert isinstance(await dialer_hears(HELLO_ANN.encode(), forged), Refused)
    assert isinstance(await dialer_hears(HELLO_ANN.encode(), bytes([Kind.WELCOME])), Malformed)
    assert isinstance(await dialer_hears(HELLO_BOB.encode()), Malformed)


async def test_only_tls_1_3_is_spoken_and_no_ticket_is_given() -> None:
    host, guest, _ = await tls_pair()
    assert host.version() == guest.version() == "TLSv1.3"
    used = listening()
    assert used.context.num_tickets == 0
    assert used.context.minimum_version == ssl.TLSVersion.TLSv1_3
    left, right = memory_pair()
    old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    old.check_hostname = False
    old.verify_mode = ssl.CERT_NONE
    old.maximum_version = ssl.TLSVersion.TLSv1_2

    async def fails(stream: Stream) -> None:
        with pytest.raises(trio.BrokenResourceError):
            await stream.do_handshake()
        await trio.aclose_forcefully(stream)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(fails, wrap_listener(left, used))
        nursery.start_soon(fails, trio.SSLStream(right, old))


async def test_each_listening_has_a_certificate_of_its_own_and_the_dialer_sees_its_hash() -> None:
    first, second = listening(), listening()
    assert first.certificate_hash != second.certificate_hash
    _, guest, certificate_hash = await tls_pair(first)
    assert seen_certificate_hash(guest) == certificate_hash == first.certificate_hash


def test_the_listeners_private_key_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    written: list[bytes] = []
    real = ssl.SSLContext.load_cert_chain

    def spy(self: ssl.SSLContext, certfile: str, keyfile: None = None, password: bytes | None = None) -> None:
        written.append(Path(certfile).read_bytes())
        real(self, certfile, keyfile, password)

    monkeypatch.setattr(ssl.SSLContext, "load_cert_chain", spy)
    listening()
    assert len(written) == 1
    assert b"ENCRYPTED PRIVATE KEY" in written[0]
    assert list(tmp_path.iterdir()) == []
