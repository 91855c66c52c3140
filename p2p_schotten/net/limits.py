"""Every wait on the network has a limit, named here with its reason; tests shorten them."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import trio

from p2p_schotten.errors import ChannelError, leaves


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds, unless said otherwise."""

    connect: float = 10.0  # TCP to one address: a host that is up answers within a few round trips
    stagger: float = 0.25  # before the next address is tried beside those already being tried (RFC 8305)
    handshake: float = 9.0  # TLS and identities together; protocol section 9 wants less than 10
    answer: float = 20.0  # for a record that needs no choice: the first HELLO, a shuffle (0.2 s here), a share, a seal
    ping: float = 5.0  # a PING goes out this often
    notice: float = 10.0  # without a whole frame for this long (two PINGs unanswered) the player is told
    silence: float = 20.0  # without a whole frame for this long (four PINGs unanswered) the peer is gone
    write: float = 20.0  # a peer that does not read for this long is gone
    linger: float = 2.0  # after the last record, for the other side to have read it
    slowest: float = 4096.0  # bytes a second of a line on which the other is waited for who has a whole game to read
    unproven: int = 64  # connections in their handshake at one time; the oldest silent one gives way


DEFAULT_LIMITS = Limits()


@asynccontextmanager
async def limit(seconds: float, otherwise: str) -> AsyncGenerator[None]:
    """The block ends within `seconds`; else ChannelError, which says `otherwise`."""
    try:
        with trio.fail_after(seconds):
            yield
    except trio.TooSlowError:
        raise ChannelError(otherwise) from None


def first_error(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The error that a group of tasks died of: a Ctrl-C before all else, then the first one, a cancellation last."""
    return min(leaves(group), key=lambda error: (isinstance(error, trio.Cancelled), isinstance(error, Exception)))
