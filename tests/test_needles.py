"""The search for secrets finds them, and nothing else."""

from __future__ import annotations

import json
from base64 import b32encode, b64encode, urlsafe_b64encode
from collections.abc import Callable

import pytest

from tests.needles import Needles

SECRET = bytes(range(240, 256)) + b"\0\n\"'" + bytes(range(100, 112))
OTHER = SECRET[:-1] + b"\0"


def longer(encode: Callable[[bytes], bytes], before: int) -> Callable[[bytes], bytes]:
    return lambda secret: encode(b"." * before + secret + b"behind")


WRITTEN: dict[str, Callable[[bytes], str | bytes]] = {
    "raw": lambda secret: b"before" + secret + b"behind",
    "hex": lambda secret: f"key={secret.hex()}.",
    "capitals": lambda secret: secret.hex().upper(),
    "repr of a field": lambda secret: f"Thing(seed={secret!r}, n=1)",
    "repr of a list": lambda secret: repr(list(secret)),
    "JSON of a list": lambda secret: json.dumps(list(secret), separators=(",", ":")),
    "JSON of text": lambda secret: json.dumps({"a": secret.decode("latin-1")}),
    "number": lambda secret: f"x = {int.from_bytes(secret, 'little')}",
    "hex number": lambda secret: hex(int.from_bytes(secret, "big")),
    **{f"base 32 of a longer text, {n} before": longer(b32encode, n) for n in range(8)},
    **{f"base 64 of a longer text, {n} before": longer(b64encode, n) for n in range(8)},
    "small letters without padding": lambda secret: b32encode(secret).decode().lower().rstrip("="),
    "base 64 of addresses": urlsafe_b64encode,
}


@pytest.mark.parametrize("form", WRITTEN)
def test_a_secret_is_found_however_it_is_written(form: str) -> None:
    needles = Needles([("mine", SECRET)])
    assert needles.found(WRITTEN[form](SECRET))
    assert needles.found(WRITTEN[form](OTHER)) == []


def test_what_is_found_is_named() -> None:
    needles = Needles([("mine", SECRET), ("yours", OTHER)])
    assert needles.found(f"seed {SECRET.hex()}") == ["mine (hex)", "mine (big-endian hex number)"]
    assert needles.found("") == []
