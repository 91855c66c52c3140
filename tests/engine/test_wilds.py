"""Wild cards, modes and siege tiles against every identity of every wild card and every filling."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p_schotten.engine.cards import members
from p2p_schotten.engine.claim import holds, weigh
from p2p_schotten.engine.formation import best
from p2p_schotten.engine.judge import judge
from tests.engine import oracle
from tests.engine.oracle import FLAG, STONE, WALL, WILDS, Place
from tests.engine.places import RULES, bits, side_at

CASES = Path(__file__).parent.parent / "cases"
GAMES = {"st1": STONE, "bl": FLAG, "st2": WALL}
FILES = [
    ("st1_claims", 1000),
    ("st1_tactic_claims", 500),
    ("battle_line_claims", 2000),
    ("st2_control", 1000),
    ("extra", 390),
]


def place_of(case: dict[str, object]) -> Place:
    """The stone of a given position, for the oracle."""
    game = GAMES[str(case["variant"])]
    if case["variant"] == "st2":
        size, contest = case["length"], case["pattern"]
    else:
        size, contest = 3 + bool(case["mud"]), "+" if case["fog"] else "_"
    assert isinstance(size, int)
    assert isinstance(contest, str)
    bonus = case.get("colour_run_bonus") is True
    return Place(game.letters, game.low, game.high, size, contest, bonus)


@pytest.mark.parametrize(("name", "count"), FILES)
def test_every_given_position_is_judged_right_and_every_no_is_proven(name: str, count: int) -> None:
    lines = (CASES / f"{name}.jsonl").read_text().splitlines()
    assert len(lines) == count
    for line in lines:
        case = json.loads(line)
        place, found = place_of(case), judge(case)
        unseen = [card for card in place.deck() if card not in case["played"]]
        assert found.claim is case["claim"], case["id"]
        if found.claim:
            assert found.beaten_by == (), case["id"]
        else:
            beaten_by = list(found.beaten_by)
            assert oracle.beats(beaten_by, case["mine"], case["theirs"], case["first"], unseen, place), case["id"]


@st.composite
def stones(draw: st.DrawFn) -> Place:
    """A stone of any game: with or without modes, or any tile of a siege."""
    game = draw(st.sampled_from([STONE, FLAG, WALL]))
    if game is WALL:
        sizes, contests, bonus = st.integers(2, 4), st.sampled_from("_+-cr="), draw(st.booleans())
    else:
        sizes, contests, bonus = st.integers(3, 4), st.sampled_from("_+"), False
    return Place(game.letters, game.low, game.high, draw(sizes), draw(contests), bonus)


@st.composite
def sides(draw: st.DrawFn, place: Place, count: int, taken: list[str], most: int) -> list[str]:
    """`count` cards that are not taken, at most `most` of them wild; few colours make formations likely."""
    wilds = [card for card in WILDS[place.letters] if card not in taken or card == "JOK"]
    found = draw(st.lists(st.sampled_from(wilds), max_size=min(most, count), unique=True)) if wilds else []
    if found == ["JOK"] and "JOK" not in taken and most > 1 and count > 1 and draw(st.booleans()):
        found = ["JOK", "JOK"]
    lively = [card for card in place.deck() if card[0] in place.letters[:3] and card not in taken]
    rest = count - len(found)
    return found + draw(st.lists(st.sampled_from(lively), min_size=rest, max_size=rest, unique=True))


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_a1_a2_a_wild_card_is_worth_the_best_of_all_that_it_may_stand_for(data: st.DataObject) -> None:
    place = data.draw(stones())
    held = data.draw(sides(place, place.size, [], 2))
    rank, total = oracle.key(held, place)
    assert side_at(held, place).key == 100 * rank + total


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_the_best_hope_of_a_side_with_wild_cards_is_the_best_of_all_fillings(data: st.DataObject) -> None:
    place = data.draw(stones())
    missing = data.draw(st.integers(1, min(2, place.size)))
    held = data.draw(sides(place, place.size - missing, [], 2 if missing == 1 else 1))
    deck = place.deck()
    lively = [card for card in deck if card not in held]
    among = data.draw(st.lists(st.sampled_from(lively), max_size=7, unique=True))
    key, needed = best(side_at(held, place), bits(among, place))
    expected = oracle.best(held, among, place)
    if expected is None:
        assert (key, needed) == (0, 0)
    else:
        chosen = [deck[card] for card in members(needed)]
        assert key == 100 * expected[0] + expected[1]
        assert set(chosen) <= set(among)
        assert oracle.key([*held, *chosen], place) == expected


@settings(max_examples=120, deadline=None)
@given(data=st.data())
def test_a_claim_with_wild_cards_holds_exactly_when_no_filling_beats_it(data: st.DataObject) -> None:
    place = data.draw(stones())
    mine = data.draw(sides(place, place.size, [], 1))
    missing = data.draw(st.integers(0, min(2, place.size)))
    theirs = data.draw(sides(place, place.size - missing, mine, 1))
    rest = [card for card in place.deck() if card not in mine and card not in theirs]
    unseen = data.draw(st.lists(st.sampled_from(rest), max_size=7, unique=True))
    first = data.draw(st.booleans()) if missing == 0 else True

    expected = oracle.may_claim(mine, theirs, first, unseen, place)
    own, against = side_at(mine, place), side_at(theirs, place)
    pool = bits(unseen, place) | 0b1111111111 << len(place.deck())  # unseen tactic cards are no evidence (A5)
    assert holds(own, against, first, pool) is expected
    rules = RULES[place.letters]
    verdict = weigh(rules, own, against, first, pool)
    assert verdict.claim is expected
    named = [rules.text(card) for card in verdict.beaten_by]
    assert named == [] if expected else oracle.beats(named, mine, theirs, first, unseen, place)


@pytest.mark.parametrize("place", [Place(size=4), Place("ROYGBP", 1, 10, 4), Place("RGBYP", 0, 11, 4)])
@pytest.mark.parametrize("missing", [3, 4])
def test_a_side_of_four_that_is_nearly_empty_hopes_for_the_best_of_all_fillings(place: Place, missing: int) -> None:
    deck = place.deck()
    held = ["R4"][: 4 - missing]
    pools = [deck[start::4] for start in range(4)] + [deck[:14], deck[20:36], deck[-15:]]
    for pool in pools:
        among = [card for card in pool if card not in held]
        key, needed = best(side_at(held, place), bits(among, place))
        expected = max(oracle.key([*held, *filling], place) for filling in combinations(among, missing))
        assert key == 100 * expected[0] + expected[1]
        assert oracle.key([*held, *(deck[card] for card in members(needed))], place) == expected


def test_a_joker_that_waits_with_three_gaps_hopes_for_the_best_of_all_fillings() -> None:
    place = Place(size=4)
    deck = place.deck()
    for among in (["R2", "B3", "R5", "G9"], ["R6", "R9", "R1", "B1"], ["R1", "B1", "G1", "Y8"], ["N7", "N9", "N8"]):
        key, needed = best(side_at(["JOK"], place), bits(among, place))
        expected = oracle.best(["JOK"], among, place)
        assert expected is not None
        assert key == 100 * expected[0] + expected[1]
        assert oracle.key(["JOK", *(deck[card] for card in members(needed))], place) == expected
