"""A decision word by word: from the legal moves alone follows what may be typed next.

A move is its words (`move_text`), so all legal moves together are a tree; whoever has typed a few words stands at a
node, and the next words of the moves below it are his options.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import islice, permutations, product
from typing import assert_never

from p2p_schotten.engine.cards import Power
from p2p_schotten.engine.move import (
    MAX_GIVEN,
    Betray,
    Desert,
    Discard,
    Give,
    Move,
    Recruit,
    Redeploy,
    Support,
    public,
)
from p2p_schotten.engine.notation import move_text, read_move_text
from p2p_schotten.engine.rules import apply
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.state import State
from p2p_schotten.engine.view import View
from p2p_schotten.errors import IllegalMove, Unreadable
from p2p_schotten.ids import CardId

# Where several kinds of moves are possible, a number or a card alone belongs to the first of these.
LEADS = ("play", "claim", "oil", "retreat", "draw", "return", "give", "discard")
DISCARD = "discard"  # where a card may go instead of to a stone, as a move is written
NO_STONE = "0"  # the same, as a player chooses it: the word alone shows the pile
MOST_TRIED = 2000  # moves that are tried to find out why none of them is possible; two cards and a stone are fewer


class Slot(Enum):
    """What a word of a move names."""

    HAND = "a card of the hand"
    OWN = "a card on the own side"
    THEIRS = "a card on the other side"
    OFF = "a card of the discard pile"
    STONE = "a stone"
    PLACE = "a stone or the discard pile"
    WHOSE = "the own or the other side"
    DECK = "a deck"


TABLE = frozenset({Slot.OWN, Slot.THEIRS, Slot.OFF})  # cards that lie face up: two may have one face

_AFTER_CARD: Mapping[Power | None, tuple[Slot, ...]] = {
    **dict.fromkeys((None, Power.JOKER, Power.ELITE, Power.FOG, Power.MUD), (Slot.STONE,)),
    Power.SCOUT: (),
    Power.REDEPLOY: (Slot.OWN, Slot.PLACE),
    Power.DESERT: (Slot.THEIRS,),
    Power.BETRAY: (Slot.THEIRS, Slot.STONE),
    Power.RECRUIT: (Slot.OFF, Slot.STONE),
    Power.BLOW_UP: (Slot.STONE, Slot.WHOSE),
    Power.SUPPORT: (Slot.OFF, Slot.OFF),
    Power.EXCHANGE: (),
}
_AFTER_VERB: Mapping[str, tuple[Slot, ...]] = {
    **dict.fromkeys(("claim", "oil", "retreat"), (Slot.STONE,)),
    **dict.fromkeys(("done", "pass", "resign"), ()),
    "draw": (Slot.DECK,),
    "return": (Slot.HAND,),
    "discard": (Slot.OWN,),
}
VERBS = ("play", "claim", "done", "pass", "resign", "draw", "return", "give", "discard", "oil", "retreat")


@dataclass(frozen=True, slots=True)
class Part:
    """A word of a move. `card` tells two cards with one face apart where they lie on the table."""

    text: str
    card: CardId | None = None


Parts = tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Way:
    """The words that make a legal move."""

    parts: Parts
    move: Move


def ways(rules: Ruleset, choices: tuple[Move, ...]) -> tuple[Way, ...]:
    """Every way to type one of the moves; cards that are named together may come in any order."""
    return tuple(Way(parts, move) for move in choices for parts in _spellings(rules, move))


def _spellings(rules: Ruleset, move: Move) -> Iterator[Parts]:
    parts = [Part(text) for text in move_text(rules, move).split()]
    match move:
        case Redeploy(_, card, _) | Desert(_, card) | Betray(_, card, _) | Recruit(_, card, _):
            parts[2] = Part(parts[2].text, card)
        case Discard(card):
            parts[1] = Part(parts[1].text, card)
        case Support(_, pair):
            named = [Part(rules.text(card), card) for card in pair]
            yield from ((*parts[:2], *order) for order in permutations(named))
            return
        case Give():
            yield from dict.fromkeys((parts[0], *order) for order in permutations(parts[1:]))
            return
    yield tuple(parts)


def below(known: tuple[Way, ...], chosen: Parts) -> tuple[Way, ...]:
    """The ways that begin with the chosen words."""
    return tuple(way for way in known if way.parts[: len(chosen)] == chosen)


def options(known: tuple[Way, ...], chosen: Parts) -> Parts:
    """What may come next, each once, in the order of the legal moves."""
    at = len(chosen)
    return tuple(dict.fromkeys(way.parts[at] for way in below(known, chosen) if len(way.parts) > at))


def lead(known: tuple[Way, ...]) -> Parts:
    """The word that need not be typed; nothing where no move takes more than one word."""
    verbs = {way.parts[0].text for way in known}
    return next(((Part(verb),) for verb in LEADS if verb in verbs), ())


def slots(state: State, words: tuple[str, ...]) -> tuple[Slot, ...]:
    """What each word of the move after the verb names, as far as the words say which move it is."""
    match words:
        case ("play", card, *_rest):
            return (Slot.HAND, *_AFTER_CARD[state.rules.cards[state.rules.card(card)].power])
        case ("play",):
            return (Slot.HAND,)
        case ("give", *_cards):
            return (Slot.HAND,) * (state.beside.left or MAX_GIVEN)
        case (verb, *_rest):
            return _AFTER_VERB[verb]
    return ()


def slot_after(state: State, words: tuple[str, ...]) -> Slot | None:
    """What the next word names; None when the move is complete."""
    named = slots(state, words)
    return named[len(words) - 1] if words and len(named) >= len(words) else None


def texts(parts: Parts) -> tuple[str, ...]:
    """The words."""
    return tuple(part.text for part in parts)


def spellings(offered: Parts) -> tuple[str, ...]:
    """What may be typed for each of them: its word, or `JOK#1` and `JOK#2` where two cards have one face."""
    words = texts(offered)
    return tuple(
        word if words.count(word) == 1 else f"{word}#{words[: at + 1].count(word)}" for at, word in enumerate(words)
    )


def in_one_line(known: tuple[Way, ...], parts: Parts) -> str:
    """How the words of a legal move are typed together, one after the other."""
    before = (options(known, parts[:at]) for at in range(len(parts)))
    return " ".join(spellings(offered)[offered.index(part)] for offered, part in zip(before, parts, strict=True))


def open_cards(state: State) -> tuple[CardId, ...]:
    """Every card that lies face up at an unclaimed stone, modes too, stone by stone."""
    return tuple(
        card
        for stone in state.stones
        if stone.owner is None
        for card in (*stone.arrived, *(card for _seat, card in stone.ground.modes))
    )


def reasons(view: View, words: tuple[str, ...]) -> tuple[str, ...]:
    """Why no move that begins with these words is possible: each reason once. No such move is legal."""
    found = _refusals(view, _completed(view, words, named))
    if len(found) == 1:
        return found
    # What is refused whichever card is named is refused for the position's sake.
    whatever = _refusals(view, _completed(view, words, _whatever))
    return whatever if len(whatever) == 1 else found


def _refusals(view: View, moves: Iterator[Move]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for move in islice(moves, MOST_TRIED):
        try:
            apply(view.state, public(view.state.rules, move))
        except IllegalMove as error:
            found[error.reason] = None
    return tuple(found)


def _completed(
    view: View, words: tuple[str, ...], words_for: Callable[[View, Slot], tuple[str, ...]]
) -> Iterator[Move]:
    rules = view.state.rules
    rest = slots(view.state, words)[len(words) - 1 :]
    for more in product(*(words_for(view, slot) for slot in rest)):
        if rest == (Slot.OFF, Slot.OFF) and more[0] == more[1]:
            continue
        try:
            yield read_move_text(rules, " ".join((*words, *more)), view.hand)
        except Unreadable:
            continue


def _whatever(view: View, slot: Slot) -> tuple[str, ...]:
    """The same, with every card of the main deck for those that would have to lie on the table."""
    rules = view.state.rules
    return tuple(card.text for card in rules.decks[0].cards) if slot in TABLE else named(view, slot)


def named(view: View, slot: Slot) -> tuple[str, ...]:
    """Every word that could stand there."""
    state, rules = view.state, view.state.rules
    stones = tuple(str(number + 1) for number in range(len(state.stones)))
    match slot:
        case Slot.HAND:
            return tuple(map(rules.text, view.hand))
        case Slot.OWN | Slot.THEIRS:
            return tuple(map(rules.text, open_cards(state)))
        case Slot.OFF:
            return tuple(map(rules.text, state.beside.discard))
        case Slot.STONE:
            return stones
        case Slot.PLACE:
            return (*stones, DISCARD)
        case Slot.WHOSE:
            return ("own", "other")
        case Slot.DECK:
            return tuple(deck.name for deck in rules.decks)
        case _:
            assert_never(slot)
