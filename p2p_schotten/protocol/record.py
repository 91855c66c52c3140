"""One record: a signed link of the chain, and the strict msgpack that carries it.

A record is the msgpack array [seq, prev, seat, kind, body, signature]. It is hashed and signed as it travels: the
signature covers the label "record", the game id (empty for a HELLO) and every byte before the signature itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import msgpack

from p2p_schotten.crypto.hashing import hash32, hash64
from p2p_schotten.crypto.identity import SIGNATURE_SIZE, Identity, verify_signature
from p2p_schotten.engine.ruleset import Code
from p2p_schotten.errors import Malformed
from p2p_schotten.ids import SEATS, Seat

# The longest legal record is a SHUFFLE of 60 + 11 cards, about 17 kB; a longer item is not even parsed.
MAX_RECORD = 64 * 1024
# record, body, list of mixes, one mix, its fields: nothing legal nests deeper.
MAX_DEPTH = 6
# No array in a record is long: six fields, ten of a HELLO, a handful of mixes or positions.
MAX_ITEMS = 32
HASH_BYTES = 32
SIGNATURE_BYTES = SIGNATURE_SIZE
# The signature is the last element, a bin 8 of 64 bytes: two bytes of header before it.
SIGNATURE_TAIL = SIGNATURE_BYTES + 2
# `prev` of the first record.
NO_HEAD = bytes(HASH_BYTES)

Value = int | bytes | str | list["Value"]


class Kind(IntEnum):
    """What a record is; the numbers are part of the format."""

    HELLO = 1
    COMMIT = 2
    OPEN = 3
    SHUFFLE = 4
    SHARES = 5
    MOVE = 6
    SEAL = 7
    REVEAL = 8


@dataclass(frozen=True, slots=True)
class Record:
    """A decoded record. `data` is every byte of it as it travelled; `body` is checked for types, not yet for shape."""

    seq: int
    prev: bytes
    seat: Seat
    kind: Kind
    body: list[Value]
    signature: bytes
    data: bytes

    def head(self) -> bytes:
        """What the next record names as `prev`."""
        return head_of(self.data)

    def verify(self, game_id: bytes, identity: bytes) -> None:
        """The seat's key signed these bytes for this game; raises InvalidProof."""
        verify_signature(identity, _signed(game_id, self.data[:-SIGNATURE_TAIL]), self.signature)


def head_of(data: bytes) -> bytes:
    """The 32-byte hash by which a record is named."""
    return hash32("head", data)


def pack(value: Value) -> bytes:
    """The one encoding of a value."""
    packed: bytes = msgpack.packb(value, use_bin_type=True)
    return packed


def pack_code(code: Code) -> bytes:
    """The one encoding of an engine's code, its tuples as arrays: hashed, never read back."""
    packed: bytes = msgpack.packb(code, use_bin_type=True)
    return packed


def unpack(data: bytes) -> Value:
    """The value that has exactly this encoding; raises Malformed for all else (also for another encoding of it)."""
    if len(data) > MAX_RECORD:
        raise Malformed(f"{len(data)} bytes, at most {MAX_RECORD} were expected")
    try:
        value: object = msgpack.unpackb(
            data,
            raw=False,
            use_list=True,
            max_str_len=1024,
            max_bin_len=MAX_RECORD,
            max_array_len=MAX_ITEMS,
            max_map_len=0,
            max_ext_len=0,
        )
    except ValueError as error:  # msgpack's own errors are ValueErrors, and so is bad UTF-8
        raise Malformed(f"not the msgpack of a record: {error}") from None
    checked = _checked(value, MAX_DEPTH)
    if pack(checked) != data:
        raise Malformed("not the shortest encoding of its value")
    return checked


def _checked(value: object, depth: int) -> Value:
    """`value` if it is made of arrays, integers, bytes and strings, at most `depth` deep."""
    if isinstance(value, (bytes, str)) or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    if isinstance(value, list):
        if depth == 0:
            raise Malformed(f"nested deeper than {MAX_DEPTH}")
        return [_checked(item, depth - 1) for item in value]
    raise Malformed(f"a {type(value).__name__} came where arrays, integers, bytes and strings only were expected")


def read_record(data: bytes) -> Record:
    """The record with these bytes; raises Malformed. Signature, order and meaning are checked by `advance`."""
    value = unpack(data)
    if not isinstance(value, list) or len(value) != 6:
        raise Malformed("a record is an array of six: seq, prev, seat, kind, body, signature")
    seq, prev, seat, kind, body, signature = value
    return Record(
        take_int(seq, 0, 2**32 - 1, "seq"),
        take_bytes(prev, HASH_BYTES, "prev"),
        SEATS[take_int(seat, 0, 1, "seat")],
        Kind(take_int(kind, min(Kind), max(Kind), "kind")),
        take_list(body, None, "body"),
        take_bytes(signature, SIGNATURE_BYTES, "signature"),
        data,
    )


def make_record(
    seq: int, prev: bytes, seat: Seat, kind: Kind, body: list[Value], game_id: bytes, identity: Identity
) -> bytes:
    """The bytes of a record, signed with `identity` for the game (`game_id` empty for a HELLO)."""
    unsigned = pack([seq, prev, int(seat), int(kind), body, bytes(SIGNATURE_BYTES)])[:-SIGNATURE_TAIL]
    return unsigned + pack(identity.sign(_signed(game_id, unsigned)))


def _signed(game_id: bytes, unsigned: bytes) -> bytes:
    return hash64("record", game_id, unsigned)


def take_int(value: Value, low: int, high: int, what: str) -> int:
    """`value` if it is an integer in low..high; raises Malformed."""
    if not isinstance(value, int) or not low <= value <= high:
        raise Malformed(f"{what}: expected an integer in {low}..{high}, got {_short(value)}")
    return value


def take_bytes(value: Value, length: int | None, what: str) -> bytes:
    """`value` if it is bytes (of that length); raises Malformed."""
    if not isinstance(value, bytes) or (length is not None and len(value) != length):
        wanted = "bytes" if length is None else f"{length} bytes"
        raise Malformed(f"{what}: expected {wanted}, got {_short(value)}")
    return value


def take_text(value: Value, most: int, what: str) -> str:
    """`value` if it is a string of at most `most` bytes of UTF-8; raises Malformed."""
    if not isinstance(value, str) or len(value.encode()) > most:
        raise Malformed(f"{what}: expected a string of at most {most} bytes, got {_short(value)}")
    return value


def take_list(value: Value, length: int | None, what: str) -> list[Value]:
    """`value` if it is an array (of that length); raises Malformed."""
    if not isinstance(value, list) or (length is not None and len(value) != length):
        wanted = "an array" if length is None else f"an array of {length}"
        raise Malformed(f"{what}: expected {wanted}, got {_short(value)}")
    return value


def _short(value: Value) -> str:
    """What came, without its content: a peer's text does not reach a screen through an error."""
    if isinstance(value, int):
        return f"the integer {value}"
    if isinstance(value, bytes):
        return f"{len(value)} bytes"
    if isinstance(value, str):
        return f"a string of {len(value)} characters"
    return f"an array of {len(value)}"
