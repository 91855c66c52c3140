"""A turn under way: what the next State will hold, and what has happened on the way to it.

A turn is: play a card, claim stones, draw; the ruleset says when claims are open. Steps without a choice are taken
inside the step that leads to them, and reported as events: an empty claim window, the draw from the only
deck, a turn that must be skipped, the end of a stuck game.
"""

from __future__ import annotations

from functools import cache

from p2p_schotten.engine.claim import claimable
from p2p_schotten.engine.ending import award, outcome, stuck_winner
from p2p_schotten.engine.quick import quick
from p2p_schotten.engine.ruleset import ClaimWindow
from p2p_schotten.engine.state import Phase, State, Stone, places, unclaimed
from p2p_schotten.engine.step import (
    Drew,
    Ended,
    Event,
    HandToOpen,
    Outcome,
    PileToHand,
    Reason,
    Skipped,
    Step,
    Transfer,
)
from p2p_schotten.ids import CardId, DeckId, Seat, StoneId, other

Counts = tuple[int, ...]

_state, _step = quick(State), quick(Step)
_FIRST = DeckId(0)
_PLAY, _CLAIM = Phase.PLAY, Phase.CLAIM  # to look a member up takes long
_AFTER_PLAY, _START, _ATTACKER = ClaimWindow.AFTER_PLAY, ClaimWindow.START, ClaimWindow.ATTACKER


def may_lay(state: State | Turn, seat: Seat) -> bool:
    """Whether the public counts leave `seat` a numbered card to lay (an attacker can make room by a retreat, A22)."""
    return bool(state.hands[seat][0] and (state.places[seat] or seat == state.beside.attacker))


def may_use(state: State | Turn, seat: Seat) -> bool:
    """Whether `seat` holds tactic cards and the limit lets it play one: at most one ahead of the other."""
    hand, tactics = state.hands[seat], state.beside.tactics
    return len(hand) > 1 and hand[1] > 0 and tactics[seat] <= tactics[1 - seat]


def may_pour(state: State | Turn, seat: Seat) -> bool:
    """Whether `seat` may pour oil somewhere now, before it plays."""
    beside = state.beside
    return (
        beside.attacker == other(seat)
        and beside.oil > 0
        and not beside.poured
        and any(stone.sides[beside.attacker].cards for stone in state.stones)
    )


@cache
def decks_left(piles: Counts) -> tuple[DeckId, ...]:
    """The decks that have cards in their piles."""
    return tuple([DeckId(deck) for deck, count in enumerate(piles) if count])


def drawable(state: State | Turn, seat: Seat) -> tuple[DeckId, ...]:
    """The decks that `seat` may draw from at the end of its turn. An empty siege deck ends all drawing (A32)."""
    rules = state.rules
    return _drawable(state.piles, state.hands[seat], rules.hand_size, rules.siege is not None)


@cache
def _drawable(piles: Counts, hand: Counts, most: int, siege: bool) -> tuple[DeckId, ...]:
    if sum(hand) >= most or (siege and not piles[0]):
        return ()
    return decks_left(piles)


def draw_choice(state: State | Turn, seat: Seat) -> tuple[DeckId, ...]:
    """The decks to choose from where the draw is a decision: two have cards, or a pile was shuffled in this turn."""
    piles, rules = state.piles, state.rules
    if len(piles) == 1:
        return ()
    return _choice(piles, state.hands[seat], rules.hand_size, rules.siege is not None, state.beside.restocked)


@cache
def _choice(piles: Counts, hand: Counts, most: int, siege: bool, restocked: bool) -> tuple[DeckId, ...]:
    decks = _drawable(piles, hand, most, siege)
    return decks if len(decks) > 1 or restocked else ()


class Turn:
    """The fields of State with the same names, as they change; `seat` is on turn."""

    __slots__ = (
        "acted",
        "beside",
        "events",
        "hands",
        "piles",
        "places",
        "ply",
        "rules",
        "seat",
        "skips",
        "stones",
        "transfers",
        "unclaimed",
        "unseen",
    )

    def __init__(self, state: State) -> None:
        """The turn as it stands in `state`; nothing has happened yet."""
        (
            self.rules,
            self.seat,
            _to_move,
            _phase,
            self.stones,
            self.places,
            self.unclaimed,
            self.unseen,
            self.piles,
            self.hands,
            _claimable,
            self.acted,
            self.skips,
            self.ply,
            self.beside,
            _outcome,
        ) = state
        self.transfers: tuple[Transfer, ...] = ()
        self.events: tuple[Event, ...] = ()

    # what changes

    def put(self, number: StoneId, stone: Stone) -> None:
        """The stone of that number as it is now."""
        row = list(self.stones)
        row[number] = stone
        self.stones = tuple(row)
        (one, two), (mine, theirs), bit = stone.sides, self.places, 1 << number
        if stone.owner is None:
            self.places = (mine & ~bit if one.full else mine | bit, theirs & ~bit if two.full else theirs | bit)
        else:
            self.places = (mine & ~bit, theirs & ~bit)
            self.unclaimed &= ~bit

    def lay(self, number: StoneId, stone: Stone) -> None:
        """A card came to the side of the seat on turn at this stone, and nothing else has changed there."""
        row = list(self.stones)
        row[number] = stone
        self.stones = tuple(row)
        if stone.sides[self.seat].full:
            (mine, theirs), bit = self.places, 1 << number
            self.places = (mine, theirs & ~bit) if self.seat else (mine & ~bit, theirs)

    def show(self, card: CardId) -> None:
        """The card was played: it leaves the hand and shows its face."""
        self.unseen ^= 1 << card
        self.hands = changed(self.hands, self.seat, self.rules.cards[card].deck, -1)
        self.acted = True
        self.skips = 0
        self.ply += 1
        self.transfers += _shown(self.seat, card)

    def discard(self, cards: tuple[CardId, ...]) -> None:
        """These open cards lie in the discard pile."""
        self.beside = self.beside._replace(discard=self.beside.discard + cards)

    def draw(self, deck: DeckId) -> None:
        """The seat takes the top card of that pile."""
        self.piles, self.hands, transfers, events = _drawn(self.piles, self.hands, self.seat, deck)
        self.skips = 0
        self.transfers += transfers
        self.events += events

    # where the step ends

    def ask(
        self,
        phase: Phase,
        open_claims: tuple[StoneId, ...] = (),
        ended: Outcome | None = None,
        to_move: Seat | None = None,
    ) -> Step:
        """The step ends here: the seat on turn (or `to_move`) must choose, or the game is over."""
        state = _state(
            self.rules,
            self.seat,
            self.seat if to_move is None else to_move,
            phase,
            self.stones,
            self.places,
            self.unclaimed,
            self.unseen,
            self.piles,
            self.hands,
            open_claims,
            self.acted,
            self.skips,
            self.ply,
            self.beside,
            ended,
        )
        return _step(state, self.transfers, self.events)

    def end(self, winner: Seat | None, reason: Reason) -> Step:
        """The game is over."""
        ended = outcome(self.rules, self.stones, winner, reason, self.beside.attacker)
        self.events += (Ended(ended),)
        return self.ask(Phase.OVER, (), ended)

    # how a turn goes on

    def claims(self) -> tuple[StoneId, ...]:
        """What the seat on turn may claim now, or control."""
        if self.rules.claims is _ATTACKER and self.seat != self.beside.attacker:
            return ()
        return claimable(self.stones, self.seat, self.unseen, self.unclaimed & ~self.places[self.seat])

    def played(self) -> Step:
        """A card has been played, or the seat has passed, and all that it led to is done."""
        return self.finish(() if self.rules.claims is _START else self.claims())

    def finish(self, open_claims: tuple[StoneId, ...]) -> Step:
        """Claims, then the draw: asked where there is a choice."""
        if open_claims or draw_choice(self, self.seat):
            return self.ask(_CLAIM, open_claims)
        return self.close()

    def rest(self) -> Step | None:
        """What is left to a seat that cannot play: claims, a draw to choose, oil; None when there is nothing."""
        open_claims = self.claims()
        if open_claims or draw_choice(self, self.seat):
            return self.ask(_CLAIM, open_claims)
        return self.ask(Phase.POUR) if may_pour(self, self.seat) else None

    def close(self, *, drawn: bool = False) -> Step:
        """The turn is over, and the next seat that has a choice is asked. The draw without a choice comes first."""
        rules, beside = self.rules, self.beside
        siege = rules.siege
        while True:
            last = siege is not None and not self.piles[0] and not drawn and self.seat == beside.attacker
            if not drawn:
                self._draw()
            drawn = False
            if not self.acted:
                self.ply += 1
                self.events += (Skipped(self.seat),)
            if last or self.skips == 2:
                return self._stuck()
            self.seat = seat = other(self.seat)
            self.acted = False
            if beside.poured or beside.restocked:
                self.beside = beside = beside._replace(poured=False, restocked=False)
            room = self.places[seat]
            if siege is not None and siege.full_defender_wins and not room and seat != beside.attacker:
                return self.end(seat, Reason.FULL)
            # What `may_lay` finds first stands here too: it decides nearly every turn, and saves the call.
            if (room and self.hands[seat][0]) or may_lay(self, seat) or may_use(self, seat):
                return self.ask(_PLAY, () if rules.claims is _AFTER_PLAY else self.claims())
            self.skips += 1
            step = self.rest()
            if step is not None:
                return step

    def _draw(self) -> None:
        if len(self.piles) > 1:
            for deck in drawable(self, self.seat):  # one at the most
                self.draw(deck)
        elif self.piles[0] and self.hands[self.seat][0] < self.rules.hand_size:  # the same for the only deck
            self.draw(_FIRST)

    def _stuck(self) -> Step:
        """Nobody can play any more (A8), or the wall has held (A34)."""
        if self.beside.attacker is not None:
            return self.end(other(self.beside.attacker), Reason.HELD)
        self.stones, awarded = award(self.stones)
        self.places, self.unclaimed = places(self.stones), unclaimed(self.stones)
        self.events += awarded
        return self.end(stuck_winner(self.rules, self.stones), Reason.STUCK)


@cache
def _drawn(
    piles: Counts, hands: tuple[Counts, Counts], seat: Seat, deck: DeckId
) -> tuple[Counts, tuple[Counts, Counts], tuple[PileToHand], tuple[Drew]]:
    piles = (*piles[:deck], piles[deck] - 1, *piles[deck + 1 :])
    return piles, changed(hands, seat, deck, 1), (PileToHand(deck, seat),), (Drew(seat, deck),)


@cache
def _shown(seat: Seat, card: CardId) -> tuple[HandToOpen]:
    return (HandToOpen(seat, card),)


@cache
def changed(hands: tuple[Counts, Counts], seat: Seat, deck: DeckId, by: int) -> tuple[Counts, Counts]:
    """The counts of both hands after that of one deck in one hand has changed."""
    mine = hands[seat]
    mine = (*mine[:deck], mine[deck] + by, *mine[deck + 1 :])
    return (hands[0], mine) if seat else (mine, hands[1])
