"""Moves as words, as a player types them; stones count from 1: "play R7 3".

A tactic card is played with what it names: "play STR R7 5" (strategist: R7 to stone 5), "play STR R7 discard",
"play BAN R7", "play TRA R7 5", "play BLO 3 own" or "play BLO 3 other", "play SUP R7 G2", "play REC" (recruiter).
"""

from __future__ import annotations

from collections.abc import Container
from typing import assert_never

from p2p_schotten.engine.cards import Power
from p2p_schotten.engine.move import (
    Betray,
    BlowUp,
    Claim,
    Desert,
    Discard,
    Done,
    Draw,
    Exchange,
    Give,
    GiveFrom,
    Move,
    Oil,
    Pass,
    Play,
    Recruit,
    Redeploy,
    Resign,
    Retreat,
    Return,
    ReturnFrom,
    Scout,
    Support,
)
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.errors import Unreadable
from p2p_schotten.ids import CardId, DeckId, StoneId

_PLAIN: dict[str, Move] = {"done": Done(), "pass": Pass(), "resign": Resign()}
_OWN = {"own": True, "other": False}
_DISCARD = "discard"


def move_text(rules: Ruleset, move: Move) -> str:
    """The move as a player types it."""
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
        case Scout() | Exchange():
            return f"play {rules.text(move.card)}"
        case Redeploy():
            where = _DISCARD if move.stone is None else str(move.stone + 1)
            return f"play {rules.texts((move.card, move.moved))} {where}"
        case Desert():
            return f"play {rules.texts((move.card, move.target))}"
        case Betray() | Recruit():
            return f"play {rules.texts((move.card, move.target))} {move.stone + 1}"
        case BlowUp():
            return f"play {rules.text(move.card)} {move.stone + 1} {'own' if move.own else 'other'}"
        case Support():
            return f"play {rules.texts((move.card, *move.cards))}"
        case Return():
            return f"return {rules.text(move.card)}"
        case ReturnFrom():
            return f"return {rules.decks[move.deck].name}"
        case Give():
            return f"give {rules.texts(move.cards)}"
        case GiveFrom():
            return " ".join(["give", *(rules.decks[deck].name for deck in move.decks)])
        case Oil():
            return f"oil {move.stone + 1}"
        case Retreat():
            return f"retreat {move.stone + 1}"
        case Discard():
            return f"discard {rules.text(move.card)}"
        case _:
            assert_never(move)


def read_move_text(rules: Ruleset, text: str, held: Container[CardId] = ()) -> Move:
    """The move that a player typed, in either case, with any spacing. Raises Unreadable.

    Of two cards with one face (jokers) the one among `held` is meant, else the first.
    """
    words = text.lower().split()
    match words:
        case ["play", card, *rest]:
            return _read_play(rules, text, _card(rules, card, held), rest, held)
        case ["claim", stone]:
            return Claim(_stone(rules, stone))
        case ["oil", stone]:
            return Oil(_stone(rules, stone))
        case ["retreat", stone]:
            return Retreat(_stone(rules, stone))
        case ["draw", name]:
            return Draw(_deck(rules, name))
        case ["return", name]:
            return ReturnFrom(_deck(rules, name)) if _is_deck(rules, name) else Return(_card(rules, name, held))
        case ["give", *names] if names and all(_is_deck(rules, name) for name in names):
            return GiveFrom(tuple(sorted(_deck(rules, name) for name in names)))
        case ["give", *cards] if cards:
            return Give(_cards(rules, cards, held))
        case ["discard", card]:
            return Discard(_card(rules, card, held))
        case [word] if word in _PLAIN:
            return _PLAIN[word]
    raise _no_move(text)


def _read_play(rules: Ruleset, text: str, card: CardId, words: list[str], held: Container[CardId]) -> Move:
    match rules.cards[card].power, words:
        case ((None | Power.JOKER | Power.ELITE | Power.FOG | Power.MUD), [stone]):
            return Play(card, _stone(rules, stone))
        case Power.SCOUT, []:
            return Scout(card)
        case Power.EXCHANGE, []:
            return Exchange(card)
        case Power.REDEPLOY, [moved, where]:
            return Redeploy(card, rules.card(moved), None if where == _DISCARD else _stone(rules, where))
        case Power.DESERT, [target]:
            return Desert(card, rules.card(target))
        case Power.BETRAY, [target, stone]:
            return Betray(card, rules.card(target), _stone(rules, stone))
        case Power.RECRUIT, [target, stone]:
            return Recruit(card, rules.card(target), _stone(rules, stone))
        case Power.BLOW_UP, [stone, whose] if whose in _OWN:
            return BlowUp(card, _stone(rules, stone), _OWN[whose])
        case Power.SUPPORT, [one, two]:
            first, second = sorted((rules.card(one), rules.card(two)))
            return Support(card, (first, second))
    raise _no_move(text)


def _no_move(text: str) -> Unreadable:
    return Unreadable(f"{text.strip()[:40]!r} is not a move: expected play CARD STONE, claim STONE, done or resign")


def _card(rules: Ruleset, word: str, held: Container[CardId]) -> CardId:
    named = rules.named(word)
    return next((card for card in named if card in held), named[0])


def _cards(rules: Ruleset, words: list[str], held: Container[CardId]) -> tuple[CardId, ...]:
    found: list[CardId] = []
    for word in words:
        left = [card for card in rules.named(word) if card not in found]
        found.append(next((card for card in left if card in held), (left or rules.named(word))[0]))
    return tuple(sorted(found))


def _is_deck(rules: Ruleset, word: str) -> bool:
    return any(deck.name == word for deck in rules.decks)


def _deck(rules: Ruleset, word: str) -> DeckId:
    for number, deck in enumerate(rules.decks):
        if deck.name == word:
            return DeckId(number)
    raise Unreadable(f"{word[:20]!r} is not a deck: there is {', '.join(deck.name for deck in rules.decks)}")


def _stone(rules: Ruleset, word: str) -> StoneId:
    if not (word.isascii() and word.isdigit() and len(word) <= 2 and 1 <= int(word) <= len(rules.tiles)):
        raise Unreadable(f"{word[:20]!r} is not a stone: they are numbered 1 to {len(rules.tiles)}")
    return StoneId(int(word) - 1)
