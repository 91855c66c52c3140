"""While the other is waited for: what may be typed, what is asked once, what is refused and why."""

from __future__ import annotations

import pytest

from p2p_schotten.engine.view import Memory, View
from p2p_schotten.ui.desk import Desk, Leave, Record, Reply
from p2p_schotten.ui.notice import Reconnecting, Resumed, Returned, Silent, TimeUp
from p2p_schotten.ui.voice import Voice
from tests.engine.positions import ME, YOU, cards, position, stone
from tests.ui.desks import HAND, at_play, desk_at
from tests.ui.test_fronts import plain_front

REFUSED = Reply(
    ("No time is up. A win by absence can be recorded when bob has been away for longer than agreed.",), refused=True
)
QUESTION = "Record a win by absence? It proves nothing, and bob may see it differently. Type yes or no."


def waiting(*, sure: bool = True) -> Desk:
    """It is bob's turn."""
    return desk_at(position({0: stone("R7", "")}, to_move=YOU), asked=False, sure=sure)


def late(*, sure: bool = True) -> Desk:
    """And his time is up."""
    desk = waiting(sure=sure)
    desk.time(TimeUp(YOU, 60))
    return desk


def test_a_win_is_recorded_after_one_question() -> None:
    desk = late()
    assert desk.answer("record") == Reply((QUESTION,))
    assert desk.prompt == "record? yes or no> "
    assert desk.asked
    assert desk.answer("yes") == Reply(action=Record())
    assert not desk.asked


def test_a_program_is_not_asked_whether_it_means_it() -> None:
    assert late(sure=False).answer("record") == Reply(action=Record())


def test_before_the_time_is_up_nothing_can_be_recorded() -> None:
    assert waiting().answer("record") == REFUSED
    assert at_play().answer("record") == REFUSED
    desk = waiting()
    for notice in (Silent(10.0), Returned(), Reconnecting("cut"), TimeUp(ME, 60)):
        desk.time(notice)
        assert desk.answer("record") == REFUSED


def test_whatever_else_is_typed_when_his_time_is_up_the_choices_are_repeated() -> None:
    choices = "bob's time is up. Type wait to go on waiting, adjourn to leave and resume later, or record for a win by"
    for typed in ("blah", "2 4", "play 2 4"):
        assert choices in late().answer(typed).lines[0]
        assert choices not in waiting().answer(typed).lines[0]


def test_his_move_or_his_return_ends_the_wait_and_the_question() -> None:
    desk = late()
    desk.answer("record")
    desk.see(View(ME, position({0: stone("R7", "B1")}), cards(HAND), Memory()))
    assert desk.answer("yes").action is None
    assert desk.answer("record") == REFUSED
    desk = late()
    desk.answer("record")
    desk.time(Resumed(57))
    assert desk.answer("yes").action is None
    assert desk.answer("record") == REFUSED


def test_who_has_played_too_late_and_may_claim_is_late_still() -> None:
    desk = late()
    desk.answer("record")
    desk.see(View(ME, position({0: stone("R7", "B1")}, to_move=YOU), cards(HAND), Memory()))
    assert not desk.asked, "the question was about another position"
    assert desk.answer("record") == Reply((QUESTION,))


def test_he_who_is_gone_can_run_out_of_time_while_nobody_is_asked_anything() -> None:
    desk = at_play()
    desk.close()
    desk.time(Reconnecting("cut"))
    desk.time(TimeUp(YOU, 60))
    assert desk.answer("record") == Reply(action=Record())
    nobody = Desk(Voice(ME, ("ann", "bob")), sure=True)  # before the deal
    nobody.time(TimeUp(YOU, 60))
    assert nobody.answer("record") == Reply((QUESTION,))


@pytest.mark.parametrize("typed", ["no", "n", "wait", "No"])
def test_who_does_not_mean_it_goes_on_waiting_and_may_ask_again(typed: str) -> None:
    desk = late()
    desk.answer("record")
    assert desk.answer(typed) == Reply(("You go on waiting for bob.",))
    assert desk.answer("record") == Reply((QUESTION,))


@pytest.mark.parametrize("typed", ["", "2 4", "record", "yes please", "resign"])
def test_what_is_neither_yes_nor_no_is_asked_again(typed: str) -> None:
    desk = late()
    desk.answer("record")
    assert desk.answer(typed) == Reply(
        ("Type yes to record the win or no to go on waiting; ? says more.",), refused=True
    )
    assert desk.prompt == "record? yes or no> "
    assert desk.answer("yes") == Reply(action=Record())


def test_help_at_the_question_says_what_is_proved() -> None:
    desk = late()
    desk.answer("record")
    lines = desk.answer("?").lines
    assert [line.split()[0] for line in lines] == ["yes", "no", "Nobody", "if", "quit"]
    assert "stays unfinished" in " ".join(lines)
    assert desk.answer("adjourn") == Reply(action=Leave())


def test_who_adjourns_leaves_without_a_question() -> None:
    assert waiting().answer("adjourn") == Reply(action=Leave())
    assert at_play().answer("adj") == Reply(action=Leave())


def test_only_the_other_is_waited_for() -> None:
    assert waiting().answer("wait") == Reply(("You go on waiting for bob.",))
    assert at_play().answer("wait") == Reply(("It is your own decision: nobody else is waited for.",), refused=True)


@pytest.mark.parametrize("typed", ["wait long", "record it", "adjourn please"])
def test_the_words_stand_alone(typed: str) -> None:
    word = typed.split()[0]
    assert late().answer(typed) == Reply((f"{word} stands alone, without more words: type {word}.",), refused=True)


def test_help_offers_the_words_while_the_other_is_waited_for_and_resigning_else() -> None:
    first = [line.split()[0] for line in waiting().answer("?").lines]
    assert {"wait", "record"} < set(first)
    assert "resign" not in first
    first = [line.split()[0] for line in at_play().answer("?").lines]
    assert "resign" in first
    assert not {"wait", "record"} & set(first)


def test_on_a_terminal_the_question_is_a_prompt() -> None:
    front, out = plain_front(terminal=True)
    front.tell(TimeUp(YOU, 60), View(ME, position({}, to_move=YOU), cards(HAND), Memory()))
    assert front.answer("record") is None
    assert out.getvalue().endswith("\nrecord? yes or no> ")
    assert front.answer("yes") == Record()
