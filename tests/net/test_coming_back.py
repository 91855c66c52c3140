"""Who may come back through the door when a game stands, and that no connection is left open that nobody has."""

from __future__ import annotations

import pytest
import trio

import p2p_schotten.net.dial
import p2p_schotten.net.handshake
import p2p_schotten.net.reconnect
from p2p_schotten.crypto.identity import Identity
from p2p_schotten.errors import ChannelError
from p2p_schotten.ids import Seat
from p2p_schotten.net.connection import Connection
from p2p_schotten.net.dial import dial
from p2p_schotten.net.handshake import Kind, Proven, Refusal, Role, Said
from p2p_schotten.net.invite import Address, Target
from p2p_schotten.net.lobby import open_lobby
from p2p_schotten.net.reconnect import Parties, way_back
from tests.net.back import close, come_back, seat, together
from tests.net.game import GUEST, HOST, connection_of
from tests.net.sides import ANN, BOB, EVE, QUICK, SECRET, memory_pair
from tests.net.visits import LOOPBACK, a_lobby, come, said, until_closed, works

# Who may come back


@pytest.mark.parametrize("secret", [None, SECRET])
async def test_who_has_a_game_that_stands_begins_no_other_beside_it(secret: bytes | None) -> None:
    async with a_lobby() as lobby:
        lobby.expect(BOB.public, HOST)
        assert await said(lobby, BOB, secret) is Refusal.GAME_STANDS
        assert lobby.bound_to is None
        lobby.forget()
        theirs = await come(lobby, BOB, secret)
        mine = await lobby.next()
        assert mine.proven.role is Role.DIAL
        await close(mine, theirs)


async def test_a_stranger_who_comes_while_the_other_is_away_changes_nothing() -> None:
    async with a_lobby(secret=None) as lobby, seat(ANN, lobby=lobby) as ann, seat(BOB, to=lobby.port) as bob:
        ann.expect()
        with pytest.raises(Said, match="does not wait for you to go on with a game"):
            await come_back(lobby.port, EVE)
        async with together(ann, bob) as pair:
            assert await works(*pair)


async def test_a_newer_connection_takes_the_place_of_the_older_one() -> None:
    async with a_lobby() as lobby:
        lobby.expect(BOB.public, HOST)
        older = await come_back(lobby.port, BOB)
        mine = await lobby.next()
        mine.settled = True
        newer = await come_back(lobby.port, BOB)
        again = await lobby.next()
        assert mine.closed.is_set()
        assert not again.closed.is_set()
        assert await works(again, newer)
        await close(older, mine, newer, again)


async def test_of_two_who_come_back_before_anybody_looks_the_newer_one_is_given_out() -> None:
    async with a_lobby() as lobby:
        lobby.expect(BOB.public, HOST)
        older, newer = await come_back(lobby.port, BOB), await come_back(lobby.port, BOB)
        mine = await lobby.next()
        assert await works(mine, newer)
        await close(older, mine, newer)


async def test_a_newer_connection_comes_before_one_that_is_still_being_welcomed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    send, welcomes = p2p_schotten.net.handshake._send, list[bytes]()

    async def slow_at_first(stream: trio.abc.Stream, data: bytes) -> None:
        if data == bytes([Kind.WELCOME]):
            welcomes.append(data)
            if len(welcomes) == 1:
                await trio.sleep_forever()
        await send(stream, data)

    monkeypatch.setattr(p2p_schotten.net.handshake, "_send", slow_at_first)
    async with a_lobby() as lobby, trio.open_nursery() as nursery:
        lobby.expect(BOB.public, HOST)
        lost = list[ChannelError]()

        async def first() -> None:
            with pytest.raises(ChannelError) as refused:
                await come_back(lobby.port, BOB)
            lost.append(refused.value)

        nursery.start_soon(first)
        while not welcomes:
            await trio.sleep(0.01)
        theirs, mine = await come_back(lobby.port, BOB), await lobby.next()
        assert await works(mine, theirs)
        await close(mine, theirs)
    assert len(lost) == 1
    assert "closed the connection" in str(lost[0])


async def test_a_stranger_who_comes_back_does_not_push_out_the_friend_who_came_meanwhile() -> None:
    """Eve had no invite, and a game with her stands; Bob has the invite, and that ends the waiting for her."""
    async with a_lobby() as lobby, seat(ANN, lobby=lobby) as ann:
        lobby.expect(EVE.public, HOST)
        lost = await come_back(lobby.port, EVE)
        theirs = await come(lobby, BOB, SECRET)
        for _ in range(3):
            with pytest.raises(Said) as refused:
                await come_back(lobby.port, EVE)
            assert refused.value.refusal is Refusal.BUSY
        with pytest.raises(ChannelError, match="another player, who has the invite, took the seat"):
            await ann.connect()
        mine = await lobby.next()
        assert mine.proven.identity == BOB.public
        assert await works(mine, theirs)
        await close(lost, mine, theirs)


async def test_a_stranger_does_not_push_out_the_friend_who_is_being_welcomed(monkeypatch: pytest.MonkeyPatch) -> None:
    send, asked = p2p_schotten.net.handshake._send, trio.Event()
    refused = list[Refusal]()

    async def slow(stream: trio.abc.Stream, data: bytes) -> None:
        if data == bytes([Kind.WELCOME]):
            asked.set()
            while not refused:
                await trio.sleep(0.01)
        await send(stream, data)

    monkeypatch.setattr(p2p_schotten.net.handshake, "_send", slow)
    async with a_lobby() as lobby, trio.open_nursery() as nursery:
        lobby.expect(EVE.public, HOST)

        async def eve() -> None:
            await asked.wait()
            with pytest.raises(Said) as said_no:
                await come_back(lobby.port, EVE)
            refused.append(said_no.value.refusal)

        nursery.start_soon(eve)
        theirs, mine = await come(lobby, BOB, SECRET), await lobby.next()
        assert refused == [Refusal.BUSY]
        assert await works(mine, theirs)
        await close(mine, theirs)


async def test_a_connection_that_was_replaced_before_anybody_looked_is_not_given_out() -> None:
    async with a_lobby() as lobby:
        lobby.expect(BOB.public, HOST)
        theirs = await come_back(lobby.port, BOB)
        mine = await lobby.next()
        mine.closed.set()
        lobby.give_back(mine)
        with trio.move_on_after(0.05) as waited:
            await lobby.next()
        assert waited.cancelled_caught
        await close(mine, theirs)


async def test_what_the_guest_dials_takes_the_place_of_what_the_host_dialed() -> None:
    async with a_lobby() as lobby, open_lobby(BOB, bind=LOOPBACK, limits=QUICK) as his:
        his.expect(ANN.public, GUEST)
        async with seat(ANN, lobby=lobby, to=his.port) as ann:
            ann.expect()
            dialed, lost = await ann.connect(), await his.next()
            assert dialed.proven.identity == BOB.public
            assert await works(dialed, lost)
            dialed.settled = True
            assert await said(lobby, EVE, SECRET) is Refusal.BUSY
            theirs = await come_back(lobby.port, BOB)
            assert dialed.closed.is_set()
            mine = await lobby.next()
            assert await works(mine, theirs)
            await close(dialed, lost, mine, theirs)


async def test_what_the_host_dialed_holds_nobody_off_once_it_is_gone() -> None:
    async with a_lobby() as lobby, open_lobby(BOB, bind=LOOPBACK, limits=QUICK) as his:
        his.expect(ANN.public, GUEST)
        async with seat(ANN, lobby=lobby, to=his.port) as ann:
            ann.expect()
            dialed, lost = await ann.connect(), await his.next()
            dialed.settled = True
            await close(dialed, lost)
            theirs = await come(lobby, EVE, SECRET)
            mine = await lobby.next()
            assert await works(mine, theirs)
            await close(mine, theirs)


async def test_the_seat_in_the_game_is_kept_whoever_dials() -> None:
    async with a_lobby() as lobby:
        lobby.expect(BOB.public, GUEST)
        theirs = await dial(Target((Address(LOOPBACK, lobby.port),), ANN.public), BOB, resume=HOST, limits=QUICK)
        mine = await lobby.next()
        assert (mine.seat, theirs.seat) == (GUEST, HOST)
        await close(mine, theirs)


async def test_a_friend_with_the_invite_ends_the_wait_for_a_visitor_without_it_and_has_his_seat() -> None:
    async with a_lobby() as lobby, way_back(Parties(ANN, HOST, EVE.public), lobby=lobby, limits=QUICK) as way:
        way.expect()
        friend = list[Connection]()

        async def arrive() -> None:
            friend.append(await come(lobby, BOB, SECRET))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(arrive)
            with pytest.raises(ChannelError, match="another player, who has the invite, took the seat"):
                await way.connect()
        lobby.forget()
        with trio.fail_after(1):
            mine = await lobby.next()
        assert (mine.proven.identity, mine.proven.role, mine.proven.pinned) == (BOB.public, Role.DIAL, True)
        assert await works(mine, *friend)
        await close(mine, *friend)


# No connection is left open that nobody has


@pytest.mark.parametrize("stopped", [False, True])
async def test_of_two_that_come_at_one_moment_none_is_left_open_unused(
    monkeypatch: pytest.MonkeyPatch, stopped: bool
) -> None:
    mine, theirs = memory_pair()
    dialed, found, scope = connection_of(HOST, mine), list[Connection](), trio.CancelScope()
    async with a_lobby() as lobby, seat(ANN, lobby=lobby, to=9) as ann:
        ann.expect()
        arrived = lobby._arrived

        async def at_that_moment(target: Target, identity: Identity, **how: object) -> Connection:
            await arrived.wait()
            if stopped:
                scope.cancel()
            return dialed

        async def wait() -> None:
            with scope:
                found.append(await ann.connect())

        monkeypatch.setattr(p2p_schotten.net.reconnect, "dial", at_that_moment)
        monkeypatch.setattr(p2p_schotten.net.reconnect, "HEAD_START", 0)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(wait)
            await trio.sleep(0.05)
            came = await come_back(lobby.port, BOB)
        assert len(found) == (0 if stopped else 1)
        with trio.fail_after(1):
            if dialed not in found:
                assert await theirs.receive_some(1) == b""
            if dialed in found or stopped:
                await until_closed(came.stream)
        await close(came, *found)


async def test_a_dialing_that_is_stopped_at_the_moment_of_its_success_leaves_nothing_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scope, made = trio.CancelScope(), list[Connection]()

    def connection(stream: trio.abc.Stream, seat: Seat, proven: Proven, host: str) -> Connection:
        made.append(Connection(stream, seat, proven, host))
        scope.cancel()
        return made[0]

    async with a_lobby() as lobby:
        lobby.expect(BOB.public, HOST)
        monkeypatch.setattr(p2p_schotten.net.dial, "Connection", connection)
        with scope:
            await come_back(lobby.port, BOB)
        assert scope.cancelled_caught
        host_side = await lobby.next()
        with trio.fail_after(1):
            await until_closed(host_side.stream)
        with pytest.raises(trio.ClosedResourceError):
            await made[0].stream.send_all(b"still here")
        await close(host_side)
