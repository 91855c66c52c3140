"""Attacks on what HELLOs agree on (protocol section 11): flags of tactic cards, who attacks, the place in a match."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_schotten.engine.flags import flagged
from p2p_schotten.engine.rulesets import ruleset
from p2p_schotten.errors import Cause
from p2p_schotten.ids import SEATS, Seat
from p2p_schotten.protocol.messages import SINGLE_GAME, Hello, Match, Options
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind
from p2p_schotten.protocol.session import rules_digest
from p2p_schotten.transcript import verify
from tests.protocol.courses import new_pair
from tests.protocol.liar import Stage, file_of
from tests.protocol.pair import Story

pytestmark = pytest.mark.usefixtures("remembering")

Pairs = tuple[tuple[str, str], ...]
ID, HEAD, ELSEWHERE = b"\1" * 32, b"\2" * 32, b"\3" * 32
SECOND = Match(ID, 2, HEAD)
FORM = Options(SEATS[1], "rounds 3")


def hello_of(stage: Stage) -> Hello:
    body = stage.body
    assert isinstance(body, Hello)
    return body


def offers(story: Story) -> list[Stage]:
    """Before the HELLO of each seat."""
    return [Stage.find(story, Kind.HELLO, seat=seat) for seat in SEATS]


# Flags


NOT_THE_ONE_WAY: tuple[Pairs, ...] = (
    (("joker_limit", "on"),),  # which is so anyway
    (("return_to", "bottom"),),
    (("mode_targetable", "off"), ("return_to", "top")),
    (("return_to", "top"), ("mode_targetable", "on")),  # not sorted
    (("return_to", "top"), ("return_to", "top")),
    (("joker_limit", "Off"),),
    (("joker_limit", ""),),
    (("st2_colour_run_bonus", "on"),),  # of a siege
    (("first", "2"),),
    (("first", "-1"),),
    (("first", " 1"),),
    (("first", "attacker"),),
    (("first", "1"), ("joker_limit", "off"), ("first", "1")),
)


@pytest.mark.parametrize("options", NOT_THE_ONE_WAY)
def test_flags_written_in_another_way(scouts: Story, options: Pairs) -> None:
    for stage in offers(scouts):
        stage.refused(stage.signed(replace(hello_of(stage), options=options)), Cause.RULES, None)


@pytest.mark.parametrize(
    "options",
    [
        (("first", "2"),),
        (("first", "9" * 64),),
        (("claim_timing", "start_of_turn"),),
        (("mode_targetable", "on"),),
        (("return_to", "top"),),
        (("joker_limit", "off"),),  # which is so in a siege
    ],
)
def test_flags_and_first_seats_that_a_siege_does_not_know(siege: Story, options: Pairs) -> None:
    for stage in offers(siege):
        stage.refused(stage.signed(replace(hello_of(stage), options=options)), Cause.RULES, None)


def test_flags_under_the_digest_of_other_rules(scouts: Story) -> None:
    """Flags without the digest of the rules that they make, and that digest without the flags."""
    loose = flagged(ruleset("tactic"), {"joker_limit": "off"})
    for stage in offers(scouts):
        hello = hello_of(stage)
        assert hello.rules_digest == rules_digest(ruleset("tactic")) != rules_digest(loose)
        stage.refused(stage.signed(replace(hello, options=loose.flags)), Cause.RULES, None)
        stage.refused(stage.signed(replace(hello, rules_digest=rules_digest(loose))), Cause.RULES, None)


def test_an_answer_with_other_flags(scouts: Story) -> None:
    """Well written, and other than offered: he would play by rules of his own."""
    stage = offers(scouts)[1]
    for flags in ({"joker_limit": "off"}, {"return_to": "top", "ruse_takes": "clan"}, {"tactics": "off"}):
        rules = flagged(ruleset("tactic"), flags)
        lie = replace(hello_of(stage), options=rules.flags, rules_digest=rules_digest(rules))
        fault = stage.refused(stage.signed(lie), Cause.RULES, None)
        assert all(flag in fault.detail for flag in flags)


def test_an_answer_with_another_attacker(siege: Story) -> None:
    stage = offers(siege)[1]
    for seat in SEATS:
        lie = replace(hello_of(stage), options=(("first", str(seat)),))
        fault = stage.refused(stage.signed(lie), Cause.RULES, None)
        assert f"who begins: mine the coin says, theirs seat {seat}" in fault.detail


# The match


def in_a_match(seat: Seat) -> Stage:
    """Before the HELLO of that seat in the second game of a match, on which both insist."""
    pair = new_pair(1, Peer, rules=ruleset("battle-line"), options=FORM, match=SECOND)
    one = pair.peers[1]
    one._wanted = replace(one._wanted, rules=ruleset("battle-line"), options=FORM, match=SECOND)
    if seat == SEATS[1]:
        pair.hand_over()
    assert pair.next is not None
    stage = Stage(pair, pair.next)
    assert (stage.honest.kind, stage.seat, hello_of(stage).match) == (Kind.HELLO, seat, SECOND)
    return stage


OTHER_MATCHES = {
    "the previous head of another game": replace(SECOND, previous=ELSEWHERE),
    "another match": replace(SECOND, id=ELSEWHERE),
    "a game left out": replace(SECOND, number=3),
    "the first game again": Match(ID, 1, b""),
    "a single game": SINGLE_GAME,
}


@pytest.mark.parametrize("what", OTHER_MATCHES)
def test_an_answer_from_another_place_in_the_match(what: str) -> None:
    stage = in_a_match(SEATS[1])
    match = OTHER_MATCHES[what]
    options = hello_of(stage).options if match.id else (("first", "1"),)
    lie = replace(hello_of(stage), match=match, options=options)
    fault = stage.refused(stage.signed(lie), Cause.RULES, None)
    assert "place in the match: mine game 2 after 02020202 of match 01010101" in fault.detail


@pytest.mark.parametrize("what", OTHER_MATCHES)
def test_an_offer_from_another_place_than_insisted_on(what: str) -> None:
    """Whoever played the game before knows its head. A file does not know which game its reader had in mind."""
    stage = in_a_match(SEATS[0])
    match = OTHER_MATCHES[what]
    options = hello_of(stage).options if match.id else (("first", "1"),)
    data = stage.signed(replace(hello_of(stage), match=match, options=options))
    fault = stage.live(data, Cause.RULES, None)
    assert "place in the match: mine game 2 after 02020202 of match 01010101" in fault.detail
    assert verify(file_of(data)).fault is None


@pytest.mark.parametrize("options", [(("first", "0"), ("match", "rounds 3")), (("first", "1"), ("match", "points 9"))])
def test_an_offer_of_another_form_or_another_first_seat_than_insisted_on(options: Pairs) -> None:
    stage = in_a_match(SEATS[0])
    stage.live(stage.signed(replace(hello_of(stage), options=options)), Cause.RULES, None)
    answer = in_a_match(SEATS[1])
    answer.refused(answer.signed(replace(hello_of(answer), options=options)), Cause.RULES, None)


MISPLACED = {
    "number 2 without a previous head": Match(ID, 2, b""),
    "number 1 with a previous head": Match(ID, 1, HEAD),
    "no id": Match(b"", 2, HEAD),
    "no id and no previous head": Match(b"", 2, b""),
}


@pytest.mark.parametrize("what", MISPLACED)
def test_a_game_that_can_stand_in_no_match(what: str) -> None:
    for seat in SEATS:
        stage = in_a_match(seat)
        lie = replace(hello_of(stage), match=MISPLACED[what])
        stage.refused(stage.signed(lie), Cause.RULES, None)


def test_a_match_written_with_other_lengths_and_numbers(scouts: Story) -> None:
    """An id or a head of another length, a number out of range: no HELLO at all."""
    for match in (Match(ID[:31], 2, HEAD), Match(ID, 2, HEAD + b"\0"), Match(ID, 0, b""), Match(ID, 256, HEAD)):
        for stage in offers(scouts):
            stage.refused(stage.signed(replace(hello_of(stage), match=match)), Cause.BYTES, None)
