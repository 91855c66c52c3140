"""Attacks on going on over a new connection (protocol section 7): another move than before, lies about one's stand.

The victim is a live peer, or one read out of its journal, that has said where it stands. A stand is signed by nobody,
so a lie in it convicts nobody; what convicts is a second signature under one number.
"""

from __future__ import annotations

import pytest

from p2p_schotten.errors import Cause, JournalError, Malformed, PeerFault
from p2p_schotten.ids import SEATS, Seat, other
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import MAX_RECORD, Kind, make_record, read_record
from p2p_schotten.protocol.resume import MAX_RECORDS, MAX_STAND, Stand, read_stand
from p2p_schotten.transcript import verify
from tests.attacks import report, report_fault, report_file
from tests.protocol.liar import Stage, file_of
from tests.protocol.pair import Story, identity_of
from tests.protocol.reunion import Reunion, knows, moved_otherwise, plays, refuses, restored, silent, told

pytestmark = pytest.mark.usefixtures("remembering")


def meet_until_fault(reunion: Reunion, seat: Seat) -> PeerFault:
    """What that seat's peer sends arrives, record by record, until one is refused."""
    while True:
        victim, sent = reunion.peers[other(seat)], reunion.under_way[seat][0]
        before = knows(victim)
        try:
            reunion.hand_over(seat)
        except PeerFault as fault:
            assert knows(victim) == before
            report_fault(victim.session, sent, fault)
            return fault


# Put back, and decided otherwise


@pytest.mark.parametrize("later", [1, 4, 9])
@pytest.mark.parametrize("seat", SEATS)
def test_a_journal_rolled_back_and_another_move(story: Story, seat: Seat, later: int) -> None:
    """Both find the two signatures, whoever is ahead and whoever of them sees that they have parted."""
    at = plays(story, seat)[1]
    liar, victim = moved_otherwise(story, at), story.before(at + later).peers[other(seat)]
    assert len(victim.records) >= at + 1
    reunion = Reunion(sorted([liar, victim], key=lambda peer: peer.seat))
    assert reunion.sent[victim.seat] == victim.records[2:]
    assert victim.behind
    assert victim.choices() == ()
    assert victim.limit() == MAX_RECORD
    if not reunion.sent[seat]:  # the liar has fewer records, and learns only from the victim's that they have parted
        reunion.hand_over(victim.seat)
    assert reunion.sent[seat] == liar.records[2:]
    count = len(victim.records)
    fault = meet_until_fault(reunion, seat)
    assert (fault.seq, fault.cause, fault.blame) == (count, Cause.FORK, seat)
    assert f"number {at}" in fault.detail
    assert victim.evidence == file_of(*victim.records, liar.records[at])
    verdict = verify(victim.evidence)
    assert verdict.fault is not None
    assert (verdict.fault.cause, verdict.fault.blame) == (Cause.FORK, seat)
    report_file(victim.evidence, verdict)
    # His own program finds it too, and its evidence says the same against himself.
    own = meet_until_fault(reunion, victim.seat)
    assert (own.cause, own.blame) == (Cause.FORK, seat)
    assert liar.evidence == file_of(*liar.records, victim.records[at])


@pytest.mark.parametrize("seat", SEATS)
def test_another_move_sent_as_if_it_were_the_next_record(story: Story, seat: Seat) -> None:
    """He tells a stand that I cannot hold against my records, and sends the other move without what came before it."""
    at = plays(story, seat)[1]
    liar, victim = moved_otherwise(story, at), story.before(at + 4).peers[other(seat)]
    for stand in (told(victim, len(victim.records)), told(victim, len(victim.records) + 1, b"h" * 32)):
        victim.resume(stand)
        victim.frames()
        refuses(victim, liar.records[at], Cause.FORK, seat)


@pytest.mark.parametrize("seat", SEATS)
def test_a_resume_with_another_identity(story: Story, seat: Seat) -> None:
    """Who has journal and seed but not the key is turned away by his own program, and his records by mine."""
    lived, stranger = story.end.peers[seat], identity_of(99, seat)
    for kept in (2, 9):
        with pytest.raises(JournalError, match=f"seat {seat} plays this game as"):
            Peer.restore(seat, stranger, lived.secret_seed, lived.records[:kept])
    at = plays(story, seat)[1]
    stage = Stage.of(story, at)
    stage.victim.resume(told(stage.victim, at))
    refuses(stage.victim, stage.signed(stage.honest.body, identity=stranger), Cause.SIGNATURE, None)


# Lies about where one stands


@pytest.mark.parametrize("more", [1, 5, MAX_RECORDS])
def test_records_claimed_that_do_not_exist(story: Story, more: int) -> None:
    """It is my turn, and he says that I said more. I wait, and say nothing that could be a second signature."""
    for seat in SEATS:
        at = plays(story, seat)[1]
        victim = story.before(at).fork().peers[seat]
        victim = restored(victim, at)
        move = victim.choices()[0]
        count = min(at + more, MAX_RECORDS)
        assert victim.resume(told(victim, count, b"h" * 32)) == ()
        silent(victim, move)
        # What he makes up for it is nothing.
        liar = Stage.of(story, at).victim
        body = read_record(story.records[at].data).body
        forged = make_record(at, victim.session.head, seat, Kind.MOVE, body, liar.session.game_id, liar._identity)
        refuses(victim, forged, Cause.SIGNATURE, None)
        refuses(victim, b"", Cause.BYTES, None)
        silent(victim, move)
    report("RESUME", "no word until they have come")


def test_a_head_of_records_that_he_does_not_have(story: Story) -> None:
    """As many records as I have (or fewer), another head, and then only what I have, or what comes next."""
    for seat in SEATS:
        at = plays(story, seat)[1]
        for count in (at, at - 3):
            stage = Stage.of(story, at)
            victim = stage.victim
            assert victim.resume(told(victim, count, b"h" * 32)) == ()
            assert victim.frames() == victim.records[2:]
            silent(victim)
            for data in victim.records[2 : count - 1]:
                before = knows(victim)
                assert victim.receive(data) == ()
                assert knows(victim) == before
                silent(victim)
            refuses(victim, victim.records[count - 1], Cause.PREVIOUS, None)
            # Or he goes on as if nothing was.
            victim.resume(told(victim, count, b"h" * 32))
            victim.frames()
            refuses(victim, stage.honest.data, Cause.PREVIOUS, None)
            # With the true head he may.
            victim.resume(told(victim, at))
            victim.receive(stage.honest.data)


def test_a_head_that_the_records_handed_over_do_not_lead_to(story: Story) -> None:
    for seat in SEATS:
        lived = story.end.peers[seat]
        victim = restored(lived, 9)
        victim.resume(told(lived, 12, b"h" * 32))
        victim.receive(lived.records[9])
        victim.receive(lived.records[10])
        refuses(victim, lived.records[11], Cause.PREVIOUS, None)
        silent(victim)


def test_a_stand_in_another_game(story: Story, won_by_0: Story) -> None:
    for victim in story.end.peers:
        for game_id in (won_by_0.end.session.game_id, bytes(32)):
            before = knows(victim)
            with pytest.raises(Malformed, match=f"expected game {victim.stand().game_id.hex()[:8]}, got game"):
                victim.resume(Stand(game_id, 5, b"h" * 32))
            assert knows(victim) == before
            assert victim.frames() == []
    report("RESUME", Cause.BYTES.value)


def test_a_stand_of_another_form(story: Story) -> None:
    good = story.end.peers[0].stand().pack()
    for data in (b"", good[:-1], good + b"\0", good[:32] + b"\xff" * 4 + good[36:], good[:32] + bytes(4) + good[36:]):
        with pytest.raises(Malformed, match="RESUME: expected"):
            read_stand(data)
    assert len(good) == MAX_STAND
    report("RESUME", Cause.BYTES.value)
