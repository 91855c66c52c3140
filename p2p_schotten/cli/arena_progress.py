"""How far a match is, on standard error: a bar on a terminal, elsewhere a line now and then."""

from __future__ import annotations

import os
import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self

from p2p_schotten.ui.text import _
from p2p_schotten.ui.wrapping import aside

if TYPE_CHECKING:
    from p2p_schotten.arena.match import Match

LINE_SECONDS = 30.0  # between two lines
SPEED_SECONDS = 600.0  # that the time left is estimated from: two games of slow bots take minutes


class Progress(Protocol):
    """Shows a match while it goes on."""

    def show(self, match: Match) -> None:
        """One pair more has been played."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None: ...


def chosen_progress(match: Match, plain: bool) -> Progress:
    """A bar where somebody sees it and can see it move."""
    if plain or not sys.stderr.isatty() or os.environ.get("TERM") in ("dumb", "unknown"):
        return Lines(match)
    return Bar(match)


def games_in_a_time(speed: float) -> str:
    """So many games in a second, or of slow bots in a minute."""
    return _("{n:.1f} games/s").format(n=speed) if speed >= 1 else _("{n:.1f} games/min").format(n=60 * speed)


class Lines:
    """A line every half a minute."""

    def __init__(self, match: Match) -> None:
        self._began, self._before = time.monotonic(), match.score.games
        self._said = self._began

    def show(self, match: Match) -> None:
        """The line, when it is time."""
        now = time.monotonic()
        if now - self._said >= LINE_SECONDS:
            self._said = now
            speed = (match.score.games - self._before) / max(now - self._began, 1e-9)
            line = _("{n} of {all} games, {speed}, {left:.0f} s left")
            left, rate = 2 * len(match.missing) / speed, games_in_a_time(speed)
            aside(line.format(n=match.score.games, all=2 * match.total, speed=rate, left=left))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        pass


class Bar:
    """A bar with the rate and the time left; it is gone afterwards."""

    def __init__(self, match: Match) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Rich

        self._began, self._before = time.monotonic(), match.score.games
        self._bar = Rich(
            BarColumn(None),
            MofNCompleteColumn(),
            TextColumn("{task.fields[speed]}"),
            TimeRemainingColumn(compact=True),
            console=Console(stderr=True),
            transient=True,
            expand=True,
            speed_estimate_period=SPEED_SECONDS,
        )
        self._task = self._bar.add_task("", total=2 * match.total, completed=self._before, speed=_("games"))

    def show(self, match: Match) -> None:
        """The bar moves."""
        games = match.score.games
        speed = (games - self._before) / max(time.monotonic() - self._began, 1e-9)
        self._bar.update(self._task, completed=games, speed=games_in_a_time(speed))

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._bar.stop()
