"""Strangers of every kind are refused at the door and disturb neither the waiting host nor a running game."""

from __future__ import annotations

import errno
import os
import socket
import struct
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from typing import cast

import pytest
import trio

from p2p_schotten.net.handshake import Hello, Role
from p2p_schotten.net.lobby import Lobby, _host, _origin, _Visitor, _who_gives_way
from tests.attacks import CHANNEL, report
from tests.net.sides import BOB, EVE, QUICK, SECRET
from tests.net.visits import GONE, a_lobby, come, connected, in_tls, nobody_unproven, until_closed, works


async def asks_for_a_page(lobby: Lobby) -> None:
    stream = await connected(lobby)
    await stream.send_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    await until_closed(stream)
    await stream.aclose()


async def sends_random_bytes(lobby: Lobby) -> None:
    stream = await connected(lobby)
    with suppress(*GONE):
        await stream.send_all(os.urandom(5000))
    await until_closed(stream)
    await stream.aclose()


async def connects_and_closes(lobby: Lobby) -> None:
    await (await connected(lobby)).aclose()


async def connects_and_resets(lobby: Lobby) -> None:
    stream = await connected(lobby)
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    await stream.aclose()


async def stays_silent(lobby: Lobby) -> None:
    stream = await connected(lobby)
    await until_closed(stream)
    await stream.aclose()


async def stays_silent_in_tls(lobby: Lobby) -> None:
    stream = await in_tls(lobby)
    await until_closed(stream)
    await trio.aclose_forcefully(stream)


async def asks_for_a_page_in_tls(lobby: Lobby) -> None:
    stream = await in_tls(lobby)
    await stream.send_all(b"GET / HTTP/1.1\r\nHost: localhost\r\nUser-Agent: " + b"x" * 100 + b"\r\n\r\n")
    await until_closed(stream)
    await trio.aclose_forcefully(stream)


async def drips_a_hello(lobby: Lobby) -> None:
    stream = await in_tls(lobby)
    with suppress(*GONE):
        for byte in Hello(Role.DIAL, (1, 1), EVE.public, bytes(32)).encode():
            await stream.send_all(bytes([byte]))
            await trio.sleep(0.02)
    await until_closed(stream)
    await trio.aclose_forcefully(stream)


async def says_hello_and_leaves(lobby: Lobby) -> None:
    stream = await in_tls(lobby)
    await stream.send_all(Hello(Role.DIAL, (1, 1), EVE.public, bytes(32)).encode())
    await trio.aclose_forcefully(stream)


async def floods(lobby: Lobby) -> None:
    stream = await in_tls(lobby)
    with suppress(*GONE):
        for _ in range(200):
            await stream.send_all(bytes(10_000))
    await trio.aclose_forcefully(stream)


STRANGERS: list[Callable[[Lobby], Awaitable[None]]] = [
    asks_for_a_page,
    sends_random_bytes,
    connects_and_closes,
    connects_and_resets,
    stays_silent,
    stays_silent_in_tls,
    asks_for_a_page_in_tls,
    drips_a_hello,
    says_hello_and_leaves,
    floods,
]


@pytest.mark.parametrize("stranger", STRANGERS)
async def test_a_stranger_is_refused_and_the_friend_still_gets_in(stranger: Callable[[Lobby], Awaitable[None]]) -> None:
    async with a_lobby() as lobby:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(stranger, lobby)
            await trio.sleep(0.02)
            guest = await come(lobby, BOB, SECRET)
            host = await lobby.next()
            assert host.proven.identity == BOB.public
            with trio.fail_after(3):
                assert await works(host, guest)
        await guest.aclose()
        await nobody_unproven(lobby)


async def test_strangers_of_every_kind_at_once_do_not_disturb_a_running_game() -> None:
    async with a_lobby() as lobby:
        guest = await come(lobby, BOB, SECRET)
        host = await lobby.next()
        host.settled = True
        async with trio.open_nursery() as nursery:
            for stranger in STRANGERS * 2:
                nursery.start_soon(stranger, lobby)
            for _ in range(10):
                assert await works(host, guest)
                await trio.sleep(0.02)
        assert await works(host, guest)
        await nobody_unproven(lobby)
        await guest.aclose()
        await host.aclose()


async def test_fifty_silent_connections_do_not_keep_the_friend_out() -> None:
    async with a_lobby(limits=replace(QUICK, handshake=1.5)) as lobby:
        silent = [await connected(lobby) for _ in range(50)]
        start = time.monotonic()
        guest = await come(lobby, BOB, SECRET)
        assert (await lobby.next()).proven.identity == BOB.public
        assert time.monotonic() - start < 1.4
        assert lobby.unproven == 50
        await guest.aclose()
        for stream in silent:
            await stream.aclose()


async def test_of_too_many_unproven_connections_from_one_address_the_oldest_gives_way() -> None:
    async with a_lobby(limits=replace(QUICK, unproven=3, handshake=1.5)) as lobby:
        talking = await in_tls(lobby)
        await talking.send_all(Hello(Role.DIAL, (1, 1), EVE.public, bytes(32)).encode())
        await talking.receive_some(200)  # the host's hello: ours was read
        await trio.sleep(0.05)
        first, second = await connected(lobby), await connected(lobby)
        while lobby.unproven < 3:
            await trio.sleep(0.01)
        third = await connected(lobby)
        with trio.fail_after(1.2):
            await until_closed(talking)
        for stream in (first, second, third):
            with trio.move_on_after(0.05) as waiting:
                await stream.receive_some(1)
            assert waiting.cancelled_caught, "a newer one was closed"
        guest = await come(lobby, BOB, SECRET)
        assert (await lobby.next()).proven.identity == BOB.public
        for open_stream in (talking, first, second, third, guest.stream):
            await trio.aclose_forcefully(open_stream)


async def test_a_crowd_that_said_hello_does_not_push_out_a_friend_who_has_not_yet() -> None:
    async with a_lobby(limits=replace(QUICK, unproven=4, handshake=5.0)) as lobby:
        crowd = []
        for _ in range(4):
            crowd.append(await in_tls(lobby))
            await crowd[-1].send_all(Hello(Role.DIAL, (1, 1), EVE.public, bytes(32)).encode())
            await crowd[-1].receive_some(200)
        friend = await in_tls(lobby)
        late = await connected(lobby)
        for stream in crowd[:2]:
            with trio.fail_after(2):
                await until_closed(stream)
        assert await friend.receive_some(200), "the host's hello"
        for open_stream in (friend, late, *crowd):
            await trio.aclose_forcefully(open_stream)


def visitors(*who: str) -> list[_Visitor]:
    """In the order of their coming: the first letter is the network; a capital said hello."""
    return [_Visitor(letter.lower(), spoke=letter.isupper()) for letter in who]


@pytest.mark.parametrize(
    ("who", "leaves"),
    [
        ("a", 0),
        ("aaa", 0),
        ("Aaa", 0),  # within one network hello helps nothing
        ("fAAA", 1),  # the friend's network is not the crowd's
        ("faAA", 1),
        ("fABAB", 1),  # of two equal crowds, both said hello: the oldest
        ("fABaB", 3),  # the oldest silent one of them
        ("AfB", 1),  # everybody from elsewhere: the oldest silent one
        ("ABC", 0),
    ],
)
def test_who_gives_way_is_the_oldest_of_the_network_that_sent_the_most(who: str, leaves: int) -> None:
    those = visitors(*who)
    assert those.index(_who_gives_way(those)) == leaves


async def test_one_network_is_an_address_of_ipv4_and_what_one_home_has_in_ipv6() -> None:
    class Socket:
        def __init__(self, host: str) -> None:
            self.host = host

        def getpeername(self) -> tuple[str, int]:
            if not self.host:
                raise OSError(errno.ENOTCONN, "not connected")
            return self.host, 4000

    class Transport:
        def __init__(self, host: str) -> None:
            self.socket = Socket(host)

    def origin(host: str) -> str:
        return _origin(_host(cast("trio.SocketStream", Transport(host))))

    assert origin("192.0.2.1") != origin("192.0.2.2")
    assert origin("2001:db8:0:1::1") == origin("2001:db8:0:1:ffff::2") != origin("2001:db8:0:2::1")
    assert origin("fe80::1%eth0") == origin("fe80::2")
    assert origin("") == ""


async def test_nobody_holds_an_unproven_connection_for_longer_than_the_handshake_may_take() -> None:
    async with a_lobby() as lobby:
        start = time.monotonic()
        async with trio.open_nursery() as nursery:
            for stranger in (stays_silent, stays_silent_in_tls, drips_a_hello):
                nursery.start_soon(stranger, lobby)
        assert QUICK.handshake <= time.monotonic() - start < QUICK.handshake + 1.5
        report(CHANNEL, "connection closed: too slow")
        await nobody_unproven(lobby)
