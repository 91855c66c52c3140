"""Random games that the engine and the slow referee play side by side, choice by choice.

`python -m tests.engine.perft.lockstep 200` plays 200 games of every ruleset and pairwise variant.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from random import Random

from p2p_schotten.engine.flags import flagged
from p2p_schotten.engine.rulesets import RULESETS
from p2p_schotten.engine.table import Cards, Table, play
from p2p_schotten.ids import SEATS
from tests.engine.perft.games import GAMES, with_flags
from tests.engine.perft.slow import Position
from tests.engine.perft.slow_choices import choices
from tests.engine.perft.slow_play import carried_out
from tests.engine.perft.words import card_word, choices_of, dealt
from tests.engine.variants import PAIRWISE, Answers


def unshuffled(cards: Cards) -> Cards:
    """The pile as it is: what the slow referee does with a restocked pile."""
    return cards


def differences(table: Table, now: Position) -> list[str]:
    """In what the two referees differ about a position that both have reached; nothing when they agree."""
    state, rules = table.state, table.state.rules
    ours, theirs = set(choices_of(table)), choices(now)
    found = [f"engine only: {move}" for move in ours - set(theirs)]
    found += [f"slow only: {move}" for move in set(theirs) - ours]
    if len(theirs) != len(set(theirs)):
        found.append("the slow referee lists a move twice")
    if state.outcome is not None or now.won is not None:
        winner = None if state.outcome is None else "drawn" if (won := state.outcome.winner) is None else str(won)
        return found if winner == now.won else [*found, f"winner {winner}, slow {now.won}"]
    for what, one, two in (
        ("seat", (state.turn, state.to_move), (now.turn, now.asked)),
        ("hands", [sorted(card_word(rules, card) for card in hand) for hand in table.hands], [*map(sorted, now.hands)]),
        ("piles", [[card_word(rules, card) for card in pile] for pile in table.piles], now.piles),
        (
            "sides",
            [[[card_word(rules, card) for card in stone.cards(seat)] for seat in SEATS] for stone in state.stones],
            now.sides,
        ),
        ("owners", [stone.owner for stone in state.stones], now.owner),
        ("discard", sorted(card_word(rules, card) for card in state.beside.discard), sorted(now.discard)),
        ("tactics played", list(state.beside.tactics), now.used),
    ):
        if one != two:
            found.append(f"{what}: {one}, slow {two}")
    return found


def chosen(moves: list[str], random: Random, style: Random) -> str:
    """One of the moves; `style` is the same in a whole game: how eagerly it claims, plays tactics and retreats."""
    claims, kinds = style.choice([0.0, 0.3, 1.0]), style.random() < 0.5
    groups = defaultdict(list)
    for move in moves:
        groups[move.split()[0] if kinds else "any"].append(move)
    if "claim" in groups and (random.random() < claims or len(groups) == 1):
        return random.choice(groups["claim"])
    if len(groups) > 1:
        groups.pop("claim", None)
        if random.random() < 0.9 and len(groups) > 1:
            groups.pop("retreat", None)
    if "play" in groups and style.random() < 0.5:
        tactics = [move for move in groups["play"] if not move.split()[1][1:].isdigit()]
        groups["play"] = tactics or groups["play"]
    return random.choice(groups[random.choice(sorted(groups))])


def lockstep(name: str, flags: Answers, seed: int) -> int:
    """Plays one random game in both; the number of moves. AssertionError with the moves so far where they part."""
    rules, game = flagged(RULESETS[name], flags), with_flags(GAMES[name], flags)
    random = Random(seed)
    decks = [random.sample(deck, len(deck)) for deck in game.decks]
    first = random.randrange(2)
    table, now = dealt(rules, first, decks), Position(game, first, decks)
    moves: list[str] = []
    while True:
        found = differences(table, now)
        assert not found, f"{name} {dict(flags)} seed {seed} after {'; '.join(moves)}: {found}"
        if now.won is not None:
            return len(moves)
        by_words = choices_of(table)
        moves.append(chosen(sorted(by_words), random, Random(seed)))
        table, _ = play(table, by_words[moves[-1]], unshuffled)
        now = carried_out(now, moves[-1])


def main(count: int) -> None:
    """Plays `count` games of each and says how many moves agreed."""
    for name, flags in PAIRWISE:
        moves = sum(lockstep(name, flags, seed) for seed in range(count))
        print(f"{name} {dict(flags)}: {count} games, {moves} moves", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
