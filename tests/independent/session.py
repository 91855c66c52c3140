"""What stands after some records of a game: sections 2, 3 and 6.2 of docs/protocol.md.

A session is copied for each record (`copy.copy`), and every field is replaced and never changed in place.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from tests.independent.curve import ZERO, Point, minus, plus, same
from tests.independent.forms import Commit, Terms
from tests.independent.game import Game
from tests.independent.proofs import Cell, card_point, cell_code
from tests.independent.rules import Offer, Rules
from tests.independent.wire import h32, pack

HELLO, COMMIT, OPEN, SHUFFLE, SHARES, MOVE, SEAL, REVEAL = range(1, 9)
SUITE = "ed25519-sha512-hlkd17"


Known = TypeVar("Known")
Cells: TypeAlias = "tuple[Hidden, ...]"


class Refusal(Exception):
    """The first thing that fails: the words of the cause, who is to blame, and a record number if it is another one."""

    def __init__(self, cause: str, blame: int | None = None, number: int | None = None) -> None:
        super().__init__(cause, blame)
        self.cause, self.blame, self.number = cause, blame, number


@dataclass(eq=False)
class Hidden:
    """A cell of a deck; two of them are never the same, whatever their points."""

    cell: Cell
    deck: int


@dataclass(frozen=True)
class Face:
    """A named card in the open that both shares have not proven yet; `point` is its M."""

    card: int
    point: Point
    seat: int
    cell: Hidden


@dataclass(frozen=True)
class Mix:
    """A mix on record: its author, its `ctx`, what it took and what it made."""

    seat: int
    ctx: bytes
    before: Cells
    after: Cells


@dataclass
class Session:
    """The fields are by seat where they are pairs.

    `every`: of a long game the proofs of only each so many records are checked, from record 0 on. Signatures, the
    chain, cells, faces, debts, positions and digests always are.
    """

    every: int = 1
    records: tuple[tuple[bytes, int, int], ...] = ()  # bytes, seat, kind
    head: bytes = bytes(32)
    identities: tuple[bytes, ...] = ()
    nonces: tuple[bytes, ...] = ()
    highest: tuple[int, ...] = ()
    terms: Terms | None = None
    offer: Offer | None = None
    game_id: bytes | None = None
    commits: tuple[Commit, ...] = ()
    opened: tuple[bytes, ...] = ()  # n
    keys: tuple[Point, ...] = ()  # X
    session_id: bytes = b""
    Y: Point = ZERO
    game: Game | None = None
    decks: tuple[tuple[Cell, ...], ...] = ()  # between SHUFFLE 0 and SHUFFLE 1
    piles: tuple[Cells, ...] = ()
    hands: tuple[tuple[Cells, ...], ...] = ((), ())  # per deck
    mixed: tuple[tuple[bool, ...], ...] = ((), ())  # per deck
    named: tuple[Cells, ...] = ((), ())
    restocks: tuple[tuple[int, int], ...] = ()  # seat and deck of the shuffles of piles that are owed
    faces: tuple[Face, ...] = ()
    debts: tuple[tuple[tuple[bool, Hidden], ...], ...] = ((), ())  # private?, cell
    shares: dict[tuple[Hidden, int], Point] = field(default_factory=dict)
    mixes: tuple[Mix, ...] = ()
    final: bytes = b""  # the head before SEAL 0
    sealed: tuple[int, ...] = ()
    seeds: tuple[tuple[int, bytes], ...] = ()
    closed_by: int | None = None

    @property
    def seq(self) -> int:
        return len(self.records)

    @property
    def checks_proofs(self) -> bool:
        """Of the next record."""
        return self.seq % self.every == 0

    @property
    def version(self) -> int:
        return min(self.highest)

    @property
    def over(self) -> bool:
        """Over by the engine, and every open face is proven by both shares or by a CLOSE."""
        ended = self.game is not None and self.game.phase == 2
        return ended and (not self.faces or self.closed_by is not None)

    @property
    def rules(self) -> Rules:
        return known(self.offer).rules

    def due(self) -> tuple[int, int] | None:
        """The seat and the kind of the next record (6.2); None behind the complete end."""
        if self.seq < 8:
            return self.seq % 2, (HELLO, COMMIT, OPEN, SHUFFLE)[self.seq // 2]
        game = known(self.game)
        if self.restocks:
            return self.restocks[0][0], SHUFFLE
        for seat in (0, 1):
            if any(private for private, _ in self.debts[seat]):
                return seat, SHARES
        if game.phase != 2:
            return game.to_move, MOVE
        for seat in (0, 1):
            if self.debts[seat]:
                return seat, SHARES
        if len(self.sealed) < 2:
            return len(self.sealed), SEAL
        if len(self.seeds) < 2:
            return len(self.seeds), REVEAL
        return None

    def limit(self) -> int:
        """The longest record that may come next, in bytes (6.5)."""
        seat, kind = known(self.due())
        if kind == HELLO:
            return 2176
        owed = len(self.debts[seat])
        if kind == SHUFFLE and self.restocks:
            return 128 + _mix_size(len(self.piles[self.restocks[0][1]])) + _shares_size(owed + 1)
        if kind == SHUFFLE:
            return 128 + sum(_mix_size(len(deck)) for deck in self.rules.decks) + _shares_size(16)
        if kind == SHARES:
            return 128 + _shares_size(owed + 1)
        if kind == MOVE:
            hands = zip(self.hands[seat], self.mixed[seat], strict=True)
            mixes = sum(_mix_size(len(hand)) for hand, mixed in hands if not mixed)
            return 128 + mixes + 72 + _shares_size(owed) + _shares_size(16)
        return 384

    def ctx(self, seat: int, label: str, deck: int = 0, position: int = 0, prev: bytes | None = None) -> bytes:
        """Section 2.1."""
        scope = known(self.game_id if label == "pok" else self.session_id)
        place = (self.head if prev is None else prev, seat, label, deck, position)
        return h32("ctx", SUITE, self.version, scope, *place)

    def record_share(self, seat: int, cell: Hidden, D: Point) -> None:
        """Puts a proven share on record; a face that now has both must show its card (FACE)."""
        self.shares = {**self.shares, (cell, seat): D}
        for face in self.faces:
            if face.cell is cell and (cell, 1 - seat) in self.shares:
                if not opens(cell.cell, D, self.shares[cell, 1 - seat], face.point):
                    raise Refusal("false face", face.seat)
                self.faces = tuple(other for other in self.faces if other is not face)

    def digest(self) -> bytes:
        """The position after a MOVE, as section 6.3 lists it."""
        game = known(self.game)
        faces = tuple((face.card, face.seat, self._code(face.cell)) for face in self.faces)
        debts = tuple(tuple((int(private), self._code(cell)) for private, cell in owed) for owed in self.debts)
        piles = tuple(map(self._codes, self.piles))
        hands = tuple(
            tuple(
                (int(mixed), self._codes(cells))
                for mixed, cells in zip(self.mixed[seat], self.hands[seat], strict=True)
            )
            for seat in (0, 1)
        )
        named = tuple(map(self._codes, self.named))
        return h32("state", pack(game.code()), piles, hands, faces, named, debts, game.to_move)

    def _code(self, cell: Hidden) -> bytes:
        flags = sum(1 << seat for seat in (0, 1) if (cell, seat) in self.shares)
        return cell_code(cell.cell) + bytes([flags])

    def _codes(self, cells: Cells) -> bytes:
        return b"".join(map(self._code, cells))


def known(value: Known | None) -> Known:
    """What must stand by now, by the order of records."""
    assert value is not None
    return value


def opens(cell: Cell, D: Point, E: Point, point: Point) -> bool:
    return same(plus(cell.b, minus(plus(D, E))), point)


def point_of(rules: Rules, card: int) -> Point:
    """M of a card by its id over both decks."""
    return card_point(*rules.place_of(card))


def put(pair: tuple[Known, ...], place: int, value: Known) -> tuple[Known, ...]:
    """The tuple with another value at that place."""
    return (*pair[:place], value, *pair[place + 1 :])


def _mix_size(cells: int) -> int:
    return 64 * cells + 32 * (4 * cells + 5) + 48


def _shares_size(shares: int) -> int:
    return 96 * shares + 16
