"""The positions T of docs/rulings.md about the expert game: stones are claimed at the start of the turn only."""

from __future__ import annotations

from functools import partial

from p2p_schotten.engine.move import Claim, Desert, Done, Draw, Pass, Play
from p2p_schotten.engine.rules import apply, legal_moves
from p2p_schotten.engine.rulesets import EXPERT
from p2p_schotten.engine.state import Phase
from p2p_schotten.engine.step import Claimed, Drew, Ended, Outcome, Passed, Played, Reason, Skipped
from p2p_schotten.ids import CardId, DeckId, StoneId
from tests.engine.positions import CLOSED, ME, YOU, cards, owned, position, refusal, stone

at = partial(stone, rules=EXPERT)
CLAN, TACTICS = DeckId(0), DeckId(1)
BAN, N1, N2, N9 = cards("BAN N1 N2 N9", EXPERT)
BOTH = ((5, 2), (6, 1))  # clan and tactic cards of both hands
ONE, TWO, NINE = StoneId(0), StoneId(1), StoneId(8)


def nth(text: str) -> CardId:
    return EXPERT.card(text)


def test_t65_in_expert_nothing_is_claimed_after_the_play() -> None:
    state = position({0: at("R7 R8")}, rules=EXPERT, hands=BOTH, pile=(20, 5))
    state = apply(state, Play(nth("R9"), ONE)).state
    assert legal_moves(state, ()) == (Draw(CLAN), Draw(TACTICS))
    why = "stones are claimed at the start of the turn, before a card is played"
    assert refusal(state, Claim(ONE)) == why


def test_in_expert_a_stone_is_claimed_at_the_start_of_the_next_turn() -> None:
    state = position({0: at("R7 R8")}, rules=EXPERT, hands=BOTH, pile=(20, 0))
    state = apply(state, Play(nth("R9"), ONE)).state
    state = apply(state, Play(N9, TWO)).state
    assert (state.to_move, state.phase, state.claimable) == (ME, Phase.PLAY, (0,))
    step = apply(state, Claim(ONE))
    assert step.events == (Claimed(ME, ONE),)
    assert step.transfers == ()
    assert (step.state.to_move, step.state.phase, step.state.claimable) == (ME, Phase.PLAY, ())
    assert refusal(step.state, Claim(ONE)) == "stone 1 is owned by the claimant already"
    assert apply(step.state, Play(N1, TWO)).events == (Played(ME, N1, TWO), Drew(ME, CLAN))


def test_in_expert_the_play_ends_the_window() -> None:
    state = position({0: at("R7 R8 R9"), 4: at("B7 B8 B9")}, rules=EXPERT, hands=BOTH, pile=(20, 5))
    assert legal_moves(state, (N9,))[:2] == (Claim(ONE), Claim(StoneId(4)))
    assert refusal(state, Done()) == "a card must be laid first"
    state = apply(state, Play(N9, TWO)).state
    assert (state.phase, state.claimable) == (Phase.CLAIM, ())


def test_t66_in_expert_the_fifth_stone_wins_before_a_card_is_played() -> None:
    row = owned([0, 2, 4, 6], [1], {8: at("R7 R8 R9")})
    state = position(row, rules=EXPERT, hands=BOTH)
    step = apply(state, Claim(NINE))
    end = Outcome(ME, Reason.FIVE, (5, 1))
    assert step.events == (Claimed(ME, NINE), Ended(end))
    assert (step.transfers, step.state.outcome) == ((), end)


def test_t67_in_expert_a_banshee_comes_before_the_claim() -> None:
    state = position({0: at("R7 R8")}, rules=EXPERT, hands=BOTH, pile=(20, 0))
    state = apply(state, Play(nth("R9"), ONE)).state
    state = apply(state, Desert(BAN, nth("R8"))).state
    assert (state.to_move, state.phase, state.claimable) == (ME, Phase.PLAY, ())
    assert refusal(state, Claim(ONE)) == "the side has 2 of 3 cards: only a complete side can claim"


def test_in_expert_a_seat_that_cannot_play_is_asked_for_its_claims_and_then_skipped() -> None:
    row = {**CLOSED, 0: at("R7 R8 R9")}
    state = position(row, rules=EXPERT, hands=((7, 0), (7, 0)), pile=(20, 0), to_move=YOU)
    state = apply(state, Play(N2, NINE)).state
    assert (state.to_move, state.phase, state.acted) == (ME, Phase.CLAIM, False)
    assert legal_moves(state, (N9,)) == (Claim(ONE), Done())
    step = apply(state, Claim(ONE))
    assert step.events == (Claimed(ME, ONE), Skipped(ME))
    assert (step.state.to_move, step.state.skips) == (YOU, 0)


def test_in_expert_the_end_of_a_stuck_game_waits_for_the_claims_of_the_last_card() -> None:
    # ME lays its last card and wins stone 1 with it; YOU is skipped; ME may claim in its next turn.
    state = position({0: at("R7 R8")}, rules=EXPERT, hands=((1, 0), (0, 0)), pile=0)
    step = apply(state, Play(nth("R9"), ONE))
    assert step.events == (Played(ME, nth("R9"), ONE), Skipped(YOU))
    assert legal_moves(step.state, ()) == (Claim(ONE), Done())
    after = apply(step.state, Claim(ONE))
    assert after.events == (
        Claimed(ME, ONE),
        Skipped(ME),
        Skipped(YOU),
        Skipped(ME),
        Ended(Outcome(ME, Reason.STUCK, (5, 0))),
    )


def test_a8_a_claim_at_the_start_of_a_turn_that_ends_with_a_pass_keeps_the_game_going() -> None:
    state = position({**CLOSED, 0: at("R7 R8 R9")}, rules=EXPERT, hands=((0, 7), (0, 7)), pile=(20, 0))
    state = apply(apply(state, Claim(ONE)).state, Pass()).state
    assert (state.to_move, state.skips) == (YOU, 0)
    step = apply(state, Pass())
    assert (step.events, step.state.to_move, step.state.skips) == ((Passed(YOU),), ME, 1)
    assert apply(step.state, Pass()).events[0] == Passed(ME)
    assert apply(step.state, Pass()).state.over
