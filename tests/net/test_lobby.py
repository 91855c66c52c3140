"""Strangers of every kind are refused at the door and disturb neither the waiting host nor a running game."""

from __future__ import annotations

import errno
import os
import socket
import struct
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
import trio

from p2p_schotten.crypto.identity import Identity
from p2p_schotten.errors import ChannelError, Refused
from p2p_schotten.net import handshake
from p2p_schotten.net.connection import Connection
from p2p_schotten.net.dial import dial
from p2p_schotten.net.handshake import Hello, Refusal, Role, Said
from p2p_schotten.net.invite import Address, Target, parse_target
from p2p_schotten.net.limits import Limits
from p2p_schotten.net.lobby import PORT_TRIES, Lobby, _listen, _origin, _Visitor, _who_gives_way, open_lobby
from p2p_schotten.net.tls import wrap_dialer
from tests.net.sides import ANN, BOB, EVE, QUICK, SECRET, Stream

LOOPBACK = "127.0.0.1"
GONE = (trio.BrokenResourceError, trio.ClosedResourceError)


@asynccontextmanager
async def a_lobby(
    *, secret: bytes | None = SECRET, invited_only: bool = False, limits: Limits = QUICK
) -> AsyncGenerator[Lobby]:
    async with open_lobby(ANN, secret=secret, invited_only=invited_only, bind=LOOPBACK, limits=limits) as lobby:
        yield lobby


async def come(lobby: Lobby, identity: Identity, secret: bytes | None) -> Connection:
    target = Target((Address(LOOPBACK, lobby.port),), ANN.public, secret)
    return await dial(target, identity, limits=QUICK)


async def said(lobby: Lobby, identity: Identity, secret: bytes | None) -> Refusal:
    """What the lobby answers to somebody whom it does not let in."""
    with pytest.raises(Said) as refused:
        await come(lobby, identity, secret)
    return refused.value.refusal


async def works(host: Connection, guest: Connection) -> bool:
    """Bytes travel both ways."""
    for source, target in ((host, guest), (guest, host)):
        await source.stream.send_all(b"still here")
        with trio.fail_after(3):
            if await target.stream.receive_some(100) != b"still here":
                return False
    return True


async def nobody_unproven(lobby: Lobby) -> None:
    """The lobby has let go of every stranger."""
    with trio.fail_after(3):
        while lobby.unproven:
            await trio.sleep(0.01)


async def until_closed(stream: trio.abc.Stream) -> None:
    """Waits until the other side has closed this stream."""
    with suppress(*GONE):
        while await stream.receive_some(1000):
            pass


async def connected(lobby: Lobby) -> trio.SocketStream:
    return await trio.open_tcp_stream(LOOPBACK, lobby.port)


async def in_tls(lobby: Lobby) -> Stream:
    stream = wrap_dialer(await connected(lobby))
    await stream.do_handshake()
    return stream


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
        return _origin(cast("trio.SocketStream", Transport(host)))

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
        await nobody_unproven(lobby)


async def test_the_secret_binds_to_the_first_identity_that_proves_it() -> None:
    async with a_lobby() as lobby:
        guest = await come(lobby, BOB, SECRET)
        host = await lobby.next()
        assert host.proven.pinned
        assert lobby.bound_to == BOB.public
        assert await said(lobby, EVE, SECRET) is Refusal.SECRET_USED
        assert await said(lobby, EVE, None) is Refusal.RESERVED
        await guest.aclose()
        await host.aclose()
        assert await said(lobby, EVE, SECRET) is Refusal.SECRET_USED
        again = await come(lobby, BOB, SECRET)
        assert (await lobby.next()).proven.identity == BOB.public
        await again.aclose()


async def test_a_wrong_secret_binds_nothing() -> None:
    async with a_lobby() as lobby:
        assert await said(lobby, EVE, b"another 16 bytes") is Refusal.SECRET_WRONG
        assert lobby.bound_to is None
        guest = await come(lobby, BOB, SECRET)
        assert (await lobby.next()).proven.identity == BOB.public
        await guest.aclose()


async def test_before_the_secret_is_proven_somebody_without_it_may_come_and_is_not_pinned() -> None:
    async with a_lobby() as lobby:
        guest = await come(lobby, EVE, None)
        host = await lobby.next()
        assert (host.proven.identity, host.proven.pinned) == (EVE.public, False)
        await guest.aclose()
        await host.aclose()
        friend = await come(lobby, BOB, SECRET)
        assert (await lobby.next()).proven.pinned
        await friend.aclose()


async def test_who_proves_the_secret_displaces_a_visitor_without_it_as_long_as_no_game_exists() -> None:
    async with a_lobby() as lobby:
        squatter = await come(lobby, EVE, None)
        host = await lobby.next()
        friend = await come(lobby, BOB, SECRET)
        host_again = await lobby.next()
        assert (host_again.proven.identity, host_again.proven.pinned) == (BOB.public, True)
        assert host.closed.is_set()
        with trio.fail_after(3):
            await until_closed(squatter.stream)
        await squatter.aclose()
        assert await works(host_again, friend)
        assert await said(lobby, EVE, None) is Refusal.RESERVED
        await friend.aclose()


async def test_a_visitor_whom_the_host_has_not_yet_met_is_displaced_too() -> None:
    async with a_lobby() as lobby:
        squatter = await come(lobby, EVE, None)
        friend = await come(lobby, BOB, SECRET)
        assert (await lobby.next()).proven.identity == BOB.public
        await squatter.aclose()
        await friend.aclose()


async def test_a_visitor_who_does_not_read_his_welcome_does_not_keep_the_friend_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = handshake._send
    stuck = trio.Event()

    async def send(stream: trio.abc.Stream, data: bytes) -> None:
        if data == bytes([handshake.Kind.WELCOME]) and not stuck.is_set():
            stuck.set()
            await trio.sleep_forever()
        await real(stream, data)

    monkeypatch.setattr(handshake, "_send", send)
    async with a_lobby(limits=replace(QUICK, handshake=20.0)) as lobby, trio.open_nursery() as nursery:

        async def squat() -> None:
            with pytest.raises(ChannelError):
                await come(lobby, EVE, None)

        nursery.start_soon(squat)
        with trio.fail_after(5):
            await stuck.wait()
            friend = await come(lobby, BOB, SECRET)
            assert (await lobby.next()).proven.identity == BOB.public
        await friend.aclose()


async def test_a_game_with_a_visitor_that_both_committed_to_is_not_broken_up() -> None:
    async with a_lobby() as lobby:
        visitor = await come(lobby, EVE, None)
        host = await lobby.next()
        host.settled = True
        assert await said(lobby, BOB, SECRET) is Refusal.BUSY
        assert await works(host, visitor)
        await visitor.aclose()
        await host.aclose()
        friend = await come(lobby, BOB, SECRET)
        assert (await lobby.next()).proven.pinned
        await friend.aclose()


async def test_a_lobby_can_come_to_take_invited_players_only() -> None:
    async with a_lobby() as lobby:
        lobby.take_invited_only()
        assert await said(lobby, EVE, None) is Refusal.SECRET_NEEDED
        friend = await come(lobby, BOB, SECRET)
        assert (await lobby.next()).proven.pinned
        await friend.aclose()


async def test_a_lobby_for_invited_players_only_takes_nobody_without_the_secret() -> None:
    async with a_lobby(invited_only=True) as lobby:
        assert await said(lobby, EVE, None) is Refusal.SECRET_NEEDED
        guest = await come(lobby, BOB, SECRET)
        assert (await lobby.next()).proven.identity == BOB.public
        await guest.aclose()


async def test_a_friend_who_drops_before_the_deal_may_come_again_even_if_the_host_has_not_noticed() -> None:
    async with a_lobby() as lobby:
        first = await come(lobby, BOB, SECRET)
        host = await lobby.next()
        second = await come(lobby, BOB, SECRET)
        host_again = await lobby.next()
        assert host_again is not host
        assert host.closed.is_set()
        await until_closed(first.stream)
        assert await works(host_again, second)
        await second.aclose()
        await first.aclose()


async def test_once_a_game_exists_also_its_own_player_is_told_that_the_host_is_busy() -> None:
    async with a_lobby() as lobby:
        guest = await come(lobby, BOB, SECRET)
        host = await lobby.next()
        host.settled = True
        assert await said(lobby, BOB, SECRET) is Refusal.BUSY
        assert await works(host, guest)
        await guest.aclose()


async def test_without_a_secret_a_second_player_is_told_that_the_host_is_busy() -> None:
    async with a_lobby(secret=None) as lobby:
        guest = await come(lobby, BOB, None)
        host = await lobby.next()
        assert await said(lobby, EVE, None) is Refusal.BUSY
        assert await works(host, guest)
        await host.aclose()
        await guest.aclose()
        other = await come(lobby, EVE, None)
        assert (await lobby.next()).proven.identity == EVE.public
        await other.aclose()


@pytest.mark.parametrize("secret", [SECRET, None])
async def test_of_many_who_come_at_once_exactly_one_gets_the_seat(secret: bytes | None) -> None:
    guests = [Identity.generate(bytes([number]) * 32) for number in range(40, 48)]
    seated: list[Connection] = []
    refused: list[Refusal] = []

    async def try_it(lobby: Lobby, identity: Identity) -> None:
        try:
            seated.append(await come(lobby, identity, secret))
        except Said as error:
            refused.append(error.refusal)

    async with a_lobby(secret=secret) as lobby:
        async with trio.open_nursery() as nursery:
            for identity in guests:
                nursery.start_soon(try_it, lobby, identity)
        assert len(seated) == 1
        assert set(refused) <= {Refusal.SECRET_USED, Refusal.BUSY}
        assert len(refused) == len(guests) - 1
        assert await works(await lobby.next(), seated[0])
        await seated[0].aclose()


async def test_a_version_mismatch_is_told_to_the_host_and_to_the_guest() -> None:
    told: list[Refused] = []
    async with open_lobby(ANN, bind=LOOPBACK, limits=QUICK, tell=told.append) as lobby:
        target = Target((Address(LOOPBACK, lobby.port),))
        for _ in range(3):
            with pytest.raises(Refused, match="you speak 2-3, your peer speaks 1: your peer needs a newer version"):
                await dial(target, BOB, versions=(2, 3), limits=QUICK)
        await trio.sleep(0.05)
        assert [str(refused) for refused in told] == ["you speak 1, your peer speaks 2-3: you need a newer one"]


async def test_the_invite_of_the_lobby_leads_to_it() -> None:
    async with a_lobby() as lobby:
        target = parse_target(lobby.invite())
        assert target == Target((Address(LOOPBACK, lobby.port),), ANN.public, SECRET)


async def test_one_port_is_listened_on_in_both_families() -> None:
    async with open_lobby(ANN, limits=QUICK) as lobby:
        assert lobby.hosts[0] == "0.0.0.0"
        for host in [host for host in (LOOPBACK, "::1") if any(host == a.host for a in lobby.addresses)]:
            guest = await dial(Target((Address(host, lobby.port),)), BOB, limits=QUICK)
            await (await lobby.next()).aclose()
            await guest.aclose()


async def test_a_busy_port_and_a_foreign_address_are_said_in_one_line() -> None:
    async with a_lobby() as lobby:
        with pytest.raises(ChannelError, match=f"port {lobby.port} is taken by another program"):
            async with open_lobby(ANN, bind=LOOPBACK, port=lobby.port):
                pass
        with pytest.raises(ChannelError, match=f"port {lobby.port} is taken by another program"):
            async with open_lobby(ANN, port=lobby.port):
                pass
    for foreign in ("203.0.113.1", "no such host.", "..", "ü..", "ü" * 80, "a" * 300, "\udcff"):
        with pytest.raises(ChannelError, match="is no address of this machine"):
            async with open_lobby(ANN, bind=foreign):
                pass


class System:
    """Stands in for the system's listening: refuses what the test names, once or always."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, refuse: dict[str, int], *, once: bool = False) -> None:
        self.refuse, self.once, self.asked = refuse, once, list[tuple[str, int]]()
        self.real = trio.open_tcp_listeners
        monkeypatch.setattr(trio, "open_tcp_listeners", self.listen)

    async def listen(self, port: int, *, host: str) -> list[trio.SocketListener]:
        self.asked.append((host, port))
        if host in self.refuse:
            code = self.refuse.pop(host) if self.once else self.refuse[host]
            raise OSError(code, os.strerror(code))
        return list(await self.real(0, host=LOOPBACK))


async def test_a_free_port_that_the_other_family_has_taken_is_given_up_for_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    System(monkeypatch, {"::": errno.EADDRINUSE}, once=True)
    found = await _listen(0, None)
    assert len(found) == 2
    for listener in found:
        await listener.aclose()
    monkeypatch.undo()
    System(monkeypatch, {"::": errno.EADDRINUSE}, once=True)
    with pytest.raises(ChannelError, match="port 4242 is taken by another program"):
        await _listen(4242, None)
    monkeypatch.undo()
    system = System(monkeypatch, {"::": errno.EADDRINUSE})
    with pytest.raises(ChannelError, match="is taken by another program"):
        await _listen(0, None)
    assert [host for host, _ in system.asked] == ["0.0.0.0", "::"] * PORT_TRIES


@pytest.mark.parametrize("code", [errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL])
async def test_a_machine_without_ipv6_listens_on_ipv4(monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    System(monkeypatch, {"::": code})
    (listener,) = await _listen(0, None)
    await listener.aclose()


async def test_a_machine_without_a_network_and_a_reserved_port_are_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    System(monkeypatch, {"::": errno.EAFNOSUPPORT, "0.0.0.0": errno.EAFNOSUPPORT})
    with pytest.raises(ChannelError, match="neither IPv4 nor IPv6"):
        await _listen(0, None)
    System(monkeypatch, {"0.0.0.0": errno.EACCES})
    with pytest.raises(ChannelError, match="port 80 is reserved by the system; choose one above 1023"):
        await _listen(80, None)
    System(monkeypatch, {"0.0.0.0": errno.ENOBUFS})
    with pytest.raises(ChannelError, match="cannot listen on port 0: No buffer space"):
        await _listen(0, None)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts the open files in /proc")
async def test_a_closed_lobby_leaves_no_socket_and_no_listener() -> None:
    async with a_lobby() as warm:  # what trio and OpenSSL keep open for good
        assert warm.port
    before = len(os.listdir("/proc/self/fd"))
    async with a_lobby() as lobby:
        port = lobby.port
        silent = [await connected(lobby) for _ in range(5)]
        guest = await come(lobby, BOB, SECRET)
        await lobby.next()
    await guest.aclose()
    for stream in silent:
        await stream.aclose()
    assert len(os.listdir("/proc/self/fd")) == before
    with pytest.raises(OSError, match="all attempts"):
        await trio.open_tcp_stream(LOOPBACK, port)


async def test_what_the_block_raises_comes_out_as_it_is() -> None:
    with pytest.raises(KeyError, match="mine"):
        async with a_lobby():
            raise KeyError("mine")
