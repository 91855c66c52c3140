"""`schotten rules`: every ruleset fits one screen and says what sets it apart; so does every tactic card."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2p_schotten.cli.rules import cards_page, flags_page, list_page, page
from p2p_schotten.engine.flags import flagged, flags_of
from p2p_schotten.engine.ruleset import Ruleset
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
)
from p2p_schotten.ui.cardtext import brief, explain
from tests.cli.running import schotten


def text(rules: Ruleset) -> str:
    """The page in one line."""
    return " ".join(" ".join(page(rules)).split())


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_the_rules_and_the_cards_of_every_ruleset_fit_a_screen_of_24_lines(rules: Ruleset) -> None:
    for lines in (page(rules), cards_page(rules), flags_page(rules), list_page()):
        assert len(lines) <= 24
        assert all(len(line) <= 79 for line in lines), max(lines, key=len)


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_every_example_of_a_formation_is_made_of_cards_of_the_game(rules: Ruleset) -> None:
    table = [line for line in page(rules) if line.startswith(("  colour", "  three", "  same", "  run", "  sum"))]
    assert len(table) == 5
    for line in table:
        for word in line.split()[-3:]:
            assert rules.text(rules.card(word)) == word


def test_a_game_with_tactics_says_how_many_cards_are_held_and_when_one_may_pass() -> None:
    assert "Each player holds 7 clan cards. 10 tactic cards are a pile too." in text(TACTIC)
    assert "pass only if no clan card fits" in text(TACTIC)
    assert "draw a card from the pile you like, if you hold fewer than 7" in text(TACTIC)
    assert "tactic" not in text(BASE)
    assert "tactic" not in text(BATTLE_LINE_PLAIN)
    assert "pass only if no troop card fits" in text(BATTLE_LINE)


@pytest.mark.parametrize(
    ("rules", "first"), [(BASE, "lay"), (TACTIC, "lay"), (EXPERT, "claim"), (BATTLE_LINE_ADVANCED, "claim")]
)
def test_the_first_step_of_a_turn_is_the_claim_only_where_claims_come_first(rules: Ruleset, first: str) -> None:
    steps = [line.split()[1] for line in page(rules) if line.startswith(("  1", "  2", "  3"))]
    assert steps == (["claim", "lay", "draw"] if first == "claim" else ["lay", "claim", "draw"])


def test_a_siege_shows_what_counts_at_each_stone_intact_and_damaged() -> None:
    lines = page(SIEGE)
    assert [line.split()[1:8] for line in lines if line.startswith(("  intact", "  damaged"))] == [
        ["3+", "4", "3", "2", "3", "4", "3-"],
        ["3r", "2=", "3c", "4-", "3c", "2=", "3r"],
    ]
    said = text(SIEGE)
    assert "4 damaged ones win, or one controlled again." in said
    assert "stone" not in said
    assert "pour oil, 3 in the game" in said
    assert "0 and 11 of one colour on both sides of a tile discard each other." in said


@pytest.mark.parametrize("rules", [SIEGE, SIEGE_TACTIC], ids=["siege", "siege-tactic"])
def test_a_siege_names_control_before_and_after_the_card_and_the_points_and_resigning(rules: Ruleset) -> None:
    said = text(rules)
    before, card, after = said.index(" 1 attacker: control"), said.index(" 2 lay "), said.index(" 3 attacker: control")
    assert before < card < after
    assert "Points: winner 5, beaten attacker 1 per damaged tile. You may resign when it is your turn." in said


def test_flags_that_differ_stand_in_the_title() -> None:
    changed = flagged(TACTIC, {"return_to": "top"})
    assert page(changed)[0].startswith("Ruleset tactic with return_to=top.")
    assert "on top of the piles" in " ".join(explain(changed, changed.cards[changed.card("REC")]))


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_every_flag_with_a_meaning_is_listed_with_its_value(rules: Ruleset) -> None:
    rows = [line.split()[:2] for line in flags_page(rules)[1:] if line.startswith("  ")]
    assert rows == [[name, value] for name, value in flags_of(rules).items()]
    assert rows
    assert all(len(line) < 80 for line in flags_page(rules))


def test_the_values_that_a_flag_could_have_stand_beside_the_one_that_it_has() -> None:
    assert flags_page(BASE)[1:] == [
        "  claim_timing  after_play (or start_of_turn)  when stones are claimed",
        "  tactics       off (or on)                    are there tactic cards",
        "As in: schotten play --rules base --set claim_timing=start_of_turn",
    ]


@pytest.mark.parametrize(
    ("rules", "card", "said"),
    [
        (TACTIC, "SPY", "strength 7,"),
        (SIEGE_TACTIC, "SPY", "strength 10,"),
        (BATTLE_LINE, "CAV", "strength 8,"),
        (TACTIC, "SHB", "strength 1 to 3,"),
        (TACTIC, "JOK", "strength 1 to 9,"),
        (SIEGE_TACTIC, "JOK", "strength 0 to 11,"),
        (TACTIC, "JOK", "whoever has laid one never lays the other"),
        (BATTLE_LINE, "ALX", "There are two (ALX and DAR)"),
        (TACTIC, "REC", "under the piles"),
        (BATTLE_LINE, "SCO", "on top of the piles"),
        (TACTIC, "MUD", "It stays there to the end of the game."),
        (BATTLE_LINE, "MUD", "RED, DES can take it"),
        (TACTIC, "STR", "play STR CARD STONE or play STR CARD discard"),
        (TACTIC, "TRA", "no tactic card"),
        (SIEGE_TACTIC, "BLO", "play BLO TILE own or play BLO TILE other"),
        (
            SIEGE_TACTIC,
            "SUP",
            "discard pile has 2 of them, and the pile they go back into has 2 cards.",
        ),
        (SIEGE_TACTIC, "G11", "Laid opposite G0 at a tile, both are discarded."),
        (SIEGE_TACTIC, "EXC", "you choose 3 cards of your hand"),
    ],
)
def test_a_card_is_explained_by_the_values_of_its_ruleset(rules: Ruleset, card: str, said: str) -> None:
    assert said in " ".join(explain(rules, rules.cards[rules.card(card)]))


def test_a_mode_that_may_be_taken_is_named_also_where_ruses_take_no_troops() -> None:
    changed = flagged(BATTLE_LINE, {"ruse_takes": "clan"})
    for card, said in (("RED", "take a troop card or a mode of your own"), ("DES", "discard a troop card or a mode")):
        assert said in " ".join(explain(changed, changed.cards[changed.card(card)]))
    fixed = flagged(TACTIC, {"ruse_takes": "clan"})
    assert "take a clan card of your own" in " ".join(explain(fixed, fixed.cards[fixed.card("STR")]))


def test_jokers_without_a_limit_are_not_said_to_have_one() -> None:
    card = SIEGE_TACTIC.cards[SIEGE_TACTIC.card("JOK")]
    assert "never" not in " ".join(explain(SIEGE_TACTIC, card))


@pytest.mark.parametrize("rules", [rules for rules in RULESETS.values() if rules.tactics is not None])
def test_the_page_of_cards_has_a_row_for_every_face(rules: Ruleset) -> None:
    lines = cards_page(rules)
    for card in rules.decks[1].cards:
        (row,) = [line for line in lines if line.startswith(f"  {card.text} ")]
        assert row.endswith(brief(rules, card))
        assert card.title in row
    assert [line for line in lines if "x2" in line] == [line for line in lines if line.startswith("  JOK")]


def test_the_command_shows_a_ruleset_its_cards_one_card_and_the_list(tmp_path: Path) -> None:
    assert schotten(tmp_path, "rules", "siege").stdout.splitlines() == page(SIEGE)
    assert schotten(tmp_path, "rules", "tactic", "cards").stdout.splitlines() == cards_page(TACTIC)
    assert schotten(tmp_path, "rules", "list").stdout.splitlines() == list_page()
    assert schotten(tmp_path, "rules", "tactic", "spy").stdout.startswith("SPY (Spy): ")
    assert schotten(tmp_path, "rules", "base", "cards").stdout == "Ruleset base has no tactic cards.\n"


@pytest.mark.parametrize(
    ("typed", "named"),
    [(("tactic", "ZZZ"), "'ZZZ' is not a card: expected a card like R1 or JOK"), (("chess",), "'chess' is not")],
)
def test_what_is_no_ruleset_or_card_is_a_usage_error_in_one_line(
    tmp_path: Path, typed: tuple[str, ...], named: str
) -> None:
    done = schotten(tmp_path, "rules", *typed)
    assert done.returncode == 2
    assert done.stdout == ""
    assert named in done.stderr
