"""What the player hears when the other side cheats or leaves: games with a hostile seat, driven by hand."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest
import trio

from p2p_schotten import home
from p2p_schotten.bots import make_bot
from p2p_schotten.cli.away import Away
from p2p_schotten.cli.game import Game
from p2p_schotten.cli.host import STRANGERS
from p2p_schotten.cli.player import Player
from p2p_schotten.cli.status import Failure, Status
from p2p_schotten.crypto.identity import Identity
from p2p_schotten.engine.move import Resign
from p2p_schotten.engine.view import View
from p2p_schotten.ids import SEATS, Seat
from p2p_schotten.journal import Journal
from p2p_schotten.net.connection import Connection
from p2p_schotten.net.dial import dial
from p2p_schotten.net.frames import Frame, Tag
from p2p_schotten.net.handshake import Refusal, Said
from p2p_schotten.net.invite import parse_target
from p2p_schotten.net.lobby import TOLD
from p2p_schotten.protocol.events import Finished
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind, Value, make_record
from p2p_schotten.transcript import verify
from p2p_schotten.ui.notice import Happening
from p2p_schotten.ui.silent import SilentFront
from tests.cli.running import LIMIT, ended, hosting, schotten, transcripts
from tests.net.game import Hand, connection_of, my_turn, peer_of, play_on, to_choose
from tests.net.sides import BOB, memory_pair

HOST, GUEST = SEATS


def game_of(seat: Seat, stream: trio.abc.Stream, folder: Path) -> Game:
    """A bot's game at that seat."""
    player = Player(SilentFront(), make_bot("uniform", 1))
    return Game(connection_of(seat, stream), peer_of(seat), Journal(folder, seat), player, folder, Away())


async def test_a_cheat_in_one_write_with_a_legal_move_ends_a_bots_game_with_status_3_and_the_evidence(
    tmp_path: Path,
) -> None:
    mine, theirs = memory_pair()
    game, bob = game_of(HOST, mine, tmp_path), Hand(GUEST, theirs)
    ends: list[Failure] = []

    async def run() -> None:
        with pytest.raises(Failure) as caught:
            await game.run()
        ends.append(caught.value)

    with trio.fail_after(30):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(run)
            await bob.go_on(my_turn)
            while my_turn(bob.peer):
                session = bob.peer.session
                bob.peer.play(play_on(bob.peer))
            body: list[Value] = [b"", [], [5], [], b"", bytes(32)]
            cheat = make_record(session.seq, session.head, GUEST, Kind.MOVE, body, session.game_id, BOB)
            records = [*bob.peer.frames(), cheat]
            await theirs.send_all(b"".join(Frame(Tag.RECORD, record).encode() for record in records))
            while await bob.next() is not None:
                pass
            await trio.aclose_forcefully(theirs)
    (failure,) = ends
    assert failure.status is Status.FAULT
    assert failure.message.startswith("bob broke the protocol: ")
    assert game.link.evidence is not None
    assert failure.hint == f"evidence: {game.link.evidence}"
    verdict = verify(game.link.evidence.read_bytes())
    assert verdict.fault is not None
    assert verdict.fault.blame == GUEST


class Full(SilentFront):
    """An output whose disk is full when the end is to be told."""

    def tell(self, happening: Happening, view: View | None) -> None:
        if isinstance(happening, Finished):
            raise OSError(errno.ENOSPC, "No space left on device")


async def test_who_wants_the_next_game_at_once_meets_a_player_to_whom_the_end_cannot_be_told(tmp_path: Path) -> None:
    mine, theirs = memory_pair()
    game, bob = game_of(HOST, mine, tmp_path), Hand(GUEST, theirs)
    game.player.front = Full()
    with trio.fail_after(30):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(game.run)
            await bob.go_on(lambda peer: peer.session.finished, lambda _peer: Resign())
            (last,) = bob.peer.frames()
            await theirs.send_all(Frame(Tag.RECORD, last).encode() + Frame(Tag.AGAIN).encode())
            while (frame := await bob.next()) is not None:
                if frame.tag is Tag.BYE:
                    await bob.send(Frame(Tag.BYE))
            await trio.aclose_forcefully(theirs)
    assert game.peer.session.finished
    assert game.after is None


# A real host, and visitors without the invite. In the first test it was started with --invited.


async def sit(address: str, name: str, until: Callable[[Peer], bool]) -> Connection:
    """A new player comes to host:port and plays honestly until that is so and the host has heard and answered it."""
    identity = Identity.generate()
    connection = await dial(parse_target(address), identity)
    hand = Hand(GUEST, connection.stream)
    hand.peer = Peer(GUEST, identity, name, None, os.urandom)
    await hand.go_on(until)
    await hand.speak()
    await hand.next()
    return connection


def said_hello(peer: Peer) -> bool:
    return len(peer.session.hellos) == 2


def committed(peer: Peer) -> bool:
    return len(peer.session.commits) == 2


def files(folder: Path) -> list[str]:
    """What a host's home holds besides its identity."""
    return sorted(
        str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() and path.name != "identity"
    )


def turned_away(out: str) -> list[str]:
    return [line for line in out.splitlines() if line.startswith("Turned away: ")]


def test_a_host_that_wants_it_takes_nobody_without_the_invite(tmp_path: Path) -> None:
    with hosting(tmp_path / "a", "--me", "greedy", "--invited") as (host, invite, address):
        for _again in range(2):
            stranger = schotten(tmp_path / "c", "join", address, "--me", "greedy", "--trust")
            assert stranger.returncode == 5
            why = "the host takes only players with an invite"
            assert stranger.stderr == f"schotten: {why}\n"
        friend = schotten(tmp_path / "b", "join", invite, "--me", "greedy")
        assert friend.returncode == 0
        code, out, _err = ended(host)
    assert code == 0
    assert turned_away(out) == [f"Turned away: {why}. Still waiting."]
    assert len(transcripts(tmp_path / "a")) == 1
    assert transcripts(tmp_path / "c") == []


def test_a_stranger_who_sits_still_does_not_keep_the_friend_out(tmp_path: Path) -> None:
    with hosting(tmp_path / "a", "--me", "greedy") as (host, invite, address):
        guests: list[int] = []

        async def squat() -> None:
            connection = await sit(address, "Bob", said_hello)
            done = await trio.to_thread.run_sync(schotten, tmp_path / "b", "join", invite, "--me", "greedy")
            guests.append(done.returncode)
            await connection.aclose()

        trio.run(squat)
        assert guests == [0]
        code, out, _err = ended(host)
    assert code == 0
    assert len(turned_away(out)) == 1


def test_a_stranger_who_leaves_a_game_that_was_begun_ends_nobodys_waiting(tmp_path: Path) -> None:
    with hosting(tmp_path / "a", "--me", "greedy") as (host, invite, address):

        async def leave() -> None:
            await (await sit(address, "Bob", committed)).aclose()

        trio.run(leave)
        friend = schotten(tmp_path / "b", "join", invite, "--me", "greedy", "--name", "carl")
        assert friend.returncode == 0
        code, out, _err = ended(host)
    assert code == 0
    (line,) = turned_away(out)
    assert line.startswith("Turned away: the game stands unfinished: the connection to Bob is gone; ")
    assert line.endswith(" took the seat. Still waiting.")
    known = schotten(tmp_path / "a", "keys", "list").stdout
    assert "carl" in known
    assert "Bob" not in known, "no card was dealt to him"


def test_an_invited_friend_who_leaves_a_game_that_was_begun_ends_it(tmp_path: Path) -> None:
    with hosting(tmp_path / "a", "--me", "greedy", "--wait", "0") as (host, invite, _address):

        async def leave() -> None:
            await (await sit(invite, "Bob", committed)).aclose()

        trio.run(leave)
        code, out, err = ended(host)
    assert code == 4
    assert "schotten: the game stands unfinished: the connection to Bob is gone" in err.splitlines()
    assert turned_away(out) == []


def test_strangers_who_come_and_go_leave_no_files_and_few_lines_and_an_invite_is_needed_in_the_end(
    tmp_path: Path,
) -> None:
    with hosting(tmp_path / "a", "--me", "greedy") as (host, invite, address):
        refused: list[Refusal] = []

        async def come_and_go() -> None:
            with trio.fail_after(LIMIT):
                while Refusal.SECRET_NEEDED not in refused:
                    try:
                        await (await sit(address, f"Bob {len(refused)}", said_hello)).aclose()
                    except Said as said:  # busy: the host has not noticed yet that the one before is gone
                        refused.append(said.refusal)
                        await trio.sleep(0.05)

        trio.run(come_and_go)
        assert files(tmp_path / "a") == []
        friend = schotten(tmp_path / "b", "join", invite, "--me", "greedy")
        assert friend.returncode == 0
        code, out, _err = ended(host)
    assert code == 0
    lines = turned_away(out)
    assert (
        lines.count(f"Turned away: {STRANGERS} came without the invite, from now on it is needed. Still waiting.") == 1
    )
    assert STRANGERS < len(lines) <= STRANGERS + TOLD + 1
    assert len(transcripts(tmp_path / "a")) == 1


async def test_a_list_of_players_that_is_full_is_said_and_ends_no_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(home, "MAX_KNOWN", 10)
    mine, theirs = memory_pair()
    game, bob = game_of(HOST, mine, tmp_path), Hand(GUEST, theirs)
    game.folder = tmp_path
    with trio.fail_after(30):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(game.run)
            await bob.go_on(lambda peer: bool(peer.choices()))
            bob.peer.play(Resign())
            await bob.go_on(lambda peer: peer.session.finished)
            await bob.speak()
            while await bob.next() is not None:
                pass
            await trio.aclose_forcefully(theirs)
    assert game.peer.session.finished
    assert "bob is not remembered: " in capsys.readouterr().err
    assert not (tmp_path / "known.json").exists()


async def test_a_flood_of_talk_is_shown_in_part_and_that_is_said_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine, theirs = memory_pair()
    game, bob = game_of(HOST, mine, tmp_path), Hand(GUEST, theirs)

    async def run() -> None:
        with pytest.raises(Failure):
            await game.run()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(run)
        await bob.go_on(to_choose)
        await bob.speak()
        await theirs.send_all(Frame(Tag.CHAT, b"again").encode() * 100 + Frame(Tag.BYE).encode())
        while await bob.next() is not None:
            pass
        await trio.aclose_forcefully(theirs)
    assert capsys.readouterr().err == "bob writes more than anybody can read: some of it is not shown.\n"
