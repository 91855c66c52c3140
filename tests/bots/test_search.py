"""The search bot plays every game from its view alone, the same way for the same seed, and sees what lies ahead."""

from __future__ import annotations

from random import Random
from time import thread_time

import pytest

from p2p_schotten.bots import make_bot
from p2p_schotten.bots.search import line, promising
from p2p_schotten.bots.worlds import world
from p2p_schotten.bots.worth import Pool
from p2p_schotten.engine.move import Claim, Play, Return
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import BASE, RULESETS, TACTIC
from p2p_schotten.engine.state import Beside, Phase, State
from p2p_schotten.engine.table import Table
from p2p_schotten.engine.view import NO_MEMORY, View, view
from p2p_schotten.errors import Unreadable
from p2p_schotten.ids import StoneId, other
from tests.bots.games import course_of, dealt, seen_by
from tests.engine.positions import ME, YOU, cards, position, stone

SHORT = "search,iterations=8,width=4"


def seen(state: State, hand: str) -> View:
    return view(state, state.to_move, cards(hand, state.rules), NO_MEMORY)


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_it_plays_every_ruleset_and_the_same_way_whatever_the_hidden_faces_are(rules: Ruleset) -> None:
    random = Random(7)
    for number, table in enumerate(course_of(dealt(rules, ME, 11), ("uniform", "uniform"), 11)):
        if number % 24 == 0 and not table.state.over:
            me = table.state.to_move
            made = world(seen_by(table, me), random)
            twin = Table(table.state, made.piles, made.hands, made.named, table.memories)
            move = make_bot(SHORT, number).choose(seen_by(table, me))
            assert move in seen_by(table, me).choices()
            assert move == make_bot(SHORT, number).choose(seen_by(twin, me))
            assert twin.hands[other(me)] != table.hands[other(me)] or len(table.piles[0]) < 20


def test_a_claim_is_never_missed() -> None:
    window = position({2: stone("R7 R8 R9")}, phase=Phase.CLAIM, hands=(5, 6))
    assert make_bot(SHORT, 0).choose(seen(window, "G1")) == Claim(StoneId(2))


def test_it_completes_the_side_that_wins_the_game() -> None:
    # R9 makes the third stone in a row, Y9 a colour run of no use; greedy likes both alike. The other needs N7 or N4.
    row = {
        0: stone("B7 B8 B9", owner=ME),
        1: stone("G7 G8 G9", owner=ME),
        2: stone("R7 R8"),
        5: stone("Y7 Y8"),
        6: stone("", "P7 P8 P9", owner=YOU),
        7: stone("", "N5 N6"),
        8: stone("", "P4 P5 P6", owner=YOU),
    }
    state = position(row, hands=(6, 6), pile=20)
    held = "R9 Y9 B1 N1 G2 N2"
    chosen = {make_bot("search,iterations=48", seed).choose(seen(state, held)) for seed in range(6)}
    assert chosen == {Play(BASE.card("R9"), StoneId(2))}


def test_what_greedy_would_play_is_always_tried() -> None:
    table = dealt(BASE, ME, 4)
    view = seen_by(table, ME)
    tried = promising(view, view.choices(), 5, Random(1))
    assert len(tried) == len(set(tried)) == 5
    assert set(promising(view, view.choices(), 1, Random(1))) == set(tried[:1])


def test_a_line_that_ends_the_game_is_worth_its_outcome() -> None:
    row = {0: stone("B7 B8 B9", owner=ME), 1: stone("G7 G8 G9", owner=ME), 2: stone("R7 R8")}
    lying = sum(1 << card for each in row.values() for card in each.arrived)
    hidden = [card for card in range(54) if not lying >> card & 1 and card != BASE.card("R9")]
    mine, theirs, pile = (BASE.card("R9"), *hidden[:5]), tuple(hidden[5:11]), tuple(hidden[11:])
    state = position(row)._replace(piles=(len(pile),))
    table = Table(state, (pile,), (mine, theirs))  # type: ignore[arg-type]  # numbers of cards
    wins = Play(BASE.card("R9"), StoneId(2))
    assert line(table, wins, ME, 4, Random(0), Pool(state.unseen, {})) == 1.0
    assert line(table, wins, YOU, 4, Random(0), Pool(state.unseen, {})) == 0.0


def test_a_budget_of_time_is_kept_to() -> None:
    view = seen_by(dealt(BASE, ME, 4), ME)
    make_bot(SHORT, 0).choose(view)  # the caches are warm
    began = thread_time()
    make_bot("search,seconds=0.1", 0).choose(view)
    assert 0.1 <= thread_time() - began < 1.0  # one round of lines more, on a slow machine


def test_the_same_seed_plays_the_same_game() -> None:
    def game() -> list[Table]:
        return list(course_of(dealt(BASE, ME, 6), ("search,iterations=4,width=4", "uniform"), 6))

    assert game() == game()


@pytest.mark.parametrize(
    "option", ["iterations=0", "iterations=a", "seconds=-1", "seconds=nan", "width=0", "width=2.5", "turns=101"]
)
def test_a_number_that_makes_no_sense_is_refused(option: str) -> None:
    with pytest.raises(
        Unreadable, match=rf"^search cannot be made so: {option.split('=')[0]} is a (whole )?number from "
    ):
        make_bot(f"search,{option}", 0)


def test_iterations_count_where_seconds_are_asked_for_too() -> None:
    view = seen_by(dealt(BASE, ME, 4), ME)
    assert make_bot("hard,iterations=8", 1).choose(view) == make_bot("search,iterations=8", 1).choose(view)
    began = thread_time()
    make_bot("search,seconds=3000,iterations=8", 1).choose(view)
    assert thread_time() - began < 60


def test_of_many_returns_the_one_that_is_missed_most_is_not_tried() -> None:
    # R7 R8 wait for R9: of eleven cards it is missed most, so it is one of the two that are left out.
    state = position(
        {4: stone("R7 R8")},
        rules=TACTIC,
        phase=Phase.RETURN,
        hands=((11, 0), (7, 0)),
        pile=(20, 6),
        acted=True,
        beside=Beside(tactics=(1, 0), left=2),
    )
    view = seen(state, "R9 R6 G1 B1 Y1 P1 N1 G2 B2 Y2 P2")
    tried = promising(view, view.choices(), 9, Random(0))
    left_out = {move.card for move in view.choices() if isinstance(move, Return)} - {
        move.card for move in tried if isinstance(move, Return)
    }
    assert len(left_out) == 2
    assert TACTIC.card("R9") in left_out
