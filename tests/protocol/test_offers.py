"""What HELLO offers beside keys: flags of the rules, who begins, and the place in a match."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_schotten.engine.flags import FLAGS, flagged
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import RULESETS, ruleset
from p2p_schotten.errors import Cause, Unreadable
from p2p_schotten.ids import SEATS, Seat
from p2p_schotten.protocol.events import Offered
from p2p_schotten.protocol.messages import (
    MAX_OPTIONS,
    MAX_WORD,
    NO_OPTIONS,
    SINGLE_GAME,
    Hello,
    Match,
    Options,
    read_body,
    write_body,
)
from p2p_schotten.protocol.offer import MAX_FORM, Offer, differences, offer_of
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind, make_record, read_record
from p2p_schotten.protocol.session import Session, first_seat
from p2p_schotten.transcript import verify
from tests.protocol.courses import new_pair, resigning
from tests.protocol.doors import turned_down
from tests.protocol.pair import Pair, entropy, first_choice, identity_of

ID, HEAD = b"\1" * 32, b"\2" * 32
SET = flagged(ruleset("tactic"), {"joker_limit": "off", "return_to": "top", "claim_timing": "start_of_turn"})
THIRD = Match(ID, 3, HEAD)


def asked(offer: Offer, insists: Offer | None = None) -> tuple[Peer, bytes]:
    """Seat 1, who insists on that or takes all, and the HELLO that offers."""
    zero = Peer(
        SEATS[0], identity_of(1, SEATS[0]), "Ann", offer.rules, entropy(0), options=offer.options, match=offer.match
    )
    zero.start()
    one = Peer(
        SEATS[1],
        identity_of(1, SEATS[1]),
        "Bob",
        insists.rules if insists else None,
        entropy(1),
        options=insists.options if insists else None,
        match=insists.match if insists else None,
    )
    return one, zero.frames()[0]


def hello_in(data: bytes) -> Hello:
    hello = read_body(Kind.HELLO, read_record(data).body)
    assert isinstance(hello, Hello)
    return hello


# What is written, and read again


def test_flags_first_seat_match_and_clock_are_written_sorted_and_read_again() -> None:
    offer = Offer(SET, Options(SEATS[1], "rounds 3", 60), THIRD)
    one, data = asked(offer)
    hello = hello_in(data)
    assert hello.ruleset == "tactic"
    assert hello.options == (
        ("claim_timing", "start_of_turn"),
        ("clock", "60"),
        ("first", "1"),
        ("joker_limit", "off"),
        ("match", "rounds 3"),
        ("return_to", "top"),
    )
    assert hello.match == THIRD
    (told,) = one.receive(data)
    assert told == Offered("Ann", identity_of(1, SEATS[0]).public, SET, offer.options, THIRD)
    assert one.session.rules == SET
    one.accept()
    assert hello_in(one.frames()[0]).terms() == hello.terms()


def test_nothing_is_written_for_a_single_game_of_a_named_ruleset() -> None:
    one, data = asked(Offer(ruleset("siege")))
    assert (hello_in(data).options, hello_in(data).match) == ((), SINGLE_GAME)
    (told,) = one.receive(data)
    assert isinstance(told, Offered)
    assert (told.options, told.match) == (NO_OPTIONS, SINGLE_GAME)


@pytest.mark.parametrize("name", list(RULESETS))
def test_every_flag_that_has_a_meaning_travels(name: str) -> None:
    rules, sent = ruleset(name), 0
    for flag, words in FLAGS.items():
        for value in words.values:
            try:
                other_rules = flagged(rules, {flag: value})
            except Unreadable:
                continue
            one, data = asked(Offer(other_rules))
            assert hello_in(data).options == other_rules.flags
            one.receive(data)
            assert one.session.rules == other_rules
            sent += other_rules != rules
    assert sent >= 2


SENSELESS: tuple[tuple[tuple[tuple[str, str], ...], Match, str], ...] = (
    ((("first", "2"),), SINGLE_GAME, "expected seat 0 or 1"),
    ((("first", "00"),), SINGLE_GAME, "expected seat 0 or 1"),
    ((("first", "0"), ("first", "1")), SINGLE_GAME, "each once, sorted"),
    ((("first", "0"), ("first", "0")), SINGLE_GAME, "each once, sorted"),
    ((("first", "0"), ("claim_timing", "start_of_turn")), SINGLE_GAME, "each once, sorted"),
    ((("claim_timing", "after_play"),), SINGLE_GAME, "says anyway"),
    ((("claim_timing", "never"),), SINGLE_GAME, "not a value of claim_timing"),
    ((("joker_limit", "off"),), SINGLE_GAME, "joker_limit needs tactic cards"),
    ((("clock", "9"),), SINGLE_GAME, "option clock: expected whole seconds from 10 to 86400, got '9'"),
    ((("clock", "86401"),), SINGLE_GAME, "whole seconds from 10 to 86400"),
    ((("clock", "0060"),), SINGLE_GAME, "whole seconds from 10 to 86400"),
    ((("clock", "6\u0660"),), SINGLE_GAME, "whole seconds from 10 to 86400"),
    ((("clock", "60 "),), SINGLE_GAME, "whole seconds from 10 to 86400"),
    ((("clock", "1" * 60),), SINGLE_GAME, "whole seconds from 10 to 86400"),
    ((("clock", "60"), ("clock", "90")), SINGLE_GAME, "each once, sorted"),
    ((("clock_s", "60"),), SINGLE_GAME, "'clock_s' is not a flag"),
    ((("match", "rounds 3"),), SINGLE_GAME, "a single game has no form"),
    ((("match", ""),), THIRD, "1 to 32 printable"),
    ((("match", "r" * 33),), THIRD, "1 to 32 printable"),
    ((("match", "r\n"),), THIRD, "1 to 32 printable"),
    ((("match", "r\N{LATIN SMALL LETTER E WITH ACUTE}"),), THIRD, "1 to 32 printable"),
    ((), Match(b"", 2, HEAD), "a game of a match has an id"),
    ((), Match(b"", 1, HEAD), "a game of a match has an id"),
    ((), Match(ID, 1, HEAD), "a game of a match has an id"),
    ((), Match(ID, 2, b""), "a game of a match has an id"),
)


@pytest.mark.parametrize(("options", "match", "words"), SENSELESS)
def test_any_other_way_to_write_an_offer_is_refused(
    options: tuple[tuple[str, str], ...], match: Match, words: str
) -> None:
    one, data = asked(Offer(ruleset("base")))
    lie = replace(hello_in(data), options=options, match=match)
    with pytest.raises(Unreadable, match=words):
        offer_of(RULESETS, lie)
    record = read_record(data)
    sent = make_record(0, record.prev, SEATS[0], Kind.HELLO, write_body(lie), b"", identity_of(1, SEATS[0]))
    fault = turned_down(one, sent, Cause.RULES, None)
    assert str(fault).isprintable()


@pytest.mark.parametrize("clock", [10, 60, 86_400])
def test_the_shortest_and_the_longest_clock_are_taken(clock: int) -> None:
    one, data = asked(Offer(ruleset("base"), Options(clock=clock)))
    assert hello_in(data).options == (("clock", str(clock)),)
    one.receive(data)
    assert one.session.options.clock == clock


@pytest.mark.parametrize("match", [Match(ID, 1, b""), Match(ID, 2, HEAD), Match(ID, 255, HEAD)])
def test_every_place_in_a_match_is_taken(match: Match) -> None:
    one, data = asked(Offer(ruleset("base"), Options(None, "x" * MAX_FORM), match))
    one.receive(data)
    assert one.session.offer.match == match


def test_the_longest_hello_that_can_be_read_is_within_the_limit() -> None:
    word = "x" * MAX_WORD
    one, data = asked(Offer(ruleset("base"), NO_OPTIONS, THIRD))
    full = replace(
        hello_in(data),
        versions=(2**16 - 1, 2**16 - 1),
        suite=word,
        ruleset=word,
        options=((word, word),) * MAX_OPTIONS,
        name="x" * 32,
        match=Match(ID, 255, HEAD),
    )
    record = read_record(data)
    sent = make_record(0, record.prev, SEATS[0], Kind.HELLO, write_body(full), b"", identity_of(1, SEATS[0]))
    assert len(sent) <= one.limit() == 2176
    turned_down(one, sent, Cause.VERSION, None)


# What is insisted on


def test_seat_one_takes_what_it_insists_on() -> None:
    for offer in (Offer(SET), Offer(SET, Options(SEATS[0], "points 15"), Match(ID, 1, b""))):
        one, data = asked(offer, offer)
        assert one.receive(data)


WANTED = Offer(ruleset("siege"), Options(SEATS[0], "roles"), Match(ID, 1, b""))
OFFERED: tuple[tuple[Offer, str], ...] = (
    (
        replace(WANTED, rules=flagged(ruleset("siege"), {"st2_full_defender_wins": "on"})),
        "st2_full_defender_wins: mine off, theirs on",
    ),
    (replace(WANTED, rules=ruleset("base")), "ruleset: mine siege, theirs base"),
    (replace(WANTED, options=Options(SEATS[1], "roles")), "who begins: mine seat 0, theirs seat 1"),
    (replace(WANTED, options=Options(None, "roles")), "who begins: mine seat 0, theirs the coin says"),
    (replace(WANTED, options=Options(SEATS[0], "rounds 3")), "match: mine roles, theirs rounds 3"),
    (replace(WANTED, options=Options(SEATS[0])), "match: mine roles, theirs none"),
    (replace(WANTED, options=replace(WANTED.options, clock=60)), "clock: mine none, theirs 60 s"),
    (replace(WANTED, match=Match(ID, 2, HEAD)), "mine game 1 of match 01010101, theirs game 2 after 02020202 of"),
    (replace(WANTED, match=Match(HEAD, 1, b"")), "mine game 1 of match 01010101, theirs game 1 of match 02020202"),
)


@pytest.mark.parametrize(("offer", "words"), OFFERED)
def test_another_offer_than_seat_one_insists_on_is_refused_in_words(offer: Offer, words: str) -> None:
    one, data = asked(offer, WANTED)
    fault = turned_down(one, data, Cause.RULES, None)
    assert words in fault.detail
    assert differences(WANTED, WANTED) == ""


# What comes of it


@pytest.mark.parametrize("first", SEATS)
@pytest.mark.parametrize("name", ["base", "siege-tactic"])
def test_the_seat_that_is_named_begins_and_attacks(name: str, first: Seat) -> None:
    for seed in range(1, 5):
        pair = new_pair(seed, Peer, rules=ruleset(name), options=Options(first))
        pair.until(lambda pair: pair.state is not None and not pair.queue)
        state = pair.state
        assert state is not None
        assert (state.turn, first_seat(pair.session)) == (first, first)
        assert state.beside.attacker == (first if ruleset(name).siege else None)


def test_without_a_name_the_coin_falls_both_ways() -> None:
    sessions = [new_pair(seed, Peer).until(lambda pair: len(pair.session.opens) == 2).session for seed in range(1, 8)]
    assert {first_seat(session) for session in sessions} == set(SEATS)


def played(seed: int, rules: Ruleset, options: Options, match: Match) -> Pair:
    pair = new_pair(seed, Peer, rules=rules, options=options, match=match)
    return pair.play(resigning(first_choice, 3))


def test_the_games_of_a_match_name_the_head_before_the_seals_of_the_game_before() -> None:
    one = played(1, SET, Options(None, "rounds 2"), Match(ID, 1, b""))
    # The record before SEAL 0: four records stand behind it.
    before_the_seals = read_record(one.records[-5])
    assert read_record(one.records[-4]).kind is Kind.SEAL
    assert one.peers[0].session.final_head == one.peers[1].session.final_head == before_the_seals.head()
    assert one.session.outcome is not None
    two = played(2, SET, Options(one.session.outcome.winner, "rounds 2"), Match(ID, 2, before_the_seals.head()))
    for pair in (one, two):
        verdict = verify(pair.file_bytes())
        assert (verdict.fault, verdict.over, verdict.session.rules) == (None, True, SET)
    assert verify(two.file_bytes()).session.offer.match == Match(ID, 2, one.session.final_head)


def test_a_stranger_without_the_preset_cannot_judge() -> None:
    pair = played(1, SET, NO_OPTIONS, SINGLE_GAME)
    verdict = verify(pair.file_bytes(), known={"base": ruleset("base")})
    assert verdict.fault is not None
    assert (verdict.fault.seq, verdict.fault.cause, verdict.fault.blame) == (0, Cause.RULES, None)
    assert "'tactic' is not a ruleset: known are base" in verdict.fault.detail
    assert verdict.session == Session(known={"base": ruleset("base")})
