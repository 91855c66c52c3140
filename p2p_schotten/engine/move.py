"""What a player may decide: one value per decision. Steps without a choice are not moves.

A decision that hides its cards (`Return`, `Give`) has a **public form** that names their decks only: `apply` takes it,
records carry it, and so every state is equal on both sides. Here moves are also written as integers, for records.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.errors import Malformed
from p2p_schotten.ids import CardId, DeckId, StoneId


@dataclass(frozen=True, slots=True)
class Play:
    """Lay a card from the hand: a numbered card or a troop on the own side of a stone, a mode on a stone."""

    card: CardId
    stone: StoneId


@dataclass(frozen=True, slots=True)
class Claim:
    """Take a stone that is proven won; in a siege: control a tile."""

    stone: StoneId


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw from that deck, where there is a choice; ends the claim window."""

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


@dataclass(frozen=True, slots=True)
class Scout:
    """Play `card`: draw three cards, then put two of the hand back."""

    card: CardId


@dataclass(frozen=True, slots=True)
class Redeploy:
    """Play `card`: the own card `moved` goes to another stone, or to the discard pile (`stone` None)."""

    card: CardId
    moved: CardId
    stone: StoneId | None


@dataclass(frozen=True, slots=True)
class Desert:
    """Play `card`: the opponent's card `target` is discarded."""

    card: CardId
    target: CardId


@dataclass(frozen=True, slots=True)
class Betray:
    """Play `card`: the opponent's numbered card `target` comes to the own side of `stone`."""

    card: CardId
    target: CardId
    stone: StoneId


@dataclass(frozen=True, slots=True)
class Recruit:
    """Play `card`: the discarded numbered card `target` comes to the own side of `stone`."""

    card: CardId
    target: CardId
    stone: StoneId


@dataclass(frozen=True, slots=True)
class BlowUp:
    """Play `card`: the own (or the opponent's) side of `stone` is discarded."""

    card: CardId
    stone: StoneId
    own: bool


@dataclass(frozen=True, slots=True)
class Support:
    """Play `card`: two discarded numbered cards, ascending, are shuffled into their pile."""

    card: CardId
    cards: tuple[CardId, CardId]


@dataclass(frozen=True, slots=True)
class Exchange:
    """Play `card`: both players choose cards of their hands and swap them."""

    card: CardId


@dataclass(frozen=True, slots=True)
class Return:
    """Put this card of the hand back into its pile, face down; its public form is `ReturnFrom`."""

    card: CardId


@dataclass(frozen=True, slots=True)
class ReturnFrom:
    """Put a card of that deck back from the hand into its pile, face down."""

    deck: DeckId


@dataclass(frozen=True, slots=True)
class Give:
    """Choose these cards of the hand, ascending, for an exchange; its public form is `GiveFrom`."""

    cards: tuple[CardId, ...]


@dataclass(frozen=True, slots=True)
class GiveFrom:
    """Choose a card of each of these decks, ascending, for an exchange: their backs are seen."""

    decks: tuple[DeckId, ...]


@dataclass(frozen=True, slots=True)
class Oil:
    """Defender: discard the attacker's card that lies longest at that tile."""

    stone: StoneId


@dataclass(frozen=True, slots=True)
class Retreat:
    """Attacker: discard all own cards at that tile."""

    stone: StoneId


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard one of the own cards of a side that has one too many."""

    card: CardId


Tactic = Scout | Redeploy | Desert | Betray | Recruit | BlowUp | Support | Exchange
PublicMove = Play | Claim | Draw | Done | Pass | Resign | Tactic | ReturnFrom | GiveFrom | Oil | Retreat | Discard
Move = PublicMove | Return | Give

MAX_GIVEN = 3  # cards that an exchange moves each way (A38)


def public(rules: Ruleset, move: Move) -> PublicMove:
    """The move as everybody may know it."""
    if isinstance(move, Return):
        return ReturnFrom(rules.deck_of(move.card))
    if isinstance(move, Give):
        return GiveFrom(tuple([rules.deck_of(card) for card in move.cards]))
    return move


def move_code(move: PublicMove) -> tuple[int, ...]:
    """The kind, then what it names (0-based)."""
    match move:
        case Play():
            return 0, move.card, move.stone
        case Claim():
            return 1, move.stone
        case Draw():
            return 2, move.deck
        case Done():
            return (3,)
        case Pass():
            return (4,)
        case Resign():
            return (5,)
        case Scout():
            return 6, move.card
        case Redeploy():
            return (7, move.card, move.moved) if move.stone is None else (7, move.card, move.moved, move.stone)
        case Desert():
            return 8, move.card, move.target
        case Betray():
            return 9, move.card, move.target, move.stone
        case Recruit():
            return 10, move.card, move.target, move.stone
        case BlowUp():
            return 11, move.card, move.stone, int(move.own)
        case Support():
            return 12, move.card, *move.cards
        case Exchange():
            return 13, move.card
        case ReturnFrom():
            return 14, move.deck
        case GiveFrom():
            return 15, *move.decks
        case Oil():
            return 16, move.stone
        case Retreat():
            return 17, move.stone
        case Discard():
            return 18, move.card
        case _:
            assert_never(move)


def read_move(rules: Ruleset, code: Sequence[object]) -> PublicMove:
    """The move that `move_code` writes so; every number is within the ruleset. Raises Malformed."""
    numbers = [number for number in code if type(number) is int]
    if len(numbers) != len(code):
        raise Malformed("a move is made of integers only")
    move = _read_move(rules, numbers)
    if move is None:
        raise Malformed(f"{str(numbers)[:60]} is no move")
    return move


def _read_move(rules: Ruleset, numbers: list[int]) -> PublicMove | None:
    cards, stones, decks = range(len(rules.cards)), range(len(rules.tiles)), range(len(rules.decks))
    match numbers:
        case [0, card, stone] if card in cards and stone in stones:
            return Play(CardId(card), StoneId(stone))
        case [1, stone] if stone in stones:
            return Claim(StoneId(stone))
        case [2, deck] if deck in decks:
            return Draw(DeckId(deck))
        case [3]:
            return Done()
        case [4]:
            return Pass()
        case [5]:
            return Resign()
        case [14, deck] if deck in decks:
            return ReturnFrom(DeckId(deck))
        case [15, *named] if len(named) <= MAX_GIVEN and all(deck in decks for deck in named):
            return GiveFrom(tuple(map(DeckId, named)))
        case [16, stone] if stone in stones:
            return Oil(StoneId(stone))
        case [17, stone] if stone in stones:
            return Retreat(StoneId(stone))
        case [18, card] if card in cards:
            return Discard(CardId(card))
        case [_kind, card, *_rest] if card in cards:
            return _read_tactic(numbers, cards, stones)
    return None


def _read_tactic(numbers: list[int], cards: range, stones: range) -> Tactic | None:
    card = CardId(numbers[1])
    match numbers:
        case [6, _card]:
            return Scout(card)
        case [7, _card, moved] if moved in cards:
            return Redeploy(card, CardId(moved), None)
        case [7, _card, moved, stone] if moved in cards and stone in stones:
            return Redeploy(card, CardId(moved), StoneId(stone))
        case [8, _card, target] if target in cards:
            return Desert(card, CardId(target))
        case [9, _card, target, stone] if target in cards and stone in stones:
            return Betray(card, CardId(target), StoneId(stone))
        case [10, _card, target, stone] if target in cards and stone in stones:
            return Recruit(card, CardId(target), StoneId(stone))
        case [11, _card, stone, own] if stone in stones and own in (0, 1):
            return BlowUp(card, StoneId(stone), bool(own))
        case [12, _card, one, two] if one in cards and two in cards:
            return Support(card, (CardId(one), CardId(two)))
        case [13, _card]:
            return Exchange(card)
    return None
