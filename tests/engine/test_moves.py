"""Moves as integers and as words: what is written is read back, and nothing else is read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_schotten.engine.move import (
    Claim,
    Done,
    Draw,
    Move,
    Pass,
    Play,
    Resign,
    move_code,
    move_text,
    read_move,
    read_move_text,
)
from p2p_schotten.engine.rulesets import BASE
from p2p_schotten.errors import Malformed, Unreadable
from p2p_schotten.ids import CardId, DeckId, StoneId

EVERY: list[Move] = [
    *(Play(CardId(card), StoneId(stone)) for card in range(54) for stone in range(9)),
    *(Claim(StoneId(stone)) for stone in range(9)),
    Draw(DeckId(0)),
    Done(),
    Pass(),
    Resign(),
]


def test_every_move_is_read_back_from_its_code_and_from_its_text() -> None:
    for move in EVERY:
        assert read_move(BASE, move_code(move)) == move
        assert read_move(BASE, list(move_code(move))) == move
        assert read_move_text(BASE, move_text(BASE, move)) == move
    assert len({move_code(move) for move in EVERY}) == len({move_text(BASE, move) for move in EVERY}) == len(EVERY)


def test_the_codes_on_the_wire_do_not_change() -> None:
    moves: list[Move] = [Play(CardId(6), StoneId(2)), Claim(StoneId(8)), Draw(DeckId(0)), Done(), Pass(), Resign()]
    assert [move_code(move) for move in moves] == [(0, 6, 2), (1, 8), (2, 0), (3,), (4,), (5,)]


@pytest.mark.parametrize(
    ("move", "text"),
    [
        (Play(BASE.card("R7"), StoneId(2)), "play R7 3"),
        (Claim(StoneId(0)), "claim 1"),
        (Draw(DeckId(0)), "draw clan"),
        (Done(), "done"),
        (Pass(), "pass"),
        (Resign(), "resign"),
    ],
)
def test_moves_in_words(move: Move, text: str) -> None:
    assert move_text(BASE, move) == text
    assert read_move_text(BASE, f"  {text.upper().replace(' ', '   ')} ") == move


@pytest.mark.parametrize(
    "code",
    [
        (),
        (0,),
        (0, 6),
        (0, 6, 2, 0),
        (0, 54, 0),
        (0, -1, 0),
        (0, 0, 9),
        (0, 0, -1),
        (1,),
        (1, 9),
        (1, -1),
        (1, 0, 0),
        (2, 1),
        (2, -1),
        (2,),
        (3, 0),
        (4, 0),
        (5, 0),
        (6,),
        (-1,),
        (2**64,),
        (True, 8),
        (1, True),
        (1.0, 8),
        (0, "6", 2),
        (b"\x05",),
        (None,),
        ((5,),),
    ],
)
def test_a_malformed_code_is_refused(code: tuple[object, ...]) -> None:
    with pytest.raises(Malformed):
        read_move(BASE, code)


@given(st.lists(st.integers(-3, 60) | st.booleans() | st.binary(max_size=2), max_size=4))
def test_a_code_is_read_only_as_the_move_that_is_written_so(code: list[object]) -> None:
    try:
        move = read_move(BASE, code)
    except Malformed:
        assert not any(tuple(code) == move_code(move) and bool not in map(type, code) for move in EVERY)
    else:
        assert list(move_code(move)) == code


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "play",
        "play R7",
        "play R7 3 4",
        "play R0 3",
        "play R10 3",
        "play Z7 3",
        "play R7 0",
        "play R7 10",
        "play R7 -1",
        "play R7 +1",
        "play R7 1_0",
        "play R7 \u0663",
        "play R7 " + "9" * 5000,
        "play 3 R7",
        "claim",
        "claim 0",
        "claim 10",
        "claim x",
        "draw",
        "draw tactic",
        "done 1",
        "resign now",
        "surrender",
        "x" * 10000,
    ],
)
def test_text_that_is_no_move_is_unreadable_and_the_answer_is_short(text: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read_move_text(BASE, text)
    assert len(str(refused.value)) < 160
