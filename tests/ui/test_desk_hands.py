"""Drawing, putting back, discarding and passing, where there are tactic cards; and what the hand shows of them."""

from __future__ import annotations

import pytest

from p2p_schotten.engine.move import (
    Claim,
    Discard,
    Draw,
    Pass,
    Play,
    Return,
)
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import BATTLE_LINE, EXPERT, TACTIC
from p2p_schotten.engine.state import Beside, Phase
from p2p_schotten.engine.view import Memory
from p2p_schotten.ids import DeckId, StoneId
from p2p_schotten.ui.desk import Desk, Reply, Send
from tests.engine.positions import cards, position, stone
from tests.ui.desks import card, desk_at


def drawing_desk() -> Desk:
    """My card is laid and nothing can be claimed: I choose the deck."""
    state = position(
        {0: stone("R7", "", rules=TACTIC)}, rules=TACTIC, phase=Phase.CLAIM, hands=((5, 1), (7, 0)), pile=(20, 4)
    )
    return desk_at(state, "G2 G3 G4 B1 B2 STR")


@pytest.mark.parametrize(
    ("typed", "deck"),
    [("2", 1), ("tactic", 1), ("t", 1), ("draw 2", 1), ("draw clan", 0), ("CLAN", 0), ("1", 0)],
)
def test_the_deck_is_chosen_by_number_or_by_name(typed: str, deck: int) -> None:
    assert drawing_desk().answer(typed) == Reply(action=Send(Draw(DeckId(deck))))


def test_the_choice_of_a_deck_shows_how_many_cards_are_left() -> None:
    desk = drawing_desk()
    assert desk.question() == ("Draw a card from which deck? 1 clan (20), 2 tactic (4).",)
    assert desk.prompt == "draw> "
    assert desk.answer("3").lines == ("There is no number 3 in the list: it goes from 1 to 2.",)
    assert desk.answer("done").lines[0].startswith("done is not possible: the turn ends with a draw: choose the deck.")


def test_claims_and_the_draw_stand_in_one_question_and_zero_asks_for_the_deck() -> None:
    state = position(
        {0: stone("R7 R8 R9", "", rules=TACTIC)},
        rules=TACTIC,
        phase=Phase.CLAIM,
        hands=((5, 1), (7, 0)),
        pile=(20, 4),
    )
    desk = desk_at(state, "G2 G3 G4 B1 B2 STR")
    assert desk.question() == (
        "You may claim:",
        "  1  claim stone 1 (colour run 24)",
        "  0  draw and end your turn (draw clan or draw tactic)",
    )
    assert desk.answer("tactic") == Reply(action=Send(Draw(DeckId(1))))
    assert desk.answer("1") == Reply(action=Send(Claim(StoneId(0))))
    assert desk.answer("0").action is None
    assert desk.prompt == "draw> "
    assert desk.answer("1") == Reply(action=Send(Draw(DeckId(0))))


def scouting(phase: Phase, left: int, rules: Ruleset = TACTIC) -> Desk:
    state = position(
        {0: stone("R7", "", rules=rules)},
        rules=rules,
        phase=phase,
        acted=True,
        hands=((7, 1), (7, 0)),
        pile=(20, 4),
        beside=Beside(left=left, tactics=(1, 0)),
    )
    return desk_at(state, "G2 G3 G4 B1 B2 B3 B4 FOG")


def test_a_scout_says_how_many_cards_are_to_come_and_to_go_back() -> None:
    desk = scouting(Phase.SCOUT, 3)
    assert desk.question() == ("Draw 3 cards more: the next from which deck? 1 clan (20), 2 tactic (4).",)
    assert desk.prompt == "draw> "
    desk = scouting(Phase.RETURN, 2)
    assert desk.question() == (
        "Put 2 cards of your hand back face down, under their piles. Which one? "
        "1 G2, 2 G3, 3 G4, 4 B1, 5 B2, 6 B3, 7 B4, 8 FOG.",
    )
    assert desk.prompt == "return> "
    for typed in ("8", "FOG", "return fog", "return 8"):
        assert desk.answer(typed) == Reply(action=Send(Return(card("FOG"))))
    assert desk.answer("R9").lines[0].startswith("return R9 is not possible: R9 is not in your hand.")
    desk = desk_at(
        position({}, rules=BATTLE_LINE, phase=Phase.RETURN, hands=((2, 0), (7, 0)), pile=(9, 9), beside=Beside(left=1)),
        "G2 G3",
    )
    assert desk.question()[0].startswith("Put 1 card of your hand back face down, on top of its pile.")


def test_a_side_with_a_card_too_many_asks_which_one_goes() -> None:
    rules = BATTLE_LINE
    state = position(
        {4: stone("R1 G3 B9 O7", "", rules=rules)},
        rules=rules,
        phase=Phase.CLEAR,
        hands=((5, 1), (7, 0)),
        pile=(20, 4),
        beside=Beside(crowded=StoneId(4)),
    )
    desk = desk_at(state, "G2 G4 B1 B2 B3 RED")
    assert desk.question()[0] == "Your side of stone 5 has a card too many. Which one is discarded?"
    assert desk.prompt == "discard> "
    o7 = rules.card("O7")
    for typed in ("O7", "discard o7"):
        assert desk.answer(typed) == Reply(action=Send(Discard(o7)))
    assert desk.answer("discard").lines == ("The discard pile is empty.",)


def test_in_the_expert_game_claims_and_cards_stand_in_one_prompt() -> None:
    rules = EXPERT
    state = position({0: stone("R7 R8 R9", "", rules=rules)}, rules=rules, hands=((6, 1), (7, 0)), pile=(20, 4))
    desk = desk_at(state, "G2 G3 G4 B1 B2 B3 STR")
    assert desk.question()[1:] == ("Before the card you may:", "  claim 1  (colour run 24)")
    assert desk.prompt == "card> "
    assert desk.answer("claim 1") == Reply(action=Send(Claim(StoneId(0))))
    assert desk.answer("1 2") == Reply(action=Send(Play(card("G2"), StoneId(1))))
    assert desk.answer("claim").action is None
    assert desk.prompt == "claim> "
    assert desk.answer("1") == Reply(action=Send(Claim(StoneId(0))))


def test_a_hand_of_tactics_may_pass_and_says_so() -> None:
    state = position({}, rules=TACTIC, hands=((0, 1), (7, 0)), pile=(20, 4))
    desk = desk_at(state, "BAN")
    assert desk.question() == ("Your turn, without a card to play. You may:", "  pass  (lay nothing)")
    assert desk.prompt == "move> "
    assert desk.answer("pass") == Reply(action=Send(Pass()))
    assert desk.answer("foo").lines[0].startswith("'foo' cannot be read here. You can type: pass.")


def test_hand_and_unseen_show_tactics_apart_and_what_i_know_of_hidden_cards() -> None:
    memory = Memory(returned=cards("R9", TACTIC), given=cards("G9", TACTIC))
    state = position({0: stone("R7", "SPY", rules=TACTIC)}, rules=TACTIC, hands=((1, 1), (7, 0)), pile=(20, 4))
    desk = desk_at(state, "G2 FOG", memory=memory)
    assert desk.answer("hand").lines == (
        "Your hand: 1 G2; 2 FOG.",
        "Cards that you put back into a pile: R9.",
        "Cards that you gave to the other player: G9.",
    )
    lines = desk.answer("unseen").lines
    assert lines[0].startswith("53 cards are unseen")  # 54 numbered cards less R7
    assert lines[7:] == (
        "Unseen tactic cards: JOK JOK SHB (FOG) MUD REC STR BAN TRA.",
        "Cards that you put back into a pile: R9.",
        "Cards that you gave to the other player: G9.",
    )


def test_what_can_be_typed_is_written_as_it_works() -> None:
    line = drawing_desk().answer("done").lines[0]
    assert line.endswith("You can type: draw clan or draw tactic.")
    line = scouting(Phase.RETURN, 2).answer("foo").lines[0]
    assert "You can type: return and one of G2 G3 G4 B1 B2 B3 B4 FOG." in line


def test_cards_are_put_back_one_at_a_time() -> None:
    reply = scouting(Phase.RETURN, 2).answer("1 2")
    assert reply == Reply(("One card is put back at a time: type return and one card.",), refused=True)
