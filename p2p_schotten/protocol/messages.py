"""The bodies of records: one value per kind, with its array form. Shapes only; meaning is checked by `advance`.

Cells, proofs and shares travel as single byte strings: n cells are n times (a, b), shares are 96 bytes each.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p_schotten.crypto.cells import CELL_SIZE
from p2p_schotten.crypto.dleq import KEY_PROOF_SIZE, SHARE_SIZE
from p2p_schotten.crypto.group import SIZE
from p2p_schotten.crypto.secret import SEED_SIZE
from p2p_schotten.crypto.shuffle import proof_size
from p2p_schotten.errors import Malformed
from p2p_schotten.ids import DeckId, Seat
from p2p_schotten.protocol.record import HASH_BYTES, Kind, Value, take_bytes, take_int, take_list, take_text
from p2p_schotten.text import NAME_BYTES

POINT_BYTES = SIZE
CELL_BYTES = CELL_SIZE
SHARE_BYTES = SHARE_SIZE
KEY_PROOF_BYTES = KEY_PROOF_SIZE
NONCE_BYTES = 32
SEED_BYTES = SEED_SIZE
MAX_WORD = 64  # names of suites, rulesets and options
MAX_OPTIONS = 11  # eight flags, who begins, the form of the match, the clock
MAX_DECKS = 2  # the numbered cards and the tactics
MAX_CODE = 16  # integers in a move: its kind and its arguments
MAX_POSITIONS = 4  # cards that one move takes from a hand: an exchange names three
# Shares that one step may make due for its author. The deal takes seven. A move takes one for a card shown or three for
# cards given, and then, where it leaves the other seat nothing to choose, that seat's draws: at most a hand of seven.
MAX_STEP_SHARES = 16


@dataclass(frozen=True, slots=True)
class Match:
    """Where this game stands in a match: empty id and previous head, number 1 for a single game."""

    id: bytes
    number: int
    previous: bytes


SINGLE_GAME = Match(b"", 1, b"")


@dataclass(frozen=True, slots=True)
class Options:
    """Which seat begins (in a siege it attacks), None for the coin; the form of the match; and the clock.

    The form is text that the players' programs agree on and the protocol only carries, empty for none. So is the clock,
    in whole seconds for one turn, None for none: no record shows the time, and each side measures for itself.
    """

    first: Seat | None = None
    form: str = ""
    clock: int | None = None


NO_OPTIONS = Options()


@dataclass(frozen=True, slots=True)
class Hello:
    """Who plays, with which rules, in which version of the protocol (`versions` = lowest and highest spoken).

    `options`: pairs (name, value); what they may say is `offer_of`.
    """

    nonce: bytes
    versions: tuple[int, int]
    suite: str
    ruleset: str
    rules_digest: bytes
    options: tuple[tuple[str, str], ...]
    identity: bytes
    name: str
    match: Match

    def terms(self) -> tuple[object, ...]:
        """What both HELLOs must say alike."""
        return (self.suite, self.ruleset, self.rules_digest, self.options, self.match)


@dataclass(frozen=True, slots=True)
class Commit:
    """C1 binds the key, C2 the seed."""

    key: bytes
    seed: bytes


@dataclass(frozen=True, slots=True)
class Open:
    """Opens C1: the nonce n, the public key X and the proof that its secret is known."""

    nonce: bytes
    key: bytes
    proof: bytes


@dataclass(frozen=True, slots=True)
class Remade:
    """A deck (or deck-hand) in new cells, with the proof that they are the old ones."""

    deck: DeckId
    cells: bytes
    proof: bytes

    def count(self) -> int:
        """How many cells these are; raises Malformed unless cells and proof have the lengths of one count."""
        n, rest = divmod(len(self.cells), CELL_BYTES)
        if rest or n == 0 or len(self.proof) != proof_size(n):
            raise Malformed(
                f"cells and proof: expected n x {CELL_BYTES} and the {proof_size(max(n, 1))} bytes that go with it, "
                f"got {len(self.cells)} and {len(self.proof)}"
            )
        return n


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Debts paid, each deck in new cells, shares that its step makes due (the deal)."""

    debts: bytes
    decks: tuple[Remade, ...]
    shares: bytes


@dataclass(frozen=True, slots=True)
class Shares:
    """All debts of its author, in the order in which they arose."""

    debts: bytes


@dataclass(frozen=True, slots=True)
class MoveBody:
    """Debts paid, mixes, the move in its public form, positions of the cells it takes, own shares, digest."""

    debts: bytes
    mixes: tuple[Remade, ...]
    move: tuple[int, ...]
    positions: tuple[int, ...]
    shares: bytes
    digest: bytes


@dataclass(frozen=True, slots=True)
class Seal:
    """The hash of the record before SEAL 0, and the outcome: both seats agree."""

    head: bytes
    outcome: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Reveal:
    """The seed from which everything secret of this seat was made."""

    seed: bytes


Body = Hello | Commit | Open | Shuffle | Shares | MoveBody | Seal | Reveal


def read_body(kind: Kind, body: list[Value]) -> Body:
    """The body of a record of this kind; raises Malformed."""
    match kind:
        case Kind.HELLO:
            return _read_hello(body)
        case Kind.COMMIT:
            key, seed = take_list(body, 2, "COMMIT")
            return Commit(take_bytes(key, HASH_BYTES, "C1"), take_bytes(seed, HASH_BYTES, "C2"))
        case Kind.OPEN:
            nonce, key, proof = take_list(body, 3, "OPEN")
            return Open(
                take_bytes(nonce, NONCE_BYTES, "n"),
                take_bytes(key, POINT_BYTES, "X"),
                take_bytes(proof, KEY_PROOF_BYTES, "proof of possession"),
            )
        case Kind.SHUFFLE:
            debts, decks, shares = take_list(body, 3, "SHUFFLE")
            return Shuffle(_take_shares(debts, "debts"), _take_remade(decks, "decks"), _take_shares(shares, "shares"))
        case Kind.SHARES:
            (debts,) = take_list(body, 1, "SHARES")
            return Shares(_take_shares(debts, "debts"))
        case Kind.MOVE:
            return _read_move_body(body)
        case Kind.SEAL:
            head, outcome = take_list(body, 2, "SEAL")
            return Seal(take_bytes(head, HASH_BYTES, "final head"), read_outcome_code(outcome))
        case Kind.REVEAL:
            (seed,) = take_list(body, 1, "REVEAL")
            return Reveal(take_bytes(seed, SEED_BYTES, "seed"))


def write_body(body: Body) -> list[Value]:
    """The array form: `read_body` gives the same value back."""
    match body:
        case Hello():
            return [
                body.nonce,
                list(body.versions),
                body.suite,
                body.ruleset,
                body.rules_digest,
                [[name, value] for name, value in body.options],
                body.identity,
                body.name,
                [body.match.id, body.match.number, body.match.previous],
            ]
        case Commit():
            return [body.key, body.seed]
        case Open():
            return [body.nonce, body.key, body.proof]
        case Shuffle():
            return [body.debts, _remade(body.decks), body.shares]
        case Shares():
            return [body.debts]
        case MoveBody():
            return [
                body.debts,
                _remade(body.mixes),
                list(body.move),
                list(body.positions),
                body.shares,
                body.digest,
            ]
        case Seal():
            return [body.head, list(body.outcome)]
        case Reveal():
            return [body.seed]


KIND_OF: dict[type[Body], Kind] = {
    Hello: Kind.HELLO,
    Commit: Kind.COMMIT,
    Open: Kind.OPEN,
    Shuffle: Kind.SHUFFLE,
    Shares: Kind.SHARES,
    MoveBody: Kind.MOVE,
    Seal: Kind.SEAL,
    Reveal: Kind.REVEAL,
}


def split_shares(shares: bytes) -> tuple[bytes, ...]:
    """The single shares of a byte string whose length was checked."""
    return tuple(shares[at : at + SHARE_BYTES] for at in range(0, len(shares), SHARE_BYTES))


def read_outcome_code(value: Value) -> tuple[int, ...]:
    """An outcome as four small integers (winner, reason, points of seat 0 and 1); raises Malformed."""
    return tuple(take_int(item, 0, 255, "outcome") for item in take_list(value, 4, "outcome"))


def _read_hello(body: list[Value]) -> Hello:
    nonce, versions, suite, ruleset, digest, options, identity, name, match = take_list(body, 9, "HELLO")
    low, high = (take_int(item, 1, 2**16 - 1, "version") for item in take_list(versions, 2, "version range"))
    if low > high:
        raise Malformed(f"version range: expected the lowest first, got {low} and {high}")
    items = _take_short_list(options, MAX_OPTIONS, "options")
    pairs = tuple(tuple(take_text(part, MAX_WORD, "option") for part in take_list(item, 2, "option")) for item in items)
    match_id, number, previous = take_list(match, 3, "match")
    return Hello(
        take_bytes(nonce, NONCE_BYTES, "nonce"),
        (low, high),
        take_text(suite, MAX_WORD, "suite"),
        take_text(ruleset, MAX_WORD, "ruleset"),
        take_bytes(digest, HASH_BYTES, "rules digest"),
        tuple((name, value) for name, value in pairs),
        take_bytes(identity, POINT_BYTES, "identity"),
        take_text(name, NAME_BYTES, "name"),
        Match(
            _take_hash_or_none(match_id, "match id"),
            take_int(number, 1, 255, "game number"),
            _take_hash_or_none(previous, "previous head"),
        ),
    )


def _read_move_body(body: list[Value]) -> MoveBody:
    debts, mixes, move, positions, shares, digest = take_list(body, 6, "MOVE")
    return MoveBody(
        _take_shares(debts, "debts"),
        _take_remade(mixes, "mixes"),
        tuple(take_int(item, 0, 255, "move") for item in _take_short_list(move, MAX_CODE, "move")),
        tuple(take_int(item, 1, 255, "position") for item in _take_short_list(positions, MAX_POSITIONS, "positions")),
        _take_shares(shares, "shares"),
        take_bytes(digest, HASH_BYTES, "digest"),
    )


def _take_short_list(value: Value, most: int, what: str) -> list[Value]:
    items = take_list(value, None, what)
    if len(items) > most:
        raise Malformed(f"{what}: expected at most {most}, got {len(items)}")
    return items


def _take_hash_or_none(value: Value, what: str) -> bytes:
    return b"" if value == b"" else take_bytes(value, HASH_BYTES, what)


def _take_shares(value: Value, what: str) -> bytes:
    shares = take_bytes(value, None, what)
    if len(shares) % SHARE_BYTES:
        raise Malformed(f"{what}: expected shares of {SHARE_BYTES} bytes each, got {len(shares)} bytes")
    return shares


def _take_remade(value: Value, what: str) -> tuple[Remade, ...]:
    decks: list[Remade] = []
    for item in _take_short_list(value, MAX_DECKS, what):
        deck, cells, proof = take_list(item, 3, what)
        decks.append(
            Remade(
                DeckId(take_int(deck, 0, MAX_DECKS - 1, "deck")),
                take_bytes(cells, None, "cells"),
                take_bytes(proof, None, "proof"),
            )
        )
    return tuple(decks)


def _remade(decks: tuple[Remade, ...]) -> list[Value]:
    return [[int(item.deck), item.cells, item.proof] for item in decks]
