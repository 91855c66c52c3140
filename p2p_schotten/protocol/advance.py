"""The one door: `advance(session, record) -> session`.

A live peer passes its own and the other's records through it, the verifier folds it over a file, a spectator over a
socket. Checks stand in the order of protocol section 6: bytes, signature, place in the chain, speaker, then what the
kind of record asks for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import NoReturn, assert_never

from p2p_schotten.crypto import group
from p2p_schotten.crypto.cells import Cell, read_cells
from p2p_schotten.crypto.dleq import verify_key, verify_share
from p2p_schotten.crypto.group import Point, Scalar
from p2p_schotten.crypto.shuffle import verify_shuffle
from p2p_schotten.engine.move import read_move
from p2p_schotten.engine.rules import apply
from p2p_schotten.errors import Cause, IllegalMove, InvalidProof, Malformed, PeerFault
from p2p_schotten.ids import SEATS, Seat
from p2p_schotten.protocol.dealing import check_seed, deal, settle, shuffled_next
from p2p_schotten.protocol.messages import (
    POINT_BYTES,
    Commit,
    Hello,
    MoveBody,
    Open,
    Remade,
    Reveal,
    Seal,
    Shares,
    Shuffle,
    read_body,
    split_shares,
)
from p2p_schotten.protocol.record import Kind, Record, read_record
from p2p_schotten.protocol.session import (
    NO_POINT,
    Position,
    Session,
    context,
    false_face,
    key_commitment,
    keys,
    outcome_code,
    session_id_of,
)
from p2p_schotten.protocol.table import (
    FalseFace,
    Table,
    WrongPosition,
    due_mixes,
    positions_needed,
    put_share,
    put_shuffled,
)
from p2p_schotten.protocol.terms import agree

Logs = Sequence[Sequence[Scalar] | None] | None


class Proofs(Enum):
    """Which proofs `advance` checks. All, unless the body was made here from the secret of its author."""

    ALL = "all"
    SHARES = "shares"  # my own record: a wrong share must not leave this machine
    NONE = "none"  # a body that a revealed seed made again, byte for byte: its proofs hold because they were made


def advance(session: Session, data: bytes, *, proofs: Proofs = Proofs.ALL, logs: Logs = None) -> Session:
    """The session after this record; raises PeerFault, and then nothing has changed.

    `logs`: whoever shuffled first may give the logarithms of his own cells, deck by deck. The proof of the second
    shuffle is the same and so is the answer, with 64 of 530 multiplications saved for 54 cards.
    """
    record = _decode(session, data)
    door = _Door(session, record, proofs, logs)
    body = door.open()
    match body:
        case Hello():
            after = agree(session, record.seat, body)
        case Commit():
            after = door.commit(body)
        case Open():
            after = door.open_key(body)
        case Shuffle():
            after = door.shuffle(body)
        case Shares():
            after = door.shares(body)
        case MoveBody():
            after = door.move(body)
        case Seal():
            after = door.seal(body)
        case Reveal():
            after = door.reveal(body)
        case _:
            assert_never(body)
    return replace(after, seq=session.seq + 1, head=record.head())


def _position(session: Session) -> Position:
    assert session.position is not None
    return session.position


def _decode(session: Session, data: bytes) -> Record:
    """The record, if its bytes can be one that may come now. Nobody is blamed for bytes that nobody signed."""
    limit = session.limit()
    if limit == 0:
        raise PeerFault(session.seq, Cause.SPEAKER, "the transcript is complete, no record may follow", None)
    if len(data) > limit:
        raise PeerFault(session.seq, Cause.LENGTH, f"expected at most {limit} bytes, got {len(data)}", None)
    try:
        return read_record(data)
    except Malformed as error:
        raise PeerFault(session.seq, Cause.BYTES, str(error), None) from None


@dataclass(frozen=True, slots=True)
class _Door:
    """One record before one session."""

    session: Session
    record: Record
    proofs: Proofs
    logs: Logs

    def open(self) -> Hello | Commit | Open | Shuffle | Shares | MoveBody | Seal | Reveal:
        """The body of the record, once signature, place in the chain, speaker and kind are right."""
        session, record = self.session, self.record
        body = None
        if record.kind is Kind.HELLO:
            try:
                body = read_body(record.kind, record.body)
            except Malformed as error:
                self.refuse(Cause.BYTES, str(error))
        self._check_signature(body)
        if record.seq != session.seq:
            self.refuse(Cause.SEQUENCE, f"expected number {session.seq}, got {record.seq}")
        if record.prev != session.head:
            self.refuse(Cause.PREVIOUS, f"record {session.seq} does not follow the one before it")
        due = session.due()
        assert due is not None
        seat, kind = due
        if record.seat != seat:
            self.blame(Cause.SPEAKER, f"seat {record.seat} spoke where seat {seat} must")
        if record.kind is not kind:
            self.blame(Cause.KIND, f"expected {kind.name}, got {record.kind.name}")
        if body is None:
            try:
                body = read_body(record.kind, record.body)
            except Malformed as error:
                self.blame(Cause.BYTES, str(error))
        return body

    def _check_signature(self, body: object) -> None:
        session, record = self.session, self.record
        if isinstance(body, Hello):
            game_id, identity = b"", body.identity
        elif record.seat < len(session.hellos):
            game_id, identity = session.game_id, session.hellos[record.seat].identity
        else:
            self.refuse(Cause.SIGNATURE, f"seat {record.seat} has not said which key is his")
        try:
            record.verify(game_id, identity)
        except InvalidProof as error:
            self.refuse(Cause.SIGNATURE, str(error))

    def refuse(self, cause: Cause, detail: str) -> NoReturn:
        """This record cannot come here, and its bytes convict nobody."""
        raise PeerFault(self.session.seq, cause, detail, None) from None

    def blame(self, cause: Cause, detail: str, seat: Seat | None = None) -> NoReturn:
        """This record is a cheat, and prefix and bytes convict `seat` (its author unless said otherwise).

        Never by a HELLO: it is checked under the key that it names itself, so anybody can sign one in a seat's name.
        """
        if self.record.kind is Kind.HELLO:
            self.refuse(cause, detail)
        raise PeerFault(self.session.seq, cause, detail, self.record.seat if seat is None else seat) from None

    # The coin, the keys, the decks

    def commit(self, body: Commit) -> Session:
        theirs = [part for commit in self.session.commits for part in (commit.key, commit.seed)]
        if body.key in theirs or body.seed in theirs:
            self.blame(Cause.COMMITMENT, "the commitment of the other seat, copied")
        return replace(self.session, commits=(*self.session.commits, body))

    def open_key(self, body: Open) -> Session:
        session, seat = self.session, self.record.seat
        if key_commitment(session, seat, body.nonce, Point(body.key)) != session.commits[seat].key:
            self.blame(Cause.COMMITMENT, "the key and nonce are not those that were committed to")
        try:
            key = group.point(body.key)
            if self.proofs is Proofs.ALL:
                verify_key(key, context(session, seat, "pok"), body.proof)
        except InvalidProof as error:
            self.blame(Cause.KEY, str(error))
        joint = NO_POINT
        if session.opens:
            if session.opens[0].key == body.key:
                self.blame(Cause.KEY, "both seats have one key")
            joint = group.add(Point(session.opens[0].key), key)
            try:
                group.check_point(joint)
            except InvalidProof:
                self.blame(Cause.KEY, "the joint key is not a valid point")
        opens = (*session.opens, body)
        session_id = session_id_of(session.game_id, session.commits, opens) if len(opens) == len(SEATS) else b""
        return replace(session, opens=opens, session_id=session_id, joint=joint)

    def shuffle(self, body: Shuffle) -> Session:
        session = self.session
        if session.position is not None:
            return self.restock(body, session.position)
        if body.debts:
            self.blame(Cause.DEBTS, "expected no share to be paid before the deal")
        piles = self._shuffled(body)
        if session.shuffles == 0:
            if body.shares:
                self.blame(Cause.SHARE, "expected no share before both have shuffled")
            return replace(session, piles=piles, shuffles=1)
        settled = deal(session, piles)
        table = self._put_shares(settled.table, settled.due, body.shares, 0, Cause.SHARE)
        position = Position(settled.step.state, table)
        return replace(session, piles=(), shuffles=2, position=position, events=settled.step.events)

    def restock(self, body: Shuffle, position: Position) -> Session:
        """A pile into which open cards went, shuffled in the middle of the game."""
        _, deck = position.table.shuffles[0]
        table, _ = self._pay(position.table, body.debts)
        (cells,) = self._shuffled(body)
        if body.shares:
            self.blame(Cause.SHARE, "expected no share: a shuffle of a pile makes none due")
        return replace(self.session, position=Position(position.state, put_shuffled(table, deck, cells)), events=())

    def _shuffled(self, body: Shuffle) -> tuple[tuple[Cell, ...], ...]:
        """The decks that this SHUFFLE must hold, in their new cells."""
        label, before = shuffled_next(self.session)
        due = [deck for deck, _ in before]
        if [item.deck for item in body.decks] != due:
            self.blame(Cause.SHUFFLE, f"expected decks {due}, got {[item.deck for item in body.decks]}")
        return tuple(
            self._remade(item, cells, label, Cause.SHUFFLE) for item, (_, cells) in zip(body.decks, before, strict=True)
        )

    # The game

    def shares(self, body: Shares) -> Session:
        position = _position(self.session)
        table, _ = self._pay(position.table, body.debts)
        return replace(self.session, position=Position(position.state, table), events=())

    def move(self, body: MoveBody) -> Session:
        session, seat = self.session, self.record.seat
        position = _position(session)
        table, paid = self._pay(position.table, body.debts)
        try:
            move = read_move(session.rules, body.move)
            step = apply(position.state, move)
        except (IllegalMove, Malformed) as error:
            self.blame(Cause.ILLEGAL, str(error))
        due = due_mixes(table, step.transfers, session.rules)
        if tuple(item.deck for item in body.mixes) != due:
            self.blame(Cause.MIX, f"expected mixes of decks {list(due)}, got {[item.deck for item in body.mixes]}")
        mixes = []
        for item in body.mixes:
            cells = tuple(sealed.cell for sealed in table.hands[seat][item.deck].cells)
            mixes.append((item.deck, self._remade(item, cells, "mix", Cause.MIX)))
        needed = positions_needed(step.transfers, session.rules)
        if len(body.positions) != needed:
            self.blame(Cause.POSITION, f"expected {needed} positions, got {len(body.positions)}")
        try:
            settled = settle(session, table, seat, step, mixes, body.positions)
        except WrongPosition as error:
            self.blame(Cause.POSITION, str(error))
        table = self._put_shares(settled.table, settled.due, body.shares, paid, Cause.SHARE)
        state = step.state
        if table.code(state) != body.digest:
            self.blame(Cause.DIGEST, "the position after this move is not the one that its digest names")
        return replace(session, position=Position(state, table), events=step.events)

    def seal(self, body: Seal) -> Session:
        session = self.session
        outcome = session.outcome
        assert outcome is not None
        final = session.final_head or session.head
        if body.head != final:
            self.blame(Cause.SEAL, "the head of another game, or of another moment of this one, was sealed")
        if body.outcome != outcome_code(outcome):
            self.blame(Cause.SEAL, f"expected the outcome {outcome_code(outcome)}, got {body.outcome}")
        return replace(session, seals=session.seals + 1, final_head=final, events=())

    def reveal(self, body: Reveal) -> Session:
        try:
            check_seed(self.session, self.record.seat, body.seed)
        except InvalidProof as error:
            self.blame(Cause.SEED, str(error))
        return replace(self.session, seeds=(*self.session.seeds, body.seed), events=())

    # Shared by several kinds

    def _remade(self, item: Remade, before: Sequence[Cell], label: str, cause: Cause) -> tuple[Cell, ...]:
        """The new cells, proven to be a permutation of `before` in new encryptions."""
        session, seat = self.session, self.record.seat
        try:
            if item.count() != len(before):
                self.blame(cause, f"deck {item.deck}: expected {len(before)} cells, got {item.count()}")
            after = read_cells(item.cells, len(before))
            if self.proofs is Proofs.ALL:
                ctx = context(session, seat, label, deck=item.deck)
                logs = self.logs[item.deck] if self.logs and label == "shuffle" else None
                verify_shuffle(ctx, session.joint, before, after, item.proof, logs)
        except (InvalidProof, Malformed) as error:
            self.blame(cause, f"deck {item.deck}: {error}")
        return after

    def _pay(self, table: Table, debts: bytes) -> tuple[Table, int]:
        """All debts of the author paid, in order; and how many shares these were."""
        owed = table.owed(self.record.seat)
        return self._put_shares(table, [sealed.id for sealed in owed], debts, 0, Cause.DEBTS), len(owed)

    def _put_shares(self, table: Table, due: Sequence[int], shares: bytes, paid: int, count_cause: Cause) -> Table:
        """The shares of the author for the cells that are due, of which `paid` others stood before these."""
        session, seat = self.session, self.record.seat
        parts = split_shares(shares)
        if len(parts) != len(due):
            self.blame(count_cause, f"expected {len(due)} shares, got {len(parts)}")
        key = keys(session)[seat]
        for at, (sealed_id, part) in enumerate(zip(due, parts, strict=True)):
            sealed = table.find(sealed_id)
            ctx = context(session, seat, "share", deck=sealed.deck, position=paid + at + 1)
            try:
                if self.proofs is Proofs.NONE:
                    share = Point(part[:POINT_BYTES])
                else:
                    share = verify_share(key, ctx, sealed.cell, part)
                table = put_share(table, seat, sealed_id, share, session.rules)
            except InvalidProof as error:
                self.blame(Cause.SHARE, f"share {paid + at + 1}: {error}")
            except FalseFace as error:
                raise false_face(session, session.seq, error.card, error.namer) from None
        return table
