"""What may be played of a hand and what may be chosen while a tactic card is carried out, as lists of moves.

Every power has its entry in `_USES`. Moves that are listed again and again are interned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import chain, combinations, compress

from p2p_schotten.engine.cards import Power
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
    Recruit,
    Redeploy,
    Scout,
    Support,
)
from p2p_schotten.engine.state import Phase, State, numbers
from p2p_schotten.engine.tactics import SUPPORTED, betrayable, discarded, has_laid_joker, room_for, takeable
from p2p_schotten.engine.turn import decks_left, may_use
from p2p_schotten.ids import SEATS, CardId, DeckId, StoneId, other

_each = chain.from_iterable


@cache
def plays(stones: int, cards: int) -> tuple[tuple[Play, ...], ...]:
    """For each of the first so many cards: the card on each stone of the bit set."""
    columns = [_plays_at(stone, cards) for stone in numbers(stones)]
    return tuple(zip(*columns, strict=True)) if columns else ((),) * cards


@cache
def _plays_at(stone: StoneId, cards: int) -> tuple[Play, ...]:
    return tuple([Play(CardId(card), stone) for card in range(cards)])


def uses(state: State, tactics: Iterable[CardId]) -> list[Move]:
    """Every use of these tactic cards of the hand."""
    moves: list[Move] = []
    if may_use(state, state.to_move):
        cards = state.rules.cards
        for card in tactics:
            power = cards[card].power
            if power is not None:
                moves += _USES[power](state, card)
    return moves


# The uses of one card. Where it goes with another, there is a row of moves, one for each of the `count` stones; the
# position says which of them there are.


def _troop(state: State, card: CardId) -> Iterable[Move]:
    return plays(state.places[state.to_move], len(state.rules.cards))[card]


def _joker(state: State, card: CardId) -> Iterable[Move]:
    return () if has_laid_joker(state, card) else _troop(state, card)


def _mode(state: State, card: CardId) -> Iterable[Move]:
    return plays(state.unclaimed, len(state.rules.cards))[card]


def _scout(state: State, card: CardId) -> Iterable[Move]:
    return _scouts(card) if decks_left(state.piles) else ()


@cache
def _scouts(card: CardId) -> tuple[Scout]:
    return (Scout(card),)


def _redeploy(state: State, card: CardId) -> Iterable[Move]:
    count = len(state.stones)
    return _each(
        [
            compress(_redeploys(card, moved, count), _elsewhere(room_for(state, moved) & ~(1 << source), count))
            for moved, source in takeable(state, state.to_move)
        ]
    )


@cache
def _redeploys(card: CardId, moved: CardId, count: int) -> tuple[Redeploy, ...]:
    return (*[Redeploy(card, moved, StoneId(number)) for number in range(count)], Redeploy(card, moved, None))


@cache
def _elsewhere(stones: int, count: int) -> tuple[bool, ...]:
    return (*[bool(stones >> number & 1) for number in range(count)], True)  # the last: to the discard pile


def _desert(state: State, card: CardId) -> Iterable[Move]:
    row = _deserts(card, len(state.rules.cards))
    return [row[target] for target, _stone in takeable(state, other(state.to_move))]


@cache
def _deserts(card: CardId, cards: int) -> tuple[Desert, ...]:
    return tuple([Desert(card, CardId(target)) for target in range(cards)])


def _betray(state: State, card: CardId) -> Iterable[Move]:
    count, rooms = len(state.stones), _among(state.places[state.to_move])
    foe = other(state.to_move)
    return _each([compress(_betrays(card, target, count), rooms) for target, _stone in betrayable(state, foe)])


@cache
def _betrays(card: CardId, target: CardId, count: int) -> tuple[Betray, ...]:
    return tuple([Betray(card, target, StoneId(number)) for number in range(count)])


@cache
def _among(stones: int) -> tuple[bool, ...]:
    return tuple([bool(stones >> number & 1) for number in range(stones.bit_length())])


def _recruit(state: State, card: CardId) -> Iterable[Move]:
    count, rooms = len(state.stones), _among(state.places[state.to_move])
    return _each([compress(_recruits(card, target, count), rooms) for target in discarded(state)])


@cache
def _recruits(card: CardId, target: CardId, count: int) -> tuple[Recruit, ...]:
    return tuple([Recruit(card, target, StoneId(number)) for number in range(count)])


def _blow_up(state: State, card: CardId) -> Iterable[Move]:
    stones, seat = state.stones, state.to_move
    return [
        _blows_up(card, number, side == seat)
        for number in numbers(state.unclaimed)
        for side in SEATS
        if stones[number].sides[side].cards
    ]


@cache
def _blows_up(card: CardId, stone: StoneId, own: bool) -> BlowUp:
    return BlowUp(card, stone, own)


def _support(state: State, card: CardId) -> Iterable[Move]:
    pairs = combinations(discarded(state), SUPPORTED) if state.piles[0] >= SUPPORTED else ()
    return [_supports(card, pair) for pair in pairs]


@cache
def _supports(card: CardId, cards: tuple[CardId, CardId]) -> Support:
    return Support(card, cards)


def _exchange(state: State, card: CardId) -> Iterable[Move]:
    return _exchanges(card) if exchanged(state, state.to_move, 1) else ()


@cache
def _exchanges(card: CardId) -> tuple[Exchange]:
    return (Exchange(card),)


_USES: Mapping[Power, Callable[[State, CardId], Iterable[Move]]] = {
    Power.JOKER: _joker,
    Power.ELITE: _troop,
    Power.FOG: _mode,
    Power.MUD: _mode,
    Power.SCOUT: _scout,
    Power.REDEPLOY: _redeploy,
    Power.DESERT: _desert,
    Power.BETRAY: _betray,
    Power.RECRUIT: _recruit,
    Power.BLOW_UP: _blow_up,
    Power.SUPPORT: _support,
    Power.EXCHANGE: _exchange,
}
assert _USES.keys() == set(Power)

# What may be chosen while a tactic card is being carried out


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
    """A draw from each of these decks."""
    return tuple(map(Draw, decks))
