"""A stone in words and in marks: how many cards a side takes, and what decides it."""

from __future__ import annotations

from collections.abc import Mapping

from p2p_schotten.engine.formation import Terms
from p2p_schotten.engine.ruleset import Contest, Tile
from p2p_schotten.engine.state import State
from p2p_schotten.ids import StoneId
from p2p_schotten.ui.text import _

CONTESTS: Mapping[Contest, str] = {
    Contest.ANY: _("best formation"),
    Contest.HIGH: _("highest sum"),
    Contest.LOW: _("lowest sum"),
    Contest.COLOUR: _("colour"),
    Contest.RUN: _("run"),
    Contest.SAME: _("same strength"),
}
MARKED = (
    Contest.HIGH,
    Contest.LOW,
    Contest.SAME,
    Contest.COLOUR,
    Contest.RUN,
)  # in the order in which a key names them


def short(terms: Terms | Tile) -> str:
    """`3+`: cards per side, and the mark of what decides; no mark where any formation counts."""
    return f"{terms.size}{'' if terms.contest is Contest.ANY else terms.contest.value}"


def in_words(terms: Terms | Tile) -> str:
    """`3 cards, highest sum`"""
    return _("{n} cards, {contest}").format(n=terms.size, contest=CONTESTS[terms.contest])


def when_damaged(state: State, stone: StoneId) -> str:
    """What an intact tile becomes: `when damaged: 2 cards, same strength`; nothing of any other stone."""
    worse = state.rules.tiles[stone].damaged
    if worse is None or state.stones[stone].ground.damaged:
        return ""
    return _("when damaged: {terms}").format(terms=in_words(worse))


def modes(state: State, stone: StoneId) -> tuple[str, ...]:
    """The modes that lie there, as they are written: `FOG`."""
    return tuple(state.rules.text(card) for _seat, card in state.stones[stone].ground.modes)


def described(state: State, stone: StoneId) -> str:
    """What is special about the stone: `damaged, 4 cards, lowest sum`; nothing about a stone like all others."""
    here = state.stones[stone]
    laid = modes(state, stone)
    if state.rules.siege is None and not laid:
        return ""
    face = [] if state.rules.siege is None else [_("damaged") if here.ground.damaged else _("intact")]
    return ", ".join([*face, *laid, in_words(here.sides[0].terms)])
