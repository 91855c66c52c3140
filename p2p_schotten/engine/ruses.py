"""What ruses do once they are played: cards at the stones move, leave, or come back (A13 to A19, A23)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from p2p_schotten.engine.cards import MODES, Power
from p2p_schotten.engine.hands import exchange, scout
from p2p_schotten.engine.move import (
    Betray,
    BlowUp,
    Desert,
    Discard,
    Exchange,
    Recruit,
    Redeploy,
    Scout,
    Support,
    Tactic,
)
from p2p_schotten.engine.state import Ground, Phase, State, Stone, ground_terms, grounded
from p2p_schotten.engine.step import Betrayed, Discarded, Moved, OpenToPile, Recruited, Step, Supported, Used
from p2p_schotten.engine.tactics import (
    SUPPORTED,
    betrayable,
    check_played,
    discarded,
    no_room,
    room_for,
    takeable,
    using,
)
from p2p_schotten.engine.turn import Turn
from p2p_schotten.errors import IllegalMove
from p2p_schotten.ids import CardId, StoneId, other

_POWERS: Mapping[type[Tactic], Power] = {
    Scout: Power.SCOUT,
    Redeploy: Power.REDEPLOY,
    Desert: Power.DESERT,
    Betray: Power.BETRAY,
    Recruit: Power.RECRUIT,
    BlowUp: Power.BLOW_UP,
    Support: Power.SUPPORT,
    Exchange: Power.EXCHANGE,
}


def apply_use(state: State, move: Tactic) -> Step:
    """The ruse is played, does what it does, and lies in the discard pile."""
    check_played(state, move, move.card)
    rules = state.rules
    if rules.cards[move.card].power is not _POWERS[type(move)]:
        raise IllegalMove(move, f"{rules.text(move.card)} does something else")
    turn = using(state, move.card)
    turn.discard((move.card,))
    turn.events += (Used(turn.seat, move.card),)
    match move:
        case Scout():
            return scout(turn, move)
        case Exchange():
            return exchange(turn, move)
        case Redeploy():
            _redeploy(state, turn, move)
        case Desert():
            _desert(state, turn, move)
        case Betray():
            _betray(state, turn, move)
        case Recruit():
            _recruit(state, turn, move)
        case BlowUp():
            _blow_up(state, turn, move)
        case Support():
            _support(state, turn, move)
        case _:
            assert_never(move)
    return _clear(turn)


def _redeploy(state: State, turn: Turn, move: Redeploy) -> None:
    seat, moved = turn.seat, move.moved
    source = dict(takeable(state, seat)).get(moved)
    if source is None:
        raise IllegalMove(
            move, f"{_called(state, moved)} is no own card at an unclaimed {state.rules.place} that may be moved"
        )
    if move.stone == source:
        raise IllegalMove(move, f"{_called(state, moved)} lies there already: it goes to another {state.rules.place}")
    if move.stone is not None and not _room(state, moved, move.stone):
        raise IllegalMove(move, no_room(state, move.stone))
    is_mode = state.rules.cards[moved].power in MODES
    if is_mode:
        _lift(turn, source, moved)
    else:
        turn.put(source, turn.stones[source].minus(seat, (moved,)))
    if move.stone is None:
        turn.discard((moved,))
        turn.events += (Discarded(seat, (moved,), source),)
        return
    stone = turn.stones[move.stone]
    if is_mode:
        ground = replace(stone.ground, modes=(*stone.ground.modes, (seat, moved)))
        turn.put(move.stone, grounded(state.rules, move.stone, stone, ground))
    else:
        turn.put(move.stone, stone.plus(seat, moved))
    turn.events += (Moved(seat, moved, source, move.stone),)


def _desert(state: State, turn: Turn, move: Desert) -> None:
    foe = other(turn.seat)
    source = dict(takeable(state, foe)).get(move.target)
    if source is None:
        what = _called(state, move.target)
        place = state.rules.place
        raise IllegalMove(move, f"{what} is no card of the opponent at an unclaimed {place} that may be discarded")
    if state.rules.cards[move.target].power in MODES:
        _lift(turn, source, move.target)
    else:
        turn.put(source, turn.stones[source].minus(foe, (move.target,)))
    turn.discard((move.target,))
    turn.events += (Discarded(foe, (move.target,), source),)


def _betray(state: State, turn: Turn, move: Betray) -> None:
    seat, foe = turn.seat, other(turn.seat)
    source = dict(betrayable(state, foe)).get(move.target)
    if source is None:
        what, clan, place = _called(state, move.target), state.rules.decks[0].name, state.rules.place
        raise IllegalMove(move, f"{what} is no {clan} card of the opponent at an unclaimed {place}")
    if not _room(state, move.target, move.stone):
        raise IllegalMove(move, no_room(state, move.stone))
    turn.put(source, turn.stones[source].minus(foe, (move.target,)))
    turn.put(move.stone, turn.stones[move.stone].plus(seat, move.target))
    turn.events += (Betrayed(seat, move.target, source, move.stone),)


def _recruit(state: State, turn: Turn, move: Recruit) -> None:
    if move.target not in discarded(state):
        raise IllegalMove(move, _not_discarded(state, move.target))
    if not _room(state, move.target, move.stone):
        raise IllegalMove(move, no_room(state, move.stone))
    _take_back(turn, (move.target,))
    turn.put(move.stone, turn.stones[move.stone].plus(turn.seat, move.target))
    turn.events += (Recruited(turn.seat, move.target, move.stone),)


def _blow_up(state: State, turn: Turn, move: BlowUp) -> None:
    side = turn.seat if move.own else other(turn.seat)
    stone = turn.stones[move.stone] if 0 <= move.stone < len(turn.stones) else None
    if stone is None or stone.owner is not None or not stone.sides[side].cards:
        raise IllegalMove(move, f"there is no card on that side of {state.rules.place} {move.stone + 1}")
    cards = stone.cards(side)
    turn.put(move.stone, stone.minus(side, cards))
    turn.discard(cards)
    turn.events += (Discarded(side, cards, move.stone),)


def _support(state: State, turn: Turn, move: Support) -> None:
    one, two = move.cards
    if state.piles[0] < SUPPORTED:
        raise IllegalMove(move, f"fewer than {SUPPORTED} cards are left in the pile")
    if one >= two:
        raise IllegalMove(move, "two different cards are named, in ascending order")
    for card in move.cards:
        if card not in discarded(state):
            raise IllegalMove(move, _not_discarded(state, card))
    _take_back(turn, move.cards)
    turn.unseen |= 1 << one | 1 << two
    turn.piles = (turn.piles[0] + SUPPORTED, *turn.piles[1:])
    turn.beside = turn.beside._replace(restocked=True)
    turn.transfers += (OpenToPile(one), OpenToPile(two))
    turn.events += (Supported(turn.seat, move.cards),)


def _take_back(turn: Turn, cards: tuple[CardId, ...]) -> None:
    left = tuple([card for card in turn.beside.discard if card not in cards])
    turn.beside = turn.beside._replace(discard=left)


def _room(state: State, card: CardId, stone: StoneId) -> bool:
    return 0 <= stone < len(state.stones) and bool(room_for(state, card) >> stone & 1)


def _not_discarded(state: State, card: CardId) -> str:
    return f"{_called(state, card)} is no {state.rules.decks[0].name} card of the discard pile"


def _called(state: State, card: CardId) -> str:
    return state.rules.text(card) if 0 <= card < len(state.rules.cards) else "that"


# A mud that leaves (A19, A37)


def _lift(turn: Turn, number: StoneId, mode: CardId) -> None:
    """The mode has left the stone. Where a side has a card too many now, it must be cleared first."""
    stone = turn.stones[number]
    ground = Ground(tuple([laid for laid in stone.ground.modes if laid[1] != mode]), stone.ground.damaged)
    lifted = grounded(turn.rules, number, stone, ground) if _fits(turn, number, stone, ground) else None
    if lifted is None:  # until then the sides are judged as before
        lifted = Stone(stone.sides, stone.owner, stone.arrived, ground)
        turn.beside = turn.beside._replace(crowded=number)
    turn.put(number, lifted)


def _fits(turn: Turn, number: StoneId, stone: Stone, ground: Ground) -> bool:
    size = ground_terms(turn.rules, number, ground).size
    return all(len(side.cards) <= size for side in stone.sides)


def _clear(turn: Turn) -> Step:
    """Whoever has a card too many is asked, the seat on turn first; then the turn goes on."""
    number = turn.beside.crowded
    if number is None:
        return turn.played()
    stone = turn.stones[number]
    size = ground_terms(turn.rules, number, stone.ground).size
    for seat in (turn.seat, other(turn.seat)):
        if len(stone.sides[seat].cards) > size:
            return turn.ask(Phase.CLEAR, to_move=seat)
    turn.put(number, grounded(turn.rules, number, stone, stone.ground))
    turn.beside = turn.beside._replace(crowded=None)
    return turn.played()


def apply_discard(state: State, move: Discard) -> Step:
    """One card of a side that has one too many is discarded, by its owner's choice."""
    seat, number = state.to_move, state.beside.crowded
    if state.phase is not Phase.CLEAR or number is None:
        raise IllegalMove(move, "no side has a card too many")
    stone = state.stones[number]
    if move.card not in stone.sides[seat].cards:
        raise IllegalMove(
            move, f"{_called(state, move.card)} is no card of this side of {state.rules.place} {number + 1}"
        )
    turn = Turn(state)
    turn.put(number, stone.minus(seat, (move.card,)))
    turn.discard((move.card,))
    turn.events += (Discarded(seat, (move.card,), number),)
    return _clear(turn)
