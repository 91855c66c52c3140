"""An invite is one word: who listens, the one-time secret, and every address where he may be found.

    invite  = "SCHOTTEN1:" base32(content checksum)     RFC 4648 alphabet, no padding, read in either case
    content = key (32) secret (16) address*
    address = port (2, big-endian) size (1) host        size 4: IPv4, 16: IPv6, else 128 + length of an ASCII name
    checksum = first 4 bytes of hash32("invite", content)

Base32 because it survives being read aloud and because a QR code stores capitals and digits in 5.5 bits each. The
checksum finds typing errors only; what protects is the key, which the handshake pins.
"""

from __future__ import annotations

import ipaddress
import re
from base64 import b32decode, b32encode
from binascii import Error as NotBase32
from dataclasses import dataclass, field

from p2p_schotten.crypto.hashing import hash32
from p2p_schotten.crypto.identity import check_identity
from p2p_schotten.errors import InvalidProof, Malformed

PREFIX = "SCHOTTEN1:"
SECRET_BYTES = 16  # 128 bits: not to be guessed, protocol section 9
KEY_BYTES = 32
CHECKSUM_BYTES = 4
MAX_ADDRESSES = 8  # a machine with two networks in both families, a name and a mapped port
MAX_HOST = 100  # characters of a name; so that an invite stays a word that can be sent by any messenger
NAME_MARK = 128
MAX_CONTENT = KEY_BYTES + SECRET_BYTES + MAX_ADDRESSES * (3 + MAX_HOST)
LEAST_BODY = -(-8 * (KEY_BYTES + SECRET_BYTES + 4 + CHECKSUM_BYTES) // 5)  # the shortest address is a name of a letter
MAX_INVITE = len(PREFIX) + -(-8 * (MAX_CONTENT + CHECKSUM_BYTES) // 5)

_BODY = re.compile("[A-Za-z2-7]*", re.ASCII)
_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class Address:
    """A host (name, IPv4 or IPv6 in its usual form) and a port from 1 to 65535."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Target:
    """Whom to dial. Without `key` it is trust on first use; `secret` goes with the invite."""

    addresses: tuple[Address, ...]
    key: bytes | None = None
    secret: bytes | None = field(default=None, repr=False)


def parse_target(text: str) -> Target:
    """An invite, `host:port` or `[v6]:port`; raises Malformed with what is wrong.

    An invite may be broken into lines or pieces: blanks inside it mean nothing.
    """
    word = "".join(text.split())
    if len(word) > MAX_INVITE:
        raise Malformed(f"an invite has at most {MAX_INVITE} characters, this has {len(word)}")
    if word.upper().startswith("SCHOTTEN"):
        name, colon, _ = word.upper().partition(":")
        if name + colon == PREFIX:
            return _read_invite(word[len(PREFIX) :])
        if re.fullmatch(r"SCHOTTEN[0-9]{1,4}", name) and colon:
            raise Malformed(f"an invite of form {name[8:]}; this program reads form 1")
    return Target((parse_address(text.strip()),))


def may_go_on(text: str) -> bool:
    """The text is no target yet, but may be the beginning of an invite, as the first line of a broken one is."""
    try:
        parse_target(text)
    except Malformed:
        word = "".join(text.split()).upper()
    else:
        return False
    body = word[len(PREFIX) :]
    if not word or len(word) >= MAX_INVITE or not PREFIX.startswith(word[: len(PREFIX)]) or not _BODY.fullmatch(body):
        return False
    data = b32decode(body + "A" * (-len(body) % 8))[: len(body) * 5 // 8]
    first = at = KEY_BYTES + SECRET_BYTES
    for _ in range(MAX_ADDRESSES):
        size = _size(data[at + 2]) if at + 2 < len(data) else 1
        if size <= 0:
            return at > first and len(data) < at + CHECKSUM_BYTES  # no address begins so, at most the end does
        at += 3 + size
    return len(data) < at + CHECKSUM_BYTES


def parse_address(text: str) -> Address:
    """`host:port` or `[v6]:port`; raises Malformed."""
    host, colon, port = text.rpartition(":")
    if not colon or not host:
        raise Malformed("expected an invite (SCHOTTEN1:...) or host:port")
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
        if ":" not in host:
            raise Malformed("only an IPv6 address stands in brackets")
    elif ":" in host:
        raise Malformed("an IPv6 address stands in brackets: [address]:port")
    if not re.fullmatch(r"[0-9]{1,5}", port, re.ASCII):
        raise Malformed("expected a port from 1 to 65535 behind the last colon")
    return check_address(host, int(port))


def check_address(host: str, port: int) -> Address:
    """The address in its usual form; raises Malformed when host or port cannot be one."""
    if not 1 <= port <= 65535:
        raise Malformed(f"a port is a number from 1 to 65535, this is {port}")
    if len(host) > MAX_HOST:
        raise Malformed(f"a host has at most {MAX_HOST} characters, this has {len(host)}")
    try:
        if "%" not in host:  # a zone means something on one machine only
            return Address(str(ipaddress.ip_address(host)), port)
    except ValueError:
        pass  # then it is a name
    labels = host.lower().removesuffix(".").split(".")
    if not host.isascii() or not all(len(label) <= 63 and _LABEL.fullmatch(label) for label in labels):
        raise Malformed("a host is an address or a name of letters, digits, dots and hyphens")
    if labels[-1].isdigit():
        raise Malformed("that is neither an IPv4 address nor a name")
    return Address(".".join(labels), port)


def write_invite(key: bytes, secret: bytes, addresses: tuple[Address, ...]) -> str:
    """The one word that `parse_target` reads; key 32 bytes, secret 16, 1 to 8 addresses."""
    if len(key) != KEY_BYTES or len(secret) != SECRET_BYTES or not 1 <= len(addresses) <= MAX_ADDRESSES:
        raise ValueError("an invite has a key of 32 bytes, a secret of 16 and 1 to 8 addresses")
    content = key + secret + b"".join(_write_address(address) for address in addresses)
    return PREFIX + b32encode(content + _checksum(content)).decode().rstrip("=")


def _read_invite(body: str) -> Target:
    if not _BODY.fullmatch(body):
        raise Malformed("the invite is mistyped: only letters and the digits 2 to 7 stand in it")
    if len(body) < LEAST_BODY:
        raise Malformed(f"the invite is cut: it goes on for at least {LEAST_BODY} characters, here for {len(body)}")
    padding = "=" * (-len(body) % 8)
    try:
        data = b32decode(body.upper() + padding)
    except (NotBase32, ValueError):
        raise Malformed("the invite is cut or mistyped: no invite is that long") from None
    content, checksum = data[:-CHECKSUM_BYTES], data[-CHECKSUM_BYTES:]
    if checksum != _checksum(content):
        raise Malformed("the invite is cut or mistyped: its check does not fit")
    key, secret, at = content[:KEY_BYTES], content[KEY_BYTES : KEY_BYTES + SECRET_BYTES], KEY_BYTES + SECRET_BYTES
    addresses: list[Address] = []
    while at < len(content):
        address, at = _read_address(content, at)
        addresses.append(address)
    if not 1 <= len(addresses) <= MAX_ADDRESSES:
        raise Malformed(f"the invite has {len(addresses)} addresses, expected 1 to {MAX_ADDRESSES}")
    try:
        check_identity(key)
    except InvalidProof as error:
        raise Malformed(f"the invite names no player: {error}") from None
    if write_invite(key, secret, tuple(addresses)) != PREFIX + body.upper():
        raise Malformed("the invite is written in another way than this program writes it")
    return Target(tuple(addresses), key, secret)


def _write_address(address: Address) -> bytes:
    try:
        packed = ipaddress.ip_address(address.host).packed
        mark = len(packed)
    except ValueError:
        packed = address.host.encode("ascii")
        mark = NAME_MARK + len(packed)
    return address.port.to_bytes(2, "big") + bytes([mark]) + packed


def _read_address(content: bytes, at: int) -> tuple[Address, int]:
    if at + 3 > len(content):
        raise Malformed("the invite ends in the middle of an address")
    port, mark = int.from_bytes(content[at : at + 2], "big"), content[at + 2]
    size = _size(mark)
    packed = content[at + 3 : at + 3 + size]
    if size <= 0 or len(packed) != size:
        raise Malformed("the invite ends in the middle of an address")
    if mark in (4, 16):
        host = str(ipaddress.ip_address(packed))
    else:
        try:
            host = packed.decode("ascii")
        except UnicodeDecodeError:
            raise Malformed("a host in the invite is no ASCII name") from None
    return check_address(host, port), at + 3 + size


def _size(mark: int) -> int:
    """Of the host that stands behind this mark, in bytes; not positive behind what is no mark."""
    return mark if mark in (4, 16) else mark - NAME_MARK


def _checksum(content: bytes) -> bytes:
    return hash32("invite", content)[:CHECKSUM_BYTES]
