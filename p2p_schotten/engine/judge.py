"""The referee for one question: may the owner of `mine` claim this stone now?

A position comes as decoded JSON with these fields; `mine` and `theirs` must be there, and in a siege `pattern` and
`length`.

    variant  "st1" (also when absent), "bl" (Battle Line) or "st2" (the siege)
    mine, theirs  the cards on the two sides, wild ones included, at most as many as the stone takes
    first    mine was complete first; must be there when theirs is complete, true or absent when it is not
    played   every numbered card that lies face up anywhere, both sides included; absent: only the two sides
    mud, fog    the mode lies on the stone; in a siege false or absent
    pattern  siege: what the side of the tile asks for: _ any formation, + or - the highest or lowest sum,
             c a colour, r a run, = the same strength
    length   siege: cards per side, 2, 3 or 4
    colour_run_bonus    siege: where a colour or a run is asked for, a colour run beats both (A20); absent: false
    id, claim   not looked at (claim: a boolean or absent)

Who may lay how many jokers is not asked here: two of them may lie on one side.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from p2p_schotten.engine.cards import members
from p2p_schotten.engine.claim import weigh
from p2p_schotten.engine.formation import Side, Terms, side_of
from p2p_schotten.engine.ruleset import Contest, Ruleset
from p2p_schotten.engine.rulesets import BATTLE_LINE, SIEGE_TACTIC, TACTIC
from p2p_schotten.engine.state import Ground, ground_terms
from p2p_schotten.errors import Unreadable
from p2p_schotten.ids import CardId, Seat, StoneId

_FLAGS = ("mud", "fog", "colour_run_bonus", "claim")  # true or false; absent is false
_SIEGE_FIELDS = ("pattern", "length")
FIELDS = frozenset({"id", "variant", "mine", "theirs", "first", "played", *_FLAGS, *_SIEGE_FIELDS})
_PATTERNS: Mapping[str, Contest] = {contest.value: contest for contest in Contest}
_LENGTHS = range(2, 5)


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict, a sentence that says why, and the cards that beat the claim (see `claim.Verdict`), as texts."""

    claim: bool
    because: str
    beaten_by: tuple[str, ...]


class Question(NamedTuple):
    """A position that was read, as `claim.weigh` takes it."""

    rules: Ruleset
    mine: Side
    theirs: Side
    first: bool
    unseen: int


@dataclass(frozen=True, slots=True)
class _Variant:
    # A ruleset prepared for quick reading: the bits of its cards, each written in either case.
    name: str
    rules: Ruleset
    lying: Mapping[str, int]  # what may lie on a side; of two jokers the bit of the first
    numbered: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class _Place:
    terms: Terms
    sides: dict[int, Side]  # a cache: the side with this set of cards


def _variant(name: str, rules: Ruleset) -> _Variant:
    lying: dict[str, int] = {}
    for card in rules.cards:
        if card.power is None or card.wild is not None:
            for text in (card.text, card.text.lower()):
                lying.setdefault(text, 1 << card.id)
    return _Variant(name, rules, lying, {text: bit for text, bit in lying.items() if bit <= rules.grid.all})


_VARIANTS: Mapping[str, _Variant] = {
    name: _variant(name, rules) for name, rules in (("st1", TACTIC), ("bl", BATTLE_LINE), ("st2", SIEGE_TACTIC))
}


def judge(position: Mapping[str, object]) -> Judgement:
    """The verdict on a position. Raises Unreadable with a sentence when it is none."""
    rules, mine, theirs, first, unseen = question(position)
    verdict = weigh(rules, mine, theirs, first, unseen)
    return Judgement(verdict.claim, verdict.because, tuple([rules.text(card) for card in verdict.beaten_by]))


def question(position: Mapping[str, object]) -> Question:
    """What a position asks. Raises Unreadable with a sentence when it is none."""
    if not position.keys() <= FIELDS:
        raise Unreadable(_unknown_field(position))
    name = position.get("variant", "st1")
    variant = _VARIANTS.get(name) if isinstance(name, str) else None
    if variant is None:
        raise Unreadable(f"variant: expected {', '.join(_VARIANTS)}")
    for flag in _FLAGS:
        if not isinstance(position.get(flag, False), bool):
            raise Unreadable(f"{flag}: expected true or false")
    place = (_stone if variant.rules.siege is None else _tile)(variant.name, position)
    size = place.terms.size
    mine = _cards("mine", position.get("mine"), size)
    theirs = _cards("theirs", position.get("theirs"), size)
    own, against = _lying(variant, mine, theirs)
    seen = _played(variant, position["played"], own | against) if "played" in position else own | against
    first = position.get("first", True if len(theirs) < size else None)
    if not isinstance(first, bool):
        raise Unreadable("first: expected true or false, whether mine was complete first")
    if not first and len(mine) == size > len(theirs):
        raise Unreadable("first: mine is complete and theirs is not, so mine was complete first: expected true")
    all_cards = variant.rules.grid.all
    return Question(variant.rules, _side(place, own), _side(place, against), first, all_cards & ~seen)


def _stone(name: str, position: Mapping[str, object]) -> _Place:
    for field in _SIEGE_FIELDS:
        if field in position:
            raise Unreadable(f"{field}: only a tile of st2 has one, a stone of {name} has none")
    if position.get("colour_run_bonus"):
        raise Unreadable(f"colour_run_bonus: only st2 knows it, expected false in {name}")
    return _stone_place(name, position.get("mud") is True, position.get("fog") is True)


@cache
def _stone_place(name: str, mud: bool, fog: bool) -> _Place:
    rules = _VARIANTS[name].rules
    modes = tuple((Seat(0), rules.card(text)) for text, there in (("MUD", mud), ("FOG", fog)) if there)
    return _Place(ground_terms(rules, StoneId(0), Ground(modes)), {})


def _tile(name: str, position: Mapping[str, object]) -> _Place:
    for field in ("mud", "fog"):
        if position.get(field):
            raise Unreadable(f"{field}: there is no such card in {name}, expected false")
    pattern, length = position.get("pattern"), position.get("length")
    if not isinstance(pattern, str) or pattern not in _PATTERNS:
        raise Unreadable(f"pattern: expected what the tile asks for, one of {' '.join(_PATTERNS)}")
    if type(length) is not int or length not in _LENGTHS:
        raise Unreadable("length: expected the cards per side of the tile, 2, 3 or 4")
    return _tile_place(name, pattern, length, position.get("colour_run_bonus") is True)


@cache
def _tile_place(name: str, pattern: str, length: int, bonus: bool) -> _Place:
    rules = _VARIANTS[name].rules
    return _Place(Terms(rules.grid, length, _PATTERNS[pattern], rules.wilds, bonus), {})


def _cards(field: str, value: object, most: int) -> list[str]:
    if not isinstance(value, list):
        raise Unreadable(f"{field}: expected a list of cards")
    if len(value) > most:
        raise Unreadable(f"{field}: expected at most {most} cards, found {len(value)}")
    return value


def _lying(variant: _Variant, mine: list[str], theirs: list[str]) -> tuple[int, int]:
    # The cards of both sides as sets. Only where a text stands twice do we ask for which cards it may stand.
    own = _set(variant, "mine", mine, variant.lying)
    against = _set(variant, "theirs", theirs, variant.lying)
    if own.bit_count() == len(mine) and against.bit_count() == len(theirs) and not own & against:
        return own, against
    sets, used = [], 0
    for texts in (mine, theirs):
        cards = 0
        for text in texts:
            named = variant.rules.named(text)
            bit = next((1 << card for card in named if not used & 1 << card), 0)
            if not bit:
                raise Unreadable(_too_often(variant.rules, named, mine, theirs))
            cards |= bit
            used |= bit
        sets.append(cards)
    return sets[0], sets[1]


def _played(variant: _Variant, value: object, lying: int) -> int:
    cards = _cards("played", value, len(variant.rules.decks[0].cards))
    seen = _set(variant, "played", cards, variant.numbered)
    if seen.bit_count() < len(cards):
        raise Unreadable(f"played: {_twice(cards)} stands there twice")
    if missing := lying & variant.rules.grid.all & ~seen:
        text = variant.rules.text(members(missing)[0])
        raise Unreadable(f"played: {text} lies on a side, but is not among the played cards")
    return seen


def _set(variant: _Variant, field: str, cards: list[str], bits: Mapping[str, int]) -> int:
    # A sum of powers of two has fewer bits than terms when one of them stands there twice.
    try:
        return sum(map(bits.__getitem__, cards))
    except (KeyError, TypeError):  # no card, or nothing that could be one (a list, a dictionary)
        raise Unreadable(_unknown_card(variant, field, cards, bits)) from None


def _side(place: _Place, cards: int) -> Side:
    return place.sides.get(cards) or place.sides.setdefault(cards, side_of(place.terms, members(cards)))


def _twice(cards: list[str]) -> str:
    texts = [card.upper() for card in cards]
    return next(text for text in texts if texts.count(text) > 1)


def _too_often(rules: Ruleset, named: tuple[CardId, ...], mine: list[str], theirs: list[str]) -> str:
    text = rules.text(named[0])
    if len(named) > 1:
        return f"{text} lies there more often than there are such cards ({len(named)})"
    counts = [[card.upper() for card in cards].count(text) for cards in (mine, theirs)]
    if min(counts):
        return f"{text} lies on both sides"
    return f"{'mine' if counts[0] else 'theirs'}: {text} stands there twice"


def _unknown_card(variant: _Variant, field: str, cards: list[str], bits: Mapping[str, int]) -> str:
    wrong = next(card for card in cards if not isinstance(card, str) or card not in bits)
    shown = repr(wrong)[:20] if isinstance(wrong, str | int | float | None) else f"a {type(wrong).__name__}"
    expected = f'expected cards like "{variant.rules.text(CardId(0))}"'
    if isinstance(wrong, str) and any(wrong.upper() == card.text for card in variant.rules.cards):
        if bits is variant.numbered:
            return f"{field}: {wrong.upper()} is a tactic card: only numbered cards stand there"
        return f"{field}: {wrong.upper()} lies on no side: {expected}"
    return f"{field}: {shown} is not a card of {variant.name}: {expected}"


def _unknown_field(position: Mapping[str, object]) -> str:
    wrong = min(map(str, position.keys() - FIELDS))
    return f"{wrong[:30]!r} is not a field: expected {', '.join(sorted(FIELDS))}"
