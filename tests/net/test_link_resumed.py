"""Over a new connection both say first where they stand; then the game goes on, and ends as if nothing had been."""

from __future__ import annotations

from random import Random

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from p2p_schotten.errors import Cause, ChannelError
from p2p_schotten.ids import Seat, other
from p2p_schotten.net.frames import Frame, Tag
from p2p_schotten.net.told import Again, Chatted, ClosedAlone, Ended, Parted, Resumed
from p2p_schotten.protocol.absent import Absent, Word
from p2p_schotten.protocol.closing import Close, read_item
from p2p_schotten.protocol.events import Finished, YourTurn
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.resume import MAX_RECORDS, Stand
from tests.net.game import GUEST, HOST, Memory, Player, against_hand, peer_of, play_out, resign_after, think
from tests.net.resumed import ALL, DEALT, OVER, Back, Cable, Way, back_against_hand, check_fault, game, refused
from tests.net.sides import memory_pair
from tests.protocol.reunion import restored

GIVE_UP = resign_after(2)

# The game ends as if nothing had been


async def after_cuts(cable_of: Random, longest: int, ways: tuple[Way, Way]) -> tuple[list[Player], int]:
    """Both seats at the end of a game whose every connection is cut within so many bytes, and how many there were."""
    peers = peer_of(HOST), peer_of(GUEST)
    first = Cable(cable_of.randrange(longest), lambda: all(player.link.begun for player in players))
    players = [Player(peer.seat, end, GIVE_UP, peer=peer) for peer, end in zip(peers, first.ends, strict=True)]
    connections = 1
    await play_out(*players)
    while not all(player.peer.session.finished for player in players):
        cable = Cable(cable_of.randrange(longest))
        for seat, player in enumerate(players):
            assert isinstance(player.error, ChannelError | None), player.error
            players[seat] = Back(
                player.peer.seat, cable.ends[seat], GIVE_UP, peer=player.peer, ledger=player.ledger, way=ways[seat]
            )
        connections += 1
        await play_out(*players)
    return players, connections


async def check_cut_at_any_byte(seed: int, returns: bool) -> None:
    ways = Way(returns=returns), Way(returns=returns)
    (ann, bob), connections = await after_cuts(Random(seed), 13_000, ways)
    assert connections > 2
    assert ann.ledger.records == bob.ledger.records == ann.peer.records == bob.peer.records
    assert ann.peer.session == bob.peer.session
    assert len(ann.ledger.records) == ALL
    for player, way in zip((ann, bob), ways, strict=True):
        assert way.kept == sorted(set(way.kept))
        assert player.ledger.kept == []


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("returns", [True, False])
async def test_a_game_that_is_cut_at_any_byte_ends_with_equal_records(
    autojump_clock: MockClock, seed: int, returns: bool
) -> None:
    await check_cut_at_any_byte(seed, returns)


async def test_a_game_that_is_cut_at_some_bytes_ends_with_equal_records(autojump_clock: MockClock) -> None:
    await check_cut_at_any_byte(100, returns=True)


@pytest.mark.parametrize("counts", [(8, 8), (9, 8), (DEALT, DEALT), (10, 9), (11, 12), (13, 13), (13, 14), (17, 18)])
async def test_two_who_were_started_again_end_the_game_from_any_two_records(
    autojump_clock: MockClock, counts: tuple[int, int]
) -> None:
    ends = memory_pair()
    seats = [
        Back(peer.seat, end, GIVE_UP, peer=restored(peer, count))
        for peer, end, count in zip(game().peers, ends, counts, strict=True)
    ]
    await play_out(*seats)
    for player, count in zip(seats, counts, strict=True):
        assert player.error is None
        assert [event.records in (count, count + 1) for event in player.told if isinstance(event, Resumed)] == [True]
        assert [event for event in player.told if isinstance(event, Finished)] == [Finished()]
        assert player.ledger.records == game().records


@pytest.mark.parametrize("lost", [HOST, GUEST])
@pytest.mark.parametrize("count", [2, DEALT, OVER])
async def test_who_lost_records_that_he_signed_is_given_them_back_before_he_says_anything(
    autojump_clock: MockClock, lost: Seat, count: int
) -> None:
    ends = memory_pair()
    counts = (count, 16) if lost == HOST else (16, count)
    seats = [
        Back(peer.seat, end, GIVE_UP, peer=restored(peer, had, floor=16))
        for peer, end, had in zip(game().peers, ends, counts, strict=True)
    ]
    await play_out(*seats)
    for player in seats:
        assert player.error is None
        assert player.ledger.records == game().records
        assert not any(isinstance(event, YourTurn) for event in player.told)


@pytest.mark.parametrize("lost", [HOST, GUEST])
@pytest.mark.parametrize("more", [False, True])
async def test_who_lost_a_whole_long_journal_is_given_all_of_it(
    autojump_clock: MockClock, lost: Seat, more: bool
) -> None:
    ends, plies = memory_pair(), 30
    assert len(game(plies).records) > 64
    seats = [
        Back(
            peer.seat,
            end,
            think,
            peer=restored(peer, 0 if peer.seat == lost else None),
            ledger=Memory(begun=True, records=[] if peer.seat == lost else list(peer.records)),
            way=Way(more=more),
        )
        for peer, end in zip(game(plies).peers, ends, strict=True)
    ]
    with trio.fail_after(1000):
        async with trio.open_nursery() as nursery:
            for player in seats:
                nursery.start_soon(player.run)
            if more:
                await trio.sleep(1)
                await seats[lost].link.leave()
    for player in seats:
        assert player.error is None
        assert player.ledger.records == game(plies).records


async def test_two_who_come_back_after_the_last_record_can_play_another(autojump_clock: MockClock) -> None:
    ends = memory_pair()
    ann, bob = (
        Back(peer.seat, end, think, peer=restored(peer), way=Way(more=True))
        for peer, end in zip(game().peers, ends, strict=True)
    )
    onward: list[bool] = []

    async def run(player: Back) -> None:
        onward.append(await player.link.run(player.deliver))

    with trio.fail_after(100):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(run, ann)
            nursery.start_soon(run, bob)
            await trio.sleep(1)
            await ann.link.again()
            await trio.sleep(1)
            assert ann.told == [Resumed(ALL), Finished()]
            assert bob.told == [Resumed(ALL), Finished(), Again()]
            await bob.link.again()
    assert onward == [True, True]
    assert ann.ledger.records == bob.ledger.records == game().records


@pytest.mark.parametrize("seat", [HOST, GUEST])
async def test_who_claims_a_record_behind_the_last_one_is_heard_on_no_next_game(
    autojump_clock: MockClock, seat: Seat
) -> None:
    """Before the player was told that the last record stands nothing can be asked about the game after it."""
    async with back_against_hand(seat, (ALL, ALL), think, way=Way(more=True)) as (player, hand):
        beyond = stand_of(hand.peer, seq=ALL + 1, head=b"\1" * 32)
        await hand.send(Frame(Tag.RESUME, beyond), Frame(Tag.AGAIN))
        await hand.end()
    name = game().session.names[other(seat)]
    assert player.told == [Parted(f"{name} sends what may not come between two games")]
    assert player.error is None
    assert player.ledger.records == game().records


@pytest.mark.parametrize("seat", [HOST, GUEST])
async def test_a_close_makes_room_for_the_ordinary_end_when_the_other_comes_back(
    autojump_clock: MockClock, seat: Seat
) -> None:
    """The winner closes alone; then the other, who has resigned, is there again."""
    count = OVER if seat == GUEST else OVER + 1
    async with back_against_hand(seat, (count, count), think) as (player, hand):
        await hand.stand()
        await hand.send(Frame(Tag.RESUME, hand.peer.stand().pack()))
        await trio.testing.wait_all_tasks_blocked()
        await trio.aclose_forcefully(hand.stream)
    closed = [event for event in player.told if isinstance(event, ClosedAlone)]
    assert len(closed) == 1
    assert player.error is None
    *records, close = player.ledger.records
    assert isinstance(read_item(close), Close)
    ends, peers = memory_pair(), (restored(game().peers[0], count), restored(game().peers[1], count))
    seats = [Back(peer.seat, end, think, peer=peer) for peer, end in zip(peers, ends, strict=True)]
    again = Back(seat, ends[seat], think, peer=player.peer, ledger=player.ledger)
    seats[seat] = again
    await play_out(*seats)
    assert again.ledger.records == seats[other(seat)].ledger.records == game().records
    assert records == game().records[: len(records)]


@pytest.mark.parametrize("seat", [HOST, GUEST])
async def test_a_close_stays_while_the_other_says_nothing_new(autojump_clock: MockClock, seat: Seat) -> None:
    count = OVER + 1 if seat == HOST else OVER + 2
    close = restored(game().peers[seat], count).close_alone()
    assert close is not None
    ledger = Memory(begun=True, records=[*game().records[:count], close])
    async with back_against_hand(seat, (count, count), think, ledger=ledger) as (player, hand):
        await hand.stand()
        await hand.send(Frame(Tag.RESUME, hand.peer.stand().pack()), Frame(Tag.BYE))
    assert player.ledger.records[: count + 1] == [*game().records[:count], close]
    assert all(isinstance(read_item(item), Close) for item in player.ledger.records[count:])


# What comes first


def stand_of(peer: Peer, **changed: bytes | int) -> bytes:
    stand = peer.stand()
    fields = {"game_id": stand.game_id, "seq": stand.seq, "head": stand.head, **changed}
    game_id, seq, head = fields["game_id"], fields["seq"], fields["head"]
    assert isinstance(game_id, bytes)
    assert isinstance(seq, int)
    assert isinstance(head, bytes)
    return Stand(game_id, seq, head).pack()


RESUME = Frame(Tag.RESUME, restored(game().peers[0], DEALT).stand().pack())
CLAIM = Frame(Tag.ABSENT, Absent(Word.CLAIM, DEALT, b"\1" * 32, 66).pack())


@pytest.mark.parametrize("seat", [HOST, GUEST])
@pytest.mark.parametrize(
    "frame", [Frame(Tag.RECORD, game().records[DEALT]), CLAIM, Frame(Tag.AGAIN)], ids=["RECORD", "ABSENT", "AGAIN"]
)
async def test_nothing_of_the_game_may_come_before_it_is_known_where_it_stands(
    autojump_clock: MockClock, seat: Seat, frame: Frame
) -> None:
    why = "the next game was asked for where it cannot be" if frame.tag is Tag.AGAIN else f"{frame.tag.name} came where"
    check_fault(await refused(seat, frame, RESUME), Cause.BYTES, why)


@pytest.mark.parametrize("seat", [HOST, GUEST])
async def test_the_next_game_is_not_asked_for_before_it_is_known_that_this_one_is_over(
    autojump_clock: MockClock, seat: Seat
) -> None:
    error = await refused(seat, Frame(Tag.AGAIN), at=ALL, way=Way(more=True, returns=True))
    assert str(error).endswith("sends what may not come between two games")


@pytest.mark.parametrize("seat", [HOST, GUEST])
async def test_where_he_stands_is_said_once(autojump_clock: MockClock, seat: Seat) -> None:
    check_fault(await refused(seat, RESUME, first=True), Cause.BYTES, "a RESUME came where it cannot be")


async def test_in_a_first_connection_nobody_says_where_he_stands(autojump_clock: MockClock) -> None:
    async with against_hand(HOST, think) as (ann, bob):
        await bob.deal()
        session = ann.peer.session
        await bob.send(Frame(Tag.RESUME, bob.peer.stand().pack()))
        while await bob.next() is not None:
            pass
        await trio.aclose_forcefully(bob.stream)
    check_fault(ann.error, Cause.BYTES, "a RESUME came where it cannot be")
    assert ann.peer.session is session


@pytest.mark.parametrize(
    ("payload", "cause", "why"),
    [
        (RESUME.payload[:-1], Cause.BYTES, "RESUME: expected 68 bytes, got 67"),
        (b"", Cause.BYTES, "RESUME: expected 68 bytes, got 0"),
        (RESUME.payload + b"\0", Cause.LENGTH, "RESUME: expected at most 68 bytes, 69 are announced"),
        (stand_of(game().peers[0], seq=MAX_RECORDS + 1), Cause.BYTES, "expected at most 4096 records, got 4097"),
        (stand_of(game().peers[0], seq=0), Cause.BYTES, "expected a head of zero bytes where there is no record"),
        (stand_of(game().peers[0], head=bytes(32)), Cause.BYTES, "expected a head of zero bytes where there is no"),
    ],
)
async def test_other_bytes_than_those_of_a_stand_are_a_fault_without_blame(
    autojump_clock: MockClock, payload: bytes, cause: Cause, why: str
) -> None:
    check_fault(await refused(HOST, Frame(Tag.RESUME, payload)), cause, why)


@pytest.mark.parametrize("seat", [HOST, GUEST])
async def test_who_goes_on_with_another_game_is_no_cheat_and_is_not_waited_for(
    autojump_clock: MockClock, seat: Seat
) -> None:
    payload = stand_of(game().peers[0], game_id=b"\xab" * 32)
    error = await refused(seat, Frame(Tag.RESUME, payload), way=Way(returns=True))
    assert isinstance(error, Ended)
    assert str(error) == f"{('Bob', 'Ann')[seat]} goes on with another game, abababababab"


async def test_who_goes_on_with_another_game_is_left_with_a_bye(autojump_clock: MockClock) -> None:
    async with back_against_hand(HOST, (DEALT, DEALT), think, way=Way(returns=True)) as (ann, bob):
        await bob.stand()
        await bob.send(Frame(Tag.RESUME, stand_of(game().peers[0], game_id=b"\xab" * 32)))
        bye = await bob.next()
        await trio.aclose_forcefully(bob.stream)
    assert bye == Frame(Tag.BYE)
    assert isinstance(ann.error, Ended)


async def test_he_may_talk_and_leave_before_he_says_where_he_stands(autojump_clock: MockClock) -> None:
    async with back_against_hand(HOST, (DEALT, DEALT), think, way=Way(returns=True)) as (ann, bob):
        await bob.stand()
        await bob.send(Frame(Tag.CHAT, b"in a minute"), Frame(Tag.PING), Frame(Tag.BYE))
    assert ann.told == [Chatted("in a minute")]
    assert isinstance(ann.error, Ended)
    assert str(ann.error) == "Bob left"
    assert ann.ledger.records == game().records[:DEALT]
