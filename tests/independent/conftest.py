"""The game that these tests share; it never changes."""

from __future__ import annotations

import pytest

from tests.independent.honest import Honest, resigned_game


@pytest.fixture(scope="session")
def honest() -> Honest:
    """Five cards, a claim window, and in it a resignation."""
    return resigned_game()
