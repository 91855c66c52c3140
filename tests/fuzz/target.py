"""A door that takes bytes from outside, as a function that lets nothing escape but what its own refusals are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.fuzz.mutate import Shape

CORPUS = Path(__file__).parent / "corpus"


@dataclass(frozen=True, slots=True)
class Target:
    """A door under test.

    `run` gives true when the door took the input and false when it refused it as it may; every other exception is a
    find, a failed assertion of a property too. `seeds`: inputs that it takes, from real games. `words`: what the
    mutator puts in. `share`: its part of a run over all targets; a door that multiplies points gets a small one.
    """

    name: str
    run: Callable[[bytes], bool]
    seeds: Callable[[], tuple[bytes, ...]]
    shape: Shape
    share: int
    words: tuple[str, ...] = ()

    def corpus(self) -> tuple[tuple[str, bytes], ...]:
        """The committed inputs of this target, by file name."""
        files = sorted((CORPUS / self.name).glob("*"))
        return tuple((file.name, file.read_bytes()) for file in files)

    def all_seeds(self) -> tuple[bytes, ...]:
        """What mutations start from."""
        return (*self.seeds(), *(data for _, data in self.corpus()))


def check_sentence(error: Exception) -> None:
    """What a refusal says fits on a screen, on one line, whoever wrote the bytes that it refuses."""
    text = str(error)
    assert text, "a refusal says why"
    assert text.isprintable(), f"a refusal that a terminal would obey: {text!r}"
    assert len(text) < 1000, f"a refusal of {len(text)} characters"
