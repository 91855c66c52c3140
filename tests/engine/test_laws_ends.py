"""Every game of every ruleset ends, however it is played, and the outcome follows from what lies there."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest

from p2p_schotten.engine.move import Pass, Resign
from p2p_schotten.engine.rules import apply
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import BATTLE_LINE, RULESETS, SIEGE, SIEGE_TACTIC, TACTIC
from p2p_schotten.engine.state import State
from p2p_schotten.engine.step import Claimed, Controlled, Drew, Outcome, Passed, Played, Reason, Skipped, Used
from p2p_schotten.errors import IllegalMove
from p2p_schotten.ids import SEATS, DeckId, Seat, other
from tests.engine.positions import position, stone
from tests.engine.random_games import (
    MANNERS,
    Manner,
    any_move,
    claimer,
    filler,
    games,
    silent_hoarder,
    spender,
)
from tests.engine.variants import VARIANTS, named

over_variants = pytest.mark.parametrize("rules", VARIANTS, ids=named)
PLIES = {"base": 60, "siege": 60, "siege-tactic": 90}
"""The most that a random game takes; in any other ruleset 80."""


def most(rules: Ruleset) -> int:
    """More plies than any manner of play can take.

    Every card is played once at the most. Two turns in succession without a card, a claim or a draw end the game, so
    at most one such turn stands before each turn that has one, and two at the end; after the piles are empty nothing
    but claims and cards are left.
    """
    cards, places = len(rules.cards), len(rules.tiles)
    return 2 * (cards + places) + 2


@pytest.mark.parametrize("name", RULESETS)
def test_random_games_end_within_their_plies(name: str) -> None:
    for seed in range(12):
        for manner in (any_move, claimer):
            state = games(RULESETS[name], seed, manner, manner)[0][-1].state
            assert state.outcome is not None
            assert state.ply <= PLIES.get(name, 80)


@over_variants
def test_games_end_however_nasty_the_players_are(rules: Ruleset) -> None:
    for number, (one, two) in enumerate(combinations_with_replacement(MANNERS.values(), 2)):
        tables, steps = games(rules, number, *((one, two) if number % 2 else (two, one)))
        end = tables[-1].state
        assert end.outcome is not None
        assert end.ply <= most(rules)
        events = [event for _, happened in steps for event in happened]
        assert end.ply == sum(isinstance(event, Played | Used | Passed | Skipped) for event in events)


@pytest.mark.parametrize("rules", [TACTIC, RULESETS["expert"], BATTLE_LINE], ids=named)
def test_two_players_who_draw_only_tactics_and_play_none_come_to_an_end(rules: Ruleset) -> None:
    for seed in range(6):
        tables, steps = games(rules, seed, silent_hoarder, silent_hoarder)
        end = tables[-1].state
        assert end.piles[1] == 0
        assert sum(len(table.hands[seat]) for seat in SEATS for table in tables[-1:]) >= 10
        assert end.beside.tactics == (0, 0)
        assert end.outcome is not None
        assert end.outcome.reason is Reason.STUCK
        assert any(isinstance(event, Drew) and event.deck == 1 for _, events in steps for event in events)


@pytest.mark.parametrize("rules", [TACTIC, BATTLE_LINE, SIEGE_TACTIC], ids=named)
def test_hands_full_of_tactics_that_the_limit_forbids_are_skipped_to_the_end(rules: Ruleset) -> None:
    # One seat spends its tactics and is one ahead, the other plays none: the spender's other tactics are unplayable.
    stopped = 0
    for seed in range(10):
        tables, _ = games(rules, seed, spender, silent_hoarder)
        assert tables[-1].state.beside.tactics[0] <= 1
        assert tables[-1].state.beside.tactics[1] == 0
        stopped += len([card for card in tables[-1].hands[0] if rules.deck_of(card) == 1]) > 0
        assert tables[-1].state.outcome is not None
    assert stopped > 0


@pytest.mark.parametrize("rules", [TACTIC, BATTLE_LINE, SIEGE, SIEGE_TACTIC, RULESETS["base"]], ids=named)
def test_games_in_which_all_sides_fill_up_and_nobody_claims_end_as_stuck_or_held(rules: Ruleset) -> None:
    without_room = 0
    for seed in range(6):
        tables, _ = games(rules, seed, filler, filler)
        end = tables[-1].state
        assert end.outcome is not None
        assert end.outcome.reason is (Reason.STUCK if rules.siege is None else Reason.HELD)
        assert any(0 in table.state.places for table in tables)
        without_room += any(table.state.places == (0, 0) for table in tables)
    assert without_room > 0


@pytest.mark.parametrize("first", SEATS)
def test_an_attacker_who_hoards_tactics_and_controls_nothing_loses(first: Seat) -> None:
    held = 0
    for seed in range(12):
        manners: tuple[Manner, Manner] = (silent_hoarder, filler) if first == 0 else (filler, silent_hoarder)
        tables, steps = games(SIEGE_TACTIC, seed, *manners)
        end = tables[-1].state
        assert end.outcome is not None
        attacker = tables[0].state.beside.attacker
        if attacker == first:
            passes = [move for move, _ in steps if isinstance(move, Pass)]
            assert (end.outcome.winner, end.outcome.reason) == (other(first), Reason.HELD)
            held += len(passes) > 3
    assert held > 2


def has_pattern(rules: Ruleset, owned: list[bool]) -> bool:
    rows = [owned[start : start + rules.adjacent] for start in range(len(owned) - rules.adjacent + 1)]
    return sum(owned) >= rules.majority or any(map(all, rows))


@over_variants
def test_the_outcome_follows_from_the_stones_or_the_wall(rules: Ruleset) -> None:
    for number, manner in enumerate((any_move, claimer, claimer, filler, spender)):
        tables, steps = games(rules, 50 + number, manner, claimer)
        end = tables[-1].state
        assert end.outcome is not None
        if rules.siege is None:
            expected = by_stones(end, end.outcome.reason)
        else:
            last = [event for event in steps[-1][1] if isinstance(event, Controlled | Claimed)]
            expected = by_wall(tables[-2].state, end, [event.stone for event in last])
        assert end.outcome == expected


def by_stones(end: State, reason: Reason) -> Outcome:
    """The outcome by the owners of the stones (rules 2.3, 2.4, A8)."""
    owned = [[stone.owner == seat for stone in end.stones] for seat in SEATS]
    patterns = [seat for seat in SEATS if has_pattern(end.rules, owned[seat])]
    if reason is Reason.STUCK:
        lead = sum(owned[0]) - sum(owned[1])
        winner = patterns[0] if len(patterns) == 1 else None if lead == 0 else SEATS[lead < 0]
    else:
        (winner,) = patterns
        assert reason in (Reason.ADJACENT, Reason.FIVE)
    one, two = (end.rules.win_points if seat == winner else sum(owned[seat]) for seat in SEATS)
    return Outcome(winner, reason, (one, two))


def by_wall(before: State, end: State, controlled: list[int]) -> Outcome:
    """The outcome of a siege by its last step: which tiles were controlled in it, and what they were before."""
    attacker = end.beside.attacker
    assert attacker is not None
    assert end.rules.siege is not None
    fallen = sum(stone.ground.damaged for stone in end.stones)
    points = [0, 0]
    if any(before.stones[stone].ground.damaged for stone in controlled):
        winner, reason = attacker, Reason.DAMAGED
    elif controlled and fallen == end.rules.siege.breach:
        winner, reason = attacker, Reason.BREACH
    else:
        winner = other(attacker)
        full = end.rules.siege.full_defender_wins and end.turn == winner and not end.places[winner]
        reason = Reason.FULL if full else Reason.HELD
        points[attacker] = fallen
    points[winner] = end.rules.win_points
    return Outcome(winner, reason, (points[0], points[1]))


@over_variants
def test_whoever_gives_up_loses_as_in_a_won_game(rules: Ruleset) -> None:
    for table in games(rules, 61, any_move, any_move)[0]:
        state = table.state
        if state.over:
            with pytest.raises(IllegalMove, match="the game is over"):
                apply(state, Resign())
            continue
        step = apply(state, Resign())
        loser = state.to_move
        left = [0, 0]
        left[other(loser)] = 5
        if state.beside.attacker in (None, loser):
            left[loser] = sum(stone.owner == loser or stone.ground.damaged for stone in state.stones)
        assert step.state.outcome == Outcome(other(loser), Reason.RESIGNED, (left[0], left[1]))
        assert step.transfers == ()
        assert (step.state.stones, step.state.ply) == (state.stones, state.ply)


def test_a_pass_with_a_draw_does_not_bring_the_end_nearer() -> None:
    # A scout with short decks leaves a hand below its limit and cards to draw: then a turn without a card draws (A8).
    # Every side of ME is a weak sum, and Y, P and N are all unseen: nothing can be claimed.
    row = {at: stone(f"R{at + 1} G{(at + 3) % 9 + 1} B{(at + 6) % 9 + 1}", rules=TACTIC) for at in range(9)}
    short = position(row, rules=TACTIC, hands=((5, 1), (5, 2)), pile=(1, 0), skips=1)
    after = apply(short, Pass())
    assert after.state.outcome is None
    assert (after.state.turn, after.state.skips, after.state.piles) == (SEATS[1], 0, (0, 0))
    assert after.events == (Passed(SEATS[0]), Drew(SEATS[0], DeckId(0)))
    full = position(row, rules=TACTIC, hands=((6, 1), (5, 2)), pile=(1, 0), skips=1)
    ended = apply(full, Pass()).state
    assert ended.outcome is not None
    assert ended.outcome.reason is Reason.STUCK
    assert ended.piles == (1, 0)
