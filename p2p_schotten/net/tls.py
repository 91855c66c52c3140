"""TLS 1.3 under the handshake: it hides and protects the bytes, and proves nobody's identity.

The listener makes a certificate for each time it listens; nobody checks who signed it, because the handshake inside
signs its hash (protocol section 9). Its private key reaches the disk only encrypted under a password that is never
written, for the moment in which OpenSSL loads it.
"""

from __future__ import annotations

import datetime
import hashlib
import secrets
import ssl
import tempfile
from dataclasses import dataclass
from pathlib import Path

import trio
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


@dataclass(frozen=True, slots=True)
class Listening:
    """What a listener needs for TLS: its context, and the SHA-256 of its certificate (32 bytes)."""

    context: ssl.SSLContext
    certificate_hash: bytes


def listening() -> Listening:
    """A fresh key and self-signed certificate, ready to listen with."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "schotten")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        # Nobody looks at the dates: a clock that is wrong on one side must not matter.
        .not_valid_before(datetime.datetime(2000, 1, 1))
        .not_valid_after(datetime.datetime(2100, 1, 1))
        .sign(key, hashes.SHA256())
    )
    context = _context(ssl.PROTOCOL_TLS_SERVER)
    context.num_tickets = 0  # no session is ever taken up again; a ticket would only be bytes nobody reads
    _load(context, certificate, key)
    der = certificate.public_bytes(serialization.Encoding.DER)
    return Listening(context, hashlib.sha256(der).digest())


def wrap_listener(stream: trio.abc.Stream, listening: Listening) -> trio.SSLStream[trio.abc.Stream]:
    """The listener's end of TLS over `stream`."""
    return trio.SSLStream(stream, listening.context, server_side=True)


def wrap_dialer(stream: trio.abc.Stream) -> trio.SSLStream[trio.abc.Stream]:
    """The dialer's end of TLS over `stream`. It takes any certificate: what counts is what the handshake signs."""
    context = _context(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return trio.SSLStream(stream, context, server_side=False)


def seen_certificate_hash(stream: trio.SSLStream[trio.abc.Stream]) -> bytes:
    """The SHA-256 of the certificate that the dialer was shown, after the TLS handshake."""
    der: bytes = stream.getpeercert(binary_form=True)
    return hashlib.sha256(der).digest()


def _context(protocol: int) -> ssl.SSLContext:
    context = ssl.SSLContext(protocol)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.maximum_version = ssl.TLSVersion.TLSv1_3
    return context


def _load(context: ssl.SSLContext, certificate: x509.Certificate, key: ec.EllipticCurvePrivateKey) -> None:
    password = secrets.token_bytes(32).hex().encode()
    pem = certificate.public_bytes(serialization.Encoding.PEM) + key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(password),
    )
    # ssl can load a chain from files only. A folder of mode 0700, and a file closed before it is read (Windows).
    with tempfile.TemporaryDirectory(prefix="schotten-") as folder:
        path = Path(folder) / "listener.pem"
        path.write_bytes(pem)
        context.load_cert_chain(path, password=password)
