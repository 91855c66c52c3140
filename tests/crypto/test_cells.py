"""Cells are ciphertexts of the cards of their deck, and travel as 64 bytes."""

from __future__ import annotations

import pytest

from p2p_schotten.crypto import group
from p2p_schotten.crypto.cells import card_point, cells_bytes, opens_to, read_cells, start_cells
from p2p_schotten.crypto.group import G, Point
from p2p_schotten.errors import InvalidProof
from tests.crypto import slow, slow_proofs
from tests.crypto.seats import KEYS, Y, decrypt


def test_cards_are_hashed_to_the_group_by_deck_and_index() -> None:
    for deck, index in ((0, 0), (0, 53), (1, 9)):
        assert card_point(deck, index) == slow.encode(slow_proofs.card(deck, index))


def test_no_two_cards_of_two_decks_and_no_generator_are_the_same_point() -> None:
    points = [card_point(deck, index) for deck in (0, 1) for index in range(60)]
    points += [Point(slow.encode(slow_proofs.generator(index))) for index in range(5)]
    assert len({*points, G}) == 126


def test_starting_cells_lie_in_the_order_of_the_deck_with_randomness_one() -> None:
    cells = start_cells(1, 11, Y)
    assert all(cell.a == G for cell in cells)
    assert [decrypt(cell) for cell in cells] == [card_point(1, index) for index in range(11)]
    assert cells_bytes(cells) == slow_proofs.cells_bytes(slow_proofs.start_cells(1, 11, slow.decode(Y)))


def test_a_cell_opens_with_both_shares() -> None:
    cell = start_cells(0, 3, Y)[2]
    shares = [group.mul(x, cell.a) for x in KEYS]
    assert opens_to(cell, *shares) == opens_to(cell, *reversed(shares)) == card_point(0, 2)
    assert opens_to(cell, shares[0], shares[0]) != card_point(0, 2)


def test_cells_read_back_as_written() -> None:
    cells = start_cells(0, 5, Y)
    assert read_cells(cells_bytes(cells), 5) == cells
    assert len(cells_bytes(cells)) == 5 * 64
    assert read_cells(b"", 0) == ()


@pytest.mark.parametrize("size", [0, 64, 127, 129, 192])
def test_cells_of_another_count_are_refused(size: int) -> None:
    with pytest.raises(InvalidProof, match=f"2 cells have 128 bytes, here are {size}"):
        read_cells(bytes(size), 2)
