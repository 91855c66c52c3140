"""Who asks the program to end, by a signal: that is answered as a Ctrl-C is, so that the last line is said as well."""

from __future__ import annotations

import signal
from types import FrameType

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")


def wishes() -> tuple[signal.Signals, ...]:
    """The signals that ask to end. Who started the program with `nohup` wants it to outlive its terminal."""
    known = (signal.Signals[name] for name in _NAMES if hasattr(signal, name))
    return tuple(each for each in known if signal.getsignal(each) is not signal.SIG_IGN)


def take() -> None:
    """Each of them is a Ctrl-C from now on, and Ctrl-C itself is heard: a shell lets a job beside it hear none."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # trio puts its own in the place of this one alone
    for wish in wishes():
        if wish is not signal.SIGINT:
            signal.signal(wish, _as_ctrl_c)


def release() -> None:
    """If they were taken: each ends the process at once, whatever it waits for."""
    if signal.getsignal(signal.SIGTERM) is _as_ctrl_c:
        for wish in wishes():
            signal.signal(wish, signal.SIG_DFL)


def _as_ctrl_c(_number: int, frame: FrameType | None) -> None:
    handler = signal.getsignal(signal.SIGINT)  # where trio runs its own: that picks a moment which hurts nothing
    if callable(handler):
        handler(signal.SIGINT, frame)
