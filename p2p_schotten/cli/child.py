"""The second process of `play`: started before anything heavy is imported here, and gone when the block ends."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

PATIENCE = 3.0  # seconds for a child that was let go to end by itself; then it is ended
COMMAND = ("-m", "p2p_schotten", "second-peer")


class Child:
    """A second peer that waits for its order."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def order(self, **facts: str) -> None:
        """Tell it which game to play. A child that is gone already is met again in `report`."""
        assert self._process.stdin is not None
        with suppress(OSError):  # BrokenPipeError, or EINVAL on Windows
            self._process.stdin.write(json.dumps(facts).encode() + b"\n")
            self._process.stdin.flush()

    def report(self) -> dict[str, str]:
        """Its one line, when it has ended: why there is no game (`error`, `status`); empty when all went well."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        return {str(key): str(value) for key, value in json.loads(line).items()} if line else {}


@contextmanager
def second_process() -> Iterator[Child]:
    """Start it now; it imports while we do. It is reaped however the block ends."""
    process = subprocess.Popen(
        [sys.executable, *COMMAND],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,  # a Ctrl-C at the terminal is for the parent
    )
    try:
        yield Child(process)
    finally:
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(OSError):
            process.stdin.close()
        _reap(process)
        process.stdout.close()


def _reap(process: subprocess.Popen[bytes]) -> None:
    for end in (process.terminate, process.kill):
        try:
            process.wait(PATIENCE)
            return
        except subprocess.TimeoutExpired:
            end()
    process.wait()
