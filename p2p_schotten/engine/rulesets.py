"""The rulesets by name. A new game is a new value here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from p2p_schotten.engine.cards import Card, Power, numbered_cards
from p2p_schotten.engine.ruleset import ClaimWindow, Contest, Deck, Ruleset, Siege, Tactics, Tile
from p2p_schotten.errors import Unreadable
from p2p_schotten.ids import CardId, DeckId

Face = tuple[str, Power, str, tuple[int, int] | None]
"""How a tactic card is written, what it does, what it is called, and the values of a wild one."""


def tactic_deck(after: Deck, faces: tuple[Face, ...]) -> Deck:
    """Deck 1, "tactic": its cards are numbered on from the last card of deck 0."""
    return Deck(
        "tactic",
        tuple(
            Card(CardId(number), DeckId(1), text, None, None, power, wild, title)
            for number, (text, power, title, wild) in enumerate(faces, len(after.cards))
        ),
    )


CLAN = Deck("clan", numbered_cards("RGBYPN", 1, 9))
CLAN_TACTICS = tactic_deck(
    CLAN,
    (
        ("JOK", Power.JOKER, "Joker", (1, 9)),
        ("JOK", Power.JOKER, "Joker", (1, 9)),
        ("SPY", Power.ELITE, "Spy", (7, 7)),
        ("SHB", Power.ELITE, "Shield-bearer", (1, 3)),
        ("FOG", Power.FOG, "Blind-man's bluff", None),
        ("MUD", Power.MUD, "Mud fight", None),
        ("REC", Power.SCOUT, "Recruiter", None),
        ("STR", Power.REDEPLOY, "Strategist", None),
        ("BAN", Power.DESERT, "Banshee", None),
        ("TRA", Power.BETRAY, "Traitor", None),
    ),
)

BASE = Ruleset(
    name="base",
    decks=(CLAN,),
    hand_size=6,
    tiles=(Tile(3, Contest.ANY),) * 9,
    claims=ClaimWindow.AFTER_PLAY,
    adjacent=3,
    majority=5,
    win_points=5,
)
TACTIC = replace(
    BASE,
    name="tactic",
    decks=(CLAN, CLAN_TACTICS),
    hand_size=7,
    tactics=Tactics(joker_limit=True, ruses_take="any", modes_targetable=False, return_to="bottom"),
)
EXPERT = replace(TACTIC, name="expert", claims=ClaimWindow.START)

TROOP = Deck("troop", numbered_cards("ROYGBP", 1, 10))
TROOP_TACTICS = tactic_deck(
    TROOP,
    (
        ("ALX", Power.JOKER, "Alexander", (1, 10)),
        ("DAR", Power.JOKER, "Darius", (1, 10)),
        ("CAV", Power.ELITE, "Companion cavalry", (8, 8)),
        ("SHD", Power.ELITE, "Shield bearers", (1, 3)),
        ("FOG", Power.FOG, "Fog", None),
        ("MUD", Power.MUD, "Mud", None),
        ("SCO", Power.SCOUT, "Scout", None),
        ("RED", Power.REDEPLOY, "Redeploy", None),
        ("DES", Power.DESERT, "Deserter", None),
        ("TRA", Power.BETRAY, "Traitor", None),
    ),
)
BATTLE_LINE = replace(
    BASE,
    name="battle-line",
    decks=(TROOP, TROOP_TACTICS),
    hand_size=7,
    tactics=Tactics(joker_limit=True, ruses_take="any", modes_targetable=True, return_to="top"),
)
BATTLE_LINE_PLAIN = replace(BATTLE_LINE, name="battle-line-plain", decks=(TROOP,), tactics=None)
BATTLE_LINE_ADVANCED = replace(BATTLE_LINE, name="battle-line-advanced", claims=ClaimWindow.START)

SIEGE_DECK = Deck("siege", numbered_cards("RGBYP", 0, 11))
SIEGE_TACTICS = tactic_deck(
    SIEGE_DECK,
    (
        ("JOK", Power.JOKER, "Joker", (0, 11)),
        ("JOK", Power.JOKER, "Joker", (0, 11)),
        ("SPY", Power.ELITE, "Spy", (10, 10)),
        ("SHB", Power.ELITE, "Shield-bearer", (1, 3)),
        ("RED", Power.REDEPLOY, "Redeploy", None),
        ("REC", Power.RECRUIT, "Recruit", None),
        ("DES", Power.DESERT, "Desertion", None),
        ("BET", Power.BETRAY, "Betrayal", None),
        ("BLO", Power.BLOW_UP, "Blow-up", None),
        ("SUP", Power.SUPPORT, "Support", None),
        ("EXC", Power.EXCHANGE, "Exchange", None),
    ),
)
_TOWER = Tile(4, Contest.ANY, damaged=Tile(2, Contest.SAME))
_WALL = Tile(3, Contest.ANY, damaged=Tile(3, Contest.COLOUR))
_RUN = Tile(3, Contest.RUN)
SIEGE = Ruleset(
    name="siege",
    decks=(SIEGE_DECK,),
    hand_size=6,
    tiles=(
        Tile(3, Contest.HIGH, damaged=_RUN),
        _TOWER,
        _WALL,
        Tile(2, Contest.ANY, damaged=Tile(4, Contest.LOW)),
        _WALL,
        _TOWER,
        Tile(3, Contest.LOW, damaged=_RUN),
    ),
    claims=ClaimWindow.ATTACKER,
    adjacent=0,
    majority=0,
    win_points=5,
    siege=Siege(oil=3, breach=4, full_defender_wins=False),
)
SIEGE_TACTIC = replace(
    SIEGE,
    name="siege-tactic",
    decks=(SIEGE_DECK, SIEGE_TACTICS),
    hand_size=7,
    tactics=Tactics(joker_limit=False, ruses_take="any", modes_targetable=False, return_to="bottom"),
)

RULESETS: Mapping[str, Ruleset] = {
    rules.name: rules
    for rules in (
        BASE,
        TACTIC,
        EXPERT,
        SIEGE,
        SIEGE_TACTIC,
        BATTLE_LINE,
        BATTLE_LINE_PLAIN,
        BATTLE_LINE_ADVANCED,
    )
}


def ruleset(name: str) -> Ruleset:
    """The ruleset called `name`. Raises Unreadable with the known names."""
    found = RULESETS.get(name)
    if found is None:
        raise Unreadable(f"{name[:40]!r} is not a ruleset: known are {', '.join(RULESETS)}")
    return found
