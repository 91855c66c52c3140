"""Flags: what the rules leave open is set by name, and two peers can compare what they have set.

A ruleset with flags keeps the name of its preset; `Ruleset.flags` lists what differs from it. A flag that is set to
what it is anyway changes nothing, so every way to say the same rules gives the same ruleset, and the same digest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from p2p_schotten.engine.ruleset import ClaimWindow, Ruleset, Siege, Tactics
from p2p_schotten.engine.rulesets import (
    BASE,
    BATTLE_LINE,
    BATTLE_LINE_PLAIN,
    SIEGE,
    SIEGE_TACTIC,
    TACTIC,
)
from p2p_schotten.errors import Unreadable

SHOWN = 30  # characters of an unknown word that are repeated
_SWITCH = ("on", "off")
_TIMING = {"after_play": ClaimWindow.AFTER_PLAY, "start_of_turn": ClaimWindow.START}
_FAMILIES = ((BASE, TACTIC), (BATTLE_LINE_PLAIN, BATTLE_LINE), (SIEGE, SIEGE_TACTIC))
"""The same game without and with its tactic cards."""


@dataclass(frozen=True, slots=True)
class Flag:
    """One flag: its values, how it is read from rules and set in them, and for which rules it has a meaning."""

    values: tuple[str, ...]
    means: Callable[[Ruleset], bool]
    read: Callable[[Ruleset], str]
    write: Callable[[Ruleset, str], Ruleset]
    needs: str  # which rules give it a meaning, in words


def flagged(rules: Ruleset, flags: Mapping[str, str]) -> Ruleset:
    """The preset `rules` with these flags set; its `flags` are those that differ from the preset, sorted.

    Raises Unreadable, with what is possible, for an unknown flag or value and for a flag without a meaning here.
    """
    assert not rules.flags, "a preset"
    for name in flags:
        _known(name)
    first = ("tactics",) if "tactics" in flags else ()  # it decides which others have a meaning
    changed, differ = rules, []
    for name in (*first, *sorted(set(flags) - {"tactics"})):
        after = _with(changed, name, flags[name])
        if after != changed:
            differ.append((name, flags[name]))
        changed = after
    return replace(changed, flags=tuple(sorted(differ))) if differ else rules


def flags_of(rules: Ruleset) -> Mapping[str, str]:
    """Every flag that has a meaning for these rules, sorted by name, and its value."""
    return {name: flag.read(rules) for name, flag in FLAGS.items() if flag.means(rules)}


def compare(mine: Ruleset, theirs: Ruleset) -> str:
    """In what two rulesets differ, name by name: `return_to: mine top, theirs bottom`. Empty for equal ones."""
    if mine == theirs:
        return ""
    left, right = ({"ruleset": rules.name, **flags_of(rules)} for rules in (mine, theirs))
    names = [name for name in dict.fromkeys((*left, *right)) if left.get(name) != right.get(name)]
    if not names:
        return f"ruleset {mine.name}: mine and theirs have the same flags, but other cards, tiles or numbers"
    return "; ".join(f"{name}: mine {left.get(name, 'not set')}, theirs {right.get(name, 'not set')}" for name in names)


def _known(name: str) -> Flag:
    flag = FLAGS.get(name)
    if flag is None:
        raise Unreadable(f"{name[:SHOWN]!r} is not a flag: known are {', '.join(FLAGS)}")
    return flag


def _with(rules: Ruleset, name: str, value: str) -> Ruleset:
    flag = _known(name)
    if not flag.means(rules):
        raise Unreadable(f"{name} needs {flag.needs}: here are possible {', '.join(flags_of(rules)) or 'no flags'}")
    if value not in flag.values:
        raise Unreadable(f"{value[:SHOWN]!r} is not a value of {name}: possible are {' and '.join(flag.values)}")
    return rules if flag.read(rules) == value else flag.write(rules, value)


def _family(rules: Ruleset) -> tuple[Ruleset, Ruleset] | None:
    """The presets without and with the tactic cards that belong to these rules."""
    for plain, tactic in _FAMILIES:
        if rules.decks == (tactic if rules.tactics else plain).decks:
            return plain, tactic
    return None


def _switch_tactics(rules: Ruleset, value: str) -> Ruleset:
    """The deck comes or goes, and the hand grows or shrinks as between the presets of the family."""
    family = _family(rules)
    assert family is not None
    plain, tactic = family
    more = tactic.hand_size - plain.hand_size
    if value == "on":
        return replace(rules, decks=tactic.decks, tactics=tactic.tactics, hand_size=rules.hand_size + more)
    return replace(rules, decks=plain.decks, tactics=None, hand_size=rules.hand_size - more)


def _word(on: bool) -> str:
    return _SWITCH[0] if on else _SWITCH[1]


def _tactics(rules: Ruleset) -> Tactics:
    assert rules.tactics is not None
    return rules.tactics


def _siege(rules: Ruleset) -> Siege:
    assert rules.siege is not None
    return rules.siege


def _has_tactics(rules: Ruleset) -> bool:
    return rules.tactics is not None


def _has_tactics_and_stones(rules: Ruleset) -> bool:
    return rules.tactics is not None and rules.siege is None


def _is_siege(rules: Ruleset) -> bool:
    return rules.siege is not None


FLAGS: Mapping[str, Flag] = {
    "claim_timing": Flag(
        tuple(_TIMING),
        lambda rules: rules.siege is None,
        lambda rules: next(word for word, window in _TIMING.items() if window is rules.claims),
        lambda rules, value: replace(rules, claims=_TIMING[value]),
        "stones to claim, not a siege",
    ),
    "joker_limit": Flag(
        _SWITCH,
        _has_tactics,
        lambda rules: _word(_tactics(rules).joker_limit),
        lambda rules, value: replace(rules, tactics=replace(_tactics(rules), joker_limit=value == "on")),
        "tactic cards",
    ),
    "mode_targetable": Flag(
        _SWITCH,
        _has_tactics_and_stones,
        lambda rules: _word(_tactics(rules).modes_targetable),
        lambda rules, value: replace(rules, tactics=replace(_tactics(rules), modes_targetable=value == "on")),
        "tactic cards and stones to claim, not a siege",
    ),
    "return_to": Flag(
        ("bottom", "top"),
        _has_tactics_and_stones,
        lambda rules: _tactics(rules).return_to,
        lambda rules, value: replace(rules, tactics=replace(_tactics(rules), return_to=value)),
        "tactic cards and stones to claim, not a siege",
    ),
    "ruse_takes": Flag(
        ("any", "clan"),
        _has_tactics,
        lambda rules: _tactics(rules).ruses_take,
        lambda rules, value: replace(rules, tactics=replace(_tactics(rules), ruses_take=value)),
        "tactic cards",
    ),
    "st2_colour_run_bonus": Flag(
        _SWITCH,
        _is_siege,
        lambda rules: _word(rules.colour_run_bonus),
        lambda rules, value: replace(rules, colour_run_bonus=value == "on"),
        "a siege",
    ),
    "st2_full_defender_wins": Flag(
        _SWITCH,
        _is_siege,
        lambda rules: _word(_siege(rules).full_defender_wins),
        lambda rules, value: replace(rules, siege=replace(_siege(rules), full_defender_wins=value == "on")),
        "a siege",
    ),
    "tactics": Flag(
        _SWITCH,
        lambda rules: _family(rules) is not None,
        lambda rules: _word(rules.tactics is not None),
        _switch_tactics,
        "a game with a tactic deck of its own",
    ),
}
"""Every flag, sorted by name."""
