"""Two programs at two homes, both headless: what each wrote, line by line, and how it ended."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from typing import TypedDict

from p2p_schotten.protocol.session import Session
from p2p_schotten.transcript import verify
from tests.cli.running import start, transcripts

PATIENCE = 180  # seconds; a match takes ten, on a machine that does nothing else


class Event(TypedDict, total=False):
    """An event, as far as the tests read it."""

    v: int
    event: str
    invite: str
    addresses: list[str]
    names: list[str]
    game: str
    seat: int
    fault: str
    forfeit: bool
    why: str
    hint: str
    status: int
    winner: int
    reason: str
    points: list[int]
    paths: list[str]
    over: bool
    games: int
    number: int


@dataclass
class Stream:
    """What one program came to."""

    status: int
    events: list[Event]
    err: str
    seconds: float = 0.0  # since it was waited for

    def all(self, kind: str) -> list[Event]:
        """The events of that kind, in order."""
        return [event for event in self.events if event["event"] == kind]

    def one(self, kind: str) -> Event:
        """The one event of that kind."""
        (event,) = self.all(kind)
        return event


def begin(home: Path, *arguments: str) -> subprocess.Popen[str]:
    """A program that writes JSON lines and gets no input at all."""
    process = start(home, *arguments, "--json")
    assert process.stdin is not None
    process.stdin.close()
    process.stdin = None
    return process


def first(process: subprocess.Popen[str]) -> Event:
    """Its next event."""
    assert process.stdout is not None
    event: Event = json.loads(process.stdout.readline())
    return event


def finish(process: subprocess.Popen[str], before: Sequence[Event] = ()) -> Stream:
    """Wait for its end. Every line is one event of version 1, and the last one says what the status says."""
    begun, late = time.monotonic(), Timer(PATIENCE, process.kill)
    late.start()
    assert process.stdout is not None
    assert process.stderr is not None
    with process:
        out, err = process.stdout.read(), process.stderr.read()  # not `communicate`: some may be in the buffer
    late.cancel()
    events: list[Event] = [*before, *map(json.loads, out.splitlines())]
    assert all(event["v"] == 1 for event in events)
    assert [event["event"] for event in events].count("end") == 1
    assert events[-1]["event"] == "end"
    assert events[-1]["status"] == process.returncode, err
    assert "Traceback" not in err, err
    return Stream(process.returncode, events, err, time.monotonic() - begun)


def sit_down(
    folder: Path, host: Sequence[str], guest: Sequence[str]
) -> tuple[subprocess.Popen[str], subprocess.Popen[str], Event]:
    """Both at the table, ann in the home a and bob in the home b; and the invite."""
    ann = begin(folder / "a", "host", "--bind", "127.0.0.1", "--name", "ann", *host)
    invited = first(ann)
    assert invited["event"] == "invite"
    return ann, begin(folder / "b", "join", invited["invite"], "--name", "bob", *guest), invited


def meet(folder: Path, host: Sequence[str], guest: Sequence[str]) -> tuple[Stream, Stream]:
    """Both to the end."""
    ann, bob, invited = sit_down(folder, host, guest)
    return _both(ann, bob, [invited])


def resume(folder: Path, host: Sequence[str] = (), guest: Sequence[str] = ()) -> tuple[Stream, Stream]:
    """Both go on with the one game that stands in each home."""
    programs = begin(folder / "a", "resume", *host), begin(folder / "b", "resume", *guest)
    return _both(*programs)


def _both(
    one: subprocess.Popen[str], two: subprocess.Popen[str], before: Sequence[Event] = ()
) -> tuple[Stream, Stream]:
    """Both to the end; neither stays when something is wrong with the other."""
    try:
        return finish(one, before), finish(two)
    finally:
        for process in (one, two):
            process.kill()
            process.communicate()


def games(folder: Path) -> list[Session]:
    """The games of both homes, in the order of their match: the same bytes in both, over and valid."""
    ann, bob = ([path.read_bytes() for path in transcripts(folder / home)] for home in "ab")
    assert ann == bob
    verdicts = list(map(verify, ann))
    assert all(verdict.over and verdict.fault is None for verdict in verdicts)
    return sorted((verdict.session for verdict in verdicts), key=lambda session: session.offer.match.number)
