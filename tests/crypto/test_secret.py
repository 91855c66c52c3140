"""Secrets come from the seed, the label and every part, and from nothing else; they show nowhere."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from itertools import permutations

import pytest

from p2p_schotten.crypto import group
from p2p_schotten.crypto.group import Scalar
from p2p_schotten.crypto.secret import MOST_ITEMS, Secret
from tests.crypto import slow, slow_proofs

SEED = bytes(range(32))


def test_the_hmac_of_the_oracle_is_that_of_rfc_4231() -> None:
    case_1 = (
        "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde"
        "daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854"
    )
    assert slow_proofs.hmac_sha512(b"\x0b" * 20, b"Hi There").hex() == case_1
    case_2 = (
        "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
        "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
    )
    assert slow_proofs.hmac_sha512(b"Jefe", b"what do ya want for nothing?").hex() == case_2


def test_scalars_and_bytes_are_hmac_of_the_labelled_parts() -> None:
    secret = Secret(SEED)
    assert secret.scalar("x", b"game", 3) == slow.scalar_bytes(slow_proofs.secret_scalar(SEED, "x", b"game", 3))
    assert secret.bytes32("n", b"game") == slow_proofs.secret_block(SEED, "bytes", 0, "n", b"game")[:32]


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 31, 32, 33, 54, 60, 300])
def test_permutations_agree_with_the_oracle(n: int) -> None:
    for ctx in (b"a", b"b", b"c"):
        made = Secret(SEED).permutation(n, "shuffle pi", ctx)
        assert list(made) == slow_proofs.secret_permutation(SEED, n, "shuffle pi", ctx)
        assert sorted(made) == list(range(n))


def test_every_permutation_of_three_is_as_frequent_as_the_others() -> None:
    drawn = Counter(Secret(SEED).permutation(3, "shuffle pi", number) for number in range(1200))
    assert set(drawn) == set(permutations(range(3)))
    # 200 expected of each; 5 degrees of freedom exceed 20.5 once in a thousand seeds, and this seed is fixed
    assert sum((count - 200) ** 2 / 200 for count in drawn.values()) < 20.5


def test_another_seed_label_part_or_purpose_gives_another_secret() -> None:
    secret = Secret(SEED)
    drawn = [
        secret.scalar("x", b"ctx", 0),
        secret.scalar("x", b"ctx", 1),
        secret.scalar("x", b"other", 0),
        secret.scalar("y", b"ctx", 0),
        secret.scalar("x", b"ctx"),
        Secret(bytes(32)).scalar("x", b"ctx", 0),
        secret.bytes32("x", b"ctx", 0),
    ]
    assert len(set(drawn)) == len(drawn)
    assert secret.scalar("x", b"ctx", 0) == drawn[0]


def test_a_zero_scalar_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    reduce, reduced = group.reduce, []

    def zero_twice(data: bytes) -> Scalar:
        reduced.append(data)
        return group.ZERO if len(reduced) <= 2 else reduce(data)

    monkeypatch.setattr(group, "reduce", zero_twice)
    drawn = Secret(SEED).scalar("x", b"ctx")
    assert reduced == [slow_proofs.secret_block(SEED, "scalar", number, "x", b"ctx") for number in range(3)]
    assert drawn == reduce(reduced[2])


def test_the_seed_shows_in_no_text_pickle_or_copy() -> None:
    secret = Secret(SEED)
    assert repr(secret) == str(secret) == f"{secret}" == "Secret(...)"
    for leave in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="not pickled or copied"):
            leave(secret)


def test_a_seed_of_another_length_and_a_permutation_too_long_are_our_own_bugs() -> None:
    for size in (0, 31, 33):
        with pytest.raises(ValueError, match=f"here are {size}"):
            Secret(bytes(size))
    for n in (-1, MOST_ITEMS + 1):
        with pytest.raises(ValueError, match=f"not {n}"):
            Secret(SEED).permutation(n, "x")
