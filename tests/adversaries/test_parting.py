"""Behind the last record nobody is left in doubt whether the other has it: then he would look for him in vain."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from p2p_schotten.ids import Seat, other
from p2p_schotten.net.frames import Frame, Tag
from p2p_schotten.net.link import Link
from p2p_schotten.net.told import Parted, Told
from tests.net.game import GUEST, HOST, Hand, Player, resign_after
from tests.net.sides import memory_pair
from tests.net.test_link_again import Regular, both


@pytest.mark.parametrize("slow", [None, HOST, GUEST])
async def test_both_know_that_the_other_has_the_last_record_whoever_leaves_first(
    autojump_clock: MockClock, slow: Seat | None
) -> None:
    """The slow one still looks at the end of the game when the other says BYE."""

    class Slow(Regular):
        async def deliver(self, event: Told) -> None:
            await trio.sleep(1)
            await super().deliver(event)

    left, right = memory_pair()
    players = [(Slow if seat == slow else Regular)(seat, end, False) for seat, end in ((HOST, left), (GUEST, right))]
    await both(*players)
    assert [player.error for player in players] == [None, None]
    assert [player.link.sure for player in players] == [True, True]


@pytest.mark.parametrize("seat", [HOST, GUEST])
async def test_a_bye_behind_the_last_record_is_answered_with_one(autojump_clock: MockClock, seat: Seat) -> None:
    mine, theirs = memory_pair()
    player, hand = Player(seat, mine, resign_after(0)), Hand(other(seat), theirs)
    player.link = Link(player.connection, player.peer, player.ledger, more=True)
    with trio.fail_after(100):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(player.run)
            await hand.go_on(lambda peer: peer.session.finished, resign_after(0))
            await hand.speak()
            await hand.send(Frame(Tag.BYE))
            while (frame := await hand.next()) is not None and frame.tag is not Tag.BYE:
                pass
            assert frame is not None, "it left without a word"
            await trio.aclose_forcefully(theirs)
    assert player.error is None
    assert [event for event in player.told if isinstance(event, Parted)] == [Parted(f"{hand.peer._name} left")]
