"""Chains: which game may follow another one. The games are real, and given up at once."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace

import pytest

from p2p_schotten.engine.move import Resign
from p2p_schotten.engine.rulesets import BASE, SIEGE, TACTIC
from p2p_schotten.ids import SEATS, Seat
from p2p_schotten.match import (
    MAX_CHAIN,
    Free,
    Place,
    Roles,
    chain_of,
    following,
    joined,
    left_behind,
    may_follow,
    new_match,
    played,
    standing,
    why_not_following,
)
from p2p_schotten.protocol.messages import SINGLE_GAME, Match, Options
from p2p_schotten.protocol.offer import Offer
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.session import Session
from tests.net.sides import ANN, BOB, EVE

ONE, TWO = SEATS


def resigned(offer: Offer, *, loser: Seat | None = None, identities: tuple[int, int] = (0, 1)) -> Session:
    """A game by that offer to its last record, given up by `loser`, or by whoever is to move first."""
    return given_up(offer, loser, identities).session


def given_up(offer: Offer, loser: Seat | None = None, identities: tuple[int, int] = (0, 1)) -> Peer:
    """The same game, as seat 0 has it."""
    keys = (ANN, BOB, EVE)
    peers = [
        Peer(
            seat,
            keys[identities[seat]],
            ("ann", "bob", "eve")[identities[seat]],
            offer.rules,
            os.urandom,
            options=offer.options,
            match=offer.match,
        )
        for seat in SEATS
    ]
    peers[0].start()
    while not peers[0].session.finished or not peers[1].session.finished:
        for mine, theirs in (peers, peers[::-1]):
            for record in mine.frames():
                theirs.receive(record)
                if len(theirs.session.hellos) == 1 and theirs.seat == TWO:
                    theirs.accept()
            choices = mine.choices()
            if choices:
                mine.play(Resign() if loser in (None, mine.seat) else choices[0])
    return peers[0]


def test_a_single_game_that_is_played_again_becomes_the_first_of_a_chain() -> None:
    first = resigned(Offer(BASE, Options(ONE)))
    assert may_follow(first)
    assert chain_of(first) == first.game_id
    offer = following(first)
    assert offer == Offer(BASE, Options(TWO), Match(first.game_id, 2, first.final_head))
    assert len(first.final_head) == 32
    second = resigned(offer)
    assert chain_of(second) == first.game_id
    assert why_not_following(first, second) == ""
    third = resigned(following(second), loser=TWO)
    assert why_not_following(second, third) == ""
    assert following(third).options.first == ONE
    assert following(third).match == Match(first.game_id, 4, third.final_head)
    assert standing(Free(), [played(game) for game in (first, second, third)]).points == (10, 5)


def test_the_games_of_a_match_keep_its_id_form_and_clock_and_in_a_siege_the_roles_swap() -> None:
    match = new_match(Roles(), os.urandom)
    first = resigned(Offer(SIEGE, Options(ONE, "roles", 60), match))
    offer = following(first)
    assert offer == Offer(SIEGE, Options(TWO, "roles", 60), Match(match.id, 2, first.final_head))
    assert played(first).first == ONE


def test_the_coin_decides_the_first_game_only() -> None:
    first = resigned(Offer(BASE))
    assert first.options.first is None
    loser = played(first).first  # who began gave up
    assert following(first).options.first == SEATS[1 - loser]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda o: replace(o, rules=TACTIC), "ruleset: mine base, theirs tactic"),
        (lambda o: replace(o, options=Options(ONE)), "who begins: mine seat 1, theirs seat 0"),
        (lambda o: replace(o, options=Options(None)), "who begins: mine seat 1, theirs the coin says"),
        (lambda o: replace(o, options=Options(TWO, "rounds 3")), "match: mine none, theirs rounds 3"),
        (lambda o: replace(o, options=Options(TWO, clock=60)), "clock: mine none, theirs 60 s"),
        (lambda o: replace(o, match=replace(o.match, previous=bytes(32))), "place in the match"),
        (lambda o: replace(o, match=replace(o.match, number=3)), "place in the match"),
        (lambda o: replace(o, match=replace(o.match, id=bytes(32))), "place in the match"),
        (lambda o: replace(o, match=SINGLE_GAME), "place in the match"),
    ],
    ids=["rules", "who begins", "the coin", "form", "clock", "previous head", "number", "id", "no match"],
)
def test_another_game_than_the_next_one_does_not_follow(change: Callable[[Offer], Offer], why: str) -> None:
    first = resigned(Offer(BASE, Options(ONE)))
    other = resigned(change(following(first)))
    assert why in why_not_following(first, other)


def test_other_players_do_not_follow() -> None:
    first = resigned(Offer(BASE, Options(ONE)))
    swapped = resigned(following(first), identities=(1, 0))
    assert why_not_following(first, swapped) == "other players, or in other seats"


def test_a_player_with_another_name_than_before_does_not_follow() -> None:
    first = resigned(Offer(BASE, Options(ONE)))
    second = resigned(following(first))
    one, two = second.hellos
    for hellos in ((one, replace(two, name="ann")), (replace(one, name="bob"), two)):
        assert why_not_following(first, replace(second, hellos=hellos)) == "a player has another name"


def test_a_game_that_seat_0_did_not_go_on_with_is_left_behind_where_another_took_its_place() -> None:
    players = (b"a" * 32, b"b" * 32)
    first = Place(b"1", Match(b"m", 1, b""), players, b"head 1")
    second = Place(b"2", Match(b"m", 2, b"head 1"), players, b"head 2")
    stub, other_stub = (Place(game, Match(b"m", 2, b"head 1"), players, b"", opened=False) for game in (b"3", b"4"))
    third = Place(b"5", Match(b"m", 3, b"head 2"), players, b"")
    assert left_behind([first, stub, second, third]) == {1}
    assert joined([first, stub, second, third]) == ((0, 2, 3), (1,))
    assert joined([stub, second, other_stub, first]) == ((0,), (2,), (3, 1))
    assert left_behind([first, stub]) == frozenset()
    assert joined([first, stub]) == ((0, 1),), "it may still be gone on with"
    assert joined([first, stub, other_stub]) == ((0,), (1,), (2,))
    assert left_behind([replace(first, opened=False), first]) == frozenset(), "a first game follows none"


def test_nothing_follows_a_game_that_is_not_finished_or_the_last_that_a_chain_holds() -> None:
    first = resigned(Offer(BASE, Options(ONE)))
    assert not may_follow(replace(first, seeds=first.seeds[:1]))
    assert why_not_following(replace(first, seeds=()), first) == "the game before it was not finished by both"
    full = resigned(Offer(BASE, Options(ONE), Match(bytes(32), MAX_CHAIN, bytes(32))))
    assert full.finished
    assert not may_follow(full)
