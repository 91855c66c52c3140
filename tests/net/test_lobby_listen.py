"""Where a lobby listens: in both families on one port, and what the system refuses is said in one line."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
import trio

from p2p_schotten.errors import ChannelError
from p2p_schotten.net.dial import dial
from p2p_schotten.net.invite import Address, Target
from p2p_schotten.net.lobby import open_lobby
from p2p_schotten.net.sockets import PORT_TRIES, listen
from tests.net.sides import ANN, BOB, QUICK, SECRET
from tests.net.visits import LOOPBACK, a_lobby, come, connected


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
    found = await listen(0, None)
    assert len(found) == 2
    for listener in found:
        await listener.aclose()
    monkeypatch.undo()
    System(monkeypatch, {"::": errno.EADDRINUSE}, once=True)
    with pytest.raises(ChannelError, match="port 4242 is taken by another program"):
        await listen(4242, None)
    monkeypatch.undo()
    system = System(monkeypatch, {"::": errno.EADDRINUSE})
    with pytest.raises(ChannelError, match="is taken by another program"):
        await listen(0, None)
    assert [host for host, _ in system.asked] == ["0.0.0.0", "::"] * PORT_TRIES


@pytest.mark.parametrize("code", [errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL])
async def test_a_machine_without_ipv6_listens_on_ipv4(monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    System(monkeypatch, {"::": code})
    (listener,) = await listen(0, None)
    await listener.aclose()


async def test_a_machine_without_a_network_and_a_reserved_port_are_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    System(monkeypatch, {"::": errno.EAFNOSUPPORT, "0.0.0.0": errno.EAFNOSUPPORT})
    with pytest.raises(ChannelError, match="neither IPv4 nor IPv6"):
        await listen(0, None)
    System(monkeypatch, {"0.0.0.0": errno.EACCES})
    with pytest.raises(ChannelError, match="port 80 is reserved by the system; choose one above 1023"):
        await listen(80, None)
    System(monkeypatch, {"0.0.0.0": errno.ENOBUFS})
    with pytest.raises(ChannelError, match="cannot listen on port 0: No buffer space"):
        await listen(0, None)


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
