"""The door of the protocol itself, and the reader of whole files: slow, because what looks right is multiplied out."""

from __future__ import annotations

from functools import cache, partial

from p2p_schotten.crypto.identity import Identity
from p2p_schotten.engine.rulesets import RULESETS
from p2p_schotten.errors import Malformed, PeerFault, TranscriptError
from p2p_schotten.ids import SEATS
from p2p_schotten.protocol.advance import advance
from p2p_schotten.protocol.file import HEADER, MAX_FILE, frame, read_file
from p2p_schotten.protocol.record import Kind, Value, make_record, unpack
from p2p_schotten.protocol.session import Session
from p2p_schotten.transcript import replay, verify
from tests.fuzz.games import SEED, golden, short
from tests.fuzz.mutate import Shape
from tests.fuzz.target import Target, check_sentence
from tests.protocol.pair import identity_of

BEFORE_SHUFFLES = 6  # records at the beginning of a game: two each of HELLO, COMMIT and OPEN


@cache
def _sessions(rules: str) -> tuple[Session, ...]:
    """The session before each record of the short game by these rules, and after the last."""
    story = short(rules)
    session, found = Session(known=RULESETS), []
    for record in story.records:
        found.append(session)
        session = advance(session, record.data)
    return (*found, session)


def step(rules: str, data: bytes) -> bool:
    """A record comes to a session, as it is or (odd first byte) signed anew: taken, or a PeerFault that fits it.

    The second byte chooses the session; the rest is the record. The fold of what is taken is the fold of one record.
    """
    if len(data) < 2:
        return False
    session = _sessions(rules)[data[1] % len(_sessions(rules))]
    record = _signed(session, data[2:]) if data[0] % 2 else data[2:]
    try:
        after = advance(session, record)
    except PeerFault as error:
        return _fits(session, error)
    assert after.seq == session.seq + 1
    assert after.speaker != session.speaker or after.seq > 2
    return True


def _fits(session: Session, fault: PeerFault) -> bool:
    """False, because the record was refused; the fault names this record and nobody but a seat."""
    check_sentence(fault)
    assert fault.seq == session.seq
    assert fault.blame is None or fault.blame in SEATS
    return False


def _signed(session: Session, data: bytes) -> bytes:
    """The record with the right number, head and signature: what is wrong with it now is its content."""
    try:
        value = unpack(data)
    except Malformed:
        return data
    match value:
        case [_seq, _prev, int(seat), int(kind), list(body), *_rest] if seat in (0, 1) and 1 <= kind <= max(Kind):
            return _made(session, seat, Kind(kind), body)
    return data


def _made(session: Session, seat: int, kind: Kind, body: list[Value]) -> bytes:
    identity: Identity = identity_of(SEED, SEATS[seat])
    game = b"" if kind is Kind.HELLO else session.game_id
    return make_record(session.seq, session.head, SEATS[seat], kind, body, game, identity)


def transcript(data: bytes) -> bool:
    """`verify` raises nothing, `replay` only what it says, and both take the same records."""
    try:
        items = read_file(data).items
        assert HEADER + b"".join(map(frame, items)) == data[: len(HEADER) + sum(4 + len(item) for item in items)]
    except TranscriptError as error:
        check_sentence(error)
    verdict = verify(data)
    moments = 0
    try:
        for _ in replay(data):
            moments += 1
    except (PeerFault, TranscriptError) as error:
        check_sentence(error)
        assert not verdict.valid
    else:
        assert verdict.valid
    assert moments in (verdict.records, verdict.records + 1)  # a FAULT takes its record back
    assert verdict.ending().isprintable()
    assert len(data) <= MAX_FILE or verdict.records == 0
    return verdict.valid


def _step_seeds(rules: str) -> tuple[bytes, ...]:
    """Every record of the short game where it belongs, every second one signed anew."""
    return tuple(bytes([at % 2, at]) + record.data for at, record in enumerate(short(rules).records))


def _transcript_seeds() -> tuple[bytes, ...]:
    """Beginnings of a whole game, before anything is shuffled."""
    items = read_file(golden()).items
    return tuple(HEADER + b"".join(map(frame, items[:count])) for count in (1, 2, 4, BEFORE_SHUFFLES))


def _steps(name: str, rules: str) -> Target:
    return Target(name, partial(step, rules), partial(_step_seeds, rules), Shape.PACKED, 1)


STEPS = (
    _steps("step", "base"),
    Target("transcript", transcript, _transcript_seeds, Shape.BYTES, 2),
)
SOAKED = (_steps("step-expert", "expert"), _steps("step-siege", "siege-tactic"))  # their games take seconds to play
