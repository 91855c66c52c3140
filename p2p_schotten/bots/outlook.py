"""A position as one seat values it: what each stone promises now, and what a card that comes or goes would change.

Where only numbered cards are laid, on stones that stay, a stone promises what the own side is worth. Where cards are
taken, moved and discarded as well, and tiles ask for different things, it promises the chance to take it.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import cast

from p2p_schotten.bots.worth import ALL, ANY, OWN, Pool, Reach, Reaches, chance, chance_ceiling, worth
from p2p_schotten.engine.cards import card_set
from p2p_schotten.engine.ending import damaged
from p2p_schotten.engine.formation import Side, Terms, best, side_of, with_card
from p2p_schotten.engine.state import Ground, Stone, ground_terms, numbers
from p2p_schotten.engine.view import View
from p2p_schotten.ids import SEATS, CardId, Seat, StoneId, other


class Outlook:
    """Serves for one choice. `now` is what each stone promises; a gain is what a change adds to that, weighed."""

    def __init__(self, view: View, last: Outlook | None = None, whole: Pool | None = None) -> None:
        """What the `last` outlook, or that of the `whole` set of cards, found out about cards that are still unseen is
        not worked out again."""
        self.state, self.rules, self.seat, self.foe = view.state, view.state.rules, view.seat, other(view.seat)
        self.plain = self.rules.tactics is None and self.rules.siege is None
        last_numbered = len(self.rules.decks[0].cards)
        self.numbered = tuple([card for card in view.hand if card < last_numbered])
        self._hand = Pool(card_set(view.hand), self._lasting())
        unseen = self.state.unseen
        known = {} if last is None or unseen & ~last._unseen.cards else last._unseen.known
        self._unseen: Pool = Pool(unseen, known, ALL if whole is None or unseen & ~whole.cards else whole)
        self._weights = self._weighed()
        self._twins = self._paired()
        self._puts: dict[tuple[CardId, StoneId], float] = {}
        self._takes: dict[CardId, float] = {}
        self.now: list[float] = []
        for number, stone in enumerate(self.state.stones):
            twin = self._twins[number]
            mine = stone.sides[self.seat]
            self.now.append(self.now[twin] if twin < number else self._promise(stone, mine, self._hand))

    def _lasting(self) -> dict[int, Reach]:
        """What the hand makes of each own side that lacks one card: these are the sides to be looked at anyway."""
        found: dict[int, Reach] = {}
        for stone in self.state.stones:
            mine = stone.sides[self.seat]
            if mine.hopes.missing == 1 and not mine.full and stone.owner is None and id(mine) not in found:
                found[id(mine)] = Reach(mine, max([side.key for side in self._after(mine)], default=0), 0)
        return found

    def _after(self, mine: Side) -> list[Side]:
        # The side with each numbered card of the hand. Mostly all of them are known.
        known = list(map(mine.near.get, self.numbered))
        if all(known):
            return cast("list[Side]", known)
        return [with_card(mine, card) for card in self.numbered]

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
        stones = self.state.stones
        twins = list(map(StoneId, range(len(stones))))
        for number in numbers(self.state.unclaimed):
            sides = stones[number].sides
            if not sides[self.seat].cards:  # no other two stones are alike: each card lies once
                foes = 0 if self.plain else id(sides[self.foe])
                like = (id(sides[self.seat]), foes, self._weights[number])
                twins[number] = first.setdefault(like, number)
        return twins

    def _promise(self, stone: Stone, mine: Side, hand: Reaches) -> float:
        """What the stone promises once `mine` lies on the own side, with that hand."""
        if stone.owner is not None:
            return 0.0
        if self.plain:
            return worth(mine, hand, self._unseen)
        theirs = stone.sides[self.foe]
        first = mine.full and theirs.full and stone.first_complete(self.seat)
        return chance(mine, theirs, first, hand, self._unseen)

    def _gain(self, number: StoneId, stone: Stone) -> float:
        after = self._promise(stone, stone.sides[self.seat], self._hand)
        return (after - self.now[number]) * self._weights[number]

    def put(self, card: CardId, number: StoneId, above: float = -inf) -> float:
        """The gain when the card comes to the own side of the stone, from the hand or from elsewhere.

        Where the gain is less than `above` the answer may be any lower number.
        """
        twin = self._twins[number]
        gain = self._puts.get((card, twin))
        if gain is None:
            stone, now, weight = self.state.stones[twin], self.now[twin], self._weights[twin]
            mine = stone.sides[self.seat]
            after = with_card(mine, card)
            if not after.full and above > -inf and card in self.numbered:  # see `_ceiling`
                ceiling = (self._promise(stone, after, self._hand.best(mine)) - now) * weight
                if ceiling < above:
                    return -inf
            gain = self._puts[card, twin] = (self._promise(stone, after, self._hand) - now) * weight
        return gain

    def puts(self) -> dict[CardId, tuple[float, ...]]:
        """Per numbered card of the hand, per stone: what `put` says where it may be the most of all, else any less."""
        stones, seat, cards, most = self.state.stones, self.seat, self.numbered, -inf
        places = self.state.places[seat]
        open_ones = [twin for number, twin in enumerate(self._twins) if twin == number and places >> number & 1]
        rows = [[-inf] * len(cards)] * len(stones)
        for ceiling, number in sorted([(self._ceiling(number), number) for number in open_ones], reverse=True):
            if ceiling < most:
                break
            if self.plain:
                row = self._laid(stones[number].sides[seat], self.now[number], most)
                most = max([most, *row])
            else:
                row = []
                for card in cards:
                    row.append(gain := self.put(card, number, most))
                    if gain > most:
                        most = gain
            rows[number] = row
        columns = zip(*[rows[twin] for twin in self._twins], strict=True)
        return dict(zip(cards, columns, strict=True))

    def _laid(self, mine: Side, now: float, most: float) -> list[float]:
        # `put` of each numbered card of the hand on such a side, where a stone promises the worth of the side.
        if mine.hopes.missing == 1:
            return [side.key - now for side in self._after(mine)]
        row, own, hand, unseen = [], OWN * self._hand.best(mine).key, self._hand.cards, self._unseen
        for side in self._after(mine):
            hoped = ANY * unseen.best(side).key
            gain = -inf
            if own + hoped - now >= most:
                # Only a key that makes it the most, or as much, is asked for.
                asked = (most + now - hoped) / OWN
                above = int(asked) - 2 if asked > 2 else 0
                key, _ = best(side, hand & ~side.lying, above)
                if key or not above:
                    gain = OWN * key + hoped - now
                    if gain > most:
                        most = gain
            row.append(gain)
        return row

    def _ceiling(self, number: StoneId) -> float:
        # No less than what any numbered card of the hand gains there.
        stone, now = self.state.stones[number], self.now[number]
        mine = stone.sides[self.seat]
        if self.plain:
            # Of the side a card of the hand makes no more than the hand makes of it anyway.
            return max(0.0, self._hand.best(mine).key - now) if mine.hopes.missing == 1 else 0.0
        promise = chance_ceiling(mine, stone.sides[self.foe], self._hand, self._unseen)
        return (promise - now) * self._weights[number]

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
        lost, hand = 0.0, Pool(self._hand.cards & ~(1 << card), {})
        for number, stone in enumerate(self.state.stones):
            mine = stone.sides[self.seat]
            if stone.owner is None and not mine.full:
                after = self._promise(stone, mine, hand)
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
