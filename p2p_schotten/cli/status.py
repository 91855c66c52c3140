"""The exit statuses, and the one translation of errors into a line, a hint and a status."""

from __future__ import annotations

import errno
import os
import sys
from dataclasses import dataclass
from enum import IntEnum

from p2p_schotten.errors import (
    ChannelError,
    JournalError,
    PeerFault,
    SchottenError,
    TranscriptError,
    Unreadable,
    leaves,
)
from p2p_schotten.ui.text import _


class Status(IntEnum):
    """What a script may rely on."""

    DONE = 0
    FAILED = 1  # a check failed
    USAGE = 2
    FAULT = 3  # the other peer broke the protocol
    UNFINISHED = 4  # the game stands: connection gone, Ctrl-C, end of input
    NO_GAME = 5  # no game came about


class Failure(SchottenError):
    """A command ends here: one line, perhaps a hint, and the status."""

    def __init__(self, status: Status, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person and a script get to know about an error. An empty `message` is not printed."""

    status: Status
    message: str
    hint: str = ""


def interrupted(when: str, status: Status = Status.NO_GAME) -> Failure:
    """Nothing came of it, because somebody pressed Ctrl-C; below the `^C` that the terminal shows."""
    if sys.stderr.isatty():
        print(file=sys.stderr)
    return Failure(status, when)


def answer(error: BaseException, *, playing: bool = False) -> Answer | None:
    """The answer to `error`, or None where it is a bug of ours that nobody should hide.

    Of several errors in a group the first with an answer counts, a Ctrl-C before all; one bug makes it a bug.
    `playing`: the command was to bring about a game. What the system refuses in a game its driver has answered.
    """
    found = sorted(leaves(error), key=lambda cause: not isinstance(cause, KeyboardInterrupt))
    answers = [_single(cause, playing) for cause in found]
    return None if None in answers else answers[0]


def _single(error: BaseException, playing: bool) -> Answer | None:
    match error:
        case Failure():
            return Answer(error.status, error.message, error.hint)
        case PeerFault():
            return Answer(
                Status.FAULT,
                _("the other peer broke the protocol: {why}").format(why=error),
                _("nothing of that record was used; the evidence lies beside the transcript"),
            )
        case ChannelError():
            return Answer(Status.NO_GAME, str(error))
        case JournalError():
            return Answer(Status.NO_GAME, str(error))  # in a game its driver has answered it
        case TranscriptError():
            return Answer(Status.FAILED, str(error))
        case Unreadable():
            return Answer(Status.USAGE, str(error))
        case SchottenError():
            return Answer(Status.NO_GAME, str(error))
        case KeyboardInterrupt():
            return Answer(Status.NO_GAME if playing else Status.FAILED, _("interrupted"))
        case ModuleNotFoundError() if error.name and not error.name.startswith("p2p_schotten"):
            return Answer(
                Status.NO_GAME,
                _("the library {name} is missing").format(name=error.name),
                _("python3 scripts/play.py sets up everything that is needed"),
            )
        case EOFError():
            return Answer(Status.FAILED, _("the input ended"))
        case BrokenPipeError():
            return Answer(Status.NO_GAME, _("nobody reads the output")) if playing else Answer(Status.FAILED, "")
        case OSError():
            return Answer(Status.NO_GAME if playing else Status.FAILED, os_sentence(error))
    return None


def os_sentence(error: OSError) -> str:
    """What the system refused, with the name it refused it for."""
    reason = error.strerror or str(error) or errno.errorcode.get(error.errno or 0, type(error).__name__)
    name = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes | os.PathLike) else ""
    return f"{name}: {reason}" if name else reason
