"""A game closed by one seat alone: the last card is followed back, wherever it was before it came into the hand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import pytest

from p2p_schotten.engine.move import Done, Draw, Move, Play, Resign, Return, Scout
from p2p_schotten.engine.rulesets import ruleset
from p2p_schotten.engine.state import Phase
from p2p_schotten.ids import SEATS, CardId, DeckId, Seat, other
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind
from p2p_schotten.protocol.session import Session
from p2p_schotten.transcript import verify
from tests.protocol.courses import Truth, in_hand, in_piles, new_pair, ruses_first
from tests.protocol.liar import file_of
from tests.protocol.moments import table
from tests.protocol.pair import Pair, Policy

pytestmark = pytest.mark.usefixtures("remembering")


def unproven(session: Session, seat: Seat) -> tuple[CardId, ...]:
    """The cards that this seat showed and the other has not yet given his share of."""
    if session.position is None:
        return ()
    faces = table(session).faces
    return tuple(face.card for face in faces if face.namer == seat and face.sealed.shares[other(seat)] is None)


def mover(pair: Pair) -> Peer | None:
    """The peer that is to move, when no record is under way."""
    if pair.queue:
        return None
    return next((peer for peer in pair.peers if peer.session.due() == (peer.seat, Kind.MOVE)), None)


@dataclass
class Watch:
    """The moments of a game at which a seat that has just shown a card is to move again, and where cards came from."""

    moments: list[tuple[Pair, CardId]]
    exchanged: set[tuple[Seat, CardId]]  # who received which card out of the other hand
    restocked: set[CardId]  # what lay in the pile when it had been shuffled again


def watched(pair: Pair, policy: Policy) -> Watch:
    """The game played to its end."""
    watch = Watch([], set(), set())
    truth = Truth([peer.secret_seed for peer in pair.peers])
    before: list[set[CardId]] = [set(), set()]

    def look(pair: Pair) -> bool:
        nonlocal before
        peer, session = mover(pair), pair.session
        if peer is not None and session.state is not None:
            now = [{truth.sealed(session, cell).card for cell in in_hand(session, seat)} for seat in SEATS]
            watch.exchanged.update((seat, card) for seat in SEATS for card in now[seat] & before[1 - seat])
            if session.state.beside.restocked:
                watch.restocked.update(truth.sealed(session, cell).card for cell in in_piles(session))
            watch.moments.extend((pair.fork(), card) for card in unproven(session, peer.seat))
            before = now
        return not pair.queue and session.finished

    pair.until(look, policy)
    return watch


def closes(pair: Pair) -> None:
    """Whoever is to move gives up, the other is silent, and the file with the CLOSE proves the end."""
    peer = mover(pair)
    assert peer is not None
    fork = pair.fork()
    peer = fork.peers[peer.seat]
    peer.play(Resign())
    records = [*fork.records, *peer.frames()]
    close = peer.close_alone()
    assert close is not None
    alone = verify(file_of(*records))
    assert (alone.fault, alone.over) == (None, False)
    verdict = verify(file_of(*records, close))
    assert (verdict.fault, verdict.closed, verdict.over) == (None, peer.seat, True)


@pytest.fixture(scope="module")
def siege() -> Watch:
    """A siege with an exchange and a support."""
    return watched(new_pair(1, Peer, rules=ruleset("siege-tactic")), ruses_first(1))


def test_a_card_that_came_by_an_exchange_is_followed_back_to_it(siege: Watch) -> None:
    found = []
    for pair, card in siege.moments:
        peer = mover(pair)
        assert peer is not None
        if (peer.seat, card) in siege.exchanged:
            found.append(pair)
    assert found
    for pair in found[:3]:
        closes(pair)


def test_a_card_drawn_from_a_restocked_pile_is_followed_back_to_the_draw(siege: Watch) -> None:
    found = [pair for pair, card in siege.moments if card in siege.restocked]
    assert found
    for pair in found[-2:]:
        closes(pair)


def test_a_tactic_card_is_followed_back_through_the_mixes_of_its_own_deck(siege: Watch) -> None:
    found = [pair for pair, card in siege.moments if pair.session.rules.deck_of(card) == 1]
    assert found
    for pair in found[:3]:
        closes(pair)


@dataclass
class PutsBack:
    """Seat 0 puts two numbered cards on top of their pile, draws one of them again and lays it.

    Until the scout is found seat 0 alone draws tactic cards, and then seat 1 alone, so that the pile is left to seat 0.
    """

    put_back: set[CardId]
    laid: bool = False

    def __call__(self, peer: Peer) -> Move:
        moves, state = peer.choices(), peer.session.state
        assert state is not None
        scouted = bool(self.put_back)
        for move in moves:
            match move:
                case Return(card) if peer.seat == 0 and peer.session.rules.deck_of(card) == 0:
                    self.put_back.add(card)
                    return move
                case Scout() if peer.seat == 0:
                    return move
                case Play(card, _) if peer.seat == 0 and card in self.put_back:
                    self.laid = True
                    return move
        deck = DeckId(0) if state.phase is Phase.SCOUT or scouted == (peer.seat == 0) else DeckId(1)
        if Draw(deck) in moves:
            return Draw(deck)
        plain = [move for move in moves if isinstance(move, Play) and peer.session.rules.deck_of(move.card) == 0]
        return next((move for move in [*plain, Done()] if move in moves), moves[0])


def test_a_card_put_back_and_drawn_again_is_followed_back_to_the_second_draw() -> None:
    for seed in range(1, 20):
        policy, pair = PutsBack(set()), new_pair(seed, Peer, rules=ruleset("battle-line"))
        pair.until(partial(at_the_card_or_the_end, policy), policy)
        if again(pair, policy):
            break
    (card,) = unproven(pair.session, SEATS[0])
    assert card in policy.put_back
    assert card not in pair.peers[0].view().memory.returned
    assert pair.peers[0].view().memory.returned == tuple(policy.put_back - {card} - set(pair.peers[0].hand))
    closes(pair)


def at_the_card_or_the_end(policy: PutsBack, pair: Pair) -> bool:
    return drawn_out(pair) or again(pair, policy)


def again(pair: Pair, policy: PutsBack) -> bool:
    """Seat 0 has laid a card that it had put back, and is to move again."""
    return policy.laid and mover(pair) is pair.peers[0] and bool(unproven(pair.session, SEATS[0]))


def drawn_out(pair: Pair) -> bool:
    """No tactic card is left to draw, or the game is over: seat 0 does not come to it."""
    return pair.state is not None and (pair.state.over or not pair.state.piles[1])
