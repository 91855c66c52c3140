"""The positions B of docs/rulings.md: what Battle Line does otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import pytest

from p2p_schotten.engine.move import Betray, Claim, Desert, Draw, Pass, Play, Redeploy, ReturnFrom, Scout
from p2p_schotten.engine.rules import apply, legal_moves, new_game
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import BATTLE_LINE, BATTLE_LINE_ADVANCED, BATTLE_LINE_PLAIN
from p2p_schotten.engine.state import Beside, Phase, State, Stone
from p2p_schotten.engine.step import (
    Claimed,
    Dealt,
    Discarded,
    Drew,
    HandToOpen,
    HandToPile,
    Moved,
    PileToHand,
    Played,
    Returned,
    Used,
)
from p2p_schotten.ids import SEATS, CardId, DeckId, Seat, StoneId, other
from tests.engine.positions import ME, YOU, cards, position, refusal, stone

at = partial(stone, rules=BATTLE_LINE)
TROOPS, TACTICS = DeckId(0), DeckId(1)
ONE, TWO, NINE = StoneId(0), StoneId(1), StoneId(8)
ALX, DAR, CAV, SHD, FOG, MUD, SCO, RED, DES, TRA = cards("ALX DAR CAV SHD FOG MUD SCO RED DES TRA", BATTLE_LINE)


def nth(text: str) -> CardId:
    return BATTLE_LINE.card(text)


def of(text: str) -> tuple[CardId, ...]:
    return cards(text, BATTLE_LINE)


def ready(row: Mapping[int, Stone], *, discard: str = "", beside: Beside | None = None) -> State:
    """ME holds five troops and two tactic cards; nothing is left to draw."""
    return position(row, rules=BATTLE_LINE, hands=((5, 2), (5, 2)), pile=0, discard=discard, beside=beside)


@pytest.mark.parametrize(
    ("rules", "piles", "hands"),
    [
        (BATTLE_LINE, (46, 10), ((7, 0), (7, 0))),
        (BATTLE_LINE_ADVANCED, (46, 10), ((7, 0), (7, 0))),
        (BATTLE_LINE_PLAIN, (46,), ((7,), (7,))),
    ],
    ids=lambda rules: rules.name if isinstance(rules, Ruleset) else "",
)
def test_seven_troops_are_dealt_to_each(
    rules: Ruleset, piles: tuple[int, ...], hands: tuple[tuple[int, ...], tuple[int, ...]]
) -> None:
    step = new_game(rules, YOU)
    assert step.events == (Dealt(7, YOU),)
    assert step.transfers == (PileToHand(TROOPS, ME),) * 7 + (PileToHand(TROOPS, YOU),) * 7
    assert (step.state.piles, step.state.hands, step.state.to_move) == (piles, hands, YOU)
    assert (step.state.acted, step.state.skips, step.state.ply) == (False, 0, 0)


def test_b01_the_highest_wedge_may_be_claimed_and_b03_three_tens_not_yet() -> None:
    assert apply(ready({0: at("R9 R10")}), Play(nth("R8"), ONE)).state.claimable == (0,)
    assert apply(ready({0: at("R10 B10")}), Play(nth("G10"), ONE)).state.claimable == ()


@pytest.mark.parametrize(("first", "second"), [(ALX, DAR), (DAR, ALX)])
def test_b06_whoever_has_laid_one_leader_keeps_the_other(first: CardId, second: CardId) -> None:
    state = ready({}, beside=Beside(tactics=(0, 1)))
    state = apply(apply(state, Play(first, ONE)).state, Play(nth("R1"), ONE)).state
    why = "this seat has laid a joker: it keeps the other to the end of the game"
    assert refusal(state, Play(second, TWO)) == why
    assert second not in {move.card for move in legal_moves(state, (second, CAV)) if isinstance(move, Play)}


def test_b04_a_leader_may_be_a_ten_and_the_cavalry_is_an_eight() -> None:
    # 10-9-8 in one colour, made with a leader or with the cavalry: nothing beats that.
    for wild in (ALX, DAR):
        assert apply(ready({0: at("B9 B8")}), Play(wild, ONE)).state.claimable == (0,)
    assert apply(ready({0: at("B9 B10")}), Play(CAV, ONE)).state.claimable == (0,)
    assert apply(ready({0: at("B8 B10")}), Play(CAV, ONE)).state.claimable == ()


def test_b07_a_scout_puts_its_cards_on_top_of_the_decks() -> None:
    state = position({}, rules=BATTLE_LINE, hands=((5, 2), (6, 1)), pile=(20, 5))
    state = apply(state, Scout(SCO)).state
    for deck in (TROOPS, TACTICS, TACTICS):
        state = apply(state, Draw(deck)).state
    assert (state.phase, state.hands[ME]) == (Phase.RETURN, (6, 3))
    step = apply(state, ReturnFrom(TACTICS))
    assert step.transfers == (HandToPile(ME, TACTICS, top=True),)
    assert step.events == (Returned(ME, TACTICS),)
    step = apply(step.state, ReturnFrom(TROOPS))
    assert step.transfers == (HandToPile(ME, TROOPS, top=True),)  # and no draw: the hand is full
    assert (step.state.to_move, step.state.hands[ME], step.state.piles) == (YOU, (5, 2), (20, 4))


# Modes lie on a side, where they can be moved


@pytest.mark.parametrize("mode", [FOG, MUD])
def test_b08_a16_an_own_mode_is_redeployed_to_another_unclaimed_flag(mode: CardId) -> None:
    text = BATTLE_LINE.text(mode)
    state = ready({0: at("R1", modes=(text, ""))})
    step = apply(state, Redeploy(RED, mode, TWO))
    assert step.transfers == (HandToOpen(ME, RED),)
    assert step.events == (Used(ME, RED), Moved(ME, mode, ONE, TWO))
    one, two = step.state.stones[:2]
    assert (one.ground.modes, two.ground.modes) == ((), ((ME, mode),))
    assert (one.sides[ME].terms, two.sides[ME].terms) == (
        state.stones[1].sides[ME].terms,
        state.stones[0].sides[ME].terms,
    )
    assert step.state.beside.discard == (RED,)


def test_a39_a_redeployed_mode_needs_an_unclaimed_flag_but_no_free_place() -> None:
    row = {0: at("R1", modes=("FOG", "")), 1: at("R2 R3 B4", "G1 G2 B5"), 2: at(owner=YOU)}
    state = ready(row)
    assert apply(state, Redeploy(RED, FOG, TWO)).state.stones[1].ground.modes == ((ME, FOG),)
    assert refusal(state, Redeploy(RED, FOG, StoneId(2))) == "stone 3 is claimed: it takes no more cards"
    assert refusal(state, Redeploy(RED, FOG, ONE)) == "FOG lies there already: it goes to another stone"
    stones = {move.stone for move in legal_moves(state, (RED,)) if isinstance(move, Redeploy) and move.moved == FOG}
    assert stones == {None, *map(StoneId, (1, 3, 4, 5, 6, 7, 8))}


def test_an_own_mode_is_discarded_by_a_redeploy() -> None:
    step = apply(ready({0: at("R1", modes=("FOG", ""))}), Redeploy(RED, FOG, None))
    assert step.events == (Used(ME, RED), Discarded(ME, (FOG,), ONE))
    assert step.state.beside.discard == (RED, FOG)
    assert step.state.stones[0].ground.modes == ()


def test_a_mode_of_the_opponent_is_deserted_but_not_redeployed() -> None:
    state = ready({0: at("R1", "G1", modes=("", "FOG"))})
    step = apply(state, Desert(DES, FOG))
    assert step.events == (Used(ME, DES), Discarded(YOU, (FOG,), ONE))
    assert step.state.beside.discard == (DES, FOG)
    assert step.state.stones[0].ground.modes == ()
    why = "FOG is no own card at an unclaimed stone that may be moved"
    assert refusal(state, Redeploy(RED, FOG, TWO)) == why


def test_an_own_mode_is_not_deserted_nor_one_at_a_claimed_flag() -> None:
    state = ready({0: at("", "G1", modes=("MUD", ""))})
    why = "is no card of the opponent at an unclaimed stone that may be discarded"
    assert refusal(state, Desert(DES, MUD)) == f"MUD {why}"
    claimed = ready({0: at("", "G1", modes=("", "MUD"), owner=YOU)})
    assert refusal(claimed, Desert(DES, MUD)) == f"MUD {why}"


def test_without_the_fog_formations_count_again() -> None:
    row = {0: at("R1 R2 R3", "G9 B8 Y4", modes=("", "FOG"))}
    assert apply(ready(row), Play(nth("P1"), NINE)).state.claimable == ()  # 6 against 21
    assert apply(ready(row), Desert(DES, FOG)).state.claimable == (0,)  # a wedge against a host


@pytest.mark.parametrize("text", ["CAV", "SHD", "ALX"])
def test_b10_a_traitor_takes_no_tactic_card(text: str) -> None:
    why = f"{text} is no troop card of the opponent at an unclaimed stone"
    assert refusal(ready({0: at("", text)}), Betray(TRA, nth(text), TWO)) == why
    step = apply(ready({0: at("", f"{text} R5")}), Betray(TRA, nth("R5"), ONE))
    assert step.state.stones[0].sides[ME].cards == of("R5")


# When flags are claimed


def test_b11_in_the_standard_game_no_flag_is_claimed_at_the_start_of_the_turn() -> None:
    state = position({0: at("R8 R9 R10")}, rules=BATTLE_LINE, hands=((5, 2), (6, 1)), pile=(9, 0))
    assert refusal(state, Claim(ONE)) == "stones are claimed after laying a card"
    state = apply(state, Play(nth("P1"), NINE)).state
    assert apply(state, Claim(ONE)).events == (Claimed(ME, ONE), Drew(ME, TROOPS))


def test_b11_in_the_advanced_game_only_at_the_start_of_the_turn() -> None:
    state = position({0: at("R8 R9 R10")}, rules=BATTLE_LINE_ADVANCED, hands=((5, 2), (6, 1)), pile=(9, 5))
    step = apply(state, Claim(ONE))
    assert (step.state.to_move, step.state.phase) == (ME, Phase.PLAY)
    state = apply(state, Play(nth("P1"), NINE)).state
    why = "stones are claimed at the start of the turn, before a card is played"
    assert refusal(state, Claim(ONE)) == why


@pytest.mark.parametrize("seat", SEATS)
def test_whoever_holds_tactic_cards_only_may_pass(seat: Seat) -> None:
    one = position({}, rules=BATTLE_LINE, hands=((1, 6), (1, 6)), pile=0, to_move=seat)
    assert refusal(one, Pass()) == "passing is not allowed while a troop card can be laid"
    none = position({}, rules=BATTLE_LINE, hands=((0, 7), (0, 7)), pile=0, to_move=seat)
    assert apply(none, Pass()).state.to_move == other(seat)


def test_plain_battle_line_is_played_without_tactics() -> None:
    state = position({}, rules=BATTLE_LINE_PLAIN, hands=(7, 7), pile=9)
    step = apply(state, Play(nth("R10"), ONE))
    assert step.events == (Played(ME, nth("R10"), ONE), Drew(ME, TROOPS))
    assert refusal(state, Pass()) == "passing is not allowed: a seat that cannot lay a card is skipped"
