"""Attacks on plays (protocol section 11, third group): turns, faces, positions, digests, and what colluders pass on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_schotten.crypto.shuffle import Shuffled, shuffle
from p2p_schotten.engine.move import Claim, Done, Draw, Pass, Play, PublicMove, move_code, public
from p2p_schotten.engine.rules import apply, legal_moves
from p2p_schotten.engine.state import Phase
from p2p_schotten.errors import Cause, PeerFault
from p2p_schotten.ids import CardId, DeckId, StoneId, other
from p2p_schotten.protocol.closing import read_item
from p2p_schotten.protocol.messages import MoveBody, Reveal, Shares
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind, Value, pack, read_record
from p2p_schotten.transcript import verify
from tests.attacks import report_file
from tests.protocol.liar import Stage, convicts, file_of, spliced_refused
from tests.protocol.pair import Story

pytestmark = pytest.mark.usefixtures("remembering")


def lays(body: MoveBody) -> bool:
    return bool(body.positions)


def lays_mixed(body: MoveBody) -> bool:
    return bool(body.positions) and bool(body.mixes)


def told_face(stage: Stage, card: CardId) -> MoveBody:
    """The honest record, but for the card that it names: the cell stays where it points."""
    move = stage.move
    assert isinstance(move, Play)
    return stage.move_body_of(honest_mix(stage), stage.move_body.positions, Play(card, move.stone))


def honest_mix(stage: Stage) -> Shuffled:
    cells = tuple(sealed.cell for sealed in stage.hand)
    mix = shuffle(stage.secret, stage.ctx("mix"), stage.session.joint, cells)
    assert mix.proof == stage.move_body.mixes[0].proof
    return mix


def unseen_not_in(stage: Stage, hand: tuple[CardId, ...]) -> CardId:
    """A card that nobody has seen and that is not in that hand: it lies in the pile or the other's hand."""
    state = stage.session.state
    assert state is not None
    return next(
        CardId(card)
        for card in range(len(stage.session.rules.cards))
        if state.unseen >> card & 1 and card not in hand and any(state.hands[stage.seat])
    )


def liars_hand(stage: Stage) -> tuple[CardId, ...]:
    """The liar's hand with the card that the honest record lays."""
    move = stage.move
    assert isinstance(move, Play)
    return (*stage.liar.hand, move.card)


# Turns


def test_a_move_out_of_turn(story: Story) -> None:
    """The seat that is not to move lays a card, with everything that would be right were it its turn."""
    for kind, nth in ((Kind.MOVE, 2), (Kind.SHARES, 1)):
        theirs = Stage.find(story, kind, nth=nth)
        stage = theirs.interrupted()
        body = Stage.find(story, Kind.MOVE, seat=stage.seat, nth=1).move_body
        if kind is Kind.SHARES:
            body = replace(body, mixes=())  # as long as what may come now
        stage.refused(stage.signed(body), Cause.SPEAKER, stage.seat)


def test_a_second_move_at_once(story: Story) -> None:
    """Twice in a row: the other seat owes a share, and then it is the other's turn."""
    stage = Stage.find(story, Kind.MOVE, when=lays_mixed, nth=2)
    stage.victim.receive(stage.honest.data)
    stage.pair.records += [stage.honest.data, *stage.victim.frames()]
    number = len(stage.pair.records)
    assert stage.session.speaker == other(stage.seat)
    again = stage.signed(replace(stage.move_body, mixes=()), seq=number)
    stage.refused(again, Cause.SPEAKER, stage.seat, seq=number)


def test_drawing_twice_or_by_choice(story: Story) -> None:
    """The one deck of the base game is drawn from by itself: a DRAW is no move, neither before a card nor after it."""
    before = Stage.find(story, Kind.MOVE, when=lays_mixed, nth=2)
    window = Stage.find(story, Kind.MOVE, when=lambda body: body.move == move_code(Done()))
    for stage in (before, window):
        assert stage.session.state is not None
        assert stage.session.state.piles[0] > 0
        lie = MoveBody(b"", (), move_code(Draw(DeckId(0))), (), b"", bytes(32))
        stage.refused(stage.signed(lie), Cause.ILLEGAL, stage.seat)


def test_drawing_from_an_empty_deck(long_story: Story) -> None:
    stage = Stage.find(long_story, Kind.MOVE, when=lambda body: not body.debts, nth=-1)
    state = stage.session.state
    assert state is not None
    assert state.piles == (0,)
    lie = MoveBody(b"", (), move_code(Draw(DeckId(0))), (), b"", bytes(32))
    stage.refused(stage.signed(lie), Cause.ILLEGAL, stage.seat)


@pytest.mark.parametrize(
    "move", [Done(), Pass(), Claim(StoneId(0)), Draw(DeckId(0))], ids=["done", "pass", "claim", "draw"]
)
def test_a_move_that_the_rules_refuse(story: Story, move: PublicMove) -> None:
    stage = Stage.find(story, Kind.MOVE, when=lays_mixed, nth=2)
    lie = replace(stage.move_body, move=move_code(move), mixes=(), positions=(), shares=b"")
    stage.refused(stage.signed(lie), Cause.ILLEGAL, stage.seat)


def test_a_card_on_a_stone_that_is_full_and_a_claim_that_is_not_proven(story: Story) -> None:
    window = Stage.find(story, Kind.MOVE, when=lambda body: body.move == move_code(Done()))
    state = window.session.state
    assert state is not None
    assert state.phase is Phase.CLAIM
    wrong = next(StoneId(n) for n in range(9) if n not in state.claimable)
    lie = replace(window.move_body, move=move_code(Claim(wrong)))
    window.refused(window.signed(lie), Cause.ILLEGAL, window.seat)
    # The claim window is open: another card may not be laid.
    body = Stage.find(story, Kind.MOVE, seat=window.seat, when=lays_mixed).move_body
    window.refused(window.signed(replace(body, mixes=())), Cause.ILLEGAL, window.seat)
    late = Stage.find(
        story, Kind.MOVE, when=lambda body: lays(body) and body.move[2] > 0, nth=0
    )  # stones fill up from the first
    move = late.move
    assert isinstance(move, Play)
    lie = replace(late.move_body, move=move_code(Play(move.card, StoneId(0))))
    late.refused(late.signed(lie), Cause.ILLEGAL, late.seat)


@pytest.mark.parametrize("code", [(), (0,), (0, 54, 0), (0, 0, 9), (1, 9), (2, 1), (6,), (255, 255, 255), (3, 0)])
def test_numbers_that_are_no_move(story: Story, code: tuple[int, ...]) -> None:
    stage = Stage.find(story, Kind.MOVE, when=lays_mixed)
    stage.refused(stage.signed(replace(stage.move_body, move=code)), Cause.ILLEGAL, stage.seat)


# Faces and cells


def test_a_false_face_is_caught_by_the_peer_at_once(story: Story) -> None:
    """Face j for a cell that opens to i. The prefix and the record alone prove nothing; with my share they convict."""
    stage = Stage.find(story, Kind.MOVE, when=lays_mixed, nth=2)
    lie = unseen_not_in(stage, liars_hand(stage))
    data = stage.signed(told_face(stage, lie))
    fault = stage.refused(data, Cause.FACE, stage.seat)
    assert stage.session.rules.text(lie) in fault.detail
    evidence = stage.victim.evidence
    assert evidence is not None
    assert evidence.endswith(stage.victim.fault or b"no fault")


def test_a_false_face_of_another_card_of_the_same_hand(story: Story) -> None:
    """He holds the card that he names, but points at another cell."""
    stage = Stage.find(story, Kind.MOVE, when=lays_mixed, nth=2)
    body = stage.move_body
    (position,) = body.positions
    elsewhere = 1 if position != 1 else 2
    stage.refused(stage.signed(stage.move_body_of(honest_mix(stage), (elsewhere,))), Cause.FACE, stage.seat)


def test_a_false_face_that_is_a_card_of_my_hand(story: Story) -> None:
    stage = Stage.find(story, Kind.MOVE, when=lays_mixed, nth=2)
    mine = stage.victim.hand[0]
    stage.refused(stage.signed(told_face(stage, mine)), Cause.FACE, stage.seat)


def test_a_card_that_is_open_already(story: Story) -> None:
    stage = Stage.find(story, Kind.MOVE, when=lays_mixed, nth=2)
    earlier = Stage.find(story, Kind.MOVE, when=lays_mixed, nth=0).move
    move = stage.move
    assert isinstance(earlier, Play)
    assert isinstance(move, Play)
    lie = replace(stage.move_body, move=move_code(Play(earlier.card, move.stone)))
    stage.refused(stage.signed(lie), Cause.ILLEGAL, stage.seat)


def test_a_cell_that_is_not_in_the_hand(story: Story) -> None:
    """A position behind the hand (where the pile might be thought to go on), none, or two."""
    stage = Stage.find(story, Kind.MOVE, when=lays_mixed, nth=2)
    count = len(stage.hand)
    for positions in ((count + 1,), (255,), (), (1, 2)):
        lie = replace(stage.move_body, positions=positions)
        stage.refused(stage.signed(lie), Cause.POSITION, stage.seat)
    stage.refused(stage.signed(replace(stage.move_body, positions=(1, 2, 3, 4, 5))), Cause.BYTES, stage.seat)
    zero = stage.signed(replace(stage.move_body, positions=(0,)))
    stage.refused(zero, Cause.BYTES, stage.seat)


def test_a_cell_of_the_pile_or_of_my_hand_shared_as_the_one_laid(story: Story) -> None:
    """The record can only point into the own hand; the share it carries is of a cell elsewhere."""
    stage = Stage.find(story, Kind.MOVE, when=lays_mixed, nth=2)
    assert stage.session.position is not None
    table = stage.session.position.table
    for cell in (table.piles[0][0].cell, table.hands[other(stage.seat)][0].cells[0].cell, stage.hand[0].cell):
        lie = replace(stage.move_body, shares=stage.share(cell, 1))
        stage.refused(stage.signed(lie), Cause.SHARE, stage.seat)


def test_a_position_that_the_digest_does_not_name(story: Story) -> None:
    stage = Stage.find(story, Kind.MOVE, when=lays_mixed, nth=2)
    body = stage.move_body
    flipped = body.digest[:-1] + bytes([body.digest[-1] ^ 1])
    earlier = Stage.find(story, Kind.MOVE, when=lays_mixed, nth=1).move_body.digest
    for digest in (flipped, earlier, bytes(32)):
        stage.refused(stage.signed(replace(body, digest=digest)), Cause.DIGEST, stage.seat)


def test_another_move_under_an_honest_digest(story: Story) -> None:
    """A divergence shows at the record that makes it."""
    stage = Stage.find(story, Kind.MOVE, when=lays_mixed, nth=2)
    move, state = stage.move, stage.session.state
    assert isinstance(move, Play)
    assert state is not None
    elsewhere = next(
        each
        for each in legal_moves(state, (move.card,))
        if isinstance(each, Play)
        and each.stone != move.stone
        and len(apply(state, each).transfers) == len(apply(state, move).transfers)
    )
    lie = replace(stage.move_body, move=move_code(elsewhere))
    stage.refused(stage.signed(lie), Cause.DIGEST, stage.seat)


# What a colluding peer passes on


def blind(peer: Peer) -> None:
    """A colluder: it takes whatever face it is told."""
    peer._check_faces = lambda after, data: None  # type: ignore[method-assign]  # a peer without this one check


def test_a_false_face_passed_on_by_a_colluder_is_caught_by_the_file(story: Story) -> None:
    """Where the second share comes on record every reader opens the cell: the seat that named the face is blamed."""
    stage = Stage.find(story, Kind.MOVE, when=lays_mixed, nth=2)
    data = stage.signed(told_face(stage, unseen_not_in(stage, liars_hand(stage))))
    colluder = stage.victim
    blind(colluder)
    with pytest.raises(PeerFault) as caught:
        colluder.receive(data)  # it takes the face, and stumbles over its own answer, which would show it
    assert (caught.value.seq, caught.value.cause, caught.value.blame) == (stage.seq + 1, Cause.FACE, stage.seat)
    prefix = [*stage.pair.records, data]
    assert verify(file_of(*prefix)).fault is None
    # A program that answers all the same, with true shares.
    answer = Stage(stage.pair, replace(stage.honest, seq=len(prefix), seat=colluder.seat))
    stage.liar.session = colluder.session
    said = answer.signed(Shares(answer.debts()))
    spliced_refused(file_of(*prefix, said), len(prefix), Cause.FACE, stage.seat)


@pytest.mark.parametrize("revealed", [False, True])
def test_a_false_face_passed_on_is_caught_where_a_move_pays_the_share(long_story: Story, revealed: bool) -> None:
    """Without a deck no share is owed at once: the next MOVE carries it. REVEALs behind it change nothing."""
    paying = Stage.find(long_story, Kind.MOVE, when=lambda body: body.debts != b"")
    stage = Stage.of(long_story, laying_before(long_story, paying.seq))
    lie = unseen_not_in(stage, liars_hand(stage))
    data = stage.signed(told_face(stage, lie))
    colluder = stage.victim
    blind(colluder)
    colluder.receive(data)
    prefix = [*stage.pair.records, data]
    # The liar closes the claim window as before, if there is one.
    closing = Stage(stage.pair, stage.honest)
    while closing.session.speaker == stage.seat:
        body = closing.move_body_of(None, (), Done())
        closing.honest = replace(closing.honest, seq=len(prefix))
        done = closing.signed(body)
        colluder.receive(done)
        prefix.append(done)
    assert verify(file_of(*prefix)).fault is None
    answer = Stage(stage.pair, replace(stage.honest, seq=len(prefix), seat=colluder.seat))
    stage.pair.peers[stage.seat].session = colluder.session
    assert colluder.session.state is not None
    move = public(colluder.session.rules, legal_moves(colluder.session.state, colluder.hand)[0])
    said = answer.signed(MoveBody(answer.debts(), (), move_code(move), (1,), b"", bytes(32)))
    items = [*prefix, said]
    if revealed:
        items += [
            answer.signed(Reveal(peer.secret_seed), seq=len(prefix) + 1 + peer.seat, seat=peer.seat)
            for peer in stage.pair.peers
        ]
    spliced_refused(file_of(*items), len(prefix), Cause.FACE, stage.seat)


def laying_before(story: Story, seq: int) -> int:
    """The number of the last record before `seq` that lays a card."""
    return max(
        record.seq
        for record in story.records[:seq]
        if record.kind is Kind.MOVE and lays(Stage.of(story, record.seq).move_body)
    )


# Evidence


def test_a_false_face_is_not_proven_by_a_forged_fault(story: Story) -> None:
    """A FAULT that convicts needs my share of that cell, for that record: an honest face cannot be framed."""
    stage = Stage.find(story, Kind.MOVE, when=lays_mixed, nth=2)
    lie = unseen_not_in(stage, liars_hand(stage))
    false = stage.signed(told_face(stage, lie))
    with pytest.raises(PeerFault) as caught:
        stage.victim.receive(false)
    fault = stage.victim.fault
    assert fault is not None
    prefix = list(stage.pair.records)
    convicts(file_of(*prefix, false, fault), caught.value)
    honest = stage.honest.data
    fields: list[Value] = ["fault", int(stage.victim.seat), stage.seq, "false face"]
    item = read_item(fault)
    assert item is not None
    share: bytes = item.share  # type: ignore[union-attr]  # a Fault, as read
    forged = [
        fault,  # the FAULT of another record
        pack([*fields, read_record(honest).head(), share]),  # its share under the honest record
        pack([*fields, read_record(honest).head(), b"\1" * 96]),
        pack([*fields, read_record(honest).head(), b""]),
        pack(["fault", int(stage.seat), stage.seq, "false face", read_record(honest).head(), share]),
    ]
    for one in forged:
        verdict = verify(file_of(*prefix, honest, one))
        report_file(file_of(*prefix, honest, one), verdict)
        assert verdict.fault is not None
        assert verdict.fault.blame is None
        assert (verdict.fault.seq, verdict.fault.cause) == (stage.seq + 1, Cause.CLOSE)
