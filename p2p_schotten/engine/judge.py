"""The referee for one question: may the owner of `mine` claim this stone now (rules 1.3)?

A position comes as decoded JSON with these fields; `mine` and `theirs` must be there.

    variant  "st1" (also when absent)
    mine, theirs  the cards on the two sides, at most as many as the stone takes
    first    mine was complete first; must be there when theirs is complete, true or absent when it is not
    played   every numbered card that lies face up anywhere, both sides included; absent: only the two sides
    mud, fog    false or absent
    id, claim   not looked at (claim: a boolean or absent)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from p2p_schotten.engine.cards import members
from p2p_schotten.engine.claim import weigh
from p2p_schotten.engine.formation import Side, Terms, side_of
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import BASE
from p2p_schotten.errors import Unreadable
from p2p_schotten.ids import CardId

FIELDS = frozenset({"id", "variant", "mine", "theirs", "first", "played", "mud", "fog", "claim"})
_SIEGE_FIELDS = frozenset({"pattern", "length", "colour_run_bonus"})
_OTHER_VARIANTS = ("st2", "bl")
_WILDS = frozenset({"JOK", "SPY", "SHB", "ALX", "DAR", "CAV", "SHD"})


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict, a sentence that says why, and the cards that beat the claim (see `claim.Verdict`), as texts."""

    claim: bool
    because: str
    beaten_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Variant:
    # A ruleset prepared for quick reading: its cards in either case, each with its bit.
    rules: Ruleset
    terms: Terms
    cards: Mapping[str, CardId]
    bits: Mapping[str, int]
    sides: dict[int, Side]  # a cache: the side with this set of cards


def _variant(rules: Ruleset) -> _Variant:
    cards = {text: card.id for card in rules.decks[0].cards for text in (card.text, card.text.lower())}
    tile = rules.tiles[0]
    terms = Terms(rules.grid, tile.size, tile.contest)
    return _Variant(rules, terms, cards, {text: 1 << card for text, card in cards.items()}, {})


_VARIANTS: Mapping[str, _Variant] = {"st1": _variant(BASE)}


def judge(position: Mapping[str, object]) -> Judgement:
    """The verdict on a position. Raises Unreadable with a sentence when it is none, or none of this referee's."""
    if not position.keys() <= FIELDS:
        raise Unreadable(_unknown_field(position))
    name = position.get("variant", "st1")
    variant = _VARIANTS.get(name) if isinstance(name, str) else None
    if variant is None:
        raise Unreadable(_unknown_variant(name))
    for field in ("mud", "fog"):
        if position.get(field, False) is not False:
            raise Unreadable(f"{field}: this referee does not know tactic cards yet, expected false")
    if not isinstance(position.get("claim", False), bool):
        raise Unreadable("claim: expected true or false (it is not looked at)")
    size = variant.terms.size
    mine = _cards(variant, "mine", position.get("mine"), size)
    theirs = _cards(variant, "theirs", position.get("theirs"), size)
    own, against = _set(variant, "mine", mine), _set(variant, "theirs", theirs)
    if own & against:
        raise Unreadable(f"{_first(variant, own & against)} lies on both sides")
    seen = own | against
    if "played" in position:
        everything = _cards(variant, "played", position["played"], len(variant.rules.decks[0].cards))
        seen = _set(variant, "played", everything)
        if missing := (own | against) & ~seen:
            raise Unreadable(f"played: {_first(variant, missing)} lies on a side, but is not among the played cards")
    first = position.get("first", True if len(theirs) < size else None)
    if not isinstance(first, bool):
        raise Unreadable("first: expected true or false, whether mine was complete first")
    if not first and len(mine) == size > len(theirs):
        raise Unreadable("first: mine is complete and theirs is not, so mine was complete first: expected true")
    verdict = weigh(
        variant.rules,
        variant.sides.get(own) or _side(variant, own),
        variant.sides.get(against) or _side(variant, against),
        first,
        variant.rules.grid.all & ~seen,
    )
    return Judgement(verdict.claim, verdict.because, tuple([variant.rules.text(card) for card in verdict.beaten_by]))


def _cards(variant: _Variant, field: str, value: object, most: int) -> list[str]:
    if not isinstance(value, list):
        raise Unreadable(f"{field}: expected a list of cards")
    if len(value) > most:
        raise Unreadable(f"{field}: expected at most {most} cards, found {len(value)}")
    return value


def _set(variant: _Variant, field: str, cards: list[str]) -> int:
    try:
        found = sum(map(variant.bits.__getitem__, cards))
    except (KeyError, TypeError):  # no card, or nothing that could be one (a list, a dictionary)
        raise Unreadable(_unknown_card(variant, field, cards)) from None
    if found.bit_count() < len(cards):  # a sum of powers of two has fewer bits than terms when one stands there twice
        ids = [variant.cards[card] for card in cards]
        twice = next(card for card in ids if ids.count(card) > 1)
        raise Unreadable(f"{field}: {variant.rules.text(twice)} stands there twice")
    return found


def _side(variant: _Variant, cards: int) -> Side:
    return variant.sides.setdefault(cards, side_of(variant.terms, members(cards)))


def _first(variant: _Variant, cards: int) -> str:
    return variant.rules.text(members(cards)[0])


def _unknown_card(variant: _Variant, field: str, cards: list[str]) -> str:
    wrong = next(card for card in cards if not isinstance(card, str) or card not in variant.cards)
    if isinstance(wrong, str) and wrong.upper() in _WILDS:
        return f"{field}: {wrong.upper()} is a tactic card, and this referee does not know those yet"
    shown = repr(wrong)[:20] if isinstance(wrong, str | int | float | None) else f"a {type(wrong).__name__}"
    return f'{field}: {shown} is not a card: expected cards like "{variant.rules.text(CardId(0))}"'


def _unknown_field(position: Mapping[str, object]) -> str:
    wrong = min(map(str, position.keys() - FIELDS))
    if wrong in _SIEGE_FIELDS:
        return f"{wrong}: this referee does not know siege tiles yet"
    return f"{wrong[:40]!r} is not a field: expected {', '.join(sorted(FIELDS))}"


def _unknown_variant(name: object) -> str:
    if name in _OTHER_VARIANTS:
        return f"variant: this referee does not know {name} yet, expected st1"
    return "variant: expected st1"
