"""The chances that the search bot counts with: each against a count over all cases, or one made by hand."""

from __future__ import annotations

from itertools import product

import pytest

from p2p_schotten.bots.prospects import HELD, Prospects, at_least, endings, ends_above, fold, logit
from p2p_schotten.engine.formation import side_of
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import BASE, RULESETS, SIEGE
from p2p_schotten.ids import SEATS
from tests.bots.games import course_of, dealt
from tests.engine.positions import ME, YOU, cards, position, stone

TERMS = position({}).stones[0].sides[0].terms


def bits(text: str) -> int:
    return sum(1 << card for card in cards(text))


@pytest.mark.parametrize(("count", "held", "others"), [*product((1, 2, 3), range(4), range(4))])
def test_the_chance_that_enough_cards_come_is_that_over_all_cases(count: int, held: int, others: int) -> None:
    chances = [HELD] * held + [0.3] * others
    expected = 0.0
    for come in product((False, True), repeat=len(chances)):
        if sum(come) >= count:
            weight = 1.0
            for comes, chance in zip(come, chances, strict=True):
                weight *= chance if comes else 1 - chance
            expected += weight
    assert at_least(count, held, others, 0.3) == pytest.approx(expected)


def test_one_side_ends_above_another_as_often_as_over_all_pairs() -> None:
    one, two = ((524, 0.2), (415, 0.3), (110, 0.5)), ((523, 0.1), (415, 0.4), (112, 0.25), (108, 0.25))
    for tie in (0.0, 0.5, 1.0):
        pairs = [(a, p * q, b) for (a, p), (b, q) in product(one, two)]
        expected = sum(weight for a, weight, b in pairs if a > b) + tie * sum(w for a, w, b in pairs if a == b)
        assert ends_above(one, two, tie) == pytest.approx(expected)


def test_what_a_side_may_end_as_is_what_its_cards_allow_best_first() -> None:
    # R8 R9 with R7 in the hand: R7 comes with the chance HELD; then a red card, a 10 of nobody, or 7 of any colour.
    found = endings(side_of(TERMS, cards("R8 R9")), bits("R7"), bits("R1 B7 G7 Y5"), 0.2)
    keys = [key for key, _ in found]
    assert keys == sorted(keys, reverse=True)
    assert keys[0] == 524
    assert found[0][1] == pytest.approx(HELD)
    assert sum(chance for _, chance in found) == pytest.approx(1.0)
    red = (1 - HELD) * (1 - (1 - HELD) * (1 - 0.2))  # R7 or R1, where no colour run came
    assert found[1][1] == pytest.approx(red)
    run = (1 - HELD - red) * (1 - (1 - HELD) * 0.8**2)  # 7 of three colours
    assert keys[2] == 224
    assert found[2][1] == pytest.approx(run)


def test_a_full_side_ends_as_it_is() -> None:
    assert endings(side_of(TERMS, cards("R7 R8 R9")), 0, BASE.grid.all, 0.5) == ((524, 1.0),)


def test_nine_even_stones_make_an_even_game_and_owned_ones_a_won_game() -> None:
    state = position({})
    assert fold([0.5] * 9, state, ME) == pytest.approx(0.5)
    assert fold([1, 1, 1, 0, 0, 0, 1, 0, 0], state, ME) == 0.5, "both have three in a row: who was first is not known"
    assert fold([1, 1, 1, 0, 0, 1, 0, 0, 1], state, ME) == 1.0
    assert fold([1, 0, 1, 0, 1, 0, 1, 0, 1], state, ME) == 1.0
    assert fold([0, 1, 0, 1, 0, 1, 0, 1, 0], state, ME) == 0.0


def test_the_last_of_five_stones_decides() -> None:
    assert fold([1, 0, 1, 0, 1, 0, 0.3, 0, 1], position({}), ME) == pytest.approx(0.3)


def test_a_wall_falls_at_four_tiles_or_at_a_damaged_one() -> None:
    wall = position({}, rules=SIEGE)
    assert fold([1, 1, 1, 0.25, 0, 0, 0], wall, ME) == pytest.approx(0.25)
    assert fold([0, 0, 0, 0.75, 1, 1, 1], wall, YOU) == pytest.approx(0.75), "of four tiles the defender keeps one"
    hole = position({2: stone(rules=SIEGE, damaged=True)}, rules=SIEGE)
    assert fold([0, 0, 0.4, 0, 0, 0, 0], hole, ME) == pytest.approx(0.4)


def test_what_is_decided_is_certain() -> None:
    row = {0: stone("R7 R8 R9", "B1 B2 G8"), 1: stone("G1 G2 B7", "Y7 Y8 Y9"), 2: stone("P1 P2 P3", owner=ME)}
    state = position(row)
    mine = Prospects(state, ME, bits("N1 N2"))
    assert [mine.stone(state.stones[number]) for number in range(3)] == [1.0, 0.0, 1.0]


def test_a_side_that_nothing_can_beat_is_won() -> None:
    assert Prospects(state := position({4: stone("R7 R8 R9")}), ME, 0).stone(state.stones[4]) == 1.0
    assert Prospects(state, YOU, 0).stone(state.stones[4]) == 0.0


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_the_positions_of_every_game_have_chances(rules: Ruleset) -> None:
    for number, table in enumerate(course_of(dealt(rules, ME, 3), ("uniform", "uniform"), 3)):
        for seat in SEATS:
            if number % 4 == 0 and not table.state.over:
                hand = sum(1 << card for card in table.hands[seat])
                prospects = Prospects(table.state, seat, hand)
                assert 0 <= prospects.win() <= 1
                assert all(0 <= prospects.stone(each) <= 1 for each in table.state.stones)


def test_the_odds_of_a_chance_are_kept_off_both_ends() -> None:
    assert logit(0.5) == 0
    assert logit(0.0) == logit(0.01)
    assert logit(1.0) == pytest.approx(-logit(0.0))
