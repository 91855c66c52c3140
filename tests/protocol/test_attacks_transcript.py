"""Attacks on the chain of records, its encoding and its file, and on seals and reveals (section 11, fourth group)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import msgpack
import pytest

from p2p_schotten import transcript
from p2p_schotten.crypto.hashing import hash64
from p2p_schotten.engine.move import Play, Resign, move_code
from p2p_schotten.engine.rules import legal_moves
from p2p_schotten.errors import Cause
from p2p_schotten.ids import SEATS, Seat, other
from p2p_schotten.protocol.advance import advance
from p2p_schotten.protocol.file import HEADER, LENGTH_BYTES, frame
from p2p_schotten.protocol.messages import Hello, MoveBody, Reveal, Seal
from p2p_schotten.protocol.record import MAX_RECORD, SIGNATURE_BYTES, SIGNATURE_TAIL, Kind, Value, pack, read_record
from p2p_schotten.transcript import verify
from tests.protocol.liar import Stage, file_of, spliced_refused, with_signature
from tests.protocol.pair import Story, entropy, identity_of

pytestmark = pytest.mark.usefixtures("remembering")

KINDS = tuple(Kind)


def stage_of(story: Story, kind: Kind) -> Stage:
    """One moment for each kind; of MOVEs an early one that lays a card."""
    return Stage.find(story, kind, when=(lambda body: bool(body.mixes)) if kind is Kind.MOVE else None, nth=1)


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
    if data == stage.honest.data:
        pytest.skip("both games have this body")
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


# The encoding


def resigned(stage: Stage, unsigned: bytes) -> bytes:
    """These bytes, signed as the record that they may be."""
    game_id = b"" if stage.honest.kind is Kind.HELLO else stage.session.game_id
    return unsigned + pack(stage.identity.sign(hash64("record", game_id, unsigned)))


ENCODINGS: dict[str, Callable[[bytes, int], bytes]] = {
    "array 16": lambda data, seq: b"\xdc\x00\x06" + data[1:],
    "array 32": lambda data, seq: b"\xdd\x00\x00\x00\x06" + data[1:],
    "uint 8": lambda data, seq: data[:1] + b"\xcc" + data[1:],
    "uint 16": lambda data, seq: data[:1] + b"\xcd\x00" + data[1:],
    "int 8": lambda data, seq: data[:1] + b"\xd0" + data[1:],
    "int 64": lambda data, seq: data[:1] + b"\xd3" + bytes(7) + data[1:],
    "bin 16": lambda data, seq: data[:2] + b"\xc5\x00" + data[3:],
    "bin 32": lambda data, seq: data[:2] + b"\xc6\x00\x00\x00" + data[3:],
    "str for bin": lambda data, seq: data[:2] + b"\xd9" + data[3:],
}


@pytest.mark.parametrize("name", ENCODINGS)
def test_another_encoding_of_the_same_value(story: Story, name: str) -> None:
    for kind in (Kind.HELLO, Kind.COMMIT, Kind.SHARES):
        stage = stage_of(story, kind)
        data = stage.honest.data
        assert data[0] == 0x96
        assert data[1] == stage.seq < 128
        assert data[2:4] == b"\xc4\x20"
        lie = ENCODINGS[name](data[:-SIGNATURE_TAIL], stage.seq)
        if name != "str for bin":
            whole = msgpack.unpackb(lie + data[-SIGNATURE_TAIL:])
            assert whole == msgpack.unpackb(data)  # the same value
        stage.refused(resigned(stage, lie), Cause.BYTES, None)


@pytest.mark.parametrize("more", [b"\x00", b"\xc0", b"\xff" * 8])
def test_trailing_bytes(story: Story, more: bytes) -> None:
    for kind in KINDS:
        stage = stage_of(story, kind)
        stage.live(stage.honest.data + more, Cause.BYTES, None)


def test_trailing_bytes_in_a_file(story: Story) -> None:
    stage = stage_of(story, Kind.SHARES)
    stage.refused(stage.honest.data + b"\x00", Cause.BYTES, None)
    stage.refused(stage.honest.data[:-1], Cause.BYTES, None)


@pytest.mark.parametrize("kind", KINDS)
def test_a_huge_length(story: Story, kind: Kind) -> None:
    stage = stage_of(story, kind)
    limit = stage.session.limit()
    assert len(stage.honest.data) <= limit < MAX_RECORD
    stage.live(bytes(limit + 1), Cause.LENGTH, None)
    stage.live(stage.honest.data + bytes(limit), Cause.LENGTH, None)
    stage.refused(bytes(MAX_RECORD + 1), Cause.LENGTH, None)
    stage.live(bytes(limit), Cause.BYTES, None)


def test_a_length_in_the_file_that_nothing_has(story: Story) -> None:
    stage = stage_of(story, Kind.COMMIT)
    for length in (0, MAX_RECORD + 1, 2**32 - 1):
        data = file_of(*stage.pair.records) + length.to_bytes(LENGTH_BYTES, "big") + stage.honest.data
        spliced_refused(data, stage.seq, Cause.LENGTH, None)


@pytest.mark.parametrize(
    "value",
    [None, True, 1.5, float("nan"), {}, {"a": 1}, msgpack.ExtType(5, b""), msgpack.ExtType(5, b"x"), 2**64 - 1, -1],
    ids=str,
)
def test_values_that_no_record_holds(story: Story, value: object) -> None:
    stage = stage_of(story, Kind.SHARES)
    for fields in ([stage.seq, value], [value, stage.session.head]):
        whole = [*fields, stage.seat, Kind.SHARES.value, [b""], bytes(SIGNATURE_BYTES)]
        unsigned = msgpack.packb(whole, use_bin_type=True)[:-SIGNATURE_TAIL]
        stage.live(resigned(stage, unsigned), Cause.BYTES, None)
    whole = [stage.seq, stage.session.head, stage.seat, Kind.SHARES.value, [value], bytes(SIGNATURE_BYTES)]
    unsigned = msgpack.packb(whole, use_bin_type=True)[:-SIGNATURE_TAIL]
    # An integer may stand in a record, so this one is signed and convicts.
    blame = stage.seat if type(value) is int else None
    stage.refused(resigned(stage, unsigned), Cause.BYTES, blame)


def test_a_body_of_another_shape_convicts_its_author(story: Story) -> None:
    for kind in KINDS[1:]:
        stage = stage_of(story, kind)
        longer: list[Value] = [*stage.honest.body, 0]
        nested: list[Value] = [[[[[0]]]]]
        for body in (longer, nested):
            stage.live(stage.signed(body), Cause.BYTES, stage.seat)
        stage.refused(stage.signed([]), Cause.BYTES, stage.seat)
    stage = stage_of(story, Kind.HELLO)
    stage.refused(stage.signed([]), Cause.BYTES, None)


def test_arrays_nested_deeper_than_any_record(story: Story) -> None:
    stage = stage_of(story, Kind.COMMIT)
    for depth in (7, 150):
        head = pack([stage.seq, stage.session.head, int(stage.seat), Kind.COMMIT.value])[1:]
        unsigned = b"\x96" + head + b"\x91" * depth + b"\x90"
        stage.refused(resigned(stage, unsigned), Cause.BYTES, None)


def test_random_bytes(story: Story) -> None:
    stage = stage_of(story, Kind.MOVE)
    random = entropy("random bytes")
    for length in (0, 1, 2, 10, 100, 1000):
        stage.live(random(length), Cause.BYTES, None)


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


# The file


def test_a_file_edited_record_by_record(story: Story) -> None:
    """Dropped, doubled, swapped, out of every part of the game."""
    items = story.end.records
    for at in (0, 1, 2, 5, 6, 7, 8, len(items) - 2):
        dropped = [*items[:at], *items[at + 1 :]]
        verdict = verify(file_of(*dropped))
        assert verdict.fault is not None
        assert (verdict.records, verdict.fault.seq, verdict.fault.blame) == (at, at, None), at
        # Without a HELLO there is no key; a SHUFFLE is longer than an OPEN may be, and a MOVE than the SHARES due.
        cause = {1: Cause.SIGNATURE, 5: Cause.LENGTH, 8: Cause.LENGTH}.get(at, Cause.SEQUENCE)
        assert verdict.fault.cause is cause, at
        doubled = [*items[: at + 1], *items[at:]]
        verdict = verify(file_of(*doubled))
        assert verdict.fault is not None
        assert (verdict.records, verdict.fault.seq, verdict.fault.blame) == (at + 1, at + 1, None)
        assert verdict.fault.cause in {Cause.SEQUENCE, Cause.LENGTH, Cause.SIGNATURE}
        swapped = [*items[:at], items[at + 1], items[at], *items[at + 2 :]]
        verdict = verify(file_of(*swapped))
        assert verdict.fault is not None
        assert (verdict.records, verdict.fault.seq, verdict.fault.blame) == (at, at, None)


def test_a_file_cut_between_records_is_unfinished_and_blames_nobody(story: Story) -> None:
    items = story.end.records
    for count in (0, 1, 2, 5, 7, 8, 9, len(items) - 5):
        verdict = verify(file_of(*items[:count]))
        assert verdict.fault is None
        assert not verdict.over
        assert verdict.records == count
        assert verdict.ending().endswith(f"seat {read_record(items[count]).seat}'s record would be next")
    one_reveal = verify(file_of(*items[:-1]))
    none = verify(file_of(*items[:-2]))
    assert one_reveal.over
    assert "not fully revealed" in one_reveal.ending()
    assert none.over
    assert "not revealed" in none.ending()


def test_a_file_cut_inside_a_record(story: Story) -> None:
    items = story.end.records
    for count in (0, 3, 7, 8, len(items) - 1):
        whole = file_of(*items[:count])
        for kept in (1, LENGTH_BYTES, len(frame(items[count])) - 1):
            verdict = spliced_refused(whole + frame(items[count])[:kept], count, Cause.LENGTH, None)
            assert verdict.records == count


def test_a_file_whose_header_is_edited_or_cut(story: Story) -> None:
    data = story.end.file_bytes()
    for lie in (
        b"",
        data[:5],
        data[1:],
        b"X" + data[1:],
        HEADER[:-1],
        data.replace(b"transcript 1\n", b"transcript 2\n"),
    ):
        spliced_refused(lie, 0, Cause.BYTES, None)


def test_a_file_spliced_from_two_games_of_the_same_two(won_by_0: Story, story: Story) -> None:
    one, two = won_by_0.end.records, story.end.records
    for at in (2, 3, 4, 6, 7, 8, 9):
        assert read_record(one[at]).seq == read_record(two[at]).seq
        verdict = verify(file_of(*one[:at], *two[at:]))
        assert verdict.fault is not None
        assert (verdict.records, verdict.fault.seq, verdict.fault.blame) == (at, at, None)
        assert verdict.fault.cause in {Cause.SIGNATURE, Cause.LENGTH}
    spliced_refused(file_of(one[0], *two[1:]), 1, Cause.PREVIOUS, None)


def test_a_file_with_its_seats_exchanged(story: Story) -> None:
    items = story.end.records
    exchanged = []
    for data in items:
        record = read_record(data)
        at = len(pack([record.seq, record.prev]))
        assert data[at] == record.seat
        exchanged.append(data[:at] + bytes([other(record.seat)]) + data[at + 1 :])
    spliced_refused(file_of(*exchanged), 0, Cause.SIGNATURE, None)
    spliced_refused(file_of(items[1], items[0], *items[2:]), 0, Cause.SEQUENCE, None)
    # By the two themselves, each HELLO signed anew for the other seat: then it is another game, and nothing else fits.
    first, second = (Stage.find(story, Kind.HELLO, seat=seat) for seat in SEATS)
    hello_0 = first.signed(second.body, seat=SEATS[0], identity=second.identity)
    hello_1 = second.signed(first.body, seat=SEATS[1], identity=first.identity, prev=read_record(hello_0).head())
    assert verify(file_of(hello_0, hello_1)).fault is None
    spliced_refused(file_of(hello_0, hello_1, *items[2:]), 2, Cause.SIGNATURE, None)


@pytest.mark.parametrize("kind", KINDS)
def test_the_verdict_is_the_same_when_nothing_is_remembered(story: Story, kind: Kind) -> None:
    """The tests of attacks let `verify` remember good prefixes. Here it reads lies and honest files without that."""
    stage = stage_of(story, kind)
    lies = [stage.signed(stage.honest.body, prev=bytes(31) + b"\1"), stage.honest.data[:-1] + b"\0"]
    files = [file_of(*stage.pair.records, data) for data in [*lies, stage.honest.data]]
    remembered = [verify(data) for data in files]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transcript, "advance", advance)
        for data, verdict in zip(files, remembered, strict=True):
            again = verify(data)
            assert str(again.fault) == str(verdict.fault)
            assert (again.session, again.records, again.ending()) == (
                verdict.session,
                verdict.records,
                verdict.ending(),
            )
