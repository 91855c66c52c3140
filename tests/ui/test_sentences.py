"""One sentence per event, for a player and for a looker-on."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from p2p_schotten.engine import step
from p2p_schotten.engine.rulesets import BASE, BATTLE_LINE, SIEGE_TACTIC
from p2p_schotten.engine.state import Beside
from p2p_schotten.ids import CardId, DeckId, Seat, StoneId
from p2p_schotten.protocol import events
from p2p_schotten.ui.notice import (
    Chatted,
    Faulted,
    Happening,
    Introduced,
    Invited,
    Lost,
    Reconnecting,
    Recorded,
    Resumed,
    Returned,
    Saved,
    Settled,
    Silent,
    TimeUp,
    TurnedAway,
)
from p2p_schotten.ui.sentences import tell
from p2p_schotten.ui.steps import ending, result, tell_step
from p2p_schotten.ui.table_text import position_text
from p2p_schotten.ui.voice import Voice
from tests.engine.positions import ME, YOU, position, stone

MINE = Voice(ME, ("ann", "bob"))
LOOKER_ON = Voice(None, ("ann", "bob"))
R7 = BASE.card("R7")
THREE = StoneId(2)


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (step.Dealt(6, ME), "Each player holds 6 cards. You begin."),
        (step.Dealt(6, YOU), "Each player holds 6 cards. bob begins."),
        (step.Played(ME, R7, THREE), "You play R7 on stone 3."),
        (step.Played(YOU, R7, THREE), "bob plays R7 on stone 3."),
        (step.Claimed(ME, THREE), "You claim stone 3."),
        (step.Claimed(YOU, THREE), "bob claims stone 3."),
        (step.Drew(YOU, DeckId(0)), "bob draws a card; 20 cards left in the deck."),
        (step.Passed(YOU), "bob passes."),
        (step.Skipped(YOU), "bob can lay no card: the turn is over."),
        (step.Skipped(ME), "You can lay no card: the turn is over."),
        (step.Awarded(YOU, THREE), "Stone 3 goes to bob."),
    ],
)
def test_an_event_is_one_sentence(event: step.Event, sentence: str) -> None:
    assert tell_step(MINE, position({}), event) == (sentence,)


ST2 = SIEGE_TACTIC
R6 = ST2.card("R6")
ONE, FIVE = StoneId(0), StoneId(4)


@pytest.mark.parametrize(
    ("event", "mine", "theirs"),
    [
        (lambda seat: step.Used(seat, ST2.card("RED")), "You play RED (Redeploy).", "bob plays RED (Redeploy)."),
        (
            lambda seat: step.Moved(seat, R6, ONE, FIVE),
            "You move R6 from tile 1 to tile 5.",
            "bob moves R6 from tile 1 to tile 5.",
        ),
        (
            lambda seat: step.Betrayed(seat, R6, ONE, FIVE),
            "You take R6 from tile 1 to your side of tile 5.",
            "bob takes R6 from tile 1 to his side of tile 5.",
        ),
        (
            lambda seat: step.Recruited(seat, R6, FIVE),
            "You take R6 from the discard pile to your side of tile 5.",
            "bob takes R6 from the discard pile to his side of tile 5.",
        ),
        (
            lambda seat: step.Discarded(seat, (R6, ST2.card("SPY")), FIVE),
            "Discarded from your side of tile 5: R6 SPY.",
            "Discarded from bob's side of tile 5: R6 SPY.",
        ),
        (
            lambda seat: step.Eliminated((ST2.card("R11"), ST2.card("R0")), FIVE),
            "R11 meets R0 at tile 5: both are discarded.",
            "R11 meets R0 at tile 5: both are discarded.",
        ),
        (
            lambda seat: step.Returned(seat, DeckId(1)),
            "You put a tactic card back under its pile.",
            "bob puts a tactic card back under its pile.",
        ),
        (
            lambda seat: step.Gave(seat, (DeckId(0), DeckId(0), DeckId(1))),
            "You have chosen what you give: 2 siege, 1 tactic.",
            "bob has chosen 2 siege, 1 tactic to give.",
        ),
        (
            lambda seat: step.Exchanged(3),
            "3 cards change hands each way.",
            "3 cards change hands each way.",
        ),
        (
            lambda seat: step.Supported(seat, (R6, ST2.card("G2"))),
            "You put R6 G2 back into the siege pile, which is shuffled.",
            "bob puts R6 G2 back into the siege pile, which is shuffled.",
        ),
        (
            lambda seat: step.Poured(seat, FIVE, 2),
            "You pour oil at tile 5; 2 left.",
            "bob pours oil at tile 5; 2 left.",
        ),
        (lambda seat: step.Retreated(seat, FIVE), "You retreat from tile 5.", "bob retreats from tile 5."),
        (
            lambda seat: step.Controlled(seat, FIVE),
            "You control tile 5: both sides are discarded, and it is damaged.",
            "bob controls tile 5: both sides are discarded, and it is damaged.",
        ),
    ],
)
def test_what_tactics_and_sieges_do_is_one_sentence_for_either_player(
    event: Callable[[Seat], step.Event], mine: str, theirs: str
) -> None:
    state = position({}, rules=ST2)
    assert tell_step(MINE, state, event(ME)) == (mine,)
    assert tell_step(MINE, state, event(YOU)) == (theirs,)


def test_a_draw_names_the_deck_where_there_are_two() -> None:
    state = position({}, rules=ST2, pile=(20, 1))
    assert tell_step(MINE, state, step.Drew(YOU, DeckId(1))) == ("bob draws a tactic card; 1 card left in the deck.",)


def test_a_siege_says_at_the_deal_who_attacks() -> None:
    state = position({}, rules=ST2)  # I attack
    assert tell_step(MINE, state, step.Dealt(7, ME)) == ("Each player holds 7 cards. You attack and begin.",)
    state = position({}, rules=ST2, beside=Beside(attacker=YOU, oil=3))
    assert tell_step(MINE, state, step.Dealt(7, YOU)) == ("Each player holds 7 cards. bob attacks and begins.",)


def test_battle_line_puts_cards_back_on_top() -> None:
    state = position({}, rules=BATTLE_LINE)
    assert tell_step(MINE, state, step.Returned(ME, DeckId(0))) == ("You put a troop card back on top of its pile.",)


@pytest.mark.parametrize(
    ("why", "words"),
    [
        (step.Reason.BREACH, "the wall is breached"),
        (step.Reason.DAMAGED, "a damaged tile is controlled"),
        (step.Reason.HELD, "the wall has held"),
        (step.Reason.FULL, "the defender has no room left"),
    ],
)
def test_a_siege_says_why_it_ended(why: step.Reason, words: str) -> None:
    assert ending(MINE, step.Outcome(ME, why, (5, 2))) == f"The game is over: you win ({words}). Points: you 5, bob 2."


def test_the_table_of_a_siege_tells_every_stone_and_what_lies_beside() -> None:
    row = {0: stone("R7", "", rules=ST2), 3: stone("R0", "B1 B2", rules=ST2, damaged=True)}
    beside = Beside(attacker=YOU, oil=1, tactics=(1, 2))
    state = position(row, rules=ST2, hands=((6, 1), (7, 0)), pile=(20, 4), discard="G9 SPY", beside=beside)
    lines = position_text(MINE, state)
    assert lines[0] == "Tile 1 (intact, 3 cards, highest sum; when damaged: 3 cards, run): bob -, you R7."
    assert lines[1] == "Tile 2 (intact, 4 cards, best formation; when damaged: 2 cards, same strength): bob -, you -."
    assert lines[3] == "Tile 4 (damaged, 4 cards, lowest sum): bob B1 B2, you R0."
    assert lines[7:] == (
        "Cards left to draw: siege 20, tactic 4.",
        "bob attacks the wall; the defender has 1 oil left.",
        "Tactic cards played: you 1, bob 2.",
        "2 cards are discarded.",
    )


def test_the_table_tells_the_modes_at_a_stone() -> None:
    row = {2: stone("R7", "", rules=BATTLE_LINE, modes=("FOG", "MUD"))}
    state = position(row, rules=BATTLE_LINE, hands=((6, 1), (7, 0)), pile=(20, 4))
    assert position_text(MINE, state)[0] == "Stone 3 (FOG, MUD, 4 cards, highest sum): bob -, you R7."


@pytest.mark.parametrize("name", ["{", "{}", "{0}", "{card}", "}{", "{name}"])
def test_a_name_with_braces_is_only_a_name(name: str) -> None:
    voice = Voice(ME, ("ann", name))
    assert tell_step(voice, position({}), step.Played(YOU, R7, THREE)) == (f"{name} plays R7 on stone 3.",)
    assert tell_step(voice, position({}), step.Claimed(YOU, THREE)) == (f"{name} claims stone 3.",)
    assert result(voice, step.Outcome(YOU, step.Reason.FIVE, (0, 5))) == f"{name} wins 5-0 (five stones)."


def test_cards_of_an_exchange_are_told_together() -> None:
    assert tell(MINE, BASE, events.Took((R7, BASE.card("G2")))) == ("You get R7 G2.",)


def test_my_own_draw_is_told_once_with_its_face() -> None:
    state = position({})
    assert tell_step(MINE, state, step.Drew(ME, DeckId(0))) == ()
    assert tell(MINE, BASE, events.Took((R7,))) == ("You draw R7.",)


@pytest.mark.parametrize(
    ("voice", "outcome", "sentence"),
    [
        (
            MINE,
            step.Outcome(ME, step.Reason.ADJACENT, (5, 2)),
            "The game is over: you win (three adjacent stones). Points: you 5, bob 2.",
        ),
        (
            MINE,
            step.Outcome(YOU, step.Reason.FIVE, (4, 5)),
            "The game is over: bob wins (five stones). Points: you 4, bob 5.",
        ),
        (
            MINE,
            step.Outcome(ME, step.Reason.RESIGNED, (5, 0)),
            "The game is over: you win (bob resigned). Points: you 5, bob 0.",
        ),
        (
            MINE,
            step.Outcome(YOU, step.Reason.RESIGNED, (1, 5)),
            "The game is over: bob wins (you resigned). Points: you 1, bob 5.",
        ),
        (
            MINE,
            step.Outcome(None, step.Reason.STUCK, (3, 3)),
            "The game is over and drawn: nobody can play any more. Points: you 3, bob 3.",
        ),
        (
            LOOKER_ON,
            step.Outcome(YOU, step.Reason.RESIGNED, (1, 5)),
            "The game is over: bob wins (ann resigned). Points: ann 1, bob 5.",
        ),
    ],
)
def test_every_ended_game_says_why_and_the_points(voice: Voice, outcome: step.Outcome, sentence: str) -> None:
    assert ending(voice, outcome) == sentence


@pytest.mark.parametrize(
    ("outcome", "sentence"),
    [
        (step.Outcome(ME, step.Reason.FIVE, (5, 3)), "You win 5-3 (five stones)."),
        (step.Outcome(YOU, step.Reason.ADJACENT, (4, 5)), "bob wins 5-4 (three adjacent stones)."),
        (step.Outcome(YOU, step.Reason.RESIGNED, (0, 5)), "bob wins 5-0 (you resigned)."),
        (step.Outcome(None, step.Reason.STUCK, (3, 3)), "The game is drawn 3-3."),
    ],
)
def test_the_result_is_one_short_line_with_the_winners_points_first(outcome: step.Outcome, sentence: str) -> None:
    assert result(MINE, outcome) == sentence


def test_the_table_in_sentences_names_every_card_and_owner() -> None:
    state = position({0: stone("B8 B9", "R7"), 3: stone("R1 R2 R3", "", owner=ME), 8: stone("", "N5", owner=YOU)})
    assert position_text(MINE, state) == (
        "Stone 1: bob R7, you B8 B9.",
        "Stone 4 (yours): bob -, you R1 R2 R3.",
        "Stone 9 (bob's): bob N5, you -.",
        "Empty stones: 2 3 5 6 7 8.",
        "Cards left to draw: clan 20.",
    )


EVIL = "b\x1b[2J\u202eo\nb"
FROM_OTHERS: tuple[Happening, ...] = (
    events.Offered(EVIL, bytes(32), BASE),
    events.Met(EVIL, bytes(32), bytes(32)),
    TurnedAway(EVIL),
    Chatted(YOU, EVIL),
    Lost(EVIL),
    Settled(EVIL),
    Faulted(ME, "crash", EVIL, True),
    Faulted(ME, "crash", EVIL),
    Silent(10.0),
    Returned(),
    Reconnecting(EVIL),
    Resumed(57),
    TimeUp(YOU, 60),
    TimeUp(ME, 60),
    Recorded(ME, 57, None),
    Recorded(YOU, 57, False, EVIL),
    Introduced(EVIL, "aaaa-bbbb", EVIL, False),
    Introduced(EVIL, "aaaa-bbbb", None, True),
    events.Sealed(YOU),
    events.Revealed(YOU),
    events.Happened(step.Played(YOU, R7, THREE), position({})),
    events.Happened(step.Ended(step.Outcome(YOU, step.Reason.FIVE, (0, 5))), position({})),
)


@pytest.mark.parametrize("happening", FROM_OTHERS, ids=lambda happening: type(happening).__name__)
def test_what_another_player_wrote_cannot_steer_the_terminal(happening: Happening) -> None:
    lines = tell(Voice(ME, ("ann", EVIL)), BASE, happening)
    assert lines
    for line in lines:
        assert line.isprintable(), line


def test_every_other_happening_has_its_sentence() -> None:
    assert tell(MINE, None, Invited("SCHOTTEN1:X", ("127.0.0.1:7",)))[0] == "Waiting for a friend at 127.0.0.1:7."
    assert tell(MINE, None, Saved(("a", "b"))) == ("Transcript: a", "Transcript: b")
    assert tell(MINE, None, events.Finished()) == ("The transcript is complete.",)
    assert tell(MINE, BASE, events.YourTurn(position({}))) == ()
    assert tell(MINE, BASE, events.Took(tuple(map(CardId, range(6))))) == ()  # the deal: the front end shows the hand
    assert tell(MINE, None, Introduced("bob", "aaaa-bbbb", "bob", False)) == (
        "bob is known to you. Fingerprint: aaaa-bbbb",
    )


@pytest.mark.parametrize("seat", [Seat(0), Seat(1)])
def test_a_looker_on_hears_names_only(seat: Seat) -> None:
    name = ("ann", "bob")[seat]
    assert tell_step(LOOKER_ON, position({}), step.Claimed(seat, THREE)) == (f"{name} claims stone 3.",)
    assert tell_step(LOOKER_ON, position({}), step.Drew(seat, DeckId(0)))[0].startswith(f"{name} draws a card")
