"""The prime-order subgroup of edwards25519: points and scalars of 32 bytes, every failure an `InvalidProof`.

The only module that names the library (PyNaCl >= 1.6.2, libsodium). Its rules (protocol section 1):

* A multiplication refuses every point that is not a canonical encoding of a non-identity point of the subgroup;
  it makes the very check of `check_point`. It also refuses a zero scalar and an identity result.
* An addition checks only that its operands lie on the curve. A point from the wire reaches `add` or `sub` only after
  a multiplication or `check_point` accepted it.
* A scalar from the wire passes `scalar`: the library would silently reduce it.

Other modules call these functions as attributes of the module (`group.mul`), so that tests can put a toy group in
their place and count the calls. Cost in SM, one multiplication (about 100 us): mul 1, mul_base 0.2, add and sub 0.16
to 0.19, check_point 0.45, hash_to_group 0.25, scalar arithmetic 0.02.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NewType, cast

from nacl.bindings import (
    crypto_core_ed25519_add,
    crypto_core_ed25519_from_uniform,
    crypto_core_ed25519_is_valid_point,
    crypto_core_ed25519_scalar_add,
    crypto_core_ed25519_scalar_mul,
    crypto_core_ed25519_scalar_negate,
    crypto_core_ed25519_scalar_reduce,
    crypto_core_ed25519_scalar_sub,
    crypto_core_ed25519_sub,
    crypto_scalarmult_ed25519_base_noclamp,
    crypto_scalarmult_ed25519_noclamp,
)
from nacl.exceptions import RuntimeError as LibraryRefusal
from nacl.exceptions import TypeError as LibraryLengthError
from nacl.exceptions import UnavailableError as LibraryAbsence

from p2p_schotten.errors import InvalidProof

Point = NewType("Point", bytes)  # 32 bytes, the canonical encoding of RFC 8032
Scalar = NewType("Scalar", bytes)  # 32 bytes, little-endian, < L

L = 2**252 + 27742317777372353535851937790883648493  # order of the subgroup, RFC 8032 section 5.1
SIZE = 32  # bytes of a point and of a scalar

ZERO = Scalar(bytes(SIZE))
ONE = Scalar((1).to_bytes(SIZE, "little"))
G = Point(bytes.fromhex("5866666666666666666666666666666666666666666666666666666666666666"))  # y = 4/5, RFC 8032

# What the library raises: a refused point or scalar, an identity result (first), a length other than 32 (second).
_REFUSED = (LibraryRefusal, LibraryLengthError)

# The library speaks of bytes; these names say which bytes. Typed once here: a NewType call per use costs time.
_mul = cast("Callable[[Scalar, Point], Point]", crypto_scalarmult_ed25519_noclamp)
_mul_base = cast("Callable[[Scalar], Point]", crypto_scalarmult_ed25519_base_noclamp)
_add = cast("Callable[[Point, Point], Point]", crypto_core_ed25519_add)
_sub = cast("Callable[[Point, Point], Point]", crypto_core_ed25519_sub)
_is_valid = cast("Callable[[bytes], bool]", crypto_core_ed25519_is_valid_point)

# Scalar arithmetic mod L, constant-time; operands are 32 bytes and cannot be refused.
s_add = cast("Callable[[Scalar, Scalar], Scalar]", crypto_core_ed25519_scalar_add)
s_sub = cast("Callable[[Scalar, Scalar], Scalar]", crypto_core_ed25519_scalar_sub)
s_mul = cast("Callable[[Scalar, Scalar], Scalar]", crypto_core_ed25519_scalar_mul)
s_neg = cast("Callable[[Scalar], Scalar]", crypto_core_ed25519_scalar_negate)


def mul(s: Scalar, P: Point) -> Point:
    """sP. Refuses P outside the subgroup, small order or not canonical, s = 0, and an identity result."""
    try:
        return _mul(s, P)
    except _REFUSED as refused:
        raise InvalidProof("a point is not in the prime-order group, or its factor is zero") from refused


def mul_base(s: Scalar) -> Point:
    """sG. Refuses s = 0."""
    try:
        return _mul_base(s)
    except _REFUSED as refused:
        raise InvalidProof("a factor of the base point is zero") from refused


def add(P: Point, Q: Point) -> Point:
    """P + Q, of points that were checked before: the library adds small-order and mixed-order points as well."""
    try:
        return _add(P, Q)
    except _REFUSED as refused:
        raise InvalidProof("a term of a sum is not a point of the curve") from refused


def sub(P: Point, Q: Point) -> Point:
    """P - Q, under the same condition as `add`."""
    try:
        return _sub(P, Q)
    except _REFUSED as refused:
        raise InvalidProof("a term of a difference is not a point of the curve") from refused


def check_point(P: Point) -> Point:
    """P itself, if it is the canonical encoding of a non-identity point of the prime-order group."""
    try:
        valid = _is_valid(P)
    except LibraryLengthError as refused:
        raise InvalidProof(f"a point has {SIZE} bytes, here are {len(P)}") from refused
    if not valid:
        raise InvalidProof(f"{P.hex()} is not a point of the prime-order group")
    return P


def point(data: bytes) -> Point:
    """The point that `data` from the wire encodes; refuses another length and whatever `check_point` refuses."""
    return check_point(Point(data))


def scalar(data: bytes) -> Scalar:
    """The scalar that `data` from the wire encodes: 32 bytes, little-endian, < L."""
    if len(data) != SIZE:
        raise InvalidProof(f"a scalar has {SIZE} bytes, here are {len(data)}")
    if int.from_bytes(data, "little") >= L:
        raise InvalidProof("a scalar is not reduced modulo the order of the group")
    return Scalar(data)


def reduce(data: bytes) -> Scalar:
    """The 64 bytes of a hash, little-endian, modulo L."""
    return Scalar(crypto_core_ed25519_scalar_reduce(data))


def hash_to_group(data: bytes) -> Point:
    """A point whose logarithm nobody knows, from the 32 bytes of a hash (Elligator 2, times the cofactor)."""
    return Point(crypto_core_ed25519_from_uniform(data))


# What every version of the library must refuse. G + T for the seven torsion points T (order 8, 4, 8, 2, 8, 4, 8), made
# with big integers and checked so by tests/crypto/test_group.py; then the identity, y = p + 1, x = 0 with sign bit.
_NEVER_VALID = tuple(
    bytes.fromhex(encoding)
    for encoding in (
        "98519eadf35b995233b51b5cd23e9cc5a28b639b5a4af0ec903cb960d81b7819",
        "9bad33f580df7ecc49df5342bac8145d5bedc40f573d1b067f3c4ce449689a15",
        "da99e28ba529cdde35a25fba9059e78ecaee239f99755b9b1aa4f65df00803e2",
        "9599999999999999999999999999999999999999999999999999999999999999",
        "55ae61520ca466adcc4ae4a32dc1633a5d749c64a5b50f136fc3469f27e487e6",
        "5252cc0a7f208133b620acbd4537eba2a4123bf0a8c2e4f980c3b31bb69765ea",
        "13661d745ad63221ca5da0456fa618713511dc60668aa464e55b09a20ff7fc1d",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0100000000000000000000000000000000000000000000000000000000000080",
    )
)
_TWIST = Point(_NEVER_VALID[3])  # G + T of order 2: accepted before PyNaCl 1.6.2 (CVE-2025-69277)


def self_test() -> None:
    """The library refuses what it must, or `InvalidProof`: with an older one a share proof can be forged. < 1 ms."""
    try:
        knows_base = _is_valid(G)
    except LibraryAbsence as absent:
        raise InvalidProof("this PyNaCl was built without edwards25519: install PyNaCl 1.6.2 or later") from absent
    if not knows_base:
        raise InvalidProof("this PyNaCl does not know the base point of edwards25519: upgrade PyNaCl to 1.6.2 or later")
    if any(map(_is_valid, _NEVER_VALID)) or _multiplies(_TWIST):
        raise InvalidProof("this PyNaCl accepts points outside the prime-order group: upgrade PyNaCl to 1.6.2 or later")


def _multiplies(P: Point) -> bool:
    """Whether the library multiplies P (which here should not be)."""
    try:
        _mul(ONE, P)
    except LibraryRefusal:
        return False
    return True
