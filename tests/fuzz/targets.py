"""All doors under test."""

from __future__ import annotations

from tests.fuzz.files import FILES
from tests.fuzz.steps import STEPS
from tests.fuzz.target import Target
from tests.fuzz.wire import WIRE
from tests.fuzz.words import WORDS

TARGETS: tuple[Target, ...] = (*WIRE, *WORDS, *FILES, *STEPS)
BY_NAME = {target.name: target for target in TARGETS}
