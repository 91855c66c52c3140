"""Who decides at a seat."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from p2p_schotten.bots.base import BotStopped
from p2p_schotten.bots.seated import Seated
from p2p_schotten.cli.keyboard import Keyboard
from p2p_schotten.ui.front import Front


@dataclass
class Player:
    """Who decides at this seat: a bot, or somebody at the keyboard."""

    front: Front
    bot: Seated | None = None
    keyboard: Keyboard | None = None
    forfeit: bool = False  # a bot that stops gives its game up; else the game stands unfinished

    @property
    def spec(self) -> str:
        """How the bot at this seat was asked for; empty for a person."""
        return "" if self.bot is None else self.bot.spec

    def again(self) -> None:
        """What comes is another game."""
        if self.bot is not None:
            self.bot = self.bot.again()

    def close(self) -> None:
        """No game comes."""
        if self.bot is not None:
            with suppress(BotStopped):  # it has nothing to decide any more
                self.bot.close()
