"""What chance does in a match: pairs share their deal, and nothing depends on who else plays."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2p_schotten.arena.batch import play_batch
from p2p_schotten.arena.plan import bot_seed, dealt, first_of, seats_of, shuffler
from p2p_schotten.ids import CardId
from tests.arena.bots import Learns
from tests.arena.plans import FIRST, PLAIN, plan

CARDS = tuple(map(CardId, range(40)))


def test_the_games_of_a_pair_share_deal_and_first_seat_and_swap_seats() -> None:
    for pair in range(4):
        one, two = (dealt(plan(), number) for number in (2 * pair, 2 * pair + 1))
        assert one == two
        assert one.state.turn == first_of(2 * pair) == pair % 2
        assert seats_of((0, 1), 2 * pair) == (0, 1)
        assert seats_of((0, 1), 2 * pair + 1) == (1, 0)


def test_the_games_of_a_pair_share_their_later_shuffles() -> None:
    one, two = shuffler(plan(), 6), shuffler(plan(), 7)
    assert [tuple(one(CARDS)) for _ in range(3)] == [tuple(two(CARDS)) for _ in range(3)]
    assert tuple(shuffler(plan(), 6)(CARDS)) != tuple(shuffler(plan(), 8)(CARDS))


def test_another_pair_another_seed_and_other_rules_bring_other_deals() -> None:
    tables = [dealt(plan(), 0), dealt(plan(), 2), dealt(plan(seed=2), 0), dealt(plan(rules="battle-line-plain"), 0)]
    assert len({table.piles for table in tables}) == len(tables)


def test_who_attacks_in_a_siege_is_the_seat_that_begins() -> None:
    assert [dealt(plan(rules="siege"), number).state.beside.attacker for number in range(4)] == [0, 0, 1, 1]


def test_each_bot_has_a_chance_of_its_own_in_each_game() -> None:
    seeds = {bot_seed(plan(seed=seed), number, side) for seed in (1, 2) for number in range(4) for side in (0, 1)}
    assert len(seeds) == 2 * 4 * 2


def test_two_bots_play_the_same_games_whoever_else_takes_part() -> None:
    alone = play_batch(plan("uniform", "greedy"), range(2))
    among = play_batch(plan(PLAIN, "uniform", "greedy"), range(6))
    theirs = [game for game in among if set(game.game.seats) == {1, 2}]
    assert [game.game.number for game in theirs] == [0, 1, 2, 3]
    assert [game.game.result for game in theirs] == [game.game.result for game in alone]


def test_every_two_bots_meet_pair_by_pair() -> None:
    match = plan("a", "b", "c")
    places = [match.place(number) for number in range(6)]
    assert [place.pairing for place in places] == [(0, 1), (0, 2), (1, 2)] * 2
    assert [place.pair for place in places] == [0, 0, 0, 1, 1, 1]


def test_a_match_may_be_cut_anywhere() -> None:
    whole = play_batch(plan("uniform", "greedy"), range(3))
    assert play_batch(plan("uniform", "greedy"), range(1)) + play_batch(plan("uniform", "greedy"), range(1, 3)) == whole


def test_a_bot_object_plays_all_games_of_its_batch_and_is_then_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Learns] = []

    def find(spec: str, log: Path | None) -> Learns:
        made.append(Learns())
        return made[-1]

    monkeypatch.setattr("p2p_schotten.arena.batch.find_bot", find)
    play_batch(plan(), range(2))
    assert [(bot.games, bot.closed) for bot in made] == [(4, 1), (4, 1)]


def test_a_bot_that_stopped_is_made_anew_for_its_next_game() -> None:
    games = play_batch(plan("tests.arena.bots:Stops,ply=3", FIRST), range(2))
    assert [game.game.result.reason for game in games] == ["forfeit"] * 4
    assert [game.game.seats[game.game.result.winner or 0] for game in games] == [1] * 4
