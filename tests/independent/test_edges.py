"""The edges of a file, and what stands outside the chain: the package and tests/independent judge them alike."""

from __future__ import annotations

import pytest

from tests.independent import wire
from tests.independent.honest import Honest, agreed
from tests.independent.mutate import body_of, fields_of, file_of
from tests.independent.wire import MAGIC, Value, pack


@pytest.mark.parametrize(
    ("data", "valid"),
    [
        (MAGIC, True),
        (b"", False),
        (MAGIC[:-1], False),
        (MAGIC.replace(b"1", b"2"), False),
        (MAGIC + bytes(4 << 20), False),
    ],
    ids=["no record", "nothing", "cut header", "another format", "more than 4 MiB"],
)
def test_both_refuse_a_strange_file_as_a_whole(data: bytes, valid: bool) -> None:
    verdict = agreed(data)
    assert verdict[:4] == ((True, None, None, None) if valid else (False, 0, "undecodable bytes", None))


@pytest.mark.parametrize("tail", [b"\0", bytes(4), b"\0\1\0\1", b"\0\0\0\5abcd"])
def test_both_refuse_a_torn_or_damaged_end_where_the_next_record_would_be(honest: Honest, tail: bytes) -> None:
    for count in (2, honest.resigned, len(honest.records)):
        verdict = agreed(file_of(honest.records[:count]) + tail, honest)
        assert verdict[:4] == (False, count, "length", None)


def test_both_judge_a_close_alike_at_every_place_behind_the_resignation(honest: Honest) -> None:
    mutator = honest.mutator(0)
    outcome: list[Value] = list(body_of(honest.records[-3])[1])  # type: ignore[arg-type]  # the outcome code in SEAL 1
    for count in range(honest.resigned - 1, len(honest.records) + 1):
        due = honest.sessions[count].due()
        for seat in (0, 1):
            close = mutator.close(honest.records[:count], seat, outcome, honest.seeds[seat])
            verdict = agreed(file_of([*honest.records[:count], close]), honest)
            if count >= honest.resigned and due is not None and due[0] != seat:
                assert verdict.valid
                assert verdict.over
            else:
                assert verdict[:4] == (False, count, "close", seat)


def test_both_refuse_a_false_close_for_one_reason(honest: Honest) -> None:
    mutator, count = honest.mutator(0), honest.resigned
    records = honest.records[:count]
    seat = 1 - honest.sessions[count].due()[0]  # type: ignore[index]  # somebody is due
    outcome: list[Value] = list(body_of(honest.records[-3])[1])  # type: ignore[arg-type]  # the outcome code in SEAL 1
    seed = honest.seeds[seat]
    close = mutator.close(records, seat, outcome, seed)
    fields = fields_of(close)
    other_outcome: list[Value] = [2, *outcome[1:]]
    cases: list[tuple[list[bytes], str, int | None]] = [
        ([mutator.close(records, seat, outcome, bytes(32))], "seed", seat),
        ([mutator.close(records, seat, outcome, honest.seeds[1 - seat])], "seed", seat),
        ([mutator.close(records, seat, other_outcome, seed)], "close", seat),
        ([mutator.close(records, seat, outcome[:3], seed)], "undecodable bytes", None),
        ([mutator.close(records[:-1], seat, outcome, seed)], "close", None),
        ([pack([*fields[:5], bytes(64)])], "signature", None),
        ([pack([*fields[:1], 2, *fields[2:]])], "undecodable bytes", None),
        ([pack([*fields, b""])], "undecodable bytes", None),
        ([pack([*fields[:4], bytes(1000), fields[5]])], "length", None),
        ([close, close], "undecodable bytes", None),
        ([close, honest.records[count]], "undecodable bytes", None),
    ]
    for items, cause, blame in cases:
        verdict = agreed(file_of([*records, *items]), honest)
        assert verdict[:4] == (False, count, cause, blame)


def test_both_refuse_a_fault_that_proves_nothing(honest: Honest) -> None:
    for count in (0, 3, honest.resigned):
        records = honest.records[:count]
        head = wire.h32("head", records[-1]) if records else bytes(32)
        for seat in (0, 1):
            for share in (b"", bytes(96)):
                for seq in (max(0, count - 1), count):
                    fault = pack(["fault", seat, seq, "false face", head, share])
                    verdict = agreed(file_of([*records, fault]), honest)
                    assert verdict[:4] == (False, count, "close", None)


def test_both_take_a_fault_whose_cause_has_more_than_320_bytes_for_no_fault() -> None:
    """Where a HELLO is due, so that a record might be as long."""
    for length, cause in ((320, "close"), (321, "undecodable bytes")):
        fault = pack(["fault", 0, 0, ("rules: " + length * "x")[:length], bytes(32), b""])
        assert agreed(file_of([fault]))[:4] == (False, 0, cause, None), length


def test_both_find_a_second_record_at_one_place_wherever_it_stands(honest: Honest) -> None:
    mutator = honest.mutator(0)
    end = len(honest.records)
    for number in (0, 1, 2, 5, 8, honest.resigned - 1, end - 1):
        fields = fields_of(honest.records[number])
        twin = mutator.signed([*fields[:1], bytes(32), *fields[2:]])
        if fields[1] == bytes(32):
            twin = mutator.signed([*fields[:4], [*body_of(honest.records[number])[:-2], "Eve", [b"", 1, b""]]])
        verdict = agreed(file_of([*honest.records, twin]), honest)
        fork = (False, end, "two records at one place", fields[2])
        assert verdict[:4] == (fork if number >= 2 else (False, end, "out of turn", None))
