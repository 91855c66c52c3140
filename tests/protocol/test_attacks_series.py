"""Attacks on the second game of a connection: who sits there has another name than in the first."""

from __future__ import annotations

import pytest

from p2p_schotten.engine.rulesets import BASE
from p2p_schotten.errors import Cause, PeerFault
from p2p_schotten.ids import SEATS, Seat, other
from p2p_schotten.protocol.peer import Peer
from tests.attacks import report_fault
from tests.protocol.pair import entropy, identity_of


def peer(seat: Seat, name: str, other_name: str | None) -> Peer:
    return Peer(
        seat,
        identity_of(1, seat),
        name,
        BASE if seat == 0 else None,
        entropy("series", seat),
        other_identity=identity_of(1, other(seat)).public,
        other_name=other_name,
    )


def test_a_host_who_becomes_a_friends_namesake_in_a_later_game_is_refused() -> None:
    host, guest = peer(SEATS[0], "Friend", None), peer(SEATS[1], "Bob", "Stranger")
    host.start()
    (hello,) = host.frames()
    before = guest.session
    with pytest.raises(PeerFault) as refused:
        guest.receive(hello)
    fault = refused.value
    assert (fault.seq, fault.cause, fault.blame) == (0, Cause.HELLO, None)
    assert fault.detail == "the name is 'Friend', in the first game over this connection it was 'Stranger'"
    assert guest.session == before
    report_fault(before, hello, fault)
    assert (guest.records, guest.frames()) == ([], [])


def test_a_guest_who_becomes_a_friends_namesake_in_a_later_game_is_refused() -> None:
    host, guest = peer(SEATS[0], "Ann", "Stranger"), peer(SEATS[1], "Friend", "Ann")
    host.start()
    guest.receive(*host.frames())
    guest.accept()
    hello, *_rest = guest.frames()
    before, records = host.session, list(host.records)
    with pytest.raises(PeerFault) as refused:
        host.receive(hello)
    fault = refused.value
    assert (fault.seq, fault.cause, fault.blame) == (1, Cause.HELLO, None)
    assert fault.detail == "the name is 'Friend', in the first game over this connection it was 'Stranger'"
    assert host.session == before
    report_fault(before, hello, fault)
    assert (host.records, host.frames()) == (records, [])


def test_who_repeats_the_name_of_the_first_game_is_taken() -> None:
    host, guest = peer(SEATS[0], "Ann", "Bob"), peer(SEATS[1], "Bob", "Ann")
    host.start()
    guest.receive(*host.frames())
    guest.accept()
    for record in guest.frames():
        host.receive(record)
    assert host.session.names == guest.session.names == ("Ann", "Bob")
