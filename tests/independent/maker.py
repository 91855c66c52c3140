"""The other half of the document: the records that a seat writes, from its seed and its choices (1.3, 2, 4.1, 5, 6.3).

An honest record made here must be that of the package, byte for byte. The parts can also be put together into lies.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence

from tests.independent.curve import L, Point, base, combine, plus, write
from tests.independent.forms import Shuffled
from tests.independent.proofs import Cell, cells_code, generator, read_cells, start_cells
from tests.independent.session import COMMIT, OPEN, REVEAL, SEAL, SHARES, SHUFFLE, SUITE, Hidden, Session, known
from tests.independent.steps import move
from tests.independent.table import carry, due_mixes, own_shares, pay_debts, take_mixes
from tests.independent.wire import Value, challenge, h32, h64, secret_bytes, secret_permutation, secret_scalar


def _le(number: int) -> bytes:
    return (number % L).to_bytes(32, "little")


def secret_key(session: Session, seed: bytes) -> int:
    return secret_scalar(seed, "key", known(session.game_id))


def prove_share(seed: bytes, x: int, ctx: bytes, cell: Cell) -> bytes:
    D = combine([(x, cell.a)])
    parts = [ctx, *map(write, (base(x), cell.a, cell.b, D))]
    w = secret_scalar(seed, "dleq w", ctx, h64("dleq nonce", *parts))
    z = challenge("dleq", *parts, write(base(w)), write(combine([(w, cell.a)])))
    return write(D) + _le(z) + _le(w + z * x)


def make_shuffle(
    seed: bytes, ctx: bytes, Y: Point, before: Sequence[Cell], rho: Sequence[int] | None = None
) -> tuple[bytes, bytes]:
    """Cells and proof of section 4.1; other rho than the seed's may be forced."""
    N = len(before)
    every = range(N)
    pi = secret_permutation(seed, N, "shuffle pi", ctx)
    r = [secret_scalar(seed, "shuffle r", ctx, j) for j in every]
    if rho is None:
        rho = [secret_scalar(seed, "shuffle rho", ctx, j) for j in every]
    sigma = [secret_scalar(seed, "shuffle sigma", ctx, i) for i in every]
    after = [Cell(plus(before[j].a, base(r[j])), plus(before[j].b, combine([(r[j], Y)]))) for j in pi]
    h, h_ = generator(0), [generator(i + 1) for i in every]
    c = [plus(base(rho[j]), h_[pi.index(j)]) for j in every]
    e, e_, c_bytes = cells_code(before), cells_code(after), b"".join(map(write, c))
    U = h64("u-seed", ctx, write(Y), N, e, e_, c_bytes)
    u = [challenge("u", j, U) for j in every]
    u_ = [u[j] for j in pi]
    chain = [h]
    for i in every:
        chain.append(plus(base(sigma[i]), combine([(u_[i], chain[-1])])))
    k_bytes = b"".join(map(write, chain[1:]))
    Q = h64("shuffle nonce", ctx, write(Y), N, e, e_, c_bytes, k_bytes)
    w1, w2, w3, w4 = (secret_scalar(seed, "shuffle w", ctx, Q, number) for number in (1, 2, 3, 4))
    v = [secret_scalar(seed, "shuffle v", ctx, Q, i) for i in every]
    w_ = [secret_scalar(seed, "shuffle w'", ctx, Q, i) for i in every]
    t3 = plus(base(w3), combine(zip(w_, h_, strict=True)))
    t4a = plus(base(-w4), combine((w_[i], after[i].a) for i in every))
    t4b = combine([(-w4, Y), *((w_[i], after[i].b) for i in every)])
    tk = [plus(base(v[i]), combine([(w_[i], chain[i])])) for i in every]
    t = b"".join(map(write, (base(w1), base(w2), t3, t4a, t4b)))
    z = challenge("c", ctx, write(Y), N, e, e_, c_bytes, k_bytes, t, b"".join(map(write, tk)))
    q = [1] * N
    for i in reversed(range(N - 1)):
        q[i] = u_[i + 1] * q[i + 1] % L
    scalars = [
        z,
        w1 + z * sum(rho),
        w2 + z * sum(sigma[i] * q[i] for i in every),
        w3 + z * sum(rho[j] * u[j] for j in every),
        w4 + z * sum(r[j] * u[j] for j in every),
        *(v[i] + z * sigma[i] for i in every),
        *(w_[i] + z * u_[i] for i in every),
    ]
    return e_, c_bytes + k_bytes + b"".join(map(_le, scalars))


def make_commit(session: Session, seat: int, seed: bytes) -> list[Value]:
    game_id = known(session.game_id)
    n, X = secret_bytes(seed, "n", game_id), write(base(secret_key(session, seed)))
    c1 = h32("commit", game_id, seat, SUITE, session.rules.digest, session.identities, n, X)
    return [c1, h32("seed", game_id, seat, seed)]


def make_open(session: Session, seat: int, seed: bytes) -> list[Value]:
    x, ctx = secret_key(session, seed), session.ctx(seat, "pok")
    X = write(base(x))
    w = secret_scalar(seed, "pok w", ctx, h64("pok nonce", ctx, X))
    z = challenge("pok", ctx, X, write(base(w)))
    return [secret_bytes(seed, "n", known(session.game_id)), X, _le(z) + _le(w + z * x)]


def make_body(session: Session, seed: bytes) -> list[Value]:
    """The body of the record that is due, where its author has nothing to choose."""
    seat, kind = known(session.due())
    if kind == COMMIT:
        return make_commit(session, seat, seed)
    if kind == OPEN:
        return make_open(session, seat, seed)
    if kind == SHUFFLE:
        return _make_shuffles(session, seat, seed)
    if kind == SHARES:
        return [shares_of(session, seat, seed, [cell for _, cell in session.debts[seat]], 1)]
    if kind == SEAL:
        return [session.head if seat == 0 else session.final, [*known(session.game).outcome_code()]]
    assert kind == REVEAL
    return [seed]


def _make_shuffles(session: Session, seat: int, seed: bytes) -> list[Value]:
    if session.restocks:
        deck = session.restocks[0][1]
        before = [hidden.cell for hidden in session.piles[deck]]
        debts = shares_of(session, seat, seed, [cell for _, cell in session.debts[seat]], 1)
        made = make_shuffle(seed, session.ctx(seat, "restock", deck), session.Y, before)
        return [debts, [[deck, *made]], b""]
    decks: list[Value] = []
    for deck, cards in enumerate(session.rules.decks):
        before = [*start_cells(deck, len(cards), session.Y)] if seat == 0 else [*session.decks[deck]]
        decks.append([deck, *make_shuffle(seed, session.ctx(seat, "shuffle", deck), session.Y, before)])
    shares = b""
    if seat == 1:
        match decks[0]:
            case [_, bytes(cells), _]:
                dealt = [Hidden(cell, 0) for cell in read_cells(cells)[: session.rules.hand]]
                shares = shares_of(session, seat, seed, dealt, 1)
    return [b"", decks, shares]


def shares_of(session: Session, seat: int, seed: bytes, cells: Sequence[Hidden], number: int) -> bytes:
    """The seat's shares of these cells, with running numbers from `number` on."""
    x = secret_key(session, seed)
    return b"".join(
        prove_share(seed, x, session.ctx(seat, "share", hidden.deck, number + at), hidden.cell)
        for at, hidden in enumerate(cells)
    )


def make_move(
    session: Session, seed: bytes, code: list[int], positions: list[int], mix: tuple[bytes, bytes] | None = None
) -> list[Value]:
    """The body of a MOVE: whatever card the code names, everything else is as it must be. A due mix may be given."""
    seat, _ = known(session.due())
    new = copy.copy(session)
    debts = shares_of(new, seat, seed, [cell for _, cell in new.debts[seat]], 1)
    paid = pay_debts(new, seat, debts)
    game, transfers = move(known(new.game), code)
    due = due_mixes(new, seat, transfers)
    mixes = []
    for deck in due:
        hand = [hidden.cell for hidden in new.hands[seat][deck]]
        made = mix or make_shuffle(seed, new.ctx(seat, "mix", deck), new.Y, hand)
        mixes.append(Shuffled(deck, *made))
    take_mixes(new, seat, mixes, due)
    new.game = game
    cells = carry(new, seat, transfers, positions)
    shares = shares_of(new, seat, seed, cells, paid + 1)
    own_shares(new, seat, cells, shares, paid + 1)
    return [debts, [list(made) for made in mixes], [*code], [*positions], shares, new.digest()]
