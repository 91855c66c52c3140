"""Laws of every ruleset, flags included: what a seat sees and remembers, and what it cannot learn."""

from __future__ import annotations

from random import Random

import pytest

from p2p_schotten.engine.move import Give, Move, Return
from p2p_schotten.engine.rules import legal_moves
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.table import Cards, Table, play
from p2p_schotten.engine.view import view
from p2p_schotten.ids import SEATS, CardId, DeckId, Seat, other
from tests.engine.random_games import any_kind, games, spender
from tests.engine.variants import VARIANTS, named

over_variants = pytest.mark.parametrize("rules", VARIANTS, ids=named)


def dealt_anew(table: Table, me: Seat, random: Random) -> Table:
    """A table alike in all that `me` may know: what it does not see, the other hand and the piles, lies elsewhere.

    Every hidden card keeps its deck, for backs are seen. What the other has named for an exchange stays named.
    """
    rules, you = table.state.rules, other(me)
    piles, theirs = list(table.piles), list(table.hands[you])
    for deck in range(len(rules.decks)):
        slots = [at for at, card in enumerate(theirs) if rules.deck_of(card) == deck and card not in table.named[you]]
        cards = [*(theirs[at] for at in slots), *piles[deck]]
        random.shuffle(cards)
        for at in slots:
            theirs[at] = cards.pop()
        piles[deck] = tuple(cards)
    hands = (table.hands[0], tuple(theirs)) if me == 0 else (tuple(theirs), table.hands[1])
    return table._replace(piles=tuple(piles), hands=hands)


def in_place(cards: Cards) -> Cards:
    return cards


@over_variants
def test_nothing_hidden_changes_what_a_seat_sees_may_choose_or_brings_about(rules: Ruleset) -> None:
    random = Random(31)
    dealt_otherwise = 0
    for table in games(rules, 31, any_kind, any_kind)[0][:-1]:
        me = table.state.to_move
        twin = dealt_anew(table, me, random)
        dealt_otherwise += twin != table
        mine, same = (view(each.state, me, each.hands[me], each.memories[me]) for each in (table, twin))
        assert mine == same
        assert mine.choices() == same.choices() == legal_moves(table.state, table.hands[me])
        assert view(table.state, other(me), table.hands[other(me)], table.memories[other(me)]).choices() == ()
        for move in random.sample(mine.choices(), min(4, len(mine.choices()))):
            (after, events), (after_twin, events_twin) = play(table, move, in_place), play(twin, move, in_place)
            assert events == events_twin
            assert after.state == after_twin.state
            # The other's record is public; my own hand may differ in what came to it unseen, and in nothing else.
            came = set(after.hands[me]) - set(table.hands[me])
            came_to_twin = set(after_twin.hands[me]) - set(table.hands[me])
            assert set(after.hands[me]) - came == set(after_twin.hands[me]) - came_to_twin
            assert sorted(map(rules.deck_of, came)) == sorted(map(rules.deck_of, came_to_twin))
    assert dealt_otherwise > 20


def hidden_cards(move: Move) -> Cards:
    """The cards that the mover puts away and nobody else sees."""
    match move:
        case Return(card):
            return (card,)
        case Give(cards):
            return cards
    return ()


@over_variants
def test_a_seat_remembers_the_cards_it_put_away_until_it_sees_them_again(rules: Ruleset) -> None:
    for seed in (37, 38, 39):
        tables, steps = games(rules, seed, spender, spender)
        put_away: tuple[list[CardId], list[CardId]] = ([], [])
        for before, after, (move, _) in zip(tables, tables[1:], steps, strict=False):
            mover = before.state.to_move
            put_away[mover].extend(hidden_cards(move))
            for seat in SEATS:
                seen = [card for card in put_away[seat] if not after.state.unseen >> card & 1]
                back = [card for card in put_away[seat] if card in after.hands[seat]]
                for card in {*seen, *back} - set(after.named[seat]):  # what is named is still in the hand
                    put_away[seat].remove(card)
                memory = after.memories[seat]
                assert sorted((*memory.returned, *memory.given)) == sorted(put_away[seat])
                elsewhere = {card for pile in after.piles for card in pile} | set(after.hands[other(seat)])
                elsewhere |= set(after.named[seat])
                assert {*memory.returned, *memory.given} <= elsewhere
                if rules.siege is not None:
                    assert set(memory.given) <= {*after.hands[other(seat)], *after.named[seat]}
                    assert memory.returned == ()


def test_every_card_has_the_deck_of_its_back() -> None:
    for rules in VARIANTS:
        for deck in range(len(rules.decks)):
            assert all(rules.deck_of(card.id) == DeckId(deck) for card in rules.decks[deck].cards)
