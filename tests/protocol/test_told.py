"""What a seat is told: its view and its events follow from public records and its own seed, and from nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import pytest

from p2p_schotten.crypto.cells import opens_to
from p2p_schotten.crypto.group import mul
from p2p_schotten.crypto.secret import Secret
from p2p_schotten.engine.step import Played
from p2p_schotten.engine.view import Memory, View
from p2p_schotten.ids import SEATS, CardId, Seat, other
from p2p_schotten.protocol.closing import card_at
from p2p_schotten.protocol.events import Event, Finished, Happened, Revealed, Sealed, Took, YourTurn
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind, read_record
from p2p_schotten.protocol.session import Session, secret_key
from tests.protocol.courses import COURSES, Truth, course, in_hand, new_pair
from tests.protocol.pair import Pair, bot

every_course = pytest.mark.parametrize(("policy", "seed"), COURSES)


product = cache(mul)  # each session is looked at again and again


def seen(sessions: Sequence[Session], seat: Seat, seed: bytes) -> View:
    """The view of a seat as a function of public records and its own seed, written without Peer: its hand is every
    card that it could open when the other's share came, but those that it has laid."""
    hand: set[CardId] = set()
    x = secret_key(sessions[0], Secret(seed))
    for session in sessions:
        for sealed in in_hand(session, seat):
            theirs = sealed.shares[other(seat)]
            if theirs is not None:
                hand.add(card_at(session, sealed, opens_to(sealed.cell, theirs, product(x, sealed.cell.a))))
        hand -= {event.card for event in session.events if isinstance(event, Played)}
    assert sessions[-1].state is not None
    return View(seat, sessions[-1].state, tuple(sorted(hand)), Memory())


def drives(seed: int, look: Callable[[Pair], None]) -> Pair:
    """A whole game, looked at before every decision and every handing over."""

    def watch(pair: Pair) -> bool:
        look(pair)
        return not pair.queue and pair.session.finished

    return new_pair(seed, Peer).until(watch, bot("greedy", seed))


def test_view_and_choices_follow_from_public_records_and_the_own_seed_alone() -> None:
    sessions: list[Session] = []
    looked = [0, 0]

    def look(pair: Pair) -> None:
        for peer in pair.peers:
            if peer.session.position is None:
                continue
            if not sessions or peer.session.seq > sessions[-1].seq:
                sessions.append(peer.session)
            if peer.choices():
                view = seen(sessions, peer.seat, peer.secret_seed)
                assert peer.view() == view
                assert peer.choices() == view.choices()
                looked[peer.seat] += 1

    drives(11, look)
    assert min(looked) > 20


def test_no_peer_ever_holds_a_face_of_the_other_or_of_the_pile() -> None:
    truths: list[Truth] = []
    looked = 0

    def look(pair: Pair) -> None:
        nonlocal looked
        if not truths:
            truths.append(Truth([peer.secret_seed for peer in pair.peers]))
        for peer in pair.peers:
            session = peer.session
            if session.position is None:
                assert peer.hand == ()
                continue
            mine = {sealed.id: truths[0].sealed(session, sealed).card for sealed in in_hand(session, peer.seat)}
            assert peer._hand.faces.items() <= mine.items()
            private = sum(debt.private for debt in session.position.table.debts[other(peer.seat)])
            assert len(peer._hand.faces) == len(mine) - private
            assert peer.hand == tuple(sorted(peer._hand.faces.values()))
            looked += 1

    drives(12, look)
    assert looked > 150


def public(events: list[Event]) -> list[Event]:
    return [event for event in events if isinstance(event, Happened | Sealed | Revealed | Finished)]


@every_course
def test_both_seats_are_told_the_same_public_events_and_a_stranger_would_be_too(policy: str, seed: int) -> None:
    game = course(policy, seed)
    ours, theirs = (public(events) for events in game.pair.events)
    assert ours == theirs
    folded = [
        Happened(event, session.state)
        for session in game.sessions[0]
        if session.state is not None
        for event in session.events
    ]
    assert [event for event in ours if isinstance(event, Happened)] == folded
    assert ours[-5:] == [Sealed(SEATS[0]), Sealed(SEATS[1]), Revealed(SEATS[0]), Revealed(SEATS[1]), Finished()]


@every_course
def test_each_seat_takes_each_of_its_cards_once_and_is_asked_once_for_each_move(policy: str, seed: int) -> None:
    game = course(policy, seed)
    truth = Truth(game.seeds)
    for seat in SEATS:
        events = game.pair.events[seat]
        took = [card for event in events if isinstance(event, Took) for card in event.cards]
        held = {truth.sealed(s, sealed).card for s in game.sessions[0] if s.position for sealed in in_hand(s, seat)}
        assert sorted(took) == sorted(held)
        asked = sum(isinstance(event, YourTurn) for event in events)
        moves = [r for r in map(read_record, game.records) if r.kind is Kind.MOVE and r.seat == seat]
        assert asked == len(moves)
