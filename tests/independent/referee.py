"""Records one by one: sections 6.3 and 6.4 of docs/protocol.md. `advance` is the whole of it."""

from __future__ import annotations

import copy

from tests.independent import forms
from tests.independent.curve import Invalid, base, is_zero, plus, read, same, write
from tests.independent.forms import Body, Misshapen, Record, Shuffle, Terms
from tests.independent.game import Game, Illegal
from tests.independent.proofs import check_possession, signature_holds, start_cells
from tests.independent.rules import Offer, Unknown, read_offer
from tests.independent.session import (
    COMMIT,
    HELLO,
    MOVE,
    OPEN,
    REVEAL,
    SEAL,
    SHARES,
    SHUFFLE,
    SUITE,
    Hidden,
    Refusal,
    Session,
    known,
    put,
)
from tests.independent.steps import move
from tests.independent.table import carry, due_mixes, own_shares, pay_debts, shuffled, take_mixes
from tests.independent.wire import h32, h64, secret_bytes, secret_scalar


def advance(session: Session, data: bytes) -> Session:
    """The session after the record; raises Refusal, and then `session` is what it was."""
    _compare_with_the_one_at_its_place(session, data)
    due = session.due()
    if due is None:
        raise Refusal("out of turn")
    if len(data) > session.limit():
        raise Refusal("length")
    record = forms.read_record(data)
    if record is None:
        raise Refusal("undecodable bytes")
    if not _signed(session, record):
        raise Refusal("signature")
    if record.seq != session.seq:
        raise Refusal("sequence")
    if record.prev != session.head:
        raise Refusal("previous hash")
    blame = None if record.kind == HELLO else record.seat
    if record.seat != due[0]:
        raise Refusal("out of turn", blame)
    if record.kind != due[1]:
        raise Refusal("kind", blame)
    new = copy.copy(session)
    try:
        _READERS[record.kind](new, record.seat, record.body)
    except Misshapen:
        raise Refusal("undecodable bytes", record.seat) from None
    new.records = (*session.records, (data, record.seat, record.kind))
    new.head = h32("head", data)
    return new


def _signed(session: Session, record: Record) -> bool:
    if record.kind == HELLO:
        try:
            key = forms.hello(record.body).identity
        except Misshapen:
            raise Refusal("undecodable bytes") from None
        return signature_holds(key, h64("record", b"", record.unsigned), record.signature)
    if session.game_id is None:
        return False
    message = h64("record", session.game_id, record.unsigned)
    return signature_holds(session.identities[record.seat], message, record.signature)


def _compare_with_the_one_at_its_place(session: Session, data: bytes) -> None:
    """Equivocation is noticed before anything else is (8.4)."""
    record = forms.read_record(data)
    if record is None or record.kind == HELLO or record.seq >= session.seq:
        return
    there, seat, kind = session.records[record.seq]
    if kind != HELLO and seat == record.seat and there != data and _signed(session, record):
        raise Refusal("two records at one place", record.seat)


# -- set-up ------------------------------------------------------------------------------------------------------------


def _hello(new: Session, seat: int, body: Body) -> None:
    hello = forms.hello(body)
    if not hello.lowest <= 1 <= hello.highest:
        raise Refusal("version")
    offer = _offer(hello.terms)
    if not forms.fit_name(hello.name):
        raise Refusal("hello")
    if seat == 1 and hello.identity == new.identities[0]:
        raise Refusal("identity")
    new.identities, new.nonces = (*new.identities, hello.identity), (*new.nonces, hello.nonce)
    new.highest = (*new.highest, hello.highest)
    if seat == 1:
        if new.version != 1:
            raise Refusal("version")
        if hello.terms != new.terms:
            raise Refusal("rules")
        new.game_id = h32("game", new.nonces, new.identities)
    new.terms, new.offer = hello.terms, offer


def _offer(terms: Terms) -> Offer:
    """What the HELLO offers, if it is an offer at all (RULES)."""
    match_id, number, head = terms.match
    single = terms.match == (b"", 1, b"")
    if terms.suite != SUITE or not (single or (match_id and (number == 1) == (not head))):
        raise Refusal("rules")
    try:
        offer = read_offer(terms.rules, terms.options, single=single)
    except Unknown:
        raise Refusal("rules") from None
    if offer.rules.digest != terms.digest:
        raise Refusal("rules")
    return offer


def _commit(new: Session, seat: int, body: Body) -> None:
    commit = forms.commit(body)
    if seat == 1 and set(commit) & set(new.commits[0]):
        raise Refusal("commitment", seat)
    new.commits = (*new.commits, commit)


def _open(new: Session, seat: int, body: Body) -> None:
    n, X_bytes, proof = forms.open_(body)
    game_id = known(new.game_id)
    if h32("commit", game_id, seat, SUITE, new.rules.digest, new.identities, n, X_bytes) != new.commits[seat].c1:
        raise Refusal("commitment", seat)
    try:
        X = read(X_bytes)
        check_possession(X, new.ctx(seat, "pok"), proof)
    except Invalid:
        raise Refusal("key", seat) from None
    new.opened, new.keys = (*new.opened, n), (*new.keys, X)
    if seat == 1:
        new.Y = plus(*new.keys)
        if same(*new.keys) or is_zero(new.Y):
            raise Refusal("key", seat)
        new.session_id = h32("session", game_id, new.commits, new.opened)


def _shuffle(new: Session, seat: int, body: Body) -> None:
    said = forms.shuffle(body)
    if new.restocks:
        _restock(new, seat, said)
        return
    if said.debts:
        raise Refusal("debts", seat)
    sizes = [len(deck) for deck in new.rules.decks]
    if [deck.deck for deck in said.decks] != list(range(len(sizes))):
        raise Refusal("shuffle", seat)
    piles = []
    for deck, size in enumerate(sizes):
        before = start_cells(deck, size, new.Y) if seat == 0 else new.decks[deck]
        cells = tuple(Hidden(cell, deck) for cell in before)
        piles.append(shuffled(new, new.ctx(seat, "shuffle", deck), cells, said.decks[deck], Refusal("shuffle", seat)))
    if seat == 0:
        if said.shares:
            raise Refusal("share", seat)
        new.decks = tuple(tuple(hidden.cell for hidden in pile) for pile in piles)
        return
    new.piles = tuple(piles)
    new.hands, new.mixed = (((),) * len(piles),) * 2, ((True,) * len(piles),) * 2
    first = known(new.offer).first
    new.game = Game(new.rules, h32("first", new.session_id)[0] & 1 if first is None else first)
    own_shares(new, seat, carry(new, seat, new.game.deal(), []), said.shares, 1)


def _restock(new: Session, seat: int, said: Shuffle) -> None:
    """A SHUFFLE in the game, of one pile."""
    (_, deck), *new_restocks = new.restocks
    pay_debts(new, seat, said.debts)
    if [one.deck for one in said.decks] != [deck]:
        raise Refusal("shuffle", seat)
    ctx = new.ctx(seat, "restock", deck)
    pile = shuffled(new, ctx, new.piles[deck], said.decks[0], Refusal("shuffle", seat))
    if said.shares:
        raise Refusal("share", seat)
    new.piles, new.restocks = put(new.piles, deck, pile), tuple(new_restocks)


# -- play --------------------------------------------------------------------------------------------------------------


def _shares(new: Session, seat: int, body: Body) -> None:
    pay_debts(new, seat, forms.shares(body))


def _move(new: Session, seat: int, body: Body) -> None:
    debts, mixes, code, positions, shares, digest = forms.move(body)
    paid = pay_debts(new, seat, debts)
    try:
        game, transfers = move(known(new.game), code)
    except Illegal:
        raise Refusal("illegal move", seat) from None
    take_mixes(new, seat, mixes, due_mixes(new, seat, transfers))
    new.game = game
    own_shares(new, seat, carry(new, seat, transfers, positions), shares, paid + 1)
    if new.digest() != digest:
        raise Refusal("digest", seat)


# -- the end -----------------------------------------------------------------------------------------------------------


def _seal(new: Session, seat: int, body: Body) -> None:
    if seat == 0:
        new.final = new.head
    if forms.seal(body) != (new.final, known(new.game).outcome_code()):
        raise Refusal("seal", seat)
    new.sealed += (seat,)


def seed_fits(session: Session, seat: int, seed: bytes) -> bool:
    """Whether the seed gives C2, n and X of the seat."""
    game_id = known(session.game_id)
    return (
        h32("seed", game_id, seat, seed) == session.commits[seat].c2
        and secret_bytes(seed, "n", game_id) == session.opened[seat]
        and write(base(secret_scalar(seed, "key", game_id))) == write(session.keys[seat])
    )


def _reveal(new: Session, seat: int, body: Body) -> None:
    seed = forms.reveal(body)
    if not seed_fits(new, seat, seed):
        raise Refusal("seed", seat)
    new.seeds += ((seat, seed),)


_READERS = {
    HELLO: _hello,
    COMMIT: _commit,
    OPEN: _open,
    SHUFFLE: _shuffle,
    SHARES: _shares,
    MOVE: _move,
    SEAL: _seal,
    REVEAL: _reveal,
}
