"""The positions S of docs/rulings.md: tiles and their control, retreat, and oil."""

from __future__ import annotations

from functools import partial

import pytest

from p2p_schotten.engine.flags import flagged
from p2p_schotten.engine.move import Claim, Done, Draw, Oil, Pass, Play, Retreat
from p2p_schotten.engine.rules import apply, legal_moves
from p2p_schotten.engine.ruleset import Contest
from p2p_schotten.engine.rulesets import SIEGE
from p2p_schotten.engine.state import Beside, Phase, Stone
from p2p_schotten.engine.step import (
    Controlled,
    Discarded,
    Drew,
    Ended,
    Outcome,
    Played,
    Poured,
    Reason,
    Retreated,
    Skipped,
)
from p2p_schotten.ids import SEATS, CardId, DeckId, Seat, StoneId
from tests.engine.positions import ME, YOU, cards, position, refusal, stone

at = partial(stone, rules=SIEGE)
here = partial(position, rules=SIEGE)  # ME attacks
WAR = DeckId(0)
LEFT_PIT, TOWER, WALL, GATE, RIGHT_WALL, RIGHT_TOWER, RIGHT_PIT = map(StoneId, range(7))
BONUS = flagged(SIEGE, {"st2_colour_run_bonus": "on"})


def nth(text: str) -> CardId:
    return SIEGE.card(text)


def full(*but: int, theirs: bool = True) -> dict[int, Stone]:
    """Sides that are full (of YOU, or of ME) at all tiles but these; the other sides are empty."""
    texts = ["R1 G1 B2", "R2 G2 B3 Y3", "R3 G3 B4", "R4 G5", "R5 G4 B5", "R6 G6 B7 Y7", "R7 G7 B6"]
    return {number: at("", text) if theirs else at(text, "") for number, text in enumerate(texts) if number not in but}


# Tiles and control

ROWS = [  # id, tile, damaged, the attacker's side, the defender's side, who was complete first, may he control it
    ("S01", GATE, False, "B10 B11", "", ME, True),
    ("S02", GATE, False, "R10 R11", "B10 B11", YOU, False),
    ("S03", GATE, False, "B9 B10", "", ME, False),
    ("S04", GATE, False, "R11 B11", "G3", ME, False),
    ("S06", GATE, True, "R0 B0 R1 B1", "", ME, False),
    ("S08", GATE, True, "R2 R3 R4 R5", "B0 G1 Y3 P9", ME, False),
    ("S09", RIGHT_PIT, False, "R1 R2 R3", "B2 G2 Y2", ME, True),
    ("S09 second", RIGHT_PIT, False, "R1 R2 R3", "B2 G2 Y2", YOU, False),
    ("S10", RIGHT_PIT, False, "R0 B0 G0", "", ME, True),
    ("S11", RIGHT_PIT, False, "R0 B0 G1", "Y0", ME, False),
    ("S13", LEFT_PIT, False, "R1 R2 R3", "B11 G9 Y0", ME, False),
    ("S14", LEFT_PIT, False, "R11 B11 G10", "Y11", ME, False),
    ("S16", TOWER, True, "R1 B1", "R10 R11", YOU, True),
    ("S16 right", RIGHT_TOWER, True, "R1 B1", "R10 R11", YOU, True),
    ("S17", TOWER, True, "R10 R11", "B9 G8", YOU, True),
    ("S18", TOWER, True, "R10 R11", "B11", ME, False),
    ("S20", WALL, True, "R1 R2 R4", "B11 G11 Y11", YOU, True),
    ("S20 right", RIGHT_WALL, True, "R1 R2 R4", "B11 G11 Y11", YOU, True),
    ("S21", WALL, True, "R1 R2 R3", "B2 B9 B11", ME, False),
    ("S23", LEFT_PIT, True, "R3 B4 G5", "R9 B9 G9", YOU, True),
    ("S23 right", RIGHT_PIT, True, "R3 B4 G5", "R9 B9 G9", YOU, True),
    ("S24", LEFT_PIT, True, "R3 R4 R5", "B9 G10 Y11", ME, False),
    ("S25", TOWER, False, "R8 R9 R10 R11", "", ME, True),
    ("S26", TOWER, False, "R11 B11 G11 Y11", "", ME, False),
    ("S27", WALL, False, "G9 G10 G11", "", ME, True),
    ("S28", WALL, False, "R11 B11 G11", "Y9 Y10", ME, False),
]


@pytest.mark.parametrize(
    ("tile", "damaged", "mine", "theirs", "first", "legal"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
@pytest.mark.parametrize("phase", [Phase.PLAY, Phase.CLAIM])
def test_control(tile: StoneId, damaged: bool, mine: str, theirs: str, first: Seat, legal: bool, phase: Phase) -> None:
    state = here({tile: at(mine, theirs, first=first, damaged=damaged)}, phase=phase, hands=(5, 6))
    assert (Claim(tile) in legal_moves(state, ())) is legal
    if legal:
        assert Controlled(ME, tile) in apply(state, Claim(tile)).events
    else:
        refusal(state, Claim(tile))


@pytest.mark.parametrize(
    ("tile", "mine", "theirs"), [(WALL, "R1 R2 R3", "B2 B9 B11"), (LEFT_PIT, "R3 R4 R5", "B9 G10 Y11")]
)
def test_s21_s24_a20_a_colour_run_has_no_bonus_unless_the_flag_is_set(tile: StoneId, mine: str, theirs: str) -> None:
    row = {tile: at(mine, theirs, damaged=True)}
    assert here(row).claimable == ()
    assert position(row, rules=BONUS).claimable == (tile,)


def test_s30_the_defender_controls_nothing() -> None:
    for phase in (Phase.PLAY, Phase.CLAIM):
        state = here({GATE: at("", "B10 B11")}, to_move=YOU, phase=phase)
        assert refusal(state, Claim(GATE)) == "only the attacker controls tiles"
        assert state.claimable == ()


def test_s31_the_attacker_controls_a_tile_before_he_retreats_and_plays() -> None:
    state = here({GATE: at("B10 B11", "R3"), WALL: at("R1")})
    assert legal_moves(state, (nth("Y5"),)) == (
        Claim(GATE),
        Retreat(WALL),
        Retreat(GATE),
        *(Play(nth("Y5"), number) for number in map(StoneId, (0, 1, 2, 4, 5, 6))),
    )
    step = apply(state, Claim(GATE))
    assert step.events == (Controlled(ME, GATE),)
    assert step.transfers == ()
    after = step.state
    assert (after.to_move, after.phase, after.acted) == (ME, Phase.PLAY, True)
    assert after.beside.discard == cards("B10 B11 R3", SIEGE)
    after = apply(after, Retreat(WALL)).state
    assert apply(after, Play(nth("Y5"), GATE)).state.to_move == YOU


def test_control_is_open_after_the_play_until_the_draw_ends_the_turn() -> None:
    state = here({GATE: at("B10")}, pile=5)
    step = apply(state, Play(nth("B11"), GATE))
    assert (step.state.phase, step.state.claimable, step.events) == (
        Phase.CLAIM,
        (GATE,),
        (Played(ME, nth("B11"), GATE),),
    )
    assert legal_moves(step.state, ()) == (Claim(GATE), Done())
    after = apply(step.state, Claim(GATE))
    assert after.events == (Controlled(ME, GATE), Drew(ME, WAR))
    assert after.state.to_move == YOU
    done = apply(step.state, Done())
    assert done.events == (Drew(ME, WAR),)
    assert refusal(done.state, Claim(GATE)) == "only the attacker controls tiles"
    # What was not controlled is offered again at his next turn.
    assert apply(done.state, Play(nth("Y5"), WALL)).state.claimable == (GATE,)


def test_s45_a_controlled_tower_is_cleared_and_turned_over() -> None:
    row = {TOWER: at("R8 R9 R10 R11", "B1 G5", order="R8 B1 R9 G5 R10 R11")}
    step = apply(here(row), Claim(TOWER))
    tower = step.state.stones[TOWER]
    assert (tower.owner, tower.arrived, tower.ground.damaged) == (None, (), True)
    for seat in SEATS:
        assert tower.sides[seat].cards == ()
        assert (tower.sides[seat].terms.size, tower.sides[seat].terms.contest) == (2, Contest.SAME)
    assert step.state.beside.discard == cards("R8 B1 R9 G5 R10 R11", SIEGE)
    assert step.state.outcome is None


def test_the_discarded_cards_are_evidence() -> None:
    row = {RIGHT_PIT: at("R1 B1 G1", "Y1")}
    assert here(row).claimable == ()  # 0 and 0 could come
    assert here(row, discard="R0 G0 B0 Y0 P0").claimable == (RIGHT_PIT,)  # now 1 + 1 + 2 at the lowest


def test_a28_after_the_flip_the_first_complete_side_of_the_new_cards_counts() -> None:
    state = here({TOWER: at("R8 R9 R10 R11", "B7 B8 B9 B10", first=YOU)}, pile=9)
    assert state.stones[TOWER].first_complete(YOU)
    state = apply(state, Claim(TOWER)).state
    state = apply(state, Play(nth("R7"), TOWER)).state
    state = apply(state, Play(nth("B6"), TOWER)).state
    state = apply(apply(state, Play(nth("G7"), TOWER)).state, Done()).state
    state = apply(state, Play(nth("G6"), TOWER)).state
    assert (state.to_move, state.claimable) == (ME, (TOWER,))
    assert state.stones[TOWER].first_complete(ME)
    equal = here({TOWER: at("R7 G7", "Y7 P7", damaged=True, order="Y7 R7 G7 P7")})
    assert equal.claimable == (TOWER,)


def test_a_complete_stronger_defender_blocks_and_the_attacker_may_retreat() -> None:
    state = here({GATE: at("B8 B9", "R10 R11")})
    assert refusal(state, Claim(GATE)) == "the other side's colour run 21 beats colour run 17"
    step = apply(state, Retreat(GATE))
    assert step.state.stones[GATE].sides[YOU].cards == cards("R10 R11", SIEGE)


# Retreat


def test_s35_the_attacker_retreats_from_two_tiles_in_one_turn() -> None:
    state = here({WALL: at("R1 G5", "B3"), GATE: at("B8"), TOWER: at("", "Y3")})
    step = apply(state, Retreat(WALL))
    assert step.events == (Retreated(ME, WALL), Discarded(ME, cards("R1 G5", SIEGE), WALL))
    assert step.transfers == ()
    assert (step.state.to_move, step.state.phase, step.state.ply) == (ME, Phase.PLAY, 0)
    step = apply(step.state, Retreat(GATE))
    assert step.events == (Retreated(ME, GATE), Discarded(ME, cards("B8", SIEGE), GATE))
    assert step.state.beside.discard == cards("R1 G5 B8", SIEGE)
    assert step.state.stones[WALL].arrived == cards("B3", SIEGE)
    for tile in (WALL, GATE, TOWER):
        assert refusal(step.state, Retreat(tile)) == f"the attacker has no card at tile {tile + 1}"


def test_s36_a_retreat_takes_all_own_cards_in_the_order_of_their_arrival() -> None:
    state = here({TOWER: at("R8 G5 B3", "Y1", order="G5 R8 Y1 B3")})
    step = apply(state, Retreat(TOWER))
    assert step.state.stones[TOWER].sides[ME].cards == ()
    assert step.state.beside.discard == cards("G5 R8 B3", SIEGE)


def test_after_a_retreat_the_tiles_that_can_be_controlled_are_told_again() -> None:
    state = here({GATE: at("B10 B11"), WALL: at("R1")})
    assert apply(state, Retreat(WALL)).state.claimable == (GATE,)
    assert apply(state, Retreat(GATE)).state.claimable == ()


def test_s37_the_defender_does_not_retreat_and_the_attacker_not_after_the_play() -> None:
    row = {WALL: at("R1", "B3"), GATE: at("B10")}
    assert refusal(here(row, to_move=YOU), Retreat(WALL)) == "only the attacker of a wall retreats"
    state = apply(here(row), Play(nth("B11"), GATE)).state
    assert (state.to_move, state.phase) == (ME, Phase.CLAIM)
    assert refusal(state, Retreat(WALL)) == "a retreat comes before the card is played"


@pytest.mark.parametrize("number", [-1, 7, 2**70])
def test_there_is_no_eighth_tile(number: int) -> None:
    tile = StoneId(number)
    why = "there is no such tile: they are numbered 1 to 7"
    assert refusal(here({WALL: at("R1")}), Retreat(tile)) == why
    assert refusal(here({WALL: at("R1")}, to_move=YOU), Oil(tile)) == why
    assert refusal(here({}), Play(nth("R1"), tile)) == why
    assert refusal(here({}), Claim(tile)) == why


def test_a22_an_attacker_without_a_place_must_retreat_somewhere_first() -> None:
    state = here(full(theirs=False), pile=9)
    y11 = nth("Y11")
    assert legal_moves(state, (y11,)) == tuple(map(Retreat, map(StoneId, range(7))))
    assert refusal(state, Play(y11, GATE)) == "this side of tile 4 has its 2 cards already"
    assert refusal(state, Pass()) == "passing is not allowed: a retreat makes room for a card"
    assert refusal(state, Done()) == "a card must be laid first"
    state = apply(state, Retreat(GATE)).state
    assert Play(y11, GATE) in legal_moves(state, (y11,))
    assert apply(state, Play(y11, GATE)).state.to_move == YOU


def test_a22_a_defender_without_a_place_skips_the_play_and_the_draw() -> None:
    state = here(full(), pile=9, beside=Beside(attacker=ME, oil=0))
    step = apply(state, Play(nth("Y11"), GATE))
    assert step.events == (Played(ME, nth("Y11"), GATE), Drew(ME, WAR), Skipped(YOU))
    assert (step.state.to_move, step.state.skips, step.state.piles) == (ME, 1, (8,))


def test_d15_with_the_flag_a_defender_without_a_place_wins() -> None:
    rules = flagged(SIEGE, {"st2_full_defender_wins": "on"})
    state = position({**full(), LEFT_PIT: at("", "R1 G1 B2", damaged=True)}, rules=rules, pile=9)
    step = apply(state, Play(nth("Y11"), GATE))
    assert step.events == (Played(ME, nth("Y11"), GATE), Drew(ME, WAR), Ended(Outcome(YOU, Reason.FULL, (1, 5))))


# Oil


def test_s32_s33_oil_takes_the_card_that_lies_longest_and_then_the_next() -> None:
    state = here({TOWER: at("R5 B9 G2", order="R5 B9 G2")}, to_move=YOU, pile=9)
    step = apply(state, Oil(TOWER))
    assert step.events == (Poured(YOU, TOWER, 2), Discarded(ME, cards("R5", SIEGE), TOWER))
    assert step.transfers == ()
    after = step.state
    assert after.stones[TOWER].arrived == cards("B9 G2", SIEGE)
    assert (after.beside.oil, after.beside.poured, after.beside.discard) == (2, True, cards("R5", SIEGE))
    assert (after.to_move, after.phase, after.ply) == (YOU, Phase.PLAY, 0)
    after = apply(apply(after, Play(nth("Y5"), WALL)).state, Play(nth("Y6"), WALL)).state
    assert (after.to_move, after.beside.poured) == (YOU, False)
    assert apply(after, Oil(TOWER)).events == (Poured(YOU, TOWER, 1), Discarded(ME, cards("B9", SIEGE), TOWER))


def test_oil_passes_over_the_defenders_own_cards() -> None:
    state = here({TOWER: at("R5 B9", "G2 G3", order="G2 B9 G3 R5")}, to_move=YOU)
    step = apply(state, Oil(TOWER))
    assert step.state.stones[TOWER].arrived == cards("G2 G3 R5", SIEGE)


def test_s34_two_oils_in_one_turn_are_refused() -> None:
    state = apply(here({TOWER: at("R5 B9")}, to_move=YOU), Oil(TOWER)).state
    assert refusal(state, Oil(TOWER)) == "oil was poured in this turn already"
    assert not any(isinstance(move, Oil) for move in legal_moves(state, (nth("Y5"),)))


def test_s34_a_fourth_oil_is_refused() -> None:
    state = here({TOWER: at("R5 B9 G2 Y3")}, to_move=YOU, pile=20, hands=(6, 6))
    for played in ("Y5", "Y6", "Y7"):
        state = apply(state, Oil(TOWER)).state
        state = apply(apply(state, Play(nth(played), WALL)).state, Play(nth("B" + played[1]), LEFT_PIT)).state
    assert state.beside.oil == 0
    assert refusal(state, Oil(TOWER)) == "no oil is left"
    assert not any(isinstance(move, Oil) for move in legal_moves(state, (nth("Y8"),)))


def test_s34_oil_after_the_play_is_refused() -> None:
    # Only the record of the attacker could follow here; a window of the defender is never open.
    state = here({TOWER: at("R5")}, to_move=YOU, phase=Phase.CLAIM)
    assert refusal(state, Oil(TOWER)) == "oil is poured at the start of the turn, before a card is played"
    after = apply(here({TOWER: at("R5")}, to_move=YOU), Play(nth("Y5"), WALL)).state
    assert refusal(after, Oil(TOWER)) == "only the defender of a wall pours oil"


def test_s34_oil_at_a_tile_without_a_card_of_the_attacker_is_refused() -> None:
    state = here({TOWER: at("R5"), GATE: at("", "Y3")}, to_move=YOU)
    assert refusal(state, Oil(GATE)) == "the attacker has no card at tile 4"
    assert refusal(state, Oil(WALL)) == "the attacker has no card at tile 3"
    assert [move for move in legal_moves(state, ()) if isinstance(move, Oil)] == [Oil(TOWER)]


@pytest.mark.parametrize("tile", list(map(StoneId, range(7))))
def test_every_tile_may_be_poured_on_and_retreated_from(tile: StoneId) -> None:
    row = {tile: at("R5")}
    assert apply(here(row, to_move=YOU), Oil(tile)).state.beside.discard == cards("R5", SIEGE)
    assert apply(here(row), Retreat(tile)).state.beside.discard == cards("R5", SIEGE)


def test_the_attacker_pours_no_oil() -> None:
    assert refusal(here({TOWER: at("R5", "R6")}), Oil(TOWER)) == "only the defender of a wall pours oil"


def test_the_seats_may_be_the_other_way_round() -> None:
    beside = Beside(attacker=YOU, oil=1)
    state = here({TOWER: at("", "R5"), GATE: at("", "B10 B11")}, beside=beside)
    step = apply(state, Oil(TOWER))
    assert step.events == (Poured(ME, TOWER, 0), Discarded(YOU, cards("R5", SIEGE), TOWER))
    assert here({GATE: at("", "B10 B11")}, beside=beside, to_move=YOU).claimable == (GATE,)


def test_a_defender_without_a_place_may_still_pour_oil_and_his_turn_is_a_skip() -> None:
    row = {**full(GATE), GATE: at("Y1", "R4 G5")}
    state = apply(here(row, pile=9, hands=(6, 6)), Play(nth("Y11"), WALL)).state
    assert (state.to_move, state.phase, state.skips) == (YOU, Phase.POUR, 1)
    assert legal_moves(state, (nth("Y5"),)) == (Oil(WALL), Oil(GATE), Done())
    assert refusal(state, Play(nth("Y5"), WALL)) == "this seat can lay no card"
    assert refusal(state, Pass()) == "it is not the time to pass"
    assert refusal(state, Draw(WAR)) == "nothing is drawn now: cards are drawn at the end of the turn"
    step = apply(state, Oil(GATE))
    assert step.events == (Poured(YOU, GATE, 2), Discarded(ME, cards("Y1", SIEGE), GATE), Skipped(YOU))
    assert (step.state.to_move, step.state.skips, step.state.beside.poured) == (ME, 1, False)
    declined = apply(state, Done())
    assert declined.events == (Skipped(YOU),)
    assert declined.state.beside.oil == 3
