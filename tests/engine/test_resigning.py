"""Whoever is to move may resign, whatever he is asked, and nobody is offered it."""

from __future__ import annotations

import pytest

from p2p_schotten.engine.move import Resign
from p2p_schotten.engine.rules import apply, legal_moves
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import RULESETS, SIEGE_TACTIC
from p2p_schotten.engine.state import Beside, Phase
from p2p_schotten.engine.step import Ended, Outcome, Reason
from p2p_schotten.ids import SEATS, Seat, StoneId, other
from tests.engine.positions import ME, cards, owned, position, stone


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase is not Phase.OVER])
@pytest.mark.parametrize("seat", SEATS)
def test_a_seat_resigns_in_every_phase(phase: Phase, seat: Seat) -> None:
    row = {0: stone("R1 R2 R3 R4", "G1 G2 G3 G4", rules=SIEGE_TACTIC)}
    beside = Beside(attacker=ME, oil=1, left=1, crowded=StoneId(0))
    state = position(row, rules=SIEGE_TACTIC, phase=phase, to_move=seat, hands=((5, 1), (5, 1)), beside=beside)
    assert Resign() not in legal_moves(state, cards("B1 B2 B3 B4 B5 SPY", SIEGE_TACTIC))
    step = apply(state, Resign())
    points = (0, 5) if seat == ME else (5, 0)
    assert step.events == (Ended(Outcome(other(seat), Reason.RESIGNED, points)),)
    assert (step.transfers, step.state.phase) == ((), Phase.OVER)


@pytest.mark.parametrize(
    "rules", [rules for rules in RULESETS.values() if rules.siege is None], ids=lambda rules: rules.name
)
@pytest.mark.parametrize("seat", SEATS)
def test_the_winner_scores_five_and_the_other_one_for_each_own_stone(rules: Ruleset, seat: Seat) -> None:
    state = position(owned([0, 4], [2, 6, 8], {}), rules=rules, to_move=seat)
    points = (2, 5) if seat == ME else (5, 3)
    assert apply(state, Resign()).state.outcome == Outcome(other(seat), Reason.RESIGNED, points)
