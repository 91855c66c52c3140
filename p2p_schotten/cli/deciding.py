"""A bot at a seat: its choice, or why there is none."""

from __future__ import annotations

from p2p_schotten.bots.base import Bot
from p2p_schotten.cli.status import one_line
from p2p_schotten.engine.move import Move
from p2p_schotten.engine.view import View
from p2p_schotten.errors import SchottenError

SHOWN_FAULT = 200  # characters of what a bot says when it stops: one line


class BotStopped(SchottenError):
    """A bot raised instead of choosing: it is somebody's program, and its faults are none of ours."""


def chosen(bot: Bot, view: View) -> Move:
    """What the bot chooses; raises BotStopped."""
    try:
        return bot.choose(view)
    except Exception as error:  # whatever a bot raises ends the game in one sentence
        raise BotStopped(one_line(f"{bot.name} stopped: {type(error).__name__}: {error}")[:SHOWN_FAULT]) from error
