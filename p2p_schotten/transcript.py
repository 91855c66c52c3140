"""A transcript read by a stranger: the fold of `advance` over a file, and what may be said of it.

Nothing but the file is needed. With the seeds that the seats revealed, bodies are also made again and compared byte by
byte, which is cheaper than their proofs; where they differ the proofs are checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from p2p_schotten.crypto.secret import Secret
from p2p_schotten.engine.move import read_move
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import RULESETS
from p2p_schotten.errors import Cause, IllegalMove, Malformed, PeerFault, TranscriptError
from p2p_schotten.ids import SEATS, CardId, Seat
from p2p_schotten.protocol.advance import Proofs, advance
from p2p_schotten.protocol.closing import Close, Fault, check_close, check_fault, opened_hands, read_item
from p2p_schotten.protocol.file import read_file
from p2p_schotten.protocol.fork import find_fork
from p2p_schotten.protocol.making import make_mixes, make_move, make_without_choice
from p2p_schotten.protocol.messages import (
    Body,
    Commit,
    Hello,
    MoveBody,
    Open,
    Reveal,
    Seal,
    Shares,
    Shuffle,
    read_body,
    write_body,
)
from p2p_schotten.protocol.record import Kind, Record, read_record
from p2p_schotten.protocol.session import Session
from p2p_schotten.protocol.table import FalseFace, WrongPosition


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a file proves. `fault` is the first thing that fails, with its record number, cause and blame."""

    session: Session  # after the last good record
    records: int  # how many are good
    fault: PeerFault | None
    closed: Seat | None  # the seat that closed the game alone, and proved it
    reproducible: bool | None  # every body of the seats that revealed was made again; None: nobody revealed

    @property
    def valid(self) -> bool:
        """Nothing in the file breaks the protocol."""
        return self.fault is None

    @property
    def over(self) -> bool:
        """The game is over and every open face is proven, by shares or by the seed of the seat that closed alone."""
        return self.valid and (self.session.proven() or self.closed is not None)

    @property
    def sealed(self) -> tuple[Seat, ...]:
        """The seats that signed the outcome."""
        return SEATS[: self.session.seals]

    @property
    def revealed(self) -> tuple[Seat, ...]:
        """The seats that gave their seed."""
        return SEATS[: len(self.session.seeds)]

    def ending(self) -> str:
        """One clause: how the game ended, or where it stands."""
        if self.fault is not None:
            return f"refused: {self.fault}"
        if self.closed is not None:
            return f"over, closed by seat {self.closed} alone and proven"
        if not self.over:
            speaker = self.session.speaker
            where = "over, but an open face is not proven" if self.session.outcome else "unfinished"
            return f"{where}; seat {speaker}'s record would be next"
        seals = ("not sealed, proven by the shares on record", "sealed by seat 0 only", "sealed by both")
        reveals = ("not revealed", "not fully revealed: seat 0 only", "revealed by both")
        return f"over, {seals[self.session.seals]}, {reveals[len(self.session.seeds)]}"


@dataclass(frozen=True, slots=True)
class Moment:
    """One record of a transcript and the session that it led to."""

    record: Record
    session: Session


def verify(data: bytes, known: Mapping[str, Ruleset] = RULESETS) -> Verdict:
    """The verdict on a transcript with these bytes; every problem is in the verdict, none is raised."""
    fold = _Fold(Session(known=known))
    try:
        for _ in fold.through(data):
            pass
    except PeerFault as error:
        return fold.verdict(error)
    except TranscriptError as error:
        return fold.verdict(PeerFault(0, Cause.BYTES, str(error), None))
    return fold.verdict(None)


def replay(data: bytes, known: Mapping[str, Ruleset] = RULESETS) -> Iterator[Moment]:
    """Each good record with the session after it; then the PeerFault that `verify` finds is raised, if it finds one.

    Raises TranscriptError when this is no transcript at all.
    """
    for item, session in _Fold(Session(known=known)).through(data):
        yield Moment(read_record(item), session)


def hands(moment: Moment, seeds: Sequence[bytes]) -> tuple[tuple[CardId, ...], tuple[CardId, ...]]:
    """Both hands at that moment, opened with the seeds of both seats; only after the deal."""
    return opened_hands(moment.session, seeds)


class _Fold:
    """The fold under way: the session, and what a CLOSE or a second look needs of the way to it."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.seeds: dict[Seat, bytes] = {}
        self._records: list[bytes] = []
        self._history: list[tuple[Session, bytes]] = []
        self._closed: Seat | None = None
        self._remade: bool | None = None

    def verdict(self, fault: PeerFault | None) -> Verdict:
        """What stands, given what failed."""
        return Verdict(self.session, len(self._records), fault, self._closed, self._remade)

    def through(self, data: bytes) -> Iterator[tuple[bytes, Session]]:
        """Each good record with the session after it; raises PeerFault or TranscriptError where it is not good."""
        contents = read_file(data)
        items = list(contents.items)
        self.seeds = _revealed_seeds(items)
        outside = _outside(items[-1]) if items else None
        if outside is not None:
            items.pop()
        for at, item in enumerate(items):
            self._take_record(item)
            if isinstance(outside, Fault) and at == len(items) - 1:
                self._check_fault(outside)  # only now is it known whether this record is good
            yield item, self.session
        if isinstance(outside, Close):
            check_close(self._history, self.session, outside)
            self._closed = outside.seat
        elif isinstance(outside, Fault):
            detail = "a FAULT stands behind this record, and proves nothing"
            raise PeerFault(self.session.seq, Cause.CLOSE, detail, None)
        if contents.damage:
            raise PeerFault(self.session.seq, Cause.LENGTH, contents.damage, None)
        if contents.torn:
            detail = f"the file ends {contents.torn} bytes into this record"
            raise PeerFault(self.session.seq, Cause.LENGTH, detail, None)

    def _check_fault(self, fault: Fault) -> None:
        try:
            check_fault(self.session, fault)
        except PeerFault:
            self.session, _ = self._history.pop()
            self._records.pop()
            raise

    def _take_record(self, item: bytes) -> None:
        before = self.session
        same = self._made_again(item)
        try:
            after = advance(before, item, proofs=Proofs.NONE if same else Proofs.ALL)
        except PeerFault as error:
            find_fork(before, self._records, item)
            raise error
        if same is not None:
            self._remade = same and self._remade is not False
            if not same and not after.piles and after.position is None:
                # A seed that does not make the key must not vouch for shares: from here on all proofs are checked.
                self.seeds.clear()
        self._records.append(item)
        self.session = after
        if before.position is not None:
            self._history.append((before, item))

    def _made_again(self, item: bytes) -> bool | None:
        """The seed of its author makes the body of this record; None when there is no seed or nothing to make."""
        session = self.session
        due = session.due()
        if due is None or due[0] not in self.seeds:
            return None
        seat, kind = due
        try:
            record = read_record(item)
            if (record.seat, record.kind) != due:
                return None
            body = _make_again(session, seat, Secret(self.seeds[seat]), read_body(kind, record.body))
        except (Malformed, IllegalMove, WrongPosition, FalseFace):
            return False
        return None if body is None else write_body(body) == record.body


def _make_again(session: Session, seat: Seat, secret: Secret, body: Body) -> Body | None:
    """The body that this secret makes here, with the player's choices taken from `body`; None: nothing secret in it."""
    match body:
        case MoveBody():
            move = read_move(session.rules, body.move)
            mixes = make_mixes(session, seat, secret, move)
            return make_move(session, seat, secret, move, mixes, body.positions)
        case Commit() | Open() | Shuffle() | Shares():
            return make_without_choice(session, seat, secret)
        case Hello() | Seal() | Reveal():
            return None
        case _:
            assert_never(body)


def _revealed_seeds(items: Sequence[bytes]) -> dict[Seat, bytes]:
    """The seeds that the last two items reveal, not yet checked: a hint for making bodies again."""
    seeds: dict[Seat, bytes] = {}
    for item in items[-2:]:
        try:
            record = read_record(item)
            if record.kind is Kind.REVEAL:
                body = read_body(record.kind, record.body)
                assert isinstance(body, Reveal)
                seeds[record.seat] = body.seed
        except Malformed:
            continue
    return seeds


def _outside(item: bytes) -> Close | Fault | None:
    try:
        return read_item(item)
    except Malformed:
        return None
