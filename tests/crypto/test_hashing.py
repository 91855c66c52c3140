"""Hashing is injective and as written down: expected bytes are spelled out here."""

from __future__ import annotations

from hashlib import sha512
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p_schotten.crypto.hashing import Part, challenge, encode, hash32, hash64
from tests.crypto import slow

PARTS: st.SearchStrategy[Part] = st.recursive(
    st.binary(max_size=9) | st.integers() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=4).map(tuple),
    max_leaves=12,
)


def decode(data: bytes) -> tuple[Part, bytes]:
    """The part at the beginning of `data`, and what follows it. Written here only."""
    letter, number, rest = data[:1], int.from_bytes(data[1:9], "big"), data[9:]
    if letter == b"l":
        items: list[Part] = []
        for _ in range(number):
            item, rest = decode(rest)
            items.append(item)
        return tuple(items), rest
    content, rest = rest[:number], rest[number:]
    if letter == b"s":
        return content.decode(), rest
    return (content if letter == b"b" else int.from_bytes(content, "big", signed=True)), rest


@settings(max_examples=200, deadline=None)
@given(PARTS, st.binary(max_size=5))
def test_a_part_can_be_read_back_and_its_end_be_told_so_the_encoding_is_injective(part: Part, tail: bytes) -> None:
    assert decode(encode(part) + tail) == (part, tail)


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (b"", "62 0000000000000000"),
        (b"\0\1", "62 0000000000000002 0001"),
        ("", "73 0000000000000000"),
        ("Zug", "73 0000000000000003 5a7567"),
        ("ü", "73 0000000000000002 c3bc"),
        (0, "69 0000000000000001 00"),
        (1, "69 0000000000000001 01"),
        (127, "69 0000000000000001 7f"),
        (128, "69 0000000000000002 0080"),
        (-1, "69 0000000000000001 ff"),
        (2**64, "69 0000000000000009 010000000000000000"),
        ((), "6c 0000000000000000"),
        ((b"", 1), "6c 0000000000000002 62 0000000000000000 69 0000000000000001 01"),
        (((),), "6c 0000000000000001 6c 0000000000000000"),
    ],
)
def test_encodings_written_by_hand(part: Part, expected: str) -> None:
    assert encode(part) == bytes.fromhex(expected)


def test_hashes_are_sha_512_of_domain_label_and_parts() -> None:
    message = bytes.fromhex(
        "6c 0000000000000004"
        "73 000000000000000c 7032705f7363686f7474656e"  # p2p_schotten
        "73 0000000000000001 63"  # the label c
        "62 0000000000000002 abcd"
        "69 0000000000000001 05"
    )
    digest = sha512(message).digest()
    assert hash64("c", b"\xab\xcd", 5) == digest
    assert hash32("c", b"\xab\xcd", 5) == digest[:32]
    assert challenge("c", b"\xab\xcd", 5) == slow.scalar_bytes(int.from_bytes(digest, "little"))


def test_sha_512_is_that_of_fips_180() -> None:
    assert sha512(b"abc").hexdigest() == (
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    )


def test_inputs_that_look_alike_hash_apart() -> None:
    digests = [
        hash64("ab"),
        hash64("a", "b"),
        hash64("a", b"b"),
        hash64("a", ("b",)),
        hash64("a", (b"b",)),
        hash64("a", b"b", b""),
        hash64("a", b"", b"b"),
        hash64("a", "b", "c"),
        hash64("a", "bc"),
        hash64("a", ("b", "c")),
        hash64("a", ("b",), "c"),
        hash64("a", (("b",), "c")),
        hash64("a", 98),
        hash64("a", 0),
        hash64("a", b"\0"),
        hash64("a", ()),
        hash64("a"),
        hash64("b"),
    ]
    assert all(left != right for left, right in combinations(digests, 2))


def test_a_challenge_uses_the_upper_half_of_its_hash_too() -> None:
    digest = hash64("c", 7)
    assert challenge("c", 7) != slow.scalar_bytes(int.from_bytes(digest[:32], "little"))
