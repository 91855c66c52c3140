"""What a stranger may say of a file: every edit is refused, every honest ending named, no false proof vouched for."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import pytest
from _edits import SHARES, Edit, edits, file_of, judged

from p2p_schotten import transcript
from p2p_schotten.crypto.secret import Secret
from p2p_schotten.errors import Cause, PeerFault, TranscriptError
from p2p_schotten.ids import SEATS, Seat
from p2p_schotten.protocol.advance import Proofs, advance
from p2p_schotten.protocol.closing import Fault
from p2p_schotten.protocol.file import HEADER, frame, read_file
from p2p_schotten.protocol.messages import (
    Body,
    MoveBody,
    read_body,
    write_body,
)
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind, make_record, read_record
from p2p_schotten.protocol.session import Session
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
            assert verdict.ending() == f"refused: {verdict.fault}"
            assert str(verdict.fault).startswith(f"record {verdict.fault.seq}: {verdict.fault.cause.value}: ")
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
