"""What `schotten resume` comes to in a home, for the tests: its status, and the lines of its error output."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2p_schotten.cli.main import dispatch

ALONE = ("--wait", "0.2")  # the other is not there


class Said:
    """What a command came to in the home of the host, or another one, in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def __call__(self, home: Path, *arguments: str) -> tuple[int, list[str]]:
        """Status, and the lines of its error output."""
        self._monkeypatch.setenv("SCHOTTEN_HOME", str(home))
        status = dispatch(["resume", *arguments])
        return status, self._capsys.readouterr().err.splitlines()


def files(home: Path) -> dict[Path, bytes]:
    """Everything that lies in a home."""
    return {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
