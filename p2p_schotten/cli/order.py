"""What a second peer is told to do: one JSON line through its standard input, from the program that started it.

{"home": ..., "invite": ..., "seed": ..., "bot": ...}                    a new game
{"home": ..., "invite": ..., "seed": ..., "game": ..., "seat": ...}      a game of an earlier run; with "bot": another
                                                                         one than held the seat
"""

from __future__ import annotations

import json
import re

from p2p_schotten.errors import Malformed
from p2p_schotten.ids import ID_DIGITS
from p2p_schotten.text import is_hex

MAX_ORDER = 40 * 1024  # bytes; the longest has a home of 4,095 bytes and a bot of 500 characters, each escaped
_NEW = frozenset({"home", "invite", "seed", "bot"})
_OLD = frozenset({"home", "invite", "seed", "game", "seat"})
_FORMS = {"seed": "[0-9]{1,20}", "seat": "[01]"}  # a number of 64 bits, a seat


def read_order(line: bytes) -> dict[str, str]:
    """The fields of the order, each of them text; `seed` and `seat` are numbers. Raises Malformed."""
    if len(line) > MAX_ORDER:
        raise Malformed(f"the order for a second peer has at most {MAX_ORDER} bytes")
    try:
        value: object = json.loads(line.decode())
    except (ValueError, RecursionError):
        raise Malformed("the order for a second peer is no line of JSON: only schotten itself gives one") from None
    if not isinstance(value, dict) or value.keys() not in (_NEW, _OLD, _OLD | {"bot"}):
        raise Malformed(f"the order for a second peer: expected {_names(_NEW)}, or {_names(_OLD)}")
    order = {key: field for key, field in value.items() if isinstance(field, str) and "\0" not in field}
    if order.keys() != value.keys():
        raise Malformed("the order for a second peer: expected text in every field")
    for key, form in _FORMS.items():
        if key in order and not re.fullmatch(form, order[key]):
            raise Malformed(f"the order for a second peer: {key} is none")
    if "game" in order and not is_hex(order["game"], ID_DIGITS):
        raise Malformed("the order for a second peer: game is none")
    return order


def _names(fields: frozenset[str]) -> str:
    return ", ".join(sorted(fields))
