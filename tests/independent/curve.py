"""edwards25519 with Python integers: RFC 8032 and section 1.1 of docs/protocol.md.

A point is (X, Y, Z, T) with x = X/Z, y = Y/Z, T = XY/Z modulo P. One multiplication takes about 1 ms.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TypeAlias

Point: TypeAlias = tuple[int, int, int, int]

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)  # of -1
A = 486662  # of the Montgomery form
ZERO: Point = (0, 1, 1, 0)


class Invalid(Exception):
    """Bytes that are no valid point or scalar, or a proof that does not hold."""


def plus(p: Point, q: Point) -> Point:
    """RFC 8032 section 5.1.4, complete."""
    x1, y1, z1, t1 = p
    x2, y2, z2, t2 = q
    a = (y1 - x1) * (y2 - x2) % P
    b = (y1 + x1) * (y2 + x2) % P
    c = 2 * D * t1 % P * t2 % P
    d = 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def twice(p: Point) -> Point:
    x, y, z, _ = p
    a = x * x % P
    b = y * y % P
    h = a + b
    e = h - (x + y) * (x + y) % P
    g = a - b
    f = 2 * z * z % P + g
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def minus(p: Point) -> Point:
    return (-p[0] % P, p[1], p[2], -p[3] % P)


def same(p: Point, q: Point) -> bool:
    return (p[0] * q[2] - q[0] * p[2]) % P == 0 and (p[1] * q[2] - q[1] * p[2]) % P == 0


def is_zero(p: Point) -> bool:
    return p[0] % P == 0 and (p[1] - p[2]) % P == 0


def _signed_digits(k: int) -> list[int]:
    """The width-5 non-adjacent form of k >= 0, lowest first: each digit is 0 or odd and between -15 and 15."""
    digits = []
    while k:
        digit = 0
        if k & 1:
            digit = k & 31
            if digit > 15:
                digit -= 32
            k -= digit
        digits.append(digit)
        k >>= 1
    return digits


def combine(terms: Iterable[tuple[int, Point]]) -> Point:
    """The sum of k times p over the terms (k, p), all in one row of doublings. k is taken as it is, also negative."""
    rows: list[list[Point]] = [[] for _ in range(520)]
    for k, point in terms:
        base = point if k >= 0 else minus(point)
        double, odd = twice(base), [base]
        for _ in range(7):
            odd.append(plus(odd[-1], double))
        for place, digit in enumerate(_signed_digits(abs(k))):
            if digit:
                rows[place].append(odd[digit // 2] if digit > 0 else minus(odd[-digit // 2]))
    total = ZERO
    started = False
    for row in reversed(rows):
        if started:
            total = twice(total)
        for point in row:
            total, started = plus(total, point), True
    return total


@cache
def _base_rows() -> list[list[Point]]:
    rows = []
    point = G
    for _ in range(64):
        row = [ZERO]
        for _ in range(15):
            row.append(plus(row[-1], point))
        rows.append(row)
        point = plus(row[-1], point)
    return rows


def base(k: int) -> Point:
    """k mod L times G, where zero is let pass."""
    k %= L
    total = ZERO
    for place, row in enumerate(_base_rows()):
        digit = k >> 4 * place & 15
        if digit:
            total = plus(total, row[digit])
    return total


def _x_of(y: int) -> int | None:
    """The even x with that y on the curve, or None."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P:
        return None
    return P - x if x & 1 else x


def write(point: Point) -> bytes:
    inverse = pow(point[2], -1, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


@cache
def read(data: bytes) -> Point:
    """A valid point: canonical, of the subgroup of order L, not the identity. Else Invalid."""
    if len(data) != 32:
        raise Invalid("a point has 32 bytes")
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (1 << 255) - 1
    if y >= P:
        raise Invalid("y is not below p")
    x = _x_of(y)
    if x is None:
        raise Invalid("not on the curve")
    if x == 0 and sign:
        raise Invalid("x = 0 with sign bit")
    if sign:
        x = P - x
    point = (x, y, 1, x * y % P)
    if is_zero(point) or not is_zero(combine([(L, point)])):
        raise Invalid("not of the subgroup, or the identity")
    return point


def scalar(data: bytes) -> int:
    number = int.from_bytes(data, "little")
    if len(data) != 32 or number >= L:
        raise Invalid("not a scalar")
    return number


def from_hash(data: bytes) -> Point:
    """hash_to_group of section 1.1."""
    number = int.from_bytes(data, "little")
    sign, r = number >> 255, number & (1 << 255) - 1
    u = -A * pow(1 + 2 * r * r, -1, P) % P
    if pow(u * u * u + A * u * u + u, (P - 1) // 2, P) == P - 1:
        u = (-u - A) % P
    y = (u - 1) * pow(u + 1, -1, P) % P
    x = _x_of(y)
    assert x is not None
    if x & 1 != sign:
        x = -x % P
    return twice(twice(twice((x, y, 1, x * y % P))))


def _point_of(y: int) -> Point:
    x = _x_of(y)
    assert x is not None
    return (x, y, 1, x * y % P)


G: Point = _point_of(int.from_bytes(bytes([0x58] + [0x66] * 31), "little"))
