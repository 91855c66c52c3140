"""Hostile moves in the base game: `apply` refuses them with a sentence, whatever they hold, and nothing changes."""

from __future__ import annotations

import pytest

from p2p_schotten.engine.move import (
    Claim,
    Desert,
    Discard,
    Done,
    Draw,
    GiveFrom,
    Oil,
    Pass,
    Play,
    PublicMove,
    Resign,
    Retreat,
    ReturnFrom,
    Scout,
)
from p2p_schotten.engine.rules import apply, legal_moves
from p2p_schotten.engine.rulesets import BASE
from p2p_schotten.engine.state import Phase, State
from p2p_schotten.engine.table import Table, deal, play
from p2p_schotten.errors import IllegalMove
from p2p_schotten.ids import CardId, DeckId, StoneId
from tests.engine.positions import ME, cards, position, refusal, stone

CLEAN = position({0: stone("R1 G5 B9"), 1: stone("R7 R8 R9", "G1", owner=ME)})
WINDOW = position({0: stone("R7 R8 R9"), 1: stone("R1 R2 R3", "B2 B3")}, phase=Phase.CLAIM, hands=(5, 6))
N9 = BASE.card("N9")

NO_CARD = "there is no such card"
NO_STONE = "there is no such stone: they are numbered 1 to 9"
NO_DRAW = "nothing is drawn now: cards are drawn at the end of the turn"
NO_DECK = "there is no deck to choose: what can be drawn is drawn at the end of the turn"
NO_PASS = "passing is not allowed: a seat that cannot lay a card is skipped"
TOO_EARLY = "stones are claimed after laying a card"
B4 = "the other side may still make colour run 9 with B4"
SHORT = "the side has 0 of 3 cards: only a complete side can claim"
ONE = StoneId(0)


def card(number: int) -> CardId:
    return CardId(number)


@pytest.mark.parametrize(
    ("state", "move", "reason"),
    [
        pytest.param(CLEAN, Play(card(54), StoneId(2)), NO_CARD, id="card too high"),
        pytest.param(CLEAN, Play(card(-1), StoneId(2)), NO_CARD, id="card negative"),
        pytest.param(CLEAN, Play(card(2**70), StoneId(2)), NO_CARD, id="card huge"),
        pytest.param(CLEAN, Play(N9, StoneId(9)), NO_STONE, id="stone too high"),
        pytest.param(CLEAN, Play(N9, StoneId(-1)), NO_STONE, id="stone negative"),
        pytest.param(CLEAN, Play(N9, StoneId(2**70)), NO_STONE, id="stone huge"),
        pytest.param(CLEAN, Play(BASE.card("R9"), StoneId(2)), "R9 lies open already", id="card that lies open"),
        pytest.param(CLEAN, Play(N9, StoneId(1)), "stone 2 is claimed: it takes no more cards", id="claimed stone"),
        pytest.param(CLEAN, Play(N9, ONE), "this side of stone 1 has its 3 cards already", id="full side"),
        pytest.param(position({}, hands=(0, 6)), Play(N9, ONE), "this hand holds no such card", id="empty hand"),
        pytest.param(CLEAN, Done(), "a card must be laid first", id="done before the play"),
        pytest.param(CLEAN, Pass(), NO_PASS, id="pass"),
        pytest.param(CLEAN, Draw(DeckId(0)), NO_DRAW, id="draw before the play"),
        pytest.param(CLEAN, Draw(DeckId(7)), NO_DRAW, id="draw from no deck"),
        pytest.param(CLEAN, Claim(ONE), TOO_EARLY, id="claim before the play"),
        pytest.param(CLEAN, Claim(StoneId(9)), NO_STONE, id="claim of no stone"),
        pytest.param(WINDOW, Claim(StoneId(-9)), NO_STONE, id="claim of a negative stone"),
        pytest.param(WINDOW, Claim(StoneId(1)), B4, id="claim that is not proven"),
        pytest.param(WINDOW, Claim(StoneId(5)), SHORT, id="claim without a complete side"),
        pytest.param(WINDOW, Play(N9, StoneId(3)), "a card was laid already", id="second play"),
        pytest.param(WINDOW, Pass(), "it is not the time to pass", id="pass in the claim window"),
        pytest.param(WINDOW, Draw(DeckId(0)), NO_DECK, id="draw from the only deck"),
        # What only other rulesets know.
        pytest.param(CLEAN, Scout(card(54)), NO_CARD, id="tactic card"),
        pytest.param(CLEAN, Scout(N9), "N9 does something else", id="numbered card as a tactic card"),
        pytest.param(CLEAN, Desert(N9, card(0)), "N9 does something else", id="numbered card as a ruse"),
        pytest.param(CLEAN, ReturnFrom(DeckId(0)), "no card is to be put back now", id="return"),
        pytest.param(CLEAN, GiveFrom((DeckId(0),)), "no card is to be given now", id="give"),
        pytest.param(CLEAN, Discard(N9), "no side has a card too many", id="discard"),
        pytest.param(CLEAN, Oil(ONE), "only the defender of a wall pours oil", id="oil"),
        pytest.param(CLEAN, Retreat(ONE), "only the attacker of a wall retreats", id="retreat"),
    ],
)
def test_refused(state: State, move: PublicMove, reason: str) -> None:
    assert refusal(state, move) == reason


@pytest.mark.parametrize("move", [Play(N9, StoneId(3)), Claim(ONE), Draw(DeckId(0)), Done(), Pass(), Resign()])
def test_nothing_is_accepted_after_the_end(move: PublicMove) -> None:
    over = apply(CLEAN, Resign()).state
    assert refusal(over, move) == "the game is over"
    assert legal_moves(over, (N9,)) == ()


def plain_table() -> Table:
    """ME holds the six lowest red cards, the other R7 R8 R9 G1 G2 G3; ME begins."""
    return deal(BASE, ME, [range(54)])


def test_a_table_refuses_a_card_that_the_hand_does_not_hold() -> None:
    for text in ("R7", "N9"):
        with pytest.raises(IllegalMove, match=f"{text} is not in this hand"):
            play(plain_table(), Play(BASE.card(text), StoneId(0)))


def test_a_table_says_first_what_is_wrong_for_everybody() -> None:
    table, _ = play(plain_table(), Play(BASE.card("R1"), StoneId(0)))
    with pytest.raises(IllegalMove, match="R1 lies open already"):
        play(table, Play(BASE.card("R1"), StoneId(0)))
    with pytest.raises(IllegalMove, match="no such card"):
        play(table, Play(card(99), StoneId(0)))
    over, _ = play(table, Resign())
    with pytest.raises(IllegalMove, match="the game is over"):
        play(over, Play(BASE.card("N9"), StoneId(0)))


def test_a_table_keeps_the_hand_in_the_order_in_which_the_cards_came() -> None:
    table, _ = play(plain_table(), Play(BASE.card("R3"), StoneId(0)))
    assert table.hands[ME] == cards("R1 R2 R4 R5 R6 G4")
    assert table.piles[0][:2] == cards("G5 G6")
