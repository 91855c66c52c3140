"""What only a siege knows: the attacker retreats and controls tiles, the defender pours oil, zero meets eleven.

The rules stand in docs/rules.md, "The siege".
"""

from __future__ import annotations

from functools import cache

from p2p_schotten.engine.ending import damaged
from p2p_schotten.engine.move import Move, Oil, Retreat
from p2p_schotten.engine.state import Ground, Phase, State, grounded, numbers
from p2p_schotten.engine.step import Controlled, Discarded, Eliminated, Poured, Reason, Retreated, Step
from p2p_schotten.engine.turn import Turn, may_pour
from p2p_schotten.errors import IllegalMove
from p2p_schotten.ids import CardId, StoneId, other


def before_play(state: State) -> tuple[Move, ...]:
    """Retreats of the attacker, or oil of the defender: what `to_move` may do before it plays."""
    attacker = state.beside.attacker
    if attacker is None or (state.to_move != attacker and not may_pour(state, state.to_move)):
        return ()
    stones = state.stones
    held = tuple([number for number in numbers(state.unclaimed) if stones[number].sides[attacker].cards])
    return _retreats(held) if state.to_move == attacker else _oils(held)


@cache
def _retreats(stones: tuple[StoneId, ...]) -> tuple[Retreat, ...]:
    return tuple(map(Retreat, stones))


@cache
def _oils(stones: tuple[StoneId, ...]) -> tuple[Oil, ...]:
    return tuple(map(Oil, stones))


def apply_oil(state: State, move: Oil) -> Step:
    """The attacker's card that lies longest at that tile is discarded, and the token is used up."""
    seat, beside = state.to_move, state.beside
    if beside.attacker is None or seat == beside.attacker:
        raise IllegalMove(move, "only the defender of a wall pours oil")
    if state.phase not in (Phase.PLAY, Phase.POUR):
        raise IllegalMove(move, "oil is poured at the start of the turn, before a card is played")
    if beside.poured:
        raise IllegalMove(move, "oil was poured in this turn already")
    if not beside.oil:
        raise IllegalMove(move, "no oil is left")
    if not 0 <= move.stone < len(state.stones):
        raise IllegalMove(move, state.rules.no_such_place)
    stone = state.stones[move.stone]
    if not stone.sides[beside.attacker].cards:
        raise IllegalMove(move, f"the attacker has no card at tile {move.stone + 1}")
    card = stone.cards(beside.attacker)[0]
    turn = Turn(state)
    turn.put(move.stone, stone.minus(beside.attacker, (card,)))
    turn.beside = beside._replace(oil=beside.oil - 1, poured=True, discard=(*beside.discard, card))
    turn.events += (
        Poured(seat, move.stone, beside.oil - 1),
        Discarded(beside.attacker, (card,), move.stone),
    )
    return turn.close() if state.phase is Phase.POUR else turn.ask(Phase.PLAY)


def apply_retreat(state: State, move: Retreat) -> Step:
    """All cards of the attacker at that tile are discarded."""
    seat = state.to_move
    if seat != state.beside.attacker:
        raise IllegalMove(move, "only the attacker of a wall retreats")
    if state.phase is not Phase.PLAY:
        raise IllegalMove(move, "a retreat comes before the card is played")
    if not 0 <= move.stone < len(state.stones):
        raise IllegalMove(move, state.rules.no_such_place)
    stone = state.stones[move.stone]
    cards = stone.cards(seat)
    if not cards:
        raise IllegalMove(move, f"the attacker has no card at tile {move.stone + 1}")
    turn = Turn(state)
    turn.put(move.stone, stone.minus(seat, cards))
    turn.discard(cards)
    turn.events += (Retreated(seat, move.stone), Discarded(seat, cards, move.stone))
    return turn.ask(Phase.PLAY, turn.claims())


def eliminate(turn: Turn, number: StoneId, card: CardId) -> None:
    """The lowest and the highest card of one colour that meet at a tile are both discarded at once."""
    rules, foe = turn.rules, other(turn.seat)
    colour, value, grid = rules.cards[card].colour, rules.cards[card].value, rules.grid
    if colour is None or value not in (grid.low, grid.high):
        return
    opposite = grid.card(colour, grid.low + grid.high - value)
    stone = turn.stones[number]
    if opposite in stone.sides[foe].cards:
        turn.put(number, stone.minus(turn.seat, (card,)).minus(foe, (opposite,)))
        turn.discard((card, opposite))
        turn.events += (Eliminated((card, opposite), number),)


def control(turn: Turn, number: StoneId, phase: Phase) -> Step:
    """The attacker controls a tile: both sides are discarded and it is damaged, or the wall falls."""
    stone, siege = turn.stones[number], turn.rules.siege
    assert siege is not None
    cards = stone.arrived
    empty = stone.minus(turn.seat, stone.sides[turn.seat].cards).minus(
        other(turn.seat), stone.sides[1 - turn.seat].cards
    )
    turn.put(number, grounded(turn.rules, number, empty, Ground((), damaged=True)))
    turn.discard(cards)
    turn.events += (Controlled(turn.seat, number),)
    if stone.ground.damaged:
        return turn.end(turn.seat, Reason.DAMAGED)
    if damaged(turn.stones) == siege.breach:
        return turn.end(turn.seat, Reason.BREACH)
    if phase is Phase.PLAY:
        turn.acted = True
        return turn.ask(Phase.PLAY, turn.claims())
    return turn.finish(turn.claims())
