"""Names for small integers, so that a stone is never passed where a seat is meant."""

from typing import NewType

Seat = NewType("Seat", int)  # 0: the peer that listened first, 1: the one that dialed
StoneId = NewType("StoneId", int)  # 0-based, left to right (also flags and wall tiles)
CardId = NewType("CardId", int)  # 0-based over all decks of a ruleset, deck by deck in their order
DeckId = NewType("DeckId", int)  # 0-based in the order of the ruleset; 0 holds the numbered cards

SEATS: tuple[Seat, Seat] = (Seat(0), Seat(1))
ID_DIGITS = 64  # hexadecimal digits of a game's id in full
GAME_DIGITS = 12  # of a game's id, where it is shown: enough to tell apart all that one person plays


def other(seat: Seat) -> Seat:
    """The opponent of `seat`."""
    return SEATS[1 - seat]
