"""`schotten judge`: the referee over JSON lines. A line is one stone and one question, and gets exactly one answer."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

import typer

from p2p_schotten.cli.status import Failure, Status, os_sentence
from p2p_schotten.engine import judge as engine_judge
from p2p_schotten.errors import Unreadable
from p2p_schotten.ui.text import _

app = typer.Typer(add_completion=False)

LINE_BYTES = 65_536  # a line with all cards face up and long ids needs under two thousand
ID_CHARACTERS = 200


@app.command()
def judge(file: str = typer.Argument("-", metavar="[FILE]")) -> int:
    """Answer every line; 1 when one of them could not be read."""
    if file == "-":
        return answer_all(sys.stdin.buffer)
    try:
        with Path(file).open("rb") as stream:
            return answer_all(stream)
    except OSError as error:
        if error.filename is None:  # our own output
            raise
        raise Failure(Status.USAGE, os_sentence(error), _("schotten judge reads a file of JSON lines, or -")) from error


def answer_all(stream: BinaryIO) -> Status:
    """Answer the stream's lines one by one, each as soon as it has come."""
    status = Status.DONE
    for line in lines(stream):
        reply = respond(line)
        if "error" in reply:
            status = Status.FAILED
        print(json.dumps(reply), flush=True)
    return status


def lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines that are not blank; of one that is too long its beginning, which `respond` refuses."""
    while line := stream.readline(LINE_BYTES + 1):
        rest = line
        while len(rest) > LINE_BYTES and not rest.endswith(b"\n"):
            rest = stream.readline(LINE_BYTES + 1)
        if line.strip():
            yield line


def respond(line: bytes) -> dict[str, object]:
    """The answer to one line: the verdict with `id`, `claim`, `because`, `beaten_by`, or `id` and `error`."""
    name: object = None
    try:
        fields = _fields(line)
        name = _id(fields.get("id"))
        found = engine_judge.judge(fields)
        return {"id": name, "claim": found.claim, "because": found.because, "beaten_by": list(found.beaten_by)}
    except Unreadable as error:
        return {"id": name, "error": str(error)}


def _fields(line: bytes) -> Mapping[str, object]:
    if len(line) > LINE_BYTES:
        raise Unreadable(f"the line is longer than {LINE_BYTES} bytes")
    try:
        value: object = json.loads(line.decode("utf-8"))
    except RecursionError as error:
        raise Unreadable("not JSON that can be read: nested too deeply") from error
    except json.JSONDecodeError as error:
        raise Unreadable(f"not JSON: {error.msg} at character {error.pos + 1}") from error
    except ValueError as error:  # no UTF-8, or a number of thousands of digits
        raise Unreadable("not JSON: expected UTF-8 and numbers of a usual size") from error
    if not isinstance(value, dict):
        raise Unreadable("expected an object with mine, theirs, first, played")
    return value


def _id(value: object) -> int | str | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    if isinstance(value, str) and len(value) <= ID_CHARACTERS:
        return value
    raise Unreadable(f"id: expected a number or a text of at most {ID_CHARACTERS} characters")
