"""Bodies made again from revealed seeds: a help for the verifier, never a proof that is not there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from _edits import file_of

from p2p_schotten.crypto.secret import Secret
from p2p_schotten.crypto.shuffle import permutation_of
from p2p_schotten.engine.move import Resign
from p2p_schotten.engine.rulesets import ruleset
from p2p_schotten.errors import Cause, PeerFault
from p2p_schotten.ids import SEATS, Seat
from p2p_schotten.protocol import hand as hand_module
from p2p_schotten.protocol import peer as peer_module
from p2p_schotten.protocol.advance import Proofs, advance
from p2p_schotten.protocol.events import Event
from p2p_schotten.protocol.making import make_commit, make_mixes, make_move, make_open, make_without_choice
from p2p_schotten.protocol.messages import (
    SINGLE_GAME,
    Body,
    Commit,
    Hello,
    MoveBody,
    Open,
    Reveal,
    Shares,
    Shuffle,
    write_body,
)
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind, make_record, read_record
from p2p_schotten.protocol.session import SUITE, VERSIONS, Session, rules_digest
from p2p_schotten.transcript import verify
from tests.protocol.courses import POLICIES, new_pair
from tests.protocol.pair import entropy, identity_of


def foreign(secret: Secret) -> Secret:
    """Another source of secrets, as a player's own program might use beside his seed."""
    return Secret(entropy("foreign", secret.seed)(32))


def test_honest_proofs_with_other_randomness_are_valid_and_said_not_to_be_reproducible(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def other_mixes(session: Session, seat: Seat, secret: Secret, move: object) -> object:
        return make_mixes(session, seat, foreign(secret) if seat == 1 else secret, move)  # type: ignore[arg-type]

    pair = new_pair(31, Peer)
    his = pair.peers[1].secret_seed

    def other_permutation(secret: Secret, ctx: bytes, count: int) -> tuple[int, ...]:
        return permutation_of(foreign(secret) if secret.seed == his else secret, ctx, count)

    monkeypatch.setattr(peer_module, "make_mixes", other_mixes)
    monkeypatch.setattr(hand_module, "permutation_of", other_permutation)  # by which he knows his own hand again
    pair.play(POLICIES["resigning early"](31))
    verdict = verify(pair.file_bytes())
    assert verdict.fault is None
    assert verdict.over
    assert verdict.revealed == SEATS
    assert verdict.reproducible is False
    without = verify(pair.file_bytes(len(pair.records) - 2))
    assert without.over
    assert without.reproducible is None
    assert without.session.position == verdict.session.position


class Colluder(Peer):
    """A peer that changes what it says, and that believes everything (its `advance` checks no proof)."""

    tamper: Callable[[Session, Seat, Body], Body] = staticmethod(lambda session, seat, body: body)

    def _speak(self, body: Body) -> tuple[Event, ...]:
        return super()._speak(self.tamper(self.session, self.seat, body))


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def false_key(body: Body) -> Body | None:
    return replace(body, proof=flipped(body.proof, 40)) if isinstance(body, Open) else None


def false_shuffle(body: Body) -> Body | None:
    if not isinstance(body, Shuffle):
        return None
    (deck,) = body.decks
    return replace(body, decks=(replace(deck, proof=flipped(deck.proof, len(deck.proof) - 32)),))


def false_deal(body: Body) -> Body | None:
    if not isinstance(body, Shuffle) or not body.shares:
        return None
    return replace(body, shares=flipped(body.shares, 5 * 96 + 64))


def false_debt(body: Body) -> Body | None:
    return replace(body, debts=flipped(body.debts, 33)) if isinstance(body, Shares) else None


def false_mix(body: Body) -> Body | None:
    if not isinstance(body, MoveBody) or not body.mixes:
        return None
    (mix,) = body.mixes
    return replace(body, mixes=(replace(mix, proof=flipped(mix.proof, len(mix.proof) - 64)),))


def false_share(body: Body) -> Body | None:
    if not isinstance(body, MoveBody) or not body.shares:
        return None
    return replace(body, shares=flipped(body.shares, 64))


@pytest.mark.parametrize(
    ("false", "cause"),
    [
        (false_key, Cause.KEY),
        (false_shuffle, Cause.SHUFFLE),
        (false_deal, Cause.SHARE),
        (false_debt, Cause.SHARE),
        (false_mix, Cause.MIX),
        (false_share, Cause.SHARE),
    ],
)
def test_two_colluders_who_reveal_true_seeds_do_not_get_a_false_proof_through(
    false: Callable[[Body], Body | None], cause: Cause, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[int, Seat]] = []

    def tamper(session: Session, seat: Seat, body: Body) -> Body:
        changed = None if told else false(body)
        if changed is None:
            return body
        told.append((session.seq, seat))
        return changed

    monkeypatch.setattr(Colluder, "tamper", staticmethod(tamper))
    monkeypatch.setattr(peer_module, "advance", believing)
    pair = new_pair(32, Colluder).play(POLICIES["resigning early"](32))
    assert pair.session.finished
    ((number, seat),) = told
    for cut in (0, 1, 2):
        verdict = verify(pair.file_bytes(len(pair.records) - cut))
        assert verdict.fault is not None
        assert (verdict.fault.seq, verdict.fault.cause, verdict.fault.blame) == (number, cause, seat)
        assert verdict.records == number


def believing(session: Session, data: bytes, **ignored: object) -> Session:
    return advance(session, data, proofs=Proofs.NONE)


def written(bodies: Callable[[Session, Seat, Kind], Body]) -> tuple[bytes, ...]:
    """The records of a game whose seats write what `bodies` says, no proof checked, to the end or to a REVEAL that
    must be refused; the first mover resigns at once."""
    identities = [identity_of(41, seat) for seat in SEATS]
    session, records = Session(), []
    while (due := session.due()) is not None:
        seat, kind = due
        body = bodies(session, seat, kind)
        game_id = b"" if kind is Kind.HELLO else session.game_id
        data = make_record(session.seq, session.head, seat, kind, write_body(body), game_id, identities[seat])
        records.append(data)
        try:
            session = believing(session, data)
        except PeerFault:
            assert kind is Kind.REVEAL
            break
    return tuple(records)


def hello_of(seat: Seat) -> Hello:
    rules = ruleset("base")
    nonce, public = entropy("nonce", seat)(32), identity_of(41, seat).public
    return Hello(nonce, VERSIONS, SUITE, rules.name, rules_digest(rules), (), public, f"seat {seat}", SINGLE_GAME)


def honest_body(session: Session, seat: Seat, kind: Kind, secret: Secret) -> Body:
    if kind is Kind.HELLO:
        return hello_of(seat)
    if kind is Kind.MOVE:
        return make_move(session, seat, secret, Resign(), (), ())
    return make_without_choice(session, seat, secret)


SEEDS = tuple(Secret(entropy("seed", seat)(32)) for seat in SEATS)
KEY_OF_ANOTHER = Secret(entropy("another")(32))


def test_the_writer_of_these_tests_writes_valid_files() -> None:
    records = written(lambda session, seat, kind: honest_body(session, seat, kind, SEEDS[seat]))
    verdict = verify(file_of(records))
    assert verdict.ending() == "over, sealed by both, revealed by both"
    assert verdict.reproducible is True


@pytest.mark.parametrize("liar", SEATS)
def test_a_seed_that_does_not_make_the_key_vouches_for_no_share(liar: Seat) -> None:
    """The liar commits to a seed and opens another key, then makes everything from the seed: each body is what the
    seed makes, so a verifier that trusts the revealed seed would take shares that are not of his key."""

    def bodies(session: Session, seat: Seat, kind: Kind) -> Body:
        if seat == liar and kind is Kind.COMMIT:
            return Commit(make_commit(session, seat, KEY_OF_ANOTHER).key, make_commit(session, seat, SEEDS[seat]).seed)
        if seat == liar and kind is Kind.OPEN:
            return make_open(session, seat, KEY_OF_ANOTHER)
        return honest_body(session, seat, kind, SEEDS[seat])

    records = written(bodies)
    first_share = next(
        record.seq
        for record in map(read_record, records)
        if record.seat == liar and (record.kind is Kind.SHARES or (record.kind is Kind.SHUFFLE and liar == 1))
    )
    for file in (file_of(records), file_of(records[:-1]), file_of(records[:-2])):
        verdict = verify(file)
        assert verdict.fault is not None
        assert (verdict.fault.seq, verdict.fault.cause, verdict.fault.blame) == (first_share, Cause.SHARE, liar)


@pytest.mark.parametrize("liar", SEATS)
def test_a_seed_that_was_not_committed_to_is_refused_when_it_is_revealed(liar: Seat) -> None:
    def bodies(session: Session, seat: Seat, kind: Kind) -> Body:
        if seat == liar and kind is Kind.REVEAL:
            return Reveal(KEY_OF_ANOTHER.seed)
        return honest_body(session, seat, kind, SEEDS[seat])

    records = written(bodies)
    verdict = verify(file_of(records))
    assert verdict.fault is not None
    assert (verdict.fault.seq, verdict.fault.cause, verdict.fault.blame) == (len(records) - 1, Cause.SEED, liar)
    assert verdict.records == len(records) - 1


def test_a_seed_that_was_committed_to_but_makes_another_key_is_refused_when_it_is_revealed() -> None:
    """The liar plays honestly with another key than that of his seed: nothing fails before the end."""

    def bodies(session: Session, seat: Seat, kind: Kind) -> Body:
        if seat == 1 and kind is Kind.COMMIT:
            return Commit(make_commit(session, seat, KEY_OF_ANOTHER).key, make_commit(session, seat, SEEDS[seat]).seed)
        if seat == 1 and kind is not Kind.REVEAL:
            return honest_body(session, seat, kind, KEY_OF_ANOTHER)
        return honest_body(session, seat, kind, SEEDS[seat])

    records = written(bodies)
    verdict = verify(file_of(records))
    assert verdict.fault is not None
    assert (verdict.fault.seq, verdict.fault.cause, verdict.fault.blame) == (len(records) - 1, Cause.SEED, SEATS[1])
    assert verify(file_of(records[:-1])).over
