"""CLOSE, honest and not: a won game cannot be spoiled by silence, and nobody closes what he has not won openly.

A CLOSE stands in a file behind the last record. It travels outside the chain, so a live peer has nothing to check in
it: what these tests refuse is the file (protocol section 11, fourth group).
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from p2p_schotten.crypto.hashing import hash64
from p2p_schotten.crypto.identity import Identity
from p2p_schotten.crypto.secret import Secret
from p2p_schotten.crypto.shuffle import permutation_of, shuffle
from p2p_schotten.engine.move import Claim, Play
from p2p_schotten.errors import Cause
from p2p_schotten.ids import SEATS, Seat, other
from p2p_schotten.protocol.advance import advance
from p2p_schotten.protocol.closing import read_item
from p2p_schotten.protocol.record import SIGNATURE_BYTES, Kind, Value, pack
from p2p_schotten.protocol.session import Session, outcome_code
from p2p_schotten.transcript import Verdict, verify
from tests.protocol.liar import LIES, Stage, file_of, spliced_refused
from tests.protocol.pair import Story

pytestmark = pytest.mark.usefixtures("remembering")


@pytest.fixture(params=SEATS, ids=["won by seat 0", "won by seat 1"])
def won(request: pytest.FixtureRequest) -> tuple[Story, Seat]:
    """A game and its winner."""
    story: Story = request.getfixturevalue(f"won_by_{request.param}")
    return story, request.param


def closed(
    session: Session,
    seat: Seat,
    seed: bytes,
    identity: Identity,
    *,
    head: bytes | None = None,
    outcome: Sequence[int] | None = None,
    game_id: bytes | None = None,
) -> bytes:
    """A CLOSE, signed as it should be except where something else is given."""
    if outcome is None:
        assert session.outcome is not None
        outcome = outcome_code(session.outcome)
    fields: list[Value] = ["close", int(seat), session.head if head is None else head, list(outcome), seed]
    signed = hash64("close", session.game_id if game_id is None else game_id, pack(fields))
    return pack([*fields, identity.sign(signed)])


def last_claim(story: Story, winner: Seat) -> int:
    """The number of the record that won the game."""
    stage = Stage.find(story, Kind.MOVE, nth=-1)
    assert stage.seat == winner
    assert isinstance(stage.move, Claim)
    return stage.seq


def last_play(story: Story, winner: Seat) -> Stage:
    """Before the last card of the winner, for which he mixed his hand and with which he then won."""
    stage = Stage.find(story, Kind.MOVE, seat=winner, when=lambda body: bool(body.positions), nth=-1)
    assert stage.move_body.mixes
    assert isinstance(stage.move, Play)
    assert all(record.seat == winner for record in story.records[stage.seq : last_claim(story, winner) + 1])
    return stage


def sent(story: Story, count: int) -> list[bytes]:
    return list(story.end.records[:count])


def test_a_winner_closes_alone_wherever_the_other_falls_silent_after_the_end(won: tuple[Story, Seat]) -> None:
    story, winner = won
    won_at = last_claim(story, winner)
    silences = [record.seq for record in story.records[won_at + 1 :] if record.seat != winner]
    kinds = [story.records[at].kind for at in silences]
    assert kinds == [Kind.SHARES, Kind.SEAL, Kind.REVEAL]
    for at in silences:
        # What the winner knows when the record that would be next does not come.
        peer = story.before(at).peers[winner]
        items = sent(story, at)
        close = peer.close_alone()
        assert close is not None
        verdict = verify(file_of(*items, close))
        assert verdict.fault is None
        assert verdict.over
        assert verdict.closed == winner
        assert verdict.session == peer.session
        assert verdict.ending() == f"over, closed by seat {winner} alone and proven"
        # The proof is the CLOSE: while the last card has the winner's share alone, the records do not prove it.
        assert verify(file_of(*items)).over == (at != silences[0])


def test_the_loser_may_close_too_where_the_winner_falls_silent(won: tuple[Story, Seat]) -> None:
    story, winner = won
    loser = other(winner)
    silent = next(record.seq for record in story.records if record.kind is Kind.SEAL and record.seat == winner)
    close = story.before(silent).peers[loser].close_alone()
    assert close is not None
    verdict = verify(file_of(*sent(story, silent), close))
    assert (verdict.fault, verdict.closed) == (None, loser)


def test_nobody_closes_before_the_end_or_when_it_is_his_turn(won: tuple[Story, Seat]) -> None:
    story, winner = won
    for record in story.records:
        pair = story.before(record.seq)
        author, receiver = pair.peers[record.seat], pair.peers[other(record.seat)]
        over = receiver.session.outcome is not None
        assert (receiver.close_alone() is not None) == over
        if over:
            # The author with this record still unsaid: it is its own turn.
            author.session = receiver.session
            assert author.close_alone() is None
    assert [peer.close_alone() for peer in story.end.peers] == [None, None]
    assert last_claim(story, winner) > 0


def test_a_close_before_the_end(won: tuple[Story, Seat]) -> None:
    story, winner = won
    at = last_claim(story, winner)
    seed = story.end.peers[winner].secret_seed
    assert story.end.session.outcome is not None
    outcome = outcome_code(story.end.session.outcome)
    # Before the winning claim, at its own turn; and right after the loser's last word; and before the deal.
    for count in (at, last_play(story, winner).seq, 7):
        stage = Stage.of(story, count)
        lie = closed(stage.session, winner, seed, stage.pair.peers[winner]._identity, outcome=outcome)
        verdict = spliced_refused(file_of(*sent(story, count), lie), count, Cause.CLOSE, winner)
        assert verdict.closed is None


def test_a_close_when_it_is_its_authors_turn(won: tuple[Story, Seat]) -> None:
    story, winner = won
    for record in story.records[last_claim(story, winner) + 1 :]:
        author = story.end.peers[record.seat]
        session = story.before(record.seq).session
        lie = closed(session, record.seat, author.secret_seed, author._identity)
        spliced_refused(file_of(*sent(story, record.seq), lie), record.seq, Cause.CLOSE, record.seat)


def test_a_close_behind_a_complete_game(won: tuple[Story, Seat]) -> None:
    story, winner = won
    author = story.end.peers[winner]
    lie = closed(story.end.session, winner, author.secret_seed, author._identity)
    number = len(story.records)
    spliced_refused(file_of(*story.end.records, lie), number, Cause.CLOSE, winner)


def test_a_close_with_a_wrong_seed(won: tuple[Story, Seat]) -> None:
    story, winner = won
    at = last_claim(story, winner) + 1
    session, identity = story.before(at).session, story.end.peers[winner]._identity
    for seed in (bytes(32), story.end.peers[other(winner)].secret_seed, LIES.seed):
        lie = closed(session, winner, seed, identity)
        verdict = spliced_refused(file_of(*sent(story, at), lie), at, Cause.SEED, winner)
        assert verdict.closed is None


def test_a_close_of_another_outcome(won: tuple[Story, Seat]) -> None:
    story, winner = won
    at = last_claim(story, winner) + 1
    peer = story.end.peers[winner]
    session = story.before(at).session
    assert session.outcome is not None
    outcome = outcome_code(session.outcome)
    for lied in ((1 - outcome[0], *outcome[1:]), (*outcome[:3], outcome[3] + 1), (2, *outcome[1:])):
        lie = closed(session, winner, peer.secret_seed, peer._identity, outcome=lied)
        spliced_refused(file_of(*sent(story, at), lie), at, Cause.CLOSE, winner)


def test_a_close_of_another_head_or_game_or_by_another_key(
    won: tuple[Story, Seat], won_by_0: Story, won_by_1: Story
) -> None:
    story, winner = won
    at = last_claim(story, winner) + 1
    peer = story.end.peers[winner]
    session = story.before(at).session
    elsewhere = won_by_1 if story is won_by_0 else won_by_0
    seed, identity = peer.secret_seed, peer._identity
    head = closed(session, winner, seed, identity, head=story.records[at - 2].head())
    spliced_refused(file_of(*sent(story, at), head), at, Cause.CLOSE, None)
    for lie in (
        closed(session, winner, seed, identity, game_id=elsewhere.end.session.game_id),
        closed(session, winner, seed, story.end.peers[other(winner)]._identity),
        closed(session, winner, seed, identity)[:-SIGNATURE_BYTES] + bytes(SIGNATURE_BYTES),
    ):
        spliced_refused(file_of(*sent(story, at), lie), at, Cause.SIGNATURE, None)


def test_a_close_in_the_name_of_the_other_frames_nobody(won: tuple[Story, Seat]) -> None:
    story, winner = won
    at = last_claim(story, winner) + 1
    peer = story.end.peers[winner]
    lie = closed(story.before(at).session, other(winner), peer.secret_seed, peer._identity)
    spliced_refused(file_of(*sent(story, at), lie), at, Cause.SIGNATURE, None)


def test_a_close_that_is_not_the_last_item(won: tuple[Story, Seat]) -> None:
    story, winner = won
    at = last_claim(story, winner) + 1
    close = story.before(at).peers[winner].close_alone()
    assert close is not None
    rest = story.end.records[at:]
    spliced_refused(file_of(*sent(story, at), close, *rest), at, Cause.BYTES, None)
    spliced_refused(file_of(*sent(story, at), close, close), at, Cause.BYTES, None)


def test_a_close_sent_as_a_record_is_none(won: tuple[Story, Seat]) -> None:
    story, winner = won
    at = last_claim(story, winner) + 1
    close = story.before(at).peers[winner].close_alone()
    assert close is not None
    silent = next(record.seq for record in story.records[at:] if record.seat == winner)
    Stage.of(story, silent).live(close, Cause.BYTES, None)


def false_face_to_the_end(story: Story, winner: Seat) -> tuple[list[bytes], Session, Secret]:
    """The winner's last card is a lie: he points at another cell, wins with a claim, and the other says no more."""
    stage = last_play(story, winner)
    body = stage.move_body
    (position,) = body.positions
    cells = tuple(sealed.cell for sealed in stage.hand)
    mix = shuffle(stage.secret, stage.ctx("mix"), stage.session.joint, cells)
    data = stage.signed(stage.move_body_of(mix, (1 if position != 1 else 2,)))
    stage.live(data, Cause.FACE, winner)  # an honest peer ends it here
    items, session = [*stage.pair.records, data], advance(stage.session, data)
    for record in story.records[stage.seq + 1 : last_claim(story, winner) + 1]:
        claim = Stage.of(story, record.seq)
        stage.victim.session = session
        data = stage.signed(stage.move_body_of(None, (), claim.move), seq=len(items))
        items.append(data)
        session = advance(session, data)
    assert session.outcome is not None
    return items, session, stage.secret


def test_a_close_after_a_false_face(won: tuple[Story, Seat]) -> None:
    """The seed opens his own last card to everybody: it convicts its author of the lie."""
    story, winner = won
    items, session, secret = false_face_to_the_end(story, winner)
    assert verify(file_of(*items)).fault is None
    assert not verify(file_of(*items)).over
    close = closed(session, winner, secret.seed, story.end.peers[winner]._identity)
    verdict = spliced_refused(file_of(*items, close), len(items), Cause.FACE, winner)
    assert verdict.closed is None


def mixed_by_another_seed(story: Story, winner: Seat) -> tuple[Stage, bytes]:
    """Before the winner's last card: the record that he would say with a mix that his seed does not make."""
    stage = last_play(story, winner)
    cells = tuple(sealed.cell for sealed in stage.hand)
    mix = shuffle(LIES, stage.ctx("mix"), stage.session.joint, cells)
    # His cells, named in the order of the table; the honest record tells which one he plays.
    honest = permutation_of(stage.secret, stage.ctx("mix"), len(cells))
    (position,) = stage.move_body.positions
    played = honest[position - 1]
    return stage, stage.signed(stage.move_body_of(mix, (mix.permutation.index(played) + 1,)))


def test_a_close_over_a_mix_of_another_seed_is_not_proven(won: tuple[Story, Seat]) -> None:
    story, winner = won
    stage, data = mixed_by_another_seed(story, winner)
    items, session = [*stage.pair.records, data], advance(stage.session, data)
    stage.victim.receive(data)  # a true shuffle: nothing to refuse
    for record in story.records[stage.seq + 1 : last_claim(story, winner) + 1]:
        stage.victim.session = session
        data = stage.signed(stage.move_body_of(None, (), Stage.of(story, record.seq).move), seq=len(items))
        items.append(data)
        session = advance(session, data)
    assert session.outcome is not None
    close = closed(session, winner, stage.secret.seed, stage.identity)
    verdict: Verdict = spliced_refused(file_of(*items, close), len(items), Cause.CLOSE, None)
    assert verdict.fault is not None
    assert f"not proven: record {stage.seq} has a mix of another seed" in verdict.fault.detail
    assert not verdict.over
    assert verdict.closed is None
    # Without the CLOSE nothing is wrong with the file; it is not over either.
    alone = verify(file_of(*items))
    assert alone.fault is None
    assert not alone.over
    # And the other's share proves the same end, whatever made the mix.
    stage.victim.session = session
    loser = Stage(stage.pair, story.records[len(items)])
    assert loser.seat == other(winner)
    stage.liar.session = session
    owed = session.position.table.owed(loser.seat) if session.position is not None else ()
    shares: list[Value] = [b"".join(loser.share(sealed.cell, at) for at, sealed in enumerate(owed, 1))]
    assert verify(file_of(*items, loser.signed(shares))).over


def test_an_item_that_is_no_close_and_no_fault_is_no_item(won: tuple[Story, Seat]) -> None:
    story, winner = won
    at = last_claim(story, winner) + 1
    close = story.before(at).peers[winner].close_alone()
    assert close is not None
    assert read_item(close) is not None
    for lie in (
        pack(["clone", int(winner), bytes(32), [0, 0, 0, 0], bytes(32), bytes(64)]),
        pack(["close", int(winner), bytes(32), [0, 0, 0, 0], bytes(32)]),
        pack(["close", 2, bytes(32), [0, 0, 0, 0], bytes(32), bytes(64)]),
        pack("close"),
        close + b"\x00",
    ):
        spliced_refused(file_of(*sent(story, at), lie), at, Cause.BYTES, None)
