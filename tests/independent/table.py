"""Cells change their zones: sections 3.2, 5.1 and 5.2 of docs/protocol.md."""

from __future__ import annotations

from collections.abc import Sequence

from tests.independent.curve import Invalid
from tests.independent.forms import Shuffled
from tests.independent.game import Transfer
from tests.independent.proofs import check_share, check_shuffle, start_cell
from tests.independent.session import Cells, Face, Hidden, Mix, Refusal, Session, point_of, put

NAMING = ("open", "back", "named")  # the transfers that take or name a cell at a position


class Carrying:
    """Transfers of one step, carried out one after the other; `due` are the cells whose shares its author owes now."""

    def __init__(self, new: Session, author: int, positions: Sequence[int]) -> None:
        self.new, self.author = new, author
        self.positions = list(positions)
        self.last: dict[int, int] = {}  # per deck the position that was named last
        self.due: list[Hidden] = []

    def carry(self, transfers: Sequence[Transfer]) -> list[Hidden]:
        """Everything in order; Refusal with POSITION if the positions are not those of the transfers."""
        if len(self.positions) != sum(transfer.what in NAMING for transfer in transfers):
            raise Refusal("position", self.author)
        for transfer in transfers:
            self._one(transfer)
        return self.due

    def _one(self, transfer: Transfer) -> None:
        new, what, seat, deck = self.new, transfer.what, transfer.seat, transfer.deck
        if what == "draw":
            cell, *rest = new.piles[deck]
            new.piles = put(new.piles, deck, tuple(rest))
            self._receives(seat, cell)
            self._owes(1 - seat, cell, private=True)
        elif what == "open":
            cell = self._taken(seat, deck)
            new.faces += (Face(transfer.card, point_of(new.rules, transfer.card), seat, cell),)
            self._owes(seat, cell, private=False)
            self._owes(1 - seat, cell, private=False)
        elif what == "back":
            cell, pile = self._taken(seat, deck), new.piles[deck]
            top = new.rules.return_to == "top"
            new.piles = put(new.piles, deck, (cell, *pile) if top else (*pile, cell))
        elif what == "named":
            new.named = put(new.named, seat, (*new.named[seat], self._at_position(seat, deck)))
        elif what == "handed":
            cell = next(one for one in new.named[seat] if one.deck == deck)
            new.named = put(new.named, seat, tuple(one for one in new.named[seat] if one is not cell))
            self._leaves(seat, cell)
            self._receives(1 - seat, cell)
            self._owes(seat, cell, private=True)
        else:
            assert what == "restock"
            _, index = new.rules.place_of(transfer.card)
            new.piles = put(new.piles, deck, (*new.piles[deck], Hidden(start_cell(deck, index, new.Y), deck)))
            new.restocks = ((0, deck), (1, deck))

    def _at_position(self, seat: int, deck: int) -> Hidden:
        position, hand = self.positions.pop(0), self.new.hands[seat][deck]
        if not self.last.get(deck, 0) < position <= len(hand):
            raise Refusal("position", self.author)
        self.last[deck] = position
        return hand[position - 1]

    def _taken(self, seat: int, deck: int) -> Hidden:
        cell = self._at_position(seat, deck)
        self._leaves(seat, cell)
        return cell

    def _leaves(self, seat: int, cell: Hidden) -> None:
        hands = self.new.hands[seat]
        rest = tuple(one for one in hands[cell.deck] if one is not cell)
        self.new.hands = put(self.new.hands, seat, put(hands, cell.deck, rest))

    def _receives(self, seat: int, cell: Hidden) -> None:
        hands, mixed = self.new.hands[seat], self.new.mixed[seat]
        self.new.hands = put(self.new.hands, seat, put(hands, cell.deck, (*hands[cell.deck], cell)))
        self.new.mixed = put(self.new.mixed, seat, put(mixed, cell.deck, False))

    def _owes(self, debtor: int, cell: Hidden, *, private: bool) -> None:
        if debtor == self.author:
            self.due.append(cell)
        else:
            owed = self.new.debts[debtor]
            self.new.debts = put(self.new.debts, debtor, (*owed, (private, cell)))


def carry(new: Session, author: int, transfers: Sequence[Transfer], positions: Sequence[int]) -> list[Hidden]:
    """Carries out the transfers of a step; the cells for which its author owes a share in this record."""
    return Carrying(new, author, positions).carry(transfers)


# -- shares ------------------------------------------------------------------------------------------------------------


def _check_shares(new: Session, seat: int, cells: Sequence[Hidden], data: bytes, number: int) -> None:
    """Each share in turn, with its running number from `number` on; then it is on record."""
    for at, cell in enumerate(cells):
        ctx = new.ctx(seat, "share", cell.deck, number + at)
        try:
            share = data[96 * at : 96 * at + 96]
            D = check_share(new.keys[seat], ctx, cell.cell, share, proof=new.checks_proofs)
        except Invalid:
            raise Refusal("share", seat) from None
        new.record_share(seat, cell, D)


def own_shares(new: Session, seat: int, cells: Sequence[Hidden], data: bytes, number: int) -> None:
    if len(data) != 96 * len(cells):
        raise Refusal("share", seat)
    _check_shares(new, seat, cells, data, number)


def pay_debts(new: Session, seat: int, data: bytes) -> int:
    """All debts of the seat, oldest first; how many they were."""
    owed = new.debts[seat]
    if len(data) != 96 * len(owed):
        raise Refusal("debts", seat)
    _check_shares(new, seat, [cell for _, cell in owed], data, 1)
    new.debts = put(new.debts, seat, ())
    return len(owed)


# -- mixes -------------------------------------------------------------------------------------------------------------


def due_mixes(session: Session, seat: int, transfers: Sequence[Transfer]) -> list[int]:
    """The decks whose deck-hand must be mixed first: a cell of it is taken or named, and it is not mixed."""
    decks = {transfer.deck for transfer in transfers if transfer.what in NAMING}
    return sorted(deck for deck in decks if not session.mixed[seat][deck])


def take_mixes(new: Session, seat: int, mixes: Sequence[Shuffled], due: Sequence[int]) -> None:
    if [mix.deck for mix in mixes] != list(due):
        raise Refusal("mix", seat)
    for mix in mixes:
        hand, ctx = new.hands[seat][mix.deck], new.ctx(seat, "mix", mix.deck)
        made = shuffled(new, ctx, hand, mix, Refusal("mix", seat))
        new.mixes += (Mix(seat, ctx, hand, made),)
        new.hands = put(new.hands, seat, put(new.hands[seat], mix.deck, made))
        new.mixed = put(new.mixed, seat, put(new.mixed[seat], mix.deck, True))


def shuffled(new: Session, ctx: bytes, before: Cells, said: Shuffled, refusal: Refusal) -> Cells:
    """The new cells, without shares, of a proven shuffle of the deck."""
    try:
        cells, proven = [hidden.cell for hidden in before], new.checks_proofs
        after = check_shuffle(ctx, new.Y, cells, said.cells, said.proof, proven=proven)
    except Invalid:
        raise refusal from None
    return tuple(Hidden(cell, said.deck) for cell in after)
