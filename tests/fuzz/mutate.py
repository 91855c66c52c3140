"""Inputs that are nearly right: seeds changed in their bytes, in the values they encode, or in their words.

Everything comes from the `Random` that is handed in, so a seed number names an input; hypothesis hands in its own and
shrinks through it.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable, Sequence
from enum import StrEnum
from random import Random

import msgpack

MOST_BYTES = 70_000  # a little more than the longest record that is parsed at all
SMALL = 64  # bytes of an input out of nowhere
CHANGES = 3  # changes of one input, at most: more leave nothing that is nearly right

# Numbers at which lengths, signs and encodings change.
EDGES = (
    *(0, 1, 2, 3, 4, 7, 8, 15, 16, 23, 24, 31, 32, 33, 53, 54, 63, 64, 65, 95, 96, 97, 127, 128, 255, 256, 512, 513),
    *(2**15, 2**16 - 1, 2**16, 2**16 + 1, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**63, 2**64 - 1, -1, -32, -33, -(2**63)),
)
# Bytes that mean something somewhere: msgpack headers, frame tags, torsion points, ends of line.
SPICE = (
    *(bytes([byte]) for byte in (0x00, 0x0A, 0x7F, 0x80, 0x90, 0x91, 0xA0, 0xC0, 0xC1, 0xC2, 0xC3, 0xCA, 0xFF)),
    *(
        b"\xdd\xff\xff\xff\xff",
        b"\xdc\xff\xff",
        b"\xc6\xff\xff\xff\xff",
        b"\xdb\x7f\xff\xff\xff",
        b"\xdf\xff\xff\xff\xff",
    ),
    *(b"\xc7\x00\x05", b"\xd6\xff\x00\x00\x00\x00", b"\xc7\x0c\xff" + bytes(12), b"\xa3\xed\xa0\x80"),
    *(bytes(32), b"\x01" + bytes(31), b"\xff" * 32, b"\xec" + b"\xff" * 30 + b"\x7f", b"\x91" * 600, b"\x90" * 40),
)
# Words that are nearly words: other digits, nothing, control, direction, braces that a format string would follow.
ODD_WORDS = (
    *("", " ", "0", "-1", "00", "²", "١", "9999999999", "1e9", "\x00", "\x1b[2J", "\u202e", "\u200b", "ß", "İ", "ﬁ"),
    *("{", "}", "{}", "{0}", "{name}", "%s", "%", "\\", "'", '"', "\ud800", "\U0010ffff", "?", "??", "null", "\r\n"),
)
_WORD = re.compile(r"\w+|\s+|[^\w\s]")


class Shape(StrEnum):
    """What an input is made of, and so how it is changed."""

    BYTES = "bytes"
    PACKED = "msgpack"
    WORDS = "words"
    JSON = "JSON"


def mutated(random: Random, shape: Shape, seeds: Sequence[bytes], words: Sequence[str] = ()) -> bytes:
    """One input: out of nowhere once in sixteen times, else a seed with one to three changes."""
    if not seeds or random.randrange(16) == 0:
        return random.randbytes(random.randrange(SMALL))
    data: bytes = random.choice(seeds)
    for _ in range(random.randint(1, CHANGES)):
        data = _CHANGES[shape if random.randrange(3) else Shape.BYTES](random, data, seeds, words)
    return data[:MOST_BYTES]


def _change_bytes(random: Random, data: bytes, seeds: Sequence[bytes], words: Sequence[str]) -> bytes:
    at = random.randint(0, len(data))
    end = min(len(data), at + random.choice((1, 1, 2, 4, 8, 32, 64, 96, 1000)))
    match random.randrange(9):
        case 0 if data:
            bit = random.randrange(8 * len(data))
            changed = bytearray(data)
            changed[bit // 8] ^= 1 << bit % 8
            return bytes(changed)
        case 1:
            return data[:at] + random.randbytes(end - at) + data[end:]
        case 2:
            return data[:at] + data[end:]
        case 3:
            return data[:end] + data[at:end] * random.choice((1, 1, 2, 20)) + data[end:]
        case 4:
            return data[:at] + random.choice(SPICE) + data[at:]
        case 5:
            return data[:at] + random.choice(SPICE) + data[end:]
        case 6:
            other = random.choice(seeds)
            return data[:at] + other[random.randint(0, len(other)) :]
        case 7:
            width = random.choice((1, 2, 4))
            edge = random.choice(EDGES) % (1 << 8 * width)
            return data[:at] + edge.to_bytes(width, random.choice(("big", "little"))) + data[at + width :]
        case _:
            return data[:at]


def _change_packed(random: Random, data: bytes, seeds: Sequence[bytes], words: Sequence[str]) -> bytes:
    try:
        value: object = _unpacked(data)
        other: object = _unpacked(random.choice(seeds))
    except (ValueError, TypeError):  # also a map whose key is an array
        return _change_bytes(random, data, seeds, words)
    changed = _change_value(random, value, other, lambda: _packed_leaf(random))
    try:
        packed: bytes = msgpack.packb(changed, use_bin_type=True)
    except (ValueError, TypeError, OverflowError):  # nested too deeply, or a key that cannot be one
        return _change_bytes(random, data, seeds, words)
    return _longer_form(random, packed) if random.randrange(8) == 0 else packed


def _unpacked(data: bytes) -> object:
    value: object = msgpack.unpackb(data, raw=False, strict_map_key=False)
    return value


def _longer_form(random: Random, data: bytes) -> bytes:
    """The first array or a short integer in an encoding longer than it needs."""
    places = [at for at, byte in enumerate(data) if byte < 0x80 or 0x90 <= byte < 0xA0]
    if not places:
        return data
    at = random.choice(places[:40])
    byte = data[at]
    code = struct.pack(">BH", 0xDC, byte & 0x0F) if byte >= 0x90 else bytes([0xCC, byte])
    return data[:at] + code + data[at + 1 :]


def _packed_leaf(random: Random) -> object:
    match random.randrange(6):
        case 0:
            return random.choice(EDGES)
        case 1:
            return random.randbytes(random.choice((0, 1, 31, 32, 33, 64, 96, 97, 192, 1000)))
        case 2:
            return random.choice(ODD_WORDS).encode(errors="replace").decode() * random.choice((1, 1, 40))
        case 3:
            return random.choice((None, True, False, 1.5, float("nan"), {}, {1: 2}, msgpack.ExtType(5, b"")))
        case 4:
            return [[]] * random.choice((0, 1, 32, 33, 300))
        case _:
            return b"\x01" + bytes(31)


def _change_json(random: Random, data: bytes, seeds: Sequence[bytes], words: Sequence[str]) -> bytes:
    try:
        value: object = json.loads(data)
        other: object = json.loads(random.choice(seeds))
    except (ValueError, RecursionError):
        return _change_words(random, data, seeds, words)
    changed = _change_value(random, value, other, lambda: _json_leaf(random, words))
    return json.dumps(changed, default=str).encode()


def _json_leaf(random: Random, words: Sequence[str]) -> object:
    match random.randrange(5):
        case 0:
            return random.choice(EDGES)
        case 1:
            return random.choice(ODD_WORDS)
        case 2:
            return random.choice((None, True, False, 1.5, 1.0, float("nan"), float("inf"), 10**400, {}, []))
        case 3:
            return [[]] * random.choice((0, 1, 20, 300))
        case _:
            return random.choice(words) if words else "x" * 300


def _change_value(random: Random, value: object, other: object, leaf: Callable[[], object]) -> object:
    """The value with one place in it changed: any place is as likely as its siblings."""
    if isinstance(value, list) and value and random.randrange(6):
        at = random.randrange(len(value))
        return [*value[:at], _change_value(random, value[at], other, leaf), *value[at + 1 :]]
    if isinstance(value, dict) and value and random.randrange(6):
        key = random.choice(list(value))
        return {**value, key: _change_value(random, value[key], other, leaf)}
    return _replaced(random, value, other, leaf)


def _replaced(random: Random, value: object, other: object, leaf: Callable[[], object]) -> object:
    match random.randrange(8), value:
        case 0, _:
            return leaf()
        case 1, _:
            return [value]
        case 2, _:
            return _somewhere(random, other)
        case 3, _:
            for _ in range(random.choice((3, 5, 6, 7, 400))):
                value = [value]
            return value
        case 4, bytes():
            return value[: random.randint(0, len(value))]
        case ((5 | 6), bytes()):
            return _change_bytes(random, value, (value,), ())
        case 7, bytes():
            return value + value
        case _, bool():
            return not value
        case _, int():
            return random.choice((value + 1, value - 1, -value, 2 * value, random.choice(EDGES)))
        case _, str():
            return random.choice(
                (
                    value + random.choice(ODD_WORDS),
                    value[:-1],
                    value.upper(),
                    value * 20,
                    value.encode(errors="replace"),
                )
            )
        case ((4 | 5), list()):
            return [*value, leaf()]
        case 6, list():
            return value[:-1]
        case 7, list():
            return list(reversed(value))
        case ((4 | 5), dict()):
            return {**value, random.choice(ODD_WORDS): leaf()}
        case _, dict():
            return dict(list(value.items())[1:])
    return leaf()


def _somewhere(random: Random, value: object) -> object:
    """Any part of the value."""
    while isinstance(value, list) and value and random.randrange(4):
        value = random.choice(value)
    return value


def _change_words(random: Random, data: bytes, seeds: Sequence[bytes], words: Sequence[str]) -> bytes:
    found = _WORD.findall(data.decode(errors="surrogateescape")) or [""]
    at = random.randrange(len(found))
    word = random.choice(words) if words and random.randrange(3) else random.choice(ODD_WORDS)
    match random.randrange(8):
        case 0 | 1:
            found[at] = word
        case 2:
            found.insert(at, word)
        case 3:
            found.insert(at, " " + word + " ")
        case 4:
            del found[at]
        case 5:
            found[at] = random.choice((found[at].upper(), found[at].lower(), found[at].swapcase()))
        case 6:
            found[at] *= random.choice((2, 2, 3, 3, 9, 50, 50, 5000))
        case _:
            there = random.randrange(len(found))
            found[at], found[there] = found[there], found[at]
    return "".join(found).encode(errors="surrogatepass" if random.randrange(2) else "replace")


_CHANGES: dict[Shape, Callable[[Random, bytes, Sequence[bytes], Sequence[str]], bytes]] = {
    Shape.BYTES: _change_bytes,
    Shape.PACKED: _change_packed,
    Shape.WORDS: _change_words,
    Shape.JSON: _change_json,
}
