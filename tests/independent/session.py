"""What stands after some records of a game: sections 2, 3 and 6.2 of docs/protocol.md.

A session is copied for each record (`copy.copy`), and every field is replaced and never changed in place.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

from tests.independent.curve import ZERO, Point, minus, plus, same
from tests.independent.forms import Commit
from tests.independent.game import Game
from tests.independent.proofs import Cell, card_point, cell_code
from tests.independent.wire import h32, pack

HELLO, COMMIT, OPEN, SHUFFLE, SHARES, MOVE, SEAL, REVEAL = range(1, 9)
SUITE = "ed25519-sha512-hlkd17"


Known = TypeVar("Known")


class Refusal(Exception):
    """The first thing that fails: the words of the cause, who is to blame, and a record number if it is another one."""

    def __init__(self, cause: str, blame: int | None = None, number: int | None = None) -> None:
        super().__init__(cause, blame)
        self.cause, self.blame, self.number = cause, blame, number


@dataclass(eq=False)
class Hidden:
    """A cell of the game; two of them are never the same, whatever their points."""

    cell: Cell


@dataclass(frozen=True)
class Face:
    """A named card in the open that both shares have not proven yet."""

    card: int
    seat: int
    cell: Hidden


@dataclass(frozen=True)
class Mix:
    """A mix on record: its author, its `ctx`, what it took and what it made."""

    seat: int
    ctx: bytes
    before: tuple[Hidden, ...]
    after: tuple[Hidden, ...]


@dataclass
class Session:
    """The fields are by seat where they are pairs."""

    records: tuple[tuple[bytes, int, int], ...] = ()  # bytes, seat, kind
    head: bytes = bytes(32)
    identities: tuple[bytes, ...] = ()
    nonces: tuple[bytes, ...] = ()
    highest: tuple[int, ...] = ()
    game_id: bytes | None = None
    commits: tuple[Commit, ...] = ()
    opened: tuple[bytes, ...] = ()  # n
    keys: tuple[Point, ...] = ()  # X
    session_id: bytes = b""
    Y: Point = ZERO
    game: Game | None = None
    decks: tuple[Cell, ...] = ()  # between SHUFFLE 0 and SHUFFLE 1
    pile: tuple[Hidden, ...] = ()
    hands: tuple[tuple[Hidden, ...], tuple[Hidden, ...]] = ((), ())
    mixed: tuple[bool, bool] = (True, True)
    faces: tuple[Face, ...] = ()
    debts: tuple[tuple[tuple[bool, Hidden], ...], tuple[tuple[bool, Hidden], ...]] = ((), ())  # private?, cell
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
    def version(self) -> int:
        return min(self.highest)

    @property
    def over(self) -> bool:
        """Over by the engine, and every open face is proven by both shares or by a CLOSE."""
        ended = self.game is not None and self.game.phase == 2
        return ended and (not self.faces or self.closed_by is not None)

    def due(self) -> tuple[int, int] | None:
        """The seat and the kind of the next record (6.2); None behind the complete end."""
        if self.seq < 8:
            return self.seq % 2, (HELLO, COMMIT, OPEN, SHUFFLE)[self.seq // 2]
        game = known(self.game)
        for seat in (0, 1):
            if any(private for private, _ in self.debts[seat]):
                return seat, SHARES
        if game.phase != 2:
            return game.turn, MOVE
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
        if kind == SHUFFLE:
            return 128 + _mix_size(54) + _shares_size(16)
        if kind == SHARES:
            return 128 + _shares_size(len(self.debts[seat]) + 1)
        if kind == MOVE:
            mix = 0 if self.mixed[seat] else _mix_size(len(self.hands[seat]))
            return 128 + mix + 72 + _shares_size(len(self.debts[seat])) + _shares_size(16)
        return 384

    def ctx(self, seat: int, label: str, position: int = 0, prev: bytes | None = None) -> bytes:
        """Section 2.1; the only deck is deck 0."""
        scope = self.game_id if label == "pok" else self.session_id
        return h32(
            "ctx", SUITE, self.version, known(scope), self.head if prev is None else prev, seat, label, 0, position
        )

    def record_share(self, seat: int, cell: Hidden, D: Point) -> None:
        """Puts a proven share on record; a face that now has both must show its card (FACE)."""
        self.shares = {**self.shares, (cell, seat): D}
        for face in self.faces:
            if face.cell is cell and (cell, 1 - seat) in self.shares:
                if not opens(cell.cell, D, self.shares[cell, 1 - seat], face.card):
                    raise Refusal("false face", face.seat)
                self.faces = tuple(other for other in self.faces if other is not face)

    def digest(self) -> bytes:
        """The position after a MOVE, as section 6.3 lists it."""
        game = known(self.game)
        faces = tuple((face.card, face.seat, self._code(face.cell)) for face in self.faces)
        debts = tuple(tuple((int(private), self._code(cell)) for private, cell in owed) for owed in self.debts)
        hands = tuple(((int(self.mixed[seat]), self._codes(self.hands[seat])),) for seat in (0, 1))
        state = game.code()
        return h32("state", pack(state), (self._codes(self.pile),), hands, faces, debts, game.turn)

    def _code(self, cell: Hidden) -> bytes:
        flags = sum(1 << seat for seat in (0, 1) if (cell, seat) in self.shares)
        return cell_code(cell.cell) + bytes([flags])

    def _codes(self, cells: tuple[Hidden, ...]) -> bytes:
        return b"".join(map(self._code, cells))


def known(value: Known | None) -> Known:
    """What must stand by now, by the order of records."""
    assert value is not None
    return value


def opens(cell: Cell, D: Point, E: Point, card: int) -> bool:
    return same(plus(cell.b, minus(plus(D, E))), card_point(0, card))


def _mix_size(cells: int) -> int:
    return 64 * cells + 32 * (4 * cells + 5) + 48


def _shares_size(shares: int) -> int:
    return 96 * shares + 16
