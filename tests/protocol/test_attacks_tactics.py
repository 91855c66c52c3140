"""Attacks with tactic cards (protocol section 11): a second deck, its faces and its mixes, the limit, draws by choice.

`battle` is the game: seat 0 has laid a leader and a scout, seat 1 a card of its own and then the other leader.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_schotten.crypto.cells import cells_bytes, read_cells
from p2p_schotten.engine.move import Done, Draw, Play, move_code
from p2p_schotten.engine.state import Phase, State
from p2p_schotten.errors import Cause
from p2p_schotten.ids import CardId, DeckId, StoneId, other
from p2p_schotten.protocol.messages import MoveBody, Remade, Shares
from p2p_schotten.protocol.record import Kind
from tests.protocol.liar import Stage, lying_witness, reencrypt, shares_of
from tests.protocol.pair import Story

pytestmark = pytest.mark.usefixtures("remembering")

TROOPS, TACTICS = DeckId(0), DeckId(1)
ALX, DAR, CAV, SHD, FOG, MUD, SCO, RED, DES, TRA = map(CardId, range(60, 70))
NO_CELLS = {deck: Remade(deck, b"", b"") for deck in (TROOPS, TACTICS)}


def state_of(stage: Stage) -> State:
    state = stage.session.state
    assert state is not None
    return state


def laying(story: Story, card: CardId) -> Stage:
    """Before that card is laid on a stone."""
    return Stage.find(story, Kind.MOVE, when=lambda body: body.move[:2] == (0, card))


def drawing(story: Story, nth: int = 0) -> Stage:
    """Before the nth draw by choice that ends a turn."""
    draws = (
        Stage.of(story, record.seq)
        for record in story.records
        if record.kind is Kind.MOVE and Stage.of(story, record.seq).move_body.move[0] == 2
    )
    return [stage for stage in draws if state_of(stage).phase is Phase.CLAIM][nth]


def stopped(story: Story) -> Stage:
    """A numbered card is laid by a seat that holds three tactic cards and is one ahead of the other."""
    stage = Stage.find(story, Kind.MOVE, seat=0, when=lambda body: body.move[0] == 0, nth=-1)
    assert state_of(stage).beside.tactics == (2, 1)
    assert {MUD, RED, DES} <= set(stage.liar.hand)
    return stage


def beside_unmixed(story: Story) -> Stage:
    """A numbered card is laid out of a mixed hand, while the tactic card beside it is unmixed."""
    stage = Stage.find(story, Kind.MOVE, seat=1, when=lambda body: bool(body.positions) and not body.mixes)
    assert stage.session.position is not None
    assert [hand.mixed for hand in stage.session.position.table.hands[1]] == [True, False]
    return stage


# Faces of two decks


def test_a_false_face_of_a_tactic_card(battle: Story) -> None:
    """He names another tactic card of his hand, and one of mine, for the leader's cell."""
    stage = laying(battle, DAR)
    assert {CAV, FOG, TRA} <= {*stage.liar.hand}
    assert MUD in stage.victim.hand
    for lie in (CAV, FOG, MUD):
        fault = stage.convicted(stage.telling(Play(lie, StoneId(1)), stage.move_body.positions), Cause.FACE)
        assert stage.session.rules.text(lie) in fault.detail


def test_the_other_of_two_leaders(battle: Story) -> None:
    """They are worth the same, and are two cards all the same: in the open lies the one that was named."""
    stage = laying(battle, ALX)
    stage.convicted(stage.telling(Play(DAR, StoneId(0)), stage.move_body.positions), Cause.FACE)
    late = laying(battle, DAR)
    fault = late.convicted(replace(late.move_body, move=move_code(Play(ALX, StoneId(1)))), Cause.ILLEGAL)
    assert "lies open already" in fault.detail


def test_a_tactic_card_named_for_a_cell_of_the_other_deck(battle: Story) -> None:
    """A position counts in the hand of the deck of the face: mix, place and share are all of that deck."""
    stage = laying(battle, SHD)
    body, troops = stage.move_body, stage.held(TROOPS)
    assert (len(troops), len(stage.held(TACTICS))) == (5, 2)
    for position in (3, 5, 7):
        stage.convicted(replace(body, positions=(position,)), Cause.POSITION)
    for deck in (TROOPS, TACTICS):
        stage.convicted(replace(body, shares=stage.share(troops[0], 1, deck=deck)), Cause.SHARE)
    stage.convicted(replace(body, mixes=(replace(body.mixes[0], deck=TROOPS),)), Cause.MIX)


def test_a_numbered_card_named_for_a_cell_of_the_tactic_deck(battle: Story) -> None:
    stage = beside_unmixed(battle)
    body, (tactic,) = stage.move_body, stage.held(TACTICS)
    for deck in (TROOPS, TACTICS):
        stage.convicted(replace(body, shares=stage.share(tactic, 1, deck=deck)), Cause.SHARE)
    stage.convicted(replace(body, positions=(len(stage.held(TROOPS)) + 1,)), Cause.POSITION)


def test_a_tactic_card_played_by_a_hand_without_one(battle: Story) -> None:
    stage = Stage.find(battle, Kind.MOVE)
    assert stage.held(TACTICS) == ()
    for code in ((0, ALX, 0), (0, FOG, 0), (6, SCO)):
        assert "holds no such card" in stage.convicted(replace(stage.move_body, move=code), Cause.ILLEGAL).detail


def test_a_share_of_a_tactic_card_proven_for_the_other_deck(battle: Story) -> None:
    """The deck is part of what a share is proven for."""
    stage = laying(battle, DAR)
    body = stage.move_body
    cell = read_cells(body.mixes[0].cells, 4)[body.positions[0] - 1]
    assert stage.share(cell, 1, deck=TACTICS) == body.shares
    stage.convicted(replace(body, shares=stage.share(cell, 1, deck=TROOPS)), Cause.SHARE)


# Mixes of two decks


def test_a_mix_of_the_deck_that_no_card_leaves(battle: Story) -> None:
    """A numbered card is laid: his tactic cards are unmixed, and stay so. A mix is due when its cell leaves."""
    stage = beside_unmixed(battle)
    idle = stage.remade(stage.held(TACTICS), "mix", TACTICS)
    again = stage.remade(stage.held(TROOPS), "mix", TROOPS)
    for mixes in ((idle,), (again,), (again, idle)):
        stage.convicted(replace(stage.move_body, mixes=mixes), Cause.MIX)


def test_the_mix_of_a_tactic_card_left_out_doubled_or_beside_another(battle: Story) -> None:
    stage = laying(battle, SHD)
    body = stage.move_body
    (due,) = body.mixes
    for mixes in (
        (),
        (NO_CELLS[TROOPS],),
        (NO_CELLS[TROOPS], due),
        (due, NO_CELLS[TROOPS]),
        (due, NO_CELLS[TACTICS]),
        (NO_CELLS[TACTICS], due),
        (due, due),
    ):
        stage.convicted(replace(body, mixes=mixes), Cause.MIX)


def test_a_mix_of_cells_of_the_other_deck_or_the_other_hand(battle: Story) -> None:
    """As many cells as there are tactic cards, truly shuffled: his numbered cards, my tactic cards, one of each."""
    stage = laying(battle, SHD)
    mine, theirs, troops = stage.held(TACTICS), stage.held(TACTICS, other(stage.seat)), stage.held(TROOPS)
    assert len(mine) == len(theirs) == 2
    for before in (troops[:2], theirs, (mine[0], troops[0]), (theirs[0], mine[1]), stage.pile(TACTICS)[:2]):
        lie = stage.remade(before, "mix", TACTICS)
        stage.convicted(replace(stage.move_body, mixes=(lie,)), Cause.MIX)


def test_a_mix_proven_for_the_other_deck(battle: Story) -> None:
    stage = laying(battle, SHD)
    lie = stage.remade(stage.held(TACTICS), "mix", TACTICS, proven=TROOPS)
    stage.convicted(replace(stage.move_body, mixes=(lie,)), Cause.MIX)
    (honest,) = stage.move_body.mixes
    assert stage.remade(stage.held(TACTICS), "mix", TACTICS) == honest


def test_a_tactic_card_doubled_in_a_mix(battle: Story) -> None:
    """Two cells of the card that he wants to play twice."""
    stage = laying(battle, SHD)
    before = stage.held(TACTICS)
    doubled = reencrypt(before, lying_witness(2, (0, 0)), stage.session.joint)
    proof = stage.prove(before, doubled, lying_witness(2), "mix", deck=TACTICS).proof
    lie = Remade(TACTICS, cells_bytes(doubled), proof)
    stage.convicted(replace(stage.move_body, mixes=(lie,)), Cause.MIX)


# What may be played


def test_a_tactic_card_over_the_limit(battle: Story) -> None:
    """He has played two and the other one: whatever he holds, and however well it is played."""
    stage = stopped(battle)
    targets = state_of(stage).stones[0].sides
    mine, theirs = targets[0].cards[0], targets[1].cards[0]
    for code in ((0, MUD, 5), (0, FOG, 5), (7, RED, mine, 5), (7, RED, mine), (8, DES, theirs)):
        assert "one ahead" in stage.convicted(replace(stage.move_body, move=code), Cause.ILLEGAL).detail


def test_a_second_leader(battle: Story) -> None:
    """Within the limit, and with a tactic card in hand: the leader that he has laid bars the other for good."""
    stage = Stage.find(battle, Kind.MOVE, when=lambda body: body.move[0] == 6)
    assert state_of(stage).beside.jokers == (True, False)
    assert state_of(stage).beside.tactics == (1, 1)
    for stone in range(9):
        lie = replace(stage.move_body, move=move_code(Play(DAR, StoneId(stone))))
        assert "has laid a joker" in stage.convicted(lie, Cause.ILLEGAL).detail


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ((0, TRA, 1), "is not laid on a stone"),
        ((6, TRA), "does something else"),
        ((8, CAV, 3), "does something else"),
        ((13, TRA), "does something else"),
        ((10, TRA, 3, 1), "does something else"),
        ((9, TRA, ALX, 1), "no troop card of the opponent"),  # a leader lies there
        ((9, TRA, 23, 1), "no troop card of the opponent"),  # his own
        ((9, TRA, 50, 1), "no troop card of the opponent"),  # nowhere in the open
        ((9, TRA, 3, 9), "is no move"),
        ((9, TRA, 70, 1), "is no move"),
        ((14, 1), "no card is to be put back"),
        ((15, 0, 1), "no card is to be given"),
        ((18, 3), "no side has a card too many"),
        ((16, 1), "only the defender"),
        ((17, 1), "only the attacker"),
        ((2, 1), ""),
        ((4,), ""),
    ],
)
def test_a_tactic_card_that_does_something_else(battle: Story, code: tuple[int, ...], why: str) -> None:
    stage = laying(battle, DAR)
    state = state_of(stage)
    assert (ALX in state.stones[0].sides[0].cards, 3 in state.stones[0].sides[0].cards) == (True, True)
    assert 23 in state.stones[0].sides[1].cards
    assert state.unseen >> 50 & 1
    assert why in stage.convicted(replace(stage.move_body, move=code), Cause.ILLEGAL).detail


# Draws by choice


def test_drawing_by_choice_twice_not_at_all_or_before_the_card(battle: Story) -> None:
    stage = drawing(battle)
    assert min(state_of(stage).piles) > 0
    for code in ((3,), (2, 2), (2,), (4,)):
        stage.convicted(replace(stage.move_body, move=code), Cause.ILLEGAL)
    # At once a second time: the other owes a share first.
    stage.victim.receive(stage.honest.data)
    stage.pair.records += [stage.honest.data, *stage.victim.frames()]
    number = len(stage.pair.records)
    again = stage.signed(MoveBody(b"", (), move_code(Draw(TROOPS)), (), b"", bytes(32)), seq=number)
    stage.refused(again, Cause.SPEAKER, stage.seat, seq=number)
    before = beside_unmixed(battle)
    before.convicted(replace(before.move_body, move=move_code(Draw(TACTICS))), Cause.ILLEGAL)


def test_drawing_from_an_empty_tactic_deck(battle: Story) -> None:
    """One pile is left: nothing is to be chosen, and the step draws by itself."""
    stage = Stage.find(battle, Kind.MOVE, when=lambda body: body.move == move_code(Done()), nth=-1)
    assert state_of(stage).piles == (45, 0)
    for deck in (TROOPS, TACTICS):
        stage.convicted(replace(stage.move_body, move=move_code(Draw(deck))), Cause.ILLEGAL)


def test_a_draw_told_under_the_digest_of_the_other(battle: Story) -> None:
    stage = drawing(battle)
    assert stage.move == Draw(TACTICS)
    stage.convicted(replace(stage.move_body, move=move_code(Draw(TROOPS))), Cause.DIGEST)
    # With the digest that fits it is another draw, and a good one.
    stage.victim.receive(stage.signed(stage.telling(Draw(TROOPS), ())))


def test_a_share_of_a_card_of_the_pile_that_was_not_drawn(battle: Story) -> None:
    """Whoever owes the share would rather deal another card: the next one, or the top of the other pile."""
    choice = drawing(battle)
    assert choice.move == Draw(TACTICS)
    stage = Stage.of(battle, choice.seq + 1)
    honest = stage.body
    assert isinstance(honest, Shares)
    face, drawn = shares_of(honest.debts)
    for cell, deck in (
        (choice.pile(TACTICS)[1], TACTICS),
        (choice.pile(TACTICS)[0], TROOPS),
        (choice.pile(TROOPS)[0], TROOPS),
        (choice.pile(TROOPS)[0], TACTICS),
    ):
        stage.convicted(Shares(face + stage.share(cell, 2, deck=deck)), Cause.SHARE)
    assert stage.share(choice.pile(TACTICS)[0], 2, deck=TACTICS) == drawn
    # Or none.
    stage.convicted(Shares(face), Cause.DEBTS)
    stage.convicted(Shares(drawn), Cause.DEBTS)
