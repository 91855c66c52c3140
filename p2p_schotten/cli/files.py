"""Transcripts as arguments: files, folders, `-`; never more bytes of one than a transcript can have."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

from p2p_schotten.cli.status import Failure, Status, os_sentence
from p2p_schotten.errors import Cause, PeerFault
from p2p_schotten.journal import SUFFIX
from p2p_schotten.protocol.file import MAX_FILE, read_file
from p2p_schotten.ui.text import _

_OPEN = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)  # a FIFO without a writer opens too


def found(names: list[str]) -> Iterator[tuple[str, str]]:
    """Each transcript as (name, why it cannot be read, or empty); a folder stands for the transcripts below it."""
    for name in names:
        try:
            inside = None if name == "-" else _inside(Path(name))
        except OSError as error:  # a name that is too long, a folder that may not be listed
            yield name, error.strerror or os_sentence(error)
            continue
        if inside is None:
            yield name, ""
        elif not inside:
            yield name, _("no *{suffix} lies in this folder").format(suffix=SUFFIX)
        else:
            yield from ((str(file), "") for file in inside)


def _inside(path: Path) -> list[Path] | None:
    """What is called a transcript below a folder; None for what is no folder."""
    if not path.is_dir():
        return None
    return sorted(file for file in path.rglob(f"*{SUFFIX}") if not file.is_dir())


def read(name: str) -> bytes:
    """The bytes of a regular file or of standard input, at most one more than a transcript may have. Raises OSError."""
    if name == "-":
        return sys.stdin.buffer.read(MAX_FILE + 1)
    with os.fdopen(os.open(name, _OPEN), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(_("not a regular file; - reads standard input"))
        return file.read(MAX_FILE + 1)


def read_or_fail(name: str) -> bytes:
    """The same; a file that cannot be read ends the command."""
    try:
        return read(name)
    except OSError as error:
        raise Failure(Status.USAGE, f"{name}: {error.strerror or os_sentence(error)}") from error


def why_refused(data: bytes, fault: PeerFault, records: int) -> str:
    """What fails first in a transcript of which `records` are good; a cut in words of its own."""
    if fault.cause is Cause.LENGTH:
        contents = read_file(data)
        if contents.torn and records == len(contents.items):
            sentence = _("cut off in record {n} ({cause}: {k} bytes of it stand there)")
            return sentence.format(n=fault.seq, cause=fault.cause.value, k=contents.torn)
    return str(fault)
