"""Offers, scores and rematches in sentences and in JSON fields."""

from __future__ import annotations

import pytest

from p2p_schotten.engine.flags import flagged
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import BASE, SIEGE, TACTIC
from p2p_schotten.engine.step import Outcome, Reason
from p2p_schotten.ids import SEATS, Seat
from p2p_schotten.match import Free, Played, Roles, Rounds, Standing, Target, standing
from p2p_schotten.protocol.events import Offered
from p2p_schotten.protocol.messages import Match, Options
from p2p_schotten.protocol.offer import Offer
from p2p_schotten.ui.json_front import describe
from p2p_schotten.ui.matches import agreed_lines, score_text
from p2p_schotten.ui.notice import Again, Invited, Parted, Rematch, Scored
from p2p_schotten.ui.sentences import tell
from p2p_schotten.ui.voice import Voice

ONE, TWO = SEATS
ANN = Voice(ONE, ("ann", "bob"))
BOB = Voice(TWO, ("ann", "bob"))
WATCHER = Voice(None, ("ann", "bob"))
RULES = flagged(TACTIC, {"return_to": "top", "joker_limit": "off"})


def won(winner: Seat | None, first: int, second: int, *, began: Seat = ONE, turns: int = 9, damaged: int = 0) -> Played:
    return Played(began, Outcome(winner, Reason.FIVE, (first, second)), turns, damaged)


@pytest.mark.parametrize(
    ("rules", "options", "lines"),
    [
        (BASE, Options(), ()),
        (BASE, Options(TWO), ("You begin.",)),
        (BASE, Options(ONE), ("ann begins.",)),
        (RULES, Options(), ("What differs from tactic: joker_limit=off, return_to=top.",)),
        (SIEGE, Options(), ("A coin decides who attacks.",)),
        (SIEGE, Options(ONE), ("ann attacks, you defend.",)),
        (SIEGE, Options(TWO), ("You attack, ann defends.",)),
        (BASE, Options(None, "rounds 3"), ("It is a match of 3 games.",)),
        (BASE, Options(None, "points 15"), ("It is a match to 15 points.",)),
        (
            SIEGE,
            Options(ONE, "roles"),
            ("ann attacks, you defend.", "It is a match of two sieges, in which each attacks once."),
        ),
        (BASE, Options(None, "", 60), ("A turn may last 60 s; each side measures for itself.",)),
        (BASE, Options(None, "best of three"), ("A match that this program does not know: best of three.",)),
    ],
)
def test_a_guest_hears_all_that_the_host_offers(rules: Ruleset, options: Options, lines: tuple[str, ...]) -> None:
    first, *more = tell(BOB, None, Offered("ann", bytes(32), rules, options))
    places = "7 tiles" if rules.siege else "9 stones"
    assert first == f"ann offers a game by the ruleset {rules.name}: {places}, {rules.hand_size} cards in hand."
    assert tuple(more) == lines


def test_the_host_hears_what_he_offers_where_the_invite_is_shown() -> None:
    offer = Offer(SIEGE, Options(TWO, "roles"), Match(bytes(32), 1, b""))
    lines = tell(ANN, None, Invited("SCHOTTEN1:X", ("192.0.2.1:4",), "f", offer))
    assert lines[0] == "Waiting for a friend at 192.0.2.1:4."
    assert lines[1:3] == (
        "Your friend attacks, you defend.",
        "It is a match of two sieges, in which each attacks once.",
    )


@pytest.mark.parametrize(
    ("voice", "state", "line"),
    [
        (ANN, standing(Rounds(3), [won(ONE, 5, 2)]), "A match of 3 games, after game 1: you 5, bob 2."),
        (BOB, standing(Rounds(3), [won(ONE, 5, 2)]), "A match of 3 games, after game 1: you 2, ann 5."),
        (WATCHER, standing(Target(15), [won(ONE, 5, 2)] * 2), "A match to 15 points, after game 2: ann 10, bob 4."),
        (ANN, standing(Rounds(1), [won(ONE, 5, 2)]), "The match is over: you win it. Points: you 5, bob 2."),
        (BOB, standing(Rounds(1), [won(ONE, 5, 2)]), "The match is over: ann wins it. Points: you 2, ann 5."),
        (BOB, standing(Rounds(1), [won(None, 4, 4)]), "The match is over and shared. Points: you 4, ann 4."),
        (ANN, standing(Free(), [won(ONE, 5, 2)] * 3), "After 3 games: you 15, bob 6."),
        (
            ANN,
            standing(Roles(), [won(ONE, 5, 0, turns=12), won(TWO, 0, 5, began=TWO, turns=14)]),
            "The match is over: you win it. Points: you 5, bob 5 "
            "(both attacks won, and the turns count: you 12, bob 14).",
        ),
        (
            BOB,
            standing(Roles(), [won(TWO, 2, 5, damaged=2), won(ONE, 5, 2, began=TWO, damaged=2)]),
            "The match is over and shared. Points: you 7, ann 7 "
            "(both walls held, and the damaged tiles count: ann 2, you 2).",
        ),
        (
            WATCHER,
            standing(Roles(), [won(ONE, 5, 0), won(ONE, 5, 1, began=TWO)]),
            "The match is over: ann wins it. Points: ann 10, bob 1.",
        ),
    ],
)
def test_a_score_is_one_sentence_for_each_listener(voice: Voice, state: Standing, line: str) -> None:
    assert score_text(voice, state) == line
    assert tell(voice, None, Scored(state)) == (line,)


def test_a_name_with_braces_or_escapes_is_shown_as_it_is_or_not_at_all() -> None:
    strange = Voice(ONE, ("ann", "{why}\x1b[2J"))
    assert "{why}\ufffd[2J wins it" in score_text(strange, standing(Rounds(1), [won(TWO, 0, 5)]))
    (line,) = agreed_lines(Voice(TWO, ("{0}\x1b", "")), BASE, Options(ONE))
    assert line == "{0}\ufffd begins."


def test_what_comes_after_a_game_is_told_in_words() -> None:
    one = standing(Free(), (won(ONE, 5, 1),))
    assert tell(BOB, None, Rematch(one)) == ("Another game? So far: you 1, ann 5. Type yes or no.",)
    three = standing(Rounds(1), (won(ONE, 5, 1),))
    again = "Play once more (a match of 1 game, from nothing)? Type yes or no."
    assert tell(ANN, None, Rematch(three)) == (again,)
    assert tell(ANN, None, Again(TWO)) == ("bob wants another game.",)
    assert tell(ANN, None, Again(ONE)) == ("You want another game.",)
    assert tell(ANN, None, Parted("bob left\x07")) == ("There is no other game: bob left\ufffd.",)


def test_the_same_in_json() -> None:
    state = standing(Target(15), [won(TWO, 2, 5)])
    fields = {"match": "points 15", "games": 1, "points": [2, 5], "over": False, "winner": None}
    assert describe(Scored(state), None) == ("score", fields)
    assert describe(Rematch(standing(Free(), ())), None) == ("rematch", {})
    assert describe(Again(TWO), None) == ("again", {"seat": 1})
    assert describe(Parted("bob left"), None) == ("parted", {"why": "bob left"})
    kind, offered = describe(Offered("ann", bytes(32), RULES, Options(ONE, "rounds 3"), Match(bytes(32), 1, b"")), None)
    assert kind == "offered"
    assert {name: offered[name] for name in ("name", "rules", "flags", "first", "match", "number")} == {
        "name": "ann",
        "rules": "tactic",
        "flags": {"joker_limit": "off", "return_to": "top"},
        "first": 0,
        "match": "rounds 3",
        "number": 1,
    }
