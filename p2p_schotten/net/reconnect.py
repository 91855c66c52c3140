"""The way back to the other player of a game whose connection is gone: both dial, and both listen.

Seats stay as they are. Of two connections the one that seat 1 dialed stays, and a newer one takes the place of an older
of the same direction; so seat 0 dials a moment later. The first attempt comes at once, others after 0.25 s and up to
5 s, each time a little more or less, so that two programs that fail together do not do so for ever.
"""

from __future__ import annotations

import math
import random
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import islice

import trio

from p2p_schotten.crypto.identity import Identity
from p2p_schotten.errors import ChannelError
from p2p_schotten.ids import SEATS, Seat
from p2p_schotten.net.asleep import Sleep, lasting_seconds
from p2p_schotten.net.connection import Connection
from p2p_schotten.net.dial import dial
from p2p_schotten.net.handshake import Role
from p2p_schotten.net.invite import MAX_ADDRESSES, Address, Target
from p2p_schotten.net.limits import DEFAULT_LIMITS, Limits, first_error
from p2p_schotten.net.lobby import Lobby, open_lobby
from p2p_schotten.net.sockets import free_port

FIRST, LONGEST = 0.25, 5.0  # seconds between two attempts (protocol section 7)
HEAD_START = 0.5  # seconds for what seat 1 dials to arrive before seat 0 dials too
LOOK = 0.5  # seconds: how often a wait looks whether this machine was asleep


@dataclass(frozen=True, slots=True)
class Parties:
    """Whose game it is: my identity and seat, and the key of the other."""

    identity: Identity
    seat: Seat
    key: bytes


class WayBack:
    """How the other is found again. Made by `way_back`."""

    def __init__(
        self,
        nursery: trio.Nursery,
        parties: Parties,
        lobby: Lobby | None,
        port: int,
        addresses: tuple[Address, ...],
        limits: Limits,
    ) -> None:
        self.parties = parties
        self.port = port
        self.addresses = addresses[:MAX_ADDRESSES]
        self.fruitless = 0  # connections in a row over which nothing came: who makes them end is not met at once
        self.why = ""  # the last reason why he could not be reached
        self._nursery = nursery
        self._lobby = lobby
        self._limits = limits
        self._found_at = -math.inf

    def learn(self, host: str, port: int) -> None:
        """He listens there while the connection is gone. The port is his word; the address is where he was met."""
        if host:
            address = Address(host.partition("%")[0], port)
            self.addresses = tuple(dict.fromkeys((address, *self.addresses)))[:MAX_ADDRESSES]

    def expect(self) -> None:
        """A game exists: from now on he may come back through my lobby, where I have one."""
        if self._lobby is not None:
            self._lobby.expect(self.parties.key, self.parties.seat)

    async def connect(self) -> Connection:
        """A connection on which the game goes on; it waits as long as its caller does.

        Raises ChannelError when somebody else took the seat that he left.
        """
        found: list[Connection] = []
        if self.fruitless > 1:  # connections that lasted are met at once all the same
            wait = next(islice(back_off(random.random), self.fruitless - 2, None))
            await trio.sleep_until(self._found_at + wait)
        kept: Connection | None = None
        try:
            lobby = await self.listen()
            async with trio.open_nursery() as nursery:

                def take(connection: Connection) -> None:
                    found.append(connection)
                    nursery.cancel_scope.cancel()

                if lobby is not None:
                    nursery.start_soon(self._wait, lobby, take)
                nursery.start_soon(self._dial, take)
            kept, self._found_at = found[0], trio.current_time()
            if lobby is not None and self.parties.seat == SEATS[0]:
                lobby.hold(kept)  # who dials me now, because he knows nothing of it, takes its place
        except BaseExceptionGroup as group:  # a nursery wraps also a single error
            raise first_error(group) from None
        finally:  # of two at one moment one is too many, and one whom nobody waits for any longer is too late
            for connection in found:
                if connection is not kept:
                    await connection.aclose()
        return kept

    async def listen(self) -> Lobby | None:
        """My lobby, open as long as the way back is; none where the port is taken, as `why` says: then I only dial."""
        if self._lobby is not None:
            return self._lobby
        try:
            lobby: Lobby = await self._nursery.start(self._keep_open)
        except ChannelError as error:
            self.why = str(error)
            return None
        self._lobby = lobby
        self.expect()
        return lobby

    async def _keep_open(self, task_status: trio.TaskStatus[Lobby]) -> None:
        async with open_lobby(self.parties.identity, invited_only=True, port=self.port, limits=self._limits) as lobby:
            task_status.started(lobby)
            await trio.sleep_forever()

    async def _wait(self, lobby: Lobby, take: Callable[[Connection], None]) -> None:
        connection = await lobby.next()
        if connection.proven.role is not Role.RESUME:
            lobby.give_back(connection)
            raise ChannelError("another player, who has the invite, took the seat")
        take(connection)

    async def _dial(self, take: Callable[[Connection], None]) -> None:
        if not self.addresses:
            await trio.sleep_forever()
        if self.parties.seat == SEATS[0]:
            await trio.sleep(HEAD_START)
        waits = back_off(random.random)
        while True:
            target = Target(self.addresses, self.parties.key)
            try:
                take(await dial(target, self.parties.identity, resume=self.parties.seat, limits=self._limits))
            except ChannelError as error:
                self.why = str(error)
            if await asleep(next(waits)):
                waits = back_off(random.random)


def back_off(chance: Callable[[], float]) -> Iterator[float]:
    """Seconds before each further attempt: 0.25 doubled up to 5, each times 0.5 to 1. `chance()` is in [0, 1)."""
    longest = FIRST
    while True:
        yield longest * (0.5 + chance() / 2)
        longest = min(LONGEST, 2 * longest)


async def asleep(seconds: float, clock: Callable[[], float] = lasting_seconds) -> bool:
    """After so many seconds, or earlier and true: this machine was asleep meanwhile, so it is worth a try at once."""
    end = trio.current_time() + seconds
    sleep = Sleep(clock)
    while (left := end - trio.current_time()) > 0:
        await trio.sleep(min(left, LOOK))
        if sleep.noticed():
            return True
    return False


@asynccontextmanager
async def way_back(
    parties: Parties,
    *,
    lobby: Lobby | None = None,
    port: int | None = None,
    addresses: tuple[Address, ...] = (),
    limits: Limits = DEFAULT_LIMITS,
) -> AsyncGenerator[WayBack]:
    """A way back for the games of the block.

    `lobby`: is open anyway; without it one is opened when it is first needed, at `port` (None: one that is free now).
    `addresses`: where he was found.
    """
    chosen = lobby.port if lobby is not None else free_port() if port is None else port
    try:
        async with trio.open_nursery() as nursery:
            yield WayBack(nursery, parties, lobby, chosen, addresses, limits)
            nursery.cancel_scope.cancel()
    except BaseExceptionGroup as group:  # a nursery wraps also a single error
        raise first_error(group) from None
