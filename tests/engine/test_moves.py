"""Moves as integers and as words: what is written is read back, and nothing else is read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_schotten.engine.cards import Card, Power
from p2p_schotten.engine.move import (
    Betray,
    BlowUp,
    Claim,
    Desert,
    Discard,
    Done,
    Draw,
    Exchange,
    Give,
    GiveFrom,
    Move,
    Oil,
    Pass,
    Play,
    PublicMove,
    Recruit,
    Redeploy,
    Resign,
    Retreat,
    Return,
    ReturnFrom,
    Scout,
    Support,
    move_code,
    public,
    read_move,
)
from p2p_schotten.engine.notation import move_text, read_move_text
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import BASE, BATTLE_LINE, RULESETS, SIEGE_TACTIC, TACTIC
from p2p_schotten.errors import Malformed, Unreadable
from p2p_schotten.ids import CardId, DeckId, StoneId
from tests.engine.positions import cards


def plain(rules: Ruleset) -> Iterator[PublicMove]:
    """Every public move of the ruleset that names no tactic card."""
    stones = [StoneId(number) for number in range(len(rules.tiles))]
    decks = [DeckId(number) for number in range(len(rules.decks))]
    yield from (Done(), Pass(), Resign())
    for deck in decks:
        yield from (Draw(deck), ReturnFrom(deck))
    for count in (1, 2, 3):
        yield from map(GiveFrom, combinations_with_replacement(decks, count))
    for stone in stones:
        yield from (Claim(stone), Oil(stone), Retreat(stone))
        yield from (Play(card.id, stone) for card in rules.cards if card.power is None)
    yield from (Discard(card.id) for card in faces(rules))


def tactic(rules: Ruleset) -> Iterator[PublicMove]:
    """Every use of a tactic card of the ruleset; what it takes is one of a few cards, and of two jokers the first."""
    stones = [StoneId(number) for number in range(len(rules.tiles))]
    taken = [card.id for card in faces(rules)][::7]
    for card in faces(rules):
        use = card.id
        match card.power:
            case Power.JOKER | Power.ELITE | Power.FOG | Power.MUD:
                yield from (Play(use, stone) for stone in stones)
            case Power.SCOUT:
                yield Scout(use)
            case Power.EXCHANGE:
                yield Exchange(use)
            case Power.REDEPLOY:
                yield from (Redeploy(use, moved, stone) for moved, stone in product(taken, (*stones, None)))
            case Power.DESERT:
                yield from (Desert(use, target) for target in taken)
            case Power.BETRAY:
                yield from (Betray(use, target, stone) for target, stone in product(taken, stones))
            case Power.RECRUIT:
                yield from (Recruit(use, target, stone) for target, stone in product(taken, stones))
            case Power.BLOW_UP:
                yield from (BlowUp(use, stone, own) for stone, own in product(stones, (True, False)))
            case Power.SUPPORT:
                yield from (Support(use, pair) for pair in combinations(taken, 2))


def faces(rules: Ruleset) -> list[Card]:
    """The cards with different faces."""
    return [card for card in rules.cards if rules.named(card.text)[0] == card.id]


EVERY = {rules.name: [*plain(rules), *tactic(rules)] for rules in RULESETS.values()}


@pytest.mark.parametrize("rules", RULESETS.values(), ids=lambda rules: rules.name)
def test_every_public_move_is_read_back_from_its_code_and_from_its_text(rules: Ruleset) -> None:
    every = EVERY[rules.name]
    for move in every:
        assert public(rules, move) is move
        assert read_move(rules, move_code(move)) == move
        assert read_move(rules, list(move_code(move))) == move
        assert read_move_text(rules, move_text(rules, move)) == move
        assert len(move_code(move)) <= 5
    assert len({move_code(move) for move in every}) == len({move_text(rules, move) for move in every}) == len(every)


def test_the_codes_on_the_wire_do_not_change() -> None:
    card, one, stone = CardId(60), CardId(7), StoneId(2)
    codes: list[tuple[PublicMove, tuple[int, ...]]] = [
        (Play(CardId(6), stone), (0, 6, 2)),
        (Claim(StoneId(8)), (1, 8)),
        (Draw(DeckId(1)), (2, 1)),
        (Done(), (3,)),
        (Pass(), (4,)),
        (Resign(), (5,)),
        (Scout(card), (6, 60)),
        (Redeploy(card, one, stone), (7, 60, 7, 2)),
        (Redeploy(card, one, None), (7, 60, 7)),
        (Desert(card, one), (8, 60, 7)),
        (Betray(card, one, stone), (9, 60, 7, 2)),
        (Recruit(card, one, stone), (10, 60, 7, 2)),
        (BlowUp(card, stone, own=True), (11, 60, 2, 1)),
        (BlowUp(card, stone, own=False), (11, 60, 2, 0)),
        (Support(card, (one, CardId(8))), (12, 60, 7, 8)),
        (Exchange(card), (13, 60)),
        (ReturnFrom(DeckId(1)), (14, 1)),
        (GiveFrom((DeckId(0), DeckId(0), DeckId(1))), (15, 0, 0, 1)),
        (Oil(stone), (16, 2)),
        (Retreat(stone), (17, 2)),
        (Discard(one), (18, 7)),
    ]
    for move, code in codes:
        assert move_code(move) == code
    assert {type(move) for move, _code in codes} == {type(move) for move in EVERY["tactic"] + EVERY["siege-tactic"]}


def test_the_public_form_of_a_hidden_choice_names_decks_only() -> None:
    r7, joker, spy = cards("R7 JOK SPY", TACTIC)
    assert public(TACTIC, Return(r7)) == ReturnFrom(DeckId(0))
    assert public(TACTIC, Return(spy)) == ReturnFrom(DeckId(1))
    assert public(TACTIC, Give((r7, joker, spy))) == GiveFrom((DeckId(0), DeckId(1), DeckId(1)))
    assert public(TACTIC, Scout(joker)) == Scout(joker)


@pytest.mark.parametrize(
    ("rules", "move", "text"),
    [
        (BASE, Play(BASE.card("R7"), StoneId(2)), "play R7 3"),
        (BASE, Claim(StoneId(0)), "claim 1"),
        (BASE, Draw(DeckId(0)), "draw clan"),
        (TACTIC, Draw(DeckId(1)), "draw tactic"),
        (BASE, Done(), "done"),
        (BASE, Pass(), "pass"),
        (BASE, Resign(), "resign"),
        (TACTIC, Play(TACTIC.card("MUD"), StoneId(8)), "play MUD 9"),
        (TACTIC, Scout(TACTIC.card("REC")), "play REC"),
        (TACTIC, Redeploy(TACTIC.card("STR"), TACTIC.card("R7"), StoneId(4)), "play STR R7 5"),
        (TACTIC, Redeploy(TACTIC.card("STR"), TACTIC.card("SPY"), None), "play STR SPY discard"),
        (TACTIC, Desert(TACTIC.card("BAN"), TACTIC.card("R7")), "play BAN R7"),
        (TACTIC, Betray(TACTIC.card("TRA"), TACTIC.card("R7"), StoneId(4)), "play TRA R7 5"),
        (TACTIC, Return(TACTIC.card("R7")), "return R7"),
        (TACTIC, ReturnFrom(DeckId(1)), "return tactic"),
        (BATTLE_LINE, Discard(BATTLE_LINE.card("R10")), "discard R10"),
        (SIEGE_TACTIC, Recruit(SIEGE_TACTIC.card("REC"), SIEGE_TACTIC.card("R0"), StoneId(6)), "play REC R0 7"),
        (SIEGE_TACTIC, BlowUp(SIEGE_TACTIC.card("BLO"), StoneId(2), own=True), "play BLO 3 own"),
        (SIEGE_TACTIC, BlowUp(SIEGE_TACTIC.card("BLO"), StoneId(2), own=False), "play BLO 3 other"),
        (SIEGE_TACTIC, Support(SIEGE_TACTIC.card("SUP"), (CardId(7), CardId(14))), "play SUP R7 G2"),
        (SIEGE_TACTIC, Exchange(SIEGE_TACTIC.card("EXC")), "play EXC"),
        (SIEGE_TACTIC, Give(cards("R7 G2 JOK", SIEGE_TACTIC)), "give R7 G2 JOK"),
        (SIEGE_TACTIC, GiveFrom((DeckId(0), DeckId(0), DeckId(1))), "give siege siege tactic"),
        (SIEGE_TACTIC, Oil(StoneId(3)), "oil 4"),
        (SIEGE_TACTIC, Retreat(StoneId(3)), "retreat 4"),
    ],
)
def test_moves_in_words(rules: Ruleset, move: Move, text: str) -> None:
    assert move_text(rules, move) == text
    assert read_move_text(rules, f"  {text.upper().replace(' ', '   ')} ") == move


def test_of_two_jokers_the_one_in_the_hand_is_meant() -> None:
    one, two = cards("JOK JOK", TACTIC)
    assert read_move_text(TACTIC, "play JOK 3") == Play(one, StoneId(2))
    assert read_move_text(TACTIC, "play JOK 3", (two,)) == Play(two, StoneId(2))
    assert read_move_text(TACTIC, "return JOK", (two,)) == Return(two)
    assert read_move_text(TACTIC, "give JOK", (two,)) == Give((two,))
    assert read_move_text(TACTIC, "give JOK JOK", (two, one)) == Give((one, two))


def test_the_cards_of_a_support_may_be_typed_in_any_order() -> None:
    assert read_move_text(SIEGE_TACTIC, "play SUP G2 R7") == read_move_text(SIEGE_TACTIC, "play SUP R7 G2")


HIGH = 2**64
BAD: dict[str, list[tuple[object, ...]]] = {
    "base": [
        *[(), (0,), (0, 6), (0, 6, 2, 0), (0, 54, 0), (0, -1, 0), (0, 0, 9), (0, 0, -1), (1,), (1, 9), (1, -1)],
        *[(1, 0, 0), (2, 1), (2, -1), (2,), (3, 0), (4, 0), (5, 0), (6,), (-1,), (HIGH,), (True, 8), (1, True)],
        *[(1.0, 8), (0, "6", 2), (b"\x05",), (None,), ((5,),), (14, 1), (15, 0, 1), (6, 54), (8, 0, 54), (19, 0)],
    ],
    "tactic": [
        *[(0, 64, 0), (2, 2), (6, 64), (6, -1), (6, 60, 0), (7, 61), (7, 61, 64), (7, 61, 0, 9), (7, 61, 0, -1)],
        *[(7, 61, 0, 0, 0), (8, 62), (8, 62, 64), (8, 62, 0, 0), (9, 63, 0), (9, 63, 0, 9), (9, 63, 64, 0)],
        *[(9, 63, 0, 0, 0), (14,), (14, 2), (14, -1), (14, 0, 0), (15, 2), (15, -1), (15, 0, 0, 0, 0), (18,), (18, 64)],
    ],
    "siege-tactic": [
        *[(10, 65, 0), (10, 65, 0, 7), (10, 65, 71, 0), (11, 68, 0), (11, 68, 7, 0), (11, 68, 0, 2), (11, 68, 0, -1)],
        *[(11, 68, 0, True), (12, 69, 0), (12, 69, 0, 71), (12, 69, 0, 1, 2), (13,), (13, 71), (13, 70, 0), (16,)],
        *[(16, 7), (16, -1), (16, 0, 0), (17,), (17, 7), (17, HIGH), (17, 0, 0), (18, -1), (18, 0, 0), (-7, 61, 0)],
    ],
}


@pytest.mark.parametrize(("name", "code"), [(name, code) for name, codes in BAD.items() for code in codes])
def test_a_malformed_code_is_refused(name: str, code: tuple[object, ...]) -> None:
    with pytest.raises(Malformed):
        read_move(RULESETS[name], code)


@given(
    st.sampled_from(sorted(RULESETS)), st.lists(st.integers(-3, 75) | st.booleans() | st.binary(max_size=2), max_size=5)
)
def test_a_code_is_read_only_as_the_move_that_is_written_so(name: str, code: list[object]) -> None:
    try:
        move = read_move(RULESETS[name], code)
    except Malformed:
        known = any(tuple(code) == move_code(move) for move in EVERY[name])
        assert not known or bool in map(type, code)
    else:
        assert list(move_code(move)) == code
        assert bool not in map(type, code)


UNREADABLE = {  # with semicolons between
    "base": "; ; play; play R7; play R7 3 4; play R0 3; play R10 3; play Z7 3; play R7 0; play R7 10; play R7 -1;"
    "play 3 R7; play R7 +1; play R7 1_0; play R7 \u0663; claim; claim 0; claim 10; claim x; draw; draw tactic; done 1;"
    "resign now; surrender; play JOK 3; return JOK; return tactic; give; give JOK; discard; oil; oil 10; retreat x;   ;"
    + "play R7 "
    + "9" * 5000
    + ";"
    + "x" * 10000,
    "tactic": "play JOK; play MUD; play MUD 10; play REC 3; play STR; play STR R7; play STR R7 10; play STR R7 5 6;"
    "play STR discard R7; play BAN; play BAN 3; play BAN R7 3; play TRA R7; play TRA R7 own; play R7 discard;"
    "play SUP R7 G2; give R7 clan; give clan R7; return R7 R8",
    "siege-tactic": "play REC; play REC R0; play REC R0 8; play BLO 3; play BLO own 3; play BLO 3 mine; play SUP R7;"
    "play SUP R7 G2 B1; play EXC 3; give R12; oil 8; retreat 0; give " + "R7x " * 3000,
}


@pytest.mark.parametrize(
    ("name", "text"), [(name, text) for name, texts in UNREADABLE.items() for text in texts.split(";")]
)
def test_text_that_is_no_move_is_unreadable_and_the_answer_is_short(name: str, text: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read_move_text(RULESETS[name], text)
    assert len(str(refused.value)) < 160
