"""Attacks on an exchange (protocol section 11): its order, what is given, mixes of two decks, shares, what comes after.

`siege` is the game: seat 0 plays the exchange and gives three cards first, of two decks; then seat 1 does.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from p2p_schotten.crypto.cells import Cell, read_cells
from p2p_schotten.engine.move import GiveFrom, Play
from p2p_schotten.engine.state import Phase
from p2p_schotten.errors import Cause
from p2p_schotten.ids import SEATS, CardId, DeckId, StoneId
from p2p_schotten.protocol.messages import MoveBody, Remade, Shares
from p2p_schotten.protocol.record import Kind
from tests.protocol.liar import Stage, shares_of
from tests.protocol.pair import Story

pytestmark = pytest.mark.usefixtures("remembering")

SIEGE, TACTICS = DeckId(0), DeckId(1)
GIVE = 15
FIRST, SECOND = SEATS
NO_CELLS = {deck: Remade(deck, b"", b"") for deck in (SIEGE, TACTICS)}


def giving(story: Story, nth: int) -> Stage:
    """Before the first (0) or the second (1) seat gives."""
    stage = Stage.find(story, Kind.MOVE, when=lambda body: body.move[0] == GIVE, nth=nth)
    state = stage.session.state
    assert state is not None
    assert (state.phase, state.to_move, stage.seat) == (Phase.GIVE, SEATS[nth], SEATS[nth])
    return stage


def paying(story: Story) -> Stage:
    """Before the first giver pays for what he gave."""
    stage = Stage.of(story, giving(story, 1).seq + 1)
    assert (stage.seat, stage.honest.kind) == (FIRST, Kind.SHARES)
    return stage


def playing(story: Story, seat: int) -> Stage:
    """Before that seat lays its next siege card, out of a hand in which it has received cards of both decks."""
    stage = next(
        Stage.of(story, record.seq)
        for record in story.records[paying(story).seq :]
        if record.kind is Kind.MOVE and record.seat == seat and Stage.of(story, record.seq).move_body.positions
    )
    assert [mix.deck for mix in stage.move_body.mixes] == [SIEGE]
    assert stage.session.position is not None
    assert [hand.mixed for hand in stage.session.position.table.hands[seat]] == [False, False]
    return stage


def mixed(stage: Stage) -> dict[DeckId, tuple[Cell, ...]]:
    """The liar's hand as the honest record mixes it."""
    return {mix.deck: read_cells(mix.cells, mix.count()) for mix in stage.move_body.mixes}


def stripped(body: MoveBody) -> MoveBody:
    """As short as a record that has no room for mixes."""
    return replace(body, mixes=())


# The order


def test_the_second_gives_first(siege: Story) -> None:
    """Everything about his gift is right but for the moment; and he gives before the exchange is played."""
    theirs = giving(siege, 1)
    stage = giving(siege, 0).interrupted()
    stage.convicted(stripped(theirs.move_body), Cause.SPEAKER)
    before = Stage.of(siege, giving(siege, 0).seq - 1)
    assert before.move_body.move[0] == 13
    before.interrupted().convicted(stripped(theirs.move_body), Cause.SPEAKER)


def test_the_first_gives_twice_or_takes_his_gift_back(siege: Story) -> None:
    first = giving(siege, 0)
    stage = giving(siege, 1).interrupted()
    assert stage.seat == FIRST
    for positions in (first.move_body.positions, (1, 2, 1)):
        stage.convicted(replace(first.move_body, positions=positions), Cause.SPEAKER)
    stage.refused(first.honest.data, Cause.SEQUENCE, None)
    # And once both have given, he is to pay, not to choose.
    paying(siege).convicted(first.move_body, Cause.KIND)


def test_two_gifts_at_one_place(siege: Story) -> None:
    """A change of mind: each gift alone would be accepted, both together convict."""
    for nth in (0, 1):
        stage = giving(siege, nth)
        one, two, three = stage.move_body.positions
        another = next((a, b, three) for a, b in combinations(range(1, 6), 2) if (a, b) != (one, two))
        second = stage.signed(stage.telling(stage.move, another))
        stage.victim.receive(stage.honest.data)
        stage.pair.records += [stage.honest.data, *stage.victim.frames()]
        stage.refused(second, Cause.FORK, stage.seat, seq=len(stage.pair.records))
        giving(siege, nth).victim.receive(second)


def test_the_first_pays_before_the_other_has_given(siege: Story) -> None:
    """What he named is still his: with its shares on record the other could read it, and choose by it."""
    stage = giving(siege, 1).interrupted()
    assert stage.session.position is not None
    named = [stage.session.position.table.find(cell) for cell in stage.session.position.table.named[FIRST]]
    early = b"".join(stage.share(cell.cell, at, deck=cell.deck) for at, cell in enumerate(named, 1))
    stage.convicted(Shares(early), Cause.SPEAKER)
    # In the record of the first gift itself.
    first = giving(siege, 0)
    early = b"".join(first.share(cell.cell, at, deck=cell.deck) for at, cell in enumerate(named, 1))
    first.convicted(replace(first.move_body, shares=early), Cause.SHARE)
    first.convicted(replace(first.move_body, debts=early), Cause.DEBTS)


def test_the_second_pays_before_he_has_given(siege: Story) -> None:
    stage = giving(siege, 1)
    stage.convicted(Shares(stage.debts()), Cause.KIND)
    after = mixed(stage)
    of_gift = [after[deck][at - 1] for deck, at in zip((SIEGE, SIEGE, TACTICS), stage.move_body.positions, strict=True)]
    early = b"".join(stage.share(cell, at) for at, cell in enumerate(of_gift, 1))
    stage.convicted(Shares(early), Cause.KIND)


def test_something_else_where_a_gift_is_due(siege: Story) -> None:
    for nth in (0, 1):
        stage = giving(siege, nth)
        for code in ((3,), (4,), (2, 0), (0, 52, 4), (14, 0), (13, 70), (16, 1), (17, 1), (1, 0)):
            stage.convicted(replace(stage.move_body, move=code), Cause.ILLEGAL)


# What is given


@pytest.mark.parametrize("nth", [0, 1])
def test_a_gift_of_another_count_or_order(siege: Story, nth: int) -> None:
    stage = giving(siege, nth)
    body = stage.move_body
    assert stage.move == GiveFrom((SIEGE, SIEGE, TACTICS))
    for decks in ((), (0, 1), (0, 0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 1, 1), (0, 0, 2)):
        stage.convicted(replace(body, move=(GIVE, *decks)), Cause.ILLEGAL)
    one, two, three = body.positions
    assert one < two
    for positions in ((), (one, two), (one, two, three, 1), (two, one, three), (one, one, three), (two, two, three)):
        stage.convicted(replace(body, positions=positions), Cause.POSITION)


@pytest.mark.parametrize("nth", [0, 1])
def test_a_gift_of_cells_of_the_other_deck_hand(siege: Story, nth: int) -> None:
    """The third position counts among his tactic cards, of which he has one; the others among his siege cards."""
    stage = giving(siege, nth)
    one, two, _three = stage.move_body.positions
    numbered = len(stage.held(SIEGE))
    assert len(stage.held(TACTICS)) == 1
    for positions in ((one, two, two), (one, two, 2), (one, numbered + 1, 1), (one, two, numbered + 1)):
        stage.convicted(replace(stage.move_body, positions=positions), Cause.POSITION)


def test_other_decks_than_those_of_the_cells(siege: Story) -> None:
    """He says that all three are siege cards, and that may be so; then three of these are named, and no tactic card."""
    lie = (GIVE, 0, 0, 0)
    first = giving(siege, 0)
    one, two, _three = first.move_body.positions
    first.convicted(replace(first.move_body, move=lie), Cause.POSITION)
    positions = tuple(sorted({one, two, 1 + one % 2}))
    assert len(positions) == 3
    told = first.telling(GiveFrom((SIEGE,) * 3), positions)
    first.convicted(replace(told, digest=first.move_body.digest), Cause.DIGEST)
    first.convicted(replace(first.move_body, digest=told.digest), Cause.DIGEST)
    second = giving(siege, 1)
    body = second.move_body
    second.convicted(replace(body, move=lie), Cause.MIX)
    second.convicted(replace(body, move=lie, mixes=body.mixes[:1]), Cause.POSITION)
    second.convicted(replace(body, move=lie, mixes=body.mixes[:1], positions=(1, *body.positions[:2])), Cause.SHARE)


# Two mixes in one record


def test_two_mixes_in_the_wrong_order_doubled_or_one_left_out(siege: Story) -> None:
    stage = giving(siege, 1)
    siege_mix, tactic_mix = stage.move_body.mixes
    for mixes in (
        (tactic_mix, siege_mix),
        (siege_mix,),
        (tactic_mix,),
        (siege_mix, siege_mix),
        (tactic_mix, tactic_mix),
        (siege_mix, NO_CELLS[TACTICS]),
        (NO_CELLS[SIEGE], tactic_mix),
        (replace(siege_mix, deck=TACTICS), replace(tactic_mix, deck=SIEGE)),
        (),
    ):
        stage.convicted(replace(stage.move_body, mixes=mixes), Cause.MIX)
    three = replace(stage.move_body, mixes=(siege_mix, tactic_mix, NO_CELLS[SIEGE]))
    stage.convicted(three, Cause.BYTES)


def test_a_mix_of_two_that_is_not_due(siege: Story) -> None:
    """Whose hand is mixed gives out of it as it lies: no mix, be it true or not."""
    stage = giving(siege, 0)
    assert stage.move_body.mixes == ()
    true = {deck: stage.remade(stage.held(deck), "mix", deck) for deck in (SIEGE, TACTICS)}
    lies: tuple[tuple[Remade, ...], ...] = ((true[SIEGE],), (true[TACTICS],), (NO_CELLS[SIEGE], true[TACTICS]))
    for mixes in lies:
        stage.convicted(replace(stage.move_body, mixes=mixes), Cause.MIX)
    # A siege card is laid after the exchange: both deck-hands are unmixed, one is due.
    played = playing(siege, SECOND)
    idle = played.remade(played.held(TACTICS), "mix", TACTICS)
    (due,) = played.move_body.mixes
    lies = ((due, idle), (idle, due), (idle,), ())
    for mixes in lies:
        played.convicted(replace(played.move_body, mixes=mixes), Cause.MIX)


def test_a_mix_of_two_with_cells_of_the_other_deck_or_hand(siege: Story) -> None:
    stage = giving(siege, 1)
    mine, theirs = stage.held(SIEGE), stage.held(SIEGE, FIRST)
    (tactic,), (their_tactic,) = stage.held(TACTICS), stage.held(TACTICS, FIRST)
    siege_mix, tactic_mix = stage.move_body.mixes
    assert siege_mix.count() == len(mine) == 6
    for before in ((mine[0],), (their_tactic,), (theirs[0],), stage.pile(TACTICS)[:1]):
        lie = stage.remade(before, "mix", TACTICS)
        stage.convicted(replace(stage.move_body, mixes=(siege_mix, lie)), Cause.MIX)
    for before in ((*mine[1:], tactic), (*mine[1:], theirs[0]), (*mine[1:], stage.pile(SIEGE)[0])):
        lie = stage.remade(before, "mix", SIEGE)
        stage.convicted(replace(stage.move_body, mixes=(lie, tactic_mix)), Cause.MIX)


def test_a_mix_of_two_proven_for_the_other(siege: Story) -> None:
    stage = giving(siege, 1)
    siege_mix, tactic_mix = stage.move_body.mixes
    lie = stage.remade(stage.held(TACTICS), "mix", TACTICS, proven=SIEGE)
    stage.convicted(replace(stage.move_body, mixes=(siege_mix, lie)), Cause.MIX)
    lie = stage.remade(stage.held(SIEGE), "mix", SIEGE, proven=TACTICS)
    stage.convicted(replace(stage.move_body, mixes=(lie, tactic_mix)), Cause.MIX)


# Shares


def test_the_second_gift_without_its_shares_or_with_others(siege: Story) -> None:
    """Left out, too few, of cells that he did not name, of what he gets, in another order, for another deck."""
    stage = giving(siege, 1)
    body, after = stage.move_body, mixed(stage)
    paid = len(shares_of(body.debts))
    one, two, three = shares_of(body.shares)
    for shares in (b"", one, one + two, one + two + three + three):
        stage.convicted(replace(body, shares=shares), Cause.SHARE)
    kept = next(cell for at, cell in enumerate(after[SIEGE], 1) if at not in body.positions[:2])
    gets = stage.held(SIEGE, FIRST)[0]
    before_mix = stage.held(SIEGE)[0]
    for cell in (kept, gets, before_mix):
        lie = stage.share(cell, paid + 1, deck=SIEGE)
        stage.convicted(replace(body, shares=lie + two + three), Cause.SHARE)
    stage.convicted(replace(body, shares=two + one + three), Cause.SHARE)
    wrong_deck = stage.share(after[TACTICS][0], paid + 3, deck=SIEGE)
    stage.convicted(replace(body, shares=one + two + wrong_deck), Cause.SHARE)
    assert stage.share(after[TACTICS][0], paid + 3, deck=TACTICS) == three


def test_the_first_gift_paid_with_other_shares(siege: Story) -> None:
    """He has seen what he got, and would rather not have given what he gave."""
    stage = paying(siege)
    one, two, three = shares_of(stage.debts())
    assert stage.body == Shares(one + two + three)
    for debts in (b"", one, one + two, two + three, one + two + three + three):
        stage.convicted(Shares(debts), Cause.DEBTS)
    kept, got = stage.held(SIEGE)[0], stage.held(SIEGE)[-1]
    for cell in (kept, got, stage.pile(SIEGE)[0]):
        stage.convicted(Shares(stage.share(cell, 1) + two + three), Cause.SHARE)
    for debts in (two + one + three, one + three + two, one + one + three):
        stage.convicted(Shares(debts), Cause.SHARE)
    given = stage.held(TACTICS, SECOND)[0]
    assert stage.share(given, 3, deck=TACTICS) == three
    stage.convicted(Shares(one + two + stage.share(given, 3, deck=SIEGE)), Cause.SHARE)


# What comes after


def test_a_card_that_was_given_away_played(siege: Story) -> None:
    """He remembers which it is, and names it for a cell that he kept or got."""
    stage = playing(siege, FIRST)
    given = [card for card in stage.liar.view().memory.given if card < 60]
    assert len(given) >= 1
    assert given[0] in stage.victim.hand
    stage.convicted(stage.telling(Play(given[0], StoneId(4)), stage.move_body.positions), Cause.FACE)


def test_a_card_that_was_received_played_out_of_an_unmixed_hand(siege: Story) -> None:
    """The other knows which cell it gave: played as it lies it would tell that he played a card of the exchange."""
    for seat in SEATS:
        stage = playing(siege, seat)
        last = (len(stage.held(SIEGE)),)
        stage.convicted(replace(stage.move_body, mixes=()), Cause.MIX)
        stage.convicted(replace(stage.move_body, mixes=(), positions=last), Cause.MIX)


def test_the_mix_of_the_gift_replayed_for_the_next_play(siege: Story) -> None:
    stage, given = playing(siege, SECOND), giving(siege, 1)
    (siege_mix, _tactic_mix) = given.move_body.mixes
    stage.convicted(replace(stage.move_body, mixes=(siege_mix,)), Cause.MIX)


def test_a_gift_when_there_is_no_exchange(siege: Story) -> None:
    for stage in (playing(siege, FIRST), playing(siege, SECOND), Stage.of(siege, giving(siege, 0).seq - 1)):
        fault = stage.convicted(replace(stage.move_body, move=(GIVE, 0, 0, 1)), Cause.ILLEGAL)
        assert "no card is to be given" in fault.detail


def test_an_exchange_played_again(siege: Story) -> None:
    stage = playing(siege, FIRST)
    fault = stage.convicted(replace(stage.move_body, move=(13, CardId(70))), Cause.ILLEGAL)
    assert "lies open already" in fault.detail
