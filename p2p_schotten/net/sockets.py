"""Listening sockets of one port number, on every address of this machine or on one."""

from __future__ import annotations

import errno
import socket
from contextlib import suppress

import trio

from p2p_schotten.errors import ChannelError

PORT_TRIES = 10  # a free port of IPv4 is nearly always free in IPv6 too
EVERYWHERE = ("0.0.0.0", "::")


async def listen(port: int, bind: str | None) -> list[trio.SocketListener]:
    """One port number on all wanted addresses; raises ChannelError."""
    for tries_left in reversed(range(PORT_TRIES)):
        listeners: list[trio.SocketListener] = []
        try:
            for host in EVERYWHERE if bind is None else (bind,):
                chosen = int(listeners[0].socket.getsockname()[1]) if listeners else port
                listeners += await _listen_on(host, chosen, needed=bind is not None)
            if listeners:
                return listeners
            raise ChannelError("this machine has neither IPv4 nor IPv6 to listen on")
        except OSError as error:
            for listener in listeners:
                await listener.aclose()
            if error.errno != errno.EADDRINUSE or port != 0 or tries_left == 0:
                raise ChannelError(_why_not_listening(error, port, bind)) from error
    raise AssertionError("the last try returns or raises")


async def _listen_on(host: str, port: int, *, needed: bool) -> list[trio.SocketListener]:
    """The sockets of one address; none where the system lacks its family and it is not `needed`."""
    try:
        return list(await trio.open_tcp_listeners(port, host=host))
    except UnicodeError as error:  # what names a host cannot hold (an empty label, one too long)
        raise ChannelError(f"{host} is no address of this machine") from error
    except OSError as error:
        if needed or error.errno not in (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL, errno.EPROTONOSUPPORT):
            raise
        return []


def _why_not_listening(error: OSError, port: int, bind: str | None) -> str:
    where = f"port {port}" if bind is None else f"{bind}, port {port}"
    if error.errno == errno.EADDRINUSE:
        return f"{where} is taken by another program; choose another with --port, or 0 for any"
    if error.errno == errno.EACCES:
        return f"{where} is reserved by the system; choose one above 1023"
    if error.errno == errno.EADDRNOTAVAIL or isinstance(error, socket.gaierror):
        return f"{bind} is no address of this machine"
    return f"cannot listen on {where}: {error.strerror or error}"


def free_port() -> int:
    """A port on which this machine could listen just now; 0 where it cannot listen at all."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("", 0))
        return int(probe.getsockname()[1])
    return 0
