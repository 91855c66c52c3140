"""Laws of every ruleset, flags included: what may be chosen, what is refused, and how moves are written."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, fields, is_dataclass
from random import Random

import pytest

from p2p_schotten.engine.cards import members
from p2p_schotten.engine.move import Give, GiveFrom, Move, PublicMove, Return, ReturnFrom, move_code, public, read_move
from p2p_schotten.engine.notation import move_text, read_move_text
from p2p_schotten.engine.rules import apply, legal_moves
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.state import Phase, State, state_code
from p2p_schotten.engine.table import Table, play
from p2p_schotten.errors import IllegalMove
from p2p_schotten.ids import other
from tests.engine.everything import senseless, written
from tests.engine.random_games import any_kind, games
from tests.engine.variants import VARIANTS, named

over_variants = pytest.mark.parametrize("rules", VARIANTS, ids=named)


def some_tables(rules: Ruleset, seed: int, count: int) -> list[Table]:
    """Tables of a random game: one of each phase that it had, its last one, and others up to `count`."""
    tables = games(rules, seed, any_kind, any_kind)[0]
    random = Random(seed)
    by_phase = {table.state.phase: table for table in random.sample(tables, len(tables))}
    return [*by_phase.values(), *random.sample(tables, count)][: max(count, len(by_phase))]


def accepted(state: State, move: PublicMove) -> bool:
    try:
        apply(state, move)
    except IllegalMove:
        return False
    return True


@over_variants
def test_legal_moves_are_the_moves_with_cards_in_hand_whose_public_form_apply_accepts(rules: Ruleset) -> None:
    random = Random(7)
    for table in some_tables(rules, 7, 2):
        state = table.state
        # The law holds for any cards that lie nowhere open, also for hands that no deal can give.
        hidden = members(state.unseen)
        anything = tuple(random.sample(hidden, min(4, len(hidden))))
        for hand in (table.hands[state.to_move], anything, ()):
            listed = legal_moves(state, hand)
            assert len(set(listed)) == len(listed)
            moves = written(rules, hand, random, every=state.phase is Phase.PLAY)
            assert set(listed) == {move for move in moves if accepted(state, public(rules, move))}


@over_variants
def test_a_refused_move_changes_nothing(rules: Ruleset) -> None:
    random = Random(3)
    for table in some_tables(rules, 3, 3):
        before, code = pickle.dumps(table), state_code(table.state)
        moves = list(written(rules, table.hands[table.state.to_move], random, every=False))
        refused = [move for move in moves if not accepted(table.state, public(rules, move))]
        assert refused
        for move in random.sample(refused, min(60, len(refused))):
            with pytest.raises(IllegalMove) as raised:
                play(table, move, tuple)
            assert raised.value.move in (move, public(rules, move))
        assert state_code(table.state) == code
        assert table == pickle.loads(before)


@over_variants
def test_senseless_numbers_are_illegal_moves_and_nothing_else(rules: Ruleset) -> None:
    for table in some_tables(rules, 5, 2):
        for move in senseless(rules):
            with pytest.raises(IllegalMove):
                apply(table.state, move)


@over_variants
def test_a_card_that_is_not_in_the_hand_is_refused_at_the_table(rules: Ruleset) -> None:
    random = Random(9)
    for table in some_tables(rules, 9, 6):
        state = table.state
        if state.over:
            continue
        theirs = table.hands[other(state.to_move)]
        for move in legal_moves(state, theirs):
            if isinstance(move, Return | Give) or getattr(move, "card", None) in theirs:
                with pytest.raises(IllegalMove, match="is not in this hand"):
                    play(table, move, lambda cards: random.sample(cards, len(cards)))


@over_variants
def test_every_legal_move_is_read_back_from_its_numbers_and_its_words(rules: Ruleset) -> None:
    for table in some_tables(rules, 11, 6):
        state = table.state
        hand = table.hands[state.to_move]
        for move in legal_moves(state, hand):
            form = public(rules, move)
            assert read_move(rules, move_code(form)) == form
            words = move_text(rules, move)
            again = read_move_text(rules, f"  {words.swapcase().replace(' ', '   ')} ", hand)
            assert move_text(rules, again) == words
            if not names_a_twin(rules, move):
                assert again == move
            if isinstance(form, ReturnFrom | GiveFrom):
                assert read_move_text(rules, move_text(rules, form)) == form


def names_a_twin(rules: Ruleset, move: Move) -> bool:
    """Whether one of its cards has the face of another card: then the words fit two moves."""
    return any(
        len(rules.named(rules.text(card))) > 1
        for name in ("card", "moved", "target")
        if (card := getattr(move, name, None)) is not None
    ) or (isinstance(move, Give) and any(len(rules.named(rules.text(card))) > 1 for card in move.cards))


@over_variants
def test_states_are_frozen_survive_pickling_and_hold_only_plain_values(rules: Ruleset) -> None:
    def walk(value: object, path: str) -> None:
        if is_dataclass(value) and not isinstance(value, type):
            for field in fields(value):
                with pytest.raises(FrozenInstanceError):
                    setattr(value, field.name, None)
                if field.compare:
                    walk(getattr(value, field.name), f"{path}.{field.name}")
        elif isinstance(value, tuple):
            for name in getattr(value, "_fields", ()):
                with pytest.raises(AttributeError):
                    setattr(value, name, None)
            for number, item in enumerate(value):
                walk(item, f"{path}[{number}]")
        else:
            assert not isinstance(value, list | dict | set | bytearray), path

    for table in some_tables(rules, 13, 3):
        walk(table.state.stones, "stones")
        walk(table.state.beside, "beside")
        with pytest.raises(AttributeError):
            table.state.ply = 0  # type: ignore[misc]  # what must not be possible
        again = pickle.loads(pickle.dumps(table))
        assert again == table
        assert state_code(again.state) == state_code(table.state)
        hand = table.hands[table.state.to_move]
        assert legal_moves(again.state, hand) == legal_moves(table.state, hand)


@over_variants
def test_nobody_is_asked_without_a_choice_except_for_what_must_be_named(rules: Ruleset) -> None:
    # A claim window, a draw, a pour leave a choice (rules 1.6). A play, a return or a gift may be forced.
    for seed in (17, 19):
        for table in games(rules, seed, any_kind, any_kind)[0]:
            state = table.state
            moves = legal_moves(state, table.hands[state.to_move])
            assert (state.phase is Phase.OVER) is state.over is (moves == ())
            if state.phase in (Phase.SCOUT, Phase.POUR) or (state.phase is Phase.CLAIM and not state.beside.restocked):
                assert len(moves) > 1
            if state.phase in (Phase.PLAY, Phase.CLAIM, Phase.SCOUT, Phase.RETURN, Phase.POUR):
                assert state.to_move == state.turn
