"""The rules of the group, against the whole curve with its eight torsion points, in big integers."""

from __future__ import annotations

import random

import pytest
from nacl.exceptions import RuntimeError as LibraryRefusal
from nacl.exceptions import UnavailableError

from p2p_schotten.crypto import group
from p2p_schotten.crypto.group import Point, Scalar
from p2p_schotten.errors import InvalidProof
from tests.crypto import slow

RANDOM = random.Random(25519)
SCALARS = [1, 2, 8, slow.L - 1, slow.L // 2, *(RANDOM.randrange(slow.L) for _ in range(5))]
VALID = slow.mul(SCALARS[-1], slow.BASE)
TORSION = range(1, 8)

NEVER_POINTS = {
    **{f"valid + torsion {i}": slow.encode(slow.add(VALID, slow.TORSION[i])) for i in TORSION},
    **{f"torsion {i}": slow.encode(slow.TORSION[i]) for i in TORSION},
    "identity": slow.encode(slow.IDENTITY),
    "identity as y = p + 1": (slow.P + 1).to_bytes(32, "little"),
    "identity with sign bit": (1 | 1 << 255).to_bytes(32, "little"),
    "order 2 with sign bit": (slow.P - 1 | 1 << 255).to_bytes(32, "little"),
    "order 4 as y = p": slow.P.to_bytes(32, "little"),
    "y = p + 3, not reduced": (slow.P + 3).to_bytes(32, "little"),
    "off the curve": (2).to_bytes(32, "little"),
    "all ones": b"\xff" * 32,
}


def fast(k: int) -> Scalar:
    return Scalar(slow.scalar_bytes(k))


def test_the_base_point_is_that_of_rfc_8032() -> None:
    assert slow.encode(slow.BASE) == group.G
    assert slow.mul(slow.L, slow.BASE) == slow.IDENTITY
    assert group.L == slow.L


def test_the_oracle_knows_eight_torsion_points() -> None:
    assert len(set(slow.TORSION)) == 8
    assert all(slow.on_curve(T) and slow.mul(8, T) == slow.IDENTITY for T in slow.TORSION)
    assert [next(n for n in (1, 2, 4, 8) if slow.mul(n, T) == slow.IDENTITY) for T in slow.TORSION] == [
        *(1, 8, 4, 8),
        *(2, 8, 4, 8),
    ]


@pytest.mark.parametrize("k", SCALARS)
def test_multiplications_agree_with_big_integers(k: int) -> None:
    assert group.mul_base(fast(k)) == slow.encode(slow.mul(k, slow.BASE))
    assert group.mul(fast(k), Point(slow.encode(VALID))) == slow.encode(slow.mul(k, VALID))


def test_sums_agree_with_big_integers() -> None:
    points = [slow.mul(k, slow.BASE) for k in SCALARS]
    for left, right in zip(points, points[1:] + points[:1], strict=True):
        P, Q = Point(slow.encode(left)), Point(slow.encode(right))
        assert group.add(P, Q) == slow.encode(slow.add(left, right))
        assert group.sub(P, Q) == slow.encode(slow.sub(left, right))


def test_scalar_arithmetic_is_modulo_the_order() -> None:
    for left in (0, *SCALARS):
        assert group.s_neg(fast(left)) == slow.scalar_bytes(-left)
        for right in (0, *SCALARS):
            assert group.s_add(fast(left), fast(right)) == slow.scalar_bytes(left + right)
            assert group.s_sub(fast(left), fast(right)) == slow.scalar_bytes(left - right)
            assert group.s_mul(fast(left), fast(right)) == slow.scalar_bytes(left * right)


def test_all_64_bytes_of_a_hash_are_reduced() -> None:
    for data in (b"\xff" * 64, bytes(63) + b"\1", bytes(64), RANDOM.randbytes(64)):
        assert group.reduce(data) == slow.scalar_bytes(int.from_bytes(data, "little"))


def test_hashing_to_the_group_is_elligator_2_times_the_cofactor() -> None:
    for data in (RANDOM.randbytes(32) for _ in range(20)):
        hashed = group.hash_to_group(data)
        assert hashed == slow.encode(slow.from_uniform(data))
        assert group.check_point(hashed) == hashed


@pytest.mark.parametrize("name", NEVER_POINTS)
def test_what_is_no_point_of_the_group_is_refused_by_check_and_multiplication(name: str) -> None:
    data = NEVER_POINTS[name]
    with pytest.raises(slow.Refused):
        slow.decode_checked(data)
    with pytest.raises(InvalidProof, match="not a point of the prime-order group"):
        group.point(data)
    with pytest.raises(InvalidProof, match="not a point of the prime-order group"):
        group.check_point(Point(data))
    with pytest.raises(InvalidProof, match="a point is not in the prime-order group"):
        group.mul(fast(SCALARS[5]), Point(data))
    with pytest.raises(InvalidProof, match="a point is not in the prime-order group"):
        group.mul(fast(8), Point(data))  # which would clear a torsion part


def test_the_librarys_addition_would_take_a_torsion_part_so_a_check_must_stand_before_it() -> None:
    twisted = slow.add(VALID, slow.TORSION[4])
    assert group.add(group.G, Point(slow.encode(twisted))) == slow.encode(slow.add(slow.BASE, twisted))


def test_terms_off_the_curve_are_refused() -> None:
    off = Point(NEVER_POINTS["off the curve"])
    with pytest.raises(InvalidProof, match="a term of a sum"):
        group.add(group.G, off)
    with pytest.raises(InvalidProof, match="a term of a difference"):
        group.sub(off, group.G)


@pytest.mark.parametrize("size", [0, 31, 33, 64])
def test_another_length_is_refused(size: int) -> None:
    data = group.G.ljust(size, b"\0")[:size]
    with pytest.raises(InvalidProof, match=f"a point has 32 bytes, here are {size}"):
        group.point(data)
    with pytest.raises(InvalidProof, match=f"a scalar has 32 bytes, here are {size}"):
        group.scalar(bytes(size))
    with pytest.raises(InvalidProof):
        group.mul(group.ONE, Point(data))
    with pytest.raises(InvalidProof):
        group.mul_base(Scalar(data))
    with pytest.raises(InvalidProof):
        group.add(group.G, Point(data))
    with pytest.raises(InvalidProof):
        group.sub(Point(data), group.G)


def test_a_scalar_is_below_the_order() -> None:
    assert group.scalar(slow.scalar_bytes(slow.L - 1)) == slow.scalar_bytes(-1)
    assert group.scalar(bytes(32)) == group.ZERO
    for number in (slow.L, slow.L + 1, SCALARS[5] + slow.L, 2**255, 2**256 - 1):
        with pytest.raises(InvalidProof, match="a scalar is not reduced"):
            group.scalar(number.to_bytes(32, "little"))


def test_a_zero_factor_and_an_identity_result_are_refused() -> None:
    with pytest.raises(InvalidProof, match="factor is zero"):
        group.mul(group.ZERO, Point(slow.encode(VALID)))
    with pytest.raises(InvalidProof, match="a factor of the base point is zero"):
        group.mul_base(group.ZERO)
    order = Scalar(slow.L.to_bytes(32, "little"))  # never passes `scalar`; still no identity comes out
    with pytest.raises(InvalidProof):
        group.mul(order, Point(slow.encode(VALID)))
    with pytest.raises(InvalidProof):
        group.mul_base(order)


def test_an_error_of_another_kind_is_a_bug_and_passes_through(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: bytes) -> bytes:
        raise ValueError("a bug")

    monkeypatch.setattr(group, "_mul", broken)
    with pytest.raises(ValueError, match="a bug"):
        group.mul(group.ONE, group.G)


# -- the self-test -----------------------------------------------------------------------------------------------------


def test_the_self_test_passes_with_this_library() -> None:
    group.self_test()


def test_the_self_test_tries_what_big_integers_say_it_should() -> None:
    shifts = {slow.encode(slow.add(slow.BASE, slow.TORSION[i])) for i in TORSION}
    rest = {"identity", "identity as y = p + 1", "identity with sign bit"}
    assert set(group._NEVER_VALID) == shifts | {NEVER_POINTS[name] for name in rest}
    assert slow.encode(slow.add(slow.BASE, slow.TORSION[4])) == group._TWIST


def test_the_self_test_makes_twelve_calls_so_it_stays_below_a_millisecond(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    check, mul = group._is_valid, group._mul

    def counted_check(P: bytes) -> bool:
        calls.append(P)
        return check(P)

    def counted_mul(s: Scalar, P: Point) -> Point:
        calls.append(P)
        return mul(s, P)

    monkeypatch.setattr(group, "_is_valid", counted_check)
    monkeypatch.setattr(group, "_mul", counted_mul)
    group.self_test()
    assert len(calls) == 12


@pytest.mark.parametrize("number", range(10))
def test_a_library_that_accepts_one_of_them_is_refused(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    accepted = {group.G, group._NEVER_VALID[number]}
    monkeypatch.setattr(group, "_is_valid", lambda P: P in accepted)
    with pytest.raises(InvalidProof, match=r"upgrade PyNaCl to 1\.6\.2"):
        group.self_test()


def test_a_library_that_multiplies_a_mixed_order_point_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group, "_mul", lambda s, P: P)
    with pytest.raises(InvalidProof, match=r"upgrade PyNaCl to 1\.6\.2"):
        group.self_test()


def test_a_library_that_refuses_everything_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group, "_is_valid", lambda P: False)
    with pytest.raises(InvalidProof, match=r"upgrade PyNaCl to 1\.6\.2"):
        group.self_test()


def test_a_library_built_without_the_curve_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(_: bytes) -> bool:
        raise UnavailableError("Not available in minimal build")

    monkeypatch.setattr(group, "_is_valid", absent)
    assert issubclass(UnavailableError, LibraryRefusal)
    with pytest.raises(InvalidProof, match="built without edwards25519"):
        group.self_test()
