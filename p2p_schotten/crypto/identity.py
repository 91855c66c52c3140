"""Identities: Ed25519 keys (RFC 8032) that sign records and open the channel.

A key is used only after it proved to be a point of the prime-order group: OpenSSL accepts one constant signature on
many messages under a small-order key, so a seat with such a key could disown everything it signed.
"""

from __future__ import annotations

from base64 import b32encode
from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from p2p_schotten.crypto import group
from p2p_schotten.crypto.group import SIZE
from p2p_schotten.crypto.hashing import hash32
from p2p_schotten.errors import InvalidProof

SIGNATURE_SIZE = 64  # bytes
FINGERPRINT_CHARACTERS = 20  # of 5 bits: 100 bits, against a second key with the same fingerprint
FINGERPRINT_GROUP = 4  # characters read aloud in one breath


class Identity:
    """A long-lived signing key. Its private bytes show in no repr."""

    __slots__ = ("_key", "public")

    def __init__(self, private: bytes) -> None:
        """From the 32 bytes that `private_bytes` gave; another length is a ValueError."""
        self._key = Ed25519PrivateKey.from_private_bytes(private)
        self.public = self._key.public_key().public_bytes_raw()

    @classmethod
    def generate(cls, entropy: bytes | None = None) -> Identity:
        """A new identity from 32 bytes of entropy, by default the operating system's."""
        return cls(Ed25519PrivateKey.generate().private_bytes_raw() if entropy is None else entropy)

    def sign(self, message: bytes) -> bytes:
        """The signature of `message`: 64 bytes, the same each time."""
        return self._key.sign(message)

    def private_bytes(self) -> bytes:
        """The 32 bytes to store (file mode 0600) and to make the identity from again."""
        return self._key.private_bytes_raw()

    def __repr__(self) -> str:
        return f"Identity({fingerprint(self.public)})"


def check_identity(public: bytes) -> bytes:
    """`public` itself, if it is a point of the prime-order group; else InvalidProof."""
    _public_key(public)
    return public


def verify_signature(public: bytes, message: bytes, signature: bytes) -> None:
    """`signature` is the one of `message` under a valid key `public`; else InvalidProof."""
    key = _public_key(public)
    try:
        key.verify(signature, message)
    except InvalidSignature as refused:
        raise InvalidProof(f"the signature is not one of {fingerprint(public)} on this message") from refused


def fingerprint(public: bytes) -> str:
    """100 bits of the hash of a key, in five groups of four letters and digits 2-7 to read aloud."""
    text = b32encode(hash32("fingerprint", public)).decode().lower()[:FINGERPRINT_CHARACTERS]
    return "-".join(text[at : at + FINGERPRINT_GROUP] for at in range(0, len(text), FINGERPRINT_GROUP))


@lru_cache(maxsize=256)
def _public_key(public: bytes) -> Ed25519PublicKey:
    """The key, checked once: 0.45 SM would be dear for every record. A refusal is not remembered."""
    if len(public) != SIZE:
        raise InvalidProof(f"an identity key has {SIZE} bytes, here are {len(public)}")
    try:
        group.point(public)
    except InvalidProof as refused:
        raise InvalidProof("the identity key is not a point of the prime-order group") from refused
    return Ed25519PublicKey.from_public_bytes(public)
