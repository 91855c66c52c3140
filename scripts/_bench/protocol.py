"""The costs of protocol section 10: the set-up, a draw, a play, and the longest game read by a third party."""

from __future__ import annotations

import statistics
from collections import Counter

from _bench.measure import SCALARS, Calls, Costs, Goal, Row, Units, clear_caches, counted, seconds, sm
from _bench.sealed import longest, set_up, turns
from p2p_schotten.engine.move import Play
from p2p_schotten.engine.state import State
from p2p_schotten.net.frames import HEADER_BYTES
from p2p_schotten.transcript import Verdict, verify

SIGNATURES = ("sign", "verify")
GROUP = ("mul", "mul_base", "add", "sub", "check_point", "hash_to_group")
HAND = 6
REVEALS = 2
# Set-ups with a second deck: the ruleset, its name here, goal and floor in SM, and goal in bytes.
TWO_DECKS = (
    ("tactic", "set-up 54 + 10", Goal("at most", 2350, 2500), Goal("at most", 30_000)),
    ("siege-tactic", "set-up 60 + 11", Goal("at most", 2600, 2750), Goal("at most", 33_000)),
)


def setup(units: Units) -> list[Row]:
    """HELLO to the open hands: what both sides do, the deal and own checks in."""
    set_up()  # the constants of a process are made
    with counted() as calls:
        pair = set_up()
        warm = Counter(calls)
    clear_caches("p2p_schotten")
    with counted() as calls:
        set_up()
        cold = Counter(calls)
    runs = units.beside(set_up, 3)
    costs = units.costs()
    once = cold - warm
    size = sum(len(record) + HEADER_BYTES for record in pair.records)
    return [
        Row("set-up 54, both sides, with deal", sm(warm, costs, GROUP), "SM", Goal("at most", 2000, 2100)),
        Row("its signatures", sm(warm, costs, SIGNATURES), "SM"),
        Row("cards, generators, key checks: once per process", sm(once, costs), "SM"),
        Row("all of it, both processes new", sm(warm, costs) + 2 * sm(once, costs), "SM", Goal("at most", 2000, 2100)),
        Row(
            "bytes on the wire, frames included", size, "bytes", Goal("at most", 25_000), f"{len(pair.records)} records"
        ),
        Row("CPU time, Python included", _middle(runs), "SM"),
        *[row for which in TWO_DECKS for row in _two_decks(units, *which)],
    ]


def _two_decks(units: Units, rules: str, name: str, most: Goal, bytes_most: Goal) -> list[Row]:
    """The same with a tactic deck, whose cards and generators are made."""
    set_up(0, rules)
    with counted() as calls:
        pair = set_up(0, rules)
        warm = Counter(calls)
    size = sum(len(record) + HEADER_BYTES for record in pair.records)
    signed = f"with signatures {sm(warm, units.costs()):,.0f}"
    return [
        Row(f"{name}, both sides, with deal", sm(warm, units.costs(), GROUP), "SM", most, signed),
        Row(f"{name}: bytes on the wire", size, "bytes", bytes_most),
    ]


def turn(units: Units) -> list[Row]:
    """One play, and one draw, as two whole peers make and check them."""
    costs = units.costs()
    play, drawn = _play_and_draw()
    draw = drawn - play
    signed = f"its signature and the check of it: {sm(play, costs, SIGNATURES):.1f} SM, in"
    carried = f"the signature of its record not in: {sm(draw, costs, SIGNATURES):.1f} SM"
    return [
        Row("a play: mix of six, both shares, all checks", sm(play, costs), "SM", Goal("at most", 140), signed),
        Row("a draw", sm(draw, costs, GROUP), "SM", Goal("at most", 11.5), carried),
    ]


def _play_and_draw() -> tuple[Calls, Calls]:
    """The calls of a play whose record pays the debt of a play before it, and of a turn that draws as well.

    The first comes when the pile is empty and both seats still mix six cards; the second before that, when the other's
    SHARES pay for the play and the draw at once. Their difference is a draw.
    """
    pair = set_up(1)
    play: Calls = Counter()
    drawn: Calls = Counter()
    with counted() as calls:
        before: State | None = None
        for state, move in turns(pair, longest):
            assert pair.state is not None
            six = isinstance(move, Play) and sum(state.hands[state.to_move]) == HAND and pair.state.turn != state.turn
            if six and state.piles[0] and pair.state.piles[0] < state.piles[0]:
                drawn = Counter(calls)
            if six and before is not None and not before.piles[0]:
                play = Counter(calls)
            before = state
            calls.clear()
    assert play
    assert drawn
    return play, drawn


def third_party(units: Units) -> list[Row]:
    """The longest base game, read by somebody who has nothing but the file: first without the seeds, by the proofs."""
    pair = set_up(2)
    moves = [move for _, move in turns(pair, longest)]
    plays = sum(isinstance(move, Play) for move in moves)
    whole = pair.transcript()
    unrevealed = pair.transcript(len(pair.records) - REVEALS)
    rows = [
        Row("longest game: plays", plays, "", Goal("at least", 54)),
        Row("longest game: records", len(pair.records), "", None, f"{len(moves) - plays} claims and ends of windows"),
        Row("longest game: transcript", len(whole), "bytes", Goal("at most", 115_000)),
    ]
    for name, data, goal in (
        ("verified by its proofs (seeds not revealed)", unrevealed, Goal("at most", 4800)),
        ("verified with both seeds", whole, None),
    ):
        rows += _verification(units, name, data, goal)
    return rows


def _verification(units: Units, name: str, data: bytes, goal: Goal | None) -> list[Row]:
    def run() -> None:
        clear_caches("p2p_schotten")  # as in a new process
        found: Verdict = verify(data)
        assert found.over, found.ending()

    with counted() as calls:
        run()
        called = Counter(calls)
    runs = units.beside(run, 5)
    overhead = [took / seconds(called, costs) - 1 for took, costs in runs]
    with_scalars = [took / seconds(called, costs, (*GROUP, *SIGNATURES, *SCALARS)) - 1 for took, costs in runs]
    return [
        Row(f"{name}, Python included", _middle(runs), "SM", goal, f"best {min(_sms(runs)):,.0f}"),
        Row(f"{name}: library calls", sm(called, units.costs()), "SM"),
        Row(
            f"{name}: above the library calls",
            100 * statistics.median(overhead),
            "%",
            Goal("at most", 10) if goal else None,
            f"best {100 * min(overhead):.1f}; {100 * statistics.median(with_scalars):.1f} with scalars counted",
        ),
    ]


def _sms(runs: list[tuple[float, Costs]]) -> list[float]:
    return [took / costs["mul"] for took, costs in runs]


def _middle(runs: list[tuple[float, Costs]]) -> float:
    return statistics.median(_sms(runs))
