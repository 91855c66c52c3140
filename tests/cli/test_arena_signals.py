"""`schotten arena` in this process, and the signals that ask it to end."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2p_schotten.cli.main import dispatch

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there a process cannot send itself a signal")
PLAIN = "tests.arena.bots:Plain"


def signals(number: int) -> str:
    """A bot that asks the program to end while it is starting."""
    return f"tests.arena.bots:Signals,number={int(number)}"


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    """They are as before afterwards."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_who_ends_it_while_it_starts_gets_one_line_and_no_file(
    number: signal.Signals, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["arena", PLAIN, signals(number), "--out", str(tmp_path / "games.jsonl")]
    assert dispatch(words) == 4
    assert capsys.readouterr() == ("", "schotten: interrupted\n")
    assert list(tmp_path.iterdir()) == []
    assert signal.getsignal(signal.SIGINT) is signal.getsignal(signal.SIGTERM) is signal.SIG_IGN


def test_who_ends_it_while_it_is_being_loaded_gets_the_same(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(name: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("p2p_schotten.cli.main.importlib.import_module", interrupted)
    assert dispatch(["arena", PLAIN, PLAIN]) == 4
    assert capsys.readouterr() == ("", "schotten: interrupted\n")
    assert dispatch(["verify", "x"]) == 1


def test_what_nohup_keeps_away_stays_away_and_afterwards_all_is_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p_schotten.bots.finding.is_somebodys_class", lambda spec: False)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    before = signal.getsignal(signal.SIGINT)
    assert dispatch(["arena", PLAIN, signals(signal.SIGHUP), "--pairs", "1", "--jobs", "1"]) == 0
    assert signal.getsignal(signal.SIGINT) is before
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
