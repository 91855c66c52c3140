"""Rulesets, flags, the digest of the rules, the options of a HELLO: sections 3.3, 3.9 and 6.3 of docs/protocol.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

from tests.independent.wire import Part, h32

Options = tuple[tuple[str, str], ...]
AFTER, START, SIEGE = "after the play", "at the start of the turn", "by the attacker, until his draw"


class Unknown(Exception):
    """Rules or options that do not exist, or that are not written in the one way."""


@dataclass(frozen=True)
class Card:
    """`power` is empty for a numbered card; `values`: the lowest and highest of a wild card, else ()."""

    text: str
    colour: int = 0
    value: int = 0
    power: str = ""
    values: tuple[int, ...] = ()

    @property
    def code(self) -> Part:
        return (self.text, self.power, self.values) if self.power else (self.text, (self.colour, self.value))


@dataclass(frozen=True)
class Tile:
    size: int
    contest: str = "_"
    damaged: Tile | None = None

    @property
    def code(self) -> Part:
        return (self.size, self.contest, self.damaged.code if self.damaged else ())


@dataclass(frozen=True)
class Rules:
    """Rules as data. `letters`, `low` and `high` make deck 0; `tactics` is deck 1, empty where there is none."""

    name: str
    deck: str
    letters: str
    low: int
    high: int
    tactics: tuple[Card, ...]
    hand: int
    claims: str
    tiles: tuple[Tile, ...] = (Tile(3),) * 9
    joker_limit: bool = True
    ruse_takes: str = "any"
    mode_targetable: bool = False
    return_to: str = "bottom"
    bonus: bool = False
    full_defender_wins: bool = False
    flags: Options = ()

    @property
    def siege(self) -> bool:
        return self.claims == SIEGE

    @property
    def numbered(self) -> tuple[Card, ...]:
        values = range(self.low, self.high + 1)
        return tuple(Card(f"{letter}{v}", k, v) for k, letter in enumerate(self.letters) for v in values)

    @property
    def decks(self) -> tuple[tuple[Card, ...], ...]:
        return (self.numbered, self.tactics) if self.tactics else (self.numbered,)

    def card(self, card: int) -> Card:
        return _all_cards(self)[card]

    def place_of(self, card: int) -> tuple[int, int]:
        """The deck and the index in it."""
        first = len(_all_cards(self)) - len(self.tactics)
        return (0, card) if card < first else (1, card - first)

    @property
    def code(self) -> Part:
        names = (self.deck, "tactic")
        decks = tuple((names[d], tuple(card.code for card in cards)) for d, cards in enumerate(self.decks))
        ends = (0, 0, 5) if self.siege else (3, 5, 5)
        switches: Part = ()
        if self.tactics:
            switches = (int(self.joker_limit), self.ruse_takes, int(self.mode_targetable), self.return_to)
        siege = (3, 4, int(self.full_defender_wins)) if self.siege else ()
        tiles = tuple(tile.code for tile in self.tiles)
        flags: Part = self.flags
        return (self.name, decks, self.hand, tiles, self.claims, (*ends, int(self.bonus)), switches, siege, flags)

    @property
    def digest(self) -> bytes:
        return _digest(self)


@cache
def _all_cards(rules: Rules) -> tuple[Card, ...]:
    return tuple(card for deck in rules.decks for card in deck)


@cache
def _digest(rules: Rules) -> bytes:
    return h32("rules", rules.code)


def _tactics(words: str) -> tuple[Card, ...]:
    """The row of a deck, as section 3.3 writes it."""
    cards = []
    for said in words.split(", "):
        text, _, rest = said.partition(" ")
        power, _, values = rest.rpartition(" ") if "-" in rest else (rest, "", "")
        cards.append(Card(text, power=power, values=tuple(map(int, values.split("-"))) if values else ()))
    return tuple(cards)


_CLAN = _tactics(
    "JOK joker 1-9, JOK joker 1-9, SPY elite 7-7, SHB elite 1-3, FOG fog, MUD mud, REC scout, STR redeploy, "
    "BAN desert, TRA betray"
)
_TROOP = _tactics(
    "ALX joker 1-10, DAR joker 1-10, CAV elite 8-8, SHD elite 1-3, FOG fog, MUD mud, SCO scout, RED redeploy, "
    "DES desert, TRA betray"
)
_SIEGE = _tactics(
    "JOK joker 0-11, JOK joker 0-11, SPY elite 10-10, SHB elite 1-3, RED redeploy, REC recruit, DES desert, "
    "BET betray, BLO blow up, SUP support, EXC exchange"
)
_WALL = tuple(
    Tile(size, contest, Tile(damaged_size, damaged))
    for size, contest, damaged_size, damaged in (
        (3, "+", 3, "r"),
        (4, "_", 2, "="),
        (3, "_", 3, "c"),
        (2, "_", 4, "-"),
        (3, "_", 3, "c"),
        (4, "_", 2, "="),
        (3, "-", 3, "r"),
    )
)
_BASE = Rules("base", "clan", "RGBYPN", 1, 9, (), 6, AFTER)
_TACTIC = replace(_BASE, name="tactic", tactics=_CLAN, hand=7)
_BATTLE = Rules("battle-line", "troop", "ROYGBP", 1, 10, _TROOP, 7, AFTER, mode_targetable=True, return_to="top")
_WALLED = Rules("siege", "siege", "RGBYP", 0, 11, (), 6, SIEGE, _WALL, joker_limit=False)
_TWINS = (
    (_BASE, _TACTIC),
    (replace(_BATTLE, name="battle-line-plain", tactics=()), _BATTLE),
    (_WALLED, replace(_WALLED, name="siege-tactic", tactics=_SIEGE, hand=7)),
)
RULESETS: Mapping[str, Rules] = {
    rules.name: rules
    for rules in (
        *(rules for twins in _TWINS for rules in twins),
        replace(_TACTIC, name="expert", claims=START),
        replace(_BATTLE, name="battle-line-advanced", claims=START),
    )
}
_SWITCHES = {"on": True, "off": False}
_TIMINGS = {"after_play": AFTER, "start_of_turn": START}


def _with_tactics(rules: Rules, value: str) -> Rules:
    without, with_ = next(twins for twins in _TWINS if twins[0].deck == rules.deck)
    if _SWITCHES[value] == bool(rules.tactics):
        raise Unknown("tactics are so anyway")
    was, now = (without, with_) if _SWITCHES[value] else (with_, without)
    return replace(rules, tactics=now.tactics, hand=rules.hand + now.hand - was.hand)


def _with_flag(rules: Rules, flag: str, value: str) -> Rules:
    """The rules with that answer instead of another."""
    with_tactics, stones = bool(rules.tactics), not rules.siege
    changed = rules
    match flag:
        case "claim_timing" if stones:
            changed = replace(rules, claims=_TIMINGS[value])
        case "joker_limit" if with_tactics:
            changed = replace(rules, joker_limit=_SWITCHES[value])
        case "mode_targetable" if with_tactics and stones:
            changed = replace(rules, mode_targetable=_SWITCHES[value])
        case "return_to" if with_tactics and stones and value in ("bottom", "top"):
            changed = replace(rules, return_to=value)
        case "ruse_takes" if with_tactics and value in ("any", "clan"):
            changed = replace(rules, ruse_takes=value)
        case "st2_colour_run_bonus" if rules.siege:
            changed = replace(rules, bonus=_SWITCHES[value])
        case "st2_full_defender_wins" if rules.siege:
            changed = replace(rules, full_defender_wins=_SWITCHES[value])
    if changed == rules:
        raise Unknown("a flag that is not known, has no meaning here, or is so anyway")
    return changed


@cache
def rules_of(name: str, flags: Options) -> Rules:
    """The ruleset of that name with its flags, each of which makes it another; else Unknown."""
    try:
        rules = RULESETS[name]
        for flag, value in sorted(flags, key=lambda said: said[0] != "tactics"):
            rules = _with_tactics(rules, value) if flag == "tactics" else _with_flag(rules, flag, value)
    except KeyError as unknown:
        raise Unknown(unknown) from None
    return replace(rules, flags=tuple(sorted(flags)))


@dataclass(frozen=True)
class Offer:
    """What options say: the rules, who begins (None: the coin), and the form of the match ("" for none)."""

    rules: Rules
    first: int | None
    form: str


def read_offer(name: str, options: Options, *, single: bool) -> Offer:
    """The offer of a HELLO; Unknown if its options are not written in the one way."""
    names = [option for option, _ in options]
    if any(not one.encode() < two.encode() for one, two in pairwise(names)):
        raise Unknown("not in ascending order, each once")
    said = dict(options)
    first, form, clock = said.pop("first", None), said.pop("match", None), said.pop("clock", None)
    if clock is not None and clock not in map(str, range(10, 24 * 60 * 60 + 1)):
        raise Unknown("no such clock")
    if first not in (None, "0", "1"):
        raise Unknown("no such seat")
    if form is not None and (single or not 1 <= len(form) <= 32 or not all(" " <= letter <= "~" for letter in form)):
        raise Unknown("no form of a match")
    return Offer(rules_of(name, tuple(said.items())), None if first is None else int(first), form or "")
