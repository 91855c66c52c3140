"""What tactic cards do with hands: a scout draws three and puts two back, an exchange swaps cards (A13, A38).

Nobody else sees the faces: moves come in their public form.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations

from p2p_schotten.engine.move import MAX_GIVEN, Draw, Exchange, Give, GiveFrom, Return, ReturnFrom, Scout
from p2p_schotten.engine.state import Phase, State
from p2p_schotten.engine.step import Exchanged, Gave, HandToHand, HandToPile, Name, Returned, Step
from p2p_schotten.engine.turn import Turn, changed, decks_left
from p2p_schotten.errors import IllegalMove
from p2p_schotten.ids import CardId, DeckId, Seat, other

SCOUTED, RETURNED = 3, 2  # cards that a scout draws and puts back (A13)


def scout(turn: Turn, move: Scout) -> Step:
    """Three cards are drawn, or all that are left; where two piles have cards the seat chooses each time."""
    if not decks_left(turn.piles):
        raise IllegalMove(move, "both piles are empty")
    turn.beside = turn.beside._replace(left=min(SCOUTED, sum(turn.piles)))
    return _scouting(turn)


def apply_scouted(state: State, move: Draw) -> Step:
    """One more card of a scout."""
    if move.deck not in decks_left(state.piles):
        raise IllegalMove(move, "that pile is empty" if 0 <= move.deck < len(state.piles) else "there is no such deck")
    turn = Turn(state)
    _take(turn, move.deck)
    return _scouting(turn)


def _take(turn: Turn, deck: DeckId) -> None:
    turn.draw(deck)
    turn.beside = turn.beside._replace(left=turn.beside.left - 1)


def _scouting(turn: Turn) -> Step:
    while turn.beside.left:
        decks = decks_left(turn.piles)
        if len(decks) > 1:
            return turn.ask(Phase.SCOUT)
        _take(turn, decks[0])
    turn.beside = turn.beside._replace(left=min(RETURNED, sum(turn.hands[turn.seat])))
    return turn.ask(Phase.RETURN)


def returns(state: State, hand: tuple[CardId, ...]) -> tuple[Return, ...]:
    """Every card that may be put back."""
    counts = state.hands[state.to_move]
    return tuple([_return(card) for card in hand if counts[state.rules.deck_of(card)]])


@cache
def _return(card: CardId) -> Return:
    return Return(card)


def apply_return(state: State, move: ReturnFrom) -> Step:
    """A card goes back into its pile; after the second one the turn goes on."""
    seat, deck, tactics = state.to_move, move.deck, state.rules.tactics
    if state.phase is not Phase.RETURN or tactics is None:
        raise IllegalMove(move, "no card is to be put back now")
    if not (0 <= deck < len(state.piles) and state.hands[seat][deck]):
        raise IllegalMove(move, "this hand holds no card of that deck")
    turn = Turn(state)
    turn.piles = (*state.piles[:deck], state.piles[deck] + 1, *state.piles[deck + 1 :])
    turn.hands = changed(state.hands, seat, deck, -1)
    turn.beside = state.beside._replace(left=state.beside.left - 1)
    turn.transfers += (HandToPile(seat, deck, tactics.return_to == "top"),)
    turn.events += (Returned(seat, deck),)
    return turn.ask(Phase.RETURN) if turn.beside.left else turn.played()


def exchanged(state: State | Turn, seat: Seat, played: int) -> int:
    """How many cards an exchange moves each way, once `seat` has `played` so many cards more (A38)."""
    return min(MAX_GIVEN, sum(state.hands[seat]) - played, sum(state.hands[1 - seat]))


def exchange(turn: Turn, move: Exchange) -> Step:
    """Both seats choose what they give, the one that plays it first."""
    count = exchanged(turn, turn.seat, 0)
    if not count:
        raise IllegalMove(move, "one of the hands is empty")
    turn.beside = turn.beside._replace(left=count)
    return turn.ask(Phase.GIVE)


def gifts(state: State, hand: tuple[CardId, ...]) -> tuple[Give, ...]:
    """Every choice of cards that may be given."""
    rules, counts = state.rules, state.hands[state.to_move]
    return tuple(
        [
            _give(cards)
            for cards in combinations(sorted(hand), state.beside.left)
            if _held(counts, tuple([rules.deck_of(card) for card in cards]))
        ]
    )


@cache
def _give(cards: tuple[CardId, ...]) -> Give:
    return Give(cards)


@cache
def _held(counts: tuple[int, ...], decks: tuple[DeckId, ...]) -> bool:
    return all(0 <= deck < len(counts) and number <= counts[deck] for deck, number in Counter(decks).items())


def apply_give(state: State, move: GiveFrom) -> Step:
    """A seat has chosen what it gives; once both have, the cards change hands."""
    seat, decks = state.to_move, move.decks
    if state.phase is not Phase.GIVE:
        raise IllegalMove(move, "no card is to be given now")
    if len(decks) != state.beside.left:
        raise IllegalMove(move, f"{state.beside.left} cards are to be given, not {len(decks)}")
    if list(decks) != sorted(decks):
        raise IllegalMove(move, "the decks of the given cards stand in ascending order")
    if not _held(state.hands[seat], decks):
        raise IllegalMove(move, "this hand does not hold so many cards of these decks")
    turn = Turn(state)
    turn.transfers += tuple([Name(seat, deck) for deck in decks])
    turn.events += (Gave(seat, decks),)
    if seat == state.turn:
        turn.beside = state.beside._replace(given=decks)
        return turn.ask(Phase.GIVE, to_move=other(seat))
    for giver, given in ((state.turn, state.beside.given), (seat, decks)):
        for deck in given:
            turn.transfers += (HandToHand(giver, deck),)
            turn.hands = changed(changed(turn.hands, giver, deck, -1), other(giver), deck, 1)
    turn.events += (Exchanged(len(decks)),)
    turn.beside = state.beside._replace(left=0, given=())
    return turn.played()
