"""Attacks on a pile that is restocked (protocol section 11): by whom, when, what, of which cells, and what comes after.

`siege` is the game: the attacker, seat 0, plays a support; both shuffle the pile, then he draws.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from p2p_schotten.crypto.cells import Cell, cells_bytes, start_cell
from p2p_schotten.engine.move import Draw, Play, Support
from p2p_schotten.errors import Cause, PeerFault
from p2p_schotten.ids import SEATS, CardId, DeckId, Seat, StoneId, other
from p2p_schotten.protocol.messages import Remade, Shares, Shuffle
from p2p_schotten.protocol.record import Kind
from p2p_schotten.transcript import verify
from tests.protocol.liar import Stage, file_of, lying_witness, reencrypt, shares_of, spliced_refused
from tests.protocol.moments import table
from tests.protocol.pair import Story
from tests.protocol.test_attacks_plays import blind

pytestmark = pytest.mark.usefixtures("remembering")

SIEGE, TACTICS = DeckId(0), DeckId(1)
BLOW_UP, SUPPORT = 11, 12


def supporting(story: Story) -> Stage:
    """Before the support is played."""
    return Stage.find(story, Kind.MOVE, when=lambda body: body.move[0] == SUPPORT)


def restock(story: Story, seat: Seat) -> Stage:
    """Before that seat shuffles the restocked pile."""
    return Stage.find(story, Kind.SHUFFLE, seat=seat, nth=1)


def drawing(story: Story) -> Stage:
    """Before the draw that ends the turn, after both have shuffled."""
    stage = Stage.of(story, restock(story, SEATS[1]).seq + 1)
    assert (stage.seat, stage.move) == (supporting(story).seat, Draw(SIEGE))
    return stage


def restocked(story: Story) -> tuple[CardId, CardId]:
    """The cards that go back into the pile."""
    move = supporting(story).move
    assert isinstance(move, Support)
    return move.cards


def shuffle_of(stage: Stage) -> Shuffle:
    body = stage.body
    assert isinstance(body, Shuffle)
    return body


def shuffled(stage: Stage, deck: Remade) -> Shuffle:
    """The honest record with these cells and that proof."""
    return replace(shuffle_of(stage), decks=(deck,))


# By whom, and when


def test_a_restock_by_the_wrong_seat_or_in_the_wrong_order(siege: Story) -> None:
    """Seat 1 first, seat 0 twice, whoever played the support or not: always seat 0, then seat 1."""
    zero, one = (restock(siege, seat) for seat in SEATS)
    assert zero.seq + 1 == one.seq
    zero.interrupted().convicted(replace(shuffle_of(one), debts=b""), Cause.SPEAKER)
    restock(siege, SEATS[1]).interrupted().convicted(shuffle_of(zero), Cause.SPEAKER)
    # A whole shuffle of its own, proven for this very place.
    early = restock(siege, SEATS[0]).interrupted()
    early.convicted(Shuffle(b"", (early.remade(early.pile(SIEGE), "restock", SIEGE),), b""), Cause.SPEAKER)


def test_a_move_or_a_share_before_both_have_shuffled(siege: Story) -> None:
    draw = drawing(siege).move_body
    for seat in SEATS:
        stage = restock(siege, seat)
        for body in (draw, Shares(stage.debts()), replace(draw, move=(5,))):
            stage.convicted(body, Cause.KIND)
        stage = restock(siege, seat).interrupted()
        stage.convicted(draw, Cause.SPEAKER)


def test_a_restock_when_none_is_due(siege: Story) -> None:
    """A pile shuffled a third time, or by a seat that thinks the order of the cards is bad for it."""
    stage = drawing(siege)
    again = Shuffle(b"", (stage.remade(stage.pile(SIEGE), "restock", SIEGE),), b"")
    stage.refused(stage.signed(again), Cause.LENGTH, None)  # as long as no record that may come now
    stage.convicted(Shuffle(b"", (), b""), Cause.KIND)
    stage.interrupted().convicted(Shuffle(b"", (), b""), Cause.SPEAKER)


# Which pile


@pytest.mark.parametrize("seat", SEATS)
def test_a_restock_of_another_pile_of_both_or_of_none(siege: Story, seat: Seat) -> None:
    stage = restock(siege, seat)
    honest = shuffle_of(stage)
    (deck,) = honest.decks
    empty = Remade(TACTICS, b"", b"")
    called = stage.remade(stage.pile(SIEGE), "restock", TACTICS)  # the right cells, all of it for the other number
    for decks in ((), (empty,), (called,), (deck, empty), (empty, deck), (replace(deck, deck=TACTICS),)):
        stage.convicted(replace(honest, decks=decks), Cause.SHUFFLE)
    twice = stage.signed(replace(honest, decks=(deck, deck)))
    stage.refused(twice, Cause.LENGTH, None)


# Which cells


def swapped_in(pile: Sequence[Cell], cell: Cell) -> tuple[Cell, ...]:
    """The pile with that cell in place of the last one, which is a restocked card."""
    return (*pile[:-1], cell)


FORGERIES: dict[str, Callable[[Stage], Sequence[Cell]]] = {
    "a restocked card kept out": lambda stage: stage.pile(SIEGE)[:-1],
    "both kept out": lambda stage: stage.pile(SIEGE)[:-2],
    "a cell of the pile doubled": lambda stage: swapped_in(stage.pile(SIEGE), stage.pile(SIEGE)[0]),
    "a cell of his hand": lambda stage: swapped_in(stage.pile(SIEGE), stage.held(SIEGE)[0]),
    "a cell of my hand": lambda stage: swapped_in(stage.pile(SIEGE), stage.held(SIEGE, other(stage.seat))[0]),
    "another card": lambda stage: swapped_in(stage.pile(SIEGE), start_cell(0, 7, stage.session.joint)),
    "a card of the other deck": lambda stage: swapped_in(stage.pile(SIEGE), start_cell(1, 0, stage.session.joint)),
    "both replaced by cells of his hand": lambda stage: (*stage.pile(SIEGE)[:-2], *stage.held(SIEGE)[:2]),
}


@pytest.mark.parametrize("what", FORGERIES)
def test_a_restock_of_other_cells(siege: Story, what: str) -> None:
    """Truly shuffled and proven for this place, of cells that are not those of the pile."""
    stage = restock(siege, SEATS[0])
    assert len(stage.pile(SIEGE)) == 31
    before = FORGERIES[what](stage)
    assert [*before] != [*stage.pile(SIEGE)]
    stage.convicted(shuffled(stage, stage.remade(before, "restock", SIEGE)), Cause.SHUFFLE)


def test_a_restock_with_a_cell_more(siege: Story) -> None:
    stage = restock(siege, SEATS[0])
    more = (*stage.pile(SIEGE), stage.pile(SIEGE)[0])
    lie = shuffled(stage, stage.remade(more, "restock", SIEGE))
    stage.refused(stage.signed(lie), Cause.LENGTH, None)
    # Short enough to be read, with a proof for as many cells as there are.
    (honest,) = shuffle_of(stage).decks
    lie = shuffled(stage, replace(honest, cells=cells_bytes(more)))
    stage.convicted(lie, Cause.SHUFFLE)


def test_a_cell_of_the_restocked_pile_lost_and_another_doubled(siege: Story) -> None:
    """With a witness that is no permutation, and cells swapped, moved or scaled behind an honest proof."""
    stage = restock(siege, SEATS[1])
    pile, joint = stage.pile(SIEGE), stage.session.joint
    n = len(pile)
    witness = lying_witness(n, (*range(n - 1), 0))
    cells = reencrypt(pile, witness, joint)
    proof = stage.prove(pile, cells, lying_witness(n), "restock").proof
    stage.convicted(shuffled(stage, Remade(SIEGE, cells_bytes(cells), proof)), Cause.SHUFFLE)
    (honest,) = shuffle_of(stage).decks
    half = len(honest.cells) // 2
    for lie in (
        honest.cells[64:128] + honest.cells[:64] + honest.cells[128:],
        honest.cells[half:] + honest.cells[:half],
        honest.cells[:-64] + honest.cells[:64],
        cells_bytes(pile),
    ):
        stage.convicted(shuffled(stage, replace(honest, cells=lie)), Cause.SHUFFLE)
    stage.convicted(shuffled(stage, replace(honest, proof=honest.proof[:-32])), Cause.SHUFFLE)


# Which proof


@pytest.mark.parametrize("seat", SEATS)
def test_a_restock_proven_for_another_place(siege: Story, seat: Seat) -> None:
    """As a shuffle of the set-up, as the mix of a hand, for the other deck; each true, and none for this place."""
    stage = restock(siege, seat)
    pile = stage.pile(SIEGE)
    for lie in (
        stage.remade(pile, "shuffle", SIEGE),
        stage.remade(pile, "mix", SIEGE),
        stage.remade(pile, "restock", SIEGE, proven=TACTICS),
        replace(stage.remade(pile, "restock", SIEGE), proof=b""),
    ):
        stage.convicted(shuffled(stage, lie), Cause.SHUFFLE)
    assert stage.remade(pile, "restock", SIEGE) == shuffle_of(stage).decks[0]


def test_an_earlier_shuffle_replayed_as_a_restock(siege: Story) -> None:
    """That of the set-up has more cells than the pile; that of the other seat a moment ago has as many."""
    first = Stage.find(siege, Kind.SHUFFLE, seat=0)
    stage = restock(siege, SEATS[0])
    (deck, _tactics) = shuffle_of(first).decks
    stage.refused(stage.signed(shuffled(stage, deck)), Cause.LENGTH, None)
    cut = Remade(SIEGE, deck.cells[: len(cells_bytes(stage.pile(SIEGE)))], shuffle_of(stage).decks[0].proof)
    stage.convicted(shuffled(stage, cut), Cause.SHUFFLE)
    one = restock(siege, SEATS[1])
    one.convicted(shuffled(one, shuffle_of(stage).decks[0]), Cause.SHUFFLE)


# Debts and shares


def test_a_restock_without_its_authors_debts(siege: Story) -> None:
    """The other still owes the share of the support itself, and pays it here."""
    played = supporting(siege)
    stage = restock(siege, other(played.seat))
    honest = shuffle_of(stage)
    (owed,) = shares_of(honest.debts)
    assert owed == stage.debts()
    for debts in (b"", owed + owed):
        stage.convicted(replace(honest, debts=debts), Cause.DEBTS)
    for cell in (stage.pile(SIEGE)[-1], stage.pile(SIEGE)[0], stage.held(SIEGE)[0]):
        stage.convicted(replace(honest, debts=stage.share(cell, 1)), Cause.SHARE)
    # As a share due by the shuffle, which makes none due.
    stage.convicted(replace(honest, debts=b"", shares=owed), Cause.DEBTS)
    stage.convicted(replace(honest, shares=owed), Cause.SHARE)


def test_the_share_of_a_restocked_card_given(siege: Story) -> None:
    """Whoever gave it would show where the card lies in the pile."""
    zero = restock(siege, SEATS[0])
    for at in (-1, -2):
        share = zero.share(zero.pile(SIEGE)[at], 1)
        zero.convicted(replace(shuffle_of(zero), shares=share), Cause.SHARE)
        zero.convicted(replace(shuffle_of(zero), debts=share), Cause.DEBTS)
    draw = drawing(siege)
    share = draw.share(draw.pile(SIEGE)[0], 1)
    draw.convicted(replace(draw.move_body, shares=share), Cause.SHARE)


# What it says, and what comes after


def test_a_support_told_under_another_order_of_the_pile(siege: Story) -> None:
    """The cards go to the bottom in the order named, and nowhere else; both seats owe the shuffle."""
    stage = supporting(siege)
    after = restock(siege, SEATS[0]).session
    assert after.state is not None
    sealed = table(after)
    pile = sealed.piles[SIEGE]
    one, two = restocked(siege)
    under = tuple(start_cell(0, card, stage.session.joint) for card in (one, two))  # card ids of deck 0 are indices
    assert restock(siege, SEATS[0]).pile(SIEGE) == (*stage.pile(SIEGE), *under)
    for order in ((*pile[:-2], pile[-1], pile[-2]), (*pile[-2:], *pile[:-2]), pile[:-1], pile[:-2]):
        lie = replace(sealed, piles=(order, sealed.piles[TACTICS])).code(after.state)
        stage.convicted(replace(stage.move_body, digest=lie), Cause.DIGEST)
    state = stage.session.state
    assert state is not None
    third = next(card for card in state.beside.discard if card < 60 and card not in (one, two))
    lying = tuple(sorted((one, third)))
    stage.convicted(replace(stage.move_body, move=(SUPPORT, stage.move_body.move[1], *lying)), Cause.DIGEST)


def test_the_draw_after_a_support_left_out_or_from_the_empty_pile(siege: Story) -> None:
    stage = drawing(siege)
    assert stage.session.state is not None
    assert stage.session.state.piles == (31, 0)
    for code in ((3,), (4,), (2, 1), (0, 5, 2), (SUPPORT, 69, *restocked(siege)), (17, 1)):
        stage.convicted(replace(stage.move_body, move=code), Cause.ILLEGAL)


def test_a_restocked_card_played_out_of_the_hand(siege: Story) -> None:
    """It is unseen again, so anybody may hold it; who names it for another cell is caught as ever."""
    for seat in SEATS:
        stage = next(
            Stage.of(siege, record.seq)
            for record in siege.records[drawing(siege).seq :]
            if record.kind is Kind.MOVE and record.seat == seat and Stage.of(siege, record.seq).move_body.positions
        )
        for card in restocked(siege):
            assert card not in stage.liar.hand
            lie = stage.telling(Play(card, StoneId(stage.move_body.move[2])), stage.move_body.positions)
            stage.convicted(lie, Cause.FACE)


def test_a_restocked_card_left_in_the_discard_pile_too(siege: Story) -> None:
    """It lies in the pile or there, not in both: the state with both is another."""
    stage = supporting(siege)
    after = restock(siege, SEATS[0]).session
    assert after.state is not None
    beside = after.state.beside._replace(discard=(*after.state.beside.discard, restocked(siege)[0]))
    lie = table(after).code(after.state._replace(beside=beside))
    stage.convicted(replace(stage.move_body, digest=lie), Cause.DIGEST)


# A support that is none


def false_support(story: Story) -> tuple[Stage, bytes]:
    """He holds a support and another ruse: he names the one, and points at the other, which he keeps for later."""
    stage = Stage.find(story, Kind.MOVE, when=lambda body: body.move[0] == BLOW_UP)
    state, support = stage.session.state, CardId(supporting(story).move_body.move[1])
    assert state is not None
    assert support in stage.liar.hand
    one, two, *_ = sorted(card for card in state.beside.discard if card < 60)
    lie = stage.telling(Support(support, (one, two)), stage.move_body.positions)
    return stage, stage.signed(lie)


def test_a_support_of_a_false_face(siege: Story) -> None:
    """Two cards would be shuffled in by a card that he does not lay down."""
    stage, lie = false_support(siege)
    stage.refused(lie, Cause.FACE, stage.seat)


def test_a_support_of_a_false_face_passed_on_by_a_colluder(siege: Story) -> None:
    """The other looks away and shuffles. In that very record it owes the share that shows the cell."""
    stage, lie = false_support(siege)
    liar, colluder = stage.liar, stage.victim
    assert (liar.seat, colluder.seat) == SEATS
    blind(colluder)
    colluder.receive(lie)
    first = Stage(stage.pair, replace(stage.honest, seq=stage.seq + 1))
    made = first.signed(Shuffle(b"", (first.remade(first.pile(SIEGE), "restock", SIEGE),), b""))
    with pytest.raises(PeerFault) as caught:
        colluder.receive(made)  # it stumbles over its own answer
    assert (caught.value.seq, caught.value.cause, caught.value.blame) == (stage.seq + 2, Cause.FACE, stage.seat)
    prefix = [*stage.pair.records, lie, made]
    assert verify(file_of(*prefix)).fault is None
    # A program that answers all the same.
    answer = Stage(stage.pair, replace(stage.honest, seq=len(prefix), seat=colluder.seat))
    liar.session = colluder.session
    said = Shuffle(answer.debts(), (answer.remade(answer.pile(SIEGE), "restock", SIEGE),), b"")
    spliced_refused(file_of(*prefix, answer.signed(said)), len(prefix), Cause.FACE, stage.seat)
