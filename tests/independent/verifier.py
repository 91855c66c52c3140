"""Whole files: section 8 of docs/protocol.md, and CLOSE (6.6) and FAULT (8.3), which stand outside the chain."""

from __future__ import annotations

import copy
from typing import NamedTuple

from tests.independent import forms
from tests.independent.curve import Invalid, combine
from tests.independent.proofs import cells_code, check_share, remake, signature_holds
from tests.independent.referee import advance, seed_fits
from tests.independent.session import Face, Hidden, Refusal, Session, opens
from tests.independent.wire import MAGIC, Undecodable, h64, items_of, pack, secret_scalar, unpack


class Verdict(NamedTuple):
    """`record` is the number of the first record that fails, with its cause and blame; else None.

    A refused file proves no end, so `over` is then False.
    """

    valid: bool
    record: int | None
    cause: str | None
    blame: int | None
    over: bool
    sealed: bool
    revealed: tuple[int, ...]  # the seats that wrote REVEAL


def verify(data: bytes, *, prefix: tuple[Session, ...] = ()) -> Verdict:
    """The verdict on a file.

    `prefix[n]`, where given, is the session after the first n records of a file that may begin alike; it saves their
    proofs.
    """
    session = prefix[0] if prefix else Session()
    if len(data) > 4 << 20 or not data.startswith(MAGIC):
        return _refused(session, 0, "undecodable bytes", None)
    items, torn = items_of(data)
    for at, item in enumerate(items):
        try:
            reached = prefix[at + 1] if at + 1 < len(prefix) else None
            if reached and reached.records[:-1] == session.records and reached.records[-1][0] == item:
                session = reached
                continue
            outside = _read_outside(item) if at + 1 == len(items) else None
            session = advance(session, item) if outside is None else _outside_the_chain(session, outside)
        except Refusal as refusal:
            number = session.seq if refusal.number is None else refusal.number
            return _refused(session, number, refusal.cause, refusal.blame)
    if torn:
        return _refused(session, session.seq, "length", None)
    return Verdict(True, None, None, None, session.over, *_said(session))


def _said(session: Session) -> tuple[bool, tuple[int, ...]]:
    return len(session.sealed) == 2, tuple(seat for seat, _ in session.seeds)


def _refused(session: Session, number: int, cause: str, blame: int | None) -> Verdict:
    return Verdict(False, number, cause, blame, False, *_said(session))


class Close(NamedTuple):
    seat: int
    head: bytes
    outcome: list[int]
    seed: bytes
    signature: bytes


class Fault(NamedTuple):
    seat: int
    seq: int
    cause: str
    head: bytes
    share: bytes


def _read_outside(item: bytes) -> Close | Fault | None:
    """A well-formed CLOSE or FAULT; None for everything else, which is judged as a record."""
    if len(item) > 512:
        return None
    try:
        match unpack(item):
            case ["close", 0 | 1 as seat, bytes(head), [*numbers], bytes(seed), bytes(signature)] if (
                len(head) == len(seed) == 32 and len(signature) == 64
            ):
                return Close(seat, head, forms.outcome(numbers), seed, signature)
            case ["fault", 0 | 1 as seat, int(seq), str(cause), bytes(head), bytes(share)] if (
                seq < 2**32 and len(cause.encode()) <= 320 and len(head) == 32 and len(share) in (0, 96)
            ):
                return Fault(seat, seq, cause, head, share)
    except (Undecodable, forms.Misshapen):
        pass
    return None


def _outside_the_chain(session: Session, item: Close | Fault) -> Session:
    if isinstance(item, Close):
        return _close(session, *item)
    if item.head == session.head:
        _fault(session, item.seat, item.share)
    raise Refusal("close")


def _close(session: Session, seat: int, head: bytes, outcome: list[int], seed: bytes, signature: bytes) -> Session:
    if session.game_id is None:
        raise Refusal("signature")
    message = h64("close", session.game_id, pack(("close", seat, head, tuple(outcome), seed)))
    if not signature_holds(session.identities[seat], message, signature):
        raise Refusal("signature")
    if head != session.head:
        raise Refusal("close")
    due = session.due()
    if session.game is None or session.game.phase != 2 or due is None or due[0] == seat:
        raise Refusal("close", seat)
    if outcome != session.game.outcome_code():
        raise Refusal("close", seat)
    if not seed_fits(session, seat, seed):
        raise Refusal("seed", seat)
    x = secret_scalar(seed, "key", session.game_id)
    origins = _origins(session, seat, seed)
    for face in session.faces:
        _prove_alone(session, seat, x, face, origins)
    new = copy.copy(session)
    new.closed_by = seat
    return new


def _origins(session: Session, seat: int, seed: bytes) -> dict[Hidden, Hidden]:
    """What each cell made by a mix of this seat was before; every mix is made again."""
    origins = {}
    for mix in session.mixes:
        if mix.seat == seat:
            pi, cells = remake(seed, mix.ctx, session.Y, [hidden.cell for hidden in mix.before])
            if cells_code(cells) != cells_code([hidden.cell for hidden in mix.after]):
                raise Refusal("close")
            origins.update({after: mix.before[j] for j, after in zip(pi, mix.after, strict=True)})
    return origins


def _prove_alone(session: Session, seat: int, x: int, face: Face, origins: dict[Hidden, Hidden]) -> None:
    cell = face.cell
    while (cell, 1 - seat) not in session.shares:
        if cell not in origins:
            raise Refusal("close")
        cell = origins[cell]
    if not opens(cell.cell, combine([(x, cell.cell.a)]), session.shares[cell, 1 - seat], face.point):
        raise Refusal("false face", face.seat)


def _fault(session: Session, seat: int, share: bytes) -> None:
    """Raises Refusal with FACE if the share shows a false face of the other seat in the last record."""
    if len(session.keys) < 2:
        return
    before = session.head
    for face in session.faces:
        named = session.shares.get((face.cell, 1 - seat))
        if face.seat != 1 - seat or named is None:
            continue
        try:
            D = check_share(
                session.keys[seat], session.ctx(seat, "fault", face.cell.deck, prev=before), face.cell.cell, share
            )
        except Invalid:
            continue
        if not opens(face.cell.cell, D, named, face.point):
            raise Refusal("false face", face.seat, session.seq - 1)
