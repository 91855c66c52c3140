"""The record: nothing but Malformed for whatever is none, and a signature over all of it."""

from __future__ import annotations

import msgpack
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from p2p_schotten.crypto.hashing import hash32, hash64
from p2p_schotten.crypto.identity import verify_signature
from p2p_schotten.errors import InvalidProof, Malformed
from p2p_schotten.ids import SEATS
from p2p_schotten.protocol.record import (
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
