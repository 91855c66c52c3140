"""What a player may decide: one value per decision. Steps without a choice are not moves.

A move is also written as integers (for records) and as words (for people), with a strict reader for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.errors import Malformed, Unreadable
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

_PLAY, _CLAIM, _DRAW, _DONE, _PASS, _RESIGN = range(6)
_PLAIN: dict[str, Move] = {"done": Done(), "pass": Pass(), "resign": Resign()}


def move_code(move: Move) -> tuple[int, ...]:
    """The move in its public form: the kind, then what it names (0-based)."""
    match move:
        case Play():
            return _PLAY, move.card, move.stone
        case Claim():
            return _CLAIM, move.stone
        case Draw():
            return _DRAW, move.deck
        case Done():
            return (_DONE,)
        case Pass():
            return (_PASS,)
        case Resign():
            return (_RESIGN,)
        case _:
            assert_never(move)


def read_move(rules: Ruleset, code: Sequence[object]) -> Move:
    """The move that `move_code` writes so; every number is within the ruleset. Raises Malformed."""
    numbers = [number for number in code if type(number) is int]
    if len(numbers) != len(code):
        raise Malformed("a move is made of integers only")
    cards, stones, decks = len(rules.cards), len(rules.tiles), len(rules.decks)
    match numbers:
        case [0, card, stone] if 0 <= card < cards and 0 <= stone < stones:
            return Play(CardId(card), StoneId(stone))
        case [1, stone] if 0 <= stone < stones:
            return Claim(StoneId(stone))
        case [2, deck] if 0 <= deck < decks:
            return Draw(DeckId(deck))
        case [3]:
            return Done()
        case [4]:
            return Pass()
        case [5]:
            return Resign()
    raise Malformed(f"{str(numbers)[:60]} is no move")


def move_text(rules: Ruleset, move: Move) -> str:
    """The move as a player types it; stones count from 1: "play R7 3"."""
    match move:
        case Play():
            return f"play {rules.text(move.card)} {move.stone + 1}"
        case Claim():
            return f"claim {move.stone + 1}"
        case Draw():
            return f"draw {rules.decks[move.deck].name}"
        case Done():
            return "done"
        case Pass():
            return "pass"
        case Resign():
            return "resign"
        case _:
            assert_never(move)


def read_move_text(rules: Ruleset, text: str) -> Move:
    """The move that a player typed, in either case, with any spacing. Raises Unreadable."""
    words = text.lower().split()
    match words:
        case ["play", card, stone]:
            return Play(rules.card(card), _stone(rules, stone))
        case ["claim", stone]:
            return Claim(_stone(rules, stone))
        case ["draw", name]:
            for number, deck in enumerate(rules.decks):
                if deck.name == name:
                    return Draw(DeckId(number))
            raise Unreadable(f"{name[:20]!r} is not a deck: there is {', '.join(deck.name for deck in rules.decks)}")
        case [word] if word in _PLAIN:
            return _PLAIN[word]
    raise Unreadable(f"{text.strip()[:40]!r} is not a move: expected play CARD STONE, claim STONE, done or resign")


def _stone(rules: Ruleset, word: str) -> StoneId:
    if not (word.isascii() and word.isdigit() and len(word) <= 2 and 1 <= int(word) <= len(rules.tiles)):
        raise Unreadable(f"{word[:20]!r} is not a stone: they are numbered 1 to {len(rules.tiles)}")
    return StoneId(int(word) - 1)
