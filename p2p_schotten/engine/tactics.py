"""Tactic cards: troops and modes that are laid, and ruses that are played beside the stones (docs/rules.md).

What a power lists and what it carries out ask the same small functions what may be taken and where it may go.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from itertools import chain, combinations

from p2p_schotten.engine.cards import MODES, TROOPS, Power
from p2p_schotten.engine.hands import exchanged, gifts, returns
from p2p_schotten.engine.move import (
    Betray,
    BlowUp,
    Desert,
    Discard,
    Draw,
    Exchange,
    Move,
    Play,
    PublicMove,
    Recruit,
    Redeploy,
    Scout,
    Support,
)
from p2p_schotten.engine.state import Phase, State, grounded
from p2p_schotten.engine.step import Played, Step
from p2p_schotten.engine.turn import Turn, decks_left, may_use
from p2p_schotten.errors import IllegalMove
from p2p_schotten.ids import SEATS, CardId, DeckId, Seat, StoneId, other

LAID = TROOPS | MODES
_PLAY = Phase.PLAY  # to look a member up takes long
SUPPORTED = 2  # cards that a support shuffles into their pile, and that must be in it already

# What may be taken, and where it may go


def takeable(state: State, seat: Seat) -> tuple[tuple[CardId, StoneId], ...]:
    """The cards of `seat` at unclaimed stones that a redeploy or a desert may take, each with its stone."""
    rules, tactics = state.rules, state.rules.tactics
    assert tactics is not None
    last = rules.grid.last if tactics.ruses_take != "any" else rules.cards[-1].id
    found: list[tuple[CardId, StoneId]] = []
    for number, stone in enumerate(state.stones):
        if stone.owner is None:
            found += _lying(stone.sides[seat].cards, number, last)
            if tactics.modes_targetable and stone.ground.modes:
                found += [(card, StoneId(number)) for owner, card in stone.ground.modes if owner == seat]
    return tuple(found)


def betrayable(state: State, seat: Seat) -> tuple[tuple[CardId, StoneId], ...]:
    """The numbered cards of `seat` at unclaimed stones, each with its stone."""
    last = state.rules.grid.last
    found: list[tuple[CardId, StoneId]] = []
    for number, stone in enumerate(state.stones):
        if stone.owner is None:
            found += _lying(stone.sides[seat].cards, number, last)
    return tuple(found)


@cache
def _lying(cards: tuple[CardId, ...], number: int, last: int) -> tuple[tuple[CardId, StoneId], ...]:
    return tuple([(card, StoneId(number)) for card in cards if card <= last])


def discarded(state: State) -> tuple[CardId, ...]:
    """The numbered cards of the discard pile, ascending."""
    last = state.rules.grid.last
    return tuple(sorted([card for card in state.beside.discard if card <= last]))


def unclaimed(state: State) -> int:
    """The bit set of the stones that nobody owns."""
    return sum([1 << number for number, stone in enumerate(state.stones) if stone.owner is None])


def room_for(state: State, card: CardId) -> int:
    """The bit set of the stones where the seat that is to move may put that card."""
    return unclaimed(state) if state.rules.cards[card].power in MODES else state.places[state.to_move]


def has_laid_joker(state: State, card: CardId) -> bool:
    """Whether the card is a joker that `to_move` may not lay because it has laid one (A3, A24)."""
    tactics = state.rules.tactics
    return (
        tactics is not None
        and tactics.joker_limit
        and state.rules.cards[card].power is Power.JOKER
        and state.beside.jokers[state.to_move]
    )


# What may be chosen


@cache
def plays(stones: int, cards: int) -> tuple[tuple[Play, ...], ...]:
    """For each of the first so many cards: the card on each stone of the bit set. The moves are interned."""
    columns = [_plays_at(stone, cards) for stone in _numbers(stones)]
    return tuple(zip(*columns, strict=True)) if columns else ((),) * cards


@cache
def _plays_at(stone: StoneId, cards: int) -> tuple[Play, ...]:
    return tuple([Play(CardId(card), stone) for card in range(cards)])


@cache
def _numbers(stones: int) -> tuple[StoneId, ...]:
    return tuple([StoneId(number) for number in range(stones.bit_length()) if stones >> number & 1])


def uses(state: State, hand: Iterable[CardId]) -> list[Move]:
    """Every use of a tactic card of the hand."""
    moves: list[Move] = []
    if may_use(state, state.to_move):
        last = state.rules.grid.last
        for card in hand:
            if card > last and state.unseen >> card & 1:
                moves += _uses(state, card)
    return moves


def _uses(state: State, card: CardId) -> Iterable[Move]:
    seat, foe, power = state.to_move, other(state.to_move), state.rules.cards[card].power
    if power in LAID:
        return () if has_laid_joker(state, card) else plays(room_for(state, card), len(state.rules.cards))[card]
    match power:
        case Power.SCOUT:
            return (Scout(card),) if decks_left(state.piles) else ()
        case Power.REDEPLOY:
            return _each(
                [
                    _redeploys(card, moved, room_for(state, moved) & ~(1 << source))
                    for moved, source in takeable(state, seat)
                ]
            )
        case Power.DESERT:
            return [_desert(card, target) for target, _stone in takeable(state, foe)]
        case Power.BETRAY:
            rooms = state.places[seat]
            return _each([_betrays(card, target, rooms) for target, _stone in betrayable(state, foe)])
        case Power.RECRUIT:
            rooms = state.places[seat]
            return _each([_recruits(card, target, rooms) for target in discarded(state)])
        case Power.BLOW_UP:
            return [
                _blow_up(card, StoneId(number), side == seat)
                for number, stone in enumerate(state.stones)
                if stone.owner is None
                for side in SEATS
                if stone.sides[side].cards
            ]
        case Power.SUPPORT:
            pairs = combinations(discarded(state), SUPPORTED) if state.piles[0] >= SUPPORTED else ()
            return [_support(card, pair) for pair in pairs]
        case Power.EXCHANGE:
            return (Exchange(card),) if exchanged(state, seat, 1) else ()
        case _:  # not `assert_never`: that those of LAID are done with above is nothing a type says
            raise AssertionError(f"{power} is no power of a tactic card")


_each = chain.from_iterable


@cache
def _redeploys(card: CardId, moved: CardId, stones: int) -> tuple[Redeploy, ...]:
    return (*(Redeploy(card, moved, stone) for stone in _numbers(stones)), Redeploy(card, moved, None))


@cache
def _desert(card: CardId, target: CardId) -> Desert:
    return Desert(card, target)


@cache
def _betrays(card: CardId, target: CardId, stones: int) -> tuple[Betray, ...]:
    return tuple([Betray(card, target, stone) for stone in _numbers(stones)])


@cache
def _recruits(card: CardId, target: CardId, stones: int) -> tuple[Recruit, ...]:
    return tuple([Recruit(card, target, stone) for stone in _numbers(stones)])


@cache
def _blow_up(card: CardId, stone: StoneId, own: bool) -> BlowUp:
    return BlowUp(card, stone, own)


@cache
def _support(card: CardId, cards: tuple[CardId, CardId]) -> Support:
    return Support(card, cards)


def choices(state: State, hand: tuple[CardId, ...]) -> tuple[Move, ...]:
    """What may be chosen while a tactic card is being carried out."""
    match state.phase:
        case Phase.SCOUT:
            return draws(decks_left(state.piles))
        case Phase.RETURN:
            return returns(state, hand)
        case Phase.GIVE:
            return gifts(state, hand)
        case Phase.CLEAR:
            assert state.beside.crowded is not None
            return tuple(map(Discard, state.stones[state.beside.crowded].sides[state.to_move].cards))
    return ()


@cache
def draws(decks: tuple[DeckId, ...]) -> tuple[Draw, ...]:
    """A draw from each of these decks; the moves are interned."""
    return tuple(map(Draw, decks))


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
    """A troop lies on the own side of a stone, or a mode at it. `check_played` has passed, and the stone is open."""
    rules, seat, card, number = state.rules, state.to_move, move.card, move.stone
    power = rules.cards[card].power
    stone = state.stones[number]
    if has_laid_joker(state, card):
        raise IllegalMove(move, "this seat has laid a joker: it keeps the other to the end of the game")
    turn = using(state, card)
    match power:
        case Power.FOG | Power.MUD:
            ground = replace(stone.ground, modes=(*stone.ground.modes, (seat, card)))
            turn.put(number, grounded(rules, number, stone, ground))
        case Power.JOKER | Power.ELITE:
            if stone.sides[seat].full:
                raise IllegalMove(move, no_room(state, number))
            turn.put(number, stone.plus(seat, card))
            if power is Power.JOKER:
                jokers = turn.beside.jokers
                turn.beside = turn.beside._replace(jokers=(jokers[0] or seat == 0, jokers[1] or seat == 1))
        case _:
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
