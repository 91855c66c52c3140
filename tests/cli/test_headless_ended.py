"""A program that is asked to end in the middle of a match leaves whole files, and the match goes on where it stood."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from p2p_schotten.transcript import verify
from tests.cli.headless import Event, finish, first, games, resume, sit_down
from tests.cli.running import schotten, transcripts

MATCH = ("--match", "2", "--me", "uniform")


@pytest.mark.skipif(not hasattr(signal, "SIGTERM"), reason="no such signal here")
@pytest.mark.parametrize("signals", [1, 2])
def test_a_match_that_is_ended_in_its_second_game_is_whole_on_both_sides_and_goes_on(
    tmp_path: Path, signals: int
) -> None:
    """A second SIGTERM ends the program at once, without the good-bye."""
    ann, bob, invited = sit_down(tmp_path, MATCH, ("--me", "uniform"))
    happened: list[Event] = [invited]
    dealt = 0
    while dealt < 2 or happened[-1]["event"] != "played":
        happened.append(first(ann))
        dealt += happened[-1]["event"] == "dealt"
    for _number in range(signals):
        ann.send_signal(signal.SIGTERM)
    ended, left = finish(ann, happened), finish(bob) if signals == 1 else None
    assert ended.status == 4
    assert "interrupted" in ended.events[-1]["why"]
    if left is not None:
        assert left.status == 4
        assert left.one("lost")["why"] == "ann left"
    else:
        bob.kill()
        bob.communicate()
    for home in "ab":
        verdicts = [verify(path.read_bytes()) for path in transcripts(tmp_path / home)]
        assert [verdict.fault for verdict in verdicts] == [None, None]
        assert sorted(verdict.over for verdict in verdicts) == [False, True]
    one, two = resume(tmp_path)
    assert (one.status, two.status) == (0, 0), one.err + two.err
    assert [game.offer.match.number for game in games(tmp_path)] == [1, 2]
    done = schotten(tmp_path / "a", "verify", str(tmp_path / "a" / "games"))
    assert done.returncode == 0
    assert "games 1-2; one chain; The match is over" in done.stdout
