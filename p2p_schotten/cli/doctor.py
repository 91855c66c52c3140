"""`schotten doctor`: what a bug report needs. Public facts only: no key, no seed, no name of a player."""

from __future__ import annotations

import locale
import os
import platform
import re
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

import typer

from p2p_schotten.cli.status import Status

app = typer.Typer(add_completion=False)

PACKAGE = "p2p-schotten"
VARIABLES = ("TERM", "COLORTERM", "NO_COLOR", "LANG", "LC_ALL", "SCHOTTEN_HOME", "TMUX", "SSH_CONNECTION")
PRIVATE = ("SSH_CONNECTION", "TMUX")  # that they are set is enough


@app.command()
def doctor() -> int:
    """Print the facts; 5 when the self-test fails, because then no game can come about."""
    from p2p_schotten.crypto import group
    from p2p_schotten.errors import InvalidProof

    for title, facts in (("program", _program()), ("terminal", _terminal()), ("places", _places()), ("net", _net())):
        print(f"{title}")
        for name, value in facts:
            print(f"  {name:<14} {value}")
    print("self-test")
    try:
        group.self_test()
    except InvalidProof as error:
        print(f"  cryptography   FAILED: {error}")
        return Status.NO_GAME
    print("  cryptography   good")
    return Status.DONE


def _program() -> Iterator[tuple[str, str]]:
    import p2p_schotten
    from p2p_schotten.protocol.file import FORMAT
    from p2p_schotten.protocol.session import SUITE, VERSIONS

    yield "schotten", f"{p2p_schotten.__version__}"
    yield "protocol", f"{VERSIONS[0]}-{VERSIONS[1]}, {SUITE}, file format {FORMAT}"
    yield "python", f"{platform.python_version()} {platform.python_implementation()}"
    yield "system", f"{platform.system()} {platform.release()} {platform.machine()}"
    try:
        needed = requires(PACKAGE) or []
    except PackageNotFoundError:
        yield "libraries", f"unknown: {PACKAGE} is not installed as a package"
        return
    for library in libraries(needed):
        try:
            yield library, version(library)
        except PackageNotFoundError:
            yield library, "not installed as a package"


def libraries(needed: Iterable[str]) -> list[str]:
    """The names in requirements such as `trio>=0.25`, without those of extras."""
    names = (re.match(r"[\w.-]+", line) for line in needed if not re.search(r";.*\bextra\b", line))
    return sorted(name.group() for name in names if name)


def _terminal() -> Iterator[tuple[str, str]]:
    from p2p_schotten.ui.terminal import can_draw, symbols, terminal_size

    columns, lines = terminal_size()
    for name, stream in (("input", sys.stdin), ("output", sys.stdout)):
        yield name, "terminal" if stream.isatty() else "no terminal"
    yield "size", f"{columns} x {lines}"
    yield "encoding", f"{sys.stdout.encoding}, preferred {locale.getpreferredencoding(False)}"
    yield "board", ("ASCII" if symbols(False).ascii else "Unicode") if can_draw() else "not drawn: sentences"
    yield "colours", _colours()
    for variable in VARIABLES:
        value = os.environ.get(variable)
        if value is not None:
            yield variable, "set" if variable in PRIVATE else ascii(value)[1:-1][:60]


def _colours() -> str:
    from rich.console import Console

    console = Console()
    return "none (NO_COLOR)" if console.no_color else console.color_system or "none"


def _places() -> Iterator[tuple[str, str]]:
    from p2p_schotten.home import home

    folder = home()
    yield "home", _place(folder)
    for name in ("identity", "known.json", "games", "seeds"):
        yield name, _place(folder / name)


def _place(path: Path) -> str:
    try:
        mode = path.stat().st_mode & 0o777
    except FileNotFoundError:
        return f"{path}: not there yet"
    except OSError as error:
        return f"{path}: {error.strerror}"
    access = "" if os.access(path, os.W_OK) else ", cannot be written"
    inside = f", {sum(1 for _entry in path.iterdir())} inside" if path.is_dir() and os.access(path, os.R_OK) else ""
    return f"{path}: mode {mode:04o}{inside}{access}"


def _net() -> Iterator[tuple[str, str]]:
    from p2p_schotten.net.addresses import usable_addresses

    yield "addresses", " ".join(usable_addresses()) or "none"
