"""A Battle Line mud that leaves a flag with four cards on a side (A19, A37)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import pytest

from p2p_schotten.engine.move import Claim, Desert, Discard, Done, Play, PublicMove, Redeploy, Resign
from p2p_schotten.engine.rules import apply, legal_moves
from p2p_schotten.engine.rulesets import BATTLE_LINE
from p2p_schotten.engine.state import Phase, State, Stone
from p2p_schotten.engine.step import Discarded, Ended, HandToOpen, Moved, Outcome, Reason, Used
from p2p_schotten.ids import CardId, StoneId
from tests.engine.positions import ME, YOU, cards, position, refusal, stone

at = partial(stone, rules=BATTLE_LINE)
ONE, TWO, SIX = StoneId(0), StoneId(1), StoneId(5)
MUD, FOG, RED, DES = cards("MUD FOG RED DES", BATTLE_LINE)
UNDONE = "what was begun must be done first"


def nth(text: str) -> CardId:
    return BATTLE_LINE.card(text)


def of(text: str) -> tuple[CardId, ...]:
    return cards(text, BATTLE_LINE)


def ready(row: Mapping[int, Stone]) -> State:
    """ME holds five troops and two tactic cards; nothing is left to draw."""
    return position(row, rules=BATTLE_LINE, hands=((5, 2), (5, 2)), pile=0)


MINE, THEIRS = "R5 R6 R7 R8", "G5 G6 G7 G8"
BOTH = {0: at(MINE, THEIRS, order="R6 G6 R7 G7 R8 G8 R5 G5", modes=("MUD", ""))}


def test_a37_the_mover_discards_first_then_the_other_both_before_claims() -> None:
    step = apply(ready(BOTH), Redeploy(RED, MUD, SIX))
    assert step.transfers == (HandToOpen(ME, RED),)
    assert step.events == (Used(ME, RED), Moved(ME, MUD, ONE, SIX))
    state = step.state
    assert (state.turn, state.to_move, state.phase, state.beside.crowded) == (ME, ME, Phase.CLEAR, ONE)
    assert state.claimable == ()
    assert legal_moves(state, (nth("B1"),)) == tuple(Discard(card) for card in of(MINE))
    step = apply(state, Discard(nth("R5")))
    assert step.transfers == ()
    assert step.events == (Discarded(ME, of("R5"), ONE),)
    state = step.state
    assert (state.turn, state.to_move, state.phase, state.claimable) == (ME, YOU, Phase.CLEAR, ())
    assert legal_moves(state, (nth("B1"),)) == tuple(Discard(card) for card in of(THEIRS))
    step = apply(state, Discard(nth("G5")))
    assert step.events == (Discarded(YOU, of("G5"), ONE),)
    after = step.state
    # R6 R7 R8 were complete before G6 G7 G8: the mover's claim window is open.
    assert (after.to_move, after.phase, after.claimable, after.beside.crowded) == (ME, Phase.CLAIM, (0,), None)
    assert after.stones[0].arrived == of("R6 G6 R7 G7 R8 G8")
    assert after.beside.discard == of("RED R5 G5")
    assert [after.stones[0].sides[seat].terms.size for seat in (ME, YOU)] == [3, 3]
    assert (after.places[ME] & 1, after.places[YOU] & 1) == (0, 0)
    assert after.stones[5].sides[ME].terms.size == 4


def test_a19_the_latest_of_the_cards_that_stay_decides_who_was_first() -> None:
    row = {0: at(MINE, THEIRS, order="R5 G6 R6 G7 R7 G8 R8 G5", modes=("MUD", ""))}
    state = apply(ready(row), Redeploy(RED, MUD, SIX)).state
    state = apply(apply(state, Discard(nth("R5"))).state, Discard(nth("G5"))).state
    # G6 G7 G8 lay there before R8 came.
    assert (state.to_move, state.stones[0].first_complete(YOU)) == (YOU, True)
    assert apply(state, Play(nth("B1"), TWO)).state.claimable == (0,)


def test_a19_the_owner_chooses_which_card_goes() -> None:
    state = apply(ready(BOTH), Redeploy(RED, MUD, None)).state
    for text in MINE.split():
        after = apply(state, Discard(nth(text))).state
        assert after.stones[0].sides[ME].cards == tuple(card for card in of(MINE) if card != nth(text))


def test_after_a_deserter_took_the_mud_the_mover_is_asked_first_too() -> None:
    row = {0: at(MINE, THEIRS, modes=("", "MUD"))}
    step = apply(ready(row), Desert(DES, MUD))
    assert step.events == (Used(ME, DES), Discarded(YOU, (MUD,), ONE))
    assert (step.state.to_move, step.state.phase) == (ME, Phase.CLEAR)
    state = apply(step.state, Discard(nth("R8"))).state
    assert (state.to_move, state.phase) == (YOU, Phase.CLEAR)
    assert apply(state, Discard(nth("G8"))).state.beside.discard == of("DES MUD R8 G8")


def test_only_the_side_with_four_cards_is_asked() -> None:
    row = {0: at("R5 R6 R7", THEIRS, modes=("MUD", ""))}
    step = apply(ready(row), Redeploy(RED, MUD, None))
    assert step.events == (Used(ME, RED), Discarded(ME, (MUD,), ONE))
    assert (step.state.turn, step.state.to_move, step.state.phase) == (ME, YOU, Phase.CLEAR)
    assert legal_moves(step.state, ()) == tuple(Discard(card) for card in of(THEIRS))
    after = apply(step.state, Discard(nth("G8"))).state
    assert (after.to_move, after.phase, after.claimable) == (ME, Phase.CLAIM, (0,))
    other = apply(ready({0: at(MINE, "G5 G6", modes=("MUD", ""))}), Redeploy(RED, MUD, None)).state
    after = apply(other, Discard(nth("R8"))).state
    assert (after.phase, after.places[YOU] & 1, after.places[ME] & 1) == (Phase.CLAIM, 1, 0)


def test_without_four_cards_nobody_is_asked() -> None:
    row = {0: at("R5 R6 R7", "G1", modes=("MUD", "FOG"))}
    step = apply(ready(row), Redeploy(RED, MUD, None))
    assert (step.state.to_move, step.state.phase) == (YOU, Phase.PLAY)  # 18 is not safe from two tens
    assert step.state.stones[0].ground.modes == ((YOU, FOG),)
    assert step.state.stones[0].sides[ME].full


def test_a_fog_that_leaves_a_muddy_flag_asks_nobody() -> None:
    row = {0: at(MINE, THEIRS, modes=("MUD FOG", ""), order=f"{MINE} {THEIRS}")}
    step = apply(ready(row), Redeploy(RED, FOG, None))
    assert (step.state.to_move, step.state.phase, step.state.claimable) == (ME, Phase.CLAIM, (0,))
    assert step.state.stones[0].sides[ME].cards == of(MINE)


@pytest.mark.parametrize(
    ("move", "why"),
    [
        (Discard(nth("G5")), "G5 is no card of this side of stone 1"),
        (Discard(nth("B1")), "B1 is no card of this side of stone 1"),
        (Discard(MUD), "MUD is no card of this side of stone 1"),
        (Discard(CardId(-1)), "that is no card of this side of stone 1"),
        (Discard(CardId(2**70)), "that is no card of this side of stone 1"),
        (Play(nth("B1"), TWO), UNDONE),
        (Desert(DES, nth("G5")), UNDONE),
        (Claim(ONE), UNDONE),
        (Done(), UNDONE),
    ],
)
def test_while_a_side_has_a_card_too_many_only_one_of_its_cards_is_taken(move: PublicMove, why: str) -> None:
    assert refusal(apply(ready(BOTH), Redeploy(RED, MUD, SIX)).state, move) == why


def test_the_other_seat_discards_none_of_the_mover_and_may_resign() -> None:
    state = apply(ready(BOTH), Redeploy(RED, MUD, SIX)).state
    state = apply(state, Discard(nth("R5"))).state
    assert refusal(state, Discard(nth("R6"))) == "R6 is no card of this side of stone 1"
    assert apply(state, Resign()).events == (Ended(Outcome(ME, Reason.RESIGNED, (5, 0))),)


def test_nothing_is_discarded_when_no_side_has_a_card_too_many() -> None:
    assert refusal(ready(BOTH), Discard(nth("R5"))) == "no side has a card too many"
