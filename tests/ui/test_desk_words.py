"""What a typed line means that is no move: questions about the table, help, talk, and second thoughts."""

from __future__ import annotations

import sys

import pytest

from p2p_schotten.engine.move import Resign
from p2p_schotten.engine.rules import apply
from p2p_schotten.engine.view import Memory, View
from p2p_schotten.ui.desk import Board, Desk, Leave, Reply, Say, Send
from p2p_schotten.ui.voice import Voice
from tests.engine.positions import ME, YOU, cards, position, stone
from tests.ui.desks import HAND, at_claim, at_play, desk_at, play


def test_why_names_the_cards_that_beat_a_claim() -> None:
    desk = desk_at(position({4: stone("R1 R2 R3", "B2 B3")}, seen="G9"))
    (line,) = desk.answer("why 5").lines
    assert line == ("You cannot claim stone 5: bob may still make colour run 9 with B4. Cards that beat it: B4.")
    (line,) = desk.answer("why 1").lines
    assert line == "You cannot claim stone 1: your side has 0 of 3 cards."


def test_why_marks_the_cards_of_the_own_hand_and_names_the_owner_of_a_stone() -> None:
    desk = desk_at(position({4: stone("R1 R2 R3", "B2 B3"), 5: stone("", "", owner=YOU)}, seen="G9"), "B4 N6")
    assert desk.answer("why 5").lines[0].endswith("beat it: B4. In your hand, where it proves nothing: B4.")
    assert desk.answer("why 6").lines == ("You cannot claim stone 6: it is bob's already.",)


@pytest.mark.parametrize("asked", [True, False])
def test_leaving_a_running_game_is_asked_once_where_somebody_sits(asked: bool) -> None:
    state = position({0: stone("R7", "")}, to_move=ME if asked else YOU)
    desk = desk_at(state, asked=asked, sure=True)
    reply = desk.answer("quit")
    assert reply.action is None
    assert "schotten resume takes it up" in reply.lines[0]
    assert desk.prompt == "leave? yes or no> "
    assert desk.answer("2 4").refused
    desk.see(View(ME, position({0: stone("R7", "B1")}), cards(HAND), Memory()))  # bob plays meanwhile
    assert desk.prompt == "leave? yes or no> "
    assert desk.answer("no").lines[0] == "You go on playing."
    assert desk.prompt == ""  # the new position brings its own question
    desk.answer("quit")
    assert desk.answer("yes") == Reply(action=Leave())


def test_leaving_instead_of_resigning_is_asked_too() -> None:
    desk = desk_at(position({}), sure=True)
    desk.answer("resign")
    assert desk.answer("quit").action is None
    assert desk.prompt == "leave? yes or no> "


def test_nobody_is_asked_before_the_deal_or_after_the_end() -> None:
    assert Desk(Voice(ME, ("ann", "bob")), sure=True).answer("quit") == Reply(action=Leave())
    over = apply(position({}), Resign()).state
    assert desk_at(over, asked=False, sure=True).answer("quit") == Reply(action=Leave())


def test_help_and_the_refusal_while_waiting_offer_only_what_works() -> None:
    desk = desk_at(position({0: stone("R7", "")}, to_move=YOU), asked=False)
    assert not any(line.startswith(("resign", "play", "2 ")) for line in desk.answer("?").lines)
    (line,) = desk.answer("2 4").lines
    words = line.rpartition("there are ")[2].rstrip(".").split(", ")
    assert len(words) == 8
    for word in words:
        assert not desk.answer("say hello" if word == "say" else word).refused
    undealt = Desk(Voice(ME, ("ann", "bob"))).answer("?").lines
    assert [text.split()[0] for text in undealt] == ["last", "say", "wait", "record", "quit", "The"]


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal there has no such key")
def test_only_at_a_terminal_a_key_shows_a_half_typed_line_again() -> None:
    line = "Ctrl-R    show again what you have half typed"
    assert desk_at(position({}), sure=True).answer("?").lines[-1] == line
    assert line not in desk_at(position({})).answer("?").lines


def test_unseen_names_a_colour_without_a_card_left() -> None:
    desk = desk_at(position({}, seen="R1 R2 R3 R4 R5 R6 R7 R8 R9"), "G1")
    assert desk.answer("unseen").lines[1] == "  R -"


def test_why_says_so_when_the_stone_can_be_claimed() -> None:
    (line,) = at_claim().answer("why 4").lines
    assert line.startswith("You can claim stone 4: ")


def test_resigning_is_asked_once() -> None:
    desk = at_play()
    first = desk.answer("resign")
    assert first.action is None
    assert first.lines == ("Resign? bob gets 5 points, you get 0. Type yes to resign, no to go on.",)
    assert desk.prompt == "resign? yes or no> "


@pytest.mark.parametrize("typed", ["yes", "y", " Y ", "YES"])
def test_yes_resigns(typed: str) -> None:
    desk = at_play()
    desk.answer("resign")
    assert desk.answer(typed) == Reply(action=Send(Resign()))


@pytest.mark.parametrize("typed", ["no", "n", "No"])
def test_no_goes_on_with_the_game(typed: str) -> None:
    desk = at_play()
    desk.answer("resign")
    reply = desk.answer(typed)
    assert reply.action is None
    assert reply.lines[0] == "You go on playing."
    assert desk.answer("2 4") == Reply(action=play("G5", 4))


@pytest.mark.parametrize("typed", ["", "2 4", "resign", "yes please", "ja", "\u0660"])
def test_what_is_neither_yes_nor_no_is_asked_again(typed: str) -> None:
    desk = at_play()
    desk.answer("resign")
    assert desk.answer(typed) == Reply(("Type yes to resign or no to go on playing; ? says more.",), refused=True)
    assert desk.prompt == "resign? yes or no> "
    assert desk.answer("yes") == Reply(action=Send(Resign()))


@pytest.mark.parametrize("typed", ["?", "help"])
def test_help_at_the_question_about_resigning_is_about_resigning(typed: str) -> None:
    desk = at_play()
    desk.answer("resign")
    reply = desk.answer(typed)
    assert [line.split()[0] for line in reply.lines] == ["yes", "no", "quit"]
    assert desk.prompt == "resign? yes or no> "
    assert desk.answer("quit") == Reply(action=Leave())


def test_help_says_that_a_game_that_is_left_is_not_lost() -> None:
    (line,) = (line for line in at_play().answer("?").lines if line.startswith("quit"))
    assert line == "quit      leave; the game is saved, and schotten resume takes it up"


def test_chat_keeps_its_words_and_refuses_control_characters() -> None:
    desk = at_play()
    assert desk.answer("say  Hello  Bob,  2 4 ?") == Reply(action=Say("Hello  Bob,  2 4 ?"))
    assert desk.answer("say \x1b[2J").refused
    assert desk.answer("say " + "x" * 501).refused


def test_questions_about_the_table_are_answered_on_the_spot() -> None:
    desk = at_play()
    assert desk.answer("board") == Reply(action=Board())
    assert desk.answer("quit") == Reply(action=Leave())
    assert desk.answer("q") == Reply(action=Leave())
    assert desk.answer("hand").lines == ("Your hand: 1 R2, 2 G5, 3 B1, 4 Y9, 5 P9, 6 N6.",)
    assert desk.answer("discard").lines == ("The discard pile is empty.",)
    assert desk.answer("last").lines == ("Nothing has happened since you sat down.",)
    desk.log.extend(f"sentence {n}" for n in range(20))
    assert desk.answer("last").lines == tuple(f"sentence {n}" for n in range(14, 20))
    assert desk.answer("last 2").lines == ("sentence 18", "sentence 19")
    assert desk.answer("") == Reply()


def test_unseen_lists_each_clan_and_marks_the_own_hand() -> None:
    lines = at_play().answer("unseen").lines
    # 54 cards less R9, Y1 P2 N4, R1, B7 B8 B9 on the table
    assert lines[0].startswith("46 cards are unseen")
    assert lines[1:] == (
        "  (R2) R3 R4 R5 R6 R7 R8",
        "  G1 G2 G3 G4 (G5) G6 G7 G8 G9",
        "  (B1) B2 B3 B4 B5 B6",
        "  Y2 Y3 Y4 Y5 Y6 Y7 Y8 (Y9)",
        "  P1 P3 P4 P5 P6 P7 P8 (P9)",
        "  N1 N2 N3 N5 (N6) N7 N8 N9",
    )


def test_the_discard_pile_is_shown_in_the_order_in_which_it_grew() -> None:
    desk = desk_at(position({0: stone("R7", "")}, discard="N9 G2"))
    assert desk.answer("discard").lines == ("Discard pile: N9 G2.",)


def test_help_fits_the_prompt() -> None:
    desk = at_play()
    assert desk.answer("?").lines[0].startswith("2         choose card 2")
    desk.answer("2")
    assert desk.answer("help").lines[1].startswith("back      take the last step back")
    assert at_claim().answer("?").lines[0].startswith("claim 4   claim stone 4 (or just 4)")


def test_before_the_deal_only_talk_and_leaving_are_possible() -> None:
    desk = Desk(Voice(ME, ("ann", "bob")))
    for typed in ("board", "hand", "2 4", "why 3", "unseen", "resign", "discard"):
        assert desk.answer(typed).lines[0].startswith("The cards are not dealt yet")
    assert desk.answer("say hi") == Reply(action=Say("hi"))
    assert desk.answer("quit") == Reply(action=Leave())
    assert desk.answer("?").lines
