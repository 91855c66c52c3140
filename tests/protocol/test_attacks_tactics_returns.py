"""Attacks on cards that are put back (protocol section 11): a scout draws three, and returns two to the piles.

`battle` is the game: seat 0 returns a tactic card and then a numbered one, each to the top of its pile; seat 1 draws
the tactic card, and seat 0 in its next turn the numbered one again.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_schotten.crypto.cells import Cell, read_cells
from p2p_schotten.engine.move import Draw, Play, ReturnFrom, move_code
from p2p_schotten.engine.state import Phase
from p2p_schotten.errors import Cause, PeerFault
from p2p_schotten.ids import SEATS, CardId, DeckId, StoneId
from p2p_schotten.protocol.messages import MoveBody, Remade, Shares
from p2p_schotten.protocol.record import Kind
from p2p_schotten.transcript import verify
from tests.protocol.liar import Stage, file_of, shares_of, spliced_refused
from tests.protocol.pair import Story
from tests.protocol.test_attacks_plays import blind

pytestmark = pytest.mark.usefixtures("remembering")

TROOPS, TACTICS = DeckId(0), DeckId(1)
RETURN, SCOUT = 14, 6
CAV, MUD, RED = CardId(62), CardId(65), CardId(67)


def phase_of(stage: Stage) -> Phase:
    assert stage.session.state is not None
    return stage.session.state.phase


def returning(story: Story, nth: int = 0) -> Stage:
    """Before the nth card is put back."""
    stage = Stage.find(story, Kind.MOVE, when=lambda body: body.move[0] == RETURN, nth=nth)
    assert phase_of(stage) is Phase.RETURN
    return stage


def scouting(story: Story, nth: int) -> Stage:
    """Before the scout's nth draw."""
    played = Stage.find(story, Kind.MOVE, when=lambda body: body.move[0] == SCOUT)
    stage = Stage.of(story, played.seq + 1 + 2 * nth)  # a share stands between two draws
    assert (phase_of(stage), stage.move_body.move[0]) == (Phase.SCOUT, 2)
    return stage


def next_play(story: Story) -> Stage:
    """The next card that is laid by the seat that has put two cards back: out of a hand that is mixed."""
    last = returning(story, 1)
    stage = next(
        stage
        for record in story.records[last.seq + 1 :]
        if record.kind is Kind.MOVE and record.seat == last.seat
        for stage in (Stage.of(story, record.seq),)
        if stage.move_body.positions
    )
    assert stage.move_body.mixes == ()
    return stage


def put_back(stage: Stage, deck: DeckId) -> CardId:
    """The card of that deck which the liar put back, as he remembers it; its cell lies on top of the pile."""
    (card,) = [card for card in stage.liar.view().memory.returned if stage.session.rules.deck_of(card) == deck]
    return card


def mixed(stage: Stage, deck: DeckId) -> tuple[Cell, ...]:
    """The cells of that deck as the honest record mixes them."""
    (mix,) = (mix for mix in stage.move_body.mixes if mix.deck == deck)
    return read_cells(mix.cells, mix.count())


# The scout draws


def test_a_scout_that_does_something_else_before_he_has_drawn_three(battle: Story) -> None:
    for nth in range(3):
        stage = scouting(battle, nth)
        for code in ((RETURN, 0), (RETURN, 1), (0, 22, 1), (0, MUD, 1), (3,), (4,), (1, 0), (2, 2)):
            stage.convicted(replace(stage.move_body, move=code), Cause.ILLEGAL)


def test_a_scouts_fourth_card(battle: Story) -> None:
    stage = returning(battle)
    for deck in (TROOPS, TACTICS):
        stage.convicted(replace(stage.move_body, move=move_code(Draw(deck))), Cause.ILLEGAL)


def test_a_scouts_draw_from_an_empty_pile(scouts: Story) -> None:
    """One pile is empty: its three cards came by themselves, from the other."""
    stage = returning(scouts)
    assert stage.session.state is not None
    assert stage.session.state.piles[TACTICS] == 0
    for deck in (TROOPS, TACTICS):
        stage.convicted(replace(stage.move_body, move=move_code(Draw(deck))), Cause.ILLEGAL)


def test_a_scouts_pile_chosen_by_the_seat_that_pays(battle: Story) -> None:
    """He drew a numbered card; the other would rather give him a tactic one, or the next, or lets him wait."""
    choice = scouting(battle, 1)
    assert choice.move == Draw(TROOPS)
    stage = Stage.of(battle, choice.seq + 1)
    (honest,) = shares_of(stage.debts())
    assert stage.body == Shares(honest)
    for cell, deck in (
        (choice.pile(TACTICS)[0], TACTICS),
        (choice.pile(TACTICS)[0], TROOPS),
        (choice.pile(TROOPS)[0], TACTICS),
        (choice.pile(TROOPS)[1], TROOPS),
    ):
        stage.convicted(Shares(stage.share(cell, 1, deck=deck)), Cause.SHARE)
    stage.convicted(Shares(b""), Cause.DEBTS)
    stage.convicted(MoveBody(b"", (), move_code(Draw(TACTICS)), (), b"", bytes(32)), Cause.KIND)


def test_a_scouts_draw_told_under_the_digest_of_the_other_pile(battle: Story) -> None:
    for nth in range(3):
        stage = scouting(battle, nth)
        lie = (2, 1 - stage.move_body.move[1])
        stage.convicted(replace(stage.move_body, move=lie), Cause.DIGEST)


# Two cards, no more and no less


def test_a_play_before_the_second_return(battle: Story) -> None:
    """Nor a draw, nor the end of the turn: what was begun is done first."""
    for nth in (0, 1):
        stage = returning(battle, nth)
        for code in ((0, 22, 1), (0, MUD, 1), (7, RED, 22), (3,), (4,), (2, 0), (1, 0), (RETURN,), (RETURN, 2)):
            stage.convicted(replace(stage.move_body, move=code), Cause.ILLEGAL)


def test_a_turn_of_the_other_before_the_second_return(battle: Story) -> None:
    for nth in (0, 1):
        stage = returning(battle, nth).interrupted()
        theirs = Stage.find(battle, Kind.MOVE, seat=stage.seat, when=lambda body: bool(body.positions), nth=-1)
        stage.convicted(replace(theirs.move_body, debts=b"", mixes=()), Cause.SPEAKER)


def test_a_third_return(battle: Story) -> None:
    """At once, and in his next turn; and the second one again."""
    second = returning(battle, 1)
    for stage in (Stage.of(battle, second.seq + 1), next_play(battle)):
        assert stage.seat == second.seat
        for deck in (TROOPS, TACTICS):
            fault = stage.convicted(replace(stage.move_body, move=move_code(ReturnFrom(deck))), Cause.ILLEGAL)
            assert "no card is to be put back" in fault.detail
    stage = Stage.of(battle, second.seq + 1)
    stage.refused(second.honest.data, Cause.SEQUENCE, None)


def test_a_return_of_a_deck_that_the_hand_does_not_hold(scouts: Story) -> None:
    for nth in (0, 1):
        stage = returning(scouts, nth)
        assert stage.held(TACTICS) == ()
        fault = stage.convicted(replace(stage.move_body, move=move_code(ReturnFrom(TACTICS))), Cause.ILLEGAL)
        assert "no card of that deck" in fault.detail


# Which cell goes back


def test_a_return_with_the_mix_of_another_deck(battle: Story) -> None:
    """After the draws both deck-hands are unmixed: exactly the one that a card leaves is mixed."""
    stage = returning(battle)
    assert stage.move == ReturnFrom(TACTICS)
    (due,) = stage.move_body.mixes
    idle = stage.remade(stage.held(TROOPS), "mix", TROOPS)
    cut = stage.remade(stage.held(TROOPS)[:3], "mix", TACTICS)
    assert due.count() == cut.count() == 3
    for mixes in ((), (idle,), (idle, due), (due, idle), (due, due), (cut,), (replace(due, deck=TROOPS),)):
        stage.convicted(replace(stage.move_body, mixes=mixes), Cause.MIX)


def test_a_hand_mixed_again_for_the_second_return(battle: Story, scouts: Story) -> None:
    """Two cards of one deck: the first return has mixed it. Of two decks: the second mixes the other one only."""
    stage = returning(scouts, 1)
    assert stage.move_body.mixes == ()
    again = stage.remade(stage.held(TROOPS), "mix", TROOPS)
    stage.refused(stage.signed(replace(stage.move_body, mixes=(again,))), Cause.LENGTH, None)
    stage.convicted(replace(stage.move_body, mixes=(Remade(TROOPS, b"", b""),)), Cause.MIX)
    stage = returning(battle, 1)
    (due,) = stage.move_body.mixes
    again = stage.remade(stage.held(TACTICS), "mix", TACTICS)
    for mixes in ((due, again), (again,), returning(battle, 0).move_body.mixes):
        stage.convicted(replace(stage.move_body, mixes=mixes), Cause.MIX)


def test_a_return_of_a_cell_of_the_other_deck_hand(battle: Story) -> None:
    """A tactic card is put back: he points behind his tactic cards, where his numbered ones might be thought to lie."""
    stage = returning(battle)
    assert (len(stage.held(TACTICS)), len(stage.held(TROOPS))) == (3, 6)
    for positions in ((4,), (9,), (), (3, 3)):
        stage.convicted(replace(stage.move_body, positions=positions), Cause.POSITION)
    # And says the other deck, with the mix that this one makes due.
    lie = stage.telling(ReturnFrom(TROOPS), (3,))
    stage.convicted(replace(lie, digest=stage.move_body.digest), Cause.DIGEST)
    stage.convicted(replace(lie, mixes=stage.move_body.mixes), Cause.MIX)


def test_another_cell_put_back_than_told(battle: Story) -> None:
    for nth in (0, 1):
        stage = returning(battle, nth)
        (at,) = stage.move_body.positions
        for place in range(1, at):
            stage.convicted(replace(stage.move_body, positions=(place,)), Cause.DIGEST)


def test_two_cards_put_back_at_one_place(battle: Story) -> None:
    """First the one, then the other as if it had been that: each record alone would be accepted."""
    stage = returning(battle)
    (at,) = stage.move_body.positions
    second = stage.signed(stage.telling(stage.move, (at % 3 + 1,)))
    stage.victim.receive(stage.honest.data)
    stage.pair.records.append(stage.honest.data)
    stage.refused(second, Cause.FORK, stage.seat, seq=stage.seq + 1)
    returning(battle).victim.receive(second)


# Its share


def test_the_share_of_a_card_put_back_given_with_it(battle: Story) -> None:
    """Nobody is to open it, also not its owner's friend who reads along: the record has no place for it."""
    stage = returning(battle)
    (at,) = stage.move_body.positions
    share = stage.share(mixed(stage, TACTICS)[at - 1], 1, deck=TACTICS)
    stage.convicted(replace(stage.move_body, shares=share), Cause.SHARE)
    stage.convicted(replace(stage.move_body, debts=share), Cause.DEBTS)


def test_the_share_of_a_card_put_back_given_afterwards(battle: Story) -> None:
    """It lies on top of its pile, and he still gives its share to whoever wants to know it."""
    last = returning(battle, 1)
    stage = Stage.of(battle, last.seq + 1)
    for deck in (TROOPS, TACTICS):
        share = stage.share(stage.pile(deck)[0], 1, deck=deck)
        stage.convicted(replace(stage.move_body, shares=share), Cause.SHARE)
        stage.convicted(replace(stage.move_body, debts=share), Cause.DEBTS)
        stage.convicted(Shares(share), Cause.KIND)
    played = next_play(battle)
    extra = played.share(played.pile(TROOPS)[0], 2)
    played.convicted(replace(played.move_body, shares=played.move_body.shares + extra), Cause.SHARE)


def test_the_share_of_a_card_put_back_demanded(battle: Story) -> None:
    """The other owes nothing for it, and gives nothing: not after the one return, and not after both."""
    for nth in (0, 1):
        stage = Stage.of(battle, returning(battle, nth).seq + 1).interrupted()
        deck = (TACTICS, TROOPS)[nth]
        stage.convicted(Shares(stage.share(stage.pile(deck)[0], 1, deck=deck)), Cause.SPEAKER)


def drawn_again(battle: Story) -> Stage:
    """Before the seat that put a tactic card back pays its share to the other, who has drawn it."""
    last = returning(battle, 1)
    stage = next(
        Stage.of(battle, record.seq)
        for record in battle.records[last.seq :]
        if record.kind is Kind.SHARES and record.seat == last.seat
    )
    assert stage.session.position is not None
    owed = stage.session.position.table.owed(stage.seat)
    assert [sealed.deck for sealed in owed] == [TROOPS, TACTICS]
    (at,) = returning(battle).move_body.positions
    assert owed[1].cell == mixed(returning(battle), TACTICS)[at - 1], "what lay in his hand, and then on the pile"
    return stage


def test_the_share_of_a_card_put_back_refused_when_it_is_drawn(battle: Story) -> None:
    """He knows what I drew, and would rather not have me know it."""
    stage = drawn_again(battle)
    face, drawn = shares_of(stage.debts())
    assert stage.body == Shares(face + drawn)
    for debts in (face, drawn, b"", face + face + drawn):
        stage.convicted(Shares(debts), Cause.DEBTS)
    stage.convicted(MoveBody(face + drawn, (), (4,), (), b"", bytes(32)), Cause.KIND)


def test_another_share_than_that_of_the_card_put_back(battle: Story) -> None:
    """Of the cell as it came to him before he mixed his hand, of another of his, of the card below it."""
    stage, before = drawn_again(battle), returning(battle)
    (at,) = before.move_body.positions
    face = shares_of(stage.debts())[0]
    for cell in (*before.held(TACTICS), mixed(before, TACTICS)[at % 3], stage.pile(TACTICS)[0]):
        stage.convicted(Shares(face + stage.share(cell, 2, deck=TACTICS)), Cause.SHARE)


# It is played all the same


def test_a_returned_cell_played(battle: Story) -> None:
    """He names the card that he put back, and points at another cell: the one that he meant lies in the pile."""
    stage = next_play(battle)
    card = put_back(stage, TROOPS)
    lie = stage.telling(Play(card, StoneId(1)), stage.move_body.positions)
    fault = stage.convicted(lie, Cause.FACE)
    assert stage.session.rules.text(card) in fault.detail
    # Its own share, from the pile; and a place behind the hand, as if it were still there.
    stage.convicted(replace(lie, shares=stage.share(stage.pile(TROOPS)[0], 1)), Cause.SHARE)
    stage.convicted(replace(lie, positions=(len(stage.held(TROOPS)) + 1,)), Cause.POSITION)


def test_a_returned_cell_that_the_other_has_drawn_played(battle: Story) -> None:
    """Only one of two can have it, and it is the one who drew it."""
    stage = Stage.find(battle, Kind.MOVE, seat=0, when=lambda body: body.move[0] == 0, nth=-1)
    assert put_back(stage, TACTICS) == CAV
    assert CAV in stage.victim.hand
    # He is one tactic card ahead, too: the rules stop him before anybody looks at the cell.
    stage.convicted(replace(stage.move_body, move=(0, CAV, 1)), Cause.ILLEGAL)


def test_a_returned_cell_played_and_passed_on_by_a_colluder(battle: Story) -> None:
    """The other looks away. Where its share comes on record, behind the next draw, every reader sees it."""
    stage = next_play(battle)
    lie = stage.signed(stage.telling(Play(put_back(stage, TROOPS), StoneId(1)), stage.move_body.positions))
    colluder = stage.victim
    blind(colluder)
    colluder.receive(lie)
    drawing = Stage(stage.pair, replace(stage.honest, seq=stage.seq + 1))
    draw = drawing.signed(MoveBody(b"", (), move_code(Draw(TACTICS)), (), b"", bytes(32)))
    with pytest.raises(PeerFault) as caught:
        colluder.receive(draw)
    assert caught.value.cause is Cause.DIGEST
    drawing.liar.session = colluder.session
    draw = drawing.signed(drawing.telling(Draw(TACTICS), ()))
    with pytest.raises(PeerFault) as caught:
        colluder.receive(draw)  # it stumbles over its own answer, which would show the cell
    assert (caught.value.seq, caught.value.cause, caught.value.blame) == (stage.seq + 2, Cause.FACE, stage.seat)
    prefix = [*stage.pair.records, lie, draw]
    assert verify(file_of(*prefix)).fault is None
    # A program that answers all the same, with true shares.
    answer = Stage(stage.pair, replace(stage.honest, seq=len(prefix), seat=colluder.seat))
    stage.liar.session = colluder.session
    said = answer.signed(Shares(answer.debts()))
    spliced_refused(file_of(*prefix, said), len(prefix), Cause.FACE, stage.seat)


def test_the_honest_seats_are_the_ones_described(battle: Story) -> None:
    """What the lies above start from: the scout is seat 0, and both cards that it put back are drawn again."""
    assert returning(battle).seat == SEATS[0]
    assert [returning(battle, nth).move for nth in (0, 1)] == [ReturnFrom(TACTICS), ReturnFrom(TROOPS)]
    assert put_back(next_play(battle), TROOPS) in battle.end.peers[0].hand
    assert CAV in battle.end.peers[1].hand
