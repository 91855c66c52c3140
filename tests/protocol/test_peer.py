"""The two doors of a peer: what its player may ask for, and what may come from the other; refused, nothing changes."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace

import pytest

from p2p_schotten.engine.move import Claim, Done, Draw, Move, Pass, Play, PublicMove, Resign
from p2p_schotten.engine.rules import apply
from p2p_schotten.engine.rulesets import ruleset
from p2p_schotten.engine.step import HandToOpen
from p2p_schotten.errors import Cause, IllegalMove, Inconsistent, PeerFault
from p2p_schotten.ids import SEATS, CardId, DeckId, StoneId, other
from p2p_schotten.protocol import hand as hand_module
from p2p_schotten.protocol import peer as peer_module
from p2p_schotten.protocol.advance import Proofs, advance
from p2p_schotten.protocol.events import Finished, Took, YourTurn
from p2p_schotten.protocol.messages import Shuffle, read_body, write_body
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind, make_record, read_record
from p2p_schotten.protocol.session import Session
from tests.protocol.courses import Truth, every_claim, in_hand, new_pair, no_claim
from tests.protocol.doors import at_turn, knows, mover_and_other, turned_down
from tests.protocol.pair import Pair, bot, entropy, first_choice, identity_of

# The own door: play


def refused(peer: Peer, move: Move, words: str) -> None:
    before = knows(peer)
    with pytest.raises(IllegalMove, match=words) as caught:
        peer.play(move)
    assert caught.value.move == move
    assert knows(peer) == before  # the outbox too: nothing was sent


def test_a_move_before_the_deal_is_illegal() -> None:
    pair = new_pair(1, Peer)
    for peer in pair.peers:
        refused(peer, Resign(), "not your turn")
        assert peer.choices() == ()


def test_a_move_out_of_turn_is_illegal_even_a_resignation() -> None:
    mover, waiting = mover_and_other(at_turn(1, 2))
    assert mover.choices()
    assert waiting.choices() == ()
    for move in (Play(waiting.hand[0], StoneId(8)), Play(mover.hand[0], StoneId(8)), Done(), Resign()):
        refused(waiting, move, "not your turn")


def test_a_card_that_is_not_in_the_hand_is_illegal() -> None:
    mover, waiting = mover_and_other(at_turn(1, 0))
    elsewhere = [card for card in map(CardId, range(54)) if card not in mover.hand]
    assert waiting.hand[0] in elsewhere
    for card in elsewhere:
        refused(mover, Play(card, StoneId(0)), "not in your hand")


def test_a_move_against_the_rules_is_illegal_and_says_why() -> None:
    pair = at_turn(1, 1)
    mover, _ = mover_and_other(pair)
    card = mover.hand[0]
    state = pair.session.state
    assert state is not None
    (laid,) = [card for stone in state.stones for card in stone.arrived]
    for move, words in (
        (Play(card, StoneId(9)), "no such stone"),
        (Play(card, StoneId(-1)), "no such stone"),
        (Play(CardId(54), StoneId(0)), "no such card"),
        (Play(laid, StoneId(0)), "open already"),
        (Claim(StoneId(0)), "after laying a card"),
        (Done(), "laid first"),
        (Draw(DeckId(0)), "nothing is drawn now"),
        (Pass(), "not allowed"),
    ):
        refused(mover, move, words)


def test_a_move_after_the_end_is_illegal() -> None:
    pair = at_turn(2, 0)
    pair.move(lambda peer: Resign())
    pair.pump()
    assert pair.session.finished
    for peer in pair.peers:
        refused(peer, Resign(), "not your turn")
        assert peer.choices() == ()
        assert peer.session.speaker is None


def test_a_move_while_my_new_card_is_still_hidden_from_me_waits_for_it() -> None:
    """The other owes me the share of my draw before anybody is to move: until then it is nobody's choice."""
    pair = at_turn(3, 0)
    mover, waiting = mover_and_other(pair)
    mover.play(first_choice(mover))
    assert mover.session.due() == (waiting.seat, Kind.SHARES)
    for peer in (mover, waiting):
        refused(peer, Resign(), "not your turn")
    assert len(mover.hand) == 5


# The choices


@pytest.mark.parametrize("policy", [every_claim, no_claim])
def test_the_choices_are_the_moves_that_play_accepts(policy: Callable[[int], Callable[[Peer], Move]]) -> None:
    """Against the rule itself: cards of my hand that the engine lets me lay, and claims and Done in their window."""
    choose, looked = policy(4), 0
    everything: list[PublicMove] = [Play(CardId(card), StoneId(stone)) for card in range(54) for stone in range(9)]
    everything += [Claim(StoneId(stone)) for stone in range(9)] + [Done(), Pass(), Draw(DeckId(0))]

    def law(pair: Pair) -> bool:
        nonlocal looked
        for peer in pair.peers:
            state = peer.session.state
            if state is None or peer.session.due() != (peer.seat, Kind.MOVE):
                assert peer.choices() == ()
                continue
            allowed = set()
            for move in everything:
                try:
                    step = apply(state, move)
                except IllegalMove:
                    continue
                if all(not isinstance(t, HandToOpen) or t.card in peer.hand for t in step.transfers):
                    allowed.add(move)
            assert set(peer.choices()) == allowed
            assert peer.view().choices() == peer.choices()
            looked += 1
        return not pair.queue and pair.session.finished

    new_pair(5, Peer).until(law, choose)
    assert looked > 50


def test_every_choice_can_be_played_and_is_taken_by_the_other() -> None:
    for moves, policy in ((0, first_choice), (7, first_choice), (30, no_claim(6))):
        pair = at_turn(6, moves, policy)
        mover, _ = mover_and_other(pair)
        for move in mover.choices()[:: max(1, len(mover.choices()) // 5)]:
            fork = pair.fork()
            fork.move(lambda peer, move=move: move)  # type: ignore[misc]  # the move of this round
            fork.pump()
            assert fork.peers[0].records == fork.peers[1].records
            assert len(fork.peers[0].records) > len(mover.records)


# The other's door: receive


def test_a_record_of_the_other_out_of_turn_is_refused_and_convicts_him() -> None:
    pair = at_turn(7, 3)
    mover, waiting = mover_and_other(pair)
    session = mover.session
    body = write_body(read_body(Kind.MOVE, read_record(next(iter(moves_of(mover)))).body))
    mine = make_record(
        session.seq, session.head, waiting.seat, Kind.MOVE, body, session.game_id, identity_of(7, waiting.seat)
    )
    turned_down(mover, mine, Cause.SPEAKER, waiting.seat)


def moves_of(peer: Peer) -> list[bytes]:
    return [data for data in peer.records if read_record(data).kind is Kind.MOVE]


def test_my_own_record_is_not_taken_from_the_other() -> None:
    pair = at_turn(7, 3)
    mover, waiting = mover_and_other(pair)
    twin = pair.fork().peers[mover.seat]
    twin.play(first_choice(twin))
    own = twin.frames()[0]
    # My next record, echoed before I have said it: only somebody with my key could have made it.
    turned_down(mover, own, Cause.SPEAKER, None)
    waiting.receive(own)
    # And one that I said long ago, echoed.
    turned_down(mover, mover.records[0], Cause.SEQUENCE, None)


def test_nothing_is_taken_after_the_last_record() -> None:
    pair = new_pair(8, Peer).play(lambda peer: Resign())
    for peer in pair.peers:
        for data in (pair.records[-1], b"", bytes(100)):
            before = knows(peer)
            with pytest.raises(PeerFault, match="complete"):
                peer.receive(data)
            assert knows(peer) == before
        assert peer.limit() == 0


def test_longer_than_the_limit_is_refused_before_it_is_read() -> None:
    pair = at_turn(7, 2)
    _, waiting = mover_and_other(pair)
    fault = turned_down(waiting, bytes(waiting.limit() + 1), Cause.LENGTH, None)
    assert str(waiting.limit()) in fault.detail
    turned_down(waiting, bytes(waiting.limit()), Cause.BYTES, None)


def test_a_refused_record_is_kept_with_all_that_came_before_it() -> None:
    pair = at_turn(7, 2)
    _, waiting = mover_and_other(pair)
    turned_down(waiting, b"nonsense", Cause.BYTES, None)
    assert waiting.evidence is not None
    assert waiting.evidence == pair.file_bytes() + (8).to_bytes(4, "big") + b"nonsense"


# Its secrets, and its end


def test_entropy_is_asked_for_a_seed_and_a_nonce_and_for_nothing_later() -> None:
    asked: list[int] = []

    def counting(n: int) -> bytes:
        asked.append(n)
        return entropy("counting", len(asked))(n)

    Peer(SEATS[0], identity_of(1, SEATS[0]), "Ann", ruleset("base"), counting)
    assert asked == [32, 32]


def test_a_secret_is_in_no_repr_and_no_copy_of_a_peer() -> None:
    peer = at_turn(9, 1).peers[0]
    text = repr(vars(peer))
    assert peer.secret_seed.hex() not in text
    assert repr(peer.secret_seed) not in text
    with pytest.raises(TypeError, match="not pickled or copied"):
        copy.deepcopy(peer._secret)


def test_frames_gives_each_record_once_in_order() -> None:
    pair = new_pair(10, Peer).play(lambda peer: Resign())
    for peer in pair.peers:
        assert peer.frames() == []
    assert [read_record(data).seq for data in pair.records] == list(range(len(pair.records)))


def test_the_hand_is_what_was_dealt_and_each_draw_is_told() -> None:
    pair = at_turn(11, 0)
    truth = Truth([peer.secret_seed for peer in pair.peers])
    for peer in pair.peers:
        dealt = [event for event in pair.events[peer.seat] if isinstance(event, Took)]
        assert [len(took.cards) for took in dealt] == [6]
        assert sorted(dealt[0].cards) == list(peer.hand)
        assert peer.hand == tuple(sorted(truth.sealed(peer.session, s).card for s in in_hand(peer.session, peer.seat)))
    mover, _ = mover_and_other(pair)
    told = len(pair.events[mover.seat])
    pair.move(first_choice)
    pair.pump()
    took = [event for event in pair.events[mover.seat][told:] if isinstance(event, Took)]
    assert [len(event.cards) for event in took] == [1]
    assert took[0].cards[0] in mover.hand
    assert isinstance(pair.events[other(mover.seat)][-1], YourTurn)


def test_a_close_alone_is_made_only_when_the_other_is_silent_after_the_end() -> None:
    pair = new_pair(12, Peer)
    made = [0, 0]

    def look(pair: Pair) -> bool:
        for peer in pair.peers:
            close = peer.close_alone()
            allowed = peer.session.outcome is not None and peer.session.speaker == other(peer.seat)
            assert (close is not None) is allowed
            made[peer.seat] += close is not None
        return not pair.queue and pair.session.finished

    pair.until(look, bot("greedy", 12))
    assert sum(made) > 0
    assert isinstance(pair.events[0][-1], Finished)


# Our own errors stop the game and blame nobody


def test_a_cell_that_opens_to_no_card_stops_the_game_and_blames_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a bug of ours, or of the proofs, can bring it about: here the proofs are left out and a share is false."""
    pair = new_pair(13, Peer).until(lambda pair: bool(pair.queue) and read_record(pair.queue[0]).seq == 7)
    record = read_record(pair.queue[0])
    body = read_body(record.kind, record.body)
    assert isinstance(body, Shuffle)
    false = replace(body, shares=body.shares[96:192] + body.shares[96:])
    data = make_record(
        record.seq,
        record.prev,
        record.seat,
        record.kind,
        write_body(false),
        pair.session.game_id,
        identity_of(13, SEATS[1]),
    )

    def believing(session: Session, data: bytes, **ignored: object) -> Session:
        return advance(session, data, proofs=Proofs.NONE)

    victim = pair.peers[0]
    turned_down(victim, data, Cause.SHARE, SEATS[1])
    monkeypatch.setattr(peer_module, "advance", believing)
    with pytest.raises(Inconsistent, match="record 7: a cell opens to no card"):
        victim.receive(data)
    assert victim.records[-1] == data  # everything is kept


def test_a_card_that_comes_twice_stops_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = new_pair(13, Peer).until(lambda pair: bool(pair.queue) and read_record(pair.queue[0]).seq == 7)
    one = CardId(5)
    monkeypatch.setattr(hand_module, "card_at", lambda session, sealed, point: one)
    with pytest.raises(Inconsistent, match="record 7: a card came into the hand twice"):
        pair.hand_over()
