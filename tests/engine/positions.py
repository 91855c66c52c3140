"""Positions by hand, for tests: only what a rule looks at is written down."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest

from p2p_schotten.engine.claim import claimable
from p2p_schotten.engine.formation import Side, Terms, side_of
from p2p_schotten.engine.move import Move, PublicMove
from p2p_schotten.engine.rules import apply, legal_moves
from p2p_schotten.engine.ruleset import ClaimWindow, Contest, Ruleset
from p2p_schotten.engine.rulesets import BASE
from p2p_schotten.engine.state import Beside, Ground, Phase, State, Stone, grounded, places, state_code, unclaimed
from p2p_schotten.engine.step import Event
from p2p_schotten.engine.table import Table, deal, play
from p2p_schotten.errors import IllegalMove
from p2p_schotten.ids import SEATS, CardId, Seat, StoneId

TERMS = Terms(BASE.grid, 3, Contest.ANY)
ME, YOU = SEATS

Count = int | tuple[int, ...]
"""Cards per deck; a single number counts the numbered cards, and there are no others."""


def cards(text: str, rules: Ruleset = BASE) -> tuple[CardId, ...]:
    """Cards from words: "R7 G2"; a face that stands there twice takes its cards in turn."""
    found: list[CardId] = []
    for word in text.split():
        named = rules.named(word)
        found.append(next((card for card in named if card not in found), named[0]))
    return tuple(found)


def side(text: str) -> Side:
    """A side with these cards."""
    return side_of(TERMS, tuple(sorted(cards(text))))


def stone(
    mine: str = "",
    theirs: str = "",
    *,
    first: Seat = ME,
    owner: Seat | None = None,
    rules: Ruleset = BASE,
    order: str = "",
    modes: tuple[str, str] = ("", ""),
    damaged: bool = False,
) -> Stone:
    """A stone where ME has `mine` and YOU `theirs`, and each seat the modes that it laid.

    All cards of seat `first` arrived before those of the other, unless `order` tells the whole order of arrival.
    """
    both = cards(f"{mine} {theirs}", rules)
    own, foreign = both[: len(mine.split())], both[len(mine.split()) :]
    if order:
        arrived = cards(order, rules)
        assert sorted(arrived) == sorted(both)
    else:
        arrived = own + foreign if first == ME else foreign + own
    laid = tuple((seat, card) for seat in SEATS for card in cards(modes[seat], rules))
    terms = Terms(rules.grid, max(3, len(own), len(foreign)), Contest.ANY, rules.wilds)
    sides = side_of(terms, tuple(sorted(own))), side_of(terms, tuple(sorted(foreign)))
    return Stone(sides, owner, arrived, Ground(laid, damaged))


def position(
    stones: Mapping[int, Stone] | Mapping[StoneId, Stone],
    *,
    rules: Ruleset = BASE,
    seen: str = "",
    discard: str = "",
    to_move: Seat = ME,
    phase: Phase = Phase.PLAY,
    hands: tuple[Count, Count] = (6, 6),
    pile: Count = 20,
    acted: bool | None = None,
    skips: int = 0,
    beside: Beside | None = None,
) -> State:
    """A state with these stones by 0-based number, the others empty; `seen` lie open in no matter which place.

    Each side is judged as its tile and its modes say. In a siege ME attacks, with all oil left, unless `beside` says
    otherwise. What can be claimed follows from the phase, as at the start of a step.
    """
    row = tuple(
        grounded(rules, number, each, each.ground)
        for number in map(StoneId, range(len(rules.tiles)))
        for each in [stones.get(number, stone(rules=rules))]
    )
    if beside is None:
        beside = Beside() if rules.siege is None else Beside(attacker=ME, oil=rules.siege.oil)
    beside = beside._replace(discard=beside.discard + cards(discard, rules))
    lying = {*cards(seen, rules), *beside.discard}
    for each in row:
        lying |= {*each.arrived, *(card for _seat, card in each.ground.modes)}
    unseen = sum(1 << card.id for card in rules.cards if card.id not in lying)
    among = unclaimed(row)
    acted = phase is Phase.CLAIM if acted is None else acted
    return State(
        rules=rules,
        turn=to_move,
        to_move=to_move,
        phase=phase,
        stones=row,
        places=places(row),
        unclaimed=among,
        unseen=unseen,
        piles=_counts(pile, rules),
        hands=(_counts(hands[0], rules), _counts(hands[1], rules)),
        claimable=claimable(row, to_move, unseen, among) if _open(rules, phase, acted, to_move, beside) else (),
        acted=acted,
        skips=skips,
        ply=0,
        beside=beside,
        outcome=None,
    )


def _counts(count: Count, rules: Ruleset) -> tuple[int, ...]:
    counts = (count, *(0,) * (len(rules.decks) - 1)) if isinstance(count, int) else count
    assert len(counts) == len(rules.decks)
    return counts


def _open(rules: Ruleset, phase: Phase, acted: bool, seat: Seat, beside: Beside) -> bool:
    match rules.claims:
        case ClaimWindow.AFTER_PLAY:
            return phase is Phase.CLAIM
        case ClaimWindow.START:
            return phase in (Phase.PLAY, Phase.CLAIM) and not acted
        case ClaimWindow.ATTACKER:
            return phase in (Phase.PLAY, Phase.CLAIM) and seat == beside.attacker


def refusal(state: State, move: PublicMove) -> str:
    """Why `apply` refuses the move: the exact sentence. Nothing has changed."""
    before = state_code(state)
    with pytest.raises(IllegalMove) as refused:
        apply(state, move)
    assert refused.value.move is move
    assert state_code(state) == before
    return refused.value.reason


def owned(mine: list[int], theirs: list[int], rest: Mapping[int, Stone]) -> dict[int, Stone]:
    """A row where ME and YOU own these 0-based stones (empty ones, for the count of patterns), and `rest`."""
    row = {number: stone(owner=ME) for number in mine}
    row |= {number: stone(owner=YOU) for number in theirs}
    return {**row, **rest}


# Nowhere a place for ME: five sides are full, four stones are claimed. YOU has one card there and can claim nothing;
# ME can claim nothing either.
CLOSED = owned(
    [2, 5],
    [3, 6],
    {
        0: stone("R1 G3 Y9"),
        1: stone("B1 P3 N9"),
        4: stone("P1 B3 G9"),
        7: stone("N1 Y3 P9"),
        8: stone("Y1 N3 B9", "R4"),
    },
)


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
