"""Moments of the games of the family: records by what they made happen, with the sessions around them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from p2p_schotten.protocol.messages import MoveBody, read_body
from p2p_schotten.protocol.record import Kind, Record, read_record
from p2p_schotten.protocol.session import Session
from p2p_schotten.protocol.table import Table
from tests.protocol.courses import FAMILY, course

Which = tuple[str, int, str]  # policy, seed, ruleset


def game_of(name: str) -> Which:
    """The game of the family by that ruleset."""
    return next(which for which in FAMILY if which[2] == name)


@dataclass(frozen=True, slots=True)
class Moment:
    """One record of a game, with the session before and after it."""

    record: Record
    before: Session
    after: Session

    @property
    def move(self) -> MoveBody:
        """The body of a MOVE."""
        body = read_body(self.record.kind, self.record.body)
        assert isinstance(body, MoveBody)
        return body

    def told(self, *kinds: type) -> bool:
        """The record made an event of such a kind happen."""
        return any(isinstance(event, kinds) for event in self.after.events)


def moments(which: Which) -> Iterator[Moment]:
    """Every record since the deal."""
    game = course(*which)
    for number, data in enumerate(game.records):
        before, after = game.sessions[0][number : number + 2]
        if before.position is not None:
            yield Moment(read_record(data), before, after)


def moves(which: Which) -> Iterator[Moment]:
    """Every MOVE."""
    return (moment for moment in moments(which) if moment.record.kind is Kind.MOVE)


def those(which: Which, *kinds: type) -> list[Moment]:
    """The records of that game which made such events happen."""
    return [moment for moment in moments(which) if moment.told(*kinds)]


def behind(which: Which, moment: Moment, count: int) -> list[Moment]:
    """The next records behind that one."""
    return [later for later in moments(which) if 0 < later.record.seq - moment.record.seq <= count]


def table(session: Session) -> Table:
    """The sealed table of a session."""
    assert session.position is not None
    return session.position.table
