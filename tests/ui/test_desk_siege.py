"""In a siege a prompt takes cards, retreats, oil and control; cards of the siege with tactics ask for their parts."""

from __future__ import annotations

import pytest

from p2p_schotten.engine.move import (
    BlowUp,
    Claim,
    Done,
    Exchange,
    Give,
    Move,
    Oil,
    Play,
    Recruit,
    Retreat,
    Support,
)
from p2p_schotten.engine.rulesets import SIEGE, SIEGE_TACTIC
from p2p_schotten.engine.state import Beside, Phase
from p2p_schotten.ids import CardId, StoneId
from p2p_schotten.ui.desk import Desk, Reply, Send
from tests.engine.positions import ME, YOU, cards, position, stone
from tests.ui.desks import desk_at

HAND = "R2 G5 B1 Y9 P9 Y11"


def card(text: str) -> CardId:
    return SIEGE_TACTIC.card(text)


def attacker() -> Desk:
    """I attack: stone 4 (two cards) is mine to control, I have one card on stone 1."""
    row = {0: stone("R7", "B8", rules=SIEGE), 3: stone("B10 B11", "", rules=SIEGE)}
    return desk_at(position(row, rules=SIEGE, pile=20), HAND)


def defender(*, poured: bool = False) -> Desk:
    """Bob attacks, with cards on the stones 1 and 3; I have two oil left."""
    row = {0: stone("B8", "R7 R6", rules=SIEGE), 2: stone("", "G1", rules=SIEGE)}
    return desk_at(position(row, rules=SIEGE, pile=20, beside=Beside(attacker=YOU, oil=2, poured=poured)), HAND)


def test_an_attacker_is_asked_for_a_card_and_told_what_may_come_before() -> None:
    assert attacker().question() == (
        "Your turn. Which card? 1 R2, 2 G5, 3 B1, 4 Y9, 5 Y11, 6 P9 (? for help)",
        "Before the card you may:",
        "  control 4  (colour run 21)",
        "  retreat 1 or retreat 4  (discards all your cards there)",
    )


def test_oil_at_the_only_tile_is_said_without_a_choice() -> None:
    wall = {2: stone("", "G1", rules=SIEGE)}
    desk = desk_at(position(wall, rules=SIEGE, beside=Beside(attacker=YOU, oil=1)), HAND)
    assert desk.question()[2] == "  oil 3 discards G1  (oil is left for 1 turn)"


def test_many_tiles_to_retreat_from_take_no_more_than_a_line() -> None:
    wall = {number: stone(card, "", rules=SIEGE) for number, card in enumerate(["R7", "G7", "B7", "Y7", "P7"])}
    desk = desk_at(position(wall, rules=SIEGE), HAND)
    assert desk.question()[1:] == (
        "Before the card you may:",
        "  retreat and one of 1 2 3 4 5  (discards all your cards there)",
    )
    desk.answer("retreat")
    assert "You can type: retreat and one of 1 2 3 4 5." in desk.answer("7 7").lines[0]


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("retreat 1", Retreat(StoneId(0))),
        ("ret 4", Retreat(StoneId(3))),
        ("control 4", Claim(StoneId(3))),
        ("CONTROL 4", Claim(StoneId(3))),
        ("claim 4", Claim(StoneId(3))),
        ("1 2", Play(card("R2"), StoneId(1))),
        ("y11 7", Play(card("Y11"), StoneId(6))),
    ],
)
def test_an_attacker_types_any_of_them_in_one_line(typed: str, move: Move) -> None:
    assert attacker().answer(typed) == Reply(action=Send(move))


@pytest.mark.parametrize(("typed", "prompt"), [("retreat", "retreat> "), ("control", "control> ")])
def test_a_verb_alone_asks_for_its_stone(typed: str, prompt: str) -> None:
    desk = attacker()
    assert desk.answer(typed).action is None
    assert desk.prompt == prompt
    assert desk.answer("4").action is not None


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("oil 1", "only the defender of a wall pours oil."),
        ("retreat 2", "the attacker has no card at tile 2."),
        ("control 1", "your side has 1 of 3 cards."),
        ("2 4", "this side of tile 4 has its 2 cards already."),
    ],
)
def test_an_attacker_hears_why_not(typed: str, why: str) -> None:
    reply = attacker().answer(typed)
    assert reply.refused
    assert reply.action is None
    assert f"is not possible: {why}" in reply.lines[0]


def test_a_defender_may_pour_oil_before_the_card() -> None:
    desk = defender()
    assert desk.question()[1:] == (
        "Before the card you may:",
        "  oil 1 discards R7, oil 3 discards G1  (one of them; oil is left for 2 turns)",
    )
    assert desk.answer("oil 3") == Reply(action=Send(Oil(StoneId(2))))
    assert desk.answer("1 3") == Reply(action=Send(Play(card("R2"), StoneId(2))))
    assert "only the attacker controls tiles" in desk.answer("control 1").lines[0]


@pytest.mark.parametrize(
    ("typed", "verb", "would_do"),
    [
        ("retreat", "2", "You can type: retreat 1 or retreat 4."),
        ("control", "1", "You can type: control 4."),
    ],
)
def test_a_refusal_names_what_may_be_chosen_at_that_prompt(typed: str, verb: str, would_do: str) -> None:
    desk = attacker()
    desk.answer(typed)
    reply = desk.answer(verb)
    assert reply.refused
    assert would_do in reply.lines[0]
    assert "play 2 4" not in reply.lines[0]
    assert desk.prompt == f"{typed}> "


@pytest.mark.parametrize(
    ("verb", "line", "would_do", "done"),
    [
        ("retreat", "2 3", "You can type: retreat 1 or retreat 4.", Send(Retreat(StoneId(3)))),
        ("control", "2 3", "You can type: control 4.", Send(Claim(StoneId(3)))),
    ],
)
def test_two_numbers_where_one_tile_is_asked_for_are_no_card_and_its_tile(
    verb: str, line: str, would_do: str, done: Send
) -> None:
    desk = attacker()
    desk.answer(verb)
    assert desk.answer(line) == Reply(
        (f"'{line}' cannot be read here. {would_do} ? lists what you can type.",), refused=True
    )
    assert desk.prompt == f"{verb}> "
    assert desk.answer("4") == Reply(action=done)


def test_two_numbers_where_oil_is_asked_for_are_no_card_and_its_tile() -> None:
    desk = defender()
    desk.answer("oil")
    assert desk.prompt == "oil> "
    assert "You can type: oil 1 or oil 3." in desk.answer("1 3").lines[0]
    assert desk.answer("3") == Reply(action=Send(Oil(StoneId(2))))


def test_what_was_typed_as_control_is_answered_as_control() -> None:
    assert attacker().answer("control 1").lines[0].startswith("control 1 is not possible: ")
    row = {3: stone("B10 B11", "", rules=SIEGE)}
    desk = desk_at(position(row, rules=SIEGE, phase=Phase.CLAIM, pile=20), "R2 G5 B1 Y9 P9")
    assert any("go on without controlling" in line for line in desk.answer("?").lines)
    assert not any("claim" in line or "stone" in line for line in desk.answer("?").lines)


def test_oil_is_poured_once_a_turn() -> None:
    desk = defender(poured=True)
    assert len(desk.question()) == 1
    assert "oil was poured in this turn already" in desk.answer("oil 1").lines[0]


def test_a_defender_who_can_only_pour_is_asked_for_that() -> None:
    row = {0: stone("B8", "R7 R6", rules=SIEGE)}
    beside = Beside(attacker=YOU, oil=2)
    desk = desk_at(position(row, rules=SIEGE, pile=20, phase=Phase.POUR, hands=(0, 6), beside=beside), "")
    assert desk.question()[0] == "Your turn, without a card to play. You may:"
    assert desk.prompt == "oil> "
    assert desk.answer("1") == Reply(action=Send(Oil(StoneId(0))))
    assert desk.answer("done") == Reply(action=Send(Done()))


def test_after_the_card_control_is_asked_with_its_word() -> None:
    row = {3: stone("B10 B11", "", rules=SIEGE)}
    desk = desk_at(position(row, rules=SIEGE, phase=Phase.CLAIM, pile=20), "R2 G5 B1 Y9 P9")
    assert desk.question() == (
        "You may control:",
        "  4  control tile 4 (colour run 21)",
        "  0  go on without controlling",
    )
    assert desk.prompt == "control> "
    assert desk.answer("4") == Reply(action=Send(Claim(StoneId(3))))
    assert desk.answer("no") == Reply(action=Send(Done()))


def test_why_tells_what_counts_at_a_stone_and_who_controls() -> None:
    (line,) = attacker().answer("why 1").lines
    assert line.startswith(
        "Tile 1 is intact, 3 cards, highest sum (when damaged: 3 cards, run). "
        "You cannot control tile 1: your side has 1 of 3"
    )
    (line,) = defender().answer("why 1").lines
    assert line.endswith("Only bob can control tiles. He cannot control tile 1: his side has 2 of 3 cards.")


# the siege with tactics


def tactic_desk(hand: str, *, discard: str = "R0 G0 Y4 SPY") -> Desk:
    rules = SIEGE_TACTIC
    row = {0: stone("R7", "B8 B9", rules=rules), 3: stone("B10 B11", "", rules=rules)}
    count = len(hand.split())
    tactics = sum(not word[1:].isdigit() for word in hand.split())
    state = position(row, rules=rules, hands=((count - tactics, tactics), (7, 0)), pile=(20, 4), discard=discard)
    return desk_at(state, hand)


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("REC Y4 1", Recruit(card("REC"), card("Y4"), StoneId(0))),
        ("BLO 1 own", BlowUp(card("BLO"), StoneId(0), own=True)),
        ("BLO 1 other", BlowUp(card("BLO"), StoneId(0), own=False)),
        ("blo 1 ot", BlowUp(card("BLO"), StoneId(0), own=False)),
        ("SUP R0 Y4", Support(card("SUP"), (card("R0"), card("Y4")))),
        ("SUP Y4 R0", Support(card("SUP"), (card("R0"), card("Y4")))),  # in either order
        ("EXC", Exchange(card("EXC"))),
    ],
)
def test_a_card_of_the_siege_is_played_in_one_line(typed: str, move: Move) -> None:
    assert tactic_desk("R2 REC BLO SUP EXC").answer(typed) == Reply(action=Send(move))


def test_a_blow_up_asks_for_the_stone_and_the_side() -> None:
    desk = tactic_desk("R2 BLO")
    assert desk.answer("BLO").lines == (
        "BLO (Blow-up): at which tile is a side discarded? 1 4. back takes one step back.",
    )
    assert desk.answer("1").lines == (
        "BLO: whose side of tile 1 is discarded? 1 own (R7), 2 other (B8 B9). back takes one step back.",
    )
    assert desk.prompt == "own or other for BLO 1> "
    assert desk.answer("2") == Reply(action=Send(BlowUp(card("BLO"), StoneId(0), own=False)))
    desk.answer("BLO 4")
    assert desk.answer("other").lines[0].startswith("'other' is none of own.")


def test_a_support_asks_for_one_card_and_then_for_another() -> None:
    desk = tactic_desk("R2 SUP")
    first, listed = desk.answer("SUP").lines
    assert first.startswith("SUP (Support): which two cards of the discard pile go back into their pile?")
    assert listed == "  1 R0, 2 G0, 3 Y4"
    desk.answer("3")
    assert desk.question()[1] == "  1 R0, 2 G0"
    assert desk.answer("2") == Reply(action=Send(Support(card("SUP"), (card("G0"), card("Y4")))))
    (line,) = tactic_desk("R2 SUP", discard="R0").answer("SUP").lines
    why = "play SUP is not possible: it needs 2 siege cards of the discard pile, and there are fewer."
    assert line.startswith(why)


def test_cards_to_give_are_chosen_one_after_the_other_or_in_one_line() -> None:
    rules = SIEGE_TACTIC
    state = position(
        {},
        rules=rules,
        phase=Phase.GIVE,
        acted=True,
        hands=((4, 1), (7, 0)),
        pile=(20, 4),
        beside=Beside(attacker=ME, left=3, tactics=(1, 0)),
    )
    desk = desk_at(state, "R2 G5 B1 Y9 SPY")
    assert desk.question() == (
        "Give 3 cards of your hand to bob for as many of his. Which one? 1 R2, 2 G5, 3 B1, 4 Y9, 5 SPY.",
    )
    given = Give(tuple(sorted(cards("G5 B1 SPY", rules))))
    assert desk.answer("give SPY b1 G5") == Reply(action=Send(given))
    assert desk.answer("2 5 3") == Reply(action=Send(given))
    assert desk.answer("5").action is None
    assert desk.prompt == "give SPY> "
    assert "Give 2 cards of your hand" in desk.question()[0]
    assert desk.answer("5").lines[0].startswith("give SPY SPY is not possible: SPY is chosen already.")
    desk.answer("2")
    assert desk.prompt == "give SPY G5> "
    desk.answer("back")
    assert desk.prompt == "give SPY> "
    assert desk.answer("2 3") == Reply(action=Send(given))
    assert desk.answer("give R2 G5 B1 Y9").refused
