"""Over TLS and TCP every kind of lie, in every kind of record, ends the victim's game with evidence and nothing else.

A CLOSE stands outside the chain and is judged in files only; every other cause has its lie here. The whole table of
attacks goes this way in the soak (`scripts/soak.py liar`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import trio

from p2p_schotten.crypto import group
from p2p_schotten.engine.move import Claim, move_code
from p2p_schotten.errors import Cause, PeerFault
from p2p_schotten.ids import SEATS, Seat, StoneId
from p2p_schotten.protocol.messages import (
    SHARE_BYTES,
    Commit,
    Hello,
    MoveBody,
    Open,
    Remade,
    Reveal,
    Seal,
    Shares,
    Shuffle,
)
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind, head_of
from p2p_schotten.protocol.resume import FIRST_SIGNED, Stand
from tests.adversaries.liar import check_evidence, check_told, refused_over_the_link, seated, told_over_the_link
from tests.adversaries.meeting import records_of
from tests.protocol.liar import KINDS, Stage, file_of, with_signature
from tests.protocol.pair import Story, identity_of
from tests.protocol.test_attacks_plays import liars_hand, told_face, unseen_not_in
from tests.protocol.test_attacks_setup import IDENTITY, committed_to, opened

pytestmark = pytest.mark.usefixtures("remembering")

HOST, GUEST = SEATS


@dataclass(frozen=True)
class Told:
    """What the liar says at which stage; `seq`: the number that is due there, if the stage is older than that."""

    stage: Stage
    data: bytes
    seq: int | None = None


@dataclass(frozen=True)
class Lie:
    """One lie: what it is, and what must come of it."""

    name: str
    kind: Kind
    cause: Cause
    blamed: bool
    tell: Callable[[Story], Told]


def lays(body: MoveBody) -> bool:
    return bool(body.positions) and bool(body.mixes)


def flipped(data: bytes, at: int = -1) -> bytes:
    at %= len(data)
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def laying(story: Story) -> Stage:
    """Before a card is laid out of a mixed hand."""
    return Stage.find(story, Kind.MOVE, when=lays, nth=2)


def hello(story: Story, seat: Seat, lie: Callable[[Hello], Hello]) -> Told:
    stage = Stage.find(story, Kind.HELLO, seat=seat)
    assert isinstance(stage.body, Hello)
    return Told(stage, stage.signed(lie(stage.body)))


def of_another_identity(story: Story) -> Told:
    """Not the one that the channel has proven; and it is signed with that key."""
    stage, stranger = Stage.find(story, Kind.HELLO, seat=GUEST), identity_of(99, GUEST)
    assert isinstance(stage.body, Hello)
    return Told(stage, stage.signed(replace(stage.body, identity=stranger.public), identity=stranger))


def commitment_copied(story: Story) -> Told:
    stage = Stage.find(story, Kind.COMMIT, seat=GUEST)
    mine = stage.session.commits[0]
    assert isinstance(stage.body, Commit)
    return Told(stage, stage.signed(replace(stage.body, key=mine.key)))


def another_nonce_opened(story: Story) -> Told:
    stage = Stage.find(story, Kind.OPEN, seat=HOST)
    assert isinstance(stage.body, Open)
    return Told(stage, stage.signed(replace(stage.body, nonce=bytes(32))))


def key_identity(story: Story) -> Told:
    stage = committed_to(story, GUEST, IDENTITY)
    return Told(stage, opened(stage, IDENTITY, group.ZERO))


def shuffle_with(story: Story, seat: Seat, lie: Callable[[Shuffle], Shuffle]) -> Told:
    stage = Stage.find(story, Kind.SHUFFLE, seat=seat)
    assert isinstance(stage.body, Shuffle)
    return Told(stage, stage.signed(lie(stage.body)))


def false_proof(body: Shuffle) -> Remade:
    return replace(body.decks[0], proof=flipped(body.decks[0].proof, 9))


def shares_with(story: Story, lie: Callable[[bytes], bytes]) -> Told:
    stage = Stage.find(story, Kind.SHARES)
    assert isinstance(stage.body, Shares)
    return Told(stage, stage.signed(Shares(lie(stage.body.debts))))


def move_with(lie: Callable[[MoveBody], MoveBody]) -> Callable[[Story], Told]:
    def tell(story: Story) -> Told:
        stage = laying(story)
        return Told(stage, stage.signed(lie(stage.move_body)))

    return tell


def false_face(story: Story) -> Told:
    stage = laying(story)
    return Told(stage, stage.signed(told_face(stage, unseen_not_in(stage, liars_hand(stage)))))


def out_of_turn(story: Story) -> Told:
    body = laying(story).move_body
    theirs = Stage.find(story, Kind.MOVE, when=lays, nth=2).interrupted()
    return Told(theirs, theirs.signed(body))


def another_kind(story: Story) -> Told:
    stage = laying(story)
    return Told(stage, stage.signed(Seal(bytes(32), (0, 0, 0, 0))))


def two_at_one_place(story: Story) -> Told:
    """One record is good, and a second with the same number comes behind it."""
    stage = laying(story)
    first = stage.honest
    stage.victim.receive(first.data)
    stage.pair.records += [first.data, *stage.victim.frames()]
    second = stage.signed([*first.body[:-1], bytes(32)], seq=first.seq, prev=first.prev)
    return Told(stage, second, len(stage.pair.records))


def another_outcome(story: Story) -> Told:
    stage = Stage.find(story, Kind.SEAL, seat=HOST)
    assert isinstance(stage.body, Seal)
    winner, *rest = stage.body.outcome
    return Told(stage, stage.signed(replace(stage.body, outcome=(1 - winner, *rest))))


def another_seed(story: Story) -> Told:
    stage = Stage.find(story, Kind.REVEAL, seat=GUEST)
    return Told(stage, stage.signed(Reveal(bytes(32))))


def too_long(story: Story) -> Told:
    stage = laying(story)
    return Told(stage, stage.honest.data + bytes(stage.session.limit()))


def in_every_kind(kind: Kind) -> list[Lie]:
    """What is wrong with a record whatever it says."""

    def stage_of(story: Story) -> Stage:
        return Stage.find(story, kind, seat=GUEST)

    def bytes_behind(story: Story) -> Told:
        stage = stage_of(story)
        room = stage.session.limit() - len(stage.honest.data)
        return Told(stage, stage.honest.data + b"\0" if room else flipped(stage.honest.data, 0))

    def signature(story: Story) -> Told:
        stage = stage_of(story)
        return Told(stage, with_signature(stage.honest.data, flipped(stage.honest.signature)))

    def number(story: Story) -> Told:
        stage = stage_of(story)
        return Told(stage, stage.signed(stage.honest.body, seq=stage.seq + 1))

    def previous(story: Story) -> Told:
        stage = stage_of(story)
        return Told(stage, stage.signed(stage.honest.body, prev=stage.session.head[::-1]))

    return [
        Lie("bytes that are no record", kind, Cause.BYTES, False, bytes_behind),
        Lie("another signature", kind, Cause.SIGNATURE, False, signature),
        Lie("another number", kind, Cause.SEQUENCE, False, number),
        Lie("another record before it", kind, Cause.PREVIOUS, False, previous),
    ]


LIES = [
    Lie(
        "a version nobody speaks",
        Kind.HELLO,
        Cause.VERSION,
        False,
        lambda story: hello(story, GUEST, lambda body: replace(body, versions=(9, 9))),
    ),
    Lie(
        "another rules digest",
        Kind.HELLO,
        Cause.RULES,
        False,
        lambda story: hello(story, HOST, lambda body: replace(body, rules_digest=flipped(body.rules_digest))),
    ),
    Lie("another identity than the channel's", Kind.HELLO, Cause.IDENTITY, False, of_another_identity),
    Lie(
        "a name that steers the terminal",
        Kind.HELLO,
        Cause.HELLO,
        False,
        lambda story: hello(story, HOST, lambda body: replace(body, name="\x1b[2J")),
    ),
    Lie("my commitment copied", Kind.COMMIT, Cause.COMMITMENT, True, commitment_copied),
    Lie("a nonce that was not committed to", Kind.OPEN, Cause.COMMITMENT, True, another_nonce_opened),
    Lie("the identity as a key", Kind.OPEN, Cause.KEY, True, key_identity),
    Lie(
        "a false proof of the first shuffle",
        Kind.SHUFFLE,
        Cause.SHUFFLE,
        True,
        lambda story: shuffle_with(
            story,
            HOST,
            lambda body: replace(body, decks=(replace(body.decks[0], proof=flipped(body.decks[0].proof, 9)),)),
        ),
    ),
    Lie(
        "a share of the deal left out",
        Kind.SHUFFLE,
        Cause.SHARE,
        True,
        lambda story: shuffle_with(story, GUEST, lambda body: replace(body, shares=body.shares[SHARE_BYTES:])),
    ),
    Lie(
        "a share that is owed left out",
        Kind.SHARES,
        Cause.DEBTS,
        True,
        lambda story: shares_with(story, lambda debts: debts[:-SHARE_BYTES]),
    ),
    Lie("a false share", Kind.SHARES, Cause.SHARE, True, lambda story: shares_with(story, flipped)),
    Lie(
        "a claim before it is due",
        Kind.MOVE,
        Cause.ILLEGAL,
        True,
        move_with(lambda body: replace(body, move=move_code(Claim(StoneId(0))), mixes=(), positions=(), shares=b"")),
    ),
    Lie("a mix left out", Kind.MOVE, Cause.MIX, True, move_with(lambda body: replace(body, mixes=()))),
    Lie(
        "a cell behind the hand",
        Kind.MOVE,
        Cause.POSITION,
        True,
        move_with(lambda body: replace(body, positions=(255,))),
    ),
    Lie(
        "a false share of the card",
        Kind.MOVE,
        Cause.SHARE,
        True,
        move_with(lambda body: replace(body, shares=flipped(body.shares))),
    ),
    Lie("another digest", Kind.MOVE, Cause.DIGEST, True, move_with(lambda body: replace(body, digest=bytes(32)))),
    Lie("a false face", Kind.MOVE, Cause.FACE, True, false_face),
    Lie("a move out of turn", Kind.MOVE, Cause.SPEAKER, True, out_of_turn),
    Lie("a seal in place of a move", Kind.MOVE, Cause.KIND, True, another_kind),
    Lie("two records at one place", Kind.MOVE, Cause.FORK, True, two_at_one_place),
    Lie("more bytes than may come", Kind.MOVE, Cause.LENGTH, False, too_long),
    Lie("another outcome", Kind.SEAL, Cause.SEAL, True, another_outcome),
    Lie("another seed", Kind.REVEAL, Cause.SEED, True, another_seed),
]
WHATEVER_IT_SAYS = [lie for kind in KINDS for lie in in_every_kind(kind)]


def test_there_is_a_lie_of_every_cause_and_in_every_kind_of_record() -> None:
    assert {lie.cause for lie in (*LIES, *WHATEVER_IT_SAYS)} == set(Cause) - {Cause.CLOSE}
    assert {lie.kind for lie in LIES} == set(Kind)


@pytest.mark.parametrize("lie", [*LIES, *WHATEVER_IT_SAYS[::5]], ids=lambda lie: f"{lie.kind.name}: {lie.name}")
def test_a_lie_over_the_link_ends_the_game_with_evidence_and_changes_nothing(
    lie: Lie, story: Story, tmp_path: Path
) -> None:
    told = lie.tell(story)
    blame = told.stage.seat if lie.blamed else None
    refused_over_the_link(told.stage, told.data, lie.cause, blame, tmp_path, seq=told.seq)


@pytest.mark.parametrize("lie", WHATEVER_IT_SAYS, ids=lambda lie: f"{lie.kind.name}: {lie.name}")
def test_a_record_of_any_kind_that_is_none_is_refused_alike(lie: Lie, story: Story, tmp_path: Path) -> None:
    told = lie.tell(story)
    refused_over_the_link(told.stage, told.data, lie.cause, None, tmp_path)


@pytest.mark.parametrize("admits", [True, False], ids=["he says that he lost it", "he says that he has it"])
def test_another_move_after_a_cut_than_the_one_before_it_convicts(admits: bool, story: Story, tmp_path: Path) -> None:
    """He goes back to an older journal and signs anew. His victim gives him back what he lost, and keeps what he says.

    If he claims to have all records, but another last one, then he has to show them all, and the two meet there.
    """
    stage, liar = laying(story), laying(story)
    prefix, first = list(stage.pair.records), stage.honest.data
    changed = liar.signed(replace(liar.move_body, digest=bytes(32)))
    stage.victim.receive(first)
    records = [*prefix, first, *stage.victim.frames()]
    stage.pair.records = list(records)
    game_id, seq = stage.session.game_id, stage.seq
    stand = Stand(game_id, seq, liar.session.head) if admits else Stand(game_id, seq + 1, head_of(changed))
    said = (changed,) if admits else (*prefix[FIRST_SIGNED:], changed)
    identities = [peer._identity for peer in stage.pair.peers]
    came = trio.run(told_over_the_link, seated(stage, Peer), identities, said, tmp_path, stand)
    fault = came.error
    assert isinstance(fault, PeerFault)
    assert (fault.cause, fault.blame) == (Cause.FORK, stage.seat), fault
    assert records_of(came.heard) == records[seq if admits else FIRST_SIGNED :]
    assert came.journal == file_of(*records)
    check_told(came, fault)
    check_evidence(came, fault, stage.session, file_of(*records, changed))
