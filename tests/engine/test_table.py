"""The plain table carries the transfers of every tactic card out: which cards lie where, and in what order."""

from __future__ import annotations

import pytest

from p2p_schotten.engine.move import Draw, Play, Return, ReturnFrom, Scout, Support
from p2p_schotten.engine.quick import quick
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import BATTLE_LINE, SIEGE_TACTIC, TACTIC
from p2p_schotten.engine.table import Cards, Table, deal, play
from p2p_schotten.engine.view import Memory
from p2p_schotten.errors import IllegalMove
from p2p_schotten.ids import DeckId, StoneId
from tests.engine.positions import ME, YOU, cards, position

CLAN, TACTICS = DeckId(0), DeckId(1)
ONE = StoneId(0)


def test_a_tuple_made_quickly_is_the_one_that_its_own_constructor_makes() -> None:
    made, table = quick(Table), scouting(TACTIC, "REC")
    again = made(table.state, table.piles, table.hands, table.named, table.memories)
    assert again == table
    assert type(again) is Table
    assert again.hands == table.hands


def scouting(rules: Ruleset, scout: str) -> Table:
    """ME on turn with a scout; G1 G2 G3 and SPY or CAV, FOG lie on top of the piles."""
    spy = "SPY" if rules is TACTIC else "CAV"
    state = position({}, rules=rules, hands=((6, 1), (7, 0)), pile=(4, 2))
    hand = cards(f"R1 R2 R3 {scout} R4 R5 R6", rules)
    return Table(
        state,
        (cards("G1 G2 G3 G4", rules), cards(f"{spy} FOG", rules)),
        (hand, cards("B1 B2 B3 B4 B5 B6 B7", rules)),
    )


def scouted(rules: Ruleset, scout: str) -> Table:
    """The table when ME has drawn two clan cards and a tactic card."""
    there, _ = play(scouting(rules, scout), Scout(rules.card(scout)))
    for deck in (CLAN, TACTICS, CLAN):
        there, _ = play(there, Draw(deck))
    return there


def test_a_recruiter_draws_from_the_top_of_the_chosen_decks() -> None:
    there = scouted(TACTIC, "REC")
    assert there.hands[ME] == cards("R1 R2 R3 R4 R5 R6 G1 SPY G2", TACTIC)
    assert there.piles == (cards("G3 G4", TACTIC), cards("FOG", TACTIC))


def test_d8_a_recruiter_puts_its_cards_under_their_decks_in_the_order_in_which_they_are_named() -> None:
    there, _ = play(scouted(TACTIC, "REC"), Return(TACTIC.card("R2")))
    there, _ = play(there, Return(TACTIC.card("G1")))
    assert there.hands[ME] == cards("R1 R3 R4 R5 R6 SPY G2", TACTIC)
    assert there.piles == (cards("G3 G4 R2 G1", TACTIC), cards("FOG", TACTIC))
    # YOU draws what was on top before.
    there, _ = play(there, Play(TACTIC.card("B1"), ONE))
    there, _ = play(there, Draw(CLAN))
    assert there.hands[YOU] == cards("B2 B3 B4 B5 B6 B7 G3", TACTIC)


def test_b07_a_scout_puts_its_cards_on_top_of_their_decks_so_the_last_one_is_drawn_next() -> None:
    there, _ = play(scouted(BATTLE_LINE, "SCO"), Return(BATTLE_LINE.card("R2")))
    there, _ = play(there, Return(BATTLE_LINE.card("G1")))
    assert there.piles == (cards("G1 R2 G3 G4", BATTLE_LINE), cards("FOG", BATTLE_LINE))
    there, _ = play(there, Play(BATTLE_LINE.card("B1"), ONE))
    there, _ = play(there, Draw(CLAN))
    assert there.hands[YOU] == cards("B2 B3 B4 B5 B6 B7 G1", BATTLE_LINE)


def test_each_card_goes_back_to_its_own_deck() -> None:
    there, _ = play(scouted(TACTIC, "REC"), Return(TACTIC.card("SPY")))
    assert there.piles == (cards("G3 G4", TACTIC), cards("FOG SPY", TACTIC))
    assert there.state.piles == (2, 2)


def test_a_seat_remembers_what_it_put_back_until_it_is_seen_again() -> None:
    there, _ = play(scouted(TACTIC, "REC"), Return(TACTIC.card("R2")))
    there, _ = play(there, Return(TACTIC.card("G1")))
    assert there.memories == (Memory(returned=cards("R2 G1", TACTIC)), Memory())
    for played, _drawn in (("B1", "G3"), ("R3", "G4"), ("B2", "R2")):
        there, _ = play(there, Play(TACTIC.card(played), ONE))
        there, _ = play(there, Draw(CLAN))
    assert TACTIC.card("R2") in there.hands[YOU]
    assert there.memories[ME] == Memory(returned=cards("R2 G1", TACTIC))  # ME does not know who drew it
    there, _ = play(there, Play(TACTIC.card("R4"), StoneId(1)))
    there, _ = play(there, Draw(CLAN))
    assert there.hands[ME][-1] == TACTIC.card("G1")
    assert there.memories[ME] == Memory(returned=cards("R2", TACTIC))
    there, _ = play(there, Play(TACTIC.card("R2"), StoneId(1)))
    assert there.memories == (Memory(), Memory())


@pytest.mark.parametrize("text", ["G3", "B1", "FOG"])
def test_a_card_that_the_hand_does_not_hold_is_not_put_back(text: str) -> None:
    there = scouted(TACTIC, "REC")
    with pytest.raises(IllegalMove) as refused:
        play(there, Return(TACTIC.card(text)))
    assert refused.value.reason == f"{text} is not in this hand"


def test_a_support_shuffles_the_cards_together_with_their_pile() -> None:
    seen: list[Cards] = []

    def turned(pile: Cards) -> Cards:
        seen.append(pile)
        return pile[::-1]

    def of(text: str) -> Cards:
        return cards(text, SIEGE_TACTIC)

    state = position({}, rules=SIEGE_TACTIC, hands=((5, 1), (6, 0)), pile=(3, 1), discard="R5 B6 SPY")
    hands = (of("R1 R2 R3 SUP R4 P1"), of("B1 B2 B3 B4 B5 B7"))
    there = Table(state, (of("G1 G2 G3"), of("JOK")), hands)
    there, _ = play(
        there, Support(SIEGE_TACTIC.card("SUP"), (SIEGE_TACTIC.card("R5"), SIEGE_TACTIC.card("B6"))), turned
    )
    assert seen == [of("G1 G2 G3 R5 B6")]
    assert there.piles == (of("B6 R5 G3 G2 G1"), of("JOK"))
    there, _ = play(there, Draw(CLAN), turned)
    assert there.hands[ME] == of("R1 R2 R3 R4 P1 B6")
    assert len(seen) == 1  # nothing is shuffled at a draw


def test_the_deal_of_two_decks_leaves_the_tactic_deck_whole() -> None:
    there = deal(TACTIC, YOU, [range(54), range(9, -1, -1)])
    assert there.hands == (tuple(range(7)), tuple(range(7, 14)))
    assert there.piles == (tuple(range(14, 54)), tuple(range(63, 53, -1)))


def test_a_plain_table_refuses_a_public_form_because_it_must_know_the_card() -> None:
    there = scouted(TACTIC, "REC")
    with pytest.raises(IllegalMove, match=r"^a card of the hand is named here, not only its deck$"):
        play(there, ReturnFrom(CLAN))
