"""A program that runs beside this one and speaks in lines: whatever it does, nothing here waits or grows without end.

Three threads serve its pipes, so that whoever asks never touches one: the one that writes may stand still before a
program that does not read, the other two before one that says nothing; a fourth sees it end. They end when the program
does. Only where a child of it has left its process group and keeps the pipes open do they stay, idle, while it does.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from queue import Full, Queue
from threading import Condition, Event, Lock, Thread
from typing import BinaryIO, cast

from p2p_schotten.bots.base import BotStopped, Fault
from p2p_schotten.bots.log import open_log
from p2p_schotten.text import clean_text

CHUNK = 4096  # bytes that are read at once
MAX_WAITING = 1000  # lines that a program has not read yet; between two of its decisions some thirty events happen
MAX_NOTED = 1024 * 1024  # bytes of a program's standard error that are kept
TAIL = 400  # bytes at the end of its standard error: the line that says why it crashed
SETTLING = 0.0002  # seconds until a line that has come is seen: the thread that reads waits until this one pauses
PARTING = 1.0  # seconds that it gets to end by itself once it was told to, or has closed its output
JOINING = 1.0  # seconds until the threads have noticed that it is gone; they need a blink, on a busy machine more

UNASKED = "said more than it was asked"


class Program:
    """A running program. Every method but `kill` and `end` raises BotStopped, which says what the program did."""

    def __init__(self, words: Sequence[str], max_line: int, log: Path | None = None) -> None:
        """It is started, in the current folder, without a shell; a line of it has at most `max_line` bytes."""
        self._max_line = max_line
        self._news = Condition()  # guards the next three
        self._lines: list[bytes] = []
        self._over = False  # no line will follow
        self._wrong = ""  # why none was taken any more
        self._gone = Event()  # it has ended
        self._reaping = Lock()  # while it is held, its number is not given to another process
        self._tail = b""
        self._outbox: Queue[bytes | None] = Queue(MAX_WAITING)
        try:
            self._process = _start(words)
        except (OSError, ValueError) as error:
            raise BotStopped(Fault.CRASH, f"cannot be started: {clean_text(str(error), 120)}") from error
        self._finalizer = weakref.finalize(self, _kill, self._process, self._reaping)  # also when this program ends
        into, out, errors = (cast(BinaryIO, pipe) for pipe in self._pipes())
        heading = f"{' '.join(words)} (process {self._process.pid})"
        self._threads = [
            Thread(target=work, args=arguments, daemon=True)
            for work, arguments in (
                (self._write, (into,)),
                (self._read, (out,)),
                (self._note, (errors, log, heading)),
                (self._watch, ()),
            )
        ]
        for thread in self._threads:
            thread.start()

    def _pipes(self) -> tuple[object, object, object]:
        return self._process.stdin, self._process.stdout, self._process.stderr

    def quiet(self) -> None:
        """It has said nothing that it was not asked; raises BotStopped.

        Else who answers twice would be one answer ahead of the questions all along, by chance unnoticed.
        """
        time.sleep(SETTLING)
        with self._news:
            if self._lines or self._wrong:
                raise BotStopped(Fault.GARBAGE, self._wrong or UNASKED)

    def send(self, line: bytes) -> None:
        """The line is on its way."""
        try:
            self._outbox.put_nowait(line)
        except Full:
            raise BotStopped(Fault.SILENCE, f"has not read {MAX_WAITING} lines that it was told") from None

    def answer(self, deadline: float, limit: float) -> bytes:
        """The next line of it, which comes before `deadline` by the monotonic clock, that is within `limit` seconds."""
        with self._news:
            self._news.wait_for(lambda: self._lines or self._over, max(0.0, deadline - time.monotonic()))
            if self._lines:
                return self._lines.pop(0)
            if self._wrong:
                raise BotStopped(Fault.GARBAGE, self._wrong)
            if not self._over:
                raise BotStopped(Fault.SILENCE, f"has not answered within {limit:g} s (does it flush its output?)")
        raise self._parted()

    def end(self, last: bytes) -> None:
        """It was told the last line, and is gone: by itself, or in the end by force."""
        with suppress(BotStopped):
            self.send(last)
        with suppress(Full):
            self._outbox.put_nowait(None)
        self._gone.wait(PARTING)
        self.kill()

    def kill(self) -> None:
        """It is gone, with all that it started in its group."""
        _kill(self._process, self._reaping)
        self._finalizer.detach()
        with suppress(Full):
            self._outbox.put_nowait(None)
        deadline = time.monotonic() + JOINING
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))

    def _parted(self) -> BotStopped:
        """Why its output ended."""
        if not self._gone.wait(PARTING):
            return BotStopped(Fault.SILENCE, "has closed its output, and answers no more")
        self.kill()  # also what it has left behind; its status was there before
        status = self._process.returncode
        if status == 0:
            return BotStopped(Fault.EXIT, "ended before it was told to quit")
        how = f"ended with status {status}" if status > 0 else f"died of {_signal_name(-status)}"
        lines = clean_text(self._tail.decode(errors="replace").strip().rpartition("\n")[2].strip(), 120)
        return BotStopped(Fault.CRASH, f"{how}: {lines}" if lines else how)

    # the threads

    def _write(self, pipe: BinaryIO) -> None:
        with suppress(OSError), pipe:  # who does not listen any more is judged by what it answers
            while (line := self._outbox.get()) is not None:
                while line:
                    line = line[os.write(pipe.fileno(), line) :]

    def _read(self, pipe: BinaryIO) -> None:
        rest = b""
        with suppress(OSError), pipe:
            while not self._wrong and (chunk := os.read(pipe.fileno(), CHUNK)):
                *lines, rest = (rest + chunk).split(b"\n")
                self._take(lines, rest)
        with self._news:
            self._over = True
            self._news.notify_all()

    def _take(self, lines: list[bytes], rest: bytes) -> None:
        """The lines are there to be fetched, unless something is wrong with them."""
        with self._news:
            if any(len(line) > self._max_line for line in (*lines, rest)):
                self._wrong = f"wrote a line of more than {self._max_line} bytes"
                return
            self._lines += lines[:2]  # of a flood no more is kept than shows that it is one
            if len(self._lines) > 1:
                self._wrong = UNASKED
            self._news.notify_all()

    def _note(self, pipe: BinaryIO, log: Path | None, heading: str) -> None:
        """Its standard error stands in the log, with a heading; who says nothing leaves no trace there."""
        kept, noted = None, 0
        with suppress(OSError), pipe:
            while chunk := os.read(pipe.fileno(), CHUNK):
                self._tail = (self._tail + chunk)[-TAIL:]
                if not noted:
                    kept = open_log(log, heading)
                if kept is not None and noted < MAX_NOTED:
                    try:
                        kept.write(chunk)
                    except OSError:  # the disk is full: the game goes on
                        noted = MAX_NOTED
                noted += len(chunk)
        if kept is not None:
            kept.close()

    def _watch(self) -> None:
        _await_end(self._process)
        _kill_group(self._process, self._reaping)  # what it has left behind holds its output open
        self._gone.set()
        with self._news:
            self._news.wait_for(lambda: self._over, JOINING)
            self._over = True
            self._news.notify_all()


def _start(words: Sequence[str]) -> subprocess.Popen[bytes]:
    """The program, in a group of its own: a Ctrl-C at the terminal is not meant for it."""
    pipe = subprocess.PIPE
    if sys.platform == "win32":
        group = subprocess.CREATE_NEW_PROCESS_GROUP
        return subprocess.Popen(words, bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe, creationflags=group)
    return subprocess.Popen(words, bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)


def _await_end(process: subprocess.Popen[bytes]) -> None:
    """It has ended. Its number stays taken where that can be had, so that killing its group can hit nobody else."""
    if sys.platform == "win32" or not hasattr(os, "waitid"):
        process.wait()
    else:
        with suppress(ChildProcessError):  # it was killed, and its number is free
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)


def _kill(process: subprocess.Popen[bytes], reaping: Lock) -> None:
    """The process is gone, and on POSIX its group."""
    _kill_group(process, reaping)
    with reaping:
        process.wait()


def _kill_group(process: subprocess.Popen[bytes], reaping: Lock) -> None:
    """Nobody of its group is left on POSIX, else not the process, unless it is known to be gone."""
    with reaping, suppress(OSError):  # nobody is in the group
        if process.returncode is not None:
            return
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
