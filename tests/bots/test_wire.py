"""What a bot may answer: exactly what the schema allows, read strictly; and what it is told is what the schema says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from p2p_schotten.bots import wire
from p2p_schotten.bots.schema import schema
from p2p_schotten.engine import step
from p2p_schotten.engine.fields import Fields
from p2p_schotten.engine.move import Move, Play, Resign, Support
from p2p_schotten.engine.notation import read_move_text
from p2p_schotten.engine.rules import new_game
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import BASE, RULESETS, SIEGE_TACTIC
from p2p_schotten.engine.state import Beside
from p2p_schotten.engine.table import play
from p2p_schotten.engine.view import Memory, View
from p2p_schotten.errors import Malformed
from p2p_schotten.ids import SEATS, StoneId
from tests.bots.games import dealt, seen_by
from tests.engine.positions import ME, YOU, cards, position

SCHEMA = schema()
START = seen_by(dealt(BASE, ME, 1), ME)
LEGAL = START.choices()
TEXTS = wire.move_texts(BASE, LEGAL)


def closed(value: object) -> object:
    """The same schema, but a field that it does not name is an error wherever fields are named."""
    if isinstance(value, dict):
        new = {key: closed(inner) for key, inner in value.items()}
        return new | {"additionalProperties": False} if "properties" in new else new
    return [closed(inner) for inner in value] if isinstance(value, list) else value


def validator(direction: str, strict: bool = False) -> Draft202012Validator:
    whole = closed(SCHEMA) if strict else SCHEMA
    assert isinstance(whole, dict)
    return Draft202012Validator({"$ref": f"#/$defs/{direction}", "$defs": whole["$defs"]})


TO_BOT, FROM_BOT = validator("to_bot", strict=True), validator("from_bot")


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert json.loads(json.dumps(SCHEMA)) == SCHEMA


def messages(rules: Ruleset, seed: int) -> Iterator[bytes]:
    """What both seats are told in a game by chance."""
    random, table = Random(seed), dealt(rules, ME, seed)
    yield from (wire.new_game(rules, seat, random.getrandbits(31)) for seat in SEATS)
    yield from (wire.observe(event, table.state) for event in new_game(rules, ME).events)
    while table.state.outcome is None:
        view = seen_by(table, table.state.to_move)
        legal = view.choices()
        yield wire.act(view, wire.move_texts(rules, legal))
        table, events = play(table, random.choice(legal), lambda pile: random.sample(pile, len(pile)))
        yield from (wire.observe(event, table.state) for event in events)
    yield wire.game_over(table.state.outcome)


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_every_line_of_a_game_is_as_the_schema_says_and_has_no_other_field(rules: Ruleset) -> None:
    told = [wire.hello(10.0), *messages(rules, 4), wire.bye()]
    for line in told:
        assert line.endswith(b"\n")
        assert line.count(b"\n") == 1
        assert line.isascii()
    for line in told[::19] + told[:6] + told[-3:]:  # each is slow to check
        TO_BOT.validate(json.loads(line))


def test_the_schema_knows_every_event_by_its_name() -> None:
    defs = SCHEMA["$defs"]
    assert isinstance(defs, dict)
    known = {each["properties"]["event"]["const"] for each in defs["observe"]["oneOf"]}
    assert known == {kind.__name__.lower() for kind in get_args(step.Event)}


def test_a_line_is_written_as_the_documents_show_it() -> None:
    view = View(ME, position({}), cards("R7 G2"), Memory())
    line = wire.act(view, ("play R7 1", "play G2 1")).decode()
    assert line.startswith('{"type": "act", "view": {"seat": 0, "hand": ["R7", "G2"], "position": {"rules": "base", ')
    assert line.endswith('"legal": ["play R7 1", "play G2 1"]}\n')
    assert wire.new_game(BASE, YOU, 5).startswith(b'{"type": "newgame", "seat": 1, "seed": 5, "rules": {"name": "base"')


def test_the_longest_message_offers_each_pair_of_discarded_cards_and_fits() -> None:
    # Of 60 cards two must lie in the pile for a support to be played, and some in the hands.
    rules = SIEGE_TACTIC
    discard = " ".join(card.text for card in rules.decks[0].cards[:53])
    hand = cards("Y11 P10 P11 SUP REC", rules)
    state = position({}, rules=rules, hands=((3, 2), (2, 0)), pile=(2, 4), discard=discard, beside=None)
    legal = View(ME, state, hand, Memory()).choices()
    assert sum(isinstance(move, Support) for move in legal) == 53 * 52 // 2
    line = wire.act(View(ME, state, hand, Memory()), wire.move_texts(rules, legal))
    assert 30_000 < len(line) < wire.MAX_MESSAGE


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_the_rules_as_data_name_every_card_and_stone(rules: Ruleset) -> None:
    told = json.loads(wire.new_game(rules, ME, 0))["rules"]
    texts = [card["text"] for deck in told["decks"] for card in deck["cards"]]
    assert texts == [card.text for card in rules.cards]
    assert [tile["size"] for tile in told["tiles"]] == [tile.size for tile in rules.tiles]
    first = told["decks"][0]["cards"][0]
    assert first == {"text": texts[0], "colour": 0, "value": rules.grid.low}
    assert (told["siege"] is None, told["tactics"] is None) == (rules.siege is None, rules.tactics is None)


def test_of_two_jokers_each_can_be_chosen_by_its_number() -> None:
    rules = SIEGE_TACTIC
    beside = Beside(attacker=ME, oil=3)
    state = position({}, rules=rules, hands=((5, 2), (7, 0)), pile=(20, 5), beside=beside)
    hand = (*cards("R1 R2 R3 R4 R5 JOK", rules), rules.named("JOK")[1])
    legal = View(ME, state, hand, Memory()).choices()
    texts = wire.move_texts(rules, legal)
    two = [number for number, text in enumerate(texts) if text == "play JOK 1"]
    chosen = [wire.read_move(b'{"type": "move", "move": %d}' % number, legal, texts) for number in two]
    assert chosen == [Play(card, StoneId(0)) for card in rules.named("JOK")]


# What may come from a bot: the line, and what is read from it.
GOOD = {
    f'{{"type": "move", "move": "{TEXTS[5]}"}}': LEGAL[5],
    '{"type": "move", "move": 0}': LEGAL[0],
    ' { "move":53,"type":"move" } \r': LEGAL[53],
    '{"type": "move", "move": "resign"}': Resign(),
    '{"type": "move", "move": "play R99 1"}': "'play R99 1'",
    '{"type": "move", "move": "PLAY"}': "'PLAY'",
    '{"type": "move", "move": 54}': "number 54 of 54 (from 0 on)",
    '{"type": "move", "move": -1}': "number -1 of 54 (from 0 on)",
    '{"type": "move", "move": %s}' % ("9" * 900): f"number {'9' * 20} of 54 (from 0 on)",
}
BAD = (
    "",
    "play R7 3",
    "[]",
    "0",
    "{}",
    '{"type": "move"}',
    '{"move": 0}',
    '{"type": "act", "move": 0}',
    '{"type": "hello", "version": 1}',
    '{"type": "move", "move": 0, "why": "so"}',
    '{"type": "move", "move": true}',
    '{"type": "move", "move": null}',
    '{"type": "move", "move": [0]}',
    '{"type": "move", "move": {"move": 0}}',
    '{"type": "move", "move": 0.5}',
)
WORSE = (  # JSON schema knows nothing of these
    '{"type": "move", "move": 0, "move": 1}',
    '{"type": "move", "move": 1.0}',
    '{"type": "move", "move": NaN}',
    '{"type": "move", "move": 0} {}',
    "[" * 1000,
    '{"type": "move", "move": %s}' % ("9" * 5000),
    '\ufeff{"type": "move", "move": 0}',
)


@pytest.mark.parametrize("line", GOOD)
def test_a_well_formed_answer_is_a_move_or_says_what_was_not_offered(line: str) -> None:
    assert wire.read_move(line.encode(), LEGAL, TEXTS) == GOOD[line]
    FROM_BOT.validate(json.loads(line))


@pytest.mark.parametrize("line", [*BAD, *WORSE])
def test_what_is_no_answer_is_refused_in_one_sentence(line: str) -> None:
    with pytest.raises(Malformed) as refused:
        wire.read_move(line.encode(), LEGAL, TEXTS)
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 200
    if line in BAD[2:]:
        assert not FROM_BOT.is_valid(json.loads(line)) or "hello" in line


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({}, 'expected a message of the type "hello" with the fields type, name, version'),
        ({"version": 1}, "expected a message"),
        ({"version": 1, "name": "x", "by": "y"}, "expected a message"),
        ({"version": 2, "name": "x"}, "it speaks version 2 of the protocol, expected 1"),
        ({"version": "1", "name": "x"}, "it speaks version '1' of the protocol, expected 1"),
        ({"version": True, "name": "x"}, "it speaks version True of the protocol, expected 1"),
        ({"version": 1, "name": 5}, "its name is no text: 5"),
        ({"version": 1, "name": ""}, "a name has 1 to 32 bytes, this one has 0"),
        ({"version": 1, "name": "x" * 33}, "a name has 1 to 32 bytes, this one has 33"),
        ({"version": 1, "name": "a\x1bb"}, "the name has U+001B"),
    ],
)
def test_a_hello_says_version_and_name_and_no_more(fields: Fields, why: str) -> None:
    with pytest.raises(Malformed) as refused:
        wire.read_hello(json.dumps({"type": "hello"} | fields).encode())
    assert str(refused.value).startswith(why)


def test_the_longest_name_fits_into_a_line() -> None:
    line = json.dumps({"type": "hello", "version": 1, "name": "\x7e" * 28 + "\N{PLAYING CARD ACE OF SPADES}"})
    FROM_BOT.validate(json.loads(line))
    assert wire.read_hello(line.encode()).endswith("\N{PLAYING CARD ACE OF SPADES}")
    assert len(json.dumps({"type": "hello", "version": 1, "name": ""})) + 32 * 6 < wire.MAX_ANSWER


def test_the_texts_of_moves_are_those_that_a_player_types() -> None:
    assert [read_move_text(BASE, text) for text in TEXTS] == list(LEGAL)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "move", "name"]), inner),
    max_leaves=6,
)
FIELDS = st.dictionaries(st.sampled_from(["move", "name", "version", "x"]), JSON)
NEARLY = st.builds(lambda fields, kind: fields | {"type": kind}, FIELDS, st.sampled_from(["move", "hello", "act"]))


def read(line: bytes) -> Move | str:
    """What comes of the line, either way: the reason where it is refused."""
    try:
        return wire.read_move(line, LEGAL, TEXTS)
    except Malformed as error:
        return f"refused: {error}"


@settings(max_examples=60, deadline=None)
@given(line=st.binary(max_size=60) | (JSON | NEARLY).map(lambda value: json.dumps(value).encode()))
def test_whatever_comes_is_read_or_refused_in_a_sentence_and_the_schema_agrees(line: bytes) -> None:
    chosen = read(line)
    if isinstance(chosen, str):
        assert chosen.isprintable()
    if not str(chosen).startswith("refused: "):
        assert FROM_BOT.is_valid(json.loads(line))


def test_half_a_letter_is_shown_as_such() -> None:
    assert wire.read_move(b'{"type": "move", "move": "\\ud800"}', LEGAL, TEXTS) == "'\N{REPLACEMENT CHARACTER}'"
    with pytest.raises(Malformed, match="the name has U\\+D800"):
        wire.read_hello(b'{"type": "hello", "version": 1, "name": "\\ud800"}')
