"""Cells: ElGamal ciphertexts (a, b) = (rG, M + rY) of cards under the joint key Y = X_0 + X_1.

Card i of deck d is the point M = hash_to_group(d, i): nobody knows logarithms between cards. A starting cell has the
public randomness 1, (G, M + Y). With both shares D_p = x_p a it opens to M = b - D_0 - D_1.
Source: Barnett and Smart, Mental Poker Revisited (2003), section 4.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from p2p_schotten.crypto import group
from p2p_schotten.crypto.group import SIZE, Point
from p2p_schotten.crypto.hashing import hash32
from p2p_schotten.errors import InvalidProof

CELL_SIZE = 2 * SIZE  # bytes of (a, b)


class Cell(NamedTuple):
    """A ciphertext whose plaintext is a card of a known deck."""

    a: Point
    b: Point


@lru_cache(maxsize=1024)
def card_point(deck: int, index: int) -> Point:
    """M of card `index` (0-based) of deck `deck` (0-based)."""
    return group.hash_to_group(hash32("card", deck, index))


def start_cells(deck: int, n: int, Y: Point) -> tuple[Cell, ...]:
    """The cells of a deck of n cards before any shuffle, in the order of the deck. Y is a checked point."""
    return tuple(start_cell(deck, index, Y) for index in range(n))


def start_cell(deck: int, index: int, Y: Point) -> Cell:
    """The cell of an open card: its randomness is 1, so everybody sees which card it holds. Y is a checked point."""
    return Cell(group.G, group.add(card_point(deck, index), Y))


def cells_bytes(cells: Iterable[Cell]) -> bytes:
    """a_1 b_1 a_2 b_2 ..., 64 bytes for each cell."""
    return b"".join([half for cell in cells for half in cell])


def read_cells(data: bytes, n: int) -> tuple[Cell, ...]:
    """The n cells of `cells_bytes`. Only the length is checked here: verifying the shuffle checks the points."""
    if len(data) != n * CELL_SIZE:
        raise InvalidProof(f"{n} cells have {n * CELL_SIZE} bytes, here are {len(data)}")
    return tuple(
        Cell(Point(data[at : at + SIZE]), Point(data[at + SIZE : at + CELL_SIZE]))
        for at in range(0, len(data), CELL_SIZE)
    )


def opens_to(cell: Cell, D0: Point, D1: Point) -> Point:
    """M = b - D_0 - D_1, of a cell and shares that were verified before."""
    return group.sub(group.sub(cell.b, D0), D1)
