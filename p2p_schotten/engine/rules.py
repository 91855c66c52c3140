"""The referee: what may be chosen, and what a choice leads to. It asks the ruleset; it does not know which game it is.

A turn is: lay a card, claim stones, draw. Steps without a choice are taken inside the step that leads to them, and
reported as events (rules 1.6): an empty claim window, the draw, a turn that must be skipped, the end of a stuck game.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import assert_never

from p2p_schotten.engine.claim import claimable, explain
from p2p_schotten.engine.ending import award, outcome, stuck_winner, victory
from p2p_schotten.engine.formation import Terms, side_of, with_card
from p2p_schotten.engine.move import Claim, Done, Draw, Move, Pass, Play, Resign
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.state import Phase, State, Stone
from p2p_schotten.engine.step import (
    Claimed,
    Dealt,
    Drew,
    Ended,
    Event,
    HandToOpen,
    Outcome,
    PileToHand,
    Played,
    Reason,
    Skipped,
    Step,
    Transfer,
)
from p2p_schotten.errors import IllegalMove
from p2p_schotten.ids import SEATS, CardId, DeckId, Seat, StoneId, other

Hand = tuple[CardId, ...]
Counts = tuple[int, ...]

_DONE = Done()


def new_game(rules: Ruleset, first: Seat) -> Step:
    """The deal from the shuffled piles: all cards of seat 0, then all of seat 1. `first` lays the first card."""
    dealt = rules.hand_size
    grid = rules.grid
    none = (0,) * (len(rules.decks) - 1)
    everywhere = (1 << len(rules.tiles)) - 1
    state = State(
        rules=rules,
        turn=first,
        to_move=first,
        phase=Phase.PLAY,
        stones=tuple(Stone((side_of(Terms(grid, tile.size, tile.contest)),) * 2, None, ()) for tile in rules.tiles),
        places=(everywhere, everywhere),
        unseen=grid.all,
        piles=(len(rules.decks[0].cards) - 2 * dealt, *(len(deck.cards) for deck in rules.decks[1:])),
        hands=((dealt, *none), (dealt, *none)),
        claimable=(),
        laid=False,
        skips=0,
        ply=0,
        outcome=None,
    )
    transfers = tuple(PileToHand(DeckId(0), seat) for seat in SEATS for _ in range(dealt))
    return Step(state, transfers, (Dealt(dealt, first),))


def legal_moves(state: State, hand: Hand) -> tuple[Move, ...]:
    """What the seat that is to move may choose, Resign apart; `hand` holds its own cards.

    Plays stand card by card in the order of the hand; in the claim window the claims stand first, then Done.
    """
    if state.phase is Phase.PLAY:
        unseen, places = state.unseen, state.places[state.to_move]
        return tuple(chain.from_iterable([_plays(card, places) for card in hand if unseen >> card & 1]))
    if state.phase is Phase.CLAIM:
        return (*map(_claim, state.claimable), _DONE)
    return ()


@cache
def _plays(card: CardId, places: int) -> tuple[Play, ...]:
    # Interned moves: the card on each stone of the bit set.
    return tuple(_play(card, StoneId(number)) for number in range(places.bit_length()) if places >> number & 1)


@cache
def _play(card: CardId, stone: StoneId) -> Play:
    return Play(card, stone)


@cache
def _claim(stone: StoneId) -> Claim:
    return Claim(stone)


def apply(state: State, move: Move) -> Step:
    """The step that the move of `state.to_move` leads to. Raises IllegalMove, whatever the move holds."""
    if state.outcome is not None:
        raise IllegalMove(move, "the game is over")
    match move:
        case Play():
            return _apply_play(state, move)
        case Claim():
            return _apply_claim(state, move)
        case Done():
            if state.phase is not Phase.CLAIM:
                raise IllegalMove(move, "a card must be laid first")
            return _Turn.under_way(state).close()
        case Resign():
            return _Turn.under_way(state).end(other(state.to_move), Reason.RESIGNED)
        case Pass():
            raise IllegalMove(move, "passing is not allowed: a seat that cannot lay a card is skipped")
        case Draw():
            raise IllegalMove(move, "there is no deck to choose: the card is drawn at the end of the turn")
        case _:
            assert_never(move)


def _apply_play(state: State, move: Play) -> Step:
    seat, card, number = state.to_move, move.card, move.stone
    rules, stones = state.rules, state.stones
    if state.phase is not Phase.PLAY:
        raise IllegalMove(move, "a card was laid already" if state.laid else "this seat can lay no card")
    if not 0 <= number < len(stones):
        raise IllegalMove(move, f"there is no such stone: they are numbered 1 to {len(stones)}")
    if not 0 <= card < len(rules.cards):
        raise IllegalMove(move, "there is no such card")
    if not state.unseen >> card & 1:
        raise IllegalMove(move, f"{rules.text(card)} lies open already")
    stone = stones[number]
    if stone.owner is not None:
        raise IllegalMove(move, f"stone {number + 1} is claimed: it takes no more cards")
    sides = stone.sides
    mine = sides[seat]
    if mine.full:
        raise IllegalMove(move, f"this side of stone {number + 1} has its {mine.terms.size} cards already")
    deck = rules.cards[card].deck
    if not state.hands[seat][deck]:
        raise IllegalMove(move, "this hand holds no such card")
    mine = with_card(mine, card)
    stone = Stone((sides[0], mine) if seat else (mine, sides[1]), None, (*stone.arrived, card))
    transfer, event = _laid(seat, card, move.stone)
    turn = _Turn(
        rules=rules,
        seat=seat,
        stones=(*stones[:number], stone, *stones[number + 1 :]),
        places=_without(state.places, seat, number) if mine.full else state.places,
        unseen=state.unseen ^ 1 << card,
        piles=state.piles,
        hands=_changed(state.hands, seat, deck, -1),
        laid=True,
        skips=0,
        ply=state.ply + 1,
        transfers=[transfer],
        events=[event],
    )
    open_claims = claimable(turn.stones, seat, turn.unseen)
    return turn.ask(Phase.CLAIM, open_claims) if open_claims else turn.close()


def _apply_claim(state: State, move: Claim) -> Step:
    seat, number = state.to_move, move.stone
    if number not in state.claimable:
        if not 0 <= number < len(state.stones):
            raise IllegalMove(move, f"there is no such stone: they are numbered 1 to {len(state.stones)}")
        if state.phase is not Phase.CLAIM:
            raise IllegalMove(move, "stones are claimed after laying a card")
        raise IllegalMove(move, explain(state, number, seat).because)
    turn = _Turn.under_way(state)
    stone = state.stones[number]
    taken = Stone(stone.sides, seat, stone.arrived)
    turn.stones = (*state.stones[:number], taken, *state.stones[number + 1 :])
    for each in SEATS:
        turn.places = _without(turn.places, each, number)
    turn.skips = 0
    turn.events.append(Claimed(seat, number))
    won = victory(state.rules, turn.stones, seat)
    if won is not None:
        return turn.end(seat, won)
    left = tuple([stone for stone in state.claimable if stone != number])
    return turn.ask(Phase.CLAIM, left) if left else turn.close()


@dataclass(slots=True)
class _Turn:
    """A turn under way: what the next State will hold, and what has happened on the way to it."""

    rules: Ruleset
    seat: Seat
    stones: tuple[Stone, ...]
    places: tuple[int, int]
    unseen: int
    piles: Counts
    hands: tuple[Counts, Counts]
    laid: bool
    skips: int
    ply: int
    transfers: list[Transfer]
    events: list[Event]

    @staticmethod
    def under_way(state: State) -> _Turn:
        """The turn as it stands in `state`; nothing has happened yet."""
        return _Turn(
            state.rules,
            state.turn,
            state.stones,
            state.places,
            state.unseen,
            state.piles,
            state.hands,
            state.laid,
            state.skips,
            state.ply,
            [],
            [],
        )

    def ask(self, phase: Phase, open_claims: tuple[StoneId, ...], ended: Outcome | None = None) -> Step:
        """The step ends here: the seat must choose (or the game is over)."""
        state = State(
            self.rules,
            self.seat,
            self.seat,
            phase,
            self.stones,
            self.places,
            self.unseen,
            self.piles,
            self.hands,
            open_claims,
            self.laid,
            self.skips,
            self.ply,
            ended,
        )
        return Step(state, tuple(self.transfers), tuple(self.events))

    def end(self, winner: Seat | None, reason: Reason) -> Step:
        """The game is over."""
        ended = outcome(self.rules, self.stones, winner, reason)
        self.events.append(Ended(ended))
        return self.ask(Phase.OVER, (), ended)

    def close(self) -> Step:
        """The claim window is closed: the seat draws, and the next one that has a choice is asked."""
        while True:
            self._draw()
            if not self.laid:
                self.ply += 1
                self.events.append(Skipped(self.seat))
            if self.skips == 2:
                self.stones, awarded = award(self.stones)
                self.events += awarded
                return self.end(stuck_winner(self.rules, self.stones), Reason.STUCK)
            self.seat = seat = other(self.seat)
            self.laid = False
            if self.places[seat] and any(self.hands[seat]):
                return self.ask(Phase.PLAY, ())
            self.skips += 1
            open_claims = claimable(self.stones, seat, self.unseen)
            if open_claims:
                return self.ask(Phase.CLAIM, open_claims)

    def _draw(self) -> None:
        # Exactly one card, where the hand has room and a deck is left.
        seat = self.seat
        if self.piles[0] and sum(self.hands[seat]) < self.rules.hand_size:
            deck = DeckId(0)
            self.piles = (self.piles[0] - 1, *self.piles[1:])
            self.hands = _changed(self.hands, seat, deck, 1)
            self.skips = 0
            transfer, event = _drawn(deck, seat)
            self.transfers.append(transfer)
            self.events.append(event)


@cache
def _laid(seat: Seat, card: CardId, stone: StoneId) -> tuple[HandToOpen, Played]:
    return HandToOpen(seat, card), Played(seat, card, stone)


@cache
def _drawn(deck: DeckId, seat: Seat) -> tuple[PileToHand, Drew]:
    return PileToHand(deck, seat), Drew(seat, deck)


def _without(places: tuple[int, int], seat: Seat, stone: StoneId) -> tuple[int, int]:
    mine = places[seat] & ~(1 << stone)
    return (places[0], mine) if seat else (mine, places[1])


@cache
def _changed(hands: tuple[Counts, Counts], seat: Seat, deck: DeckId, by: int) -> tuple[Counts, Counts]:
    mine = hands[seat]
    mine = (*mine[:deck], mine[deck] + by, *mine[deck + 1 :])
    return (hands[0], mine) if seat else (mine, hands[1])
