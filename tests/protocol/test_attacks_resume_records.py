"""Attacks on going on over a new connection: what is handed over to one who lacks records, and what is not."""

from __future__ import annotations

import pytest

from p2p_schotten.crypto.identity import Identity
from p2p_schotten.errors import Cause
from p2p_schotten.ids import SEATS, Seat
from p2p_schotten.protocol.messages import Commit, Hello, write_body
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind, read_record
from p2p_schotten.transcript import verify
from tests.attacks import report
from tests.protocol.liar import Stage, file_of, with_signature
from tests.protocol.pair import Story, entropy, identity_of
from tests.protocol.reunion import moved_otherwise, plays, refuses, restored, silent, told

pytestmark = pytest.mark.usefixtures("remembering")


def test_records_that_i_have_told_again_and_again(story: Story) -> None:
    """Once over is enough to find where two parted; a record that I have is none when nothing is to be found."""
    at = plays(story, SEATS[0])[1]
    victim = Stage.of(story, at).victim
    victim.resume(told(victim, at + 1, b"h" * 32))
    for data in victim.records[2 : at - 1]:
        assert victim.receive(data) == ()
    assert victim.frames() == victim.records[2:]  # sent once, for him to find the place too
    refuses(victim, victim.records[2], Cause.SEQUENCE, None)
    # Level with me, he has nothing to repeat.
    victim.resume(told(victim, at))
    assert victim.limit() == victim.session.limit()
    short = next(data for data in victim.records[2:] if len(data) <= victim.limit())
    refuses(victim, short, Cause.SEQUENCE, None)
    # Behind him, but given the first that I lack: there is nothing to repeat any more either.
    lived = story.end.peers[0]
    victim = restored(lived, 9)
    victim.resume(told(lived, 12))
    victim.receive(lived.records[9])
    refuses(victim, lived.records[2], Cause.SEQUENCE, None)


def test_my_own_records_back_when_i_lack_none(story: Story) -> None:
    """Only somebody with my key could have made it; I have not."""
    for seat in SEATS:
        at = plays(story, seat)[1]
        lived = story.end.peers[seat]
        victim = restored(lived, at)
        victim.resume(told(victim, at))
        refuses(victim, lived.records[at], Cause.SPEAKER, None)
        # Told three and given four: the fourth is mine too.
        victim = restored(lived, at - 1)
        victim.resume(told(lived, at))
        victim.receive(lived.records[at - 1])
        assert not victim.behind
        refuses(victim, lived.records[at], Cause.SPEAKER, None)


def test_my_own_record_back_under_another_signature_or_with_another_body(story: Story, won_by_0: Story) -> None:
    for seat in SEATS:
        at = plays(story, seat)[1]
        lived = story.end.peers[seat]
        victim = restored(lived, at)
        victim.resume(told(lived, at + 1))
        data = lived.records[at]
        elsewhere = won_by_0.end.peers[seat].records[plays(won_by_0, seat)[1]]
        for forged in (
            with_signature(data, read_record(lived.records[at - 1]).signature),
            data[:60] + bytes([data[60] ^ 1]) + data[61:],
            elsewhere,
        ):
            refuses(victim, forged, Cause.SIGNATURE, None)
        silent(victim)
        victim.receive(data)
        assert victim.records == lived.records[: at + 1]


def commit_of_another_seed(story: Story, seat: Seat, identity: Identity) -> bytes:
    """What that seat's key would have signed in this game with another seed."""
    stage = Stage.find(story, Kind.COMMIT, seat=seat)
    body = Commit(entropy("another", 1)(32), entropy("another", 2)(32))
    return stage.signed(write_body(body), kind=Kind.COMMIT, identity=identity)


def test_a_commitment_of_mine_to_another_seed_than_i_keep(story: Story) -> None:
    """My key did sign it (my seed file is of another game, say): nobody is blamed, and nothing is built on it."""
    for seat in SEATS:
        lived, at = story.end.peers[seat], 2 + seat
        victim = restored(lived, at)
        victim.resume(told(lived, 9))
        fault = refuses(victim, commit_of_another_seed(story, seat, identity_of(1, seat)), Cause.COMMITMENT, None)
        assert f"seat {seat} committed to another seed" in fault.detail
        silent(victim)
        victim.receive(lived.records[at])


def test_hellos_of_another_game_for_one_who_lost_everything(story: Story, won_by_0: Story) -> None:
    """He knows the id of his game from the name of its file; no HELLOs but its own make that id."""
    for seat in SEATS:
        lived = story.end.peers[seat]
        elsewhere = won_by_0.end.peers[seat].records
        for hello in (elsewhere[0], lived.records[0]):
            victim = restored(lived, 0)
            victim.resume(told(lived, 9))
            victim.receive(hello)
            answer = elsewhere[1] if hello == elsewhere[0] else answer_to(story, lived)
            refuses(victim, answer, Cause.HELLO, None)
            silent(victim)
    # And no key but his own has said his HELLO.
    victim = restored(story.end.peers[0], 0)
    victim.resume(told(story.end.peers[0], 9))
    stage = Stage.of(story, 0)
    body = stage.body
    assert isinstance(body, Hello)
    mine = identity_of(99, SEATS[0])
    lie = Hello(
        body.nonce,
        body.versions,
        body.suite,
        body.ruleset,
        body.rules_digest,
        body.options,
        mine.public,
        body.name,
        body.match,
    )
    refuses(victim, stage.signed(lie, identity=mine), Cause.IDENTITY, None)


def answer_to(story: Story, lived: Peer) -> bytes:
    """Seat 1's HELLO with another nonce."""
    stage = Stage.of(story, 1)
    body = stage.body
    assert isinstance(body, Hello)
    lie = Hello(
        bytes(32),
        body.versions,
        body.suite,
        body.ruleset,
        body.rules_digest,
        body.options,
        body.identity,
        body.name,
        body.match,
    )
    return stage.signed(lie)


# The tail withheld


@pytest.mark.parametrize("seat", SEATS)
def test_a_tail_withheld_from_one_whose_disk_was_put_back(story: Story, seat: Seat) -> None:
    """My journal is an old one, and he says that he has no more: with my mark I say nothing, and cannot be framed.

    Without a mark I would decide anew, and the two records that I signed would be evidence against me: that is what the
    mark is for.
    """
    at = plays(story, seat)[1]
    lived = story.before(at + 1).peers[seat]
    victim = restored(lived, at, floor=at + 1)
    move = restored(lived, at).choices()[0]
    for count in (at, at - 1, 2, 0):
        assert victim.resume(told(victim, count)) == ()
        assert victim.frames() == victim.records[count:]  # all of it stood on record before
        silent(victim, move)
    report("RESUME", "no word until the records up to the high-water mark are back")
    framed = moved_otherwise(story, at)
    verdict = verify(file_of(*lived.records[: at + 1], framed.records[at]))
    assert verdict.fault is not None
    assert (verdict.fault.cause, verdict.fault.blame) == (Cause.FORK, seat)


@pytest.mark.parametrize("seat", SEATS)
def test_a_tail_withheld_where_i_had_no_choice_gives_the_same_bytes_again(story: Story, seat: Seat) -> None:
    """What I say without a choice follows from seed and records alone; a second time it is no second statement."""
    forced = [
        record.seq for record in story.records if record.seat == seat and record.kind not in (Kind.HELLO, Kind.MOVE)
    ]
    assert len(forced) > 5
    for at in forced:
        lived = story.end.peers[seat]
        victim = restored(lived, at)
        victim.resume(told(victim, at))
        assert victim.frames()[0] == lived.records[at]
    report("RESUME", "the same bytes again")


def test_a_seat_whose_signed_records_neither_side_has_is_stuck_and_says_nothing(story: Story) -> None:
    pair = story.before(len(story.records) // 2)
    mine, theirs = pair.peers
    seen = max(len(mine.records), len(theirs.records))
    older = restored(mine, seen - 4, floor=seen + 1)
    assert not older.stuck, "before anybody is met"
    older.resume(theirs.stand())
    assert older.stuck
    assert older.behind
    assert older.frames() == []
    newer = restored(mine, seen - 4, floor=seen)
    newer.resume(theirs.stand())
    assert not newer.stuck
