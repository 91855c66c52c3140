"""The bodies of records: every kind comes back as it was written, and every wrong shape is refused as Malformed."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p_schotten.crypto.shuffle import proof_size
from p2p_schotten.errors import Malformed
from p2p_schotten.ids import DeckId
from p2p_schotten.protocol.messages import (
    CELL_BYTES,
    KIND_OF,
    MAX_CODE,
    MAX_DECKS,
    MAX_OPTIONS,
    MAX_POSITIONS,
    MAX_WORD,
    SHARE_BYTES,
    Body,
    Commit,
    Hello,
    Match,
    MoveBody,
    Open,
    Remade,
    Reveal,
    Seal,
    Shares,
    Shuffle,
    read_body,
    split_shares,
    write_body,
)
from p2p_schotten.protocol.record import Kind, Value, pack, unpack
from tests.protocol.courses import COURSES, course
from tests.protocol.test_msgpack import VALUES

HASH = st.binary(min_size=32, max_size=32)
WORD = st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=MAX_WORD)
SHARES = st.integers(0, 4).map(lambda count: bytes(range(SHARE_BYTES)) * count)
REMADE = st.builds(Remade, st.integers(0, MAX_DECKS - 1).map(DeckId), st.binary(max_size=200), st.binary(max_size=200))
DECKS = st.lists(REMADE, max_size=MAX_DECKS).map(tuple)
OUTCOME = st.tuples(*[st.integers(0, 255)] * 4)
VERSIONS = st.tuples(st.integers(1, 2**16 - 1), st.integers(1, 2**16 - 1)).map(lambda pair: (min(pair), max(pair)))
MATCH = st.builds(Match, st.just(b"") | HASH, st.integers(1, 255), st.just(b"") | HASH)

BODIES: dict[Kind, st.SearchStrategy[Body]] = {
    Kind.HELLO: st.builds(
        Hello,
        HASH,
        VERSIONS,
        WORD,
        WORD,
        HASH,
        st.lists(st.tuples(WORD, WORD), max_size=MAX_OPTIONS).map(tuple),
        HASH,
        st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
        MATCH,
    ),
    Kind.COMMIT: st.builds(Commit, HASH, HASH),
    Kind.OPEN: st.builds(Open, HASH, HASH, st.binary(min_size=64, max_size=64)),
    Kind.SHUFFLE: st.builds(Shuffle, SHARES, DECKS, SHARES),
    Kind.SHARES: st.builds(Shares, SHARES),
    Kind.MOVE: st.builds(
        MoveBody,
        SHARES,
        DECKS,
        st.lists(st.integers(0, 255), max_size=MAX_CODE).map(tuple),
        st.lists(st.integers(1, 255), max_size=MAX_POSITIONS).map(tuple),
        SHARES,
        HASH,
    ),
    Kind.SEAL: st.builds(Seal, HASH, OUTCOME),
    Kind.REVEAL: st.builds(Reveal, HASH),
}


@pytest.mark.parametrize("kind", list(Kind))
@settings(max_examples=40)
@given(data=st.data())
def test_every_body_comes_back_as_it_was_written(kind: Kind, data: st.DataObject) -> None:
    body = data.draw(BODIES[kind])
    written = write_body(body)
    assert KIND_OF[type(body)] is kind
    assert read_body(kind, written) == body
    travelled = unpack(pack(written))
    assert isinstance(travelled, list)
    assert read_body(kind, travelled) == body


def test_every_body_of_a_game_comes_back_as_it_travelled() -> None:
    kinds = set()
    for record in course(*COURSES[0]).records:
        _, _, _, number, fields, _ = as_list(unpack(record))
        assert isinstance(number, int)
        kind = Kind(number)
        kinds.add(kind)
        assert write_body(read_body(kind, as_list(fields))) == fields
    assert kinds == set(Kind)


def as_list(value: Value) -> list[Value]:
    assert isinstance(value, list)
    return value


H = bytes(32)  # any hash, key, point or seed
GOOD: dict[Kind, list[Value]] = {
    Kind.HELLO: [H, [1, 2], "suite", "base", H, [["flag", "on"]], H, "Ann", [H, 3, H]],
    Kind.COMMIT: [H, H],
    Kind.OPEN: [H, H, bytes(64)],
    Kind.SHUFFLE: [b"", [[0, bytes(CELL_BYTES), bytes(proof_size(1))]], bytes(2 * SHARE_BYTES)],
    Kind.SHARES: [bytes(SHARE_BYTES)],
    Kind.MOVE: [b"", [[0, b"", b""], [1, b"", b""]], [0, 5, 3], [1], bytes(SHARE_BYTES), H],
    Kind.SEAL: [H, [2, 0, 1, 5]],
    Kind.REVEAL: [H],
}


def put(body: list[Value], path: tuple[int, ...], value: Value) -> None:
    """Sets one place of a body; a path's end behind an array appends."""
    at: Value = body
    for step in path[:-1]:
        at = as_list(at)[step]
    items = as_list(at)
    if path[-1] == len(items):
        items.append(value)
    else:
        items[path[-1]] = value


# The kind, the place, and the values that may not stand there.
WRONG: list[tuple[Kind, tuple[int, ...], list[Value]]] = [
    (Kind.HELLO, (0,), [bytes(31), bytes(33), "x" * 32, 0, []]),
    (Kind.HELLO, (1,), [[], [1], [1, 2, 3], 1, b"\1\2"]),
    (Kind.HELLO, (1, 0), [0, -1, 2**16, 3, "1", b"1"]),  # 3: the lowest stands behind the highest
    (Kind.HELLO, (1, 1), [0, 2**16, "2"]),
    (Kind.HELLO, (2,), ["x" * 65, b"suite", 0, "\N{EURO SIGN}" * 22]),
    (Kind.HELLO, (3,), ["x" * 65, b"base", 0]),
    (Kind.HELLO, (4,), [bytes(31), "x" * 32, 0]),
    (Kind.HELLO, (5,), [[["a", "b"]] * 12, "flag", [["a"]], [["a", "b", "c"]], [[b"a", "b"]], [["a", 1]], ["ab"]]),
    (Kind.HELLO, (5, 0, 1), ["x" * 65]),
    (Kind.HELLO, (6,), [bytes(31), bytes(33), "x" * 32]),
    (Kind.HELLO, (7,), ["x" * 33, "\N{EURO SIGN}" * 11, b"Ann", 0, []]),
    (Kind.HELLO, (8,), [[], [H, 1], [H, 1, H, H], b""]),
    (Kind.HELLO, (8, 0), [bytes(31), "", 0]),
    (Kind.HELLO, (8, 1), [0, 256, "1"]),
    (Kind.HELLO, (8, 2), [bytes(31), "", 0]),
    (Kind.HELLO, (9,), [0]),
    (Kind.COMMIT, (0,), [bytes(31), bytes(33), "x" * 32, 0, []]),
    (Kind.COMMIT, (1,), [bytes(31), bytes(33), "x" * 32, 0, []]),
    (Kind.COMMIT, (2,), [H]),
    (Kind.OPEN, (0,), [bytes(31), bytes(33), "x" * 32]),
    (Kind.OPEN, (1,), [bytes(31), bytes(33), 0]),
    (Kind.OPEN, (2,), [bytes(63), bytes(65), b"", "x" * 64]),
    (Kind.OPEN, (3,), [H]),
    (Kind.SHUFFLE, (0,), [bytes(95), bytes(97), "", 0]),
    (Kind.SHUFFLE, (1,), [b"", [0], [[0, b""]], [[0, b"", b"", b""]], [[0, b"", b""]] * 3]),
    (Kind.SHUFFLE, (1, 0, 0), [-1, MAX_DECKS, b"\0"]),
    (Kind.SHUFFLE, (1, 0, 1), ["", 0, []]),
    (Kind.SHUFFLE, (1, 0, 2), ["", 0, []]),
    (Kind.SHUFFLE, (2,), [bytes(95), bytes(191), "", []]),
    (Kind.SHUFFLE, (3,), [b""]),
    (Kind.SHARES, (0,), [bytes(95), bytes(100), "", 0, []]),
    (Kind.SHARES, (1,), [b""]),
    (Kind.MOVE, (0,), [bytes(1), "", 0, []]),
    (Kind.MOVE, (1,), [b"", 0, [[0, b"", b""]] * 3, [[2, b"", b""]]]),
    (Kind.MOVE, (2,), [b"", 0, [0] * 17, [256], [-1], [b""], [[]]]),
    (Kind.MOVE, (3,), [b"", 0, [1] * 5, [0], [256], ["1"]]),
    (Kind.MOVE, (4,), [bytes(1), "", 0, []]),
    (Kind.MOVE, (5,), [bytes(31), bytes(33), "x" * 32, 0]),
    (Kind.MOVE, (6,), [b""]),
    (Kind.SEAL, (0,), [bytes(31), bytes(33), 0]),
    (Kind.SEAL, (1,), [[], [0, 0, 0], [0] * 5, b"\0\0\0\0", [0, 0, 0, 256], [-1, 0, 0, 0], ["0", 0, 0, 0]]),
    (Kind.SEAL, (2,), [0]),
    (Kind.REVEAL, (0,), [bytes(31), bytes(33), "x" * 32, 0]),
    (Kind.REVEAL, (1,), [H]),
]


@pytest.mark.parametrize("kind", list(Kind))
def test_the_good_example_of_each_kind_is_read_and_a_field_less_is_not(kind: Kind) -> None:
    assert write_body(read_body(kind, copy.deepcopy(GOOD[kind]))) == GOOD[kind]
    with pytest.raises(Malformed, match="expected an array"):
        read_body(kind, GOOD[kind][:-1])
    with pytest.raises(Malformed, match="expected an array"):
        read_body(kind, [])


@pytest.mark.parametrize(("kind", "path", "values"), WRONG)
def test_a_wrong_value_is_refused_at(kind: Kind, path: tuple[int, ...], values: list[Value]) -> None:
    for value in values:
        body = copy.deepcopy(GOOD[kind])
        put(body, path, value)
        with pytest.raises(Malformed, match="expected"):
            read_body(kind, body)


@pytest.mark.parametrize("kind", list(Kind))
@settings(max_examples=60)
@given(data=st.data())
def test_any_body_is_refused_or_comes_back_as_it_was(kind: Kind, data: st.DataObject) -> None:
    body = copy.deepcopy(GOOD[kind])
    put(body, (data.draw(st.integers(0, len(body))),), data.draw(VALUES))
    try:
        read = read_body(kind, body)
    except Malformed:
        return
    assert write_body(read) == body


def lengths(n: int) -> tuple[int, int]:
    return n * CELL_BYTES, proof_size(n)


@pytest.mark.parametrize("n", [1, 2, 6, 54])
def test_cells_and_their_proof_have_the_lengths_of_one_count(n: int) -> None:
    cells, proof = lengths(n)
    assert Remade(DeckId(0), bytes(cells), bytes(proof)).count() == n
    for wrong_cells, wrong_proof in (
        (cells - 1, proof),
        (cells + 32, proof),
        (cells, proof - 32),
        (cells, proof + 1),
        (cells + CELL_BYTES, proof),
        (0, proof_size(0)),
        (0, 0),
    ):
        with pytest.raises(Malformed, match="expected n x 64"):
            Remade(DeckId(0), bytes(wrong_cells), bytes(wrong_proof)).count()


def test_shares_are_split_at_96_bytes() -> None:
    shares = [bytes([number]) * 96 for number in range(5)]
    assert split_shares(b"".join(shares)) == tuple(shares)
    assert split_shares(b"") == ()


def test_terms_are_all_that_both_hellos_must_say_alike() -> None:
    first = read_body(Kind.HELLO, copy.deepcopy(GOOD[Kind.HELLO]))
    assert isinstance(first, Hello)
    agreed = {2, 3, 4, 5, 8}
    others: list[Value] = [b"n" * 32, [1, 1], "other", "other", b"d" * 32, [], b"i" * 32, "Bob", [H, 4, H]]
    for at, value in enumerate(others):
        body = copy.deepcopy(GOOD[Kind.HELLO])
        put(body, (at,), value)
        second = read_body(Kind.HELLO, body)
        assert isinstance(second, Hello)
        assert (second.terms() == first.terms()) is (at not in agreed)
