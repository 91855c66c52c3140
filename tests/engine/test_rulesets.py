"""Cards and rulesets: the contents of the box, their numbers and their code."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_schotten.engine.cards import Grid, members
from p2p_schotten.engine.ruleset import Tile
from p2p_schotten.engine.rulesets import BASE, RULESETS, ruleset
from p2p_schotten.errors import Unreadable
from p2p_schotten.ids import CardId, DeckId
from tests.engine import oracle


def test_the_base_box_holds_54_clan_cards_and_9_stones() -> None:
    assert [card.text for card in BASE.cards] == oracle.deck("RGBYPN", 1, 9)
    assert [deck.name for deck in BASE.decks] == ["clan"]
    assert [tile.size for tile in BASE.tiles] == [3] * 9
    assert (BASE.hand_size, BASE.adjacent, BASE.majority, BASE.win_points) == (6, 3, 5, 5)


def test_a_card_id_is_colour_times_nine_plus_value_minus_one() -> None:
    for number, card in enumerate(BASE.cards):
        assert card.colour is not None
        assert card.value is not None
        assert card.id == number == card.colour * 9 + card.value - 1
        assert BASE.text(card.id) == "RGBYPN"[card.colour] + str(card.value)
        assert BASE.card(card.text) == BASE.card(f" {card.text.lower()} ") == card.id
        assert (BASE.deck_of(card.id), BASE.index(card.id), BASE.card_id(DeckId(0), number)) == (0, number, number)


@pytest.mark.parametrize("text", ["", "R", "R0", "R10", "7R", "JOK", "RR7", "R7 R8", "R\u0667", "x" * 5000])
def test_what_is_no_card_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable, match="is not a card") as refused:
        BASE.card(text)
    assert len(str(refused.value)) < 100


def test_rulesets_are_found_by_name_and_the_known_names_are_told() -> None:
    assert ruleset("base") is BASE
    assert RULESETS["base"] is BASE
    for name in ("Base", "", "chess", "x" * 5000):
        with pytest.raises(Unreadable, match="known are base"):
            ruleset(name)


def test_the_code_covers_everything_that_defines_the_rules() -> None:
    deck = BASE.decks[0]
    cards = deck.cards
    renamed = (replace(cards[0], text="X1"), *cards[1:])
    other_values = (replace(cards[0], value=2), *cards[1:])
    other_colours = (replace(cards[0], colour=3), *cards[1:])
    others = [
        replace(BASE, name="other"),
        replace(BASE, decks=(replace(deck, name="troop"),)),
        replace(BASE, decks=(replace(deck, cards=renamed),)),
        replace(BASE, decks=(replace(deck, cards=other_values),)),
        replace(BASE, decks=(replace(deck, cards=other_colours),)),
        replace(BASE, hand_size=7),
        replace(BASE, tiles=(Tile(4, BASE.tiles[0].contest), *BASE.tiles[1:])),
        replace(BASE, tiles=BASE.tiles[1:]),
        replace(BASE, adjacent=4),
        replace(BASE, majority=4),
        replace(BASE, win_points=3),
    ]
    codes = [each.code() for each in (BASE, *others)]
    assert len(set(codes)) == len(codes)
    assert replace(BASE).code() == BASE.code()


def test_sets_of_cards_name_their_members() -> None:
    grid = Grid(5, 0, 11)
    assert grid.values == tuple(range(12)) * 5
    assert members(grid.all) == tuple(range(60))
    assert members(grid.rows[11]) == (11, 23, 35, 47, 59)
    assert members(grid.suits[1]) == tuple(range(12, 24))
    assert grid.card(1, 11) == CardId(23)
    assert members(0) == ()
