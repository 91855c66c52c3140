"""Two peers, their journals and the line between them under everything that may happen, in any order.

Records are delivered, doubled and swapped; programs crash at any moment of writing, connections break, an old journal
comes back from a backup. Whatever happens, nobody signs twice, nobody is blamed, and the game comes to its end.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from p2p_schotten.engine.move import Resign
from p2p_schotten.ids import SEATS, Seat, other
from p2p_schotten.protocol.record import head_of, read_record
from p2p_schotten.protocol.resume import MAX_STAND
from p2p_schotten.tail import is_close
from p2p_schotten.transcript import verify
from tests.disks import After
from tests.fuzz.games import SEED, short
from tests.fuzz.sides import Sides

FIRST = 2  # before that record both HELLOs are told, so there is a game
MOMENTS = st.integers(0, 24)  # boundaries of disk operations: one record takes eight, an own one
SEAT = st.sampled_from(SEATS)
AFTER = st.sampled_from(After)


QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]


class TwoPeers(RuleBasedStateMachine):
    """The game goes on from any record of a story."""

    played = "base"
    verified = False  # the transcript is verified at the end, which takes as long as the rest

    @initialize(back=st.integers(0, 10_000))
    def begin(self, back: int) -> None:
        told = short(self.played)
        number = len(told.records) - 1 - back % (len(told.records) - FIRST)
        self.game = Sides.of(told.before(number), SEED)
        self.signed: dict[tuple[Seat, int], bytes] = {}

    # What happens

    @rule(seat=SEAT)
    def a_record_comes(self, seat: Seat) -> None:
        if self.game.wires[seat]:
            self.game.deliver(seat)

    @rule(choice=st.integers(0, 1000))
    def a_player_moves(self, choice: int) -> None:
        for side in self.game.sides:
            if side.to_move:
                moves = side.peer.choices()
                self.game.play(side.peer.seat, moves[choice % len(moves)])
                return

    @rule()
    @precondition(lambda self: any(side.to_move for side in self.game.sides))
    def a_player_gives_up(self) -> None:
        mover = next(side.peer.seat for side in self.game.sides if side.to_move)
        self.game.play(mover, Resign())

    @rule()
    @precondition(lambda self: self.game.connected)
    def the_connection_breaks(self) -> None:
        self.game.cut()

    @rule()
    @precondition(lambda self: not self.game.connected)
    def they_meet(self) -> None:
        self.game.meet()

    @rule(seat=SEAT, after=AFTER)
    def a_program_crashes(self, seat: Seat, after: After) -> None:
        self.game.crash(seat, after)

    @rule(seat=SEAT, moment=MOMENTS, after=AFTER)
    def a_program_crashes_as_a_record_comes(self, seat: Seat, moment: int, after: After) -> None:
        if self.game.wires[seat]:
            self.game.crash_within(seat, None, moment, after)

    @rule(choice=st.integers(0, 1000), moment=MOMENTS, after=AFTER)
    @precondition(lambda self: any(side.to_move for side in self.game.sides))
    def a_program_crashes_as_its_player_moves(self, choice: int, moment: int, after: After) -> None:
        side = next(side for side in self.game.sides if side.to_move)
        moves = side.peer.choices()
        self.game.crash_within(side.peer.seat, moves[choice % len(moves)], moment, after)

    @rule(seat=SEAT, back=st.integers(1, 40))
    def an_old_journal_comes_back(self, seat: Seat, back: int) -> None:
        side, there = self.game.sides[seat], self.game.sides[other(seat)]
        if len(there.peer.records) >= max(side.journal.floor, there.journal.floor):  # else nobody has what one lacks
            self.game.roll_back(seat, max(0, len(side.on_disk) - back))

    @rule(seat=SEAT)
    def a_winner_waits_no_longer(self, seat: Seat) -> None:
        self.game.close_alone(seat)

    @rule(seat=SEAT, place=st.integers(0, 3))
    def a_record_is_doubled(self, seat: Seat, place: int) -> None:
        wire = self.game.wires[seat]
        if wire and self.game.sides[seat].met:
            wire.insert(place % (len(wire) + 1), wire[0])
            self.game.tampered = True

    @rule(seat=SEAT)
    def two_records_are_swapped(self, seat: Seat) -> None:
        wire = self.game.wires[seat]
        if len(wire) > 1 and self.game.sides[seat].met:
            wire[0], wire[1] = wire[1], wire[0]
            self.game.tampered = True

    # What holds

    @invariant()
    def nobody_is_blamed_and_nothing_is_refused_unless_somebody_touched_the_line(self) -> None:
        assert [str(fault) for fault, tampered in self.game.refused if fault.blame is not None or not tampered] == []

    @invariant()
    def the_transcripts_are_beginnings_of_one_game(self) -> None:
        one, two = (side.peer.records for side in self.game.sides)
        shared = min(len(one), len(two))
        assert one[:shared] == two[:shared]
        if len(one) == len(two):
            sessions = [side.peer.session for side in self.game.sides]
            assert sessions[0].state == sessions[1].state
            assert sessions[0].due() == sessions[1].due()
            assert sessions[0].position == sessions[1].position

    @invariant()
    def nobody_has_signed_two_records_at_one_place(self) -> None:
        for side in self.game.sides:
            for item in side.on_disk:
                self._sign(item)
        for wire in self.game.wires:
            for item in wire:
                if len(item) > MAX_STAND:
                    self._sign(item)

    def _sign(self, item: bytes) -> None:
        if is_close(item):
            return
        record = read_record(item)
        assert self.signed.setdefault((record.seat, record.seq), head_of(item)) == head_of(item)

    @invariant()
    def what_was_sent_stands_on_the_disk_of_who_sent_it(self) -> None:
        for seat, wire in zip(SEATS, self.game.wires, strict=True):
            sender = self.game.sides[other(seat)]
            for item in wire:  # a stand is shorter than any record
                assert len(item) <= MAX_STAND or item in sender.on_disk

    @invariant()
    def no_card_is_in_two_hands_or_in_a_hand_and_on_the_table(self) -> None:
        """At one moment: a card that lies in a hand may lie in the other's later, where cards come back to a pile."""
        one, two = (side.peer for side in self.game.sides)
        if len(one.records) == len(two.records) and one.session.position is not None:
            table = {face.card for face in one.session.position.table.faces}
            cards = (*one.hand, *two.hand, *table)
            assert len(set(cards)) == len(cards)

    @invariant()
    def who_lacks_records_says_nothing(self) -> None:
        for side in self.game.sides:
            if side.peer.behind:
                assert side.peer.choices() == ()
            assert len(side.peer.records) >= side.journal.floor or side.peer.behind

    def teardown(self) -> None:
        """Whatever happened, both come to the same end."""
        if not hasattr(self, "game"):
            return
        self.game.finish()
        self.nobody_is_blamed_and_nothing_is_refused_unless_somebody_touched_the_line()
        self.nobody_has_signed_two_records_at_one_place()
        one, two = (side.disk.files[side.path].safe for side in self.game.sides)
        assert one == two
        if self.verified:
            verdict = verify(one)
            assert verdict.over
            assert verdict.sealed == verdict.revealed == SEATS


class Verified(TwoPeers):
    """The same, and a stranger verifies the transcript."""

    verified = True


class Ruses(TwoPeers):
    """The same with cards that are drawn, put back, laid beside the stones and discarded."""

    played = "expert"


class Walls(TwoPeers):
    """The same with an exchange of cards, and piles that are shuffled anew."""

    played = "siege-tactic"


def run(machine: type[TwoPeers], games: int, steps: int) -> None:
    """So many games, with at most so many things that happen in each."""
    run_state_machine_as_test(
        machine,
        settings=settings(max_examples=games, stateful_step_count=steps, deadline=None, suppress_health_check=QUIET),
    )


def test_nobody_signs_twice_or_is_blamed_and_the_game_ends_whatever_happens_between_two_peers() -> None:
    run(TwoPeers, 4, 15)


@pytest.mark.parametrize(("machine", "games"), [(Verified, 120), (Ruses, 40), (Walls, 40)])
def test_the_same_for_long_with_every_kind_of_card_and_a_stranger_who_verifies(
    machine: type[TwoPeers], games: int
) -> None:
    run(machine, games, 50)
