"""What the player is told when a record was refused: whose fault it is, and never his friend's where it is his own."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2p_schotten.cli.endings import failure
from p2p_schotten.cli.status import Status
from p2p_schotten.errors import Cause, PeerFault
from p2p_schotten.ids import SEATS, Seat
from tests.cli.test_visitors import game_of
from tests.net.sides import memory_pair

DETAIL = "seat 0 signed two different records with number 5"


@pytest.mark.parametrize(
    ("blame", "message"),
    [
        (
            SEATS[0],
            f"your own records contradict each other: record 9: two records at one place: {DETAIL}; "
            "was this game played from an old copy?",
        ),
        (SEATS[1], f"the other side broke the protocol: record 9: two records at one place: {DETAIL}"),
        (None, f"the other side broke the protocol: record 9: two records at one place: {DETAIL}"),
    ],
)
async def test_who_signed_twice_from_an_old_copy_is_not_told_that_the_other_cheated(
    blame: Seat | None, message: str, tmp_path: Path
) -> None:
    game = game_of(SEATS[0], memory_pair()[0], tmp_path)
    end = failure(game, PeerFault(9, Cause.FORK, DETAIL, blame))
    assert end is not None
    assert (end.status, end.message) == (Status.FAULT, message)
