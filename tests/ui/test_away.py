"""Silence, a cut, a clock that ran out, a win by absence: what a player hears word for word, and a program reads."""

from __future__ import annotations

import pytest

from p2p_schotten.engine.move import Play
from p2p_schotten.engine.rulesets import BASE
from p2p_schotten.engine.view import Memory, View
from p2p_schotten.ids import Seat, StoneId
from p2p_schotten.ui.desk import Send
from p2p_schotten.ui.json_front import describe
from p2p_schotten.ui.notice import Away, Reconnecting, Recorded, Resumed, Returned, Silent, TimeShort, TimeUp
from p2p_schotten.ui.sentences import tell
from p2p_schotten.ui.voice import Voice
from tests.engine.positions import ME, YOU, cards, position
from tests.ui.test_fronts import Drawn, plain_front
from tests.ui.views import VIEW

ANN = Voice(ME, ("ann", "bob"))
ONLY_RECORDED = "It is recorded only, not proved: no file shows who was away, and the transcript stays unfinished."
SENTENCES: tuple[tuple[Away, tuple[str, ...]], ...] = (
    (Silent(10.2), ("bob has been silent for 10 s, he may come back.",)),
    (Returned(), ("bob is back.",)),
    (
        Reconnecting("connection reset"),
        (
            "Connection reset.",
            "Trying to reach him again; the game is saved. Type quit to leave.",
        ),
    ),
    (Resumed(57), ("bob is there again: the game goes on after 57 records.",)),
    (TimeShort(10), ("10 seconds are left for your turn.",)),
    (TimeShort(1), ("1 second is left for your turn.",)),
    (
        TimeUp(ME, 60),
        ("Your 60 s for this turn are over. You may still move, but bob may record a win by absence.",),
    ),
    (
        TimeUp(YOU, 60),
        (
            "The 60 s of bob for this turn are over.",
            "Type wait to go on waiting, adjourn to leave and resume later, or record for a win by absence.",
        ),
    ),
    (
        Recorded(ME, 57, None),
        (
            "You have recorded a win by absence after 57 records: bob kept you waiting.",
            "bob has not answered yet; he is told when he can be reached.",
            ONLY_RECORDED,
        ),
    ),
    (
        Recorded(YOU, 57, True),
        (
            "bob has recorded a win by absence after 57 records: you kept him waiting.",
            "Your own clock says so too: you have recorded the same.",
            ONLY_RECORDED,
        ),
    ),
    (
        Recorded(ME, 57, True),
        (
            "You have recorded a win by absence after 57 records: bob kept you waiting.",
            "bob agrees.",
            ONLY_RECORDED,
        ),
    ),
    (
        Recorded(ME, 57, False, "bob measured 12 s"),
        (
            "You have recorded a win by absence after 57 records: bob kept you waiting.",
            "The two sides differ: bob measured 12 s. The game goes on.",
            ONLY_RECORDED,
        ),
    ),
)


@pytest.mark.parametrize(("notice", "lines"), SENTENCES, ids=lambda value: type(value).__name__)
def test_each_notice_says_what_happened_and_what_may_be_typed(notice: Away, lines: tuple[str, ...]) -> None:
    assert tell(ANN, None, notice) == lines


def test_he_who_has_no_name_yet_is_the_other_player() -> None:
    nobody = Voice(None, ("", ""))
    assert tell(nobody, None, Returned()) == ("The other player is back.",)
    assert tell(nobody, None, Reconnecting("cut"))[0] == "Cut."


@pytest.mark.parametrize(
    ("notice", "kind", "fields"),
    [
        (Silent(10.04), "silent", {"seconds": 10.0}),
        (Returned(), "returned", {}),
        (Reconnecting("cut"), "reconnecting", {"why": "cut"}),
        (Resumed(57), "resumed", {"records": 57}),
        (TimeShort(10), "time short", {"seconds": 10}),
        (TimeUp(YOU, 60), "time up", {"seat": 1, "seconds": 60}),
        (Recorded(ME, 57, None), "recorded", {"by": 0, "record": 57, "agreed": None, "why": ""}),
        (Recorded(YOU, 57, False, "no"), "recorded", {"by": 1, "record": 57, "agreed": False, "why": "no"}),
    ],
)
def test_the_same_in_json(notice: Away, kind: str, fields: dict[str, object]) -> None:
    assert describe(notice, None) == (kind, fields)


def test_while_the_connection_is_gone_no_question_is_open() -> None:
    front, out = plain_front(terminal=True)
    front.ask(VIEW, VIEW.choices())
    front.tell(Reconnecting("cut"), VIEW)
    assert out.getvalue().endswith("Type quit to leave.\n")  # no prompt below it
    assert front.answer("2 4") is None
    front.ask(VIEW, VIEW.choices())
    assert front.answer("2 4") == Send(Play(BASE.card("G5"), StoneId(3)))


def test_after_a_cut_the_board_is_drawn_and_the_other_is_waited_for_again() -> None:
    drawing = Drawn()
    front, out = plain_front(terminal=True, drawing=drawing, waits=True)
    theirs = View(ME, position({}, to_move=YOU), cards("R2 G5 B1 Y9 P9 N6"), Memory())
    for _time in range(2):
        front.tell(Reconnecting("cut"), theirs)
        front.tell(Resumed(57), theirs)
    assert drawing.asked == ["board", "board"]
    assert out.getvalue().count("the game goes on after 57 records.\nWaiting for bob.\n") == 2


def test_after_a_cut_my_own_question_draws_the_board_once() -> None:
    drawing = Drawn()
    front, out = plain_front(terminal=True, drawing=drawing, waits=True)
    front.tell(Resumed(57), VIEW)
    assert drawing.asked == []
    front.ask(VIEW, VIEW.choices())
    assert drawing.asked == ["board"]
    assert "Waiting" not in out.getvalue()


@pytest.mark.parametrize("seat", [Seat(0), Seat(1)])
def test_a_looker_on_hears_who_ran_out_of_time(seat: Seat) -> None:
    name = ("ann", "bob")[seat]
    assert tell(Voice(None, ("ann", "bob")), None, TimeUp(seat, 60))[0] == f"The 60 s of {name} for this turn are over."
