"""Strangers on the port of a host that takes all: its memory stays within 64 MiB of idle, and the friend plays on."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import trio

from p2p_schotten.crypto.identity import Identity
from p2p_schotten.engine.move import Resign
from p2p_schotten.ids import SEATS
from p2p_schotten.net.dial import dial
from p2p_schotten.net.frames import Frame, Tag
from p2p_schotten.net.invite import parse_target
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.transcript import verify
from tests.adversaries.flood import BEARABLE, MEBIBYTE, flood
from tests.adversaries.strangers import BOUND, STRANGERS, Process, besieged, visit
from tests.cli.running import ended, hosting, start, transcripts
from tests.net.game import Hand

SHARE = 1.0  # seconds that each stranger of the short test may take for his one visit
BEFORE = 12.0  # seconds of strangers before the friend comes: longer than anybody may stand at the door
GAMES = 3


def port_of(address: str) -> int:
    return int(address.rpartition(":")[2])


def test_there_are_strangers_of_every_kind() -> None:
    assert len(STRANGERS) > 30


def test_strangers_before_the_friend_comes_cost_little_memory_and_leave_the_door_open(tmp_path: Path) -> None:
    with hosting(tmp_path / "a", "--me", "greedy") as (host, invite, address):
        process = Process(host.pid)

        async def come() -> None:
            async with trio.open_nursery() as nursery:
                for stranger in STRANGERS.values():
                    nursery.start_soon(visit, stranger, port_of(address), SHARE)
            process.look()
            friend = await dial(parse_target(invite), Identity.generate())
            await trio.aclose_forcefully(friend.stream)

        trio.run(come)
        assert host.poll() is None
    print(f"{process.above_idle / 2**20:.1f} MiB above idle ({process.idle / 2**20:.1f} MiB)")
    assert process.above_idle <= BOUND


def test_strangers_before_during_and_between_games_cost_little_memory_and_end_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with hosting(tmp_path / "a", "--me", "greedy", "--match", str(GAMES)) as (host, invite, address):
        process = Process(host.pid)

        async def play() -> None:
            async with besieged(port_of(address), process, crowd=True):
                await trio.sleep(BEFORE)
            async with besieged(port_of(address), process, crowd=False):
                friend = start(tmp_path / "b", "join", invite, "--me", "uniform")
                assert (await trio.to_thread.run_sync(ended, friend))[0] == 0
            process.look()

        trio.run(play)
        code, out, _err = ended(host)
    assert code == 0, out
    games = transcripts(tmp_path / "a")
    assert len(games) == GAMES
    assert all(verify(path.read_bytes()).over for path in games)
    assert [path.read_bytes() for path in games] == [path.read_bytes() for path in transcripts(tmp_path / "b")]
    with capsys.disabled():
        print(f"\n{process.above_idle / 2**20:.1f} MiB above idle ({process.idle / 2**20:.1f} MiB), {len(games)} games")
    assert process.above_idle <= BOUND


def test_a_player_who_floods_costs_little_memory_and_loses_no_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The friend himself, in the game: PINGs, PONGs and talk without end, and then he resigns."""
    with hosting(tmp_path / "a", "--me", "greedy") as (host, invite, _address):
        process = Process(host.pid)
        identity = Identity.generate()

        async def play() -> None:
            connection = await dial(parse_target(invite), identity)
            hand = Hand(SEATS[1], connection.stream)
            hand.peer = Peer(SEATS[1], identity, "bob", None, os.urandom)
            await hand.go_on(lambda peer: bool(peer.choices()))
            for data in BEARABLE.values():
                assert not (await flood(connection.stream, data, MEBIBYTE)).closed
                process.look()
            hand.peer.play(Resign())
            await hand.go_on(lambda peer: peer.session.finished)
            await hand.speak()
            process.look()
            await hand.send(Frame(Tag.BYE))
            while await hand.next() is not None:
                pass
            await trio.aclose_forcefully(connection.stream)

        trio.run(play)
        code, _out, _err = ended(host)
    assert code == 0
    (game,) = transcripts(tmp_path / "a")
    assert verify(game.read_bytes()).over
    with capsys.disabled():
        print(f"\n{process.above_idle / 2**20:.1f} MiB above idle ({process.idle / 2**20:.1f} MiB) under a flood")
    assert process.above_idle <= BOUND
