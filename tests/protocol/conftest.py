"""Games that many tests share: each is played once, and a test forks the moment that it needs."""

from __future__ import annotations

import pytest

from p2p_schotten.ids import SEATS
from tests.protocol.pair import Pair, Story, lets_win, patient


@pytest.fixture(scope="session")
def story() -> Story:
    """A whole game in which all cards are laid: near its end the deck is empty, and debts stand in MOVEs."""
    return Story(Pair.new(1), patient)


@pytest.fixture(scope="session")
def won_by_0() -> Story:
    """Seat 0 wins with a claim right after a card for which it mixed its hand; seat 1 then owes a share."""
    return Story(Pair.new(1, sitting=1), lets_win(SEATS[0]))


@pytest.fixture(scope="session")
def won_by_1() -> Story:
    """Seat 1 wins with a claim right after a card for which it mixed its hand; seat 0 then owes a share."""
    return Story(Pair.new(1, sitting=2), lets_win(SEATS[1]))
