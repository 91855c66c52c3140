"""What a link tells its front end besides the events of the peer, and what it needs from its journal."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from p2p_schotten.errors import ChannelError
from p2p_schotten.protocol.absent import Absent
from p2p_schotten.protocol.closing import Fault
from p2p_schotten.protocol.events import Event
from p2p_schotten.text import clean_text

CLAIM_CHARACTERS = 320  # of a cause that the other side names: it may compare all flags of two rulesets


@dataclass(frozen=True, slots=True)
class Chatted:
    """The other player said something: at most 500 characters, none that could steer the terminal."""

    text: str


@dataclass(frozen=True, slots=True)
class ClosedAlone:
    """The game is over, the other seat fell silent before the end was sealed; my CLOSE in the journal proves it."""

    because: str


@dataclass(frozen=True, slots=True)
class ChatDropped:
    """The other player says more than anybody reads: what is too much is not told. This comes once."""


@dataclass(frozen=True, slots=True)
class Again:
    """The last record stands, and the other player wants the next game."""


@dataclass(frozen=True, slots=True)
class Silent:
    """The connection stands, and not one whole frame has come for so many seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class HeardAgain:
    """He who was silent says something again."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """Over a new connection both sides stand at the same record again."""

    records: int


@dataclass(frozen=True, slots=True)
class Here:
    """While the connection is gone the other listens on this port of his."""

    port: int


@dataclass(frozen=True, slots=True)
class Parted:
    """The last record stands, and the other will not play the next game."""

    because: str


@dataclass(frozen=True, slots=True)
class AbsenceSaid:
    """The other has recorded a win by my absence, or says what it thinks of mine, after so many records."""

    said: Absent
    records: int


Told = Event | Chatted | ChatDropped | ClosedAlone | Again | Parted | Silent | HeardAgain | Resumed | Here | AbsenceSaid
Deliver = Callable[[Told], Awaitable[None]]


class Ended(ChannelError):
    """The other ended the connection on purpose: it is not a cut, and nobody tries to come back."""


class NoWayOn(Ended):
    """Where the two sides stand no game can go on between them."""


class FaultClaimed(Ended):
    """The other side says that my record broke the protocol. Its claim proves nothing by itself."""

    def __init__(self, name: str, fault: Fault) -> None:
        self.fault = fault
        cause = clean_text(fault.cause, CLAIM_CHARACTERS)
        super().__init__(f"{name} refuses record {fault.seq} of this side: {cause}")


class Ledger(Protocol):
    """What the link needs of a journal; `journal.Journal` is one."""

    @property
    def begun(self) -> bool:
        """The game has its file."""

    def begin(self, game_id: bytes, seed: bytes) -> None:
        """The seed is stored and the file made."""

    def append(self, record: bytes, *, own: bool = False) -> None:
        """The record is on the disk, and if it is this seat's own, marked as signed; raises JournalError."""

    def drop_close(self) -> None:
        """No CLOSE stands behind the last record any more; raises JournalError."""

    def evidence(self, data: bytes) -> Path | None:
        """`data` is kept in a file of its own."""
