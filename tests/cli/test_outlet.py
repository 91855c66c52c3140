"""A reader of events that is slow, stands still or goes away keeps nobody waiting, and the other side is told."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

import pytest

from p2p_schotten.cli import outlet as outlets
from p2p_schotten.cli.outlet import Outlet
from tests.cli.headless import begin, finish, first
from tests.cli.running import LIMIT, PROGRAM, importable, surroundings

PATIENCE = 10.0  # seconds; nothing here takes a tenth of it


class Slow(io.StringIO):
    """Takes nothing until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.go = Event()

    def write(self, text: str) -> int:
        assert self.go.wait(PATIENCE)
        return super().write(text)


class Gone(io.StringIO):
    def write(self, text: str) -> int:
        raise BrokenPipeError(32, "Broken pipe")


def until_it_raises(written: Outlet) -> None:
    """The thread tells of it a moment later."""
    for _try in range(1000):
        written.write("x\n")
        time.sleep(PATIENCE / 1000)


def test_who_writes_waits_for_no_reader_and_loses_nothing_of_it() -> None:
    slow = Slow()
    written = Outlet(slow)
    for number in range(1000):
        print(number, file=written)
    assert slow.getvalue() == ""
    slow.go.set()
    written.finish()
    assert slow.getvalue().split() == [str(number) for number in range(1000)]


def test_a_line_is_written_in_one_piece() -> None:
    pieces = list[str]()
    out = io.StringIO()
    out.write = pieces.append  # type: ignore[assignment,method-assign]
    written = Outlet(out)
    print("one", "two", file=written)
    print("three", file=written)
    written.finish()
    assert pieces == ["one two\n", "three\n"]


def test_the_end_waits_for_the_reader() -> None:
    slow = Slow()
    written = Outlet(slow)
    print("end", file=written)
    ended = Thread(target=written.finish)
    ended.start()
    ended.join(0.02)
    assert ended.is_alive()
    slow.go.set()
    ended.join(PATIENCE)
    assert slow.getvalue() == "end\n"


def test_a_reader_that_is_gone_is_noticed_and_so_it_stays() -> None:
    written = Outlet(Gone())
    with pytest.raises(BrokenPipeError):
        until_it_raises(written)
    for again in (lambda: written.write("x\n"), written.flush, written.finish):
        with pytest.raises(BrokenPipeError):
            again()


def test_what_nobody_reads_does_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outlets, "MAX_UNREAD", 100)
    slow = Slow()
    written = Outlet(slow)
    written.write("x" * 100)
    with pytest.raises(OSError, match="nobody has read the last 100 characters"):
        written.write("y")
    slow.go.set()


LONG = """
from p2p_schotten.bots.uniform import Uniform

class Endless(Uniform):
    def act(self, view, legal):
        import time
        time.sleep(0.05)
        return super().act(view, legal)
"""


def test_a_side_whose_output_nobody_reads_any_more_leaves_politely(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    importable(tmp_path, monkeypatch, "endless", LONG)
    host = begin(tmp_path / "a", "host", "--bind", "127.0.0.1", "--me", "uniform")
    invited = first(host)
    guest = begin(tmp_path / "b", "join", invited["invite"], "--name", "bob", "--me", "endless:Endless")
    assert guest.stdout is not None
    assert guest.stderr is not None
    for line in guest.stdout:
        if json.loads(line)["event"] == "played":
            break
    guest.stdout.close()
    told = finish(host, [invited])
    assert (told.status, guest.wait(LIMIT)) == (4, 4)
    assert told.one("lost")["why"] == "bob left"  # and nobody looks for him
    assert guest.stderr.read().startswith("schotten: the game stands unfinished: nobody reads the output\n")
    guest.stderr.close()


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals and pipes as POSIX has them")
def test_a_side_whose_output_stands_still_plays_on_and_can_be_told_to_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    importable(tmp_path, monkeypatch, "endless", LONG)
    host = begin(tmp_path / "a", "host", "--bind", "127.0.0.1", "--me", "uniform", "--match", "2")
    invited = first(host)
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    with suppress(BlockingIOError):
        while True:
            os.write(theirs, b"\n" * 4096)
    os.set_blocking(theirs, True)  # full: whoever writes there waits
    command = [*PROGRAM, "join", invited["invite"], "--me", "endless:Endless", "--json"]
    environment = {**surroundings(tmp_path / "b"), "PYTHONPATH": str(tmp_path / "site")}
    guest = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.PIPE)
    os.close(theirs)
    events = [invited]
    while sum(event["event"] == "played" for event in events) < 6:
        events.append(first(host))
    assert any(event["event"] == "played" and event["seat"] == 1 for event in events)
    guest.send_signal(signal.SIGTERM)
    told = finish(host, events)
    assert told.status == 4
    assert told.one("lost")["why"].endswith(" left")
    with open(ours, "rb") as pipe:
        end = json.loads(pipe.read().split(b"\n")[-2])
    assert (end["event"], end["status"], guest.wait(LIMIT)) == ("end", 4, 4)
    assert guest.stderr is not None
    guest.stderr.close()
