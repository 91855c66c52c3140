"""Attacks on the mixes of hands alone (protocol section 11, third group): due or not, of which cells, of which hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_schotten.crypto.shuffle import shuffle, verify_shuffle
from p2p_schotten.engine.move import Play
from p2p_schotten.errors import Cause
from p2p_schotten.ids import CardId, DeckId, StoneId, other
from p2p_schotten.protocol.messages import Remade
from p2p_schotten.protocol.record import Kind
from tests.protocol.liar import Stage, lying_witness, reencrypt
from tests.protocol.pair import Story
from tests.protocol.shuffles import mix_of, mixes, replay_mix

pytestmark = pytest.mark.usefixtures("remembering")


def test_an_earlier_mix_replayed(story: Story) -> None:
    replay_mix(mix_of(story, nth=4), Stage.find(story, Kind.MOVE, when=mixes, nth=2), others=False)


def test_a_mix_left_out(story: Story) -> None:
    """The cell that the whole table saw being drawn is played as it is."""
    for nth in (0, 1, 4):
        place = mix_of(story, nth)
        stage = place.stage
        lie = replace(stage.move_body, mixes=())
        stage.refused(stage.signed(lie), Cause.MIX, stage.seat)


def test_a_mix_that_is_not_due(long_story: Story) -> None:
    """A hand that received nothing, mixed again: its owner could hide what he did; and a mix beside no play."""
    unmixed_play = Stage.find(long_story, Kind.MOVE, when=lambda body: body.positions != () and not body.mixes)
    no_play = Stage.find(long_story, Kind.MOVE, when=lambda body: not body.positions, nth=-3)
    for stage in (unmixed_play, no_play):
        assert stage.session.position is not None
        assert stage.session.position.table.hands[stage.seat][0].mixed
        cells = tuple(sealed.cell for sealed in stage.hand)
        made = shuffle(stage.secret, stage.ctx("mix"), stage.session.joint, cells)
        mix = Remade(DeckId(0), b"".join(half for cell in made.cells for half in cell), made.proof)
        lie = replace(stage.move_body, mixes=(mix,))
        data = stage.signed(lie)
        assert len(data) <= stage.session.limit()
        stage.refused(data, Cause.MIX, stage.seat)


def test_a_mix_done_twice_or_of_a_deck_that_is_not_there(story: Story) -> None:
    stage = mix_of(story, 4).stage
    (mix,) = stage.move_body.mixes
    stage.refused(stage.signed(replace(stage.move_body, mixes=(replace(mix, deck=DeckId(1)),))), Cause.MIX, stage.seat)
    short = replace(mix, proof=b"", cells=b"")
    stage.refused(stage.signed(replace(stage.move_body, mixes=(mix, short))), Cause.MIX, stage.seat)


def test_a_mix_with_a_foreign_cell(story: Story) -> None:
    """A cell of the pile, and one of the other hand, brought in for one of mine; all proven as well as can be."""
    place = mix_of(story, 4)
    position = place.stage.session.position
    assert position is not None
    for foreign in (position.table.piles[0][0].cell, position.table.hands[other(place.stage.seat)][0].cells[0].cell):
        witness = lying_witness(place.n)
        before = (*place.before[:-1], foreign)
        cells = reencrypt(before, witness, place.joint)
        made = place.stage.prove(before, cells, witness, "mix")
        verify_shuffle(place.ctx, place.joint, before, cells, made.proof)
        place.refused(made.cells, made.proof)


def test_a_mix_with_a_lost_or_doubled_cell(story: Story) -> None:
    place = mix_of(story, 4)
    for permutation in ((*range(place.n - 1), 0), (1, *range(1, place.n))):
        witness = lying_witness(place.n, permutation)
        cells = reencrypt(place.before, witness, place.joint)
        before = tuple(place.before[j] for j in permutation)
        honest = lying_witness(place.n, range(place.n))
        made = place.stage.prove(before, reencrypt(before, honest, place.joint), honest, "mix")
        place.refused(made.cells, made.proof)
        place.refused(cells, place.prove(cells, witness).proof)


def test_a_mix_of_another_count(story: Story) -> None:
    place = mix_of(story, 4)
    for before in (place.before[:1], place.before[:-1], (*place.before, *place.before)):
        witness = lying_witness(len(before))
        cells = reencrypt(before, witness, place.joint)
        made = place.stage.prove(before, cells, witness, "mix")
        place.refused(made.cells, made.proof)


def test_a_mix_of_the_other_hand(story: Story) -> None:
    place = mix_of(story, 4)
    position = place.stage.session.position
    assert position is not None
    theirs = tuple(sealed.cell for sealed in position.table.hands[other(place.stage.seat)][0].cells)
    witness = lying_witness(len(theirs))
    cells = reencrypt(theirs, witness, place.joint)
    made = place.stage.prove(theirs, cells, witness, "mix")
    verify_shuffle(place.ctx, place.joint, theirs, cells, made.proof)
    place.refused(made.cells, made.proof)


def test_a_mix_of_another_seed_is_no_cheat(story: Story) -> None:
    """Only a CLOSE and the remaking of bodies ask for the seed: any true shuffle is a mix."""
    place = mix_of(story, 4)
    made = shuffle(place.stage.secret, place.ctx, place.joint, place.before)
    witness = lying_witness(place.n, made.permutation)
    cells = reencrypt(place.before, witness, place.joint)
    other_factors = place.stage.prove(place.before, cells, witness, "mix")
    stage = place.stage
    body = stage.move_body_of(other_factors, stage.move_body.positions)
    assert isinstance(stage.move, Play)
    assert stage.move == Play(CardId(body.move[1]), StoneId(body.move[2]))
    stage.victim.receive(stage.signed(body))
    assert stage.victim.session.seq > stage.seq
