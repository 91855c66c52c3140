"""Flags: what each one changes, which have a meaning where, and that every way to say the same rules is the same."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from p2p_schotten.engine.flags import FLAGS, compare, flagged, flags_of
from p2p_schotten.engine.ruleset import ClaimWindow, Deck, Ruleset, Siege, Tactics
from p2p_schotten.engine.rulesets import (
    BASE,
    BATTLE_LINE,
    BATTLE_LINE_ADVANCED,
    BATTLE_LINE_PLAIN,
    EXPERT,
    SIEGE,
    SIEGE_TACTIC,
    TACTIC,
)
from p2p_schotten.errors import Unreadable

PRESETS = (BASE, TACTIC, EXPERT, BATTLE_LINE, BATTLE_LINE_PLAIN, BATTLE_LINE_ADVANCED, SIEGE, SIEGE_TACTIC)
STONES = {"claim_timing", "tactics"}
WITH_TACTICS = {"joker_limit", "mode_targetable", "return_to", "ruse_takes"}
WALL = {"st2_colour_run_bonus", "st2_full_defender_wins", "tactics"}
MEANING = {
    "base": STONES,
    "tactic": STONES | WITH_TACTICS,
    "expert": STONES | WITH_TACTICS,
    "battle-line": STONES | WITH_TACTICS,
    "battle-line-plain": STONES,
    "battle-line-advanced": STONES | WITH_TACTICS,
    "siege": WALL,
    "siege-tactic": WALL | {"joker_limit", "ruse_takes"},
}


def stripped(rules: Ruleset, name: str) -> Ruleset:
    """The same rules under another name and without their flags."""
    return replace(rules, name=name, flags=())


@pytest.mark.parametrize("rules", PRESETS, ids=lambda rules: rules.name)
def test_a_preset_has_exactly_the_flags_that_mean_something_in_it(rules: Ruleset) -> None:
    found = flags_of(rules)
    assert set(found) == MEANING[rules.name]
    assert list(found) == sorted(found)


@pytest.mark.parametrize(
    ("rules", "values"),
    [
        (BASE, {"claim_timing": "after_play", "tactics": "off"}),
        (
            EXPERT,
            {
                "claim_timing": "start_of_turn",
                "joker_limit": "on",
                "mode_targetable": "off",
                "return_to": "bottom",
                "ruse_takes": "any",
                "tactics": "on",
            },
        ),
        (
            BATTLE_LINE,
            {
                "claim_timing": "after_play",
                "joker_limit": "on",
                "mode_targetable": "on",
                "return_to": "top",
                "ruse_takes": "any",
                "tactics": "on",
            },
        ),
        (
            SIEGE_TACTIC,
            {
                "joker_limit": "off",
                "ruse_takes": "any",
                "st2_colour_run_bonus": "off",
                "st2_full_defender_wins": "off",
                "tactics": "on",
            },
        ),
    ],
    ids=lambda value: value.name if isinstance(value, Ruleset) else "",
)
def test_the_presets_play_as_the_rulings_say(rules: Ruleset, values: dict[str, str]) -> None:
    assert flags_of(rules) == values


@pytest.mark.parametrize("rules", PRESETS, ids=lambda rules: rules.name)
def test_what_is_set_to_what_it_is_anyway_leaves_the_preset(rules: Ruleset) -> None:
    assert flagged(rules, {}) is rules
    assert flagged(rules, flags_of(rules)) is rules


@pytest.mark.parametrize("rules", PRESETS, ids=lambda rules: rules.name)
def test_every_combination_of_two_flags_is_read_back_as_it_was_set(rules: Ruleset) -> None:
    """A flag that the other one makes senseless is refused; else both stand, and only what differs is listed."""
    before = flags_of(rules)
    for (one, first), (two, second) in combinations(((n, v) for n in before for v in FLAGS[n].values), 2):
        wanted = {one: first, two: second}
        if one == two:
            continue
        if wanted.get("tactics") == "off" and (one in WITH_TACTICS or two in WITH_TACTICS):
            with pytest.raises(Unreadable, match="needs tactic cards"):
                flagged(rules, wanted)
            continue
        after = flagged(rules, wanted)
        found = flags_of(after)
        assert wanted.items() <= found.items()
        assert after.flags == tuple(sorted((n, v) for n, v in wanted.items() if before[n] != v))
        assert after.name == rules.name
        assert (after == rules) == (after.flags == ())
        assert (after.code() == rules.code()) == (after == rules)
        assert flagged(rules, dict(after.flags)) == after


@pytest.mark.parametrize(
    ("rules", "flags", "same"),
    [
        (BASE, {"tactics": "on"}, TACTIC),
        (BASE, {"tactics": "on", "claim_timing": "start_of_turn"}, EXPERT),
        (TACTIC, {"tactics": "off"}, BASE),
        (EXPERT, {"claim_timing": "after_play"}, TACTIC),
        (BATTLE_LINE, {"tactics": "off"}, BATTLE_LINE_PLAIN),
        (BATTLE_LINE_PLAIN, {"tactics": "on", "claim_timing": "start_of_turn"}, BATTLE_LINE_ADVANCED),
        (SIEGE, {"tactics": "on"}, SIEGE_TACTIC),
        (SIEGE_TACTIC, {"tactics": "off"}, SIEGE),
    ],
)
def test_a_flag_leads_from_one_preset_to_another(rules: Ruleset, flags: dict[str, str], same: Ruleset) -> None:
    after = flagged(rules, flags)
    assert stripped(after, "") == stripped(same, "")
    assert after.name == rules.name
    assert after != same


def test_expert_without_tactics_claims_at_the_start_with_six_clan_cards() -> None:
    rules = flagged(EXPERT, {"tactics": "off"})
    assert (rules.hand_size, len(rules.cards), rules.claims) == (6, 54, ClaimWindow.START)
    assert rules.flags == (("tactics", "off"),)


@pytest.mark.parametrize(
    ("flag", "value", "tactics"),
    [
        ("joker_limit", "off", Tactics(False, "any", False, "bottom")),
        ("ruse_takes", "clan", Tactics(True, "clan", False, "bottom")),
        ("mode_targetable", "on", Tactics(True, "any", True, "bottom")),
        ("return_to", "top", Tactics(True, "any", False, "top")),
    ],
)
def test_a_tactic_flag_changes_that_and_nothing_else(flag: str, value: str, tactics: Tactics) -> None:
    assert flagged(TACTIC, {flag: value}) == replace(TACTIC, tactics=tactics, flags=((flag, value),))


def test_a_tactic_flag_may_come_with_the_tactics() -> None:
    rules = flagged(BASE, {"return_to": "top", "tactics": "on"})
    assert rules.flags == (("return_to", "top"), ("tactics", "on"))
    assert rules.tactics == Tactics(True, "any", False, "top")
    assert flagged(BASE, {"tactics": "on", "return_to": "bottom"}).flags == (("tactics", "on"),)


def test_the_siege_flags_change_that_and_nothing_else() -> None:
    bonus = flagged(SIEGE, {"st2_colour_run_bonus": "on"})
    assert bonus == replace(SIEGE, colour_run_bonus=True, flags=(("st2_colour_run_bonus", "on"),))
    full = flagged(SIEGE, {"st2_full_defender_wins": "on"})
    assert full == replace(SIEGE, siege=Siege(3, 4, True), flags=(("st2_full_defender_wins", "on"),))


@pytest.mark.parametrize(
    ("rules", "flags", "words"),
    [
        (BASE, {"colour": "on"}, "'colour' is not a flag: known are claim_timing, joker_limit, mode_targetable, "),
        (BASE, {"Tactics": "on"}, "'Tactics' is not a flag"),
        (BASE, {"x" * 5000: "on"}, "is not a flag"),
        (BASE, {"tactics": "yes"}, "'yes' is not a value of tactics: possible are on and off"),
        (BASE, {"tactics": "x" * 5000}, "is not a value of tactics: possible are on and off"),
        (
            BASE,
            {"return_to": "top"},
            "return_to needs tactic cards and stones to claim, not a siege: here are possible",
        ),
        (BASE, {"joker_limit": "on"}, "joker_limit needs tactic cards: here are possible claim_timing, tactics"),
        (TACTIC, {"tactics": "off", "ruse_takes": "clan"}, "ruse_takes needs tactic cards: here are possible"),
        (TACTIC, {"st2_colour_run_bonus": "off"}, "st2_colour_run_bonus needs a siege: here are possible claim_timing"),
        (
            SIEGE,
            {"claim_timing": "after_play"},
            "claim_timing needs stones to claim, not a siege: here are possible st2",
        ),
        (SIEGE_TACTIC, {"return_to": "bottom"}, "return_to needs tactic cards and stones to claim, not a siege"),
        (SIEGE_TACTIC, {"mode_targetable": "off"}, "mode_targetable needs tactic cards and stones to claim"),
    ],
)
def test_a_senseless_flag_is_refused_with_what_is_possible(rules: Ruleset, flags: dict[str, str], words: str) -> None:
    with pytest.raises(Unreadable) as refused:
        flagged(rules, flags)
    assert words in str(refused.value)
    assert len(str(refused.value)) < 250


def test_a_game_with_cards_of_its_own_has_no_tactics_to_switch() -> None:
    toy = replace(BASE, name="toy", decks=(Deck("clan", BASE.decks[0].cards[:45]),))
    assert set(flags_of(toy)) == {"claim_timing"}
    with pytest.raises(Unreadable, match="tactics needs a game with a tactic deck of its own"):
        flagged(toy, {"tactics": "on"})


def test_equal_rules_have_nothing_to_compare() -> None:
    assert compare(TACTIC, flagged(TACTIC, {"return_to": "bottom"})) == ""


def test_only_the_flags_that_differ_are_compared() -> None:
    mine, theirs = flagged(TACTIC, {"return_to": "top", "joker_limit": "off"}), flagged(TACTIC, {"joker_limit": "off"})
    assert compare(mine, theirs) == "return_to: mine top, theirs bottom"


def test_two_presets_are_compared_by_name_and_flags() -> None:
    assert compare(BASE, EXPERT) == (
        "ruleset: mine base, theirs expert; claim_timing: mine after_play, theirs start_of_turn; "
        "tactics: mine off, theirs on; joker_limit: mine not set, theirs on; "
        "mode_targetable: mine not set, theirs off; return_to: mine not set, theirs bottom; "
        "ruse_takes: mine not set, theirs any"
    )
    assert compare(BASE, BATTLE_LINE_PLAIN) == "ruleset: mine base, theirs battle-line-plain"


def test_rules_of_one_name_with_other_numbers_are_told_apart() -> None:
    assert compare(BASE, replace(BASE, win_points=6)) == (
        "ruleset base: mine and theirs have the same flags, but other cards, tiles or numbers"
    )
