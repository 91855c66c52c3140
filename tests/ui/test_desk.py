"""What a typed line means as a move: every form of it, and three kinds of refusal."""

from __future__ import annotations

import pytest

from p2p_schotten.engine.move import Claim, Done, Move
from p2p_schotten.engine.notation import move_text
from p2p_schotten.engine.rulesets import BASE
from p2p_schotten.ids import StoneId
from p2p_schotten.ui.desk import Reply, Send
from tests.engine.positions import YOU, position, stone
from tests.ui.desks import at_claim, at_play, desk_at, play


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("play 2 4", play("G5", 4)),
        ("2 4", play("G5", 4)),
        ("  PLAY   2   4 ", play("G5", 4)),
        ("pl 2 4", play("G5", 4)),
        ("g5 4", play("G5", 4)),
        ("G5 9", play("G5", 9)),
        ("play n6 1", play("N6", 1)),
        ("6 1", play("N6", 1)),
    ],
)
def test_a_card_goes_to_a_stone_by_number_or_by_face(typed: str, move: Send) -> None:
    assert at_play().answer(typed) == Reply(action=move)


@pytest.mark.parametrize("typed", ["2", "G5", "g5", "g", "play 2", "play G5"])
def test_a_card_alone_asks_for_its_stone_and_nothing_is_sent(typed: str) -> None:
    desk = at_play()
    reply = desk.answer(typed)
    assert reply.action is None
    assert reply.lines == ("G5 on which stone? 1 4 5 6 7 8 9. back takes one step back.",)
    assert desk.prompt == "stone for G5> "
    assert desk.answer("4") == Reply(action=play("G5", 4))


@pytest.mark.parametrize("typed", ["back", "undo"])
def test_a_card_is_taken_back_before_its_stone_is_named(typed: str) -> None:
    desk = at_play()
    desk.answer("2")
    desk.answer(typed)
    assert desk.prompt == "card> "
    assert desk.answer("4").lines[0].startswith("Y9 on which stone?")
    assert at_play().answer(typed).refused


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("R3 4", "play R3 4 is not possible: R3 is not in your hand."),
        ("2 2", "play G5 2 is not possible: this side of stone 2 has its 3 cards already."),
        ("2 3", "play G5 3 is not possible: stone 3 is claimed: it takes no more cards."),
        ("R9 4", "play R9 4 is not possible: R9 lies open already."),
        ("claim 1", "claim 1 is not possible: "),
        ("done", "done is not possible: a card must be laid first."),
        ("pass", "pass is not possible: passing is not allowed"),
    ],
)
def test_an_illegal_move_is_named_with_its_reason_and_what_would_do(typed: str, sentence: str) -> None:
    would_do = "Stones with room: 1 4 5 6 7 8 9; type a card and a stone, as in play 2 4."
    if sentence.startswith("play G5"):  # the card would do, only the stone is wrong
        would_do = "play G5 can be followed by: 1 4 5 6 7 8 9."
    desk = at_play()
    reply = desk.answer(typed)
    assert reply.refused
    assert reply.action is None
    assert reply.lines[0].startswith(sentence)
    assert reply.lines[0].endswith(would_do)
    assert desk.answer("2 4") == Reply(action=play("G5", 4))


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("foo", "'foo' cannot be read here."),
        ("play 2 4 5", "'play 2 4 5' cannot be read here."),
        ("2 4 6 8", "'2 4 6 8' cannot be read here."),
        ("7 4", "There is no card 7 in your hand: it has the numbers 1 to 6."),
        ("0", "There is no card 0 in your hand"),
        ("2 10", "There is no stone '10': they are numbered 1 to 9."),
        ("2 x", "There is no stone 'x'"),
        ("play Z9 4", "'Z9' is not a card"),
        ("-1 4", "'-1 4' cannot be read here."),
        ("²", "There is no card ² in your hand"),
        ("last x", "last takes a number: 'x' is none."),
        ("why", "why needs one stone or card: type why 3."),
        ("say", "say needs a text: type say hello."),
        ("quit now", "quit stands alone"),
        ("\x1b[31mred", "'?[31mred' cannot be read here."),
        ("x" * 5000, "'" + "x" * 40 + "' cannot be read here."),
    ],
)
def test_an_unreadable_line_is_no_illegal_move(typed: str, sentence: str) -> None:
    reply = at_play().answer(typed)
    assert reply.refused
    assert reply.action is None
    assert reply.lines[0].startswith(sentence)


@pytest.mark.parametrize(
    ("typed", "fits"),
    [("wh", "why, what"), ("b", "back, board, B1"), ("p", "play, P9"), ("h", "hand, help")],
)
def test_a_line_that_fits_several_things_names_them(typed: str, fits: str) -> None:
    reply = at_play().answer(typed)
    assert reply.lines == (f"'{typed}' fits several: {fits}. Type more letters of the one you mean.",)
    assert reply.refused


def test_undo_is_the_same_as_back_and_takes_no_letters_from_unseen() -> None:
    desk = at_play()
    assert desk.answer("u") == desk.answer("unseen")
    assert not desk.answer("2").refused
    assert not desk.answer("undo").refused
    assert desk.prompt == "card> "


def test_claimable_stones_are_offered_with_their_numbers() -> None:
    assert at_claim().question() == (
        "You may claim:",
        "  4  claim stone 4 (colour run 24)",
        "  6  claim stone 6 (colour run 12)",
        "  0  go on without claiming",
    )


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("4", Claim(StoneId(3))),
        ("claim 6", Claim(StoneId(5))),
        ("cl 4", Claim(StoneId(3))),
        ("0", Done()),
        ("done", Done()),
        ("do", Done()),
        ("no", Done()),
        ("N", Done()),
    ],
)
def test_a_claim_is_typed_as_a_number_or_in_words(typed: str, move: Move) -> None:
    assert at_claim().answer(typed) == Reply(action=Send(move))


def test_a_claim_that_is_not_proven_is_refused_with_the_cards_that_could_beat_it() -> None:
    desk = at_claim()
    reply = desk.answer("claim 5")
    assert reply.refused
    # Three sevens lose to any colour run: the best that the empty side may still become of unseen cards.
    assert reply.lines[0].startswith("claim 5 is not possible: bob may still make colour run 24 with ")
    assert reply.lines[0].endswith("You can claim 4 6: type claim and the number, or done.")


def test_a_card_alone_where_a_claim_is_asked_is_refused_without_a_stone() -> None:
    (line,) = at_claim().answer("N6").lines
    assert line.startswith("play N6 is not possible: a card was laid already. You can claim 4 6")


@pytest.mark.parametrize("typed", ["\u00b2", "\u0663", "\u2460", "1" * 5000, "10", "claim \u00b2"])
def test_a_number_that_is_no_stone_is_refused_where_a_claim_is_asked(typed: str) -> None:
    reply = at_claim().answer(typed)
    assert reply.refused
    assert reply.action is None


@pytest.mark.parametrize("typed", ["0", "00", "0" * 5000])
def test_zero_goes_on_without_claiming(typed: str) -> None:
    assert at_claim().answer(typed) == Reply(action=Send(Done()))


@pytest.mark.parametrize("typed", ["2 4", "claim 4", "done", "resign", "R2 1", "4"])
def test_a_move_out_of_turn_has_to_wait(typed: str) -> None:
    desk = desk_at(position({0: stone("R7", "")}, to_move=YOU), asked=False)
    reply = desk.answer(typed)
    assert reply.refused
    assert reply.action is None
    assert "it is bob's turn" in reply.lines[0]
    assert desk.answer("unseen").lines


def test_every_legal_move_can_be_typed() -> None:
    for desk in (at_play(), at_claim()):
        for move in desk.choices:
            assert desk.answer(move_text(BASE, move)) == Reply(action=Send(move))
