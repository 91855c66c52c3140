"""One seat when its connection is gone: what it keeps, how long it looks for the other, and what it says then."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from p2p_schotten.bots import make_bot
from p2p_schotten.cli.away import HEADLESS, OVER, STRANGER, Away, open_away
from p2p_schotten.cli.keyboard import Keyboard
from p2p_schotten.cli.player import Player
from p2p_schotten.errors import ChannelError, JournalError
from p2p_schotten.ids import SEATS
from p2p_schotten.net.connection import Connection
from p2p_schotten.net.invite import Address
from p2p_schotten.net.reconnect import Parties, WayBack, way_back
from p2p_schotten.standby import Standby, load_standby, standby_path
from p2p_schotten.ui.silent import SilentFront
from tests.net.game import connection_of
from tests.net.sides import ANN, BOB, memory_pair

HOST, GUEST = SEATS
PARTIES = Parties(ANN, HOST, BOB.public)
GAMES = bytes([1]) * 32, bytes([2]) * 32


def bot() -> Player:
    return Player(SilentFront(), make_bot("greedy", 1))


def person(*, terminal: bool = True) -> Player:
    """Somebody at a terminal, or a script on standard input."""
    return Player(SilentFront(), keyboard=Keyboard(trio.open_memory_channel[str](0)[1], terminal))


@pytest.mark.parametrize(
    ("player", "wait", "invited", "expected"),
    [
        (person(), None, True, None),
        (person(), 7.0, True, 7.0),
        (person(), 0.0, True, 0.0),
        (person(), None, False, STRANGER),
        (person(), 7.0, False, 7.0),
        (person(), 10 * STRANGER, False, STRANGER),
        (person(terminal=False), None, True, HEADLESS),
        (Player(SilentFront()), None, True, HEADLESS),
        (bot(), None, True, HEADLESS),
        (bot(), 500.0, True, 500.0),
    ],
)
async def test_who_can_end_the_waiting_waits_for_ever_and_nobody_for_a_stranger(
    player: Player, wait: float | None, invited: bool, expected: float | None
) -> None:
    async with open_away(PARTIES, player, wait, port=0, invited=invited) as away:
        assert away.wait == expected
        assert away.possible is (expected != 0)


async def test_a_key_is_kept_only_where_it_is_thrown_away(tmp_path: Path) -> None:
    for throwaway, kept in ((False, b""), (True, ANN.private_bytes())):
        async with open_away(PARTIES, bot(), None, port=7, throwaway=throwaway) as away:
            away.save(tmp_path, GAMES[throwaway], HOST, BOB.public)
            expected = Standby(kept, "greedy", 7, (), BOB.public)
            assert load_standby(standby_path(tmp_path, GAMES[throwaway], HOST)) == expected
            assert kept.hex() not in repr(away) or not kept


async def test_each_game_of_a_match_has_what_it_needs_to_go_on(tmp_path: Path) -> None:
    async with open_away(PARTIES, bot(), None, port=7, addresses=(Address("192.0.2.7", 4000),)) as away:
        for game in GAMES:
            away.save(tmp_path, game, HOST, BOB.public)
            expected = Standby(b"", "greedy", 7, ("192.0.2.7:4000",), BOB.public)
            assert load_standby(standby_path(tmp_path, game, HOST)) == expected


async def test_what_is_learnt_stands_on_the_disk_with_the_next_record_and_is_not_written_twice(tmp_path: Path) -> None:
    path = standby_path(tmp_path, GAMES[0], HOST)
    async with open_away(PARTIES, bot(), None, port=7) as away:
        away.save(tmp_path, GAMES[0], HOST, BOB.public)
        written = path.stat().st_ino
        away.save(tmp_path, GAMES[0], HOST, BOB.public)
        assert path.stat().st_ino == written
        away.learn("192.0.2.7", 4000)
        away.save(tmp_path, GAMES[0], HOST, BOB.public)
        assert load_standby(path).addresses == ("192.0.2.7:4000",)


async def test_what_cannot_be_saved_is_tried_again_with_the_next_record(tmp_path: Path) -> None:
    async with open_away(PARTIES, bot(), None, port=7) as away:
        home = tmp_path / "home"
        home.write_bytes(b"")
        with pytest.raises(JournalError):
            away.save(home, GAMES[0], HOST, BOB.public)
        home.unlink()
        (home / "seeds").mkdir(parents=True)
        away.save(home, GAMES[0], HOST, BOB.public)
        assert load_standby(standby_path(home, GAMES[0], HOST)).port == 7


async def test_where_nobody_can_come_back_the_seat_is_known_all_the_same(tmp_path: Path) -> None:
    away = Away(bot="greedy")
    assert not away.possible
    away.learn("192.0.2.7", 4000)
    away.save(tmp_path, GAMES[0], GUEST, ANN.public)
    assert load_standby(standby_path(tmp_path, GAMES[0], GUEST)) == Standby(b"", "greedy", 0, (), ANN.public)


# For how long


async def found_by(
    monkeypatch: pytest.MonkeyPatch, away: Away, *, after: float, over: bool, least: float = 0.0
) -> float | str:
    """When the other is found who comes after so many seconds, or what is said when he is not."""
    connection = connection_of(HOST, memory_pair()[0])

    async def connect(way: WayBack) -> Connection:
        await trio.sleep(after)
        return connection

    monkeypatch.setattr(WayBack, "connect", connect)
    begun = trio.current_time()
    try:
        assert await away.connect(over, least) is connection
    except ChannelError as error:
        return f"{error} after {trio.current_time() - begun:g}"
    return trio.current_time() - begun


NOBODY = "no way back was found: nobody came after {n}"


@pytest.mark.parametrize(
    ("wait", "limited", "over", "least", "longest"),
    [
        (7.0, False, False, 0.0, 7),
        (7.0, True, False, 0.0, 7),
        (7.0, False, True, 0.0, OVER),
        (100.0, True, True, 0.0, OVER),
        (7.0, True, True, 0.0, 7),
        (7.0, False, False, 90.0, 90),  # the agreed clock runs longer
        (7.0, True, False, 90.0, 7),  # but the player said for how long
        (None, False, True, 90.0, OVER),
    ],
)
async def test_the_other_is_looked_for_until_then_and_no_longer(
    autojump_clock: MockClock,
    monkeypatch: pytest.MonkeyPatch,
    wait: float | None,
    limited: bool,
    over: bool,
    least: float,
    longest: float,
) -> None:
    async with way_back(PARTIES, port=1) as way:
        away = Away(way, wait, limited=limited)
        assert await found_by(monkeypatch, away, after=longest - 1, over=over, least=least) == longest - 1
        said = await found_by(monkeypatch, away, after=longest + 1, over=over, least=least)
        assert said == NOBODY.format(n=f"{longest:g}")


async def test_who_waits_for_ever_does_so_until_he_leaves(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with way_back(PARTIES, port=1) as way:
        away = Away(way, None)
        assert await found_by(monkeypatch, away, after=1e6, over=False) == 1e6
        async with trio.open_nursery() as nursery:

            async def leave() -> None:
                await trio.sleep(1000)
                away.stop()

            nursery.start_soon(leave)
            said = await found_by(monkeypatch, away, after=1e6, over=False)
        assert said == NOBODY.format(n=1000)


async def test_why_he_could_not_be_reached_is_said(autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch) -> None:
    async with way_back(PARTIES, port=1) as way:
        way.why = "192.0.2.7:4000: no answer"
        said = await found_by(monkeypatch, Away(way, 1.0), after=2, over=False)
        assert said == "no way back was found: 192.0.2.7:4000: no answer after 1"
