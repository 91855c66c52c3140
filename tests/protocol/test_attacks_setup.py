"""Attacks on the coin and the keys: HELLO, COMMIT, OPEN (protocol section 11, first group)."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha512

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from p2p_schotten.crypto import group
from p2p_schotten.crypto.dleq import prove_key
from p2p_schotten.crypto.group import Point, Scalar
from p2p_schotten.crypto.hashing import challenge, hash64
from p2p_schotten.engine.move import Resign
from p2p_schotten.errors import Cause
from p2p_schotten.ids import SEATS, Seat, other
from p2p_schotten.protocol.making import make_commit
from p2p_schotten.protocol.messages import Commit, Open, Reveal
from p2p_schotten.protocol.record import SIGNATURE_TAIL, Kind, read_record
from p2p_schotten.protocol.session import context, key_commitment, opening_nonce, secret_key
from p2p_schotten.transcript import verify
from tests.crypto import slow
from tests.crypto.seats import twisted
from tests.protocol.liar import Stage, file_of, hello_of, lie_scalar, with_signature
from tests.protocol.pair import Pair, Story, identity_of

pytestmark = pytest.mark.usefixtures("remembering")

SMALL_ORDER = [slow.encode(point) for point in slow.TORSION]
IDENTITY = SMALL_ORDER[0]


def committed_to(story: Story, seat: Seat, key: bytes) -> Stage:
    """The moment before OPEN of `seat`, who has committed to that key as C1 wants it, with the n of his seed."""
    stage = Stage.find(story, Kind.COMMIT, seat=seat)
    honest = stage.body
    assert isinstance(honest, Commit)
    nonce = opening_nonce(stage.session, stage.secret)
    lie = replace(honest, key=key_commitment(stage.session, seat, nonce, Point(key)))
    return stage.says(stage.signed(lie), Stage.find(story, Kind.OPEN, seat=seat).honest)


def opened(stage: Stage, key: bytes, x: Scalar) -> bytes:
    """OPEN with that key and a proof of possession made with `x`."""
    proof = prove_key(stage.secret, x, Point(key), stage.ctx("pok"))
    return stage.signed(Open(opening_nonce(stage.session, stage.secret), key, proof))


def x_of(stage: Stage, seat: Seat) -> Scalar:
    return secret_key(stage.session, stage.pair.peers[seat]._secret)


# Identities


@pytest.mark.parametrize("seat", SEATS)
def test_an_identity_key_of_small_order_signs_nothing(story: Story, seat: Seat) -> None:
    stage = Stage.find(story, Kind.HELLO, seat=seat)
    # R = 0, s = 0 is a signature of every message under the key 0, and OpenSSL says so.
    constant = IDENTITY + bytes(32)
    Ed25519PublicKey.from_public_bytes(IDENTITY).verify(constant, b"whatever")
    data = with_signature(stage.signed(replace(hello_of(stage), identity=IDENTITY)), constant)
    stage.refused(data, Cause.SIGNATURE, None)


@pytest.mark.parametrize("order", range(1, 8))
def test_an_identity_key_with_torsion_signs_nothing_even_where_openssl_would_accept(story: Story, order: int) -> None:
    stage = Stage.find(story, Kind.HELLO, seat=1)
    for key in (SMALL_ORDER[order], twisted(Point(stage.identity.public), order)):
        # Signatures are ground until the torsion cancels: h T = 0 for one of eight h.
        data = stage.signed(replace(hello_of(stage), identity=key))
        for attempt in range(200):
            r = lie_scalar("nonce", order, attempt)
            unsigned = data[:-SIGNATURE_TAIL]
            R = group.mul_base(r)
            message = hash64("record", b"", unsigned)
            h = group.reduce(sha512(R + key + message).digest())
            if int.from_bytes(h, "little") % 8 == 0:
                x = private_scalar(stage.identity.private_bytes()) if key != SMALL_ORDER[order] else group.ZERO
                signature = R + group.s_add(r, group.s_mul(h, x))
                Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
                break
        stage.live(with_signature(data, signature), Cause.SIGNATURE, None)


def private_scalar(private: bytes) -> Scalar:
    """The scalar of an Ed25519 key (RFC 8032 section 5.1.5), reduced."""
    digest = bytearray(sha512(private).digest()[:32])
    digest[0] &= 248
    digest[31] = digest[31] & 127 | 64
    return group.reduce(bytes(digest) + bytes(32))


@pytest.mark.parametrize("seat", SEATS)
def test_a_hello_with_a_key_other_than_the_channels_is_refused(story: Story, seat: Seat) -> None:
    stage = Stage.find(story, Kind.HELLO, seat=seat)
    stranger = identity_of(99, seat)
    data = stage.signed(replace(hello_of(stage), identity=stranger.public), identity=stranger)
    stage.live(data, Cause.IDENTITY, None)
    # No file knows the channel: alone, the record is a good one.
    assert verify(file_of(*stage.pair.records, data)).fault is None


@pytest.mark.parametrize("seat", SEATS)
def test_my_own_identity_is_no_opponent(story: Story, seat: Seat) -> None:
    stage = Stage.find(story, Kind.HELLO, seat=seat)
    stage.victim._wanted = replace(stage.victim._wanted, identity=None)  # as where no channel proved a key
    mine = identity_of(1, other(seat))
    data = stage.signed(replace(hello_of(stage), identity=mine.public), identity=mine)
    if seat == 1:
        stage.refused(data, Cause.IDENTITY, None)
    else:
        stage.live(data, Cause.IDENTITY, None)


@pytest.mark.parametrize("seat", SEATS)
def test_hello_and_commit_replayed_in_a_second_sitting_frame_nobody(story: Story, seat: Seat) -> None:
    """A stranger plays back what seat `seat` said in an earlier game against somebody who sits down again."""
    hello, commit = (Stage.find(story, kind, seat=seat).honest for kind in (Kind.HELLO, Kind.COMMIT))
    again = Pair.new(1, sitting=9)
    stage = Stage(again, hello)
    if seat == 1:
        # The host's HELLO is another one, and seat 1's names the one that it answered.
        again.hand_over()
        again.queue.clear()
        stage.refused(hello.data, Cause.PREVIOUS, None)
        return
    again.queue.clear()
    stage.victim.receive(hello.data)
    stage.victim.accept()
    again.records += [hello.data, *stage.victim.frames()]
    stage.honest = commit
    stage.refused(commit.data, Cause.SIGNATURE, None)


@pytest.mark.parametrize("claimed", SEATS)
@pytest.mark.parametrize("at", [1, 6, 9, 10, 11])
def test_a_hello_in_somebodys_name_under_another_key_blames_nobody(story: Story, at: int, claimed: Seat) -> None:
    """A HELLO says its own key: one that stands where it must not proves nothing against the seat that it names."""
    stage = Stage.of(story, at)
    stranger = identity_of(99, claimed)
    hello = replace(hello_of(Stage.find(story, Kind.HELLO, seat=claimed)), identity=stranger.public)
    data = stage.signed(hello, seat=claimed, identity=stranger)
    if len(data) > stage.session.limit():
        cause = Cause.LENGTH
    elif at == 1 and claimed == 1:
        cause = Cause.IDENTITY
        stage.live(data, cause, None)
        return
    else:
        cause = Cause.SPEAKER if claimed != stage.seat else Cause.KIND
    stage.refused(data, cause, None)


# Commitments


def test_my_commitment_copied_is_refused(story: Story) -> None:
    stage = Stage.find(story, Kind.COMMIT, seat=1)
    mine = stage.session.commits[0]
    honest = stage.body
    assert isinstance(honest, Commit)
    for lie in (mine, replace(honest, key=mine.key), replace(honest, seed=mine.seed), Commit(mine.seed, mine.key)):
        stage.refused(stage.signed(lie), Cause.COMMITMENT, SEATS[1])


@pytest.mark.parametrize("seat", SEATS)
def test_an_open_that_does_not_open_the_commit_is_refused(story: Story, seat: Seat) -> None:
    stage = Stage.find(story, Kind.OPEN, seat=seat)
    honest = stage.body
    assert isinstance(honest, Open)
    other_x = lie_scalar("x")
    stage.refused(stage.signed(replace(honest, nonce=bytes(32))), Cause.COMMITMENT, seat)
    stage.refused(opened(stage, group.mul_base(other_x), other_x), Cause.COMMITMENT, seat)


@pytest.mark.parametrize("seat", SEATS)
def test_a_commitment_made_for_the_other_seat_does_not_open(story: Story, seat: Seat) -> None:
    stage = Stage.find(story, Kind.COMMIT, seat=seat)
    honest = stage.body
    assert isinstance(honest, Commit)
    x, nonce = x_of(stage, seat), opening_nonce(stage.session, stage.secret)
    lie = replace(honest, key=key_commitment(stage.session, other(seat), nonce, group.mul_base(x)))
    stage.says(stage.signed(lie), Stage.find(story, Kind.OPEN, seat=seat).honest)
    stage.refused(opened(stage, group.mul_base(x), x), Cause.COMMITMENT, seat)


def test_a_seed_commitment_used_before_convicts_at_the_reveal(story: Story) -> None:
    """C2 of an earlier game holds that game's id: no seed opens it here, and the seed itself least."""
    pair = Pair.new(1, sitting=3)
    pair.until(lambda at: at.next is not None and (at.next.kind, at.next.seat) == (Kind.COMMIT, 1))
    liar = pair.peers[1]
    liar._secret = story.end.peers[1]._secret  # the same seed again
    assert pair.next is not None
    stage = Stage(pair, pair.next)
    fresh = make_commit(stage.session, SEATS[1], liar._secret)
    stage.goes_on(stage.signed(replace(fresh, seed=story.end.session.commits[1].seed)))
    pair.until(lambda at: at.next is not None and at.next.kind is Kind.REVEAL, lambda peer: Resign())
    assert pair.next is not None
    assert pair.next.seat == 0
    pair.records.append(pair.queue.popleft())
    reveal = stage.signed(Reveal(liar.secret_seed), seq=len(pair.records))
    stage.honest = read_record(reveal)
    stage.refused(reveal, Cause.SEED, SEATS[1])


# Keys


@pytest.mark.parametrize("seat", SEATS)
def test_x_identity_is_refused(story: Story, seat: Seat) -> None:
    stage = committed_to(story, seat, IDENTITY)
    stage.refused(opened(stage, IDENTITY, group.ZERO), Cause.KEY, seat)


@pytest.mark.parametrize("order", range(1, 8))
def test_x_of_small_order_is_refused(story: Story, order: int) -> None:
    stage = committed_to(story, SEATS[1], SMALL_ORDER[order])
    stage.refused(opened(stage, SMALL_ORDER[order], group.ZERO), Cause.KEY, SEATS[1])


@pytest.mark.parametrize("order", range(1, 8))
def test_x_valid_plus_torsion_is_refused_though_its_proof_fits(story: Story, order: int) -> None:
    for seat in SEATS:
        x = lie_scalar("x")
        key = twisted(group.mul_base(x), order)
        stage = committed_to(story, seat, key)
        for attempt in range(200):
            # R = wG does not change while z T = 0: grind z to a multiple of eight.
            w = lie_scalar("w", attempt)
            z = challenge("pok", stage.ctx("pok"), key, group.mul_base(w))
            if int.from_bytes(z, "little") % 8 == 0:
                break
        proof = z + group.s_add(w, group.s_mul(z, x))
        body = Open(opening_nonce(stage.session, stage.secret), key, proof)
        stage.refused(stage.signed(body), Cause.KEY, seat)


def test_a_rogue_key_is_refused(story: Story) -> None:
    """X_1 = Z - X_0 would make Y = Z, whose logarithm the liar knows: every cell would be open to him."""
    z = lie_scalar("rogue")
    honest = Stage.find(story, Kind.OPEN, seat=1)
    rogue = group.sub(group.mul_base(z), Point(honest.session.opens[0].key))
    # After X_0 is open it is too late: the commitment stands.
    honest.refused(opened(honest, rogue, z), Cause.COMMITMENT, SEATS[1])
    # And had he known X_0 before, he does not know the logarithm of his own key.
    stage = committed_to(story, SEATS[1], rogue)
    stage.refused(opened(stage, rogue, z), Cause.KEY, SEATS[1])


def test_my_key_echoed_is_refused(story: Story) -> None:
    honest = Stage.find(story, Kind.OPEN, seat=1)
    mine = honest.session.opens[0]
    echo = honest.signed(Open(opening_nonce(honest.session, honest.secret), mine.key, mine.proof))
    honest.refused(echo, Cause.COMMITMENT, SEATS[1])
    stage = committed_to(story, SEATS[1], mine.key)
    echo = stage.signed(Open(opening_nonce(stage.session, stage.secret), mine.key, mine.proof))
    assert "possession" in stage.refused(echo, Cause.KEY, SEATS[1]).detail
    # Even with the very secret of the key.
    told = opened(stage, mine.key, x_of(stage, SEATS[0]))
    assert "one key" in stage.refused(told, Cause.KEY, SEATS[1]).detail


def test_keys_that_cancel_to_the_identity_are_refused(story: Story) -> None:
    x = group.s_neg(x_of(Stage.find(story, Kind.OPEN, seat=1), SEATS[0]))
    stage = committed_to(story, SEATS[1], group.mul_base(x))
    assert "joint key" in stage.refused(opened(stage, group.mul_base(x), x), Cause.KEY, SEATS[1]).detail


@pytest.mark.parametrize("seat", SEATS)
def test_a_proof_of_possession_from_another_game_or_place_is_refused(story: Story, won_by_0: Story, seat: Seat) -> None:
    x = lie_scalar("x")
    key = group.mul_base(x)
    stage = committed_to(story, seat, key)
    elsewhere = Stage.find(won_by_0, Kind.OPEN, seat=seat)
    nonce = opening_nonce(stage.session, stage.secret)
    for ctx in (
        context(elsewhere.session, seat, "pok"),
        context(replace(elsewhere.session, head=stage.session.head), seat, "pok"),
        context(replace(stage.session, head=elsewhere.session.head), seat, "pok"),
        context(stage.session, other(seat), "pok"),
        context(stage.session, seat, "pok", position=1),
        context(stage.session, seat, "pok", deck=1),
    ):
        stage.refused(stage.signed(Open(nonce, key, prove_key(stage.secret, x, key, ctx))), Cause.KEY, seat)
    # The honest one, at the very end: it is the context alone that was wrong above.
    stage.victim.receive(opened(stage, key, x))
