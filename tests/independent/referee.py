"""Records one by one: sections 6.3 and 6.4 of docs/protocol.md. `advance` is the whole of it."""

from __future__ import annotations

import copy

from tests.independent import forms
from tests.independent.curve import Invalid, base, is_zero, plus, read, same, write
from tests.independent.forms import Body, Misshapen, Record, Shuffled
from tests.independent.game import Game, Illegal, rules_digest
from tests.independent.proofs import (
    check_possession,
    check_share,
    check_shuffle,
    signature_holds,
    start_cells,
)
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
    Face,
    Hidden,
    Mix,
    Refusal,
    Session,
    known,
)
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
    if hello.terms != (SUITE, "base", rules_digest(), (), (b"", 1, b"")):
        raise Refusal("rules")
    if not forms.fit_name(hello.name):
        raise Refusal("hello")
    if seat == 1 and hello.identity == new.identities[0]:
        raise Refusal("identity")
    new.identities, new.nonces = (*new.identities, hello.identity), (*new.nonces, hello.nonce)
    new.highest = (*new.highest, hello.highest)
    if seat == 1:
        if new.version != 1:
            raise Refusal("version")
        new.game_id = h32("game", new.nonces, new.identities)


def _commit(new: Session, seat: int, body: Body) -> None:
    commit = forms.commit(body)
    if seat == 1 and set(commit) & set(new.commits[0]):
        raise Refusal("commitment", seat)
    new.commits = (*new.commits, commit)


def _open(new: Session, seat: int, body: Body) -> None:
    n, X_bytes, proof = forms.open_(body)
    game_id = known(new.game_id)
    if h32("commit", game_id, seat, SUITE, rules_digest(), new.identities, n, X_bytes) != new.commits[seat].c1:
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
    debts, decks, shares = forms.shuffle(body)
    if debts:
        raise Refusal("debts", seat)
    if [deck.deck for deck in decks] != [0]:
        raise Refusal("shuffle", seat)
    before = start_cells(0, 54, new.Y) if seat == 0 else new.decks
    try:
        new.decks = check_shuffle(new.ctx(seat, "shuffle"), new.Y, before, decks[0].cells, decks[0].proof)
    except Invalid:
        raise Refusal("shuffle", seat) from None
    if seat == 0:
        if shares:
            raise Refusal("share", seat)
        return
    new.pile = tuple(map(Hidden, new.decks))
    new.game = Game(h32("first", new.session_id)[0] & 1)
    deal: list[tuple[str, int, int | None]] = [("draw", p, None) for p in (0,) * 6 + (1,) * 6]
    own_shares(new, seat, transfer(new, seat, deal, []), shares, 1)


# -- cells -------------------------------------------------------------------------------------------------------------


def transfer(
    new: Session, author: int, transfers: list[tuple[str, int, int | None]], positions: list[int]
) -> list[Hidden]:
    """Carries out transfers (3.2); the cells for which the author owes a share in this record."""
    due: list[Hidden] = []
    positions = list(positions)
    for what, seat, card in transfers:
        hands = list(new.hands)
        if what == "draw":
            cell, new.pile = new.pile[0], new.pile[1:]
            hands[seat] += (cell,)
            new.mixed = (False, new.mixed[1]) if seat == 0 else (new.mixed[0], False)
            debtors = [(1 - seat, True)]
        else:
            assert card is not None
            at = positions.pop(0) - 1
            cell = hands[seat][at]
            hands[seat] = hands[seat][:at] + hands[seat][at + 1 :]
            new.faces += (Face(card, seat, cell),)
            debtors = [(seat, False), (1 - seat, False)]
        new.hands = (hands[0], hands[1])
        for debtor, private in debtors:
            if debtor == author:
                due.append(cell)
            else:
                owed = list(new.debts)
                owed[debtor] += ((private, cell),)
                new.debts = (owed[0], owed[1])
    return due


def _check_shares(new: Session, seat: int, cells: list[Hidden], data: bytes, number: int) -> None:
    """Each share in turn, with its running number from `number` on; then it is on record."""
    for at, cell in enumerate(cells):
        ctx = new.ctx(seat, "share", number + at)
        try:
            D = check_share(new.keys[seat], ctx, cell.cell, data[96 * at : 96 * at + 96])
        except Invalid:
            raise Refusal("share", seat) from None
        new.record_share(seat, cell, D)


def own_shares(new: Session, seat: int, cells: list[Hidden], data: bytes, number: int) -> None:
    if len(data) != 96 * len(cells):
        raise Refusal("share", seat)
    _check_shares(new, seat, cells, data, number)


def pay_debts(new: Session, seat: int, data: bytes) -> int:
    """All debts of the seat, oldest first; how many they were."""
    owed = new.debts[seat]
    if len(data) != 96 * len(owed):
        raise Refusal("debts", seat)
    _check_shares(new, seat, [cell for _, cell in owed], data, 1)
    new.debts = ((), new.debts[1]) if seat == 0 else (new.debts[0], ())
    return len(owed)


# -- play --------------------------------------------------------------------------------------------------------------


def _shares(new: Session, seat: int, body: Body) -> None:
    pay_debts(new, seat, forms.shares(body))


def _move(new: Session, seat: int, body: Body) -> None:
    debts, mixes, code, positions, shares, digest = forms.move(body)
    paid = pay_debts(new, seat, debts)
    try:
        game, transfers = known(new.game).move(code)
    except Illegal:
        raise Refusal("illegal move", seat) from None
    leaving = sum(what == "open" for what, _, _ in transfers)
    take_mixes(new, seat, mixes, leaving > 0 and not new.mixed[seat])
    if len(positions) != leaving or any(position > len(new.hands[seat]) for position in positions):
        raise Refusal("position", seat)
    new.game = game
    own_shares(new, seat, transfer(new, seat, transfers, positions), shares, paid + 1)
    if new.digest() != digest:
        raise Refusal("digest", seat)


def take_mixes(new: Session, seat: int, mixes: list[Shuffled], due: bool) -> None:
    if [mix.deck for mix in mixes] != ([0] if due else []):
        raise Refusal("mix", seat)
    if not due:
        return
    hand, ctx = new.hands[seat], new.ctx(seat, "mix")
    try:
        after = check_shuffle(ctx, new.Y, [hidden.cell for hidden in hand], mixes[0].cells, mixes[0].proof)
    except Invalid:
        raise Refusal("mix", seat) from None
    made = tuple(map(Hidden, after))
    new.mixes += (Mix(seat, ctx, hand, made),)
    new.hands = (made, new.hands[1]) if seat == 0 else (new.hands[0], made)
    new.mixed = (True, new.mixed[1]) if seat == 0 else (new.mixed[0], True)


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
