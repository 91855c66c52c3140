"""The TLS below the handshake: version 1.3 only, and a certificate for each listening whose key leaves no file."""

from __future__ import annotations

import ssl
import tempfile
from pathlib import Path

import pytest
import trio
import trio.testing

from p2p_schotten.net.tls import listening, seen_certificate_hash, wrap_listener
from tests.net.sides import Stream, memory_pair, tls_pair


async def test_only_tls_1_3_is_spoken_and_no_ticket_is_given() -> None:
    host, guest, _ = await tls_pair()
    assert host.version() == guest.version() == "TLSv1.3"
    used = listening()
    assert used.context.num_tickets == 0
    assert used.context.minimum_version == ssl.TLSVersion.TLSv1_3
    left, right = memory_pair()
    old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    old.check_hostname = False
    old.verify_mode = ssl.CERT_NONE
    old.maximum_version = ssl.TLSVersion.TLSv1_2

    async def fails(stream: Stream) -> None:
        with pytest.raises(trio.BrokenResourceError):
            await stream.do_handshake()
        await trio.aclose_forcefully(stream)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(fails, wrap_listener(left, used))
        nursery.start_soon(fails, trio.SSLStream(right, old))


async def test_each_listening_has_a_certificate_of_its_own_and_the_dialer_sees_its_hash() -> None:
    first, second = listening(), listening()
    assert first.certificate_hash != second.certificate_hash
    _, guest, certificate_hash = await tls_pair(first)
    assert seen_certificate_hash(guest) == certificate_hash == first.certificate_hash


def test_the_listeners_private_key_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    written: list[bytes] = []
    real = ssl.SSLContext.load_cert_chain

    def spy(self: ssl.SSLContext, certfile: str, keyfile: None = None, password: bytes | None = None) -> None:
        written.append(Path(certfile).read_bytes())
        real(self, certfile, keyfile, password)

    monkeypatch.setattr(ssl.SSLContext, "load_cert_chain", spy)
    listening()
    assert len(written) == 1
    assert b"ENCRYPTED PRIVATE KEY" in written[0]
    assert list(tmp_path.iterdir()) == []
