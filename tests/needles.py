"""Whether a secret stands in some output, in any form in which a program would write bytes by accident."""

from __future__ import annotations

import json
from base64 import b32encode, b64encode, urlsafe_b64encode
from collections.abc import Iterable, Iterator


def forms(secret: bytes) -> Iterator[tuple[str, bytes]]:
    """Each way to write these bytes, with its name; in base 32 and 64 wherever they stand in a longer text."""
    yield "raw", secret
    yield "reversed", secret[::-1]
    for name, text in (
        ("hex", secret.hex()),
        ("hex in capitals", secret.hex().upper()),
        ("hex in pairs", secret.hex(":")),
        ("repr", repr(secret)[2:-1]),
        ("JSON", json.dumps(secret.decode("latin-1"))[1:-1]),
        ("list", ", ".join(map(str, secret))),
        ("list in JSON", ",".join(map(str, secret))),
        ("big-endian number", str(int.from_bytes(secret, "big"))),
        ("little-endian number", str(int.from_bytes(secret, "little"))),
        ("big-endian hex number", f"{int.from_bytes(secret, 'big'):x}"),
        ("little-endian hex number", f"{int.from_bytes(secret, 'little'):x}"),
    ):
        yield name, text.encode()
    for before in range(5):
        # The first and the last letters share bits with what stands beside the secret.
        inner = b32encode(bytes(before) + secret).rstrip(b"=")[-(-before * 8 // 5) : -1]
        yield f"base 32 behind {before}", inner
        yield f"base 32 in small letters behind {before}", inner.lower()
    for before in range(3):
        for encode in (b64encode, urlsafe_b64encode):
            inner = encode(bytes(before) + secret).rstrip(b"=")[-(-before * 8 // 6) : -1]
            yield f"{encode.__name__} behind {before}", inner


class Needles:
    """Named secrets, to be looked for."""

    def __init__(self, secrets: Iterable[tuple[str, bytes]]) -> None:
        self.secrets = dict(secrets)
        assert all(len(secret) >= 16 for secret in self.secrets.values()), "shorter ones turn up by chance"
        self._forms = [(name, form, data) for name, secret in self.secrets.items() for form, data in forms(secret)]

    def found(self, output: bytes | str) -> list[str]:
        """What stands there, as "name (form)"."""
        data = output.encode("utf-8", "surrogateescape") if isinstance(output, str) else output
        return [f"{name} ({form})" for name, form, needle in self._forms if needle in data]
