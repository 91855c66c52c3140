"""The positions T of docs/rulings.md about the strategist, the banshee and the traitor."""

from __future__ import annotations

from functools import partial

import pytest

from p2p_schotten.engine.flags import flagged
from p2p_schotten.engine.move import (
    Betray,
    Claim,
    Desert,
    Exchange,
    Play,
    Redeploy,
    Scout,
    Tactic,
)
from p2p_schotten.engine.rules import apply, legal_moves
from p2p_schotten.engine.rulesets import TACTIC
from p2p_schotten.engine.state import Beside, State, Stone
from p2p_schotten.engine.step import (
    Betrayed,
    Discarded,
    HandToOpen,
    Moved,
    Used,
)
from p2p_schotten.ids import CardId, StoneId
from tests.engine.positions import CLOSED, ME, YOU, cards, position, refusal, stone

at = partial(stone, rules=TACTIC)
SPY, FOG, MUD, REC, STR, BAN, TRA = cards("SPY FOG MUD REC STR BAN TRA", TACTIC)
ONE, TWO, THREE, NINE = StoneId(0), StoneId(1), StoneId(2), StoneId(8)
CLAN_ONLY = flagged(TACTIC, {"ruse_takes": "clan"})


def nth(text: str) -> CardId:
    return TACTIC.card(text)


def ready(row: dict[int, Stone]) -> State:
    """ME holds five clan and two tactic cards; nothing is left to draw."""
    return position(row, rules=TACTIC, hands=((5, 2), (6, 1)), pile=0)


# Strategist


def test_a_strategist_moves_a_card_to_another_stone_where_it_arrives_last() -> None:
    state = ready({0: at("R7 R8"), 1: at("B1", "G1", first=ME)})
    step = apply(state, Redeploy(STR, nth("R7"), TWO))
    assert step.transfers == (HandToOpen(ME, STR),)
    assert step.events == (Used(ME, STR), Moved(ME, nth("R7"), ONE, TWO))
    one, two = step.state.stones[:2]
    assert (one.sides[ME].cards, one.arrived) == ((nth("R8"),), (nth("R8"),))
    assert (two.sides[ME].cards, two.arrived) == (cards("R7 B1"), cards("B1 G1 R7"))
    assert step.state.beside == Beside(discard=(STR,), tactics=(1, 0))
    assert (step.state.to_move, step.state.hands) == (YOU, ((5, 1), (6, 1)))


def test_a_strategist_discards_an_own_card_which_is_evidence_from_then_on() -> None:
    state = ready({0: at("R7 R8")})
    step = apply(state, Redeploy(STR, nth("R7"), None))
    assert step.events == (Used(ME, STR), Discarded(ME, (nth("R7"),), ONE))
    assert step.state.beside.discard == (STR, nth("R7"))
    assert not step.state.unseen >> nth("R7") & 1


def test_t38_a_strategist_moves_no_card_to_a_full_side() -> None:
    state = ready({0: at("R7 R8"), 1: at("B1 B2 G9")})
    assert refusal(state, Redeploy(STR, nth("R7"), TWO)) == "this side of stone 2 has its 3 cards already"


def test_t39_a_strategist_moves_no_card_to_the_stone_where_it_lies() -> None:
    state = ready({0: at("R7 R8")})
    assert refusal(state, Redeploy(STR, nth("R7"), ONE)) == "R7 lies there already: it goes to another stone"


@pytest.mark.parametrize("stone", [NINE, None])
def test_t40_a14_a_strategist_moves_a_joker(stone: StoneId | None) -> None:
    joker = nth("JOK")
    state = ready({0: at("JOK R8")})
    step = apply(state, Redeploy(STR, joker, stone))
    assert step.state.stones[0].sides[ME].cards == (nth("R8"),)
    if stone is not None:
        assert step.state.stones[stone].sides[ME].cards == (joker,)


def test_t40_d2_where_ruses_take_clan_cards_only_the_joker_stays() -> None:
    state = position({0: at("JOK R8")}, rules=CLAN_ONLY, hands=((5, 2), (6, 1)), pile=0)
    why = "JOK is no own card at an unclaimed stone that may be moved"
    assert refusal(state, Redeploy(STR, nth("JOK"), TWO)) == why
    assert {move.moved for move in legal_moves(state, (STR,)) if isinstance(move, Redeploy)} == {nth("R8")}


def test_t41_a16_a_strategist_moves_no_mode() -> None:
    state = ready({0: at("R8", modes=("MUD", "FOG"))})
    for mode in (MUD, FOG):
        why = f"{TACTIC.text(mode)} is no own card at an unclaimed stone that may be moved"
        assert refusal(state, Redeploy(STR, mode, TWO)) == why
        assert refusal(state, Redeploy(STR, mode, None)) == why


def test_t42_a_strategist_moves_no_card_from_or_to_a_claimed_stone() -> None:
    state = ready({0: at("R7 R8 R9", owner=ME), 1: at("B1"), 2: at(owner=YOU)})
    why = "R7 is no own card at an unclaimed stone that may be moved"
    assert refusal(state, Redeploy(STR, nth("R7"), NINE)) == why
    assert refusal(state, Redeploy(STR, nth("R7"), None)) == why
    assert refusal(state, Redeploy(STR, nth("B1"), ONE)) == "stone 1 is claimed: it takes no more cards"
    assert refusal(state, Redeploy(STR, nth("B1"), THREE)) == "stone 3 is claimed: it takes no more cards"


def test_a_strategist_moves_no_card_of_the_opponent_of_the_hand_or_of_nobody() -> None:
    state = ready({0: at("R7", "G1")})
    for text in ("G1", "N9", "STR"):
        why = f"{text} is no own card at an unclaimed stone that may be moved"
        assert refusal(state, Redeploy(STR, nth(text), TWO)) == why
    why = "that is no own card at an unclaimed stone that may be moved"
    assert refusal(state, Redeploy(STR, CardId(64), TWO)) == why
    why = "there is no such stone: they are numbered 1 to 9"
    assert refusal(state, Redeploy(STR, nth("R7"), StoneId(9))) == why
    assert refusal(state, Redeploy(STR, nth("R7"), StoneId(-1))) == why


def test_t43_a_side_that_a_strategist_completes_is_claimed_in_the_same_turn() -> None:
    state = ready({0: at("R7 R8"), 1: at("R9")})
    step = apply(state, Redeploy(STR, nth("R9"), ONE))
    assert step.state.claimable == (0,)
    assert apply(step.state, Claim(ONE)).state.stones[0].owner == ME


def test_a6_a_card_that_was_moved_in_counts_from_the_moment_of_the_move() -> None:
    # ME had the nine there long before YOU was complete; moved away and in again it comes later.
    row = {0: at("R7 R8", "B7 B8 B9", first=ME), 1: at("R9")}
    step = apply(ready(row), Redeploy(STR, nth("R9"), ONE))
    assert (step.state.to_move, step.state.stones[0].first_complete(YOU)) == (YOU, True)
    assert refusal(step.state, Claim(ONE)) == "stones are claimed after laying a card"
    assert apply(step.state, Play(nth("N1"), NINE)).state.claimable == (0,)


def test_a17_a_strategist_without_an_own_card_is_not_played() -> None:
    assert legal_moves(ready({0: at("", "R7")}), (STR,)) == ()


# Banshee


def test_a_banshee_discards_a_card_and_the_side_is_open_again() -> None:
    state = ready({0: at("", "R7 R8 R9")})
    step = apply(state, Desert(BAN, nth("R8")))
    assert step.transfers == (HandToOpen(ME, BAN),)
    assert step.events == (Used(ME, BAN), Discarded(YOU, (nth("R8"),), ONE))
    here = step.state.stones[0]
    assert (here.sides[YOU].cards, here.sides[YOU].full, here.arrived) == (cards("R7 R9"), False, cards("R7 R9"))
    assert step.state.places[YOU] & 1
    assert step.state.beside.discard == (BAN, nth("R8"))
    assert not step.state.unseen >> nth("R8") & 1  # it is evidence


def test_a4_a_discarded_clan_card_is_evidence() -> None:
    row = {0: at("R1 R2 R3", "B2 B3")}
    assert apply(ready(row), Play(SPY, NINE)).state.claimable == ()  # B4 could come
    state = position(row, rules=TACTIC, hands=((5, 2), (6, 1)), pile=0, discard="B4")
    assert apply(state, Play(SPY, NINE)).state.claimable == (0,)


def test_t44_a14_a_banshee_takes_a_spy() -> None:
    step = apply(ready({0: at("", "SPY")}), Desert(BAN, SPY))
    assert step.state.stones[0].sides[YOU].cards == ()
    assert step.state.beside.discard == (BAN, SPY)


def test_t44_d3_where_ruses_take_clan_cards_only_the_spy_stays() -> None:
    state = position({0: at("", "SPY")}, rules=CLAN_ONLY, hands=((5, 2), (6, 1)), pile=0)
    why = "SPY is no card of the opponent at an unclaimed stone that may be discarded"
    assert refusal(state, Desert(BAN, SPY)) == why
    assert legal_moves(state, (BAN,)) == ()


def test_t45_a_banshee_takes_nothing_from_a_claimed_stone() -> None:
    state = ready({0: at("", "R7 R8 R9", owner=YOU), 1: at("", "B1 B2", owner=ME)})
    for text in ("R7", "B1"):
        why = f"{text} is no card of the opponent at an unclaimed stone that may be discarded"
        assert refusal(state, Desert(BAN, nth(text))) == why
    assert legal_moves(state, (BAN,)) == ()


def test_a_banshee_takes_no_own_card_no_hidden_one_and_no_mode() -> None:
    state = ready({0: at("R7", "G1", modes=("", "MUD"))})
    for text in ("R7", "N9", "MUD", "BAN"):
        why = f"{text} is no card of the opponent at an unclaimed stone that may be discarded"
        assert refusal(state, Desert(BAN, nth(text))) == why
    why = "that is no card of the opponent at an unclaimed stone that may be discarded"
    assert refusal(state, Desert(BAN, CardId(-1))) == why


# Traitor


def test_a_traitor_brings_a_clan_card_to_the_own_side_where_it_arrives_last() -> None:
    state = ready({0: at("", "R7 R8 R9"), 1: at("B1", "G1")})
    step = apply(state, Betray(TRA, nth("R8"), TWO))
    assert step.transfers == (HandToOpen(ME, TRA),)
    assert step.events == (Used(ME, TRA), Betrayed(ME, nth("R8"), ONE, TWO))
    assert step.state.stones[0].arrived == cards("R7 R9")
    assert step.state.stones[1].sides[ME].cards == cards("R8 B1")
    assert step.state.stones[1].arrived == cards("B1 G1 R8")
    assert step.state.beside == Beside(discard=(TRA,), tactics=(1, 0))


@pytest.mark.parametrize("text", ["SHB", "JOK", "SPY"])
def test_t49_a_traitor_takes_no_elite_troop(text: str) -> None:
    state = ready({0: at("", text)})
    why = f"{text} is no clan card of the opponent at an unclaimed stone"
    assert refusal(state, Betray(TRA, nth(text), TWO)) == why
    assert legal_moves(state, (TRA,)) == ()


def test_t50_a17_without_a_free_place_a_traitor_is_not_played() -> None:
    state = position(CLOSED, rules=TACTIC, hands=((6, 1), (7, 0)), pile=0)
    assert refusal(state, Betray(TRA, nth("R4"), NINE)) == "this side of stone 9 has its 3 cards already"
    assert refusal(state, Betray(TRA, nth("R4"), THREE)) == "stone 3 is claimed: it takes no more cards"
    assert not any(isinstance(move, Betray) for move in legal_moves(state, (TRA,)))


def test_t51_a25_a_traitor_may_bring_the_card_across_at_the_same_stone() -> None:
    state = ready({0: at("B1 B2", "B3")})
    step = apply(state, Betray(TRA, nth("B3"), ONE))
    here = step.state.stones[0]
    assert (here.sides[ME].cards, here.sides[YOU].cards) == (cards("B1 B2 B3"), ())
    assert refusal(ready({0: at("B1 B2 G9", "B3")}), Betray(TRA, nth("B3"), ONE)) == (
        "this side of stone 1 has its 3 cards already"
    )


def test_a_traitor_takes_nothing_from_a_claimed_stone_and_no_own_or_hidden_card() -> None:
    state = ready({0: at("", "R7 R8 R9", owner=YOU), 1: at("B1")})
    for text in ("R7", "B1", "N9"):
        why = f"{text} is no clan card of the opponent at an unclaimed stone"
        assert refusal(state, Betray(TRA, nth(text), TWO)) == why


# Every tactic card


@pytest.mark.parametrize("wrong", [REC, STR, BAN, TRA])
def test_a_ruse_is_not_laid_on_a_stone(wrong: CardId) -> None:
    assert refusal(ready({}), Play(wrong, ONE)) == f"{TACTIC.text(wrong)} is not laid on a stone"


def test_a_tactic_card_does_only_what_it_says() -> None:
    state = ready({0: at("R7", "G1")})
    g1, r7 = nth("G1"), nth("R7")
    moves: list[Tactic] = [Scout(SPY), Redeploy(BAN, r7, TWO), Desert(STR, g1), Betray(MUD, g1, TWO), Exchange(REC)]
    for move in moves:
        assert refusal(state, move) == f"{TACTIC.text(move.card)} does something else"


def test_a_tactic_card_that_lies_open_or_that_the_hand_cannot_hold_is_refused() -> None:
    state = position({0: at("SPY", "G1")}, rules=TACTIC, hands=((6, 1), (6, 1)), discard="BAN", pile=0)
    assert refusal(state, Desert(BAN, nth("G1"))) == "BAN lies open already"
    assert refusal(state, Play(SPY, ONE)) == "SPY lies open already"
    empty = position({0: at("R7", "G1")}, rules=TACTIC, hands=((7, 0), (6, 1)), pile=0)
    assert refusal(empty, Desert(BAN, nth("G1"))) == "this hand holds no such card"
