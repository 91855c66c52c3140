"""What a stranger may say of a file: every edit is refused, every honest ending named, no false proof vouched for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from _edits import SHARES, Edit, edits, file_of, judged

from p2p_schotten import transcript
from p2p_schotten.crypto.secret import Secret
from p2p_schotten.engine.move import Resign
from p2p_schotten.engine.rulesets import ruleset
from p2p_schotten.errors import Cause, PeerFault, TranscriptError
from p2p_schotten.ids import SEATS, Seat
from p2p_schotten.protocol import peer as peer_module
from p2p_schotten.protocol.advance import Proofs, advance
from p2p_schotten.protocol.closing import Fault
from p2p_schotten.protocol.file import HEADER, frame, read_file
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
    read_body,
    write_body,
)
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind, make_record, read_record
from p2p_schotten.protocol.session import SUITE, VERSIONS, Session, rules_digest
from p2p_schotten.transcript import Verdict, hands, replay, verify
from tests.protocol.courses import COURSES, POLICIES, Truth, course, in_hand, new_pair, resigning_in_claim_window
from tests.protocol.pair import entropy, first_choice, identity_of


@cache
def sittings() -> tuple[bytes, bytes]:
    """A second game of the two players of course ("greedy", 1), and a game of two others."""

    class Later(Peer):
        """The same player with other secrets."""

        def __init__(self, *args: object, **others: object) -> None:
            super().__init__(*args, **others)  # type: ignore[arg-type]  # handed on as they came
            self._secret = Secret(entropy("later", self.seat)(32))
            self._nonce = entropy("later nonce", self.seat)(32)

    same = new_pair(1, Later).play(POLICIES["greedy"](2)).file_bytes()
    return same, course("uniform", 2).pair.file_bytes()


REAL_ADVANCE, REAL_MAKE = advance, transcript._make_again
_stood: list[Session] = []  # keeps every session of a memory, so that its id stays its own
_advanced: dict[tuple[int, bytes, Proofs], Session] = {}
_made: dict[tuple[int, bytes, Body], Body | None] = {}


@pytest.fixture(autouse=True)
def _memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets `verify` remember what it found for the very same session and bytes, from one file to the next.

    `advance` and `_make_again` are functions of their arguments, so that a remembered answer is the answer. Files of
    these tests have long beginnings in common: 300 edits would take some minutes. That nothing else changes is shown
    below, on a sample.
    """

    def remembering_advance(session: Session, data: bytes, *, proofs: Proofs = Proofs.ALL) -> Session:
        key = (0 if session == Session() else id(session), data, proofs)
        if key not in _advanced:
            after = REAL_ADVANCE(session, data, proofs=proofs)
            _stood.extend((session, after))
            _advanced[key] = after
        return _advanced[key]

    def remembering_make(session: Session, seat: Seat, secret: Secret, body: Body) -> Body | None:
        key = (id(session), secret.seed, body)
        if key not in _made:
            made = REAL_MAKE(session, seat, secret, body)
            _stood.append(session)
            _made[key] = made
        return _made[key]

    monkeypatch.setattr(transcript, "advance", remembering_advance)
    monkeypatch.setattr(transcript, "_make_again", remembering_make)


def said(verdict: Verdict) -> tuple[object, ...]:
    """All that a verdict says, comparable (a PeerFault is not)."""
    return (
        verdict.session,
        verdict.records,
        str(verdict.fault),
        verdict.fault and (verdict.fault.seq, verdict.fault.cause, verdict.fault.blame),
        verdict.closed,
        verdict.reproducible,
    )


def all_edits() -> list[Edit]:
    return list(edits(course("greedy", 1).pair.file_bytes(), sittings(), 300, 1))


def test_each_of_300_edits_is_refused_at_its_record_and_convicts_nobody() -> None:
    data = course("greedy", 1).pair.file_bytes()
    assert verify(data).ending() == "over, sealed by both, revealed by both"
    outcomes: dict[str, set[str]] = {what: set() for what in SHARES}
    for edit in all_edits():
        verdict = verify(edit.data)
        outcome = judged(data, edit.data, verdict)
        assert outcome in ("refused", "unfinished", "reveals lost"), f"{edit}: {outcome}"
        assert outcome == "refused" or edit.what in ("cut", "drop"), edit
        outcomes[edit.what].add(outcome)
        if verdict.fault is not None:
            # A record of another game may still fit (a HELLO is signed for no game): then the next one does not.
            first = edit.at or 0
            assert first <= verdict.fault.seq <= first + (edit.what == "foreign"), edit
            assert verdict.records == verdict.fault.seq
    assert all("refused" in found for found in outcomes.values())


def test_any_edit_of_the_last_three_records_is_refused_or_the_loss_of_reveals() -> None:
    data = course("greedy", 1).pair.file_bytes()
    items = read_file(data).items
    for cut in (1, 2):
        verdict = verify(file_of(items[:-cut]))
        assert judged(data, file_of(items[:-cut]), verdict) == "reveals lost"
        assert verdict.sealed == SEATS
        assert verdict.over
    for edited in (
        (*items[:-2], items[-1]),  # the first REVEAL lost, the second kept
        (*items[:-2], items[-1], items[-2]),
        (*items, items[-1]),
        (*items, items[0]),
        (*items[:-3], *items[-2:]),
        items[:-3] + items[-2:-1],
    ):
        assert judged(data, file_of(edited), verify(file_of(edited))) == "refused"


def test_a_cut_exactly_between_two_records_is_said_in_words_and_blames_nobody() -> None:
    game = course("greedy", 1)
    endings = []
    for cut in range(len(game.records) + 1):
        verdict = verify(game.pair.file_bytes(cut))
        assert verdict.fault is None
        assert verdict.records == cut
        assert verdict.over is game.sessions[0][cut].proven()
        speaker = game.sessions[0][cut].speaker
        if not verdict.over and game.sessions[0][cut].outcome is None:
            assert verdict.ending() == f"unfinished; seat {speaker}'s record would be next"
        else:
            endings.append(verdict.ending())
    assert endings[-5:] == [
        "over, not sealed, proven by the shares on record, not revealed",
        "over, sealed by seat 0 only, not revealed",
        "over, sealed by both, not revealed",
        "over, sealed by both, not fully revealed: seat 0 only",
        "over, sealed by both, revealed by both",
    ]


def test_a_cut_within_a_record_is_refused_at_that_record() -> None:
    game = course("greedy", 1)
    random = Random(5)
    for number in (0, 1, 7, 8, *random.sample(range(9, len(game.records)), 20)):
        begin, end = len(game.pair.file_bytes(number)), len(game.pair.file_bytes(number + 1))
        for cut in (begin + 1, begin + 3, begin + 4, random.randrange(begin + 5, end - 1), end - 1):
            verdict = verify(game.pair.file_bytes()[:cut])
            assert verdict.fault is not None
            assert (verdict.fault.seq, verdict.fault.cause, verdict.fault.blame) == (number, Cause.LENGTH, None)
            assert str(cut - begin) in verdict.fault.detail


def test_verify_says_the_same_when_it_remembers_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    files = [next(edit.data for edit in all_edits() if edit.what == what) for what in SHARES]
    files.append(course("greedy", 1).pair.file_bytes())
    remembered = [said(verify(data)) for data in files]
    monkeypatch.setattr(transcript, "advance", REAL_ADVANCE)
    monkeypatch.setattr(transcript, "_make_again", REAL_MAKE)
    assert [said(verify(data)) for data in files] == remembered


# Honest endings of every kind


@pytest.mark.parametrize(("policy", "seed"), COURSES[4:7])
def test_a_whole_game_is_valid_sealed_revealed_and_reproducible_however_it_ends(policy: str, seed: int) -> None:
    game = course(policy, seed)
    verdict = verify(game.pair.file_bytes())
    assert verdict.fault is None
    assert (verdict.valid, verdict.over, verdict.sealed, verdict.revealed) == (True, True, SEATS, SEATS)
    assert verdict.reproducible is True
    assert verdict.session == game.sessions[0][-1]
    assert verdict.records == len(game.records)


def test_without_the_reveals_the_verdict_is_the_same_but_for_them() -> None:
    game = course("resigning early", 7)
    with_seeds, without = verify(game.pair.file_bytes()), verify(game.pair.file_bytes(len(game.records) - 2))
    assert without.reproducible is None
    assert without.over
    assert without.session == game.sessions[0][-3]
    assert with_seeds.session.position == without.session.position
    half = verify(game.pair.file_bytes(len(game.records) - 1))
    assert half.reproducible is True
    assert half.revealed == (0,)


def test_a_game_given_up_with_an_open_face_is_over_only_when_the_face_is_proven() -> None:
    game = course("resigning in the claim window", 9)
    numbers = [n for n, session in enumerate(game.sessions[0]) if session.outcome and not session.proven()]
    assert numbers
    verdict = verify(game.pair.file_bytes(numbers[0]))
    assert verdict.valid
    assert not verdict.over
    speaker = game.sessions[0][numbers[0]].speaker
    assert verdict.ending() == f"over, but an open face is not proven; seat {speaker}'s record would be next"


def silent_end() -> tuple[bytes, Peer]:
    """The file of the seat that spoke last in a game that is over: the other's share of a face never came."""
    pair = new_pair(9, Peer)
    pair.until(
        lambda pair: bool(pair.queue) and any(peer.session.outcome is not None for peer in pair.peers),
        resigning_in_claim_window(first_choice),
    )
    (author,) = [peer for peer in pair.peers if peer.session.outcome is not None]
    return file_of(author.records), author


def test_a_close_proves_the_end_alone_and_any_other_close_does_not() -> None:
    data, author = silent_end()
    assert not verify(data).over
    close = author.close_alone()
    assert close is not None
    verdict = verify(data + frame(close))
    assert verdict.fault is None
    assert verdict.over
    assert verdict.closed == author.seat
    assert verdict.ending() == f"over, closed by seat {author.seat} alone and proven"
    for at in range(0, len(close), 11):
        flipped = bytearray(close)
        flipped[at] ^= 1
        refused = verify(data + frame(bytes(flipped)))
        assert refused.fault is not None
        assert not refused.over
        assert refused.closed is None
        assert refused.fault.blame is None
    torn = verify(data + frame(close)[:-1])
    assert torn.fault is not None
    assert torn.fault.cause is Cause.LENGTH


def test_a_close_stands_behind_the_last_record_only() -> None:
    data, author = silent_end()
    close = author.close_alone()
    assert close is not None
    items = read_file(data).items
    for file in (data + frame(close) * 2, file_of((*items[:-1], close, items[-1])), HEADER + frame(close)):
        verdict = verify(file)
        assert verdict.fault is not None
        assert verdict.closed is None or verdict.fault is not None
        assert not verdict.over
    finished = course("resigning in the claim window", 9)
    behind_all = verify(finished.pair.file_bytes() + frame(close))
    assert behind_all.fault is not None
    assert behind_all.fault.blame is None


def test_a_fault_that_proves_nothing_convicts_nobody() -> None:
    game = course("resigning early", 7)
    record = game.records[-1]
    for share in (b"", bytes(96)):
        for head in (read_record(record).head(), bytes(32)):
            item = Fault(SEATS[0], len(game.records) - 1, "false face", head, share).pack()
            for file in (
                game.pair.file_bytes() + frame(item),
                game.pair.file_bytes(20) + frame(item),
                HEADER + frame(item),
            ):
                verdict = verify(file)
                assert verdict.fault is not None
                assert (verdict.fault.cause, verdict.fault.blame) == (Cause.CLOSE, None)


def test_rules_that_the_program_does_not_have_cannot_be_judged() -> None:
    verdict = verify(course("resigning at once", 6).pair.file_bytes(), known={})
    assert verdict.fault is not None
    assert (verdict.fault.seq, verdict.fault.cause, verdict.fault.blame) == (0, Cause.RULES, None)
    assert "cannot judge" in verdict.fault.detail


def test_replay_gives_every_record_with_the_session_after_it_and_stops_where_the_file_is_bad() -> None:
    game = course("resigning early", 7)
    moments = list(replay(game.pair.file_bytes()))
    assert [moment.record.data for moment in moments] == game.records
    assert [moment.session for moment in moments] == game.sessions[0][1:]
    swapped = list(game.records)
    swapped[12], swapped[13] = swapped[13], swapped[12]
    seen: list[object] = []
    with pytest.raises(PeerFault) as caught:
        seen.extend(replay(file_of(swapped)))
    assert caught.value.seq == 12
    with pytest.raises(TranscriptError):
        list(replay(b"nothing"))
    data, author = silent_end()
    assert len(list(replay(data + frame(author.close_alone() or b"")))) == len(author.records)


def test_both_revealed_seeds_show_both_hands_at_every_moment() -> None:
    game = course("resigning early", 7)
    truth = Truth(game.seeds)
    for moment in replay(game.pair.file_bytes()):
        if moment.session.position is not None:
            expected = [[truth.sealed(moment.session, each).card for each in in_hand(moment.session, s)] for s in SEATS]
            assert hands(moment, game.seeds) == (tuple(expected[0]), tuple(expected[1]))


# Made again from revealed seeds: a help for the verifier, never a proof that is not there


def foreign(secret: Secret) -> Secret:
    """Another source of secrets, as a player's own program might use beside his seed."""
    return Secret(entropy("foreign", secret.seed)(32))


def test_honest_proofs_with_other_randomness_are_valid_and_said_not_to_be_reproducible(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def other_mixes(session: Session, seat: Seat, secret: Secret, move: object) -> object:
        return make_mixes(session, seat, foreign(secret) if seat == 1 else secret, move)  # type: ignore[arg-type]

    monkeypatch.setattr(peer_module, "make_mixes", other_mixes)
    pair = new_pair(31, Peer).play(POLICIES["resigning early"](31))
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

    def _speak(self, body: Body) -> None:
        super()._speak(self.tamper(self.session, self.seat, body))


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


def test_a_second_record_of_a_seat_at_one_place_is_evidence_against_it() -> None:
    game = course("resigning early", 7)
    number = next(r.seq for r in map(read_record, game.records) if r.kind is Kind.MOVE)
    record = read_record(game.records[number])
    body = read_body(record.kind, record.body)
    assert isinstance(body, MoveBody)
    fork = make_record(
        record.seq,
        record.prev,
        record.seat,
        record.kind,
        write_body(replace(body, digest=bytes(32))),
        game.pair.session.game_id,
        identity_of(7, record.seat),
    )
    verdict = verify(file_of((*game.records[: number + 1], fork)))
    assert verdict.fault is not None
    assert (verdict.fault.seq, verdict.fault.cause, verdict.fault.blame) == (number + 1, Cause.FORK, record.seat)
    again = verify(file_of((*game.records[: number + 1], game.records[number])))
    assert again.fault is not None
    assert (again.fault.seq, again.fault.blame) == (number + 1, None)
