"""What a player sees around the table: which game of a match this is, and the time that is left for a turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from p2p_schotten.ids import Seat


def no_clock(_seat: Seat) -> int | None:
    """No time was agreed."""
    return None


@dataclass(frozen=True, slots=True)
class Around:
    """What is known of a game besides its position."""

    game: str = ""  # "game 2 of 3"; empty for a single game
    left: Callable[[Seat], int | None] = no_clock  # whole seconds of that seat's turn; None where no clock runs


NOTHING = Around()


def clock_text(seconds: int) -> str:
    """`0:41`, `12:05`, `1:00:00`"""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
