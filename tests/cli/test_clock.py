"""The clock of a turn, moved by hand: whose time runs, when it is up, and what is remembered of an absence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import pytest

from p2p_schotten.cli.clock import TurnClock
from p2p_schotten.engine.state import Phase
from p2p_schotten.ids import SEATS, other
from p2p_schotten.net.asleep import SLEPT, lasting_seconds
from p2p_schotten.protocol.absent import Lapse
from p2p_schotten.protocol.advance import Proofs, advance
from p2p_schotten.protocol.messages import Options
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind
from p2p_schotten.protocol.session import Session
from p2p_schotten.ui.notice import TimeShort, TimeUp
from tests.protocol.courses import new_pair, resigning
from tests.protocol.pair import first_choice

ANN, BOB = SEATS
CLOCK = 60


@cache
def game(clock: int | None = CLOCK) -> tuple[Session, ...]:
    """The sessions after each record of a game that ann begins and that is given up in the fifth turn or so."""
    return sessions_of(new_pair(5, Peer, options=Options(ANN, "", clock)).play(resigning(first_choice, 8)).records)


@cache
def long_game() -> tuple[Session, ...]:
    """The same of a game that is played until somebody may claim."""
    return sessions_of(new_pair(5, Peer, options=Options(ANN, "", CLOCK)).play(resigning(first_choice, 40)).records)


def sessions_of(records: Sequence[bytes]) -> tuple[Session, ...]:
    """Before the first of these records and after each of them."""
    sessions = [Session()]
    for record in records:
        sessions.append(advance(sessions[-1], record, proofs=Proofs.NONE))
    return tuple(sessions)


class Table:
    """One clock of `me` in that game, and the time, which passes when a test says so."""

    def __init__(self, me: int, clock: int | None = CLOCK, sessions: tuple[Session, ...] = ()) -> None:
        self.time = 1000.0
        self.me = SEATS[me]
        self.sessions = sessions or game(clock)
        self.at = 0
        self.clock = TurnClock(self.me, now=lambda: self.time)

    @property
    def session(self) -> Session:
        return self.sessions[self.at]

    def step(self) -> None:
        """One more record."""
        self.at += 1
        self.clock.kept(self.session)

    def turn(self, count: int, *, waited: int) -> None:
        """To the first position of the turn of that number in which the next record is that seat's."""
        while True:
            state = self.session.state
            if state is not None and state.ply == count and self.session.speaker == waited:
                return
            self.step()

    def wait(self, seconds: float, *, running: bool = True) -> None:
        """Time passes; the program looks at the clock meanwhile, unless it is not running."""
        end = self.time + seconds
        while running and end - self.time > 2.0:
            self.time += 2.0
            self.clock.tick()
        self.time = end


def test_my_turn_warns_once_and_ends_once() -> None:
    table = Table(ANN)
    table.turn(0, waited=ANN)
    table.wait(49.9)
    assert table.clock.news() == ()
    table.wait(0.1)
    assert table.clock.news() == (TimeShort(10),)
    table.wait(9.9)
    assert table.clock.news() == ()
    table.wait(0.1)
    assert table.clock.news() == (TimeUp(ANN, 60),)
    table.wait(1000.0)
    assert table.clock.news() == ()
    assert table.clock.left == math.inf  # I may not record a win in a turn of mine


def test_the_other_has_the_tolerance_on_top_and_then_i_may_record() -> None:
    table = Table(BOB)
    table.turn(0, waited=ANN)
    table.wait(60.0)
    assert (table.clock.news(), table.clock.left) == ((), 5.0)
    table.wait(4.9)
    assert table.clock.news() == ()
    assert table.clock.left == pytest.approx(0.1)
    table.wait(0.1)
    assert table.clock.left <= 1e-9
    table.wait(0.1)
    assert table.clock.news() == (TimeUp(ANN, 60),)
    assert table.clock.news() == ()
    assert table.clock.waiting == pytest.approx(65.1)


def test_the_decisions_of_one_turn_share_its_time_and_the_next_turn_has_its_own() -> None:
    table = Table(BOB)
    table.turn(0, waited=ANN)
    spent = 0.0
    while table.session.state is not None and table.session.state.ply == 0:
        if table.session.speaker == ANN:
            table.wait(20.0)
            spent += 20.0
            assert table.clock.used(ANN) == pytest.approx(spent)
        table.step()
    assert spent >= 40.0  # shares and a play
    assert (table.clock.used(ANN), table.clock.used(BOB)) == (0.0, 0.0)
    table.turn(1, waited=BOB)
    table.wait(60.0)
    assert table.clock.news() == (TimeUp(BOB, 60),)


def test_who_has_played_and_still_may_claim_has_no_new_time_for_that() -> None:
    table = Table(BOB, sessions=long_game())
    while (state := table.session.state) is None or state.phase is not Phase.CLAIM or state.turn != ANN:
        table.step()
        state = table.session.state
        if state is not None and state.phase is Phase.PLAY and table.session.due() == (ANN, Kind.MOVE):
            table.wait(70.0)
            assert table.clock.news() == (TimeUp(ANN, 60),)
    assert table.session.speaker == ANN, "her claim, behind the play for which she took 70 s"
    assert table.clock.used(ANN) == pytest.approx(70.0)
    assert table.clock.left <= 0.0
    assert table.clock.news() == (), "it was told in this turn"


def test_without_a_clock_nothing_is_ever_up() -> None:
    for me in SEATS:
        table = Table(me, None)
        table.turn(0, waited=ANN)
        table.wait(1e6, running=False)
        assert (table.clock.news(), table.clock.left, table.clock.clock) == ((), math.inf, None)
        table.clock.cut()
        table.wait(1e6, running=False)
        assert (table.clock.news(), table.clock.left) == ((), math.inf)


def test_nothing_is_measured_before_both_have_committed_or_after_the_end() -> None:
    table = Table(ANN)
    while len(table.session.commits) < len(SEATS):
        table.wait(1000.0)
        assert (table.clock.news(), table.clock.left, table.clock.open) == ((), math.inf, False)
        table.step()
    assert table.clock.open
    while table.session.outcome is None:
        table.step()
    table.wait(1000.0)
    assert (table.clock.news(), table.clock.left, table.clock.open) == ((), math.inf, False)


def test_a_peer_that_leaves_while_the_deck_is_shuffled_is_absent_too() -> None:
    table = Table(ANN)
    while len(table.session.commits) < len(SEATS) or table.session.speaker != BOB:
        table.step()
    assert table.session.due() == (BOB, Kind.OPEN)
    table.wait(65.1)
    assert table.clock.news() == (TimeUp(BOB, 60),)


@pytest.mark.parametrize("me", SEATS)
def test_he_who_is_gone_is_absent_whoever_is_to_move(me: int) -> None:
    table = Table(me)
    table.turn(0, waited=ANN)
    table.clock.cut()
    table.wait(64.9)
    table.clock.cut()  # a second attempt fails too: the time is counted from the first cut
    assert table.clock.news() == ()
    table.wait(0.2)
    assert table.clock.news() == (TimeUp(other(SEATS[me]), 60),)
    assert table.clock.left < 0


def test_while_the_connection_is_gone_my_own_time_is_not_up() -> None:
    table = Table(ANN)
    table.turn(0, waited=ANN)
    table.clock.cut()
    table.wait(60.1)
    assert table.clock.news() == ()


def test_a_turn_that_is_taken_up_again_begins_anew_and_what_was_is_remembered() -> None:
    table = Table(ANN)
    table.turn(0, waited=ANN)
    head = table.session.head
    table.wait(70.0)
    table.clock.cut()
    table.wait(8.0)
    table.clock.joined()
    assert table.clock.used(ANN) == 0.0
    assert table.clock.lapse(head) == Lapse(70.0, 0.0)
    table.wait(59.5)
    assert TimeUp(ANN, 60) not in table.clock.news()
    table.wait(0.5)
    assert table.clock.news() == (TimeUp(ANN, 60),)
    assert table.clock.lapse(head) == Lapse(70.0, 0.0)  # the longest stretch


def test_a_cut_in_my_turn_is_no_absence_of_mine_so_nobody_wins_by_pulling_the_cable() -> None:
    table = Table(ANN)
    table.turn(0, waited=ANN)
    table.wait(12.0)
    table.clock.cut()
    table.wait(3600.0)
    assert table.clock.lapse(table.session.head) == Lapse(12.0, 0.0)
    table.clock.joined()
    assert table.clock.lapse(table.session.head) == Lapse(12.0, 0.0)


@pytest.mark.parametrize("waited", SEATS)
def test_a_program_that_was_stopped_or_slept_was_absent_whoever_was_to_move(waited: int) -> None:
    table = Table(ANN)
    table.turn(0 if waited == ANN else 1, waited=waited)
    table.wait(10.0)
    table.wait(600.0, running=False)
    found = table.clock.lapse(table.session.head)
    assert found is not None
    assert found.asleep == pytest.approx(600.0, abs=2.0)
    head = table.session.head
    table.step()
    assert table.clock.lapse(head) == found
    after = table.clock.lapse(table.session.head)
    assert after is not None
    assert after.asleep == 0.0


def test_a_busy_moment_is_no_sleep() -> None:
    table = Table(ANN)
    table.turn(1, waited=BOB)
    table.wait(SLEPT, running=False)
    assert table.clock.lapse(table.session.head) == Lapse(0.0, 0.0)


def test_my_late_move_does_not_make_me_forget_that_i_was_late() -> None:
    table = Table(ANN)
    table.turn(0, waited=ANN)
    head = table.session.head
    table.wait(70.0)
    table.step()
    table.wait(1.0)
    assert table.clock.lapse(head) == Lapse(70.0, 0.0)


def test_his_turn_is_no_turn_of_mine() -> None:
    table = Table(ANN)
    table.turn(1, waited=BOB)
    table.wait(70.0)
    assert table.clock.lapse(table.session.head) == Lapse(0.0, 0.0)


def test_a_program_that_was_started_anew_knows_nothing_of_the_time_before() -> None:
    table = Table(ANN)
    table.at = next(at for at, session in enumerate(game()) if session.state is not None and session.speaker == ANN)
    table.clock.take_up(table.session)
    head = table.session.head
    table.wait(60.0)
    assert table.clock.lapse(head) is None
    table.wait(0.5)
    assert table.clock.lapse(head) == Lapse(60.5, 0.0)  # this it knows
    table.step()
    table.wait(1.0)
    assert table.clock.lapse(head) == Lapse(60.5, 0.0)
    assert table.clock.lapse(table.session.head) is not None


def test_where_it_was_not_nothing_was_measured() -> None:
    table = Table(ANN)
    assert table.clock.lapse(bytes(32)) is None
    table.turn(0, waited=ANN)
    assert table.clock.lapse(b"\1" * 32) is None


@pytest.mark.parametrize("me", SEATS)
def test_who_slept_before_both_had_committed_was_absent_from_no_game(me: int) -> None:
    table, before = Table(me), list[bytes]()
    table.step()
    while len(table.session.commits) < len(SEATS):
        before.append(table.session.head)
        table.wait(3600.0, running=False)
        assert [table.clock.lapse(head) for head in before] == [None] * len(before)
        table.step()
    assert [table.clock.lapse(head) for head in before] == [None] * 3
    table.wait(3600.0, running=False)
    lapse = table.clock.lapse(table.session.head)
    assert lapse is not None
    assert lapse.asleep == 3600.0


def test_a_short_clock_has_no_warning_at_its_very_beginning() -> None:
    table = Table(ANN, 10)
    table.turn(0, waited=ANN)
    table.wait(9.0)
    assert table.clock.news() == ()
    table.wait(1.0)
    assert table.clock.news() == (TimeUp(ANN, 10),)


def test_the_clock_of_the_machine_never_goes_back() -> None:
    first = lasting_seconds()
    assert 0.0 <= lasting_seconds() - first < 60.0
