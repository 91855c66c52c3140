"""A pytest plugin for the soak: whatever the attacks of tests/protocol say to a peer, they say over the real link too.

pytest -p tests.adversaries.over_link tests/protocol -k attacks
"""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

import pytest

from p2p_schotten.errors import Cause, PeerFault
from p2p_schotten.ids import Seat
from tests.adversaries.liar import refused_over_the_link
from tests.protocol.liar import Stage

_refused: Counter[Cause] = Counter()
_in_memory = Stage.live


def live(self: Stage, data: bytes, cause: Cause, blame: Seat | None, *, seq: int | None = None) -> PeerFault:
    """As in memory; before that the same over TLS and TCP, with the same end."""
    if not self.victim.session.finished:  # a link of a finished game reads no record any more
        with tempfile.TemporaryDirectory() as folder:
            refused_over_the_link(self, data, cause, blame, Path(folder), seq=seq)
        _refused[cause] += 1
    return _in_memory(self, data, cause, blame, seq=seq)


def pytest_configure() -> None:
    """From now on."""
    pytest.MonkeyPatch().setattr(Stage, "live", live)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How many lies were refused over the link, by cause."""
    causes = ", ".join(f"{cause.value} {count}" for cause, count in _refused.most_common())
    terminalreporter.line(f"{_refused.total()} lies over the link: {causes}")
