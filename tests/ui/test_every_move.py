"""Laws over whole games of every ruleset: every legal move can be typed, in one line and part by part."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from p2p_schotten.engine.move import Move
from p2p_schotten.engine.notation import move_text
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import RULESETS
from p2p_schotten.engine.table import Table, play
from p2p_schotten.engine.view import Memory, View
from p2p_schotten.ui.desk import Desk, Send
from p2p_schotten.ui.render import board, plain, scene, width_of
from p2p_schotten.ui.voice import Voice
from tests.engine.positions import random_move, shuffled

NAMES = ("ann", "{bob}")
MOST = 12  # moves that are typed at one position
EVERY = 9  # one position in so many is looked at


def tables(rules: Ruleset) -> list[Table]:
    """Positions of two random games in which not everything is claimed."""
    found = [table for seed in range(2) for at, table in enumerate(course(rules, Random(seed))) if at % EVERY == seed]
    assert len(found) > 5
    return found


def course(rules: Ruleset, random: Random) -> Iterator[Table]:
    """Every position of a random game in which somebody must choose."""
    table = shuffled(rules, random)
    while not table.state.over:
        yield table
        move = random_move(table, random, 0.7)
        table, _events = play(table, move, lambda cards: random.sample(cards, len(cards)))


def asked(table: Table) -> Desk:
    seat = table.state.to_move
    desk = Desk(Voice(seat, NAMES))
    view = View(seat, table.state, table.hands[seat], Memory())
    desk.ask(view, view.choices())
    return desk


def same(rules: Ruleset, sent: object, move: Move) -> bool:
    """The action sends that move, or one that is written alike (of two jokers either will do)."""
    return isinstance(sent, Send) and move_text(rules, sent.move) == move_text(rules, move)


def by_parts(text: str) -> list[str]:
    """The words to type one after the other: there the discard pile is chosen by its number."""
    first, *more = text.split()
    return [first, *("0" if word == "discard" else word for word in more)]


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_every_legal_move_can_be_typed_in_one_line_and_part_by_part(rules: Ruleset) -> None:
    random = Random(1)
    for table in tables(rules):
        choices = asked(table).choices
        for move in random.sample(choices, min(MOST, len(choices))):
            text = move_text(rules, move)
            assert same(rules, asked(table).answer(text).action, move), text
            desk = asked(table)
            for word in by_parts(text):
                assert desk.prompt.endswith("> ")
                assert desk.question()
                assert len(desk.answer("?").lines) < 24
                reply = desk.answer(word)
                assert not reply.refused, (text, word, reply.lines)
            assert same(rules, reply.action, move), text


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_at_every_position_whatever_is_typed_gets_an_answer_and_leaves_the_question_open(rules: Ruleset) -> None:
    lines = ["", "1", "1 1", "99", "0", "play", "play 1", "play 1 1 1 1", "discard R1", "give 1 2", "return", "draw 9"]
    lines += [
        "why 1",
        "why JOK",
        "what 1",
        "unseen",
        "hand",
        "discard",
        "back",
        "oil",
        "retreat 9",
        "pass",
        "done",
        "x",
    ]
    for table in tables(rules):
        for line in lines:
            desk = asked(table)
            reply = desk.answer(line)
            if not isinstance(reply.action, Send):
                assert reply.lines or not line
                assert desk.prompt.endswith("> ")
                assert desk.choices


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_the_table_of_every_position_fits_its_terminal_and_shows_every_card(rules: Ruleset) -> None:
    for table in tables(rules):
        seat = table.state.to_move
        shown = scene(View(seat, table.state, table.hands[seat], Memory()), NAMES)
        lying = [card for stone in table.state.stones for card in stone.arrived]
        for columns in (40, 59, 60, 80, 132):
            text = plain(board(shown, columns))
            assert all(width_of(line) <= columns for line in text.splitlines())
            assert columns < 80 or len(text.splitlines()) <= 17
            for card in (*lying, *table.hands[seat]):
                assert rules.text(card) in text
