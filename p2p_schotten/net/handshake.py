"""Inside TLS, both sides prove who they are, and that nobody sits between them (protocol section 9).

Proposition of the listener: I hold the key of this identity, and this TLS connection is the one that I ended with the
certificate of this hash. Proposition of the dialer: the same about my identity and this very exchange; and, if I was
invited, I hold the one-time secret. A relay ends TLS with a certificate of its own, so what the listener signed does
not fit what the dialer saw. Hidden by TLS from everybody else; the secret itself is never sent.

    both      hello = "schotten" form role lowest-version highest-version key nonce       (78 bytes, frozen for good)
    listener  PROVED signature
    dialer    PROVED signature mac            (mac: 32 zero bytes where there is no secret)
    listener  WELCOME                         (the seat is given)

In place of its message the listener may send REFUSED and a code. All messages have fixed lengths.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from hashlib import sha512

import trio

from p2p_schotten.crypto.hashing import hash64
from p2p_schotten.crypto.identity import SIGNATURE_SIZE, Identity, check_identity, fingerprint, verify_signature
from p2p_schotten.errors import ChannelError, InvalidProof, Malformed, Refused
from p2p_schotten.protocol.session import VERSIONS as SPOKEN

MAGIC = b"schotten"
FORM = 1  # of everything behind the hello; the hello itself keeps its form in every version
KEY_BYTES = 32
NONCE_BYTES = 32
MAC_BYTES = 32
HELLO_BYTES = len(MAGIC) + 1 + 1 + 2 + 2 + KEY_BYTES + NONCE_BYTES
NO_MAC = bytes(MAC_BYTES)

Versions = tuple[int, int]  # lowest and highest protocol version spoken
VERSIONS: Versions = SPOKEN  # the channel and the records have one version


class Role(IntEnum):
    """What somebody comes for; signed, so that nobody is led into another role."""

    LISTEN = 1
    DIAL = 2
    WATCH = 3
    RESUME = 4  # the dialer goes on with an earlier game; who listens knows his key


class Kind(IntEnum):
    """First byte of each message behind the hellos."""

    PROVED = 1
    WELCOME = 2
    REFUSED = 3


class Refusal(IntEnum):
    """Why a listener says no. Sent as a number, so that a stranger's words reach no screen."""

    BUSY = 1
    SECRET_USED = 2
    SECRET_WRONG = 3
    SECRET_NEEDED = 4
    RESERVED = 5
    NO_WATCHING = 6
    OWN_IDENTITY = 7
    NO_SUCH_GAME = 8
    GAME_STANDS = 9


_WORDS = {
    Refusal.BUSY: "the host is busy with another game",
    Refusal.SECRET_USED: "this invite was used by another player already; ask for a new one",
    Refusal.SECRET_WRONG: "the invite does not belong to this game; ask for a new one",
    Refusal.SECRET_NEEDED: "the host takes only players with an invite",
    Refusal.RESERVED: "the host keeps the seat for the player who used the invite",
    Refusal.NO_WATCHING: "the host lets nobody watch",
    Refusal.OWN_IDENTITY: "you and the host have the same identity",
    Refusal.NO_SUCH_GAME: "the other side does not wait for you to go on with a game",
    Refusal.GAME_STANDS: "a game with you stands unfinished there: schotten resume goes on with it",
}

_CLOSED = "the other side closed the connection before it was proven"


class OwnIdentity(Refused):
    """The other side has my own key: two players in one home directory. One of them needs a throw-away identity."""


class Said(Refused):
    """A listener that proved its identity said no: another address of the same listener will not do better."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(_WORDS[refusal])
        self.refusal = refusal


class WrongPin(Refused):
    """Somebody else answers at this address than the one who was to be found there."""


@dataclass(frozen=True, slots=True)
class Hello:
    """What each side says of itself before anything is proven."""

    role: Role
    versions: Versions
    key: bytes
    nonce: bytes

    def encode(self) -> bytes:
        """The 78 bytes on the wire."""
        low, high = self.versions
        return (
            MAGIC + bytes([FORM, self.role]) + low.to_bytes(2, "big") + high.to_bytes(2, "big") + self.key + self.nonce
        )


def read_hello(data: bytes) -> Hello:
    """The hello with exactly these 78 bytes; raises Malformed. The key is not checked yet."""
    if len(data) != HELLO_BYTES:
        raise Malformed(f"a hello has {HELLO_BYTES} bytes, got {len(data)}")
    if not data.startswith(MAGIC):
        raise Malformed("what answers is not this game: no hello of it came")
    form, role = data[8], data[9]
    if form != FORM:
        raise Malformed(f"the other side opens the channel in form {form}, this program knows form {FORM}")
    if role not in Role.__members__.values():
        raise Malformed(f"a hello with role {role}, known are 1 to {max(Role)}")
    low, high = int.from_bytes(data[10:12], "big"), int.from_bytes(data[12:14], "big")
    if not 1 <= low <= high:
        raise Malformed(f"a hello with the version range {low} to {high}")
    return Hello(Role(role), (low, high), data[14 : 14 + KEY_BYTES], data[14 + KEY_BYTES :])


@dataclass(frozen=True, slots=True)
class Exchange:
    """Both hellos and the hash of the listener's certificate: everything that the proofs cover."""

    certificate_hash: bytes
    listener: Hello
    dialer: Hello

    def listener_statement(self) -> bytes:
        """What the listener signs."""
        return hash64("channel", int(Role.LISTEN), self.certificate_hash, self.listener.encode(), self.dialer.encode())

    def dialer_statement(self, listener_signature: bytes) -> bytes:
        """What the dialer signs: the listener's proof too."""
        return hash64(
            "channel",
            int(self.dialer.role),
            self.certificate_hash,
            self.listener.encode(),
            self.dialer.encode(),
            listener_signature,
        )

    def mac(self, secret: bytes, listener_signature: bytes, dialer_signature: bytes) -> bytes:
        """Proves the one-time secret for this exchange only: HMAC-SHA-512, its first 32 bytes."""
        covered = hash64("channel secret", self.dialer_statement(listener_signature), dialer_signature)
        return hmac.new(secret, covered, sha512).digest()[:MAC_BYTES]


@dataclass(frozen=True, slots=True)
class Proven:
    """Who is at the other end. `pinned`: by the invite, not by trust on first use."""

    identity: bytes  # 32-byte Ed25519 public key of the other side
    role: Role  # of the other side
    pinned: bool  # dialer: the key is the invite's; listener: the secret was proven
    version: int  # the highest protocol version that both speak


def agree(mine: Versions, theirs: Versions) -> int:
    """The highest version that both speak; raises Refused with both ranges in words."""
    low, high = max(mine[0], theirs[0]), min(mine[1], theirs[1])
    if low > high:
        older = "your peer needs a newer version of this program" if theirs[1] < mine[0] else "you need a newer one"
        raise Refused(f"you speak {_range(mine)}, your peer speaks {_range(theirs)}: {older}")
    return high


def _range(versions: Versions) -> str:
    low, high = versions
    return f"{low}" if low == high else f"{low}-{high}"


# Given the other's hello and whether it proved the secret (None: it claimed none): a refusal, or None to give the seat.
Policy = Callable[[Hello, bool | None], Refusal | None]


async def listen(
    stream: trio.abc.Stream,
    identity: Identity,
    certificate_hash: bytes,
    nonce: bytes,
    *,
    versions: Versions,
    secret: bytes | None,
    heard: Callable[[], None],
    policy: Policy,
) -> Proven:
    """The listener's side over an open TLS stream. `heard` is called when a hello stands; `policy` decides last.

    Raises Refused (also after telling the dialer), ChannelError, Malformed, InvalidProof. The caller sets the limit.
    """
    mine = Hello(Role.LISTEN, versions, identity.public, nonce)
    await _send(stream, mine.encode())
    theirs = read_hello(await _receive(stream, HELLO_BYTES))
    heard()
    version = agree(versions, theirs.versions)
    check_identity(theirs.key)
    if theirs.role is Role.LISTEN:
        raise Malformed("two listeners met")
    if theirs.role is Role.WATCH:
        raise await _refuse(stream, Refusal.NO_WATCHING)
    if theirs.key == identity.public:
        raise await _refuse(stream, Refusal.OWN_IDENTITY)
    exchange = Exchange(certificate_hash, mine, theirs)
    signature = identity.sign(exchange.listener_statement())
    await _send(stream, bytes([Kind.PROVED]) + signature)
    answer = await _receive(stream, 1 + SIGNATURE_SIZE + MAC_BYTES)
    if answer[0] != Kind.PROVED:
        raise Malformed(f"expected the dialer's proof, got a message of kind {answer[0]}")
    their_signature, mac = answer[1 : 1 + SIGNATURE_SIZE], answer[1 + SIGNATURE_SIZE :]
    verify_signature(theirs.key, exchange.dialer_statement(signature), their_signature)
    proved: bool | None = None
    if mac != NO_MAC:
        proved = secret is not None and hmac.compare_digest(mac, exchange.mac(secret, signature, their_signature))
    refusal = policy(theirs, proved)
    if refusal is not None:
        raise await _refuse(stream, refusal)
    await _send(stream, bytes([Kind.WELCOME]))
    return Proven(theirs.key, theirs.role, proved is True, version)


async def dial(
    stream: trio.abc.Stream,
    identity: Identity,
    certificate_hash: bytes,
    nonce: bytes,
    *,
    versions: Versions,
    pin: bytes | None,
    secret: bytes | None,
    before_proof: trio.Lock,
    role: Role = Role.DIAL,
) -> Proven:
    """The dialer's side over an open TLS stream; it comes for what `role` says.

    `before_proof` is held from the own proof to the welcome, so that of several connections to one listener only one
    asks for the seat. Raises Refused (WrongPin, Said, OwnIdentity), ChannelError, Malformed, InvalidProof.
    """
    mine = Hello(role, versions, identity.public, nonce)
    await _send(stream, mine.encode())
    theirs = read_hello(await _receive(stream, HELLO_BYTES))
    version = agree(versions, theirs.versions)
    check_identity(theirs.key)
    if theirs.role is not Role.LISTEN:
        raise Malformed("what answers does not listen for players")
    if pin is not None and theirs.key != pin:
        raise WrongPin(
            f"somebody else answers there: the invite names {fingerprint(pin)}, this is {fingerprint(theirs.key)}"
        )
    if theirs.key == identity.public:
        raise OwnIdentity(_WORDS[Refusal.OWN_IDENTITY])
    exchange = Exchange(certificate_hash, theirs, mine)
    try:
        await _expect(stream, Kind.PROVED)
    except Said as unproven:
        raise Refused(str(unproven)) from None
    signature = await _receive(stream, SIGNATURE_SIZE)
    try:
        verify_signature(theirs.key, exchange.listener_statement(), signature)
    except InvalidProof as refused:
        raise Refused("the listener's signature does not cover this connection: somebody may sit between") from refused
    async with before_proof:
        my_signature = identity.sign(exchange.dialer_statement(signature))
        mac = NO_MAC if secret is None else exchange.mac(secret, signature, my_signature)
        await _send(stream, bytes([Kind.PROVED]) + my_signature + mac)
        await _expect(stream, Kind.WELCOME)
    return Proven(theirs.key, theirs.role, pin is not None, version)


async def _expect(stream: trio.abc.Stream, kind: Kind) -> None:
    """The next message is of this kind; a refusal is raised as what it says."""
    (got,) = await _receive(stream, 1)
    if got == Kind.REFUSED:
        (code,) = await _receive(stream, 1)
        if code not in Refusal.__members__.values():
            raise Refused(f"the host said no, for a reason that this program does not know (number {code})")
        raise Said(Refusal(code))
    if got != kind:
        raise Malformed(f"expected a message of kind {kind.value}, got {got}")


async def _refuse(stream: trio.abc.Stream, refusal: Refusal) -> Refused:
    """The dialer is told; returns what the listener's side raises."""
    await _send(stream, bytes([Kind.REFUSED, refusal]))
    return Said(refusal)


async def _send(stream: trio.abc.Stream, data: bytes) -> None:
    try:
        await stream.send_all(data)
    except trio.BrokenResourceError as error:
        raise ChannelError(_CLOSED) from error


async def _receive(stream: trio.abc.Stream, size: int) -> bytes:
    """Exactly `size` bytes, and not one more is taken from the stream."""
    data = b""
    while len(data) < size:
        try:
            more = await stream.receive_some(size - len(data))
        except trio.BrokenResourceError as error:
            raise ChannelError(_CLOSED) from error
        if not more:
            raise ChannelError(_CLOSED)
        data += more
    return data
