"""One lie in an exchange, a card put back or a restocked pile: refused at that record, and its author convicted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import pytest

from p2p_schotten.crypto.cells import cells_bytes
from p2p_schotten.crypto.shuffle import shuffle
from p2p_schotten.engine.move import (
    Draw,
    Give,
    GiveFrom,
    Move,
    Pass,
    Resign,
    Return,
    ReturnFrom,
    move_code,
)
from p2p_schotten.engine.rules import apply
from p2p_schotten.engine.rulesets import ruleset
from p2p_schotten.engine.state import Phase
from p2p_schotten.errors import Cause, IllegalMove, PeerFault
from p2p_schotten.ids import SEATS, CardId, DeckId, Seat, other
from p2p_schotten.protocol.advance import advance
from p2p_schotten.protocol.messages import SHARE_BYTES, MoveBody, Remade, Shares, Shuffle
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind
from p2p_schotten.protocol.session import context
from p2p_schotten.transcript import verify
from tests.protocol.courses import new_pair, ruses_first
from tests.protocol.doors import knows
from tests.protocol.liar import Stage, file_of
from tests.protocol.moments import table
from tests.protocol.pair import Pair, Story

pytestmark = pytest.mark.usefixtures("remembering")

RESIGN, RETURN, GIVE = 5, 14, 15  # the kinds of their codes
NO_CELLS = Remade(DeckId(1), b"", b"")


def moving(story: Story, kind: int, nth: int = 0) -> Stage:
    """Before the nth move of that kind."""
    return Stage.find(story, Kind.MOVE, when=lambda body: body.move[0] == kind, nth=nth)


def choosing(stage: Stage, positions: Sequence[int]) -> bytes:
    """The honest move with other positions, and all that follows from them."""
    return stage.signed(stage.telling(stage.move, positions))


# An exchange


@pytest.mark.parametrize("nth", [0, 1])
def test_cells_to_give_are_named_in_ascending_order(siege: Story, nth: int) -> None:
    stage = moving(siege, GIVE, nth)
    body = stage.move_body
    decks = body.move[1:]
    at = next(n for n in range(len(decks) - 1) if decks[n] == decks[n + 1])
    lying = list(body.positions)
    lying[at], lying[at + 1] = lying[at + 1], lying[at]
    stage.refused(stage.signed(replace(body, positions=tuple(lying))), Cause.POSITION, stage.seat)


@pytest.mark.parametrize("nth", [0, 1])
def test_no_cell_is_given_twice(siege: Story, nth: int) -> None:
    stage = moving(siege, GIVE, nth)
    body = stage.move_body
    at = next(n for n in range(len(body.positions) - 1) if body.move[1 + n] == body.move[2 + n])
    lying = list(body.positions)
    lying[at + 1] = lying[at]
    stage.refused(stage.signed(replace(body, positions=tuple(lying))), Cause.POSITION, stage.seat)


@pytest.mark.parametrize("positions", [(), (1,), (1, 2, 255)])
def test_as_many_places_are_named_as_cards_are_given_and_they_exist(siege: Story, positions: tuple[int, ...]) -> None:
    stage = moving(siege, GIVE)
    assert len(stage.move_body.positions) == 3
    stage.refused(stage.signed(replace(stage.move_body, positions=positions)), Cause.POSITION, stage.seat)


def test_a_gift_of_a_deck_that_the_hand_does_not_hold_is_illegal(siege: Story) -> None:
    stage = moving(siege, GIVE)
    for decks in ((1, 1, 1), (0, 0), (0, 0, 0, 0), (1, 0, 0)):
        lie = replace(stage.move_body, move=(GIVE, *decks))
        stage.refused(stage.signed(lie), Cause.ILLEGAL, stage.seat)


@pytest.mark.parametrize("nth", [0, 1])
def test_cells_to_give_come_out_of_a_mixed_hand(siege: Story, nth: int) -> None:
    stage = moving(siege, GIVE, nth)
    body = stage.move_body
    assert [mix.deck for mix in body.mixes] == [[], [0, 1]][nth], "of the first giver both deck-hands are mixed"
    lies = [(NO_CELLS,), body.mixes[1:], body.mixes[:-1], body.mixes[::-1]]
    for lie in lies:
        if lie != body.mixes:
            stage.refused(stage.signed(replace(body, mixes=lie)), Cause.MIX, stage.seat)


def test_the_second_gift_carries_the_shares_of_its_cells(siege: Story) -> None:
    stage = moving(siege, GIVE, 1)
    shares = stage.move_body.shares
    assert len(shares) == 3 * SHARE_BYTES
    for lie in (shares[:-SHARE_BYTES], shares[SHARE_BYTES:] + shares[:SHARE_BYTES], shares + shares[:SHARE_BYTES], b""):
        stage.refused(stage.signed(replace(stage.move_body, shares=lie)), Cause.SHARE, stage.seat)


def test_the_first_gift_carries_no_share(siege: Story) -> None:
    stage = moving(siege, GIVE)
    assert stage.move_body.shares == b""
    named = table(siege.before(stage.seq + 1).session).named[stage.seat]
    assert len(named) == 3
    early = stage.share(stage.hand[0].cell, 1)
    stage.refused(stage.signed(replace(stage.move_body, shares=early)), Cause.SHARE, stage.seat)


def test_the_first_giver_pays_before_anybody_chooses(siege: Story) -> None:
    second = moving(siege, GIVE, 1)
    stage = Stage.of(siege, second.seq + 1)
    assert (stage.seat, stage.honest.kind) == (other(second.seat), Kind.SHARES)
    honest = stage.body
    assert isinstance(honest, Shares)
    for debts in (honest.debts[SHARE_BYTES:], honest.debts + honest.debts[:SHARE_BYTES], b""):
        stage.refused(stage.signed(Shares(debts)), Cause.DEBTS, stage.seat)
    stage.refused(stage.signed(MoveBody(b"", (), (RESIGN,), (), b"", bytes(32))), Cause.KIND, stage.seat)


def test_the_digest_covers_the_cells_that_are_named(siege: Story) -> None:
    stage = moving(siege, GIVE)
    after = siege.before(stage.seq + 1).session
    assert after.state is not None
    for named in (((), ()), (table(after).named[1], table(after).named[0])):
        lie = replace(table(after), named=named).code(after.state)
        stage.refused(stage.signed(replace(stage.move_body, digest=lie)), Cause.DIGEST, stage.seat)


def test_other_cells_named_than_those_of_the_digest(siege: Story) -> None:
    stage = moving(siege, GIVE)
    honest = stage.move_body
    deck = honest.move[1]
    count = honest.move[1:].count(deck)
    held = len(table(stage.session).hands[stage.seat][deck].cells)
    others = [chosen for chosen in combinations(range(1, held + 1), count) if chosen != honest.positions[:count]]
    lying = (*others[0], *honest.positions[count:])
    stage.refused(stage.signed(replace(honest, positions=lying)), Cause.DIGEST, stage.seat)
    # With the digest that fits it is another gift, and a good one.
    stage.victim.receive(choosing(stage, lying))


def test_the_decks_that_are_given_are_part_of_the_position(siege: Story) -> None:
    stage = moving(siege, GIVE)
    state = stage.session.state
    assert state is not None
    honest = GiveFrom(tuple(map(DeckId, stage.move_body.move[1:])))
    assert move_code(honest) == stage.move_body.move
    assert apply(state, honest).state.beside.given == honest.decks


# A card put back


def test_a_card_put_back_comes_out_of_a_mixed_hand(scouts: Story) -> None:
    stage = moving(scouts, RETURN)
    body = stage.move_body
    assert len(body.mixes) == 1
    for lie in (
        (),
        (*body.mixes, NO_CELLS),
        (NO_CELLS,),
        (replace(body.mixes[0], deck=DeckId(1 - body.mixes[0].deck)),),
    ):
        stage.refused(stage.signed(replace(body, mixes=lie)), Cause.MIX, stage.seat)


def test_a_card_put_back_takes_one_place_and_no_share(scouts: Story) -> None:
    stage = moving(scouts, RETURN)
    body = stage.move_body
    for positions in ((), (1, 2), (200,)):
        stage.refused(stage.signed(replace(body, positions=positions)), Cause.POSITION, stage.seat)
    share = stage.share(stage.hand[0].cell, 1)
    stage.refused(stage.signed(replace(body, shares=share)), Cause.SHARE, stage.seat)


def test_another_cell_put_back_than_that_of_the_digest(scouts: Story) -> None:
    stage = moving(scouts, RETURN)
    (at,) = stage.move_body.positions
    lie = (at % len(table(stage.session).hands[stage.seat][stage.move_body.move[1]].cells) + 1,)
    stage.refused(stage.signed(replace(stage.move_body, positions=lie)), Cause.DIGEST, stage.seat)
    stage.victim.receive(choosing(stage, lie))


def test_a_third_card_put_back_is_illegal(scouts: Story) -> None:
    second = moving(scouts, RETURN, 1)
    stage = Stage.find(scouts, Kind.MOVE, seat=second.seat, when=lambda body: body.move[0] != RETURN, nth=0)
    stage = next(
        Stage.of(scouts, record.seq)
        for record in scouts.records[second.seq + 1 :]
        if record.kind is Kind.MOVE and record.seat == second.seat
    )
    lie = replace(second.move_body, debts=stage.move_body.debts)
    stage.refused(stage.signed(lie), Cause.ILLEGAL, stage.seat)


# A pile that is restocked


def restock(siege: Story, seat: Seat) -> Stage:
    """Before that seat shuffles the restocked pile."""
    return Stage.find(siege, Kind.SHUFFLE, seat=seat, nth=1)


def shuffle_of(stage: Stage) -> Shuffle:
    body = stage.body
    assert isinstance(body, Shuffle)
    return body


@pytest.mark.parametrize("seat", SEATS)
def test_the_restocked_pile_is_shuffled_under_its_own_label(siege: Story, seat: Seat) -> None:
    stage = restock(siege, seat)
    pile = [sealed.cell for sealed in table(stage.session).piles[0]]
    made = shuffle(stage.secret, context(stage.session, seat, "shuffle"), stage.session.joint, pile)
    lie = replace(shuffle_of(stage), decks=(Remade(DeckId(0), cells_bytes(made.cells), made.proof),))
    stage.refused(stage.signed(lie), Cause.SHUFFLE, seat)


@pytest.mark.parametrize("seat", SEATS)
def test_exactly_the_restocked_pile_is_shuffled_and_whole(siege: Story, seat: Seat) -> None:
    stage = restock(siege, seat)
    honest = shuffle_of(stage)
    (deck,) = honest.decks
    pile = [sealed.cell for sealed in table(stage.session).piles[0]]
    ctx = context(stage.session, seat, "restock")
    fewer = shuffle(stage.secret, ctx, stage.session.joint, pile[:-1])  # a card that was put back is lost
    lies: tuple[tuple[Remade, ...], ...] = (
        (),
        (deck, NO_CELLS),
        (replace(deck, deck=DeckId(1)),),
        (NO_CELLS, deck),
        (Remade(DeckId(0), cells_bytes(fewer.cells), fewer.proof),),
        (replace(deck, cells=cells_bytes(pile)),),
    )
    for decks in lies:
        stage.refused(stage.signed(replace(honest, decks=decks)), Cause.SHUFFLE, seat)


def test_a_restock_pays_what_its_author_owes_and_nothing_else(siege: Story) -> None:
    played = Stage.find(siege, Kind.MOVE, when=lambda body: body.move[0] == 12)
    debtor = other(played.seat)
    stage = restock(siege, debtor)
    honest = shuffle_of(stage)
    assert len(honest.debts) == SHARE_BYTES
    for debts in (b"", honest.debts * 2):
        stage.refused(stage.signed(replace(honest, debts=debts)), Cause.DEBTS, debtor)
    stage.refused(stage.signed(replace(honest, shares=honest.debts)), Cause.SHARE, debtor)
    stage = restock(siege, played.seat)
    assert shuffle_of(stage).debts == b""
    stage.refused(stage.signed(replace(shuffle_of(stage), debts=honest.debts)), Cause.DEBTS, played.seat)


def out_of_turn(stage: Stage, body: Shuffle | MoveBody, seat: Seat) -> None:
    """`seat` says this at that moment, where it is not its turn."""
    data = stage.signed(body, seat=seat, identity=stage.pair.peers[seat]._identity)
    with pytest.raises(PeerFault) as caught:
        advance(stage.session, data)
    assert (caught.value.seq, caught.value.cause, caught.value.blame) == (stage.seq, Cause.SPEAKER, seat)


def test_nothing_comes_before_both_have_shuffled_the_pile(siege: Story) -> None:
    zero, one = restock(siege, SEATS[0]), restock(siege, SEATS[1])
    draw = Stage.of(siege, one.seq + 1)
    assert (zero.seq + 1, draw.honest.kind) == (one.seq, Kind.MOVE)
    for stage in (zero, one):
        out_of_turn(stage, replace(draw.move_body), other(stage.seat))
        stage.refused(stage.signed(draw.move_body), Cause.KIND, stage.seat)
    # Seat 1 first, and seat 0 twice.
    out_of_turn(zero, shuffle_of(one), SEATS[1])
    out_of_turn(one, shuffle_of(zero), SEATS[0])


# The own player


def before_choice(name: str, phase: Phase) -> Pair:
    """A game of that ruleset in which a seat is to choose in that phase."""
    pair = new_pair(1, Peer, rules=ruleset(name))
    return pair.until(
        lambda pair: not pair.queue and pair.state is not None and pair.state.phase is phase, ruses_first(1)
    )


@pytest.mark.parametrize(("name", "phase"), [("tactic", Phase.RETURN), ("siege-tactic", Phase.GIVE)])
def test_a_player_chooses_cards_of_his_own_hand_only(name: str, phase: Phase) -> None:
    pair = before_choice(name, phase)
    peer = next(peer for peer in pair.peers if peer.choices())
    foreign = pair.peers[other(peer.seat)].hand[:3]
    moves: list[Move] = [Return(foreign[0]), Return(CardId(200)), Return(CardId(-1)), ReturnFrom(DeckId(0))]
    moves += [Give(foreign), Give((CardId(200),)), Give((peer.hand[0],) * 3), Give(peer.hand[:4])]
    moves += [Give((peer.hand[2], peer.hand[0], peer.hand[1])), GiveFrom((DeckId(0),) * 3), Pass(), Draw(DeckId(0))]
    for move in moves:
        before = knows(peer)
        with pytest.raises(IllegalMove):
            peer.play(move)
        assert knows(peer) == before
        assert peer.frames() == []


@pytest.mark.parametrize("givers", [0, 1])
def test_a_game_given_up_in_the_middle_of_an_exchange_is_over_and_right(givers: int) -> None:
    pair = before_choice("siege-tactic", Phase.GIVE)
    for _ in range(givers):
        pair.move(ruses_first(1))
        pair.pump()
    assert len(table(pair.session).named[0] + table(pair.session).named[1]) == 3 * givers
    author = next(peer for peer in pair.peers if peer.choices())
    pair.play(lambda peer: Resign())
    assert pair.session.outcome is not None
    assert pair.session.outcome.winner == other(author.seat)
    verdict = verify(pair.file_bytes())
    assert (verdict.fault, verdict.over, verdict.reproducible) == (None, True, True)
    # What was named stays with its owner: nobody gave anything.
    assert verify(file_of(*pair.records[:-2])).fault is None
