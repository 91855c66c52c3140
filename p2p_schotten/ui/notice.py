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
    to_all: bool = False  # he may come without the invite too


@dataclass(frozen=True, slots=True)
class TakenUp:
    """A game of an earlier run goes on here, after so many records; the other player is still to be found."""

    game: str  # its id in hexadecimal digits
    records: int


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
class Faulted:
    """The bot at my seat stopped. `fault`: which kind of fault it is; `forfeit`: it gives the game up at its turn."""

    seat: Seat
    fault: str
    why: str
    forfeit: bool = False


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


@dataclass(frozen=True, slots=True)
class Silent:
    """The connection stands, and nothing has come over it for so long; he may come back."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Returned:
    """He who was silent is heard again."""


@dataclass(frozen=True, slots=True)
class Reconnecting:
    """The connection is gone, and something is still to be said: I try to reach him again. No question is open then."""

    why: str


@dataclass(frozen=True, slots=True)
class Resumed:
    """Both sides have the same records again, so many; a question that is mine is asked anew after this."""

    records: int


@dataclass(frozen=True, slots=True)
class TimeShort:
    """My turn may last so many more seconds by the agreed clock."""

    seconds: int


@dataclass(frozen=True, slots=True)
class TimeUp:
    """By the clock of this side the turn of `seat` has lasted longer than the agreed seconds."""

    seat: Seat
    seconds: int


@dataclass(frozen=True, slots=True)
class Recorded:
    """A win by absence is recorded beside the journal: `by` wins. Nobody can verify it.

    `agreed`: the other side recorded the same; None while it has not answered. `why`: in what the two differ.
    """

    by: Seat
    record: int  # records that stood then
    agreed: bool | None
    why: str = ""


Away = Silent | Returned | Reconnecting | Resumed | TimeShort | TimeUp | Recorded
"""What is told of a connection and of time; ui/away.py has the sentences."""

After = Scored | Rematch | Again | Parted
Notice = Invited | TakenUp | Introduced | TurnedAway | Chatted | Lost | Settled | Faulted | Saved | After | Away
Happening = Event | Notice
