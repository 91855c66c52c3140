"""What a front end is told besides the peer's events: the things that happen around a game."""

from __future__ import annotations

from dataclasses import dataclass

from p2p_schotten.ids import Seat
from p2p_schotten.match import Standing
from p2p_schotten.protocol.events import Event
from p2p_schotten.protocol.offer import Offer


@dataclass(frozen=True, slots=True)
class Invited:
    """I listen. `invite` is the word for a friend, `addresses` where he can reach me (`host:port`)."""

    invite: str
    addresses: tuple[str, ...]
    fingerprint: str = ""  # my own, for a friend who joins without the invite
    offer: Offer | None = None  # what I offer to whoever comes


@dataclass(frozen=True, slots=True)
class Introduced:
    """Who sits at the other side. `known`: how I call this key; `twin`: I know another key under that name."""

    name: str
    fingerprint: str
    known: str | None
    twin: bool


@dataclass(frozen=True, slots=True)
class TurnedAway:
    """Somebody was refused, or a game with him came to nothing. I go on: waiting, or with the game under way."""

    why: str
    seated: bool = False  # he sat at the table, and nobody does now


@dataclass(frozen=True, slots=True)
class Chatted:
    """A line of chat; `seat` wrote it."""

    seat: Seat
    text: str


@dataclass(frozen=True, slots=True)
class Lost:
    """The connection is gone before the game was."""

    why: str


@dataclass(frozen=True, slots=True)
class Settled:
    """The game is over and the other seat fell silent: my CLOSE proves the result without its seal."""

    why: str


@dataclass(frozen=True, slots=True)
class Saved:
    """Where the transcripts of this game lie."""

    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scored:
    """A game counts together with others: so they stand after it."""

    standing: Standing


@dataclass(frozen=True, slots=True)
class Rematch:
    """The game is over, and I am asked whether I want another, or another match."""

    standing: Standing  # with the game that is over


@dataclass(frozen=True, slots=True)
class Again:
    """The game is over, and `seat` wants another."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Parted:
    """The game is over, and there is no other after it."""

    why: str


Notice = Invited | Introduced | TurnedAway | Chatted | Lost | Settled | Saved | Scored | Rematch | Again | Parted
Happening = Event | Notice
