"""What two peers say of a win by absence: the bytes, and every case in which one agrees or differs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_schotten.errors import Malformed
from p2p_schotten.protocol.absent import MAX_ABSENT, Absent, Lapse, Word, judge_absence, read_absent

HEAD = bytes(range(32))
CLAIM = Absent(Word.CLAIM, 57, HEAD, 66)


def test_the_payload_is_laid_out_as_the_specification_says() -> None:
    assert CLAIM.pack() == b"\x00" + b"\x00\x00\x00\x39" + HEAD + b"\x00\x00\x00\x42"
    assert len(CLAIM.pack()) == MAX_ABSENT == 41
    assert read_absent(CLAIM.pack()) == CLAIM


@given(st.sampled_from(Word), st.integers(1, 4096), st.binary(min_size=32, max_size=32), st.integers(0, 2**32 - 1))
def test_what_is_said_is_read_back(word: Word, seq: int, head: bytes, seconds: int) -> None:
    said = Absent(word, seq, head, seconds)
    if any(head):
        assert read_absent(said.pack()) == said


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "expected 41 bytes, got 0"),
        (CLAIM.pack()[:-1], "expected 41 bytes, got 40"),
        (CLAIM.pack() + b"\0", "expected 41 bytes, got 42"),
        (b"\x08" + CLAIM.pack()[1:], "expected a word from 0 to 7, got 8"),
        (b"\xff" + CLAIM.pack()[1:], "expected a word from 0 to 7, got 255"),
        (b"\0" + bytes(4) + HEAD + bytes(4), "expected a position after 1 to 4096 records, got 0"),
        (b"\0" + (4097).to_bytes(4, "big") + HEAD + bytes(4), "records, got 4097"),
        (b"\0" + (57).to_bytes(4, "big") + bytes(36), "got 57 and 00000000"),
    ],
)
def test_any_other_bytes_are_refused(data: bytes, why: str) -> None:
    with pytest.raises(Malformed) as caught:
        read_absent(data)
    assert why in str(caught.value)


@pytest.mark.parametrize(
    ("lapse", "clock", "over", "own", "claimed", "word", "seconds"),
    [
        # 60 s were agreed: over 60 by its own clock a side admits that it was absent
        (Lapse(60.1, 0.0), 60, False, False, 66, Word.AGREED, 60),
        (Lapse(0.0, 60.1), 60, False, False, 66, Word.AGREED, 60),
        (Lapse(3600.0, 12.0), 60, False, False, 3600, Word.AGREED, 3600),
        # a turn within the clock is nobody's loss, though the other claims that it waited for long
        (Lapse(60.0, 60.0), 60, False, False, 3600, Word.SHORT, 60),
        (Lapse(57.0, 0.0), 60, False, False, 66, Word.SHORT, 57),
        (Lapse(12.9, 3.0), 60, False, False, 66, Word.SHORT, 12),
        # its time was not up by its own words
        (Lapse(3600.0, 3600.0), 60, False, False, 59, Word.SHORT, 3600),
        # both have recorded a win: neither gives way
        (Lapse(0.0, 3600.0), 60, False, True, 3600, Word.BOTH, 3600),
        # whatever was measured
        (Lapse(3600.0, 3600.0), None, False, False, 3600, Word.NO_CLOCK, 3600),
        (Lapse(3600.0, 3600.0), 60, True, False, 3600, Word.OVER, 3600),
        (Lapse(3600.0, 3600.0), 60, True, True, 3600, Word.OVER, 3600),
        (None, 60, False, False, 3600, Word.UNKNOWN, 0),
        (None, 60, False, True, 3600, Word.BOTH, 0),
        (None, None, False, False, 3600, Word.NO_CLOCK, 0),
        # so with the shortest clock
        (Lapse(10.1, 0.0), 10, False, False, 15, Word.AGREED, 10),
        (Lapse(9.9, 0.0), 10, False, False, 15, Word.SHORT, 9),
    ],
)
def test_a_side_agrees_only_when_its_own_clock_says_so_too(
    lapse: Lapse | None, clock: int | None, over: bool, own: bool, claimed: int, word: Word, seconds: int
) -> None:
    claim = Absent(Word.CLAIM, 57, HEAD, claimed)
    assert judge_absence(claim, clock, lapse, over=over, own=own, moved=False) == Absent(word, 57, HEAD, seconds)


@pytest.mark.parametrize(
    ("over", "clock", "own", "lapse", "word"),
    [
        (False, 60, False, Lapse(3600.0, 3600.0), Word.MOVED),
        (False, 60, False, None, Word.MOVED),
        (False, 60, True, Lapse(3600.0, 3600.0), Word.BOTH),
        (False, None, False, Lapse(3600.0, 3600.0), Word.NO_CLOCK),
        (True, 60, False, Lapse(3600.0, 3600.0), Word.OVER),
    ],
)
def test_who_has_moved_since_claims_nothing_of_before(
    over: bool, clock: int | None, own: bool, lapse: Lapse | None, word: Word
) -> None:
    seconds = 0 if lapse is None else 3600
    answer = judge_absence(CLAIM, clock, lapse, over=over, own=own, moved=True)
    assert answer == Absent(word, 57, HEAD, seconds)


def test_no_measure_is_too_long_to_travel() -> None:
    answer = judge_absence(CLAIM, 60, Lapse(1e12, 0.0), over=False, own=False, moved=False)
    assert read_absent(answer.pack()).seconds == 2**32 - 1
