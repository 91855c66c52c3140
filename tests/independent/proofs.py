"""Signatures (RFC 8032), possession of keys (2), shuffles (4) and shares (5), each checked equation by equation."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from tests.independent import curve
from tests.independent.curve import G, Invalid, L, Point, base, combine, is_zero, minus, plus, read, scalar, write
from tests.independent.wire import challenge, h32, h64, secret_permutation, secret_scalar


class Cell(NamedTuple):
    """A hidden card: the pair (a, b) of section 3.1."""

    a: Point
    b: Point


def cell_code(cell: Cell) -> bytes:
    return write(cell.a) + write(cell.b)


def cells_code(cells: Sequence[Cell]) -> bytes:
    return b"".join(cell_code(cell) for cell in cells)


def read_cells(data: bytes) -> tuple[Cell, ...]:
    return tuple(Cell(read(data[at : at + 32]), read(data[at + 32 : at + 64])) for at in range(0, len(data), 64))


@cache
def card_point(deck: int, index: int) -> Point:
    return curve.from_hash(h32("card", deck, index))


@cache
def generator(number: int) -> Point:
    """h for 0, h_i for i + 1."""
    return curve.from_hash(h32("generator", number))


def start_cell(deck: int, index: int, Y: Point) -> Cell:
    return Cell(G, plus(card_point(deck, index), Y))


def start_cells(deck: int, cards: int, Y: Point) -> tuple[Cell, ...]:
    return tuple(start_cell(deck, index, Y) for index in range(cards))


def signature_holds(key: bytes, message: bytes, signature: bytes) -> bool:
    """Pure Ed25519 without cofactor, under a key that is a valid point."""
    try:
        point, s = read(key), scalar(signature[32:])
    except Invalid:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % L
    return write(plus(base(s), combine([(-k, point)]))) == signature[:32]


def _both_used(*factors: int) -> None:
    """A multiplication by zero is an invalid proof (1.1)."""
    if not all(factors):
        raise Invalid("a multiplication by zero")


def check_possession(X: Point, ctx: bytes, proof: bytes) -> None:
    z, s = scalar(proof[:32]), scalar(proof[32:])
    _both_used(z, s)
    R = plus(base(s), combine([(-z, X)]))
    if challenge("pok", ctx, write(X), write(R)) != z:
        raise Invalid("no proof of possession")


def check_share(X: Point, ctx: bytes, cell: Cell, share: bytes, *, proof: bool = True) -> Point:
    """D of a proven share of 96 bytes, or taken as it is without `proof`."""
    D, z, s = read(share[:32]), scalar(share[32:64]), scalar(share[64:])
    _both_used(z, s)
    if not proof:
        return D
    R1 = plus(base(s), combine([(-z, X)]))
    R2 = combine([(s, cell.a), (-z, D)])
    if challenge("dleq", ctx, *map(write, (X, cell.a, cell.b, D, R1, R2))) != z:
        raise Invalid("the share is not proven")
    return D


def _sum(points: Sequence[Point]) -> Point:
    total = curve.ZERO
    for point in points:
        total = plus(total, point)
    return total


def check_shuffle(
    ctx: bytes, Y: Point, before: Sequence[Cell], after: bytes, proof: bytes, *, proven: bool = True
) -> tuple[Cell, ...]:
    """The cells of `after`, once section 4.2 accepts them as a shuffle of `before`; else Invalid.

    Unless `proven`, only lengths, cells and scalars are checked.
    """
    N = len(before)
    if N < 1 or len(after) != 64 * N or len(proof) != 32 * (4 * N + 5):
        raise Invalid("lengths")
    new = read_cells(after)
    fields = [proof[at : at + 32] for at in range(0, len(proof), 32)]
    z, s1, s2, s3, s4, *rest = [scalar(field) for field in fields[2 * N :]]
    sk, s_ = rest[:N], rest[N:]
    _both_used(z, s1, s2, s3, s4, *sk, *s_)
    if not proven:
        return new

    c, k = [read(field) for field in fields[:N]], [read(field) for field in fields[N : 2 * N]]
    e, e_, c_bytes, k_bytes = cells_code(before), after, proof[: 32 * N], proof[32 * N : 64 * N]
    U = h64("u-seed", ctx, write(Y), N, e, e_, c_bytes)
    u = [challenge("u", j, U) for j in range(N)]
    product = 1
    for u_j in u:
        product = product * u_j % L

    h, h_ = generator(0), [generator(i + 1) for i in range(N)]
    apart = plus(_sum(c), minus(_sum(h_)))
    last = plus(k[-1], combine([(-product, h)]))
    uc = combine(zip(u, c, strict=True))
    ua = combine((u_j, cell.a) for u_j, cell in zip(u, before, strict=True))
    ub = combine((u_j, cell.b) for u_j, cell in zip(u, before, strict=True))
    if any(is_zero(point) for point in (apart, last, uc, ua, ub)):
        raise Invalid("z times the identity")
    t1 = plus(base(s1), combine([(-z, apart)]))
    t2 = plus(base(s2), combine([(-z, last)]))
    t3 = plus(base(s3), combine([*zip(s_, h_, strict=True), (-z, uc)]))
    t4a = plus(base(-s4), combine([*((s, cell.a) for s, cell in zip(s_, new, strict=True)), (-z, ua)]))
    t4b = combine([*((s, cell.b) for s, cell in zip(s_, new, strict=True)), (-s4, Y), (-z, ub)])
    chain = [h, *k]
    tk = [plus(base(sk[i]), combine([(s_[i], chain[i]), (-z, chain[i + 1])])) for i in range(N)]
    t = b"".join(map(write, (t1, t2, t3, t4a, t4b)))
    if challenge("c", ctx, write(Y), N, e, e_, c_bytes, k_bytes, t, b"".join(map(write, tk))) != z:
        raise Invalid("the shuffle is not proven")
    return new


def remake(seed: bytes, ctx: bytes, Y: Point, before: Sequence[Cell]) -> tuple[list[int], list[Cell]]:
    """pi and the cells that this seed makes of `before` at the place of `ctx`."""
    pi = secret_permutation(seed, len(before), "shuffle pi", ctx)
    after = []
    for j in pi:
        r = secret_scalar(seed, "shuffle r", ctx, j)
        after.append(Cell(plus(before[j].a, base(r)), plus(before[j].b, combine([(r, Y)]))))
    return pi, after
