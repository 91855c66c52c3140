"""The base game by brute force: sections 3.3 and 3.4 of docs/protocol.md, docs/rules.md for what beats what.

A claim against a side that is not full tries every filling with unseen cards.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from functools import cache
from itertools import combinations

from tests.independent.wire import Part, h32

LETTERS = "RGBYPN"
REASONS = ("three adjacent stones", "five stones", "nobody can play any more", "resignation")
CARDS, HAND, STONES, SIDE = 54, 6, 9, 3


class Illegal(Exception):
    """A move against the rules, or one that cannot be read."""


def rules_digest() -> bytes:
    cards = tuple((LETTERS[card // 9] + str(card % 9 + 1), (card // 9, card % 9 + 1)) for card in range(CARDS))
    return h32("rules", ("base", (("clan", cards),), HAND, ((SIDE, "_"),) * STONES, "after the play", (3, 5, 5)))


def worth(side: Sequence[int]) -> tuple[int, int]:
    """(kind from 1 sum to 5 colour run, total of the values) of three cards."""
    values = sorted(card % 9 + 1 for card in side)
    one_colour = len({card // 9 for card in side}) == 1
    run = values[1] == values[0] + 1 and values[2] == values[0] + 2
    if one_colour and run:
        kind = 5
    elif values[0] == values[2]:
        kind = 4
    elif one_colour:
        kind = 3
    elif run:
        kind = 2
    else:
        kind = 1
    return kind, sum(values)


@cache
def _beatable(mine: tuple[int, int], theirs: frozenset[int], unseen: frozenset[int]) -> bool:
    """Whether some filling of `theirs` with unseen cards is better than `mine`."""
    lacking = SIDE - len(theirs)
    return any(worth((*theirs, *more)) > mine for more in combinations(sorted(unseen), lacking))


class Stone:
    """One boundary stone: the cards in the order of arrival as (seat, card), and its owner."""

    def __init__(self) -> None:
        self.arrived: tuple[tuple[int, int], ...] = ()
        self.owner: int | None = None

    def side(self, seat: int) -> list[int]:
        return [card for who, card in self.arrived if who == seat]

    def full(self, seat: int) -> bool:
        return len(self.side(seat)) == SIDE

    def better(self) -> int:
        """The seat that wins two full sides: by worth, of equal ones the one complete first."""
        first = 1 - self.arrived[-1][0]
        return max((0, 1), key=lambda seat: (worth(self.side(seat)), seat == first))


class Game:
    """A position. `move` answers what lies at the end of a step as a new one, with the transfers of cards."""

    def __init__(self, first: int) -> None:
        self.turn = first
        self.phase = 0
        self.stones = [Stone() for _ in range(STONES)]
        self.unseen = frozenset(range(CARDS))
        self.pile = CARDS - 2 * HAND
        self.hands = [HAND, HAND]
        self.claimable: tuple[int, ...] = ()
        self.laid = self.skips = self.ply = 0
        self.outcome: tuple[int | None, int, tuple[int, int]] | None = None  # winner, reason, points

    def move(self, code: Sequence[int]) -> tuple[Game, list[tuple[str, int, int | None]]]:
        """The position after the move and its transfers: ("draw", seat, None) or ("open", seat, card)."""
        new = copy.deepcopy(self)
        transfers: list[tuple[str, int, int | None]] = []
        if self.phase == 2:
            raise Illegal("over")
        match tuple(code):
            case (0, card, stone):
                new._play(card, stone, transfers)
            case (1, stone):
                new._claim(stone, transfers)
            case (3,) if self.phase == 1:
                new._close(transfers)
            case (5,):
                new._end(1 - self.turn, 3)
            case _:
                raise Illegal("unreadable, or not now")
        return new, transfers

    def may_claim(self, seat: int, number: int) -> bool:
        stone = self.stones[number]
        if stone.owner is not None or not stone.full(seat):
            return False
        if stone.full(1 - seat):
            return stone.better() == seat
        return not _beatable(worth(stone.side(seat)), frozenset(stone.side(1 - seat)), self.unseen)

    def _claims(self, seat: int) -> tuple[int, ...]:
        return tuple(number for number in range(STONES) if self.may_claim(seat, number))

    def _play(self, card: int, number: int, transfers: list[tuple[str, int, int | None]]) -> None:
        seat = self.turn
        if self.phase != 0 or card not in self.unseen or not self.hands[seat] or number >= STONES:
            raise Illegal("not to be played")
        stone = self.stones[number]
        if stone.owner is not None or stone.full(seat):
            raise Illegal("no place")
        stone.arrived += ((seat, card),)
        self.unseen -= {card}
        self.hands[seat] -= 1
        self.laid, self.skips = 1, 0
        self.ply += 1
        transfers.append(("open", seat, card))
        self.claimable = self._claims(seat)
        if self.claimable:
            self.phase = 1
        else:
            self._close(transfers)

    def _claim(self, number: int, transfers: list[tuple[str, int, int | None]]) -> None:
        if self.phase != 1 or number not in self.claimable:
            raise Illegal("not to be claimed")
        self.stones[number].owner = self.turn
        self.skips = 0
        reason = self._pattern(self.turn)
        if reason is not None:
            self._end(self.turn, reason)
            return
        self.claimable = tuple(other for other in self.claimable if other != number)
        if not self.claimable:
            self._close(transfers)

    def _close(self, transfers: list[tuple[str, int, int | None]]) -> None:
        self.claimable = ()
        while True:
            if self.pile and self.hands[self.turn] < HAND:
                transfers.append(("draw", self.turn, None))
                self.pile -= 1
                self.hands[self.turn] += 1
                self.skips = 0
            if not self.laid:
                self.ply += 1
            if self.skips == 2:
                self._give_out()
                return
            self.turn = 1 - self.turn
            self.laid = 0
            if self.hands[self.turn] and any(s.owner is None and not s.full(self.turn) for s in self.stones):
                self.phase = 0
                return
            self.skips += 1
            self.claimable = self._claims(self.turn)
            if self.claimable:
                self.phase = 1
                return

    def _give_out(self) -> None:
        for stone in self.stones:
            if stone.owner is None:
                full = [seat for seat in (0, 1) if stone.full(seat)]
                if len(full) == 2:
                    stone.owner = stone.better()
                elif full:
                    stone.owner = full[0]
        with_pattern = [seat for seat in (0, 1) if self._pattern(seat) is not None]
        own = [self._own(0), self._own(1)]
        if len(with_pattern) == 1:
            self._end(with_pattern[0], 2)
        elif own[0] != own[1]:
            self._end(0 if own[0] > own[1] else 1, 2)
        else:
            self._end(None, 2)

    def _own(self, seat: int) -> int:
        return sum(stone.owner == seat for stone in self.stones)

    def _pattern(self, seat: int) -> int | None:
        """0 for three adjacent stones, else 1 for five stones, else None."""
        mine = [stone.owner == seat for stone in self.stones]
        if any(all(mine[at : at + 3]) for at in range(STONES - 2)):
            return 0
        return 1 if sum(mine) >= 5 else None

    def _end(self, winner: int | None, reason: int) -> None:
        self.phase, self.claimable = 2, ()
        self.outcome = (winner, reason, (5 if winner == 0 else self._own(0), 5 if winner == 1 else self._own(1)))

    def code(self) -> Part:
        """The state code of section 3.4."""
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
            )
            for stone in self.stones
        )
        unseen = sum(1 << card for card in self.unseen)
        hands = ((self.hands[0],), (self.hands[1],))
        counts = (self.claimable, self.laid, self.skips, self.ply)
        return (self.turn, self.turn, self.phase, stones, unseen, (self.pile,), hands, *counts, outcome)

    def outcome_code(self) -> list[int]:
        assert self.outcome is not None
        winner, reason, points = self.outcome
        return [2 if winner is None else winner, reason, *points]
