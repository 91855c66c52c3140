"""Shares of a cell, and the proof of possession of a key.

Share: D with   log_G X = log_a D       (Chaum and Pedersen 1992)
Key:   X with   "I know x: X = xG"      (Schnorr 1991)

Both are made non-interactive by strong Fiat-Shamir (Bernhard, Pereira, Warinschi 2012): the whole statement and the
context enter the challenge. A proof hides x; the share itself opens the cell for whoever holds the other share.
"""

from __future__ import annotations

from p2p_schotten.crypto import group
from p2p_schotten.crypto.cells import Cell
from p2p_schotten.crypto.group import SIZE, Point, Scalar
from p2p_schotten.crypto.hashing import challenge, hash64
from p2p_schotten.crypto.secret import Secret
from p2p_schotten.errors import InvalidProof

SHARE_SIZE = 3 * SIZE  # bytes of D, z, s
KEY_PROOF_SIZE = 2 * SIZE  # bytes of z, s


def prove_share(secret: Secret, x: Scalar, X: Point, ctx: bytes, cell: Cell) -> bytes:
    """D = xa and its proof: 96 bytes D, z, s. The cell is one that was verified before. 2.2 SM."""
    a, b = cell
    D = group.mul(x, a)
    w = secret.scalar("dleq w", ctx, hash64("dleq nonce", ctx, X, a, b, D))
    z = _share_challenge(ctx, X, cell, D, group.mul_base(w), group.mul(w, a))
    return D + z + group.s_add(w, group.s_mul(z, x))


def verify_share(X: Point, ctx: bytes, cell: Cell, share: bytes) -> Point:
    """D, if `share` proves log_G X = log_a D in this context; else InvalidProof. 3.6 SM."""
    if len(share) != SHARE_SIZE:
        raise InvalidProof(f"a share has {SHARE_SIZE} bytes, here are {len(share)}")
    D = Point(share[:SIZE])
    z = group.scalar(share[SIZE : 2 * SIZE])
    s = group.scalar(share[2 * SIZE :])
    R1 = group.sub(group.mul_base(s), group.mul(z, X))
    R2 = group.sub(group.mul(s, cell.a), group.mul(z, D))
    if _share_challenge(ctx, X, cell, D, R1, R2) != z:
        raise InvalidProof("the share is not the one of this seat's key for this cell here")
    return D


def prove_key(secret: Secret, x: Scalar, X: Point, ctx: bytes) -> bytes:
    """The proof of possession of x: 64 bytes z, s."""
    w = secret.scalar("pok w", ctx, hash64("pok nonce", ctx, X))
    z = challenge("pok", ctx, X, group.mul_base(w))
    return z + group.s_add(w, group.s_mul(z, x))


def verify_key(X: Point, ctx: bytes, proof: bytes) -> None:
    """The author of `proof` knows x with X = xG, a point other than the identity; else InvalidProof."""
    if len(proof) != KEY_PROOF_SIZE:
        raise InvalidProof(f"a proof of possession has {KEY_PROOF_SIZE} bytes, here are {len(proof)}")
    z = group.scalar(proof[:SIZE])
    s = group.scalar(proof[SIZE:])
    R = group.sub(group.mul_base(s), group.mul(z, X))
    if challenge("pok", ctx, X, R) != z:
        raise InvalidProof("the proof of possession is not one of this key here")


def _share_challenge(ctx: bytes, X: Point, cell: Cell, D: Point, R1: Point, R2: Point) -> Scalar:
    return challenge("dleq", ctx, X, cell.a, cell.b, D, R1, R2)
