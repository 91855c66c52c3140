"""Bodies of games with tactic cards, changed at random and signed again: each is refused, and never by an error."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from p2p_schotten.errors import Cause, PeerFault
from p2p_schotten.protocol.advance import advance
from p2p_schotten.protocol.messages import SHARE_BYTES
from p2p_schotten.protocol.record import Kind, Value, make_record
from p2p_schotten.protocol.session import Session
from p2p_schotten.transcript import verify
from tests.protocol.courses import course
from tests.protocol.liar import file_of
from tests.protocol.moments import Moment, game_of, moments
from tests.protocol.pair import identity_of

CHANGES = 250
GAMES = ["siege-tactic", "battle-line"]


def copied(value: Value) -> Value:
    return [copied(item) for item in value] if isinstance(value, list) else value


def changed(random: Random, body: list[Value]) -> list[Value]:
    """The body with one value at one place changed: a number, an item of a list, some bytes."""
    fresh = copied(body)
    assert isinstance(fresh, list)
    at: list[Value] = fresh
    while True:
        if not at:
            at.append(random.randrange(1, 72))
            return fresh
        place = random.randrange(len(at))
        item = at[place]
        if isinstance(item, list) and random.random() < 0.8:
            at = item
            continue
        at[place] = _other(random, item)
        return fresh


def _other(random: Random, item: Value) -> Value:
    if isinstance(item, int):
        return random.choice([item + 1, max(item - 1, 0), random.randrange(72), random.randrange(256)])
    if isinstance(item, list):
        return random.choice([item[:-1], item[1:], [*item, *item[:1]], item[::-1]])
    assert isinstance(item, bytes)
    if random.random() < 0.5 or not item:
        return random.choice([item[SHARE_BYTES:], item[:-SHARE_BYTES], item + item[:SHARE_BYTES], bytes(SHARE_BYTES)])
    spot = random.randrange(len(item))
    return item[:spot] + bytes([item[spot] ^ 1 << random.randrange(8)]) + item[spot + 1 :]


def sent(moment: Moment, body: list[Value], seed: int) -> bytes:
    """The record with that body, signed by its author."""
    record, session = moment.record, moment.before
    identity = identity_of(seed, record.seat)
    return make_record(record.seq, record.prev, record.seat, record.kind, body, session.game_id, identity)


@pytest.mark.parametrize("name", GAMES)
def test_a_changed_body_is_refused_and_its_author_blamed(name: str) -> None:
    which = game_of(name)
    random = Random(7)
    kinds = (Kind.MOVE, Kind.SHARES, Kind.SHUFFLE)
    chosen = [moment for moment in moments(which) if moment.record.kind in kinds]
    causes: Counter[Cause] = Counter()
    for _ in range(CHANGES):
        moment = random.choice(chosen)
        body = changed(random, moment.record.body)
        if body == moment.record.body:
            continue
        data = sent(moment, body, which[1])
        with pytest.raises(PeerFault) as caught:
            advance(moment.before, data)
        fault = caught.value
        causes[fault.cause] += 1
        assert fault.seq == moment.before.seq
        assert fault.blame == (None if fault.cause is Cause.LENGTH else moment.record.seat), str(fault)
    wanted = {Cause.BYTES, Cause.DEBTS, Cause.DIGEST, Cause.ILLEGAL, Cause.MIX, Cause.POSITION, Cause.SHARE}
    assert set(causes) >= wanted, causes


@pytest.mark.parametrize("name", GAMES)
def test_a_file_with_a_changed_body_gets_the_same_verdict_with_its_seeds_and_without(name: str) -> None:
    which = game_of(name)
    game, random = course(*which), Random(8)
    chosen = [moment for moment in moments(which) if moment.record.kind is Kind.MOVE and moment.move.positions]
    for moment in random.sample(chosen, 3):
        body = changed(random, moment.record.body)
        data = sent(moment, body, which[1])
        prefix = game.records[: moment.record.seq]
        verdicts = [verify(file_of(*prefix, data, *tail)) for tail in ((), game.records[-2:])]
        said = [(str(verdict.fault), verdict.records, verdict.session) for verdict in verdicts]
        if body == moment.record.body:
            assert verdicts[0].fault is None
        else:
            assert said[0] == said[1]
            assert verdicts[0].fault is not None
            assert verdicts[0].session == moment.before


def test_the_moments_stand_on_the_sessions_of_the_game() -> None:
    """What is changed above is at first good: each record leads from the session before it to the one after it."""
    which = game_of("siege-tactic")
    session: Session | None = None
    for moment in moments(which):
        assert session in (None, moment.before)
        assert sent(moment, moment.record.body, which[1]) == moment.record.data
        session = moment.after
    assert session is not None
    assert session.seeds == course(*which).seeds
