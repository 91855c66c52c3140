"""The players that are programs. They see one seat's view and know nothing of networks, keys or clocks."""

from p2p_schotten.bots.finding import BUILT_IN, LEVELS, find_bot, make_bot, ready_bot

__all__ = ["BUILT_IN", "LEVELS", "find_bot", "make_bot", "ready_bot"]
