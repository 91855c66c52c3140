"""Standard output for events: whoever reads it slowly, or not at all, keeps neither the game nor its end waiting."""

from __future__ import annotations

import errno
from queue import SimpleQueue
from threading import Lock, Thread
from typing import TextIO

MAX_UNREAD = 16 * 1024 * 1024  # characters; ten matches of 50 games between bots


class Outlet:
    """What is written here is written to `out` by a thread, in its order, line by line.

    Writing raises the OSError that `out` raised, from then on, and one when too much waits.
    """

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._line, self._lines = "", SimpleQueue[str | None]()
        self._unread, self._counting = 0, Lock()
        self._error: OSError | None = None
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def write(self, text: str) -> int:
        """It is on its way, with what belongs to the same line."""
        with self._counting:
            self._unread += len(text)
            if self._unread > MAX_UNREAD and self._error is None:
                self._error = OSError(errno.ENOBUFS, f"nobody has read the last {MAX_UNREAD:,} characters")
        self.flush()
        self._line += text
        if text.endswith("\n"):
            self._lines.put(self._line)
            self._line = ""
        return len(text)

    def flush(self) -> None:
        """Nothing was wrong so far."""
        if self._error is not None:
            raise self._error

    def finish(self) -> None:
        """All whole lines are written, however long that takes; raises OSError where they cannot be."""
        self._lines.put(None)
        self._thread.join()
        self.flush()

    def isatty(self) -> bool:
        """Whether `out` is a terminal."""
        return self._out.isatty()

    def fileno(self) -> int:
        """That of `out`."""
        return self._out.fileno()

    @property
    def encoding(self) -> str:
        """That of `out`."""
        return self._out.encoding

    def _run(self) -> None:
        while (line := self._lines.get()) is not None:
            try:
                self._out.write(line)
                self._out.flush()
            except OSError as error:
                self._error = error
                return
            with self._counting:
                self._unread -= len(line)
