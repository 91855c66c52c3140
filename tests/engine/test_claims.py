"""Claims by proof in the base game, against an enumeration of every reply, and in words."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p_schotten.engine.claim import Verdict, explain, holds, weigh
from p2p_schotten.engine.rulesets import BASE
from p2p_schotten.engine.state import Phase
from p2p_schotten.ids import StoneId
from tests.engine import oracle
from tests.engine.positions import ME, YOU, cards, position, side, stone


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_a_claim_holds_exactly_when_no_filling_beats_it(data: st.DataObject) -> None:
    deck = oracle.deck()
    # Few colours and values make formations, ties and shortages likely.
    lively = [card for card in deck if card[0] in "RGB"]
    lying = data.draw(st.lists(st.sampled_from(lively), min_size=2, max_size=6, unique=True))
    cut = data.draw(st.integers(max(0, len(lying) - 3), min(3, len(lying))))
    mine, theirs = lying[:cut], lying[cut:]
    rest = [card for card in deck if card not in lying]
    unseen = data.draw(st.lists(st.sampled_from(rest), max_size=16, unique=True))
    first = data.draw(st.booleans()) if len(theirs) == 3 else True

    bits = sum(1 << card for card in cards(" ".join(unseen)))
    expected = oracle.may_claim(mine, theirs, first, unseen)
    own, against = side(" ".join(mine)), side(" ".join(theirs))
    assert holds(own, against, first, bits) is expected
    verdict = weigh(BASE, own, against, first, bits)
    assert verdict.claim is expected
    named = [BASE.text(card) for card in verdict.beaten_by]
    assert named == [] if expected else oracle.beats(named, mine, theirs, first, unseen)


def test_a10_a_claim_holds_when_too_few_cards_are_unseen_to_complete_the_other_side() -> None:
    only_p9, unplayed_tactics = 1 << BASE.card("P9"), 0b1111111111 << len(BASE.cards)
    for unseen in (only_p9, only_p9 | unplayed_tactics):
        verdict = weigh(BASE, side("R1 B1 G2"), side("Y9"), True, unseen)
        assert verdict == Verdict(True, "too few cards are unseen to complete the other side", ())


@pytest.mark.parametrize(
    ("mine", "theirs", "first", "because", "beaten_by"),
    [
        ("R9 B6", "G1 Y4", ME, "the side has 2 of 3 cards: only a complete side can claim", ""),
        ("R7 R8 R9", "B7 B8 B9", ME, "both make colour run 24, and this side was complete first", ""),
        ("R7 R8 R9", "B7 B8 B9", YOU, "both make colour run 24, and the other side was complete first", "B7 B8 B9"),
        ("G1 G3 G5", "R7 B8 Y9", YOU, "colour 9 beats run 24", ""),
        ("R1 B2 G9", "Y9 P7 N6", ME, "the other side's sum 22 beats sum 12", "Y9 P7 N6"),
        ("R1 R2 R3", "B2 B3", ME, "the other side may still make colour run 9 with B4", "B4"),
        ("R7 R8 R9", "", ME, "nothing that the other side may still make beats colour run 24", ""),
    ],
)
def test_a_claim_is_explained_with_the_cards_in_its_way(
    mine: str, theirs: str, first: int, because: str, beaten_by: str
) -> None:
    state = position({4: stone(mine, theirs, first=ME if first == ME else YOU)})
    verdict = explain(state, StoneId(4), ME)
    assert verdict.because == because
    assert sorted(verdict.beaten_by) == sorted(cards(beaten_by))


@pytest.mark.parametrize(
    ("owner", "because"),
    [(ME, "stone 5 is owned by the claimant already"), (YOU, "stone 5 is owned by the other player already")],
)
def test_a_claimed_stone_is_not_claimed_again(owner: int, because: str) -> None:
    state = position({4: stone("R7 R8 R9", owner=ME if owner == ME else YOU)}, phase=Phase.CLAIM)
    verdict = explain(state, StoneId(4), ME)
    assert (verdict.claim, verdict.because, verdict.beaten_by) == (False, because, ())


def test_a26_hand_and_pile_counts_are_no_evidence() -> None:
    row = {0: stone("R1 R2 R3", "B2 B3")}
    empty_handed = position(row, hands=(0, 0), pile=0)
    assert not explain(empty_handed, StoneId(0), ME).claim
    assert explain(empty_handed, StoneId(0), ME) == explain(position(row), StoneId(0), ME)


def test_cards_at_claimed_stones_are_evidence() -> None:
    open_stone = stone("R1 R2 R3", "B2 B3")
    assert not explain(position({0: open_stone}), StoneId(0), ME).claim
    assert explain(position({0: open_stone, 8: stone("B4 G9 Y9", owner=YOU)}), StoneId(0), ME).claim
