"""The first words: who plays, by which rules, in which version; refused, nobody is blamed and nothing is agreed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from p2p_schotten.engine.rulesets import RULESETS, ruleset
from p2p_schotten.errors import Cause, PeerFault
from p2p_schotten.ids import SEATS
from p2p_schotten.protocol import terms
from p2p_schotten.protocol.advance import advance
from p2p_schotten.protocol.events import Met, Offered
from p2p_schotten.protocol.messages import Hello, read_body, write_body
from p2p_schotten.protocol.offer import Offer
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind, make_record, read_record
from p2p_schotten.protocol.session import Session, rules_digest
from tests.protocol.courses import new_pair
from tests.protocol.doors import SHORT, a_peer, turned_down
from tests.protocol.pair import entropy, identity_of


def test_seat_one_is_asked_before_anything_is_agreed() -> None:
    first, second = a_peer(SEATS[0], rules=ruleset("base")), a_peer(SEATS[1], name="Bob")
    assert first.start() == ()
    (hello,) = first.frames()
    assert second.receive(hello) == (Offered("Ann", identity_of(1, SEATS[0]).public, ruleset("base")),)
    assert second.frames() == []
    assert second.game_id is None
    events = second.accept()
    (answer,) = second.frames()
    assert read_record(answer).kind is Kind.HELLO
    assert second.game_id is not None
    assert events == (Met("Ann", identity_of(1, SEATS[0]).public, second.game_id),)
    (met,) = first.receive(answer)
    assert met == Met("Bob", identity_of(1, SEATS[1]).public, second.game_id)
    # Seat 0 commits at once, by itself.
    assert [read_record(data).kind for data in first.frames()] == [Kind.COMMIT]


def test_only_seat_one_accepts_and_only_once_and_only_seat_zero_starts() -> None:
    first, second = a_peer(SEATS[0], rules=ruleset("base")), a_peer(SEATS[1])
    with pytest.raises(AssertionError):
        second.accept()
    with pytest.raises(AssertionError):
        second.start()
    first.start()
    with pytest.raises(AssertionError):
        first.accept()
    second.receive(first.frames()[0])
    second.accept()
    with pytest.raises(AssertionError):
        second.accept()
    assert [peer.session.seq for peer in (first, second)] == [1, 2]


def offered(peer: Peer, hello: bytes, cause: Cause) -> None:
    turned_down(peer, hello, cause, None)
    assert peer.game_id is None


def test_a_hello_of_another_key_than_that_of_the_channel_is_refused() -> None:
    first = a_peer(SEATS[0], rules=ruleset("base"))
    first.start()
    (hello,) = first.frames()
    offered(a_peer(SEATS[1], expects=identity_of(2, SEATS[0]).public), hello, Cause.IDENTITY)
    assert a_peer(SEATS[1], expects=identity_of(1, SEATS[0]).public).receive(hello)
    assert a_peer(SEATS[1], expects=None).receive(hello)


def test_the_answer_of_another_key_than_that_of_the_channel_is_refused_too() -> None:
    first = a_peer(SEATS[0], rules=ruleset("base"), expects=identity_of(2, SEATS[1]).public)
    first.start()
    second = a_peer(SEATS[1])
    second.receive(first.frames()[0])
    second.accept()
    offered(first, second.frames()[0], Cause.IDENTITY)


def test_one_identity_cannot_play_itself() -> None:
    first = a_peer(SEATS[0], rules=ruleset("base"))
    first.start()
    offered(a_peer(SEATS[1], as_seat=SEATS[0]), first.frames()[0], Cause.IDENTITY)


def test_rules_that_seat_one_insists_on_are_the_only_ones_it_takes() -> None:
    for rules in (ruleset("base"), SHORT):
        first = a_peer(SEATS[0], rules=rules)
        first.start()
        (hello,) = first.frames()
        assert a_peer(SEATS[1], rules=rules).receive(hello)
        assert a_peer(SEATS[1], rules=None).receive(hello)
        another = SHORT if rules is not SHORT else ruleset("base")
        offered(a_peer(SEATS[1], rules=another), hello, Cause.RULES)
        if rules is SHORT:
            stranger = Peer(SEATS[1], identity_of(1, SEATS[1]), "Bob", None, entropy("stranger"))
            offered(stranger, hello, Cause.RULES)


def test_seat_zero_takes_no_other_rules_than_those_it_offered() -> None:
    pair = new_pair(1, Peer)
    first = pair.peers[0]
    second = a_peer(SEATS[1], rules=SHORT)
    own = second._hello(Offer(SHORT))
    answer = make_record(1, first.session.head, SEATS[1], Kind.HELLO, write_body(own), b"", identity_of(1, SEATS[1]))
    turned_down(first, answer, Cause.RULES, None)


def hello_with(change: Callable[[Hello], Hello]) -> bytes:
    """The HELLO of seat 0, changed and signed by its key."""
    first = a_peer(SEATS[0], rules=ruleset("base"))
    first.start()
    record = read_record(first.frames()[0])
    body = read_body(Kind.HELLO, record.body)
    assert isinstance(body, Hello)
    return make_record(0, record.prev, SEATS[0], Kind.HELLO, write_body(change(body)), b"", identity_of(1, SEATS[0]))


@pytest.mark.parametrize(
    "name",
    ["", " Ann", "Ann ", "An\x1b[31mn", "Ann\n", "Ann\0", "\N{RIGHT-TO-LEFT OVERRIDE}nnA", "A\N{ZERO WIDTH SPACE}nn"],
)
def test_a_name_that_could_deceive_a_terminal_is_refused(name: str) -> None:
    data = hello_with(lambda hello: replace(hello, name=name))
    offered(a_peer(SEATS[1]), data, Cause.HELLO)


@pytest.mark.parametrize("name", ["A", "Ann Lee", "\N{LATIN SMALL LETTER E WITH ACUTE}" * 16, "\u5f20\u4e09"])
def test_an_honest_name_arrives_as_it_was_given(name: str) -> None:
    data = hello_with(lambda hello: replace(hello, name=name))
    second = a_peer(SEATS[1])
    (event,) = second.receive(data)
    assert isinstance(event, Offered)
    assert event.name == name
    second.accept()
    assert second.session.names == (name, "Ann")


def test_a_name_that_no_other_peer_would_take_is_not_sent() -> None:
    for name in ("", "x\x07"):
        first = a_peer(SEATS[0], name=name, rules=ruleset("base"))
        with pytest.raises(PeerFault):
            first.start()
        assert first.frames() == []


@pytest.mark.parametrize(
    ("versions", "words"), [((2, 3), "speaks protocol 2-3, expected 1-1"), ((2, 2), "speaks protocol 2-2")]
)
def test_another_version_is_said_in_words(versions: tuple[int, int], words: str) -> None:
    peer = a_peer(SEATS[1])
    fault = turned_down(peer, hello_with(lambda hello: replace(hello, versions=versions)), Cause.VERSION, None)
    assert words in fault.detail


def test_a_peer_that_speaks_more_versions_still_plays_the_common_one() -> None:
    peer = a_peer(SEATS[1])
    peer.receive(hello_with(lambda hello: replace(hello, versions=(1, 9))))
    peer.accept()
    assert peer.session.version == 1


def hellos(*bodies: Hello) -> Session:
    """The session of whoever folds these HELLOs, each signed by its seat."""
    session = Session(known={**RULESETS, SHORT.name: SHORT})
    for seat, hello in zip(SEATS, bodies, strict=False):
        key = identity_of(1, seat)
        body = write_body(replace(hello, identity=key.public))
        session = advance(session, make_record(session.seq, session.head, seat, Kind.HELLO, body, b"", key))
    return session


def answered(offer: Hello, answer: Hello) -> PeerFault:
    """What he says of the second when only the first is taken."""
    assert len(hellos(offer).hellos) == 1
    with pytest.raises(PeerFault) as caught:
        hellos(offer, answer)
    assert (caught.value.seq, caught.value.blame) == (1, None)
    return caught.value


def test_two_hellos_that_do_not_fit_together_are_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    offer = a_peer(SEATS[0])._hello(Offer(ruleset("base")))
    assert len(hellos(offer, offer).hellos) == 2
    other_rules = replace(offer, ruleset=SHORT.name, rules_digest=rules_digest(SHORT))
    assert answered(offer, other_rules).cause is Cause.RULES
    # Both say that they speak 1 to 5: they would play version 5, which this program cannot judge.
    newer = replace(offer, versions=(1, 5))
    fault = answered(newer, newer)
    assert fault.cause is Cause.VERSION
    assert "agree on version 5, expected 1-1" in fault.detail
    # A later program that speaks 1 to 3 looks on: one seat speaks 1 only, the other 2 and 3.
    monkeypatch.setattr(terms, "VERSIONS", (1, 3))
    fault = answered(replace(offer, versions=(1, 1)), replace(offer, versions=(2, 3)))
    assert fault.cause is Cause.VERSION
    assert "no common version" in fault.detail
