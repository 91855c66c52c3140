"""A program that is asked to end says why in its last line, wherever it stands; an output that is full is no crash."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest

from p2p_schotten.cli import main, signals
from p2p_schotten.cli.main import dispatch
from p2p_schotten.cli.status import Status, answer
from tests.cli.headless import begin, finish, first
from tests.cli.running import PROGRAM, surroundings

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs signals as POSIX has them")

ALL = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@pytest.fixture
def as_before() -> Iterator[None]:
    """The tests' own answers to the signals are there again behind it."""
    before = {each: signal.getsignal(each) for each in ALL}
    yield
    for each, handler in before.items():
        signal.signal(each, handler)


@pytest.mark.usefixtures("as_before")
@pytest.mark.parametrize("wish", ALL)
def test_each_signal_that_asks_to_end_is_a_ctrl_c(wish: signal.Signals) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # as a shell does with a job beside it
    signals.take()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(wish)
    signals.release()
    assert [signal.getsignal(each) for each in ALL] == [signal.SIG_DFL] * 3


@pytest.mark.usefixtures("as_before")
def test_a_signal_that_comes_while_something_runs_its_own_ctrl_c_is_heard_there() -> None:
    heard: list[int] = []

    def own(number: int, _frame: FrameType | None) -> None:
        heard.append(number)

    signals.take()
    signal.signal(signal.SIGINT, own)  # as trio does while it runs
    signal.raise_signal(signal.SIGTERM)
    assert heard == [signal.SIGINT]


@pytest.mark.usefixtures("as_before")
def test_nohup_is_respected() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signals.take()
    assert signals.wishes() == (signal.SIGINT, signal.SIGTERM)
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN


@pytest.mark.usefixtures("as_before")
def test_who_took_no_signals_gives_none_back() -> None:
    before = [signal.getsignal(each) for each in ALL]
    signals.release()
    assert [signal.getsignal(each) for each in ALL] == before


@pytest.mark.parametrize(
    ("command", "status"), [("host", Status.NO_GAME), ("join", Status.NO_GAME), ("resume", Status.UNFINISHED)]
)
def test_a_ctrl_c_while_a_command_begins_has_a_status_of_ours(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str, status: Status
) -> None:
    def interrupted(*_arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("p2p_schotten.cli.main._command", interrupted)
    assert dispatch([command, "--json"]) == status
    out, err = capsys.readouterr()
    assert out == f'{{"v": 1, "event": "end", "status": {status}, "why": "interrupted", "hint": ""}}\n'
    assert err == "schotten: interrupted\n"
    reply = answer(KeyboardInterrupt())
    assert reply is not None
    assert reply.status == Status.FAILED
    assert main.TYPERS_CTRL_C not in list(Status)
    assert dispatch([]) == Status.FAILED


@pytest.mark.parametrize("wish", [signal.SIGINT, signal.SIGTERM])
def test_a_host_that_waits_for_a_friend_says_that_it_was_told_to_end(tmp_path: Path, wish: signal.Signals) -> None:
    host = begin(tmp_path, "host", "--bind", "127.0.0.1", "--me", "greedy")
    invited = first(host)
    host.send_signal(wish)
    told = finish(host, [invited])
    assert told.status == 5
    assert told.one("end")["why"] == "interrupted before a friend came"
    assert told.err == "schotten: interrupted before a friend came\n"


HELD_UP = """
import sys
from p2p_schotten.cli import main
sys.argv = ["schotten", "host", "--json"]
main.COMMANDS = {"host": "held_up"}
main.run()
"""


def test_a_ctrl_c_that_a_library_which_is_being_loaded_did_not_expect_has_that_status_too(tmp_path: Path) -> None:
    (tmp_path / "held_up.py").write_text('exec("raise KeyboardInterrupt")')  # as a dataclass or a namedtuple is made
    (tmp_path / "starter.py").write_text(HELD_UP)
    done = subprocess.run(
        [sys.executable, "-m", "starter"],
        env={**surroundings(tmp_path), "PYTHONPATH": os.pathsep.join((str(tmp_path), *sys.path))},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 5
    assert b'"status": 5' in done.stdout


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="needs a file that takes nothing")
@pytest.mark.parametrize(
    ("words", "out", "status", "says"),
    [
        (("--version",), True, 1, "schotten: No space left on device\n"),
        (("frobnicate",), False, 2, ""),
        (("resume", "abc", "--json"), True, 2, "schotten: abc: the id of a game is"),
    ],
    ids=["output", "errors", "events"],
)
def test_a_full_disk_changes_no_status_but_that_of_what_had_to_be_written(
    tmp_path: Path, words: tuple[str, ...], out: bool, status: int, says: str
) -> None:
    kept = {name: value for name, value in surroundings(tmp_path).items() if name != "PYTHONUNBUFFERED"}
    with open(FULL, "w") as full, open(os.devnull) as nothing:
        done = subprocess.run(
            [*PROGRAM, *words],
            env=kept,
            stdin=nothing,
            stdout=full if out else subprocess.PIPE,
            stderr=subprocess.PIPE if out else full,
            text=True,
            check=False,
        )
    assert done.returncode == status
    assert (done.stderr or "").startswith(says)
    assert "Traceback" not in (done.stderr or "")
