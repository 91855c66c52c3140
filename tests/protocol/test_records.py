"""Strict msgpack and the record in it: one encoding per value, and nothing but Malformed for all else."""

from __future__ import annotations

import struct
import time

import msgpack
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from p2p_schotten.crypto.hashing import hash32, hash64
from p2p_schotten.crypto.identity import verify_signature
from p2p_schotten.errors import InvalidProof, Malformed
from p2p_schotten.ids import SEATS
from p2p_schotten.protocol.record import (
    MAX_DEPTH,
    MAX_ITEMS,
    MAX_RECORD,
    Kind,
    Value,
    make_record,
    pack,
    read_record,
    take_bytes,
    take_int,
    take_list,
    take_text,
    unpack,
)
from tests.protocol.courses import course
from tests.protocol.pair import identity_of

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
    start = time.perf_counter()
    for _ in range(3):
        with pytest.raises(Malformed):
            read_record(data)
    assert time.perf_counter() - start < 1  # some microseconds each; the bound only catches a parser that runs away


def test_integers_beyond_64_bits_cannot_come_and_none_leaves() -> None:
    assert unpack(pack(2**64 - 1)) == 2**64 - 1
    assert unpack(pack(-(2**63))) == -(2**63)
    for number in (2**64, -(2**63) - 1):
        with pytest.raises(OverflowError):
            pack(number)


def refused_or_itself(data: bytes) -> None:
    """The one law of the decoder: it gives a value whose encoding these bytes are, or Malformed."""
    try:
        value = unpack(data)
    except Malformed:
        pass
    else:
        assert pack(value) == data
    try:
        record = read_record(data)
    except Malformed:
        return
    again: list[Value] = [record.seq, record.prev, int(record.seat), int(record.kind), record.body, record.signature]
    assert pack(again) == data


@settings(max_examples=600)
@given(st.binary(max_size=80))
@example(b"")
@example(b"\x96")
def test_any_bytes_are_refused_or_themselves(data: bytes) -> None:
    refused_or_itself(data)


ANYTHING = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.floats(),
        st.integers(-(2**63), 2**64 - 1),
        st.binary(max_size=40),
        st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
        st.builds(msgpack.ExtType, st.integers(0, 127), st.binary(max_size=8)),
        st.builds(msgpack.Timestamp, st.integers(0, 2**34), st.integers(0, 999_999_999)),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=8), st.dictionaries(st.integers(0, 9), inner, max_size=3)),
    max_leaves=12,
)


@given(ANYTHING)
def test_any_msgpack_at_all_is_refused_or_itself(value: object) -> None:
    refused_or_itself(msgpack.packb(value))


@given(st.lists(ANYTHING, min_size=6, max_size=6))
def test_any_array_of_six_is_refused_or_a_record(fields: list[object]) -> None:
    refused_or_itself(msgpack.packb(fields))


@pytest.fixture(scope="module")
def records() -> list[bytes]:
    return course("resigning at once", 6).records


@settings(max_examples=300)
@given(data=st.data())
def test_a_mutated_record_is_refused_or_itself(data: st.DataObject) -> None:
    record = bytearray(data.draw(st.sampled_from(course("resigning at once", 6).records)))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, min(len(record), 60) - 1))
        match data.draw(st.sampled_from(["set", "delete", "insert"])):
            case "set":
                record[at] = data.draw(st.integers(0, 255))
            case "delete":
                del record[at]
            case _:
                record.insert(at, data.draw(st.integers(0, 255)))
    refused_or_itself(bytes(record))


def test_every_record_of_a_game_is_read_as_it_was_made(records: list[bytes]) -> None:
    for seq, data in enumerate(records):
        record = read_record(data)
        assert record.seq == seq
        assert record.data == data
        assert record.head() == hash32("head", data)
        if seq:
            assert record.prev == read_record(records[seq - 1]).head()


def fields_of(data: bytes) -> list[Value]:
    fields = unpack(data)
    assert isinstance(fields, list)
    return fields


WRONG_FIELDS: list[tuple[int, Value]] = [
    (0, -1),
    (0, 2**32),
    (0, b""),
    (0, "0"),
    (0, []),
    (1, bytes(31)),
    (1, bytes(33)),
    (1, "x" * 32),
    (1, 0),
    (2, -1),
    (2, 2),
    (2, b"\0"),
    (3, 0),
    (3, 9),
    (3, "HELLO"),
    (4, 0),
    (4, b""),
    (4, ""),
    (5, bytes(63)),
    (5, bytes(65)),
    (5, ""),
]


@pytest.mark.parametrize(("at", "value"), WRONG_FIELDS)
def test_a_record_with_a_wrong_field_is_refused_in_words_without_its_content(
    at: int, value: Value, records: list[bytes]
) -> None:
    fields = fields_of(records[2])
    fields[at] = value
    with pytest.raises(Malformed, match="expected"):
        read_record(pack(fields))


@pytest.mark.parametrize("value", [0, "six", b"sixsix", [], [0] * 5, [0] * 7])
def test_a_record_is_an_array_of_six(value: Value) -> None:
    with pytest.raises(Malformed, match="an array of six"):
        read_record(pack(value))


def test_a_signature_covers_the_label_the_game_and_every_byte_before_it() -> None:
    identity = identity_of(1, SEATS[0])
    game_id = hash32("some game")
    body: list[Value] = [b"x" * 32, b"y" * 32]
    data = make_record(2, hash32("before"), SEATS[0], Kind.COMMIT, body, game_id, identity)
    record = read_record(data)
    record.verify(game_id, identity.public)
    # As the documentation has it: the last 66 bytes are the signature and its header.
    verify_signature(identity.public, hash64("record", game_id, data[:-66]), data[-64:])
    for other_game in (b"", hash32("another game")):
        with pytest.raises(InvalidProof):
            record.verify(other_game, identity.public)
    with pytest.raises(InvalidProof):
        record.verify(game_id, identity_of(1, SEATS[1]).public)
    for at in (1, 5, 36, 37, 38, 40, 80, len(data) - 64, len(data) - 1):
        changed = bytearray(data)
        changed[at] ^= 1
        try:
            other = read_record(bytes(changed))
        except Malformed:
            continue
        with pytest.raises(InvalidProof):
            other.verify(game_id, identity.public)


@pytest.mark.parametrize("value", ["text", b"bytes", [], 5, -1, 10])
def test_take_int_takes_integers_of_its_range_only(value: Value) -> None:
    assert take_int(0, 0, 4, "it") == 0
    assert take_int(4, 0, 4, "it") == 4
    with pytest.raises(Malformed, match=r"it: expected an integer in 0\.\.4, got"):
        take_int(value, 0, 4, "it")


@pytest.mark.parametrize("value", ["text", b"four", [], 5])
def test_take_bytes_takes_bytes_of_its_length_only(value: Value) -> None:
    assert take_bytes(b"12345", 5, "it") == b"12345"
    assert take_bytes(b"", None, "it") == b""
    with pytest.raises(Malformed, match="it: expected 5 bytes, got"):
        take_bytes(value, 5, "it")


@pytest.mark.parametrize("value", ["\N{EURO SIGN}", "1234", b"x", [], 5])
def test_take_text_counts_bytes_of_utf_8(value: Value) -> None:
    assert take_text("ab", 2, "it") == "ab"
    with pytest.raises(Malformed, match="it: expected a string of at most 2 bytes, got"):
        take_text(value, 2, "it")


@pytest.mark.parametrize("value", ["\x1b[2J", b"\x1b[2J", [0], 5])
def test_an_error_never_repeats_text_that_came(value: Value) -> None:
    with pytest.raises(Malformed) as caught:
        take_list(value, 2, "it")
    assert "\x1b" not in str(caught.value)
    assert str(caught.value).startswith("it: expected an array of 2, got")
    with pytest.raises(Malformed, match=r"it: expected an array, got"):
        take_list(value if not isinstance(value, list) else b"", None, "it")
