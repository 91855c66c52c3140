"""The siege's Exchange (A38): what is named, when it changes hands, and what is refused."""

from __future__ import annotations

from functools import partial

import pytest

from p2p_schotten.engine.move import Claim, Draw, Exchange, Give, GiveFrom, Play, PublicMove, Resign
from p2p_schotten.engine.rules import apply, legal_moves
from p2p_schotten.engine.rulesets import SIEGE_TACTIC
from p2p_schotten.engine.state import Beside, Phase, State
from p2p_schotten.engine.step import (
    Drew,
    Ended,
    Exchanged,
    Gave,
    HandToHand,
    HandToOpen,
    Name,
    Outcome,
    PileToHand,
    Reason,
    Used,
)
from p2p_schotten.engine.table import Table, play
from p2p_schotten.errors import IllegalMove
from p2p_schotten.ids import SEATS, CardId, DeckId, Seat, StoneId, other
from tests.engine.positions import ME, YOU, cards, position, refusal, stone

WAR, TACTICS = DeckId(0), DeckId(1)
GATE = StoneId(3)
EXC = SIEGE_TACTIC.card("EXC")
at = partial(stone, rules=SIEGE_TACTIC)


def of(text: str) -> tuple[CardId, ...]:
    return cards(text, SIEGE_TACTIC)


def before(mine: tuple[int, int] = (5, 2), theirs: tuple[int, int] = (6, 1), seat: Seat = ME) -> State:
    """`seat` is on turn and may exchange; `mine` are its cards."""
    hands = (mine, theirs) if seat == ME else (theirs, mine)
    return position({GATE: at("B10 B11")}, rules=SIEGE_TACTIC, hands=hands, pile=(9, 0), to_move=seat)


@pytest.mark.parametrize("seat", SEATS)
def test_a38_the_mover_names_three_cards_then_the_other_and_then_they_change_hands(seat: Seat) -> None:
    foe = other(seat)
    step = apply(before(seat=seat), Exchange(EXC))
    assert step.transfers == (HandToOpen(seat, EXC),)
    assert step.events == (Used(seat, EXC),)
    state = step.state
    assert (state.turn, state.to_move, state.phase, state.beside.left) == (seat, seat, Phase.GIVE, 3)
    assert (state.beside.discard, state.claimable) == ((EXC,), ())
    step = apply(state, GiveFrom((WAR, WAR, TACTICS)))
    # Nothing has left a hand yet, but the backs are seen.
    assert step.transfers == (Name(seat, WAR), Name(seat, WAR), Name(seat, TACTICS))
    assert step.events == (Gave(seat, (WAR, WAR, TACTICS)),)
    assert (step.state.turn, step.state.to_move, step.state.hands) == (seat, foe, state.hands)
    step = apply(step.state, GiveFrom((WAR, WAR, WAR)))
    attacks = seat == ME  # ME attacks and holds the gate: its window is open now
    assert step.transfers == (
        *(Name(foe, WAR),) * 3,
        *(HandToHand(seat, WAR), HandToHand(seat, WAR), HandToHand(seat, TACTICS)),
        *(HandToHand(foe, WAR),) * 3,
        *((PileToHand(WAR, seat),) if not attacks else ()),
    )
    assert step.events == (
        Gave(foe, (WAR, WAR, WAR)),
        Exchanged(3),
        *((Drew(seat, WAR),) if not attacks else ()),
    )
    after = step.state
    assert (after.beside.left, after.beside.given) == (0, ())
    if attacks:
        assert (after.to_move, after.phase, after.claimable) == (ME, Phase.CLAIM, (GATE,))
        assert after.hands == ((6, 0), (5, 2))
    else:
        assert (after.to_move, after.phase, after.hands) == (ME, Phase.PLAY, ((5, 2), (7, 0)))


@pytest.mark.parametrize(
    ("mine", "theirs", "count"),
    [
        ((0, 2), (5, 1), 1),  # one card is left once the exchange is played
        ((2, 1), (1, 0), 1),
        ((2, 1), (2, 0), 2),
        ((4, 1), (4, 1), 3),
    ],
)
def test_a38_as_many_cards_change_hands_as_both_have_three_at_the_most(
    mine: tuple[int, int], theirs: tuple[int, int], count: int
) -> None:
    assert apply(before(mine, theirs), Exchange(EXC)).state.beside.left == count


@pytest.mark.parametrize(("mine", "theirs"), [((0, 1), (5, 1)), ((4, 1), (0, 0))])
def test_a17_with_an_empty_hand_an_exchange_is_not_played(mine: tuple[int, int], theirs: tuple[int, int]) -> None:
    state = before(mine, theirs)
    assert refusal(state, Exchange(EXC)) == "one of the hands is empty"
    assert Exchange(EXC) not in legal_moves(state, (EXC,))


UNDONE = "what was begun must be done first"


@pytest.mark.parametrize(
    ("move", "why"),
    [
        (GiveFrom(()), "3 cards are to be given, not 0"),
        (GiveFrom((WAR, WAR)), "3 cards are to be given, not 2"),
        (GiveFrom((WAR,) * 4), "3 cards are to be given, not 4"),
        (GiveFrom((TACTICS, WAR, WAR)), "the decks of the given cards stand in ascending order"),
        (GiveFrom((WAR, TACTICS, TACTICS)), "this hand does not hold so many cards of these decks"),
        (GiveFrom((WAR, WAR, DeckId(2))), "this hand does not hold so many cards of these decks"),
        (GiveFrom((DeckId(-1), WAR, WAR)), "this hand does not hold so many cards of these decks"),
        (Play(SIEGE_TACTIC.card("R1"), GATE), UNDONE),
        (Exchange(EXC), UNDONE),
        (Claim(GATE), UNDONE),
        (Draw(WAR), "nothing is drawn now: cards are drawn at the end of the turn"),
    ],
)
def test_nothing_but_a_proper_choice_is_taken_from_either_seat(move: PublicMove, why: str) -> None:
    state = apply(before(), Exchange(EXC)).state
    assert refusal(state, move) == why
    answering = apply(state, GiveFrom((WAR, WAR, WAR))).state
    said = "only the attacker controls tiles" if move == Claim(GATE) else why
    assert refusal(answering, move) == said


def test_every_choice_of_the_hand_is_offered_in_ascending_order() -> None:
    state = apply(before((2, 3), (6, 1)), Exchange(EXC)).state
    r1, g2, spy, joker = of("R1 G2 SPY JOK")
    assert legal_moves(state, (spy, r1, joker, g2)) == (
        Give((r1, g2, joker)),
        Give((r1, g2, spy)),
        Give((r1, joker, spy)),
        Give((g2, joker, spy)),
    )


@pytest.mark.parametrize("resigning", SEATS)
def test_whoever_must_choose_may_resign(resigning: Seat) -> None:
    state = apply(before(), Exchange(EXC)).state
    if resigning == YOU:
        state = apply(state, GiveFrom((WAR, WAR, WAR))).state
    assert state.to_move == resigning
    points = (0, 5) if resigning == ME else (5, 0)
    assert apply(state, Resign()).events == (Ended(Outcome(other(resigning), Reason.RESIGNED, points)),)


def table() -> Table:
    """ME on turn with the exchange; the faces of both hands are known here."""
    state = before((4, 2), (5, 1))
    return Table(state, (of("Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9"), ()), (of("R1 EXC R3 G4 SPY B5"), of("P1 P2 P3 P4 P5 DES")))


def test_the_plain_table_swaps_the_chosen_cards_and_each_seat_remembers_what_it_gave() -> None:
    there, _ = play(table(), Exchange(EXC))
    there, _ = play(there, Give(of("R3 B5 SPY")))
    assert there.hands == (of("R1 R3 G4 SPY B5"), of("P1 P2 P3 P4 P5 DES"))
    there, events = play(there, Give(of("P2 P4 DES")))
    assert events[-1] == Exchanged(3)
    assert there.hands == (of("R1 G4 P2 P4 DES"), of("P1 P3 P5 R3 B5 SPY"))
    assert there.named == ((), ())
    assert [memory.given for memory in there.memories] == [of("R3 B5 SPY"), of("P2 P4 DES")]


def test_the_plain_table_refuses_a_card_that_is_not_in_the_hand() -> None:
    there, _ = play(table(), Exchange(EXC))
    with pytest.raises(IllegalMove, match=r"^P1 is not in this hand$"):
        play(there, Give(of("R3 B5 P1")))


def test_the_plain_table_refuses_a_card_that_is_given_twice() -> None:
    there, _ = play(table(), Exchange(EXC))
    r3, spy = of("R3 SPY")
    with pytest.raises(IllegalMove, match=r"^a card is named twice$"):
        play(there, Give((r3, r3, spy)))


def test_an_attacker_is_asked_for_control_once_the_exchange_is_done() -> None:
    beside = Beside(attacker=ME, oil=3)
    state = position({GATE: at("B10 B11")}, rules=SIEGE_TACTIC, hands=((5, 1), (6, 0)), pile=(9, 5), beside=beside)
    state = apply(state, Exchange(EXC)).state
    state = apply(apply(state, GiveFrom((WAR,) * 3)).state, GiveFrom((WAR,) * 3)).state
    assert legal_moves(state, ()) == (Claim(GATE), Draw(WAR), Draw(TACTICS))
