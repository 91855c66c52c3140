"""How a game ends: by a claim that wins, because nobody can play any more, or by resignation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.state import Stone
from p2p_schotten.engine.step import Awarded, Outcome, Reason
from p2p_schotten.ids import SEATS, Seat, StoneId, other


def victory(rules: Ruleset, stones: Sequence[Stone], seat: Seat) -> Reason | None:
    """By which pattern of stones `seat` has won, if by any (docs/rules.md)."""
    return _pattern(tuple([stone.owner == seat for stone in stones]), rules.adjacent, rules.majority)


@cache
def _pattern(owned: tuple[bool, ...], adjacent: int, majority: int) -> Reason | None:
    row = run = 0
    for own in owned:
        run = run + 1 if own else 0
        row = max(row, run)
    if row >= adjacent:
        return Reason.ADJACENT
    return Reason.FIVE if sum(owned) >= majority else None


def damaged(stones: Sequence[Stone]) -> int:
    """How many tiles of the wall are damaged."""
    return sum([stone.ground.damaged for stone in stones])


def outcome(
    rules: Ruleset, stones: Sequence[Stone], winner: Seat | None, reason: Reason, attacker: Seat | None = None
) -> Outcome:
    """The end with its points: `win_points` to the winner, one per own stone to anybody else.

    An `attacker` who has not won gets one per damaged tile.
    """
    points = [sum([stone.owner == seat for stone in stones]) for seat in SEATS]
    if attacker is not None:
        points[attacker] = damaged(stones)
    if winner is not None:
        points[winner] = rules.win_points
    return Outcome(winner, reason, (points[0], points[1]))


def award(stones: Sequence[Stone]) -> tuple[tuple[Stone, ...], tuple[Awarded, ...]]:
    """A stuck game (ruling A8): every open stone with a complete side goes to the better complete side."""
    given = list(stones)
    events = []
    for number, stone in enumerate(stones):
        full = [seat for seat in SEATS if stone.sides[seat].full]
        if stone.owner is None and full:
            # Of two complete sides the better key takes the stone, of two equal ones the side complete first.
            seat = max(full, key=lambda seat: (stone.sides[seat].key, stone.first_complete(seat)))
            given[number] = Stone(stone.sides, seat, stone.arrived, stone.ground)
            events.append(Awarded(seat, StoneId(number)))
    return tuple(given), tuple(events)


def stuck_winner(rules: Ruleset, stones: Sequence[Stone]) -> Seat | None:
    """Who wins a stuck game after `award`: the only one with a winning pattern, else whoever owns more, else nobody."""
    patterns = [seat for seat in SEATS if victory(rules, stones, seat) is not None]
    if len(patterns) == 1:
        return patterns[0]
    lead = sum([stone.owner == SEATS[0] for stone in stones]) - sum([stone.owner == SEATS[1] for stone in stones])
    if lead == 0:
        return None
    return SEATS[0] if lead > 0 else other(SEATS[0])
