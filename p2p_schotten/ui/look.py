"""How a card looks: a clan is a letter, a shape and a colour, so that no eye and no terminal needs the colour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.ids import CardId


@dataclass(frozen=True, slots=True)
class Look:
    """The shape beside a card's letter, its ASCII form, and its rich style."""

    shape: str
    ascii_shape: str
    style: str


LOOKS: Mapping[str, Look] = {
    "R": Look("◆", "%", "bright_red"),
    "G": Look("●", "o", "green"),
    "B": Look("▲", "^", "bright_blue"),
    "Y": Look("■", "#", "yellow"),
    "P": Look("★", "*", "magenta"),
    "O": Look("▬", "~", "color(208)"),
    "N": Look("✚", "+", "color(173)"),  # piNk, browN in the French box
}
NO_LOOK = Look("", "", "bold")


@dataclass(frozen=True, slots=True)
class Symbols:
    """What the board is drawn with."""

    across: str
    down: str
    top: tuple[str, str, str]
    middle: tuple[str, str, str]
    bottom: tuple[str, str, str]
    theirs: str  # a stone of the seat above
    mine: str  # a stone of the seat below
    open: str
    wall: tuple[str, str]  # a stone of a wall: intact, damaged
    free: str  # room for a card, where stones differ in that
    ascii: bool


UNICODE = Symbols("─", "│", ("┌", "┬", "┐"), ("├", "┼", "┤"), ("└", "┴", "┘"), "▲", "▼", "■", ("■", "□"), "·", False)
ASCII = Symbols("-", "|", ("+", "+", "+"), ("+", "+", "+"), ("+", "+", "+"), "^", "v", "=", ("#", "x"), ".", True)


def look(rules: Ruleset, card: CardId) -> Look:
    """The look of a card's clan; cards without a clan have their letters only."""
    text = rules.text(card)
    return LOOKS.get(text[0], NO_LOOK) if text[1:].isdigit() else NO_LOOK


def card_text(rules: Ruleset, card: CardId, symbols: Symbols) -> str:
    """`R7◆`, or `R7%` in ASCII."""
    seen = look(rules, card)
    return rules.text(card) + (seen.ascii_shape if symbols.ascii else seen.shape)
