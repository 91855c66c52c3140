"""My own hand: which of its cells is which card, and the hidden cards that I remember.

Nothing of this is on record for anybody else. It follows from the records and from my seed alone, so a peer that
crashed has it again after reading its journal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from p2p_schotten.crypto import group
from p2p_schotten.crypto.cells import opens_to
from p2p_schotten.crypto.secret import Secret
from p2p_schotten.crypto.shuffle import permutation_of
from p2p_schotten.engine.move import Give, GiveFrom, Move, PublicMove, Return, ReturnFrom, read_move
from p2p_schotten.engine.rules import apply
from p2p_schotten.engine.table import hidden_cards
from p2p_schotten.engine.view import NO_MEMORY, Memory, refreshed, remembered
from p2p_schotten.errors import Inconsistent, InvalidProof
from p2p_schotten.ids import CardId, DeckId, Seat, other
from p2p_schotten.protocol.closing import card_at
from p2p_schotten.protocol.messages import MoveBody, read_body
from p2p_schotten.protocol.places import cards_at, take_cards
from p2p_schotten.protocol.record import Kind, read_record
from p2p_schotten.protocol.session import Session, context, secret_key


@dataclass(frozen=True, slots=True)
class Hand:
    """What `seat` knows of its cells. `faces`: id of a cell on the table -> card."""

    seat: Seat
    faces: Mapping[int, CardId] = field(default_factory=dict)
    memory: Memory = NO_MEMORY  # hidden cards that it put back or gave away

    @property
    def cards(self) -> tuple[CardId, ...]:
        """The faces that are open to it, in the order of cards."""
        return tuple(sorted(self.faces.values()))

    def beside(self, before: Hand) -> tuple[CardId, ...]:
        """The cards that were not in the hand before."""
        return tuple(card for card in self.faces.values() if card not in before.faces.values())

    def mixed(self, session: Session, mixes: Iterable[tuple[DeckId, Sequence[int]]] = ()) -> dict[DeckId, list[CardId]]:
        """The faces deck by deck, in the order in which the cells lie once these deck-hands are mixed.

        `mixes`: for each deck the permutation, at each place the 0-based place before. All cells are open to the seat.
        """
        assert session.position is not None
        hands = session.position.table.hands[self.seat]
        faces = {
            DeckId(deck): [self.faces[sealed.id] for sealed in deck_hand.cells] for deck, deck_hand in enumerate(hands)
        }
        for deck, permutation in mixes:
            faces[deck] = [faces[deck][source] for source in permutation]
        return faces

    def after(self, before: Session, session: Session, data: bytes, secret: Secret) -> Hand:
        """What the seat knows after the record `data` led from `before` to `session`; raises Inconsistent."""
        if session.position is None:
            return self
        moved = before.due() == (self.seat, Kind.MOVE)
        hand = self._moved(before, session, data, secret) if moved else self
        return hand._looked(session, secret)

    def _moved(self, before: Session, session: Session, data: bytes, secret: Secret) -> Hand:
        """After my own move: the permutation of each mix is made again, positions tell which cards left."""
        assert before.position is not None
        assert session.position is not None
        body = read_body(Kind.MOVE, read_record(data).body)
        assert isinstance(body, MoveBody)
        rules, move = before.rules, read_move(before.rules, body.move)
        transfers = apply(before.position.state, move).transfers
        hands = self.mixed(
            before,
            [
                (item.deck, permutation_of(secret, context(before, self.seat, "mix", deck=item.deck), item.count()))
                for item in body.mixes
            ],
        )
        taken = cards_at(rules, hands, transfers, body.positions)
        if not set(hidden_cards(move)) <= set(taken):
            raise Inconsistent(f"record {before.seq}: my own move took another card out of my hand than it named")
        take_cards(rules, hands, self.seat, transfers, taken)
        table = session.position.table.hands[self.seat]
        # Cells behind the known ones were drawn and are not open yet.
        faces = {
            sealed.id: card
            for deck, left in hands.items()
            for sealed, card in zip(table[deck].cells, left, strict=False)
        }
        return Hand(self.seat, faces, remembered(self.memory, _as_played(move, taken)))

    def _looked(self, session: Session, secret: Secret) -> Hand:
        """The cells whose other share has come are open; those that left the hand are forgotten."""
        assert session.position is not None
        table = session.position.table
        cells = [sealed for deck_hand in table.hands[self.seat] for sealed in deck_hand.cells]
        faces = {sealed.id: self.faces[sealed.id] for sealed in cells if sealed.id in self.faces}
        x = secret_key(session, secret)
        for sealed in cells:
            theirs = sealed.shares[other(self.seat)]
            if sealed.id in faces or theirs is None:
                continue
            try:
                card = card_at(session, sealed, opens_to(sealed.cell, theirs, group.mul(x, sealed.cell.a)))
            except InvalidProof as error:
                raise Inconsistent(f"record {session.seq - 1}: {error}") from None
            if card in faces.values():
                raise Inconsistent(f"record {session.seq - 1}: a card came into the hand twice")
            faces[sealed.id] = card
        named = table.named[self.seat]
        kept = tuple(card for sealed_id, card in faces.items() if sealed_id not in named)
        return replace(self, faces=faces, memory=refreshed(self.memory, kept, session.position.state.unseen))


def _as_played(move: PublicMove, taken: tuple[CardId, ...]) -> Move:
    """The move as its owner chose it: with the cards whose faces its public form hides."""
    match move:
        case ReturnFrom():
            return Return(taken[0])
        case GiveFrom():
            return Give(tuple(sorted(taken)))
        case _:
            return move
