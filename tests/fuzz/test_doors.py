"""Every door lets nothing escape but its own refusals: on its corpus, on real inputs, and on a bounded share of others.

`python scripts/soak.py fuzz` runs as many inputs as one likes.
"""

from __future__ import annotations

import tracemalloc
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.mutate import Shape, mutated
from tests.fuzz.run import Tally, run, split
from tests.fuzz.target import CORPUS, Target
from tests.fuzz.targets import ALL, BY_NAME, TARGETS

MOST_CORPUS = 330_000  # bytes of all files together
MOST_FILE = 42_000  # bytes: an order that is longer than the longest one of 40 KiB
EXAMPLES = 25  # of one target; the many are in the soak
BOMB = 72 * 1024  # bytes: a little more than is parsed at all
MANY = 2000  # things in one input
# Bytes of memory for each byte of input. An empty array is one byte in msgpack and 64 as a list in its list, and the
# decoder holds what it read beside what it checked.
EACH = 160
ALLOWANCE = 5 * 1024 * 1024  # a file of the home folder is asked for as much as it may have, 4 MiB, whatever it has

every_target = pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)


@every_target
def test_real_inputs_are_taken(target: Target) -> None:
    seeds = target.seeds()
    assert seeds
    if target.name != "desk":  # there most lines fit one position and are refused at the others
        assert [data for data in seeds if not target.run(data)] == []
    assert any(target.run(data) for data in seeds)


@every_target
def test_the_corpus_is_taken_or_refused_as_its_names_say(target: Target) -> None:
    found = {name: target.run(data) for name, data in target.corpus()}
    assert found, "every target has a corpus"
    assert found == {name: name.startswith("taken-") for name in found}
    assert all(name.startswith(("taken-", "refused-")) for name in found)


def test_the_corpus_is_small_and_belongs_to_targets() -> None:
    files = [file for folder in CORPUS.iterdir() for file in folder.iterdir()]
    assert {file.parent.name for file in files} == {target.name for target in TARGETS}
    sizes = [file.stat().st_size for file in files]
    assert sum(sizes) < MOST_CORPUS
    assert max(sizes) < MOST_FILE


@every_target
@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(random=st.randoms(use_true_random=False))
def test_nothing_escapes_when_a_real_input_is_changed(target: Target, random: Random) -> None:
    target.run(mutated(random, target.shape, target.all_seeds(), target.words))


@every_target
@settings(max_examples=EXAMPLES, deadline=None)
@given(data=st.binary(max_size=200))
def test_nothing_escapes_for_bytes_out_of_nowhere(target: Target, data: bytes) -> None:
    target.run(data)


BOMBS = {
    "empty arrays": b"\x90" * BOMB,
    "nested arrays": b"\x91" * BOMB,
    "arrays of arrays": (b"\xdc\x00\x20" + b"\x90" * 32) * (BOMB // 35),
    "the most that is parsed": b"\xdc\x00\x20" + (b"\xdc\x00\x20" + (b"\xdc\x00\x20" + b"\x90" * 32) * 32) * 32,
    "an announced array": b"\xdd\xff\xff\xff\xff" + b"\x90" * 100,
    "an announced frame": b"\x00\x01\xff\xff\xff\xff" + b"\x90" * 100,
    "frames of nothing": b"\x0f" + b"\x02\x00\x00\x00\x00" * MANY,
    "items of nothing": b"schotten transcript 1\n" + b"\x00\x00\x00\x01\x90" * MANY,
    "nested JSON": b"[" * BOMB,
    "JSON of objects": b"[" + b"{}," * (BOMB // 3) + b"{}]",
    "players": b'{"form":1,"players":[' + b'{"":{}},' * (BOMB // 8) + b"0]}",
    "digits": b"9" * BOMB,
    "letters": b"SCHOTTEN1:" + b"A" * BOMB,
    "words": b"play " * (BOMB // 5),
    "lines": b"1\n" * MANY,
}


@every_target
def test_no_input_takes_more_memory_than_its_length_allows(target: Target) -> None:
    for data in (*target.seeds()[:2], b"", *BOMBS.values()):
        target.run(data)  # what is made once is made now
    for name, data in BOMBS.items():
        tracemalloc.start()
        try:
            target.run(data)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert peak <= EACH * len(data) + ALLOWANCE, f"{target.name}: {peak} bytes for {len(data)} of {name}"


# The tools themselves


def test_the_same_seed_makes_the_same_inputs() -> None:
    for shape in Shape:
        first, second, other = (
            [mutated(random, shape, (b'{"a": [1, 2]}', b"\x93\x01\x02\x03"), ("word",)) for _ in range(50)]
            for random in (Random(1), Random(1), Random(2))
        )
        assert first == second
        assert first != other
        assert len(set(first)) > 25


def test_a_run_keeps_the_shortest_input_that_escapes_and_counts_the_others() -> None:
    def door(data: bytes) -> bool:
        if data.startswith(b"\x93") and len(data) > 2:
            raise KeyError(len(data))
        return data.startswith(b"\x93")

    target = Target("toy", door, lambda: (b"\x93\x01\x02\x03",), Shape.PACKED, 1)
    tally = run(target, 2000, 1)
    assert tally == Tally("toy", 2000, tally.taken, tally.seconds, tally.finds)
    assert 0 < tally.taken < 1000
    ((what, data),) = tally.finds.items()
    assert what.startswith("KeyError at ")
    assert len(data) == 3


def test_a_run_over_all_targets_is_split_by_their_shares() -> None:
    counts = {target.name: count for target, count in split(ALL, 100_000)}
    assert counts.keys() == BY_NAME.keys()
    assert 99_000 < sum(counts.values()) <= 100_000
    assert counts["step"] < counts["record"] / 10
