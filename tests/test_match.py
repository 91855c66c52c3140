"""Matches: points, targets, two sieges, and who begins the next game. Results are written by hand."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from p2p_schotten.engine.move import Draw, Play, Resign
from p2p_schotten.engine.rules import apply, new_game
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import BASE, SIEGE, SIEGE_TACTIC, TACTIC
from p2p_schotten.engine.step import Outcome, Reason
from p2p_schotten.errors import Unreadable
from p2p_schotten.ids import SEATS, DeckId, Seat, StoneId
from p2p_schotten.match import (
    Form,
    Free,
    Played,
    Roles,
    Rounds,
    Target,
    form_text,
    new_match,
    next_first,
    played_of,
    read_form,
    standing,
    turn_of,
)
from p2p_schotten.protocol.messages import SINGLE_GAME

ONE, TWO = SEATS


def won(winner: Seat | None, first: int, second: int, *, began: Seat = ONE, turns: int = 9, damaged: int = 0) -> Played:
    return Played(began, Outcome(winner, Reason.FIVE, (first, second)), turns, damaged)


A_WINS, B_WINS, DRAWN = won(ONE, 5, 2), won(TWO, 4, 5), won(None, 4, 4)


@pytest.mark.parametrize("first", SEATS)
@pytest.mark.parametrize(
    ("ply", "on_turn", "number"),
    [
        (0, 0, 0),  # the seat that begins, before its card
        (1, 0, 0),  # and behind it, when it may claim or draw
        (1, 1, 1),
        (2, 1, 1),
        (2, 0, 2),
        (3, 0, 2),
        (7, 1, 7),
        (8, 1, 7),
        (8, 0, 8),
    ],
)
def test_a_turn_has_one_number_before_the_card_and_behind_it(first: Seat, ply: int, on_turn: int, number: int) -> None:
    state = new_game(BASE, first).state._replace(ply=ply, turn=SEATS[first ^ on_turn])
    assert turn_of(first, state) == number


def test_a_match_of_rounds_goes_to_more_points_when_all_were_played() -> None:
    assert standing(Rounds(3), [A_WINS]).points == (5, 2)
    two = standing(Rounds(3), [A_WINS, B_WINS])
    assert (two.points, two.over, two.winner) == ((9, 7), False, None)
    three = standing(Rounds(3), [A_WINS, B_WINS, DRAWN])
    assert (three.points, three.over, three.winner) == ((13, 11), True, ONE)
    assert standing(Rounds(2), [B_WINS, B_WINS]).winner == TWO


def test_fewer_games_won_may_be_more_points() -> None:
    """Three stones in two lost games and five points in a won one (5 + 4 + 4 = 13) beat two won games with nothing."""
    games = [won(ONE, 5, 0), won(TWO, 4, 5), won(TWO, 4, 5)]
    assert standing(Rounds(3), games).winner == ONE


def test_equal_points_share_a_match() -> None:
    shared = standing(Rounds(2), [won(ONE, 5, 3), won(TWO, 3, 5)])
    assert (shared.points, shared.over, shared.winner) == ((8, 8), True, None)


def test_a_target_is_reached_and_not_before() -> None:
    games = [A_WINS, B_WINS]
    assert not standing(Target(10), games).over
    reached = standing(Target(10), [*games, won(TWO, 1, 5)])
    assert (reached.points, reached.over, reached.winner) == ((10, 12), True, TWO)
    assert standing(Target(9), games).winner == ONE


def test_a_match_that_goes_on_after_its_end_begins_at_nothing() -> None:
    again = standing(Rounds(2), [A_WINS, A_WINS, B_WINS])
    assert (again.points, len(again.games), again.over) == ((4, 5), 1, False)
    assert standing(Target(5), [A_WINS, B_WINS]).points == (4, 5)
    assert standing(Roles(), [won(ONE, 5, 0)] * 3).games == (won(ONE, 5, 0),)


def test_single_games_are_counted_and_nobody_wins_them_all() -> None:
    for count in (1, 2, 3):
        free = standing(Free(), [A_WINS] * count)
        assert (free.points, len(free.games), free.over, free.winner) == ((5 * count, 2 * count), count, True, None)
    assert not standing(Free(), []).over


@pytest.mark.parametrize(
    ("one", "two", "winner"),
    [
        (won(ONE, 5, 0, turns=12), won(TWO, 0, 5, began=TWO, turns=14), ONE),
        (won(ONE, 5, 0, turns=14), won(TWO, 0, 5, began=TWO, turns=12), TWO),
        (won(ONE, 5, 0, turns=12), won(TWO, 0, 5, began=TWO, turns=12), None),
        (won(TWO, 2, 5, damaged=2), won(ONE, 5, 1, began=TWO, damaged=1), ONE),
        (won(TWO, 1, 5, damaged=1), won(ONE, 5, 3, began=TWO, damaged=3), TWO),
        (won(TWO, 2, 5, damaged=2), won(ONE, 5, 2, began=TWO, damaged=2), None),
        (won(ONE, 5, 0, turns=20), won(ONE, 5, 3, began=TWO, damaged=3), ONE),
        (won(TWO, 3, 5, damaged=3), won(TWO, 0, 5, began=TWO, turns=20), TWO),
    ],
    ids=[
        "both attacks won, the first faster",
        "both attacks won, the second faster",
        "both attacks won in as many turns",
        "both walls held, the first attack went further",
        "both walls held, the second attack went further",
        "both walls held alike",
        "the first attacker won both",
        "the first defender won both",
    ],
)
def test_two_sieges_are_decided_by_the_attacks(one: Played, two: Played, winner: Seat | None) -> None:
    """Rules of the match of two games: turns when both attacks won, damaged tiles when none did."""
    after_one = standing(Roles(), [one])
    assert (after_one.over, after_one.winner) == (False, None)
    both = standing(Roles(), [one, two])
    assert (both.over, both.winner) == (True, winner)
    turned = [replace(g, first=SEATS[1 - g.first], outcome=turned_round(g.outcome)) for g in (one, two)]
    assert standing(Roles(), turned).winner == (None if winner is None else SEATS[1 - winner])


def turned_round(outcome: Outcome) -> Outcome:
    winner = None if outcome.winner is None else SEATS[1 - outcome.winner]
    return replace(outcome, winner=winner, points=(outcome.points[1], outcome.points[0]))


def test_the_winner_begins_the_next_game_and_after_a_drawn_one_who_did_not_begin() -> None:
    for began in SEATS:
        assert next_first(BASE, won(ONE, 5, 0, began=began)) == ONE
        assert next_first(TACTIC, won(TWO, 0, 5, began=began)) == TWO
        assert next_first(BASE, won(None, 4, 4, began=began)) == SEATS[1 - began]


def test_in_a_siege_the_roles_swap_whoever_won() -> None:
    for began in SEATS:
        for winner in SEATS:
            assert next_first(SIEGE, won(winner, 5, 0, began=began)) == SEATS[1 - began]


@pytest.mark.parametrize("first", SEATS)
@pytest.mark.parametrize(
    ("defends", "acted", "ply", "turns"),
    [
        (False, False, 0, 1),  # nothing happened yet
        (False, True, 1, 1),  # he has laid, and not drawn yet
        (False, True, 0, 1),  # he has taken a tile at the start of his turn, and not laid yet
        (True, False, 1, 1),  # the defender is to lay his first card
        (True, True, 2, 1),  # he has laid it, and not drawn yet
        (False, False, 2, 2),  # he has drawn
        (False, True, 3, 2),
        (True, False, 3, 2),
        (True, True, 4, 2),
        (True, False, 4, 2),  # the defender is skipped, and that ends the game
        (False, False, 24, 13),
        (True, True, 24, 12),
    ],
)
def test_a_defender_who_gives_up_in_his_own_turn_does_not_begin_one_for_the_attacker(
    first: Seat, defends: bool, acted: bool, ply: int, turns: int
) -> None:
    """Turn n of the attacker begins at ply 2n - 2 and the defender's turn n at ply 2n - 1; each raises it once."""
    turn = SEATS[1 - first] if defends else first
    ended = Outcome(first, Reason.RESIGNED, (5, 0) if first == ONE else (0, 5))
    at = new_game(SIEGE_TACTIC, first).state._replace(turn=turn, to_move=turn, acted=acted, ply=ply, outcome=ended)
    assert played_of(first, at).turns == turns


def attacked(first: Seat, laid: int) -> Played:
    """A siege that the defender gives up when so many cards were laid, by his own hand the last if it is even."""
    state = new_game(SIEGE_TACTIC, first).state
    for card in range(laid):
        lowest = SIEGE_TACTIC.decks[0].cards[card].id
        state = apply(state, Play(lowest, StoneId(card // 2))).state
        if card < laid - 1 or state.turn == first:
            state = apply(state, Draw(DeckId(0))).state
    assert state.turn == SEATS[1 - first]
    return played_of(first, apply(state, Resign()).state)


def test_two_attacks_of_three_turns_share_a_match_however_the_defender_gave_up() -> None:
    """Each attacker has laid three cards; one defender gives up before his third card, the other before he draws."""
    one, two = attacked(ONE, 5), attacked(TWO, 6)
    assert (one.turns, two.turns) == (3, 3)
    assert (one.outcome.winner, two.outcome.winner) == (ONE, TWO)
    assert standing(Roles(), [one, two]).winner is None


def test_damaged_tiles_are_counted_at_the_end() -> None:
    state = new_game(SIEGE, ONE).state
    broken = tuple(s._replace(ground=replace(s.ground, damaged=n in (1, 4))) for n, s in enumerate(state.stones))
    assert played_of(ONE, apply(state._replace(stones=broken), Resign()).state).damaged == 2


@pytest.mark.parametrize(
    ("rules", "form", "text"),
    [
        (BASE, Rounds(3), "rounds 3"),
        (TACTIC, Rounds(50), "rounds 50"),
        (BASE, Target(15), "points 15"),
        (BASE, Target(500), "points 500"),
        (SIEGE, Roles(), "roles"),
        (SIEGE_TACTIC, Roles(), "roles"),
        (BASE, Free(), ""),
        (SIEGE, Free(), ""),
    ],
)
def test_a_form_is_read_back_from_its_words(rules: Ruleset, form: Form, text: str) -> None:
    assert form_text(form) == text
    assert read_form(rules, text) == form


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        *((BASE, text) for text in ("roles", "rounds", "rounds 0", "rounds 51", "rounds 03", "rounds 3 ", "Rounds 3")),
        *((BASE, text) for text in ("points 501", "points -1", "points 1e2", "rounds \u0663", "best of 3", " ")),
        *((SIEGE, text) for text in ("rounds 2", "points 15", "roles 2", "role")),
    ],
)
def test_other_words_are_no_form(rules: Ruleset, text: str) -> None:
    with pytest.raises(Unreadable, match="is not a match"):
        read_form(rules, text)


def test_a_match_has_an_id_of_its_own_and_a_single_game_none() -> None:
    assert new_match(Free(), os.urandom) == SINGLE_GAME
    one, two = new_match(Rounds(3), os.urandom), new_match(Rounds(3), os.urandom)
    assert len(one.id) == 32
    assert (one.number, one.previous) == (1, b"")
    assert one.id != two.id
