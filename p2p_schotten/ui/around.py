"""What a player sees around the table: which game of a match this is, and the time that is left for a turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from p2p_schotten.errors import Unreadable
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


def game_of(session: Session) -> str:
    """Which game of a match this is, once both HELLOs stand; empty where the match is none that this program knows."""
    try:
        return game_text(form_of(session), session.offer.match.number)
    except Unreadable:
        return ""


def around(session: Session, left: Callable[[Seat], int | None]) -> Around:
    """What there is around the table of a game whose two HELLOs stand."""
    return Around(game_of(session), left)


def clock_text(seconds: int) -> str:
    """`0:41`, `12:05`, `1:00:00`"""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
