"""`schotten`: the command that the arguments name runs, and nothing else is imported.

`--version` and `--help` need no parser and no library; a command brings its own Typer application in `app`.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from io import TextIOWrapper
from typing import TextIO, cast

import p2p_schotten
from p2p_schotten.cli import signals
from p2p_schotten.cli.outlet import Outlet
from p2p_schotten.cli.status import Failure, Status, answer, os_sentence
from p2p_schotten.text import one_line
from p2p_schotten.ui.text import _
from p2p_schotten.ui.wrapping import aside

COMMANDS: Mapping[str, str] = {  # in the order in which people need them
    "play": "p2p_schotten.cli.play",
    "host": "p2p_schotten.cli.host",
    "join": "p2p_schotten.cli.join",
    "resume": "p2p_schotten.cli.resume",
    "games": "p2p_schotten.cli.games",
    "verify": "p2p_schotten.cli.verify",
    "replay": "p2p_schotten.cli.replay",
    "export": "p2p_schotten.cli.export",
    "judge": "p2p_schotten.cli.judge",
    "arena": "p2p_schotten.cli.arena",
    "bots": "p2p_schotten.cli.bots",
    "rules": "p2p_schotten.cli.rules",
    "keys": "p2p_schotten.cli.keys",
    "doctor": "p2p_schotten.cli.doctor",
}
HIDDEN: Mapping[str, str] = {"second-peer": "p2p_schotten.cli.second"}
PLAYING = ("play", "host", "join", "resume")  # they bring about a game
GONE_ON_WITH = ("resume", "arena")  # where one is cut short, also while it is being loaded, something stands unfinished
HELP_FLAGS = ("--help", "-h")
TYPERS_CTRL_C = 130  # what typer makes of a Ctrl-C that no command has answered; no status of ours


def run() -> None:
    """The console script: ends the process with the status of the command."""
    _open_streams()
    out, arguments = sys.stdout, sys.argv[1:]
    if arguments and arguments[0] in PLAYING:
        signals.take()
    status = _dispatched(arguments)
    try:
        out.flush()
    except OSError as error:  # nobody reads the output any more, or its disk is full
        _drop(out)
        if not isinstance(error, BrokenPipeError):
            complain(os_sentence(error))
            status = status or Status.FAILED
    try:
        sys.stderr.flush()
    except OSError:
        _drop(sys.stderr)
    exec("")  # else `python -m` dies of a Ctrl-C that came in the `exec` of a library while that was loaded
    sys.exit(int(status))


def dispatch(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit status; an error becomes one line and a hint on standard error.

    A game told in JSON lines ends with a line that says the same.
    """
    out = sys.stdout
    try:
        return _dispatched(arguments)
    finally:
        sys.stdout = out


def _dispatched(arguments: Sequence[str]) -> int:
    """As `dispatch`, but standard output may lead elsewhere then: see `options.keep_output`."""
    out, outlet = sys.stdout, None
    playing = bool(arguments) and arguments[0] in PLAYING
    if playing and "--json" in arguments and not any(flag in arguments for flag in HELP_FLAGS):
        outlet = Outlet(out)
        sys.stdout = cast(TextIO, outlet)
    try:
        status, why, hint = _command(arguments), "", ""
    except (Exception, KeyboardInterrupt, BaseExceptionGroup) as error:  # the one door out: a bug goes on as it is
        reply = answer(error, playing=playing)
        if reply is None:
            raise
        if isinstance(error, BrokenPipeError):
            _drop(out)
        status, why, hint = reply.status, one_line(reply.message), one_line(reply.hint)
        if isinstance(error, KeyboardInterrupt) and arguments and arguments[0] in GONE_ON_WITH:
            status = Status.UNFINISHED
        complain(why, hint)
    signals.release()
    if outlet is not None:
        from p2p_schotten.ui.json_end import json_end

        try:
            print(json_end(status, why, hint), file=outlet)
            outlet.finish()
        except OSError:  # nobody reads the output any more, or its disk is full: the game is none the worse
            _drop(out)
        if sys.stdout is cast(TextIO, outlet):
            sys.stdout = out
    return status


def complain(message: str, hint: str = "") -> None:
    """An error is one line on standard error, a hint the second."""
    if message:
        aside(f"schotten: {message}")
    if hint:
        aside(_("hint: {text}").format(text=hint))


def _command(arguments: Sequence[str]) -> int:
    name, *rest = arguments or ("--help",)
    if name in ("--version", "-V"):
        print(f"schotten {p2p_schotten.__version__}")
        return Status.DONE
    if name in HELP_FLAGS or (name == "help" and not rest):
        from p2p_schotten.cli.help import overview

        print(overview())
        return Status.DONE
    if name == "help":
        name, rest = rest[0], ["--help"]
    module = COMMANDS.get(name) or HIDDEN.get(name)
    if module is None:
        return _unknown(name)
    options = rest[: rest.index("--")] if "--" in rest else rest
    if name in COMMANDS and any(flag in options for flag in HELP_FLAGS):
        from p2p_schotten.cli.help import HELP

        print(_(HELP[name]).strip())
        return Status.DONE
    return _parse(name, module, rest)


def _parse(name: str, module: str, arguments: Sequence[str]) -> int:
    """Hand the arguments to the command's Typer application; what it cannot read is a usage error in our words."""
    loaded = importlib.import_module(module)
    import typer
    from typer.main import get_command

    # UsageError, of which BadParameter is one; its own address differs between versions of typer.
    usage_error = cast(type[Exception], typer.BadParameter.__mro__[1])
    try:
        status: object = get_command(loaded.app).main(
            args=list(arguments), prog_name=f"schotten {name}", standalone_mode=False
        )
    except typer.Abort as error:
        raise KeyboardInterrupt from error
    except usage_error as error:
        why = str(getattr(error, "format_message", error.__str__)())
        raise Failure(Status.USAGE, why, f"schotten {name} --help") from error
    if status == TYPERS_CTRL_C:
        raise KeyboardInterrupt
    return status if isinstance(status, int) else Status.DONE


def _unknown(name: str) -> int:
    from difflib import get_close_matches

    close = get_close_matches(name, COMMANDS, 1)
    kind = _("no such option: {name}") if name.startswith("-") else _("no such command: {name}")
    complain(kind.format(name=name), f"schotten {close[0]}" if close else "schotten --help")
    return Status.USAGE


def _open_streams() -> None:
    """All three streams exist, and a letter that the output does not know becomes an escape instead of an error."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by whoever started us; its descriptor must not become a socket's
            setattr(sys, name, open(os.open(os.devnull, os.O_RDWR), mode, closefd=False))  # noqa: SIM115 (stays open)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _drop(stream: TextIO) -> None:
    """Nothing can be written there any more: the interpreter must not stumble over it when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
