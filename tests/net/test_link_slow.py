"""Over a slow line nobody leaves a game that is over before the other has it, and nobody waits for who is silent."""

from __future__ import annotations

from contextlib import suppress

import pytest
import trio
from trio.testing import MockClock

from p2p_schotten.net.frames import HEADER_BYTES, Frame, Tag
from p2p_schotten.net.limits import DEFAULT_LIMITS as LIMITS
from p2p_schotten.net.outbox import Outbox
from p2p_schotten.protocol.resume import Stand
from tests.net.game import GUEST, HOST, Watched, play_out
from tests.net.resumed import ALL, Back, Way, game
from tests.net.sides import memory_pair
from tests.protocol.reunion import restored


class SlowLine(Watched):
    """An end of a line that carries so many bytes a second. `buffer`: it takes all at once."""

    def __init__(self, stream: trio.abc.Stream, speed: float, *, buffer: trio.Nursery | None = None) -> None:
        super().__init__(stream, [])
        self._speed, self._buffer = speed, buffer
        self._free = 0.0  # when the line has carried what it took
        self._whole = trio.Lock()

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        self._free = max(self._free, trio.current_time()) + len(data) / self._speed
        if self._buffer is None:
            await self._carry(bytes(data), self._free)
        else:
            self._buffer.start_soon(self._carry, bytes(data), self._free)

    async def _carry(self, data: bytes, until: float) -> None:
        async with self._whole:
            await trio.sleep_until(until)
            with suppress(trio.ClosedResourceError):
                await self._stream.send_all(data)


@pytest.mark.parametrize("buffered", [False, True])
@pytest.mark.parametrize("waits", [0.0, 1.0])
async def test_who_leaves_behind_a_whole_game_handed_over_a_slow_line_stays_until_it_has_arrived(
    autojump_clock: MockClock, buffered: bool, waits: float
) -> None:
    """The system may take all of it at once; who asks him to leave comes a moment later."""
    speed, start = 4_500.0, trio.current_time()
    left, right = memory_pair()
    whole, empty = (restored(peer, count) for peer, count in zip(game().peers, (ALL, 2), strict=True))
    async with trio.open_nursery() as nursery:
        line = SlowLine(left, speed, buffer=nursery if buffered else None)
        ann = Back(HOST, line, peer=whole, way=Way(more=waits > 0))
        bob = Back(GUEST, right, peer=empty)
        nursery.start_soon(play_out, ann, bob)
        if waits:
            await trio.sleep(waits)
            await ann.link.leave()
    assert trio.current_time() - start > 2 * LIMITS.linger
    assert (ann.error, bob.error) == (None, None)
    assert bob.ledger.records == game().records
    assert ann.link.sure


async def test_who_leaves_a_game_that_is_over_waits_for_nobody_who_does_not_read(autojump_clock: MockClock) -> None:
    left, right = memory_pair()
    whole = restored(game().peers[HOST], ALL)
    ann, start = Back(HOST, SlowLine(left, LIMITS.slowest / 100), peer=whole), trio.current_time()

    async def come_and_fall_silent() -> None:
        await right.send_all(Frame(Tag.RESUME, Stand(whole.session.game_id, 0, bytes(32)).pack()).encode())

    async with trio.open_nursery() as nursery:
        nursery.start_soon(come_and_fall_silent)
        nursery.start_soon(ann.run)
    assert trio.current_time() - start < LIMITS.write + LIMITS.linger + 1


def test_what_was_sent_before_a_ping_that_was_answered_has_been_read() -> None:
    outbox = Outbox(memory_pair()[0], LIMITS, lambda: "bob")
    outbox.answer(Tag.PONG)  # of nothing that was asked
    outbox.send(Frame(Tag.RECORD, bytes(1000)))
    outbox.send(Frame(Tag.PING))
    outbox.send(Frame(Tag.RECORD, bytes(500)))
    outbox.send(Frame(Tag.PING))
    assert outbox.unread == 1000 + 500 + 4 * HEADER_BYTES
    outbox.answer(Tag.PONG)
    assert outbox.unread == 500 + 2 * HEADER_BYTES
    outbox.answer(Tag.PONG)  # one PONG answers both
    assert outbox.unread == 500 + 2 * HEADER_BYTES
