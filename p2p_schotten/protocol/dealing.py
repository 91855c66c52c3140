"""What follows from a session without any choice of the cryptography: decks to shuffle, the deal, a step on the table.

Maker and checker of a record both call these, so neither can differ from the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from p2p_schotten.crypto import group
from p2p_schotten.crypto.cells import Cell, start_cells
from p2p_schotten.crypto.secret import Secret
from p2p_schotten.engine.rules import new_game
from p2p_schotten.engine.step import Step
from p2p_schotten.errors import InvalidProof
from p2p_schotten.ids import SEATS, DeckId, Seat
from p2p_schotten.protocol.session import Session, first_seat, opening_nonce, secret_key, seed_commitment
from p2p_schotten.protocol.table import Table, carry, lay_out, put_mix


@dataclass(frozen=True, slots=True)
class Settled:
    """What a move leads to on the sealed table, before any share of its author is on record."""

    step: Step
    table: Table
    due: tuple[int, ...]  # ids of the cells of which the author's share is due in the same record


def settle(
    session: Session,
    table: Table,
    seat: Seat,
    step: Step,
    mixes: Iterable[tuple[DeckId, Sequence[Cell]]],
    positions: Sequence[int],
) -> Settled:
    """A step carried out on `table` (debts paid): mixes, then transfers. Raises WrongPosition."""
    for deck, cells in mixes:
        table = put_mix(table, seat, deck, cells)
    table, due = carry(table, step.transfers, seat, positions, session.rules, session.joint)
    return Settled(step, table, due)


def deal(session: Session, piles: Sequence[Sequence[Cell]]) -> Settled:
    """The deal that SHUFFLE 1 sets off."""
    step = new_game(session.rules, first_seat(session))
    table, due = carry(lay_out(piles), step.transfers, SEATS[1], (), session.rules, session.joint)
    return Settled(step, table, due)


def decks_before(session: Session) -> tuple[tuple[Cell, ...], ...]:
    """The cells that the next SHUFFLE of the set-up starts from, deck by deck."""
    if session.piles:
        return session.piles
    return tuple(start_cells(deck, len(cards.cards), session.joint) for deck, cards in enumerate(session.rules.decks))


def shuffled_next(session: Session) -> tuple[str, tuple[tuple[DeckId, tuple[Cell, ...]], ...]]:
    """The label of the next SHUFFLE, and the decks that it starts from: all of them, or the one to be restocked."""
    if session.position is None:
        return "shuffle", tuple((DeckId(deck), cells) for deck, cells in enumerate(decks_before(session)))
    table = session.position.table
    _, deck = table.shuffles[0]
    return "restock", ((deck, tuple(sealed.cell for sealed in table.piles[deck])),)


def check_seed(session: Session, seat: Seat, seed: bytes) -> None:
    """The seed is the one committed to, and makes that seat's n and X; raises InvalidProof."""
    if seed_commitment(session, seat, seed) != session.commits[seat].seed:
        raise InvalidProof("the seed is not the one that was committed to")
    secret = Secret(seed)
    opened = session.opens[seat]
    if opening_nonce(session, secret) != opened.nonce or group.mul_base(secret_key(session, secret)) != opened.key:
        raise InvalidProof("the seed does not make the key of this seat")
