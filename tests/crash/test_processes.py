"""A program that is killed with -9 goes on with `schotten resume`.

A few boundaries; `scripts/soak.py crash --processes` kills one at each.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from p2p_schotten.ids import SEATS, Seat
from tests.crash.processes import BEGUN_ANEW, RESUMED, Case, Course, Players, courses, run_case

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="nobody is killed with -9 there")
EARLY = Players(early=True)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Course, Course]:
    return courses(EARLY, tmp_path_factory.mktemp("crash") / "course")


def killed(tmp_path: Path, seat: Seat, at: int) -> str:
    return run_case(Case(EARLY, seat, at), tmp_path / "table").what


def before_it_grows(course: Course, place: float) -> int:
    """The last boundary at which the journal is as long as at that place of the course (0 to 1)."""
    size = course.sizes[int(place * len(course.sizes))]
    return len(course.sizes) - 1 - course.sizes[::-1].index(size)


@pytest.mark.parametrize("seat", SEATS)
def test_who_is_killed_before_his_journal_is_written_begins_anew(
    seat: Seat, undisturbed: tuple[Course, Course], tmp_path: Path
) -> None:
    at = before_it_grows(undisturbed[seat], 0)
    assert undisturbed[seat].sizes[at] == 0
    assert killed(tmp_path, seat, at) == BEGUN_ANEW


@pytest.mark.parametrize("seat", SEATS)
def test_who_is_killed_in_the_middle_of_an_append_resumes(
    seat: Seat, undisturbed: tuple[Course, Course], tmp_path: Path
) -> None:
    at = before_it_grows(undisturbed[seat], 0.6)
    assert undisturbed[seat].sizes[at] < undisturbed[seat].sizes[at + 1]
    assert killed(tmp_path, seat, at) == RESUMED


def test_who_is_killed_before_he_keeps_the_last_record_is_given_it(
    undisturbed: tuple[Course, Course], tmp_path: Path
) -> None:
    host = undisturbed[0]
    at = host.sizes.index(host.sizes[-1]) - 1
    assert killed(tmp_path, SEATS[0], at) == RESUMED


def test_who_is_killed_before_he_sends_the_last_record_hands_it_over(
    undisturbed: tuple[Course, Course], tmp_path: Path
) -> None:
    guest = undisturbed[1]
    assert killed(tmp_path, SEATS[1], guest.sizes.index(guest.sizes[-1])) == RESUMED
