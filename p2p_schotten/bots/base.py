"""A bot is a name and a choice: it gets the view of its seat, as a player does, and nothing else."""

from __future__ import annotations

from typing import Protocol

from p2p_schotten.engine.move import Move
from p2p_schotten.engine.view import View


class Bot(Protocol):
    """One player for one game. `choose` is called only while its seat is to move."""

    @property
    def name(self) -> str:
        """What the bot is called in the list of bots."""

    def choose(self, view: View) -> Move:
        """One of `view.choices()`, or Resign."""
