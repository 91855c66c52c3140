"""Attacks on the bytes of records: other encodings, lengths, values that no record holds (section 11, fourth group)."""

from __future__ import annotations

from collections.abc import Callable

import msgpack
import pytest

from p2p_schotten.crypto.hashing import hash64
from p2p_schotten.errors import Cause
from p2p_schotten.protocol.file import LENGTH_BYTES
from p2p_schotten.protocol.record import MAX_RECORD, SIGNATURE_BYTES, SIGNATURE_TAIL, Kind, Value, pack
from tests.protocol.liar import KINDS, Stage, file_of, spliced_refused, stage_of
from tests.protocol.pair import Story, entropy

pytestmark = pytest.mark.usefixtures("remembering")


def resigned(stage: Stage, unsigned: bytes) -> bytes:
    """These bytes, signed as the record that they may be."""
    game_id = b"" if stage.honest.kind is Kind.HELLO else stage.session.game_id
    return unsigned + pack(stage.identity.sign(hash64("record", game_id, unsigned)))


ENCODINGS: dict[str, Callable[[bytes, int], bytes]] = {
    "array 16": lambda data, seq: b"\xdc\x00\x06" + data[1:],
    "array 32": lambda data, seq: b"\xdd\x00\x00\x00\x06" + data[1:],
    "uint 8": lambda data, seq: data[:1] + b"\xcc" + data[1:],
    "uint 16": lambda data, seq: data[:1] + b"\xcd\x00" + data[1:],
    "int 8": lambda data, seq: data[:1] + b"\xd0" + data[1:],
    "int 64": lambda data, seq: data[:1] + b"\xd3" + bytes(7) + data[1:],
    "bin 16": lambda data, seq: data[:2] + b"\xc5\x00" + data[3:],
    "bin 32": lambda data, seq: data[:2] + b"\xc6\x00\x00\x00" + data[3:],
    "str for bin": lambda data, seq: data[:2] + b"\xd9" + data[3:],
}


@pytest.mark.parametrize("name", ENCODINGS)
def test_another_encoding_of_the_same_value(story: Story, name: str) -> None:
    for kind in (Kind.HELLO, Kind.COMMIT, Kind.SHARES):
        stage = stage_of(story, kind)
        data = stage.honest.data
        assert data[0] == 0x96
        assert data[1] == stage.seq < 128
        assert data[2:4] == b"\xc4\x20"
        lie = ENCODINGS[name](data[:-SIGNATURE_TAIL], stage.seq)
        if name != "str for bin":
            whole = msgpack.unpackb(lie + data[-SIGNATURE_TAIL:])
            assert whole == msgpack.unpackb(data)  # the same value
        stage.refused(resigned(stage, lie), Cause.BYTES, None)


@pytest.mark.parametrize("more", [b"\x00", b"\xc0", b"\xff" * 8])
def test_trailing_bytes(story: Story, more: bytes) -> None:
    for kind in KINDS:
        stage = stage_of(story, kind)
        stage.live(stage.honest.data + more, Cause.BYTES, None)


def test_trailing_bytes_in_a_file(story: Story) -> None:
    stage = stage_of(story, Kind.SHARES)
    stage.refused(stage.honest.data + b"\x00", Cause.BYTES, None)
    stage.refused(stage.honest.data[:-1], Cause.BYTES, None)


@pytest.mark.parametrize("kind", KINDS)
def test_a_huge_length(story: Story, kind: Kind) -> None:
    stage = stage_of(story, kind)
    limit = stage.session.limit()
    assert len(stage.honest.data) <= limit < MAX_RECORD
    stage.live(bytes(limit + 1), Cause.LENGTH, None)
    stage.live(stage.honest.data + bytes(limit), Cause.LENGTH, None)
    stage.refused(bytes(MAX_RECORD + 1), Cause.LENGTH, None)
    stage.live(bytes(limit), Cause.BYTES, None)


def test_a_length_in_the_file_that_nothing_has(story: Story) -> None:
    stage = stage_of(story, Kind.COMMIT)
    for length in (0, MAX_RECORD + 1, 2**32 - 1):
        data = file_of(*stage.pair.records) + length.to_bytes(LENGTH_BYTES, "big") + stage.honest.data
        spliced_refused(data, stage.seq, Cause.LENGTH, None)


@pytest.mark.parametrize(
    "value",
    [None, True, 1.5, float("nan"), {}, {"a": 1}, msgpack.ExtType(5, b""), msgpack.ExtType(5, b"x"), 2**64 - 1, -1],
    ids=str,
)
def test_values_that_no_record_holds(story: Story, value: object) -> None:
    stage = stage_of(story, Kind.SHARES)
    for fields in ([stage.seq, value], [value, stage.session.head]):
        whole = [*fields, stage.seat, Kind.SHARES.value, [b""], bytes(SIGNATURE_BYTES)]
        unsigned = msgpack.packb(whole, use_bin_type=True)[:-SIGNATURE_TAIL]
        stage.live(resigned(stage, unsigned), Cause.BYTES, None)
    whole = [stage.seq, stage.session.head, stage.seat, Kind.SHARES.value, [value], bytes(SIGNATURE_BYTES)]
    unsigned = msgpack.packb(whole, use_bin_type=True)[:-SIGNATURE_TAIL]
    # An integer may stand in a record, so this one is signed and convicts.
    blame = stage.seat if type(value) is int else None
    stage.refused(resigned(stage, unsigned), Cause.BYTES, blame)


def test_a_body_of_another_shape_convicts_its_author(story: Story) -> None:
    for kind in KINDS[1:]:
        stage = stage_of(story, kind)
        longer: list[Value] = [*stage.honest.body, 0]
        nested: list[Value] = [[[[[0]]]]]
        for body in (longer, nested):
            stage.live(stage.signed(body), Cause.BYTES, stage.seat)
        stage.refused(stage.signed([]), Cause.BYTES, stage.seat)
    stage = stage_of(story, Kind.HELLO)
    stage.refused(stage.signed([]), Cause.BYTES, None)


def test_arrays_nested_deeper_than_any_record(story: Story) -> None:
    stage = stage_of(story, Kind.COMMIT)
    for depth in (7, 150):
        head = pack([stage.seq, stage.session.head, int(stage.seat), Kind.COMMIT.value])[1:]
        unsigned = b"\x96" + head + b"\x91" * depth + b"\x90"
        stage.refused(resigned(stage, unsigned), Cause.BYTES, None)


def test_random_bytes(story: Story) -> None:
    stage = stage_of(story, Kind.MOVE)
    random = entropy("random bytes")
    for length in (0, 1, 2, 10, 100, 1000):
        stage.live(random(length), Cause.BYTES, None)
