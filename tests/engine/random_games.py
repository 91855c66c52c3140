"""Whole random games of any ruleset, played in different manners, some of them nasty."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from random import Random

from p2p_schotten.engine.move import Claim, Discard, Done, Draw, Move, Oil, Pass, Play, Retreat, Return
from p2p_schotten.engine.rules import legal_moves
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.step import Event
from p2p_schotten.engine.table import Cards, Table, deal, play
from p2p_schotten.ids import SEATS

Manner = Callable[[Table, Sequence[Move], Random], Move]
"""Chooses one of the legal moves."""


def any_move(_table: Table, moves: Sequence[Move], random: Random) -> Move:
    """Each move as likely as the others."""
    return random.choice(moves)


def any_kind(_table: Table, moves: Sequence[Move], random: Random) -> Move:
    """A kind of move first, so that rare kinds are seen often; retreats are rare."""
    kinds: dict[type[Move], list[Move]] = defaultdict(list)
    for move in moves:
        kinds[type(move)].append(move)
    if len(kinds) > 1 and random.random() < 0.8:
        kinds.pop(Retreat, None)
    return random.choice(kinds[random.choice(list(kinds))])


def claimer(table: Table, moves: Sequence[Move], random: Random) -> Move:
    """Claims whatever it can; retreats only when nothing else is possible."""
    claims = [move for move in moves if isinstance(move, Claim)]
    if claims:
        return claims[0]
    return any_move(table, [move for move in moves if not isinstance(move, Retreat)] or moves, random)


def without_claims(table: Table, moves: Sequence[Move], random: Random) -> Move:
    """Never claims: its sides fill up."""
    return any_move(table, [move for move in moves if not isinstance(move, Claim)], random)


def _hoard(table: Table, moves: Sequence[Move], random: Random, *, claims: bool) -> Move:
    # Draws tactic cards as long as there are any, keeps them when it puts cards back, and never plays one.
    rules = table.state.rules
    tactic = [move for move in moves if isinstance(move, Draw) and move.deck == 1]
    if tactic:
        return tactic[0]
    kept: list[Move] = [
        move
        for move in moves
        if (isinstance(move, Play | Return) and rules.deck_of(move.card) == 0)
        or isinstance(move, Pass | Draw | Done | Oil)
        or (claims and isinstance(move, Claim))
    ]
    kept = kept or [move for move in moves if isinstance(move, Retreat)]
    passes = [move for move in kept if isinstance(move, Pass)]
    return passes[0] if passes else any_move(table, kept or moves, random)


def hoarder(table: Table, moves: Sequence[Move], random: Random) -> Move:
    """Hoards tactic cards and plays none (A34); passes when it can."""
    return _hoard(table, moves, random, claims=True)


def silent_hoarder(table: Table, moves: Sequence[Move], random: Random) -> Move:
    """Hoards tactic cards, plays none, and claims nothing either; retreats only where it must."""
    return _hoard(table, moves, random, claims=False)


def filler(table: Table, moves: Sequence[Move], random: Random) -> Move:
    """Lays numbered cards until all its sides are full, claims nothing, and then plays whatever is left."""
    rules = table.state.rules
    plays = [move for move in moves if isinstance(move, Play) and rules.deck_of(move.card) == 0]
    return random.choice(plays) if plays else without_claims(table, moves, random)


def spender(table: Table, moves: Sequence[Move], random: Random) -> Move:
    """Draws tactic cards and plays them as soon as the limit allows."""
    rules = table.state.rules
    tactics = [
        move
        for move in moves
        if (card := getattr(move, "card", None)) is not None
        and rules.deck_of(card) == 1
        and not isinstance(move, Return | Discard)
    ]
    draws = [move for move in moves if isinstance(move, Draw) and move.deck == 1]
    return any_kind(table, tactics or draws or moves, random)


MANNERS: Mapping[str, Manner] = {
    "any move": any_move,
    "any kind": any_kind,
    "claimer": claimer,
    "without claims": without_claims,
    "hoarder": hoarder,
    "silent hoarder": silent_hoarder,
    "filler": filler,
    "spender": spender,
}


def games(
    rules: Ruleset, seed: int, one: Manner, two: Manner
) -> tuple[list[Table], list[tuple[Move, tuple[Event, ...]]]]:
    """Every table of a game, from the deal to the end, and each move with its events; seat 0 plays in manner `one`."""
    random = Random(seed)

    def shuffle(cards: Cards) -> Cards:
        return tuple(random.sample(cards, len(cards)))

    order = [random.sample(range(len(deck.cards)), len(deck.cards)) for deck in rules.decks]
    tables = [deal(rules, SEATS[random.randrange(2)], order)]
    steps = []
    while not (state := tables[-1].state).over:
        moves = legal_moves(state, tables[-1].hands[state.to_move])
        move = (one, two)[state.to_move](tables[-1], moves, random)
        table, events = play(tables[-1], move, shuffle)
        tables.append(table)
        steps.append((move, events))
    return tables, steps
