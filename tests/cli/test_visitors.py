"""What the player hears when the other side cheats or leaves: games with a hostile seat, driven by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from p2p_schotten.bots import make_bot
from p2p_schotten.cli.game import Game, Player
from p2p_schotten.cli.status import Failure, Status
from p2p_schotten.ids import SEATS, Seat
from p2p_schotten.journal import Journal
from p2p_schotten.net.frames import Frame, Tag
from p2p_schotten.protocol.record import Kind, Value, make_record
from p2p_schotten.transcript import verify
from p2p_schotten.ui.silent import SilentFront
from tests.net.game import Hand, connection_of, my_turn, peer_of, play_on
from tests.net.sides import BOB, memory_pair

HOST, GUEST = SEATS


def game_of(seat: Seat, stream: trio.abc.Stream, home: Path) -> Game:
    """A bot's game at that seat."""
    player = Player(SilentFront(), make_bot("uniform", 1))
    return Game(connection_of(seat, stream), peer_of(seat), Journal(home, seat), player)


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
