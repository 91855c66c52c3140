"""A JSON Schema (draft 2020-12) of every message between this program and a bot that is a program of its own.

What is sent to a bot may gain fields; what comes from it has these fields and no others.
"""

from __future__ import annotations

from collections.abc import Mapping

from p2p_schotten.bots.wire import SEED_BITS, VERSION
from p2p_schotten.engine.cards import Power
from p2p_schotten.engine.fields import Fields
from p2p_schotten.engine.ruleset import ClaimWindow, Contest
from p2p_schotten.engine.state import Phase
from p2p_schotten.engine.step import Reason
from p2p_schotten.text import NAME_BYTES

TEXT: Fields = {"type": "string"}
COUNT: Fields = {"type": "integer", "minimum": 0}
YES_OR_NO: Fields = {"type": "boolean"}


def schema() -> Fields:
    """The schema of one line in either direction; each direction also stands under `$defs`."""
    to_bot = ("hello", "newgame", "act", "observe", "gameover", "quit")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Lines between schotten and a bot, version {VERSION}",
        "anyOf": [_ref("to_bot"), _ref("from_bot")],
        "$defs": {
            "to_bot": {"oneOf": [_ref(name) for name in to_bot]},
            "from_bot": {"oneOf": [_ref("hello_of_bot"), _ref("move")]},
            **_messages(),
            **_answers(),
            **_rules(),
            **_positions(),
            **_small(),
        },
    }


def _messages() -> Fields:
    result: Fields = {
        "winner": _or_null(_ref("seat")),
        "reason": {"enum": [reason.value for reason in Reason]},
        "points": _pair(COUNT),
    }
    return {
        "hello": _message("hello", {"version": {"const": VERSION}, "limit": {"type": "number", "exclusiveMinimum": 0}}),
        "newgame": _message("newgame", {"seat": _ref("seat"), "seed": _ref("seed"), "rules": _ref("rules")}),
        "act": _message("act", {"view": _ref("view"), "legal": _list(TEXT) | {"minItems": 1}}),
        "observe": {"oneOf": [_message("observe", {"event": {"const": e}} | f) for e, f in _events(result).items()]},
        "gameover": _message("gameover", result),
        "quit": _message("quit", {}),
    }


def _events(result: Fields) -> Mapping[str, Fields]:
    seat: Fields = {"seat": _ref("seat")}
    card: Fields = {"card": _ref("card")}
    cards: Fields = {"cards": _list(_ref("card"))}
    stone: Fields = {"stone": _ref("stone")}
    source: Fields = {"source": _ref("stone")}
    deck: Fields = {"deck": _ref("deck")}
    number: Fields = {"cards": COUNT}
    left: Fields = {"left": COUNT}
    return {
        "dealt": number | {"first": _ref("seat")},
        "played": seat | card | stone,
        "claimed": seat | stone,
        "drew": seat | deck | left,
        "passed": seat,
        "skipped": seat,
        "awarded": seat | stone,
        "ended": result,
        "used": seat | card,
        "moved": seat | card | source | stone,
        "betrayed": seat | card | source | stone,
        "recruited": seat | card | stone,
        "discarded": seat | cards | stone,
        "eliminated": cards | stone,
        "returned": seat | deck,
        "gave": seat | {"decks": _list(_ref("deck"))},
        "exchanged": number,
        "supported": seat | cards,
        "poured": seat | stone | left,
        "retreated": seat | stone,
        "controlled": seat | stone,
    }


def _answers() -> Fields:
    name: Fields = {"type": "string", "minLength": 1, "maxLength": NAME_BYTES}
    chosen: Fields = {"type": ["string", "integer"], "description": "one of `legal`, its place there from 0, or resign"}
    return {
        "hello_of_bot": _message("hello", {"version": {"const": VERSION}, "name": name}) | _closed(),
        "move": _message("move", {"move": chosen}) | _closed(),
    }


def _rules() -> Fields:
    numbered = _object({"text": _ref("card"), "colour": COUNT, "value": COUNT})
    power: Fields = {"enum": [power.value for power in Power]}
    tactic = _object({"text": _ref("card"), "power": power, "title": TEXT, "wild": _or_null(_pair(COUNT))})
    tactics: Fields = {
        "joker_limit": YES_OR_NO,
        "ruses_take": TEXT,
        "modes_targetable": YES_OR_NO,
        "return_to": {"enum": ["bottom", "top"]},
    }
    size: Fields = {"type": "integer", "minimum": 2, "maximum": 4}
    return {
        "rules": _object(
            {
                "name": TEXT,
                "flags": _map_of(TEXT),
                "decks": _list(_object({"name": _ref("deck"), "cards": _list({"oneOf": [numbered, tactic]})})),
                "hand_size": COUNT,
                "tiles": _list(_ref("tile")),
                "claims": {"enum": [window.value for window in ClaimWindow]},
                "adjacent": COUNT,
                "majority": COUNT,
                "win_points": COUNT,
                "colour_run_bonus": YES_OR_NO,
                "tactics": _or_null(_object(tactics)),
                "siege": _or_null(_object({"oil": COUNT, "breach": COUNT, "full_defender_wins": YES_OR_NO})),
            }
        ),
        "tile": _object({"size": size, "contest": _ref("contest"), "damaged": _or_null(_ref("tile"))}),
        "contest": {"enum": [contest.value for contest in Contest]},
    }


def _positions() -> Fields:
    cards = _list(_ref("card"))
    view: Fields = {"seat": _ref("seat"), "hand": cards, "position": _ref("position")}
    position: Fields = {
        "rules": TEXT,
        "flags": _map_of(TEXT),
        "turn": _ref("seat"),
        "to_move": _ref("seat"),
        "phase": {"enum": [phase.name.lower() for phase in Phase]},
        "stones": _list(_ref("stone_fields")),
        "claimable": _list(_ref("stone")),
        "piles": _map_of(COUNT),
        "hands": _pair(COUNT),
        "discard": cards,
    }
    beside: Fields = {  # with tactic cards, or in a siege
        "backs": _pair(_map_of(COUNT)),
        "tactics": _pair(COUNT),
        "jokers": _pair(YES_OR_NO),
        "left": COUNT,
        "attacker": _or_null(_ref("seat")),
        "oil": COUNT,
    }
    stone: Fields = {
        "sides": _pair(cards),
        "owner": _or_null(_ref("seat")),
        "first": _or_null(_ref("seat")),
        "size": COUNT,
        "contest": _ref("contest"),
    }
    modes = _list(_object({"card": _ref("card"), "seat": _ref("seat")}))
    return {
        "view": _object(view, {"returned": cards, "given": cards}),
        "position": _object(position, beside),
        "stone_fields": _object(stone, {"modes": modes, "damaged": YES_OR_NO}),
    }


def _small() -> Fields:
    return {
        "seat": {"type": "integer", "minimum": 0, "maximum": 1},
        "stone": {"type": "integer", "minimum": 1, "description": "from left to right, as a player counts"},
        "card": {"type": "string", "pattern": "^([A-Z][0-9]+|[A-Z]{3})$"},
        "deck": TEXT,
        "seed": {"type": "integer", "minimum": 0, "maximum": 2**SEED_BITS - 1},
    }


def _message(kind: str, fields: Fields) -> Fields:
    return _object({"type": {"const": kind}} | fields)


def _object(required: Fields, optional: Fields | None = None) -> Fields:
    return {"type": "object", "required": list(required), "properties": required | (optional or {})}


def _closed() -> Fields:
    return {"additionalProperties": False}


def _map_of(kind: Fields) -> Fields:
    return {"type": "object", "additionalProperties": kind}


def _list(kind: Fields) -> Fields:
    return {"type": "array", "items": kind}


def _pair(kind: Fields) -> Fields:
    return {"type": "array", "items": kind, "minItems": 2, "maxItems": 2}


def _or_null(kind: Fields) -> Fields:
    return {"anyOf": [kind, {"type": "null"}]}


def _ref(name: str) -> Fields:
    return {"$ref": f"#/$defs/{name}"}
