"""A bot at one seat, for one game: what it is told, and its choice, or why there is none."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from threading import Lock
from typing import ParamSpec, TypeVar

from p2p_schotten.bots.base import Bot, BotStopped, Closer, Ender, Fault, Observer
from p2p_schotten.engine.move import Move, Resign
from p2p_schotten.engine.step import Event
from p2p_schotten.engine.view import View

P = ParamSpec("P")
R = TypeVar("R")

SHOWN_FAULT = 200  # characters of what a bot says when it stops: one line


class Seated:
    """The only way in which a bot is asked: whatever it raises or answers, a legal move or BotStopped comes of it.

    One thing at a time, from whatever thread: a bot whose game was left while it thought is asked anew when it is done.
    """

    def __init__(self, bot: Bot, seed: int | str, spec: str = "", lock: Lock | None = None) -> None:
        """`seed` determines the bot's chance in this game. `spec`: how the bot was asked for, to find it again."""
        self.bot, self.spec = bot, spec or bot.name
        self._lock = Lock() if lock is None else lock
        self._seed, self._random, self._begun = seed, Random(seed), False

    @property
    def name(self) -> str:
        """What the bot is called."""
        return self.bot.name

    @property
    def observes(self) -> bool:
        """It wants to know what happens between its moves."""
        return isinstance(self.bot, Observer)

    def again(self) -> Seated:
        """The same bot for the next game, with chances of its own."""
        return Seated(self.bot, f"{self._seed}+", self.spec, self._lock)

    def choose(self, view: View) -> Move:
        """The bot's move; raises BotStopped."""
        with self._lock:
            self._begin(view)
            legal = view.choices()
            return self._guarded(self._listed, self._guarded(self.bot.act, view, legal), legal)

    def observe(self, view: View, event: Event) -> None:
        """The bot is told what happened, if it wants to know; raises BotStopped."""
        if isinstance(self.bot, Observer):
            with self._lock:
                self._begin(view)
                self._guarded(self.bot.observe, view, event)

    def over(self, view: View) -> None:
        """The bot is told how the game ended, if it wants to know; raises BotStopped."""
        if isinstance(self.bot, Ender):
            with self._lock:
                self._begin(view)
                self._guarded(self.bot.game_over, view)

    def close(self) -> None:
        """No game follows with this bot. It is not waited for: this also ends what it may be thinking still."""
        if isinstance(self.bot, Closer):
            self._guarded(self.bot.close)

    def _listed(self, move: Move, legal: tuple[Move, ...]) -> Move:
        # Ours, not the bot's object: what is equal to a legal move may be anything else besides.
        for own in legal:  # to compare all of them for equality would cost more than a move of the engine
            if own is move:
                return own
        if move in legal:
            return legal[legal.index(move)]
        if type(move) is Resign:
            return move
        raise BotStopped(Fault.ILLEGAL, _line(f"{self.name} chose what may not be chosen: {move!r}"))

    def _begin(self, view: View) -> None:
        if not self._begun:
            self._begun = True
            self._guarded(self.bot.new_game, view.state.rules, view.seat, self._random)

    def _guarded(self, ask: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return ask(*args, **kwargs)
        except BotStopped:
            raise
        except (Exception, SystemExit) as error:  # whatever a bot raises ends the game in one sentence
            raise BotStopped(Fault.CRASH, _line(f"{self.name} stopped: {type(error).__name__}: {error}")) from error


def _line(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text).strip()[:SHOWN_FAULT]
