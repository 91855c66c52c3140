"""Desks at a position: with a card to lay, with stones to claim, or waiting for the other."""

from __future__ import annotations

from p2p_schotten.engine.move import Play
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import BASE, TACTIC
from p2p_schotten.engine.state import Phase, State
from p2p_schotten.engine.view import Memory, View
from p2p_schotten.ids import CardId, StoneId
from p2p_schotten.ui.desk import Desk, Send
from p2p_schotten.ui.voice import Voice
from tests.engine.positions import ME, YOU, cards, position, stone

NOTHING = Memory()
HAND = "R2 G5 B1 Y9 P9 N6"  # numbered by clan: 1 R2, 2 G5, 3 B1, 4 Y9, 5 P9, 6 N6


def desk_at(
    state: State, hand: str = HAND, *, asked: bool = True, sure: bool = False, memory: Memory = NOTHING
) -> Desk:
    desk = Desk(Voice(ME, ("ann", "bob")), sure=sure)
    view = View(ME, state, cards(hand, state.rules), memory)
    if asked:
        desk.ask(view, view.choices())
    else:
        desk.see(view)
    return desk


def at_play() -> Desk:
    """Stone 2 is full on my side, stone 3 is bob's, bob has R9 on stone 1."""
    return desk_at(position({0: stone("", "R9"), 1: stone("Y1 P2 N4", ""), 2: stone("R1", "B7 B8 B9", owner=YOU)}))


def at_claim() -> Desk:
    """My stones 4 and 6 are proven, 5 is not."""
    return desk_at(
        position(
            {3: stone("R7 R8 R9", "B1 B2"), 4: stone("G7 Y7 P7", ""), 5: stone("P3 P4 P5", "B3 Y9 N1")},
            phase=Phase.CLAIM,
        ),
        "R2 G5 B4 Y8 N6",
    )


def play(card: str, number: int) -> Send:
    return Send(Play(BASE.card(card), StoneId(number - 1)))


def card(text: str, rules: Ruleset = TACTIC) -> CardId:
    """The first card of that face."""
    return rules.card(text)
