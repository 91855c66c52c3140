"""What tactic cards do to cells: put back, named and given, shuffled in again; and every ruleset played to its end."""

from __future__ import annotations

import pytest

from p2p_schotten.crypto.cells import start_cell
from p2p_schotten.engine.step import Dealt, Drew, Exchanged, Gave, Played, Returned, Supported, Used
from p2p_schotten.ids import SEATS, DeckId, Seat, other
from p2p_schotten.protocol.events import Took
from p2p_schotten.protocol.messages import SHARE_BYTES, Shares, Shuffle, read_body
from p2p_schotten.protocol.record import Kind
from p2p_schotten.protocol.table import DeckHand
from p2p_schotten.transcript import hands, replay, verify
from tests.protocol.courses import FAMILY, Truth, course, in_hand, in_piles
from tests.protocol.liar import file_of
from tests.protocol.moments import Which, behind, game_of, moments, moves, table, those

every_ruleset = pytest.mark.parametrize("which", FAMILY, ids=[which[2] for which in FAMILY])
SIEGE = game_of("siege-tactic")
SCOUTS = (game_of("tactic"), game_of("battle-line"))
every_scout = pytest.mark.parametrize("which", SCOUTS, ids=["to the bottom", "to the top"])

# Whole games


@pytest.mark.parametrize("name", ["tactic", "siege-tactic", "battle-line"])
def test_every_tactic_card_of_a_deck_is_played_on_the_wire(name: str) -> None:
    which = game_of(name)
    rules = course(*which).pair.session.rules
    shown = [
        event.card for moment in moments(which) for event in moment.after.events if isinstance(event, Played | Used)
    ]
    assert {rules.text(card) for card in shown} >= {card.text for card in rules.decks[1].cards}


@every_ruleset
def test_a_game_of_every_ruleset_is_right_by_its_proofs_alone_and_made_again_from_its_seeds(which: Which) -> None:
    game = course(*which)
    assert game.pair.peers[0].records == game.pair.peers[1].records
    revealed = verify(game.pair.file_bytes())
    assert (revealed.fault, revealed.reproducible) == (None, True)
    assert revealed.ending() == "over, sealed by both, revealed by both"
    alone = verify(file_of(*game.records[:-2]))
    assert (alone.fault, alone.reproducible, alone.over) == (None, None, True)
    assert revealed.session.rules.name == which[2]


@every_ruleset
def test_a_replay_shows_both_hands_at_every_moment(which: Which) -> None:
    game = course(*which)
    truth = Truth(game.seeds)
    seen = 0
    for moment in replay(game.pair.file_bytes()):
        if moment.session.position is None:
            continue
        for seat, shown in zip(SEATS, hands(moment, game.seeds), strict=True):
            assert list(shown) == [truth.sealed(moment.session, cell).card for cell in in_hand(moment.session, seat)]
        seen += 1
    assert seen > 100


@every_ruleset
def test_mixes_are_due_where_a_cell_came_since_the_last_one(which: Which) -> None:
    """Against a ledger of its own: who received a card of which deck since he last mixed those."""
    rules = course(*which).pair.session.rules
    received: set[tuple[Seat, int]] = {(seat, 0) for seat in SEATS}
    two = 0
    for moment in moves(which):
        seat, events = moment.record.seat, moment.after.events
        leaving = {int(rules.deck_of(event.card)) for event in events if isinstance(event, Played | Used)}
        leaving |= {int(event.deck) for event in events if isinstance(event, Returned)}
        leaving |= {int(deck) for event in events if isinstance(event, Gave) for deck in event.decks}
        due = sorted(deck for deck in leaving if (seat, deck) in received)
        assert [mix.deck for mix in moment.move.mixes] == due
        received -= {(seat, deck) for deck in due}
        for event in events:
            assert not isinstance(event, Dealt)
            if isinstance(event, Drew):
                received.add((event.seat, int(event.deck)))
            if isinstance(event, Exchanged):
                received |= {(other(giver), int(deck)) for giver, deck in named_before(which, moment.record.seq)}
        two += len(due) == 2
    assert two > 0 or which != SIEGE, "an exchange gave cards of two decks"


def named_before(which: Which, seq: int) -> list[tuple[Seat, DeckId]]:
    """Who gave a card of which deck in the exchange that record `seq` completed."""
    gave = [event for m in moves(which) if m.record.seq <= seq for event in m.after.events if isinstance(event, Gave)]
    return [(event.seat, deck) for event in gave[-2:] for deck in event.decks]


# A scout


@every_scout
def test_cards_that_are_put_back_lie_where_the_rules_say_and_nobody_owes_a_share(which: Which) -> None:
    truth = Truth(course(*which).seeds)
    returned = those(which, Returned)
    assert len(returned) == 2
    for moment in returned:
        (event,) = [event for event in moment.after.events if isinstance(event, Returned)]
        seat, deck, body = moment.record.seat, event.deck, moment.move
        assert (len(body.positions), body.shares) == (1, b"")
        before, after = table(moment.before), table(moment.after)
        top = which[2] == "battle-line"
        pile = after.piles[deck]
        back = pile[0 if top else -1]
        assert (pile[1:] if top else pile[:-1])[: len(before.piles[deck])] == before.piles[deck]
        assert back.shares == (None, None)
        # The cell is one of the mixed hand, at the position named, and it is not the one that was drawn.
        held = (
            [cell.cell for cell in before.hands[seat][deck].cells]
            if not body.mixes
            else [cell.cell for cell in after.hands[seat][deck].cells]
        )
        assert (back.cell in held) is not bool(body.mixes)
        card = truth.sealed(moment.after, back).card
        assert card in {truth.sealed(moment.before, cell).card for cell in before.hands[seat][deck].cells}
        assert card not in {truth.sealed(moment.after, cell).card for cell in after.hands[seat][deck].cells}
        assert not any(debt.private for debt in after.debts[other(seat)]) or moment.told(Drew)


@every_scout
def test_the_second_card_put_back_needs_a_mix_only_of_a_deck_hand_that_is_unmixed(which: Which) -> None:
    first, second = those(which, Returned)
    decks = [event.deck for m in (first, second) for event in m.after.events if isinstance(event, Returned)]
    seat = second.record.seat
    assert [mix.deck for mix in first.move.mixes] == [decks[0]], "three cards were drawn"
    unmixed = not table(second.before).hands[seat][decks[1]].mixed
    assert [mix.deck for mix in second.move.mixes] == ([decks[1]] if unmixed else [])
    assert unmixed is (decks[1] != decks[0] and drawn_of(which, first.record.seq, seat, decks[1]) > 0)


def drawn_of(which: Which, seq: int, seat: Seat, deck: DeckId) -> int:
    """How many cards of that deck the scout drew before record `seq`."""
    (scouted,) = [m for m in moves(which) if m.told(Used) and m.move.move[0] == 6 and m.record.seat == seat]
    return sum(
        isinstance(event, Drew) and (event.seat, event.deck) == (seat, deck)
        for m in moves(which)
        if scouted.record.seq <= m.record.seq < seq
        for event in m.after.events
    )


@every_scout
def test_what_a_seat_put_back_is_remembered_until_it_is_seen_again(which: Which) -> None:
    game = course(*which)
    truth = Truth(game.seeds)
    first, second = those(which, Returned)
    seat = first.record.seat
    put_back = []
    for moment in (first, second):
        before = {truth.sealed(moment.before, cell).card for cell in in_hand(moment.before, seat)}
        after = {truth.sealed(moment.after, cell).card for cell in in_hand(moment.after, seat)}
        put_back += sorted(before - after)
    end = game.pair.peers[seat].view()
    state = game.pair.session.state
    assert state is not None
    assert end.memory.returned == tuple(
        card for card in put_back if state.unseen >> card & 1 and card not in game.pair.peers[seat].hand
    )
    assert game.pair.peers[other(seat)].view().memory.returned == ()


# An exchange


def test_cells_to_be_given_are_named_first_and_change_hands_when_both_have_named() -> None:
    first, second = those(SIEGE, Gave)
    p, q = first.record.seat, second.record.seat
    assert (p, q) == (first.before.state.turn if first.before.state else None, other(p))
    count = len(first.move.positions)
    named = table(first.after).named
    assert (len(named[p]), named[q]) == (count, ())
    assert first.move.shares == b""
    assert not any(debt.private for debt in table(first.after).debts[q])
    # Named cells stay in the hand, which is mixed.
    held = [cell.id for hand in table(first.after).hands[p] for cell in hand.cells]
    assert set(named[p]) < set(held)
    assert second.before.due() == (q, Kind.MOVE)
    # The second gives his shares in the same record; the first owes his before anybody may choose.
    assert len(second.move.shares) == count * SHARE_BYTES
    owed = [debt for debt in table(second.after).debts[p] if debt.private]
    assert [debt.sealed for debt in owed[:count]] == list(named[p])
    assert second.after.due() == (p, Kind.SHARES)
    assert table(second.after).named == ((), ())
    (shares,) = behind(SIEGE, second, 1)
    body = read_body(shares.record.kind, shares.record.body)
    assert isinstance(body, Shares)
    assert len(body.debts) == len(table(second.after).debts[p]) * SHARE_BYTES
    assert shares.after.due() == (p, Kind.MOVE)


def test_an_exchange_swaps_the_cards_that_were_named_and_both_see_what_they_got() -> None:
    game = course(*SIEGE)
    truth = Truth(game.seeds)
    first, second = those(SIEGE, Gave)
    (shares,) = behind(SIEGE, second, 1)
    assert shares.record.kind is Kind.SHARES
    before, after = (
        [{truth.sealed(s, cell).card for cell in in_hand(s, seat)} for seat in SEATS]
        for s in (first.before, shares.after)
    )
    in_pile = {truth.sealed(first.before, cell).card for cell in in_piles(first.before)}
    given = [before[seat] - after[seat] for seat in SEATS]
    got = [after[seat] - before[seat] - in_pile for seat in SEATS]
    assert got == given[::-1]
    assert [len(cards) for cards in got] == [len(first.move.positions), len(second.move.positions)]
    for seat in SEATS:
        assert any(got[seat] <= set(event.cards) for event in game.pair.events[seat] if isinstance(event, Took))
        for deck, hand in enumerate(table(shares.after).hands[seat]):
            came = any(shares.after.rules.deck_of(card) == deck for card in got[seat])
            assert not (came and hand.mixed)


def test_what_a_seat_gave_away_is_remembered_until_it_is_seen_again() -> None:
    game = course(*SIEGE)
    truth = Truth(game.seeds)
    first, second = those(SIEGE, Gave)
    for moment, seat in ((first, first.record.seat), (second, second.record.seat)):
        before = {truth.sealed(moment.before, cell).card for cell in in_hand(moment.before, seat)}
        after = {truth.sealed(second.after, cell).card for cell in in_hand(second.after, seat)}
        given = before - after
        end, state = game.pair.peers[seat].view(), game.pair.session.state
        assert state is not None
        hidden = {card for card in given if state.unseen >> card & 1 and card not in end.hand}
        assert set(end.memory.given) <= hidden


# A support


def test_after_a_support_seat_0_and_then_seat_1_shuffle_the_pile_and_then_it_is_drawn_from() -> None:
    (support,) = those(SIEGE, Supported)
    (event,) = [event for event in support.after.events if isinstance(event, Supported)]
    author = support.record.seat
    before, after = table(support.before), table(support.after)
    joint = support.after.joint
    rules = support.after.rules
    assert after.piles[0][:-2] == before.piles[0]
    assert [cell.cell for cell in after.piles[0][-2:]] == [
        start_cell(0, rules.index(card), joint) for card in event.cards
    ]
    assert after.piles[1] == before.piles[1]
    assert support.after.due() == (0, Kind.SHUFFLE)
    zero, one, draw = behind(SIEGE, support, 3)
    for moment, seat in ((zero, SEATS[0]), (one, SEATS[1])):
        assert (moment.record.seat, moment.record.kind) == (seat, Kind.SHUFFLE)
        body = read_body(Kind.SHUFFLE, moment.record.body)
        assert isinstance(body, Shuffle)
        assert [item.deck for item in body.decks] == [0]
        assert body.shares == b""
        # The share of the card that was played is owed by the other seat, and is paid here.
        assert len(body.debts) == (SHARE_BYTES if seat == other(author) else 0)
        assert table(moment.after).debts[seat] == ()
        assert moment.after.state == support.after.state
        old = {cell.cell for cell in table(moment.before).piles[0]}
        assert not old & {cell.cell for cell in table(moment.after).piles[0]}
    truth = Truth(course(*SIEGE).seeds)
    piles = [[truth.sealed(m.after, cell).card for cell in table(m.after).piles[0]] for m in (support, zero, one)]
    assert sorted(piles[0]) == sorted(piles[1]) == sorted(piles[2])
    assert len({tuple(pile) for pile in piles}) == 3
    assert (draw.record.seat, draw.record.kind, draw.move.move[0]) == (author, Kind.MOVE, 2)


# Two decks


def test_a_deck_hand_that_loses_nothing_is_not_mixed() -> None:
    """A tactic card is played: the numbered cards of the hand stay as they are, drawn or not."""
    stayed = 0
    for moment in moves(game_of("tactic")):
        (mine, ruses) = table(moment.before).hands[moment.record.seat]
        if moment.told(Used) and not mine.mixed:
            now: DeckHand = table(moment.after).hands[moment.record.seat][0]
            assert now.cells[: len(mine.cells)] == mine.cells
            assert not now.mixed
            assert [mix.deck for mix in moment.move.mixes] == ([] if ruses.mixed else [1])
            stayed += 1
    assert stayed > 0


def test_the_limit_lies_a_stated_few_shares_above_a_restock_and_a_record_with_two_mixes() -> None:
    """A SHUFFLE may be one share too long to be blamed for it; a MOVE has room for 16 shares, and a gift carries 3."""
    (support,) = those(SIEGE, Supported)
    for moment in behind(SIEGE, support, 2):
        assert 0 <= moment.before.limit() - len(moment.record.data) <= SHARE_BYTES + 192
    two = [moment for moment in moves(SIEGE) if len(moment.move.mixes) == 2]
    assert two
    for moment in two:
        assert 0 <= moment.before.limit() - len(moment.record.data) <= 13 * SHARE_BYTES + 256
