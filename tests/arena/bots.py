"""Bots for the tests of the arena, found as tests.arena.bots:Name."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

from p2p_schotten.bots.base import BotStopped, Fault
from p2p_schotten.engine.move import Claim, Move, Resign
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.step import Ended, Event
from p2p_schotten.engine.view import View
from p2p_schotten.ids import Seat


class First:
    """Plays the first legal move; notes what it is told."""

    name = "first"

    def __init__(self) -> None:
        self.told: list[Event] = []
        self.seen: list[View] = []
        self.ends: list[View] = []
        self.chances: list[float] = []
        self.closed = 0

    def new_game(self, rules: Ruleset, seat: Seat, random: Random) -> None:
        self.chances.append(random.random())

    def act(self, view: View, legal: tuple[Move, ...]) -> Move:
        self.seen.append(view)
        return legal[0]

    def observe(self, view: View, event: Event) -> None:
        self.told.append(event)

    def game_over(self, view: View) -> None:
        self.ends.append(view)

    def close(self) -> None:
        self.closed += 1


class Plain:
    """Plays the first legal move and wants to know nothing."""

    name = "plain"

    def new_game(self, rules: Ruleset, seat: Seat, random: Random) -> None:
        pass

    def act(self, view: View, legal: tuple[Move, ...]) -> Move:
        return legal[0]


class GivesUp(Plain):
    """Resigns as soon as so many cards lie."""

    name = "gives up"

    def __init__(self, ply: int = 0) -> None:
        self.ply = ply

    def act(self, view: View, legal: tuple[Move, ...]) -> Move:
        return Resign() if view.state.ply >= self.ply else legal[0]


class Stops(Plain):
    """Stops in one of the five ways: at its first move, or when it is told something, how the game ended, or that
    it is over."""

    name = "stops"

    def __init__(self, fault: str = "crash", when: str = "act", ply: int = 0) -> None:
        self.fault, self.when, self.ply = Fault(fault.replace("_", " ")), when, ply

    def act(self, view: View, legal: tuple[Move, ...]) -> Move:
        if self.when != "act" or view.state.ply < self.ply:
            return legal[0]
        if self.fault is Fault.CRASH:
            raise ValueError("no idea")
        if self.fault is Fault.ILLEGAL:
            return Claim(len(view.state.stones))  # type: ignore[arg-type]
        raise BotStopped(self.fault, f"stops: {self.fault.value}")

    def observe(self, view: View, event: Event) -> None:
        if self.when == "observe" or (self.when == "ended" and isinstance(event, Ended)):
            raise ValueError("do not tell me")

    def game_over(self, view: View) -> None:
        if self.when == "over":
            raise ValueError("is it over?")


def line_of(text: str, source: str = Path(__file__).read_text()) -> int:
    """The number of the only line of the source that has this text."""
    (found,) = (number for number, line in enumerate(source.splitlines(), 1) if text in line)
    return found


class Moody(Stops):
    """Every second one cannot be made, and the others stop."""

    name = "moody"
    made = 0

    def __init__(self) -> None:
        super().__init__()
        Moody.made += 1
        if Moody.made % 2 == 0:
            raise ValueError("not today")


class Signals(Plain):
    """Sends a signal to its own process when it is made."""

    name = "signals"

    def __init__(self, number: int) -> None:
        os.kill(os.getpid(), number)


def vanishing(folder: Path) -> str:
    """A program that removes itself when it is started for the first time, and crashes."""
    path = folder / "bot.sh"
    path.write_text('#!/bin/sh\nrm "$0"\nexit 3\n')
    path.chmod(0o755)
    return f"cmd:{path}"


class Learns(Plain):
    """Plays differently in every game that the same object plays: what it does depends on its batch."""

    name = "learns"

    def __init__(self) -> None:
        self.games = self.closed = 0

    def new_game(self, rules: Ruleset, seat: Seat, random: Random) -> None:
        self.games += 1

    def act(self, view: View, legal: tuple[Move, ...]) -> Move:
        return legal[self.games % len(legal)]

    def close(self) -> None:
        self.closed += 1


class Kills(Plain):
    """Ends its process, as a library that crashes does, in a game that has come so far."""

    name = "kills"

    def __init__(self, status: int = 3) -> None:
        self.status = status

    def act(self, view: View, legal: tuple[Move, ...]) -> Move:
        if view.state.ply >= 4:
            os._exit(self.status)
        return legal[0]


class Interrupts(Plain):
    """Somebody presses Ctrl-C in the game of this number that such bots play."""

    name = "interrupts"
    begun = 0

    def __init__(self, game: int = 1) -> None:
        self.game = game

    def new_game(self, rules: Ruleset, seat: Seat, random: Random) -> None:
        Interrupts.begun += 1

    def act(self, view: View, legal: tuple[Move, ...]) -> Move:
        if Interrupts.begun == self.game:
            Interrupts.begun += 1
            raise KeyboardInterrupt
        return legal[0]


class Prints(Plain):
    """Leaves a print in its code."""

    name = "prints"

    def __init__(self) -> None:
        print("I am made")

    def close(self) -> None:
        print("I go")

    def act(self, view: View, legal: tuple[Move, ...]) -> Move:
        print("I think", legal[0])
        return legal[0]
