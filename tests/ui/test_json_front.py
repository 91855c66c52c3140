"""The JSON front end, fed with events and lines: what a program reads and what it may answer."""

from __future__ import annotations

import io
import json
from pathlib import Path

from p2p_schotten.engine import step
from p2p_schotten.engine.rulesets import BASE
from p2p_schotten.ids import StoneId
from p2p_schotten.protocol import events
from p2p_schotten.ui.desk import Leave
from p2p_schotten.ui.json_front import JsonFront
from p2p_schotten.ui.notice import Chatted, Happening, Introduced, Invited, Lost, Saved, Settled, TurnedAway
from tests.engine.positions import ME, YOU, cards
from tests.ui.views import STATE, VIEW

EVERY: tuple[tuple[Happening, str], ...] = (
    (events.Offered("bob", bytes(32), BASE), "offered"),
    (events.Met("bob", bytes(32), bytes(32)), "met"),
    (events.Took(cards("R7")), "took"),
    (events.YourTurn(STATE), "turn"),
    (events.Sealed(YOU), "sealed"),
    (events.Revealed(YOU), "revealed"),
    (events.Finished(), "finished"),
    (Invited("SCHOTTEN1:X", ("a:1",)), "invite"),
    (Introduced("bob", "aaaa", None, False), "player"),
    (TurnedAway("late"), "turned away"),
    (Chatted(YOU, "hi\x1b"), "chat"),
    (Lost("gone"), "lost"),
    (Settled("gone"), "settled"),
    (Saved(("a",)), "saved"),
    *(
        (events.Happened(event, STATE), kind)
        for event, kind in (
            (step.Dealt(6, ME), "dealt"),
            (step.Played(ME, BASE.card("R7"), StoneId(0)), "played"),
            (step.Claimed(ME, StoneId(0)), "claimed"),
            (step.Passed(ME), "passed"),
            (step.Skipped(ME), "skipped"),
            (step.Awarded(ME, StoneId(0)), "awarded"),
            (step.Ended(step.Outcome(None, step.Reason.STUCK, (1, 1))), "ended"),
        )
    ),
)


def test_every_happening_is_one_versioned_json_line_that_is_documented() -> None:
    documented = (Path(__file__).parents[2] / "docs" / "json.md").read_text()
    for happening, kind in EVERY:
        out = io.StringIO()
        JsonFront(out).tell(happening, VIEW)
        (line,) = out.getvalue().splitlines()
        assert line.isascii()
        event = json.loads(line)
        assert event["v"] == 1
        assert event["event"] == kind
        for word in (kind, *event):
            assert f"`{word}`" in documented, word


def test_a_program_is_asked_with_the_words_that_answer() -> None:
    out = io.StringIO()
    front = JsonFront(out)
    front.meet(0, ("ann", "bob"))
    front.ask(VIEW, VIEW.choices())
    asked = json.loads(out.getvalue().splitlines()[-1])
    assert asked["event"] == "choose"
    assert asked["hand"] == ["R2", "G5"]
    assert asked["position"]["stones"][0] == {
        "sides": [["B8", "B9"], ["R7"]],
        "owner": None,
        "size": 3,
        "contest": "_",
    }
    assert asked["choices"][0] in ("play G5 1", "play R2 1")
    assert front.answer(asked["choices"][0]) is not None
    assert front.answer("quit") == Leave()


def test_a_program_hears_why_its_line_led_to_nothing() -> None:
    out = io.StringIO()
    front = JsonFront(out)
    front.meet(0, ("ann", "bob"))
    front.ask(VIEW, VIEW.choices())
    assert front.answer("foo") is None
    assert front.answer("board") is None
    assert front.answer("hand") is None
    refused, table, hand = (json.loads(line) for line in out.getvalue().splitlines()[-3:])
    assert refused["event"] == "refused"
    assert refused["input"] == "foo"
    assert table["event"] == "position"
    assert hand == {"v": 1, "event": "answer", "lines": ["Your hand: 1 R2, 2 G5."]}
