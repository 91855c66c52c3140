"""Nothing leaks: what a seat must not know is nowhere in its peer, in its journal or on the wire, at no moment.

With both seeds, which no player has before the end, the test computes for every cell of the pile and of the other's
hand the point of its card and the shares that were not given. Whoever held one of them could open the cell.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from p2p_schotten.engine.rulesets import ruleset
from p2p_schotten.engine.step import Played, Used
from p2p_schotten.ids import SEATS, CardId, Seat, other
from p2p_schotten.journal import Journal
from p2p_schotten.protocol.events import Happened, Took
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind, read_record
from p2p_schotten.protocol.session import Session
from tests.protocol.courses import FAMILY, POLICIES, Truth, course, in_hand, in_piles, new_pair
from tests.protocol.pair import Pair, entropy, identity_of
from tests.protocol.reach import Haystack, reachable

NEEDLE = bytes(range(100, 132))


class Slotted:
    __slots__ = ("kept",)

    def __init__(self, kept: object) -> None:
        self.kept = kept


def generator(kept: object) -> Iterator[object]:
    yield kept
    yield None


def started(kept: object) -> Iterator[object]:
    running = generator(kept)
    next(running)
    return running


def default(kept: object) -> Callable[..., object]:
    def give(value: object = kept) -> object:
        return value

    return give


HIDING_PLACES: dict[str, Callable[[bytes], object]] = {
    "attribute": lambda secret: SimpleNamespace(kept=secret),
    "slot": lambda secret: Slotted([secret]),
    "key": lambda secret: {secret: None},
    "nested": lambda secret: [({"a": frozenset({(1, secret)})},)],
    "deque": lambda secret: deque([None, secret]),
    "closure": lambda secret: lambda: secret,
    "default": default,
    "partial": lambda secret: functools.partial(print, end=secret),
    "bound method": lambda secret: Slotted(secret).__init__,  # type: ignore[misc]  # any bound method would do
    "bound builtin": lambda secret: [secret].append,
    "generator": started,
    "longer bytes": lambda secret: b"before" + secret + b"after",
    "bytearray": lambda secret: bytearray(b"x" + secret),
    "memoryview": lambda secret: memoryview(b"x" + secret),
    "integer, little-endian": lambda secret: int.from_bytes(secret, "little"),
    "integer, big-endian": lambda secret: int.from_bytes(secret, "big"),
    "negative integer": lambda secret: -int.from_bytes(secret, "big"),
    "reversed": lambda secret: secret[::-1],
    "hex": lambda secret: "point " + secret.hex(),
    "hex in pairs": lambda secret: secret.hex(":").upper(),
}


@pytest.mark.parametrize("place", HIDING_PLACES)
def test_the_walk_finds_what_is_hidden_in_a(place: str) -> None:
    identity, seat = identity_of(1, SEATS[0]), SEATS[0]
    peer = Peer(seat, identity, "Ann", ruleset("base"), entropy("game", 1, seat))
    clean = Haystack()
    clean.put_all(peer)
    assert clean.holds([NEEDLE]) == set()
    peer.hiding_place = HIDING_PLACES[place](NEEDLE)  # type: ignore[attr-defined]  # that is what is tested
    hay = Haystack()
    assert hay.put_all(peer) > 20
    assert hay.holds([NEEDLE, bytes(31) + b"\1"]) == {NEEDLE}


def test_a_stream_is_searched_across_its_seams() -> None:
    hay = Haystack()
    data = b"some bytes before it" + NEEDLE + b"and after"
    for at in range(len(data)):
        hay.put_stream(data[at : at + 1])
    assert hay.holds([NEEDLE, NEEDLE[1:] + b"\0"]) == {NEEDLE}


def missing(session: Session, truth: Truth, seat: Seat) -> dict[bytes, str]:
    """What `seat` must hold nowhere: for each hidden cell its point and each share that is not on record.

    For the pile these are both shares, also its own (giving it early would be half a leak), for the other's hand the
    other's, and its own as far as the cell was mixed since it was given.
    """
    found: dict[bytes, str] = {}
    if session.position is None:
        cells = [(deck, cell) for deck, pile in enumerate(session.piles) for cell in pile]
        for deck, cell in cells:
            opened = truth.cell(session, deck, cell)
            found[opened.point] = "a card of a deck in the making"
            found.update(dict.fromkeys(opened.shares, "a share of a deck in the making"))
        return found
    for where, cells_there in (("pile", in_piles(session)), ("other hand", in_hand(session, other(seat)))):
        for sealed in cells_there:
            opened = truth.sealed(session, sealed)
            found[opened.point] = f"the card of a cell in the {where}"
            for giver, share in zip(SEATS, opened.shares, strict=True):
                if sealed.shares[giver] is None:
                    found[share] = f"the share of seat {giver} of a cell in the {where}"
    return found


def given(session: Session) -> set[bytes]:
    """The shares on record at hidden cells: these a walk must find."""
    if session.position is None:
        return set()
    cells = [sealed for seat in SEATS for sealed in in_hand(session, seat)]
    return {share for sealed in cells for share in sealed.shares if share is not None}


class Watcher:
    """Looks into both peers, both journals and the wire of one game after each record."""

    def __init__(self, pair: Pair, home: Path, every: int) -> None:
        self.pair, self.every = pair, every
        self.truth = Truth([peer.secret_seed for peer in pair.peers])
        self.inside = (Haystack(), Haystack())
        self.files = (Haystack(), Haystack())
        self.wire = Haystack()
        self.journals = [Journal(home / str(seat), seat) for seat in SEATS]
        self.read = [0, 0]  # records of each peer that are in its journal
        self.seen = [0, 0]  # bytes of each journal that were looked at
        self.handed_on = 0
        self.looks = 0

    def __call__(self, pair: Pair) -> bool:
        """After each record: journal it, then look. (Asked before each handing over and each decision.)"""
        done = not pair.queue and pair.session.finished
        self.journal()
        for record in pair.records[self.handed_on :]:
            self.wire.put_stream(record)
        for record in pair.queue:  # sent, and not yet there
            self.wire.put(record)
        self.handed_on = len(pair.records)
        if len(pair.records) % self.every == 0 or done:
            self.look()
        return done

    def journal(self) -> None:
        for peer, journal in zip(self.pair.peers, self.journals, strict=True):
            if peer.game_id is not None and not journal.begun:
                journal.begin(peer.game_id, peer.secret_seed)
            for record in peer.records[self.read[peer.seat] :]:
                journal.append(record)
            self.read[peer.seat] = len(peer.records)

    def look(self) -> None:
        # What is under way has been said already: a cell that its owner has just laid is no longer hidden.
        newest = max((peer.session for peer in self.pair.peers), key=lambda session: session.seq)
        for peer, journal, inside, file in zip(self.pair.peers, self.journals, self.inside, self.files, strict=True):
            count = inside.put_all(peer)
            assert count > 100
            if journal.path is not None:
                file.put_stream(journal.path.read_bytes()[self.seen[peer.seat] :])
                self.seen[peer.seat] = journal.path.stat().st_size
            secrets = missing(peer.session, self.truth, peer.seat)
            sent = missing(newest, self.truth, peer.seat)
            for name, hay, needles in (
                ("peer", inside, secrets),
                ("journal", file, secrets),
                ("wire", self.wire, sent),
            ):
                leaks = {needles[needle] for needle in hay.holds(needles)}
                assert not leaks, f"{name} of seat {peer.seat} after record {peer.session.seq - 1}: {leaks}"
            # The same look does find what is there: the shares that were given.
            assert inside.holds(given(peer.session)) == given(peer.session)
            if journal.path is not None:
                assert file.holds(given(peer.session)) == given(peer.session)
            self.looks += 1

    def close(self) -> None:
        for journal in self.journals:
            journal.close()


GAMES = [
    ("greedy", 21, 1, "base"),
    ("no claim", 22, 9, "base"),
    ("resigning late", 23, 7, "base"),
    ("resigning in the claim window", 24, 5, "base"),
    ("ruses first", 1, 3, "siege-tactic"),
    ("ruses first", 1, 3, "tactic"),
]


@pytest.mark.parametrize(("policy", "seed", "every", "rules"), GAMES)
def test_no_hidden_card_and_no_missing_share_is_in_a_peer_a_journal_or_a_byte_sent(
    policy: str, seed: int, every: int, rules: str, tmp_path: Path
) -> None:
    pair = new_pair(seed, Peer, rules=ruleset(rules))
    watcher = Watcher(pair, tmp_path, every)
    pair.until(watcher, POLICIES[policy](seed))
    watcher.close()
    assert watcher.looks >= 2 * (len(pair.records) // every)
    for journal, peer in zip(watcher.journals, pair.peers, strict=True):
        assert journal.path is not None
        assert journal.path.read_bytes() == pair.file_bytes()
        assert peer.secret_seed not in pair.file_bytes(len(pair.records) - 2)


def test_a_seed_leaves_its_machine_in_reveal_only() -> None:
    game = course("greedy", 1)
    for seat, seed in zip(SEATS, game.seeds, strict=True):
        kinds = [read_record(record).kind for record in game.records if seed in record]
        assert kinds == [Kind.REVEAL]
        assert seed not in b"".join(game.records[:-2])
        assert seed in game.records[-2 + seat]


def test_before_the_reveal_no_peer_holds_the_seed_or_the_key_of_the_other() -> None:
    pair = new_pair(25, Peer).until(lambda pair: pair.session.outcome is not None, POLICIES["resigning early"](25))
    truth = Truth([peer.secret_seed for peer in pair.peers])
    truth.sealed(pair.peers[0].session, next(in_piles(pair.peers[0].session)))
    for peer in pair.peers:
        hay = Haystack()
        hay.put_all(peer)
        seeds = [each.secret_seed for each in pair.peers]
        assert hay.holds(seeds) == {seeds[peer.seat]}
        assert not hay.holds([truth.keys[other(peer.seat)]])


def test_a_peer_holds_no_other_peer_and_no_source_of_entropy() -> None:
    first, second = new_pair(26, Peer).until(lambda pair: pair.session.state is not None).peers
    for mine, yours in ((first, second), (second, first)):
        held = [id(item) for item in reachable(mine)]
        assert id(yours) not in held
        assert id(yours._secret) not in held


OPENING = (Played, Used)


@pytest.mark.parametrize("which", [("every claim", 1, "base"), *FAMILY], ids=lambda which: which[2])
@pytest.mark.parametrize("seat", SEATS)
def test_a_front_end_is_never_told_a_card_of_the_other_before_it_is_laid(
    seat: Seat, which: tuple[str, int, str]
) -> None:
    """But for the cards of an exchange: who gave a card knows where it went, and who got it is told."""
    game = course(*which)
    truth = Truth(game.seeds)
    sessions = [session for session in game.sessions[0] if session.position is not None]
    held = [{truth.sealed(s, sealed).card for s in sessions for sealed in in_hand(s, one)} for one in SEATS]
    both = held[0] & held[1]
    opened: set[CardId] = set()
    for event in game.pair.events[seat]:
        if isinstance(event, Took):
            assert not (held[other(seat)] - both) & set(event.cards)
            assert set(event.cards) <= held[seat]
        elif isinstance(event, Happened):
            if isinstance(event.event, OPENING):
                opened.add(event.event.card)
            lying = {card for stone in event.state.stones for card in stone.arrived}
            assert lying <= opened
            assert len(lying) + len(event.state.beside.discard) <= len(opened)
    assert len(opened) > 20
    assert len(both) == 0 or which[2] in ("tactic", "expert", "siege-tactic", "battle-line", "battle-line-advanced")
