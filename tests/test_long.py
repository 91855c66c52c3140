"""The list of long tests names tests that exist."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import listed

ROOT = Path(__file__).resolve().parent.parent


def test_every_test_that_the_list_names_exists() -> None:
    assert len(listed()) > 50
    for name in listed():
        path, function = name.split("[")[0].split("::")
        assert f"def {function}(" in (ROOT / path).read_text(encoding="utf-8"), name
