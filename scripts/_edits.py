"""Seeded edits of a transcript, and what a verifier may say of each: what scripts/soak.py and the tests both do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from p2p_schotten.protocol.file import HEADER, frame, read_file
from p2p_schotten.transcript import Verdict

# What an edit does, and how many of 300 do it.
SHARES = {"flip": 100, "cut": 50, "drop": 40, "double": 35, "swap": 35, "foreign": 40}


@dataclass(frozen=True, slots=True)
class Edit:
    """One edited file. `at` is the number of the first record that the edit touches, or None for the header."""

    what: str
    at: int | None
    data: bytes

    def __str__(self) -> str:
        return f"{self.what} at {'the header' if self.at is None else f'record {self.at}'}"


def edits(data: bytes, others: Sequence[bytes], count: int, seed: int) -> Iterator[Edit]:
    """`count` edits of a transcript, none of which leaves it as it is; `others` are transcripts of other games."""
    random = Random(seed)
    whats = random.choices(list(SHARES), list(SHARES.values()), k=count)
    if count >= sum(SHARES.values()):
        whats = [what for what, share in SHARES.items() for _ in range(share)] + whats[sum(SHARES.values()) :]
    items = read_file(data).items
    foreign = [item for other in others for item in read_file(other).items]
    for what in whats:
        edit = _edit(what, data, items, foreign, random)
        while edit.data == data:
            edit = _edit(what, data, items, foreign, random)
        yield edit


def file_of(items: Sequence[bytes]) -> bytes:
    """The transcript with these items."""
    return HEADER + b"".join(frame(item) for item in items)


def _edit(what: str, data: bytes, items: tuple[bytes, ...], foreign: list[bytes], random: Random) -> Edit:
    at = random.randrange(len(items))
    match what:
        case "flip":
            bit = random.randrange(8 * len(data))
            flipped = bytearray(data)
            flipped[bit // 8] ^= 1 << bit % 8
            return Edit(what, _record_at(items, bit // 8), bytes(flipped))
        case "cut":
            end = random.randrange(len(data))
            return Edit(what, _record_at(items, end), data[:end])
        case "drop":
            return Edit(what, at, file_of(items[:at] + items[at + 1 :]))
        case "double":
            # Behind itself, or somewhere later.
            to = random.choice((at + 1, random.randint(at + 1, len(items))))
            return Edit(what, to, file_of((*items[:to], items[at], *items[to:])))
        case "swap":
            first, second = sorted(random.sample(range(len(items)), 2))
            swapped = list(items)
            swapped[first], swapped[second] = swapped[second], swapped[first]
            return Edit(what, first, file_of(swapped))
        case _:
            # The record at the same place of the other game, or any of its records; in the place of one, or before it.
            other = foreign[at] if random.random() < 0.5 and at < len(foreign) else random.choice(foreign)
            rest = items[at + random.randrange(2) :]
            return Edit(what, at, file_of((*items[:at], other, *rest)))


def _record_at(items: Sequence[bytes], offset: int) -> int | None:
    """The number of the record in which (or in whose length) this byte of the file lies."""
    end = len(HEADER)
    if offset < end:
        return None
    for number, item in enumerate(items):
        end += len(frame(item))
        if offset < end:
            return number
    return len(items)


def judged(data: bytes, edited: bytes, verdict: Verdict) -> str:
    """What the verdict on an edit of the valid transcript `data` comes to, in one word or two.

    `refused`: a fault, with number and cause, that blames nobody (whoever edits a file must not be able to convict a
    player). Only a cut exactly between two records is no fault: it is `unfinished`, or the loss of the end of a game
    that is proven all the same (`reveals lost`, `seals lost`). `WRONG` is everything else.
    """
    fault = verdict.fault
    if fault is not None:
        return "refused" if fault.blame is None and fault.detail and not verdict.over else f"WRONG: {fault}"
    items, left = read_file(data).items, read_file(edited).items
    if edited != file_of(items[: len(left)]) or len(left) == len(items):
        return "WRONG: an edited file was accepted"
    if not verdict.over:
        return "unfinished"
    if len(verdict.sealed) == 2 and len(verdict.revealed) < 2:
        return "reveals lost"
    return "seals lost" if not verdict.revealed else "WRONG: revealed before it was sealed"


def table(found: Counter[tuple[str, str]]) -> str:
    """Counts by edit and by what came of it, as text."""
    outcomes = sorted({outcome for _, outcome in found})
    lines = [f"{'':10}" + "".join(f"{outcome:>16}" for outcome in outcomes)]
    for what in SHARES:
        lines.append(f"{what:10}" + "".join(f"{found[what, outcome]:16}" for outcome in outcomes))
    return "\n".join(lines)
