"""Two items outside the chain: CLOSE, by which a winner proves the end alone, and FAULT, which proves a false face.

CLOSE = ["close", seat, head, outcome, seed, signature]
FAULT = ["fault", seat, seq, cause, hash of the offending record, share or nothing]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from p2p_schotten.crypto import group
from p2p_schotten.crypto.cells import Cell, card_point, cells_bytes, opens_to
from p2p_schotten.crypto.dleq import prove_share, verify_share
from p2p_schotten.crypto.group import Point, Scalar
from p2p_schotten.crypto.hashing import hash64
from p2p_schotten.crypto.identity import Identity, verify_signature
from p2p_schotten.crypto.secret import Secret
from p2p_schotten.crypto.shuffle import permutation_of, remake
from p2p_schotten.errors import Cause, InvalidProof, Malformed, PeerFault
from p2p_schotten.ids import SEATS, CardId, Seat, other
from p2p_schotten.protocol.dealing import check_seed
from p2p_schotten.protocol.messages import SEED_BYTES, SHARE_BYTES, MoveBody, read_body, read_outcome_code
from p2p_schotten.protocol.record import (
    HASH_BYTES,
    SIGNATURE_BYTES,
    Kind,
    pack,
    read_record,
    take_bytes,
    take_int,
    take_list,
    take_text,
    unpack,
)
from p2p_schotten.protocol.session import Session, context, false_face, keys, outcome_code, secret_key
from p2p_schotten.protocol.table import Face, Sealed

# A CLOSE or FAULT is six short fields; nothing longer is read.
MAX_ITEM = 512
# Bytes of the words of a FAULT: a cause, or what differs in every flag of two rulesets; they fit into an item.
MAX_CAUSE = 320


History = Sequence[tuple[Session, bytes]]


@dataclass(frozen=True, slots=True)
class Close:
    """The end, told by one seat alone because the other fell silent when it was his turn to speak."""

    seat: Seat
    head: bytes
    outcome: tuple[int, ...]
    seed: bytes
    signature: bytes

    def unsigned(self) -> bytes:
        return pack(["close", int(self.seat), self.head, list(self.outcome), self.seed])


@dataclass(frozen=True, slots=True)
class Fault:
    """One peer refuses a record of the other: which, why, and for a false face his own share of the cell.

    `cause`: its word, and behind a colon what differs, where nothing is wrong but that the other plays another game.
    """

    seat: Seat
    seq: int
    cause: str
    record: bytes
    share: bytes

    def pack(self) -> bytes:
        return pack(["fault", int(self.seat), self.seq, self.cause, self.record, self.share])


def read_item(data: bytes) -> Close | Fault | None:
    """The item with these bytes, None when they begin like a record; raises Malformed."""
    if len(data) > MAX_ITEM:
        return None
    fields = unpack(data)
    if not isinstance(fields, list) or not fields or not isinstance(fields[0], str):
        return None
    word, seat, *rest = take_list(fields, 6, "item outside the chain")
    author = SEATS[take_int(seat, 0, 1, "seat")]
    match take_text(word, 8, "word"):
        case "close":
            head, outcome, seed, signature = rest
            return Close(
                author,
                take_bytes(head, HASH_BYTES, "head"),
                read_outcome_code(outcome),
                take_bytes(seed, SEED_BYTES, "seed"),
                take_bytes(signature, SIGNATURE_BYTES, "signature"),
            )
        case "fault":
            seq, cause, record, share = rest
            proof = take_bytes(share, None, "share")
            return Fault(
                author,
                take_int(seq, 0, 2**32 - 1, "seq"),
                take_text(cause, MAX_CAUSE, "cause"),
                take_bytes(record, HASH_BYTES, "record"),
                proof if not proof else take_bytes(proof, SHARE_BYTES, "share"),
            )
        case _:
            raise Malformed("an item outside the chain: expected close or fault")


def may_close(session: Session, seat: Seat) -> bool:
    """The engine says over, and it is the other seat's turn to speak (that he is silent only the clock can tell)."""
    return session.outcome is not None and session.speaker == other(seat)


def make_close(session: Session, seat: Seat, secret: Secret, identity: Identity) -> bytes:
    """The CLOSE of this seat, to be written only where `may_close`."""
    assert session.outcome is not None
    close = Close(seat, session.head, outcome_code(session.outcome), secret.seed, bytes(SIGNATURE_BYTES))
    signature = identity.sign(hash64("close", session.game_id, close.unsigned()))
    return pack(["close", int(seat), close.head, list(close.outcome), close.seed, signature])


def check_close(history: History, session: Session, close: Close) -> None:
    """The end is proven by this seat's seed alone; raises PeerFault (blame only where his own bytes convict him).

    `history`: every record since the deal with the session that it met, oldest first.
    """
    seat = close.seat

    def refuse(detail: str, blame: Seat | None = None, cause: Cause = Cause.CLOSE) -> PeerFault:
        return PeerFault(session.seq, cause, detail, blame)

    try:
        verify_signature(
            session.hellos[seat].identity if len(session.hellos) > seat else b"",
            hash64("close", session.game_id, close.unsigned()),
            close.signature,
        )
    except InvalidProof as error:
        raise refuse(str(error), cause=Cause.SIGNATURE) from None
    if session.head != close.head:
        raise refuse("it closes another head than that of the last record")
    if not may_close(session, seat):
        raise refuse("the game is not over, or it is this seat's own turn to speak", seat)
    assert session.outcome is not None
    if outcome_code(session.outcome) != close.outcome:
        raise refuse(f"expected the outcome {outcome_code(session.outcome)}, got {close.outcome}", seat)
    try:
        check_seed(session, seat, close.seed)
    except InvalidProof as error:
        raise refuse(str(error), seat, Cause.SEED) from None
    _check_faces(history, session, seat, Secret(close.seed))


def _check_faces(history: History, session: Session, seat: Seat, secret: Secret) -> None:
    """Each face that lacks the other's share is followed back to a cell whose share is on record."""
    assert session.position is not None
    x = secret_key(session, secret)
    before = dict(_ancestors(history, seat, secret, session.seq))
    for face in session.position.table.faces:
        sealed = face.sealed
        while sealed.shares[other(seat)] is None and sealed.id in before:
            sealed = before[sealed.id]
        theirs = sealed.shares[other(seat)]
        if theirs is None:
            raise PeerFault(
                session.seq, Cause.CLOSE, "not proven: a face has no share of the other seat behind it", None
            )
        if _opened(sealed.cell, theirs, x) != _card(session, face):
            raise false_face(session, session.seq, face.card, face.namer)


def _ancestors(history: History, seat: Seat, secret: Secret, at: int) -> Iterator[tuple[int, Sealed]]:
    """For each cell that a mix of this seat made: its id and the cell it was before."""
    for before, data in history:
        if before.due() != (seat, Kind.MOVE):
            continue
        record = read_record(data)
        body = read_body(Kind.MOVE, record.body)
        assert isinstance(body, MoveBody)
        assert before.position is not None
        first = before.position.table.next_id
        for mix in body.mixes:
            held = before.position.table.hands[seat][mix.deck].cells
            ctx = context(before, seat, "mix", deck=mix.deck)
            made = remake(secret, ctx, before.joint, tuple(sealed.cell for sealed in held))
            if cells_bytes(made) != mix.cells:
                raise PeerFault(at, Cause.CLOSE, f"not proven: record {record.seq} has a mix of another seed", None)
            for place, source in enumerate(permutation_of(secret, ctx, len(held))):
                yield first + place, held[source]
            first += len(held)


def find_false_face(before: Session, after: Session, seat: Seat, secret: Secret) -> Face | None:
    """A face that the other seat named in the record between these two, and that my own share does not open."""
    if after.position is None or before.position is None:
        return None
    seen = {face.sealed.id for face in before.position.table.faces}
    x = secret_key(after, secret)
    for face in after.position.table.faces:
        theirs = face.sealed.shares[other(seat)]
        if face.namer == seat or face.sealed.id in seen or theirs is None:
            continue
        if _opened(face.sealed.cell, theirs, x) != _card(after, face):
            return face
    return None


def make_fault(session: Session, seat: Seat, secret: Secret, face: Face) -> bytes:
    """My share of the cell of a false face. `session`: the one that the offending record would lead to."""
    ctx = context(session, seat, "fault", deck=face.sealed.deck)
    return prove_share(secret, secret_key(session, secret), keys(session)[seat], ctx, face.sealed.cell)


def check_fault(session: Session, fault: Fault) -> None:
    """The FAULT behind the last record of `session` convicts its author: then PeerFault is raised.

    Returns when it proves nothing.
    """
    if session.position is None or not fault.share or fault.record != session.head:
        return
    for face in session.position.table.faces:
        theirs = face.sealed.shares[face.namer]
        if face.namer != other(fault.seat) or theirs is None:
            continue
        ctx = context(session, fault.seat, "fault", deck=face.sealed.deck)
        try:
            share = verify_share(keys(session)[fault.seat], ctx, face.sealed.cell, fault.share)
        except InvalidProof:
            continue
        if opens_to(face.sealed.cell, share, theirs) != _card(session, face):
            raise false_face(session, session.seq - 1, face.card, face.namer)


def _opened(cell: Cell, share: Point, x: Scalar) -> Point:
    return opens_to(cell, share, group.mul(x, cell.a))


def _card(session: Session, face: Face) -> Point:
    return card_point(face.sealed.deck, session.rules.index(face.card))


def opened_hands(session: Session, seeds: Sequence[bytes]) -> tuple[tuple[CardId, ...], tuple[CardId, ...]]:
    """Both hands, opened with both revealed seeds (after the game, for a replay)."""
    assert session.position is not None
    scalars = [secret_key(session, Secret(seed)) for seed in seeds]
    faces = []
    for seat in SEATS:
        hand = [sealed for deck_hand in session.position.table.hands[seat] for sealed in deck_hand.cells]
        faces.append(tuple(_face(session, sealed, scalars) for sealed in hand))
    return faces[0], faces[1]


def _face(session: Session, sealed: Sealed, scalars: Sequence[Scalar]) -> CardId:
    theirs, mine = (group.mul(x, sealed.cell.a) for x in scalars)
    return card_at(session, sealed, opens_to(sealed.cell, theirs, mine))


def card_at(session: Session, sealed: Sealed, point: Point) -> CardId:
    """The card of that cell's deck with this point; raises InvalidProof when there is none."""
    for index in range(len(session.rules.decks[sealed.deck].cards)):
        if card_point(sealed.deck, index) == point:
            return session.rules.card_id(sealed.deck, index)
    raise InvalidProof("a cell opens to no card of its deck")
