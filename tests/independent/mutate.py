"""Seeded changes to the items of an honest file, signed again by their authors where the chain should hold."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from tests.independent.forms import hello
from tests.independent.wire import MAGIC, Value, h32, h64, pack, unpack

Sign = Callable[[int, bytes], bytes]  # seat, message: the signature under the seat's identity


class Mutant(NamedTuple):
    """A changed file, where the change is, and what it is."""

    items: tuple[bytes, ...]
    number: int
    what: str


def file_of(items: Sequence[bytes]) -> bytes:
    return MAGIC + b"".join(len(item).to_bytes(4, "big") + item for item in items)


def fields_of(record: bytes) -> list[Value]:
    value = unpack(record)
    assert isinstance(value, list)
    return value


def body_of(record: bytes) -> list[Value]:
    body = fields_of(record)[4]
    assert isinstance(body, list)
    return body


def with_body(record: bytes, place: int, value: Value) -> list[Value]:
    """The fields of the record, with this value at a place of its body."""
    fields, body = fields_of(record), body_of(record)
    return [*fields[:4], [*body[:place], value, *body[place + 1 :]], *fields[5:]]


class Mutator:
    """Changes the records of one honest game, whose game id and identities it knows."""

    def __init__(self, records: Sequence[bytes], sign: Sign, seed: int) -> None:
        self.records = tuple(records)
        self.sign = sign
        self.random = random.Random(seed)
        hellos = [hello(body_of(record)) for record in records[:2]]
        self.game_id = h32("game", tuple(said.nonce for said in hellos), tuple(said.identity for said in hellos))

    def signed(self, fields: Sequence[Value], seat: int | None = None) -> bytes:
        """The record of the first five of these fields, signed by `seat` (the one it names)."""
        unsigned = b"\x96" + b"".join(pack(field) for field in fields[:5])
        author = fields[2] if seat is None else seat
        scope = b"" if fields[3] == 1 else self.game_id
        return unsigned + b"\xc4\x40" + self.sign(1 if author == 1 else 0, h64("record", scope, unsigned))

    def close(self, records: Sequence[bytes], seat: int, outcome: list[Value], seed: bytes) -> bytes:
        """A CLOSE behind these records."""
        fields: list[Value] = ["close", seat, h32("head", records[-1]), outcome, seed]
        return pack([*fields, self.sign(seat, h64("close", self.game_id, pack(fields)))])

    def flipped(self, number: int) -> Mutant:
        """One bit anywhere in a record, nothing signed again."""
        record = bytearray(self.records[number])
        bit = self.random.randrange(8 * len(record))
        record[bit // 8] ^= 1 << bit % 8
        return self._with(number, bytes(record), f"bit {bit}")

    def changed(self, number: int, field: int | None = None) -> Mutant:
        """One value somewhere in the five signed fields (or in one of them), signed again by the seat it names."""
        fields = fields_of(self.records[number])
        while True:
            at = self.random.randrange(5) if field is None else field
            paths = list(_paths(fields[at], (at,)))
            path = self.random.choice(paths)
            new = self._changed_at(fields, path)
            if new != fields:
                assert isinstance(new, list)
                return self._with(number, self.signed(new), f"field {path}")

    def as_the_other(self, number: int) -> Mutant:
        """The record with the other seat as its author, signed by that one."""
        fields = fields_of(self.records[number])
        fields[2] = 0 if fields[2] else 1
        return self._with(number, self.signed(fields), "other author")

    def signed_by_the_other(self, number: int) -> Mutant:
        """The record as it is, under the other seat's key."""
        fields = fields_of(self.records[number])
        return self._with(number, self.signed(fields, 0 if fields[2] else 1), "other key")

    def rearranged(self, number: int) -> Mutant:
        """A record left out, said twice, swapped with its neighbour, or said once more much later."""
        items = list(self.records)
        what = self.random.choice(["left out", "twice", "swapped", "later"])
        if what == "left out":
            del items[number]
        elif what == "twice":
            items.insert(number, items[number])
        elif what == "later":
            items.insert(self.random.randrange(number, len(items)) + 1, items[number])
        elif number + 1 < len(items):
            items[number : number + 2] = items[number + 1], items[number]
        return Mutant(tuple(items), number, what)

    def forked(self, number: int) -> Mutant:
        """Another record of the same seat for the same place stands somewhere behind it."""
        other = self.changed(number, self.random.choice([1, 3, 4])).items[number]
        at = self.random.randrange(number, len(self.records)) + 1
        return Mutant((*self.records[:at], other, *self.records[at:]), at, f"fork of {number}")

    def _with(self, number: int, record: bytes, what: str) -> Mutant:
        return Mutant((*self.records[:number], record, *self.records[number + 1 :]), number, what)

    def _changed_at(self, value: Value, path: Sequence[int]) -> Value:
        if not path:
            return self._another(value)
        assert isinstance(value, list)
        first, *rest = path
        return [*value[:first], self._changed_at(value[first], rest), *value[first + 1 :]]

    def _another(self, value: Value) -> Value:
        """Something else: mostly of the same type, sometimes of another."""
        others: list[Value]
        if isinstance(value, int):
            others = [value ^ 1, value + 1, max(0, value - 1), 0, 255, 256, 2**32, self.random.randrange(54), b"", "x"]
        elif isinstance(value, str):
            others = [value + "x", value[:-1], value.upper(), "", " " + value, value + "\u200b", "y" * 65, b"z"]
        elif isinstance(value, bytes):
            flipped = bytearray(value or b"\0")
            flipped[self.random.randrange(len(flipped))] ^= 1 << self.random.randrange(8)
            word = 32 * self.random.randrange(len(value) // 32 + 1)
            zeroed = value[:word] + bytes(32) + value[word + 32 :]
            ends = [value[:-96], value[:-32], value + value[-96:], value + bytes(96), value[:-1], b""]
            others = [bytes(flipped), bytes(flipped), zeroed, self.random.choice(ends), "x"]
        elif value:
            at = self.random.randrange(len(value))
            others = [value[:at] + value[at + 1 :], [*value, value[at]], value[::-1], [], b""]
        else:
            others = [[1], [[]], [b""]]
        return self.random.choice(others)


def _paths(value: Value, path: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    yield path
    if isinstance(value, list):
        for at, item in enumerate(value):
            yield from _paths(item, (*path, at))
