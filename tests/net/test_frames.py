"""Frames come out whole however the bytes were cut, and a length is refused before its bytes are taken in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_schotten.errors import Malformed
from p2p_schotten.net.frames import HEADER_BYTES, Frame, FrameBuffer, Tag, TooLong

FRAMES = st.lists(st.builds(Frame, st.sampled_from(Tag), st.binary(max_size=40)), max_size=6)


def unbounded(tag: Tag) -> int:
    return 1000


def drain(buffer: FrameBuffer) -> list[Frame]:
    frames = []
    while (frame := buffer.next()) is not None:
        frames.append(frame)
    return frames


@given(FRAMES, st.data())
def test_the_frames_that_went_in_come_out_in_order_whatever_the_cuts(frames: list[Frame], data: st.DataObject) -> None:
    stream = b"".join(frame.encode() for frame in frames)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    buffer = FrameBuffer(unbounded)
    out = []
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        buffer.feed(stream[start:end])
        out += drain(buffer)
    assert out == frames
    buffer.feed(Frame(Tag.PING).encode())
    assert drain(buffer) == [Frame(Tag.PING)], "no byte was left over"


def test_a_frame_cut_into_single_bytes_is_one_frame() -> None:
    buffer = FrameBuffer(unbounded)
    stream = Frame(Tag.CHAT, b"hello").encode()
    for byte in stream[:-1]:
        buffer.feed(bytes([byte]))
        assert buffer.next() is None
    buffer.feed(stream[-1:])
    assert buffer.next() == Frame(Tag.CHAT, b"hello")


def test_a_frame_on_the_wire_is_tag_length_payload() -> None:
    assert Frame(Tag.RECORD, b"ab").encode() == b"\x01\x00\x00\x00\x02ab"


def test_what_came_behind_the_last_frame_is_kept_for_the_next_reader() -> None:
    first, second = Frame(Tag.AGAIN).encode(), Frame(Tag.CHAT, b"hello").encode()
    for cut in range(len(second) + 1):
        buffer, next_buffer = FrameBuffer(unbounded), FrameBuffer(unbounded)
        buffer.feed(first + second[:cut])
        assert buffer.next() == Frame(Tag.AGAIN)
        if cut < len(second):
            assert buffer.next() is None  # its header may have been read already
        next_buffer.feed(buffer.rest() + second[cut:])
        assert next_buffer.next() == Frame(Tag.CHAT, b"hello")
        assert next_buffer.rest() == b""


@given(st.integers(0, 255).filter(lambda number: number not in set(Tag)), st.binary(min_size=4, max_size=20))
def test_an_unknown_tag_is_refused(number: int, rest: bytes) -> None:
    buffer = FrameBuffer(unbounded)
    buffer.feed(bytes([number]) + rest)
    with pytest.raises(Malformed, match=f"got tag {number}"):
        buffer.next()


@given(st.sampled_from(Tag), st.integers(1001, 2**32 - 1))
def test_a_huge_length_is_refused_before_its_bytes_come(tag: Tag, length: int) -> None:
    buffer = FrameBuffer(unbounded)
    buffer.feed(bytes([tag]) + length.to_bytes(4, "big"))
    with pytest.raises(TooLong, match=f"at most 1000 bytes, {length} are announced"):
        buffer.next()


def test_the_limit_is_asked_when_the_header_stands_and_after_the_frame_before_was_taken() -> None:
    limits = [3, 0]
    buffer = FrameBuffer(lambda tag: limits.pop(0))
    buffer.feed(Frame(Tag.RECORD, b"abc").encode() + Frame(Tag.RECORD, b"x").encode())
    assert buffer.next() == Frame(Tag.RECORD, b"abc")
    assert limits == [0]
    with pytest.raises(TooLong, match="at most 0 bytes, 1 are announced"):
        buffer.next()


@given(st.binary(max_size=200))
def test_random_bytes_give_frames_or_malformed_and_nothing_else(data: bytes) -> None:
    buffer = FrameBuffer(lambda tag: 50)
    buffer.feed(data)
    try:
        frames = drain(buffer)
    except Malformed:
        return
    assert data.startswith(b"".join(frame.encode() for frame in frames))


def test_the_header_has_five_bytes() -> None:
    assert len(Frame(Tag.PING).encode()) == HEADER_BYTES == 5
