"""The sealed table: where every cell lies, which shares are on record, and who owes one.

The engine names transfers; this table carries them out on ciphertexts (protocol section 3). Invariant after every
record: a cell in a pile or in a mixed deck-hand has no share on record, a cell in an unmixed deck-hand of p at most
the other seat's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar, assert_never

from p2p_schotten.crypto.cells import Cell, card_point, opens_to
from p2p_schotten.crypto.group import Point
from p2p_schotten.crypto.hashing import hash32
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.state import State, state_code
from p2p_schotten.engine.step import HandToOpen, PileToHand, Transfer
from p2p_schotten.errors import SchottenError
from p2p_schotten.ids import SEATS, CardId, DeckId, Seat, other
from p2p_schotten.protocol.record import pack_code

T = TypeVar("T")


class FalseFace(SchottenError):
    """A cell with both shares proven opens to another card than the one that `namer` named."""

    def __init__(self, card: CardId, namer: Seat) -> None:
        super().__init__(card, namer)
        self.card = card
        self.namer = namer


@dataclass(frozen=True, slots=True)
class Sealed:
    """A cell on the table. `id` names it for debts and memory, never on the wire; `shares` are those on record."""

    id: int
    deck: DeckId
    cell: Cell
    shares: tuple[Point | None, Point | None] = (None, None)

    def code(self) -> bytes:
        """64 bytes of ciphertext and one of flags, for the digest."""
        return self.cell.a + self.cell.b + _FLAGS[self.shares[0] is not None][self.shares[1] is not None]


_FLAGS = ((b"\0", b"\2"), (b"\1", b"\3"))


@dataclass(frozen=True, slots=True)
class DeckHand:
    """The cells of one deck in one hand. `mixed`: it has received nothing since its last mix."""

    cells: tuple[Sealed, ...] = ()
    mixed: bool = True


@dataclass(frozen=True, slots=True)
class Face:
    """A cell in the open whose face was named but is not yet proven by both shares."""

    card: CardId
    sealed: Sealed
    namer: Seat


@dataclass(frozen=True, slots=True)
class Debt:
    """A share that a seat owes. `private`: the other seat waits for it before he can choose."""

    sealed: int
    private: bool


@dataclass(frozen=True, slots=True)
class Table:
    """Zones by deck and seat. Faces proven by both shares are no longer the table's business (the engine has them)."""

    piles: tuple[tuple[Sealed, ...], ...]
    hands: tuple[tuple[DeckHand, ...], tuple[DeckHand, ...]]
    faces: tuple[Face, ...]
    debts: tuple[tuple[Debt, ...], tuple[Debt, ...]]
    next_id: int

    def owed(self, seat: Seat) -> tuple[Sealed, ...]:
        """The cells of which `seat` owes its share, in the order in which the debts arose."""
        return tuple(self.find(debt.sealed) for debt in self.debts[seat])

    def find(self, sealed_id: int) -> Sealed:
        """The cell of that id, in a hand or in the open (piles are never owed a share)."""
        for hand in self.hands:
            for deck_hand in hand:
                for sealed in deck_hand.cells:
                    if sealed.id == sealed_id:
                        return sealed
        for face in self.faces:
            if face.sealed.id == sealed_id:
                return face.sealed
        raise KeyError(sealed_id)

    def code(self, state: State) -> bytes:
        """The 32-byte digest of the whole position that every MOVE carries."""
        return hash32(
            "state",
            pack_code(state_code(state)),
            tuple(b"".join([sealed.code() for sealed in pile]) for pile in self.piles),
            tuple(
                tuple((int(hand.mixed), b"".join([sealed.code() for sealed in hand.cells])) for hand in hands)
                for hands in self.hands
            ),
            tuple((int(face.card), int(face.namer), face.sealed.code()) for face in self.faces),
            tuple(tuple((int(debt.private), self.find(debt.sealed).code()) for debt in debts) for debts in self.debts),
            int(state.to_move),
        )


def lay_out(piles: Sequence[Sequence[Cell]]) -> Table:
    """All cells in their piles, top first, nothing dealt."""
    table = Table((), _empty_hands(len(piles)), (), ((), ()), 0)
    for deck, cells in enumerate(piles):
        pile, table = _sealed(table, DeckId(deck), cells)
        table = replace(table, piles=(*table.piles, pile))
    return table


def put_mix(table: Table, seat: Seat, deck: DeckId, cells: Sequence[Cell]) -> Table:
    """A deck-hand in new cells: mixed, and without a share."""
    mixed, table = _sealed(table, deck, cells)
    return _put_hand(table, seat, deck, DeckHand(mixed, mixed=True))


def due_mixes(table: Table, transfers: Sequence[Transfer], rules: Ruleset) -> tuple[DeckId, ...]:
    """The decks whose hand a cell is about to leave unmixed, in order, each once."""
    leaving = {
        rules.deck_of(transfer.card)
        for transfer in transfers
        if isinstance(transfer, HandToOpen) and not table.hands[transfer.seat][rules.deck_of(transfer.card)].mixed
    }
    return tuple(sorted(leaving))


def positions_needed(transfers: Sequence[Transfer]) -> int:
    """How many cells the author must point at: one for each card that leaves his hand."""
    return sum(isinstance(transfer, HandToOpen) for transfer in transfers)


def carry(
    table: Table, transfers: Sequence[Transfer], author: Seat, positions: Sequence[int], rules: Ruleset
) -> tuple[Table, tuple[int, ...]]:
    """Every transfer carried out in order, and the ids of the cells of which the author's share is due at once.

    `positions` (1-based, in the zone as it lies when the transfer runs) are taken one by one; raises IndexError for one
    that is not there. What the other seat owes becomes its debt.
    """
    due: list[int] = []
    debts: list[Debt] = []
    left = list(positions)
    for transfer in transfers:
        match transfer:
            case PileToHand(deck, seat):
                pile = table.piles[deck]
                table = replace(table, piles=_with(table.piles, deck, pile[1:]))
                hand = table.hands[seat][deck]
                table = _put_hand(table, seat, deck, DeckHand((*hand.cells, pile[0]), mixed=False))
                if other(seat) == author:
                    due.append(pile[0].id)
                else:
                    debts.append(Debt(pile[0].id, private=True))
            case HandToOpen(seat, card):
                deck = rules.deck_of(card)
                cells = table.hands[seat][deck].cells
                at = left.pop(0) - 1
                if not 0 <= at < len(cells):
                    raise IndexError(at + 1, len(cells))
                table = _put_hand(
                    table, seat, deck, DeckHand(cells[:at] + cells[at + 1 :], table.hands[seat][deck].mixed)
                )
                table = replace(table, faces=(*table.faces, Face(card, cells[at], seat)))
                due.append(cells[at].id)
                debts.append(Debt(cells[at].id, private=False))
            case _:
                assert_never(transfer)
    if debts:
        debtor = other(author)
        table = replace(table, debts=_with2(table.debts, debtor, (*table.debts[debtor], *debts)))
    return table, tuple(due)


def put_share(table: Table, seat: Seat, sealed_id: int, share: Point, rules: Ruleset) -> Table:
    """The proven share of `seat` on record at that cell; its debt for it, if any, is paid.

    Raises FalseFace when this completes a face and the cell opens to another card.
    """
    if table.debts[seat]:
        left = tuple(debt for debt in table.debts[seat] if debt.sealed != sealed_id)
        table = replace(table, debts=_with2(table.debts, seat, left))
    for at, face in enumerate(table.faces):
        if face.sealed.id == sealed_id:
            sealed = _with_share(face.sealed, seat, share)
            if sealed.shares[0] is None or sealed.shares[1] is None:
                return replace(table, faces=_with(table.faces, at, replace(face, sealed=sealed)))
            card = card_point(sealed.deck, rules.index(face.card))
            if opens_to(sealed.cell, sealed.shares[0], sealed.shares[1]) != card:
                raise FalseFace(face.card, face.namer)
            return replace(table, faces=table.faces[:at] + table.faces[at + 1 :])
    for holder in SEATS:
        for hand in table.hands[holder]:
            for at, held in enumerate(hand.cells):
                if held.id == sealed_id:
                    cells = _with(hand.cells, at, _with_share(held, seat, share))
                    return _put_hand(table, holder, held.deck, DeckHand(cells, hand.mixed))
    raise KeyError(sealed_id)


def _with_share(sealed: Sealed, seat: Seat, share: Point) -> Sealed:
    shares = (share, sealed.shares[1]) if seat == 0 else (sealed.shares[0], share)
    return Sealed(sealed.id, sealed.deck, sealed.cell, shares)


def _sealed(table: Table, deck: DeckId, cells: Sequence[Cell]) -> tuple[tuple[Sealed, ...], Table]:
    first = table.next_id
    sealed = tuple(Sealed(first + at, deck, cell) for at, cell in enumerate(cells))
    return sealed, replace(table, next_id=first + len(sealed))


def _empty_hands(decks: int) -> tuple[tuple[DeckHand, ...], tuple[DeckHand, ...]]:
    empty = tuple(DeckHand() for _ in range(decks))
    return empty, empty


def _put_hand(table: Table, seat: Seat, deck: DeckId, hand: DeckHand) -> Table:
    # Written out: this runs for every cell that moves, and costs a fifth of `replace`.
    hands = _with2(table.hands, seat, _with(table.hands[seat], deck, hand))
    return Table(table.piles, hands, table.faces, table.debts, table.next_id)


def _with(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    return (*items[:at], item, *items[at + 1 :])


def _with2(items: tuple[T, T], seat: Seat, item: T) -> tuple[T, T]:
    return (item, items[1]) if seat == 0 else (items[0], item)
