"""Why a stone can be claimed or not, told to the one who would claim it and to the one who would lose it."""

from __future__ import annotations

import pytest

from p2p_schotten.engine.formation import RANK, SUM, Terms, key_text
from p2p_schotten.engine.ruleset import Contest
from p2p_schotten.engine.rulesets import BASE, SIEGE
from p2p_schotten.engine.state import Beside
from p2p_schotten.engine.view import Memory, View
from p2p_schotten.ids import Seat, StoneId
from p2p_schotten.ui.claims import claim_reason, formation_text
from p2p_schotten.ui.voice import Voice
from tests.engine.positions import ME, YOU, position, stone

FIVE = StoneId(4)
ALL_BUT_P9 = " ".join(f"{colour}{value}" for colour in "RGBYPN" for value in range(1, 10) if f"{colour}{value}" != "P9")


@pytest.mark.parametrize(
    ("mine", "theirs", "first", "seen", "why"),
    [
        ("R9 B6", "G1 Y4", ME, "", "your side has 2 of 3 cards"),
        ("R7 R8 R9", "B7 B8 B9", ME, "", "both make colour run 24, and your side was complete first"),
        ("R7 R8 R9", "B7 B8 B9", YOU, "", "both make colour run 24, and bob's side was complete first"),
        ("G1 G3 G5", "R7 B8 Y9", YOU, "", "colour 9 beats run 24"),
        ("R1 B2 G9", "Y9 P7 N6", ME, "", "bob's sum 22 beats sum 12"),
        ("R5 B5 G5", "Y1 P1 N1", ME, "", "three of a kind 15 beats three of a kind 3"),
        ("R1 R2 R3", "B2 B3", ME, "G9", "bob may still make colour run 9 with B4"),
        ("R7 R8 R9", "", ME, "", "nothing that bob may still make beats colour run 24"),
        ("R1 B1 G2", "Y9", ME, ALL_BUT_P9, "too few cards are unseen to complete bob's side"),
        ("R1 B1 G2", "Y9 Y8", ME, ALL_BUT_P9, "bob may still make sum 26 with P9"),
    ],
)
def test_why_a_stone_of_three_cards_can_be_claimed_or_not(
    mine: str, theirs: str, first: Seat, seen: str, why: str
) -> None:
    lying = set(f"{mine} {theirs}".split())
    seen = " ".join(card for card in seen.split() if card not in lying)
    state = position({4: stone(mine, theirs, first=first)}, seen=seen)
    view = View(ME, state, (), Memory())
    assert claim_reason(Voice(ME, ("ann", "bob")), view, FIVE, ME) == why


@pytest.mark.parametrize(
    ("attack", "defence", "first", "why"),
    [
        ("R9 B6", "", YOU, "his side has 2 of 3 cards"),
        ("R9 B6 G1", "Y9 P4 G3", YOU, "both make sum 16, and bob's side was complete first"),
        ("R9 B6 G1", "Y9 P4 G3", ME, "both make sum 16, and your side was complete first"),
        ("R9 B6 G2", "Y9 P4 G3", ME, "sum 17 beats sum 16"),
        ("R9 B6 G1", "Y9 P4 G4", YOU, "your side's sum 17 beats sum 16"),
        ("R9 B6 G1", "P11 Y10", YOU, "your side may still make sum 32 with Y11"),
        ("R11 B11 G11", "Y0", YOU, "nothing that your side may still make beats sum 33"),
    ],
)
def test_the_defender_hears_why_the_attacker_can_control_a_tile_or_not(
    attack: str, defence: str, first: Seat, why: str
) -> None:
    # Tile 1 of an intact wall: three cards, the highest sum.
    # Of the elevens only Y11 is still to come.
    elevens = " ".join({"R11", "G11", "P11", "B11"} - set(f"{attack} {defence}".split()))
    ground = {0: stone(defence, attack, first=first, rules=SIEGE)}
    state = position(ground, rules=SIEGE, seen=elevens, to_move=YOU, beside=Beside(attacker=YOU, oil=3))
    view = View(ME, state, (), Memory())
    assert claim_reason(Voice(ME, ("ann", "bob")), view, StoneId(0), YOU) == why


def test_whose_a_stone_is_comes_before_everything_else() -> None:
    state = position({0: stone("R7 R8 R9", owner=ME), 1: stone("", "", owner=YOU)}, rules=BASE)
    view = View(ME, state, (), Memory())
    voice = Voice(ME, ("ann", "bob"))
    assert claim_reason(voice, view, StoneId(0), ME) == "it is yours already"
    assert claim_reason(voice, view, StoneId(1), ME) == "it is bob's already"


@pytest.mark.parametrize("contest", Contest)
@pytest.mark.parametrize("size", [2, 3, 4])
def test_every_formation_that_the_engine_names_has_a_name_for_the_player(contest: Contest, size: int) -> None:
    terms = Terms(BASE.grid, size, contest, bonus=True)
    for worth in (*filter(None, terms.ranks), RANK):  # a sum last
        key = SUM - 20 if contest is Contest.LOW else worth + 20
        assert formation_text(key, terms) == key_text(key, terms)  # as long as nothing is translated
