"""What the proofs cost by themselves: shuffles, mixes and shares, counted in library calls."""

from __future__ import annotations

from collections import Counter

from _bench.measure import Calls, Costs, Goal, Row, Units, clear_caches, counted, sm
from p2p_schotten.crypto import group
from p2p_schotten.crypto.cells import cells_bytes, opens_to, start_cells
from p2p_schotten.crypto.dleq import prove_share, verify_share
from p2p_schotten.crypto.secret import Secret
from p2p_schotten.crypto.shuffle import shuffle, verify_shuffle

CTX = bytes(32)


def keys() -> tuple[Secret, group.Scalar, group.Point, group.Scalar, group.Point]:
    """A fixed secret, x and X of seat 0, x of seat 1, and Y: the same calls in every run."""
    secret = Secret(bytes(range(32)))
    x0, x1 = secret.scalar("bench", 0), secret.scalar("bench", 1)
    X0 = group.mul_base(x0)
    return secret, x0, X0, x1, group.add(X0, group.mul_base(x1))


def measure(units: Units) -> list[Row]:
    """Rows of the proofs; the units are timed between them."""
    secret, x0, X0, x1, Y = keys()
    found: dict[str, Calls] = {}
    sizes: dict[str, int] = {}
    clear_caches("p2p_schotten.crypto")
    with counted() as calls:
        shuffle(secret, CTX, Y, start_cells(0, 54, Y))
        once = Counter({"hash_to_group": calls["hash_to_group"]})
    with counted() as calls:
        start = start_cells(0, 54, Y)
        first = shuffle(secret, CTX, Y, start)
        found["first shuffle of 54: make"] = Counter(calls)
        calls.clear()
        verify_shuffle(CTX, Y, start, first.cells, first.proof)
        found["first shuffle of 54: check"] = Counter(calls)
        calls.clear()
        second = shuffle(secret, CTX, Y, first.cells)
        found["second shuffle of 54: make"] = Counter(calls)
        calls.clear()
        verify_shuffle(CTX, Y, first.cells, second.cells, second.proof)
        found["second shuffle of 54: check"] = Counter(calls)
        sizes["second shuffle of 54: cells and proof"] = len(cells_bytes(second.cells)) + len(second.proof)
        units.sample()

        hand = second.cells[:6]
        calls.clear()
        mixed = shuffle(secret, CTX, Y, hand)
        found["mix of six: make"] = Counter(calls)
        calls.clear()
        verify_shuffle(CTX, Y, hand, mixed.cells, mixed.proof)
        found["mix of six: check"] = Counter(calls)
        sizes["mix of six: cells and proof"] = len(cells_bytes(mixed.cells)) + len(mixed.proof)

        cell = second.cells[0]
        calls.clear()
        share = prove_share(secret, x0, X0, CTX, cell)
        found["share: make"] = Counter(calls)
        calls.clear()
        D0 = verify_share(X0, CTX, cell, share)
        found["share: check"] = Counter(calls)
        calls.clear()
        opens_to(cell, D0, group.mul(x1, cell.a))
        found["share: open with the own one"] = Counter(calls)
        sizes["share"] = len(share)
    for _ in range(9):
        units.sample()
    return _rows(found, sizes, once, units.costs())


def _rows(found: dict[str, Calls], sizes: dict[str, int], once: Calls, costs: Costs) -> list[Row]:
    goals = {"mix of six: make": Goal("at most", 54), "mix of six: check": Goal("at most", 66)}
    rows = [Row(name, sm(calls, costs), "SM", goals.get(name)) for name, calls in found.items()]
    rows.append(Row("cards and generators, once per process", sm(once, costs), "SM"))
    rows += [Row(name, size, "bytes") for name, size in sizes.items()]
    return rows
