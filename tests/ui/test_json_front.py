"""The JSON front end, fed with events and lines: what a program reads and what it may answer."""

from __future__ import annotations

import io
import json
from pathlib import Path

from p2p_schotten.engine import step
from p2p_schotten.engine.fields import position as describe_position
from p2p_schotten.engine.rules import new_game
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import BASE, RULESETS, SIEGE_TACTIC
from p2p_schotten.engine.state import Beside
from p2p_schotten.engine.view import Memory, View
from p2p_schotten.ids import CardId, DeckId, StoneId
from p2p_schotten.protocol import events
from p2p_schotten.ui.desk import Leave
from p2p_schotten.ui.json_front import JsonFront
from p2p_schotten.ui.notice import (
    Chatted,
    Faulted,
    Happening,
    Introduced,
    Invited,
    Lost,
    Reconnecting,
    Recorded,
    Resumed,
    Returned,
    Saved,
    Settled,
    Silent,
    TakenUp,
    TimeShort,
    TimeUp,
    TurnedAway,
)
from tests.engine.positions import ME, YOU, cards, position, stone
from tests.ui.views import STATE, VIEW

SIEGE_STATE = position({}, rules=SIEGE_TACTIC)
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
    (Silent(10.0), "silent"),
    (Returned(), "returned"),
    (Reconnecting("gone"), "reconnecting"),
    (Resumed(57), "resumed"),
    (TimeShort(10), "time short"),
    (TimeUp(YOU, 60), "time up"),
    (Recorded(ME, 57, False, "gone"), "recorded"),
    (Settled("gone"), "settled"),
    (Faulted(ME, "crash", "greedy stopped", True), "fault"),
    (TakenUp("ab" * 32, 12), "resuming"),
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
    *(
        (events.Happened(event, SIEGE_STATE), kind)
        for event, kind in (
            (step.Used(ME, CardId(60)), "used"),
            (step.Moved(ME, CardId(0), StoneId(0), StoneId(1)), "moved"),
            (step.Betrayed(ME, CardId(0), StoneId(0), StoneId(1)), "betrayed"),
            (step.Recruited(ME, CardId(0), StoneId(1)), "recruited"),
            (step.Discarded(ME, (CardId(0), CardId(1)), StoneId(1)), "discarded"),
            (step.Eliminated((CardId(0), CardId(11)), StoneId(1)), "eliminated"),
            (step.Returned(ME, DeckId(1)), "returned"),
            (step.Gave(ME, (DeckId(0), DeckId(1))), "gave"),
            (step.Exchanged(2), "exchanged"),
            (step.Supported(ME, (CardId(0), CardId(1))), "supported"),
            (step.Poured(ME, StoneId(1), 2), "poured"),
            (step.Retreated(ME, StoneId(1)), "retreated"),
            (step.Controlled(ME, StoneId(1)), "controlled"),
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


def test_the_fields_of_an_event_name_cards_decks_and_stones_as_a_player_does() -> None:
    out = io.StringIO()
    front = JsonFront(out)
    r0, r11 = SIEGE_TACTIC.card("R0"), SIEGE_TACTIC.card("R11")
    front.tell(events.Happened(step.Eliminated((r11, r0), StoneId(2)), SIEGE_STATE), VIEW)
    front.tell(events.Happened(step.Gave(ME, (DeckId(0), DeckId(1))), SIEGE_STATE), VIEW)
    eliminated, gave = map(json.loads, out.getvalue().splitlines())
    assert eliminated == {"v": 1, "event": "eliminated", "cards": ["R11", "R0"], "stone": 3}
    assert gave == {"v": 1, "event": "gave", "seat": 0, "decks": ["siege", "tactic"]}


def test_every_field_of_a_position_of_every_ruleset_is_documented() -> None:
    documented = (Path(__file__).parents[2] / "docs" / "json.md").read_text()
    for rules in RULESETS.values():
        out = io.StringIO()
        front = JsonFront(out)
        state = new_game(rules, ME).state
        view = View(ME, state, rules_hand(rules), Memory())
        front.ask(view, view.choices())
        asked = json.loads(out.getvalue())
        for word in (*asked, *asked["position"], *asked["position"]["stones"][0]):
            assert f"`{word}`" in documented, word
        assert ("tactics" in asked["position"]) == (len(rules.decks) > 1) == ("returned" in asked)
        assert ("attacker" in asked["position"]) == (rules.siege is not None)
        assert asked["position"]["stones"][0]["size"] == 3


def rules_hand(rules: Ruleset) -> tuple[CardId, ...]:
    """The first cards of the game, as many as a hand holds."""
    return tuple(map(CardId, range(rules.hand_size)))


def test_a_position_of_a_siege_with_tactics_tells_what_lies_beside() -> None:
    out = io.StringIO()
    front = JsonFront(out)
    rules = SIEGE_TACTIC
    row = {3: stone("R0 R1", "", rules=rules, damaged=True)}
    beside = Beside(attacker=YOU, oil=2, tactics=(1, 2))
    state = position(row, rules=rules, hands=((6, 1), (5, 2)), pile=(20, 4), discard="B9 SPY", beside=beside)
    view = View(ME, state, cards("G1 G2 G3 G4 G5 G6 BLO", rules), Memory(given=cards("R7", rules)))
    front.ask(view, view.choices())
    asked = json.loads(out.getvalue())
    told = asked["position"]
    assert told["stones"][3] == {
        "sides": [["R0", "R1"], []],
        "owner": None,
        "first": None,
        "size": 4,
        "contest": "-",
        "modes": [],
        "damaged": True,
    }
    assert (told["discard"], told["attacker"], told["oil"], told["tactics"]) == (["B9", "SPY"], 1, 2, [1, 2])
    assert told["backs"] == [{"siege": 6, "tactic": 1}, {"siege": 5, "tactic": 2}]
    assert (asked["returned"], asked["given"]) == ([], ["R7"])


def test_a_position_tells_which_side_was_complete_first() -> None:
    row = {
        1: stone("R7 R8 R9", "B1"),
        2: stone("G1 G2 G3", "Y1 Y2 Y3"),
        3: stone("G4 G5 G6", "Y4 Y5 Y6", first=YOU),
        4: stone("N1", "P1 P2 P3"),
    }
    told = describe_position(position(row))["stones"]
    assert isinstance(told, list)
    assert [stone["first"] for stone in told] == [None, 0, 0, 1, 1, None, None, None, None]


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
        "first": None,
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
