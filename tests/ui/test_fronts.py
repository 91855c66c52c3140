"""The plain front end, fed with events and lines: what comes out where; and what both front ends keep."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TextIO

import pytest

from p2p_schotten.engine import step
from p2p_schotten.engine.move import Play, Resign
from p2p_schotten.engine.rules import apply
from p2p_schotten.engine.rulesets import BASE, SIEGE, SIEGE_TACTIC, TACTIC
from p2p_schotten.engine.state import Beside
from p2p_schotten.engine.view import Memory, View
from p2p_schotten.ids import DeckId, StoneId
from p2p_schotten.protocol import events
from p2p_schotten.ui.around import Around
from p2p_schotten.ui.desk import Leave, Send
from p2p_schotten.ui.front import Front
from p2p_schotten.ui.json_front import JsonFront
from p2p_schotten.ui.notice import Chatted, Invited, Saved, TurnedAway
from p2p_schotten.ui.plain import PlainFront
from tests.engine.positions import ME, YOU, cards, position, stone
from tests.ui.views import STATE, VIEW


class Drawn:
    """A drawing that notes what it is asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def show(self, view: View, names: tuple[str, str], around: Around) -> None:
        self.asked.append("board")

    def invite(self, word: str, below: int) -> None:
        self.asked.append(f"{word} {below}")


def plain_front(
    *, terminal: bool = False, drawing: Drawn | None = None, asks: bool = True, waits: bool = False
) -> tuple[PlainFront, io.StringIO]:
    out = io.StringIO()
    front = PlainFront(out, io.StringIO(), terminal=terminal, drawing=drawing, asks=asks, waits=waits)
    front.meet(0, ("ann", "bob"))
    return front, out


def test_the_invite_stands_alone_on_standard_output() -> None:
    out, err = io.StringIO(), io.StringIO()
    PlainFront(out, err).tell(Invited("SCHOTTEN1:ABC", ("192.0.2.1:7777",), "aaaa-bbbb"), None)
    assert out.getvalue() == "SCHOTTEN1:ABC\n"
    lines = err.getvalue().splitlines()
    assert lines[0] == "Waiting for a friend at 192.0.2.1:7777."
    assert lines[-1] == "Give the invite to one friend; he types: schotten join and the invite."


def test_who_takes_visitors_without_the_invite_hears_his_fingerprint_and_what_that_means() -> None:
    out, err = io.StringIO(), io.StringIO()
    PlainFront(out, err).tell(Invited("SCHOTTEN1:ABC", ("192.0.2.1:7777",), "aaaa-bbbb", to_all=True), None)
    assert err.getvalue().splitlines()[-2:] == [
        "Your fingerprint: aaaa-bbbb",
        "Read it to a friend who joins by HOST:PORT. The seat goes to whoever comes first.",
    ]


def test_the_code_of_the_invite_is_drawn_first_and_told_how_many_lines_follow() -> None:
    drawing, out = Drawn(), io.StringIO()
    front = PlainFront(out, out, terminal=True, drawing=drawing)
    front.tell(Invited("SCHOTTEN1:" + "A" * 80, ("192.0.2.1:7777",), "aaaa-bbbb"), None)
    # 90 characters take two lines of 80; two for whom to wait and what to do, quit, and the cursor's
    assert drawing.asked == ["SCHOTTEN1:" + "A" * 80 + " 6"]
    assert out.getvalue().splitlines()[-1] == "Type quit to leave."


def played(front: PlainFront, *, drawn: bool = True) -> View:
    """I lay G5 on stone 4 and draw N9, if it has come; then it is bob's turn."""
    later = position({0: stone("B8 B9", "R7"), 3: stone("G5", "")}, to_move=YOU)
    hand = cards("R2 B1 Y1 P1 N1" + (" N9" if drawn else ""))
    assert sum(later.hands[ME]) == 6
    view = View(ME, later, hand, Memory())
    front.tell(events.Happened(step.Played(ME, BASE.card("G5"), StoneId(3)), later), view)
    return view


def test_after_my_move_a_friend_is_waited_for_once_and_my_new_hand_is_shown() -> None:
    front, out = plain_front(terminal=True, waits=True)
    front.ask(VIEW, VIEW.choices())
    front.answer("2 4")
    view = played(front, drawn=False)
    assert "Waiting" not in out.getvalue()  # my card is on its way
    front.tell(events.Took(cards("N9")), View(ME, view.state, (*view.hand, *cards("N9")), Memory()))
    played(front)
    assert out.getvalue().count("Waiting for bob.\nYour hand: 1 R2, 2 B1, 3 Y1, 4 P1, 5 N1, 6 N9.\n") == 1
    assert out.getvalue().count("Waiting") == 1


def test_at_the_deal_the_hand_is_shown_once_before_the_other_is_waited_for() -> None:
    front, out = plain_front(terminal=True, waits=True)
    dealt = position({}, to_move=YOU)
    view = View(ME, dealt, cards("R2 G5 B1 Y9 P9 N6"), Memory())
    front.tell(events.Happened(step.Dealt(6, YOU), dealt), view)
    front.tell(events.Took(view.hand), view)
    assert out.getvalue().splitlines() == [
        "Each player holds 6 cards. bob begins.",
        "Your hand: 1 R2, 2 G5, 3 B1, 4 Y9, 5 P9, 6 N6.",
        "Waiting for bob.",
    ]


@pytest.mark.parametrize(("asks", "waits"), [(False, True), (True, False)], ids=["my seat", "the other"])
def test_a_bot_is_not_waited_for(asks: bool, waits: bool) -> None:
    front, out = plain_front(asks=asks, waits=waits)
    front.ask(VIEW, VIEW.choices())
    played(front)
    assert "Waiting" not in out.getvalue()


def test_a_stranger_at_the_door_during_the_game_is_told_once_and_nobody_is_waited_for() -> None:
    front, out = plain_front()
    front.tell(TurnedAway("too early"), None)
    front.tell(events.Met("bob", bytes(32), bytes(32)), None)
    for why in ("this invite was used by another player already", "busy"):
        front.tell(TurnedAway(why), VIEW)
    assert out.getvalue().splitlines() == [
        "Turned away: too early. Still waiting.",
        "You play against bob.",
        "Somebody else tried your invite, in vain: play on.",
    ]


@pytest.mark.parametrize(
    ("terminal", "asks", "told"),
    [(True, True, ["The cards are being shuffled and dealt."]), (True, False, []), (False, True, [])],
)
def test_who_looks_at_a_terminal_is_told_what_takes_some_seconds(terminal: bool, asks: bool, told: list[str]) -> None:
    front, out = plain_front(terminal=terminal, asks=asks)
    front.tell(events.Met("bob", bytes(32), bytes(32)), None)
    assert out.getvalue().splitlines() == ["You play against bob.", *told]


def test_the_result_is_the_last_thing_on_the_screen() -> None:
    front, out = plain_front()
    over = apply(STATE, Resign()).state
    assert over.outcome is not None
    front.tell(events.Happened(step.Ended(over.outcome), over), View(ME, over, VIEW.hand, Memory()))
    front.tell(events.Sealed(ME), None)
    front.tell(Saved(("a", "b")), None)
    assert out.getvalue().splitlines()[-3:] == ["Transcript: a", "Transcript: b", "bob wins 5-0 (you resigned)."]


def test_on_a_terminal_a_game_is_left_after_one_question() -> None:
    front, out = plain_front(terminal=True)
    front.ask(VIEW, VIEW.choices())
    assert front.answer("quit") is None
    assert out.getvalue().endswith("\nleave? yes or no> ")
    assert front.answer("yes") == Leave()


def test_off_a_terminal_a_question_is_lines_without_a_prompt() -> None:
    front, out = plain_front()
    front.ask(VIEW, VIEW.choices())
    assert out.getvalue().splitlines() == [
        "Stones (bob/you): 1 R7/B8 B9. Cards left to draw: clan 20.",
        "Your turn. Which card? 1 R2, 2 G5 (? for help)",
    ]
    assert front.answer("2") is None
    assert front.answer("4") == Send(Play(BASE.card("G5"), StoneId(3)))


def test_on_a_terminal_the_board_is_drawn_the_bell_rings_and_the_prompt_waits() -> None:
    drawing = Drawn()
    front, out = plain_front(terminal=True, drawing=drawing)
    front.ask(VIEW, VIEW.choices())
    assert drawing.asked == ["board"]
    assert out.getvalue().endswith("\n\acard> ")


def test_an_event_during_a_prompt_goes_below_it_and_the_prompt_comes_again() -> None:
    front, out = plain_front(terminal=True)
    front.ask(VIEW, VIEW.choices())
    front.tell(Chatted(YOU, "hello"), VIEW)
    assert out.getvalue().endswith("card> \nbob says: hello\ncard> ")


def test_a_half_made_choice_survives_what_happens_meanwhile() -> None:
    front, out = plain_front(terminal=True)
    front.ask(VIEW, VIEW.choices())
    front.answer("2")
    front.tell(Chatted(YOU, "hello"), VIEW)
    assert out.getvalue().endswith("stone for G5> ")
    assert front.answer("4") == Send(Play(BASE.card("G5"), StoneId(3)))


@pytest.mark.parametrize("make", [JsonFront, lambda out: PlainFront(out, io.StringIO())], ids=["json", "plain"])
@pytest.mark.parametrize("said", [Chatted(YOU, "hello"), Chatted(ME, "hello")], ids=["bob", "me"])
def test_a_word_during_my_turn_leaves_the_question_open(make: Callable[[TextIO], Front], said: Chatted) -> None:
    front = make(io.StringIO())
    front.meet(0, ("ann", "bob"))
    front.ask(VIEW, VIEW.choices())
    front.tell(said, View(ME, STATE, VIEW.hand, Memory()))  # every happening comes with a view of its own
    assert front.answer("2 4") == Send(Play(BASE.card("G5"), StoneId(3)))


@pytest.mark.parametrize("make", [JsonFront, lambda out: PlainFront(out, io.StringIO())], ids=["json", "plain"])
def test_a_change_of_the_position_closes_the_question(make: Callable[[TextIO], Front]) -> None:
    front = make(io.StringIO())
    front.meet(0, ("ann", "bob"))
    front.ask(VIEW, VIEW.choices())
    later = position({0: stone("B8 B9", "R7"), 3: stone("G5", "")}, to_move=YOU)
    front.tell(
        events.Happened(step.Played(ME, BASE.card("G5"), StoneId(3)), later), View(ME, later, cards("R2"), Memory())
    )
    assert front.answer("1 4") is None


def test_a_bots_seat_is_told_and_never_asked() -> None:
    front, out = plain_front(asks=False)
    front.ask(VIEW, VIEW.choices())
    front.tell(events.Happened(step.Played(YOU, BASE.card("R7"), StoneId(0)), STATE), VIEW)
    assert out.getvalue() == "bob plays R7 on stone 1.\n"


def test_the_position_can_be_read_without_a_drawing() -> None:
    front, out = plain_front()
    front.ask(VIEW, VIEW.choices())
    front.answer("board")
    assert out.getvalue().splitlines()[2:] == [
        "Stone 1: bob R7, you B8 B9.",
        "Empty stones: 2 3 4 5 6 7 8 9.",
        "Cards left to draw: clan 20.",
        "Your hand: 1 R2, 2 G5.",
    ]


def test_plain_output_moves_no_cursor() -> None:
    front, out = plain_front(terminal=True)
    front.tell(events.Took(cards("G5 R2")), VIEW)
    front.ask(VIEW, VIEW.choices())
    for line in ("?", "board", "unseen", "last", "why 1", "2", "back", "nonsense"):
        front.answer(line)
    assert "\x1b" not in out.getvalue()
    assert "\r" not in out.getvalue()


def test_last_repeats_what_was_told_of_the_game() -> None:
    front, out = plain_front()
    front.tell(events.Happened(step.Played(YOU, BASE.card("R7"), StoneId(0)), STATE), VIEW)
    front.ask(VIEW, VIEW.choices())
    front.answer("last")
    assert out.getvalue().splitlines()[-1] == "bob plays R7 on stone 1."


def siege_view() -> View:
    """I attack, may control stone 4 and retreat from it."""
    row = {3: stone("B10 B11", "", rules=SIEGE)}
    return View(ME, position(row, rules=SIEGE, hands=(2, 6)), cards("G5 R2", SIEGE), Memory())


def test_with_a_drawing_the_question_still_says_what_else_may_be_done() -> None:
    front, out = plain_front(terminal=True, drawing=Drawn())
    view = siege_view()
    front.ask(view, view.choices())
    assert out.getvalue().splitlines()[-5:] == [
        "Your turn: a card, then its tile. ? for help",
        "Before the card you may:",
        "  control 4  (colour run 21)",
        "  retreat 4  (discards all your cards there)",
        "\acard> ",
    ]


def test_cards_that_come_by_an_exchange_are_not_called_drawn() -> None:
    front, out = plain_front()
    rules = SIEGE_TACTIC
    state = position({}, rules=rules, hands=((6, 0), (6, 0)), pile=(20, 4))
    view = View(ME, state, cards("G5 R2", rules), Memory())
    front.tell(events.Happened(step.Exchanged(1), state), view)
    front.tell(events.Took(cards("G5", rules)), view)
    front.tell(events.Took(cards("R2", rules)), view)
    assert out.getvalue().splitlines() == ["1 card changes hands each way.", "You get G5.", "You draw R2."]


def test_a_path_stays_whole_and_can_be_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p_schotten.ui.plain.terminal_size", lambda: (40, 24))
    front, out = plain_front(terminal=True)
    path = "/home/ann/" + "x" * 80 + "/0.schotten"
    front.tell(Saved((path,)), None)
    assert path in out.getvalue().split()


def test_an_empty_pile_and_the_last_turn_of_the_attacker_are_said_once_and_in_this_order() -> None:
    front, out = plain_front()
    pile = {0: stone("B10", "R7", rules=SIEGE)}
    before = position(pile, rules=SIEGE, pile=1, to_move=YOU, beside=Beside(attacker=ME, oil=3))
    after = apply(before, Play(SIEGE.card("G1"), StoneId(1)))  # the defender draws the last card
    view = View(ME, after.state, cards("R2 G5 B1 Y9 P9 Y11", SIEGE), Memory())
    for event in after.events:
        front.tell(events.Happened(event, after.state), view)
    front.ask(view, view.choices())
    assert out.getvalue().splitlines()[:5] == [
        "bob plays G1 on tile 2.",
        "bob draws a card; 0 cards left in the deck.",
        "The siege deck is empty: nobody draws any more.",
        "This is the attacker's last turn.",
        "Tiles (bob/you): 1 (intact, 3 cards, highest sum) R7/B10; 2 (intact, 4 cards, best formation) G1/-. "
        "Empty tiles: 3, 4, 5, 6, 7. Cards left to draw: siege 0. You attack the wall; the defender has 3 oil left. "
        "This is the attacker's last turn.",
    ]


def test_an_empty_tactic_deck_leaves_the_other_to_draw_from() -> None:
    front, out = plain_front()
    state = position({}, rules=TACTIC, pile=(20, 0), hands=((6, 1), (6, 1)))
    for _twice in range(2):
        event = step.Drew(YOU, DeckId(1))
        front.tell(events.Happened(event, state), View(ME, state, (), Memory()))
    assert out.getvalue().count("The tactic deck is empty: only clan cards are drawn now.") == 1
