"""Journals that do not fit, and the stand: what is refused before a game goes on over a new connection."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from p2p_schotten.crypto.identity import Identity
from p2p_schotten.errors import JournalError, Malformed
from p2p_schotten.ids import Seat, other
from p2p_schotten.protocol.closing import Fault
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import NO_HEAD, head_of
from p2p_schotten.protocol.resume import MAX_RECORDS, MAX_STAND, read_stand
from tests.protocol.pair import Story, identity_of
from tests.protocol.reunion import restored


def refused_journal(
    match: str,
    peer: Peer,
    items: Sequence[bytes],
    *,
    seat: Seat | None = None,
    identity: Identity | None = None,
    seed: bytes | None = None,
    game_id: bytes | None = None,
    other_identity: bytes | None = None,
) -> None:
    """That peer's journal is refused with these words, with whatever is given in place of its own."""
    with pytest.raises(JournalError, match=match):
        Peer.restore(
            peer.seat if seat is None else seat,
            identity or identity_of(1, peer.seat),
            seed or peer.secret_seed,
            items,
            game_id=game_id,
            other_identity=other_identity,
        )


def test_a_seed_an_identity_or_a_seat_of_another_game_is_refused(story: Story) -> None:
    for peer in story.end.peers:
        twin = story.end.peers[other(peer.seat)]
        refused_journal("committed to another seed", peer, peer.records, seed=bytes(32))
        refused_journal("committed to another seed", peer, peer.records, seed=twin.secret_seed)
        refused_journal(f"seat {peer.seat} plays this game as", peer, peer.records, identity=identity_of(5, peer.seat))
        refused_journal("begin another game", peer, peer.records, game_id=bytes(32))
        refused_journal(
            "not the one proven", peer, peer.records, other_identity=identity_of(5, other(peer.seat)).public
        )
        refused_journal("plays this game as|my own identity", peer, peer.records, seat=other(peer.seat))


def test_a_journal_with_a_record_changed_left_out_or_doubled_is_refused(story: Story) -> None:
    peer = story.end.peers[0]
    good = peer.records
    for at in (2, 5, 9, len(good) - 1):
        flipped = good[at][:-1] + bytes([good[at][-1] ^ 1])
        refused_journal(f"record {at}: signature", peer, [*good[:at], flipped, *good[at + 1 :]])
        if at < len(good) - 1:
            refused_journal(f"record {at}: ", peer, [*good[:at], *good[at + 1 :]])
        refused_journal(f"record {at + 1}: ", peer, [*good[: at + 1], *good[at:]])


def test_evidence_is_no_journal(story: Story) -> None:
    peer = story.end.peers[0]
    fault = make_fault_item(peer)
    refused_journal("a FAULT stands at the end", peer, [*peer.records[:12], fault])
    refused_journal("record 12: undecodable", peer, [*peer.records[:12], fault, peer.records[12]])


def make_fault_item(peer: Peer) -> bytes:
    return Fault(peer.seat, 12, "signature", head_of(peer.records[12]), b"").pack()


# The stand


def test_a_stand_is_68_bytes(story: Story) -> None:
    peer = story.end.peers[0]
    for count in (0, 2, len(peer.records)):
        stand = restored(peer, count).stand()
        head = head_of(peer.records[count - 1]) if count else bytes(32)
        assert peer.game_id is not None
        assert stand.pack() == peer.game_id + bytes([0, 0, 0, count]) + head
        assert len(stand.pack()) == MAX_STAND == 68
        assert read_stand(stand.pack()) == stand


def test_other_bytes_are_no_stand() -> None:
    game, head = b"g" * 32, b"h" * 32
    for data, words in (
        (b"", "expected 68 bytes, got 0"),
        (game + bytes(4) + NO_HEAD + b"\0", "expected 68 bytes, got 69"),
        (game + bytes([0, 0, 1]) + head, "expected 68 bytes, got 67"),
        (game + bytes(4) + head, "zero bytes where there is no record"),
        (game + bytes([0, 0, 0, 1]) + NO_HEAD, "zero bytes where there is no record"),
        (game + (MAX_RECORDS + 1).to_bytes(4, "big") + head, f"at most {MAX_RECORDS} records, got {MAX_RECORDS + 1}"),
        (game + b"\xff" * 4 + head, "got 4294967295"),
    ):
        with pytest.raises(Malformed, match=words):
            read_stand(data)
    assert read_stand(game + MAX_RECORDS.to_bytes(4, "big") + head).seq == MAX_RECORDS
