"""Around the board a player sees which game of a match it is, and how long the turn may last yet."""

from __future__ import annotations

import io

import pytest

from p2p_schotten.engine import step
from p2p_schotten.engine.move import Resign
from p2p_schotten.engine.rules import apply
from p2p_schotten.engine.rulesets import BASE
from p2p_schotten.engine.view import Memory, View
from p2p_schotten.ids import Seat
from p2p_schotten.match import Form, Free, Roles, Rounds, Target, new_match
from p2p_schotten.protocol import events
from p2p_schotten.protocol.messages import Options
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.ui.around import Around, around, clock_text
from p2p_schotten.ui.matches import game_text
from p2p_schotten.ui.notice import Chatted
from p2p_schotten.ui.plain import PlainFront
from p2p_schotten.ui.render import board, plain, scene, turn_text
from tests.engine.positions import ME, YOU, cards, position
from tests.protocol.courses import new_pair
from tests.ui.views import STATE, VIEW

SECONDS = {ME: 41, YOU: 52}


def left(seat: Seat) -> int | None:
    """As of a clock that runs."""
    return SECONDS[seat]


SECOND = Around("game 2 of 3", left)
WAITING = View(ME, position({}, to_move=YOU), cards("R2 G5 B1 Y9 P9 N6"), Memory())


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0:00"), (9, "0:09"), (41, "0:41"), (60, "1:00"), (3599, "59:59"), (86400, "24:00:00")]
)
def test_a_time_is_written_in_minutes_and_seconds(seconds: int, text: str) -> None:
    assert clock_text(seconds) == text


@pytest.mark.parametrize(
    ("form", "number", "text"),
    [
        (Rounds(3), 1, "game 1 of 3"),
        (Rounds(3), 2, "game 2 of 3"),
        (Rounds(1), 1, ""),
        (Roles(), 2, "game 2 of 2"),
        (Target(15), 4, "game 4, to 15 points"),
        (Free(), 1, ""),
        (Free(), 2, "game 2"),
    ],
)
def test_which_game_of_a_match_it_is(form: Form, number: int, text: str) -> None:
    assert game_text(form, number) == text


@pytest.mark.parametrize(("form", "text"), [("rounds 3", "game 1 of 3"), ("", ""), ("best of 3", "")])
def test_two_hellos_say_which_game_of_a_match_it_is(form: str, text: str) -> None:
    match = new_match(Rounds(3) if form else Free(), bytes)
    pair = new_pair(1, Peer, rules=BASE, options=Options(ME, form, 60), match=match)
    for _record in range(2):
        pair.hand_over()
    assert around(pair.peers[0].session, left) == Around(text, left)


@pytest.mark.parametrize("columns", [40, 60, 80, 100])
def test_the_header_says_both_at_every_width(columns: int) -> None:
    drawn = plain(board(scene(VIEW, ("ann", "bob"), SECOND), columns))
    assert "game 2 of 3" in drawn
    assert "your turn 0:41" in drawn
    assert all(len(line) <= columns for line in drawn.splitlines())


def test_the_time_is_that_of_whoever_is_to_choose() -> None:
    assert turn_text(scene(WAITING, ("ann", "bob"), SECOND)) == "bob's turn 0:52"
    assert turn_text(scene(WAITING, ("ann", "bob"))) == "bob's turn"


def test_a_game_that_is_over_has_no_time() -> None:
    over = View(ME, apply(STATE, Resign()).state, (), Memory())
    assert turn_text(scene(over, ("ann", "bob"), SECOND)) == "over"


def front(around: Around, *, waits: bool = False) -> tuple[PlainFront, io.StringIO]:
    out = io.StringIO()
    made = PlainFront(out, io.StringIO(), terminal=True, waits=waits)
    made.meet(0, ("ann", "bob"), around)
    return made, out


def test_each_prompt_of_my_turn_begins_with_the_time_that_is_left_then(monkeypatch: pytest.MonkeyPatch) -> None:
    made, out = front(SECOND)
    made.ask(VIEW, VIEW.choices())
    assert out.getvalue().endswith("\n\a0:41 card> ")
    monkeypatch.setitem(SECONDS, ME, 30)
    made.tell(Chatted(YOU, "hello"), VIEW)
    assert out.getvalue().endswith("\nbob says: hello\n0:30 card> ")


def test_a_question_that_is_no_decision_has_no_time() -> None:
    made, out = front(SECOND)
    made.tell(events.Happened(step.Drew(ME, VIEW.state.rules.decks[0].cards[0].deck), WAITING.state), WAITING)
    made.answer("quit")
    assert out.getvalue().endswith("leave? yes or no> ")
    assert "0:41" not in out.getvalue()


def test_who_waits_is_told_how_long_it_may_last() -> None:
    made, out = front(SECOND, waits=True)
    made.tell(events.Took(cards("R2")), WAITING)
    assert "Waiting for bob; 0:52 left.\n" in out.getvalue()


def test_the_table_in_sentences_says_whose_turn_lasts_how_long_yet() -> None:
    made, out = front(SECOND)
    made.ask(VIEW, VIEW.choices())
    made.answer("board")
    assert "\nYour turn, 0:41 left.\n" in out.getvalue()
    made.tell(Chatted(YOU, "hello"), WAITING)
    made.answer("board")
    assert "\nbob's turn, 0:52 left.\n" in out.getvalue()


def test_at_its_beginning_a_game_of_a_match_says_which_it_is() -> None:
    for known, first in ((SECOND, "This is game 2 of 3.\n"), (Around(), "")):
        made, out = front(known)
        made.tell(events.Happened(step.Dealt(6, ME), STATE), VIEW)
        assert out.getvalue() == f"{first}Each player holds 6 cards. You begin.\n"
