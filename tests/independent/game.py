"""A position of any ruleset, known by public counts and open faces: sections 3.5 to 3.9 of docs/protocol.md.

What beats what is asked of tests/engine/oracle.py, which tries every reply and reads nothing of the package either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from tests.engine import oracle
from tests.independent.rules import AFTER, START, Rules, Tile
from tests.independent.wire import Part

PLAY, CLAIM, OVER, SCOUT, RETURN, GIVE, DISCARD, OIL = range(8)
REASONS = (
    "three adjacent stones",
    "five stones",
    "nobody can play any more",
    "resignation",
    "the wall is breached",
    "a damaged tile is controlled",
    "the wall has held",
    "the defender has no room left",
)
Pair = tuple[int, int]


class Illegal(Exception):
    """A move against the rules, or one that cannot be read."""


def need(holds: bool) -> None:
    """Illegal unless it holds."""
    if not holds:
        raise Illegal


@dataclass(frozen=True)
class Transfer:
    """One row of section 3.2. `what`: draw, open, back, named, handed, restock. `card` where a face is named."""

    what: str
    seat: int
    deck: int
    card: int = -1


@dataclass(frozen=True)
class Stone:
    """A stone or tile: (seat, card) in the order of arrival, its owner, (seat, mode) on its ground, and its damage."""

    arrived: tuple[Pair, ...] = ()
    owner: int | None = None
    modes: tuple[Pair, ...] = ()
    damaged: bool = False

    def side(self, seat: int) -> list[int]:
        return [card for who, card in self.arrived if who == seat]


@lru_cache(maxsize=200_000)
def _may_claim(mine: tuple[str, ...], theirs: tuple[str, ...], first: bool, unseen: str, place: oracle.Place) -> bool:
    return oracle.may_claim(list(mine), list(theirs), first, unseen.split(), place)


class Game:
    """A position. Its fields are replaced and never changed in place, so that a copy is a copy."""

    def __init__(self, rules: Rules, first: int) -> None:
        self.rules = rules
        self.turn = self.to_move = first
        self.phase = PLAY
        self.stones = (Stone(),) * len(rules.tiles)
        self.unseen = frozenset(range(sum(map(len, rules.decks))))
        counts = [len(deck) for deck in rules.decks]
        self.piles = (counts[0] - 2 * rules.hand, *counts[1:])
        self.hands = ((rules.hand, *[0 for _ in counts[1:]]),) * 2
        self.claimable: tuple[int, ...] = ()
        self.acted = self.skips = self.ply = 0
        self.discard: tuple[int, ...] = ()
        self.tactics: Pair = (0, 0)
        self.jokers: Pair = (0, 0)
        self.attacker = first if rules.siege else None
        self.oil = 3 if rules.siege else 0
        self.poured = self.restocked = self.left = 0
        self.given: tuple[int, ...] = ()
        self.crowded: int | None = None
        self.outcome: tuple[int | None, int, Pair] | None = None  # winner, reason, points
        self.transfers: tuple[Transfer, ...] = ()  # of the last step

    def deal(self) -> list[Transfer]:
        return [Transfer("draw", seat, 0) for seat in (0, 1) for _ in range(self.rules.hand)]

    # -- what the position says ----------------------------------------------------------------------------------------

    def tile(self, number: int) -> Tile:
        """What decides the stone, by its ground."""
        stone, tile = self.stones[number], self.rules.tiles[number]
        if stone.damaged:
            assert tile.damaged is not None
            tile = tile.damaged
        for _, mode in stone.modes:
            tile = replace(tile, contest="+") if self.power(mode) == "fog" else replace(tile, size=tile.size + 1)
        return tile

    def power(self, card: int) -> str:
        """What a tactic card does; empty for a numbered card."""
        return self.rules.card(card).power

    def open_stones(self) -> list[int]:
        return [number for number, stone in enumerate(self.stones) if stone.owner is None]

    def full(self, seat: int, number: int) -> bool:
        return len(self.stones[number].side(seat)) == self.tile(number).size

    def room(self, seat: int) -> list[int]:
        return [n for n in self.open_stones() if len(self.stones[n].side(seat)) < self.tile(n).size]

    def may_lay(self, seat: int) -> bool:
        return self.hands[seat][0] > 0 and (seat == self.attacker or bool(self.room(seat)))

    def may_use(self, seat: int) -> bool:
        return sum(self.hands[seat][1:]) > 0 and self.tactics[seat] <= self.tactics[1 - seat]

    def may_draw(self) -> list[int]:
        """The decks that the seat on turn may draw from."""
        if sum(self.hands[self.turn]) >= self.rules.hand or (self.rules.siege and not self.piles[0]):
            return []
        return [deck for deck, count in enumerate(self.piles) if count]

    def draw_is_choice(self) -> bool:
        decks = len(self.may_draw())
        return len(self.piles) == 2 and (decks == 2 or (decks == 1 and self.restocked == 1))

    def may_pour(self, seat: int) -> bool:
        if self.attacker is None or seat == self.attacker or self.poured or not self.oil:
            return False
        return any(stone.side(self.attacker) for stone in self.stones)

    def _place(self, number: int) -> oracle.Place:
        rules, tile = self.rules, self.tile(number)
        return oracle.Place(rules.letters, rules.low, rules.high, tile.size, tile.contest, rules.bonus)

    def _texts(self, cards: Sequence[int]) -> tuple[str, ...]:
        return tuple(sorted(self.rules.card(card).text for card in cards))

    def better(self, number: int) -> int:
        """The seat that wins two full sides; of equal ones it is the one complete first."""
        place, stone = self._place(number), self.stones[number]
        first = 1 - stone.arrived[-1][0]
        return max((0, 1), key=lambda seat: (oracle.key(self._texts(stone.side(seat)), place), seat == first))

    def may_claim(self, seat: int, number: int) -> bool:
        stone = self.stones[number]
        if stone.owner is not None or not self.full(seat, number):
            return False
        if self.full(1 - seat, number):
            return self.better(number) == seat
        numbered = sorted(card for card in self.unseen if self.rules.place_of(card)[0] == 0)
        place = self._place(number)
        likely = numbered if place.contest == "-" else numbered[::-1]  # the reply that refutes most is tried soonest
        unseen = " ".join(self.rules.card(card).text for card in likely)
        return _may_claim(self._texts(stone.side(seat)), self._texts(stone.side(1 - seat)), True, unseen, place)

    def claims(self) -> tuple[int, ...]:
        """Of the seat on turn, if claims are open to it at all."""
        if self.rules.siege and self.turn != self.attacker:
            return ()
        return tuple(number for number in range(len(self.stones)) if self.may_claim(self.turn, number))

    # -- changes -------------------------------------------------------------------------------------------------------

    def at_stone(self, number: int, stone: Stone) -> None:
        self.stones = (*self.stones[:number], stone, *self.stones[number + 1 :])

    def arrives(self, seat: int, card: int, number: int) -> None:
        stone = self.stones[number]
        self.at_stone(number, replace(stone, arrived=(*stone.arrived, (seat, card))))

    def leaves(self, seat: int, card: int, number: int) -> None:
        stone = self.stones[number]
        self.at_stone(number, replace(stone, arrived=tuple(one for one in stone.arrived if one != (seat, card))))

    def discards(self, seats: Sequence[int], number: int) -> None:
        """All cards of these sides of the stone, in the order of arrival."""
        for seat, card in self.stones[number].arrived:
            if seat in seats:
                self.leaves(seat, card, number)
                self.discard += (card,)

    def counts(self, seat: int, deck: int, more: int) -> None:
        """That many more cards of the deck in the hand."""
        hand = self.hands[seat]
        new = (*hand[:deck], hand[deck] + more, *hand[deck + 1 :])
        self.hands = (new, self.hands[1]) if seat == 0 else (self.hands[0], new)

    def draw(self, deck: int) -> None:
        self.piles = (*self.piles[:deck], self.piles[deck] - 1, *self.piles[deck + 1 :])
        self.counts(self.turn, deck, 1)
        self.skips = 0
        self.transfers += (Transfer("draw", self.turn, deck),)

    def to_open(self, card: int) -> None:
        """A card of the hand of the seat on turn is shown: unseen, held by the count."""
        deck, _ = self.rules.place_of(card)
        need(card in self.unseen and self.hands[self.turn][deck] > 0)
        self.unseen -= {card}
        self.counts(self.turn, deck, -1)
        self.acted, self.skips, self.ply = 1, 0, self.ply + 1
        self.transfers += (Transfer("open", self.turn, deck, card),)

    def own(self, seat: int) -> int:
        return sum(stone.owner == seat for stone in self.stones)

    def pattern(self, seat: int) -> int | None:
        """0 for three adjacent stones, else 1 for five stones, else None."""
        mine = [stone.owner == seat for stone in self.stones]
        if any(all(mine[at : at + 3]) for at in range(len(mine) - 2)):
            return 0
        return 1 if sum(mine) >= 5 else None

    def end(self, winner: int | None, reason: int) -> None:
        points = [5 if seat == winner else self.own(seat) for seat in (0, 1)]
        if self.attacker is not None and winner != self.attacker:
            points[self.attacker] = sum(stone.damaged for stone in self.stones)
        self.phase, self.claimable, self.to_move = OVER, (), self.turn
        self.outcome = (winner, reason, (points[0], points[1]))

    def ask(self, phase: int, claimable: tuple[int, ...] = ()) -> None:
        self.phase, self.claimable = phase, claimable

    @property
    def claims_after_play(self) -> bool:
        return self.rules.claims != START

    @property
    def claims_before_play(self) -> bool:
        return self.rules.claims != AFTER

    # -- codes ---------------------------------------------------------------------------------------------------------

    def code(self) -> tuple[Part, ...]:
        """The state code of section 3.9."""
        outcome: Part = ()
        if self.outcome is not None:
            winner, reason, points = self.outcome
            outcome = (0 if winner is None else 1 + winner, REASONS[reason], points)
        stones = tuple(
            (
                tuple(sorted(stone.side(0))),
                tuple(sorted(stone.side(1))),
                0 if stone.owner is None else 1 + stone.owner,
                tuple(card for _, card in stone.arrived),
                (stone.modes, int(stone.damaged)) if stone.modes or stone.damaged else (),
            )
            for stone in self.stones
        )
        unseen = [0, 0]
        for card in self.unseen:
            deck, index = self.rules.place_of(card)
            unseen[deck] |= 1 << index
        who = 0 if self.attacker is None else 1 + self.attacker
        crowded = 0 if self.crowded is None else 1 + self.crowded
        switches = (self.poured, self.restocked)
        beside = (self.discard, self.tactics, self.jokers, who, self.oil, switches, self.left, self.given, crowded)
        cards = ((unseen[0], unseen[1]), self.piles, self.hands)
        counts = (self.claimable, self.acted, self.skips, self.ply)
        return (self.turn, self.to_move, self.phase, stones, *cards, *counts, beside, outcome)

    def outcome_code(self) -> list[int]:
        assert self.outcome is not None
        winner, reason, points = self.outcome
        return [2 if winner is None else winner, reason, *points]
