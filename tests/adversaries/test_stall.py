"""Whoever stops at a step, over TLS and TCP: the other waits as long as he should, is told, and loses nothing.

Time is trio's mock clock, which jumps when nothing happens: the limits are the real ones, and exact.
"""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from p2p_schotten.errors import ChannelError
from p2p_schotten.ids import SEATS, Seat, other
from p2p_schotten.net.dial import dial
from p2p_schotten.net.invite import parse_target
from p2p_schotten.net.limits import DEFAULT_LIMITS as LIMITS
from p2p_schotten.net.lobby import open_lobby
from p2p_schotten.net.told import ClosedAlone, Silent
from p2p_schotten.protocol.record import Kind
from p2p_schotten.transcript import verify
from tests.adversaries.meeting import meeting
from tests.adversaries.proxy import LOOPBACK
from tests.adversaries.stall import Door, Manner, Staller, come_and_stall, stalling_host
from tests.net.game import GUEST, HOST, Player, play_on, resign_after
from tests.net.sides import ANN, BOB, EVE
from tests.net.visits import until_closed
from tests.protocol.liar import file_of

IDLE = 0.02  # real seconds without anything to do, after which the clock jumps: bytes on loopback are faster
LONG = 300.0  # seconds that a player may well think


@pytest.fixture
def clock() -> MockClock:
    return MockClock(autojump_threshold=IDLE)


@pytest.mark.parametrize("door", [Door.TCP, Door.TLS, Door.HELLO])
async def test_a_guest_who_stops_at_the_door_is_let_go_in_time_and_keeps_nobody_out(
    clock: MockClock, door: Door
) -> None:
    async with open_lobby(ANN, bind=LOOPBACK) as lobby:
        began = trio.current_time()
        stalled = await come_and_stall(await trio.open_tcp_stream(LOOPBACK, lobby.port), door)
        friend = await dial(parse_target(f"{LOOPBACK}:{lobby.port}"), EVE)
        assert (await lobby.next()).proven.identity == EVE.public
        assert trio.current_time() == began
        await until_closed(stalled.transport_stream)
        assert trio.current_time() - began == LIMITS.handshake
        assert lobby.unproven == 0
        await trio.aclose_forcefully(stalled.transport_stream)
        await trio.aclose_forcefully(friend.stream)


@pytest.mark.parametrize("door", list(Door))
async def test_a_host_who_stops_at_the_door_is_given_up_in_one_line(clock: MockClock, door: Door) -> None:
    async with trio.open_nursery() as nursery:
        listeners = await trio.open_tcp_listeners(0, host=LOOPBACK)
        nursery.start_soon(trio.serve_listeners, stalling_host(door), listeners)
        address = f"{LOOPBACK}:{listeners[0].socket.getsockname()[1]}"
        began = trio.current_time()
        with pytest.raises(ChannelError) as caught:
            await dial(parse_target(address), BOB)
        assert trio.current_time() - began == LIMITS.handshake
        assert str(caught.value) == f"{address}: it does not answer in the way of this game"
        nursery.cancel_scope.cancel()


async def stalled(victim: Seat, kind: Kind, manner: Manner) -> tuple[Player, float]:
    """The victim's side of a game whose other seat stops before its first `kind`; and how long the victim waited."""
    async with meeting(victim, (ANN, BOB)) as (mine, theirs):
        player = Player(victim, mine.stream, resign_after(1) if kind in (Kind.SEAL, Kind.REVEAL) else play_on)
        staller = Staller(other(victim), theirs.stream, kind)
        began = trio.current_time()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(staller.stall, manner)
            with trio.move_on_after(LONG):
                await player.run()
            nursery.cancel_scope.cancel()
        waited = trio.current_time() - began
    # The staller has told the truth so far, and all of it is kept.
    assert player.ledger.records[: len(player.peer.records)] == player.peer.records
    assert verify(file_of(*player.ledger.records)).fault is None
    return player, waited


CHEAP = [(GUEST, Kind.HELLO), (HOST, Kind.COMMIT), (GUEST, Kind.OPEN)]
ALL = [(seat, kind) for seat in SEATS for kind in Kind if (seat, kind) not in CHEAP]
NAMES = {HOST: "ann", GUEST: "bob"}


async def check_dead(victim: Seat, kind: Kind) -> None:
    player, waited = await stalled(victim, kind, Manner.DEAD)
    assert waited == LIMITS.silence
    assert [event for event in player.told if isinstance(event, Silent)] == [Silent(LIMITS.notice)]
    check_end(player, victim, kind, f"nothing was heard from {{name}} for {LIMITS.silence:g} seconds")


async def check_awake(victim: Seat, kind: Kind) -> None:
    player, waited = await stalled(victim, kind, Manner.AWAKE)
    assert not any(isinstance(event, Silent) for event in player.told)
    if kind is Kind.MOVE or (kind is Kind.HELLO and victim == HOST):
        assert waited == LONG, "a player may think, and a guest may read the rules"
        assert player.error is None
        return
    assert waited == LIMITS.answer
    check_end(player, victim, kind, f"{{name}} did not go on with the game for {LIMITS.answer:g} seconds")


def check_end(player: Player, victim: Seat, kind: Kind, sentence: str) -> None:
    """What the player hears: why it ended, or that the game that was over is closed."""
    name = "the other side" if kind is Kind.HELLO else NAMES[other(victim)]
    sentence = sentence.format(name=name)
    if kind in (Kind.SEAL, Kind.REVEAL):
        assert player.error is None
        assert player.told[-1] == ClosedAlone(sentence)
        assert verify(file_of(*player.ledger.records)).closed == victim
    else:
        assert isinstance(player.error, ChannelError)
        assert str(player.error) == sentence


@pytest.mark.parametrize(("victim", "kind"), CHEAP)
async def test_a_peer_that_falls_silent_is_noticed_after_10_s_and_given_up_after_20(
    clock: MockClock, victim: Seat, kind: Kind
) -> None:
    await check_dead(victim, kind)


@pytest.mark.parametrize(("victim", "kind"), CHEAP)
async def test_a_peer_that_only_answers_pings_is_given_up_where_it_has_nothing_to_think_about(
    clock: MockClock, victim: Seat, kind: Kind
) -> None:
    await check_awake(victim, kind)


@pytest.mark.parametrize(("victim", "kind"), ALL)
async def test_silence_before_a_record_of_every_kind(clock: MockClock, victim: Seat, kind: Kind) -> None:
    await check_dead(victim, kind)


@pytest.mark.parametrize(("victim", "kind"), ALL)
async def test_only_pings_before_a_record_of_every_kind(clock: MockClock, victim: Seat, kind: Kind) -> None:
    await check_awake(victim, kind)
