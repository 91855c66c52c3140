"""Typed words become the words of a move. What cannot be read, or fits several things, is refused."""

from __future__ import annotations

from dataclasses import dataclass

from p2p_schotten.engine.state import State
from p2p_schotten.engine.view import View
from p2p_schotten.errors import Unreadable
from p2p_schotten.ids import CardId
from p2p_schotten.ui.asking import (
    DISCARD,
    NO_STONE,
    TABLE,
    Part,
    Parts,
    Slot,
    Way,
    named,
    options,
    slot_after,
    spellings,
    texts,
)
from p2p_schotten.ui.questions import stone_of
from p2p_schotten.ui.text import _
from p2p_schotten.ui.wall import said
from p2p_schotten.ui.words import SHOWN_INPUT, Refusal, capital, quoted


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the words of one line against the position. `hand` is the hand as it is numbered for the player."""

    view: View
    hand: tuple[CardId, ...]
    known: tuple[Way, ...]

    def read(self, chosen: Parts, words: list[str], *, listed: bool) -> Parts | None:
        """The chosen words and the typed ones after them; None when there are more than the move has.

        `listed`: the player has the numbered list of the next word before him. Raises Refusal.
        """
        for typed in words:
            slot = slot_after(self.view.state, texts(chosen))
            if slot is None:
                return None
            offered = options(self.known, chosen)
            if not offered and slot in (Slot.DECK, Slot.WHOSE):  # nothing is: the rules say why, not the reader
                offered = tuple(map(Part, named(self.view, slot)))
            chosen = (*chosen, self._part(slot, typed, offered, listed))
            listed = False
        return chosen

    def _part(self, slot: Slot, typed: str, offered: Parts, listed: bool) -> Part:
        spelt = list(zip(offered, spellings(offered), strict=True))
        same = [part for part, word in spelt if typed.lower() in (part.text.lower(), word.lower())]
        if len(same) > 1:
            lying = [_where(self.view.state, part, word) for part, word in spelt if part in same]
            sentence = _("{typed} lies in several places: type {forms}.")
            raise Refusal(sentence.format(typed=quoted(typed), forms=_(" or ").join(lying)))
        if same:
            return same[0]
        if slot in (Slot.STONE, Slot.PLACE):
            return self._stone(slot, typed, offered)
        if slot is Slot.HAND:
            return self._from_hand(typed, offered)
        if typed.isdigit() and (listed or slot is Slot.DECK):
            return _numbered(typed, offered)
        if slot in TABLE:
            return self._face(typed)
        if found := _begun(typed, offered):
            return found
        raise Refusal(_("{typed} is none of {options}.").format(typed=quoted(typed), options=", ".join(texts(offered))))

    def _stone(self, slot: Slot, typed: str, offered: Parts) -> Part:
        stones = len(self.view.state.stones)
        if _number(typed) and 1 <= int(typed) <= stones:
            return Part(str(int(typed)))
        if slot is Slot.PLACE and typed == NO_STONE:
            return Part(DISCARD)
        if slot is Slot.PLACE and (found := _begun(typed, offered)):
            return found
        sentence = said(self.view.state.rules, _("There is no stone {typed}: they are numbered 1 to {n}."))
        if slot is Slot.PLACE:
            sentence = said(
                self.view.state.rules,
                _("There is no stone {typed}: they are numbered 1 to {n}, and 0 is the discard pile."),
            )
        raise Refusal(sentence.format(typed=quoted(typed), n=stones))

    def _from_hand(self, typed: str, offered: Parts) -> Part:
        if not typed.isdigit():
            return self._face(typed)
        if _number(typed) and 1 <= int(typed) <= len(self.hand):
            return Part(self.view.state.rules.text(self.hand[int(typed) - 1]))
        sentence = _("There is no card {typed} in your hand: it has the numbers 1 to {n}.")
        raise Refusal(sentence.format(typed=typed[:SHOWN_INPUT], n=len(self.hand)))

    def _face(self, typed: str) -> Part:
        rules = self.view.state.rules
        if typed.isdigit():
            raise Refusal(_("{typed} is a number: name the card by its face.").format(typed=quoted(typed)))
        try:
            return Part(rules.text(rules.card(typed)))
        except Unreadable as error:
            raise Refusal(_("{why}, or its number.").format(why=capital(str(error)))) from error


def _where(state: State, part: Part, word: str) -> str:
    """`JOK#2 (stone 4)`: of two cards with one face."""
    assert part.card is not None
    return said(state.rules, _("{form} (stone {n})")).format(form=word, n=stone_of(state, part.card) + 1)


def _number(typed: str) -> bool:
    return typed.isascii() and typed.isdigit() and len(typed) < 4


def _numbered(typed: str, offered: Parts) -> Part:
    if _number(typed) and 1 <= int(typed) <= len(offered):
        return offered[int(typed) - 1]
    sentence = _("There is no number {typed} in the list: it goes from 1 to {n}.")
    raise Refusal(sentence.format(typed=typed[:SHOWN_INPUT], n=len(offered)))


def _begun(typed: str, offered: Parts) -> Part | None:
    begun = [part for part in offered if part.text.startswith(typed.lower())] if typed.isalpha() else []
    return begun[0] if len(begun) == 1 else None
