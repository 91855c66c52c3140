"""The protocol's hashing, secrets and proofs once more, with Python integers and the paper's sums as they stand there.

Written from protocol.md sections 1 to 5 and the pinned encoding; shares no code with the package. No savings are taken:
every sum is spelled out, every point from outside is decoded and checked first. `slow.Refused` is the only refusal.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha512
from itertools import accumulate
from math import prod
from typing import NamedTuple, TypeAlias

from tests.crypto import slow
from tests.crypto.slow import BASE, Affine, L, add, encode, from_uniform, mul, sub, total

Value: TypeAlias = "bytes | int | str | list[Value]"


def length(n: int) -> bytes:
    return n.to_bytes(8, "big")


def bytes_of(value: Value) -> bytes:
    """b, s, i with length, l with count (8 bytes big-endian); integers in the shortest two's complement."""
    match value:
        case bytes():
            return b"b" + length(len(value)) + value
        case str():
            return b"s" + length(len(value.encode("utf-8"))) + value.encode("utf-8")
        case int():
            size = next(size for size in range(1, 99) if -1 << 8 * size - 1 <= value < 1 << 8 * size - 1)
            return b"i" + length(size) + (value % (1 << 8 * size)).to_bytes(size, "big")
        case list():
            return b"l" + length(len(value)) + b"".join(bytes_of(item) for item in value)


def hash64(label: str, *parts: Value) -> bytes:
    return sha512(bytes_of(["p2p_schotten", label, *parts])).digest()


def challenge(label: str, *parts: Value) -> int:
    return int.from_bytes(hash64(label, *parts), "little") % L


def hmac_sha512(key: bytes, message: bytes) -> bytes:
    """RFC 2104, for keys of at most one block of 128 bytes."""
    block = key.ljust(128, b"\0")
    inner = sha512(bytes(byte ^ 0x36 for byte in block) + message).digest()
    return sha512(bytes(byte ^ 0x5C for byte in block) + inner).digest()


def secret_block(seed: bytes, purpose: str, number: int, label: str, *parts: Value) -> bytes:
    return hmac_sha512(seed, bytes_of(["p2p_schotten", "secret", purpose, number, label, *parts]))


def secret_scalar(seed: bytes, label: str, *parts: Value) -> int:
    return int.from_bytes(secret_block(seed, "scalar", 0, label, *parts), "little") % L


def secret_permutation(seed: bytes, n: int, label: str, *parts: Value) -> list[int]:
    """Fisher-Yates from the end; each index the low bits of the next 16-bit word that is small enough."""
    stream = b"".join(secret_block(seed, "permutation", number, label, *parts) for number in range(1 + n // 4))
    words = iter(int.from_bytes(stream[at : at + 2], "big") for at in range(0, len(stream), 2))
    items = list(range(n))
    for last in reversed(range(1, n)):
        bits = len(f"{last:b}")
        chosen = next(word % 2**bits for word in words if word % 2**bits <= last)
        items[last], items[chosen] = items[chosen], items[last]
    return items


class SlowCell(NamedTuple):
    a: Affine
    b: Affine


def card(deck: int, index: int) -> Affine:
    return from_uniform(hash64("card", deck, index)[:32])


def generator(index: int) -> Affine:
    return from_uniform(hash64("generator", index)[:32])


def start_cells(deck: int, n: int, Y: Affine) -> list[SlowCell]:
    return [SlowCell(BASE, add(card(deck, index), Y)) for index in range(n)]


def points_bytes(points: Sequence[Affine]) -> bytes:
    return b"".join(encode(point) for point in points)


def cells_bytes(cells: Sequence[SlowCell]) -> bytes:
    return b"".join(encode(cell.a) + encode(cell.b) for cell in cells)


def read_points(data: bytes) -> list[Affine]:
    return [slow.decode_checked(data[at : at + 32]) for at in range(0, len(data), 32)]


def read_cells(data: bytes) -> list[SlowCell]:
    points = read_points(data)
    return [SlowCell(a, b) for a, b in zip(points[::2], points[1::2], strict=True)]


def read_scalars(data: bytes) -> list[int]:
    return [slow.scalar(data[at : at + 32]) for at in range(0, len(data), 32)]


# -- shares and keys ---------------------------------------------------------------------------------------------------


def prove_share(seed: bytes, x: int, ctx: bytes, cell: SlowCell) -> bytes:
    X, D = mul(x, BASE), mul(x, cell.a)
    statement = [ctx, encode(X), encode(cell.a), encode(cell.b), encode(D)]
    w = secret_scalar(seed, "dleq w", ctx, hash64("dleq nonce", *statement))
    z = challenge("dleq", *statement, encode(mul(w, BASE)), encode(mul(w, cell.a)))
    return encode(D) + slow.scalar_bytes(z) + slow.scalar_bytes(w + z * x)


def verify_share(X: Affine, ctx: bytes, cell: SlowCell, share: bytes) -> Affine:
    if len(share) != 96:
        raise slow.Refused("a share has 96 bytes")
    (D,), (z, s) = read_points(share[:32]), read_scalars(share[32:])
    R1 = sub(mul(s, BASE), mul(z, X))
    R2 = sub(mul(s, cell.a), mul(z, D))
    if challenge("dleq", ctx, *map(encode, (X, cell.a, cell.b, D, R1, R2))) != z:
        raise slow.Refused("the share does not verify")
    return D


def prove_key(seed: bytes, x: int, ctx: bytes) -> bytes:
    X = encode(mul(x, BASE))
    w = secret_scalar(seed, "pok w", ctx, hash64("pok nonce", ctx, X))
    z = challenge("pok", ctx, X, encode(mul(w, BASE)))
    return slow.scalar_bytes(z) + slow.scalar_bytes(w + z * x)


def verify_key(X: Affine, ctx: bytes, proof: bytes) -> None:
    if len(proof) != 64:
        raise slow.Refused("a proof of possession has 64 bytes")
    z, s = read_scalars(proof)
    if challenge("pok", ctx, encode(X), encode(sub(mul(s, BASE), mul(z, X)))) != z:
        raise slow.Refused("the proof of possession does not verify")


# -- shuffles ----------------------------------------------------------------------------------------------------------


def u_challenges(
    ctx: bytes, Y: Affine, before: Sequence[SlowCell], after: Sequence[SlowCell], c: Sequence[Affine]
) -> list[int]:
    seed = hash64("u-seed", ctx, encode(Y), len(c), cells_bytes(before), cells_bytes(after), points_bytes(c))
    return [challenge("u", j, seed) for j in range(len(c))]


def z_challenge(
    ctx: bytes,
    Y: Affine,
    before: Sequence[SlowCell],
    after: Sequence[SlowCell],
    c: Sequence[Affine],
    k: Sequence[Affine],
    t: Sequence[Affine],
    tk: Sequence[Affine],
) -> int:
    cells = (cells_bytes(before), cells_bytes(after))
    return challenge("c", ctx, encode(Y), len(c), *cells, *map(points_bytes, (c, k, t, tk)))


def shuffle(seed: bytes, ctx: bytes, Y: Affine, e: Sequence[SlowCell]) -> tuple[list[SlowCell], bytes]:
    """Cells and proof of the honest prover, steps 1 to 6 of protocol.md section 4 in their order."""
    N = len(e)
    every = range(N)
    pi = secret_permutation(seed, N, "shuffle pi", ctx)
    r = [secret_scalar(seed, "shuffle r", ctx, j) for j in every]
    e_ = [SlowCell(add(e[pi[i]].a, mul(r[pi[i]], BASE)), add(e[pi[i]].b, mul(r[pi[i]], Y))) for i in every]
    h0, h = generator(0), [generator(i + 1) for i in every]

    rho = [secret_scalar(seed, "shuffle rho", ctx, j) for j in every]
    c = [add(mul(rho[j], BASE), h[pi.index(j)]) for j in every]
    u = u_challenges(ctx, Y, e, e_, c)
    u_ = [u[pi[i]] for i in every]
    sigma = [secret_scalar(seed, "shuffle sigma", ctx, i) for i in every]
    k = list(accumulate(every, lambda last, i: add(mul(sigma[i], BASE), mul(u_[i], last)), initial=h0))

    bound = hash64(
        "shuffle nonce", ctx, encode(Y), N, cells_bytes(e), cells_bytes(e_), points_bytes(c), points_bytes(k[1:])
    )
    w1, w2, w3, w4 = (secret_scalar(seed, "shuffle w", ctx, bound, number) for number in (1, 2, 3, 4))
    v = [secret_scalar(seed, "shuffle v", ctx, bound, i) for i in every]
    w_ = [secret_scalar(seed, "shuffle w'", ctx, bound, i) for i in every]
    t = [
        mul(w1, BASE),
        mul(w2, BASE),
        total(mul(w3, BASE), *(mul(w_[i], h[i]) for i in every)),
        total(mul(-w4, BASE), *(mul(w_[i], e_[i].a) for i in every)),
        total(mul(-w4, Y), *(mul(w_[i], e_[i].b) for i in every)),
    ]
    tk = [add(mul(v[i], BASE), mul(w_[i], k[i])) for i in every]
    z = z_challenge(ctx, Y, e, e_, c, k[1:], t, tk)

    s1 = w1 + z * sum(rho)
    s2 = w2 + z * sum(sigma[i] * prod(u_[i + 1 :]) for i in every)
    s3 = w3 + z * sum(rho[j] * u[j] for j in every)
    s4 = w4 + z * sum(r[j] * u[j] for j in every)
    sk = [v[i] + z * sigma[i] for i in every]
    s_ = [w_[i] + z * u_[i] for i in every]
    scalars = b"".join(map(slow.scalar_bytes, (z, s1, s2, s3, s4, *sk, *s_)))
    return e_, points_bytes(c) + points_bytes(k[1:]) + scalars


def verify_shuffle(ctx: bytes, Y: Affine, e: Sequence[SlowCell], after: bytes, proof: bytes) -> None:
    """The verifier's equations of protocol.md section 4; `after` and `proof` as they came over the wire."""
    N = len(e)
    if N < 1 or len(after) != 64 * N or len(proof) != 32 * (4 * N + 5):
        raise slow.Refused("lengths")
    every = range(N)
    e_ = read_cells(after)
    c, k = read_points(proof[: 32 * N]), read_points(proof[32 * N : 64 * N])
    z, s1, s2, s3, s4, *rest = read_scalars(proof[64 * N :])
    sk, s_ = rest[:N], rest[N:]
    h0, h = generator(0), [generator(i + 1) for i in every]
    u = u_challenges(ctx, Y, e, e_, c)

    t = [
        sub(mul(s1, BASE), mul(z, sub(total(*c), total(*h)))),
        sub(mul(s2, BASE), mul(z, sub(k[-1], mul(prod(u), h0)))),
        sub(
            total(mul(s3, BASE), *(mul(s_[i], h[i]) for i in every)),
            mul(z, total(*(mul(u[j], c[j]) for j in every))),
        ),
        sub(
            total(mul(-s4, BASE), *(mul(s_[i], e_[i].a) for i in every)),
            mul(z, total(*(mul(u[j], e[j].a) for j in every))),
        ),
        sub(
            total(mul(-s4, Y), *(mul(s_[i], e_[i].b) for i in every)),
            mul(z, total(*(mul(u[j], e[j].b) for j in every))),
        ),
    ]
    chain = [h0, *k]
    tk = [sub(add(mul(sk[i], BASE), mul(s_[i], chain[i])), mul(z, chain[i + 1])) for i in every]
    if z_challenge(ctx, Y, e, e_, c, k, t, tk) != z:
        raise slow.Refused("the shuffle does not verify")
