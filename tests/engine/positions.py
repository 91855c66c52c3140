"""Positions by hand, for tests: only what a rule looks at is written down."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from p2p_schotten.engine.claim import claimable
from p2p_schotten.engine.formation import Side, Terms, side_of
from p2p_schotten.engine.move import Move
from p2p_schotten.engine.rules import legal_moves
from p2p_schotten.engine.ruleset import Contest, Ruleset
from p2p_schotten.engine.rulesets import BASE
from p2p_schotten.engine.state import Beside, Phase, State, Stone, places
from p2p_schotten.engine.step import Event
from p2p_schotten.engine.table import Table, deal, play
from p2p_schotten.ids import SEATS, CardId, Seat

TERMS = Terms(BASE.grid, 3, Contest.ANY)
ME, YOU = SEATS


def cards(text: str) -> tuple[CardId, ...]:
    """Cards from words: "R7 G2"."""
    return tuple(BASE.card(word) for word in text.split())


def side(text: str) -> Side:
    """A side with these cards."""
    return side_of(TERMS, tuple(sorted(cards(text))))


def stone(mine: str = "", theirs: str = "", *, first: Seat = ME, owner: Seat | None = None) -> Stone:
    """A stone where ME has `mine` and YOU `theirs`; all cards of seat `first` arrived before those of the other."""
    arrived = cards(mine) + cards(theirs) if first == ME else cards(theirs) + cards(mine)
    return Stone((side(mine), side(theirs)), owner, arrived)


def position(
    stones: Mapping[int, Stone],
    *,
    seen: str = "",
    to_move: Seat = ME,
    phase: Phase = Phase.PLAY,
    hands: tuple[int, int] = (6, 6),
    pile: int = 20,
    acted: bool | None = None,
    skips: int = 0,
) -> State:
    """A state with these stones by 0-based number, the others empty; `seen` lie open in no matter which place."""
    row = tuple(stones.get(number, stone()) for number in range(9))
    lying = set(cards(seen)).union(*(each.arrived for each in row))
    unseen = sum(1 << card for card in range(54) if card not in lying)
    return State(
        rules=BASE,
        turn=to_move,
        to_move=to_move,
        phase=phase,
        stones=row,
        places=places(row),
        unseen=unseen,
        piles=(pile,),
        hands=((hands[0],), (hands[1],)),
        claimable=claimable(row, to_move, unseen) if phase is Phase.CLAIM else (),
        acted=phase is Phase.CLAIM if acted is None else acted,
        skips=skips,
        ply=0,
        beside=Beside(),
        outcome=None,
    )


def owned(mine: list[int], theirs: list[int], rest: Mapping[int, Stone]) -> dict[int, Stone]:
    """A row where ME and YOU own these 0-based stones (empty ones, for the count of patterns), and `rest`."""
    row = {number: stone(owner=ME) for number in mine}
    row |= {number: stone(owner=YOU) for number in theirs}
    return {**row, **rest}


def shuffled(rules: Ruleset, random: Random) -> Table:
    """A new game with random decks and a random first seat."""
    order = [random.sample(range(len(deck.cards)), len(deck.cards)) for deck in rules.decks]
    return deal(rules, SEATS[random.randrange(2)], order)


def random_move(table: Table, random: Random, claims: float = 1.0) -> Move:
    """Any legal move; where something can be claimed, a claim with the chance `claims`, else the end of the window."""
    state = table.state
    moves = legal_moves(state, table.hands[state.to_move])
    if state.claimable:
        return random.choice(moves[:-1]) if random.random() < claims else moves[-1]
    return random.choice(moves)


def random_game(random: Random, claims: float = 1.0, rules: Ruleset = BASE) -> tuple[list[Table], list[Event]]:
    """Every table of a whole random game, from the deal to the end, and all its events after the deal."""
    tables = [shuffled(rules, random)]
    events: list[Event] = []
    while not tables[-1].state.over:
        table, happened = play(tables[-1], random_move(tables[-1], random, claims))
        tables.append(table)
        events += happened
    return tables, events
