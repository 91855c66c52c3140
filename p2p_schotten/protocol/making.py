"""Bodies made from a session and a secret, and from nothing else: made again, they are the same bytes.

A peer signs and sends them; whoever has a revealed seed remakes them and compares.
"""

from __future__ import annotations

from collections.abc import Sequence

from p2p_schotten.crypto import group
from p2p_schotten.crypto.cells import cells_bytes
from p2p_schotten.crypto.dleq import prove_key, prove_share
from p2p_schotten.crypto.group import Point, Scalar
from p2p_schotten.crypto.secret import Secret
from p2p_schotten.crypto.shuffle import Shuffled, logs_after, shuffle
from p2p_schotten.engine.move import PublicMove, move_code
from p2p_schotten.engine.rules import apply
from p2p_schotten.ids import DeckId, Seat
from p2p_schotten.protocol.dealing import deal, decks_before, settle, shuffled_next
from p2p_schotten.protocol.messages import (
    POINT_BYTES,
    Body,
    Commit,
    MoveBody,
    Open,
    Remade,
    Reveal,
    Seal,
    Shares,
    Shuffle,
    split_shares,
)
from p2p_schotten.protocol.record import Kind
from p2p_schotten.protocol.session import (
    Session,
    context,
    key_commitment,
    keys,
    opening_nonce,
    outcome_code,
    secret_key,
    seed_commitment,
)
from p2p_schotten.protocol.table import Sealed, Table, due_mixes, put_share


def make_without_choice(session: Session, seat: Seat, secret: Secret) -> Body:
    """What this seat must say next, where it has no choice: everything but a HELLO and a move."""
    due = session.due()
    assert due is not None
    match due[1]:
        case Kind.COMMIT:
            return make_commit(session, seat, secret)
        case Kind.OPEN:
            return make_open(session, seat, secret)
        case Kind.SHUFFLE:
            return make_shuffle(session, seat, secret)
        case Kind.SHARES:
            return make_shares(session, seat, secret)
        case Kind.SEAL:
            return make_seal(session)
        case Kind.REVEAL:
            return Reveal(secret.seed)
        case kind:
            raise AssertionError(f"{kind.name} is a choice")


def make_commit(session: Session, seat: Seat, secret: Secret) -> Commit:
    """C1 and C2 of this seat."""
    nonce, key = opening_nonce(session, secret), group.mul_base(secret_key(session, secret))
    return Commit(key_commitment(session, seat, nonce, key), seed_commitment(session, seat, secret.seed))


def make_open(session: Session, seat: Seat, secret: Secret) -> Open:
    """n, X and the proof that x is known."""
    x = secret_key(session, secret)
    key = group.mul_base(x)
    return Open(opening_nonce(session, secret), key, prove_key(secret, x, key, context(session, seat, "pok")))


def make_shuffle(session: Session, seat: Seat, secret: Secret) -> Shuffle:
    """Every deck shuffled; the second shuffler also pays for the deal. In the game: the restocked pile, and debts."""
    label, before = shuffled_next(session)
    shuffled = [
        (deck, shuffle(secret, context(session, seat, label, deck=deck), session.joint, cells))
        for deck, cells in before
    ]
    decks = tuple(_remade(deck, item) for deck, item in shuffled)
    if session.position is not None:
        return Shuffle(_prove(session, seat, secret, session.position.table.owed(seat), 0), decks, b"")
    if session.shuffles == 0:
        return Shuffle(b"", decks, b"")
    settled = deal(session, [item.cells for _, item in shuffled])
    due = [settled.table.find(sealed_id) for sealed_id in settled.due]
    return Shuffle(b"", decks, _prove(session, seat, secret, due, 0))


def shuffle_logs(session: Session, seat: Seat, secret: Secret) -> tuple[Sequence[Scalar] | None, ...]:
    """The logarithms of the cells that `make_shuffle` makes in the set-up; known to the first shuffler only."""
    return tuple(
        logs_after(secret, context(session, seat, "shuffle", deck=deck), cells)
        for deck, cells in enumerate(decks_before(session))
    )


def make_shares(session: Session, seat: Seat, secret: Secret) -> Shares:
    """All debts of this seat."""
    assert session.position is not None
    return Shares(_prove(session, seat, secret, session.position.table.owed(seat), 0))


def make_mixes(session: Session, seat: Seat, secret: Secret, move: PublicMove) -> tuple[tuple[DeckId, Shuffled], ...]:
    """The deck-hands of this seat that the move makes due, mixed; raises IllegalMove."""
    assert session.position is not None
    table = session.position.table
    step = apply(session.position.state, move)
    mixes = []
    for deck in due_mixes(table, step.transfers, session.rules):
        cells = tuple(sealed.cell for sealed in table.hands[seat][deck].cells)
        ctx = context(session, seat, "mix", deck=deck)
        mixes.append((deck, shuffle(secret, ctx, session.joint, cells)))
    return tuple(mixes)


def make_move(
    session: Session,
    seat: Seat,
    secret: Secret,
    move: PublicMove,
    mixes: Sequence[tuple[DeckId, Shuffled]],
    positions: Sequence[int],
) -> MoveBody:
    """The whole body of a move that takes the cells at `positions` (1-based, after the mixes). Raises IllegalMove."""
    assert session.position is not None
    position = session.position
    owed = position.table.owed(seat)
    debts = _prove(session, seat, secret, owed, 0)
    table = _put(position.table, session, seat, [sealed.id for sealed in owed], debts)
    step = apply(position.state, move)
    settled = settle(session, table, seat, step, [(deck, item.cells) for deck, item in mixes], positions)
    due = [settled.table.find(sealed_id) for sealed_id in settled.due]
    shares = _prove(session, seat, secret, due, len(owed))
    table = _put(settled.table, session, seat, settled.due, shares)
    return MoveBody(
        debts,
        tuple(_remade(deck, item) for deck, item in mixes),
        move_code(move),
        tuple(positions),
        shares,
        table.code(step.state),
    )


def make_seal(session: Session) -> Seal:
    """The head before SEAL 0 and the engine's outcome."""
    assert session.outcome is not None
    return Seal(session.final_head or session.head, outcome_code(session.outcome))


def _prove(session: Session, seat: Seat, secret: Secret, cells: Sequence[Sealed], paid: int) -> bytes:
    """The shares of this seat for these cells, numbered from `paid` + 1."""
    x, key = secret_key(session, secret), keys(session)[seat]
    return b"".join(
        prove_share(secret, x, key, context(session, seat, "share", deck=cell.deck, position=paid + at), cell.cell)
        for at, cell in enumerate(cells, 1)
    )


def _put(table: Table, session: Session, seat: Seat, ids: Sequence[int], shares: bytes) -> Table:
    for sealed_id, share in zip(ids, split_shares(shares), strict=True):
        table = put_share(table, seat, sealed_id, Point(share[:POINT_BYTES]), session.rules)
    return table


def _remade(deck: DeckId, item: Shuffled) -> Remade:
    return Remade(deck, cells_bytes(item.cells), item.proof)
