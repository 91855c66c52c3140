"""Counting the ways in which a game may go on: the files of this folder, and both referees as counters.

A file holds positions: the decks, the moves that lead there, then lines `DEPTH NODES`, the number of different ways to
make that many moves. A pile that is restocked is not shuffled.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from p2p_schotten.engine.rules import legal_moves
from p2p_schotten.engine.rulesets import RULESETS
from p2p_schotten.engine.table import Table, play
from tests.engine.perft.games import GAMES
from tests.engine.perft.lockstep import unshuffled
from tests.engine.perft.slow import Position
from tests.engine.perft.slow_choices import choices
from tests.engine.perft.slow_play import carried_out
from tests.engine.perft.words import choices_of, dealt

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Case:
    """One position of a file. `nodes[n]` stands for depth n + 1."""

    ruleset: str
    title: str
    first: int
    decks: tuple[tuple[str, ...], ...]
    moves: tuple[str, ...]
    nodes: tuple[int, ...]

    def text(self) -> str:
        """The position as it stands in the file."""
        decks = [f"deck {' '.join(deck)}" for deck in self.decks]
        nodes = [f"{depth} {count}" for depth, count in enumerate(self.nodes, 1)]
        return "\n".join(
            [f"position {self.title}", f"first {self.first}", *decks, f"moves {'; '.join(self.moves)}".strip(), *nodes]
        )

    def table(self) -> Table:
        """The position for the engine. AssertionError when a move on the way is not legal."""
        table = dealt(RULESETS[self.ruleset], self.first, self.decks)
        for number, move in enumerate(self.moves, 1):
            found = choices_of(table)
            assert move in found, f"move {number} of {self.title!r}, {move}, is not legal"
            table, _ = play(table, found[move], unshuffled)
        return table

    def position(self) -> Position:
        """The position for the slow referee."""
        now = Position(GAMES[self.ruleset], self.first, self.decks)
        for move in self.moves:
            assert move in choices(now)
            now = carried_out(now, move)
        return now


def cases(ruleset: str) -> Iterator[Case]:
    """The positions of the ruleset's file."""
    text = (FOLDER / f"{ruleset}.txt").read_text()
    for block in text.split("\n\n"):
        lines = [line for line in block.splitlines() if not line.startswith("#")]
        if not lines:
            continue
        word, title = lines[0].split(" ", 1)
        assert word == "position"
        first = int(lines[1].removeprefix("first "))
        decks = tuple(tuple(line.split()[1:]) for line in lines if line.startswith("deck "))
        moves = lines[2 + len(decks)].removeprefix("moves").strip()
        nodes = [tuple(map(int, line.split())) for line in lines[3 + len(decks) :]]
        assert [depth for depth, _ in nodes] == list(range(1, len(nodes) + 1))
        yield Case(
            ruleset, title, first, decks, tuple(moves.split("; ")) if moves else (), tuple(count for _, count in nodes)
        )


def engine_nodes(table: Table, depth: int) -> int:
    """The number of ways to make `depth` moves, by the engine."""
    found = legal_moves(table.state, table.hands[table.state.to_move])
    if depth == 1:
        return len(found)
    return sum(engine_nodes(play(table, move, unshuffled)[0], depth - 1) for move in found)


def slow_nodes(now: Position, depth: int) -> int:
    """The same by the slow referee."""
    found = choices(now)
    if depth == 1:
        return len(found)
    return sum(slow_nodes(carried_out(now, move), depth - 1) for move in found)


def split(table: Table, now: Position, depth: int) -> list[str]:
    """Where the two counters part: per first move both counts, then the same for the first move that differs."""
    ours, theirs = choices_of(table), choices(now)
    found = []
    parting = None
    for move in sorted({*ours, *theirs}):
        mine = slow = "not legal"
        if move in ours:
            mine = str(engine_nodes(play(table, ours[move], unshuffled)[0], depth - 1) if depth > 1 else 1)
        if move in theirs:
            slow = str(slow_nodes(carried_out(now, move), depth - 1) if depth > 1 else 1)
        found.append(f"{move}: engine {mine}, slow {slow}{'' if mine == slow else '  <--'}")
        if mine != slow and parting is None and move in ours and move in theirs:
            parting = move
    if parting is not None and depth > 1:
        after = play(table, ours[parting], unshuffled)[0], carried_out(now, parting)
        found += [f"after {parting}:", *(f"  {line}" for line in split(*after, depth - 1))]
    return found
