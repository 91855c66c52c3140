"""Strict msgpack: one encoding for each value, and nothing but Malformed for all else."""

from __future__ import annotations

import struct
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_schotten.errors import Malformed
from p2p_schotten.protocol.record import (
    MAX_DEPTH,
    MAX_ITEMS,
    MAX_RECORD,
    Value,
    pack,
    read_record,
    unpack,
)

LEAVES = st.one_of(
    st.integers(-(2**63), 2**64 - 1),
    st.integers(-200, 70_000),
    st.binary(max_size=300),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=80),
)


def nested(depth: int) -> st.SearchStrategy[Value]:
    """Values of at most that many arrays inside one another."""
    if depth == 0:
        return LEAVES
    return st.one_of(LEAVES, st.lists(nested(depth - 1), max_size=4))


VALUES: st.SearchStrategy[Value] = st.one_of(nested(MAX_DEPTH), st.lists(LEAVES, max_size=MAX_ITEMS))


def wrapped(depth: int) -> bytes:
    """That many arrays inside one another, the innermost empty."""
    return b"\x91" * (depth - 1) + b"\x90"


@given(VALUES)
def test_unpack_gives_back_what_was_packed(value: Value) -> None:
    assert unpack(pack(value)) == value


def encodings(value: Value) -> list[bytes]:
    """Every encoding of one value that the msgpack specification allows, its arrays' items in the shortest; the first
    is the shortest. Written from the specification, for the tests only."""
    match value:
        case int():
            found = [struct.pack("b", value)] if -32 <= value <= 127 else []
            for code, form, low, high in (
                (0xCC, ">B", 0, 2**8 - 1),
                (0xD0, ">b", -(2**7), 2**7 - 1),
                (0xCD, ">H", 0, 2**16 - 1),
                (0xD1, ">h", -(2**15), 2**15 - 1),
                (0xCE, ">I", 0, 2**32 - 1),
                (0xD2, ">i", -(2**31), 2**31 - 1),
                (0xCF, ">Q", 0, 2**64 - 1),
                (0xD3, ">q", -(2**63), 2**63 - 1),
            ):
                if low <= value <= high:
                    found.append(bytes([code]) + struct.pack(form, value))
            return found
        case bytes():
            return headed(value, len(value), ((0xC4, ">B", 2**8), (0xC5, ">H", 2**16), (0xC6, ">I", 2**32)))
        case str():
            text = value.encode()
            short = [bytes([0xA0 | len(text)]) + text] if len(text) < 32 else []
            return short + headed(text, len(text), ((0xD9, ">B", 2**8), (0xDA, ">H", 2**16), (0xDB, ">I", 2**32)))
        case list():
            items = b"".join(encodings(item)[0] for item in value)
            short = [bytes([0x90 | len(value)]) + items] if len(value) < 16 else []
            return short + headed(items, len(value), ((0xDC, ">H", 2**16), (0xDD, ">I", 2**32)))


def headed(content: bytes, length: int, forms: tuple[tuple[int, str, int], ...]) -> list[bytes]:
    return [bytes([code]) + struct.pack(form, length) + content for code, form, most in forms if length < most]


@given(VALUES)
def test_of_all_encodings_of_a_value_the_shortest_alone_is_taken(value: Value) -> None:
    shortest, *longer = encodings(value)
    assert pack(value) == shortest
    assert unpack(shortest) == value
    for data in longer:
        with pytest.raises(Malformed):
            unpack(data)
        with pytest.raises(Malformed):
            unpack(b"\x92\x01" + data)


FOREIGN = {
    "nil": b"\xc0",
    "the unused byte": b"\xc1",
    "false": b"\xc2",
    "true": b"\xc3",
    "float 32": b"\xca\x3f\x80\x00\x00",
    "float 64": b"\xcb\x3f\xf0" + bytes(6),
    "not a number": b"\xcb\x7f\xf8" + bytes(6),
    "empty map": b"\x80",
    "map": b"\x81\x01\x02",
    "map 16": b"\xde\x00\x01\x01\x02",
    "map 32": b"\xdf\x00\x00\x00\x01\x01\x02",
    "map with an array as key": b"\x81\x90\x02",
    "fixext 1": b"\xd4\x05\x00",
    "ext 8, empty": b"\xc7\x00\x05",
    "ext 8": b"\xc7\x01\x05\x00",
    "timestamp 32": b"\xd6\xff" + bytes(4),
    "timestamp 64": b"\xd7\xff" + bytes(8),
    "timestamp 96": b"\xc7\x0c\xff" + bytes(12),
    "invalid UTF-8": b"\xa2\xff\xfe",
    "cut UTF-8": b"\xa1\xc3",
    "overlong UTF-8": b"\xa2\xc0\x80",
    "a lone surrogate": b"\xa3\xed\xa0\x80",
    "beyond Unicode": b"\xa4\xf5\x80\x80\x80",
}


@pytest.mark.parametrize("what", FOREIGN)
@pytest.mark.parametrize("inside", [0, 1, MAX_DEPTH])
def test_refused_wherever_it_stands(what: str, inside: int) -> None:
    with pytest.raises(Malformed):
        unpack(b"\x91" * inside + FOREIGN[what])


def test_an_extension_type_is_refused_without_a_byte_of_content() -> None:
    # msgpack lets an empty extension pass its limit of 0 bytes: it is refused as a foreign value.
    with pytest.raises(Malformed):
        unpack(b"\xc7\x00\x2a")


def test_what_is_cut_or_followed_by_more_is_refused() -> None:
    whole = pack([1, b"xyz", "text", [2, [3]]])
    assert unpack(whole)
    for at in range(len(whole)):
        with pytest.raises(Malformed):
            unpack(whole[:at])
    for more in (b"\x00", b"\xc0", whole):
        with pytest.raises(Malformed):
            unpack(whole + more)


def test_arrays_nest_six_deep_and_no_deeper() -> None:
    assert unpack(wrapped(MAX_DEPTH)) == [[[[[[]]]]]]
    for depth in (MAX_DEPTH + 1, 100, 511, 512, 513, 1024, 1025, 5000, MAX_RECORD):
        with pytest.raises(Malformed):
            unpack(wrapped(depth))


def test_an_array_has_at_most_32_items() -> None:
    assert unpack(pack([0] * MAX_ITEMS)) == [0] * MAX_ITEMS
    with pytest.raises(Malformed):
        unpack(pack([0] * (MAX_ITEMS + 1)))


@pytest.mark.parametrize(
    "code", [b"\xdc\xff\xff", b"\xdd\xff\xff\xff\xff", b"\xc6\xff\xff\xff\xff", b"\xdb\x7f\xff\xff\xff"]
)
def test_an_announced_length_is_not_believed(code: bytes) -> None:
    with pytest.raises(Malformed):
        unpack(code + b"\x90" * 100)


@pytest.mark.parametrize(
    "data",
    [
        b"\x90" * 2**20,
        b"\x91" * 2**20,
        (b"\xdc\x00\x20" + b"\x90" * 32) * 2**15,
        b"\xdd\x00\x10\x00\x00" + b"\x90" * 2**20,
        # The largest that is parsed at all: nothing but arrays of 32 arrays.
        b"\xdc\x00\x20" + (b"\xdc\x00\x20" + (b"\xdc\x00\x20" + b"\x90" * 32) * 32) * 32,
    ],
)
def test_a_mebibyte_of_arrays_is_refused_in_no_time(data: bytes) -> None:
    start = time.process_time()
    for _ in range(3):
        with pytest.raises(Malformed):
            read_record(data)
    assert time.process_time() - start < 1  # some microseconds each; the bound only catches a parser that runs away


def test_integers_beyond_64_bits_cannot_come_and_none_leaves() -> None:
    assert unpack(pack(2**64 - 1)) == 2**64 - 1
    assert unpack(pack(-(2**63))) == -(2**63)
    for number in (2**64, -(2**63) - 1):
        with pytest.raises(OverflowError):
            pack(number)
