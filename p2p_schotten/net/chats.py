"""How much of the other player's talk is told: a conversation is, a flood is not.

At most `CHATS_AT_ONCE` lines come at once (`CHATS_ANEW` when a game goes on), and one more each second. Told too
slowly, later ones are dropped too: talk must not fill the memory of a player who thinks.
"""

from __future__ import annotations

from p2p_schotten.errors import Malformed
from p2p_schotten.net.told import ChatDropped, Chatted, Told
from p2p_schotten.text import CHAT_CHARACTERS, check_chat

CHAT_BYTES = 4 * CHAT_CHARACTERS  # the longest UTF-8 of that many characters
CHATS_AT_ONCE = 20  # lines; more than a friend types while one looks away, less than a screen
CHATS_ANEW = 2  # lines at once over a connection that is not the game's first: to be cut must not be worth twenty
CHATS_A_SECOND = 1.0
CHATS_WAITING = 64  # lines that came and are not told yet


class Chats:
    """The lines that come over one connection."""

    def __init__(self, at_once: int = CHATS_AT_ONCE) -> None:
        self._allowed = float(at_once)
        self._since: float | None = None  # when `_allowed` was right
        self._waiting = 0
        self._dropped = False

    def hear(self, payload: bytes, now: float) -> tuple[Told, ...]:
        """What is told of a line that came at the time `now`, in seconds; raises Malformed."""
        try:
            text = check_chat(payload.decode())
        except UnicodeDecodeError:
            raise Malformed("the chat is not UTF-8") from None
        if self._since is not None:
            self._allowed = min(CHATS_AT_ONCE, self._allowed + (now - self._since) * CHATS_A_SECOND)
        self._since = now
        if self._allowed >= 1 and self._waiting < CHATS_WAITING:
            self._allowed -= 1
            self._waiting += 1
            return (Chatted(text),)
        first, self._dropped = not self._dropped, True
        return (ChatDropped(),) if first else ()

    def leave(self, event: Told) -> None:
        """`event` waits no longer: it is being told."""
        if isinstance(event, Chatted):
            self._waiting -= 1
