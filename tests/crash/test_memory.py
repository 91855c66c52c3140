"""A crash at any boundary loses nothing that was sent and changes nothing that was said.

A few steps of a short game; `scripts/soak.py crash` crosses every one of whole games.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

import pytest

from p2p_schotten.ids import SEATS, other
from p2p_schotten.protocol.record import head_of, read_record
from tests.crash.matrix import NO_GAME, SAME, WAYS, Matrix, Tally, Way
from tests.crash.remembered import remembering
from tests.crash.run import Found, Share, cross
from tests.crash.seats import Begin, Choose, CloseAlone, Deliver, Story, Table, story
from tests.disks import After
from tests.fuzz.sides import HOME, Side


@pytest.fixture(autouse=True, scope="module")
def _remembering() -> Iterator[None]:
    with remembering():
        yield


# Nothing kept, and half of it; what was sent arrives.
FEW = (Way(After.GONE, arrives=True, both=False), Way(After.HALF, arrives=True, both=False))


def short() -> Story:
    """Three cards, and a player who gives up."""
    return story("gives up", 11, "base")


def steps_of(game: Story, kind: type[Choose] | type[Deliver]) -> list[int]:
    return [number for number, (_, step) in enumerate(game.steps) if isinstance(step, kind)]


def test_a_crash_while_the_game_begins_leaves_it_whole_or_no_game_at_all() -> None:
    game = short()
    assert isinstance(game.steps[0][1], Begin)
    matrix = Matrix(game)
    for before, step in game.steps[:5]:  # both HELLOs and both COMMITs
        matrix.cross(before, step, FEW)
    assert matrix.tally.boundaries > 120
    assert matrix.tally.outcomes[NO_GAME] > 20
    assert matrix.tally.outcomes[SAME] > 5


def test_a_crash_around_a_move_or_its_answer_goes_on_alike() -> None:
    game = short()
    choice = steps_of(game, Choose)[1]
    matrix = Matrix(game)
    for number in (choice, choice + 1):
        matrix.cross(*game.steps[number], WAYS[::3])
    assert matrix.tally.outcomes == {SAME: matrix.tally.outcomes.total()}
    assert matrix.tally.outcomes.total() > 10


def test_a_crash_while_the_end_is_written_goes_on_to_the_same_end() -> None:
    game = short()
    matrix = Matrix(game)
    for before, step in game.steps[-4:]:  # SEALs and REVEALs
        matrix.cross(before, step, FEW, whole=True)
    assert matrix.tally.boundaries > 40
    assert matrix.tally.outcomes == {SAME: matrix.tally.outcomes.total()}


def test_a_crash_while_a_seat_closes_alone_gives_way_to_the_ordinary_end() -> None:
    game = short()
    closings = list(game.closings())
    assert {step.seat for _, step in closings if isinstance(step, CloseAlone)} == set(SEATS)
    matrix = Matrix(game)
    for before, step in closings[::3]:
        matrix.cross(before, step)
    assert matrix.tally.outcomes == {SAME: matrix.tally.outcomes.total()}


@pytest.mark.parametrize("after", [After.GONE, After.ZERO_END])
def test_a_second_crash_while_they_meet_again_changes_nothing(after: After) -> None:
    game = short()
    matrix = Matrix(game)
    matrix.cross_again(*game.steps[steps_of(game, Choose)[1]], Way(after, arrives=False, both=False))
    assert matrix.tally.again > 30
    assert matrix.tally.outcomes[SAME] == matrix.tally.again


def test_the_whole_of_a_short_game() -> None:
    found = Found()
    for rules in ("base", "tactic"):
        found.add(cross(Share("gives up", 11, rules)))
    assert found.failures == []
    assert found.tally.boundaries > 700


# That the matrix would see it


class Hasty(Table):
    """Sends what it says before it stands in the journal."""

    def _send(self, side: Side) -> None:
        for data in side.peer.frames():
            record = read_record(data)
            side.disk.begin("send", HOME)
            self.sent[record.seat, record.seq] = head_of(data)
            self.wires[other(side.peer.seat)].append(data)
        super()._send(side)


def test_the_matrix_sees_who_sends_before_it_writes() -> None:
    game = short()
    before, step = game.steps[steps_of(game, Choose)[1]]
    hasty = Hasty(**{field.name: getattr(before.fork(), field.name) for field in fields(before)})
    with pytest.raises((AssertionError, IndexError)):
        Matrix(game).cross(hasty, step)


def test_the_matrix_sees_a_record_that_is_not_in_the_mark() -> None:
    game = short()
    before, step = game.steps[steps_of(game, Choose)[1]]
    table = before.fork()
    for side in table.sides:
        mark = side.journal._mark
        assert mark is not None
        mark.add = lambda entries: None  # type: ignore[method-assign]
    with pytest.raises(AssertionError):
        Matrix(game).cross(table, step)


def test_a_tally_counts_what_it_was_given() -> None:
    tally = Tally(boundaries=2, cases=5)
    tally.outcomes[SAME] += 3
    tally.add(Tally(boundaries=1, cases=1, again=4))
    assert str(tally) == "3 boundaries, 4 of a second crash, 6 cases, 3 of them distinct: 3 went on alike"
