"""Games that many tests share: each is played once, and a test forks the moment that it needs."""

from __future__ import annotations

import pytest

from p2p_schotten import transcript
from p2p_schotten.engine.rulesets import ruleset
from p2p_schotten.ids import SEATS, Seat
from p2p_schotten.protocol.advance import Proofs, advance
from p2p_schotten.protocol.messages import MoveBody, read_body
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind, Record
from p2p_schotten.protocol.session import Session
from tests.protocol.courses import new_pair, ruses_first, scouts_early
from tests.protocol.pair import Pair, Story, gives_up, lets_win, patient

_remembered: dict[tuple[bytes, bytes, Proofs], Session] = {}


@pytest.fixture
def remembering(monkeypatch: pytest.MonkeyPatch) -> None:
    """`verify` remembers where good records led, so that a long prefix is checked once and not for every lie behind it.

    A head is the hash of all records before, so head and record determine the answer. Refusals are never remembered:
    every lie meets the real `advance`. That the verdict is the same is shown in test_attacks_file.py.
    """

    def remembered(session: Session, data: bytes, *, proofs: Proofs = Proofs.ALL) -> Session:
        key = (session.head, data, proofs)
        if key not in _remembered:
            _remembered[key] = advance(session, data, proofs=proofs)
        return _remembered[key]

    monkeypatch.setattr(transcript, "advance", remembered)


@pytest.fixture(scope="session")
def story() -> Story:
    """A whole game, but short: ten cards, some with a claim window behind them, then somebody resigns."""
    return Story(Pair.new(1), gives_up(10))


@pytest.fixture(scope="session")
def long_story() -> Story:
    """A whole game in which all cards are laid: near its end the deck is empty, and debts stand in MOVEs."""
    return Story(Pair.new(1, sitting=4), patient)


@pytest.fixture(scope="session")
def siege() -> Story:
    """A siege with tactic cards: an exchange, a support, three times oil and three retreats."""
    return Story(new_pair(1, Peer, rules=ruleset("siege-tactic")), ruses_first(1))


@pytest.fixture(scope="session")
def scouts() -> Story:
    """A game in which a scout, who finds one pile empty, puts two cards under the other."""
    return Story(new_pair(1, Peer, rules=ruleset("tactic")), ruses_first(1))


@pytest.fixture(scope="session")
def battle() -> Story:
    """The start of a battle: leaders, then a scout who draws from both piles and puts a card on top of each.

    The other draws one of these two, the scout the other.
    """
    return Story(new_pair(5, Peer, rules=ruleset("battle-line")), scouts_early())


def won_right_after_a_mix(winner: Seat, sittings: range) -> Story:
    """The first game of these sittings that `winner` ends by claiming after a card for which it mixed its hand."""
    for sitting in sittings:
        story = Story(Pair.new(1, sitting=sitting), lets_win(winner))
        plays = [record for record in story.records if record.kind is Kind.MOVE and record.seat == winner]
        last = next(record for record in reversed(plays) if move_of(record).positions)
        behind = [record for record in story.records[last.seq + 1 :] if record.kind is Kind.MOVE]
        if move_of(last).mixes and behind and all(record.seat == winner for record in behind):
            return story
    raise AssertionError("no sitting ended so")


def move_of(record: Record) -> MoveBody:
    body = read_body(record.kind, record.body)
    assert isinstance(body, MoveBody)
    return body


@pytest.fixture(scope="session")
def won_by_0() -> Story:
    """Seat 0 wins with a claim right after a card for which it mixed its hand; seat 1 then owes a share."""
    return won_right_after_a_mix(SEATS[0], range(11, 20))


@pytest.fixture(scope="session")
def won_by_1() -> Story:
    """Seat 1 wins with a claim right after a card for which it mixed its hand; seat 0 then owes a share."""
    return won_right_after_a_mix(SEATS[1], range(21, 30))
