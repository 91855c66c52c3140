"""A terminal: can it draw, how wide is it, which characters does it know. Imports rich only when something is drawn."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from p2p_schotten.engine.view import View
from p2p_schotten.ui.around import Around
from p2p_schotten.ui.look import ASCII, UNICODE, Symbols
from p2p_schotten.ui.render import Line, board, scene

NEEDED = "┌┬┐├┼┤└┴┘│─▲▼■□◆●★✚▬·"


def is_terminal() -> bool:
    """Whether somebody sits at both ends: keys come in, and what is written is seen."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def terminal_size() -> tuple[int, int]:
    """Columns and lines of the terminal as it is now (COLUMNS may be older than the last resizing), else 80 and 24."""
    try:
        size = os.get_terminal_size(sys.stdout.fileno())
    except (OSError, ValueError):  # no terminal, or not even a file
        size = os.terminal_size((0, 0))
    return (size.columns, size.lines) if size.columns > 0 else (80, 24)


def can_draw() -> bool:
    """Whether a board may be drawn on standard output: a terminal, and not a dumb one."""
    return sys.stdout.isatty() and os.environ.get("TERM") not in ("dumb", "unknown")


def symbols(ascii_only: bool) -> Symbols:
    """Unicode where the output can write it, else ASCII."""
    if ascii_only:
        return ASCII
    try:
        NEEDED.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return UNICODE


def draw(lines: Iterable[Line]) -> None:
    """Write styled lines to standard output; rich leaves the colours out for NO_COLOR and where there are none."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    for line in lines:
        console.print(Text.assemble(*((span.text, span.style) for span in line)), crop=False)


class TerminalDrawing:
    """The board with rich, the invite as a QR code."""

    def __init__(self, ascii_only: bool = False) -> None:
        self._symbols = symbols(ascii_only)

    def show(self, view: View, names: tuple[str, str], around: Around) -> None:
        """Draw the position as wide as the terminal is now."""
        columns = terminal_size()[0]
        sys.stdout.write("\n")
        draw(board(scene(view, names, around), columns, self._symbols))
        sys.stdout.flush()

    def invite(self, word: str, below: int) -> None:
        """A QR code, unless it would not fit on the screen together with `below` more lines."""
        import segno

        code = segno.make_qr(word, error="l")
        width, height = code.symbol_size()
        columns, lines = terminal_size()
        if self._symbols.ascii or width > columns or (height + 1) // 2 + below > lines:
            return
        code.terminal(out=sys.stdout, compact=True)
        sys.stdout.flush()
