"""Formations and hopes against the rules' own examples and against every possible filling; no wild cards here."""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p_schotten.engine.cards import members
from p2p_schotten.engine.formation import NOTHING, best, key_text, may_beat, side_of, with_card, without_card
from p2p_schotten.engine.ruleset import Contest
from p2p_schotten.ids import CardId
from tests.engine import oracle
from tests.engine.oracle import FLAG, STONE, WALL, Place
from tests.engine.places import RULES, bits, ids, side_at, terms_of


def words(text: str, place: Place) -> str:
    """What a complete side is worth, in words."""
    side = side_at(text.split(), place)
    assert side.full
    return key_text(side.key, side.terms)


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        ("R7 R8 R9", "colour run 24"),
        ("N1 N3 N2", "colour run 6"),
        ("R9 B9 G9", "three of a kind 27"),
        ("G1 G3 G5", "colour 9"),
        ("R7 B8 G9", "run 24"),
        ("R4 B5 G6", "run 15"),
        ("Y9 P7 N6", "sum 22"),
        ("R9 B1 G2", "sum 12"),  # no run around the corner
        ("R8 R9 R1", "colour 18"),
        ("R5 B5 G6", "sum 16"),
    ],
)
def test_a_full_side_is_worth_its_formation(text: str, worth: str) -> None:
    assert words(text, STONE) == worth


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        ("R7 B7 G7 Y2", "sum 23"),  # every card must fit
        ("R3 R4 R5 R6", "colour run 18"),
        ("B9 G9 Y9 P9", "same strength 36"),
        ("R3 G4 R5 R6", "run 18"),
        ("R1 R3 R4 R5", "colour 13"),
        ("B8 B9", "colour run 17"),
        ("B8 G8", "same strength 16"),
        ("B8 B6", "colour 14"),
        ("B8 G7", "run 15"),
        ("B8 G6", "sum 14"),
    ],
)
def test_formations_of_two_and_four_cards(text: str, worth: str) -> None:
    assert words(text, Place(size=len(text.split()))) == worth


@pytest.mark.parametrize(
    ("contest", "text", "worth", "key"),
    [
        ("+", "R9 R10 R11", "sum 30", 130),
        ("-", "R9 R10 R11", "sum 30", 70),
        ("-", "R0 B0 G0", "sum 0", 100),
        ("-", "R11 B11 G11 Y11", "sum 44", 56),
        ("c", "R0 R1 R3", "colour 4", 204),
        ("c", "R3 R4 R5", "colour 12", 212),
        ("c", "R11 B11 G11", "sum 33", 133),
        ("r", "R3 B4 G5", "run 12", 212),
        ("r", "R3 R4 R5", "run 12", 212),
        ("r", "R11 R0 R1", "sum 12", 112),  # no run around the corner
        ("=", "R11 B11", "same strength 22", 222),
        ("=", "R10 R11", "sum 21", 121),
    ],
)
def test_a_siege_tile_accepts_one_property_and_all_else_is_a_sum(contest: str, text: str, worth: str, key: int) -> None:
    place = Place("RGBYP", 0, 11, len(text.split()), contest)
    assert words(text, place) == worth
    assert side_at(text.split(), place).key == key


@pytest.mark.parametrize(
    ("contest", "text", "worth", "key"),
    [
        ("c", "R3 R4 R5", "colour run 12", 312),
        ("r", "R3 R4 R5", "colour run 12", 312),
        ("c", "R2 R9 R11", "colour 22", 222),
        ("r", "R9 B10 R11", "run 30", 230),
        ("+", "R3 R4 R5", "sum 12", 112),
        ("-", "R3 R4 R5", "sum 12", 88),
    ],
)
def test_a20_with_the_bonus_a_colour_run_beats_what_a_colour_or_run_tile_asks_for(
    contest: str, text: str, worth: str, key: int
) -> None:
    place = Place("RGBYP", 0, 11, 3, contest, bonus=True)
    assert words(text, place) == worth
    assert side_at(text.split(), place).key == key


def test_a_side_that_is_not_full_has_no_key() -> None:
    side = side_at(["R7", "R8"], STONE)
    assert not side.full
    assert side.key == 0


@pytest.mark.parametrize("text", ["R7 G7 B7 Y7", "R1 R2 R3 R4", "R7 JOK SPY G7"])
def test_a_side_with_a_card_too_many_is_not_full_and_hopes_for_nothing(text: str) -> None:
    side = side_at(text.split(), STONE)
    assert (side.full, side.key, best(side, RULES[STONE.letters].grid.all)) == (False, 0, NOTHING)
    last = side.cards[-1]
    assert without_card(side, last) is side_of(side.terms, side.cards[:-1])
    assert without_card(side, last).full


def test_what_beat_a_key_once_beats_it_no_more_when_a_card_of_it_has_gone() -> None:
    side, seven, run = side_at(["R7", "R8"], STONE), ids(["G7", "G8", "G9"], STONE), 500 + 21  # R6 R7 R8
    nine, six = bits(["R9"], STONE), bits(["R6"], STONE)
    others = sum(1 << card for card in seven)
    assert may_beat(side, run, nine | six | others)  # R7 R8 R9 is worth 524
    assert may_beat(side, run, nine)
    assert not may_beat(side, run, six | others)  # as good is not better
    assert may_beat(side, run - 1, six)
    assert may_beat(side, 300, six | others)
    assert not may_beat(side, 500, others)
    assert may_beat(side, 200, bits(["G9"], STONE))  # R7 R8 G9: a run
    assert may_beat(side, 200, bits(["G6"], STONE))  # another way, after the first has gone
    assert not may_beat(side, 200, bits(["G5"], STONE))


def test_a_side_is_the_same_in_whatever_order_its_cards_came() -> None:
    empty, (seven, eight, nine) = side_at([], STONE), ids(["R7", "B8", "G9"], STONE)
    there = with_card(with_card(with_card(empty, nine), seven), eight)
    assert there == with_card(with_card(with_card(empty, eight), nine), seven) == side_at(["R7", "B8", "G9"], STONE)
    assert there is side_at(["R7", "B8", "G9"], STONE)


@pytest.mark.parametrize("text", ["R7", "R7 B8 G9", "JOK JOK SPY", "B8 JOK SHB"])
def test_a_card_that_leaves_a_side_leaves_the_side_as_it_was_before(text: str) -> None:
    side = side_at(text.split(), STONE)
    for card in side.cards:
        before = without_card(side, card)
        assert before is side_of(side.terms, tuple(other for other in side.cards if other != card))
        assert without_card(side, card) is before
        assert with_card(before, card) is side
    away = CardId(1)
    assert without_card(with_card(side, away), away) is side


def test_a_side_survives_pickling_as_the_interned_one() -> None:
    for place in (STONE, FLAG, WALL):
        side = side_at(["R7", "B8"], place)
        assert pickle.loads(pickle.dumps(side)) is side


def test_terms_are_found_again_in_a_process_that_hashes_texts_otherwise() -> None:
    program = (
        "import pickle, sys\n"
        "terms = pickle.loads(sys.stdin.buffer.read())\n"
        "from p2p_schotten.engine.formation import Terms\n"
        "from p2p_schotten.engine.ruleset import Contest\n"
        "print({Terms(terms.grid, 3, Contest.RUN, ((60, 0, 11),), True): 'found'}.get(terms))"
    )
    place = Place("RGBYP", 0, 11, 3, "r", bonus=True)
    terms = side_at([], place).terms
    sent = type(terms)(terms.grid, 3, Contest.RUN, ((CardId(60), 0, 11),), True)
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", program],
            input=pickle.dumps(sent),
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            check=True,
        )
        assert done.stdout.split() == [b"found"]


def test_sides_of_different_stones_differ() -> None:
    places = [Place(size=2), Place(size=3), Place(size=3, contest="+"), Place(size=4)]
    places += [Place("RGBYP", 0, 11, 3, "r", bonus) for bonus in (False, True)]
    sides = {side_at(["R7", "R8"], place) for place in places}
    assert len(sides) == len(places)


CONTESTS = st.sampled_from("_+-cr=")


@settings(max_examples=250, deadline=None)
@given(data=st.data())
def test_the_best_hope_is_the_best_of_all_fillings(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from([STONE, FLAG, WALL]))
    place = Place(
        game.letters, game.low, game.high, data.draw(st.integers(2, 4)), data.draw(CONTESTS), data.draw(st.booleans())
    )
    deck = place.deck()
    held = data.draw(st.lists(st.sampled_from(deck), max_size=place.size, unique=True))
    among = data.draw(st.lists(st.sampled_from([card for card in deck if card not in held]), max_size=13, unique=True))
    above = data.draw(st.integers(50, 560))
    side, pool = side_at(held, place), bits(among, place)

    expected = oracle.best(held, among, place)
    key, needed = best(side, pool)
    if expected is None:
        assert (key, needed) == NOTHING
    else:
        chosen = [deck[card] for card in members(needed)]
        assert key == 100 * expected[0] + expected[1]
        assert set(chosen) <= set(among)
        assert oracle.key([*held, *chosen], place) == expected
    # A bound only hides what does not exceed it, and tactic cards are no cards to fill a side with.
    assert best(side, pool, above) == ((key, needed) if key > above else NOTHING)
    assert best(side, pool | 0b1111111111 << len(deck)) == (key, needed)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_hopes_hold_when_most_cards_are_unseen(data: st.DataObject) -> None:
    deck = oracle.deck()
    held = data.draw(st.lists(st.sampled_from(deck), min_size=1, max_size=3, unique=True))
    gone = data.draw(st.sets(st.sampled_from(deck), max_size=30))
    among = [card for card in deck if card not in held and card not in gone]
    key, needed = best(side_at(held, STONE), bits(among, STONE))
    assert divmod(key, 100) == oracle.best(held, among)
    assert oracle.key([*held, *(deck[card] for card in members(needed))]) == divmod(key, 100)


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize("game", [STONE, FLAG, WALL], ids=["stone", "flag", "wall"])
def test_an_empty_side_becomes_every_colour_run_whose_cards_are_left(game: Place, size: int) -> None:
    place = replace(game, size=size)
    cards, empty = place.deck(), side_at([], place)
    for first in range(len(cards) - size + 1):
        row = cards[first : first + size]  # some go on from one colour to the next, and are no run
        rank, total = oracle.key(row, place)
        assert best(empty, bits(row, place)) == (100 * rank + total, bits(row, place)), row


@pytest.mark.parametrize(
    ("place", "least", "most"),
    [
        (STONE, 103, 524),  # a sum of three ones, R7 R8 R9
        (Place("ROYGBP", 1, 10, 4, "+"), 104, 140),
        (Place("RGBYP", 0, 11, 3, "-"), 67, 100),  # three elevens, three zeros
        (Place("RGBYP", 0, 11, 2, "="), 100, 222),
        (Place("RGBYP", 0, 11, 3, "r", bonus=True), 100, 330),
    ],
)
def test_no_key_is_outside_its_bounds(place: Place, least: int, most: int) -> None:
    terms = terms_of(place)
    assert (terms.least, terms.least + terms.spread) == (least, most)


def test_terms_take_two_to_four_cards() -> None:
    for size in (1, 5):
        with pytest.raises(AssertionError):
            terms_of(Place(size=size))
