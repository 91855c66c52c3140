"""An honest player cannot be made to look guilty, whatever the other replays, withholds, cuts or says about himself.

What the attacker holds is his own key, and every record that the honest seat has ever signed. He may put together any
file out of these, and sit down and come back as often as he likes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations

import pytest

from p2p_schotten.cli.chains import Given, forks
from p2p_schotten.engine.rulesets import ruleset
from p2p_schotten.errors import Cause, IllegalMove
from p2p_schotten.ids import SEATS, Seat, other
from p2p_schotten.protocol.messages import Hello
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind, head_of, read_record
from p2p_schotten.protocol.resume import Stand
from p2p_schotten.transcript import verify
from tests.protocol.courses import new_pair
from tests.protocol.liar import Stage, file_of
from tests.protocol.pair import Pair, Story, bot, identity_of
from tests.protocol.reunion import Reunion, moved_otherwise, plays, restored

pytestmark = pytest.mark.usefixtures("remembering")


@lru_cache(maxsize=64)
def given(items: tuple[bytes, ...]) -> Given:
    """A file of these items as `verify` and `games` read it."""
    verdict = verify(file_of(*items))
    return Given(verdict, items[: verdict.records])


def spares(honest: Seat, files: Iterable[Sequence[bytes]]) -> None:
    """No file, and no two of them, convict the honest seat."""
    read = [given(tuple(items)) for items in files]
    for one in read:
        assert one.verdict.fault is None or one.verdict.fault.blame != honest, one.verdict.fault
    for pair in combinations(read, 2):
        for fork in forks(pair):
            assert fork.fault.blame != honest, fork.fault


def signed_by(seat: Seat, records: Iterable[bytes]) -> list[bytes]:
    """The records of that seat."""
    return [data for data in records if read_record(data).seat == seat]


# A second sitting


@pytest.mark.parametrize("honest", SEATS)
def test_hello_and_commit_replayed_in_a_second_sitting_convict_nobody(story: Story, honest: Seat) -> None:
    """The attacker says what he said in an earlier game, the honest one has sat down anew: their ids differ."""
    liar = other(honest)
    first = story.end.records
    again = Pair.new(1, sitting=9)
    again.until(lambda pair: len(pair.session.commits) == 2)
    fresh = again.records
    replayed = [data for data in first[:4] if read_record(data).seat == liar]
    sat_down = signed_by(honest, fresh[:4])
    # His HELLO (and COMMIT) of then in the order of the records, with what the honest seat said now.
    for count in (1, 2):
        mixed = sorted([*replayed[:count], *sat_down], key=lambda data: read_record(data).seq)
        spares(honest, [mixed, first, fresh, mixed[:2], mixed[:3], first[:4]])
    # The honest peer itself, met with the replay, signs for another game than the one of then.
    victim = Pair.new(1, sitting=9).peers[honest]
    victim.frames()
    if honest == 1:
        victim.receive(first[0])
        victim.accept()
    assert victim.game_id != story.end.session.game_id
    spares(honest, [victim.records, first, fresh, [*victim.records, *replayed]])


@pytest.mark.parametrize("honest", SEATS)
def test_records_of_two_games_put_together_convict_nobody_honest(story: Story, won_by_0: Story, honest: Seat) -> None:
    """Two games of the same two: what the honest seat signed in one proves nothing in the other."""
    one, two = story.end.records, won_by_0.end.records
    theirs = signed_by(honest, two)
    for cut in (1, 2, 3, 4, 9, len(one) - 1):
        for data in (*theirs[:6], theirs[-1]):
            spares(honest, [one, two, [*one[:cut], data]])


# Coming back


@pytest.mark.parametrize("honest", SEATS)
def test_no_stand_that_the_other_tells_makes_a_second_signature(story: Story, honest: Seat) -> None:
    """The honest disk was put back to any earlier moment; the other says that he has more, less, or other records.

    With the mark, everything that the honest seat signs stands in the one transcript already, or is the next record
    that it was to write in any case.
    """
    records = story.end.records
    said = {read_record(data).seq: data for data in signed_by(honest, records)}
    for number in range(3, len(records), 7):
        lived = story.before(number).peers[honest]
        mark = max(read_record(data).seq for data in signed_by(honest, lived.records)) + 1
        for kept in (0, 2, number // 2, number - 1, number):
            for count in {0, kept, kept + 1, mark, len(lived.records)}:
                for head in (head_of(records[count - 1]) if count else bytes(32), b"h" * 32):
                    if count or head != b"h" * 32:
                        peer = restored(lived, kept, floor=mark)
                        peer.resume(Stand(peer.stand().game_id, count, head))
                        assert peer.behind or kept >= mark
                        signs_nothing_twice(peer, said, mark)


def signs_nothing_twice(peer: Peer, said: Mapping[int, bytes], mark: int) -> None:
    """The peer has only what it said before, though its player decides otherwise; below the mark nothing is new."""
    choices = peer.choices()
    if peer.behind:
        assert choices == ()
    elif choices:
        peer.play(choices[-1])
    for data in [*peer.frames(), *peer.records]:
        record = read_record(data)
        if record.seat == peer.seat and record.seq < mark:
            assert said[record.seq] == data


@pytest.mark.parametrize("honest", SEATS)
def test_a_tail_handed_over_in_part_makes_no_second_signature(story: Story, honest: Seat) -> None:
    """He says truly how many records he has, hands over some, and is gone; again and again."""
    at = plays(story, honest)[1]
    lived = story.before(at + 1).peers[honest]
    stand = lived.stand()
    peer = restored(lived, 9, floor=at + 1)
    for until in range(10, at + 2):
        peer.resume(stand)
        for data in lived.records[len(peer.records) : until]:
            assert peer.behind
            with pytest.raises(IllegalMove):
                peer.play(Stage.of(story, at).move)
            peer.receive(data)
            if peer.behind:
                assert peer.frames() == []
    assert not peer.behind
    assert peer.records[: at + 1] == lived.records[: at + 1]
    assert set(peer.records) <= set(story.end.records)


# Cutting


def test_a_file_cut_anywhere_convicts_nobody_and_contradicts_nothing(story: Story) -> None:
    records = story.end.records
    whole = given(tuple(records))
    for count in range(len(records)):
        short = given(tuple(records[:count]))
        assert short.verdict.fault is None
        assert forks((whole, short)) == ()
        torn = verify(file_of(*records[: count + 1])[:-1])
        assert torn.fault is not None
        assert (torn.fault.cause, torn.fault.blame) == (Cause.LENGTH, None)


@pytest.mark.parametrize("honest", SEATS)
def test_who_decides_anew_convicts_himself_whatever_he_cuts(story: Story, honest: Seat) -> None:
    """He was put back, moved otherwise, and shows files of both branches: the two signatures are his."""
    liar = other(honest)
    at = plays(story, liar)[1]
    branch = moved_otherwise(story, at).records
    records = story.end.records
    spares(honest, [records, branch, branch[:at], records[: at + 3], [*records[: at + 3], branch[at]]])
    (fork,) = forks((given(tuple(records)), given(tuple(branch))))
    assert (fork.fault.cause, fork.fault.blame) == (Cause.FORK, liar)


def test_a_hello_is_no_second_signature(story: Story) -> None:
    """Another HELLO under the same nonce, in a file of its own: it is signed for no game, and so is the first."""
    stage = Stage.of(story, 0)
    body = stage.body
    assert isinstance(body, Hello)
    renamed = stage.signed(
        Hello(
            body.nonce,
            body.versions,
            body.suite,
            body.ruleset,
            body.rules_digest,
            body.options,
            body.identity,
            "Eve",
            body.match,
        )
    )
    for seat in SEATS:
        spares(seat, [story.end.records, [renamed], [renamed, *story.end.records[2:4]]])


# A winner whose opponent falls silent


@pytest.fixture(scope="session")
def won_with_tactics() -> Story:
    """A game with tactic cards that seat 1 wins with a claim; seat 0 then owes a share."""
    return Story(new_pair(1, Peer, rules=ruleset("tactic")), bot("greedy", 1))


@pytest.mark.parametrize("game", ["won_by_0", "won_by_1", "won_with_tactics"])
def test_silence_at_any_record_after_the_winning_move_never_convicts_the_winner(
    game: str, request: pytest.FixtureRequest
) -> None:
    """Where he waits for the loser he closes alone, and that is proven; where he is to speak the file is unfinished.

    Also when his program has crashed meanwhile; and when the loser comes back after all both write the ordinary end.
    """
    story: Story = request.getfixturevalue(game)
    outcome = story.end.session.outcome
    assert outcome is not None
    assert outcome.winner is not None
    winner = outcome.winner
    first = max(record.seq for record in story.records if record.kind is Kind.MOVE) + 1
    assert [record.kind for record in story.records[first:]] == [
        Kind.SHARES,
        Kind.SEAL,
        Kind.SEAL,
        Kind.REVEAL,
        Kind.REVEAL,
    ]
    for number in range(first, len(story.records) + 1):
        records = story.end.records[:number]
        peer = restored(story.end.peers[winner], number)
        close = peer.close_alone()
        waits = number < len(story.records) and story.records[number].seat != winner
        assert (close is not None) == waits
        spares(winner, [records, story.end.records])
        if close is None:
            continue
        assert close == story.before(number).peers[winner].close_alone()
        closed = verify(file_of(*records, close))
        assert (closed.fault, closed.over, closed.closed) == (None, True, winner)
        assert closed.ending() == f"over, closed by seat {winner} alone and proven"
        spares(winner, [[*records, close], records, story.end.records])
        assert comes_back(story, number, [*records, close], winner) == story.end.records


def comes_back(story: Story, number: int, items: Sequence[bytes], closer: Seat) -> list[bytes]:
    """The transcript, when the other comes back to one who closed alone and has started his program again."""
    lived, silent = story.end.peers[closer], story.before(number).peers[other(closer)]
    peer = Peer.restore(closer, identity_of(1, closer), lived.secret_seed, items)
    return Reunion(sorted([peer, silent], key=lambda each: each.seat)).pump().records
