"""Why a stone can be claimed or not: the verdict is the engine's, the sentence is the player's own.

No sentence of the engine is taken apart: which one fits follows from the verdict and the two sides.
"""

from __future__ import annotations

from collections.abc import Mapping

from p2p_schotten.engine.claim import explain
from p2p_schotten.engine.formation import Side, Terms, best, key_text
from p2p_schotten.engine.view import View
from p2p_schotten.ids import Seat, StoneId, other
from p2p_schotten.ui.text import _
from p2p_schotten.ui.voice import Voice

FORMATIONS: Mapping[str, str] = {
    "colour run": _("colour run"),
    "three of a kind": _("three of a kind"),
    "same strength": _("same strength"),
    "colour": _("colour"),
    "run": _("run"),
    "sum": _("sum"),
}
"""What a formation is called, by its name in the engine."""


def formation_text(key: int, terms: Terms) -> str:
    """`colour run 24`"""
    name, _space, total = key_text(key, terms).rpartition(" ")
    return f"{FORMATIONS[name]} {total}"


def claim_reason(voice: Voice, view: View, stone: StoneId, claimant: Seat) -> str:
    """Why that seat may claim the stone or not, with the players called by what they are to the reader."""
    state, name = view.state, voice.name(other(view.seat))
    here = state.stones[stone]
    if here.owner is not None:
        return _("it is yours already") if here.owner == view.seat else _("it is {name}'s already").format(name=name)
    mine, theirs = here.sides[claimant], here.sides[other(claimant)]
    if not mine.full:
        sentence = _("your side has {k} of {n} cards") if claimant == view.seat else _("his side has {k} of {n} cards")
        return sentence.format(k=len(mine.cards), n=mine.terms.size)
    verdict = explain(state, stone, claimant)
    sentence, key = _reply(verdict.claim, mine, theirs, state.unseen, ours=claimant == view.seat)
    return sentence.format(
        mine=formation_text(mine.key, mine.terms),
        reply=formation_text(key, theirs.terms),
        name=name,
        cards=state.rules.texts(verdict.beaten_by),
    )


def _reply(claim: bool, mine: Side, theirs: Side, unseen: int, *, ours: bool) -> tuple[str, int]:
    """The sentence, its fields still empty, and what the other side has or may still make against a full side.

    `ours`: the side that would claim is the reader's.
    """
    if theirs.full:
        if mine.key == theirs.key and claim == ours:
            return _("both make {mine}, and your side was complete first"), theirs.key
        if mine.key == theirs.key:
            return _("both make {mine}, and {name}'s side was complete first"), theirs.key
        if claim:
            return _("{mine} beats {reply}"), theirs.key
        return _("{name}'s {reply} beats {mine}") if ours else _("your side's {reply} beats {mine}"), theirs.key
    if not claim:
        may = _("{name} may still make {reply} with {cards}"), _("your side may still make {reply} with {cards}")
        return may[not ours], best(theirs, unseen, mine.key)[0]
    key, _needed = best(theirs, unseen)
    if not key:
        few = (
            _("too few cards are unseen to complete {name}'s side"),
            _("too few cards are unseen to complete your side"),
        )
        return few[not ours], key
    nothing = (
        _("nothing that {name} may still make beats {mine}"),
        _("nothing that your side may still make beats {mine}"),
    )
    return nothing[not ours], key
