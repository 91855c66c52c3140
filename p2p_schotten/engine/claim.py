"""A stone is claimed by proof: the side is complete, and nothing that the other side may still become beats it.

The rule stands in docs/rules.md, "Claiming a stone".
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p_schotten.engine.cards import members
from p2p_schotten.engine.formation import Side, best, key_text, may_beat
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.state import State, Stone, numbers
from p2p_schotten.ids import CardId, Seat, StoneId, other


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a stone could be claimed, a sentence that says why, and the cards that are in the way.

    `beaten_by`: the other side's cards when it is complete and better (or equal and first); the unseen cards that it
    lacks when those would make it better; none when the own side is not complete.
    """

    claim: bool
    because: str
    beaten_by: tuple[CardId, ...]


def holds(mine: Side, theirs: Side, first: bool, unseen: int) -> bool:
    """Whether `mine` may claim against `theirs`; `first` says that it was complete first."""
    if not mine.full:
        return False
    if theirs.full:
        return mine.key > theirs.key or (first and mine.key == theirs.key)
    return not may_beat(theirs, mine.key, unseen)


def claimable(stones: tuple[Stone, ...], seat: Seat, unseen: int, among: int) -> tuple[StoneId, ...]:
    """The stones of the bit set `among`, none of them claimed, that `seat` may claim, left to right."""
    found = []
    for number in numbers(among):
        sides = stones[number].sides
        mine, theirs = sides[seat], sides[1 - seat]
        if holds(mine, theirs, theirs.full and stones[number].arrived[-1] not in mine.cards, unseen):
            found.append(number)
    return tuple(found)


def explain(state: State, stone: StoneId, seat: Seat) -> Verdict:
    """Whether `seat` could claim the stone if its claim window were open now, and why."""
    place = state.stones[stone]
    if place.owner is not None:
        whose = "the claimant" if place.owner == seat else "the other player"
        return Verdict(False, f"{state.rules.place} {stone + 1} is owned by {whose} already", ())
    return weigh(state.rules, place.sides[seat], place.sides[other(seat)], place.first_complete(seat), state.unseen)


def weigh(rules: Ruleset, mine: Side, theirs: Side, first: bool, unseen: int) -> Verdict:
    """The verdict of `holds`, with its reason and the counter-example."""
    size = mine.terms.size
    if not mine.full:
        return Verdict(False, f"the side has {len(mine.cards)} of {size} cards: only a complete side can claim", ())
    terms = mine.terms
    mine_text = key_text(mine.key, terms)
    if theirs.full:
        if mine.key == theirs.key:
            if first:
                return Verdict(True, f"both make {mine_text}, and this side was complete first", ())
            return Verdict(False, f"both make {mine_text}, and the other side was complete first", theirs.cards)
        if mine.key > theirs.key:
            return Verdict(True, f"{mine_text} beats {key_text(theirs.key, terms)}", ())
        return Verdict(False, f"the other side's {key_text(theirs.key, terms)} beats {mine_text}", theirs.cards)
    key, needed = best(theirs, unseen, mine.key)
    if key:
        cards = members(needed)
        reply = key_text(key, terms)
        return Verdict(False, f"the other side may still make {reply} with {rules.texts(cards)}", cards)
    if (unseen & terms.grid.all).bit_count() < theirs.hopes.missing:
        return Verdict(True, "too few cards are unseen to complete the other side", ())
    return Verdict(True, f"nothing that the other side may still make beats {mine_text}", ())
