"""Everything secret of a game, derived from one 32-byte seed: HMAC-SHA-512 keyed with it, over a labelled encoding.

The message is the encoding of `hashing` of the list DOMAIN, "secret", purpose, label, parts: the purposes ("scalar",
"bytes", "permutation") and the labels keep the derivations apart. The same seed and the same parts give the same
secret, so a crash changes nothing and a revealed seed remakes every mix; whoever must not repeat a secret puts what
makes the occasion unique (the head of the transcript) into the parts.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from typing import NoReturn

from p2p_schotten.crypto import group
from p2p_schotten.crypto.group import Scalar
from p2p_schotten.crypto.hashing import Part, opened

SEED_SIZE = 32  # bytes, from the operating system
MOST_ITEMS = 1 << 16  # a permutation draws words of 16 bits


class Secret:
    """The source of one seat's secrets in one game. Its seed shows in no repr and no pickle."""

    __slots__ = ("seed",)

    def __init__(self, seed: bytes) -> None:
        if len(seed) != SEED_SIZE:
            raise ValueError(f"a seed has {SEED_SIZE} bytes, here are {len(seed)}")
        self.seed = seed

    def __repr__(self) -> str:
        return "Secret(...)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Secret is not pickled or copied: its seed is kept apart")

    def scalar(self, label: str, *parts: Part) -> Scalar:
        """A scalar other than zero, uniform but for 2^-252."""
        drawn = group.reduce(self._block("scalar", label, parts, 0))
        attempt = 0
        while drawn == group.ZERO:
            attempt += 1
            drawn = group.reduce(self._block("scalar", label, parts, attempt))
        return drawn

    def bytes32(self, label: str, *parts: Part) -> bytes:
        """32 uniform bytes."""
        return self._block("bytes", label, parts, 0)[:32]

    def permutation(self, n: int, label: str, *parts: Part) -> tuple[int, ...]:
        """A uniform permutation of 0..n-1 (Fisher-Yates; each index by rejection of 16-bit words cut to its bits)."""
        if not 0 <= n <= MOST_ITEMS:
            raise ValueError(f"a permutation has 0 to {MOST_ITEMS} items, not {n}")
        words = self._words(label, parts)
        items = list(range(n))
        for last in range(n - 1, 0, -1):
            mask = (1 << last.bit_length()) - 1
            chosen = next(words) & mask
            while chosen > last:
                chosen = next(words) & mask
            items[last], items[chosen] = items[chosen], items[last]
        return tuple(items)

    def _words(self, label: str, parts: tuple[Part, ...]) -> Iterator[int]:
        number = 0
        while True:
            block = self._block("permutation", label, parts, number)
            for start in range(0, len(block), 2):
                yield int.from_bytes(block[start : start + 2], "big")
            number += 1

    def _block(self, purpose: str, label: str, parts: tuple[Part, ...], number: int) -> bytes:
        return hmac.digest(self.seed, opened("secret", (purpose, number, label, *parts)), "sha512")
