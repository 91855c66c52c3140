"""A position as one seat values it: what each stone promises now, and what a card that comes or goes would change.

Where only numbered cards are laid, on stones that stay, a stone promises what the own side is worth. Where cards are
taken, moved and discarded as well, and tiles ask for different things, it promises the chance to take it.
"""

from __future__ import annotations

from dataclasses import replace

from p2p_schotten.bots.worth import chance, worth
from p2p_schotten.engine.ending import damaged
from p2p_schotten.engine.formation import Side, Terms, side_of, with_card
from p2p_schotten.engine.state import Ground, Stone, ground_terms
from p2p_schotten.engine.view import View
from p2p_schotten.ids import SEATS, CardId, Seat, StoneId, other


class Outlook:
    """Serves for one choice. `now` is what each stone promises; a gain is what a change adds to that, weighed."""

    def __init__(self, view: View) -> None:
        self.state, self.rules, self.seat, self.foe = view.state, view.state.rules, view.seat, other(view.seat)
        self._plain = self.rules.tactics is None and self.rules.siege is None
        self._hand = sum([1 << card for card in view.hand])
        self._weights = self._weighed()
        self._twins = self._paired()
        self._puts: dict[tuple[CardId, StoneId], float] = {}
        self._takes: dict[CardId, float] = {}
        self.now: list[float] = []
        for number, stone in enumerate(self.state.stones):
            twin = self._twins[number]
            mine = stone.sides[self.seat]
            self.now.append(self.now[twin] if twin < number else self._promise(stone, mine, self._hand))

    def _weighed(self) -> tuple[float, ...]:
        """How much each stone counts: 1, and a damaged tile as much as all the others that a breach still needs."""
        stones, siege = self.state.stones, self.rules.siege
        if siege is None:
            return (1.0,) * len(stones)
        left = float(siege.breach - damaged(stones))
        return tuple([left if stone.ground.damaged else 1.0 for stone in stones])

    def _paired(self) -> list[StoneId]:
        """Per stone the first one that is just like it, so that like stones are valued once."""
        first: dict[tuple[int, int, float], StoneId] = {}
        twins = []
        for number, stone in enumerate(self.state.stones):
            mine, theirs = stone.sides[self.seat], stone.sides[self.foe]
            if stone.owner is not None or (mine.full and theirs.full):  # there it matters who was first
                twins.append(StoneId(number))
            else:
                like = (id(mine), 0 if self._plain else id(theirs), self._weights[number])
                twins.append(first.setdefault(like, StoneId(number)))
        return twins

    def _promise(self, stone: Stone, mine: Side, hand: int, gone: int = 0) -> float:
        """What the stone promises once `mine` lies on the own side, with the set `hand` in hand and `gone` seen."""
        if stone.owner is not None:
            return 0.0
        unseen = self.state.unseen & ~gone
        if self._plain:
            return worth(mine, hand, unseen)
        theirs = stone.sides[self.foe]
        first = mine.full and theirs.full and stone.first_complete(self.seat)
        return chance(mine, theirs, first, hand, unseen, self.state.unseen)

    def _gain(self, number: StoneId, stone: Stone) -> float:
        return (self._promise(stone, stone.sides[self.seat], self._hand) - self.now[number]) * self._weights[number]

    def put(self, card: CardId, number: StoneId) -> float:
        """The gain when the card comes to the own side of the stone, from the hand or from elsewhere."""
        twin = self._twins[number]
        gain = self._puts.get((card, twin))
        if gain is None:
            stone, bit = self.state.stones[twin], 1 << card
            after = self._promise(stone, with_card(stone.sides[self.seat], card), self._hand & ~bit, bit)
            gain = self._puts[card, twin] = (after - self.now[twin]) * self._weights[twin]
        return gain

    def take(self, card: CardId) -> float:
        """The gain when a card that lies at an unclaimed stone leaves it, whosever it is."""
        gain = self._takes.get(card)
        if gain is None:
            number = next(StoneId(n) for n, stone in enumerate(self.state.stones) if lies_at(stone, card))
            stone = self.state.stones[number]
            if card in stone.arrived:
                seat = next(seat for seat in SEATS if card in stone.sides[seat].cards)
                stone = stone.minus(seat, (card,))
            else:
                modes = tuple([mode for mode in stone.ground.modes if mode[1] != card])
                stone = self._on_ground(number, stone, replace(stone.ground, modes=modes))
            gain = self._takes[card] = self._gain(number, stone)
        return gain

    def lay(self, mode: CardId, number: StoneId) -> float:
        """The gain when that mode comes to lie at the stone."""
        stone = self.state.stones[number]
        ground = replace(stone.ground, modes=(*stone.ground.modes, (self.seat, mode)))
        return self._gain(number, self._on_ground(number, stone, ground))

    def clear(self, number: StoneId, seat: Seat) -> float:
        """The gain when all cards of one side are discarded."""
        stone = self.state.stones[number]
        return self._gain(number, stone.minus(seat, stone.sides[seat].cards))

    def lose(self, card: CardId) -> float:
        """What is lost when a numbered card leaves the hand and lies on no side: never less than nothing."""
        lost, bit = 0.0, 1 << card
        for number, stone in enumerate(self.state.stones):
            mine = stone.sides[self.seat]
            if stone.owner is None and not mine.full:
                after = self._promise(stone, mine, self._hand & ~bit)
                lost += max(0.0, self.now[number] - after) * self._weights[number]
        return lost

    def useful(self, card: CardId) -> float:
        """The most that the numbered card could gain on an own side now; nothing where no side has room."""
        places = self.state.places[self.seat]
        return max([self.put(card, StoneId(n)) for n in range(len(self.now)) if places >> n & 1], default=0.0)

    def _on_ground(self, number: StoneId, stone: Stone, ground: Ground) -> Stone:
        """The stone on that ground; a side that has one card too many there has lost the one that it needs least."""
        terms = ground_terms(self.rules, number, ground)
        one, two = [fitted(terms, side.cards) for side in stone.sides]
        return Stone((one, two), stone.owner, stone.arrived, ground)


def lies_at(stone: Stone, card: CardId) -> bool:
    """Whether the card lies at the unclaimed stone, as a card of a side or as a mode."""
    return stone.owner is None and (card in stone.arrived or any(mode == card for _, mode in stone.ground.modes))


def fitted(terms: Terms, cards: tuple[CardId, ...]) -> Side:
    """The best side that these cards make there when all may stay, or all but one."""
    if len(cards) <= terms.size:
        return side_of(terms, cards)
    left = [side_of(terms, tuple([kept for kept in cards if kept != card])) for card in cards]
    return max(left, key=lambda side: side.key)
