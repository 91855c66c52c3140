"""Laws that hold in every position of every random game."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import fields, replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p_schotten.engine.claim import claimable
from p2p_schotten.engine.move import Claim, Done, Draw, Move, Pass, Play, Resign
from p2p_schotten.engine.rules import apply, legal_moves, new_game
from p2p_schotten.engine.ruleset import Code
from p2p_schotten.engine.rulesets import BASE, RULESETS
from p2p_schotten.engine.state import Phase, State, places, state_code
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
from p2p_schotten.engine.table import Table, deal, play
from p2p_schotten.engine.view import Memory, view
from p2p_schotten.errors import IllegalMove
from p2p_schotten.ids import SEATS, CardId, DeckId, Seat, StoneId, other
from tests.engine import oracle
from tests.engine.positions import random_game, random_move, shuffled

SEEDS = st.integers(0, 2**32)
CHANCES = st.sampled_from([0.0, 0.1, 0.5, 1.0])  # how often a claim that is offered is made


def every_move() -> Iterator[Move]:
    """All moves that can be written down, Resign apart."""
    for stone in map(StoneId, range(9)):
        yield Claim(stone)
        for card in map(CardId, range(54)):
            yield Play(card, stone)
    yield from (Draw(DeckId(0)), Done(), Pass())


def accepted(state: State, move: Move) -> bool:
    try:
        apply(state, move)
    except IllegalMove:
        return False
    return True


def some_table(seed: int, claims: float) -> Table:
    """A table from anywhere in a random game, its last position included."""
    random = Random(seed)
    tables = random_game(random, claims)[0]
    return tables[random.randrange(len(tables))]


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS, claims=CHANCES, extra=st.sets(st.integers(0, 53), max_size=8))
def test_legal_moves_are_the_moves_with_cards_in_hand_that_apply_accepts(
    seed: int, claims: float, extra: set[int]
) -> None:
    table = some_table(seed, claims)
    state = table.state
    # The law holds for any hand, also for one that no deal can give.
    for hand in (table.hands[0], table.hands[1], tuple(map(CardId, extra)), ()):
        listed = legal_moves(state, hand)
        expected = [move for move in every_move() if (not isinstance(move, Play) or move.card in hand)]
        assert set(listed) == {move for move in expected if accepted(state, move)}
        assert len(set(listed)) == len(listed)


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


def has_pattern(owned: list[bool]) -> bool:
    return sum(owned) >= 5 or any(all(owned[start : start + 3]) for start in range(7))


@settings(max_examples=40, deadline=None)
@given(seed=SEEDS, claims=CHANCES)
def test_the_outcome_follows_from_the_stones(seed: int, claims: float) -> None:
    end = random_game(Random(seed), claims)[0][-1].state
    assert end.outcome is not None
    owned = [[stone.owner == seat for stone in end.stones] for seat in SEATS]
    patterns = [seat for seat in SEATS if has_pattern(owned[seat])]
    if end.outcome.reason is Reason.STUCK:
        lead = sum(owned[0]) - sum(owned[1])
        winner = patterns[0] if len(patterns) == 1 else None if lead == 0 else SEATS[lead < 0]
    else:
        assert len(patterns) == 1
        winner = patterns[0]
    assert end.outcome.winner == winner
    assert end.outcome.points == tuple(5 if seat == winner else sum(owned[seat]) for seat in SEATS)


@settings(max_examples=20, deadline=None)
@given(seed=SEEDS, claims=CHANCES)
def test_cards_are_conserved_and_the_state_counts_them(seed: int, claims: float) -> None:
    for table in random_game(Random(seed), claims)[0]:
        state = table.state
        lying = [card for stone in state.stones for side in stone.sides for card in side.cards]
        everywhere = [*lying, *table.piles[0], *table.hands[0], *table.hands[1]]
        assert sorted(everywhere) == list(range(54))
        assert state.piles == (len(table.piles[0]),)
        assert state.hands == ((len(table.hands[0]),), (len(table.hands[1]),))
        assert state.unseen == sum(1 << card for card in range(54) if card not in lying)
        assert state.places == places(state.stones)
        for stone in state.stones:
            assert sorted(stone.arrived) == sorted(stone.sides[0].cards + stone.sides[1].cards)
            assert all(sorted(stone.cards(seat)) == list(stone.sides[seat].cards) for seat in SEATS)


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
            assert state.claimable == claimable(state.stones, state.to_move, state.unseen) != ()
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
            found = claimable(state.stones, seat, state.unseen)
            for number, stone in enumerate(state.stones):
                mine, theirs = ([BASE.text(card) for card in stone.cards(each)] for each in (seat, other(seat)))
                last_is_mine = bool(mine) and BASE.text(stone.arrived[-1]) in mine
                if len(mine) == 3 and stone.owner is None:
                    assert (number in found) is oracle.may_claim(mine, theirs, not last_is_mine, unseen)
                else:
                    assert number not in found


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS, claims=CHANCES, seat=st.sampled_from(SEATS))
def test_a_view_does_not_depend_on_the_faces_it_must_not_know(seed: int, claims: float, seat: Seat) -> None:
    random = Random(seed)
    one = some_table(seed, claims)
    me, you = seat, other(seat)
    # Another table, alike in all that `me` may know: the other hand and the pile are dealt anew.
    hidden = [*one.hands[you], *one.piles[0]]
    random.shuffle(hidden)
    theirs, pile = tuple(hidden[: len(one.hands[you])]), tuple(hidden[len(one.hands[you]) :])
    hands = (one.hands[0], theirs) if me == 0 else (theirs, one.hands[1])
    two = Table(one.state, (pile,), hands)
    assert view(one.state, me, one.hands[me], Memory()) == view(two.state, me, two.hands[me], Memory())
    if one.state.to_move == me and not one.state.over:
        move = random_move(one, random)
        (next_one, events_one), (next_two, events_two) = play(one, move), play(two, move)
        assert events_one == events_two
        assert next_one.state == next_two.state
        # The hand may differ in what was drawn from the pile, and in nothing else.
        kept = [card for card in one.hands[me] if not (isinstance(move, Play) and move.card == card)]
        assert list(next_one.hands[me][: len(kept)]) == list(next_two.hands[me][: len(kept)]) == kept


@settings(max_examples=30, deadline=None)
@given(seed=SEEDS, claims=CHANCES)
def test_whoever_gives_up_loses_as_in_a_won_game(seed: int, claims: float) -> None:
    state = some_table(seed, claims).state
    if state.over:
        with pytest.raises(IllegalMove, match="the game is over"):
            apply(state, Resign())
        return
    step = apply(state, Resign())
    loser = state.to_move
    stones = sum(stone.owner == loser for stone in state.stones)
    assert step.state.outcome == Outcome(other(loser), Reason.RESIGNED, (5, stones) if loser == 1 else (stones, 5))
    assert step.transfers == ()
    assert step.state.stones == state.stones
    assert step.state.ply == state.ply


def distinct_codes(states: list[State]) -> dict[Code, State]:
    codes: dict[Code, State] = {}
    for state in states:
        assert codes.setdefault(state_code(state), state) == state
    return codes


@settings(max_examples=6, deadline=None)
@given(seed=SEEDS, claims=CHANCES)
def test_two_different_states_have_different_codes(seed: int, claims: float) -> None:
    random = Random(seed)
    table = shuffled(BASE, random)
    states = [table.state]
    while not table.state.over and len(states) < 400:
        # All successors of each position, so also those that differ in a single card or stone.
        hand = table.hands[table.state.to_move]
        states += [apply(table.state, move).state for move in (*legal_moves(table.state, hand), Resign())]
        table = play(table, random_move(table, random, claims))[0]
    distinct_codes(states)


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
        "outcome": Outcome(None, Reason.STUCK, (1, 1)),
    }
    # The rules are signed apart, and the places follow from the stones.
    assert {field.name for field in fields(State)} == {*changed, "rules", "places"}
    for name, value in changed.items():
        assert state_code(replace(state, **{name: value})) != state_code(state), name  # type: ignore[arg-type]  # by name
    stone = next(stone for stone in stones if len(stone.arrived) > 1)
    at = stones.index(stone)
    for other_stone in (
        replace(stone, owner=SEATS[0]),
        replace(stone, owner=SEATS[1]),
        replace(stone, arrived=stone.arrived[::-1]),
    ):
        assert state_code(replace(state, stones=(*stones[:at], other_stone, *stones[at + 1 :]))) != state_code(state)
    ends = [
        Outcome(winner, reason, points) for winner in (None, *SEATS) for reason in Reason for points in ((1, 2), (2, 1))
    ]
    assert len({state_code(replace(state, outcome=end)) for end in ends}) == len(ends)


def test_a_code_is_made_of_integers_and_texts_only() -> None:
    def plain(code: object) -> bool:
        return all(map(plain, code)) if isinstance(code, tuple) else type(code) in (int, str)

    for table in random_game(Random(3))[0]:
        assert plain(state_code(table.state))
    assert all(plain(rules.code()) for rules in RULESETS.values())


def test_states_survive_pickling() -> None:
    for table in random_game(Random(4))[0][::9]:
        assert pickle.loads(pickle.dumps(table)) == table


def test_apply_changes_nothing_that_it_was_given() -> None:
    tables, _ = random_game(Random(11))
    codes = [state_code(table.state) for table in tables]
    for table in tables[:-1]:
        for move in legal_moves(table.state, table.hands[table.state.to_move]):
            apply(table.state, move)
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
            step = apply(table.state, move)
            opened = (HandToOpen(seat, move.card),) if isinstance(move, Play) else ()
            drew = Drew(seat, DeckId(0)) in step.events
            assert step.transfers == opened + (PileToHand(DeckId(0), seat),) * drew
