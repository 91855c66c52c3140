"""A toy group in place of edwards25519: Z_q with addition, so small that a test can go through all of it.

The point kG is the number k behind a mark, in 32 bytes; logarithms are known, zero factors and the identity are
allowed (an exhaustive run meets them all the time). Nothing here is secret or secure.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from p2p_schotten.crypto import cells, group, shuffle
from p2p_schotten.crypto.group import Point, Scalar
from p2p_schotten.crypto.hashing import Part
from p2p_schotten.errors import InvalidProof

MARK = b"toy point".ljust(28, b".")


@dataclass(frozen=True)
class Toy:
    """The group of prime order q < 2^32."""

    q: int

    def point(self, k: int) -> Point:
        return Point(MARK + (k % self.q).to_bytes(4, "big"))

    def log(self, P: Point) -> int:
        if not P.startswith(MARK) or int.from_bytes(P[28:], "big") >= self.q:
            raise InvalidProof("not a toy point")
        return int.from_bytes(P[28:], "big")

    def scalar(self, k: int) -> Scalar:
        return Scalar((k % self.q).to_bytes(32, "little"))

    def number(self, s: bytes) -> int:
        return int.from_bytes(s, "little")

    def checked_scalar(self, data: bytes) -> Scalar:
        if self.number(data) >= self.q:
            raise InvalidProof("not a toy scalar")
        return Scalar(data)

    def checked_point(self, P: Point) -> Point:
        self.log(P)
        return P

    def mul(self, s: Scalar, P: Point) -> Point:
        return self.point(self.number(s) * self.log(P))

    def mul_base(self, s: Scalar) -> Point:
        return self.point(self.number(s))

    def add(self, P: Point, Q: Point) -> Point:
        return self.point(self.log(P) + self.log(Q))

    def sub(self, P: Point, Q: Point) -> Point:
        return self.point(self.log(P) - self.log(Q))

    def s_add(self, a: Scalar, b: Scalar) -> Scalar:
        return self.scalar(self.number(a) + self.number(b))

    def s_sub(self, a: Scalar, b: Scalar) -> Scalar:
        return self.scalar(self.number(a) - self.number(b))

    def s_mul(self, a: Scalar, b: Scalar) -> Scalar:
        return self.scalar(self.number(a) * self.number(b))

    def s_neg(self, a: Scalar) -> Scalar:
        return self.scalar(-self.number(a))

    def reduce(self, data: bytes) -> Scalar:
        return self.scalar(self.number(data))

    def hash_to_group(self, data: bytes) -> Point:
        """Never the identity, which the real one meets once in 2^252."""
        return self.point(1 + self.number(data) % (self.q - 1))

    def install(self, patch: pytest.MonkeyPatch) -> None:
        """Put this group in the place of the real one, until `patch` undoes it; cached points are forgotten."""
        for name in ("mul", "mul_base", "add", "sub", "s_add", "s_sub", "s_mul", "s_neg", "reduce", "hash_to_group"):
            patch.setattr(group, name, getattr(self, name))
        patch.setattr(group, "scalar", self.checked_scalar)
        patch.setattr(group, "check_point", self.checked_point)
        patch.setattr(group, "point", self.checked_point)
        patch.setattr(group, "G", self.point(1))
        forget_cached_points()


def forget_cached_points() -> None:
    cells.card_point.cache_clear()
    for cached in (shuffle._generator, shuffle._generators, shuffle._generators_sum):
        cached.cache_clear()


@dataclass
class Oracle:
    """A random oracle whose answers a test chooses: u by its index, and z for the first commitment that asks.

    Whoever asks for the challenge of other bytes than the first gets another answer, as with a real hash.
    """

    toy: Toy
    z: int
    u: tuple[int, ...] = ()
    asked: list[tuple[Part, ...]] = field(default_factory=list)

    def challenge(self, label: str, *parts: Part) -> Scalar:
        if label == "u":
            assert isinstance(parts[0], int)
            return self.toy.scalar(self.u[parts[0]])
        if parts not in self.asked:
            self.asked.append(parts)
        return self.toy.scalar(self.z + self.asked.index(parts))
