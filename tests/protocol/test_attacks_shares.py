"""Attacks on shares (protocol section 11, third group), wherever a record carries them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from p2p_schotten.crypto import group
from p2p_schotten.crypto.cells import Cell
from p2p_schotten.crypto.dleq import prove_share, verify_share
from p2p_schotten.crypto.group import SIZE, Point, Scalar
from p2p_schotten.crypto.hashing import challenge
from p2p_schotten.errors import Cause, InvalidProof, PeerFault
from p2p_schotten.ids import SEATS, other
from p2p_schotten.protocol.dealing import deal
from p2p_schotten.protocol.messages import SHARE_BYTES, MoveBody, Shares, Shuffle
from p2p_schotten.protocol.record import Kind
from p2p_schotten.protocol.session import context, keys, secret_key
from tests.crypto.seats import twisted
from tests.protocol.liar import Stage, lie_scalar, shares_of
from tests.protocol.pair import Story

pytestmark = pytest.mark.usefixtures("remembering")

PLACES = ("deal to seat 0", "deal to seat 1", "face and draw", "own face", "debt in a move")


@dataclass
class Place:
    """Where a record carries shares: which cells they are for, and at which position of the record the first stands."""

    stage: Stage
    field: str  # of the body
    cells: tuple[Cell, ...]
    first: int

    @property
    def shares(self) -> list[bytes]:
        """The honest ones."""
        return shares_of(getattr(self.stage.body, self.field))

    @property
    def count_cause(self) -> Cause:
        return Cause.DEBTS if self.field == "debts" else Cause.SHARE

    @property
    def key(self) -> Point:
        return keys(self.stage.session)[self.stage.seat]

    @property
    def x(self) -> Scalar:
        return secret_key(self.stage.session, self.stage.secret)

    def ctx(self, at: int) -> bytes:
        """The context of share `at` (from 0) of this place."""
        return self.stage.ctx("share", self.first + at)

    def data(self, shares: list[bytes]) -> bytes:
        body = self.stage.body
        joined = b"".join(shares)
        if isinstance(body, Shares):
            return self.stage.signed(Shares(joined))
        if isinstance(body, Shuffle):
            return self.stage.signed(replace(body, shares=joined))
        assert isinstance(body, MoveBody)
        lie = replace(body, debts=joined) if self.field == "debts" else replace(body, shares=joined)
        return self.stage.signed(lie)

    def refused(self, at: int, share: bytes) -> None:
        """Share `at` told wrongly, all others right."""
        shares = self.shares
        assert share != shares[at]
        shares[at] = share
        fault = self.stage.refused(self.data(shares), Cause.SHARE, self.stage.seat)
        assert fault.detail.startswith(f"share {self.first + at}: ")


@pytest.fixture(params=PLACES)
def place(request: pytest.FixtureRequest, story: Story) -> Place:
    if request.param == "debt in a move":
        return place_of(request.param, request.getfixturevalue("long_story"))
    return place_of(request.param, story)


def place_of(name: str, story: Story) -> Place:
    if name == "deal to seat 0":
        stage = Stage.find(story, Kind.SHUFFLE, seat=1)
        body = stage.body
        assert isinstance(body, Shuffle)
        cells = body.decks[0].cells
        piles = tuple(
            Cell(Point(cells[at : at + SIZE]), Point(cells[at + SIZE : at + 2 * SIZE]))
            for at in range(0, len(cells), 2 * SIZE)
        )
        settled = deal(stage.session, [piles])
        return Place(stage, "shares", tuple(settled.table.find(due).cell for due in settled.due), 1)
    if name == "own face":
        stage = Stage.find(story, Kind.MOVE, nth=2)
        body = stage.move_body
        (mix,) = body.mixes
        at = 2 * SIZE * (body.positions[0] - 1)
        cell = Cell(Point(mix.cells[at : at + SIZE]), Point(mix.cells[at + SIZE : at + 2 * SIZE]))
        return Place(stage, "shares", (cell,), 1)
    if name == "deal to seat 1":
        stage = Stage.find(story, Kind.SHARES)
    elif name == "face and draw":
        stage = Stage.find(story, Kind.SHARES, nth=1)
    else:
        stage = Stage.find(story, Kind.MOVE, when=lambda body: body.debts != b"")
    assert stage.session.position is not None
    owed = stage.session.position.table.owed(stage.seat)
    return Place(stage, "debts", tuple(sealed.cell for sealed in owed), 1)


def test_the_places_are_what_they_are_called(place: Place) -> None:
    assert len(place.shares) == len(place.cells)
    for at, (cell, share) in enumerate(zip(place.cells, place.shares, strict=True)):
        assert share == prove_share(place.stage.secret, place.x, place.key, place.ctx(at), cell)
    place.stage.victim.receive(place.stage.honest.data)


def test_a_random_point(place: Place) -> None:
    for at in {0, len(place.cells) - 1}:
        D = group.mul_base(lie_scalar("D", at))
        honest = place.shares[at]
        place.refused(at, D + honest[SIZE:])
        # With a proof made as if it were the share.
        w = lie_scalar("w", at)
        a, b = place.cells[at]
        z = challenge("dleq", place.ctx(at), place.key, a, b, D, group.mul_base(w), group.mul(w, a))
        place.refused(at, D + z + group.s_add(w, group.s_mul(z, place.x)))


def test_x_plus_1_with_a_fitting_proof(place: Place) -> None:
    at = len(place.cells) - 1
    x = group.s_add(place.x, group.ONE)
    X = group.mul_base(x)
    for key in (place.key, X):
        share = prove_share(place.stage.secret, x, key, place.ctx(at), place.cells[at])
        place.refused(at, share)
    verify_share(X, place.ctx(at), place.cells[at], share)  # it fits, under a key that is not this seat's


def test_the_right_share_of_another_cell(place: Place) -> None:
    """Of the top of the pile, and of a cell in the victim's hand: proven for this very position."""
    for at, cell in enumerate(other_cells(place)):
        share = place.stage.share(cell, place.first)
        verify_share(place.key, place.ctx(0), cell, share)
        place.refused(0, share)
        if at == 0:
            # The share of one cell with the proof of another.
            place.refused(0, share[:SIZE] + place.shares[0][SIZE:])


def other_cells(place: Place) -> list[Cell]:
    position = place.stage.session.position
    if position is None:
        return list(place.cells[1:2])
    table = position.table
    return [
        table.piles[0][0].cell if table.piles[0] else table.hands[place.stage.seat][0].cells[0].cell,
        table.hands[other(place.stage.seat)][0].cells[-1].cell,
    ]


@pytest.mark.parametrize("order", [1, 2, 4])
def test_the_share_plus_torsion_with_a_challenge_that_hides_it(place: Place, order: int) -> None:
    """D + T where z T = 0: even z for T of order 2. The equations hold in the whole curve; the check of D does not."""
    at = len(place.cells) - 1
    a, b = place.cells[at]
    D = twisted(group.mul(place.x, a), order)
    for attempt in range(500):
        w = lie_scalar("w", order, attempt)
        R1, R2 = group.mul_base(w), group.mul(w, a)
        z = challenge("dleq", place.ctx(at), place.key, a, b, D, R1, R2)
        if int.from_bytes(z, "little") % 8 == 0:
            break
    place.refused(at, D + z + group.s_add(w, group.s_mul(z, place.x)))


def test_a_share_from_another_session(place: Place, won_by_0: Story) -> None:
    elsewhere = Stage.find(won_by_0, Kind.SHARES).session
    assert elsewhere.session_id != place.stage.session.session_id
    ctx = context(replace(elsewhere, head=place.stage.session.head), place.stage.seat, "share", position=place.first)
    place.refused(0, prove_share(place.stage.secret, place.x, place.key, ctx, place.cells[0]))


def test_a_share_from_another_position_record_deck_or_purpose(place: Place) -> None:
    session, seat = place.stage.session, place.stage.seat
    for ctx in (
        context(session, seat, "share", position=place.first + 1),
        context(session, seat, "share", position=0),
        context(replace(session, head=bytes(32)), seat, "share", position=place.first),
        context(session, seat, "share", position=place.first, deck=1),
        context(session, seat, "fault", position=place.first),
        context(session, other(seat), "share", position=place.first),
    ):
        place.refused(0, prove_share(place.stage.secret, place.x, place.key, ctx, place.cells[0]))


def test_shares_in_another_order(story: Story) -> None:
    for name in ("deal to seat 0", "deal to seat 1", "face and draw"):
        place = place_of(name, story)
        first, second, *rest = place.shares
        place.stage.refused(place.data([second, first, *rest]), Cause.SHARE, place.stage.seat)
        # Proven for the positions that they stand at.
        swapped = [place.stage.share(place.cells[1], 1), place.stage.share(place.cells[0], 2)]
        place.stage.refused(place.data([*swapped, *rest]), Cause.SHARE, place.stage.seat)


def test_a_share_missing(place: Place) -> None:
    for left in (place.shares[:-1], place.shares[1:], []):
        place.stage.refused(place.data(left), place.count_cause, place.stage.seat)


def test_a_share_doubled(place: Place) -> None:
    again = place.stage.share(place.cells[-1], place.first + len(place.cells))
    for more in ([*place.shares, place.shares[-1]], [*place.shares, again]):
        place.stage.refused(place.data(more), place.count_cause, place.stage.seat)


def test_a_share_one_too_many(place: Place) -> None:
    """A true share of a cell that nobody is owed: it would open a card of the pile."""
    extra = place.stage.share(other_cells(place)[0], place.first + len(place.cells))
    place.stage.refused(place.data([*place.shares, extra]), place.count_cause, place.stage.seat)


def test_a_proof_under_my_key(place: Place) -> None:
    """The victim's share of the same cell, told as the liar's own: its proof is right, for the other seat."""
    victim = place.stage.victim
    x = secret_key(place.stage.session, victim._secret)
    theirs = keys(place.stage.session)[victim.seat]
    for ctx in (place.ctx(0), context(place.stage.session, victim.seat, "share", position=place.first)):
        share = prove_share(victim._secret, x, theirs, ctx, place.cells[0])
        verify_share(theirs, ctx, place.cells[0], share)
        place.refused(0, share)


def test_half_a_share(place: Place) -> None:
    place.stage.refused(place.data([*place.shares[:-1], place.shares[-1][:-1]]), Cause.BYTES, place.stage.seat)


def test_a_share_paid_in_the_wrong_field(long_story: Story) -> None:
    """A debt put beside the own share, and the own share beside the debts: no more and no less in each."""
    stage = Stage.find(long_story, Kind.MOVE, when=lambda body: body.debts != b"" and body.shares != b"")
    body = stage.move_body
    both = body.debts + body.shares
    stage.refused(stage.signed(replace(body, debts=both, shares=b"")), Cause.DEBTS, stage.seat)
    stage.refused(stage.signed(replace(body, debts=b"", shares=both)), Cause.DEBTS, stage.seat)


def test_a_debt_paid_before_the_deal(story: Story) -> None:
    for seat in SEATS:
        stage = Stage.find(story, Kind.SHUFFLE, seat=seat)
        body = stage.body
        assert isinstance(body, Shuffle)
        stage.refused(stage.signed(replace(body, debts=bytes(SHARE_BYTES))), Cause.DEBTS, seat)


def test_shares_before_both_have_shuffled(story: Story) -> None:
    stage = Stage.find(story, Kind.SHUFFLE, seat=0)
    body = stage.body
    assert isinstance(body, Shuffle)
    stage.refused(stage.signed(replace(body, shares=bytes(SHARE_BYTES))), Cause.SHARE, SEATS[0])


def test_shares_when_nothing_is_owed(story: Story) -> None:
    """The seat that is to move hands out a share of the pile's top instead."""
    stage = Stage.find(story, Kind.MOVE, nth=2)
    assert stage.session.position is not None
    top = stage.session.position.table.piles[0][0].cell
    for body in (Shares(b""), Shares(stage.share(top, 1))):
        stage.refused(stage.signed(body), Cause.KIND, stage.seat)


def test_a_wrong_share_of_my_own_does_not_leave_this_machine(story: Story) -> None:
    """A peer whose memory fails checks its own shares first: it says nothing rather than something that convicts it."""
    stage = Stage.find(story, Kind.SHARES, nth=1)
    place = place_of("face and draw", story)
    with pytest.raises(InvalidProof):
        verify_share(place.key, place.ctx(0), place.cells[1], place.shares[0])
    peer = stage.liar
    before = stage.session
    peer.session = before
    peer.records.pop()
    shares = place.shares
    with pytest.raises(PeerFault) as caught:
        peer._speak(Shares(b"".join([shares[1], shares[0]])))
    assert caught.value.cause is Cause.SHARE
    assert peer.session is before
    assert peer.frames() == []
