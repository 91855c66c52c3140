"""What holds after every record of every game, however it is played and however it ends."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_schotten.crypto.cells import Cell
from p2p_schotten.engine.move import Move
from p2p_schotten.engine.step import Gave, Played, Reason, Returned, Used
from p2p_schotten.ids import SEATS, Seat
from p2p_schotten.net.frames import Frame, FrameBuffer, Tag
from p2p_schotten.protocol.advance import advance
from p2p_schotten.protocol.events import Offered
from p2p_schotten.protocol.messages import SHARE_BYTES, MoveBody, read_body
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import MAX_RECORD, Kind, read_record
from p2p_schotten.protocol.session import Session
from p2p_schotten.protocol.table import DeckHand, Table
from tests.protocol.courses import COURSES, FAMILY, Course, Truth, course, in_hand, in_piles, new_pair
from tests.protocol.pair import bot

Which = tuple[str, int, str]
EVERY: tuple[Which, ...] = (*((policy, seed, "base") for policy, seed in COURSES), *FAMILY)
every_course = pytest.mark.parametrize("which", EVERY, ids=[f"{rules}-{policy}" for policy, _, rules in EVERY])


def test_the_courses_end_in_every_way_that_a_base_game_can_end() -> None:
    outcomes = [course(*which).pair.session.outcome for which in COURSES]
    reasons = {Reason.ADJACENT, Reason.FIVE, Reason.STUCK, Reason.RESIGNED}
    assert {outcome.reason for outcome in outcomes if outcome} == reasons


@every_course
def test_both_peers_stand_on_equal_sessions_after_every_record(which: Which) -> None:
    game = course(*which)
    ours, theirs = game.sessions
    assert len(ours) == len(theirs) == len(game.records) + 1
    for number, (mine, yours) in enumerate(zip(ours, theirs, strict=True)):
        assert mine == yours, f"before record {number}"


@every_course
def test_both_transcripts_are_the_same_bytes(which: Which) -> None:
    game = course(*which)
    first, second = game.pair.peers
    assert first.records == second.records == game.records
    assert first.session.finished


@pytest.mark.parametrize("which", [EVERY[0], *EVERY[5:7], *FAMILY[:5]])
def test_a_stranger_who_folds_the_records_stands_where_the_peers_stood(which: Which) -> None:
    game = course(*which)
    session = Session()
    for number, record in enumerate(game.records):
        assert session == game.sessions[0][number]
        session = advance(session, record)
    assert session == game.sessions[0][-1]


def breaks_share_invariant(table: Table) -> str:
    """Protocol section 3, in words where it does not hold: a cell in a pile or a mixed hand has no share on record,
    one in an unmixed hand of p at most the other's."""
    for pile in table.piles:
        if any(sealed.shares != (None, None) for sealed in pile):
            return "a share of a cell in a pile"
    for seat in SEATS:
        for deck_hand in table.hands[seat]:
            for sealed in deck_hand.cells:
                if deck_hand.mixed and sealed.shares != (None, None):
                    return "a share of a cell in a mixed hand"
                if sealed.shares[seat] is not None:
                    return "the holder's own share of a cell in his hand"
    return ""


@every_course
def test_the_share_invariant_holds_after_every_record(which: Which) -> None:
    shared = mixed = 0
    for number, session in enumerate(course(*which).sessions[0]):
        if session.position is None:
            continue
        table = session.position.table
        assert breaks_share_invariant(table) == "", f"before record {number}"
        hands = [deck_hand for hand in table.hands for deck_hand in hand if deck_hand.cells]
        shared += sum(sealed.shares != (None, None) for deck_hand in hands for sealed in deck_hand.cells)
        mixed += sum(deck_hand.mixed for deck_hand in hands)
    # The law must not hold of nothing at all: hands did hold cells with one share, and were mixed. (A mixed hand is
    # seen between two records only in a claim window and when the deck is exhausted.)
    assert shared > 0
    assert mixed > 0 or which[0] in ("resigning at once", "resigning early")


@pytest.mark.parametrize("seat", SEATS)
def test_the_share_invariant_sees_each_way_of_breaking_it(seat: Seat) -> None:
    session = next(
        s for s in course("greedy", 1).sessions[0] if s.position is not None and not s.position.table.debts[0]
    )
    assert session.position is not None
    table = session.position.table
    assert breaks_share_invariant(table) == ""
    (hand,) = table.hands[seat]
    own = replace(hand.cells[0], shares=(session.joint, session.joint))

    def with_hand(deck_hand: DeckHand) -> Table:
        hands = (((deck_hand,), table.hands[1]), (table.hands[0], (deck_hand,)))[seat]
        return replace(table, hands=hands)

    assert "own share" in breaks_share_invariant(with_hand(replace(hand, cells=(own, *hand.cells[1:]))))
    assert "mixed" in breaks_share_invariant(with_hand(replace(hand, mixed=True)))
    top = replace(table.piles[0][0], shares=own.shares)
    assert "pile" in breaks_share_invariant(replace(table, piles=((top, *table.piles[0][1:]),)))


@every_course
def test_a_cell_leaves_a_hand_only_out_of_a_mixed_deck_hand(which: Which) -> None:
    """So that nobody sees when a card that is laid was drawn: its cell was never seen in a pile, nor dealt or drawn."""
    game = course(*which)
    traceable: set[Cell] = set()  # every cell that lay in a pile, or in a hand since it was dealt or drawn
    mixes = plays = 0
    for number, record in enumerate(map(read_record, game.records)):
        before, after = game.sessions[0][number : number + 2]
        traceable |= {cell for pile in after.piles for cell in pile}
        if before.position is None or after.position is None:
            continue
        for table in (before.position.table, after.position.table):
            traceable |= {sealed.cell for pile in table.piles for sealed in pile}
            for hand in (hand for hands in table.hands for hand in hands if not hand.mixed):
                # In an unmixed hand the cells that are no mix of their owner's can be told from the others.
                traceable |= {sealed.cell for sealed in hand.cells if sealed.shares != (None, None)}
        laid = [event.card for event in after.events if isinstance(event, Played | Used)]
        body = read_body(record.kind, record.body)
        if not isinstance(body, MoveBody):
            continue
        hands = before.position.table.hands[record.seat]
        decks = {before.rules.deck_of(card) for card in laid}
        decks |= {event.deck for event in after.events if isinstance(event, Returned)}
        decks |= {deck for event in after.events if isinstance(event, Gave) for deck in event.decks}
        assert [mix.deck for mix in body.mixes] == sorted(deck for deck in decks if not hands[deck].mixed)
        new = {face.sealed.cell for face in after.position.table.faces if face.card in laid}
        assert len(new) == len(laid)
        assert not new & traceable
        for mix in body.mixes:
            assert not {sealed.cell for sealed in hands[mix.deck].cells} & new
            mixes += 1
        plays += len(laid)
    assert plays >= mixes
    assert mixes > 0 or which[0] == "resigning at once"


@every_course
def test_cards_are_conserved_and_every_cell_is_the_card_that_both_seeds_say(which: Which) -> None:
    game = course(*which)
    truth = Truth(game.seeds)
    for session in game.sessions[0]:
        if session.position is None or session.state is None:
            continue
        hidden = [truth.sealed(session, sealed).card for sealed in in_piles(session)]
        for seat in SEATS:
            hand = [truth.sealed(session, sealed).card for sealed in in_hand(session, seat)]
            assert len(hand) == sum(session.state.hands[seat])
            hidden += hand
        open_now = [card.id for card in session.rules.cards if not session.state.unseen >> card.id & 1]
        assert sorted([*open_now, *hidden]) == list(range(len(session.rules.cards)))
        lying = [card for stone in session.state.stones for card in stone.arrived]
        assert {*lying, *session.state.beside.discard} <= {*open_now}
        for face in session.position.table.faces:
            assert truth.sealed(session, face.sealed).card == face.card


@every_course
def test_every_honest_record_is_within_the_limit_that_stood_before_it(which: Which) -> None:
    game = course(*which)
    for number, record in enumerate(game.records):
        for sessions in game.sessions:
            assert len(record) <= sessions[number].limit() <= MAX_RECORD, f"record {number}"
    assert game.sessions[0][-1].limit() == 0


# How far above the longest legal record of its kind the limit lies, in bytes. A step makes up to 16 shares due for its
# author under any ruleset, in the base game one or (a deal) six; headers and envelope are counted at their longest.
SLACK = {
    Kind.COMMIT: 320,
    Kind.OPEN: 256,
    Kind.SHUFFLE: 16 * SHARE_BYTES + 192,
    Kind.SHARES: 1 * SHARE_BYTES + 64,
    Kind.MOVE: 15 * SHARE_BYTES + 256,
    Kind.SEAL: 320,
    Kind.REVEAL: 320,
}


def test_the_limit_lies_a_stated_few_shares_above_the_longest_record() -> None:
    game = course("greedy", 1)
    kinds = set()
    for session, record in zip(game.sessions[0], map(read_record, game.records), strict=False):
        kinds.add(record.kind)
        plays = record.kind is not Kind.MOVE or record.body[2][0] == 0  # type: ignore[index]  # a claim has no mix
        if record.kind is not Kind.HELLO and plays:
            assert session.limit() - len(record.data) <= SLACK[record.kind], record.kind
    assert kinds == set(Kind)


def test_the_longest_name_fits_into_a_hello() -> None:
    names = ("\N{DEVANAGARI LETTER A}" * 10 + "ab", "x" * 32)
    assert [len(name.encode()) for name in names] == [32, 32]
    pair = new_pair(10, Peer, names=names)
    pair.until(lambda pair: pair.session.seq == 2)
    assert pair.session.names == names


# Two peers over a wire that hands on one byte at a time.


class Wire:
    """A peer behind a byte stream: its records go out as frames, and frames come in however they were cut."""

    def __init__(self, peer: Peer) -> None:
        self.peer = peer
        self.out = bytearray()
        self.buffer = FrameBuffer(lambda tag: peer.limit() if tag is Tag.RECORD else 0)

    def send(self) -> None:
        for record in self.peer.frames():
            self.out += Frame(Tag.RECORD, record).encode()

    def take(self, data: bytes) -> None:
        self.buffer.feed(data)
        while (frame := self.buffer.next()) is not None:
            events = self.peer.receive(frame.payload)
            if any(isinstance(event, Offered) for event in events):
                self.peer.accept()
            self.send()


def test_two_peers_over_a_pair_cut_into_single_bytes_play_the_game_that_they_play_in_whole_records() -> None:
    game = course("greedy", 1)
    first, second = (Wire(peer) for peer in new_pair(1, Peer).peers)
    choose = bot("greedy", 1)
    first.send()
    second.send()
    bytes_handed_on = 0
    # new_pair has taken the HELLO out already: it stands first in the pair's queue.
    first.out += Frame(Tag.RECORD, game.records[0]).encode()
    while True:
        moving = [wire for wire in (first, second) if wire.out]
        for wire in moving:
            byte = bytes(wire.out[:1])
            del wire.out[:1]
            (second if wire is first else first).take(byte)
            bytes_handed_on += 1
        if moving:
            continue
        if first.peer.session.finished and second.peer.session.finished:
            break
        (mover,) = [wire for wire in (first, second) if wire.peer.choices()]
        move: Move = choose(mover.peer)
        mover.peer.play(move)
        mover.send()
    for wire in (first, second):
        wire.buffer.feed(Frame(Tag.PING).encode())
        assert wire.buffer.next() == Frame(Tag.PING), "no byte was left over"
    assert first.peer.records == second.peer.records == game.records
    assert bytes_handed_on == sum(5 + len(record) for record in game.records)


def test_a_game_is_the_same_bytes_again_from_the_same_seeds_and_moves() -> None:
    again: Course = course.__wrapped__("resigning early", 7)
    assert again.records == course("resigning early", 7).records
