"""The sealed table: where every cell lies, which shares are on record, and who owes one.

The engine names transfers; this table carries them out on ciphertexts (protocol section 3). Invariant after every
record: a cell in a pile or in a mixed deck-hand has no share on record, a cell in an unmixed deck-hand of p at most
the other seat's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar, assert_never

from p2p_schotten.crypto.cells import Cell, card_point, opens_to, start_cell
from p2p_schotten.crypto.group import Point
from p2p_schotten.crypto.hashing import hash32
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.state import State, state_code
from p2p_schotten.engine.step import HandToHand, HandToOpen, HandToPile, Name, OpenToPile, PileToHand, Transfer
from p2p_schotten.errors import SchottenError
from p2p_schotten.ids import SEATS, CardId, DeckId, Seat, other
from p2p_schotten.protocol.record import pack_code

T = TypeVar("T")


class WrongPosition(SchottenError):
    """A position that names no cell, or not in the order in which cells are to be named."""


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
    """Zones by deck and seat. Faces proven by both shares are no longer the table's business (the engine has them).

    `named`: per seat the ids of the cells that it named for an exchange and that still lie in its hand, first first.
    `shuffles`: who must shuffle which pile before anything else may happen, first first.
    """

    piles: tuple[tuple[Sealed, ...], ...]
    hands: tuple[tuple[DeckHand, ...], tuple[DeckHand, ...]]
    faces: tuple[Face, ...]
    debts: tuple[tuple[Debt, ...], tuple[Debt, ...]]
    next_id: int
    named: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    shuffles: tuple[tuple[Seat, DeckId], ...] = ()

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
            tuple(b"".join([self.find(named).code() for named in ids]) for ids in self.named),
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
    """A deck-hand in new cells: mixed, and without a share. (Who has named cells is never asked before he gives.)"""
    assert not table.named[seat]
    mixed, table = _sealed(table, deck, cells)
    return _put_hand(table, seat, deck, DeckHand(mixed, mixed=True))


def put_shuffled(table: Table, deck: DeckId, cells: Sequence[Cell]) -> Table:
    """A pile in new cells, shuffled by the seat that owed it first."""
    assert table.shuffles[0][1] == deck
    pile, table = _sealed(table, deck, cells)
    return replace(_put_pile(table, deck, pile), shuffles=table.shuffles[1:])


def due_mixes(table: Table, transfers: Sequence[Transfer], rules: Ruleset) -> tuple[DeckId, ...]:
    """The decks whose hand a cell is about to leave (or to be named in) unmixed, in order, each once."""
    return tuple(sorted({deck for seat, deck in _all_taken(transfers, rules) if not table.hands[seat][deck].mixed}))


def positions_needed(transfers: Sequence[Transfer], rules: Ruleset) -> int:
    """How many cells the author must point at: one for each card that leaves his hand, or is named to leave it."""
    return len(_all_taken(transfers, rules))


def _all_taken(transfers: Sequence[Transfer], rules: Ruleset) -> list[tuple[Seat, DeckId]]:
    return [taken for transfer in transfers if (taken := _taken(transfer, rules)) is not None]


def _taken(transfer: Transfer, rules: Ruleset) -> tuple[Seat, DeckId] | None:
    """The deck-hand from which its owner takes a cell. What an exchange moves was taken when it was named."""
    match transfer:
        case HandToOpen(seat, card):
            return seat, rules.deck_of(card)
        case HandToPile(seat, deck, _) | Name(seat, deck):
            return seat, deck
        case PileToHand() | HandToHand() | OpenToPile():
            return None
        case _:
            assert_never(transfer)


def carry(
    table: Table,
    transfers: Sequence[Transfer],
    author: Seat,
    positions: Sequence[int],
    rules: Ruleset,
    joint: Point,
) -> tuple[Table, tuple[int, ...]]:
    """Every transfer carried out in order, and the ids of the cells of which the author's share is due at once.

    `positions` (1-based, in the deck-hand as it lies when the transfer runs) are taken one by one; raises
    WrongPosition, also where one is missing. What the other seat owes becomes its debt. `joint` is the key Y.
    """
    due: list[int] = []
    debts: list[Debt] = []
    left = iter(positions)
    for transfer in transfers:
        match transfer:
            case PileToHand(deck, seat):
                pile = table.piles[deck]
                sealed = pile[0]
                table = _receive(_put_pile(table, deck, pile[1:]), seat, sealed)
                _owe(author, other(seat), sealed, due, debts)
            case HandToOpen(seat, card):
                sealed, table = _take(table, seat, rules.deck_of(card), next(left, 0))
                table = replace(table, faces=(*table.faces, Face(card, sealed, seat)))
                due.append(sealed.id)
                debts.append(Debt(sealed.id, private=False))
            case HandToPile(seat, deck, top):
                sealed, table = _take(table, seat, deck, next(left, 0))
                pile = table.piles[deck]
                table = _put_pile(table, deck, (sealed, *pile) if top else (*pile, sealed))
            case Name(seat, deck):
                table = _name(table, seat, deck, next(left, 0))
            case HandToHand(giver, deck):
                sealed, table = _take_named(table, giver, deck)
                table = _receive(table, other(giver), sealed)
                _owe(author, giver, sealed, due, debts)
            case OpenToPile(card):
                deck = rules.deck_of(card)
                new, table = _sealed(table, deck, (start_cell(deck, rules.index(card), joint),))
                table = _put_pile(table, deck, (*table.piles[deck], *new))
                table = replace(table, shuffles=tuple((seat, deck) for seat in SEATS))
            case _:
                assert_never(transfer)
    if debts:
        debtor = other(author)
        table = replace(table, debts=_with2(table.debts, debtor, (*table.debts[debtor], *debts)))
    return table, tuple(due)


def _owe(author: Seat, debtor: Seat, sealed: Sealed, due: list[int], debts: list[Debt]) -> None:
    """The share of a cell that the other seat received: due at once if the author owes it, else a private debt."""
    if debtor == author:
        due.append(sealed.id)
    else:
        debts.append(Debt(sealed.id, private=True))


def _take(table: Table, seat: Seat, deck: DeckId, position: int) -> tuple[Sealed, Table]:
    """The cell at that position leaves the deck-hand; the others close up, and the mark stays."""
    hand = table.hands[seat][deck]
    at = _place(hand, position)
    return hand.cells[at], _put_hand(table, seat, deck, DeckHand(hand.cells[:at] + hand.cells[at + 1 :], hand.mixed))


def _place(hand: DeckHand, position: int) -> int:
    if not 1 <= position <= len(hand.cells):
        raise WrongPosition(f"position {position} of a hand of {len(hand.cells)}")
    return position - 1


def _name(table: Table, seat: Seat, deck: DeckId, position: int) -> Table:
    """The cell at that position is named; it stays in the hand. Positions of one deck ascend, so none comes twice."""
    cells = table.hands[seat][deck].cells
    sealed = cells[_place(table.hands[seat][deck], position)]
    before = max((place for place, cell in enumerate(cells, 1) if cell.id in table.named[seat]), default=0)
    if position <= before:
        raise WrongPosition(f"position {position} after {before}: cells to give are named in their order, each once")
    return replace(table, named=_with2(table.named, seat, (*table.named[seat], sealed.id)))


def _take_named(table: Table, giver: Seat, deck: DeckId) -> tuple[Sealed, Table]:
    """The first of the cells of that deck which `giver` named leaves his hand."""
    hand = table.hands[giver][deck]
    held = {sealed.id: sealed for sealed in hand.cells}
    first = next(named for named in table.named[giver] if named in held)
    table = replace(table, named=_with2(table.named, giver, tuple(n for n in table.named[giver] if n != first)))
    left = tuple(sealed for sealed in hand.cells if sealed.id != first)
    return held[first], _put_hand(table, giver, deck, DeckHand(left, hand.mixed))


def _receive(table: Table, seat: Seat, sealed: Sealed) -> Table:
    """The cell lies at the end of its deck-hand, which is unmixed from now on."""
    hand = table.hands[seat][sealed.deck]
    return _put_hand(table, seat, sealed.deck, DeckHand((*hand.cells, sealed), mixed=False))


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


def _put_pile(table: Table, deck: DeckId, pile: tuple[Sealed, ...]) -> Table:
    return replace(table, piles=_with(table.piles, deck, pile))


def _put_hand(table: Table, seat: Seat, deck: DeckId, hand: DeckHand) -> Table:
    # Written out: this runs for every cell that moves, and costs a fifth of `replace`.
    hands = _with2(table.hands, seat, _with(table.hands[seat], deck, hand))
    return Table(table.piles, hands, table.faces, table.debts, table.next_id, table.named, table.shuffles)


def _with(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    return (*items[:at], item, *items[at + 1 :])


def _with2(items: tuple[T, T], seat: Seat, item: T) -> tuple[T, T]:
    return (item, items[1]) if seat == 0 else (items[0], item)
