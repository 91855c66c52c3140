"""One seat when its connection is gone: what it keeps for that time, and the way back to the other player."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import trio

from p2p_schotten.errors import ChannelError
from p2p_schotten.ids import Seat
from p2p_schotten.net.connection import Connection
from p2p_schotten.net.invite import Address
from p2p_schotten.net.lobby import Lobby
from p2p_schotten.net.reconnect import Parties, WayBack, way_back
from p2p_schotten.protocol.absent import TOLERANCE
from p2p_schotten.protocol.session import Session
from p2p_schotten.standby import Standby, save_standby, standby_path
from p2p_schotten.ui.text import _

if TYPE_CHECKING:
    from p2p_schotten.cli.player import Player

OVER = 20.0  # seconds to reach the other for the records behind the last move; then the end is proven without them
STRANGER = 60.0  # seconds for a visitor without an invite: a host waits for his friend
HEADLESS = 60.0  # seconds where nobody sits who could end the waiting


def long_enough(session: Session) -> float:
    """Seconds of waiting in which the agreed clock runs out and a win by absence can be recorded; 0 without one."""
    return 0.0 if session.clock is None else session.clock + TOLERANCE + HEADLESS


@asynccontextmanager
async def open_away(
    parties: Parties,
    player: Player,
    wait: float | None,
    *,
    lobby: Lobby | None = None,
    port: int | None = None,
    addresses: tuple[Address, ...] = (),
    throwaway: bool = False,
    invited: bool = True,
) -> AsyncGenerator[Away]:
    """For the games with one other player, `way_back` and for how long it is used.

    `wait` None: for ever where somebody sits who can end it. `throwaway`: the identity is not the home's. `invited`:
    the other is who was waited for.
    """
    limited = wait is not None or not invited
    if wait is None and not (player.bot is None and player.keyboard is not None and player.keyboard.terminal):
        wait = HEADLESS
    if not invited:
        wait = STRANGER if wait is None else min(wait, STRANGER)
    async with way_back(parties, lobby=lobby, port=port, addresses=addresses) as way:
        secret = parties.identity.private_bytes() if throwaway else b""
        yield Away(way, wait, secret, player.spec, player.forfeit, limited)


@dataclass
class Away:
    """`way` is None where nobody can come back: then a cut ends the game. `wait`: seconds to try, None for ever."""

    way: WayBack | None = None
    wait: float | None = None
    throwaway: bytes = field(default=b"", repr=False)  # the private key of an identity that is not the home's
    bot: str = ""  # who holds the seat, empty for a person
    forfeit: bool = False  # as `Player.forfeit`
    limited: bool = False  # `wait` was chosen, so a clock does not make it longer
    _saved: tuple[Path, Standby] | None = field(init=False, default=None, repr=False)
    _stopped: bool = field(init=False, default=False)
    _scope: trio.CancelScope = field(init=False, default_factory=trio.CancelScope)

    @property
    def possible(self) -> bool:
        """The other may come back, and is waited for."""
        return self.way is not None and self.wait != 0 and not self._stopped

    def save(self, home: Path, game_id: bytes, seat: Seat, other: bytes) -> None:
        """What a later run needs to go on with this game is on the disk; raises JournalError."""
        port = self.way.port if self.way is not None else 0
        addresses = tuple(map(str, self.way.addresses)) if self.way is not None else ()
        standby = Standby(self.throwaway, self.bot, port, addresses, other, self.forfeit)
        saved = standby_path(home, game_id, seat), standby
        if saved != self._saved:
            save_standby(*saved)
            self._saved = saved

    def learn(self, host: str, port: int) -> None:
        """The other listens there while the connection is gone."""
        if self.way is not None:
            self.way.learn(host, port)

    async def connect(self, over: bool, least: float = 0.0) -> Connection:
        """A connection on which the game goes on.

        Raises ChannelError when there was none in time, or after `stop`: a clause that says why.
        `over`: only the records behind the last move are missing. `least`: seconds in which the agreed clock runs out;
        nobody gives up before, unless the player said for how long he waits.
        """
        assert self.way is not None
        wait = self.wait
        if over:
            wait = OVER if wait is None or not self.limited else min(OVER, wait)
        elif wait is not None and not self.limited:
            wait = max(wait, least)
        with trio.move_on_after(float("inf") if wait is None else wait) as self._scope:
            return await self.way.connect()
        raise ChannelError(_("no way back was found: {why}").format(why=self.way.why or _("nobody came")))

    def stop(self) -> None:
        """Nobody waits any longer, and nobody will again."""
        self._stopped = True
        self._scope.cancel()
