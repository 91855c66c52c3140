"""Attacks on a siege (protocol section 11): oil, retreat, control, and what its tactic cards may take.

`siege` is the game: seat 0 attacks and seat 1 defends.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_schotten.engine.move import Claim, Done, Oil, Retreat, move_code
from p2p_schotten.engine.rules import apply
from p2p_schotten.engine.state import Phase, State
from p2p_schotten.errors import Cause
from p2p_schotten.ids import SEATS, CardId, DeckId, Seat, StoneId, other
from p2p_schotten.protocol.messages import MoveBody
from p2p_schotten.protocol.record import Kind
from tests.protocol.liar import Stage
from tests.protocol.moments import table
from tests.protocol.pair import Story

pytestmark = pytest.mark.usefixtures("remembering")

ATTACKER, DEFENDER = SEATS
OIL, RETREAT = 16, 17
SIEGE, TACTICS = DeckId(0), DeckId(1)
TILES = 7


def state_of(stage: Stage) -> State:
    state = stage.session.state
    assert state is not None
    assert state.beside.attacker == ATTACKER
    return state


def moving(story: Story, kind: int, nth: int = 0) -> Stage:
    """Before the nth move of that kind."""
    return Stage.find(story, Kind.MOVE, when=lambda body: body.move[0] == kind, nth=nth)


def play_of(story: Story, seat: Seat, nth: int = 0) -> Stage:
    """Before that seat lays a card or uses one, for the nth time."""
    stage = Stage.find(story, Kind.MOVE, seat=seat, when=lambda body: bool(body.positions), nth=nth)
    assert state_of(stage).phase is Phase.PLAY
    return stage


def said(stage: Stage, move: tuple[int, ...], cause: Cause = Cause.ILLEGAL) -> str:
    """What the victim says of that move, in a record that shows no card."""
    return stage.convicted(MoveBody(b"", (), move, (), b"", bytes(32)), cause).detail


def held_by_attacker(state: State) -> list[int]:
    """The tiles at which the attacker has a card."""
    return [tile for tile, stone in enumerate(state.stones) if stone.sides[ATTACKER].cards]


# Oil


def test_oil_out_of_turn(siege: Story) -> None:
    """The defender pours while the attacker is to choose."""
    stage = play_of(siege, ATTACKER, 2).interrupted()
    tile = held_by_attacker(state_of(stage))[0]
    assert stage.seat == DEFENDER
    assert "seat 1 spoke where seat 0 must" in said(stage, (OIL, tile), Cause.SPEAKER)


def test_oil_poured_by_the_attacker(siege: Story) -> None:
    for stage in (play_of(siege, ATTACKER, 2), moving(siege, RETREAT)):
        for tile in range(TILES):
            assert "only the defender" in said(stage, (OIL, tile))


def test_oil_poured_twice_in_a_turn(siege: Story) -> None:
    poured = moving(siege, OIL)
    stage = Stage.of(siege, poured.seq + 1)
    assert (stage.seat, state_of(stage).beside.oil) == (DEFENDER, 2)
    for tile in held_by_attacker(state_of(stage)):
        assert "poured in this turn already" in said(stage, (OIL, tile))


def test_oil_poured_after_the_play(siege: Story) -> None:
    stage = Stage.of(siege, play_of(siege, DEFENDER).seq + 1)
    assert (stage.seat, state_of(stage).phase, state_of(stage).beside.oil) == (DEFENDER, Phase.CLAIM, 3)
    for tile in held_by_attacker(state_of(stage)):
        assert "before a card is played" in said(stage, (OIL, tile))


def test_a_fourth_oil(siege: Story) -> None:
    stage = play_of(siege, DEFENDER, -1)
    assert state_of(stage).beside.oil == 0
    for tile in held_by_attacker(state_of(stage)):
        assert "no oil is left" in said(stage, (OIL, tile))


def test_oil_at_a_tile_without_an_attacker_or_at_none(siege: Story) -> None:
    stage = moving(siege, OIL)
    held = held_by_attacker(state_of(stage))
    for tile in set(range(TILES)) - {*held}:
        assert "has no card at tile" in said(stage, (OIL, tile))
    for code in ((OIL, TILES), (OIL,), (OIL, held[0], 0)):
        assert "is no move" in said(stage, code)


def test_oil_told_under_the_digest_of_another_tile(siege: Story) -> None:
    stage = moving(siege, OIL)
    assert isinstance(stage.move, Oil)
    elsewhere = next(tile for tile in held_by_attacker(state_of(stage)) if tile != stage.move.stone)
    stage.convicted(replace(stage.move_body, move=(OIL, elsewhere)), Cause.DIGEST)


def test_oil_that_spares_the_card_that_lies_longest(siege: Story) -> None:
    """The move names a tile only; that another card of it is gone stands in the digest."""
    stage = moving(siege, OIL, 2)
    state = state_of(stage)
    assert isinstance(stage.move, Oil)
    tile = stage.move.stone
    oldest, *_, newest = state.stones[tile].cards(ATTACKER)
    after = apply(state, stage.move).state
    assert after.beside.discard == (*state.beside.discard, oldest)
    stones = list(after.stones)
    stones[tile] = state.stones[tile].minus(ATTACKER, (newest,))
    beside = after.beside._replace(discard=(*state.beside.discard, newest))
    lie = table(stage.session).code(after._replace(stones=tuple(stones), beside=beside))
    stage.convicted(replace(stage.move_body, digest=lie), Cause.DIGEST)


def test_a_card_shown_or_a_place_named_with_oil(siege: Story) -> None:
    """Oil and retreat take nothing from a hand: no mix, no position, no share."""
    for kind in (OIL, RETREAT):
        stage = moving(siege, kind)
        body = stage.move_body
        assert (body.mixes, body.positions, body.shares) == ((), (), b"")
        idle = stage.remade(stage.held(SIEGE), "mix", SIEGE)
        stage.convicted(replace(body, mixes=(idle,)), Cause.MIX)
        stage.convicted(replace(body, positions=(1,)), Cause.POSITION)
        stage.convicted(replace(body, shares=stage.share(stage.held(SIEGE)[0], 1)), Cause.SHARE)


# Retreat


def test_a_retreat_by_the_defender(siege: Story) -> None:
    for stage in (play_of(siege, DEFENDER, 1), moving(siege, OIL)):
        for tile in range(TILES):
            assert "only the attacker" in said(stage, (RETREAT, tile))


def test_a_retreat_after_the_play(siege: Story) -> None:
    stage = Stage.of(siege, play_of(siege, ATTACKER, 2).seq + 1)
    assert (stage.seat, state_of(stage).phase) == (ATTACKER, Phase.CLAIM)
    for tile in held_by_attacker(state_of(stage)):
        assert "before the card is played" in said(stage, (RETREAT, tile))


def test_a_retreat_from_a_tile_without_cards_or_twice(siege: Story) -> None:
    first = moving(siege, RETREAT)
    assert isinstance(first.move, Retreat)
    stage = Stage.of(siege, first.seq + 1)
    assert stage.seat == ATTACKER
    held = held_by_attacker(state_of(stage))
    assert first.move.stone not in held
    for tile in set(range(TILES)) - {*held}:
        assert "has no card at tile" in said(stage, (RETREAT, tile))


def test_a_retreat_told_under_the_digest_of_another_tile(siege: Story) -> None:
    stage = moving(siege, RETREAT)
    elsewhere = next(tile for tile in held_by_attacker(state_of(stage)) if tile != stage.move_body.move[1])
    stage.convicted(replace(stage.move_body, move=(RETREAT, elsewhere)), Cause.DIGEST)


def test_a_retreat_out_of_turn(siege: Story) -> None:
    stage = moving(siege, OIL).interrupted()
    assert stage.seat == ATTACKER
    said(stage, (RETREAT, held_by_attacker(state_of(stage))[0]), Cause.SPEAKER)


# Control


def controllable(story: Story) -> Stage:
    """Before the attacker lets a tile be that he might control."""
    stage = next(
        Stage.of(story, record.seq)
        for record in story.records
        if record.kind is Kind.MOVE and record.seat == ATTACKER and state_of(Stage.of(story, record.seq)).claimable
    )
    assert (stage.move, state_of(stage).claimable) == (Done(), (0,))
    return stage


def test_a_control_by_the_defender(siege: Story) -> None:
    """Of the tile that the attacker might control, before he plays and after it."""
    let_be = controllable(siege)
    before = next(
        Stage.of(siege, record.seq)
        for record in siege.records[let_be.seq + 1 :]
        if record.kind is Kind.MOVE and record.seat == DEFENDER
    )
    after = Stage.of(siege, play_of(siege, DEFENDER).seq + 1)
    for stage in (before, after):
        for tile in range(TILES):
            said(stage, move_code(Claim(StoneId(tile))))
    said(let_be.interrupted(), move_code(Claim(StoneId(0))), Cause.SPEAKER)


def test_a_control_that_is_not_proven(siege: Story) -> None:
    stage = controllable(siege)
    for tile in range(1, TILES):
        said(stage, move_code(Claim(StoneId(tile))))


def test_a_control_after_the_draw(siege: Story) -> None:
    """The draw ends the attacker's turn: it runs in the record that lets the tile be."""
    stage = Stage.of(siege, controllable(siege).seq + 1)
    assert (stage.seat, stage.honest.kind) == (DEFENDER, Kind.SHARES)
    said(stage.interrupted(), move_code(Claim(StoneId(0))), Cause.SPEAKER)


def test_a_control_told_under_the_digest_of_letting_be(siege: Story) -> None:
    stage = controllable(siege)
    claimed = stage.telling(Claim(StoneId(0)), ())
    stage.convicted(replace(claimed, digest=stage.move_body.digest), Cause.DIGEST)
    stage.convicted(replace(stage.move_body, digest=claimed.digest), Cause.DIGEST)
    stage.victim.receive(stage.signed(claimed))


# Tactic cards


@pytest.mark.parametrize("why", ["ascending", "twice", "not discarded", "a tactic card", "in a hand", "none"])
def test_a_support_with_other_cards_than_it_may_take(siege: Story, why: str) -> None:
    stage = moving(siege, 12)
    state, (_, card, one, two) = state_of(stage), stage.move_body.move
    tactic = next(gone for gone in state.beside.discard if gone >= 60)
    unseen = next(CardId(n) for n in range(60) if state.unseen >> n & 1)
    pairs = {
        "ascending": (two, one),
        "twice": (one, one),
        "not discarded": (one, state.stones[0].sides[0].cards[-1]),
        "a tactic card": (one, tactic),
        "in a hand": tuple(sorted((one, unseen))),
        "none": (),
    }
    detail = stage.convicted(replace(stage.move_body, move=(12, card, *pairs[why])), Cause.ILLEGAL).detail
    assert "discard pile" in detail or "ascending order" in detail or "is no move" in detail


@pytest.mark.parametrize("kind", [7, 8, 9, 10, 11])
def test_a_ruse_that_takes_what_it_may_not(siege: Story, kind: int) -> None:
    """A card of the wrong side, of nowhere, to a tile that has no room: each for the ruse that is played there."""
    stage = moving(siege, kind)
    state, (_, card, *_rest) = state_of(stage), stage.move_body.move
    mine = next(side.cards[0] for stone in state.stones if (side := stone.sides[stage.seat]).cards)
    theirs = next(side.cards[0] for stone in state.stones if (side := stone.sides[other(stage.seat)]).cards)
    unseen = next(CardId(n) for n in range(60) if state.unseen >> n & 1)
    gone = state.beside.discard[0]
    bare_side = next(n for n, stone in enumerate(state.stones) if not stone.sides[0].cards)
    lies: dict[int, tuple[tuple[int, ...], ...]] = {
        7: ((7, card, theirs), (7, card, unseen, 5), (7, card, gone), (7, card, mine, TILES)),
        8: ((8, card, mine), (8, card, unseen), (8, card, gone)),
        9: ((9, card, mine, 6), (9, card, unseen, 6), (9, card, gone, 6), (9, card, theirs)),
        10: ((10, card, mine, 5), (10, card, unseen, 5), (10, card, theirs, 5)),
        11: ((11, card, bare_side, int(stage.seat == 0)), (11, card, 4, 2), (11, card, TILES, 1)),
    }
    for code in lies[kind]:
        stage.convicted(replace(stage.move_body, move=code), Cause.ILLEGAL)


def test_a_false_face_of_a_ruse_in_a_siege(siege: Story) -> None:
    """The seat names an exchange and lays down what lies beside it in its hand."""
    stage = moving(siege, 13)
    assert len(stage.held(TACTICS)) == 2
    lie = stage.telling(stage.move, tuple(3 - at for at in stage.move_body.positions))
    stage.convicted(lie, Cause.FACE)
