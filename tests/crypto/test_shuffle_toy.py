"""The shuffle proof in the whole of a toy group: how often exactly a lie passes, and that the truth always does."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations, product

import pytest

from p2p_schotten.crypto import shuffle
from p2p_schotten.crypto.cells import Cell
from p2p_schotten.crypto.group import Point
from p2p_schotten.crypto.shuffle import Witness, prove_shuffle, verify_shuffle
from p2p_schotten.errors import InvalidProof
from tests.crypto.seats import SECRETS
from tests.crypto.toy import Oracle, Toy

CTX = b"ctx"
KEY = 2  # log of Y
Install = Callable[[int], Toy]
# (log a, log b); by b - KEY * a the cards have the logs 3 and 1
BEFORE = ((1, 5), (3, 7))


def cells(toy: Toy, logs: tuple[tuple[int, int], ...]) -> tuple[Cell, ...]:
    return tuple(Cell(toy.point(a), toy.point(b)) for a, b in logs)


def shuffled(
    before: tuple[tuple[int, int], ...], pi: tuple[int, ...], r: tuple[int, ...]
) -> tuple[tuple[int, int], ...]:
    return tuple((before[j][0] + r[j], before[j][1] + KEY * r[j]) for j in pi)


def convinced(ctx: bytes, Y: Point, before: tuple[Cell, ...], after: tuple[Cell, ...], proof: bytes) -> bool:
    try:
        verify_shuffle(ctx, Y, before, after, proof)
    except InvalidProof:
        return False
    return True


def test_every_true_statement_convinces_for_every_challenge(
    toy_group: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    toy = toy_group(3)
    before = cells(toy, BEFORE)
    for pi in permutations(range(2)):
        for r0, r1, u0, u1, z in product(range(3), repeat=5):
            monkeypatch.setattr(shuffle, "challenge", Oracle(toy, z, (u0, u1)).challenge)
            witness = Witness(pi, (toy.scalar(r0), toy.scalar(r1)), None)
            after = cells(toy, shuffled(BEFORE, pi, (r0, r1)))
            proof = prove_shuffle(SECRETS[0], CTX, toy.point(KEY), before, after, witness)
            verify_shuffle(CTX, toy.point(KEY), before, after, proof)


def test_every_shuffle_of_three_convinces_with_the_challenges_of_the_hash(toy_group: Install) -> None:
    toy = toy_group(5)
    start = ((1, 3), (1, 4), (2, 2))
    before = cells(toy, start)
    for pi in permutations(range(3)):
        for r in product(range(5), repeat=3):
            after = cells(toy, shuffled(start, pi, r))
            witness = Witness(pi, tuple(map(toy.scalar, r)), None)
            verify_shuffle(
                CTX,
                toy.point(KEY),
                before,
                after,
                prove_shuffle(SECRETS[0], CTX, toy.point(KEY), before, after, witness),
            )


@pytest.mark.parametrize("q", [5, 7])
def test_a_card_twice_convinces_only_when_its_challenge_or_z_vanishes(
    q: int, toy_group: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Output 2 is the card of input 1 again, so both sides of t4 differ by z u_2 (M_1 - M_2): q^3 - q (q - 1)^2."""
    toy = toy_group(q)
    before = cells(toy, BEFORE)
    after = cells(toy, shuffled((BEFORE[0], BEFORE[0]), (0, 1), (2, 4)))
    witness = Witness((0, 1), (toy.scalar(2), toy.scalar(2 + 2)), None)
    count = 0
    for u0, u1, z in product(range(q), repeat=3):
        monkeypatch.setattr(shuffle, "challenge", Oracle(toy, z, (u0, u1)).challenge)
        proof = prove_shuffle(SECRETS[0], CTX, toy.point(KEY), before, after, witness)
        passed = convinced(CTX, toy.point(KEY), before, after, proof)
        assert passed == (u1 == 0 or z == 0)
        count += passed
    assert count == q**3 - q * (q - 1) ** 2


class MatrixProver:
    """Commits to a matrix B whose rows sum to 1 in place of a permutation, and shuffles by it: e = B^T e' - r (G, Y).

    Then u' = B u satisfies the equations of t1, t3 and t4 whatever u is; only the product in t2, prod u' = prod u,
    holds for permutations alone. For two cells and B = ((1, 0), (2, -1)): u' = (u_1, 2 u_1 - u_2).
    """

    def __init__(self, toy: Toy, r: tuple[int, int]) -> None:
        self.toy, self.r, self.B = toy, r, ((1, 0), (2, -1))

    def after(self) -> tuple[tuple[int, int], ...]:
        """e'_2 = -(e_2 + r_2 (G, Y)), e'_1 = e_1 + r_1 (G, Y) - 2 e'_2."""
        (a1, b1), (a2, b2) = shuffled(BEFORE, (0, 1), self.r)
        return ((a1 + 2 * a2, b1 + 2 * b2), (-a2, -b2))

    def proof(self, u: tuple[int, int]) -> bytes:
        """The proof's c, k, t, z and answers as the paper has them, in logarithms and with the nonces 1, 2, 3, ..."""
        toy, q = self.toy, self.toy.q
        h0, h = toy.log(shuffle._generator(0)), [toy.log(h_i) for h_i in shuffle._generators(2)]
        rho, sigma, w, v, w_ = (2, 3), (4, 1), (1, 2, 3, 4), (5, 6), (7, 8)
        u_ = [sum(row[j] * u[j] for j in (0, 1)) for row in self.B]
        c = [rho[j] + sum(self.B[i][j] * h[i] for i in (0, 1)) for j in (0, 1)]
        k = [h0, sigma[0] + u_[0] * h0]
        k.append(sigma[1] + u_[1] * k[1])
        e_ = self.after()
        t = (
            w[0],
            w[1],
            w[2] + w_[0] * h[0] + w_[1] * h[1],
            w_[0] * e_[0][0] + w_[1] * e_[1][0] - w[3],
            w_[0] * e_[0][1] + w_[1] * e_[1][1] - w[3] * KEY,
        )
        tk = [v[i] + w_[i] * k[i] for i in (0, 1)]
        points = [[toy.point(log) for log in logs] for logs in (c, k[1:], t, tk)]
        statement = (CTX, toy.point(KEY), cells(toy, BEFORE), cells(toy, e_))
        t1, t2, t3, t4a, t4b = points[2]
        z = toy.number(shuffle._challenge_z(*statement, points[0], points[1], (t1, t2, t3, t4a, t4b), points[3]))
        s = (
            w[0] + z * sum(rho),
            w[1] + z * (sigma[0] * u_[1] + sigma[1]),
            w[2] + z * (rho[0] * u[0] + rho[1] * u[1]),
            w[3] + z * (self.r[0] * u[0] + self.r[1] * u[1]),
        )
        answers = (z, *s, *(v[i] + z * sigma[i] for i in (0, 1)), *(w_[i] + z * u_[i] for i in (0, 1)))
        return b"".join([*points[0], *points[1], *(toy.scalar(answer % q) for answer in answers)])


@pytest.mark.parametrize("q", [5, 7, 11])
def test_a_witness_that_is_no_permutation_convinces_by_three_chances_and_not_one_more(
    q: int, toy_group: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    """prod u' - prod u = 2 u_1 (u_1 - u_2), times z: three factors that may vanish, so q^3 - (q - 1)^3 of q^3 pass."""
    toy = toy_group(q)
    prover = MatrixProver(toy, (1, 3))
    before, after = cells(toy, BEFORE), cells(toy, prover.after())
    count = 0
    for u0, u1, z in product(range(q), repeat=3):
        monkeypatch.setattr(shuffle, "challenge", Oracle(toy, z, (u0, u1)).challenge)
        passed = convinced(CTX, toy.point(KEY), before, after, prover.proof((u0, u1)))
        assert passed == (z == 0 or u0 == 0 or u0 == u1)
        count += passed
    assert count == q**3 - (q - 1) ** 3
