"""The host's side of the door: strangers are refused, the friend gets the seat, a running game is left alone.

Every visitor has his own task, his own limit and no way to end anybody else's. The one-time secret of the invite binds
to the first identity that proves it; the same identity may come again as long as no game exists. Unless only invited
players are taken, somebody without the secret may sit down while nobody proved it, and makes room for who does as long
as no game exists.

Once a game exists, only who plays it may come back (`expect`); a newer connection of his takes the place of the older.
"""

from __future__ import annotations

import ipaddress
import secrets
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Collection
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import trio

from p2p_schotten.crypto.identity import Identity
from p2p_schotten.errors import ChannelError, InvalidProof, Malformed, Refused
from p2p_schotten.ids import Seat
from p2p_schotten.net import handshake
from p2p_schotten.net.addresses import addresses_of
from p2p_schotten.net.connection import Connection
from p2p_schotten.net.handshake import NONCE_BYTES, VERSIONS, Hello, Refusal, Role, Versions
from p2p_schotten.net.invite import MAX_ADDRESSES, Address, write_invite
from p2p_schotten.net.limits import DEFAULT_LIMITS, Limits, first_error, limit
from p2p_schotten.net.sockets import listen
from p2p_schotten.net.tls import Listening, listening, wrap_listener

HOST = Seat(0)
TOLD = 8  # different refusals that the host gets to read; whoever makes more of them only wants to be read


@dataclass(eq=False)
class _Visitor:
    """A connection in its handshake, from the address `host` in the network `origin`."""

    origin: str = ""
    host: str = ""
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    spoke: bool = False
    proved: bool = False  # the secret


class Lobby:
    """Where the host waits. Made by `open_lobby`."""

    def __init__(
        self,
        identity: Identity,
        listeners: list[trio.SocketListener],
        *,
        secret: bytes | None,
        invited_only: bool,
        versions: Versions,
        limits: Limits,
        tell: Callable[[Refused], None],
    ) -> None:
        self._identity = identity
        self._listeners = listeners
        self._secret = secret
        self._invited_only = invited_only
        self._versions = versions
        self._limits = limits
        self._tell = tell
        self._told: set[str] = set()
        self._tls: Listening = listening()
        self._visitors: dict[_Visitor, None] = {}  # in the order of their coming
        self._bound: bytes | None = None
        self._expected: tuple[bytes, Seat] | None = None  # who may go on with a game, and my own seat in it
        self._seated: Connection | None = None
        self._welcomed: _Visitor | None = None  # who is being told so right now
        self._fresh: Connection | None = None  # seated, and not yet given out by `next`
        self._arrived = trio.Event()

    @property
    def bound_to(self) -> bytes | None:
        """The identity that proved the one-time secret, if one did."""
        return self._bound

    @property
    def unproven(self) -> int:
        """How many connections are in their handshake."""
        return len(self._visitors)

    @property
    def port(self) -> int:
        """The port on which all addresses listen."""
        return int(self._listeners[0].socket.getsockname()[1])

    @property
    def hosts(self) -> tuple[str, ...]:
        """The addresses that are listened on; "0.0.0.0" and "::" stand for all of their family."""
        return tuple(str(listener.socket.getsockname()[0]) for listener in self._listeners)

    @property
    def addresses(self) -> tuple[Address, ...]:
        """Where somebody may dial, the likeliest first, no more than an invite holds."""
        return tuple(Address(host, self.port) for host in addresses_of(self.hosts))[:MAX_ADDRESSES]

    def invite(self, addresses: tuple[Address, ...] | None = None) -> str:
        """The one word that leads here, by these addresses or all of its own; only for a lobby with a secret."""
        assert self._secret is not None
        return write_invite(self._identity.public, self._secret, self.addresses if addresses is None else addresses)

    def take_invited_only(self) -> None:
        """From now on nobody sits down without the secret."""
        self._invited_only = True

    def expect(self, key: bytes, seat: Seat) -> None:
        """From now on the player with this key may come back to the game in which my seat is `seat`."""
        self._expected = key, seat

    def forget(self) -> None:
        """No game goes on any more: nobody is waited for but who comes for a new one."""
        self._expected = None

    def hold(self, connection: Connection) -> None:
        """The seat is taken by this connection that I dialed, until the other player of the game dials me."""
        self._seated = connection

    async def next(self) -> Connection:
        """The next proven connection. The one before it must be closed, or has been replaced by its own identity.

        Its `proven.role` says whether he comes for a new game or goes on with one.
        """
        while True:
            await self._arrived.wait()
            self._arrived = trio.Event()
            connection, self._fresh = self._fresh, None
            if connection is not None and not connection.closed.is_set():
                return connection

    def give_back(self, connection: Connection) -> None:
        """The connection that `next` gave out is the next one again."""
        self._fresh = connection
        self._arrived.set()

    async def _serve(self) -> None:
        await trio.serve_listeners(self._visit, self._listeners)

    async def _visit(self, transport: trio.SocketStream) -> None:
        """One visitor from his coming to his end; whatever he does, nothing else ends with it."""
        host = _host(transport)
        visitor = _Visitor(_origin(host), host)
        connection: Connection | None = None
        self._make_room()
        self._visitors[visitor] = None
        stream = wrap_listener(transport, self._tls)
        try:
            with visitor.scope:
                connection = await self._prove(stream, visitor)
        except Refused as refused:
            self._tell_once(refused)
            with trio.move_on_after(self._limits.linger), suppress(trio.BrokenResourceError):
                await stream.aclose()
        except (ChannelError, Malformed, InvalidProof, trio.BrokenResourceError, trio.ClosedResourceError):
            pass  # a stranger, a scanner, a cut: nobody the host knows
        finally:
            self._visitors.pop(visitor, None)  # one who gave way is out already
        if connection is not None:
            try:
                await connection.closed.wait()
            finally:
                connection.closed.set()
                if self._seated is connection:
                    self._seated = None

    async def _prove(self, stream: trio.SSLStream[trio.abc.Stream], visitor: _Visitor) -> Connection:
        """TLS, identities, and the seat; the connection is in the queue of `next` when this returns."""

        def heard() -> None:
            visitor.spoke = True

        try:
            async with limit(self._limits.handshake, "the handshake took too long"):
                await stream.do_handshake()
                proven = await handshake.listen(
                    stream,
                    self._identity,
                    self._tls.certificate_hash,
                    secrets.token_bytes(NONCE_BYTES),
                    versions=self._versions,
                    secret=self._secret,
                    heard=heard,
                    policy=lambda hello, proved: self._decide(visitor, hello, proved),
                )
        finally:
            welcome = self._welcomed is visitor
            if welcome:
                self._welcomed = None
        if not welcome:
            raise ChannelError("the seat went to who proved the secret")
        seat = HOST if self._expected is None or proven.role is not Role.RESUME else self._expected[1]
        connection = Connection(stream, seat, proven, visitor.host)
        if self._seated is not None:
            self._seated.closed.set()  # the same identity came again: the newer connection stays
        self._seated = self._fresh = connection
        self._arrived.set()
        return connection

    def _decide(self, visitor: _Visitor, hello: Hello, proved: bool | None) -> Refusal | None:
        """Whether this proven identity gets the seat now; if so the secret is bound and the seat promised to it."""
        if self._seated is not None and self._seated.closed.is_set():
            self._seated = None  # it was held, and is gone
        if hello.role is Role.RESUME:
            return self._let_back(visitor, hello)
        if proved is False:
            return Refusal.SECRET_WRONG
        if self._expected is not None and self._expected[0] == hello.key:
            return Refusal.GAME_STANDS
        if self._expected is not None and not proved:
            return Refusal.BUSY  # a stranger ends nobody's waiting for the other player of a game
        if self._bound not in (None, hello.key):
            return Refusal.SECRET_USED if proved else Refusal.RESERVED
        if self._invited_only and proved is None and self._bound is None:
            return Refusal.SECRET_NEEDED
        if proved:
            self._bound = hello.key
            visitor.proved = True
            self._clear_seat()
        again = self._seated is not None and self._seated.proven.identity == hello.key and not self._seated.settled
        if self._welcomed is not None or (self._seated is not None and not again):
            return Refusal.BUSY
        self._welcomed = visitor
        return None

    def _let_back(self, visitor: _Visitor, hello: Hello) -> Refusal | None:
        """Who plays the game that stands may come back until somebody else comes with the invite."""
        if self._expected is None or self._expected[0] != hello.key:
            return Refusal.NO_SUCH_GAME
        seated = self._seated
        invited = seated is not None and seated.proven.pinned and seated.proven.identity != hello.key
        if invited or (self._welcomed is not None and self._welcomed.proved):
            return Refusal.BUSY
        if self._welcomed is not None:
            self._welcomed.scope.cancel()
        self._welcomed = visitor
        return None

    def _clear_seat(self) -> None:
        """Who proved the secret need not wait for a visitor without it, as long as no game exists."""
        seated, welcomed = self._seated, self._welcomed
        if seated is not None and not seated.proven.pinned and not seated.settled:
            seated.closed.set()
            self._seated = None
        if welcomed is not None and not welcomed.proved:
            welcomed.scope.cancel()
            self._welcomed = None

    def _make_room(self) -> None:
        """Of too many visitors in their handshake one gives way."""
        if len(self._visitors) >= self._limits.unproven:
            leaving = _who_gives_way(self._visitors)
            leaving.scope.cancel()
            del self._visitors[leaving]

    def _tell_once(self, refused: Refused) -> None:
        sentence = str(refused)
        if sentence not in self._told and len(self._told) < TOLD:
            self._told.add(sentence)
            self._tell(refused)


def _who_gives_way(visitors: Collection[_Visitor]) -> _Visitor:
    """Of at least one visitor, the oldest of the network that sent the most; of several such the oldest silent one.

    So somebody who fills the door from one network pushes out himself. That he says hello helps him nothing there.
    """
    counts = Counter(visitor.origin for visitor in visitors)
    most = max(counts.values())
    crowd = [visitor for visitor in visitors if counts[visitor.origin] == most]
    if len({visitor.origin for visitor in crowd}) == 1:
        return crowd[0]
    return next((visitor for visitor in crowd if not visitor.spoke), crowd[0])


def _host(transport: trio.SocketStream) -> str:
    """The address that a connection comes from; empty when it is gone already."""
    try:
        return str(transport.socket.getpeername()[0])
    except OSError:
        return ""


def _origin(host: str) -> str:
    """The network of an address: an IPv4 address, or the first 64 bits of IPv6 (what one home has)."""
    if not host:
        return ""
    address = ipaddress.ip_address(host.partition("%")[0])
    return str(ipaddress.ip_network((address, 64 if address.version == 6 else 32), strict=False))


@asynccontextmanager
async def open_lobby(
    identity: Identity,
    *,
    secret: bytes | None = None,
    invited_only: bool = False,
    port: int = 0,
    bind: str | None = None,
    versions: Versions = VERSIONS,
    limits: Limits = DEFAULT_LIMITS,
    tell: Callable[[Refused], None] = lambda refused: None,
) -> AsyncGenerator[Lobby]:
    """A lobby that listens on every address (or on `bind`) while the block runs; then every socket is closed.

    `secret`: the invite's; without `invited_only` somebody without it may come too, as long as nobody proved it.
    `port` 0: any free one. `tell` gets each refusal that concerns a real player. Raises ChannelError when the port is
    taken or the address is not one of this machine.
    """
    listeners = await listen(port, bind)
    lobby = Lobby(
        identity,
        listeners,
        secret=secret,
        invited_only=invited_only,
        versions=versions,
        limits=limits,
        tell=tell,
    )
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(lobby._serve)
            yield lobby
            nursery.cancel_scope.cancel()
    except BaseExceptionGroup as group:  # a nursery wraps also a single error
        raise first_error(group) from None
    finally:
        for listener in listeners:
            await trio.aclose_forcefully(listener)
