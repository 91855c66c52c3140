"""Whether this machine was asleep: the one clock that notices, and the one limit."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import trio

SLEPT = 10.0  # seconds in which nothing ran here, at least, to be called sleep: the shortest clock of a game is as long


def lasting_seconds() -> float:
    """A clock that never goes back and, where the system has one, goes on while the machine sleeps.

    A closed lid is an absence like any other: the side that slept must be able to know it.
    """
    if sys.platform == "linux":
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    if sys.platform == "darwin":
        return time.clock_gettime(time.CLOCK_MONOTONIC)  # time.monotonic stops there during sleep
    return time.monotonic()


class Sleep:
    """Notices that the machine slept: trio's clock stands still meanwhile, and the lasting one runs ahead of it."""

    def __init__(self, clock: Callable[[], float] = lasting_seconds) -> None:
        self._clock = clock
        self._ahead = self._now_ahead()

    def noticed(self) -> bool:
        """The machine slept since the last look."""
        before, self._ahead = self._ahead, self._now_ahead()
        return self._ahead - before > SLEPT

    def _now_ahead(self) -> float:
        return self._clock() - trio.current_time()
