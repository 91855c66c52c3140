"""The doors that text comes through: an invite, a line for the judge, a move, a line at the prompt."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

from p2p_schotten.cli.judge import LINE_BYTES, lines, respond
from p2p_schotten.crypto.identity import Identity
from p2p_schotten.engine.move import Resign
from p2p_schotten.engine.notation import move_text, read_move_text
from p2p_schotten.engine.rulesets import RULESETS
from p2p_schotten.errors import Malformed, Unreadable
from p2p_schotten.match import form_text, read_form
from p2p_schotten.net.invite import MAX_ADDRESSES, Address, parse_address, parse_target, write_invite
from p2p_schotten.protocol.offer import MAX_FORM
from p2p_schotten.text import check_chat
from p2p_schotten.ui.desk import Desk, Say, Send
from p2p_schotten.ui.voice import Voice
from tests.engine.positions import ME, YOU, position, stone
from tests.fuzz.mutate import Shape
from tests.fuzz.target import Target, check_sentence
from tests.ui.desks import at_claim, at_play, desk_at
from tests.ui.test_desk_siege import attacker, defender
from tests.ui.test_desk_tactics import tactic_desk

CASES = Path(__file__).parent.parent / "cases"
RULES = tuple(RULESETS.values())
LINES = 6  # typed at one desk; enough to choose, take back and begin to leave


def _text(data: bytes) -> str:
    """As a program gets it from its arguments and its input: bytes that are no UTF-8 become lone surrogates."""
    return data.decode(errors="surrogateescape")


def invite(data: bytes) -> bool:
    """An invite that is taken is written the same way again; so is an address."""
    try:
        target = parse_target(_text(data))
    except Malformed as error:
        check_sentence(error)
        return False
    assert 1 <= len(target.addresses) <= MAX_ADDRESSES
    for address in target.addresses:
        assert parse_address(str(address)) == address
    assert (target.key is None) == (target.secret is None)
    if target.key is not None and target.secret is not None:
        assert parse_target(write_invite(target.key, target.secret, target.addresses)) == target
    return True


def judge(data: bytes) -> bool:
    """Every line gets exactly one answer, which is one line of JSON: a verdict or an error."""
    answered = True
    given = list(lines(io.BytesIO(data)))
    assert len(given) <= data.count(b"\n") + 1
    for line in given:
        assert len(line) <= LINE_BYTES + 1
        reply = respond(line)
        written = json.dumps(reply)
        assert written.isascii()
        assert "\n" not in written
        assert reply.keys() in ({"id", "error"}, {"id", "claim", "because", "beaten_by"})
        answered = answered and "error" not in reply
    return answered and bool(given)


def move(data: bytes) -> bool:
    """The first byte chooses the rules. A move that is taken is read the same from its own words."""
    rules, text = RULES[data[0] % len(RULES) if data else 0], _text(data[1:])
    try:
        read = read_move_text(rules, text)
    except Unreadable as error:
        check_sentence(error)
        return False
    assert read_move_text(rules, move_text(rules, read)) == read
    return True


def form(data: bytes) -> bool:
    """The first byte chooses the rules, the rest names the form of a match."""
    rules, text = RULES[data[0] % len(RULES) if data else 0], _text(data[1:])
    if len(text) > MAX_FORM:  # an offer with a longer one is refused before
        return False
    try:
        read = read_form(rules, text)
    except Unreadable as error:
        check_sentence(error)
        return False
    assert form_text(read) == text
    return True


def desk(data: bytes) -> bool:
    """The first byte chooses a position, the rest is typed there line by line; a decision is one that was offered."""
    at, taken = DESKS[data[0] % len(DESKS) if data else 0](), False
    for line in _text(data[1:]).split("\n")[:LINES]:
        choices = at.choices
        reply = at.answer(line)
        for said in (*reply.lines, at.prompt, *at.question()):
            assert said.isprintable(), f"a terminal would obey {said!r}"
        assert not (reply.refused and reply.action)
        match reply.action:
            case Send(move):
                assert move in choices or (choices and isinstance(move, Resign))
            case Say(text):
                assert check_chat(text) == text
        taken = taken or not reply.refused
    return taken


def _before_the_deal() -> Desk:
    return Desk(Voice(None, ("", "")))


def _waiting() -> Desk:
    """It is the other's turn, and the names look like what a sentence is made with."""
    at = desk_at(position({0: stone("B8 B9", "R7")}, to_move=YOU), asked=False, sure=True)
    at.voice = Voice(ME, ("{name}", "{0} %s"))
    return at


def _half_chosen() -> Desk:
    at = tactic_desk()
    assert not at.answer("str r7").refused
    return at


DESKS: tuple[Callable[[], Desk], ...] = (
    *(at_play, at_claim, _before_the_deal, _waiting, tactic_desk, _half_chosen),
    *(attacker, defender),
)


@cache
def _invite_seeds() -> tuple[bytes, ...]:
    key, secret = Identity(bytes(32)).public, bytes(range(16))
    two = (Address("192.0.2.7", 4321), Address("2001:db8::7", 65535))
    named = (Address("home.example.org", 1),)
    texts = (write_invite(key, secret, two), write_invite(key, secret, named), "[::1]:4321", "127.0.0.1:80", "host:9")
    return tuple(text.encode() for text in texts)


@cache
def _judge_seeds() -> tuple[bytes, ...]:
    """The first lines of each file of cases, as they stand there, and two lines at once."""
    found = [line for file in sorted(CASES.glob("*.jsonl")) for line in file.read_bytes().splitlines()[:4]]
    return (*found, found[0] + b"\n" + found[1] + b"\n")


def _typed(rules: str, *lines: str) -> tuple[bytes, ...]:
    """The lines behind the byte that chooses the rules."""
    return tuple(bytes([list(RULESETS).index(rules)]) + line.encode() for line in lines)


def _move_seeds() -> tuple[bytes, ...]:
    troop, tactic = (deck.name for deck in RULESETS["siege-tactic"].decks)
    siege = (
        "play SUP R7 G2",
        "oil 1",
        "retreat 3",
        "give R7 G2",
        f"give {troop} {tactic}",
        "play BLO 3 own",
        "play EXC",
    )
    ruses = ("play STR R7 discard", "play STR R7 5", "play BAN R7", "play TRA R7 5", "play REC", "play JOK 1")
    return (
        *_typed("base", "play R7 3", "claim 2", "done", "resign", "pass", "return R7"),
        *_typed("siege-tactic", *siege),
        *_typed("tactic", *ruses, "discard STR", f"draw {tactic}"),
    )


def _form_seeds() -> tuple[bytes, ...]:
    return (*_typed("base", "", "rounds 3", "points 15"), *_typed("siege", "roles"))


def _desk_seeds() -> tuple[bytes, ...]:
    typed = (
        *("1", "R2 4", "play R2 4", "?", "?R7", "help", "rules", "say hello", "last 20", "why 3", "what R7", "hand"),
        *("resign\nyes", "quit\nyes", "quit\nno", "board", "unseen", "discard", "back", "5\n0", "0", "4\nback\n5"),
        *("str r7 4", "ban SPY", "TRA Y9 1", "control 4", "oil 1", "retreat 1", "claim 4", "done", "no", "5\nr7\nd"),
    )
    return tuple(bytes([at]) + line.encode() for at in range(len(DESKS)) for line in typed)


CARDS = (
    "R7",
    "G2",
    "JOK",
    "SPY",
    "SHB",
    "FOG",
    "MUD",
    "STR",
    "BAN",
    "TRA",
    "REC",
    "SUP",
    "EXC",
    "BLO",
    "SAB",
    "X9",
    "R0",
)
TYPED = (
    *(
        "play",
        "claim",
        "control",
        "done",
        "pass",
        "resign",
        "draw",
        "return",
        "give",
        "discard",
        "oil",
        "retreat",
        "own",
    ),
    *(
        "other",
        "clan",
        "tactic",
        "yes",
        "no",
        "back",
        "undo",
        "say",
        "why",
        "what",
        "last",
        "quit",
        "board",
        "hand",
        "0",
    ),
    *("1", "3", "9", "10", "\n", *CARDS),
)
JUDGED = (
    "mine",
    "theirs",
    "first",
    "played",
    "variant",
    "st1",
    "st2",
    "bl",
    "pattern",
    "length",
    "+",
    "-",
    "=",
    *CARDS,
)

WORDS = (
    Target(
        "invite", invite, _invite_seeds, Shape.WORDS, 6, ("SCHOTTEN1:", "SCHOTTEN2:", "::1", "[", "]", ":", "%eth0")
    ),
    Target("judge", judge, _judge_seeds, Shape.JSON, 6, JUDGED),
    Target("move", move, _move_seeds, Shape.WORDS, 8, TYPED),
    Target("form", form, _form_seeds, Shape.WORDS, 4, ("rounds", "points", "roles", "1", "50", "500", "501")),
    Target("desk", desk, _desk_seeds, Shape.WORDS, 6, TYPED),
)
