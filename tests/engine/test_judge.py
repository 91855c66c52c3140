"""The referee's door: strict about what a position is, and clear about what it does not know yet."""

from __future__ import annotations

import json
from pathlib import Path

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
WILDS = {"JOK", "SPY", "SHB"}
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
        ({"mine": ["R1", "R2", "R0"]}, "mine: 'R0' is not a card: expected cards like \"R1\""),
        ({"mine": ["R1", "R2", "O3"]}, "mine: 'O3' is not a card: expected cards like \"R1\""),
        ({"mine": ["R1", "R2", 3]}, 'mine: 3 is not a card: expected cards like "R1"'),
        ({"mine": ["R1", "R2", None]}, 'mine: None is not a card: expected cards like "R1"'),
        ({"mine": ["R1", "R2", ["R3"]]}, 'mine: a list is not a card: expected cards like "R1"'),
        ({"played": [{"R1": 1}]}, 'played: a dict is not a card: expected cards like "R1"'),
        ({"theirs": ["jok", "B3"]}, "theirs: JOK is a tactic card, and this referee does not know those yet"),
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
        ({"mud": True}, "mud: this referee does not know tactic cards yet, expected false"),
        ({"fog": 0}, "fog: this referee does not know tactic cards yet, expected false"),
        ({"claim": "no"}, "claim: expected true or false (it is not looked at)"),
        ({"variant": "bl"}, "variant: this referee does not know bl yet, expected st1"),
        ({"variant": "st2"}, "variant: this referee does not know st2 yet, expected st1"),
        ({"variant": "chess"}, "variant: expected st1"),
        ({"variant": None}, "variant: expected st1"),
        ({"variant": ["st1"]}, "variant: expected st1"),
        ({"pattern": "_", "length": 3}, "length: this referee does not know siege tiles yet"),
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


@pytest.mark.parametrize("name", ["battle_line_claims", "st2_control", "st1_tactic_claims", "extra"])
def test_positions_of_games_that_come_later_are_refused_not_guessed(name: str) -> None:
    refused = 0
    for line in (Path(__file__).parent.parent / "cases" / f"{name}.jsonl").read_text().splitlines():
        position = json.loads(line)
        cards = [*position["mine"], *position["theirs"]]
        if position["variant"] == "st1" and not position["mud"] and not position["fog"] and not WILDS & set(cards):
            assert judge(position).claim is position["claim"]
        else:
            refused += 1
            with pytest.raises(Unreadable, match=r"does not know|lies on a side"):
                judge(position)
    assert refused > 100
