"""Honest shuffles verify, are those of the slow prover byte for byte, cost what they should and reuse no nonce."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from p2p_schotten.crypto import group, shuffle
from p2p_schotten.crypto.cells import Cell, card_point, cells_bytes, start_cells
from p2p_schotten.crypto.dleq import prove_share, verify_share
from p2p_schotten.crypto.group import Point, Scalar
from p2p_schotten.crypto.hashing import Part
from p2p_schotten.crypto.secret import Secret
from p2p_schotten.crypto.shuffle import (
    Witness,
    logs_after,
    permutation_of,
    proof_size,
    prove_shuffle,
    remake,
    verify_shuffle,
)
from tests.crypto import slow, slow_proofs
from tests.crypto.seats import CTX, KEYS, PUBLIC, SECRETS, SEEDS, Y, decrypt, first, number, second


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, 54])
def test_a_deck_shuffled_by_both_seats_verifies_and_holds_each_card_once(n: int) -> None:
    start, one, two = start_cells(0, n, Y), first(n), second(n)
    verify_shuffle(CTX[0], Y, start, one.cells, one.proof)
    verify_shuffle(CTX[1], Y, one.cells, two.cells, two.proof)
    verify_shuffle(CTX[1], Y, one.cells, two.cells, two.proof, one.logs)
    assert len(one.proof) == len(two.proof) == proof_size(n) == 32 * (4 * n + 5)
    cards = [card_point(0, index) for index in range(n)]
    assert [decrypt(cell) for cell in one.cells] == [cards[j] for j in one.permutation]
    assert [decrypt(cell) for cell in two.cells] == [cards[one.permutation[j]] for j in two.permutation]
    assert len({half for cell in (*one.cells, *two.cells) for half in cell}) == 4 * n


@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_cells_and_proofs_are_those_of_the_slow_prover_and_verify_there(n: int) -> None:
    slow_Y = slow.decode(Y)
    start = slow_proofs.start_cells(0, n, slow_Y)
    one, proof_one = slow_proofs.shuffle(SEEDS[0], CTX[0], slow_Y, start)
    two, proof_two = slow_proofs.shuffle(SEEDS[1], CTX[1], slow_Y, one)
    assert (cells_bytes(first(n).cells), first(n).proof) == (slow_proofs.cells_bytes(one), proof_one)
    assert (cells_bytes(second(n).cells), second(n).proof) == (slow_proofs.cells_bytes(two), proof_two)
    slow_proofs.verify_shuffle(CTX[0], slow_Y, start, cells_bytes(first(n).cells), first(n).proof)
    slow_proofs.verify_shuffle(CTX[1], slow_Y, one, cells_bytes(second(n).cells), second(n).proof)


def test_what_the_prover_knows_of_logarithms_changes_no_byte() -> None:
    one = first(4)
    known = shuffle.shuffle(SECRETS[1], CTX[1], Y, one.cells, one.logs)
    assert (known.cells, known.proof, known.permutation) == (second(4).cells, second(4).proof, second(4).permutation)
    assert known.logs is not None
    assert [group.mul_base(log) for log in known.logs] == [cell.a for cell in known.cells]
    assert second(4).logs is None


def test_a_revealed_seed_remakes_the_cells_without_a_proof() -> None:
    assert remake(Secret(SEEDS[1]), CTX[1], Y, first(5).cells) == second(5).cells
    assert remake(Secret(SEEDS[0]), CTX[1], Y, first(5).cells) != second(5).cells
    assert remake(Secret(SEEDS[1]), CTX[0], Y, first(5).cells) != second(5).cells


def test_a_revealed_seed_tells_the_permutation_and_the_logarithms_of_the_first_shuffle() -> None:
    one = first(5)
    assert logs_after(Secret(SEEDS[0]), CTX[0], start_cells(0, 5, Y)) == one.logs
    assert logs_after(Secret(SEEDS[1]), CTX[1], one.cells) is None  # those of its input are seat 0's
    assert permutation_of(Secret(SEEDS[1]), CTX[1], 5) == second(5).permutation


def test_a_mixed_hand_can_be_mixed_again_and_still_opens() -> None:
    hand = second(7).cells[:6]
    for turn in range(3):
        mixed = shuffle.shuffle(SECRETS[0], b"mix %d" % turn, Y, hand)
        verify_shuffle(b"mix %d" % turn, Y, hand, mixed.cells, mixed.proof)
        assert sorted(map(decrypt, mixed.cells)) == sorted(map(decrypt, hand))
        hand = mixed.cells
    shares = [
        verify_share(
            PUBLIC[seat], b"share", hand[2], prove_share(SECRETS[seat], KEYS[seat], PUBLIC[seat], b"share", hand[2])
        )
        for seat in (0, 1)
    ]
    assert group.sub(group.sub(hand[2].b, shares[0]), shares[1]) == decrypt(hand[2])


def test_permutation_and_logarithms_show_in_no_text() -> None:
    one = first(3)
    assert one.logs is not None
    shown = repr(one) + repr(Witness(one.permutation, one.logs, one.logs))
    assert "permutation" not in shown
    assert "logs" not in shown
    assert all(repr(secret) not in shown for secret in (one.permutation, *one.logs))


# -- nonces ------------------------------------------------------------------------------------------------------------


class Recorder(Secret):
    """Keeps what it gave out, by the label."""

    __slots__ = ("drawn",)

    def __init__(self, seed: bytes) -> None:
        super().__init__(seed)
        self.drawn: dict[str, list[Scalar]] = {}

    def scalar(self, label: str, *parts: Part) -> Scalar:
        drawn = super().scalar(label, *parts)
        self.drawn.setdefault(label, []).append(drawn)
        return drawn


def test_every_part_of_the_statement_changes_all_nonces_of_the_proof() -> None:
    """A rolled-back peer, and a prover led to two statements, answers no two challenges with one nonce."""
    before, after = first(3).cells, second(3).cells
    witness = Witness((2, 0, 1), tuple(SECRETS[1].scalar("r", j) for j in range(3)), None)
    one_changed = (before[1], *before[1:])
    statements: list[tuple[bytes, Point, tuple[Cell, ...], tuple[Cell, ...], Witness]] = [
        (CTX[0], Y, before, after, witness),
        (CTX[1], Y, before, after, witness),
        (CTX[0], PUBLIC[0], before, after, witness),
        (CTX[0], Y, one_changed, after, witness),
        (CTX[0], Y, before, one_changed, witness),
        (CTX[0], Y, before, after, Witness((0, 1, 2), witness.r, None)),  # other c and k
    ]
    nonces = []
    for ctx, key, e, e_, known in statements:
        recorder = Recorder(SEEDS[0])
        prove_shuffle(recorder, ctx, key, e, e_, known)
        nonces += [w for label in ("shuffle w", "shuffle v", "shuffle w'") for w in recorder.drawn[label]]
    assert len(nonces) == len(set(nonces)) == len(statements) * (4 + 3 + 3)


def test_another_context_changes_every_secret_of_a_shuffle() -> None:
    drawn = []
    for ctx in CTX:
        recorder = Recorder(SEEDS[0])
        shuffle.shuffle(recorder, ctx, Y, start_cells(0, 4, Y))
        drawn += [secret for secrets in recorder.drawn.values() for secret in secrets]
    assert len(drawn) == len(set(drawn)) == 2 * (6 * 4 + 4 - 4)  # r, rho, sigma, v, w' of 4 cells each, and w1..w4


def test_the_answers_are_those_of_the_paper() -> None:
    """s1..s4, sk and s' taken back by z give the nonces: w + z x = s, each with its own x."""
    recorder, n = Recorder(SEEDS[0]), 3
    made = shuffle.shuffle(recorder, CTX[0], Y, start_cells(0, n, Y))
    drawn = {label: [number(secret) for secret in secrets] for label, secrets in recorder.drawn.items()}
    z, s1, *_ = [number(made.proof[at : at + 32]) for at in range(64 * n, len(made.proof), 32)]
    sk = [number(made.proof[at : at + 32]) for at in range(64 * n + 160, len(made.proof), 32)][:n]
    assert s1 == (drawn["shuffle w"][0] + z * sum(drawn["shuffle rho"])) % slow.L
    assert sk == [(v + z * sigma) % slow.L for v, sigma in zip(drawn["shuffle v"], drawn["shuffle sigma"], strict=True)]


# -- costs, and the order of checks ------------------------------------------------------------------------------------

COUNTED = ("mul", "mul_base", "add", "sub", "check_point")


@pytest.fixture
def count(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], tuple[int, int, int]]:
    """`count(work)`: how many multiplications, base multiplications and additions `work` makes."""
    calls: Counter[str] = Counter()

    def counted(name: str, function: Callable[..., object]) -> Callable[..., object]:
        def call(*arguments: object) -> object:
            calls[name] += 1
            return function(*arguments)

        return call

    for name in COUNTED:
        monkeypatch.setattr(group, name, counted(name, getattr(group, name)))

    def run(work: Callable[[], object]) -> tuple[int, int, int]:
        calls.clear()
        work()
        assert not calls["check_point"]  # each point meets a multiplication, which checks it
        return calls["mul"], calls["mul_base"], calls["add"] + calls["sub"]

    return run


@pytest.mark.parametrize("n", [1, 6, 54])
def test_costs_by_the_operations_of_the_paper(
    n: int, count: Callable[[Callable[[], object]], tuple[int, int, int]]
) -> None:
    """Multiplications, base multiplications, additions; counted on paper from the equations."""
    start, one, two = start_cells(0, n, Y), first(n), second(n)
    verify_shuffle(CTX[0], Y, start, one.cells, one.proof)  # h_1 + ... + h_n is summed once for all
    assert count(lambda: first(n)) == (5 * n + 1, 4 * n + 4, 7 * n)  # with n additions for the starting cells
    assert count(lambda: shuffle.shuffle(SECRETS[1], CTX[1], Y, one.cells)) == (6 * n + 1, 4 * n + 4, 8 * n)
    known = (7 * n + 3, n + 4, 8 * n + 3)
    assert count(lambda: verify_shuffle(CTX[0], Y, start, one.cells, one.proof)) == known
    assert count(lambda: verify_shuffle(CTX[1], Y, one.cells, two.cells, two.proof, one.logs)) == known
    assert count(lambda: verify_shuffle(CTX[1], Y, one.cells, two.cells, two.proof)) == (8 * n + 3, n + 4, 9 * n + 3)


def test_a_mix_of_six_and_a_share_cost_what_the_protocol_says(
    count: Callable[[Callable[[], object]], tuple[int, int, int]],
) -> None:
    hand = second(6).cells

    def units(work: Callable[[], object]) -> float:
        multiplications, base, additions = count(work)
        return multiplications + 0.2 * base + 0.19 * additions

    mixed = shuffle.shuffle(SECRETS[0], b"mix", Y, hand)
    share = prove_share(SECRETS[0], KEYS[0], PUBLIC[0], b"share", hand[0])
    verify_shuffle(b"mix", Y, hand, mixed.cells, mixed.proof)
    assert units(lambda: shuffle.shuffle(SECRETS[0], b"mix", Y, hand)) <= 54
    assert units(lambda: verify_shuffle(b"mix", Y, hand, mixed.cells, mixed.proof)) <= 66
    assert units(lambda: prove_share(SECRETS[0], KEYS[0], PUBLIC[0], b"share", hand[0])) == pytest.approx(2.2)
    assert units(lambda: verify_share(PUBLIC[0], b"share", hand[0], share)) == pytest.approx(3.58)


class Watch:
    """Follows points through the group: what came over the wire is unchecked until a multiplication took it."""

    def __init__(self, patch: pytest.MonkeyPatch, wire: set[Point]) -> None:
        self.unchecked = set(wire)
        self.added: set[Point] = set()
        mul, add, sub = group.mul, group.add, group.sub

        def watched_mul(s: Scalar, P: Point) -> Point:
            product = mul(s, P)
            self.unchecked.discard(P)
            return product

        def watched(operation: Callable[[Point, Point], Point]) -> Callable[[Point, Point], Point]:
            def call(P: Point, Q: Point) -> Point:
                assert P not in self.unchecked
                assert Q not in self.unchecked
                self.added |= {P, Q} & wire
                return operation(P, Q)

            return call

        patch.setattr(group, "mul", watched_mul)
        patch.setattr(group, "add", watched(add))
        patch.setattr(group, "sub", watched(sub))


@pytest.mark.parametrize("n", [1, 2, 5])
def test_every_point_from_the_wire_is_multiplied_and_before_it_is_added(
    n: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for logs in (None, first(n).logs):
        before, made = first(n).cells, second(n)
        sent = [Point(made.proof[at : at + 32]) for at in range(0, 64 * n, 32)]
        with monkeypatch.context() as patch:
            watch = Watch(patch, {*sent, *(half for cell in made.cells for half in cell)})
            verify_shuffle(CTX[1], Y, before, made.cells, made.proof, logs)
        assert not watch.unchecked
        assert watch.added == set(sent[:n])  # the sum of c; all else enters sums only as a product


def test_a_share_from_the_wire_is_multiplied_before_it_is_added(monkeypatch: pytest.MonkeyPatch) -> None:
    cell = second(2).cells[0]
    share = prove_share(SECRETS[0], KEYS[0], PUBLIC[0], b"share", cell)
    with monkeypatch.context() as patch:
        watch = Watch(patch, {Point(share[:32]), PUBLIC[0]})
        verify_share(PUBLIC[0], b"share", cell, share)
    assert not watch.unchecked
