"""Two peers over TLS on loopback, with the journals that a player would have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import trio

from p2p_schotten.engine.move import Move
from p2p_schotten.journal import Journal
from p2p_schotten.net.connection import Connection
from p2p_schotten.net.dial import dial
from p2p_schotten.net.invite import parse_target
from p2p_schotten.net.limits import DEFAULT_LIMITS
from p2p_schotten.net.link import Link
from p2p_schotten.net.lobby import open_lobby
from p2p_schotten.net.told import Told
from p2p_schotten.protocol.events import Offered, YourTurn
from p2p_schotten.protocol.file import read_file
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import read_record
from tests.net.game import GUEST, HOST, Player, peer_of, play_on, play_out, resign_after
from tests.net.sides import ANN, BOB, SECRET


async def one_side(connection: Connection, peer: Peer, home: Path, choose: Callable[[Peer], Move] = play_on) -> Path:
    """A seat that plays to the end with its real journal."""
    journal = Journal(home, connection.seat)
    link = Link(connection, peer, journal)

    async def deliver(event: Told) -> None:
        if isinstance(event, Offered):
            await link.accept()
        if isinstance(event, YourTurn):
            await link.play(choose(peer))

    await link.run(deliver)
    journal.close()
    assert journal.path is not None
    return journal.path


async def test_a_whole_game_over_tls_on_loopback_leaves_two_equal_journals(tmp_path: Path) -> None:
    paths: list[Path] = []
    peers: list[Peer] = [peer_of(HOST), peer_of(GUEST)]
    async with open_lobby(ANN, secret=SECRET, bind="127.0.0.1") as lobby:

        async def guest() -> None:
            paths.append(await one_side(await dial(parse_target(lobby.invite()), BOB), peers[1], tmp_path / "bob"))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(guest)
            paths.append(await one_side(await lobby.next(), peers[0], tmp_path / "ann"))
    first, second = (path.read_bytes() for path in paths)
    assert first == second
    items = read_file(first).items
    assert [read_record(item).seq for item in items] == list(range(len(items)))
    for peer in peers:
        assert peer.session.finished
        assert peer.session.outcome is not None
    assert peers[0].session.state == peers[1].session.state


async def test_both_ends_part_politely_again_and_again() -> None:
    patient = replace(DEFAULT_LIMITS, linger=20.0)
    async with open_lobby(ANN, bind="127.0.0.1") as lobby:
        for _ in range(4):
            guest_side = await dial(parse_target(f"127.0.0.1:{lobby.port}"), BOB)
            host_side = await lobby.next()
            ann = Player(HOST, host_side.stream, resign_after(0), limits=patient)
            bob = Player(GUEST, guest_side.stream, resign_after(0), limits=patient)
            start = trio.current_time()
            await play_out(ann, bob)
            assert (ann.error, bob.error) == (None, None)
            assert trio.current_time() - start < patient.linger / 2, "somebody waited for the other to hang up"
            await host_side.aclose()
