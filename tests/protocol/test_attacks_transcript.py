"""Attacks on the chain of records, and on seals and reveals (protocol section 11, fourth group)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_schotten.engine.move import Play, Resign, move_code
from p2p_schotten.engine.rules import legal_moves
from p2p_schotten.errors import Cause
from p2p_schotten.ids import SEATS, Seat
from p2p_schotten.protocol.messages import Hello, MoveBody, Reveal, Seal
from p2p_schotten.protocol.record import SIGNATURE_BYTES, SIGNATURE_TAIL, Kind, pack, read_record
from tests.protocol.liar import KINDS, Stage, file_of, spliced_refused, stage_of, with_signature
from tests.protocol.pair import Story, identity_of

pytestmark = pytest.mark.usefixtures("remembering")

# Bytes


@pytest.mark.parametrize("kind", KINDS)
def test_a_flipped_bit_anywhere_in_a_record(story: Story, kind: Kind) -> None:
    stage = stage_of(story, kind)
    data = stage.honest.data
    seat_at = len(pack([stage.seq, bytes(32)]))  # array header, seq, prev
    assert data[seat_at] == stage.seat
    # The body of a HELLO ends in the header of an empty string of bytes, all others in content.
    end_of_body = Cause.BYTES if kind is Kind.HELLO else Cause.SIGNATURE
    for at, cause in (
        (0, Cause.BYTES),
        (8, Cause.SIGNATURE),  # in prev
        (seat_at, Cause.SIGNATURE),
        (len(data) - SIGNATURE_TAIL - 1, end_of_body),
        (len(data) - SIGNATURE_BYTES, Cause.SIGNATURE),
        (len(data) - 1, Cause.SIGNATURE),
    ):
        stage.refused(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :], cause, None)


@pytest.mark.parametrize("kind", KINDS)
def test_another_body_under_the_old_signature(story: Story, kind: Kind, won_by_0: Story) -> None:
    stage = stage_of(story, kind)
    elsewhere = stage_of(won_by_0, kind)
    data = with_signature(stage.signed(elsewhere.honest.body), stage.honest.signature)
    assert data != stage.honest.data  # the other game has another body
    stage.refused(data, Cause.SIGNATURE, None)


@pytest.mark.parametrize("kind", KINDS)
def test_signed_by_another_key(story: Story, kind: Kind) -> None:
    stage = stage_of(story, kind)
    for identity in (identity_of(99, stage.seat), stage.victim._identity):
        stage.refused(stage.signed(stage.honest.body, identity=identity), Cause.SIGNATURE, None)


@pytest.mark.parametrize("kind", KINDS)
def test_signed_for_another_game(story: Story, won_by_0: Story, kind: Kind) -> None:
    """The same two players, the same place: what was said in one game is nothing in another."""
    stage = stage_of(story, kind)
    for game_id in (won_by_0.end.session.game_id, b"" if kind is not Kind.HELLO else bytes(32)):
        stage.refused(stage.signed(stage.honest.body, game_id=game_id), Cause.SIGNATURE, None)


def test_a_record_of_another_game(story: Story, won_by_0: Story) -> None:
    for kind in KINDS[1:]:
        stage = stage_of(story, kind)
        elsewhere = Stage.find(won_by_0, kind, seat=stage.seat).honest
        stage.refused(elsewhere.data, Cause.SIGNATURE, None)


# The chain


@pytest.mark.parametrize("kind", KINDS)
def test_a_wrong_number(story: Story, kind: Kind) -> None:
    stage = stage_of(story, kind)
    for seq in (stage.seq + 1, stage.seq + 2, 2**32 - 1):
        stage.refused(stage.signed(stage.honest.body, seq=seq), Cause.SEQUENCE, None)


@pytest.mark.parametrize("kind", KINDS)
def test_a_wrong_previous_hash(story: Story, kind: Kind) -> None:
    stage = stage_of(story, kind)
    for prev in (bytes(31) + b"\1", stage.session.head[::-1]):
        stage.refused(stage.signed(stage.honest.body, prev=prev), Cause.PREVIOUS, None)
    if len(stage.pair.records) > 1:
        two_back = read_record(stage.pair.records[-2]).head()
        stage.refused(stage.signed(stage.honest.body, prev=two_back), Cause.PREVIOUS, None)


@pytest.mark.parametrize("kind", KINDS)
def test_my_own_record_echoed(story: Story, kind: Kind) -> None:
    stage = stage_of(story, kind)
    mine = [data for data in stage.pair.records if read_record(data).seat != stage.seat]
    for data in mine[-1:]:
        cause = Cause.LENGTH if len(data) > stage.session.limit() else Cause.SEQUENCE
        stage.refused(data, cause, None)


@pytest.mark.parametrize("kind", KINDS)
def test_a_record_sent_once_more(story: Story, kind: Kind) -> None:
    """The same bytes again are no second statement."""
    stage = stage_of(story, kind)
    stage.victim.receive(stage.honest.data)
    if kind is Kind.HELLO:
        assert stage.victim.seat == 0
    stage.pair.records += [stage.honest.data, *stage.victim.frames()]
    number = len(stage.pair.records)
    if stage.session.finished:
        stage.refused(stage.honest.data, Cause.SPEAKER, None, seq=number)
        return
    cause = Cause.LENGTH if len(stage.honest.data) > stage.session.limit() else Cause.SEQUENCE
    stage.refused(stage.honest.data, cause, None, seq=number)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind is not Kind.HELLO])
def test_two_records_at_one_place(story: Story, kind: Kind) -> None:
    """Whatever the second one holds, and however long it is: two signatures under one number convict."""
    stage = stage_of(story, kind)
    stage.victim.receive(stage.honest.data)
    stage.pair.records += [stage.honest.data, *stage.victim.frames()]
    number = len(stage.pair.records)
    second = stage.signed(
        [*stage.honest.body[:-1], bytes(32)] if kind is not Kind.SEAL else [bytes(32), *stage.honest.body[1:]],
        seq=stage.seq,
        prev=stage.honest.prev,
    )
    fault = stage.refused(second, Cause.FORK, stage.seat, seq=number)
    assert f"number {stage.seq}" in fault.detail
    # Also with the two side by side in the file, and in either order.
    prefix = stage.pair.records[: stage.seq]
    spliced_refused(file_of(*prefix, stage.honest.data, second), stage.seq + 1, Cause.FORK, stage.seat)


def test_two_moves_at_one_place_both_legal(story: Story) -> None:
    """A change of mind: both records alone would be accepted."""
    stage = stage_of(story, Kind.MOVE)
    state, move = stage.session.state, stage.move
    assert state is not None
    assert isinstance(move, Play)
    resign = stage.signed(MoveBody(stage.move_body.debts, (), move_code(Resign()), (), b"", digest_of_resigning(stage)))
    twin = Stage.of(story, stage.seq)
    twin.victim.receive(resign)
    assert twin.victim.session.outcome is not None
    assert move in legal_moves(state, (move.card,))
    stage.victim.receive(stage.honest.data)
    stage.pair.records += [stage.honest.data, *stage.victim.frames()]
    stage.refused(resign, Cause.FORK, stage.seat, seq=len(stage.pair.records))
    spliced_refused(file_of(*twin.pair.records, resign, stage.honest.data), stage.seq + 1, Cause.FORK, stage.seat)


def digest_of_resigning(stage: Stage) -> bytes:
    return stage.move_body_of(None, (), Resign()).digest


def test_two_hellos_are_no_fork(story: Story) -> None:
    """HELLOs are signed for no game: the second one of a seat says nothing against it."""
    stage = Stage.find(story, Kind.COMMIT, seat=1)
    hello = Stage.find(story, Kind.HELLO, seat=1)
    body = hello.body
    assert isinstance(body, Hello)
    second = hello.signed(replace(body, nonce=bytes(32)))
    cause = Cause.LENGTH if len(second) > stage.session.limit() else Cause.SEQUENCE
    stage.refused(second, cause, None)


# Seals and reveals


@pytest.mark.parametrize("seat", SEATS)
def test_another_outcome_sealed(story: Story, seat: Seat) -> None:
    stage = Stage.find(story, Kind.SEAL, seat=seat)
    body = stage.body
    assert isinstance(body, Seal)
    winner, reason, *points = body.outcome
    for outcome in (
        (1 - winner, reason, *points),
        (2, reason, *points),
        (winner, (reason + 1) % 3, *points),
        (winner, reason, points[0] + 1, points[1]),
        (winner, reason, points[1], points[0]),
        (255, 255, 255, 255),
    ):
        assert outcome != body.outcome
        stage.refused(stage.signed(replace(body, outcome=outcome)), Cause.SEAL, seat)


@pytest.mark.parametrize("seat", SEATS)
def test_another_head_sealed(story: Story, won_by_0: Story, seat: Seat) -> None:
    stage = Stage.find(story, Kind.SEAL, seat=seat)
    body = stage.body
    assert isinstance(body, Seal)
    elsewhere = Stage.find(won_by_0, Kind.SEAL).body
    assert isinstance(elsewhere, Seal)
    heads = [elsewhere.head, read_record(stage.pair.records[-2]).head(), bytes(32)]
    if seat == 1:
        heads[1] = stage.session.head  # of SEAL 0: not what it sealed
    for head in heads:
        assert head != body.head
        stage.refused(stage.signed(replace(body, head=head)), Cause.SEAL, seat)


def test_a_seal_before_the_end(story: Story) -> None:
    stage = stage_of(story, Kind.MOVE)
    seal = Stage.find(story, Kind.SEAL).body
    stage.refused(stage.signed(seal), Cause.KIND, stage.seat)


@pytest.mark.parametrize("seat", SEATS)
def test_a_reveal_of_another_seed(story: Story, won_by_0: Story, seat: Seat) -> None:
    """Of another game, of the other seat, or of nobody. It also spoils the second look: all proofs are checked then."""
    stage = Stage.find(story, Kind.REVEAL, seat=seat)
    for seed in (won_by_0.end.peers[seat].secret_seed, stage.victim.secret_seed, bytes(32)):
        stage.refused(stage.signed(Reveal(seed)), Cause.SEED, seat)


@pytest.mark.parametrize("seat", SEATS)
def test_a_reveal_before_the_seals(story: Story, seat: Seat) -> None:
    reveal = Stage.find(story, Kind.REVEAL, seat=seat).body
    stage = Stage.find(story, Kind.SEAL, seat=seat)
    stage.refused(stage.signed(reveal), Cause.KIND, seat)
    playing = Stage.find(story, Kind.MOVE, seat=seat)
    playing.refused(playing.signed(reveal), Cause.KIND, seat)


def test_seat_1_seals_or_reveals_before_seat_0(story: Story) -> None:
    for kind in (Kind.SEAL, Kind.REVEAL):
        first = Stage.find(story, kind, seat=0)
        second = Stage.find(story, kind, seat=1)
        lie = second.signed(second.body, seq=first.seq, prev=first.session.head)
        spliced_refused(file_of(*first.pair.records, lie), first.seq, Cause.SPEAKER, SEATS[1])


def test_a_record_behind_the_last(story: Story) -> None:
    stage = Stage.find(story, Kind.REVEAL, seat=1)
    stage.victim.receive(stage.honest.data)
    stage.pair.records.append(stage.honest.data)
    assert stage.session.finished
    assert stage.session.limit() == 0
    number = len(stage.pair.records)
    more = stage.signed(MoveBody(b"", (), move_code(Resign()), (), b"", bytes(32)), seq=number)
    stage.refused(more, Cause.SPEAKER, None, seq=number)
