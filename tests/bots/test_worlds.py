"""A world is a position that the seat cannot tell from the real one, and nothing but the view goes in."""

from __future__ import annotations

from random import Random

import pytest

from p2p_schotten.bots.worlds import world
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import BATTLE_LINE, RULESETS, SIEGE_TACTIC, TACTIC
from p2p_schotten.engine.state import Beside, Phase
from p2p_schotten.engine.table import Table
from p2p_schotten.engine.view import Memory, view
from p2p_schotten.ids import CardId, DeckId
from tests.bots.games import course_of, dealt, seen_by
from tests.engine.positions import ME, YOU, cards, position


def sizes(table: Table) -> list[int]:
    return [len(each) for each in (*table.piles, *table.hands)]


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_a_world_differs_from_the_real_one_in_hidden_cards_only(rules: Ruleset) -> None:
    random = Random(1)
    for table in course_of(dealt(rules, ME, 9), ("uniform", "uniform"), 9):
        if table.state.over:
            break
        seat = table.state.to_move
        made = world(seen_by(table, seat), random)
        assert made.state == table.state
        assert made.hands[seat] == table.hands[seat]
        assert sizes(made) == sizes(table)
        for deck in range(len(rules.decks)):  # every card in its deck, once
            mine, theirs = (
                sorted(card for zone in (each.piles[deck], *each.hands) for card in zone if rules.deck_of(card) == deck)
                for each in (made, table)
            )
            assert mine == theirs
        assert seen_by(made, seat) == seen_by(table, seat)


def test_every_hidden_card_is_held_by_the_other_as_often_as_another() -> None:
    seen = seen_by(dealt(RULESETS["base"], ME, 2), ME)
    random, held = Random(4), dict.fromkeys(range(54), 0)
    for _ in range(3000):
        for card in world(seen, random).hands[YOU]:
            held[card] += 1
    # 6 of 48 cards: 375 times each, with a standard deviation of 18.
    assert {card for card, times in held.items() if not times} == set(seen.hand)
    assert all(abs(times - 375) < 110 for card, times in held.items() if card not in seen.hand)


@pytest.mark.parametrize(("rules", "top"), [(TACTIC, False), (BATTLE_LINE, BATTLE_LINE.tactics.return_to == "top")])  # type: ignore[union-attr]  # it has tactics
def test_what_the_seat_returned_lies_where_it_put_it(rules: Ruleset, top: bool) -> None:
    state = position({}, rules=rules, hands=((6, 0), (7, 0)), pile=(len(rules.decks[0].cards) - 13, 10))
    put = cards("R7 B8", rules)
    seen = view(state, ME, cards("G1 G2 G3 G4 G5 G6", rules), Memory(returned=put))
    random = Random(0)
    for _ in range(50):
        pile = world(seen, random).piles[0]
        assert (pile[:2] == put[::-1]) if top else (pile[-2:] == put)


def test_what_the_seat_gave_away_is_in_the_other_hand() -> None:
    state = position({}, rules=SIEGE_TACTIC, hands=((6, 0), (6, 0)), pile=(48, 11), beside=Beside(attacker=ME))
    given = cards("R7 B8 Y9", SIEGE_TACTIC)
    seen = view(state, ME, cards("G1 G2 G3 G4 G5 G6", SIEGE_TACTIC), Memory(given=given))
    random = Random(0)
    assert all(set(given) <= set(world(seen, random).hands[YOU]) for _ in range(50))


def test_more_is_remembered_than_there_is_room_for() -> None:
    lying = " ".join(f"{colour}{value}" for colour in "YPNR" for value in range(1, 10) if (colour, value) != ("R", 7))
    state = position({}, rules=TACTIC, hands=((6, 0), (7, 0)), pile=(6, 10), seen=lying)
    state = state._replace(hands=((6, 0), (12, 0)), piles=(1, 10))
    seen = view(state, ME, cards("G1 G2 G3 G4 G5 G6", TACTIC), Memory(returned=cards("R7 B8", TACTIC)))
    assert world(seen, Random(0)).piles[0] == cards("B8", TACTIC), "the first one went in first, and was drawn first"


def test_who_answers_a_gift_does_not_know_it() -> None:
    state = position(
        {},
        rules=SIEGE_TACTIC,
        phase=Phase.GIVE,
        to_move=YOU,
        hands=((6, 1), (7, 0)),
        pile=(47, 10),
        acted=True,
        beside=Beside(attacker=ME, oil=3, tactics=(1, 0), left=2, given=(DeckId(0), DeckId(1))),
    )._replace(turn=ME)
    seen = view(state, YOU, cards("G1 G2 G3 G4 G5 G6 G7", SIEGE_TACTIC), Memory())
    random, named = Random(0), set[tuple[CardId, ...]]()
    for _ in range(20):
        made = world(seen, random)
        assert [SIEGE_TACTIC.deck_of(card) for card in made.named[ME]] == [0, 1]
        assert set(made.named[ME]) <= set(made.hands[ME])
        named.add(made.named[ME])
    assert len(named) > 10
