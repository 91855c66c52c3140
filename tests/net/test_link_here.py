"""Each side says once at which port it listens while the connection is gone; anything else in that place is refused."""

from __future__ import annotations

import pytest
from trio.testing import MockClock

from p2p_schotten.errors import Cause
from p2p_schotten.net.frames import Frame, Tag
from p2p_schotten.net.told import Here
from tests.net.game import GUEST, HOST, play_out, resign_after
from tests.net.resumed import DEALT, Back, Way, check_fault, game, refused
from tests.net.sides import memory_pair
from tests.protocol.reunion import restored

GIVE_UP = resign_after(2)


@pytest.mark.parametrize("port", [1, 7777, 65535])
async def test_each_is_told_once_where_the_other_listens(autojump_clock: MockClock, port: int) -> None:
    ends = memory_pair()
    ann, bob = (
        Back(peer.seat, end, GIVE_UP, peer=restored(peer, DEALT), way=Way(here=port if peer.seat == HOST else 0))
        for peer, end in zip(game().peers, ends, strict=True)
    )
    await play_out(ann, bob)
    assert [event for event in bob.told if isinstance(event, Here)] == [Here(port)]
    assert not any(isinstance(event, Here) for event in ann.told)
    assert ann.ledger.records == bob.ledger.records == game().records


@pytest.mark.parametrize("first", [False, True])
async def test_where_he_listens_is_said_once(autojump_clock: MockClock, first: bool) -> None:
    here = Frame(Tag.HERE, b"\1\2")
    check_fault(await refused(HOST, here, here, first=first), Cause.BYTES, "a HERE came where it cannot be")


@pytest.mark.parametrize(
    ("payload", "cause", "why"),
    [
        (b"\0\0", Cause.BYTES, "a HERE is a port in 2 bytes, not 0; 2 came"),
        (b"\1", Cause.BYTES, "a HERE is a port in 2 bytes, not 0; 1 came"),
        (b"", Cause.BYTES, "a HERE is a port in 2 bytes, not 0; 0 came"),
        (b"\0\1\1", Cause.LENGTH, "HERE: expected at most 2 bytes, 3 are announced"),
    ],
)
async def test_a_port_that_is_none_is_a_fault_without_blame(
    autojump_clock: MockClock, payload: bytes, cause: Cause, why: str
) -> None:
    check_fault(await refused(GUEST, Frame(Tag.HERE, payload), first=True), cause, why)
