"""The messages between this program and a bot that is a program of its own: one JSON object per line.

docs/bots.md shows an exchange, `schema` describes every message. To the bot goes what its seat may know, and no more.
From the bot come `hello` and `move` only; a field that is not known here is refused, so that a slip of the pen is seen.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from p2p_schotten.engine.fields import Fields, describe_step, outcome_fields, rules_fields, view_fields
from p2p_schotten.engine.move import Move, Resign
from p2p_schotten.engine.notation import move_text
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.state import State
from p2p_schotten.engine.step import Event, Outcome
from p2p_schotten.engine.view import View
from p2p_schotten.errors import Malformed
from p2p_schotten.ids import Seat
from p2p_schotten.text import check_name, clean_text

VERSION = 1

MAX_ANSWER = 1024  # bytes of a line from a bot: a name of 32 bytes, each escaped, and blanks; a move is shorter
MAX_MESSAGE = 64 * 1024  # bytes of a line to a bot: to offer each pair of 53 discarded cards takes 34,000
SEED_BITS = 31  # a signed number in every language, and exact where all numbers are floating


def hello(limit: float) -> bytes:
    """The first line: which version is spoken, and how many seconds each answer may take."""
    return _line({"type": "hello", "version": VERSION, "limit": limit})


def new_game(rules: Ruleset, seat: Seat, seed: int) -> bytes:
    """A game begins at that seat; chance comes from `seed` alone."""
    return _line({"type": "newgame", "seat": seat, "seed": seed, "rules": rules_fields(rules)})


def act(view: View, texts: Sequence[str]) -> bytes:
    """The bot is to choose one of `texts`, which stand last in the line."""
    return _line({"type": "act", "view": view_fields(view), "legal": list(texts)})


def observe(event: Event, state: State) -> bytes:
    """Something happened that everybody saw; the fields are those of the same event in docs/json.md."""
    kind, fields = describe_step(event, state)
    return _line({"type": "observe", "event": kind, **fields})


def game_over(outcome: Outcome) -> bytes:
    """How the game ended."""
    return _line({"type": "gameover", **outcome_fields(outcome)})


def bye() -> bytes:
    """The last line: no game follows."""
    return _line({"type": "quit"})


def move_texts(rules: Ruleset, legal: Sequence[Move]) -> tuple[str, ...]:
    """The moves as a player types them, in their order."""
    return tuple([move_text(rules, move) for move in legal])


def read_hello(line: bytes) -> str:
    """The name of the bot that answers so; raises Malformed."""
    fields = _read(line, "hello", {"version", "name"})
    version, name = fields["version"], fields["name"]
    if type(version) is not int or version != VERSION:
        raise Malformed(f"it speaks version {clean_text(repr(version), 20)} of the protocol, expected {VERSION}")
    if not isinstance(name, str):
        raise Malformed(f"its name is no text: {clean_text(repr(name), 40)}")
    return check_name(name)


def read_move(line: bytes, legal: Sequence[Move], texts: Sequence[str]) -> Move | str:
    """The move that the bot chose: its text, its place in `legal` from 0 on, or `resign`; raises Malformed.

    A well-formed answer that was not offered comes back as the text to complain about.
    """
    answer = _read(line, "move", {"move"})["move"]
    if isinstance(answer, str):
        if answer in texts:
            return legal[texts.index(answer)]
        return Resign() if answer == "resign" else repr(clean_text(answer, 40))
    if type(answer) is int:
        return legal[answer] if 0 <= answer < len(legal) else f"number {str(answer)[:20]} of {len(legal)} (from 0 on)"
    raise Malformed(f"a move is a text or a number, not {clean_text(json.dumps(answer), 40)}")


def _read(line: bytes, kind: str, names: set[str]) -> Fields:
    """The fields of the message of that type, these and no others; raises Malformed."""
    try:
        value: object = json.loads(line.decode(), object_pairs_hook=_once, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise Malformed(f"expected a line of JSON, got {_shown(line)}") from None
    if not isinstance(value, dict) or value.get("type") != kind or value.keys() != names | {"type"}:
        wanted = ", ".join(("type", *sorted(names)))
        raise Malformed(f'expected a message of the type "{kind}" with the fields {wanted}, got {_shown(line)}')
    return value


def _once(pairs: list[tuple[str, object]]) -> Fields:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a field stands twice")
    return fields


def _no_number(word: str) -> object:
    raise ValueError(f"{word} is no JSON")


def _shown(line: bytes) -> str:
    return repr(clean_text(line.decode(errors="replace"), 60))


def _line(fields: Fields) -> bytes:
    line = json.dumps(fields).encode() + b"\n"
    assert len(line) <= MAX_MESSAGE
    return line
