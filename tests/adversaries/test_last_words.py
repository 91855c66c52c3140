"""A hostile side says whatever it likes about the end of a game: last records, old ones, second ones, in any order.

Whatever comes, my journal stays a valid transcript, I sign no two records at one place, my seed is told only behind
both seals, and whoever is convicted is convicted by the evidence.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from random import Random

import pytest
import trio
from trio.testing import MockClock

from p2p_schotten.errors import Cause, PeerFault, SchottenError
from p2p_schotten.ids import SEATS, Seat, other
from p2p_schotten.net.frames import Frame, Tag
from p2p_schotten.protocol.absent import Absent, Word
from p2p_schotten.protocol.closing import Fault
from p2p_schotten.protocol.record import Kind, Value, head_of, make_record, read_record
from p2p_schotten.protocol.resume import Stand
from p2p_schotten.tail import is_close
from p2p_schotten.transcript import verify
from tests.net.game import resign_after, think
from tests.net.resumed import ALL, DEALT, OVER, Back, Way, back_against_hand, game
from tests.protocol.liar import file_of
from tests.protocol.pair import identity_of
from tests.protocol.reunion import restored

GAMES = 60
WAIT = 5.0  # seconds after the last frame before the line is cut, if it is


@cache
def game_id() -> bytes:
    found = game().peers[0].game_id
    assert found is not None
    return found


@cache
def second_records(author: Seat) -> tuple[bytes, ...]:
    """What he can sign besides the records of the game: at another place, of another kind, behind the last one."""
    key, made = identity_of(1, author), []
    for data in game().records:
        record = read_record(data)
        if record.seat == author and record.kind is not Kind.HELLO:
            ways: tuple[tuple[int, bytes, Kind, list[Value]], ...] = (
                (record.seq, bytes(32), record.kind, record.body),
                (record.seq + 1, record.prev, record.kind, record.body),
                (record.seq, record.prev, Kind.SEAL, record.body),
                (record.seq, record.prev, Kind.REVEAL, [bytes(32)]),
                (ALL, head_of(game().records[-1]), record.kind, record.body),
            )
            made += [make_record(seq, prev, author, kind, body, game_id(), key) for seq, prev, kind, body in ways]
    return tuple(made)


def stand(count: int, head: bytes | None = None) -> Frame:
    true = head_of(game().records[count - 1]) if count else bytes(32)
    return Frame(Tag.RESUME, Stand(game_id(), count, head or true).pack())


def words(random: Random, author: Seat, at: int) -> Iterator[Frame]:
    """Something that the hostile side says, when both have some `at` records."""
    records, position = game().records, random.randrange(1, ALL + 1)
    match random.choice(("records",) * 8 + ("second",) * 3 + ("again", "bye", "here", "absent", "talk", "rare")):
        case "records":
            first = random.randrange(at - 2, ALL) if random.random() < 0.7 else random.randrange(ALL)
            yield from (Frame(Tag.RECORD, data) for data in records[first : first + random.randrange(1, 5)])
        case "second":
            yield Frame(Tag.RECORD, random.choice(second_records(author)))
        case "again":
            yield Frame(Tag.AGAIN)
        case "bye":
            yield Frame(Tag.BYE)
        case "here":
            yield Frame(Tag.HERE, random.randrange(3).to_bytes(2, "big"))
        case "absent":
            yield Frame(
                Tag.ABSENT, Absent(random.choice(list(Word)), position, stand(position).payload[-32:], 99).pack()
            )
        case "talk":
            yield from (Frame(Tag.CHAT, b"well played"), Frame(random.choice((Tag.PING, Tag.PONG))))
        case _:
            close = restored(game().peers[author], random.randrange(OVER, ALL)).close_alone() or b""
            fault = Fault(author, position, random.choice(list(Cause)).value, bytes(32), b"").pack()
            yield random.choice(
                (
                    Frame(Tag.CLOSE, close),
                    Frame(Tag.RECORD, close),
                    Frame(Tag.FAULT, fault),
                    stand(position),
                    stand(position, random.randbytes(32)),
                )
            )


async def meets(random: Random) -> None:
    """One connection of a game near its end, and what must hold behind it."""
    me, at = random.choice(SEATS), random.randrange(DEALT, ALL + 1)
    floor = random.choice((0, 0, 0, at, min(ALL, at + random.randrange(1, 4))))
    way = Way(more=random.random() < 0.5, here=random.choice((0, 4242)), returns=random.random() < 0.3)
    said, plan = list[bytes](), random.choice((resign_after(2), resign_after(0), think))
    frames = [stand(random.choice((at, at, at - 1, min(ALL, at + 1), ALL, 2)))] if random.random() < 0.9 else []
    for _word in range(random.randrange(1, 7)):
        frames += words(random, other(me), at)
    async with back_against_hand(me, (at, at), plan, floor=floor, way=way) as (player, hand):

        async def listen() -> None:
            while (frame := await hand.next()) is not None:
                said.extend([frame.payload] if frame.tag is Tag.RECORD else [])

        async def end(after: float, again: bool) -> None:
            await trio.sleep(after)
            with suppress(SchottenError):  # the link has ended
                await (player.link.again() if again else player.link.leave())

        async with trio.open_nursery() as nursery:
            nursery.start_soon(listen)
            if way.more:
                nursery.start_soon(end, 3 * random.random(), random.random() < 0.5)
            for frame in frames:
                try:
                    await hand.send(frame)
                except (trio.BrokenResourceError, trio.ClosedResourceError):
                    break
                await trio.sleep(random.choice((0.0, 0.0, 0.1)))
            await trio.sleep(WAIT if random.random() < 0.7 else 100 * WAIT)
            await trio.aclose_forcefully(hand.stream)
    check(player, me, said)


def check(player: Back, me: Seat, said: list[bytes]) -> None:
    verdict = verify(file_of(*player.ledger.records))
    assert verdict.fault is None
    signed: dict[int, bytes] = {}
    for data in (*player.ledger.records, *said):
        if not is_close(data) and read_record(data).seat == me:
            assert signed.setdefault(read_record(data).seq, data) == data
    if any(player.peer.secret_seed in data for data in said):
        assert verdict.session.seals == len(SEATS)
    if isinstance(player.error, PeerFault) and player.error.blame is not None:
        assert player.error.blame == other(me)
        found = verify(player.ledger.kept[-1]).fault
        assert found is not None
        assert (found.cause, found.blame) == (player.error.cause, other(me))
    else:
        assert player.error is None or isinstance(player.error, SchottenError)


@pytest.mark.parametrize("seed", range(GAMES))
async def test_the_last_words_of_a_hostile_side_do_no_harm(autojump_clock: MockClock, seed: int) -> None:
    await meets(Random(seed))
