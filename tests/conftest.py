"""Which tests are long (those in tests/long.txt are marked so), and that tests of attacks answer for what they see."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

from tests import attacks

# A loaded machine is no fault of the code: nothing is held to a time, but in scripts/bench.py and there as a ratio.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

LIST = Path(__file__).parent / "long.txt"


def listed() -> frozenset[str]:
    """The ids in the list; one without brackets stands for all cases of a test."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))


def pytest_configure(config: pytest.Config) -> None:
    """The tests of the attack table are held to its list (tests/attacks.py)."""
    config.pluginmanager.register(attacks, "attacks")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every listed test bears the mark `long`."""
    ids = listed()
    for item in items:
        if item.nodeid in ids or item.nodeid.split("[")[0] in ids:
            item.add_marker(pytest.mark.long)
