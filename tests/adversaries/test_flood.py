"""Whoever sends as much as he can, over TLS and TCP, wins neither memory nor the game; nothing he says is used."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from enum import Enum

import pytest
import trio
import trio.testing

from p2p_schotten.engine.move import Resign
from p2p_schotten.errors import Cause, PeerFault
from p2p_schotten.ids import SEATS, Seat, other
from p2p_schotten.net.dial import dial
from p2p_schotten.net.frames import Tag
from p2p_schotten.net.invite import parse_target
from p2p_schotten.net.limits import DEFAULT_LIMITS
from p2p_schotten.net.link import Link
from p2p_schotten.net.lobby import open_lobby
from p2p_schotten.net.outbox import OUTBOX
from p2p_schotten.net.tls import wrap_dialer
from p2p_schotten.net.told import ChatDropped, Chatted, Ended, Parted
from tests.adversaries.flood import AT_THE_DOOR, BEARABLE, MEBIBYTE, UNBEARABLE, drained, flood, memory
from tests.adversaries.meeting import heard_until, meeting
from tests.adversaries.proxy import LOOPBACK
from tests.net.game import HOST, Hand, Player, over, resign_after, think, to_choose
from tests.net.sides import ANN, BOB, EVE

ENOUGH = MEBIBYTE // 32  # bytes of what is borne: 6,500 PINGs
MUCH = 64 * MEBIBYTE  # bytes that nobody lets through
BOUND = 8 * MEBIBYTE  # of memory, the flooder's own included
IN_TIME = 60.0
LIMITS = replace(DEFAULT_LIMITS, linger=0.3)


class Phase(Enum):
    """When the flood comes."""

    PROVEN = "before the first record"
    DEALT = "in a game, while the other thinks"
    BETWEEN = "between two games"


@asynccontextmanager
async def at(phase: Phase, victim: Seat) -> AsyncGenerator[tuple[Player, Hand, trio.Event]]:
    """A player whose link runs, somebody at the other seat who has come so far, and the end of the link."""
    async with meeting(victim, (ANN, BOB), LIMITS) as (mine, theirs):
        plan = resign_after(0) if phase is Phase.BETWEEN else think
        player, hand = Player(victim, mine.stream, plan), Hand(other(victim), theirs.stream)
        player.link = Link(player.connection, player.peer, player.ledger, more=True, limits=LIMITS)
        ended = trio.Event()

        async def run() -> None:
            await player.run()
            ended.set()

        with trio.fail_after(IN_TIME):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(run)
                if phase is Phase.DEALT:
                    await hand.go_on(to_choose)
                    await hand.speak()
                elif phase is Phase.BETWEEN:
                    await hand.go_on(lambda peer: peer.session.finished, resign_after(0))
                    await hand.speak()
                    while not player.peer.session.finished:
                        await trio.sleep(0.01)
                yield player, hand, ended
                nursery.cancel_scope.cancel()


async def check_borne(phase: Phase, name: str) -> None:
    async with at(phase, HOST) as (player, hand, ended):
        with memory() as held:
            sent = await flood(hand.stream, BEARABLE[name], ENOUGH)
            assert not sent.closed
            assert player.link._outbox.waiting <= OUTBOX
        assert held.bytes < BOUND
        while name == "CHATs" and ChatDropped() not in player.told:
            await trio.sleep(0.01)
        if phase is Phase.BETWEEN:
            await player.link.leave()
            await heard_until(hand.stream, Tag.BYE)
            assert player.error is None
            return
        player.plan = resign_after(0)
        if player.peer.choices():
            await player.link.play(Resign())
        await hand.go_on(over, resign_after(0))
        assert not ended.is_set()
        assert len([told for told in player.told if isinstance(told, Chatted)]) <= 30
        assert player.told.count(ChatDropped()) == (name == "CHATs")


CAUSES = {
    "a record of 4 GiB": Cause.LENGTH,
    "a chat of 4 GiB": Cause.LENGTH,
    "a mebibyte of empty arrays": Cause.LENGTH,
    "arrays within arrays": Cause.LENGTH,
}


async def check_refused(phase: Phase, victim: Seat, name: str) -> None:
    async with at(phase, victim) as (player, hand, ended):
        await trio.testing.wait_all_tasks_blocked(0.05)
        session, records, told = player.peer.session, list(player.ledger.records), len(player.told)
        with memory() as held:
            async with drained(hand.stream):
                sent = await flood(hand.stream, UNBEARABLE[name], MUCH)
                await ended.wait()
        assert sent.closed
        assert held.bytes < BOUND, held
        assert player.peer.session is session
        assert player.ledger.records == records
        if phase is Phase.BETWEEN:
            assert player.error is None
            assert isinstance(player.told[-1], Parted)
        elif name == "CLOSEs":
            assert type(player.error) is Ended
        else:
            assert isinstance(player.error, PeerFault)
            assert (player.error.cause, player.error.blame) == (CAUSES.get(name, Cause.BYTES), None)
            assert len(player.told) <= told + 1  # his port, if he named one


@pytest.mark.parametrize("name", BEARABLE)
async def test_what_may_be_said_at_any_time_fills_no_memory_and_ends_no_game(name: str) -> None:
    await check_borne(Phase.PROVEN, name)


@pytest.mark.parametrize("name", BEARABLE)
@pytest.mark.parametrize("phase", [Phase.DEALT, Phase.BETWEEN])
async def test_it_does_so_neither_in_a_game_nor_behind_it(phase: Phase, name: str) -> None:
    await check_borne(phase, name)


@pytest.mark.parametrize("name", UNBEARABLE)
async def test_what_may_not_come_ends_the_link_and_leaves_everything_as_it_was(name: str) -> None:
    await check_refused(Phase.PROVEN, HOST, name)


@pytest.mark.parametrize("name", UNBEARABLE)
@pytest.mark.parametrize(
    ("phase", "victim"), [(phase, seat) for phase in Phase for seat in SEATS if (phase, seat) != (Phase.PROVEN, HOST)]
)
async def test_it_does_so_at_both_seats_in_a_game_and_behind_it(phase: Phase, victim: Seat, name: str) -> None:
    await check_refused(phase, victim, name)


async def floods_the_door(port: int, data: bytes, tls: bool) -> None:
    """Until he is sent away."""
    transport = await trio.open_tcp_stream(LOOPBACK, port)
    try:
        sent = await flood(wrap_dialer(transport) if tls else transport, data, MUCH)
        assert sent.closed
    finally:
        await trio.aclose_forcefully(transport)


async def test_whoever_floods_the_door_is_sent_away_and_the_friend_gets_in() -> None:
    with trio.fail_after(IN_TIME):
        async with open_lobby(ANN, bind=LOOPBACK, limits=LIMITS) as lobby:
            with memory() as held:
                async with trio.open_nursery() as nursery:
                    for data in AT_THE_DOOR.values():
                        for tls in (False, True):
                            nursery.start_soon(floods_the_door, lobby.port, data, tls)
                    friend = await dial(parse_target(f"{LOOPBACK}:{lobby.port}"), EVE)
                    assert (await lobby.next()).proven.identity == EVE.public
            assert held.bytes < 2 * len(AT_THE_DOOR) * MEBIBYTE + BOUND, "each flooder holds what he sends"
            await trio.aclose_forcefully(friend.stream)
