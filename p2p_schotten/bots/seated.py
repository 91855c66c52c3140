"""A bot at one seat, for one game: what it is told, and its choice, or why there is none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from threading import Lock
from typing import TypeVar

from p2p_schotten.bots.base import NOT_ITS_FAULT, Bot, BotStopped, Closer, Ender, Fault, Greeter, Observer
from p2p_schotten.bots.log import note_error, place
from p2p_schotten.engine.move import Move, Resign
from p2p_schotten.engine.step import Event
from p2p_schotten.engine.view import View
from p2p_schotten.text import clean_text, one_line

R = TypeVar("R")

SHOWN_FAULT = 200  # characters of what a bot says when it stops: one line


class Seated:
    """The only way in which a bot is asked: whatever it raises or answers, a legal move or BotStopped comes of it.

    One thing at a time, from whatever thread: a bot whose game was left while it thought is asked anew when it is done.
    """

    def __init__(
        self,
        bot: Bot,
        seed: int | str,
        spec: str = "",
        log: Path | None = None,
        lock: Lock | None = None,
        *,
        called: str = "",
    ) -> None:
        """`seed` determines the bot's chance in this game. `spec`: how the bot was asked for, to find it again.

        The traceback of what it raises is added to the file `log`. `called`: its name here, if not the one it bears.
        """
        self.bot, self.spec, self._log, self._called = bot, spec or bot.name, log, called
        self._lock = Lock() if lock is None else lock
        self._seed, self._random, self._begun = seed, Random(seed), False

    @property
    def name(self) -> str:
        """What the bot is called; if it cannot be asked any more, as it was asked for."""
        if self._called:
            return self._called
        try:
            return str.__str__(self.bot.name)  # no subclass, which might do something when it is printed
        except NOT_ITS_FAULT:
            raise
        except BaseException:  # a property, or a text, of somebody's may raise anything
            return self.spec

    @property
    def observes(self) -> bool:
        """It wants to know what happens between its moves."""
        try:
            return self._guarded(lambda: isinstance(self.bot, Observer))
        except BotStopped:  # it is told, and stops at that
            return True

    def ready(self) -> None:
        """The bot is there, before anybody waits for it; raises BotStopped."""
        bot = self._guarded(lambda: self.bot if isinstance(self.bot, Greeter) else None)
        if bot is not None:
            self._guarded(lambda: bot.say_hello())

    def again(self) -> Seated:
        """The same bot for the next game, with chances of its own."""
        return Seated(self.bot, f"{self._seed}+", self.spec, self._log, self._lock, called=self._called)

    def choose(self, view: View) -> Move:
        """The bot's move; raises BotStopped."""
        with self._lock:
            self._begin(view)
            legal = view.choices()
            return self._guarded(lambda: self._listed(self.bot.act(view, legal), legal))

    def observe(self, view: View, event: Event) -> None:
        """The bot is told what happened, if it wants to know; raises BotStopped."""
        bot = self._guarded(lambda: self.bot if isinstance(self.bot, Observer) else None)
        if bot is not None:
            with self._lock:
                self._begin(view)
                self._guarded(lambda: bot.observe(view, event))

    def over(self, view: View) -> None:
        """The bot is told how the game ended, if it wants to know; raises BotStopped."""
        bot = self._guarded(lambda: self.bot if isinstance(self.bot, Ender) else None)
        if bot is not None:
            with self._lock:
                self._begin(view)
                self._guarded(lambda: bot.game_over(view))

    def close(self) -> None:
        """No game follows with this bot. It is not waited for: this also ends what it may be thinking still."""
        bot = self._guarded(lambda: self.bot if isinstance(self.bot, Closer) else None)
        if bot is not None:
            self._guarded(lambda: bot.close())

    def _listed(self, move: Move, legal: tuple[Move, ...]) -> Move:
        # Ours, not the bot's object: what is equal to a legal move may be anything else besides.
        for own in legal:  # to compare all of them for equality would cost more than a move of the engine
            if own is move:
                return own
        if move in legal:
            return legal[legal.index(move)]
        if type(move) is Resign:
            return move
        answer: object = move
        why = f"{self.name} chose what may not be chosen: {answer!r:.80}"
        if answer is None:
            why += " (expected one of the moves that it was given: is a return missing?)"
        elif isinstance(answer, str | int | float):
            why += " (expected one of the moves that it was given, and no text or number)"
        raise BotStopped(Fault.ILLEGAL, why)

    def _begin(self, view: View) -> None:
        if not self._begun:
            self._begun = True
            self._guarded(lambda: self.bot.new_game(view.state.rules, view.seat, self._random))

    def _guarded(self, ask: Callable[[], R]) -> R:
        try:
            return ask()
        except NOT_ITS_FAULT:
            raise
        except BaseException as error:  # whatever a bot raises ends the game in one sentence
            raise self._stopped(error) from error

    def _stopped(self, error: BaseException) -> BotStopped:
        """In our words, as far as the error can be asked: a bot may raise anything, also a BotStopped of its own."""
        try:
            if isinstance(error, BotStopped):
                return BotStopped(Fault(error.fault), _line(str(error)))
            where = place(error, type(self.bot).__module__, __file__)
            why = f"{self.name} stopped: {type(error).__name__}: {error}"
            stopped = BotStopped(Fault.CRASH, _line(why, f" ({where})" if where else ""))
            note_error(self._log, f"{self.spec}: {stopped}", error)
            return stopped
        except NOT_ITS_FAULT:
            raise
        except BaseException:  # what it raised raises when it is printed
            return BotStopped(Fault.CRASH, _line(f"{self.name} stopped, and cannot say why"))


def _line(text: str, end: str = "") -> str:
    shown = one_line(text[: 2 * SHOWN_FAULT]).rstrip(".:")  # it stands in a sentence, which has its own full stop
    return clean_text(shown, SHOWN_FAULT - len(end)) + end
