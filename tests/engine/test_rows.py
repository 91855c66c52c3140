"""The base rows of rules 7.1, each under its id."""

from __future__ import annotations

import pytest

from p2p_schotten.engine.move import Claim, Done, Pass, Play
from p2p_schotten.engine.rules import apply, legal_moves
from p2p_schotten.engine.rulesets import BASE
from p2p_schotten.engine.state import Phase, Stone
from p2p_schotten.engine.step import (
    Awarded,
    Claimed,
    Drew,
    Ended,
    HandToOpen,
    Outcome,
    PileToHand,
    Played,
    Reason,
    Skipped,
)
from p2p_schotten.errors import IllegalMove
from p2p_schotten.ids import SEATS, DeckId, Seat, StoneId, other
from tests.engine import oracle
from tests.engine.positions import ME, YOU, cards, owned, position, stone

ALL_BUT_P9 = " ".join(card for card in oracle.deck() if card not in ("R1", "B1", "G2", "Y9", "P9"))

# id, claimant's side, opponent's side, other visible cards, who was complete first, may the claimant claim
ROWS = [
    ("P01", "G5 R5 B5", "G7 P4 B3", "", ME, True),
    ("P02", "R1 R2 R3", "R9 B9 G9", "", ME, True),
    ("P03", "R7 R8 R9", "B7 B8 B9", "", YOU, False),
    ("P04", "R7 R8 R9", "B7 B8 B9", "", ME, True),
    ("P05", "G1 G3 G5", "R7 B8 Y9", "", ME, True),
    ("P06", "R1 B2 G9", "Y9 P7 N6", "", ME, False),
    ("P07", "R4 B5 G6", "Y4 P5 N6", "", YOU, False),
    ("P08", "R1 R4 R9", "B2 B4 B9", "", ME, False),
    ("P09", "R1 R2 R3", "B1 B2", "B3", ME, True),
    ("P11", "R1 R2 R3", "B2 B3", "B4", ME, True),
    ("P12", "R1 R2 R3", "B2 B3", "", ME, False),
    ("P14", "R7 R8 R9", "", "", ME, True),
    ("P15", "R6 R7 R8", "", "G9 B9 Y9 P9 N9", ME, True),
    ("P18", "R9 B9 G9", "", "", ME, False),
    ("P19", "R8 B8 G8", "R9 B9", "", ME, False),
    ("P21", "N9 Y8 P8", "G1 B5", "", ME, True),
    ("P22", "N9 Y8 P8", "G1 B3", "", ME, False),
    ("P24", "N9 Y8 P8", "G1 B3", "R2 G2 B2 Y2 P2 N2", ME, True),
    ("P25", "R2 R5 R9", "B4 B6", "", ME, False),
    ("P27", "R2 R5 R9", "B4 B6", "B5 B7 B9", ME, False),
    ("P28", "R7 B8 G9", "R9", "", ME, False),
    ("P29", "R9 B6", "G1 Y4", "", ME, False),
    ("P30", "R1 B1 G2", "Y9", ALL_BUT_P9, ME, True),
    ("P46", "R7 N8 B9", "B1 B5 B4", "", ME, False),
    ("P47", "R5 G5 Y5", "Y7 G7", "", ME, False),
]


@pytest.mark.parametrize(
    ("mine", "theirs", "visible", "first", "legal"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
@pytest.mark.parametrize("seat", SEATS)
def test_row(mine: str, theirs: str, visible: str, first: Seat, legal: bool, seat: Seat) -> None:
    here = stone(mine, theirs, first=first) if seat == ME else stone(theirs, mine, first=other(first))
    state = position({3: here}, seen=visible, phase=Phase.CLAIM, to_move=seat)
    assert (Claim(StoneId(3)) in legal_moves(state, ())) is legal
    if legal:
        assert apply(state, Claim(StoneId(3))).state.stones[3].owner == seat
    else:
        with pytest.raises(IllegalMove):
            apply(state, Claim(StoneId(3)))


def test_p03_the_opponent_who_was_first_may_claim_on_his_turn() -> None:
    here = stone("R7 R8 R9", "B7 B8 B9", first=YOU)
    assert position({3: here}, phase=Phase.CLAIM, to_move=YOU).claimable == (3,)


def test_p13_a_card_in_the_own_hand_is_no_evidence() -> None:
    state = position({3: stone("R1 R2 R3", "B2 B3")}, phase=Phase.CLAIM)
    assert Claim(StoneId(3)) not in legal_moves(state, cards("B4"))
    with pytest.raises(IllegalMove, match="colour run 9 with B4"):
        apply(state, Claim(StoneId(3)))


def test_p46_a30_the_colour_may_be_claimed_against_the_run() -> None:
    here = stone("R7 N8 B9", "B1 B5 B4", first=ME)
    assert position({3: here}, phase=Phase.CLAIM, to_move=YOU).claimable == (3,)


def test_p32_after_the_draw_the_window_is_closed() -> None:
    state = position({0: stone("R7 R8 R9"), 1: stone("B1")}, phase=Phase.CLAIM, hands=(5, 6))
    step = apply(state, Done())
    assert Drew(ME, DeckId(0)) in step.events
    assert step.state.to_move == YOU
    with pytest.raises(IllegalMove, match="after laying a card"):
        apply(step.state, Claim(StoneId(0)))


def test_p33_nothing_is_claimed_before_the_play() -> None:
    state = position({0: stone("R7 R8 R9")})
    with pytest.raises(IllegalMove, match="after laying a card"):
        apply(state, Claim(StoneId(0)))


def test_p34_two_stones_are_claimed_in_one_turn_neither_of_them_just_played_on() -> None:
    state = position({0: stone("R7 R8 R9"), 4: stone("B7 B8 B9")})
    window = apply(state, Play(BASE.card("G1"), StoneId(8))).state
    assert window.claimable == (0, 4)
    one = apply(window, Claim(StoneId(4))).state
    assert (one.to_move, one.claimable) == (ME, (0,))
    step = apply(one, Claim(StoneId(0)))
    assert [each.owner for each in step.state.stones] == [ME, None, None, None, ME, None, None, None, None]
    # The window is empty: it closes by itself.
    assert step.events == (Claimed(ME, StoneId(0)), Drew(ME, DeckId(0)))
    assert step.state.to_move == YOU


def test_p35_the_game_stops_at_the_claim_that_wins() -> None:
    state = position(owned([3, 4], [], {5: stone("R7 R8 R9"), 8: stone("B7 B8 B9")}), phase=Phase.CLAIM, hands=(5, 6))
    step = apply(state, Claim(StoneId(5)))
    end = Outcome(ME, Reason.ADJACENT, (5, 0))
    assert step.events == (Claimed(ME, StoneId(5)), Ended(end))
    assert (step.state.outcome, step.state.phase, step.state.claimable, step.transfers) == (end, Phase.OVER, (), ())
    with pytest.raises(IllegalMove, match="the game is over"):
        apply(step.state, Claim(StoneId(8)))


@pytest.mark.parametrize(
    ("mine", "theirs", "claimed", "end"),
    [
        pytest.param([0, 1, 3], [], 4, None, id="P36"),
        pytest.param([0, 2, 4, 6], [1], 8, Outcome(ME, Reason.FIVE, (5, 1)), id="P37"),
        pytest.param([0], [2], 1, None, id="P38"),
        pytest.param([0, 2], [5, 7, 8], 1, Outcome(ME, Reason.ADJACENT, (5, 3)), id="middle of three"),
        pytest.param([6, 7], [], 8, Outcome(ME, Reason.ADJACENT, (5, 0)), id="right edge"),
    ],
)
def test_patterns_of_stones(mine: list[int], theirs: list[int], claimed: int, end: Outcome | None) -> None:
    state = position(owned(mine, theirs, {claimed: stone("R7 R8 R9")}), phase=Phase.CLAIM, hands=(5, 6))
    assert apply(state, Claim(StoneId(claimed))).state.outcome == end


def test_a_pattern_counts_for_the_other_seat_too() -> None:
    row = owned([0, 8], [2, 3], {4: stone("", "R7 R8 R9")})
    state = position(row, phase=Phase.CLAIM, hands=(6, 5), to_move=YOU)
    assert apply(state, Claim(StoneId(4))).state.outcome == Outcome(YOU, Reason.ADJACENT, (2, 5))


def test_p39_a_fourth_card_is_refused() -> None:
    state = position({2: stone("R1 G5 B9")})
    with pytest.raises(IllegalMove, match="has its 3 cards already"):
        apply(state, Play(BASE.card("N9"), StoneId(2)))


def test_p40_a_claimed_stone_takes_no_card_from_either_seat() -> None:
    for seat in SEATS:
        state = position({2: stone("R1", "G1 G2 G3", owner=YOU)}, to_move=seat)
        with pytest.raises(IllegalMove, match="is claimed"):
            apply(state, Play(BASE.card("N9"), StoneId(2)))
        assert Play(BASE.card("N9"), StoneId(2)) not in legal_moves(state, cards("N9"))


def test_p41_with_an_empty_deck_play_goes_on_without_a_draw() -> None:
    card = BASE.card("N9")
    step = apply(position({}, pile=0, hands=(4, 5)), Play(card, StoneId(2)))
    assert step.transfers == (HandToOpen(ME, card),)
    assert step.events == (Played(ME, card, StoneId(2)),)
    assert (step.state.to_move, step.state.hands, step.state.piles) == (YOU, ((3,), (5,)), (0,))


def test_p42_passing_with_a_free_place_is_refused() -> None:
    with pytest.raises(IllegalMove, match="passing is not allowed"):
        apply(position({}), Pass())
    with pytest.raises(IllegalMove, match="a card must be laid first"):
        apply(position({}), Done())


def full_for_me(claimable: bool) -> dict[int, Stone]:
    """ME is full everywhere (four stones are claimed); at stone 0 ME wins if `claimable`, YOU has room everywhere."""
    best, weak = stone("R7 R8 R9"), stone("R1 G3 Y9")
    rest = {1: stone("B1 P3 N9"), 4: stone("P1 B3 G9"), 7: stone("N1 Y3 P9"), 8: stone("Y1 N3 B9")}
    return owned([2, 5], [3, 6], {0: best if claimable else weak, **rest})


def test_p43_a7_without_a_free_place_the_play_is_skipped_but_stones_may_be_claimed() -> None:
    before = position(full_for_me(True), to_move=YOU, hands=(6, 6), pile=9)
    step = apply(before, Play(BASE.card("N8"), StoneId(8)))
    window = step.state
    assert (window.to_move, window.phase, window.acted, window.claimable) == (ME, Phase.CLAIM, False, (0,))
    assert step.events == (Played(YOU, BASE.card("N8"), StoneId(8)), Drew(YOU, DeckId(0)))
    with pytest.raises(IllegalMove, match="this seat can lay no card"):
        apply(window, Play(BASE.card("N7"), StoneId(8)))
    after = apply(window, Claim(StoneId(0)))
    # The hand is full, so nothing is drawn.
    assert after.events == (Claimed(ME, StoneId(0)), Skipped(ME))
    assert after.transfers == ()
    assert (after.state.to_move, after.state.phase, after.state.skips) == (YOU, Phase.PLAY, 0)


def test_a7_without_a_place_and_without_a_claim_the_seat_is_skipped_by_itself() -> None:
    before = position(full_for_me(False), to_move=YOU, hands=(6, 6), pile=9)
    step = apply(before, Play(BASE.card("N8"), StoneId(8)))
    assert step.events == (Played(YOU, BASE.card("N8"), StoneId(8)), Drew(YOU, DeckId(0)), Skipped(ME))
    assert (step.state.to_move, step.state.phase, step.state.skips, step.state.ply) == (YOU, Phase.PLAY, 1, 2)
    assert step.transfers[-1] == PileToHand(DeckId(0), YOU)


def test_p49_with_an_empty_hand_a_claim_is_legal_and_then_the_seat_is_skipped() -> None:
    row = {0: stone("R7 R8 R9"), 5: stone("G1")}
    before = position(row, to_move=YOU, hands=(0, 2), pile=0)
    window = apply(before, Play(BASE.card("N8"), StoneId(8))).state
    assert legal_moves(window, ()) == (Claim(StoneId(0)), Done())
    step = apply(window, Claim(StoneId(0)))
    assert step.events == (Claimed(ME, StoneId(0)), Skipped(ME))
    assert step.state.to_move == YOU


def test_a_claim_that_is_not_made_is_offered_again_at_the_next_turn() -> None:
    row = {0: stone("R7 R8 R9"), 5: stone("G1")}
    window = position(row, phase=Phase.CLAIM, hands=(5, 5), pile=9)
    state = apply(window, Done()).state
    state = apply(state, Play(BASE.card("N8"), StoneId(8))).state
    state = apply(state, Play(BASE.card("N7"), StoneId(8))).state
    assert state.claimable == (0,)


def test_p50_a8_both_skipped_and_nothing_claimed_ends_the_game() -> None:
    row = {0: stone("R7 R8 R9"), 1: stone("G1 B5 Y9", "P1 N5 B9", first=YOU), 5: stone("G2")}
    before = position(row, to_move=YOU, hands=(0, 1), pile=0)
    offered = apply(before, Play(BASE.card("N8"), StoneId(8))).state
    window = apply(offered, Done()).state  # YOU could claim stone 2
    assert (window.to_move, window.claimable) == (ME, (0,))
    # ME declines its claim; then YOU, now with an empty hand, may still claim stone 2, and declines again.
    step = apply(window, Done())
    assert step.events == (Skipped(ME),)
    assert (step.state.to_move, step.state.claimable, step.state.skips) == (YOU, (1,), 2)
    step = apply(step.state, Done())
    end = Outcome(None, Reason.STUCK, (1, 1))
    assert step.events == (Skipped(YOU), Awarded(ME, StoneId(0)), Awarded(YOU, StoneId(1)), Ended(end))
    assert step.state.outcome == end


def test_p45_a_card_on_the_table_never_moves() -> None:
    state = position({2: stone("R1")})
    with pytest.raises(IllegalMove, match="R1 lies open already"):
        apply(state, Play(BASE.card("R1"), StoneId(3)))


def test_a27_a_wrong_claim_is_refused_and_costs_nothing() -> None:
    state = position({0: stone("R7 R8 R9"), 1: stone("R1 R2 R3", "B2 B3")}, phase=Phase.CLAIM, hands=(5, 6))
    kept = state._replace()
    with pytest.raises(IllegalMove, match="the other side may still make") as refused:
        apply(state, Claim(StoneId(1)))
    assert refused.value.move == Claim(StoneId(1))
    assert state == kept
    assert apply(state, Claim(StoneId(0))).state.to_move == YOU
