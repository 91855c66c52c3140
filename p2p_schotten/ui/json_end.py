"""The last line of every stream of JSON events: what became of the command."""

from __future__ import annotations

import json

VERSION = 1


def json_end(status: int, why: str, hint: str) -> str:
    """The event `end`: the status with which the process ends, and in words why, if it is not 0."""
    return json.dumps({"v": VERSION, "event": "end", "status": int(status), "why": why, "hint": hint})
