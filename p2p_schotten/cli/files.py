"""Transcripts as arguments: files, folders, `-`; never more bytes of one than a transcript can have."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

from p2p_schotten.cli.status import Failure, Status, os_sentence
from p2p_schotten.errors import Cause, PeerFault, SchottenError, Unreadable
from p2p_schotten.home import home
from p2p_schotten.ids import ID_DIGITS, SEATS
from p2p_schotten.journal import SUFFIX
from p2p_schotten.protocol.file import MAX_FILE, read_file
from p2p_schotten.protocol.messages import Hello, read_body
from p2p_schotten.protocol.record import read_record
from p2p_schotten.protocol.session import game_id_of
from p2p_schotten.text import is_hex
from p2p_schotten.ui.text import _

LEAST_DIGITS = 4  # of a game's id; fewer could be meant as a name
_OPEN = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)  # a FIFO without a writer opens too


def found(names: list[str]) -> Iterator[tuple[str, str]]:
    """Each transcript as (name, why it cannot be read, or empty); a folder stands for the transcripts below it."""
    for given in names:
        try:
            name = by_id(given)
        except Unreadable as error:
            yield given, str(error)
            continue
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


def by_id(name: str, *, one: bool = False) -> str:
    """The folder of the game whose id begins so, where no file has that name (`one`: a transcript in it); else `name`.

    Raises Unreadable when several games begin so, or none.
    """
    if not is_hex(name, LEAST_DIGITS, ID_DIGITS) or os.path.lexists(name):
        return name
    below = home() / "games"
    fits = sorted(path for path in below.glob(f"{name}*") if path.is_dir())
    if len(fits) > 1:
        sentence = _("{name} fits {n} games: type more digits of the id that schotten games shows")
        raise Unreadable(sentence.format(name=name, n=len(fits)))
    if not fits:
        raise Unreadable(_("{name}: no such file, and no game here has an id that begins so").format(name=name))
    inside = sorted(fits[0].glob(f"*{SUFFIX}")) if one else []
    return str((*inside, fits[0])[0])


def _inside(path: Path) -> list[Path] | None:
    """What is called a transcript below a folder; None for what is no folder."""
    if not path.is_dir():
        return None
    return _as_played(sorted(file for file in path.rglob(f"*{SUFFIX}") if not file.is_dir()))


def _as_played(files: list[Path]) -> list[Path]:
    """The games of a match one after the other, by their numbers; all else stays in its order."""
    places = [_place(file) for file in files]
    first = {match: at for at, (match, _number) in reversed(list(enumerate(places)))}
    order = sorted(range(len(files)), key=lambda at: (first[places[at][0]], places[at][1]))
    return [files[at] for at in order]


def _place(file: Path) -> tuple[bytes, int]:
    """Of which match a transcript says to be a game, and which one; a match of its own where it says nothing."""
    try:
        hellos = [
            body
            for record in map(read_record, read_file(read(str(file))).items[: len(SEATS)])
            if isinstance(body := read_body(record.kind, record.body), Hello)
        ]
    except (SchottenError, OSError):
        hellos = []
    if len(hellos) < len(SEATS):
        return os.fsencode(file), 0
    return hellos[0].match.id or game_id_of(hellos), hellos[0].match.number


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
        name = by_id(name, one=True)
    except Unreadable as error:
        raise Failure(Status.USAGE, str(error)) from error
    try:
        inside = _inside(Path(name)) if name != "-" else None
        if inside is not None:
            example = _(", such as {file}").format(file=inside[0]) if inside else ""
            why = _("{name} is a folder: expected one transcript{example}").format(name=name, example=example)
            raise Failure(Status.USAGE, why)
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
