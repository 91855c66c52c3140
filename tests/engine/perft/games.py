"""The games of the family as plain tables, written from the rules alone: nothing here or in `slow` reads the engine.

Cards are words. Of two jokers the second is written JOK2, so that every card of a game has a word of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from tests.engine.oracle import FLAG, STONE, WALL, Place

Window = Literal["after the play", "at the start", "by the attacker"]


@dataclass(frozen=True)
class Game:
    """One game. `kinds`: what each tactic card does. `tiles`: (cards per side, contest), `damaged` the backs."""

    name: str
    place: Place  # letters and values
    hand: int
    tiles: tuple[tuple[int, str], ...]
    window: Window
    kinds: Mapping[str, str]
    damaged: tuple[tuple[int, str], ...] = ()  # of a siege
    one_joker: bool = True
    takes: str = "any"  # what a redeploy or a desert may take: any card or clan cards
    modes_lie_on_sides: bool = False
    back_on_top: bool = False
    bonus: bool = False
    full_defender_wins: bool = False

    @property
    def siege(self) -> bool:
        return bool(self.damaged)

    @property
    def decks(self) -> tuple[list[str], ...]:
        """The words of each deck, in no meaningful order."""
        numbered = self.place.deck()
        return (numbered, list(self.kinds)) if self.kinds else (numbered,)

    def deck_name(self, deck: int) -> str:
        return ({"RGBYPN": "clan", "ROYGBP": "troop", "RGBYP": "siege"}[self.place.letters], "tactic")[deck]


_ROW = ((3, "_"),) * 9
_FRONTS = ((3, "+"), (4, "_"), (3, "_"), (2, "_"), (3, "_"), (4, "_"), (3, "-"))
_BACKS = ((3, "r"), (2, "="), (3, "c"), (4, "-"), (3, "c"), (2, "="), (3, "r"))
_CLAN = {
    "JOK": "joker",
    "JOK2": "joker",
    "SPY": "elite",
    "SHB": "elite",
    "FOG": "fog",
    "MUD": "mud",
    "REC": "scout",
    "STR": "redeploy",
    "BAN": "desert",
    "TRA": "betray",
}
_TROOP = {
    "ALX": "joker",
    "DAR": "joker",
    "CAV": "elite",
    "SHD": "elite",
    "FOG": "fog",
    "MUD": "mud",
    "SCO": "scout",
    "RED": "redeploy",
    "DES": "desert",
    "TRA": "betray",
}
_SIEGE = {
    "JOK": "joker",
    "JOK2": "joker",
    "SPY": "elite",
    "SHB": "elite",
    "RED": "redeploy",
    "REC": "recruit",
    "DES": "desert",
    "BET": "betray",
    "BLO": "blow up",
    "SUP": "support",
    "EXC": "exchange",
}
_BASE = Game("base", STONE, 6, _ROW, "after the play", {})
_TACTIC = replace(_BASE, name="tactic", hand=7, kinds=_CLAN)
_BATTLE = Game("battle-line", FLAG, 7, _ROW, "after the play", _TROOP, modes_lie_on_sides=True, back_on_top=True)
_WALL = Game("siege", WALL, 6, _FRONTS, "by the attacker", {}, _BACKS, one_joker=False)

GAMES: Mapping[str, Game] = {
    game.name: game
    for game in (
        _BASE,
        _TACTIC,
        replace(_TACTIC, name="expert", window="at the start"),
        _WALL,
        replace(_WALL, name="siege-tactic", hand=7, kinds=_SIEGE),
        _BATTLE,
        replace(_BATTLE, name="battle-line-plain", kinds={}),
        replace(_BATTLE, name="battle-line-advanced", window="at the start"),
    )
}


def with_flags(game: Game, flags: Mapping[str, str]) -> Game:
    """The game with these of its open questions answered so."""
    for name, value in flags.items():
        on = value == "on"
        match name:
            case "tactics":
                hand, kinds = {"RGBYPN": (6 + on, _CLAN), "ROYGBP": (7, _TROOP), "RGBYP": (6 + on, _SIEGE)}[
                    game.place.letters
                ]
                game = replace(game, hand=hand, kinds=kinds if on else {})
            case "claim_timing":
                game = replace(game, window="at the start" if value == "start_of_turn" else "after the play")
            case "joker_limit":
                game = replace(game, one_joker=on)
            case "mode_targetable":
                game = replace(game, modes_lie_on_sides=on)
            case "return_to":
                game = replace(game, back_on_top=value == "top")
            case "ruse_takes":
                game = replace(game, takes=value)
            case "st2_colour_run_bonus":
                game = replace(game, bonus=on)
            case "st2_full_defender_wins":
                game = replace(game, full_defender_wins=on)
            case _:
                raise KeyError(name)
    return game
