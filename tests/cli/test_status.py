"""The one translation of errors: what a person reads, and what a script gets."""

from __future__ import annotations

import io
import subprocess
from pathlib import Path
from typing import cast

import pytest
import trio

from p2p_schotten.cli import keyboard
from p2p_schotten.cli.child import Child
from p2p_schotten.cli.main import dispatch
from p2p_schotten.cli.play import first_to_come
from p2p_schotten.cli.status import Answer, Failure, Status, answer
from p2p_schotten.errors import (
    Cause,
    ChannelError,
    JournalError,
    Malformed,
    PeerFault,
    Refused,
    TranscriptError,
    Unreadable,
)
from p2p_schotten.ids import Seat
from p2p_schotten.net.lobby import Lobby
from p2p_schotten.text import one_line
from tests.cli.running import PROGRAM, surroundings


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (Failure(Status.UNFINISHED, "x"), 4),
        (Unreadable("x"), 2),
        (PeerFault(7, Cause.FACE, "x", Seat(1)), 3),
        (ChannelError("x"), 5),
        (Refused("x"), 5),
        (JournalError("x"), 5),
        (Malformed("x"), 5),
        (TranscriptError("x"), 1),
        (OSError(28, "No space left on device", "x"), 1),
        (KeyboardInterrupt(), 1),
        (EOFError(), 1),
    ],
)
def test_each_kind_of_error_has_its_status(error: BaseException, status: int) -> None:
    reply = answer(error)
    assert reply is not None
    assert reply.status == status
    assert reply.message
    nested = BaseExceptionGroup("tasks", [BaseExceptionGroup("tasks", [error])])
    assert answer(nested) == reply


def test_what_the_system_refuses_before_a_game_means_that_none_came_about() -> None:
    full = OSError(28, "No space left on device", "x")
    assert answer(full, playing=True) == Answer(Status.NO_GAME, "x: No space left on device")
    assert answer(ExceptionGroup("tasks", [full]), playing=True) == Answer(Status.NO_GAME, "x: No space left on device")
    assert answer(BrokenPipeError(), playing=True) == Answer(Status.NO_GAME, "nobody reads the output")
    assert answer(BrokenPipeError()) == Answer(Status.FAILED, "")  # as where `head` has seen enough
    assert answer(TranscriptError("x"), playing=True) == Answer(Status.FAILED, "x")


@pytest.mark.parametrize("command", [("play",), ("host",), ("join", "127.0.0.1:1", "--yes")])
def test_a_command_that_brings_about_no_game_ends_with_5(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    def refused() -> None:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr("p2p_schotten.crypto.group.self_test", refused)
    assert dispatch(command) == 5
    assert capsys.readouterr().err == "schotten: Too many open files\n"


class Closed:
    """A pipe to a process that is gone, as Windows has it."""

    def write(self, data: bytes) -> int:
        raise OSError(22, "Invalid argument")


class Ended:
    """A process of which only the broken pipe is left."""

    stdin = Closed()


def test_a_second_process_that_is_gone_is_not_an_error_when_it_gets_its_order() -> None:
    Child(cast("subprocess.Popen[bytes]", Ended())).order(invite="x")


def test_the_console_of_windows_is_read_below_its_buffer(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = "say größe\n".encode()
    console = io.TextIOWrapper(io.BufferedReader(cast(io.RawIOBase, io.BytesIO(typed))), encoding="utf-8")
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setattr("sys.stdin", console)
    assert keyboard._some(0) == typed
    assert keyboard._some(0) == b""


def test_a_bug_is_never_hidden() -> None:
    assert answer(ZeroDivisionError()) is None
    assert answer(ExceptionGroup("tasks", [ChannelError("x"), KeyError("y")])) is None


def test_of_several_errors_a_ctrl_c_comes_first_then_the_first() -> None:
    both = BaseExceptionGroup("tasks", [ChannelError("gone"), KeyboardInterrupt()])
    assert answer(both) == Answer(Status.FAILED, "interrupted")
    two = ExceptionGroup("tasks", [ChannelError("gone"), JournalError("full")])
    assert answer(two) == Answer(Status.NO_GAME, "gone")


def test_an_error_of_the_system_names_the_file_and_the_reason() -> None:
    assert answer(FileNotFoundError(2, "No such file or directory", "x/y")) == Answer(
        Status.FAILED, "x/y: No such file or directory"
    )
    assert answer(BrokenPipeError()) == Answer(Status.FAILED, "")


def test_what_is_printed_stays_on_one_line_and_steers_nothing() -> None:
    assert one_line("a\nb\x1b[31m\u202ec ") == "a b [31m c"


class NobodyComes(Lobby):
    """A lobby whose friend never arrives."""

    def __init__(self) -> None:
        """Listens nowhere."""

    async def next(self) -> None:  # type: ignore[override]  # it never returns
        await trio.sleep_forever()


class Gone(Child):
    """A second process that ended before it came, with this report."""

    def __init__(self, **report: str) -> None:
        """Was never started."""
        self._report = report

    def report(self) -> dict[str, str]:
        return self._report


@pytest.mark.parametrize(
    ("gone", "said"),
    [
        (
            Gone(error="the library nacl is missing", status="5"),
            Answer(Status.NO_GAME, "the second peer did not come: the library nacl is missing"),
        ),
        (Gone(), Answer(Status.NO_GAME, "the second peer did not come: ?")),
        (Gone(error="it is no bot", status="2"), Answer(Status.USAGE, "the opponent: it is no bot")),
    ],
)
async def test_a_second_process_that_ends_before_the_game_is_not_waited_for(gone: Gone, said: Answer) -> None:
    with trio.fail_after(5), pytest.raises(ExceptionGroup) as caught:
        await first_to_come(NobodyComes(), gone)
    assert answer(caught.value) == said


def test_an_output_on_a_full_disk_ends_the_game_in_one_line(tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no device that is always full")
    command = [*PROGRAM, "play", "--me", "greedy", "--opponent", "uniform"]
    with full.open("w") as out:
        done = subprocess.run(command, env=surroundings(tmp_path), stdout=out, stderr=subprocess.PIPE, check=False)
    assert done.returncode in (4, 5)
    assert len(done.stderr.splitlines()) <= 2
    assert b"the output cannot be written: No space left on device" in done.stderr
