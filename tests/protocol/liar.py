"""A peer that is honest but for one step.

A `Stage` is the moment before one record of an honest game: its author (the liar) has the secrets, the identity and the
same session as its victim, and says something else instead, properly chained and signed unless the attack is there.
`Stage.refused` hands it to the victim and holds the victim, its evidence and the verifier to what they must say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import pytest

from p2p_schotten.crypto import group
from p2p_schotten.crypto.cells import Cell, cells_bytes
from p2p_schotten.crypto.dleq import prove_share
from p2p_schotten.crypto.group import Point, Scalar
from p2p_schotten.crypto.identity import Identity
from p2p_schotten.crypto.secret import Secret
from p2p_schotten.crypto.shuffle import Shuffled, Witness, prove_shuffle, shuffle
from p2p_schotten.engine.move import Move, PublicMove, public, read_move
from p2p_schotten.errors import Cause, PeerFault
from p2p_schotten.ids import DeckId, Seat, other
from p2p_schotten.protocol.advance import advance
from p2p_schotten.protocol.dealing import deal
from p2p_schotten.protocol.file import HEADER, frame
from p2p_schotten.protocol.making import make_mixes, make_move
from p2p_schotten.protocol.messages import (
    KIND_OF,
    SHARE_BYTES,
    Body,
    Hello,
    MoveBody,
    Remade,
    Shuffle,
    read_body,
    write_body,
)
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind, Record, Value, make_record
from p2p_schotten.protocol.session import Session, context, keys, secret_key
from p2p_schotten.protocol.table import Sealed
from p2p_schotten.transcript import Verdict, verify
from tests.attacks import report_fault, report_file
from tests.protocol.pair import Pair, Story, entropy

# Scalars and permutations of lies come from here, so that every run tells the same ones.
LIES = Secret(entropy("lies")(32))


def lie_scalar(*parts: int | str) -> Scalar:
    """A scalar for a lie, the same in every run."""
    return LIES.scalar("lie", *parts)


def file_of(*items: bytes) -> bytes:
    """A transcript of these items."""
    return HEADER + b"".join(map(frame, items))


@dataclass
class Stage:
    """Before record `seq`: `honest` is what its author would say."""

    pair: Pair
    honest: Record

    @classmethod
    def of(cls, story: Story, seq: int) -> Stage:
        """The moment before record `seq` of that game."""
        return cls(story.before(seq), story.records[seq])

    @classmethod
    def find(
        cls,
        story: Story,
        kind: Kind,
        *,
        seat: int | None = None,
        when: Callable[[MoveBody], bool] | None = None,
        nth: int = 0,
    ) -> Stage:
        """The moment before the nth record (from 0) of that kind, by that seat, whose MOVE fits."""

        def fits(record: Record) -> bool:
            if record.kind is not kind or seat not in (None, record.seat):
                return False
            body = read_body(kind, record.body)
            return when is None or (isinstance(body, MoveBody) and when(body))

        return cls.of(story, [record.seq for record in story.records if fits(record)][nth])

    @property
    def seq(self) -> int:
        return self.honest.seq

    @property
    def seat(self) -> Seat:
        """The liar's."""
        return self.honest.seat

    @property
    def liar(self) -> Peer:
        return self.pair.peers[self.seat]

    @property
    def victim(self) -> Peer:
        return self.pair.peers[other(self.seat)]

    @property
    def session(self) -> Session:
        """Of both, before the record."""
        return self.victim.session

    @property
    def secret(self) -> Secret:
        return self.liar._secret

    @property
    def identity(self) -> Identity:
        return self.liar._identity

    @property
    def body(self) -> Body:
        """The honest body."""
        return read_body(self.honest.kind, self.honest.body)

    @property
    def move_body(self) -> MoveBody:
        body = self.body
        assert isinstance(body, MoveBody)
        return body

    @property
    def move(self) -> PublicMove:
        """The honest move."""
        return read_move(self.session.rules, self.move_body.move)

    @property
    def hand(self) -> tuple[Sealed, ...]:
        """The liar's cells of deck 0, before the record."""
        assert self.session.position is not None
        return self.session.position.table.hands[self.seat][0].cells

    def held(self, deck: int, seat: Seat | None = None) -> tuple[Cell, ...]:
        """The cells of that deck in the hand of that seat (the liar's) before the record."""
        assert self.session.position is not None
        hands = self.session.position.table.hands[self.seat if seat is None else seat]
        return tuple(sealed.cell for sealed in hands[deck].cells)

    def pile(self, deck: int) -> tuple[Cell, ...]:
        """The cells of that pile, top first."""
        assert self.session.position is not None
        return tuple(sealed.cell for sealed in self.session.position.table.piles[deck])

    def ctx(self, label: str, position: int = 0, *, deck: int = 0) -> bytes:
        """The context of the liar's proofs here."""
        return context(self.session, self.seat, label, deck=deck, position=position)

    def interrupted(self) -> Stage:
        """The same moment, but the other seat speaks, which is not its turn: whoever was to speak has said nothing."""
        author, seat = self.liar, other(self.seat)
        author.session = self.session
        del author.records[self.seq :]
        return Stage(self.pair, replace(self.honest, seat=seat))

    # What the liar makes

    def signed(
        self,
        body: Body | list[Value],
        *,
        kind: Kind | None = None,
        seq: int | None = None,
        prev: bytes | None = None,
        seat: Seat | None = None,
        game_id: bytes | None = None,
        identity: Identity | None = None,
    ) -> bytes:
        """A record with this body, chained and signed as it should be except where something else is given."""
        if kind is None:
            kind = self.honest.kind if isinstance(body, list) else KIND_OF[type(body)]
        if game_id is None:
            game_id = b"" if kind is Kind.HELLO else self.session.game_id
        return make_record(
            self.seq if seq is None else seq,
            self.session.head if prev is None else prev,
            self.seat if seat is None else seat,
            kind,
            body if isinstance(body, list) else write_body(body),
            game_id,
            self.identity if identity is None else identity,
        )

    def share(self, cell: Cell, position: int, x: Scalar | None = None, *, deck: int = 0) -> bytes:
        """The liar's share of a cell with its proof for that position of this record, made with `x` (his own)."""
        key = keys(self.session)[self.seat]
        x = secret_key(self.session, self.secret) if x is None else x
        return prove_share(self.secret, x, key, self.ctx("share", position, deck=deck), cell)

    def debts(self) -> bytes:
        """All shares that the liar owes, as an honest peer pays them."""
        assert self.session.position is not None
        owed = self.session.position.table.owed(self.seat)
        return b"".join(self.share(sealed.cell, at, deck=sealed.deck) for at, sealed in enumerate(owed, 1))

    def prove(
        self, before: Sequence[Cell], after: Sequence[Cell], witness: Witness, label: str, *, deck: int = 0
    ) -> Shuffled:
        """The honest prover run on whatever statement and witness."""
        proof = prove_shuffle(self.secret, self.ctx(label, deck=deck), self.session.joint, before, after, witness)
        return Shuffled(tuple(after), proof, witness.permutation)

    def remade(self, before: Sequence[Cell], label: str, deck: int, *, proven: int | None = None) -> Remade:
        """Whatever cells, truly shuffled, as the new cells of that deck; the proof is for deck `proven` (the same)."""
        ctx = self.ctx(label, deck=deck if proven is None else proven)
        made = shuffle(self.secret, ctx, self.session.joint, before)
        return Remade(DeckId(deck), cells_bytes(made.cells), made.proof)

    def shuffle_body(self, after: Sequence[Cell], proof: bytes) -> Shuffle:
        """A SHUFFLE with these cells of deck 0 and this proof, and with the shares of the deal that fit them."""
        decks = (Remade(DeckId(0), cells_bytes(after), proof),)
        if self.session.shuffles == 0:
            return Shuffle(b"", decks, b"")
        settled = deal(self.session, [after])
        shares = [self.share(settled.table.find(due).cell, at) for at, due in enumerate(settled.due, 1)]
        return Shuffle(b"", decks, b"".join(shares))

    def move_body_of(self, mix: Shuffled | None, positions: Sequence[int], move: Move | None = None) -> MoveBody:
        """A MOVE with that mix and these positions, its shares and its digest fitting."""
        mixes = [] if mix is None else [(DeckId(0), mix)]
        move = self.move if move is None else move
        return make_move(self.session, self.seat, self.secret, public(self.session.rules, move), mixes, positions)

    def telling(self, move: PublicMove, positions: Sequence[int]) -> MoveBody:
        """A MOVE with that move at these positions, and all that follows from them; it may differ in the cells only."""
        mixes = make_mixes(self.session, self.seat, self.secret, move)
        return make_move(self.session, self.seat, self.secret, move, mixes, positions)

    def says(self, data: bytes, then: Record) -> Stage:
        """The victim accepts `data` and answers: the moment before the liar's next record, `then` in the story."""
        self.victim.receive(data)
        self.pair.records += [data, *self.victim.frames()]
        self.honest = then
        assert (len(self.pair.records), self.session.due()) == (then.seq, (then.seat, then.kind))
        return self

    def goes_on(self, data: bytes) -> None:
        """The liar waits to send `data` in place of the honest record, and goes on from it as an honest peer would."""
        self.liar.session = advance(self.session, data)
        self.liar.records[-1] = data
        self.pair.queue.clear()
        self.pair.queue.append(data)

    # What must come of it

    def live(self, data: bytes, cause: Cause, blame: Seat | None, *, seq: int | None = None) -> PeerFault:
        """The victim refuses `data` with that cause at that record, and nothing about it has changed."""
        victim = self.victim
        before = (victim.session, victim.hand, victim._hand, list(victim.records), victim.choices())
        with pytest.raises(PeerFault) as caught:
            victim.receive(data)
        fault = caught.value
        assert (fault.seq, fault.cause, fault.blame) == (self.seq if seq is None else seq, cause, blame), str(fault)
        after = (victim.session, victim.hand, victim._hand, list(victim.records), victim.choices())
        assert after == before
        assert victim.frames() == []
        report_fault(victim.session, data, fault)
        return fault

    def refused(self, data: bytes, cause: Cause, blame: Seat | None, *, seq: int | None = None) -> PeerFault:
        """As `live`; and the file with `data` behind the prefix, which is the evidence, is refused alike."""
        fault = self.live(data, cause, blame, seq=seq)
        spliced = file_of(*self.pair.records, data)
        evidence = self.victim.evidence
        assert evidence is not None
        assert evidence.startswith(spliced)
        verdict = convicts(evidence, fault)
        assert verdict.session == self.session
        assert verdict.records == len(self.pair.records)
        if evidence != spliced:
            # The FAULT behind the record carries what the prefix cannot prove: without it there is no verdict.
            assert verify(spliced).fault is None
        return fault

    def convicted(self, body: Body, cause: Cause) -> PeerFault:
        """As `refused`, of the liar's record with this body; he is blamed."""
        return self.refused(self.signed(body), cause, self.seat)


def convicts(data: bytes, fault: PeerFault) -> Verdict:
    """The file is refused at the same record, for the same cause, and with the same blame as in the live game."""
    verdict = verify(data)
    assert verdict.fault is not None
    assert (verdict.fault.seq, verdict.fault.cause, verdict.fault.blame) == (fault.seq, fault.cause, fault.blame)
    assert not verdict.over
    report_file(data, verdict)
    return verdict


def spliced_refused(data: bytes, seq: int, cause: Cause, blame: Seat | None) -> Verdict:
    """The file is refused at that record, for that cause, with that blame."""
    return convicts(data, PeerFault(seq, cause, "", blame))


def with_signature(data: bytes, signature: bytes) -> bytes:
    """The record with another signature."""
    return data[: -len(signature)] + signature


def shares_of(data: bytes) -> list[bytes]:
    """Single shares."""
    return [data[at : at + SHARE_BYTES] for at in range(0, len(data), SHARE_BYTES)]


def reencrypt(cells: Sequence[Cell], witness: Witness, joint: Point) -> tuple[Cell, ...]:
    """e'_i = (a_j + r_j G, b_j + r_j Y) with j = pi(i); pi need be no permutation here."""
    return tuple(
        Cell(
            group.add(cells[j].a, group.mul_base(witness.r[j])),
            group.add(cells[j].b, group.mul(witness.r[j], joint)),
        )
        for j in witness.permutation
    )


def lying_witness(n: int, permutation: Sequence[int] | None = None) -> Witness:
    """A witness with fresh factors; by default of a true permutation."""
    pi = LIES.permutation(n, "lie pi") if permutation is None else tuple(permutation)
    return Witness(pi, tuple(lie_scalar("r", j) for j in range(n)), None)


KINDS = tuple(Kind)


def stage_of(story: Story, kind: Kind) -> Stage:
    """One moment for each kind; of MOVEs an early one that lays a card."""
    return Stage.find(story, kind, when=(lambda body: bool(body.mixes)) if kind is Kind.MOVE else None, nth=1)


def hello_of(stage: Stage) -> Hello:
    """The honest HELLO of that moment."""
    body = stage.body
    assert isinstance(body, Hello)
    return body
