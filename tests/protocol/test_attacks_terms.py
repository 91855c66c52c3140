"""Attacks on what both agree to in their HELLOs: rules, options, match, version, name (protocol section 11)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_schotten.engine.rulesets import ruleset
from p2p_schotten.errors import Cause
from p2p_schotten.ids import SEATS
from p2p_schotten.protocol.messages import Match
from p2p_schotten.protocol.record import Kind
from p2p_schotten.protocol.session import rules_digest
from tests.protocol.liar import Stage, hello_of
from tests.protocol.pair import Story

pytestmark = pytest.mark.usefixtures("remembering")


def test_another_rules_digest_is_refused(story: Story) -> None:
    for seat in SEATS:
        stage = Stage.find(story, Kind.HELLO, seat=seat)
        hello = hello_of(stage)
        digest = hello.rules_digest[:-1] + bytes([hello.rules_digest[-1] ^ 1])
        stage.refused(stage.signed(replace(hello, rules_digest=digest)), Cause.RULES, None)
        stage.refused(stage.signed(replace(hello, ruleset="house rules")), Cause.RULES, None)


def test_another_suite_is_refused(story: Story) -> None:
    for seat in SEATS:
        stage = Stage.find(story, Kind.HELLO, seat=seat)
        stage.refused(stage.signed(replace(hello_of(stage), suite="none")), Cause.RULES, None)


SENSELESS_OPTIONS = (
    (("first", "2"),),
    (("first", ""),),
    (("first", "0"), ("first", "0")),
    (("seed", "1"),),
    (("match", "rounds 3"),),  # of a single game
    (("claim_timing", "after_play"),),  # which is so anyway
    (("claim_timing", "at_noon"),),
    (("joker_limit", "on"),),  # without jokers
    (("first", "0"), ("claim_timing", "start_of_turn")),  # not sorted
    (("\x1b[2J", "\u202e"),),
)


@pytest.mark.parametrize("options", SENSELESS_OPTIONS)
def test_other_options_are_refused(story: Story, options: tuple[tuple[str, str], ...]) -> None:
    for seat in SEATS:
        stage = Stage.find(story, Kind.HELLO, seat=seat)
        fault = stage.refused(stage.signed(replace(hello_of(stage), options=options)), Cause.RULES, None)
        assert str(fault).isprintable()


def test_an_answer_with_other_options_or_rules_is_refused_in_words(story: Story) -> None:
    stage = Stage.find(story, Kind.HELLO, seat=1)
    fault = stage.refused(stage.signed(replace(hello_of(stage), options=(("first", "0"),))), Cause.RULES, None)
    assert "who begins: mine the coin says, theirs seat 0" in fault.detail
    expert = replace(hello_of(stage), ruleset="expert", rules_digest=rules_digest(ruleset("expert")))
    fault = stage.refused(stage.signed(expert), Cause.RULES, None)
    assert "ruleset: mine base, theirs expert" in fault.detail
    assert "claim_timing: mine after_play, theirs start_of_turn" in fault.detail


H1, H2 = b"\1" * 32, b"\2" * 32
MISPLACED = (Match(b"", 2, H2), Match(b"", 1, H2), Match(H1, 1, H2), Match(H1, 2, b""), Match(b"", 2, b""))


@pytest.mark.parametrize("match", MISPLACED)
def test_a_game_that_has_no_place_in_a_match_is_refused(story: Story, match: Match) -> None:
    for seat in SEATS:
        stage = Stage.find(story, Kind.HELLO, seat=seat)
        stage.refused(stage.signed(replace(hello_of(stage), match=match)), Cause.RULES, None)


def test_another_match_is_refused(story: Story) -> None:
    stage = Stage.find(story, Kind.HELLO, seat=1)
    lie = replace(hello_of(stage), match=Match(H1, 2, H2))
    fault = stage.refused(stage.signed(lie), Cause.RULES, None)
    assert "mine a single game, theirs game 2 after 02020202 of match 01010101" in fault.detail


def test_another_version_is_refused_and_said_in_words(story: Story) -> None:
    for seat in SEATS:
        stage = Stage.find(story, Kind.HELLO, seat=seat)
        fault = stage.refused(stage.signed(replace(hello_of(stage), versions=(2, 3))), Cause.VERSION, None)
        assert "speaks protocol 2-3, expected 1-1" in fault.detail


@pytest.mark.parametrize(
    "name", ["\x1b[2J", "a\nb", "\u202egnp.exe", "a\x00b", "\x9b31m", "", " Ann", "A\u200bnn", "\u2028"]
)
def test_escape_sequences_in_a_name_are_refused_and_reach_no_message(story: Story, name: str) -> None:
    for seat in SEATS:
        stage = Stage.find(story, Kind.HELLO, seat=seat)
        fault = stage.refused(stage.signed(replace(hello_of(stage), name=name)), Cause.HELLO, None)
        assert str(fault).isprintable()


def test_a_name_of_more_than_32_bytes_is_refused(story: Story) -> None:
    stage = Stage.find(story, Kind.HELLO, seat=1)
    stage.refused(stage.signed(replace(hello_of(stage), name="ä" * 17)), Cause.BYTES, None)
