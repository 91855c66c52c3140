"""Shares and proofs of possession: honest ones verify, and every lie and misplaced one is refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from p2p_schotten.crypto import group
from p2p_schotten.crypto.cells import Cell
from p2p_schotten.crypto.dleq import KEY_PROOF_SIZE, SHARE_SIZE, prove_key, prove_share, verify_key, verify_share
from p2p_schotten.crypto.group import Point, Scalar
from p2p_schotten.crypto.hashing import Part, challenge
from p2p_schotten.crypto.secret import Secret
from p2p_schotten.errors import InvalidProof
from tests.crypto import slow, slow_proofs
from tests.crypto.seats import KEYS, PUBLIC, SECRETS, SEEDS, fast_scalar, number, second, twisted
from tests.crypto.toy import Oracle, Toy

CTX = b"ctx"
CELL, OTHER_CELL = second(2).cells
x, X, SECRET = KEYS[0], PUBLIC[0], SECRETS[0]
SHARE = prove_share(SECRET, x, X, CTX, CELL)
KEY_PROOF = prove_key(SECRET, x, X, CTX)


def slow_cell(cell: Cell) -> slow_proofs.SlowCell:
    return slow_proofs.SlowCell(slow.decode(cell.a), slow.decode(cell.b))


def test_a_share_verifies_and_is_x_times_a() -> None:
    assert verify_share(X, CTX, CELL, SHARE) == slow.encode(slow.mul(number(x), slow.decode(CELL.a)))
    assert len(SHARE) == SHARE_SIZE == 96


def test_shares_are_byte_for_byte_those_of_the_slow_prover_and_verify_there() -> None:
    assert slow_proofs.prove_share(SEEDS[0], number(x), CTX, slow_cell(CELL)) == SHARE
    slow_proofs.verify_share(slow.decode(X), CTX, slow_cell(CELL), SHARE)


def test_proofs_of_possession_are_byte_for_byte_those_of_the_slow_prover_and_verify() -> None:
    assert slow_proofs.prove_key(SEEDS[0], number(x), CTX) == KEY_PROOF
    assert len(KEY_PROOF) == KEY_PROOF_SIZE == 64
    verify_key(X, CTX, KEY_PROOF)
    slow_proofs.verify_key(slow.decode(X), CTX, KEY_PROOF)


# -- everything that enters the challenge, changed alone ---------------------------------------------------------------

NOT_THIS = "the share is not the one of this seat's key for this cell here"


@pytest.mark.parametrize(
    ("key", "ctx", "cell"),
    [
        pytest.param(PUBLIC[1], CTX, CELL, id="the other seat's key"),
        pytest.param(X, b"other", CELL, id="another context: position, head, label, seat, session"),
        pytest.param(X, CTX, Cell(OTHER_CELL.a, CELL.b), id="another a"),
        pytest.param(X, CTX, Cell(CELL.a, OTHER_CELL.b), id="another b"),
        pytest.param(X, CTX, OTHER_CELL, id="another cell"),
    ],
)
def test_a_right_share_in_another_place_is_refused(key: Point, ctx: bytes, cell: Cell) -> None:
    with pytest.raises(InvalidProof, match=NOT_THIS):
        verify_share(key, ctx, cell, SHARE)


def replaced(data: bytes, place: int, item: bytes) -> bytes:
    return data[: 32 * place] + item + data[32 * (place + 1) :]


def test_a_random_point_as_share_is_refused() -> None:
    with pytest.raises(InvalidProof, match=NOT_THIS):
        verify_share(X, CTX, CELL, replaced(SHARE, 0, group.mul_base(fast_scalar(5))))


@pytest.mark.parametrize("place", [1, 2])
@pytest.mark.parametrize("change", [1, -1, 2**128])
def test_another_scalar_is_refused(place: int, change: int) -> None:
    changed = slow.scalar_bytes(number(SHARE[32 * place :][:32]) + change)
    with pytest.raises(InvalidProof, match=NOT_THIS):
        verify_share(X, CTX, CELL, replaced(SHARE, place, changed))
    changed = slow.scalar_bytes(number(KEY_PROOF[32 * (place - 1) :][:32]) + change)
    with pytest.raises(InvalidProof, match="the proof of possession is not one of this key here"):
        verify_key(X, CTX, replaced(KEY_PROOF, place - 1, changed))


def test_a_share_of_x_plus_one_with_a_fitting_proof_is_refused() -> None:
    y = group.s_add(x, group.ONE)
    fitting = prove_share(SECRET, y, group.mul_base(y), CTX, CELL)
    verify_share(group.mul_base(y), CTX, CELL, fitting)
    with pytest.raises(InvalidProof, match=NOT_THIS):
        verify_share(X, CTX, CELL, fitting)
    with pytest.raises(InvalidProof, match=NOT_THIS):
        verify_share(X, CTX, CELL, prove_share(SECRET, y, X, CTX, CELL))


@pytest.mark.parametrize(
    ("forge", "reason"),
    [
        pytest.param(lambda s: (number(s) + slow.L).to_bytes(32, "little"), "not reduced", id="s + L"),
        pytest.param(lambda s: b"\xff" * 32, "not reduced", id="all ones"),
        pytest.param(lambda s: bytes(32), "zero", id="zero"),
    ],
)
@pytest.mark.parametrize("place", [1, 2])
def test_a_scalar_out_of_range_is_refused(forge: Callable[[bytes], bytes], reason: str, place: int) -> None:
    with pytest.raises(InvalidProof, match=reason):
        verify_share(X, CTX, CELL, replaced(SHARE, place, forge(SHARE[32 * place :][:32])))
    with pytest.raises(InvalidProof, match=reason):
        verify_key(X, CTX, replaced(KEY_PROOF, place - 1, forge(KEY_PROOF[32 * (place - 1) :][:32])))


@pytest.mark.parametrize("size", [0, 64, 95, 97, 128, 192])
def test_a_share_or_proof_of_another_length_is_refused(size: int) -> None:
    with pytest.raises(InvalidProof, match=f"a share has 96 bytes, here are {size}"):
        verify_share(X, CTX, CELL, (SHARE * 2)[:size])
    with pytest.raises(InvalidProof, match=f"a proof of possession has 64 bytes, here are {size + 1}"):
        verify_key(X, CTX, (KEY_PROOF * 4)[: size + 1])


# -- points outside the group ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("i", range(1, 8))
def test_a_torsion_part_in_any_place_of_share_cell_and_key_is_refused(i: int) -> None:
    D = Point(SHARE[:32])
    for bad in (twisted(D, i), slow.encode(slow.TORSION[i])):
        with pytest.raises(InvalidProof, match="not in the prime-order group"):
            verify_share(X, CTX, CELL, replaced(SHARE, 0, bad))
    with pytest.raises(InvalidProof, match="not in the prime-order group"):
        verify_share(X, CTX, Cell(twisted(CELL.a, i), CELL.b), SHARE)
    with pytest.raises(InvalidProof, match="not in the prime-order group"):
        verify_share(twisted(X, i), CTX, CELL, SHARE)
    for bad in (twisted(X, i), Point(slow.encode(slow.TORSION[i]))):
        with pytest.raises(InvalidProof, match="not in the prime-order group"):
            verify_key(bad, CTX, KEY_PROOF)


@pytest.mark.parametrize("bad", [slow.encode(slow.IDENTITY), (2).to_bytes(32, "little"), b"\xff" * 32])
def test_identity_off_curve_and_not_canonical_points_are_refused(bad: bytes) -> None:
    with pytest.raises(InvalidProof, match="not in the prime-order group"):
        verify_share(X, CTX, CELL, replaced(SHARE, 0, bad))
    with pytest.raises(InvalidProof, match="not in the prime-order group"):
        verify_key(Point(bad), CTX, KEY_PROOF)


def test_the_forged_share_with_a_point_of_order_two_and_an_even_challenge_is_refused() -> None:
    """D + T opens the cell to another point. Where zT = 0 the equations hold, so only the check of the group helps."""
    D = twisted(Point(SHARE[:32]), 4)
    for tries in range(1, 50):
        w = fast_scalar(tries)
        z = challenge("dleq", CTX, X, *CELL, D, group.mul_base(w), group.mul(w, CELL.a))
        if number(z) % 2 == 0:
            break
    s = group.s_add(w, group.s_mul(z, x))
    R1 = slow.sub(slow.mul(number(s), slow.BASE), slow.mul(number(z), slow.decode(X)))
    R2 = slow.sub(slow.mul(number(s), slow.decode(CELL.a)), slow.mul(number(z), slow.decode(D)))
    assert challenge("dleq", CTX, X, *CELL, D, slow.encode(R1), slow.encode(R2)) == z  # convinces without the check
    with pytest.raises(InvalidProof, match="not in the prime-order group"):
        verify_share(X, CTX, CELL, D + z + s)


def test_a_key_of_small_order_cannot_be_proven_though_its_equation_holds() -> None:
    T = slow.TORSION[4]
    for tries in range(1, 50):
        s = fast_scalar(tries)
        z = challenge("pok", CTX, slow.encode(T), group.mul_base(s))
        if number(z) % 2 == 0:
            break
    assert slow.mul(number(z), T) == slow.IDENTITY  # so sG - zT = sG: the proof convinces without the check
    with pytest.raises(InvalidProof, match="not in the prime-order group"):
        verify_key(Point(slow.encode(T)), CTX, z + s)


def test_a_rogue_key_cannot_be_proven() -> None:
    """X = Z - X_mine would make the joint key Z; its author does not know its logarithm, only that of Z."""
    z_key = fast_scalar(77)
    rogue = group.sub(group.mul_base(z_key), PUBLIC[1])
    with pytest.raises(InvalidProof, match="the proof of possession is not one of this key here"):
        verify_key(rogue, CTX, prove_key(SECRET, z_key, rogue, CTX))


def test_a_proof_of_possession_of_another_key_or_game_is_refused() -> None:
    for key, ctx in ((PUBLIC[1], CTX), (X, b"another game")):
        with pytest.raises(InvalidProof, match="the proof of possession is not one of this key here"):
            verify_key(key, ctx, KEY_PROOF)


# -- nonces ------------------------------------------------------------------------------------------------------------


def nonce(share: bytes) -> int:
    """w = s - zx, for whoever knows x."""
    z, s = number(share[32:64]), number(share[64:96])
    return (s - z * number(x)) % slow.L


def test_no_nonce_is_used_for_two_challenges() -> None:
    """Two challenges on one nonce give x away: every part of the statement changes the nonce."""
    shares = [
        SHARE,
        prove_share(SECRET, x, X, b"other", CELL),
        prove_share(SECRET, x, PUBLIC[1], CTX, CELL),
        prove_share(SECRET, x, X, CTX, Cell(OTHER_CELL.a, CELL.b)),
        prove_share(SECRET, x, X, CTX, Cell(CELL.a, OTHER_CELL.b)),
        prove_share(SECRETS[1], x, X, CTX, CELL),
    ]
    assert len({nonce(share) for share in shares}) == len(shares)
    proofs = [KEY_PROOF, prove_key(SECRET, x, X, b"other"), prove_key(SECRET, x, PUBLIC[1], CTX)]
    assert len({nonce(bytes(32) + proof) for proof in proofs}) == len(proofs)


def test_the_same_share_is_the_same_bytes_so_it_may_be_made_again_after_a_crash() -> None:
    assert prove_share(SECRET, x, X, CTX, CELL) == SHARE


# -- the whole of a toy group ------------------------------------------------------------------------------------------


def accepted(toy: Toy, patch: pytest.MonkeyPatch, a: int, D: int, key: int) -> dict[tuple[Part, ...], int]:
    """How many (z, s) each commitment (R1, R2) is accepted with."""
    counts: dict[tuple[Part, ...], int] = {}
    for z in range(toy.q):
        for s in range(toy.q):
            oracle = Oracle(toy, z)
            patch.setattr("p2p_schotten.crypto.dleq.challenge", oracle.challenge)
            share = toy.point(D) + toy.scalar(z) + toy.scalar(s)
            verify_share(toy.point(key), CTX, Cell(toy.point(a), toy.point(0)), share)
            ((*_, R1, R2),) = oracle.asked
            counts[R1, R2] = counts.get((R1, R2), 0) + 1
    return counts


def test_a_false_share_convinces_for_exactly_one_challenge_in_q(
    toy_group: Callable[[int], Toy], monkeypatch: pytest.MonkeyPatch
) -> None:
    """(z, s) -> (R1, R2) has the determinant xa - D: whatever is committed to, one challenge of q can be answered."""
    toy = toy_group(7)
    key, a = 3, 2
    for D in range(7):
        counts = accepted(toy, monkeypatch, a, D, key)
        if key * a == D:  # true: the q commitments (w, wa) are answered for each of the q challenges
            assert counts == {(toy.point(w), toy.point(w * a)): 7 for w in range(7)}
        else:
            assert counts == {(toy.point(R1), toy.point(R2)): 1 for R1 in range(7) for R2 in range(7)}


class OneNonce(Secret):
    """Gives the scalar that the test chose."""

    __slots__ = ("w",)

    def __init__(self, w: Scalar) -> None:
        super().__init__(bytes(32))
        self.w = w

    def scalar(self, label: str, *parts: Part) -> Scalar:
        return self.w


def test_a_share_proof_shows_nothing_of_x(toy_group: Callable[[int], Toy], monkeypatch: pytest.MonkeyPatch) -> None:
    """For each challenge, answers and commitments of the prover are those that anybody makes up without x."""
    toy = toy_group(11)
    key, a = 4, 6
    cell = Cell(toy.point(a), toy.point(9))
    for z in range(11):
        made = set()
        for w in range(11):
            oracle = Oracle(toy, z)
            monkeypatch.setattr("p2p_schotten.crypto.dleq.challenge", oracle.challenge)
            share = prove_share(OneNonce(toy.scalar(w)), toy.scalar(key), toy.point(key), CTX, cell)
            ((*_, R1, R2),) = oracle.asked
            made.add((R1, R2, share[64:]))
        made_up = {(toy.point(s - z * key), toy.point(s * a - z * key * a), toy.scalar(s)) for s in range(11)}
        assert made == made_up


def test_two_answers_to_one_commitment_give_x_away(
    toy_group: Callable[[int], Toy], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Why a nonce must never meet two challenges, and why a proof of possession proves knowledge."""
    toy = toy_group(11)
    answers = []
    for z in (3, 8):
        monkeypatch.setattr("p2p_schotten.crypto.dleq.challenge", Oracle(toy, z).challenge)
        proof = prove_key(OneNonce(toy.scalar(5)), toy.scalar(4), toy.point(4), CTX)
        answers.append(number(proof[32:]))
    assert (answers[0] - answers[1]) * pow(3 - 8, -1, 11) % 11 == 4
