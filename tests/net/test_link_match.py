"""Between the games of a match no player is asked, so nobody waits for ever for who says that he is there."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from p2p_schotten.engine.move import Resign
from p2p_schotten.engine.rulesets import ruleset
from p2p_schotten.errors import ChannelError
from p2p_schotten.match import following
from p2p_schotten.net.frames import Frame, Tag
from p2p_schotten.net.limits import DEFAULT_LIMITS as LIMITS
from p2p_schotten.net.link import Link
from p2p_schotten.net.told import Parted, Told
from p2p_schotten.protocol.absent import TOLERANCE
from p2p_schotten.protocol.events import Finished
from p2p_schotten.protocol.messages import Match, Options
from p2p_schotten.protocol.offer import Offer
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind
from tests.net.game import GUEST, HOST, IDENTITIES, NAMES, Hand, Memory, Player, resign_after
from tests.net.sides import memory_pair

CLOCK = 60


def host(offer: Offer) -> Peer:
    return Peer(
        HOST,
        IDENTITIES[HOST],
        NAMES[HOST],
        offer.rules,
        os.urandom,
        options=offer.options,
        match=offer.match,
        other_identity=IDENTITIES[GUEST].public,
    )


def first(clock: int | None) -> Offer:
    return Offer(ruleset("base"), Options(HOST, "rounds 2", clock), Match(bytes(range(32)), 1, b""))


class Ann(Player):
    """She hosts a match, and wants its next game when one is over."""

    def __init__(self, stream: trio.abc.Stream, offer: Offer, *, soon: bool, waited: float) -> None:
        super().__init__(HOST, stream, resign_after(0), peer=host(offer))
        self.link = Link(self.connection, self.peer, Memory(), more=True)
        self.soon, self.waited = soon, waited
        self.ended: float | None = None

    async def deliver(self, event: Told) -> None:
        await super().deliver(event)
        if isinstance(event, Finished):
            await self.link.again(trio.current_time() - self.waited if self.soon else None)

    async def game(self) -> None:
        try:
            await self.link.run(self.deliver)
        except ChannelError as error:
            self.error = error
        self.ended = trio.current_time()


@asynccontextmanager
async def pinging(offer: Offer, *, soon: bool = True, waited: float = 0.0) -> AsyncGenerator[tuple[Ann, Hand]]:
    """Ann's link, and bob in the hand of the test, of whom a heartbeat comes whatever else does."""
    mine, theirs = memory_pair()
    ann, bob = Ann(mine, offer, soon=soon, waited=waited), Hand(GUEST, theirs)

    async def beat() -> None:
        while ann.ended is None:
            await bob.send(Frame(Tag.PING))
            await trio.sleep(5.0)

    with trio.fail_after(10_000):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ann.game)
            nursery.start_soon(beat)
            yield ann, bob
            nursery.cancel_scope.cancel()


async def ends(ann: Ann, within: float) -> float | None:
    """After how many seconds her link ended, if it did."""
    begun = trio.current_time()
    with trio.move_on_after(within):
        while ann.ended is None:
            await trio.sleep(0.25)
    return None if ann.ended is None else ann.ended - begun


@pytest.mark.parametrize(
    ("clock", "soon", "waited", "seconds"),
    [
        (CLOCK, True, 0.0, CLOCK + TOLERANCE),
        (CLOCK, True, 50.0, CLOCK + TOLERANCE - 50.0),  # over connections that he has cut
        (10, True, 0.0, LIMITS.answer),  # what owes a record without a choice has as long
        (None, True, 0.0, None),  # they agreed to wait
        (CLOCK, False, 0.0, None),  # a person is asked there
    ],
)
async def test_who_never_goes_on_with_a_match_is_waited_for_as_long_as_a_turn_may_last(
    autojump_clock: MockClock, clock: int | None, soon: bool, waited: float, seconds: float | None
) -> None:
    async with pinging(first(clock), soon=soon, waited=waited) as (ann, bob):
        await bob.go_on(lambda peer: peer.session.finished, resign_after(0))
        await bob.speak()
        ended = await ends(ann, 80.0)
        assert (ended is None) == (seconds is None)
        if seconds is not None:
            assert ended == pytest.approx(seconds, abs=0.5)
            assert ann.told[-1] == Parted("bob does not go on with the match")
            assert ann.error is None  # the game that is over stays as it is
    assert ann.peer.session.finished


@pytest.mark.parametrize("number", [1, 2])
async def test_only_the_first_offer_is_read_by_a_person(autojump_clock: MockClock, number: int) -> None:
    before = host(first(CLOCK))
    bob = Peer(GUEST, IDENTITIES[GUEST], NAMES[GUEST], None, os.urandom)
    before.start()
    while not before.session.finished:
        for one, two in ((before, bob), (bob, before)):
            for record in one.frames():
                two.receive(record)
            if two.session.due() == (GUEST, Kind.HELLO):
                two.accept()
            if two.choices():
                two.play(Resign())
    offer = following(before.session) if number == 2 else first(CLOCK)
    async with pinging(offer) as (ann, _hand):
        waited = await ends(ann, 80.0)
    assert waited == (pytest.approx(LIMITS.answer, abs=0.5) if number == 2 else None)
    if number == 2:
        assert str(ann.error) == "the other side did not go on with the game for 20 seconds"
