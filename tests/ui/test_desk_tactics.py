"""A tactic card is asked for part by part, and nothing is sent before the whole move has been typed."""

from __future__ import annotations

import pytest

from p2p_schotten.engine.move import (
    Betray,
    Desert,
    Move,
    Play,
    Redeploy,
    Scout,
)
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import TACTIC
from p2p_schotten.engine.state import Beside
from p2p_schotten.ids import StoneId
from p2p_schotten.ui.desk import Desk, Reply, Send
from tests.engine.positions import YOU, position, stone
from tests.ui.desks import card, desk_at

HAND = "G2 JOK FOG REC STR BAN TRA"  # numbered in this order
FOUR = StoneId(3)


def tactic_desk(hand: str = HAND, *, rules: Ruleset = TACTIC, beside: Beside | None = None) -> Desk:
    """I have R7 G5 on stone 1 and a full stone 5; bob has B8 on stone 1, and Y9 and a spy on stone 3."""
    return desk_at(
        position(
            {
                0: stone("R7 G5", "B8", rules=rules),
                2: stone("", "Y9 SPY", rules=rules),
                4: stone("R1 G3 B9", "", rules=rules),
            },
            rules=rules,
            hands=((1, 6), (7, 0)),
            pile=(20, 4),
            beside=beside,
        ),
        hand,
    )


WHOLE: tuple[tuple[str, Move], ...] = (
    ("play STR R7 4", Redeploy(card("STR"), card("R7"), FOUR)),
    ("str r7 4", Redeploy(card("STR"), card("R7"), FOUR)),
    ("5 r7 4", Redeploy(card("STR"), card("R7"), FOUR)),
    ("play STR G5 discard", Redeploy(card("STR"), card("G5"), None)),
    ("str g5 d", Redeploy(card("STR"), card("G5"), None)),
    ("ban SPY", Desert(card("BAN"), card("SPY"))),
    ("TRA Y9 1", Betray(card("TRA"), card("Y9"), StoneId(0))),
    ("REC", Scout(card("REC"))),
    ("4", Scout(card("REC"))),
    ("JOK 4", Play(card("JOK"), FOUR)),
    ("fog 5", Play(card("FOG"), StoneId(4))),  # a mode may go to a full side too
)


@pytest.mark.parametrize(("typed", "move"), WHOLE)
def test_a_tactic_card_is_played_in_one_line(typed: str, move: Move) -> None:
    assert tactic_desk().answer(typed) == Reply(action=Send(move))


def test_a_strategist_asks_for_the_card_and_then_for_the_place() -> None:
    desk = tactic_desk()
    assert desk.prompt == "card> "
    assert desk.answer("5") == Reply(
        (
            "STR (Strategist): which of your cards do you move? back takes one step back.",
            "  stone 1: 1 R7, 2 G5",  # red before green
            "  stone 5: 3 R1, 4 G3, 5 B9",
        )
    )
    assert desk.prompt == "card for STR> "
    reply = desk.answer("R7")
    assert reply.action is None
    assert reply.lines == (
        "STR: R7 to which stone, or to the discard pile? 2 3 4 6 7 8 9 0 (discard). back takes one step back.",
    )
    assert desk.prompt == "stone or 0 for STR R7> "
    assert desk.answer("4") == Reply(action=Send(Redeploy(card("STR"), card("R7"), FOUR)))


def test_a_number_chooses_a_card_from_the_list() -> None:
    desk = tactic_desk()
    desk.answer("STR")
    desk.answer("2")
    assert desk.prompt == "stone or 0 for STR G5> "


@pytest.mark.parametrize("typed", ["discard", "DISCARD", "disc", "d"])
def test_the_word_discard_only_ever_shows_the_pile_and_zero_discards_the_card(typed: str) -> None:
    desk = tactic_desk()
    assert desk.answer("discard").lines == ("The discard pile is empty.",)
    desk.answer("STR R7")
    assert desk.answer(typed) == Reply(("The discard pile is empty.", "Type 0 to discard R7."))
    assert desk.prompt == "stone or 0 for STR R7> "
    assert desk.answer("0") == Reply(action=Send(Redeploy(card("STR"), card("R7"), None)))
    assert tactic_desk().answer("STR R7 0") == Reply(action=Send(Redeploy(card("STR"), card("R7"), None)))


def test_back_goes_one_part_back_each_time_and_nothing_is_sent() -> None:
    desk = tactic_desk()
    desk.answer("TRA Y9")
    assert desk.prompt == "stone for TRA Y9> "
    assert desk.answer("back").action is None
    assert desk.prompt == "card for TRA> "
    assert desk.answer("back").action is None
    assert desk.prompt == "card> "
    assert desk.answer("back").refused
    assert desk.answer("TRA Y9 1") == Reply(action=Send(Betray(card("TRA"), card("Y9"), StoneId(0))))


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("TRA SPY", "play TRA SPY is not possible: "),
        ("TRA Y9 5", "play TRA Y9 5 is not possible: this side of stone 5 has its 3 cards already."),
        ("STR R7 1", "play STR R7 1 is not possible: "),
        ("STR B8", "play STR B8 is not possible: "),
        ("BAN R7", "play BAN R7 is not possible: "),
    ],
)
def test_a_wrong_part_is_named_with_its_reason_and_what_would_do(typed: str, sentence: str) -> None:
    desk = tactic_desk()
    reply = desk.answer(typed)
    assert reply.refused
    assert reply.action is None
    assert reply.lines[0].startswith(sentence)
    would_do = {
        "TRA SPY": "play TRA can be followed by: B8 Y9.",
        "TRA Y9 5": "play TRA Y9 can be followed by: 1 2 3 4 6 7 8 9.",
        "STR R7 1": "play STR R7 can be followed by: 2 3 4 6 7 8 9 0 (discard).",
        "STR B8": "play STR can be followed by: R7 G5 R1 G3 B9.",
        "BAN R7": "play BAN can be followed by: B8 Y9 SPY.",
    }[typed]
    assert reply.lines[0].endswith(would_do)
    assert desk.prompt == "card> "


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("BAN 3", "'3' is a number: name the card by its face."),  # no list is before the player: it could be stone 3
        ("STR R7 x", "There is no stone 'x': they are numbered 1 to 9, and 0 is the discard pile."),
        ("STR R7 10", "There is no stone '10'"),
        ("STR Z9 4", "'Z9' is not a card"),
        ("STR R7 4 4", "'STR R7 4 4' cannot be read here."),
        ("REC 4", "'REC 4' cannot be read here."),
        ("8 4", "There is no card 8 in your hand: it has the numbers 1 to 7."),
    ],
)
def test_a_part_that_cannot_be_read_is_no_illegal_move(typed: str, sentence: str) -> None:
    desk = tactic_desk()
    reply = desk.answer(typed)
    assert reply.refused
    assert reply.action is None
    assert reply.lines[0].startswith(sentence)


def test_a_number_beyond_the_list_is_refused_and_the_list_stays() -> None:
    desk = tactic_desk()
    desk.answer("BAN")
    assert desk.answer("4").lines == ("There is no number 4 in the list: it goes from 1 to 3.",)
    assert desk.prompt == "card for BAN> "
    assert desk.answer("3") == Reply(action=Send(Desert(card("BAN"), card("SPY"))))


def two_jokers_of_bob() -> Desk:
    """One on his side of stone 1; R1 and then the other on his side of stone 4."""
    second = TACTIC.named("JOK")[1]
    two = position(
        {0: stone("", "JOK", rules=TACTIC), 3: stone("", "R1", rules=TACTIC).plus(YOU, second)},
        rules=TACTIC,
        hands=((1, 1), (7, 0)),
        pile=(20, 4),
    )
    return desk_at(two, "G2 BAN")


def test_of_two_cards_with_one_face_the_number_says_which() -> None:
    first, second = TACTIC.named("JOK")
    one = position({0: stone("", "JOK", rules=TACTIC)}, rules=TACTIC, hands=((1, 1), (7, 0)), pile=(20, 4))
    assert desk_at(one, "G2 BAN").answer("BAN JOK") == Reply(action=Send(Desert(card("BAN"), first)))
    desk = two_jokers_of_bob()
    desk.answer("BAN")
    assert desk.question()[1:] == ("  stone 1: 1 JOK", "  stone 4: 2 R1, 3 JOK")
    assert desk.answer("3") == Reply(action=Send(Desert(card("BAN"), second)))


@pytest.mark.parametrize(("typed", "which"), [("BAN JOK#1", 0), ("ban jok#2", 1), ("play 2 JOK#2", 1)])
def test_of_two_cards_with_one_face_either_can_be_typed_in_one_line(typed: str, which: int) -> None:
    assert two_jokers_of_bob().answer(typed) == Reply(action=Send(Desert(card("BAN"), TACTIC.named("JOK")[which])))


def test_which_of_two_cards_with_one_face_is_asked_and_the_answers_are_spelt_out() -> None:
    desk = two_jokers_of_bob()
    reply = desk.answer("BAN JOK")
    assert reply == Reply(("'JOK' lies in several places: type JOK#1 (stone 1) or JOK#2 (stone 4).",), refused=True)
    assert desk.answer("BAN JOK#3").refused
    assert desk.answer("BAN G2").lines[0].endswith("play BAN can be followed by: JOK#1 R1 JOK#2.")
    assert desk.answer("why BAN").lines == ("You can play BAN: play BAN can be followed by JOK#1 R1 JOK#2.",)
    desk.answer("BAN")
    assert "JOK#2     the second JOK of the list" in desk.answer("?").lines
    assert "The whole move in one line, as in: play BAN JOK#1" in desk.answer("?").lines
    assert desk.answer("JOK#2") == Reply(action=Send(Desert(card("BAN"), TACTIC.named("JOK")[1])))


def test_of_two_jokers_in_the_hand_either_number_plays_one() -> None:
    for typed in ("JOK 4", "2 4", "3 4"):
        action = tactic_desk("G2 JOK JOK").answer(typed).action
        assert isinstance(action, Send)
        assert isinstance(action.move, Play)
        assert action.move.card in TACTIC.named("JOK")


def test_cards_that_cannot_be_played_are_named_and_why_says_why() -> None:
    limit = Beside(tactics=(2, 1))
    desk = tactic_desk(beside=limit)
    assert desk.question()[1:] == ("Not playable now: JOK FOG REC STR BAN TRA; why JOK says why.",)
    (line,) = desk.answer("why BAN").lines
    assert line == (
        "You cannot play BAN now: you have played 2 tactic cards and bob 1: you may be one ahead, and you are."
    )
    assert desk.answer("BAN B8").lines[0].startswith("play BAN B8 is not possible: you have played 2 tactic cards")


def test_why_a_second_joker_stays_in_the_hand() -> None:
    desk = tactic_desk("G2 JOK", beside=Beside(jokers=(True, False)))
    (line,) = desk.answer("why JOK").lines
    assert line.startswith("You cannot play JOK now: this seat has laid a joker")
    assert desk.answer("why STR").lines == ("STR is not in your hand.",)
    assert desk.answer("why G2").lines == ("You can play G2: play G2 can be followed by 1 2 3 4 6 7 8 9.",)


def test_why_a_card_without_a_target_cannot_be_played() -> None:
    desk = desk_at(position({}, rules=TACTIC, hands=((1, 1), (7, 0)), pile=(20, 4)), "G2 BAN")
    (line,) = desk.answer("why BAN").lines
    assert line == "You cannot play BAN now: bob has no card that it may discard."
    assert desk.answer("BAN").refused


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("draw clan", "draw clan is not possible: nothing is drawn now: cards are drawn at the end of the turn."),
        ("draw 1", "draw clan is not possible: nothing is drawn now: cards are drawn at the end of the turn."),
        ("draw clan tactic", "'draw clan tactic' cannot be read here."),
        ("draw siege", "'siege' is none of clan, tactic."),
    ],
)
def test_a_draw_where_none_is_open_is_refused_with_the_rule(typed: str, why: str) -> None:
    reply = tactic_desk().answer(typed)
    assert reply.refused
    assert reply.lines[0].startswith(why)


def test_a_card_that_is_half_played_may_be_typed_again_from_its_beginning() -> None:
    desk = tactic_desk()
    desk.answer("TRA")
    assert desk.prompt == "card for TRA> "
    assert desk.answer("TRA Y9 1") == Reply(action=Send(Betray(card("TRA"), card("Y9"), StoneId(0))))


def test_help_shows_the_whole_move_of_the_card_in_question() -> None:
    desk = tactic_desk()
    desk.answer("TRA")
    whole = next(line for line in desk.answer("?").lines if line.startswith("The whole move in one line"))
    typed = whole.split(": ")[1]
    assert typed.startswith("play TRA ")
    assert isinstance(tactic_desk().answer(typed).action, Send)


@pytest.mark.parametrize("typed", ["what STR", "? STR", "?STR", "help str", "what 5", "what strategist"])
def test_what_a_card_does_is_told_at_the_prompt(typed: str) -> None:
    (first, *_more, last) = tactic_desk().answer(typed).lines
    assert first.startswith("STR (Strategist): take a card, clan or tactic, of your own")
    assert last == "You type: play STR CARD STONE or play STR CARD discard."


def test_the_word_rules_says_where_they_are() -> None:
    assert tactic_desk().answer("rules").lines == ("All the rules: schotten rules tactic, in another window.",)


def test_what_needs_a_card() -> None:
    assert tactic_desk().answer("what Blind-Man's Bluff").lines == tactic_desk().answer("what FOG").lines
    assert tactic_desk().answer("what Z1").lines[0].startswith("'Z1' is not a card")
    assert tactic_desk().answer("what").lines == ("what takes one card: type what R7.",)
