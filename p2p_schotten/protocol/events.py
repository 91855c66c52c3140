"""What a peer tells its front end, in order. Engine events stand inside `Happened`."""

from __future__ import annotations

from dataclasses import dataclass

from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.state import State
from p2p_schotten.engine.step import Event as EngineEvent
from p2p_schotten.ids import SEATS, CardId, Seat
from p2p_schotten.protocol.messages import NO_OPTIONS, SINGLE_GAME, Match, Options
from p2p_schotten.protocol.session import Session


@dataclass(frozen=True, slots=True)
class Offered:
    """The other peer's HELLO came and fits; nothing is agreed before `Peer.accept()`. Only seat 1 is asked."""

    name: str
    identity: bytes  # 32-byte Ed25519 public key
    rules: Ruleset
    options: Options = NO_OPTIONS
    match: Match = SINGLE_GAME


@dataclass(frozen=True, slots=True)
class Met:
    """Both HELLOs are on record: the game has its id."""

    name: str  # the other player's
    identity: bytes
    game_id: bytes  # 32 bytes


@dataclass(frozen=True, slots=True)
class Happened:
    """A step of the engine, with the public state after the whole step that it belongs to."""

    event: EngineEvent
    state: State


@dataclass(frozen=True, slots=True)
class Took:
    """Cards that came into my hand and are open to me now (deal and exchange: all at once; draw: one)."""

    cards: tuple[CardId, ...]


@dataclass(frozen=True, slots=True)
class YourTurn:
    """My seat is to move and my hand is open to me: `Peer.choices()` lists what is legal."""

    state: State


@dataclass(frozen=True, slots=True)
class Sealed:
    """`seat` signed the outcome and the final head."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Revealed:
    """`seat` gave its seed: from now on its hidden cards can be shown."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Finished:
    """The last record stands: nobody may speak any more."""


Event = Offered | Met | Happened | Took | YourTurn | Sealed | Revealed | Finished


def told(session: Session, took: tuple[CardId, ...]) -> tuple[Event, ...]:
    """The events of the last record of `session`, which opened the cards `took` to the seat that is told."""
    events: list[Event] = []
    if session.state is not None:
        events += [Happened(event, session.state) for event in session.events]
        if took:
            events.append(Took(took))
    if session.seeds:
        events.append(Revealed(SEATS[len(session.seeds) - 1]))
    elif session.seals:
        events.append(Sealed(SEATS[session.seals - 1]))
    return tuple(events)
