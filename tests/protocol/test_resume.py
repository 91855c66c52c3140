"""A peer read out of its own journal is the peer that wrote it, at every record; and both sides go on from there."""

from __future__ import annotations

import pytest

from p2p_schotten.engine.move import ReturnFrom
from p2p_schotten.engine.rulesets import ruleset
from p2p_schotten.errors import IllegalMove
from p2p_schotten.ids import SEATS, Seat, other
from p2p_schotten.protocol.events import Event, Finished, YourTurn
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind, head_of
from p2p_schotten.protocol.resume import Stand
from p2p_schotten.protocol.session import Session
from tests.protocol.courses import POLICIES, Truth, new_pair
from tests.protocol.liar import Stage
from tests.protocol.pair import Pair, Story, gives_up, identity_of
from tests.protocol.reunion import Reunion, restored


class Snapped(Peer):
    """A peer that notes what it knows after each record, also within one call."""

    seen: list[tuple[object, ...]]

    def _take(self, data: bytes, after: Session) -> tuple[Event, ...]:
        events = super()._take(data, after)
        if len(self.records) == 1:
            self.seen = []
        self.seen.append(knows(self))
        return events


def knows(peer: Peer) -> tuple[object, ...]:
    """Everything that a peer knows of its game."""
    dealt = peer.session.state is not None
    state_of_hand = (peer.hand, peer._hand, peer.choices(), peer.view() if dealt else None)
    return peer.session, tuple(peer.records), state_of_hand


def restored_alike(pair: Pair, seed: int) -> None:
    """Both journals give at every record what the peers knew when it was the last."""
    for peer in pair.peers:
        assert isinstance(peer, Snapped)
        twin = Snapped.restore(
            peer.seat, identity_of(seed, peer.seat), peer.secret_seed, peer.records, game_id=peer.game_id
        )
        assert len(twin.seen) == len(peer.seen) == len(pair.records)
        for number, (told, lived) in enumerate(zip(twin.seen, peer.seen, strict=True)):
            if number >= 1:  # with less than both HELLOs, a peer that exists already waits for them
                assert told == lived, f"after record {number}"
        assert twin.frames() == []
        for count in (2, 3, 7, len(peer.records) // 2, len(peer.records) - 1):
            assert knows(restored(peer, count, seed)) == peer.seen[count - 1]


WHOLE = (
    ("greedy", 1, "base"),
    ("first choice", 3, "base"),
    ("resigning in the claim window", 9, "base"),
    ("ruses first", 1, "tactic"),
    ("ruses first", 1, "expert"),
    ("ruses first", 1, "siege-tactic"),
    ("ruses first", 11, "battle-line"),
    ("ruses first", 1, "battle-line-advanced"),
    ("uniform", 2, "siege"),
)


@pytest.mark.parametrize(("policy", "seed", "rules"), WHOLE)
def test_a_whole_game_is_restored_as_it_was_at_every_record(policy: str, seed: int, rules: str) -> None:
    pair = new_pair(seed, Snapped, rules=ruleset(rules)).play(POLICIES[policy](seed))
    restored_alike(pair, seed)


def test_a_short_game_is_restored_as_it_was_at_every_record() -> None:
    pair = new_pair(1, Snapped).play(POLICIES["resigning early"](7))
    restored_alike(pair, 1)


def test_who_is_restored_remembers_the_cards_that_he_put_back(battle: Story) -> None:
    """The scout put a card on top of each pile: with both seeds one sees which."""
    returns = [number for number in range(len(battle.records)) if puts_back(battle, number)]
    assert len(returns) == 2
    after = battle.before(returns[-1] + 1)
    scout = battle.records[returns[0]].seat
    truth = Truth([peer.secret_seed for peer in after.peers])
    lived = after.peers[scout]
    assert lived.session.position is not None
    tops = {truth.sealed(lived.session, pile[0]).card for pile in lived.session.position.table.piles}
    for peer, known in ((lived, tops), (after.peers[other(scout)], set())):
        memory = restored(peer, returns[-1] + 1, 5).view().memory
        assert (set(memory.returned), memory.given) == (known, ())


def puts_back(story: Story, number: int) -> bool:
    """Record `number` is a card put back."""
    record = story.records[number]
    return record.kind is Kind.MOVE and isinstance(Stage.of(story, number).move, ReturnFrom)


# Going on


def moments_of(story: Story, step: int) -> list[int]:
    """The numbers of records at which a connection is cut: from the first COMMIT on, every so many, and the last."""
    return [*range(2, len(story.records), step), len(story.records)]


def cut_at(story: Story, number: int) -> Pair:
    """The peers when record `number` was made and not yet received (at the end: when all was)."""
    return story.before(number) if number < len(story.records) else story.end.fork()


def goes_on_to_the_same_end(story: Story, number: int, lost: tuple[int, int], *, alive: Seat | None = None) -> None:
    """Cut at that record, each side has lost so many more of its records: the game ends in the very same bytes.

    Only what stood on record anyway is sent, in its order. `alive`: a seat whose peer was not restored.
    """
    pair = cut_at(story, number)
    peers = [
        peer if peer.seat == alive else restored(peer, max(0, len(peer.records) - lost[peer.seat]))
        for peer in pair.peers
    ]
    had = [len(peer.records) for peer in peers]
    reunion = Reunion(peers)
    after = reunion.pump()
    for seat in SEATS:
        sent = reunion.sent[seat]
        assert sent == [data for data in story.end.records if data in sent]
        assert all(data in story.end.records[had[other(seat)] :] for data in sent)
    after.play(gives_up(10))
    assert after.records == story.end.records
    for peer, lived in zip(after.peers, story.end.peers, strict=True):
        assert knows(peer) == knows(lived)


def test_who_lost_the_connection_goes_on_to_the_same_bytes(story: Story) -> None:
    for number in moments_of(story, 9):
        goes_on_to_the_same_end(story, number, (0, 0))


def test_who_lost_the_connection_goes_on_to_the_same_bytes_from_every_record(story: Story) -> None:
    for number in moments_of(story, 1):
        goes_on_to_the_same_end(story, number, (0, 0))
        goes_on_to_the_same_end(story, number, (0, 0), alive=SEATS[number % 2])


@pytest.mark.parametrize("seat", SEATS)
def test_who_lost_records_is_given_them_back_his_own_too(story: Story, seat: Seat) -> None:
    for number, lost in ((8, 5), (9, 9), (20, 3), (25, 25), (len(story.records), 4)):
        goes_on_to_the_same_end(story, number, (lost, 0) if seat == 0 else (0, lost), alive=other(seat))


@pytest.mark.parametrize("seat", SEATS)
def test_who_lost_everything_at_any_record_is_given_it_back(story: Story, seat: Seat) -> None:
    for number in moments_of(story, 1):
        goes_on_to_the_same_end(story, number, (99, 0) if seat == 0 else (0, 99))


def test_both_lost_different_parts(story: Story) -> None:
    goes_on_to_the_same_end(story, 24, (7, 2))
    goes_on_to_the_same_end(story, 24, (1, 12))


def test_a_connection_that_is_cut_again_and_again_changes_nothing(story: Story) -> None:
    """One record arrives, then the next cut; what was under way is lost, and sent again over the next connection."""
    pair = cut_at(story, 2)
    peers: tuple[Peer, Peer] = pair.peers
    while not all(peer.session.finished for peer in peers):
        reunion = Reunion(peers)
        for peer in peers:
            if peer.choices():
                peer.play(gives_up(10)(peer))
                reunion.collect(peer.seat)
        for seat in SEATS:
            if reunion.under_way[seat]:
                reunion.hand_over(seat)
                break
    assert [peer.records for peer in peers] == [story.end.records] * 2


def test_nothing_that_was_ready_on_the_old_connection_comes_twice(story: Story) -> None:
    pair = cut_at(story, 8)
    mover = next(peer for peer in pair.peers if peer.choices())
    mover.play(gives_up(10)(mover))  # its frame was never taken
    reunion = Reunion(pair.peers)
    assert reunion.sent[mover.seat] == mover.records[len(pair.records) :]


# Behind


def test_who_is_behind_says_nothing_until_he_has_it_all_back(story: Story) -> None:
    """The mark knows of more records than the journal has; the other gives them back one by one."""
    at = story.first(lambda record: record.kind is Kind.MOVE and record.seat == 0)
    lived = cut_at(story, at).peers[0]  # it has just made its move
    for kept in (at - 1, at):
        peer = restored(lived, kept, floor=at + 1)
        twin = restored(lived, kept)
        assert peer.behind
        assert not twin.behind
        assert peer.choices() == ()
        if peer.session.due() == (0, Kind.MOVE):
            assert twin.choices()
            with pytest.raises(IllegalMove, match="still to come from the other side"):
                peer.play(twin.choices()[0])
        # The other says that it has no more than I have.
        events = peer.resume(Stand(lived.stand().game_id, kept, head_of(lived.records[kept - 1])))
        assert (events, peer.frames(), peer.behind, peer.choices()) == ((), [], True, ())
        if peer.session.due() == (0, Kind.MOVE):
            with pytest.raises(IllegalMove, match="still to come from the other side"):
                peer.play(twin.choices()[0])
        # It has the rest after all.
        assert peer.resume(lived.stand()) == ()
        for data in lived.records[kept:]:
            assert peer.behind
            assert peer.frames() == []
            told = peer.receive(data)
            assert not any(isinstance(event, YourTurn) for event in told)
        assert not peer.behind
        assert knows(peer) == knows(lived)


def test_whose_turn_it_is_hears_so_when_the_last_of_his_records_is_back(story: Story) -> None:
    at = story.first(lambda record: record.kind is Kind.MOVE)
    seat = story.records[at].seat
    before = cut_at(story, at).peers[seat]
    peer = restored(before, at - 3)
    story_of_him = before.records[:at]
    peer.resume(Stand(before.stand().game_id, at, head_of(story_of_him[-1])))
    told = [peer.receive(data) for data in story_of_him[at - 3 :]]
    assert [any(isinstance(event, YourTurn) for event in events) for events in told] == [False, False, True]
    assert peer.choices()


def test_nobody_plays_before_both_have_met(story: Story) -> None:
    at = story.first(lambda record: record.kind is Kind.MOVE)
    lived = cut_at(story, at).peers[story.records[at].seat]
    peer = restored(lived, at)
    assert peer.choices()
    with pytest.raises(IllegalMove, match="still to come"):
        peer.play(peer.choices()[0])
    assert peer.records == lived.records[:at]
    with pytest.raises(AssertionError, match="a game that exists has its HELLOs"):
        Peer.restore(
            SEATS[1], identity_of(1, SEATS[1]), bytes(32), story.end.records[:1], game_id=lived.game_id
        ).accept()


def test_where_both_lost_everything_nobody_begins_anew(story: Story) -> None:
    reunion = Reunion([restored(peer, 0) for peer in story.end.peers])
    assert reunion.sent == ([], [])
    assert all(peer.behind and peer.records == [] for peer in reunion.peers)


# The end


def test_who_closed_alone_writes_the_ordinary_end_when_the_other_comes_back(story: Story) -> None:
    over = story.first(lambda record: record.kind is Kind.SEAL)
    for number in range(over, len(story.records)):
        author = story.records[number].seat
        pair = cut_at(story, number)
        closer = pair.peers[other(author)]  # it waits for record `number`
        close = closer.close_alone()
        assert close is not None
        back = Peer.restore(closer.seat, identity_of(1, closer.seat), closer.secret_seed, [*closer.records, close])
        assert knows(back) == knows(closer)
        peers = [back, pair.peers[author]]
        after = Reunion(sorted(peers, key=lambda peer: peer.seat)).pump()
        assert after.records == story.end.records


def test_a_complete_game_is_taken_up_to_hand_over_its_last_record(story: Story) -> None:
    zero, one = cut_at(story, len(story.records) - 1).peers  # seat 1's REVEAL is under way
    reunion = Reunion([restored(zero), restored(one)])
    assert reunion.sent == ([], [story.end.records[-1]])
    assert isinstance(reunion.events[1][-1], Finished)
    reunion.pump()
    assert isinstance(reunion.events[0][-1], Finished)
