"""Where cells are remade, so that the same lie can be told about a deck and about a hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from p2p_schotten.crypto.cells import Cell
from p2p_schotten.crypto.group import Point
from p2p_schotten.crypto.shuffle import Shuffled, Witness
from p2p_schotten.errors import Cause
from p2p_schotten.protocol.messages import MoveBody
from p2p_schotten.protocol.record import Kind
from tests.protocol.liar import Stage, lying_witness, reencrypt
from tests.protocol.pair import Story

PLACES = ("first shuffle", "second shuffle", "mix")


def mixes(body: MoveBody) -> bool:
    return bool(body.mixes)


@dataclass
class Place:
    """Where cells are remade: the liar's cells before, and how he says what came of them."""

    stage: Stage
    label: str
    cause: Cause
    before: tuple[Cell, ...]

    @property
    def n(self) -> int:
        return len(self.before)

    @property
    def joint(self) -> Point:
        return self.stage.session.joint

    @property
    def ctx(self) -> bytes:
        return self.stage.ctx(self.label)

    def honest(self) -> Shuffled:
        """What an honest peer makes here (with factors of its own)."""
        return self.prove(reencrypt(self.before, lying_witness(self.n), self.joint), lying_witness(self.n))

    def prove(self, after: Sequence[Cell], witness: Witness) -> Shuffled:
        return self.stage.prove(self.before, after, witness, self.label)

    def data(self, after: Sequence[Cell], proof: bytes) -> bytes:
        """The record, its shares and its digest as they fit these cells."""
        if self.label == "shuffle":
            return self.stage.signed(self.stage.shuffle_body(after, proof))
        return self.stage.signed(self.stage.move_body_of(Shuffled(tuple(after), proof, ()), (1,)))

    def refused(self, after: Sequence[Cell], proof: bytes) -> None:
        self.stage.refused(self.data(after, proof), self.cause, self.stage.seat)

    def accepts_the_honest(self) -> None:
        """That the lie before was refused for what it is: the same record without it is taken."""
        if self.label == "mix":
            self.stage.victim.receive(self.stage.honest.data)
        else:
            made = self.honest()
            self.stage.victim.receive(self.data(made.cells, made.proof))
        assert self.stage.victim.session.seq > self.stage.seq


def mix_of(story: Story, nth: int) -> Place:
    stage = Stage.find(story, Kind.MOVE, when=mixes, nth=nth)
    return Place(stage, "mix", Cause.MIX, tuple(sealed.cell for sealed in stage.hand))


def replay_mix(place: Place, earlier: Stage, *, others: bool) -> None:
    assert (earlier.seat != place.stage.seat) == others
    (mix,) = earlier.move_body.mixes
    lie = replace(place.stage.move_body, mixes=(mix,))
    place.stage.refused(place.stage.signed(lie), Cause.MIX, place.stage.seat)
