"""Formations and hopes against the rules' own examples and against every possible filling."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p_schotten.engine.cards import Grid, members, numbered_cards
from p2p_schotten.engine.formation import NOTHING, Terms, best, key_text, side_of, with_card
from p2p_schotten.engine.ruleset import Contest
from tests.engine import oracle
from tests.engine.positions import cards, side

GAMES = [("RGBYPN", 1, 9), ("ROYGBP", 1, 10), ("RGBYP", 0, 11)]


@pytest.mark.parametrize(
    ("text", "words"),
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
def test_a_full_side_is_worth_its_formation(text: str, words: str) -> None:
    assert key_text(side(text).key, side(text).terms) == words


@pytest.mark.parametrize(
    ("text", "words"),
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
def test_formations_of_two_and_four_cards(text: str, words: str) -> None:
    held = tuple(sorted(cards(text)))
    terms = Terms(Grid(6, 1, 9), len(held), Contest.ANY)
    assert key_text(side_of(terms, held).key, terms) == words


def test_a_side_that_is_not_full_has_no_key() -> None:
    assert not side("R7 R8").full
    assert side("R7 R8").key == 0


def test_a_side_is_the_same_in_whatever_order_its_cards_came() -> None:
    seven, eight, nine = cards("R7 B8 G9")
    there = with_card(with_card(with_card(side(""), nine), seven), eight)
    assert there == with_card(with_card(with_card(side(""), eight), nine), seven) == side("R7 B8 G9")
    assert there is side("R7 B8 G9")


def test_a_side_survives_pickling_as_the_interned_one() -> None:
    assert pickle.loads(pickle.dumps(side("R7 B8"))) is side("R7 B8")


def test_sides_of_different_stones_differ() -> None:
    held = tuple(sorted(cards("R7 R8")))
    two, three = (side_of(Terms(Grid(6, 1, 9), size, Contest.ANY), held) for size in (2, 3))
    assert two != three


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_the_best_hope_is_the_best_of_all_fillings(data: st.DataObject) -> None:
    letters, low, high = data.draw(st.sampled_from(GAMES))
    size = data.draw(st.integers(2, 4))
    deck = oracle.deck(letters, low, high)
    grid = Grid(len(letters), low, high)
    numbers = {card.text: card.id for card in numbered_cards(letters, low, high)}
    held = data.draw(st.lists(st.sampled_from(deck), max_size=size, unique=True))
    among = data.draw(st.lists(st.sampled_from([card for card in deck if card not in held]), max_size=13, unique=True))
    above = data.draw(st.integers(100, 560))
    there = side_of(Terms(grid, size, Contest.ANY), tuple(sorted(numbers[card] for card in held)))
    pool = sum(1 << numbers[card] for card in among)

    expected = oracle.best(held, among, size)
    key, needed = best(there, pool)
    if expected is None:
        assert (key, needed) == NOTHING
    else:
        chosen = [deck[card] for card in members(needed)]
        assert divmod(key, 100) == expected
        assert set(chosen) <= set(among)
        assert oracle.key([*held, *chosen]) == expected
    # A bound only hides what does not exceed it.
    assert best(there, pool, above) == ((key, needed) if key > above else NOTHING)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_hopes_hold_when_most_cards_are_unseen(data: st.DataObject) -> None:
    deck = oracle.deck()
    held = data.draw(st.lists(st.sampled_from(deck), min_size=1, max_size=3, unique=True))
    gone = data.draw(st.sets(st.sampled_from(deck), max_size=30))
    among = [card for card in deck if card not in held and card not in gone]
    key, needed = best(side(" ".join(held)), sum(1 << card for card in cards(" ".join(among))))
    assert divmod(key, 100) == oracle.best(held, among, 3)
    assert oracle.key([*held, *(deck[card] for card in members(needed))]) == divmod(key, 100)
