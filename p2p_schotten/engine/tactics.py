"""Tactic cards: troops and modes that are laid, and ruses that are played beside the stones (docs/rules.md).

What a power lists and what it carries out ask the same small functions what may be taken and where it may go.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache

from p2p_schotten.engine.cards import MODES, TROOPS, Power
from p2p_schotten.engine.move import Play, PublicMove
from p2p_schotten.engine.state import Phase, State, grounded, numbers
from p2p_schotten.engine.step import Played, Step
from p2p_schotten.engine.turn import Turn, may_use
from p2p_schotten.errors import IllegalMove
from p2p_schotten.ids import CardId, Seat, StoneId

_PLAY, _JOKER = Phase.PLAY, Power.JOKER  # to look a member up takes long
SUPPORTED = 2  # cards that a support shuffles into their pile, and that must be in it already

# What may be taken, and where it may go


def takeable(state: State, seat: Seat) -> tuple[tuple[CardId, StoneId], ...]:
    """The cards of `seat` at unclaimed stones that a redeploy or a desert may take, each with its stone."""
    rules, tactics = state.rules, state.rules.tactics
    assert tactics is not None
    last = rules.grid.last if tactics.ruses_take != "any" else rules.cards[-1].id
    stones, modes = state.stones, tactics.modes_targetable
    found: list[tuple[CardId, StoneId]] = []
    for number in numbers(state.unclaimed):
        stone = stones[number]
        found += _lying(stone.sides[seat].cards, number, last)
        if modes and stone.ground.modes:
            found += [(card, number) for owner, card in stone.ground.modes if owner == seat]
    return tuple(found)


def betrayable(state: State, seat: Seat) -> tuple[tuple[CardId, StoneId], ...]:
    """The numbered cards of `seat` at unclaimed stones, each with its stone."""
    last = state.rules.grid.last
    found: list[tuple[CardId, StoneId]] = []
    for number in numbers(state.unclaimed):
        found += _lying(state.stones[number].sides[seat].cards, number, last)
    return tuple(found)


@cache
def _lying(cards: tuple[CardId, ...], number: StoneId, last: int) -> tuple[tuple[CardId, StoneId], ...]:
    return tuple([(card, number) for card in cards if card <= last])


def discarded(state: State) -> tuple[CardId, ...]:
    """The numbered cards of the discard pile, ascending."""
    return _numbered(state.beside.discard, state.rules.grid.last)


@lru_cache(4096)  # a discard pile lasts for a few turns
def _numbered(cards: tuple[CardId, ...], last: CardId) -> tuple[CardId, ...]:
    return tuple(sorted([card for card in cards if card <= last]))


def room_for(state: State, card: CardId) -> int:
    """The bit set of the stones where the seat that is to move may put that card."""
    return state.unclaimed if state.rules.cards[card].power in MODES else state.places[state.to_move]


def has_laid_joker(state: State, card: CardId) -> bool:
    """Whether the card is a joker that `to_move` may not lay because it has laid one (A3, A24)."""
    tactics = state.rules.tactics
    return (
        tactics is not None
        and tactics.joker_limit
        and state.rules.cards[card].power is _JOKER
        and state.beside.jokers[state.to_move]
    )


# What a choice leads to


def check_played(state: State, move: PublicMove, card: CardId) -> None:
    """The seat that is to move may play that card now, if it holds it; raises IllegalMove."""
    rules, seat = state.rules, state.to_move
    if state.phase is not _PLAY:
        if state.phase not in (Phase.CLAIM, Phase.POUR):
            raise IllegalMove(move, "what was begun must be done first")
        raise IllegalMove(move, "a card was laid already" if state.acted else "this seat can lay no card")
    if not 0 <= card < len(rules.cards):
        raise IllegalMove(move, "there is no such card")
    if not state.unseen >> card & 1:
        raise IllegalMove(move, f"{rules.text(card)} lies open already")
    deck = rules.cards[card].deck
    if not state.hands[seat][deck]:
        raise IllegalMove(move, "this hand holds no such card")
    if deck and not may_use(state, seat):
        raise IllegalMove(move, beyond_limit(state))


def beyond_limit(state: State) -> str:
    """Why `to_move` may play no tactic card where the limit forbids it."""
    mine, theirs = state.beside.tactics[state.to_move], state.beside.tactics[1 - state.to_move]
    cards = "tactic card" if mine == 1 else "tactic cards"
    return f"this seat has played {mine} {cards} and the other {theirs}: it may be one ahead, not more"


def using(state: State, card: CardId) -> Turn:
    """The turn after that tactic card left the hand."""
    turn = Turn(state)
    seat, tactics = turn.seat, state.beside.tactics
    turn.show(card)
    turn.beside = state.beside._replace(tactics=(tactics[0] + (seat == 0), tactics[1] + (seat == 1)))
    return turn


def apply_lay(state: State, move: Play) -> Step:
    """A troop lies on the own side of a stone, or a mode at it. `check_played` has passed."""
    rules, seat, card, number = state.rules, state.to_move, move.card, move.stone
    power = rules.cards[card].power
    if number < 0 or not state.unclaimed >> number & 1:
        raise IllegalMove(move, no_room(state, number))
    stone = state.stones[number]
    if has_laid_joker(state, card):
        raise IllegalMove(move, "this seat has laid a joker: it keeps the other to the end of the game")
    turn = using(state, card)
    if power in MODES:
        ground = replace(stone.ground, modes=(*stone.ground.modes, (seat, card)))
        turn.put(number, grounded(rules, number, stone, ground))
    elif power in TROOPS:
        if stone.sides[seat].full:
            raise IllegalMove(move, no_room(state, number))
        turn.lay(number, stone.plus(seat, card))
        if power is _JOKER:
            jokers = turn.beside.jokers
            turn.beside = turn.beside._replace(jokers=(jokers[0] or seat == 0, jokers[1] or seat == 1))
    else:
        raise IllegalMove(move, f"{rules.text(card)} is not laid on a stone")
    turn.events += (Played(seat, card, number),)
    return turn.played()


def no_room(state: State, number: StoneId) -> str:
    """Why `to_move` may put no card there."""
    if not 0 <= number < len(state.stones):
        return state.rules.no_such_place
    stone, place = state.stones[number], state.rules.place
    if stone.owner is not None:
        return f"{place} {number + 1} is claimed: it takes no more cards"
    return f"this side of {place} {number + 1} has its {stone.sides[state.to_move].terms.size} cards already"
