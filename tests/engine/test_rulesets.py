"""Cards and rulesets: the contents of the box, their numbers and their code."""

from __future__ import annotations

from dataclasses import fields as dataclass_fields
from dataclasses import replace

import pytest

from p2p_schotten.engine.cards import Grid, Power, card_set, members
from p2p_schotten.engine.ruleset import ClaimWindow, Contest, Ruleset, Siege, Tactics, Tile
from p2p_schotten.engine.rulesets import (
    BASE,
    BATTLE_LINE,
    BATTLE_LINE_ADVANCED,
    BATTLE_LINE_PLAIN,
    EXPERT,
    RULESETS,
    SIEGE,
    SIEGE_TACTIC,
    TACTIC,
    ruleset,
)
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
    names = [
        "base",
        "tactic",
        "expert",
        "siege",
        "siege-tactic",
        "battle-line",
        "battle-line-plain",
        "battle-line-advanced",
    ]
    assert list(RULESETS) == names
    assert [ruleset(name).name for name in names] == names
    for name in ("Base", "", "chess", "x" * 5000):
        with pytest.raises(Unreadable) as refused:
            ruleset(name)
        assert str(refused.value) == f"{name[:40]!r} is not a ruleset: known are {', '.join(names)}"


def test_the_ten_tactic_cards_of_the_clans() -> None:
    assert TACTIC.decks[0] == EXPERT.decks[0] == BASE.decks[0]
    assert tactics(TACTIC) == tactics(EXPERT) == CLAN_TACTICS
    assert (TACTIC.hand_size, len(TACTIC.cards)) == (7, 64)
    assert (TACTIC.claims, EXPERT.claims) == (ClaimWindow.AFTER_PLAY, ClaimWindow.START)
    assert replace(EXPERT, name="tactic", claims=ClaimWindow.AFTER_PLAY) == TACTIC


CLAN_TACTICS = [  # what is printed, what it does, the values that it may stand for
    ("JOK", Power.JOKER, (1, 9)),
    ("JOK", Power.JOKER, (1, 9)),
    ("SPY", Power.ELITE, (7, 7)),
    ("SHB", Power.ELITE, (1, 3)),
    ("FOG", Power.FOG, None),
    ("MUD", Power.MUD, None),
    ("REC", Power.SCOUT, None),
    ("STR", Power.REDEPLOY, None),
    ("BAN", Power.DESERT, None),
    ("TRA", Power.BETRAY, None),
]


def tactics(rules: Ruleset) -> list[tuple[str, Power | None, tuple[int, int] | None]]:
    """What stands on the tactic cards."""
    assert [deck.name for deck in rules.decks][1:] == ["tactic"]
    for card in rules.decks[1].cards:
        assert (card.deck, card.colour, card.value) == (1, None, None)
        assert card.title
    return [(card.text, card.power, card.wild) for card in rules.decks[1].cards]


def test_battle_line_has_60_troops_and_ten_tactic_cards_of_its_own() -> None:
    assert [card.text for card in BATTLE_LINE.decks[0].cards] == oracle.deck("ROYGBP", 1, 10)
    assert tactics(BATTLE_LINE) == [
        ("ALX", Power.JOKER, (1, 10)),
        ("DAR", Power.JOKER, (1, 10)),
        ("CAV", Power.ELITE, (8, 8)),
        ("SHD", Power.ELITE, (1, 3)),
        ("FOG", Power.FOG, None),
        ("MUD", Power.MUD, None),
        ("SCO", Power.SCOUT, None),
        ("RED", Power.REDEPLOY, None),
        ("DES", Power.DESERT, None),
        ("TRA", Power.BETRAY, None),
    ]
    assert [tile.size for tile in BATTLE_LINE.tiles] == [3] * 9
    assert (BATTLE_LINE.hand_size, BATTLE_LINE.adjacent, BATTLE_LINE.majority, BATTLE_LINE.win_points) == (7, 3, 5, 5)
    assert BATTLE_LINE.claims is BATTLE_LINE_PLAIN.claims is ClaimWindow.AFTER_PLAY
    assert replace(BATTLE_LINE_ADVANCED, name="battle-line", claims=ClaimWindow.AFTER_PLAY) == BATTLE_LINE
    assert (BATTLE_LINE_PLAIN.decks, BATTLE_LINE_PLAIN.hand_size) == (BATTLE_LINE.decks[:1], 7)


def test_the_siege_has_60_cards_eleven_tactic_cards_and_seven_tiles() -> None:
    assert [card.text for card in SIEGE.cards] == oracle.deck("RGBYP", 0, 11)
    assert (SIEGE.hand_size, SIEGE_TACTIC.hand_size) == (6, 7)
    assert tactics(SIEGE_TACTIC) == [
        ("JOK", Power.JOKER, (0, 11)),
        ("JOK", Power.JOKER, (0, 11)),
        ("SPY", Power.ELITE, (10, 10)),
        ("SHB", Power.ELITE, (1, 3)),
        ("RED", Power.REDEPLOY, None),
        ("REC", Power.RECRUIT, None),
        ("DES", Power.DESERT, None),
        ("BET", Power.BETRAY, None),
        ("BLO", Power.BLOW_UP, None),
        ("SUP", Power.SUPPORT, None),
        ("EXC", Power.EXCHANGE, None),
    ]
    wall = [  # intact, then damaged: cards per side and what counts
        (3, "+", 3, "r"),
        (4, "_", 2, "="),
        (3, "_", 3, "c"),
        (2, "_", 4, "-"),
        (3, "_", 3, "c"),
        (4, "_", 2, "="),
        (3, "-", 3, "r"),
    ]
    for tile, row in zip(SIEGE.tiles, wall, strict=True):
        assert tile.damaged is not None
        assert (tile.size, tile.contest.value, tile.damaged.size, tile.damaged.contest.value) == row
    for rules in (SIEGE, SIEGE_TACTIC):
        assert (rules.claims, rules.siege) == (ClaimWindow.ATTACKER, Siege(oil=3, breach=4, full_defender_wins=False))
        assert rules.colour_run_bonus is False


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (TACTIC, Tactics(joker_limit=True, ruses_take="any", modes_targetable=False, return_to="bottom")),
        (BATTLE_LINE, Tactics(joker_limit=True, ruses_take="any", modes_targetable=True, return_to="top")),
        (SIEGE_TACTIC, Tactics(joker_limit=False, ruses_take="any", modes_targetable=False, return_to="bottom")),
    ],
)
def test_a3_a14_a16_a24_d8_what_the_games_do_differently_with_tactic_cards(rules: Ruleset, expected: Tactics) -> None:
    assert rules.tactics == expected


def test_two_jokers_have_one_face_and_two_numbers() -> None:
    assert TACTIC.named("jok") == (54, 55)
    assert TACTIC.card("JOK") == 54
    assert [TACTIC.card_id(DeckId(1), index) for index in range(10)] == list(range(54, 64))
    assert [TACTIC.index(CardId(card)) for card in (0, 53, 54, 63)] == [0, 53, 0, 9]


def test_no_two_rulesets_have_the_same_code() -> None:
    assert len({rules.code() for rules in RULESETS.values()}) == len(RULESETS) == 8
    tactics, siege = TACTIC.tactics, SIEGE.siege
    assert tactics is not None
    assert siege is not None
    joker = replace(TACTIC.decks[1].cards[0], wild=(1, 8))
    others = [
        replace(TACTIC, tactics=replace(tactics, joker_limit=False)),
        replace(TACTIC, tactics=replace(tactics, ruses_take="clan")),
        replace(TACTIC, tactics=replace(tactics, modes_targetable=True)),
        replace(TACTIC, tactics=replace(tactics, return_to="top")),
        replace(TACTIC, flags=(("return_to", "top"),)),
        replace(TACTIC, decks=(TACTIC.decks[0], replace(TACTIC.decks[1], cards=(joker, *TACTIC.decks[1].cards[1:])))),
        replace(SIEGE, siege=replace(siege, oil=2)),
        replace(SIEGE, siege=replace(siege, breach=3)),
        replace(SIEGE, siege=replace(siege, full_defender_wins=True)),
        replace(SIEGE, colour_run_bonus=True),
        replace(SIEGE, tiles=(replace(SIEGE.tiles[0], damaged=Tile(3, Contest.SAME)), *SIEGE.tiles[1:])),
    ]
    codes = [each.code() for each in (TACTIC, SIEGE, *others)]
    assert len(set(codes)) == len(codes)


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


@pytest.mark.parametrize(
    ("rules", "changes", "why"),
    [
        (BASE, {"claims": ClaimWindow.ATTACKER}, "who controls a wall attacks it"),
        (SIEGE, {"claims": ClaimWindow.AFTER_PLAY}, "who controls a wall attacks it"),
        (SIEGE, {"tiles": (Tile(3, Contest.ANY),) * 7}, "every tile of a wall has two faces"),
        (TACTIC, {"tiles": (Tile(4, Contest.ANY),) * 9}, "a mud takes one card more"),
        (BASE, {"tiles": (Tile(5, Contest.ANY),) * 9}, "a mud takes one card more"),
    ],
)
def test_a_ruleset_that_no_game_could_follow_is_not_made(rules: Ruleset, changes: dict[str, object], why: str) -> None:
    fields = {field.name: getattr(rules, field.name) for field in dataclass_fields(rules) if field.init}
    with pytest.raises(AssertionError, match=why):
        Ruleset(**{**fields, **changes})


def test_a_stone_of_four_is_a_game_without_a_mud() -> None:
    assert replace(BASE, tiles=(Tile(4, Contest.ANY),) * 9).tiles[0].size == 4


def test_sets_of_cards_name_their_members() -> None:
    grid = Grid(5, 0, 11)
    assert grid.values == tuple(range(12)) * 5
    assert members(grid.all) == tuple(range(60))
    assert members(grid.rows[11]) == (11, 23, 35, 47, 59)
    assert card_set(members(grid.rows[11])) == grid.rows[11]
    assert card_set([CardId(3), CardId(0)]) == 0b1001
    assert members(grid.suits[1]) == tuple(range(12, 24))
    assert grid.card(1, 11) == CardId(23)
    assert members(0) == ()
