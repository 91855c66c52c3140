"""A message of the handshake that is none, or comes from the wrong side or at the wrong time, is refused."""

from __future__ import annotations

from contextlib import suppress

import pytest
import trio
import trio.testing
from hypothesis import given
from hypothesis import strategies as st

from p2p_schotten.errors import InvalidProof, Malformed, Refused, SchottenError
from p2p_schotten.net.handshake import HELLO_BYTES, Hello, Kind, Refusal, Role, Said, read_hello
from tests.net.sides import ANN, BOB, HELLO_ANN, HELLO_BOB, Result, Way, dial_on, listen_on, outcome, tls_pair


def error(result: Result) -> SchottenError:
    assert isinstance(result, SchottenError), f"expected an error, got {result}"
    return result


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"GET / HTTP/1.1\r\n" + bytes(HELLO_BYTES - 16), "not this game"),
        (HELLO_BOB.encode()[:8] + b"\2" + HELLO_BOB.encode()[9:], "form 2, this program knows form 1"),
        (HELLO_BOB.encode()[:9] + b"\5" + HELLO_BOB.encode()[10:], "role 5"),
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
