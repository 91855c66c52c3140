"""What is told of a connection and of time, as JSON events."""

from __future__ import annotations

from typing import assert_never

from p2p_schotten.engine.fields import Fields
from p2p_schotten.ui.notice import Away, Reconnecting, Recorded, Resumed, Returned, Silent, TimeShort, TimeUp


def describe_away(notice: Away) -> tuple[str, Fields]:
    """The name of an event and its fields; docs/json.md lists them."""
    match notice:
        case Silent(seconds):
            return "silent", {"seconds": round(seconds, 1)}
        case Returned():
            return "returned", {}
        case Reconnecting(why):
            return "reconnecting", {"why": why}
        case Resumed(records):
            return "resumed", {"records": records}
        case TimeShort(seconds):
            return "time short", {"seconds": seconds}
        case TimeUp(seat, seconds):
            return "time up", {"seat": seat, "seconds": seconds}
        case Recorded(by, record, agreed, why):
            return "recorded", {"by": by, "record": record, "agreed": agreed, "why": why}
        case _:
            assert_never(notice)
