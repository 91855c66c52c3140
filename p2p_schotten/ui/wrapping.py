"""Lines broken between words for a terminal, and what is said beside the game, on standard error."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import TextIO

from p2p_schotten.text import one_line

LEAST_COLUMNS = 10  # a narrower terminal may break lines as it likes
INDENT = "  "  # before what goes on in the next line: nothing that others wrote stands at the left edge

COLUMN = 10  # where the text of a row begins: what can be typed stands before it
LEAST_FOR_ROWS = 40  # columns of a terminal on which a text goes on below its beginning


def aside(line: str) -> None:
    """Said on standard error: one line, which a terminal shows broken between words.

    Nobody need listen: a standard error that takes nothing, as one on a full disk, changes nothing else.
    """
    columns, line = columns_of(sys.stderr), one_line(line)
    with suppress(OSError):
        print("\n".join(wrapped(line, columns, whole=True)), file=sys.stderr, flush=True)


def print_line(line: str) -> None:
    """On standard output: one line, which a terminal shows broken between words."""
    columns, line = columns_of(sys.stdout), one_line(line)
    print("\n".join(wrapped(line, columns, whole=True)), flush=True)


def columns_of(stream: TextIO) -> int:
    """How wide the terminal is that this writes to, as it is now; 0 where it is none, or does not know."""
    try:
        return os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):  # no terminal, or not even a file
        return 0


def wrapped(line: str, columns: int, *, whole: bool = False, stones: bool = False) -> list[str]:
    """The line cut between words so that it fits, in cells of the terminal; what goes on in a next line is indented.

    `columns` 0 stands for no terminal: nothing is cut. The text of a row goes on in its column. A longer word is cut
    too, unless words stay `whole`: a path is copied.
    `stones`: the line is cut where a stone or a sentence ends, so that a stone and its cards stay together.
    """
    room = max(columns - 1, LEAST_COLUMNS)
    if not columns or _cells(line) <= room:
        return [line]
    indent = " " * COLUMN if columns >= LEAST_FOR_ROWS and _is_row(line) else INDENT
    lines: list[str] = []
    now = ""
    chunks = _words(line)
    if stones:
        fits = room - len(indent)
        chunks = [piece for chunk in _stones(line) for piece in ([chunk] if _cells(chunk) <= fits else _words(chunk))]
    for chunk in chunks:
        if _cells(now) + _cells(chunk) <= room:
            now += chunk
            continue
        if now.strip(" "):
            lines.append(now.rstrip(" "))
            now = indent
        if chunk[0] == " ":
            continue
        if whole or _cells(now) + _cells(chunk) <= room:
            now += chunk
            continue
        *cut, now = (indent + piece for piece in _pieces(chunk, room - len(indent)))
        lines += cut
    return [*lines, now.rstrip(" ")] if now.strip(" ") else lines


def _words(line: str) -> list[str]:
    """Words, and the spaces between them."""
    return re.findall(" +|[^ ]+", line)


def _stones(line: str) -> list[str]:
    """What stands before the first stone, then each stone, then each sentence behind them; and the spaces between."""
    first, colon, rest = line.partition(": ")
    return [first + ":", " ", *filter(None, re.split("(?<=[;.])( +)", rest))] if colon else _words(line)


def _is_row(line: str) -> bool:
    """A word or two, and in its column what they do: `why 3     why stone 3 cannot be claimed`."""
    return line[:1] != " " and line[COLUMN - 2 : COLUMN] == "  " and line[COLUMN : COLUMN + 1] != " "


def _pieces(word: str, room: int) -> Iterator[str]:
    """The word in pieces of at most `room` cells; a character without width stays with the one before it."""
    piece, cells = "", 0
    for character in word:
        width = _cells(character)
        if piece and cells + width > room:
            yield piece
            piece, cells = "", 0
        piece += character
        cells += width
    yield piece


def _cells(text: str) -> int:
    """How many columns a text takes that has no control characters."""
    if text.isascii():  # so that a library that is missing can still be told of
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)
