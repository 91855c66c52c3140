"""A guest finds the host at any of his addresses, and is told in one line when he does not."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial

import pytest
import trio

from p2p_schotten.crypto.identity import Identity
from p2p_schotten.errors import ChannelError, Refused
from p2p_schotten.net.dial import dial
from p2p_schotten.net.handshake import OwnIdentity, Refusal, Said, WrongPin
from p2p_schotten.net.invite import Address, Target
from p2p_schotten.net.lobby import Lobby, open_lobby
from tests.attacks import report_channel
from tests.net.sides import ANN, BOB, EVE, QUICK, SECRET

LOOPBACK = "127.0.0.1"
Handler = Callable[[trio.SocketStream], Awaitable[None]]


@asynccontextmanager
async def serving(handler: Handler) -> AsyncGenerator[Address]:
    """A stranger's server."""
    async with trio.open_nursery() as nursery:
        (listener, *_) = await trio.open_tcp_listeners(0, host=LOOPBACK)
        nursery.start_soon(partial(trio.serve_listeners, handler, [listener]))
        yield Address(LOOPBACK, int(listener.socket.getsockname()[1]))
        nursery.cancel_scope.cancel()


async def hangs(stream: trio.SocketStream) -> None:
    await trio.sleep_forever()


async def serves_pages(stream: trio.SocketStream) -> None:
    await stream.receive_some(1000)
    await stream.send_all(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")


async def hangs_up(stream: trio.SocketStream) -> None:
    await stream.receive_some(1)


async def free_address() -> Address:
    """Where nobody listens."""
    (listener, *_) = await trio.open_tcp_listeners(0, host=LOOPBACK)
    port = int(listener.socket.getsockname()[1])
    await listener.aclose()
    return Address(LOOPBACK, port)


@asynccontextmanager
async def lobby_of(identity: Identity, secret: bytes | None = SECRET) -> AsyncGenerator[Lobby]:
    async with open_lobby(identity, secret=secret, bind=LOOPBACK, limits=QUICK) as lobby:
        yield lobby


async def refused(*addresses: Address, key: bytes | None = ANN.public, identity: Identity = BOB) -> ChannelError:
    """What the dialer says in the end."""
    with pytest.raises(ChannelError) as caught:
        await dial(Target(addresses, key, SECRET), identity, limits=QUICK)
    assert "\n" not in str(caught.value)
    return caught.value


async def test_nobody_listening_is_said_with_the_address() -> None:
    address = await free_address()
    assert str(await refused(address)) == f"{address}: nobody listens there"


async def test_a_name_that_does_not_exist_is_said() -> None:
    assert str(await refused(Address("nowhere.invalid", 4000))) == "nowhere.invalid:4000: no such host is known"


@pytest.mark.parametrize("host", ["..", "ü..", "ü" * 80])
async def test_a_host_that_no_name_can_be_is_not_known(host: str) -> None:
    assert str(await refused(Address(host, 4000))) == f"{host}:4000: no such host is known"


@pytest.mark.parametrize(
    ("stranger", "why"),
    [
        (hangs, "it does not answer in the way of this game"),
        (serves_pages, "what answers is not this game"),
        (hangs_up, "it closed the connection"),
    ],
)
async def test_a_stranger_at_the_address_is_not_taken_for_the_host(stranger: Handler, why: str) -> None:
    async with serving(stranger) as address:
        assert str(await refused(address)) == f"{address}: {why}"


async def test_every_address_is_named_when_none_answers() -> None:
    nobody = await free_address()
    async with serving(serves_pages) as web:
        error = await refused(nobody, web)
    assert str(error) == f"{nobody}: nobody listens there; {web}: what answers is not this game"


async def test_a_pin_mismatch_ends_the_attempt_and_nothing_is_tried_without_the_pin() -> None:
    async with lobby_of(EVE) as eve:
        error = await refused(Address(LOOPBACK, eve.port))
        assert isinstance(error, WrongPin)
        report_channel(error)
        await trio.sleep(0.05)
        assert eve.bound_to is None


async def test_a_pin_mismatch_is_what_the_player_hears_of_before_all_else() -> None:
    nobody = await free_address()
    async with lobby_of(EVE) as eve, serving(serves_pages) as web:
        error = await refused(nobody, web, Address(LOOPBACK, eve.port))
    assert isinstance(error, WrongPin)


async def test_the_host_is_found_beside_dead_hanging_and_foreign_addresses() -> None:
    nobody = await free_address()
    async with lobby_of(ANN) as ann, lobby_of(EVE) as eve, serving(hangs) as hanging, serving(serves_pages) as web:
        addresses = (nobody, hanging, Address(LOOPBACK, eve.port), web, Address(LOOPBACK, ann.port))
        start = time.monotonic()
        guest = await dial(Target(addresses, ANN.public, SECRET), BOB, limits=QUICK)
        assert time.monotonic() - start < QUICK.handshake, "the hanging one was not waited for"
        assert guest.proven.pinned
        assert (await ann.next()).proven.identity == BOB.public
        await guest.aclose()


async def test_one_host_with_many_addresses_gives_one_seat_once() -> None:
    async with lobby_of(ANN) as ann:
        target = Target((Address(LOOPBACK, ann.port),) * 6, ANN.public, SECRET)
        guest = await dial(target, BOB, limits=replace(QUICK, stagger=0.0))
        host = await ann.next()
        with trio.move_on_after(0.2) as waiting:
            await ann.next()
        assert waiting.cancelled_caught, "the same guest was seated twice"
        await host.stream.send_all(b"this one")
        assert await guest.stream.receive_some(100) == b"this one"
        await guest.aclose()


async def test_what_the_right_host_refuses_is_final() -> None:
    async with lobby_of(ANN) as ann:
        first = await dial(Target((Address(LOOPBACK, ann.port),), ANN.public, SECRET), BOB, limits=QUICK)
        async with serving(hangs) as hanging:
            start = time.monotonic()
            error = await refused(Address(LOOPBACK, ann.port), hanging, identity=EVE)
            assert time.monotonic() - start < QUICK.handshake, "the hanging address was waited for"
        assert isinstance(error, Said)
        assert error.refusal is Refusal.SECRET_USED
        assert "used by another player already" in str(error)
        await first.aclose()


async def test_my_own_invite_is_recognised_without_dialing() -> None:
    error = await refused(Address(LOOPBACK, 1), key=BOB.public)
    assert isinstance(error, OwnIdentity)


async def test_my_own_identity_behind_an_address_is_recognised() -> None:
    async with lobby_of(BOB, None) as mine:
        with pytest.raises(OwnIdentity):
            await dial(Target((Address(LOOPBACK, mine.port),)), BOB, limits=QUICK)


async def test_without_a_pin_whoever_answers_is_taken_and_shown() -> None:
    async with lobby_of(EVE, None) as eve:
        guest = await dial(Target((Address(LOOPBACK, eve.port),)), BOB, limits=QUICK)
        assert not guest.proven.pinned
        assert guest.proven.identity == EVE.public
        await guest.aclose()


async def test_a_refusal_is_of_the_class_for_it() -> None:
    async with lobby_of(ANN) as ann:
        with pytest.raises(Refused):
            await dial(Target((Address(LOOPBACK, ann.port),), ANN.public, b"another 16 bytes"), BOB, limits=QUICK)
