"""A process that plays batches for another one. It ends when it is told to, or when the other one is gone.

Bots may hold processes of their own, so it lets go of them first; but for that it takes seconds only.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import suppress
from types import FrameType

import p2p_schotten
from p2p_schotten.arena.batch import Played, play_batch
from p2p_schotten.arena.plan import Plan
from p2p_schotten.bots.base import BotStopped, Ended
from p2p_schotten.bots.finding import make_bot
from p2p_schotten.errors import Unreadable

GRACE = 5.0
"""Seconds in which the bots of a process that is to end can be let go of."""


def begin() -> None:
    """Called once in a new process: Ctrl-C is the affair of the one that started it, whose end is its own end too.

    What a bot prints goes to standard error: on standard output a script expects the result.
    """
    sys.stdout = sys.stderr
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # it was started with none: see `Unhearing`
    signal.signal(signal.SIGTERM, _end)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def look(spec: str) -> None:
    """That bot can be made here; raises Unreadable."""
    with suppress(BotStopped):  # it has decided nothing yet
        make_bot(spec, 0).close()


def work(version: str, plan: Plan, numbers: range, log: str | None) -> tuple[Played, ...]:
    """These pairs of the match, for a process that runs this version. Raises Unreadable."""
    if version != p2p_schotten.__version__:  # on another machine
        raise Unreadable(f"a worker has version {p2p_schotten.__version__} of p2p_schotten, and version {version} asks")
    return play_batch(plan, numbers, log)


def work_here(version: str, plan: Plan, numbers: range, log: str | None) -> tuple[Played, ...]:
    """The same in a process with `begin`, which ends when it is told to in the middle of a game."""
    global _playing
    try:
        _playing = True
        try:
            return work(version, plan, numbers, log)
        finally:
            _playing = False
    except Ended:  # the bots are let go of; an executor that catches this would hand out the next batch
        os._exit(1)


_playing = False


def _end(signal_number: int, frame: FrameType | None) -> None:
    if not _playing:  # nothing to let go of; and no half-read queue, over which the others would stumble
        os._exit(1)
    threading.Thread(target=_end_soon, daemon=True).start()
    raise Ended


def _end_soon() -> None:
    threading.Event().wait(GRACE)
    os._exit(1)


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    assert parent is not None
    parent.join()
    main = threading.main_thread().ident
    if sys.platform != "win32" and main is not None:
        signal.pthread_kill(main, signal.SIGTERM)
        threading.Event().wait(2 * GRACE)
    os._exit(1)
