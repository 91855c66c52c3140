"""Two seats with fixed seeds, their keys and joint key: what the tests of shares and shuffles start from."""

from __future__ import annotations

from p2p_schotten.crypto import group
from p2p_schotten.crypto.cells import Cell, start_cells
from p2p_schotten.crypto.group import Point, Scalar
from p2p_schotten.crypto.secret import Secret
from p2p_schotten.crypto.shuffle import Shuffled, shuffle
from tests.crypto import slow

SEEDS = (b"\1" * 32, b"\2" * 32)
SECRETS = (Secret(SEEDS[0]), Secret(SEEDS[1]))
KEYS = (SECRETS[0].scalar("x", b"test"), SECRETS[1].scalar("x", b"test"))
PUBLIC = (group.mul_base(KEYS[0]), group.mul_base(KEYS[1]))
Y = group.add(*PUBLIC)
CTX = (b"ctx of seat 0", b"ctx of seat 1")


def fast_scalar(k: int) -> Scalar:
    return Scalar(slow.scalar_bytes(k))


def number(s: bytes) -> int:
    return int.from_bytes(s, "little")


def twisted(P: Point, i: int) -> Point:
    """P plus the torsion point i, computed with big integers."""
    return Point(slow.encode(slow.add(slow.decode(P), slow.TORSION[i])))


def encrypt(M: Point, k: int) -> Cell:
    """A cell of M with randomness k."""
    return Cell(group.mul_base(fast_scalar(k)), group.add(M, group.mul(fast_scalar(k), Y)))


def decrypt(cell: Cell) -> Point:
    """The plaintext, with both keys."""
    return group.sub(cell.b, group.mul(group.s_add(*KEYS), cell.a))


def first(n: int, deck: int = 0) -> Shuffled:
    """The starting deck of n cards, shuffled by seat 0 in its context."""
    return shuffle(SECRETS[0], CTX[0], Y, start_cells(deck, n, Y))


def second(n: int, deck: int = 0) -> Shuffled:
    """That deck, shuffled by seat 1 in its context."""
    return shuffle(SECRETS[1], CTX[1], Y, first(n, deck).cells)
