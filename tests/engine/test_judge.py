"""The referee's door: strict about what a position is, and clear about what is wrong with it."""

from __future__ import annotations

import pytest

from p2p_schotten.engine.judge import Judgement, judge
from p2p_schotten.errors import Unreadable

GOOD: dict[str, object] = {
    "id": 7,
    "variant": "st1",
    "mine": ["R1", "R2", "R3"],
    "theirs": ["B2", "B3"],
    "first": True,
    "played": ["R1", "R2", "R3", "B2", "B3", "G9"],
    "mud": False,
    "fog": False,
    "claim": False,
}
NO = Judgement(False, "the other side may still make colour run 9 with B4", ("B4",))


def changed(**fields: object) -> dict[str, object]:
    """The good position with some fields changed; a field set to `...` is taken out."""
    return {name: value for name, value in {**GOOD, **fields}.items() if value is not ...}


def test_a_whole_position_is_judged() -> None:
    assert judge(GOOD) == NO


@pytest.mark.parametrize(
    "fields",
    [
        {"id": ...},
        {"id": ["anything"]},
        {"variant": ...},
        {"first": ...},
        {"mud": ..., "fog": ...},
        {"claim": ...},
        {"claim": True},
        {"played": ...},
        {"mine": ["r1", "r2", "r3"], "theirs": ["b3", "B2"]},
        {"played": ["g9", "b3", "b2", "r3", "r2", "r1"]},
    ],
)
def test_what_may_be_left_out_or_written_otherwise(fields: dict[str, object]) -> None:
    assert judge(changed(**fields)) == NO


def test_cards_that_lie_open_elsewhere_are_evidence() -> None:
    assert judge(changed(played=["R1", "R2", "R3", "B2", "B3", "B4"])).claim


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"mine": ...}, "mine: expected a list of cards"),
        ({"theirs": ...}, "theirs: expected a list of cards"),
        ({"theirs": "B2"}, "theirs: expected a list of cards"),
        ({"theirs": {"B2": 1}}, "theirs: expected a list of cards"),
        ({"played": None}, "played: expected a list of cards"),
        ({"mine": ["R1", "R2", "R3", "R4"]}, "mine: expected at most 3 cards, found 4"),
        ({"theirs": ["B1"] * 5000}, "theirs: expected at most 3 cards, found 5000"),
        ({"played": ["R1"] * 55}, "played: expected at most 54 cards, found 55"),
        ({"mine": ["R1", "R1", "R3"]}, "mine: R1 stands there twice"),
        ({"mine": ["R3", "r1", "R1"]}, "mine: R1 stands there twice"),
        ({"theirs": ["B2", "B2", "B2"]}, "theirs: B2 stands there twice"),
        ({"played": ["R1", "R2", "R3", "B2", "B3", "G9", "g9"]}, "played: G9 stands there twice"),
        ({"theirs": ["R3", "B3"]}, "R3 lies on both sides"),
        ({"played": ["R1", "R2", "R3", "B2"]}, "played: B3 lies on a side, but is not among the played cards"),
        ({"mine": ["R1", "R2", "R0"]}, "mine: 'R0' is not a card of st1: expected cards like \"R1\""),
        ({"mine": ["R1", "R2", "O3"]}, "mine: 'O3' is not a card of st1: expected cards like \"R1\""),
        ({"mine": ["R1", "R2", 3]}, 'mine: 3 is not a card of st1: expected cards like "R1"'),
        ({"mine": ["R1", "R2", None]}, 'mine: None is not a card of st1: expected cards like "R1"'),
        ({"mine": ["R1", "R2", ["R3"]]}, 'mine: a list is not a card of st1: expected cards like "R1"'),
        ({"played": [{"R1": 1}]}, 'played: a dict is not a card of st1: expected cards like "R1"'),
        ({"theirs": ["B2", "mud"]}, 'theirs: MUD lies on no side: expected cards like "R1"'),
        ({"theirs": ["B2", "ALX"]}, "theirs: 'ALX' is not a card of st1: expected cards like \"R1\""),
        ({"theirs": ["SHB", "shb"]}, "theirs: SHB stands there twice"),
        ({"mine": ["R1", "R2", "SPY"], "theirs": ["SPY"]}, "SPY lies on both sides"),
        ({"mine": ["JOK", "JOK"], "theirs": ["JOK"]}, "JOK lies there more often than there are such cards (2)"),
        ({"played": ["R1", "R2", "R3", "B2", "B3", "SPY"]}, "played: SPY is a tactic card: only numbered cards stand"),
        ({"played": ["R1", "R2", "R3", "B2", "B3", "TRA"]}, "played: TRA is a tactic card: only numbered cards stand"),
        ({"first": 1}, "first: expected true or false, whether mine was complete first"),
        ({"first": "yes"}, "first: expected true or false, whether mine was complete first"),
        (
            {"first": False},
            "first: mine is complete and theirs is not, so mine was complete first: expected true",
        ),
        (
            {"first": ..., "theirs": ["B2", "B3", "G9"]},
            "first: expected true or false, whether mine was complete first",
        ),
        ({"mud": 1}, "mud: expected true or false"),
        ({"fog": None}, "fog: expected true or false"),
        ({"claim": "no"}, "claim: expected true or false"),
        ({"variant": "st2"}, "pattern: expected what the tile asks for"),
        ({"variant": "chess"}, "variant: expected st1, bl, st2"),
        ({"variant": None}, "variant: expected st1, bl, st2"),
        ({"variant": ["st1"]}, "variant: expected st1, bl, st2"),
        ({"pattern": "_"}, "pattern: only a tile of st2 has one, a stone of st1 has none"),
        ({"length": 3}, "length: only a tile of st2 has one, a stone of st1 has none"),
        ({"colour_run_bonus": True}, "colour_run_bonus: only st2 knows it, expected false in st1"),
        ({"colour": 1}, "'colour' is not a field"),
        ({"x" * 1000: 1}, "is not a field"),
    ],
)
def test_what_is_no_position_is_unreadable(fields: dict[str, object], sentence: str) -> None:
    with pytest.raises(Unreadable) as refused:
        judge(changed(**fields))
    assert sentence in str(refused.value)
    assert len(str(refused.value)) < 160


def test_neither_side_need_be_complete() -> None:
    answer = judge(changed(mine=["R1", "R2"], first=False))
    assert answer == Judgement(False, "the side has 2 of 3 cards: only a complete side can claim", ())


def siege(**fields: object) -> dict[str, object]:
    """A position at a tile of the siege, with some fields changed; a field set to `...` is taken out."""
    tile = {"variant": "st2", "mine": ["R1", "R2", "R3"], "theirs": ["B2", "B9"], "pattern": "c", "length": 3}
    return {name: value for name, value in {**tile, **fields}.items() if value is not ...}


def test_the_fields_of_a_siege_are_read() -> None:
    assert judge(siege()).because == "the other side may still make colour 22 with B11"
    assert judge(siege(pattern="r")).because == "nothing that the other side may still make beats run 6"
    assert (
        judge(siege(colour_run_bonus=True)).because == "nothing that the other side may still make beats colour run 6"
    )
    assert judge(siege(colour_run_bonus=False)) == judge(siege())
    assert judge(siege(mud=False, fog=False)) == judge(siege())
    assert judge(siege(length=4)).because == "the side has 3 of 4 cards: only a complete side can claim"
    assert judge(siege(mine=["JOK", "jok", "SPY"])).claim
    assert judge(siege(mine=["JOK", "R2", "R3"], theirs=["JOK", "R9", "R11"], first=False)).beaten_by == (
        "R9",
        "R11",
        "JOK",
    )


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"pattern": ...}, "pattern: expected what the tile asks for, one of _ + - c r ="),
        ({"pattern": "x"}, "pattern: expected what the tile asks for, one of _ + - c r ="),
        ({"pattern": ["c"]}, "pattern: expected what the tile asks for, one of _ + - c r ="),
        ({"length": ...}, "length: expected the cards per side of the tile, 2, 3 or 4"),
        ({"length": 5}, "length: expected the cards per side of the tile, 2, 3 or 4"),
        ({"length": 3.0}, "length: expected the cards per side of the tile, 2, 3 or 4"),
        ({"length": "3"}, "length: expected the cards per side of the tile, 2, 3 or 4"),
        ({"length": 2}, "mine: expected at most 2 cards, found 3"),
        ({"colour_run_bonus": 1}, "colour_run_bonus: expected true or false"),
        ({"mud": True}, "mud: there is no such card in st2, expected false"),
        ({"fog": True}, "fog: there is no such card in st2, expected false"),
        ({"mine": ["N1"]}, "mine: 'N1' is not a card of st2: expected cards like \"R0\""),
        ({"mine": ["R12"]}, "mine: 'R12' is not a card of st2: expected cards like \"R0\""),
        ({"mine": ["CAV"]}, "mine: 'CAV' is not a card of st2: expected cards like \"R0\""),
        ({"mine": ["EXC"]}, 'mine: EXC lies on no side: expected cards like "R0"'),
        ({"mine": ["SPY", "SPY"]}, "mine: SPY stands there twice"),
        ({"mine": ["SPY"], "theirs": ["spy"]}, "SPY lies on both sides"),
        ({"mine": ["JOK", "JOK"], "theirs": ["JOK"]}, "JOK lies there more often than there are such cards (2)"),
        ({"mine": ["JOK", "JOK", "JOK"]}, "JOK lies there more often than there are such cards (2)"),
    ],
)
def test_what_is_no_tile_of_a_siege_is_unreadable(fields: dict[str, object], sentence: str) -> None:
    with pytest.raises(Unreadable) as refused:
        judge(siege(**fields))
    assert str(refused.value) == sentence


def test_the_cards_and_modes_of_battle_line_are_read() -> None:
    wedge: dict[str, object] = {"variant": "bl", "mine": ["ALX", "O9", "O10"], "theirs": ["DAR", "B9"]}
    assert judge(wedge).because == "nothing that the other side may still make beats colour run 27"
    foggy = judge({**wedge, "mine": ["ALX", "O8", "O9"], "fog": True})
    assert foggy.because.startswith("the other side may still make sum 29 with ")
    assert judge({**wedge, "mud": True}).because == "the side has 3 of 4 cards: only a complete side can claim"
    deep = {**wedge, "mud": True, "fog": True, "mine": ["ALX", "O9", "O10", "cav"]}
    assert judge(deep).because.startswith("the other side may still make sum 39 with ")


def test_both_jokers_may_lie_on_one_side_or_on_one_each() -> None:
    both = judge(changed(mine=["JOK", "jok", "R3"], theirs=["B2"]))
    assert both.because == "nothing that the other side may still make beats colour run 12"
    each = judge(changed(mine=["JOK", "R2", "R3"], theirs=["JOK", "B3"]))
    assert each.because == "the other side may still make colour run 12 with B5"
