"""Who gets the seat: the invited before the uninvited, one of many, and nobody once a game exists."""

from __future__ import annotations

from dataclasses import replace

import pytest
import trio

from p2p_schotten.crypto.identity import Identity
from p2p_schotten.errors import ChannelError, Refused
from p2p_schotten.ids import SEATS
from p2p_schotten.net import handshake
from p2p_schotten.net.connection import Connection
from p2p_schotten.net.dial import dial
from p2p_schotten.net.handshake import Refusal, Said
from p2p_schotten.net.invite import Address, Target, parse_target
from p2p_schotten.net.lobby import Lobby, open_lobby
from tests.attacks import CHANNEL, report
from tests.net.sides import ANN, BOB, EVE, QUICK, SECRET
from tests.net.visits import LOOPBACK, a_lobby, come, said, until_closed, works


async def test_the_secret_binds_to_the_first_identity_that_proves_it() -> None:
    async with a_lobby() as lobby:
        guest = await come(lobby, BOB, SECRET)
        host = await lobby.next()
        assert host.proven.pinned
        assert lobby.bound_to == BOB.public
        assert await said(lobby, EVE, SECRET) is Refusal.SECRET_USED
        assert await said(lobby, EVE, None) is Refusal.RESERVED
        report(CHANNEL, "connection refused (`SECRET_USED`)")
        await guest.aclose()
        await host.aclose()
        assert await said(lobby, EVE, SECRET) is Refusal.SECRET_USED
        again = await come(lobby, BOB, SECRET)
        assert (await lobby.next()).proven.identity == BOB.public
        await again.aclose()


async def test_nobody_without_the_invite_takes_the_seat_of_a_player_who_is_on_his_way_back() -> None:
    """Also where that player came without it himself. The one whom the host waited for has it, and may."""
    async with a_lobby() as lobby:
        guest = await come(lobby, BOB, None)
        host = await lobby.next()
        lobby.expect(BOB.public, SEATS[0])
        await guest.aclose()
        await host.aclose()
        assert await said(lobby, EVE, None) is Refusal.BUSY
        assert await said(lobby, EVE, b"another 16 bytes") is Refusal.SECRET_WRONG
        friend = await come(lobby, EVE, SECRET)
        assert (await lobby.next()).proven.pinned
        await friend.aclose()


async def test_a_wrong_secret_binds_nothing() -> None:
    async with a_lobby() as lobby:
        assert await said(lobby, EVE, b"another 16 bytes") is Refusal.SECRET_WRONG
        assert lobby.bound_to is None
        guest = await come(lobby, BOB, SECRET)
        assert (await lobby.next()).proven.identity == BOB.public
        await guest.aclose()


async def test_before_the_secret_is_proven_somebody_without_it_may_come_and_is_not_pinned() -> None:
    async with a_lobby() as lobby:
        guest = await come(lobby, EVE, None)
        host = await lobby.next()
        assert (host.proven.identity, host.proven.pinned) == (EVE.public, False)
        await guest.aclose()
        await host.aclose()
        friend = await come(lobby, BOB, SECRET)
        assert (await lobby.next()).proven.pinned
        await friend.aclose()


async def test_who_proves_the_secret_displaces_a_visitor_without_it_as_long_as_no_game_exists() -> None:
    async with a_lobby() as lobby:
        squatter = await come(lobby, EVE, None)
        host = await lobby.next()
        friend = await come(lobby, BOB, SECRET)
        host_again = await lobby.next()
        assert (host_again.proven.identity, host_again.proven.pinned) == (BOB.public, True)
        assert host.closed.is_set()
        with trio.fail_after(3):
            await until_closed(squatter.stream)
        await squatter.aclose()
        assert await works(host_again, friend)
        assert await said(lobby, EVE, None) is Refusal.RESERVED
        await friend.aclose()


async def test_a_visitor_whom_the_host_has_not_yet_met_is_displaced_too() -> None:
    async with a_lobby() as lobby:
        squatter = await come(lobby, EVE, None)
        friend = await come(lobby, BOB, SECRET)
        assert (await lobby.next()).proven.identity == BOB.public
        await squatter.aclose()
        await friend.aclose()


async def test_a_visitor_who_does_not_read_his_welcome_does_not_keep_the_friend_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = handshake._send
    stuck = trio.Event()

    async def send(stream: trio.abc.Stream, data: bytes) -> None:
        if data == bytes([handshake.Kind.WELCOME]) and not stuck.is_set():
            stuck.set()
            await trio.sleep_forever()
        await real(stream, data)

    monkeypatch.setattr(handshake, "_send", send)
    async with a_lobby(limits=replace(QUICK, handshake=20.0)) as lobby, trio.open_nursery() as nursery:

        async def squat() -> None:
            with pytest.raises(ChannelError):
                await come(lobby, EVE, None)

        nursery.start_soon(squat)
        with trio.fail_after(5):
            await stuck.wait()
            friend = await come(lobby, BOB, SECRET)
            assert (await lobby.next()).proven.identity == BOB.public
        await friend.aclose()


async def test_a_game_with_a_visitor_that_both_committed_to_is_not_broken_up() -> None:
    async with a_lobby() as lobby:
        visitor = await come(lobby, EVE, None)
        host = await lobby.next()
        host.settled = True
        assert await said(lobby, BOB, SECRET) is Refusal.BUSY
        assert await works(host, visitor)
        await visitor.aclose()
        await host.aclose()
        friend = await come(lobby, BOB, SECRET)
        assert (await lobby.next()).proven.pinned
        await friend.aclose()


async def test_a_lobby_can_come_to_take_invited_players_only() -> None:
    async with a_lobby() as lobby:
        lobby.take_invited_only()
        assert await said(lobby, EVE, None) is Refusal.SECRET_NEEDED
        friend = await come(lobby, BOB, SECRET)
        assert (await lobby.next()).proven.pinned
        await friend.aclose()


async def test_a_lobby_for_invited_players_only_takes_nobody_without_the_secret() -> None:
    async with a_lobby(invited_only=True) as lobby:
        assert await said(lobby, EVE, None) is Refusal.SECRET_NEEDED
        guest = await come(lobby, BOB, SECRET)
        assert (await lobby.next()).proven.identity == BOB.public
        await guest.aclose()


async def test_a_friend_who_drops_before_the_deal_may_come_again_even_if_the_host_has_not_noticed() -> None:
    async with a_lobby() as lobby:
        first = await come(lobby, BOB, SECRET)
        host = await lobby.next()
        second = await come(lobby, BOB, SECRET)
        host_again = await lobby.next()
        assert host_again is not host
        assert host.closed.is_set()
        await until_closed(first.stream)
        assert await works(host_again, second)
        await second.aclose()
        await first.aclose()


async def test_once_a_game_exists_also_its_own_player_is_told_that_the_host_is_busy() -> None:
    async with a_lobby() as lobby:
        guest = await come(lobby, BOB, SECRET)
        host = await lobby.next()
        host.settled = True
        assert await said(lobby, BOB, SECRET) is Refusal.BUSY
        assert await works(host, guest)
        await guest.aclose()


async def test_without_a_secret_a_second_player_is_told_that_the_host_is_busy() -> None:
    async with a_lobby(secret=None) as lobby:
        guest = await come(lobby, BOB, None)
        host = await lobby.next()
        assert await said(lobby, EVE, None) is Refusal.BUSY
        assert await works(host, guest)
        await host.aclose()
        await guest.aclose()
        other = await come(lobby, EVE, None)
        assert (await lobby.next()).proven.identity == EVE.public
        await other.aclose()


@pytest.mark.parametrize("secret", [SECRET, None])
async def test_of_many_who_come_at_once_exactly_one_gets_the_seat(secret: bytes | None) -> None:
    guests = [Identity.generate(bytes([number]) * 32) for number in range(40, 48)]
    seated: list[Connection] = []
    refused: list[Refusal] = []

    async def try_it(lobby: Lobby, identity: Identity) -> None:
        try:
            seated.append(await come(lobby, identity, secret))
        except Said as error:
            refused.append(error.refusal)

    async with a_lobby(secret=secret) as lobby:
        async with trio.open_nursery() as nursery:
            for identity in guests:
                nursery.start_soon(try_it, lobby, identity)
        assert len(seated) == 1
        assert set(refused) <= {Refusal.SECRET_USED, Refusal.BUSY}
        assert len(refused) == len(guests) - 1
        assert await works(await lobby.next(), seated[0])
        await seated[0].aclose()


async def test_a_version_mismatch_is_told_to_the_host_and_to_the_guest() -> None:
    told: list[Refused] = []
    async with open_lobby(ANN, bind=LOOPBACK, limits=QUICK, tell=told.append) as lobby:
        target = Target((Address(LOOPBACK, lobby.port),))
        for _ in range(3):
            with pytest.raises(Refused, match="you speak 2-3, your peer speaks 1: your peer needs a newer version"):
                await dial(target, BOB, versions=(2, 3), limits=QUICK)
        await trio.sleep(0.05)
        assert [str(refused) for refused in told] == ["you speak 1, your peer speaks 2-3: you need a newer one"]


async def test_the_invite_of_the_lobby_leads_to_it() -> None:
    async with a_lobby() as lobby:
        target = parse_target(lobby.invite())
        assert target == Target((Address(LOOPBACK, lobby.port),), ANN.public, SECRET)


async def test_what_the_block_raises_comes_out_as_it_is() -> None:
    with pytest.raises(KeyError, match="mine"):
        async with a_lobby():
            raise KeyError("mine")
