"""Real records to start from: one short game in this process, and the whole game of tests/golden."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from p2p_schotten.engine.rulesets import ruleset
from p2p_schotten.ids import Seat
from p2p_schotten.protocol.closing import Fault
from p2p_schotten.protocol.file import read_file
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import head_of
from tests.protocol.courses import new_pair, resigning, ruses_first
from tests.protocol.pair import Pair, Story, gives_up

SEED = 11  # of the short games
GOLDEN = Path(__file__).parent.parent / "golden" / "base.format-1.schotten"


@cache
def golden() -> bytes:
    """The transcript of a whole game."""
    return GOLDEN.read_bytes()


@cache
def records() -> tuple[bytes, ...]:
    """Its records: every kind is there, but only one whole shuffle and a few of its many moves."""
    items = read_file(golden()).items
    return (*items[:7], *items[8:20], *items[-6:])


@cache
def short(rules: str = "base") -> Story:
    """A game in which a few cards are played before one gives up, with the pair before each of its records."""
    if rules == "base":
        return Story(Pair.new(SEED), gives_up(3))
    return Story(new_pair(SEED, Peer, rules=ruleset(rules)), resigning(ruses_first(SEED), 24))


@cache
def closed() -> tuple[bytes, ...]:
    """A CLOSE, and two FAULTs that refuse a record: one for its bytes, one with a share."""
    story = short()
    winner = next(
        peer for number in range(len(story.records)) for peer in story.before(number).peers if peer.close_alone()
    )
    close = winner.close_alone()
    assert close is not None
    record = story.records[-1].data
    faults = (Fault(Seat(seat), 9, "false face", head_of(record), bytes(96 * seat)) for seat in (0, 1))
    return (close, *(fault.pack() for fault in faults))
