"""edwards25519 with Python integers, slowly, from RFC 8032 and RFC 9380 alone: the oracle of the tests.

Shares no code with the package, knows the whole curve (also the points outside the prime-order group), and is neither
constant-time nor fast (about 3 ms a multiplication). A point is an affine pair (x, y) modulo P.
"""

from __future__ import annotations

from typing import TypeAlias

Affine: TypeAlias = tuple[int, int]


class Refused(ValueError):
    """Bytes from outside that are not what they should be."""


P = 2**255 - 19  # the field, RFC 8032 section 5.1
L = 2**252 + 27742317777372353535851937790883648493  # the order of the prime-order group
D = -121665 * pow(121666, -1, P) % P  # -x^2 + y^2 = 1 + D x^2 y^2
SQRT_MINUS_1 = pow(2, (P - 1) // 4, P)
A = 486662  # of the Montgomery form v^2 = u^3 + A u^2 + u, RFC 7748

IDENTITY: Affine = (0, 1)


def on_curve(point: Affine) -> bool:
    x, y = point
    return (-x * x + y * y - 1 - D * x * x % P * y * y) % P == 0


def square_root(n: int) -> int | None:
    """The even root of n modulo P, or None."""
    root = pow(n, (P + 3) // 8, P)
    if (root * root - n) % P:
        root = root * SQRT_MINUS_1 % P
    if (root * root - n) % P:
        return None
    return P - root if root & 1 else root


def encode(point: Affine) -> bytes:
    x, y = point
    return (y | (x & 1) << 255).to_bytes(32, "little")


def decode(data: bytes) -> Affine:
    """The point of the curve, any of its order 8L, that `data` canonically encodes; else Refused."""
    if len(data) != 32:
        raise Refused("a point has 32 bytes")
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number % 2**255
    if y >= P:
        raise Refused("y is not reduced")
    x = square_root((y * y - 1) * pow(D * y * y + 1, -1, P) % P)
    if x is None:
        raise Refused("not on the curve")
    if x == 0 and sign:
        raise Refused("x = 0 has no sign")
    return (P - x if sign else x, y)


def decode_checked(data: bytes) -> Affine:
    """The point of the prime-order group, the identity apart, that `data` canonically encodes; else Refused."""
    point = decode(data)
    if point == IDENTITY or mul(L, point) != IDENTITY:
        raise Refused("outside the prime-order group")
    return point


def neg(point: Affine) -> Affine:
    return (-point[0] % P, point[1])


def add(left: Affine, right: Affine) -> Affine:
    """The complete addition law of RFC 8032 section 5.1.4."""
    (x1, y1), (x2, y2) = left, right
    product = D * x1 * x2 % P * y1 * y2 % P
    return (
        (x1 * y2 + x2 * y1) * pow(1 + product, -1, P) % P,
        (y1 * y2 + x1 * x2) * pow(1 - product, -1, P) % P,
    )


def sub(left: Affine, right: Affine) -> Affine:
    return add(left, neg(right))


def total(*points: Affine) -> Affine:
    result = IDENTITY
    for point in points:
        result = add(result, point)
    return result


def mul(k: int, point: Affine) -> Affine:
    """k times any point of the curve, by doubling and adding in projective coordinates (x = X/Z, y = Y/Z, T = XY/Z)."""
    if k < 0:
        return mul(-k, neg(point))
    x, y = point
    step = (x, y, 1, x * y % P)
    result = (0, 1, 1, 0)
    for bit in range(k.bit_length()):
        if k >> bit & 1:
            result = _add_extended(result, step)
        step = _add_extended(step, step)
    inverse = pow(result[2], -1, P)
    return (result[0] * inverse % P, result[1] * inverse % P)


Extended: TypeAlias = tuple[int, int, int, int]


def _add_extended(left: Extended, right: Extended) -> Extended:
    """The unified addition of RFC 8032 section 5.1.4."""
    X1, Y1, Z1, T1 = left
    X2, Y2, Z2, T2 = right
    a = (Y1 - X1) * (Y2 - X2) % P
    b = (Y1 + X1) * (Y2 + X2) % P
    c = 2 * T1 * T2 * D % P
    d = 2 * Z1 * Z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def from_uniform(data: bytes) -> Affine:
    """Elligator 2 (RFC 9380 section 6.7.1, Z = 2), to edwards25519, sign of x by the high bit, times the cofactor 8."""
    number = int.from_bytes(data, "little")
    sign, r = number >> 255, number % 2**255
    u = -A * pow(1 + 2 * r * r, -1, P) % P
    v = square_root((u * u * u + A * u * u + u) % P)
    if v is None:
        u = (-u - A) % P
        v = square_root((u * u * u + A * u * u + u) % P)
    assert v is not None
    factor = square_root(-(A + 2) % P)
    assert factor is not None
    x = factor * u * pow(v, -1, P) % P if v else 0
    y = (u - 1) * pow(u + 1, -1, P) % P if (u + 1) % P else 1
    if x & 1 != sign:
        x = -x % P
    return mul(8, (x, y))


def scalar(data: bytes) -> int:
    """The integer below L that 32 bytes encode; else Refused."""
    number = int.from_bytes(data, "little")
    if len(data) != 32 or number >= L:
        raise Refused("not a scalar")
    return number


def scalar_bytes(k: int) -> bytes:
    return (k % L).to_bytes(32, "little")


def _base() -> Affine:
    """y = 4/5 with even x, RFC 8032 section 5.1."""
    y = 4 * pow(5, -1, P) % P
    x = square_root((y * y - 1) * pow(D * y * y + 1, -1, P) % P)
    assert x is not None
    return (x, y)


def _torsion() -> tuple[Affine, ...]:
    """The multiples 0..7 of a point of order 8: L times the first point of the curve that has the full order 8L."""
    for y in range(2, 100):
        x = square_root((y * y - 1) * pow(D * y * y + 1, -1, P) % P)
        if x is not None:
            T = mul(L, (x, y))
            if mul(4, T) != IDENTITY:
                return tuple(mul(i, T) for i in range(8))
    raise AssertionError("half of the points have an order that is a multiple of 8")


BASE = _base()
TORSION = _torsion()  # TORSION[i] = i T: IDENTITY, then orders 8, 4, 8, 2, 8, 4, 8
