"""The positions T, S and B of docs/rulings.md that ask whether a stone may be claimed, one by one, at the judge's door.

A row says what lies on both sides, what else lies open, and the answer; every no is confirmed by the enumeration.
"""

from __future__ import annotations

import pytest

from p2p_schotten.engine.judge import judge
from tests.engine import oracle
from tests.engine.oracle import FLAG, STONE, WALL, Place

YES, NO = True, False


def position(place: Place, mine: str, theirs: str, first: bool, elsewhere: str, **more: object) -> dict[str, object]:
    """The position for the judge: everything that lies open is played, wild cards apart."""
    numbered = [card for card in f"{mine} {theirs} {elsewhere}".split() if card in place.deck()]
    return {"mine": mine.split(), "theirs": theirs.split(), "first": first, "played": numbered, **more}


def check(place: Place, fields: dict[str, object], mine: str, theirs: str, first: bool, elsewhere: str) -> bool:
    """The judge's answer, after its counter-example is confirmed."""
    found = judge(position(place, mine, theirs, first, elsewhere, **fields))
    lying = f"{mine} {theirs} {elsewhere}".split()
    unseen = [card for card in place.deck() if card not in lying]
    if found.claim:
        assert found.beaten_by == ()
    else:
        assert oracle.beats(list(found.beaten_by), mine.split(), theirs.split(), first, unseen, place)
    return found.claim


@pytest.mark.parametrize(
    ("mine", "worth"),
    [
        pytest.param("JOK R8 R9", "colour run 24", id="T08"),
        pytest.param("JOK R4 B5", "run 15", id="T10"),
        pytest.param("JOK R4 B9", "sum 22", id="T11"),
        pytest.param("SPY R8 R9", "colour run 24", id="T12"),
        pytest.param("SPY B7 G7", "three of a kind 21", id="T13"),
        pytest.param("SHB R4 R5", "colour run 12", id="T14"),
        pytest.param("SHB R5 R6", "colour 14", id="T15"),
        pytest.param("SHB Y2 G2", "three of a kind 6", id="T16"),
        pytest.param("SHB R2 R4", "colour run 9", id="T17"),
        pytest.param("JOK SPY R9", "colour run 24", id="T18"),
    ],
)
def test_a_wild_card_stands_for_what_serves_its_owner_best(mine: str, worth: str) -> None:
    found = judge(position(STONE, mine, "N1 P1 N3", False, ""))
    assert (found.claim, found.because) == (YES, f"{worth} beats sum 5")


FOG = {"fog": True}
MUD = {"mud": True}


@pytest.mark.parametrize(
    ("fields", "mine", "theirs", "first", "elsewhere", "answer"),
    [
        pytest.param(FOG, "R1 R2 R3", "B9 G5 Y2", True, "", NO, id="T20"),
        pytest.param(FOG, "R9 B9 Y8", "G9", True, "", NO, id="T21"),
        pytest.param(FOG, "R9 B9 Y8", "G9", True, "Y9", NO, id="T22"),
        pytest.param(MUD, "R7 R8 R9", "", True, "", NO, id="T24"),
        pytest.param(MUD, "R3 R4 R5 R6", "B9 G9 Y9 P9", False, "", YES, id="T25"),
        pytest.param(MUD, "R7 B7 G7 Y2", "R1 B2 G3 Y4", True, "", NO, id="T26"),
        pytest.param(MUD, "R7 B7 G7 Y2", "R9 B8 G1 Y1", False, "", YES, id="T27"),
        pytest.param(MUD, "R6 R7 R8 R9", "", True, "", YES, id="T29"),
        pytest.param(MUD, "B1 B2 B3 B4", "R2 R3 R4", True, "R1", NO, id="T31"),
        pytest.param({}, "R1 R2 R3", "B2 B3", True, "B4", YES, id="T59"),
        pytest.param({}, "R7 R8 R9", "JOK B9", True, "", YES, id="T61"),
        pytest.param({}, "G5 G6 G7", "SHB B5", True, "", YES, id="T64"),
    ],
)
def test_modes_and_wild_cards_in_a_proof(
    fields: dict[str, object], mine: str, theirs: str, first: bool, elsewhere: str, answer: bool
) -> None:
    place = Place(size=4 if fields == MUD else 3, contest="+" if fields == FOG else "_")
    assert check(place, fields, mine, theirs, first, elsewhere) is answer


def test_t22_two_nines_are_left_for_the_other_side() -> None:
    found = judge(position(STONE, "R9 B9 Y8", "G9", True, "Y9", **FOG))
    assert (found.because, found.beaten_by) == ("the other side may still make sum 27 with P9 N9", ("P9", "N9"))


def test_t31_the_run_over_the_gap_that_is_gone_is_made_at_its_other_end() -> None:
    found = judge(position(STONE, "B1 B2 B3 B4", "R2 R3 R4", True, "R1", **MUD))
    assert (found.because, found.beaten_by) == ("the other side may still make colour run 14 with R5", ("R5",))


@pytest.mark.parametrize(
    ("pattern", "mine", "theirs", "first", "answer"),
    [
        pytest.param("_", "B10 B11", "", True, YES, id="S01"),
        pytest.param("_", "R10 R11", "B10 B11", False, NO, id="S02"),
        pytest.param("_", "B9 B10", "", True, NO, id="S03"),
        pytest.param("_", "R11 B11", "G3", True, NO, id="S04"),
        pytest.param("-", "R0 B0 R1 B1", "", True, NO, id="S06"),
        pytest.param("-", "R2 R3 R4 R5", "B0 G1 Y3 P9", True, NO, id="S08"),
        pytest.param("-", "R1 R2 R3", "B2 G2 Y2", True, YES, id="S09"),
        pytest.param("-", "R1 R2 R3", "B2 G2 Y2", False, NO, id="S09, second"),
        pytest.param("-", "R0 B0 G0", "", True, YES, id="S10"),
        pytest.param("-", "R0 B0 G1", "Y0", True, NO, id="S11"),
        pytest.param("+", "R1 R2 R3", "B11 G9 Y0", True, NO, id="S13"),
        pytest.param("+", "R11 B11 G10", "Y11", True, NO, id="S14"),
        pytest.param("=", "R1 B1", "R10 R11", False, YES, id="S16"),
        pytest.param("=", "R10 R11", "B9 G8", False, YES, id="S17"),
        pytest.param("=", "R10 R11", "B11", True, NO, id="S18"),
        pytest.param("c", "R1 R2 R4", "B11 G11 Y11", False, YES, id="S20"),
        pytest.param("c", "R1 R2 R3", "B2 B9 B11", True, NO, id="S21"),
        pytest.param("r", "R3 B4 G5", "R9 B9 G9", False, YES, id="S23"),
        pytest.param("r", "R3 R4 R5", "B9 G10 Y11", True, NO, id="S24"),
        pytest.param("_", "R8 R9 R10 R11", "", True, YES, id="S25"),
        pytest.param("_", "R11 B11 G11 Y11", "", True, NO, id="S26"),
        pytest.param("_", "G9 G10 G11", "", True, YES, id="S27"),
        pytest.param("_", "R11 B11 G11", "Y9 Y10", True, NO, id="S28"),
    ],
)
def test_control_of_a_siege_tile(pattern: str, mine: str, theirs: str, first: bool, answer: bool) -> None:
    size = len(mine.split())
    fields = {"variant": "st2", "pattern": pattern, "length": size}
    place = Place(WALL.letters, WALL.low, WALL.high, size, pattern)
    assert check(place, fields, mine, theirs, first, "") is answer


@pytest.mark.parametrize(
    ("pattern", "mine", "theirs"),
    [
        pytest.param("c", "R1 R2 R3", "B2 B9 B11", id="S21"),
        pytest.param("r", "R3 R4 R5", "B9 G10 Y11", id="S24"),
    ],
)
def test_a20_only_the_bonus_lets_a_colour_run_beat_a_better_sum(pattern: str, mine: str, theirs: str) -> None:
    for bonus in (False, True):
        fields = {"variant": "st2", "pattern": pattern, "length": 3, "colour_run_bonus": bonus}
        place = Place(WALL.letters, WALL.low, WALL.high, 3, pattern, bonus)
        assert check(place, fields, mine, theirs, False, "") is bonus


def test_s49_the_spy_of_the_siege_is_a_ten() -> None:
    found = judge(position(WALL, "SPY R11", "B10 B11", True, "", variant="st2", pattern="_", length=2))
    assert found.because == "both make colour run 21, and this side was complete first"


@pytest.mark.parametrize(
    ("mine", "theirs", "elsewhere", "answer"),
    [
        pytest.param("R8 R9 R10", "", "", YES, id="B01"),
        pytest.param("R10 B10 G10", "", "", NO, id="B03"),
        pytest.param("B7 O8 R9", "ALX B8", "", NO, id="B04"),
        pytest.param("R8 R9 R10", "ALX B8", "", YES, id="B04, equal"),
    ],
)
def test_flags_of_battle_line(mine: str, theirs: str, elsewhere: str, answer: bool) -> None:
    assert check(FLAG, {"variant": "bl"}, mine, theirs, True, elsewhere) is answer


def test_b04_the_leader_makes_the_best_wedge_with_the_nine() -> None:
    found = judge(position(FLAG, "ALX B8 B9", "R1 O1 G3", False, "", variant="bl"))
    assert found.because == "colour run 27 beats sum 5"


@pytest.mark.parametrize("mud", [False, True])
def test_a10_too_few_unseen_cards_complete_no_side(mud: bool) -> None:
    mine, theirs = ("R1 B1 G2 Y4", "Y9 P8") if mud else ("R1 B1 G2", "Y9")
    elsewhere = " ".join(card for card in STONE.deck() if card != "P9")
    found = judge(position(STONE, mine, theirs, True, "", mud=mud) | {"played": elsewhere.split()})
    assert (found.claim, found.because) == (YES, "too few cards are unseen to complete the other side")


def test_the_card_that_a_wild_card_stands_for_is_still_unseen() -> None:
    # The joker can only stand for R7, the one seven that lies nowhere, and R7 still completes the other side.
    everything = [card for card in STONE.deck() if card != "R7"]
    found = judge({"mine": ["JOK", "B7", "G7"], "theirs": ["R8", "R9"], "first": True, "played": everything})
    assert (found.because, found.beaten_by) == ("the other side may still make colour run 24 with R7", ("R7",))


def test_a2_a_wild_card_copies_a_card_that_lies_there() -> None:
    found = judge({"mine": ["JOK", "N8", "P8"], "theirs": ["R1"], "first": True, "played": STONE.deck()})
    assert (found.claim, found.because) == (YES, "too few cards are unseen to complete the other side")
    found = judge({"mine": ["JOK", "N8", "P8"], "theirs": ["Y8", "G8", "B8"], "first": True, "played": STONE.deck()})
    assert found.because == "both make three of a kind 24, and this side was complete first"
