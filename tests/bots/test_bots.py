"""The built-in bots play legal moves, know only their view, and greedy is worth its name."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p_schotten.bots import BUILT_IN, make_bot
from p2p_schotten.engine.move import Claim, Done, Move, Play
from p2p_schotten.engine.rulesets import BASE
from p2p_schotten.engine.state import Phase
from p2p_schotten.engine.table import Table, deal, play
from p2p_schotten.engine.view import Memory, View, view
from p2p_schotten.errors import Unreadable
from p2p_schotten.ids import SEATS, Seat, StoneId, other
from tests.bots.games import QUICK
from tests.engine.positions import ME, YOU, cards, position, stone


def seen_by(table: Table, seat: Seat) -> View:
    return view(table.state, seat, table.hands[seat], Memory())


def game(names: tuple[str, str], first: Seat, seed: int) -> tuple[list[Move], Table]:
    """A whole game between two bots; which deck and which choices follows from the seed."""
    table = deal(BASE, first, [Random(seed).sample(range(54), 54)])
    bots = [make_bot(name, seed) for name in names]
    moves: list[Move] = []
    while not table.state.over:
        seen = seen_by(table, table.state.to_move)
        moves.append(bots[seen.seat].choose(seen))
        assert moves[-1] in seen.choices()
        table, _ = play(table, moves[-1])
    return moves, table


def test_greedy_beats_uniform_in_at_least_98_of_100_games() -> None:
    won = 0
    for number in range(100):
        # Each deal is played from both seats, each seat begins in half of them.
        seat = SEATS[number % 2]
        names = ("greedy", "uniform") if seat == 0 else ("uniform", "greedy")
        outcome = game(names, SEATS[number // 2 % 2], 1000 + number // 2)[1].state.outcome
        assert outcome is not None
        won += outcome.winner == seat
    assert won >= 98


@pytest.mark.parametrize("name", QUICK)
def test_the_same_seed_plays_the_same_game(name: str) -> None:
    assert game((name, name), ME, 5)[0] == game((name, name), ME, 5)[0]


def test_another_seed_makes_other_choices() -> None:
    start = seen_by(deal(BASE, ME, [range(54)]), ME)
    assert len({make_bot("uniform", seed).choose(start) for seed in range(20)}) > 10


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32), name=st.sampled_from(("uniform", "greedy", "easy")))
def test_a_bot_chooses_the_same_whatever_the_hidden_faces_are(seed: int, name: str) -> None:
    random = Random(seed)
    table = deal(BASE, ME, [random.sample(range(54), 54)])
    bot = make_bot(name, 0)
    while not table.state.over:
        me = table.state.to_move
        hidden = [*table.hands[other(me)], *table.piles[0]]
        random.shuffle(hidden)
        cut = len(table.hands[other(me)])
        theirs, pile = tuple(hidden[:cut]), tuple(hidden[cut:])
        hands = (table.hands[0], theirs) if me == 0 else (theirs, table.hands[1])
        twin = Table(table.state, (pile,), hands)
        move = make_bot(name, seed).choose(seen_by(table, me))
        assert move == make_bot(name, seed).choose(seen_by(twin, me))
        table, _ = play(table, bot.choose(seen_by(table, me)))


def test_greedy_claims_what_it_can() -> None:
    greedy = make_bot("greedy", 0)
    window = position({2: stone("R7 R8 R9"), 5: stone("B7 B8 B9")}, phase=Phase.CLAIM, hands=(5, 6))
    assert greedy.choose(view(window, ME, cards("G1"), Memory())) == Claim(StoneId(2))


def test_greedy_completes_a_colour_run_when_it_holds_the_card() -> None:
    greedy = make_bot("greedy", 0)
    state = position({4: stone("R7 R8"), 6: stone("G2")})
    held = cards("R9 B1 Y3 P5 N4 Y6")
    assert greedy.choose(view(state, ME, held, Memory())) == Play(BASE.card("R9"), StoneId(4))


def test_uniform_takes_every_legal_move_about_equally_often() -> None:
    uniform = make_bot("uniform", 3)
    state = position({2: stone("R7 R8 R9"), 5: stone("B7 B8 B9")}, phase=Phase.CLAIM, hands=(5, 6))
    chosen = [uniform.choose(view(state, ME, (), Memory())) for _ in range(3000)]
    # Each of three with chance 1/3: 1000 +- 26, so 150 is almost six standard deviations.
    assert all(abs(chosen.count(move) - 1000) < 150 for move in (Claim(StoneId(2)), Claim(StoneId(5)), Done()))


def test_a_seat_that_is_not_to_move_has_no_choices() -> None:
    table = deal(BASE, ME, [range(54)])
    assert len(seen_by(table, ME).choices()) == 54
    assert seen_by(table, YOU).choices() == ()


def test_an_unknown_bot_is_unreadable_and_the_known_names_are_told() -> None:
    with pytest.raises(Unreadable, match="known are uniform, greedy"):
        make_bot("deep", 1)
    assert [make_bot(name, 0).name for name in BUILT_IN] == list(BUILT_IN)
