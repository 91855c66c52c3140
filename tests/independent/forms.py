"""The forms of records and bodies (6.1, 6.3), before anything is said about what they mean."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias, TypeGuard

from tests.independent.wire import Undecodable, Value, unpack

Body: TypeAlias = list[Value]


class Misshapen(Exception):
    """A body of another form than its kind has."""


class Terms(NamedTuple):
    """What both HELLOs must agree on."""

    suite: str
    rules: str
    digest: bytes
    options: tuple[tuple[str, str], ...]
    match: tuple[bytes, int, bytes]


class Hello(NamedTuple):
    nonce: bytes
    lowest: int
    highest: int
    terms: Terms
    identity: bytes
    name: str


class Commit(NamedTuple):
    c1: bytes
    c2: bytes


class Open(NamedTuple):
    n: bytes
    X: bytes
    proof: bytes


class Shuffled(NamedTuple):
    deck: int
    cells: bytes
    proof: bytes


class Shuffle(NamedTuple):
    debts: bytes
    decks: list[Shuffled]
    shares: bytes


class Move(NamedTuple):
    debts: bytes
    mixes: list[Shuffled]
    code: list[int]
    positions: list[int]
    shares: bytes
    digest: bytes


class Seal(NamedTuple):
    head: bytes
    outcome: list[int]


class Record(NamedTuple):
    """The six fields, the body still of any form; `unsigned` is everything before the signature."""

    seq: int
    prev: bytes
    seat: int
    kind: int
    body: Body
    signature: bytes
    unsigned: bytes


def read_record(data: bytes) -> Record | None:
    """None if it is no strict msgpack, no array of six or has wrong types outside the body."""
    try:
        value = unpack(data)
    except Undecodable:
        return None
    match value:
        case [int(seq), bytes(prev), 0 | 1 as seat, int(kind), list(body), bytes(signature)] if (
            seq < 2**32 and len(prev) == 32 and 1 <= kind <= 8 and len(signature) == 64
        ):
            return Record(seq, prev, seat, kind, body, signature, data[:-66])
    return None


def _is_bin(value: Value, *lengths: int) -> TypeGuard[bytes]:
    return isinstance(value, bytes) and len(value) in lengths


def _is_number(value: Value, low: int, high: int) -> TypeGuard[int]:
    return isinstance(value, int) and low <= value <= high


def _is_text(value: Value) -> TypeGuard[str]:
    return isinstance(value, str) and len(value.encode()) <= 64


def _is_shares(value: Value) -> TypeGuard[bytes]:
    return isinstance(value, bytes) and len(value) % 96 == 0


def _numbers(value: Value, longest: int, low: int) -> list[int]:
    if not isinstance(value, list) or len(value) > longest:
        raise Misshapen
    if not all(_is_number(item, low, 255) for item in value):
        raise Misshapen
    return [item for item in value if isinstance(item, int)]


def outcome(value: Value) -> list[int]:
    numbers = _numbers(value, 4, 0)
    if len(numbers) != 4:
        raise Misshapen
    return numbers


def _decks(value: Value) -> list[Shuffled]:
    if not isinstance(value, list) or len(value) > 2:
        raise Misshapen
    decks = []
    for item in value:
        match item:
            case [0 | 1 as deck, bytes(cells), bytes(proof)]:
                decks.append(Shuffled(deck, cells, proof))
            case _:
                raise Misshapen
    return decks


def _terms(suite: Value, rules: Value, digest: Value, options: Value, match_: Value) -> Terms:
    if not (_is_text(suite) and _is_text(rules) and _is_bin(digest, 32) and isinstance(options, list)):
        raise Misshapen
    pairs = []
    for option in options:
        match option:
            case [str(word), str(value)] if _is_text(word) and _is_text(value):
                pairs.append((word, value))
            case _:
                raise Misshapen
    match match_:
        case [bytes(match_id), int(number), bytes(head)] if (
            _is_bin(match_id, 0, 32) and _is_bin(head, 0, 32) and 1 <= number <= 255 and len(pairs) <= 11
        ):
            return Terms(suite, rules, digest, tuple(pairs), (match_id, number, head))
    raise Misshapen


def hello(body: Body) -> Hello:
    match body:
        case [bytes(nonce), [int(low), int(high)], suite, rules, digest, options, bytes(key), str(name), game] if (
            len(nonce) == len(key) == 32 and 1 <= low <= high <= 65535 and len(name.encode()) <= 32
        ):
            return Hello(nonce, low, high, _terms(suite, rules, digest, options, game), key, name)
    raise Misshapen


def commit(body: Body) -> Commit:
    match body:
        case [bytes(c1), bytes(c2)] if len(c1) == len(c2) == 32:
            return Commit(c1, c2)
    raise Misshapen


def open_(body: Body) -> Open:
    match body:
        case [bytes(n), bytes(X), bytes(proof)] if len(n) == len(X) == 32 and len(proof) == 64:
            return Open(n, X, proof)
    raise Misshapen


def shuffle(body: Body) -> Shuffle:
    match body:
        case [debts, decks, shares] if _is_shares(debts) and _is_shares(shares):
            return Shuffle(debts, _decks(decks), shares)
    raise Misshapen


def move(body: Body) -> Move:
    match body:
        case [debts, mixes, code, positions, shares, bytes(digest)] if (
            _is_shares(debts) and _is_shares(shares) and len(digest) == 32
        ):
            return Move(debts, _decks(mixes), _numbers(code, 16, 0), _numbers(positions, 4, 1), shares, digest)
    raise Misshapen


def seal(body: Body) -> Seal:
    match body:
        case [bytes(head), code] if len(head) == 32:
            return Seal(head, outcome(code))
    raise Misshapen


def shares(body: Body) -> bytes:
    match body:
        case [debts] if _is_shares(debts):
            return debts
    raise Misshapen


def reveal(body: Body) -> bytes:
    match body:
        case [bytes(seed)] if len(seed) == 32:
            return seed
    raise Misshapen


_UNFIT = (
    "0000-001F 007F-009F 2028-2029 061C 200E-200F 202A-202E 2066-2069 00AD 034F 115F-1160 17B4-17B5 180B-180F 200B "
    "2060-2065 206A-206F 3164 FEFF FFA0 FFF0-FFFB 1BCA0-1BCA3 1D173-1D17A E0000-E0FFF D800-DFFF FDD0-FDEF 200C-200D "
    "FE00-FE0F 00A0 1680 2000-200A 202F 205F 2800 3000"
)


def fit_name(name: str) -> bool:
    """Whether a name may be shown (6.3)."""
    if not name or name[0] == " " or name[-1] == " ":
        return False
    for part in _UNFIT.split():
        low, _, high = part.partition("-")
        if any(int(low, 16) <= ord(letter) <= int(high or low, 16) for letter in name):
            return False
    return not any(ord(letter) & 0xFFFE == 0xFFFE for letter in name)
