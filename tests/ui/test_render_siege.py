"""Walls, modes and what lies beside the stones, held against drawings made by hand."""

from __future__ import annotations

import pytest

from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import BATTLE_LINE, SIEGE_TACTIC, TACTIC
from p2p_schotten.engine.state import Beside, Phase, State
from p2p_schotten.engine.view import Memory, View
from p2p_schotten.ui.look import ASCII
from p2p_schotten.ui.render import Scene, board, plain, scene, width_of
from tests.engine.positions import ME, YOU, cards, position, stone

NAMES = ("ann", "bob")
HAND = "R2 G11 SPY"


def wall() -> State:
    """I attack; the gate is damaged already."""
    rules = SIEGE_TACTIC
    return position(
        {0: stone("R10", "B2 B3", rules=rules), 3: stone("R0 R1", "", rules=rules, damaged=True)},
        rules=rules,
        hands=((2, 1), (7, 0)),
        pile=(20, 4),
        discard="B9 P9",
        beside=Beside(attacker=ME, oil=3, tactics=(1, 2)),
    )


def drawn(state: State, hand: str, columns: int) -> str:
    return plain(board(scene(View(ME, state, cards(hand, state.rules), Memory()), NAMES), columns))


AT_80 = """\
 you                  ruleset siege-tactic  bob  siege 20  tactic 4   your turn
 you attack  oil 3  discard 2  tactics: you 1, bob 2  you may play 2 more
        ┌──1──┬──2──┬──3──┬──4──┬──5──┬──6──┬──7──┐
        │ B2▲ │ ·   │ ·   │ ·   │ ·   │ ·   │ ·   │
  bob   │ B3▲ │ ·   │ ·   │ ·   │ ·   │ ·   │ ·   │
        │ ·   │ ·   │ ·   │ ·   │ ·   │ ·   │ ·   │
        │     │ ·   │     │ ·   │     │ ·   │     │
        ├─■3+─┼─■4──┼─■3──┼─□4-─┼─■3──┼─■4──┼─■3-─┤
        │ R10◆│ ·   │ ·   │ R0◆ │ ·   │ ·   │ ·   │
  you   │ ·   │ ·   │ ·   │ R1◆ │ ·   │ ·   │ ·   │
        │ ·   │ ·   │ ·   │ ·   │ ·   │ ·   │ ·   │
        │     │ ·   │     │ ·   │     │ ·   │     │
        └─────┴─────┴─────┴─────┴─────┴─────┴─────┘
 ■ intact  □ damaged  number: cards a side  + highest sum  - lowest sum
  hand  1 R2◆  2 G11●  3 SPY   play 2 4 = card 2 on tile 4"""

AT_40 = """\
 you  ruleset siege-tactic  bob
 siege 20  tactic 4  your turn
 you attack  oil 3  discard 2
 tactics: you 1, bob 2
 you may play 2 more
 1 intact, 3 cards, highest sum:
   B2▲ B3▲ | R10◆
 2 intact, 4 cards, best formation:
   - | -
 3 intact, 3 cards, best formation:
   - | -
 4 damaged, 4 cards, lowest sum:
   - | R0◆ R1◆
 5 intact, 3 cards, best formation:
   - | -
 6 intact, 4 cards, best formation:
   - | -
 7 intact, 3 cards, lowest sum: - | -
  hand  1 R2◆  2 G11●  3 SPY"""


def test_a_wall_at_80_columns_shows_size_contest_damage_and_room() -> None:
    assert drawn(wall(), HAND, 80) == AT_80


def test_a_wall_on_a_narrow_terminal_is_told_in_words() -> None:
    assert drawn(wall(), HAND, 40) == AT_40


def test_a_wall_in_ascii() -> None:
    text = plain(board(scene(View(ME, wall(), cards(HAND, SIEGE_TACTIC), Memory()), NAMES), 80, ASCII))
    assert text.isascii()
    assert "+-#3+-+-#4--+-#3--+-x4--+-#3--+-#4--+-#3--+" in text


def test_both_players_see_the_wall_in_the_same_order() -> None:
    mine, theirs = (plain(board(scene(View(seat, wall(), (), Memory()), NAMES), 80)).splitlines() for seat in (ME, YOU))
    assert mine[2] == theirs[2]
    assert "├─■3+─┼─■4──┼─■3──┼─□4-─┼─■3──┼─■4──┼─■3-─┤" in mine[7]
    assert mine[7] == theirs[7]
    assert theirs[1].startswith(" you defend  oil 3")


def modes(rules: Ruleset) -> State:
    row = {
        0: stone("R1 R2 R3 R4", "", rules=rules, modes=("MUD", "")),
        1: stone("", "", rules=rules, modes=("", "FOG")),
    }
    return position(row, rules=rules, hands=((6, 1), (7, 0)), pile=(20, 4), beside=Beside(tactics=(1, 1)))


def test_a_mode_stands_at_its_stone_and_is_explained_below() -> None:
    lines = drawn(modes(TACTIC), "G1", 130).splitlines()
    assert "├─MUD─┼─FOG─┼──■──┼" in lines[7]
    assert lines[7].endswith("▲ bob's   ▼ yours   ■ open   MUD a card more   FOG sum only")
    assert lines[11].startswith("        │ R4◆ │     │")  # the fourth row, where only stone 1 has room
    narrow = drawn(modes(TACTIC), "G1", 40)
    assert " 1 MUD, 4 cards, best formation:\n   - | R1◆ R2◆ R3◆ R4◆" in narrow
    assert " 2 FOG, 3 cards, highest sum: - | -" in narrow


def test_two_modes_share_the_room_of_one() -> None:
    rules = BATTLE_LINE
    row = {4: stone("", "", rules=rules, modes=("FOG", "MUD"))}
    state = position(row, rules=rules, hands=((6, 1), (7, 0)), pile=(20, 4))
    lines = drawn(state, "G10", 80).splitlines()
    assert "┼─F+M─┼" in lines[7]
    assert any("F+M FOG MUD" in line for line in lines)


def test_a_side_with_a_card_too_many_is_drawn_whole() -> None:
    rules = BATTLE_LINE
    row = {4: stone("R1 G3 B9 O7", "", rules=rules)}
    state = position(row, rules=rules, phase=Phase.CLEAR, hands=((6, 1), (7, 0)), pile=(20, 4))
    for columns in (40, 60, 80):
        assert all(card in drawn(state, "G10", columns) for card in ("R1◆", "G3●", "B9▲", "O7▬"))


@pytest.mark.parametrize("columns", [54, 60, 80])
def test_a_ten_keeps_its_shape_in_every_grid(columns: int) -> None:
    rules = BATTLE_LINE
    state = position({8: stone("P10", "O10", rules=rules)}, rules=rules, hands=((6, 1), (7, 0)), pile=(20, 4))
    text = drawn(state, "G10", columns)
    assert "P10★" in text
    assert "O10▬" in text
    assert all(width_of(line) <= columns for line in text.splitlines())


def test_a_looker_on_sees_who_attacks_by_name() -> None:
    text = plain(board(Scene(wall(), ME, NAMES, neutral=True), 80))
    assert " ann attacks  oil 3  discard 2  tactics: ann 1, bob 2" in text
    assert "you" not in text
