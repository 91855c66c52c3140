"""Writes the files of this folder. Every number is counted by the slow referee; the engine is never asked.

`python -m tests.engine.perft.write [RULESET]...` takes some minutes for all.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import repeat
from random import Random

from tests.engine.perft.games import GAMES, Game
from tests.engine.perft.lockstep import chosen
from tests.engine.perft.perft import FOLDER, Case, slow_nodes
from tests.engine.perft.slow import Position
from tests.engine.perft.slow_choices import choices
from tests.engine.perft.slow_play import carried_out

HEAD = """\
# Node counts of {name}: the number of different ways to make DEPTH moves from a position (`DEPTH NODES`).
# Two jokers are two cards: JOK and JOK2. A restocked pile is not shuffled: its two cards lie at the bottom.
# All numbers were counted by the slow referee of this folder (slow*.py, games.py), which was written from the rules
# alone and finds claims by trying every reply; the engine had no part in them. `python -m tests.engine.perft.write`."""

MOST = 12_000  # nodes at the deepest count of a position: the engine counts a whole file in a second or two
DEEPEST = 6
GAMES_SEARCHED = 400  # for the positions of one file

Wanted = Callable[[Position, int], bool]
"""Whether a position is looked for; with it comes the number of moves made."""


def _kinds(now: Position, seat: int) -> int:
    return sum(not now.numbered(card) for card in now.hands[seat])


def _lying(now: Position, seat: int) -> bool:
    return any(not now.numbered(card) for pair in now.sides for card in pair[seat])


def _crowded(now: Position) -> int:
    if now.phase != "clear" or now.crowded is None:
        return 0
    return sum(len(side) > now.tile(now.crowded)[0] for side in now.sides[now.crowded])


def _falls(now: Position, move: str) -> bool:
    word, *rest = move.split()
    return word == "claim" and now.fallen[int(rest[0]) - 1]


WANTED: dict[str, Wanted] = {
    "the opening": lambda now, moves: moves == 0,
    "some cards on the table": lambda now, moves: now.phase == "play" and moves == 20,
    "the middle game": lambda now, moves: now.phase == "play" and moves == 40,
    "both hands hold two tactic cards": lambda now, moves: moves > 30 and _kinds(now, 0) > 1 < _kinds(now, 1),
    "wild cards on both sides, and a mode": lambda now, moves: any(now.modes) and _lying(now, 0) and _lying(now, 1),
    "a scout draws": lambda now, moves: now.phase == "scout",
    "a scout puts back": lambda now, moves: now.phase == "return" and moves > 30,
    "a mud has left both sides one card too many": lambda now, moves: _crowded(now) == 2,
    "a mud has left": lambda now, moves: _crowded(now) == 1 and now.asked == now.turn,
    "an exchange": lambda now, moves: now.phase == "give",
    "a support": lambda now, moves: now.restocked,
    "damaged tiles": lambda now, moves: now.phase == "play" and sum(now.fallen) > 1 and moves > 40,
    "a damaged tile may be controlled": lambda now, moves: any(map(_falls, repeat(now), choices(now))),
    "a fourth tile may be controlled": lambda now, moves: sum(now.fallen) == 3 and "claim" in " ".join(choices(now)),
    "no room, and oil": lambda now, moves: now.phase == "pour",
    "two claims": lambda now, moves: moves > 25 and sum(move.startswith("claim") for move in choices(now)) > 1,
    "a pass is possible": lambda now, moves: "pass" in choices(now),
    "the pile is empty": lambda now, moves: now.phase == "play" and not now.piles[0],
    "the last cards": lambda now, moves: now.phase == "play" and sum(map(len, now.hands)) < 7,
}


def counts(now: Position) -> tuple[int, ...]:
    """The nodes of every depth, as long as they are few."""
    nodes = [slow_nodes(now, 1), slow_nodes(now, 2)]
    while len(nodes) < DEEPEST and nodes[-1] and nodes[-1] ** 2 / nodes[-2] < MOST:
        nodes.append(slow_nodes(now, len(nodes) + 1))
    return tuple(nodes)


def _about_mud(now: Position, legal: list[str], both: bool) -> str | None:
    """The move that takes a mud away from full sides, or on the way to `both` full ones one that fills them."""
    gone = [move for move in legal if "MUD" in move.split()[2:3] and carried_out(now, move).phase == "clear"]
    gone = [move for move in gone if not both or _crowded(carried_out(now, move)) == 2]
    muddy = [stone for stone, modes in enumerate(now.modes) if any(now.kind(mode) == "mud" for _, mode in modes)]
    ends = tuple(f" {stone + 1}" for stone in muddy)
    filling = [move for move in legal if move.startswith("play") and len(move.split()) == 3 and move.endswith(ends)]
    if gone or not both or not now.game.modes_lie_on_sides:
        return gone[0] if gone else None
    return filling[0] if filling and now.numbered(filling[0].split()[1]) else None


def sought(game: Game, seed: int, titles: list[str]) -> Case | None:
    """The first position of a random game that has one of the titles."""
    random = Random(seed)
    decks = tuple(tuple(random.sample(deck, len(deck))) for deck in game.decks)
    first = random.randrange(2)
    now = Position(game, first, decks)
    moves: list[str] = []
    while now.won is None:
        for title in titles:
            if WANTED[title](now, len(moves)):
                return Case(game.name, title, first, decks, tuple(moves), counts(now))
        legal = sorted(choices(now))
        both = "a mud has left both sides one card too many" in titles
        moves.append(_about_mud(now, legal, both) or chosen(legal, random, Random(seed)))
        now = carried_out(now, moves[-1])
    return None


def write(game: Game) -> None:
    """The file of one game: each title once, from a game of its own; what no game had is left out."""
    left, found = list(WANTED), []
    for seed in range(GAMES_SEARCHED):
        case = sought(game, seed, left)
        if case is not None:
            left.remove(case.title)
            found.append(case)
    found.sort(key=lambda case: list(WANTED).index(case.title))
    blocks = [HEAD.format(name=game.name), *(case.text() for case in found)]
    (FOLDER / f"{game.name}.txt").write_text("\n\n".join(blocks) + "\n")
    print(f"{game.name}: {len(found)} positions; none found: {', '.join(left)}", flush=True)


if __name__ == "__main__":
    for name in sys.argv[1:] or GAMES:
        write(GAMES[name])
