"""The referee: what may be chosen, and what a choice leads to. It asks the ruleset; it does not know which game it is.

Here are the deal, plays of numbered cards, claims, draws and passes; tactic cards stand in `tactics`, what only a siege
knows in `siege`, and how a turn goes on in `turn`.
"""

from __future__ import annotations

from functools import cache
from typing import assert_never

from p2p_schotten.engine import hands, ruses, siege
from p2p_schotten.engine.claim import explain
from p2p_schotten.engine.ending import victory
from p2p_schotten.engine.formation import side_of
from p2p_schotten.engine.move import (
    Betray,
    BlowUp,
    Claim,
    Desert,
    Discard,
    Done,
    Draw,
    Exchange,
    GiveFrom,
    Move,
    Oil,
    Pass,
    Play,
    PublicMove,
    Recruit,
    Redeploy,
    Resign,
    Retreat,
    ReturnFrom,
    Scout,
    Support,
)
from p2p_schotten.engine.ruleset import ClaimWindow, Ruleset
from p2p_schotten.engine.state import PLAIN, Beside, Phase, State, Stone, ground_terms
from p2p_schotten.engine.step import (
    Claimed,
    Dealt,
    Passed,
    PileToHand,
    Played,
    Reason,
    Step,
)
from p2p_schotten.engine.tactics import apply_lay, check_played, no_room
from p2p_schotten.engine.turn import Turn, draw_choice, may_lay
from p2p_schotten.engine.uses import choices, draws, plays, uses
from p2p_schotten.errors import IllegalMove
from p2p_schotten.ids import SEATS, CardId, DeckId, Seat, StoneId, other

Hand = tuple[CardId, ...]

_DONE, _PASS = Done(), Pass()
_ONLY_DONE = (_DONE,)
_PLAY, _CLAIM, _AFTER_PLAY = Phase.PLAY, Phase.CLAIM, ClaimWindow.AFTER_PLAY  # to look a member up takes long
_NOTHING_BESIDE = Beside()


@cache
def new_game(rules: Ruleset, first: Seat) -> Step:
    """The deal from the shuffled piles: all cards of seat 0, then all of seat 1. `first` begins; it is the attacker."""
    dealt = rules.hand_size
    none = (0,) * (len(rules.decks) - 1)
    everywhere = (1 << len(rules.tiles)) - 1
    beside = _NOTHING_BESIDE if rules.siege is None else Beside(attacker=first, oil=rules.siege.oil)
    state = State(
        rules=rules,
        turn=first,
        to_move=first,
        phase=Phase.PLAY,
        stones=tuple(
            Stone((side_of(ground_terms(rules, StoneId(number), PLAIN)),) * 2, None, ())
            for number in range(len(rules.tiles))
        ),
        places=(everywhere, everywhere),
        unclaimed=everywhere,
        unseen=(1 << len(rules.cards)) - 1,
        piles=(len(rules.decks[0].cards) - 2 * dealt, *(len(deck.cards) for deck in rules.decks[1:])),
        hands=((dealt, *none), (dealt, *none)),
        claimable=(),
        acted=False,
        skips=0,
        ply=0,
        beside=beside,
        outcome=None,
    )
    transfers = tuple(PileToHand(DeckId(0), seat) for seat in SEATS for _ in range(dealt))
    return Step(state, transfers, (Dealt(dealt, first),))


def legal_moves(state: State, hand: Hand) -> tuple[Move, ...]:
    """What the seat that is to move may choose, Resign apart; `hand` holds its own cards, none of which lies open.

    Claims stand first; then what may come before a play, and the plays card by card in the order of the hand, or in the
    claim window what ends it.
    """
    phase, seat = state.phase, state.to_move
    if phase is _PLAY:
        rules = state.rules
        moves: list[Move] = []
        if rules.claims is not _AFTER_PLAY:
            moves += map(_claim, state.claimable)
            moves += siege.before_play(state)
        laid, last = plays(state.places[seat], len(rules.cards)), rules.grid.last
        others = []
        for card in hand:
            if card <= last:
                moves += laid[card]
            else:
                others.append(card)
        if rules.tactics is not None or rules.siege is not None:
            if others:
                moves += uses(state, others)
            if not may_lay(state, seat):
                moves.append(_PASS)
        return tuple(moves)
    if phase is _CLAIM:
        ends = draws(draw_choice(state, seat)) or _ONLY_DONE
        return (*map(_claim, state.claimable), *ends) if state.claimable else ends
    if phase is Phase.POUR:
        return (*siege.before_play(state), _DONE)
    return choices(state, hand)


@cache
def _claim(stone: StoneId) -> Claim:
    return Claim(stone)


def apply(state: State, move: PublicMove) -> Step:
    """The step that the move of `state.to_move` leads to. Raises IllegalMove, whatever the move holds."""
    if state.outcome is not None:
        raise IllegalMove(move, "the game is over")
    if isinstance(move, Play):  # these two are most moves, and `match` takes long to find one
        return _apply_play(state, move)
    if isinstance(move, Draw):
        return _apply_draw(state, move)
    match move:
        case Claim():
            return _apply_claim(state, move)
        case Done():
            return _apply_done(state, move)
        case Pass():
            return _apply_pass(state, move)
        case Resign():
            return Turn(state).end(other(state.to_move), Reason.RESIGNED)
        case Scout() | Redeploy() | Desert() | Betray() | Recruit() | BlowUp() | Support() | Exchange():
            return ruses.apply_use(state, move)
        case ReturnFrom():
            return hands.apply_return(state, move)
        case GiveFrom():
            return hands.apply_give(state, move)
        case Discard():
            return ruses.apply_discard(state, move)
        case Oil():
            return siege.apply_oil(state, move)
        case Retreat():
            return siege.apply_retreat(state, move)
        case _:
            assert_never(move)


def _apply_play(state: State, move: Play) -> Step:
    seat, card, number, rules = state.to_move, move.card, move.stone, state.rules
    check_played(state, move, card)
    if rules.cards[card].power is not None:
        return apply_lay(state, move)
    if number < 0 or not state.places[seat] >> number & 1:
        raise IllegalMove(move, no_room(state, number))
    turn = Turn(state)
    turn.show(card)
    turn.lay(number, state.stones[number].plus(seat, card))
    turn.events = _laid(seat, card, number)
    if rules.siege is not None:
        siege.eliminate(turn, number, card)
    return turn.played()


@cache
def _laid(seat: Seat, card: CardId, stone: StoneId) -> tuple[Played]:
    return (Played(seat, card, stone),)


def _apply_claim(state: State, move: Claim) -> Step:
    seat, number = state.to_move, move.stone
    if number not in state.claimable:
        raise IllegalMove(move, _why_no_claim(state, number))
    turn = Turn(state)
    turn.skips = 0
    if state.rules.siege is not None:
        return siege.control(turn, number, state.phase)
    stone = state.stones[number]
    turn.put(number, Stone(stone.sides, seat, stone.arrived, stone.ground))
    turn.events += (Claimed(seat, number),)
    won = victory(state.rules, turn.stones, seat)
    if won is not None:
        return turn.end(seat, won)
    left = tuple([stone for stone in state.claimable if stone != number])
    # A claim at the start takes no place from the seat: its side there was full.
    if state.phase is not _PLAY:
        return turn.finish(left)
    turn.acted = True
    return turn.ask(Phase.PLAY, left)


def _why_no_claim(state: State, number: StoneId) -> str:
    rules, seat = state.rules, state.to_move
    if not 0 <= number < len(state.stones):
        return rules.no_such_place
    if rules.claims is ClaimWindow.ATTACKER and seat != state.beside.attacker:
        return "only the attacker controls tiles"
    if state.phase not in (Phase.PLAY, Phase.CLAIM):
        return "what was begun must be done first"
    if rules.claims is ClaimWindow.AFTER_PLAY and state.phase is Phase.PLAY:
        return "stones are claimed after laying a card"
    if rules.claims is ClaimWindow.START and state.acted and state.phase is Phase.CLAIM:
        return "stones are claimed at the start of the turn, before a card is played"
    return explain(state, number, seat).because


def _apply_draw(state: State, move: Draw) -> Step:
    seat = state.to_move
    if state.phase is not _CLAIM:
        if state.phase is Phase.SCOUT:
            return hands.apply_scouted(state, move)
        raise IllegalMove(move, "nothing is drawn now: cards are drawn at the end of the turn")
    decks = draw_choice(state, seat)
    if not decks:
        raise IllegalMove(move, "there is no deck to choose: what can be drawn is drawn at the end of the turn")
    if move.deck not in decks:
        raise IllegalMove(move, "that pile is empty" if 0 <= move.deck < len(state.piles) else "there is no such deck")
    turn = Turn(state)
    turn.draw(move.deck)
    return turn.close(drawn=True)


def _apply_done(state: State, move: Done) -> Step:
    if state.phase is Phase.POUR:
        return Turn(state).close()
    if state.phase is Phase.PLAY:
        raise IllegalMove(move, "a card must be laid first")
    if state.phase is not _CLAIM:
        raise IllegalMove(move, "what was begun must be done first")
    if draw_choice(state, state.to_move):
        raise IllegalMove(move, "the turn ends with a draw: choose the deck")
    return Turn(state).close()


def _apply_pass(state: State, move: Pass) -> Step:
    seat = state.to_move
    if state.phase is not _PLAY:
        raise IllegalMove(move, "it is not the time to pass")
    if may_lay(state, seat):
        why = f"passing is not allowed while a {state.rules.decks[0].name} card can be laid"
        if state.rules.siege is not None and not state.places[seat]:
            why = "passing is not allowed: a retreat makes room for a card"
        elif state.rules.tactics is None:
            why = "passing is not allowed: a seat that cannot lay a card is skipped"
        raise IllegalMove(move, why)
    turn = Turn(state)
    turn.skips += not state.acted  # a turn with a claim is none of those that end a stuck game
    turn.acted = True
    turn.ply += 1
    turn.events += (Passed(seat),)
    return turn.played()
