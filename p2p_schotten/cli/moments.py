"""A transcript as the steps of its game: what replay and export show. It is the fold that verifies, drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2p_schotten.crypto import group
from p2p_schotten.engine.move import Move, read_move
from p2p_schotten.engine.state import State
from p2p_schotten.engine.step import Event
from p2p_schotten.errors import PeerFault
from p2p_schotten.ids import CardId, Seat
from p2p_schotten.protocol.messages import MoveBody, read_body
from p2p_schotten.protocol.record import Kind, Record
from p2p_schotten.protocol.session import Session
from p2p_schotten.transcript import Moment, hands, replay

Hands = tuple[tuple[CardId, ...], tuple[CardId, ...]]


@dataclass(frozen=True, slots=True)
class Step:
    """The deal (number 0) or one decision, with what it made happen and the position after it."""

    number: int
    seat: Seat | None  # who decided; None for the deal
    move: Move | None
    events: tuple[Event, ...]
    state: State
    moment: Moment


@dataclass(frozen=True, slots=True)
class Story:
    """All steps of a game; `fault` is where the file stops being good."""

    moments: tuple[Moment, ...]
    steps: tuple[Step, ...]
    fault: PeerFault | None

    @property
    def session(self) -> Session:
        """After the last good record."""
        return self.moments[-1].session if self.moments else Session()

    @property
    def names(self) -> tuple[str, str]:
        """Both names, by seat; told apart where they are the same."""
        first, second = (*self.session.names, "seat 0", "seat 1")[:2] if self.session.names else ("seat 0", "seat 1")
        return (f"{first} 0", f"{second} 1") if first == second else (first, second)

    def hands(self, step: Step) -> Hands | None:
        """Both hands after the step, if both seats revealed."""
        seeds: Sequence[bytes] = self.session.seeds
        if len(seeds) < 2:
            return None
        first, second = hands(step.moment, seeds)
        return tuple(sorted(first)), tuple(sorted(second))


def story(data: bytes) -> Story:
    """The game in a transcript, as far as it is good: `verify` refuses the file if and only if there is a `fault`.

    Raises TranscriptError when this is no transcript, InvalidProof when the self-test of the cryptography fails.
    """
    group.self_test()
    moments: list[Moment] = []
    steps: list[Step] = []
    fault: PeerFault | None = None
    try:
        for moment in replay(data):
            moments.append(moment)
            state = moment.session.state
            if state is not None and moment.session.events:
                move, seat = decision(moment.record, moment.session)
                steps.append(Step(len(steps), seat, move, moment.session.events, state, moment))
    except PeerFault as error:
        fault = error
    return Story(tuple(moments), tuple(steps), fault)


def decision(record: Record, session: Session) -> tuple[Move | None, Seat | None]:
    """What a record decided, and who; nothing for a record without a choice."""
    if record.kind is not Kind.MOVE:
        return None, None
    body = read_body(record.kind, record.body)
    assert isinstance(body, MoveBody)
    return read_move(session.rules, body.move), record.seat
