"""The built-in players, by name. They see one seat's view and know nothing of networks, keys or clocks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from p2p_schotten.bots.base import Bot
from p2p_schotten.bots.greedy import Greedy
from p2p_schotten.bots.uniform import Uniform
from p2p_schotten.errors import Unreadable

BOTS: Mapping[str, Callable[[Random], Bot]] = {"uniform": Uniform, "greedy": Greedy}


def make_bot(name: str, seed: int) -> Bot:
    """The bot called `name`; the same seed plays the same moves. Raises Unreadable with the known names."""
    make = BOTS.get(name)
    if make is None:
        raise Unreadable(f"{name[:40]!r} is not a bot: known are {', '.join(BOTS)}")
    return make(Random(seed))
