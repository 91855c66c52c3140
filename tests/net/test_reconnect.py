"""After a cut both sides dial and both listen: they find each other whoever can be reached, and nobody else."""

from __future__ import annotations

import itertools
from collections.abc import AsyncGenerator
from contextlib import suppress

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import MockClock

import p2p_schotten.net.reconnect
from p2p_schotten.crypto.identity import Identity
from p2p_schotten.errors import ChannelError
from p2p_schotten.net.asleep import SLEPT
from p2p_schotten.net.connection import Connection
from p2p_schotten.net.handshake import Refusal, Role, Said
from p2p_schotten.net.invite import MAX_ADDRESSES, Address, Target
from p2p_schotten.net.lobby import Lobby
from p2p_schotten.net.reconnect import HEAD_START, LOOK, Parties, WayBack, asleep, back_off, way_back
from p2p_schotten.net.sockets import free_port
from tests.attacks import report_channel
from tests.net.back import close, come_back, seat, together
from tests.net.game import GUEST, HOST
from tests.net.sides import ANN, BOB, EVE, SECRET
from tests.net.visits import GONE, LOOPBACK, a_lobby, works

TAKEN = "port {port} is taken by another program; choose another with --port, or 0 for any"

# When the next attempt comes


@pytest.mark.parametrize(
    ("chance", "waits"),
    [
        (0.0, [0.125, 0.25, 0.5, 1, 2, 2.5, 2.5, 2.5]),
        (0.5, [0.1875, 0.375, 0.75, 1.5, 3, 3.75, 3.75, 3.75]),
    ],
)
def test_attempts_come_half_as_often_each_time_and_at_last_every_five_seconds(
    chance: float, waits: list[float]
) -> None:
    assert list(itertools.islice(back_off(lambda: chance), len(waits))) == waits


@given(st.lists(st.floats(0, 1, exclude_max=True), min_size=1, max_size=30))
def test_no_wait_is_longer_than_its_place_allows_nor_shorter_than_half_of_that(chances: list[float]) -> None:
    drawn = iter(chances)
    for number, wait in enumerate(itertools.islice(back_off(lambda: next(drawn)), len(chances))):
        longest = min(5.0, 0.25 * 2**number)
        assert longest / 2 <= wait <= longest


def test_two_programs_that_fail_together_do_not_try_together_for_ever() -> None:
    first, second = back_off(iter([0.1, 0.7]).__next__), back_off(iter([0.9, 0.2]).__next__)
    assert next(first) != next(second)
    assert next(first) != next(second)


async def test_a_wait_on_a_machine_that_is_awake_lasts_as_long_as_it_should(autojump_clock: MockClock) -> None:
    assert not await asleep(4.2, trio.current_time)
    assert trio.current_time() == pytest.approx(4.2)


@pytest.mark.parametrize("jump", [SLEPT + 0.1, 3600.0, 1e6])
async def test_a_machine_that_wakes_up_tries_at_once(autojump_clock: MockClock, jump: float) -> None:
    def clock() -> float:
        return trio.current_time() + (jump if trio.current_time() > 2 else 0)

    assert await asleep(100.0, clock)
    assert 2 < trio.current_time() <= 2 + LOOK


@pytest.mark.parametrize("jump", [SLEPT - 0.1, -3600.0])
async def test_a_clock_that_is_set_a_little_or_back_is_no_sleep(autojump_clock: MockClock, jump: float) -> None:
    def clock() -> float:
        return trio.current_time() + (jump if trio.current_time() > 2 else 0)

    assert not await asleep(10.0, clock)
    assert trio.current_time() == pytest.approx(10.0)


async def test_after_a_sleep_the_next_attempt_is_the_first_of_a_new_row(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[float] = []
    slept_at = 20.0  # by then the waits are five seconds long

    async def nobody(target: Target, identity: Identity, **how: object) -> Connection:
        tried.append(trio.current_time())
        raise ChannelError("nobody listens there")

    async def sleep(seconds: float) -> bool:
        end = trio.current_time() + seconds
        woken = trio.current_time() < slept_at <= end
        await trio.sleep_until(slept_at if woken else end)
        return woken

    monkeypatch.setattr(p2p_schotten.net.reconnect, "dial", nobody)
    monkeypatch.setattr(p2p_schotten.net.reconnect, "asleep", sleep)
    with trio.move_on_after(30):
        async with seat(BOB, at=0, to=9) as bob:
            await bob.connect()
    assert tried[0] == 0.0
    place = tried.index(slept_at)
    assert tried[place] - tried[place - 1] < 5
    assert 0.125 <= tried[place + 1] - slept_at <= 0.25
    assert bob.why == "nobody listens there"


# Finding each other


async def test_a_guest_finds_the_lobby_that_is_open_anyway() -> None:
    async with a_lobby() as lobby, seat(ANN, lobby=lobby) as ann, seat(BOB, to=lobby.port) as bob:
        ann.expect()
        async with together(ann, bob) as (mine, theirs):
            assert (mine.seat, theirs.seat) == (HOST, GUEST)
            assert (mine.proven.identity, theirs.proven.identity) == (BOB.public, ANN.public)
            assert mine.proven.role is Role.RESUME
            assert await works(mine, theirs)


async def test_a_host_finds_the_guest_who_alone_can_be_reached() -> None:
    port = free_port()
    async with seat(ANN, to=port) as ann, seat(BOB, at=port) as bob, together(ann, bob) as (mine, theirs):
        assert (mine.seat, theirs.seat) == (HOST, GUEST)
        assert theirs.proven.role is Role.RESUME
        assert await works(mine, theirs)


async def test_a_guest_finds_a_host_who_was_started_again() -> None:
    port = free_port()
    async with seat(ANN, at=port) as ann, seat(BOB, to=port) as bob, together(ann, bob) as (mine, theirs):
        assert (mine.seat, theirs.seat) == (HOST, GUEST)
        assert await works(mine, theirs)


@pytest.mark.parametrize("first", [ANN, BOB])
async def test_who_is_there_first_is_found_when_the_other_comes(first: Identity) -> None:
    port, found = free_port(), list[Connection]()
    async with seat(ANN, at=port) as ann, seat(BOB, to=port) as bob:
        early, late = (ann, bob) if first is ANN else (bob, ann)

        async def wait() -> None:
            found.append(await early.connect())

        async with trio.open_nursery() as nursery:
            nursery.start_soon(wait)
            await trio.sleep(0.3)
            assert found == []
            assert bob.why == ("" if first is ANN else f"{LOOPBACK}:{port}: nobody listens there")
            with trio.fail_after(2):
                found.append(await late.connect())
        assert await works(*found)
        await close(*found)


@pytest.mark.parametrize("later", [0.0, HEAD_START - 0.02, HEAD_START])
async def test_two_who_dial_each_other_at_once_end_with_one_connection(later: float) -> None:
    """`later`: seconds by which Bob hears later of the cut; half a second brings both to one moment."""
    ports, heard = (free_port(), free_port()), dict[str, bytes]()

    async def until_heard(name: str, way: WayBack) -> None:
        """Tries, as a game does, until what the other says over this connection is heard."""
        await trio.sleep(later if name == "bob" else 0)
        while name not in heard:
            connection = await way.connect()
            with suppress(*GONE), trio.move_on_after(1):
                await connection.stream.send_all(name.encode())
                if word := bytes(await connection.stream.receive_some(10)):
                    heard[name] = word
                    await trio.sleep(0.2)
            await close(connection)

    async with seat(ANN, at=ports[0], to=ports[1]) as ann, seat(BOB, at=ports[1], to=ports[0]) as bob:
        with trio.fail_after(5):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(until_heard, "ann", ann)
                nursery.start_soon(until_heard, "bob", bob)
    assert heard == {"ann": b"bob", "bob": b"ann"}


async def test_the_own_lobby_stays_open_for_the_next_cut_and_closes_with_the_game() -> None:
    port = free_port()
    async with seat(ANN, at=port) as ann:
        for _ in range(2):
            async with seat(BOB, to=port) as bob, together(ann, bob) as pair:
                assert await works(*pair)
    with pytest.raises(ChannelError, match="nobody listens there"):
        await come_back(port, BOB)


async def test_who_cannot_listen_still_dials() -> None:
    async with a_lobby() as lobby, seat(ANN, lobby=lobby) as ann, seat(BOB, at=lobby.port, to=lobby.port) as bob:
        ann.expect()
        async with together(ann, bob) as pair:
            assert await works(*pair)
        assert bob.why == TAKEN.format(port=lobby.port)


async def test_who_can_neither_listen_nor_dial_waits_as_long_as_he_is_let() -> None:
    async with a_lobby() as lobby, seat(BOB, at=lobby.port) as bob:
        with trio.move_on_after(0.1) as waited:
            await bob.connect()
        assert waited.cancelled_caught
        assert bob.why == TAKEN.format(port=lobby.port)


async def test_what_ends_the_game_comes_out_of_its_way_back_as_it_is() -> None:
    with pytest.raises(ChannelError, match="the game ended"):
        async with seat(ANN):
            raise ChannelError("the game ended")


async def found_at(bob: WayBack, lobby: Lobby, *lasting: float) -> list[float]:
    """When Bob finds Ann each time, if connections over which nothing comes last so long."""
    times, start = list[float](), trio.current_time()
    for bob.fruitless, seconds in enumerate(lasting):
        theirs, mine = await bob.connect(), await lobby.next()
        times.append(trio.current_time() - start)
        await trio.sleep(seconds)
        await close(mine, theirs)
    return times


async def test_who_makes_every_connection_end_at_once_is_met_ever_later() -> None:
    async with a_lobby() as lobby, seat(BOB, to=lobby.port) as bob:
        lobby.expect(BOB.public, HOST)
        times = await found_at(bob, lobby, 0, 0, 0, 0)
    assert times[1] < 0.125
    assert times[2] - times[1] >= 0.125
    assert times[3] - times[2] >= 0.25


async def test_connections_that_lasted_are_met_at_once_however_often_nothing_came() -> None:
    async with a_lobby() as lobby, seat(BOB, to=lobby.port) as bob:
        lobby.expect(BOB.public, HOST)
        times = await found_at(bob, lobby, 0, 0.25, 0.5, 0)
    assert 0.75 <= times[3] < 0.75 + 0.25


# Who may come back (others: test_coming_back.py)


@pytest.mark.parametrize("secret", [None, SECRET, b"sixteen other by"])
async def test_nobody_but_the_other_player_may_go_on_with_the_game(secret: bytes | None) -> None:
    async with a_lobby() as lobby:
        for expected in (None, BOB.public, None):
            if expected is None:
                lobby.forget()
            else:
                lobby.expect(expected, HOST)
            for identity in (EVE,) if expected else (EVE, BOB):
                with pytest.raises(Said) as refused:
                    await come_back(lobby.port, identity, secret)
                assert refused.value.refusal is Refusal.NO_SUCH_GAME
                report_channel(refused.value)
        assert lobby.bound_to is None
        lobby.expect(BOB.public, HOST)
        theirs = await come_back(lobby.port, BOB)
        mine = await lobby.next()
        assert await works(mine, theirs)
        await close(mine, theirs)


# Where he is


async def test_what_he_says_of_his_port_comes_first_and_an_address_stands_once(bob_way: WayBack) -> None:
    bob_way.learn("192.0.2.7", 4000)
    bob_way.learn("fe80::1%eth0", 4001)
    bob_way.learn("192.0.2.7", 4000)
    assert bob_way.addresses == (Address("192.0.2.7", 4000), Address("fe80::1", 4001), Address(LOOPBACK, 9))


async def test_where_nobody_knows_his_address_his_port_is_of_no_use(bob_way: WayBack) -> None:
    bob_way.learn("", 4000)
    assert bob_way.addresses == (Address(LOOPBACK, 9),)


async def test_ports_without_end_push_out_old_ones(bob_way: WayBack) -> None:
    for port in range(1, 100):
        bob_way.learn("192.0.2.7", port)
    assert bob_way.addresses == tuple(Address("192.0.2.7", port) for port in range(99, 99 - MAX_ADDRESSES, -1))


async def test_of_more_addresses_than_an_invite_has_only_the_first_are_dialed() -> None:
    many = tuple(Address("192.0.2.7", port) for port in range(1, 100))
    async with way_back(Parties(BOB, GUEST, ANN.public), addresses=many) as way:
        assert way.addresses == many[:MAX_ADDRESSES]


@pytest.fixture
async def bob_way() -> AsyncGenerator[WayBack]:
    async with seat(BOB, to=9) as way:
        yield way
