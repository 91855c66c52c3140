"""What a bot is: it gets the view of its seat, as a player does, and nothing else, and answers with a move.

A bot is an object that plays one game after the other, never two at a time:

    class MyBot:
        name = "mybot"

        def new_game(self, rules, seat, random):
            self.random = random

        def act(self, view, legal):
            return self.random.choice(legal)

It may also have `say_hello()`, `observe(view, event)`, `game_over(view)` and `close()`; who does not have them is not
asked.
docs/bots.md says how to write, test and rate one.
"""

from __future__ import annotations

from enum import StrEnum
from random import Random
from typing import Protocol, runtime_checkable

from p2p_schotten.engine.move import Move
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.step import Event
from p2p_schotten.engine.view import View
from p2p_schotten.errors import SchottenError
from p2p_schotten.ids import Seat


class Bot(Protocol):
    """One player. `act` is called only while its seat is to move."""

    @property
    def name(self) -> str:
        """What the bot is called."""

    def new_game(self, rules: Ruleset, seat: Seat, random: Random) -> None:
        """A game begins. Chance comes from `random` alone, so that the same seed plays the same moves."""

    def act(self, view: View, legal: tuple[Move, ...]) -> Move:
        """One of `legal`, which is not empty, or Resign."""


@runtime_checkable
class Observer(Protocol):
    """A bot that wants to be told what happens between its moves."""

    def observe(self, view: View, event: Event) -> None:
        """Something happened that everybody saw, its own moves too; `view` is what stands after that move."""


@runtime_checkable
class Ender(Protocol):
    """A bot that wants to know how its games end."""

    def game_over(self, view: View) -> None:
        """`view.state.outcome` says how the game ended. The hand is its own still."""


@runtime_checkable
class Greeter(Protocol):
    """A bot that has to be started, as a process, before it can be asked anything."""

    def say_hello(self) -> None:
        """It is there, and can begin a game; asked before anybody is waited for. Raises BotStopped."""


@runtime_checkable
class Closer(Protocol):
    """A bot that holds something, as a process, that must be let go."""

    def close(self) -> None:
        """No game follows."""


class Fault(StrEnum):
    """Why a bot stopped. Each is a forfeit."""

    CRASH = "crash"  # it raised, or its process died of a signal or with a status that is not 0
    GARBAGE = "garbage"  # what came was no answer
    ILLEGAL = "illegal move"  # an answer that is none of the moves it was offered
    SILENCE = "silence"  # no answer within its time
    EXIT = "early exit"  # its process ended, with status 0, before the match did


class BotStopped(SchottenError):
    """A bot did not choose: it is somebody's program, and its faults are none of ours. One sentence."""

    def __init__(self, fault: Fault, why: str) -> None:
        super().__init__(why)
        self.fault = fault


class Ended(BaseException):
    """The process is told to end while a bot thinks."""


NOT_ITS_FAULT = (KeyboardInterrupt, Ended)
"""What may come out of a bot and is meant for the program."""
