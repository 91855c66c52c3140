"""Labelled, injective hashing: SHA-512 over one encoding in which no two different inputs look alike.

A part is encoded as a letter for its type, its length (a list: its count) in 8 bytes big-endian, then its content:

    bytes  "b" length content
    str    "s" length content in UTF-8
    int    "i" length content in two's complement, big-endian, bit length // 8 + 1 bytes
    list   "l" count  the encodings of its items

Hashed is the list of DOMAIN, the label and the parts. Challenges use all 64 bytes modulo L; hashes that travel or are
stored are the first 32 bytes.
"""

from __future__ import annotations

from hashlib import sha512
from typing import TypeAlias

from p2p_schotten.crypto import group
from p2p_schotten.crypto.group import Scalar

Part: TypeAlias = "bytes | int | str | tuple[Part, ...]"

DOMAIN = "p2p_schotten"  # keeps our hashes apart from everybody else's


def _prefix(letter: bytes, length: int) -> bytes:
    return letter + length.to_bytes(8, "big")


def _encode_int(part: int) -> bytes:
    content = part.to_bytes(part.bit_length() // 8 + 1, "big", signed=True)
    return _prefix(b"i", len(content)) + content


# Almost every integer that is hashed is small, and a digest holds hundreds of them.
_SMALL = tuple(_encode_int(number) for number in range(256))


def encode(part: Part) -> bytes:
    """The bytes of one part. Different parts have different bytes, and none is the beginning of another's."""
    if isinstance(part, int):
        return _SMALL[part] if 0 <= part < 256 else _encode_int(part)
    if isinstance(part, tuple):
        return _prefix(b"l", len(part)) + b"".join([encode(item) for item in part])
    if isinstance(part, bytes):
        return _prefix(b"b", len(part)) + part
    text = part.encode()
    return _prefix(b"s", len(text)) + text


def hash64(label: str, *parts: Part) -> bytes:
    """SHA-512 of DOMAIN, label and parts: 64 bytes."""
    return sha512(encode((DOMAIN, label, *parts))).digest()


def hash32(label: str, *parts: Part) -> bytes:
    """The first 32 bytes of `hash64`: for hashes that travel or are stored."""
    return hash64(label, *parts)[:32]


def challenge(label: str, *parts: Part) -> Scalar:
    """All 64 bytes of `hash64`, little-endian, modulo L."""
    return group.reduce(hash64(label, *parts))
