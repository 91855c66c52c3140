"""Attacks on the file: edited, cut, spliced, its seats exchanged (protocol section 11, fourth group)."""

from __future__ import annotations

import pytest

from p2p_schotten import transcript
from p2p_schotten.errors import Cause
from p2p_schotten.ids import SEATS, other
from p2p_schotten.protocol.advance import advance
from p2p_schotten.protocol.file import HEADER, LENGTH_BYTES, frame
from p2p_schotten.protocol.record import Kind, pack, read_record
from p2p_schotten.transcript import verify
from tests.attacks import report_file
from tests.protocol.liar import KINDS, Stage, file_of, spliced_refused, stage_of
from tests.protocol.pair import Story

pytestmark = pytest.mark.usefixtures("remembering")


def test_a_file_edited_record_by_record(story: Story) -> None:
    """Dropped, doubled, swapped, out of every part of the game."""
    items = story.end.records
    for at in (0, 1, 2, 5, 6, 7, 8, len(items) - 2):
        dropped = [*items[:at], *items[at + 1 :]]
        verdict = verify(file_of(*dropped))
        report_file(file_of(*dropped), verdict)
        assert verdict.fault is not None
        assert (verdict.records, verdict.fault.seq, verdict.fault.blame) == (at, at, None), at
        # Without a HELLO there is no key; a SHUFFLE is longer than an OPEN may be, and a MOVE than the SHARES due.
        cause = {1: Cause.SIGNATURE, 5: Cause.LENGTH, 8: Cause.LENGTH}.get(at, Cause.SEQUENCE)
        assert verdict.fault.cause is cause, at
        doubled = [*items[: at + 1], *items[at:]]
        verdict = verify(file_of(*doubled))
        report_file(file_of(*doubled), verdict)
        assert verdict.fault is not None
        assert (verdict.records, verdict.fault.seq, verdict.fault.blame) == (at + 1, at + 1, None)
        assert verdict.fault.cause in {Cause.SEQUENCE, Cause.LENGTH, Cause.SIGNATURE}
        swapped = [*items[:at], items[at + 1], items[at], *items[at + 2 :]]
        verdict = verify(file_of(*swapped))
        report_file(file_of(*swapped), verdict)
        assert verdict.fault is not None
        assert (verdict.records, verdict.fault.seq, verdict.fault.blame) == (at, at, None)


def test_a_file_cut_between_records_is_unfinished_and_blames_nobody(story: Story) -> None:
    items = story.end.records
    for count in (0, 1, 2, 5, 7, 8, 9, len(items) - 5):
        verdict = verify(file_of(*items[:count]))
        report_file(file_of(*items[:count]), verdict)
        assert verdict.fault is None
        assert not verdict.over
        assert verdict.records == count
        assert verdict.ending().endswith(f"seat {read_record(items[count]).seat}'s record would be next")
    one_reveal = verify(file_of(*items[:-1]))
    none = verify(file_of(*items[:-2]))
    assert one_reveal.over
    assert "not fully revealed" in one_reveal.ending()
    assert none.over
    assert "not revealed" in none.ending()


def test_a_file_cut_inside_a_record(story: Story) -> None:
    items = story.end.records
    for count in (0, 3, 7, 8, len(items) - 1):
        whole = file_of(*items[:count])
        for kept in (1, LENGTH_BYTES, len(frame(items[count])) - 1):
            verdict = spliced_refused(whole + frame(items[count])[:kept], count, Cause.LENGTH, None)
            assert verdict.records == count


def test_a_file_whose_header_is_edited_or_cut(story: Story) -> None:
    data = story.end.file_bytes()
    for lie in (
        b"",
        data[:5],
        data[1:],
        b"X" + data[1:],
        HEADER[:-1],
        data.replace(b"transcript 1\n", b"transcript 2\n"),
    ):
        spliced_refused(lie, 0, Cause.BYTES, None)


def test_a_file_spliced_from_two_games_of_the_same_two(won_by_0: Story, story: Story) -> None:
    one, two = won_by_0.end.records, story.end.records
    for at in (2, 3, 4, 6, 7, 8, 9):
        assert read_record(one[at]).seq == read_record(two[at]).seq
        spliced = file_of(*one[:at], *two[at:])
        verdict = verify(spliced)
        report_file(spliced, verdict)
        assert verdict.fault is not None
        assert (verdict.records, verdict.fault.seq, verdict.fault.blame) == (at, at, None)
        assert verdict.fault.cause in {Cause.SIGNATURE, Cause.LENGTH}
    spliced_refused(file_of(one[0], *two[1:]), 1, Cause.PREVIOUS, None)


def test_a_file_with_its_seats_exchanged(story: Story) -> None:
    items = story.end.records
    exchanged = []
    for data in items:
        record = read_record(data)
        at = len(pack([record.seq, record.prev]))
        assert data[at] == record.seat
        exchanged.append(data[:at] + bytes([other(record.seat)]) + data[at + 1 :])
    spliced_refused(file_of(*exchanged), 0, Cause.SIGNATURE, None)
    spliced_refused(file_of(items[1], items[0], *items[2:]), 0, Cause.SEQUENCE, None)
    # By the two themselves, each HELLO signed anew for the other seat: then it is another game, and nothing else fits.
    first, second = (Stage.find(story, Kind.HELLO, seat=seat) for seat in SEATS)
    hello_0 = first.signed(second.body, seat=SEATS[0], identity=second.identity)
    hello_1 = second.signed(first.body, seat=SEATS[1], identity=first.identity, prev=read_record(hello_0).head())
    assert verify(file_of(hello_0, hello_1)).fault is None
    spliced_refused(file_of(hello_0, hello_1, *items[2:]), 2, Cause.SIGNATURE, None)


@pytest.mark.parametrize("kind", KINDS)
def test_the_verdict_is_the_same_when_nothing_is_remembered(story: Story, kind: Kind) -> None:
    """The tests of attacks let `verify` remember good prefixes. Here it reads lies and honest files without that."""
    stage = stage_of(story, kind)
    lies = [stage.signed(stage.honest.body, prev=bytes(31) + b"\1"), stage.honest.data[:-1] + b"\0"]
    files = [file_of(*stage.pair.records, data) for data in [*lies, stage.honest.data]]
    remembered = [verify(data) for data in files]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transcript, "advance", advance)
        for data, verdict in zip(files, remembered, strict=True):
            again = verify(data)
            assert str(again.fault) == str(verdict.fault)
            assert (again.session, again.records, again.ending()) == (
                verdict.session,
                verdict.records,
                verdict.ending(),
            )
