"""The addresses under which this machine may be reached, found without a packet and without a further package."""

from __future__ import annotations

import ipaddress
import socket
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

# Where a UDP socket is "connected" to, so that the system names the address it would send from. Nothing is sent.
# The first of each family lies behind the default route (documentation prefixes, RFC 5737 and 3849), the others
# behind routes into private networks: home, office, virtual (RFC 1918, RFC 6598, RFC 4193).
_BEYOND_4 = ("192.0.2.1", "192.168.0.1", "192.168.1.1", "10.0.0.1", "172.16.0.1", "100.64.0.1")
_BEYOND_6 = ("2001:db8::1", "fd00::1")
_LOOPBACK = ("127.0.0.1", "::1")

# The name of this machine is found in a file within milliseconds, or asked of a name server, which may take half a
# minute to say that it does not know. It only ever adds addresses, so nobody waits longer than this for it.
NAME_SECONDS = 0.5


def usable_addresses() -> tuple[str, ...]:
    """Every address a peer might dial, the likeliest first, loopback last (for two players on one machine).

    Link-local addresses are left out: without the name of an interface of the other machine nobody can dial them.
    """
    found: dict[IPAddress, None] = {}
    for text in (*_outgoing(), *_by_name()):
        address = ipaddress.ip_address(text)
        if not (address.is_loopback or address.is_link_local or address.is_unspecified or address.is_multicast):
            found.setdefault(address)
    return (*(str(address) for address in found), *(text for text in _LOOPBACK if _has(text)))


def addresses_of(hosts: Iterable[str]) -> tuple[str, ...]:
    """The addresses to write into an invite for a listener on `hosts`: a wildcard stands for all of its family."""
    found: dict[str, None] = {}
    here: tuple[str, ...] | None = None
    for host in hosts:
        if ipaddress.ip_address(host).is_unspecified:
            here = usable_addresses() if here is None else here
            found.update(dict.fromkeys(text for text in here if (":" in text) == (":" in host)))
        else:
            found.setdefault(host)
    return tuple(sorted(found, key=lambda text: ipaddress.ip_address(text).is_loopback))


def _outgoing() -> Iterator[str]:
    for family, beyond in ((socket.AF_INET, _BEYOND_4), (socket.AF_INET6, _BEYOND_6)):
        for target in beyond:
            with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((target, 9))
                yield str(probe.getsockname()[0])


def _by_name() -> tuple[str, ...]:
    """What the name of this machine stands for, if that is known soon; the asking cannot be ended, only left."""
    found: list[str] = []
    asking = threading.Thread(target=lambda: found.extend(_named()), daemon=True)
    asking.start()
    asking.join(NAME_SECONDS)
    return tuple(found)


def _named() -> Iterator[str]:
    with suppress(OSError, UnicodeError):  # a host name that does not resolve, or is none at all
        for *_, where in socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_STREAM):
            yield str(where[0]).partition("%")[0]


def _has(text: str) -> bool:
    """Whether this machine has that address, so that a listener can be found there."""
    family = socket.AF_INET6 if ":" in text else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((text, 0))
    except OSError:
        return False
    return True
