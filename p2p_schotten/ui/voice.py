"""Who is told, and how the players and their cards are called."""

from __future__ import annotations

from dataclasses import dataclass

from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.ids import CardId, Seat
from p2p_schotten.text import clean_text
from p2p_schotten.ui.text import _
from p2p_schotten.ui.wall import said

NAME_CHARACTERS = 32


@dataclass(frozen=True, slots=True)
class Voice:
    """Who is told, and how the players are called. `me` is None for a looker-on; `names` are by seat."""

    me: Seat | None
    names: tuple[str, str]
    rules: Ruleset | None = None  # of the game that is told, once it is known

    def name(self, seat: Seat) -> str:
        """The player's name, safe to print."""
        return clean_text(self.names[seat], NAME_CHARACTERS)

    def who(self, seat: Seat) -> str:
        """`you` or the name, inside a sentence."""
        return _("you") if seat == self.me else self.name(seat)

    def pick(self, seat: Seat, you: str, other: str, **fields: object) -> str:
        """The sentence for my own deeds, or the other one, with the name and the fields filled in."""
        sentence = you if seat == self.me else other
        sentence = sentence if self.rules is None else said(self.rules, sentence)
        return sentence.format(name=self.name(seat), **fields)


def cards_text(rules: Ruleset, cards: tuple[CardId, ...]) -> str:
    """`R7 G2`, or a dash for none."""
    return rules.texts(cards) or "-"
