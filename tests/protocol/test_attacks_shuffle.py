"""Attacks on shuffles and mixes (protocol section 11, second group, and the mixes of the third).

Every lie is told in three places: by seat 0 about the whole deck, by seat 1 about the deck of seat 0, and about a hand.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_schotten.crypto import group
from p2p_schotten.crypto.cells import Cell, card_point
from p2p_schotten.crypto.group import SIZE, Point, Scalar
from p2p_schotten.crypto.shuffle import proof_size, prove_shuffle, shuffle, verify_shuffle
from p2p_schotten.errors import Cause
from p2p_schotten.ids import SEATS, DeckId, other
from p2p_schotten.protocol.dealing import decks_before
from p2p_schotten.protocol.messages import CELL_BYTES, Remade, Shuffle, read_body
from p2p_schotten.protocol.record import Kind
from p2p_schotten.protocol.session import context
from tests.protocol.liar import Stage, file_of, lie_scalar, lying_witness, reencrypt, spliced_refused
from tests.protocol.pair import Story
from tests.protocol.shuffles import PLACES, Place, mix_of, mixes, replay_mix

pytestmark = pytest.mark.usefixtures("remembering")


@pytest.fixture(params=PLACES)
def place(request: pytest.FixtureRequest, story: Story) -> Place:
    if request.param == "mix":
        # Not the first: both seats have mixed before.
        return mix_of(story, nth=4)
    stage = Stage.find(story, Kind.SHUFFLE, seat=PLACES.index(request.param))
    return Place(stage, "shuffle", Cause.SHUFFLE, decks_before(stage.session)[0])


def test_a_shuffle_by_the_rules_is_accepted(place: Place) -> None:
    place.accepts_the_honest()


# Lies about the cells


def test_a_card_twice_and_one_dropped(place: Place) -> None:
    twice = (*range(place.n - 1), 0)
    # The witness names each input once, the cells do not follow it.
    cells = reencrypt(place.before, lying_witness(place.n, twice), place.joint)
    made = place.prove(cells, lying_witness(place.n, range(place.n)))
    place.refused(made.cells, made.proof)


def test_a_witness_that_is_not_a_permutation(place: Place) -> None:
    witness = lying_witness(place.n, (*range(place.n - 1), 0))
    made = place.prove(reencrypt(place.before, witness, place.joint), witness)
    place.refused(made.cells, made.proof)


def test_the_whole_deck_replaced_by_an_own_deck_in_known_order(place: Place) -> None:
    own = [
        Cell(group.mul_base(r), group.add(card_point(0, index), group.mul(r, place.joint)))
        for index, r in enumerate(lie_scalar("own", index) for index in range(place.n))
    ]
    made = place.prove(own, lying_witness(place.n, range(place.n)))
    place.refused(made.cells, made.proof)


def test_the_starting_deck_instead_of_the_others_shuffle(story: Story) -> None:
    """Seat 1 forgets what seat 0 did: a true shuffle with a true proof, of other cells."""
    stage = Stage.find(story, Kind.SHUFFLE, seat=1)
    start = decks_before(replace(stage.session, piles=()))[0]
    made = shuffle(stage.secret, stage.ctx("shuffle"), stage.session.joint, start)
    verify_shuffle(stage.ctx("shuffle"), stage.session.joint, start, made.cells, made.proof)
    stage.refused(stage.signed(stage.shuffle_body(made.cells, made.proof)), Cause.SHUFFLE, SEATS[1])


def test_all_cells_equal(place: Place) -> None:
    witness = lying_witness(place.n, range(place.n))
    one = reencrypt(place.before, witness, place.joint)[0]
    made = place.prove((one,) * place.n, witness)
    place.refused(made.cells, made.proof)


def test_a_card_swapped_for_a_foreign_point(place: Place) -> None:
    witness = lying_witness(place.n)
    cells = list(reencrypt(place.before, witness, place.joint))
    foreign = group.hash_to_group(b"no card at all, 32 bytes long...")
    cells[-1] = Cell(cells[-1].a, group.add(cells[-1].b, foreign))
    made = place.prove(cells, witness)
    place.refused(made.cells, made.proof)


@pytest.mark.parametrize("which", ["one", "all"])
def test_ciphertexts_scaled(place: Place, which: str) -> None:
    witness = lying_witness(place.n)
    two = Scalar((2).to_bytes(SIZE, "little"))
    scaled = [
        Cell(group.mul(two, cell.a), group.mul(two, cell.b)) if which == "all" or at == 0 else cell
        for at, cell in enumerate(reencrypt(place.before, witness, place.joint))
    ]
    made = place.prove(scaled, witness)
    place.refused(made.cells, made.proof)


def test_two_cells_swapped_after_proving(place: Place) -> None:
    made = place.honest()
    cells = (made.cells[1], made.cells[0], *made.cells[2:])
    place.refused(cells, made.proof)


def test_halves_of_two_cells_swapped(place: Place) -> None:
    made = place.honest()
    first, second = made.cells[:2]
    place.refused((Cell(first.a, second.b), Cell(second.a, first.b), *made.cells[2:]), made.proof)


def test_one_cell_too_few_or_too_many(place: Place) -> None:
    fewer = place.before[:-1]
    more = (*place.before, place.before[0])
    for before in (fewer, more):
        witness = lying_witness(len(before))
        cells = reencrypt(before, witness, place.joint)
        made = place.stage.prove(before, cells, witness, place.label)
        # Alone this is a true proof.
        verify_shuffle(place.ctx, place.joint, before, cells, made.proof)
        place.refused(made.cells, made.proof)


# Lies about the proof


def test_a_proof_made_for_another_deck_role_input_or_key(place: Place) -> None:
    stage, session = place.stage, place.stage.session
    witness = lying_witness(place.n)
    cells = reencrypt(place.before, witness, place.joint)
    swapped = (place.before[1], place.before[0], *place.before[2:])
    my_key = Point(session.opens[stage.seat].key)
    statements = {
        "deck": (context(session, stage.seat, place.label, deck=1), place.joint, place.before),
        "role": (context(session, other(stage.seat), place.label), place.joint, place.before),
        "label": (stage.ctx("mix" if place.label == "shuffle" else "shuffle"), place.joint, place.before),
        "moment": (context(replace(session, head=bytes(32)), stage.seat, place.label), place.joint, place.before),
        "input": (place.ctx, place.joint, swapped),
        "key": (place.ctx, my_key, place.before),
    }
    for what, (ctx, Y, before) in statements.items():
        fitting = reencrypt(before, witness, Y)
        proof = prove_shuffle(stage.secret, ctx, Y, before, fitting, witness)
        verify_shuffle(ctx, Y, before, fitting, proof)  # true where it was made
        assert (fitting == cells) == (what in {"deck", "role", "label", "moment"})
        place.refused(fitting, proof)


def test_the_others_proof_replayed(story: Story) -> None:
    """Seat 1 says again what seat 0 said, cells and proof; then a hand gets the other hand's last mix."""
    stage = Stage.find(story, Kind.SHUFFLE, seat=1)
    theirs = read_body(Kind.SHUFFLE, story.records[stage.seq - 1].body)
    assert isinstance(theirs, Shuffle)
    again = stage.shuffle_body(stage.session.piles[0], theirs.decks[0].proof)
    assert again.decks == theirs.decks
    stage.refused(stage.signed(again), Cause.SHUFFLE, SEATS[1])
    place = mix_of(story, nth=4)
    replay_mix(place, Stage.find(story, Kind.MOVE, when=mixes, nth=3), others=True)


def test_a_shuffle_of_another_game_replayed(story: Story, won_by_0: Story) -> None:
    stage = Stage.find(story, Kind.SHUFFLE, seat=0)
    elsewhere = Stage.find(won_by_0, Kind.SHUFFLE, seat=0).body
    assert isinstance(elsewhere, Shuffle)
    stage.refused(stage.signed(elsewhere), Cause.SHUFFLE, SEATS[0])


@pytest.mark.parametrize("cut", [1, SIZE, -1, -SIZE])
def test_a_truncated_or_longer_proof(place: Place, cut: int) -> None:
    made = place.honest()
    proof = made.proof[:-cut] if cut > 0 else made.proof + bytes(-cut)
    place.refused(made.cells, proof)


def test_no_proof_at_all(place: Place) -> None:
    place.refused(place.honest().cells, b"")


def test_the_challenge_chosen_first_and_the_rest_computed_back(place: Place) -> None:
    """Any z, s, c, k have t values that satisfy the equations, and t is not sent: only hashing them again tells."""
    n = place.n
    own = place.honest().cells  # of a permutation that the liar need not even know
    points = [group.mul_base(lie_scalar("back", at)) for at in range(2 * n)]
    scalars = [lie_scalar("back scalar", at) for at in range(2 * n + 5)]
    proof = b"".join((*points, *scalars))
    assert len(proof) == proof_size(n)
    place.refused(own, proof)


# The record around it


def test_a_shuffle_sent_twice(story: Story) -> None:
    """Once more under the next number; whoever has received the first has answered it, so the deal is due."""
    for seat in SEATS:
        stage = Stage.find(story, Kind.SHUFFLE, seat=seat)
        body = stage.body
        stage.victim.receive(stage.honest.data)
        stage.pair.records += [stage.honest.data, *stage.victim.frames()]
        number = len(stage.pair.records)
        speaker = stage.session.speaker
        # Nothing of that length may come now: not even its signature is looked at.
        if seat == 0:
            stage.refused(stage.signed(body, seq=number), Cause.LENGTH, None, seq=number)
        cause = Cause.KIND if speaker == seat else Cause.SPEAKER
        stage.refused(stage.signed(Shuffle(b"", (), b""), seq=number), cause, seat, seq=number)


def test_a_shuffle_sent_twice_before_the_others(story: Story) -> None:
    stage = Stage.find(story, Kind.SHUFFLE, seat=1)
    first = Stage.find(story, Kind.SHUFFLE, seat=0)
    again = first.signed(first.body, seq=stage.seq, prev=stage.session.head)
    spliced_refused(file_of(*stage.pair.records, again), stage.seq, Cause.SPEAKER, SEATS[0])


@pytest.mark.parametrize("seat", SEATS)
def test_a_shuffle_left_out(story: Story, seat: int) -> None:
    stage = Stage.find(story, Kind.SHUFFLE, seat=seat)
    move = Stage.find(story, Kind.MOVE, seat=seat).body
    stage.refused(stage.signed(move), Cause.KIND, stage.seat)
    stage.refused(stage.signed(Shuffle(b"", (), b"")), Cause.SHUFFLE, stage.seat)


@pytest.mark.parametrize("seat", SEATS)
def test_a_deck_that_the_game_has_not(story: Story, seat: int) -> None:
    stage = Stage.find(story, Kind.SHUFFLE, seat=seat)
    body = stage.body
    assert isinstance(body, Shuffle)
    stage.refused(
        stage.signed(replace(body, decks=(replace(body.decks[0], deck=DeckId(1)),))), Cause.SHUFFLE, stage.seat
    )
    small = Remade(DeckId(1), body.decks[0].cells[:CELL_BYTES], bytes(proof_size(1)))
    stage.refused(stage.signed(replace(body, decks=(*body.decks, small))), Cause.SHUFFLE, stage.seat)
