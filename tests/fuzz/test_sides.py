"""Single courses that the machine found, or that it meets too seldom."""

from __future__ import annotations

import pytest

from p2p_schotten.ids import SEATS, Seat
from tests.fuzz.games import SEED, short
from tests.fuzz.sides import Sides


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("left", [0, 1, 7])
def test_a_seat_whose_journal_is_older_than_its_mark_gets_its_own_records_back(seat: Seat, left: int) -> None:
    game = Sides.of(short().before(len(short().records) - 7), SEED)
    while any(game.wires):
        game.deliver(SEATS[bool(game.wires[1])])
    whole = [list(side.peer.records) for side in game.sides]
    assert whole[0] == whole[1]
    game.roll_back(seat, left)
    assert game.sides[seat].peer.records == whole[seat][:left]
    assert game.sides[seat].journal.lacks > 0
    game.meet()
    while any(game.wires):
        game.deliver(SEATS[bool(game.wires[1])])
    assert game.refused == []
    assert [side.peer.records for side in game.sides] == whole
    assert [list(side.on_disk) for side in game.sides] == whole
    assert not game.sides[seat].peer.behind
