"""Shuffles: cells re-encrypted and permuted, with a proof that nothing else was done.

Proposition, for a key Y and lists e, e' of N cells: there are a permutation pi and r_1..r_N with

    e'_i = (a_pi(i) + r_pi(i) G,  b_pi(i) + r_pi(i) Y)   for i = 1..N.

The proof is that of Terelius and Wikstrom (2010) in the form of Haenni, Locher, Koenig, Dubuis, Pseudo-Code Algorithms
for Verifiable Re-Encryption Mix-Nets (2017), Algorithms 4.1 to 4.8; its letters stand in the bodies. It hides pi and r.
It is sound only because the verifier recomputes the challenge from the t values, and u from c.

Indices run from 1 in the paper and from 0 here. e, r, rho, u, c run over inputs j; e', h, sigma, k, w', s', u' over
outputs i. A proof is one byte string: c, k (N points each), z, s1..s4 (scalars), sk, s' (N scalars each).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from p2p_schotten.crypto import group
from p2p_schotten.crypto.cells import Cell, cells_bytes
from p2p_schotten.crypto.group import SIZE, Point, Scalar
from p2p_schotten.crypto.hashing import challenge, hash32, hash64
from p2p_schotten.crypto.secret import Secret
from p2p_schotten.errors import InvalidProof


@dataclass(frozen=True, slots=True)
class Shuffled:
    """What a shuffle makes. `permutation[i]` is the 0-based input position that lands at output i.

    `logs` are the log_G a'_i, known when those of the input are. Permutation and logs are secret and show in no repr.
    """

    cells: tuple[Cell, ...]
    proof: bytes
    permutation: tuple[int, ...] = field(repr=False)
    logs: tuple[Scalar, ...] | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, repr=False)
class Witness:
    """pi and r of the proposition; with `logs`, the log_G a'_i of the outputs, which only save work."""

    permutation: tuple[int, ...]
    r: tuple[Scalar, ...]
    logs: tuple[Scalar, ...] | None


def proof_size(n: int) -> int:
    """Bytes of the proof for n cells: 2n points and 2n + 5 scalars."""
    return (4 * n + 5) * SIZE


def shuffle(
    secret: Secret, ctx: bytes, Y: Point, cells: Sequence[Cell], logs: Sequence[Scalar] | None = None
) -> Shuffled:
    """The cells shuffled as `secret` has it in this context, with proof. Cells and Y were verified before.

    `logs`: the log_G a_j if known (starting cells have a_j = G and need none); they save work and change no byte.
    8.3 SM a cell, 6.9 with logs.
    """
    witness = _witness(secret, ctx, cells, logs)
    after = _reencrypt(Y, cells, witness)
    proof = prove_shuffle(secret, ctx, Y, cells, after, witness)
    return Shuffled(after, proof, witness.permutation, witness.logs)


def remake(secret: Secret, ctx: bytes, Y: Point, cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """The cells that `shuffle` made from the same arguments: what a revealed seed is checked against. 1.6 SM a cell."""
    return _reencrypt(Y, cells, _witness(secret, ctx, cells, None))


def logs_after(secret: Secret, ctx: bytes, cells: Sequence[Cell]) -> tuple[Scalar, ...] | None:
    """The log_G a'_i of that shuffle, as far as those of its input are known (starting cells have a_j = G)."""
    return _witness(secret, ctx, cells, None).logs


def permutation_of(secret: Secret, ctx: bytes, n: int) -> tuple[int, ...]:
    """The permutation of that shuffle: whoever has the seed follows a card through it."""
    return secret.permutation(n, "shuffle pi", ctx)


def _witness(secret: Secret, ctx: bytes, cells: Sequence[Cell], logs: Sequence[Scalar] | None) -> Witness:
    n = len(cells)
    permutation = permutation_of(secret, ctx, n)
    r = tuple(secret.scalar("shuffle r", ctx, j) for j in range(n))
    known = _logs(cells, logs)
    logs_after = None if known is None else tuple(group.s_add(known[j], r[j]) for j in permutation)
    return Witness(permutation, r, logs_after)


def _logs(cells: Sequence[Cell], logs: Sequence[Scalar] | None) -> Sequence[Scalar] | None:
    """The log_G a_j as far as they are known: those given, or 1 for cells that all have a_j = G."""
    if logs is None and all(cell.a == group.G for cell in cells):
        return (group.ONE,) * len(cells)
    return logs


def _reencrypt(Y: Point, cells: Sequence[Cell], witness: Witness) -> tuple[Cell, ...]:
    mul, mul_base, add = group.mul, group.mul_base, group.add
    r, logs = witness.r, witness.logs
    return tuple(
        Cell(
            add(cells[j].a, mul_base(r[j])) if logs is None else mul_base(logs[i]),
            add(cells[j].b, mul(r[j], Y)),
        )
        for i, j in enumerate(witness.permutation)
    )


def prove_shuffle(
    secret: Secret, ctx: bytes, Y: Point, before: Sequence[Cell], after: Sequence[Cell], witness: Witness
) -> bytes:
    """The proof that `after` is `before` shuffled by `witness`. (It is made, and refused, for a false witness too.)"""
    mul, mul_base, add = group.mul, group.mul_base, group.add
    s_add, s_mul = group.s_add, group.s_mul
    n, pi, r, logs = len(before), witness.permutation, witness.r, witness.logs
    h0, h = _generator(0), _generators(n)

    rho = [secret.scalar("shuffle rho", ctx, j) for j in range(n)]
    c = [h0] * n
    for i, j in enumerate(pi):
        c[j] = add(mul_base(rho[j]), h[i])
    u = _challenges_u(ctx, Y, before, after, c)
    u_ = [u[j] for j in pi]

    sigma = [secret.scalar("shuffle sigma", ctx, i) for i in range(n)]
    k = [h0]
    for i in range(n):
        k.append(add(mul_base(sigma[i]), mul(u_[i], k[i])))

    commitments = (cells_bytes(before), cells_bytes(after), b"".join(c), b"".join(k[1:]))
    everything = hash64("shuffle nonce", ctx, Y, n, *commitments)
    w1, w2, w3, w4 = (secret.scalar("shuffle w", ctx, everything, number) for number in range(1, 5))
    v = [secret.scalar("shuffle v", ctx, everything, i) for i in range(n)]
    w_ = [secret.scalar("shuffle w'", ctx, everything, i) for i in range(n)]

    t3 = mul_base(w3)
    t4b = mul(group.s_neg(w4), Y)
    tk = []
    for i in range(n):
        t3 = add(t3, mul(w_[i], h[i]))
        t4b = add(t4b, mul(w_[i], after[i].b))
        tk.append(add(mul_base(v[i]), mul(w_[i], k[i])))
    if logs is not None:
        t4a = mul_base(group.s_sub(_inner(w_, logs), w4))
    else:
        t4a = mul_base(group.s_neg(w4))
        for i in range(n):
            t4a = add(t4a, mul(w_[i], after[i].a))

    z = _challenge_z(ctx, Y, before, after, c, k[1:], (mul_base(w1), mul_base(w2), t3, t4a, t4b), tk)
    q = [group.ONE] * n
    for i in range(n - 1, 0, -1):
        q[i - 1] = s_mul(u_[i], q[i])
    s1 = s_add(w1, s_mul(z, _sum(rho)))
    s2 = s_add(w2, s_mul(z, _inner(sigma, q)))
    s3 = s_add(w3, s_mul(z, _inner(rho, u)))
    s4 = s_add(w4, s_mul(z, _inner(r, u)))
    sk = [s_add(v[i], s_mul(z, sigma[i])) for i in range(n)]
    s_ = [s_add(w_[i], s_mul(z, u_[i])) for i in range(n)]
    return b"".join((*c, *k[1:], z, s1, s2, s3, s4, *sk, *s_))


def verify_shuffle(
    ctx: bytes,
    Y: Point,
    before: Sequence[Cell],
    after: Sequence[Cell],
    proof: bytes,
    logs: Sequence[Scalar] | None = None,
) -> None:
    """`after` is `before` shuffled and re-encrypted under Y, or InvalidProof.

    Y was verified before, and so was `before`; nothing of `after` and `proof` was. Whoever made `before` himself may
    give its `logs` log_G a_j: that saves work and changes no answer. 9.9 SM a cell, 8.7 with logs.
    """
    mul, mul_base, add, sub = group.mul, group.mul_base, group.add, group.sub
    s_mul = group.s_mul
    n = len(before)
    if n == 0 or len(after) != n:
        raise InvalidProof(f"a shuffle of {n} cells gives as many and at least one, not {len(after)}")
    if len(proof) != proof_size(n):
        raise InvalidProof(f"the proof for {n} cells has {proof_size(n)} bytes, here are {len(proof)}")
    items = [proof[at : at + SIZE] for at in range(0, len(proof), SIZE)]
    c = [Point(item) for item in items[:n]]
    k = [Point(item) for item in items[n : 2 * n]]
    z, s1, s2, s3, s4, *rest = [group.scalar(item) for item in items[2 * n :]]
    sk, s_ = rest[:n], rest[n:]
    h0, h = _generator(0), _generators(n)
    known = _logs(before, logs)

    u = _challenges_u(ctx, Y, before, after, c)
    zu = [s_mul(z, u_j) for u_j in u]
    # Every point from the wire (a', b', c, k) meets a multiplication, which checks it, before it meets an addition.
    t3 = mul_base(s3)
    t4b = mul(group.s_neg(s4), Y)
    for i in range(n):
        t3 = sub(add(t3, mul(s_[i], h[i])), mul(zu[i], c[i]))
        t4b = sub(add(t4b, mul(s_[i], after[i].b)), mul(zu[i], before[i].b))
    if known is not None:
        t4a = mul_base(group.s_neg(group.s_add(s4, _inner(zu, known))))
    else:
        t4a = mul_base(group.s_neg(s4))
        for i in range(n):
            t4a = sub(t4a, mul(zu[i], before[i].a))
    for i in range(n):
        t4a = add(t4a, mul(s_[i], after[i].a))

    tk = []
    k_before, zk = h0, h0
    for i in range(n):
        zk = mul(z, k[i])
        tk.append(sub(add(mul_base(sk[i]), mul(s_[i], k_before)), zk))
        k_before = k[i]
    z_product = z
    for u_j in u:
        z_product = s_mul(z_product, u_j)
    t2 = sub(add(mul_base(s2), mul(z_product, h0)), zk)
    c_sum = c[0]
    for c_j in c[1:]:
        c_sum = add(c_sum, c_j)
    t1 = sub(mul_base(s1), mul(z, sub(c_sum, _generators_sum(n))))

    if _challenge_z(ctx, Y, before, after, c, k, (t1, t2, t3, t4a, t4b), tk) != z:
        raise InvalidProof("the shuffle proof does not show that these cells are the ones before, shuffled")


def _challenges_u(
    ctx: bytes, Y: Point, before: Sequence[Cell], after: Sequence[Cell], c: Sequence[Point]
) -> list[Scalar]:
    seed = hash64("u-seed", ctx, Y, len(c), cells_bytes(before), cells_bytes(after), b"".join(c))
    return [challenge("u", j, seed) for j in range(len(c))]


def _challenge_z(
    ctx: bytes,
    Y: Point,
    before: Sequence[Cell],
    after: Sequence[Cell],
    c: Sequence[Point],
    k: Sequence[Point],
    t: tuple[Point, Point, Point, Point, Point],
    tk: Sequence[Point],
) -> Scalar:
    """H of the statement, the commitments and t1, t2, t3, both halves of t4, tk: the proof's one challenge."""
    lists = (cells_bytes(before), cells_bytes(after), b"".join(c), b"".join(k))
    return challenge("c", ctx, Y, len(c), *lists, b"".join(t), b"".join(tk))


def _sum(xs: Sequence[Scalar]) -> Scalar:
    s_add = group.s_add
    total = group.ZERO
    for x in xs:
        total = s_add(total, x)
    return total


def _inner(xs: Sequence[Scalar], ys: Sequence[Scalar]) -> Scalar:
    s_mul = group.s_mul
    return _sum([s_mul(x, y) for x, y in zip(xs, ys, strict=True)])


@lru_cache(maxsize=512)
def _generator(index: int) -> Point:
    """h for index 0, h_i for i >= 1."""
    return group.hash_to_group(hash32("generator", index))


@lru_cache(maxsize=64)
def _generators(n: int) -> tuple[Point, ...]:
    """h_1..h_n."""
    return tuple(_generator(i) for i in range(1, n + 1))


@lru_cache(maxsize=64)
def _generators_sum(n: int) -> Point:
    """h_1 + ... + h_n, n >= 1."""
    total, *rest = _generators(n)
    for h_i in rest:
        total = group.add(total, h_i)
    return total
