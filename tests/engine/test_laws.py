"""Laws of the base game, and of every state's code. Those of all rulesets stand in the files beside this one."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p_schotten.engine.claim import claimable
from p2p_schotten.engine.move import Play, public
from p2p_schotten.engine.rules import apply, legal_moves, new_game
from p2p_schotten.engine.rulesets import BASE, RULESETS
from p2p_schotten.engine.state import Phase, State, state_code, unclaimed
from p2p_schotten.engine.step import (
    Awarded,
    Claimed,
    Dealt,
    Drew,
    HandToOpen,
    Outcome,
    PileToHand,
    Played,
    Reason,
    Skipped,
)
from p2p_schotten.engine.table import Table, deal
from p2p_schotten.ids import SEATS, DeckId, Seat, StoneId, other
from tests.engine import oracle
from tests.engine.positions import random_game

SEEDS = st.integers(0, 2**32)
CHANCES = st.sampled_from([0.0, 0.1, 0.5, 1.0])  # how often a claim that is offered is made


def some_table(seed: int, claims: float) -> Table:
    """A table from anywhere in a random game, its last position included."""
    random = Random(seed)
    tables = random_game(random, claims)[0]
    return tables[random.randrange(len(tables))]


@settings(max_examples=30, deadline=None)
@given(seed=SEEDS, claims=CHANCES)
def test_every_game_ends_and_its_events_add_up(seed: int, claims: float) -> None:
    tables, events = random_game(Random(seed), claims)
    end = tables[-1].state
    played = sum(isinstance(event, Played) for event in events)
    skipped = sum(isinstance(event, Skipped) for event in events)
    assert end.outcome is not None
    assert played <= 54
    assert end.ply == played + skipped <= 72
    assert sum(isinstance(event, Drew) for event in events) == 42 - len(tables[-1].piles[0])
    owners = {event.stone: event.seat for event in events if isinstance(event, Claimed | Awarded)}
    assert {number: stone.owner for number, stone in enumerate(end.stones) if stone.owner is not None} == owners
    assert len(owners) == sum(isinstance(event, Claimed | Awarded) for event in events)


@settings(max_examples=20, deadline=None)
@given(seed=SEEDS, claims=CHANCES)
def test_nobody_is_asked_without_a_choice(seed: int, claims: float) -> None:
    for table in random_game(Random(seed), claims)[0]:
        state = table.state
        assert state.over is (state.phase is Phase.OVER)
        if state.over:
            assert legal_moves(state, table.hands[state.to_move]) == ()
            continue
        assert state.turn == state.to_move
        assert legal_moves(state, table.hands[state.to_move])
        if state.phase is Phase.CLAIM:
            among = unclaimed(state.stones)
            assert state.claimable == claimable(state.stones, state.to_move, state.unseen, among) != ()
        else:
            assert state.claimable == ()
            assert not state.acted
            # Whoever lays a card has a full hand as long as there is a pile.
            assert state.hands[state.to_move] == (6,) or state.piles == (0,)


@settings(max_examples=8, deadline=None)
@given(seed=SEEDS)
def test_stones_are_claimable_as_the_enumeration_says(seed: int) -> None:
    tables = random_game(Random(seed), 0.3)[0]
    for table in tables[len(tables) // 2 :: 5]:
        state = table.state
        unseen = [card for card in oracle.deck() if state.unseen >> BASE.card(card) & 1]
        for seat in SEATS:
            found = claimable(state.stones, seat, state.unseen, unclaimed(state.stones))
            for number, stone in enumerate(state.stones):
                mine, theirs = ([BASE.text(card) for card in stone.cards(each)] for each in (seat, other(seat)))
                last_is_mine = bool(mine) and BASE.text(stone.arrived[-1]) in mine
                if len(mine) == 3 and stone.owner is None:
                    assert (number in found) is oracle.may_claim(mine, theirs, not last_is_mine, unseen)
                else:
                    assert number not in found


def test_every_field_of_a_state_shows_in_its_code() -> None:
    state = some_table(5, 1.0).state
    stones = state.stones
    changed = {
        "turn": other(state.turn),
        "to_move": other(state.to_move),
        "phase": Phase.OVER,
        "stones": (stones[1], stones[0], *stones[2:]),
        "unseen": state.unseen ^ 1,
        "piles": (state.piles[0] + 1,),
        "hands": (state.hands[0], (9,)),
        "claimable": (StoneId(7), StoneId(8)),
        "acted": not state.acted,
        "skips": state.skips + 1,
        "ply": state.ply + 1,
        "beside": state.beside._replace(oil=1),
        "outcome": Outcome(None, Reason.STUCK, (1, 1)),
    }
    # The rules are signed apart, and what has room or no owner follows from the stones.
    assert set(State._fields) == {*changed, "rules", "places", "unclaimed"}
    for name, value in changed.items():
        assert state_code(state._replace(**{name: value})) != state_code(state), name  # type: ignore[arg-type]  # by name
    stone = next(stone for stone in stones if len(stone.arrived) > 1)
    at = stones.index(stone)
    for other_stone in (
        stone._replace(owner=SEATS[0]),
        stone._replace(owner=SEATS[1]),
        stone._replace(arrived=stone.arrived[::-1]),
    ):
        assert state_code(state._replace(stones=(*stones[:at], other_stone, *stones[at + 1 :]))) != state_code(state)
    ends = [
        Outcome(winner, reason, points) for winner in (None, *SEATS) for reason in Reason for points in ((1, 2), (2, 1))
    ]
    assert len({state_code(state._replace(outcome=end)) for end in ends}) == len(ends)


def test_a_code_is_made_of_integers_and_texts_only() -> None:
    def plain(code: object) -> bool:
        return all(map(plain, code)) if isinstance(code, tuple) else type(code) in (int, str)

    for table in random_game(Random(3))[0]:
        assert plain(state_code(table.state))
    assert all(plain(rules.code()) for rules in RULESETS.values())


def test_apply_changes_nothing_that_it_was_given() -> None:
    tables, _ = random_game(Random(11))
    codes = [state_code(table.state) for table in tables]
    for table in tables[:-1]:
        for move in legal_moves(table.state, table.hands[table.state.to_move]):
            apply(table.state, public(BASE, move))
    assert [state_code(table.state) for table in tables] == codes


@pytest.mark.parametrize("first", SEATS)
def test_the_deal_gives_all_cards_of_seat_0_then_all_of_seat_1(first: Seat) -> None:
    step = new_game(BASE, first)
    assert step.transfers == (PileToHand(DeckId(0), SEATS[0]),) * 6 + (PileToHand(DeckId(0), SEATS[1]),) * 6
    assert step.events == (Dealt(6, first),)
    assert (step.state.to_move, step.state.phase, step.state.piles) == (first, Phase.PLAY, (42,))
    table = deal(BASE, first, [range(54)])
    assert table.state == step.state
    assert table.hands == (tuple(range(6)), tuple(range(6, 12)))
    assert table.piles == (tuple(range(12, 54)),)


@settings(max_examples=10, deadline=None)
@given(seed=SEEDS, claims=CHANCES)
def test_a_step_opens_the_card_it_plays_then_draws_at_most_one_and_moves_nothing_else(seed: int, claims: float) -> None:
    for table in random_game(Random(seed), claims)[0][:-1]:
        seat = table.state.to_move
        for move in legal_moves(table.state, table.hands[seat]):
            step = apply(table.state, public(BASE, move))
            opened = (HandToOpen(seat, move.card),) if isinstance(move, Play) else ()
            drew = Drew(seat, DeckId(0)) in step.events
            assert step.transfers == opened + (PileToHand(DeckId(0), seat),) * drew
