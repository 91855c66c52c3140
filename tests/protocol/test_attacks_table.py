"""The table of attacks is complete, and what it names exists."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from tests import attacks
from tests.protocol.attack_table import ROWS, TEXTS, Row

ALL = [row for rows in ROWS.values() for row in rows]


@pytest.mark.parametrize("group", TEXTS)
def test_every_word_of_the_section_stands_in_a_row_and_in_its_order(group: str) -> None:
    left, at = "", 0
    for row in ROWS[group]:
        found = TEXTS[group].find(row.attack, at)
        assert found >= 0, row.attack
        left += TEXTS[group][at:found]
        at = found + len(row.attack)
    left += TEXTS[group][at:]
    # Nothing but what joins the attacks is outside the rows.
    assert set(left.replace("and", "")) <= set(";,. "), left


@pytest.mark.parametrize("row", ALL, ids=lambda row: row.attack)
def test_what_a_row_names_exists(row: Row) -> None:
    if row.how == "later":
        assert row.tests == ()
        assert row.reason
        return
    assert row.tests
    assert row.how == "both" or row.reason, "say why it is not made both live and spliced"
    for name in row.tests:
        module, function = name.split("::")
        assert callable(getattr(importlib.import_module(module), function)), name
        assert function.startswith("test_")


def test_no_attack_waits_for_its_test() -> None:
    assert [row.attack for row in ALL if row.how == "later"] == []


def test_the_page_shows_what_the_tests_saw() -> None:
    page = attacks.PAGE.read_text("utf-8")
    assert attacks.shown(page) == attacks.table(attacks.read_list()), attacks.HINT


def test_the_list_holds_every_test_of_the_table_and_no_other() -> None:
    assert {attacks.function_of(case) for case in attacks.read_list()} == attacks.TESTS
    assert all(attacks.read_list().values())


CASE, OTHER_CASE = "tests/protocol/test_x.py::test_y[0]", "tests/protocol/test_x.py::test_y[1]"
ONE, TWO = attacks.Report("OPEN 0", "key", attacks.AUTHOR), attacks.Report("OPEN 0", "key", attacks.NOBODY)


def test_a_test_that_sees_what_is_listed_passes() -> None:
    attacks.check(CASE, {TWO, ONE}, {CASE}, {CASE: (ONE, TWO), "tests/protocol/test_x.py::test_z": (ONE,)})


@pytest.mark.parametrize(
    ("seen", "cases", "listed"),
    [
        (set(), {CASE}, {CASE: ()}),
        ({ONE}, {CASE}, {CASE: (TWO,)}),
        ({ONE, TWO}, {CASE}, {CASE: (ONE,)}),
        ({ONE}, {CASE}, {CASE: (ONE, TWO)}),
        ({ONE}, {CASE}, {}),
        ({ONE}, {CASE, OTHER_CASE}, {CASE: (ONE,)}),
        ({ONE}, {CASE}, {CASE: (ONE,), OTHER_CASE: (ONE,)}),
    ],
    ids=["silent", "another blame", "one more", "one less", "not listed", "a new case", "a case that is gone"],
)
def test_a_test_that_sees_something_else_than_is_listed_fails(
    seen: set[attacks.Report], cases: set[str], listed: dict[str, tuple[attacks.Report, ...]]
) -> None:
    with pytest.raises(AssertionError):
        attacks.check(CASE, seen, cases, listed)


def test_every_attack_test_stands_in_the_table() -> None:
    """But for the honest ones, which show that it was the lie that was refused."""
    named = {name for row in ALL for name in row.tests}
    honest_or_more = {
        "test_my_own_identity_is_no_opponent",
        "test_a_shuffle_by_the_rules_is_accepted",
        "test_a_mix_of_another_seed_is_no_cheat",
        "test_the_places_are_what_they_are_called",
        "test_a_wrong_share_of_my_own_does_not_leave_this_machine",
        "test_a_card_on_a_stone_that_is_full_and_a_claim_that_is_not_proven",
        "test_numbers_that_are_no_move",
        "test_random_bytes",
        "test_the_honest_seats_are_the_ones_described",
        "test_who_repeats_the_name_of_the_first_game_is_taken",
        "test_the_verdict_is_the_same_when_nothing_is_remembered",
        "test_a_winner_closes_alone_wherever_the_other_falls_silent_after_the_end",
        "test_the_loser_may_close_too_where_the_winner_falls_silent",
        "test_nobody_closes_before_the_end_or_when_it_is_his_turn",
        "test_a_close_of_another_outcome",
        "test_a_close_of_another_head_or_game_or_by_another_key",
        "test_a_close_in_the_name_of_the_other_frames_nobody",
        "test_a_close_that_is_not_the_last_item",
        "test_a_close_sent_as_a_record_is_none",
        "test_an_item_that_is_no_close_and_no_fault_is_no_item",
        "test_a_seat_whose_signed_records_neither_side_has_is_stuck_and_says_nothing",
    }
    modules = sorted(path.stem for path in Path(__file__).parent.glob("test_attacks_*.py") if path != Path(__file__))
    assert len(modules) > 8
    for part in modules:
        module = f"tests.protocol.{part}"
        tests = {name for name in vars(importlib.import_module(module)) if name.startswith("test_")}
        missing = {name for name in tests if f"{module}::{name}" not in named} - honest_or_more
        assert missing == set(), part
