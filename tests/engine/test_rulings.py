"""docs/rulings.md is whole: every ruling and every position has its line, its tests exist, and the judge agrees.

The rulings that need a game of their own to be seen stand here too.
"""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest

from p2p_schotten.engine.claim import explain
from p2p_schotten.engine.flags import flagged
from p2p_schotten.engine.judge import judge
from p2p_schotten.engine.move import Claim, Done, Play, Redeploy
from p2p_schotten.engine.rules import apply, legal_moves
from p2p_schotten.engine.rulesets import BASE, SIEGE_TACTIC, TACTIC
from p2p_schotten.engine.state import Beside, Phase
from p2p_schotten.engine.step import Claimed, Drew, Played
from p2p_schotten.ids import CardId, DeckId, StoneId
from tests.engine.positions import ME, YOU, cards, position, refusal, stone
from tests.test_documents import names_of_tests

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "rulings.md").read_text("utf-8")
LINES = [[cell.strip() for cell in line.strip("|").split("|")] for line in TEXT.splitlines() if line.startswith("|")]
ROWS = {line[0]: line for line in LINES if re.fullmatch(r"[ADPTSB]\d+", line[0])}

NUMBERS = {  # the positions of the specification; what lacks was left out there too
    "P": "1-9 11-15 18-19 21-22 24-25 27-30 32-43 45-47 49-50",
    "T": "1-6 8 10-18 20-22 24-27 29 31 34-45 49-59 61 64-67",
    "S": "1-4 6 8-11 13-14 16-18 20-21 23-28 30-39 41 43-46 48-49 51-54",
    "B": "1 3-4 6-8 10-11",
}


def numbers(ranges: str) -> list[int]:
    """1-3 5: 1, 2, 3 and 5."""
    found: list[int] = []
    for word in ranges.split():
        first, _, last = word.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def test_every_ruling_and_every_disagreement_of_the_sources_has_its_line() -> None:
    assert [f"A{number}" for number in range(1, 40) if f"A{number}" not in ROWS] == []
    assert [f"D{number}" for number in range(1, 19) if f"D{number}" not in ROWS] == []


@pytest.mark.parametrize(("letter", "ranges"), NUMBERS.items())
def test_every_position_has_its_line(letter: str, ranges: str) -> None:
    known = {int(name[1:]) for name in ROWS if name[0] == letter}
    assert known == set(numbers(ranges))


def test_no_line_stands_there_twice() -> None:
    names = [line[0] for line in LINES if re.fullmatch(r"[ADPTSB]\d+", line[0])]
    assert sorted(names) == sorted(ROWS)


def test_every_ruling_names_a_test_with_its_number_and_every_named_row_exists() -> None:
    known = names_of_tests(ROOT / "tests")
    engine = "".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    for name, line in ROWS.items():
        judged = name[0] not in "AD" and len(line) >= 5
        named = re.findall(r"`(test_\w+)(?:\[([\w -]+)\])?`", line[-1])
        assert {test for test, _row in named} <= known, name
        for _test, row in named:
            assert not row or f'"{row}"' in engine, (name, row)
        assert named or judged or name in ("D6", "D17", "D18"), name
        if name[0] == "A":
            assert any(name.lower() in test.split("_") or row for test, row in named), name


def may(sides: list[str], elsewhere: str, answer: str, **fields: object) -> bool:
    """What the judge says of a line; who is first stands behind the cards."""
    mine, theirs = (re.sub(r", \w+$", "", side).replace("nothing", "").split() for side in sides)
    variant = fields["variant"]
    wilds = {"JOK", "SPY", "SHB", "ALX", "CAV"}
    played = [card for card in (*mine, *theirs, *elsewhere.split()) if card not in wilds]
    first = "first" not in sides[1]
    found = judge({"mine": mine, "theirs": theirs, "first": first, "played": played, **fields})
    assert variant in ("st1", "st2", "bl")
    assert answer in ("yes", "no")
    return found.claim is (answer == "yes")


def test_the_judge_agrees_with_every_position_of_the_stones_and_flags() -> None:
    lines = [line for name, line in ROWS.items() if name[0] in "TB" and len(line) == 7]
    assert len(lines) == 14
    for name, mine, theirs, elsewhere, modes, answer, _because in lines:
        variant = "bl" if name[0] == "B" else "st1"
        assert may([mine, theirs], elsewhere, answer, variant=variant, mud="MUD" in modes, fog="FOG" in modes), name


def test_the_judge_agrees_with_the_worth_of_every_wild_card() -> None:
    lines = [line for name, line in ROWS.items() if name[0] == "T" and len(line) == 5]
    assert len(lines) == 10
    for name, side, worth, _stands_for, _because in lines:
        found = judge({"mine": side.split(), "theirs": ["N1", "P1", "N3"], "first": False})
        assert (name, found.because) == (name, f"{worth} beats sum 5")


PATTERNS = {"left pit": "+", "right pit": "-", "damaged gate": "-", "damaged tower": "=", "damaged wall": "c"}
PATTERNS |= {"damaged pit": "r"}
SIZES = {"gate": 2, "damaged gate": 4, "tower": 4, "damaged tower": 2}


def test_the_judge_agrees_with_every_position_of_the_wall() -> None:
    lines = [line for name, line in ROWS.items() if name[0] == "S" and len(line) == 6]
    assert len(lines) == 23
    for name, tile, mine, theirs, answer, _because in lines:
        pattern, size = PATTERNS.get(tile, "_"), SIZES.get(tile, 3)
        assert may([mine, theirs], "", answer, variant="st2", pattern=pattern, length=size), name


# Rulings that only a game shows

at = partial(stone, rules=TACTIC)
ONE, TWO = StoneId(0), StoneId(1)


def nth(text: str) -> CardId:
    return TACTIC.card(text)


def test_a1_a_joker_stands_for_what_serves_best_when_the_stone_is_claimed() -> None:
    joker = nth("JOK")
    state = position({0: at("R8 R9"), 1: at("B8 G8", "Y7 P7 N7")}, rules=TACTIC, hands=((5, 2), (7, 0)), pile=0)
    state = apply(state, Play(joker, ONE)).state
    assert explain(state, ONE, ME).because == "nothing that the other side may still make beats colour run 24"
    state = apply(apply(state, Done()).state, Play(nth("N1"), ONE)).state
    # The same joker, moved to two eights, is no seven any more. (As if the other had played a tactic card too.)
    state = state._replace(beside=state.beside._replace(tactics=(1, 1)))
    state = apply(state, Redeploy(nth("STR"), joker, TWO)).state
    assert explain(state, TWO, ME).because == "three of a kind 24 beats three of a kind 21"


def test_t59_a5_tactic_cards_that_were_not_played_are_no_threat_to_a_proof() -> None:
    row = {0: at("R1 R2", "B2 B3"), 1: at("", "B4")}
    state = position(row, rules=TACTIC, hands=((6, 1), (5, 2)), pile=(20, 8))
    assert apply(state, Play(nth("R3"), ONE)).state.claimable == (0,)  # a joker could be the B4


def test_a18_the_claims_of_the_expert_game_go_without_tactic_cards_too() -> None:
    rules = flagged(BASE, {"claim_timing": "start_of_turn"})
    state = position({0: stone("R7 R8")}, rules=rules, hands=(6, 6), pile=9)
    step = apply(state, Play(BASE.card("R9"), ONE))
    assert step.events == (Played(ME, BASE.card("R9"), ONE), Drew(ME, DeckId(0)))
    state = apply(step.state, Play(BASE.card("N1"), TWO)).state
    assert legal_moves(state, cards("N2"))[:2] == (Claim(ONE), Play(BASE.card("N2"), TWO))
    step = apply(state, Claim(ONE))
    assert step.events == (Claimed(ME, ONE),)
    assert (step.state.to_move, step.state.phase) == (ME, Phase.PLAY)


@pytest.mark.parametrize(
    ("mine", "theirs", "seen", "claim"),
    [("R6 R7 R8 R9", "", "", True), ("B1 B2 B3 B4", "R2 R3 R4", "R1", False), ("R7 R8 R9", "", "", False)],
    ids=["T29", "T31", "T24"],
)
def test_a31_a_proof_is_possible_at_a_muddy_stone_before_the_other_side_has_its_four_cards(
    mine: str, theirs: str, seen: str, claim: bool
) -> None:
    row = {0: at(mine, theirs, modes=("", "MUD"))}
    state = position(row, rules=TACTIC, seen=seen, phase=Phase.CLAIM, pile=(9, 1))
    assert (state.claimable == (0,)) is claim
    if not claim:
        refusal(state, Claim(ONE))


def test_d5_whoever_is_one_ahead_waits_for_the_other_to_draw_level() -> None:
    hands = ((5, 2), (5, 2))
    for mine, theirs, allowed in ((0, 0, True), (1, 0, False), (1, 1, True), (2, 1, False), (0, 3, True)):
        state = position({}, rules=TACTIC, hands=hands, pile=0, beside=Beside(tactics=(mine, theirs)))
        assert (Play(nth("SPY"), ONE) in legal_moves(state, (nth("SPY"),))) is allowed


def test_a8_a_muddy_stone_with_three_cards_on_a_side_is_no_full_side_in_a_stuck_game() -> None:
    row = {0: at("R1 B2 G4", "P1 P2 Y9 N5", modes=("MUD", ""))}
    state = position(row, rules=TACTIC, phase=Phase.CLAIM, acted=False, skips=2, hands=((0, 0), (0, 0)), pile=0)
    after = apply(state, Done()).state
    assert after.stones[0].owner == YOU


def test_a14_in_the_siege_too_a_redeploy_takes_an_elite_troop() -> None:
    state = position({2: stone("SPY", rules=SIEGE_TACTIC)}, rules=SIEGE_TACTIC, hands=((5, 2), (5, 2)), pile=0)
    red, spy = cards("RED SPY", SIEGE_TACTIC)
    assert Redeploy(red, spy, None) in legal_moves(state, (red,))
