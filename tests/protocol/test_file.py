"""The transcript file: any bytes give contents or a TranscriptError, and a file of format 1 stays readable for good."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from p2p_schotten.engine.step import Reason
from p2p_schotten.errors import PeerFault, TranscriptError
from p2p_schotten.ids import SEATS
from p2p_schotten.protocol.closing import Fault
from p2p_schotten.protocol.file import FORMAT, HEADER, LENGTH_BYTES, MAGIC, MAX_FILE, Contents, frame, read_file
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import MAX_RECORD
from p2p_schotten.transcript import Moment, hands, replay, verify
from tests.protocol.courses import new_pair
from tests.protocol.pair import bot

GOLDEN = Path(__file__).parent.parent / "golden" / "base.format-1.schotten"

ITEMS = st.lists(st.binary(min_size=1, max_size=60), max_size=8)


def file_of(items: list[bytes]) -> bytes:
    return HEADER + b"".join(frame(item) for item in items)


@given(ITEMS)
def test_what_is_framed_comes_back(items: list[bytes]) -> None:
    assert read_file(file_of(items)) == Contents(tuple(items), 0, "")


@given(ITEMS, ITEMS)
def test_a_file_grows_by_appending_only(items: list[bytes], more: list[bytes]) -> None:
    appended = file_of(items) + b"".join(frame(item) for item in more)
    assert read_file(appended).items == (*items, *more)


@given(ITEMS, st.data())
def test_a_torn_tail_costs_the_last_item_and_is_counted(items: list[bytes], data: st.DataObject) -> None:
    whole = file_of(items)
    cut = data.draw(st.integers(len(HEADER), len(whole)))
    contents = read_file(whole[:cut])
    assert contents.items == tuple(items[: len(contents.items)])
    assert contents.damage == ""
    good = len(file_of(items[: len(contents.items)]))
    assert contents.torn == cut - good
    # What is left begins an item and does not end it.
    assert len(contents.items) == len(items) or contents.torn < LENGTH_BYTES + len(items[len(contents.items)])


@pytest.mark.parametrize("length", [0, MAX_RECORD + 1, 2**31, 2**32 - 1])
@pytest.mark.parametrize("behind", [b"", b"x" * 100])
def test_a_damaged_length_ends_the_items_and_is_said(length: int, behind: bytes) -> None:
    contents = read_file(file_of([b"one", b"two"]) + length.to_bytes(4, "big") + behind)
    assert contents.items == (b"one", b"two")
    assert contents.torn == 0
    assert contents.damage == f"its length is given as {length} bytes, expected 1 to {MAX_RECORD}"


def test_an_item_is_as_long_as_a_record_may_be() -> None:
    longest = bytes(MAX_RECORD)
    assert read_file(file_of([longest])).items == (longest,)


@settings(max_examples=300)
@given(st.binary(max_size=80), st.booleans())
@example(b"", False)
@example(b"", True)
def test_any_bytes_are_contents_or_a_transcript_error(data: bytes, headed: bool) -> None:
    data = HEADER + data if headed else data
    try:
        contents = read_file(data)
    except TranscriptError:
        assert not data.startswith(HEADER)
        return
    whole = file_of(list(contents.items))
    assert data.startswith(whole)
    assert contents.damage or contents.torn == len(data) - len(whole)
    assert not (contents.damage and contents.torn)


@given(st.binary(max_size=120), st.booleans())
@example(b"", False)
def test_the_verdict_on_any_bytes_is_a_verdict(data: bytes, headed: bool) -> None:
    verdict = verify(HEADER + data if headed else data)
    assert not verdict.over
    assert verdict.records == 0
    assert verdict.valid is (headed and not data)
    assert verdict.fault is None or verdict.fault.blame is None


def test_a_file_that_is_too_large_is_not_read() -> None:
    item = frame(bytes(MAX_RECORD))
    assert read_file((HEADER + item * (MAX_FILE // len(item)))[:MAX_FILE]).items
    with pytest.raises(TranscriptError, match=f"at most {MAX_FILE}"):
        read_file(HEADER + item * (MAX_FILE // len(item) + 1))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "not a transcript"),
        (b"GET / HTTP/1.1\r\n", "not a transcript"),
        (MAGIC, "not a transcript"),
        (MAGIC + b"\n", "not a transcript"),
        (MAGIC + b"one\n", "not a transcript"),
        (HEADER[:-1], "a transcript of format 1"),
        (MAGIC + b"2\n", "a transcript of format 2; this program reads format 1"),
        (MAGIC + b"10\n", "a transcript of format 10; this program reads format 1"),
        (MAGIC + b"01\n", "a transcript of format 1; this program reads format 1"),
        (MAGIC + "\N{SUPERSCRIPT TWO}\n".encode(), "not a transcript"),
        (MAGIC + "\N{ARABIC-INDIC DIGIT TWO}\n".encode(), "not a transcript"),
        (HEADER.replace(b"\n", b"\r\n"), "not a transcript"),
        (b"\xef\xbb\xbf" + HEADER, "not a transcript"),
        (HEADER.upper(), "not a transcript"),
    ],
)
def test_another_header_is_refused_in_words(data: bytes, words: str) -> None:
    with pytest.raises(TranscriptError, match=words):
        read_file(data)


def make_golden() -> bytes:
    """The game of the golden file: seed 1, both seats played by the greedy bot; made once, on the day of format 1.

    It was written by `GOLDEN.write_bytes(make_golden())` and is never written again. A program whose bots or proofs
    have changed makes another game here: the file must stay readable all the same, so nothing compares the two.
    """
    return new_pair(1, Peer, names=("Ann", "Bob")).play(bot("greedy", 1)).file_bytes()


def test_the_golden_file_of_format_1_is_read_and_valid_for_good() -> None:
    data = GOLDEN.read_bytes()
    assert FORMAT == 1
    assert len(data) < 120_000
    verdict = verify(data)
    assert verdict.fault is None
    assert (verdict.valid, verdict.over, verdict.sealed, verdict.revealed) == (True, True, SEATS, SEATS)
    assert verdict.reproducible is True
    assert verdict.closed is None
    assert verdict.ending() == "over, sealed by both, revealed by both"
    assert verdict.session.names == ("Ann", "Bob")
    assert verdict.session.rules.name == "base"
    assert verdict.records == 104
    outcome = verdict.session.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason, outcome.points) == (1, Reason.ADJACENT, (2, 5))


def test_the_golden_file_shows_both_hands_at_every_moment() -> None:
    moments = [moment for moment in replay(GOLDEN.read_bytes()) if moment.session.state is not None]
    seeds = moments[-1].session.seeds
    for moment in moments[::10]:
        assert moment.session.state is not None
        dealt = hands(moment, seeds)
        assert tuple(len(hand) for hand in dealt) == tuple(sum(counts) for counts in moment.session.state.hands)
        laid = {card for stone in moment.session.state.stones for card in stone.arrived}
        assert len({*dealt[0], *dealt[1], *laid}) == len(dealt[0]) + len(dealt[1]) + len(laid)


def test_the_golden_file_is_the_whole_truth_without_its_reveals_too() -> None:
    items = read_file(GOLDEN.read_bytes()).items
    verdict = verify(file_of(list(items[:-2])))
    assert verdict.over
    assert verdict.sealed == SEATS
    assert verdict.reproducible is None


def test_a_game_is_a_file_that_is_valid_on_the_day_it_is_made() -> None:
    assert verify(make_golden()).ending() == "over, sealed by both, revealed by both"


def test_replay_is_no_more_lenient_than_verify() -> None:
    """Torn, damaged, cut in half, a FAULT in the middle or at the end: both stop at the same record for one reason."""
    data = GOLDEN.read_bytes()
    items = list(read_file(data).items)
    fault = Fault(SEATS[0], 19, "share", bytes(32), b"").pack()
    for bad in (
        data[:-40],
        data[: len(data) // 2],
        data + b"\xff" * 4,
        file_of([*items[:20], fault, *items[20:]]),
        file_of([*items[:20], fault]),
    ):
        verdict = verify(bad)
        seen: list[Moment] = []
        with pytest.raises(PeerFault) as caught:
            seen.extend(replay(bad))
        assert verdict.fault is not None
        assert (str(caught.value), caught.value.blame) == (str(verdict.fault), verdict.fault.blame)
        assert len(seen) == verdict.records
