from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.crypto.toy import Toy, forget_cached_points


@pytest.fixture
def toy_group(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], Toy]]:
    """`toy_group(q)` puts the toy group of order q in the place of edwards25519 for the test."""

    def install(q: int) -> Toy:
        toy = Toy(q)
        toy.install(monkeypatch)
        return toy

    yield install
    monkeypatch.undo()
    forget_cached_points()
