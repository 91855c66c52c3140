"""Every lie about a shuffle (protocol section 11) is refused, whether the verifier knows logarithms or not."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

from p2p_schotten.crypto import group
from p2p_schotten.crypto.cells import Cell, card_point, cells_bytes, read_cells, start_cells
from p2p_schotten.crypto.group import Point, Scalar
from p2p_schotten.crypto.shuffle import Shuffled, Witness, proof_size, prove_shuffle, shuffle, verify_shuffle
from p2p_schotten.errors import InvalidProof
from tests.crypto import slow, slow_proofs
from tests.crypto.seats import CTX, PUBLIC, SECRETS, Y, encrypt, fast_scalar, first, number, second, twisted

N = 3
ONE = first(N)  # by seat 0, honest: what the attacks of seat 1 begin from
BEFORE = ONE.cells
MADE = second(N)
C = CTX[1]
R = tuple(SECRETS[1].scalar("shuffle r", C, j) for j in range(N))
NOT_SHUFFLED = "does not show that these cells are the ones before, shuffled"
NO_POINT = "not in the prime-order group"


def refused(
    reason: str,
    after: Sequence[Cell] = MADE.cells,
    proof: bytes = MADE.proof,
    *,
    ctx: bytes = C,
    key: Point = Y,
    before: Sequence[Cell] = BEFORE,
    logs: tuple[Scalar, ...] | None = ONE.logs,
) -> None:
    """The verifier refuses it, whether he knows the logarithms of `before` or not."""
    for known in (None, logs):
        with pytest.raises(InvalidProof, match=reason):
            verify_shuffle(ctx, key, before, after, proof, known)


def lie(after: Sequence[Cell], permutation: tuple[int, ...] = MADE.permutation, r: tuple[Scalar, ...] = R) -> None:
    """The prover's own algorithm, run on a statement that is not true, convinces nobody."""
    refused(NOT_SHUFFLED, after, prove_shuffle(SECRETS[1], C, Y, BEFORE, after, Witness(permutation, r, None)))


def reencrypted(cell: Cell, r: Scalar) -> Cell:
    return Cell(group.add(cell.a, group.mul_base(r)), group.add(cell.b, group.mul(r, Y)))


def test_the_witness_of_these_tests_is_the_honest_one() -> None:
    assert [reencrypted(BEFORE[j], R[j]) for j in MADE.permutation] == list(MADE.cells)
    honest = prove_shuffle(SECRETS[1], C, Y, BEFORE, MADE.cells, Witness(MADE.permutation, R, None))
    assert honest == MADE.proof
    verify_shuffle(C, Y, BEFORE, MADE.cells, honest)


# -- false statements --------------------------------------------------------------------------------------------------


def test_a_card_twice_and_one_dropped() -> None:
    first_card = MADE.permutation[0]
    for place in range(1, N):
        after = list(MADE.cells)
        after[place] = reencrypted(BEFORE[first_card], R[MADE.permutation[place]])
        lie(after)


def test_a_card_twice_with_a_witness_that_is_no_permutation() -> None:
    permutation = (0, 0, 1)
    lie([reencrypted(BEFORE[j], R[j]) for j in permutation], permutation)


def test_the_whole_deck_replaced_by_an_own_deck_in_known_order() -> None:
    after = [encrypt(card_point(0, index), 1000 + index) for index in range(N)]
    lie(after, (0, 1, 2))
    lie(after, (0, 1, 2), tuple(fast_scalar(1000 + index) for index in range(N)))


def test_all_cells_equal() -> None:
    lie([MADE.cells[0]] * N)
    lie([MADE.cells[0]] * N, (MADE.permutation[0],) * N)


def test_a_card_swapped_for_a_foreign_point() -> None:
    lie([MADE.cells[0], MADE.cells[1], encrypt(group.mul_base(fast_scalar(99)), 5)])
    moved = Cell(MADE.cells[0].a, group.add(MADE.cells[0].b, group.G))
    lie([moved, *MADE.cells[1:]])


def test_a_ciphertext_scaled() -> None:
    two = fast_scalar(2)
    a, b = MADE.cells[0]
    lie([Cell(group.mul(two, a), group.mul(two, b)), *MADE.cells[1:]])


def test_only_one_half_of_a_cell_changed() -> None:
    for place in range(N):
        a, b = MADE.cells[place]
        for cell in (Cell(group.add(a, group.G), b), Cell(a, group.add(b, Y))):
            lie([*MADE.cells[:place], cell, *MADE.cells[place + 1 :]])


def test_a_difference_between_two_cells_that_sums_to_nothing() -> None:
    (a0, b0), (a1, b1), rest = MADE.cells
    lie([Cell(a0, group.add(b0, group.G)), Cell(a1, group.sub(b1, group.G)), rest])


def test_two_cells_swapped_after_proving() -> None:
    for i, j in ((0, 1), (1, 2), (0, 2)):
        after = list(MADE.cells)
        after[i], after[j] = after[j], after[i]
        refused(NOT_SHUFFLED, after)


# -- right proofs in the wrong place -----------------------------------------------------------------------------------


def test_a_proof_for_another_context_is_refused() -> None:
    refused(NOT_SHUFFLED, ctx=CTX[0])  # seat, label, deck, session and head are all of the context


def test_a_proof_for_another_key_is_refused() -> None:
    refused(NOT_SHUFFLED, key=PUBLIC[0])


def test_a_proof_for_the_other_deck_or_another_input_is_refused() -> None:
    other = first(N, deck=1)
    refused(NOT_SHUFFLED, before=other.cells, logs=other.logs)
    theirs = second(N, deck=1)
    refused(NOT_SHUFFLED, theirs.cells)
    refused(NOT_SHUFFLED, proof=theirs.proof)


def test_the_others_proof_replayed_is_refused() -> None:
    refused(NOT_SHUFFLED, proof=ONE.proof)
    refused(NOT_SHUFFLED, ONE.cells, ONE.proof)
    verify_shuffle(CTX[0], Y, start_cells(0, N, Y), ONE.cells, ONE.proof)


def test_a_proof_made_under_the_cells_before_cannot_serve_the_cells_in_another_order() -> None:
    turned = (*BEFORE[1:], BEFORE[0])
    assert ONE.logs is not None
    refused(NOT_SHUFFLED, before=turned, logs=(*ONE.logs[1:], ONE.logs[0]))


def test_logarithms_that_are_not_those_of_the_cells_before_convince_nobody() -> None:
    assert ONE.logs is not None
    with pytest.raises(InvalidProof, match=NOT_SHUFFLED):
        verify_shuffle(C, Y, BEFORE, MADE.cells, MADE.proof, (*ONE.logs[1:], ONE.logs[0]))


# -- counts and lengths ------------------------------------------------------------------------------------------------


def test_one_cell_less_or_more_is_refused() -> None:
    refused(f"a shuffle of {N} cells gives as many and at least one, not {N - 1}", MADE.cells[:-1])
    refused(f"a shuffle of {N} cells gives as many and at least one, not {N + 1}", (*MADE.cells, MADE.cells[0]))
    refused("at least one, not 0", ())


def test_a_shuffle_of_nothing_is_refused() -> None:
    with pytest.raises(InvalidProof, match="a shuffle of 0 cells"):
        verify_shuffle(C, Y, (), (), bytes(proof_size(0)))


@pytest.mark.parametrize("size", [0, proof_size(N) - 32, proof_size(N) - 1, proof_size(N) + 1, proof_size(N + 1)])
def test_a_truncated_or_longer_proof_is_refused(size: int) -> None:
    refused(f"the proof for {N} cells has {proof_size(N)} bytes, here are {size}", proof=(MADE.proof * 2)[:size])


def test_a_proof_for_one_cell_less_is_refused_for_its_length() -> None:
    smaller = shuffle(SECRETS[1], C, Y, BEFORE[:-1])
    refused(f"here are {proof_size(N - 1)}", proof=smaller.proof)


def test_cells_cut_at_other_bytes_are_refused() -> None:
    """The hash sees the same bytes; the multiplication sees that they are not two points of 32 bytes."""
    a, b = MADE.cells[0]
    refused(NO_POINT, [Cell(Point(a + b[:1]), Point(b[1:])), *MADE.cells[1:]])


# -- each item of the proof, changed alone -----------------------------------------------------------------------------

POINTS = range(2 * N)  # c, k
SCALARS = range(2 * N, 4 * N + 5)  # z, s1..s4, sk, s'


def replaced(place: int, item: bytes) -> bytes:
    assert len(item) == 32
    return MADE.proof[: 32 * place] + item + MADE.proof[32 * (place + 1) :]


def item(place: int) -> bytes:
    return MADE.proof[32 * place : 32 * (place + 1)]


@pytest.mark.parametrize("place", POINTS)
def test_another_commitment_is_refused(place: int) -> None:
    refused(NOT_SHUFFLED, proof=replaced(place, group.add(Point(item(place)), group.G)))


@pytest.mark.parametrize("place", SCALARS)
def test_another_scalar_is_refused(place: int) -> None:
    refused(NOT_SHUFFLED, proof=replaced(place, slow.scalar_bytes(number(item(place)) + 1)))


@pytest.mark.parametrize("place", SCALARS)
def test_a_scalar_plus_the_order_or_all_ones_is_refused(place: int) -> None:
    """The same number modulo L would verify: the proof could be sent in many forms."""
    refused("a scalar is not reduced", proof=replaced(place, (number(item(place)) + slow.L).to_bytes(32, "little")))
    refused("a scalar is not reduced", proof=replaced(place, b"\xff" * 32))


@pytest.mark.parametrize("place", SCALARS)
def test_a_zero_scalar_is_refused(place: int) -> None:
    refused(f"zero|{NOT_SHUFFLED}", proof=replaced(place, bytes(32)))


@pytest.mark.parametrize("change", [lambda s: bytes(len(s)), lambda s: b"\xff" * len(s), lambda s: s[::-1]])
def test_a_proof_of_zeros_ones_or_backwards_is_refused(change: Callable[[bytes], bytes]) -> None:
    with pytest.raises(InvalidProof):
        verify_shuffle(C, Y, BEFORE, MADE.cells, change(MADE.proof))


@pytest.mark.parametrize("place", [*POINTS, *SCALARS])
def test_two_neighbouring_items_exchanged_are_refused(place: int) -> None:
    follower = (place + 1) % (4 * N + 5)
    exchanged = bytearray(replaced(place, item(follower)))
    exchanged[32 * follower : 32 * (follower + 1)] = item(place)
    with pytest.raises(InvalidProof):
        verify_shuffle(C, Y, BEFORE, MADE.cells, bytes(exchanged))


# -- points outside the group, in every place --------------------------------------------------------------------------

NEVER_POINTS = {
    **{f"torsion {i}": slow.encode(slow.TORSION[i]) for i in range(1, 8)},
    "identity": slow.encode(slow.IDENTITY),
    "y = p + 1": (slow.P + 1).to_bytes(32, "little"),
    "identity with sign bit": (1 | 1 << 255).to_bytes(32, "little"),
    "off the curve": (2).to_bytes(32, "little"),
    "all ones": b"\xff" * 32,
}


@pytest.mark.parametrize("place", POINTS)
def test_a_commitment_outside_the_group_is_refused(place: int) -> None:
    for bad in (*NEVER_POINTS.values(), *(twisted(Point(item(place)), i) for i in range(1, 8))):
        refused(NO_POINT, proof=replaced(place, bad))


@pytest.mark.parametrize("half", [0, 1])
@pytest.mark.parametrize("place", range(N))
def test_a_cell_outside_the_group_is_refused(place: int, half: int) -> None:
    for bad in (*NEVER_POINTS.values(), *(twisted(MADE.cells[place][half], i) for i in range(1, 8))):
        halves = list(MADE.cells[place])
        halves[half] = Point(bad)
        refused(NO_POINT, [*MADE.cells[:place], Cell(*halves), *MADE.cells[place + 1 :]])


@pytest.mark.parametrize("i", range(1, 8))
def test_a_torsion_part_added_before_proving_is_refused(i: int) -> None:
    """The library adds such points without a word: the prover can, the verifier's multiplication refuses."""
    a, b = MADE.cells[1]
    for cell in (Cell(twisted(a, i), b), Cell(a, twisted(b, i))):
        after = (MADE.cells[0], cell, MADE.cells[2])
        refused(NO_POINT, after, MADE.proof)


# -- the challenge chosen first ----------------------------------------------------------------------------------------


def test_a_proof_computed_back_from_a_chosen_challenge_is_refused() -> None:
    """Any z, s and s' fit some t values; without hashing them again, this would prove that 1 = 2."""
    own_deck = [encrypt(card_point(0, index), 1000 + index) for index in range(N)]
    commitments = b"".join(group.mul_base(fast_scalar(50 + place)) for place in POINTS)
    answers = b"".join(fast_scalar(70 + place) for place in SCALARS)
    refused(NOT_SHUFFLED, own_deck, commitments + answers)
    refused(NOT_SHUFFLED, MADE.cells, MADE.proof[: 64 * N] + answers)


def test_an_honest_prover_with_one_false_random_number_is_refused() -> None:
    for j in range(N):
        wrong = tuple(group.s_add(r, group.ONE) if place == j else r for place, r in enumerate(R))
        lie(MADE.cells, r=wrong)


def test_the_right_cells_with_another_permutation_as_witness_are_refused() -> None:
    i, j, k = MADE.permutation
    lie(MADE.cells, (j, i, k))


def test_nothing_is_kept_from_a_refused_shuffle() -> None:
    refused(NOT_SHUFFLED, MADE.cells[::-1])
    verify_shuffle(C, Y, BEFORE, MADE.cells, MADE.proof)
    assert isinstance(MADE, Shuffled)


def test_the_slow_verifier_agrees_on_the_honest_shuffle_and_on_edits_of_it() -> None:
    """Sixty bit flips and moved bytes anywhere in cells and proof: what one of the two refuses, the other refuses."""
    edits = random.Random(10)
    slow_before = slow_proofs.read_cells(cells_bytes(BEFORE))
    honest = cells_bytes(MADE.cells) + MADE.proof
    for number_of_edit in range(60):
        sent = bytearray(honest)
        at = edits.randrange(len(sent))
        if number_of_edit % 2:
            sent[at] ^= 1 << edits.randrange(8)
        elif number_of_edit:
            sent[at : at + 32] = edits.randbytes(len(sent[at : at + 32]))
        after, proof = bytes(sent[: 64 * N]), bytes(sent[64 * N :])
        assert agreed(slow_before, after, proof) == (sent == honest)


def agreed(slow_before: list[slow_proofs.SlowCell], after: bytes, proof: bytes) -> bool:
    """Whether both verifiers accept; fails if they do not agree."""
    try:
        slow_proofs.verify_shuffle(C, slow.decode(Y), slow_before, after, proof)
        slowly = True
    except slow.Refused:
        slowly = False
    try:
        verify_shuffle(C, Y, BEFORE, read_cells(after, N), proof)
        fast = True
    except InvalidProof:
        fast = False
    assert slowly == fast
    return fast
