"""The guest's side of the door: every address of the invite is tried side by side, the first that proves itself stays.

A listener with another key than the invite's ends its attempt: nothing is asked, nothing is tried without the pin.
"""

from __future__ import annotations

import errno
import secrets
import socket
import ssl

import trio

from p2p_schotten.crypto.identity import Identity
from p2p_schotten.errors import ChannelError, InvalidProof, Malformed, Refused
from p2p_schotten.ids import Seat
from p2p_schotten.net import handshake
from p2p_schotten.net.connection import Connection
from p2p_schotten.net.handshake import NONCE_BYTES, VERSIONS, OwnIdentity, Role, Said, Versions, WrongPin
from p2p_schotten.net.invite import Address, Target
from p2p_schotten.net.limits import DEFAULT_LIMITS, Limits, first_error, limit
from p2p_schotten.net.tls import seen_certificate_hash, wrap_dialer

GUEST = Seat(1)

_REASONS = {
    errno.ECONNREFUSED: "nobody listens there",
    errno.EHOSTUNREACH: "the host cannot be reached",
    errno.ENETUNREACH: "there is no way into that network",
    errno.ETIMEDOUT: "no answer",
    errno.EADDRNOTAVAIL: "there is no way into that network",
}


async def dial(
    target: Target,
    identity: Identity,
    *,
    resume: Seat | None = None,
    versions: Versions = VERSIONS,
    limits: Limits = DEFAULT_LIMITS,
) -> Connection:
    """A proven connection to the target; `resume`: my seat in the game that goes on, None for a new one.

    Raises OwnIdentity when the listener has my key, Refused when it says no or is somebody else, ChannelError when
    nobody answers; each in one line.
    """
    if target.key == identity.public:
        raise OwnIdentity("this invite was written with your own identity")
    attempts = _Attempts(target, identity, resume, versions, limits)
    connection: Connection | None = None
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(attempts.run, nursery.cancel_scope)
        connection = attempts.won
    except BaseExceptionGroup as group:  # a nursery wraps also a single error
        raise first_error(group) from None
    finally:
        if attempts.won is not None and connection is None:  # whoever waited for it does so no longer
            await attempts.won.aclose()
    if connection is None:
        raise attempts.why_none()
    return connection


class _Attempts:
    """All attempts of one dialing, side by side."""

    def __init__(
        self, target: Target, identity: Identity, resume: Seat | None, versions: Versions, limits: Limits
    ) -> None:
        self._target = target
        self._identity = identity
        self._resume = resume
        self._versions = versions
        self._limits = limits
        self._before_proof = trio.Lock()
        self._failed: dict[Address, ChannelError] = {}
        self._final: ChannelError | None = None
        self.won: Connection | None = None

    async def run(self, scope: trio.CancelScope) -> None:
        """Attempts begin one by one, each when the one before failed or is slow; the first success ends all."""
        async with trio.open_nursery() as nursery:
            for address in self._target.addresses:
                failed = trio.Event()
                nursery.start_soon(self._attempt, address, failed, scope)
                with trio.move_on_after(self._limits.stagger):
                    await failed.wait()

    async def _attempt(self, address: Address, failed: trio.Event, scope: trio.CancelScope) -> None:
        try:
            self.won = await self._connect(address)
            scope.cancel()
        except Said as said:
            self._final = said
            scope.cancel()
        except ChannelError as error:
            self._failed[address] = error
            failed.set()

    async def _connect(self, address: Address) -> Connection:
        """A proven connection to one address, or ChannelError; the socket is closed unless it is proven."""
        transport = await self._open(address)
        stream = wrap_dialer(transport)
        proven: handshake.Proven | None = None
        try:
            async with limit(self._limits.handshake, "it does not answer in the way of this game"):
                await stream.do_handshake()
                proven = await handshake.dial(
                    stream,
                    self._identity,
                    seen_certificate_hash(stream),
                    secrets.token_bytes(NONCE_BYTES),
                    versions=self._versions,
                    pin=self._target.key,
                    secret=self._target.secret,
                    before_proof=self._before_proof,
                    role=Role.DIAL if self._resume is None else Role.RESUME,
                )
        except (Malformed, InvalidProof) as error:
            raise Refused(str(error)) from error
        except trio.BrokenResourceError as error:  # of TLS
            foreign = isinstance(error.__cause__, ssl.SSLError) and not isinstance(error.__cause__, ssl.SSLEOFError)
            raise ChannelError("what answers is not this game" if foreign else "it closed the connection") from error
        finally:
            if proven is None:
                await trio.aclose_forcefully(transport)
        return Connection(stream, GUEST if self._resume is None else self._resume, proven, address.host)

    async def _open(self, address: Address) -> trio.SocketStream:
        try:
            async with limit(self._limits.connect, "no answer"):
                return await trio.open_tcp_stream(address.host, address.port)
        except (OSError, UnicodeError) as error:
            raise ChannelError(_reason(error)) from error

    def why_none(self) -> ChannelError:
        """What the player gets to read: a refusal if there is one, else what each address answered."""
        if self._final is not None:
            return self._final
        refusals = sorted(
            (error for error in self._failed.values() if isinstance(error, Refused)),
            key=lambda error: not isinstance(error, WrongPin),
        )
        if refusals:
            return refusals[0]
        return ChannelError("; ".join(f"{address}: {error}" for address, error in self._failed.items()))


def _reason(error: BaseException) -> str:
    """Why TCP failed, from the innermost error that says so (trio wraps those of a name with several addresses)."""
    if isinstance(error, socket.gaierror | UnicodeError):
        return "no such host is known"
    if isinstance(error, BaseExceptionGroup):
        return _reason(error.exceptions[0])
    if isinstance(error, OSError) and error.errno is not None:
        return _REASONS.get(error.errno, error.strerror or "the connection failed")
    return _reason(error.__cause__) if error.__cause__ is not None else "the connection failed"
