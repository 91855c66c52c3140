"""Bytes: hashing (1.2), the source of secrets (1.3), strict msgpack (6.1) and the items of a file (8.1)."""

from __future__ import annotations

import hashlib
import hmac
from typing import TypeAlias

from tests.independent.curve import L

Part: TypeAlias = "bytes | str | int | tuple[Part, ...]"
Value: TypeAlias = "bytes | str | int | list[Value]"  # as msgpack is read

MAGIC = b"schotten transcript 1\n"


def encoding(part: Part) -> bytes:
    if isinstance(part, bytes):
        return b"b" + len(part).to_bytes(8, "big") + part
    if isinstance(part, str):
        data = part.encode()
        return b"s" + len(data).to_bytes(8, "big") + data
    if isinstance(part, int):
        size = part.bit_length() // 8 + 1
        return b"i" + size.to_bytes(8, "big") + part.to_bytes(size, "big")
    return b"l" + len(part).to_bytes(8, "big") + b"".join(encoding(item) for item in part)


def h64(label: str, *parts: Part) -> bytes:
    return hashlib.sha512(encoding(("p2p_schotten", label, *parts))).digest()


def h32(label: str, *parts: Part) -> bytes:
    return h64(label, *parts)[:32]


def challenge(label: str, *parts: Part) -> int:
    return int.from_bytes(h64(label, *parts), "little") % L


# -- secrets -----------------------------------------------------------------------------------------------------------


def _block(seed: bytes, purpose: str, number: int, label: str, *parts: Part) -> bytes:
    return hmac.digest(seed, encoding(("p2p_schotten", "secret", purpose, number, label, *parts)), "sha512")


def secret_scalar(seed: bytes, label: str, *parts: Part) -> int:
    number = 0
    while not (value := int.from_bytes(_block(seed, "scalar", number, label, *parts), "little") % L):
        number += 1
    return value


def secret_bytes(seed: bytes, label: str, *parts: Part) -> bytes:
    return _block(seed, "bytes", 0, label, *parts)[:32]


def secret_permutation(seed: bytes, n: int, label: str, *parts: Part) -> list[int]:
    items = list(range(n))
    stream, block = b"", 0
    for last in range(n - 1, 0, -1):
        while True:
            if not stream:
                stream = _block(seed, "permutation", block, label, *parts)
                block += 1
            word, stream = int.from_bytes(stream[:2], "big"), stream[2:]
            index = word & (1 << last.bit_length()) - 1
            if index <= last:
                break
        items[last], items[index] = items[index], items[last]
    return items


# -- strict msgpack ----------------------------------------------------------------------------------------------------


class Undecodable(Exception):
    """Bytes that are not strict msgpack."""


def pack(value: Part | Value) -> bytes:
    """Arrays, non-negative integers, byte strings and texts in their shortest form."""
    if isinstance(value, bytes):
        return _head(len(value), (0xC4, 0xC5, 0xC6)) + value
    if isinstance(value, str):
        data = value.encode()
        return (bytes([0xA0 | len(data)]) if len(data) < 32 else _head(len(data), (0xD9, 0xDA, 0xDB))) + data
    if isinstance(value, int):
        if value < 128:
            return bytes([value])
        size, mark = next((s, m) for s, m in ((1, 0xCC), (2, 0xCD), (4, 0xCE), (8, 0xCF)) if value < 256**s)
        return bytes([mark]) + value.to_bytes(size, "big")
    start = bytes([0x90 | len(value)]) if len(value) < 16 else b"\xdc" + len(value).to_bytes(2, "big")
    return start + b"".join(pack(item) for item in value)


def _head(length: int, marks: tuple[int, int, int]) -> bytes:
    size, mark = next((s, m) for s, m in zip((1, 2, 4), marks, strict=True) if length < 256**s)
    return bytes([mark]) + length.to_bytes(size, "big")


def unpack(data: bytes) -> Value:
    """The one value that `data` is; Undecodable unless it would be packed to the same bytes."""
    if len(data) > 65536:
        raise Undecodable("longer than a record")
    value, end = _read(data, 0, 1)
    if end != len(data) or pack(value) != data:
        raise Undecodable("bytes behind the end, or not the shortest form")
    return value


def _take(data: bytes, at: int, size: int) -> tuple[bytes, int]:
    if at + size > len(data):
        raise Undecodable("cut")
    return data[at : at + size], at + size


def _number(data: bytes, at: int, size: int) -> tuple[int, int]:
    taken, at = _take(data, at, size)
    return int.from_bytes(taken, "big"), at


def _read(data: bytes, at: int, depth: int) -> tuple[Value, int]:
    mark, at = _number(data, at, 1)
    if mark < 0x80:
        return mark, at
    if 0xCC <= mark <= 0xCF:
        return _number(data, at, 1 << mark - 0xCC)
    if 0xC4 <= mark <= 0xC6:
        size, at = _number(data, at, 1 << mark - 0xC4)
        return _take(data, at, size)
    if 0xA0 <= mark <= 0xBF or 0xD9 <= mark <= 0xDB:
        size, at = (mark & 31, at) if mark < 0xC0 else _number(data, at, 1 << mark - 0xD9)
        text, at = _take(data, at, size)
        if size > 1024:
            raise Undecodable("a text of more than 1,024 bytes")
        try:
            return text.decode(), at
        except UnicodeDecodeError:
            raise Undecodable("not UTF-8") from None
    if 0x90 <= mark <= 0x9F or mark == 0xDC:
        count, at = (mark & 15, at) if mark < 0xA0 else _number(data, at, 2)
        if count > 32 or depth > 6:
            raise Undecodable("too many items, or too deep")
        items: list[Value] = []
        for _ in range(count):
            item, at = _read(data, at, depth + 1)
            items.append(item)
        return items, at
    raise Undecodable("a type that records do not have")


def items_of(data: bytes) -> tuple[list[bytes], bool]:
    """The whole items behind the header, and whether damage or a torn item follows them."""
    items: list[bytes] = []
    at = len(MAGIC)
    while at < len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        if at + 4 > len(data) or not 0 < length <= 65536 or at + 4 + length > len(data):
            return items, True
        items.append(data[at + 4 : at + 4 + length])
        at += 4 + length
    return items, False
