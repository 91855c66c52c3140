"""What a player may decide: one value per decision. Steps without a choice are not moves."""

from __future__ import annotations

from dataclasses import dataclass

from p2p_schotten.ids import CardId, DeckId, StoneId


@dataclass(frozen=True, slots=True)
class Play:
    """Lay a card from the hand on the own side of a stone."""

    card: CardId
    stone: StoneId


@dataclass(frozen=True, slots=True)
class Claim:
    """Take a stone that is proven won."""

    stone: StoneId


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw from one of several decks; ends the claim window. (With one deck the engine draws by itself.)"""

    deck: DeckId


@dataclass(frozen=True, slots=True)
class Done:
    """End the claim window without (another) claim."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Lay nothing, where the ruleset allows that."""


@dataclass(frozen=True, slots=True)
class Resign:
    """Give the game up. Never listed in `legal_moves`, always accepted from the seat that is to move."""


Move = Play | Claim | Draw | Done | Pass | Resign
