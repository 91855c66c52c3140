"""A bot that is a program of its own, in any language: it is told lines of JSON, and answers with lines of JSON.

It is started with its first game and plays one game after the other, until it is told to quit. When it fails, that
game is lost for it, it is killed, and the next game begins with a fresh one.
"""

from __future__ import annotations

import os
import shlex
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import NoReturn

from p2p_schotten.bots import wire
from p2p_schotten.bots.base import BotStopped, Fault
from p2p_schotten.bots.program import Program
from p2p_schotten.engine.move import Move
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.step import Event
from p2p_schotten.engine.view import View
from p2p_schotten.errors import Malformed, Unreadable
from p2p_schotten.ids import Seat
from p2p_schotten.text import NAME_BYTES, clean_text

ANSWER_LIMIT = 10.0  # seconds for a move: nobody likes to wait longer for a card
START_LIMIT = 30.0  # seconds until it says hello: an interpreter starts, and a model is loaded
MAX_LIMIT = 24 * 3600.0  # seconds: longer than a day nothing waits
SHOWN = 200  # characters of what is said about a fault: one line


class External:
    """One such program. `limit`: seconds for each answer, `start`: seconds until it says hello."""

    def __init__(
        self, command: str, limit: float = ANSWER_LIMIT, start: float = START_LIMIT, *, log: Path | None = None
    ) -> None:
        """Raises Unreadable when there is no such program. Its standard error is added to the file `log`."""
        self._words = _words(command)
        for key, value in (("limit", limit), ("start", start)):
            if not isinstance(value, int | float) or not 0 < value <= MAX_LIMIT:
                raise Unreadable(f"{key}={value!s:.20} is no time limit: expected up to {MAX_LIMIT:.0f} seconds")
        self._limit, self._start, self._log = float(limit), float(start), log
        self._program: Program | None = None
        self._name, self._greeted = "", False  # as it said; it was asked once
        self._early: BotStopped | None = None  # what came of that, when no game was there to lose yet
        self._file = clean_text(_file(self._words), NAME_BYTES)
        self._stopped: BotStopped | None = None  # why it plays this game no more

    @property
    def name(self) -> str:
        """What the program calls itself; it is started to be asked. If it does not say, the name of its file."""
        if not self._greeted:
            try:
                self._running()
            except BotStopped as stopped:
                self._early = stopped
        return self._name or self._file

    def say_hello(self) -> None:
        """It runs, and has said so; raises BotStopped."""
        try:
            self._running()
        except BotStopped as stopped:
            self._fail(stopped)

    def new_game(self, rules: Ruleset, seat: Seat, random: Random) -> None:
        """It is told the rules as data, its seat and a seed; a program that has failed is started anew."""
        self._stopped, early, self._early = None, self._early, None
        try:
            if early is not None:
                raise early
            program = self._running()
            program.quiet()
            program.send(wire.new_game(rules, seat, random.getrandbits(wire.SEED_BITS)))
        except BotStopped as stopped:
            self._fail(stopped)

    def act(self, view: View, legal: tuple[Move, ...]) -> Move:
        """What it chose; raises BotStopped."""
        program = self._program
        if program is None:
            raise self._stopped or BotStopped(Fault.EXIT, f"{self._file} was told to quit")
        texts = wire.move_texts(view.state.rules, legal)
        try:
            program.quiet()
            line = self._asked(program, wire.act(view, texts), self._limit)
            move = wire.read_move(line, legal, texts)
        except BotStopped as stopped:
            self._fail(stopped)
        except Malformed as error:
            self._fail(BotStopped(Fault.GARBAGE, f"gave no answer: {error}"))
        if isinstance(move, str):
            self._fail(BotStopped(Fault.ILLEGAL, f"chose what may not be chosen: {move}"))
        return move

    def observe(self, view: View, event: Event) -> None:
        """It is told what happened."""
        self._tell(wire.observe(event, view.state))

    def game_over(self, view: View) -> None:
        """It is told how the game ended, where it was played to an end."""
        if view.state.outcome is not None:
            self._tell(wire.game_over(view.state.outcome))

    def close(self) -> None:
        """It was told to quit, and is gone."""
        program, self._program = self._program, None
        if program is not None:
            program.end(wire.bye())

    def _running(self) -> Program:
        """The program, which has said hello."""
        if self._program is None:
            self._greeted = True
            self._program = Program(self._words, wire.MAX_ANSWER, self._log)
            try:
                self._name = wire.read_hello(self._asked(self._program, wire.hello(self._limit), self._start))
            except (BotStopped, Malformed) as error:
                program, self._program = self._program, None
                program.kill()
                if isinstance(error, Malformed):
                    raise BotStopped(Fault.GARBAGE, f"did not say hello: {error}") from error
                raise
        return self._program

    def _asked(self, program: Program, line: bytes, limit: float) -> bytes:
        deadline = time.monotonic() + limit
        program.send(line)
        return program.answer(deadline, limit)

    def _tell(self, line: bytes) -> None:
        if self._program is not None:
            try:
                self._program.send(line)
            except BotStopped as stopped:
                self._fail(stopped)

    def _fail(self, stopped: BotStopped) -> NoReturn:
        """It is killed, and what it did is said with its name."""
        program, self._program = self._program, None
        if program is not None:
            program.kill()
        self._stopped = BotStopped(stopped.fault, clean_text(f"{self._name or self._file} {stopped}", SHOWN))
        raise self._stopped from stopped


def _file(words: Sequence[str]) -> str:
    """The name of the script that an interpreter is given, else of the program itself."""
    scripts = (Path(word).name for word in words[1:] if os.path.isfile(word))  # a word may be too long for a name
    return next(scripts, Path(words[0]).name)


def _words(command: str) -> list[str]:
    """The program and its arguments, as a shell would split them; raises Unreadable when it is not there."""
    try:
        words = shlex.split(command, posix=os.name != "nt")
    except ValueError as error:
        raise Unreadable(f"{clean_text(command, 60)!r} is no command: {error}") from error
    if os.name == "nt":  # there a backslash is part of a path, and the marks around a word stay
        words = [word.strip('"') for word in words]
    if not words or shutil.which(words[0]) is None:
        what = clean_text(words[0], 60) if words else ""
        if os.name != "nt" and os.path.dirname(what) and os.path.isfile(words[0]):
            how = "chmod +x makes it a program, or name who runs it, as in cmd:python3 mybot.py"
            raise Unreadable(f"{what!r} is there, but may not be run: {how}")
        raise Unreadable(f"no program {what!r} that can be run: expected one as in cmd:./mybot or cmd:python3 mybot.py")
    return words
