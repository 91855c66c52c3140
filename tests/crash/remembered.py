"""What peers work out with group arithmetic, worked out once.

A table is set up again thousands of times, and each time the same seats say the same records. A session follows from
the records alone, and what is said without a choice from session and seed; so both are remembered by the hash of the
last record. What a test asks for, journals, marks, stands and hands, is worked out anew every time.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from p2p_schotten.crypto.secret import Secret
from p2p_schotten.crypto.shuffle import Shuffled
from p2p_schotten.engine.move import PublicMove
from p2p_schotten.ids import DeckId, Seat
from p2p_schotten.protocol import peer
from p2p_schotten.protocol.advance import Logs, Proofs, advance
from p2p_schotten.protocol.closing import find_false_face
from p2p_schotten.protocol.making import make_mixes, make_without_choice, shuffle_logs
from p2p_schotten.protocol.messages import Body
from p2p_schotten.protocol.session import Session
from p2p_schotten.protocol.table import Face

Mixes = tuple[tuple[DeckId, Shuffled], ...]


@contextmanager
def remembering() -> Iterator[None]:
    """Peers remember within the block. A refusal is never remembered."""
    sessions: dict[tuple[bytes, bytes, Proofs], Session] = {}
    bodies: dict[tuple[bytes, Seat, bytes], Body] = {}
    logs_of: dict[tuple[bytes, Seat, bytes], Logs] = {}
    mixes: dict[tuple[bytes, Seat, bytes, PublicMove], Mixes] = {}
    true_faces: set[tuple[bytes, Seat, bytes]] = set()

    def advanced(session: Session, data: bytes, *, proofs: Proofs = Proofs.ALL, logs: Logs = None) -> Session:
        key = session.head, data, proofs
        if key not in sessions:
            sessions[key] = advance(session, data, proofs=proofs, logs=logs)
        return sessions[key]

    def made(session: Session, seat: Seat, secret: Secret) -> Body:
        key = session.head, seat, secret.seed
        if key not in bodies:
            bodies[key] = make_without_choice(session, seat, secret)
        return bodies[key]

    def logs(session: Session, seat: Seat, secret: Secret) -> Logs:
        key = session.head, seat, secret.seed
        if key not in logs_of:
            logs_of[key] = shuffle_logs(session, seat, secret)
        return logs_of[key]

    def found(before: Session, after: Session, seat: Seat, secret: Secret) -> Face | None:
        key = after.head, seat, secret.seed
        if key in true_faces:
            return None
        face = find_false_face(before, after, seat, secret)
        if face is None:
            true_faces.add(key)
        return face

    def mixed(session: Session, seat: Seat, secret: Secret, move: PublicMove) -> Mixes:
        key = session.head, seat, secret.seed, move
        if key not in mixes:
            mixes[key] = make_mixes(session, seat, secret, move)
        return mixes[key]

    with patch.multiple(
        peer,
        advance=advanced,
        make_without_choice=made,
        make_mixes=mixed,
        shuffle_logs=logs,
        find_false_face=found,
    ):
        yield
