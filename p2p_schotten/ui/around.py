"""What a player sees around the table: which game of a match this is, and the time that is left for a turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from p2p_schotten.ids import Seat
from p2p_schotten.match import form_of
from p2p_schotten.protocol.session import Session
from p2p_schotten.ui.matches import game_text


def no_clock(_seat: Seat) -> int | None:
    """No time was agreed."""
    return None


@dataclass(frozen=True, slots=True)
class Around:
    """What is known of a game besides its position."""

    game: str = ""  # "game 2 of 3"; empty for a single game
    left: Callable[[Seat], int | None] = no_clock  # whole seconds of that seat's turn; None where no clock runs


NOTHING = Around()


def around(session: Session, left: Callable[[Seat], int | None]) -> Around:
    """Of a game whose two HELLOs stand. Raises Unreadable for a form of match that this program does not know."""
    return Around(game_text(form_of(session), session.offer.match.number), left)


def clock_text(seconds: int) -> str:
    """`0:41`, `12:05`, `1:00:00`"""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
