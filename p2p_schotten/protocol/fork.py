"""Equivocation: two different records of one key at one place of one game."""

from __future__ import annotations

from collections.abc import Sequence

from p2p_schotten.errors import Cause, InvalidProof, Malformed, PeerFault
from p2p_schotten.protocol.record import Kind, read_record
from p2p_schotten.protocol.session import Session


def find_fork(session: Session, records: Sequence[bytes], data: bytes) -> None:
    """Raises PeerFault when `data` is a second, different record of its author where `records` has one already.

    Both are validly signed for this game; HELLOs, which are signed for none, never count.
    """
    try:
        record = read_record(data)
    except Malformed:
        return
    if record.kind is Kind.HELLO or record.seq >= len(records) or records[record.seq] == data or not session.game_id:
        return
    mine = read_record(records[record.seq])
    if mine.seat != record.seat or mine.kind is Kind.HELLO:
        return
    try:
        record.verify(session.game_id, session.identities[record.seat])
    except InvalidProof:
        return
    detail = f"seat {record.seat} signed two different records with number {record.seq}"
    raise PeerFault(session.seq, Cause.FORK, detail, record.seat)
