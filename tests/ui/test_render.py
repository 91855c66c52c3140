"""The board, held against drawings made by hand."""

from __future__ import annotations

import pytest

from p2p_schotten.engine.move import Resign
from p2p_schotten.engine.rules import apply
from p2p_schotten.engine.state import State
from p2p_schotten.engine.view import Memory, View
from p2p_schotten.ids import Seat
from p2p_schotten.ui.look import ASCII, LOOKS, UNICODE
from p2p_schotten.ui.render import Scene, board, plain, scene, width_of
from tests.engine.positions import ME, YOU, cards, position, stone

NAMES = ("ann", "bob")


def drawn_position(to_move: Seat = YOU) -> State:
    """The position of the drawing in the specification."""
    return position(
        {
            0: stone("B8 B9", "R7 R8"),
            1: stone("", "G2"),
            3: stone("R1", ""),
            4: stone("", "Y1"),
            5: stone("N7 N8 N9", "", owner=ME),
            6: stone("Y2 N2", "P4 P5 P6", owner=YOU),
            8: stone("P1", "N5"),
        },
        to_move=to_move,
        pile=25,
    )


def hand_view(state: State, seat: Seat = ME) -> View:
    return View(seat, state, cards("R2 G5 B1 Y9 P9 N6"), Memory())


AT_80 = """\
 you                          ruleset base          bob  deck 25   bob's turn
        ┌──1──┬──2──┬──3──┬──4──┬──5──┬──6──┬──7──┬──8──┬──9──┐
        │ R7◆ │ G2● │     │     │ Y1■ │     │ P4★ │     │ N5✚ │
  bob   │ R8◆ │     │     │     │     │     │ P5★ │     │     │
        │     │     │     │     │     │     │ P6★ │     │     │
        ├──■──┼──■──┼──■──┼──■──┼──■──┼──▼──┼──▲──┼──■──┼──■──┤
        │ B8▲ │     │     │ R1◆ │     │ N7✚ │ Y2■ │     │ P1★ │
  you   │ B9▲ │     │     │     │     │ N8✚ │ N2✚ │     │     │
        │     │     │     │     │     │ N9✚ │     │     │     │
        └─────┴─────┴─────┴─────┴─────┴─────┴─────┴─────┴─────┘
        ▲ bob's   ▼ yours   ■ open
  hand  1 R2◆  2 G5●  3 B1▲  4 Y9■  5 P9★  6 N6✚   play 2 4 = card 2 on stone 4"""

AT_60 = """\
 you                ruleset base  bob  deck 25   bob's turn
        ┌─1──┬─2──┬─3──┬─4──┬─5──┬─6──┬─7──┬─8──┬─9──┐
        │ R7◆│ G2●│    │    │ Y1■│    │ P4★│    │ N5✚│
  bob   │ R8◆│    │    │    │    │    │ P5★│    │    │
        │    │    │    │    │    │    │ P6★│    │    │
        ├─■──┼─■──┼─■──┼─■──┼─■──┼─▼──┼─▲──┼─■──┼─■──┤
        │ B8▲│    │    │ R1◆│    │ N7✚│ Y2■│    │ P1★│
  you   │ B9▲│    │    │    │    │ N8✚│ N2✚│    │    │
        │    │    │    │    │    │ N9✚│    │    │    │
        └────┴────┴────┴────┴────┴────┴────┴────┴────┘
        ▲ bob's   ▼ yours   ■ open
  hand  1 R2◆  2 G5●  3 B1▲  4 Y9■  5 P9★  6 N6✚
  play 2 4 = card 2 on stone 4"""

IN_ASCII = """\
 you                          ruleset base          bob  deck 25   bob's turn
        +--1--+--2--+--3--+--4--+--5--+--6--+--7--+--8--+--9--+
        | R7% | G2o |     |     | Y1# |     | P4* |     | N5+ |
  bob   | R8% |     |     |     |     |     | P5* |     |     |
        |     |     |     |     |     |     | P6* |     |     |
        +--=--+--=--+--=--+--=--+--=--+--v--+--^--+--=--+--=--+
        | B8^ |     |     | R1% |     | N7+ | Y2# |     | P1* |
  you   | B9^ |     |     |     |     | N8+ | N2+ |     |     |
        |     |     |     |     |     | N9+ |     |     |     |
        +-----+-----+-----+-----+-----+-----+-----+-----+-----+
        ^ bob's   v yours   = open
  hand  1 R2%  2 G5o  3 B1^  4 Y9#  5 P9*  6 N6+   play 2 4 = card 2 on stone 4"""

AT_40 = """\
 you  ruleset base  bob  deck 25
 bob's turn
 ▲ bob's  ▼ yours  ■ open
 1 ■ R7◆ R8◆ | B8▲ B9▲
 2 ■ G2● | -
 3 ■ - | -
 4 ■ - | R1◆
 5 ■ Y1■ | -
 6 ▼ - | N7✚ N8✚ N9✚
 7 ▲ P4★ P5★ P6★ | Y2■ N2✚
 8 ■ - | -
 9 ■ N5✚ | P1★
  hand  1 R2◆  2 G5●  3 B1▲  4 Y9■
        5 P9★  6 N6✚
  play 2 4 = card 2 on stone 4"""


def test_the_board_at_80_columns() -> None:
    assert plain(board(scene(hand_view(drawn_position()), NAMES), 80)) == AT_80


def test_the_board_at_60_columns_loses_nothing() -> None:
    assert plain(board(scene(hand_view(drawn_position()), NAMES), 60)) == AT_60


def test_the_board_in_ascii() -> None:
    text = plain(board(scene(hand_view(drawn_position()), NAMES), 80, ASCII))
    assert text == IN_ASCII
    assert text.isascii()


def test_a_terminal_too_narrow_for_stones_gets_one_line_each() -> None:
    assert plain(board(scene(hand_view(drawn_position()), NAMES), 40)) == AT_40


def test_a_wide_terminal_has_the_key_beside_the_stones() -> None:
    lines = plain(board(scene(hand_view(drawn_position()), NAMES), 100)).splitlines()
    assert lines[5].endswith("┼──■──┤   ▲ bob's   ▼ yours   ■ open")
    assert len(lines) == 11


@pytest.mark.parametrize("columns", [200, 100, 80, 79, 63, 62, 60, 54, 53, 40, 30])
@pytest.mark.parametrize("names", [NAMES, ("ann", "a name of thirty-two bytes, long"), ("ann", "한국어이름")])
def test_no_line_is_wider_than_the_terminal_and_no_card_is_lost(columns: int, names: tuple[str, str]) -> None:
    state = drawn_position()
    text = plain(board(scene(hand_view(state), names), columns))
    most = 40 if columns < 40 else columns  # two names and a header of 34 columns need that much
    assert all(width_of(line) <= most for line in text.splitlines())
    shown = [card.text for card in state.rules.cards if not state.unseen >> card.id & 1]
    for card in (*shown, "R2", "G5", "B1", "Y9", "P9", "N6"):
        assert text.count(card) == 1
    assert "deck 25" in text


def test_a_board_fits_24_lines_at_every_width() -> None:
    for columns in range(36, 140):
        assert len(board(scene(hand_view(drawn_position()), NAMES), columns)) <= 20


def test_each_seat_sits_below_in_its_own_drawing() -> None:
    lines = plain(board(scene(hand_view(drawn_position(), YOU), NAMES), 80)).splitlines()
    assert lines[2].startswith("        │ B8▲ │")
    assert lines[3].startswith("  ann ")
    assert lines[5] == "        ├──■──┼──■──┼──■──┼──■──┼──■──┼──▲──┼──▼──┼──■──┼──■──┤"
    assert lines[0].endswith("your turn")


def test_a_looker_on_sees_names_and_no_hand_unless_it_is_given() -> None:
    state = drawn_position()
    text = plain(board(Scene(state, ME, NAMES, neutral=True), 80))
    assert "you" not in text
    assert "hand" not in text
    both = Scene(state, ME, NAMES, (cards("R2 R3"), cards("G5")), neutral=True)
    assert plain(board(both, 80)).splitlines()[-2:] == ["  bob  G5●", "  ann  R2◆  R3◆"]


def test_a_clan_is_told_by_letter_and_shape_and_colour_alone() -> None:
    for symbols in (UNICODE, ASCII):
        shapes = [look.ascii_shape if symbols.ascii else look.shape for look in LOOKS.values()]
        assert len(set(shapes)) == len(LOOKS) == 7
    assert len({look.style for look in LOOKS.values()}) == 7


def test_a_name_with_escape_sequences_reaches_no_terminal() -> None:
    text = plain(board(scene(hand_view(drawn_position()), ("ann", "b\x1b[31m\u202eob")), 80))
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_the_header_says_when_the_game_is_over() -> None:
    from p2p_schotten.engine.step import Outcome, Reason

    state = drawn_position()._replace(outcome=Outcome(ME, Reason.RESIGNED, (5, 1)))
    assert plain(board(scene(hand_view(state), NAMES), 80)).splitlines()[0].endswith("over")


def test_a_board_of_a_game_that_is_over_offers_no_move() -> None:
    over = apply(position({0: stone("R7", "B1")}), Resign()).state
    assert "play 2 4" not in plain(board(scene(View(ME, over, cards("G5 R2"), Memory()), ("ann", "bob")), 80))
