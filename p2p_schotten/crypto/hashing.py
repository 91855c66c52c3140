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

from functools import lru_cache
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


# Almost all that is hashed is a point, a hash, a label or a small number, thousands of times a game.
_SMALL_INTS = tuple(_encode_int(number) for number in range(256))
_SHORT_BYTES = tuple(_prefix(b"b", length) for length in range(129))


@lru_cache(maxsize=256)
def _encode_text(part: str) -> bytes:
    text = part.encode()
    return _prefix(b"s", len(text)) + text


@lru_cache(maxsize=256)
def _opening(label: str, count: int) -> bytes:
    """The encoding of (DOMAIN, label, `count` more parts) up to the first of them."""
    return _prefix(b"l", count + 2) + _encode_text(DOMAIN) + _encode_text(label)


def encode(part: Part) -> bytes:
    """The bytes of one part. Different parts have different bytes, and none is the beginning of another's."""
    if isinstance(part, bytes):
        length = len(part)
        return (_SHORT_BYTES[length] if length < len(_SHORT_BYTES) else _prefix(b"b", length)) + part
    if isinstance(part, str):
        return _encode_text(part)
    if isinstance(part, int):
        return _SMALL_INTS[part] if 0 <= part < len(_SMALL_INTS) else _encode_int(part)
    return _prefix(b"l", len(part)) + b"".join([encode(item) for item in part])


def opened(label: str, parts: tuple[Part, ...]) -> bytes:
    """The encoding of (DOMAIN, label, *parts): what is hashed, and what secrets are made from."""
    return _opening(label, len(parts)) + b"".join([encode(part) for part in parts])


def hash64(label: str, *parts: Part) -> bytes:
    """SHA-512 of DOMAIN, label and parts: 64 bytes."""
    return sha512(opened(label, parts)).digest()


def hash32(label: str, *parts: Part) -> bytes:
    """The first 32 bytes of `hash64`: for hashes that travel or are stored."""
    return hash64(label, *parts)[:32]


def challenge(label: str, *parts: Part) -> Scalar:
    """All 64 bytes of `hash64`, little-endian, modulo L."""
    return group.reduce(hash64(label, *parts))
