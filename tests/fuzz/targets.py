"""All doors under test."""

from __future__ import annotations

from tests.fuzz.channel import CHANNEL
from tests.fuzz.files import FILES
from tests.fuzz.steps import SOAKED, STEPS
from tests.fuzz.target import Target
from tests.fuzz.wire import WIRE
from tests.fuzz.words import WORDS

TARGETS: tuple[Target, ...] = (*WIRE, *CHANNEL, *WORDS, *FILES, *STEPS)
ALL = (*TARGETS, *SOAKED)  # with those that a test has no time for
BY_NAME = {target.name: target for target in ALL}
