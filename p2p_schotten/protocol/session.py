"""The session: everything about a game that anybody may know, as one frozen value without a secret and without a role.

It says who may speak, what a record must carry and how long it may be. `advance` (advance.py) is the only door by which
it changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from p2p_schotten.crypto.cells import Cell
from p2p_schotten.crypto.group import Point, Scalar
from p2p_schotten.crypto.hashing import hash32
from p2p_schotten.crypto.secret import Secret
from p2p_schotten.crypto.shuffle import proof_size
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import RULESETS
from p2p_schotten.engine.state import State
from p2p_schotten.engine.step import Event as EngineEvent
from p2p_schotten.engine.step import Outcome, Reason
from p2p_schotten.errors import Cause, PeerFault
from p2p_schotten.ids import SEATS, CardId, Seat
from p2p_schotten.protocol.messages import (
    CELL_BYTES,
    MAX_CODE,
    MAX_POSITIONS,
    MAX_STEP_SHARES,
    SHARE_BYTES,
    Commit,
    Hello,
    Open,
    Options,
)
from p2p_schotten.protocol.offer import Offer
from p2p_schotten.protocol.record import NO_HEAD, Kind
from p2p_schotten.protocol.table import Table

# The lowest and highest protocol version that this program speaks.
VERSIONS = (1, 1)
NO_POINT = Point(b"")
# Group, hashes and proofs, as one word; another suite is another game.
SUITE = "ed25519-sha512-hlkd17"

# Array headers, seq, prev, seat, kind and signature around a body: at most 6 + 5 + 34 + 1 + 1 + 66 bytes.
ENVELOPE_BYTES = 128
# msgpack headers of a byte string (5 bytes at the most) and of the array around it.
FIELD_BYTES = 16
# A HELLO holds ten options of two words of 66 bytes (1,333 bytes), two more words, nonce, keys, hashes and the name.
HELLO_BYTES = 2048


# Each by seat 0, then by seat 1; the deal is part of the last.
SET_UP = (Kind.HELLO, Kind.COMMIT, Kind.OPEN, Kind.SHUFFLE)


@dataclass(frozen=True, slots=True)
class Position:
    """Where the game stands: the public state, and the cells behind it."""

    state: State
    table: Table


@dataclass(frozen=True, slots=True)
class Session:
    """The fold of all records so far. Fields are empty until the record that fills them has come."""

    known: Mapping[str, Ruleset] = field(default_factory=lambda: RULESETS)  # the rulesets that whoever folds can judge
    seq: int = 0  # the number of the next record
    head: bytes = NO_HEAD  # the hash of the last one
    hellos: tuple[Hello, ...] = ()
    offered: Offer | None = None  # what the HELLOs agree on, from the first one on
    game_id: bytes = b""  # `game_id_of` both HELLOs, once they are there
    commits: tuple[Commit, ...] = ()
    opens: tuple[Open, ...] = ()
    session_id: bytes = b""  # `session_id_of` the game, once both keys are open
    joint: Point = NO_POINT  # Y = X_0 + X_1, once both are open
    piles: tuple[tuple[Cell, ...], ...] = ()  # decks in the making, until both have shuffled
    shuffles: int = 0
    position: Position | None = None
    seals: int = 0
    final_head: bytes = b""  # the head before SEAL 0
    seeds: tuple[bytes, ...] = ()
    events: tuple[EngineEvent, ...] = ()  # what the last record made happen

    @property
    def offer(self) -> Offer:
        """Rules, options and match that both signed; only after a HELLO."""
        assert self.offered is not None
        return self.offered

    @property
    def rules(self) -> Ruleset:
        """The rules that both signed; only after a HELLO."""
        return self.offer.rules

    @property
    def options(self) -> Options:
        """Who begins and the form of the match, as both signed; only after a HELLO."""
        return self.offer.options

    @property
    def clock(self) -> int | None:
        """Seconds for a turn, if the players agreed on a clock."""
        return None if self.offered is None else self.offered.options.clock

    @property
    def version(self) -> int:
        """The highest version that both speak; only after both HELLOs."""
        return min(hello.versions[1] for hello in self.hellos)

    @property
    def identities(self) -> tuple[bytes, ...]:
        return tuple(hello.identity for hello in self.hellos)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(hello.name for hello in self.hellos)

    @property
    def state(self) -> State | None:
        """The engine's state, once the cards are dealt."""
        return self.position.state if self.position else None

    @property
    def outcome(self) -> Outcome | None:
        return self.position.state.outcome if self.position else None

    @property
    def speaker(self) -> Seat | None:
        """The one seat that may write the next record; None when the last one stands."""
        due = self.due()
        return due[0] if due else None

    @property
    def finished(self) -> bool:
        """Both have sealed and revealed: no record may follow."""
        return len(self.seeds) == len(SEATS)

    def due(self) -> tuple[Seat, Kind] | None:
        """Who speaks next and with what; None when the transcript is complete."""
        if self.position is None:
            written = (len(self.hellos), len(self.commits), len(self.opens), self.shuffles)
            return next((SEATS[n], kind) for n, kind in zip(written, SET_UP, strict=True) if n < len(SEATS))
        debts, state = self.position.table.debts, self.position.state
        if self.position.table.shuffles:
            return self.position.table.shuffles[0][0], Kind.SHUFFLE
        for seat in SEATS:
            if any(debt.private for debt in debts[seat]):
                return seat, Kind.SHARES
        if not state.over:
            return state.to_move, Kind.MOVE
        for seat in SEATS:
            if debts[seat]:
                return seat, Kind.SHARES
        for done, kind in ((self.seals, Kind.SEAL), (len(self.seeds), Kind.REVEAL)):
            if done < len(SEATS):
                return SEATS[done], kind
        return None

    def proven(self) -> bool:
        """The engine says over, and every open face is proven by both shares."""
        return self.position is not None and self.position.state.over and not self.position.table.faces

    def limit(self) -> int:
        """The length in bytes of the longest record that may come next; 0 when none may."""
        due = self.due()
        if due is None:
            return 0
        seat, kind = due
        match kind:
            case Kind.HELLO:
                body = HELLO_BYTES
            case Kind.SHUFFLE if self.position is not None:
                _, deck = self.position.table.shuffles[0]
                body = _remade_limit(len(self.position.table.piles[deck])) + _shares(self._debts(seat) + 1)
            case Kind.SHUFFLE:
                body = sum(_remade_limit(len(deck.cards)) for deck in self.rules.decks) + _shares(MAX_STEP_SHARES)
            case Kind.SHARES:
                # One more than is owed: a share too many is to be blamed, not only cut off.
                body = _shares(self._debts(seat) + 1)
            case Kind.MOVE:
                assert self.position is not None
                hands = self.position.table.hands[seat]
                mixes = sum(_remade_limit(len(hand.cells)) for hand in hands if not hand.mixed)
                words = 2 * (MAX_CODE + MAX_POSITIONS) + 2 * FIELD_BYTES
                body = mixes + words + _shares(self._debts(seat)) + _shares(MAX_STEP_SHARES)
            case _:
                # COMMIT, OPEN, SEAL, REVEAL: a few fields, OPEN is the longest with 128 bytes in three.
                body = 256
        return ENVELOPE_BYTES + body

    def _debts(self, seat: Seat) -> int:
        assert self.position is not None
        return len(self.position.table.debts[seat])


def game_id_of(hellos: Sequence[Hello]) -> bytes:
    """H("game", both nonces, both identities): 32 bytes."""
    return hash32("game", tuple(hello.nonce for hello in hellos), tuple(hello.identity for hello in hellos))


def session_id_of(game_id: bytes, commits: Sequence[Commit], opens: Sequence[Open]) -> bytes:
    """H("session", game id, both commits, both n): 32 bytes."""
    committed = tuple((commit.key, commit.seed) for commit in commits)
    return hash32("session", game_id, committed, tuple(opened.nonce for opened in opens))


def _remade_limit(n: int) -> int:
    return n * CELL_BYTES + proof_size(n) + 3 * FIELD_BYTES


def _shares(count: int) -> int:
    return count * SHARE_BYTES + FIELD_BYTES


def rules_digest(rules: Ruleset) -> bytes:
    """The 32 bytes by which both peers sign the rules, flags included."""
    return hash32("rules", rules.code())


def context(session: Session, seat: Seat, label: str, *, deck: int = 0, position: int = 0) -> bytes:
    """What binds a proof to its one place (protocol section 4): 32 bytes that enter its challenge.

    `label` is pok, shuffle, mix, share or fault; `position` the running number of a share in its record, from 1. For a
    fault the session is the one that the offending record leads to, so its head names that record.
    """
    scope = session.game_id if label == "pok" else session.session_id
    return hash32("ctx", SUITE, session.version, scope, session.head, int(seat), label, deck, position)


def key_commitment(session: Session, seat: Seat, nonce: bytes, key: Point) -> bytes:
    """C1 of that seat."""
    digest = session.hellos[0].rules_digest
    return hash32("commit", session.game_id, int(seat), SUITE, digest, session.identities, nonce, key)


def seed_commitment(session: Session, seat: Seat, seed: bytes) -> bytes:
    """C2 of that seat."""
    return hash32("seed", session.game_id, int(seat), seed)


def secret_key(session: Session, secret: Secret) -> Scalar:
    """x, the decryption key of the seat that holds this secret."""
    return secret.scalar("key", session.game_id)


def opening_nonce(session: Session, secret: Secret) -> bytes:
    """n, which hides X in the commitment."""
    return secret.bytes32("n", session.game_id)


def keys(session: Session) -> tuple[Point, ...]:
    """X of both seats, as far as they are open."""
    return tuple(Point(opened.key) for opened in session.opens)


def first_seat(session: Session) -> Seat:
    """Who begins: the seat that both HELLOs name, else a coin that neither peer can bend, tossed by both OPENs."""
    named = session.offer.options.first
    if named is not None:
        return named
    return SEATS[hash32("first", session.session_id)[0] & 1]


def false_face(session: Session, seq: int, card: CardId, namer: Seat) -> PeerFault:
    """What convicts the seat that named a face which its cell does not have."""
    named = session.rules.text(card)
    return PeerFault(seq, Cause.FACE, f"seat {namer} named {named}, the cell opens to another card", namer)


REASONS = tuple(Reason)  # the order is part of the format; new ones are added at the end
DRAWN = 2


def outcome_code(outcome: Outcome) -> tuple[int, ...]:
    """An outcome as SEAL and CLOSE carry it: winner (2 when drawn), reason, points of both seats."""
    winner = DRAWN if outcome.winner is None else int(outcome.winner)
    return (winner, REASONS.index(outcome.reason), *outcome.points)
