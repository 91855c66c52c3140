"""Transcripts as arguments: files, folders, `-`; never more bytes of one than a transcript can have."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from p2p_schotten.cli.status import Failure, Status, os_sentence
from p2p_schotten.journal import SUFFIX
from p2p_schotten.protocol.file import MAX_FILE
from p2p_schotten.ui.text import _


def found(names: list[str]) -> Iterator[tuple[str, str]]:
    """Each transcript as (name, why it cannot be read, or empty); a folder stands for the transcripts below it."""
    for name in names:
        path = Path(name)
        if name == "-" or not path.is_dir():
            yield name, ""
            continue
        inside = sorted(path.rglob(f"*{SUFFIX}"))
        if not inside:
            yield name, _("no *{suffix} lies in this folder").format(suffix=SUFFIX)
        for file in inside:
            yield str(file), ""


def read(name: str) -> bytes:
    """The bytes of a file or of standard input, at most one more than a transcript may have. Raises OSError."""
    if name == "-":
        return sys.stdin.buffer.read(MAX_FILE + 1)
    with Path(name).open("rb") as file:
        return file.read(MAX_FILE + 1)


def read_or_fail(name: str) -> bytes:
    """The same; a file that cannot be read ends the command."""
    try:
        return read(name)
    except OSError as error:
        raise Failure(Status.USAGE, f"{name}: {error.strerror or os_sentence(error)}") from error
