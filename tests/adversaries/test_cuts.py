"""A game over connections that are cut goes on, quickly, and ends alike at both seats; who is silent is told of."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
import trio

from p2p_schotten.engine.rulesets import RULESETS
from p2p_schotten.net.invite import Address, parse_target, write_invite
from p2p_schotten.transcript import verify
from tests.adversaries.cut_games import BEGUN, Played, cutting, play
from tests.adversaries.proxy import LOOPBACK, Cut, Faults, in_turn, open_proxy
from tests.cli.running import ended, hosting, start, transcripts

FEW = 3  # moves of each seat, then it resigns
QUICKLY = 2.0  # seconds from a cut on loopback to the same game over another connection
BASE = 0  # number of a base game


def check_good(played: Played) -> None:
    assert played.wrong == []
    assert played.records > 0


async def cut_once(folder: Path, cut: Cut, after: int, away: float = 0.0) -> Played:
    played = await play(BASE, folder, in_turn(Faults(cut=cut, after=after, away=away)), last=FEW)
    check_good(played)
    assert played.cuts == {cut: 1}
    return played


async def test_after_a_cut_both_stand_equal_again_within_two_seconds(tmp_path: Path) -> None:
    played = await cut_once(tmp_path, Cut.RST, 30_000)
    assert len(played.back) == 2
    assert max(played.back) <= QUICKLY


@pytest.mark.parametrize("cut", [Cut.FIN, Cut.RST])
@pytest.mark.parametrize("after", [BEGUN, 20_000, 31_000, 33_000])
async def test_it_does_so_wherever_the_cut_comes(tmp_path: Path, cut: Cut, after: int) -> None:
    played = await cut_once(tmp_path, cut, after)
    assert len(played.back) == 2
    assert max(played.back) <= QUICKLY


async def test_a_way_that_is_gone_for_a_while_is_tried_again(tmp_path: Path) -> None:
    played = await cut_once(tmp_path, Cut.RST, 30_000, away=1.5)
    assert len(played.back) == 2


async def test_a_connection_that_falls_silent_is_told_of_after_ten_seconds_and_another_one_found(
    tmp_path: Path,
) -> None:
    played = await cut_once(tmp_path, Cut.HALF_OPEN, 30_000)
    assert played.silent == [10.0, 10.0]
    assert len(played.back) == 2


async def test_a_game_that_is_cut_by_chance_ends_alike_at_both_seats(tmp_path: Path) -> None:
    played = await play(BASE, tmp_path, cutting(Random(7), (Cut.FIN, Cut.RST)), last=FEW)
    check_good(played)
    assert played.cuts.total() >= 1
    assert played.resumes >= 1


@pytest.mark.parametrize("number", range(len(RULESETS)))
async def test_a_game_of_every_ruleset_does(tmp_path: Path, number: int) -> None:
    check_good(await play(number, tmp_path, cutting(Random(number), (Cut.FIN, Cut.RST))))


@pytest.mark.parametrize("cut", [Cut.FIN, Cut.RST])
def test_two_programs_go_on_after_a_cut_and_leave_the_same_file(tmp_path: Path, cut: Cut) -> None:
    """The real programs; the invite names the proxy only."""
    with hosting(tmp_path / "a", "--me", "greedy") as (host, invite, address):
        target = parse_target(invite)
        assert target.key is not None
        assert target.secret is not None

        async def join(key: bytes, secret: bytes) -> tuple[int, str, str]:
            async with open_proxy(int(address.rpartition(":")[2]), in_turn(Faults(cut=cut, after=40_000))) as proxy:
                through = write_invite(key, secret, (Address(LOOPBACK, proxy.port),))
                guest = await trio.to_thread.run_sync(start, tmp_path / "b", "join", through, "--me", "uniform")
                done = await trio.to_thread.run_sync(ended, guest)
                assert proxy.cuts == {cut: 1}
                return done

        guest_code, guest_out, guest_err = trio.run(join, target.key, target.secret)
        host_code, host_out, _err = ended(host)
    assert (host_code, guest_code) == (0, 0), guest_err
    (mine,), (theirs,) = transcripts(tmp_path / "a"), transcripts(tmp_path / "b")
    assert mine.read_bytes() == theirs.read_bytes()
    verdict = verify(mine.read_bytes())
    assert verdict.over
    assert len(verdict.sealed) + len(verdict.revealed) == 4
    for out in (host_out, guest_out):
        assert "Trying to reach him again; the game is saved." in out
        assert "is there again: the game goes on after" in out
