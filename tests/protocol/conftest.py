"""Games that many tests share: each is played once, and a test forks the moment that it needs."""

from __future__ import annotations

import pytest

from tests.protocol.pair import Pair, Story, bot


@pytest.fixture(scope="session")
def story() -> Story:
    """A whole game: seat 1 begins and wins after the deck has run out; debts stand in MOVEs near its end."""
    return Story(Pair.new(1), bot("greedy", 1))


@pytest.fixture(scope="session")
def won_by_0() -> Story:
    """Seat 0 wins with a claim right after a card that it mixed its hand for; seat 1 then owes a share."""
    return Story(Pair.new(3), bot("greedy", 3))


@pytest.fixture(scope="session")
def won_by_1() -> Story:
    """Seat 1 wins with a claim right after a card that it mixed its hand for; seat 0 then owes a share."""
    return Story(Pair.new(7), bot("greedy", 7))
