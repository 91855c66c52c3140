"""The other's last play tells what he did not hold; the hand that he really has always fits when he is greedy."""

from __future__ import annotations

from random import Random

import pytest

from p2p_schotten.bots import make_bot
from p2p_schotten.bots.clues import Clue, Watch, fits, likely_world
from p2p_schotten.engine.move import Play
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import BASE, SIEGE
from p2p_schotten.engine.table import play
from p2p_schotten.engine.view import NO_MEMORY, view
from p2p_schotten.ids import StoneId
from tests.bots.games import dealt, seen_by
from tests.engine.positions import ME, YOU, cards, position, stone

# YOU holds R8 R9 at stone 3 and has just played N1 at stone 9: with R7 in the hand he would have completed the run.
BEFORE = position({2: stone("", "R8 R9")}, to_move=YOU, pile=40)
CLUE = Clue(BEFORE, Play(BASE.card("N1"), StoneId(8)))


def test_who_did_not_play_the_card_that_completes_his_run_did_not_hold_it() -> None:
    assert not fits(CLUE, cards("R7 B1 G2 Y1 P2 N2"), None)
    clue = Clue(BEFORE, Play(BASE.card("R7"), StoneId(2)))
    assert fits(clue, cards("N1 B1 G2 Y1 P2 N2"), None)


def test_the_card_that_he_has_drawn_since_may_be_any() -> None:
    clue = Clue(BEFORE, Play(BASE.card("R7"), StoneId(2)))
    assert all(fits(clue, cards(f"N1 B1 G2 Y1 P2 {drawn}"), None) for drawn in ("R6", "N2", "G9", "B2"))


@pytest.mark.parametrize("rules", [BASE, SIEGE], ids=["base", "siege"])
def test_the_true_hand_of_greedy_fits_as_his_cards_lie_in_the_order_in_which_they_came(rules: Ruleset) -> None:
    random, watch = Random(2), Watch()
    table, bots = dealt(rules, ME, 2), (make_bot("uniform", 1), make_bot("greedy", 2))
    looked = 0
    while not table.state.over:
        mover = table.state.to_move
        if mover == ME and watch.clue is not None:
            looked += 1
            assert fits(watch.clue, table.hands[YOU], None)
        table, events = play(
            table, bots[mover].choose(seen_by(table, mover)), lambda pile: random.sample(pile, len(pile))
        )
        for event in events:
            watch.see(seen_by(table, ME), event)
    assert looked > 10


def test_worlds_that_fit_come_more_often_the_longer_they_are_looked_for() -> None:
    state = position({2: stone("", "R8 R9"), 8: stone("", "N1")}, pile=39)
    seen = view(state, ME, cards("G5 G6 B8 Y9 P5 N6"), NO_MEMORY)
    random = Random(3)

    def fitting(tries: int) -> int:
        worlds = [likely_world(seen, CLUE, None, random, tries) for _ in range(100)]
        return sum(fits(CLUE, made.hands[YOU], None) for made in worlds)

    once = fitting(1)
    assert 0 < once < 50
    assert fitting(20) > 2 * once
    assert len({likely_world(seen, CLUE, None, random, 4).hands[YOU] for _ in range(20)}) == 20
