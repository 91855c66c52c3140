"""What belongs to one seat stands in no error, no repr and no evidence: seeds, keys and identities.

In a record, and so in an evidence file, a seed stands behind its REVEAL only; here all moments are before that.
"""

from __future__ import annotations

import pickle
import traceback
from collections.abc import Callable, Iterator

import pytest

from p2p_schotten.crypto.identity import Identity
from p2p_schotten.crypto.secret import Secret
from p2p_schotten.engine.move import Play
from p2p_schotten.errors import IllegalMove, PeerFault
from p2p_schotten.ids import SEATS, CardId, StoneId
from p2p_schotten.protocol.closing import Fault, read_item
from p2p_schotten.protocol.file import read_file
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind, Value
from p2p_schotten.protocol.session import secret_key
from tests.needles import Needles
from tests.protocol.liar import KINDS, Stage, stage_of
from tests.protocol.pair import Pair, Story
from tests.protocol.reach import reachable

BEFORE_REVEAL = [kind for kind in KINDS if kind is not Kind.REVEAL]


def secrets_of(pair: Pair) -> Iterator[tuple[str, bytes]]:
    """The seed, the private key and, once there is a game, the decryption key of each seat."""
    for peer in pair.peers:
        yield f"seed of seat {peer.seat}", peer.secret_seed
        yield f"identity of seat {peer.seat}", peer._identity.private_bytes()
        if peer.session.game_id:
            yield f"x of seat {peer.seat}", secret_key(peer.session, peer._secret)


def told(error: BaseException) -> str:
    """All that an error says of itself, in whatever way it is shown."""
    return "\n".join([str(error), repr(error), repr(error.args), *traceback.format_exception(error)])


LIES: dict[str, Callable[[Stage], bytes]] = {
    "a changed bit": lambda stage: stage.honest.data[:-1] + bytes([stage.honest.data[-1] ^ 1]),
    "another number": lambda stage: stage.signed(stage.honest.body, seq=stage.seq + 1),
    "another body": lambda stage: stage.signed(changed(stage.honest.body)),
    "no record": lambda stage: b"\x93\x00",
}


def changed(body: list[Value]) -> list[Value]:
    """The last bytes of a body in the other order, or another number where it ends in none."""
    last = body[-1]
    return [*body[:-1], last[::-1] + b"\0" if isinstance(last, bytes) else 0]


@pytest.mark.parametrize("kind", BEFORE_REVEAL)
@pytest.mark.parametrize("lie", LIES)
def test_neither_the_error_nor_the_evidence_of_a_refused_record_holds_a_secret(
    story: Story, kind: Kind, lie: str
) -> None:
    stage = stage_of(story, kind)
    with pytest.raises(PeerFault) as caught:
        stage.victim.receive(LIES[lie](stage))
    needles = Needles(secrets_of(stage.pair))
    assert needles.found(told(caught.value)) == []
    assert stage.victim.evidence is not None
    assert stage.victim.fault is not None
    assert needles.found(stage.victim.evidence) == []
    assert needles.found(stage.victim.fault) == []
    assert needles.found(stage.victim.evidence + stage.victim.secret_seed)  # the search does find


def test_the_share_in_the_evidence_of_a_false_face_opens_no_other_cell(story: Story) -> None:
    """It is the share of the very cell that was named; no key can be computed from it, and none stands beside it."""
    stage = Stage.find(story, Kind.MOVE, when=lambda body: bool(body.mixes), nth=2)
    hand = stage.liar.hand
    unseen = next(
        CardId(card) for card in range(54) if CardId(card) not in (*hand, *stage.victim.hand) and free(stage, card)
    )
    honest = stage.move
    assert isinstance(honest, Play)
    lie = stage.telling(Play(unseen, honest.stone), stage.move_body.positions)
    with pytest.raises(PeerFault) as caught:
        stage.victim.receive(stage.signed(lie))
    evidence = stage.victim.evidence
    assert evidence is not None
    fault = read_item(read_file(evidence).items[-1])
    assert isinstance(fault, Fault)
    assert fault.share
    needles = Needles(secrets_of(stage.pair))
    assert needles.found(evidence) == []
    assert needles.found(told(caught.value)) == []


def free(stage: Stage, card: int) -> bool:
    """No stone holds that card yet."""
    assert stage.session.state is not None
    return all(card not in stone.arrived for stone in stage.session.state.stones)


def test_a_move_that_is_not_mine_to_make_is_refused_without_a_secret(story: Story) -> None:
    pair = story.before(Stage.find(story, Kind.MOVE, nth=4).seq)
    needles = Needles(secrets_of(pair))
    for peer in pair.peers:
        for card in range(54):
            if CardId(card) not in peer.hand:
                with pytest.raises(IllegalMove) as caught:
                    peer.play(Play(CardId(card), StoneId(0)))
                assert needles.found(told(caught.value)) == []


@pytest.mark.parametrize("kind", BEFORE_REVEAL)
def test_no_repr_of_what_a_peer_holds_shows_a_secret(story: Story, kind: Kind) -> None:
    """But for the bytes themselves and what plainly lists them: nothing of ours writes them into a log by accident."""
    stage = stage_of(story, kind)
    needles = Needles(secrets_of(stage.pair))
    looked = set()
    for peer in stage.pair.peers:
        for item in reachable(peer):
            if type(item).__module__.startswith("p2p_schotten"):
                looked.add(type(item))
                assert needles.found(repr(item)) == [], type(item)
    assert {Peer, Secret, Identity} <= looked


def test_a_secret_and_an_identity_leave_no_trace_in_a_pickle_or_a_format() -> None:
    seed, private = bytes(range(1, 33)), bytes(range(33, 65))
    secret, identity = Secret(seed), Identity(private)
    needles = Needles([("seed", seed), ("private key", private)])
    for item in (secret, identity, [secret], {"identity": identity}):
        assert needles.found(f"{item} {item!r} {item!s:>40}") == []
        with pytest.raises(TypeError) as caught:
            pickle.dumps(item)
        assert needles.found(told(caught.value)) == []


def test_an_error_over_a_seed_or_a_key_of_a_wrong_length_does_not_show_it() -> None:
    short = bytes(range(100, 131))
    needles = Needles([("short", short)])
    for make in (Secret, Identity):
        with pytest.raises(ValueError, match="32") as caught:
            make(short)
        assert needles.found(told(caught.value)) == []


def test_the_secrets_that_are_looked_for_are_those_of_the_game(story: Story) -> None:
    """Each seed makes the key that its seat opened, and stands in that seat's REVEAL."""
    secrets = dict(secrets_of(story.end))
    assert len(secrets) == 6
    reveals = [record for record in story.records if record.kind is Kind.REVEAL]
    for seat, reveal in zip(SEATS, reveals, strict=True):
        assert secrets[f"seed of seat {seat}"] in reveal.data
