"""Going on with a game over a new connection: where each side stands, and what they find when they meet again.

Both send a Stand, which is the payload of the frame RESUME:

    stand = game id (32 bytes) seq (4, big-endian) head (32)          always 68 bytes

`seq` is the number of records that the side has, `head` the hash of the last. Records are the source of everything:
what the other lacks is sent again as it stands on record, never made anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from p2p_schotten.crypto.identity import fingerprint
from p2p_schotten.crypto.secret import Secret
from p2p_schotten.errors import Cause, Malformed, PeerFault
from p2p_schotten.ids import SEATS, Seat
from p2p_schotten.protocol.closing import Close, Fault, read_item
from p2p_schotten.protocol.making import make_commit
from p2p_schotten.protocol.record import HASH_BYTES, NO_HEAD, head_of
from p2p_schotten.protocol.session import Session

SEQ_BYTES = 4
MAX_STAND = HASH_BYTES + SEQ_BYTES + HASH_BYTES
# No ruleset allows more than some 160 plies, each of a few records. Who claims more than this many stands in no game.
MAX_RECORDS = 4096
# Number of the first record that is signed for its game. What comes before, the HELLOs, convicts nobody.
FIRST_SIGNED = len(SEATS)


@dataclass(frozen=True, slots=True)
class Stand:
    """Where one side stands in a game: how many records it has, and the hash of the last (zero bytes: of none)."""

    game_id: bytes
    seq: int
    head: bytes

    def pack(self) -> bytes:
        """The payload of a RESUME."""
        return self.game_id + self.seq.to_bytes(SEQ_BYTES, "big") + self.head


def read_stand(data: bytes) -> Stand:
    """The stand with these bytes; raises Malformed."""
    if len(data) != MAX_STAND:
        raise Malformed(f"RESUME: expected {MAX_STAND} bytes, got {len(data)}")
    game_id, seq, head = data[:HASH_BYTES], data[HASH_BYTES:-HASH_BYTES], data[-HASH_BYTES:]
    stand = Stand(game_id, int.from_bytes(seq, "big"), head)
    if stand.seq > MAX_RECORDS:
        raise Malformed(f"RESUME: expected at most {MAX_RECORDS} records, got {stand.seq}")
    if (stand.seq == 0) != (head == NO_HEAD):
        raise Malformed("RESUME: expected a head of zero bytes where there is no record, and only there")
    return stand


@dataclass(frozen=True, slots=True)
class Meeting:
    """Both sides have said where they stand.

    `at`: how many records I had then. `parted`: the other has another record where I have mine; then both send all that
    is signed for the game, and the first difference tells who signed twice. `told`: number of the next such record.
    """

    theirs: Stand
    at: int
    parted: bool
    told: int = FIRST_SIGNED

    def lacking(self, records: Sequence[bytes]) -> list[bytes]:
        """What is to be sent to the other."""
        return list(records[FIRST_SIGNED if self.parted else self.theirs.seq :])

    def repeats(self, records: Sequence[bytes]) -> bool:
        """The next record may be one that I have: nothing new has come since we met."""
        return len(records) == self.at and self.told < len(records)

    def repeated(self, seq: int) -> Meeting:
        """After one more record that I have; raises PeerFault when all were equal, and so no difference is left."""
        after = replace(self, parted=True, told=self.told + 1)
        if after.told >= min(self.at, self.theirs.seq):
            raise PeerFault(seq, Cause.PREVIOUS, "it told another head than that of the records it has", None)
        return after

    def check(self, after: Session) -> None:
        """The new record that led to `after` is one of those that the other said it has; raises PeerFault."""
        if self.parted:
            detail = "it goes on from my records, but told the head of others"
            raise PeerFault(after.seq - 1, Cause.PREVIOUS, detail, None)
        if after.seq == self.theirs.seq and after.head != self.theirs.head:
            detail = "the records it sent do not lead to the head that it told"
            raise PeerFault(after.seq - 1, Cause.PREVIOUS, detail, None)


class OtherGame(Malformed):
    """The other goes on with another game than I do."""


def meet(records: Sequence[bytes], mine: Stand, theirs: Stand) -> Meeting:
    """What comes of both stands; raises OtherGame."""
    if theirs.game_id != mine.game_id:
        shown, wanted = theirs.game_id.hex()[:8], mine.game_id.hex()[:8]
        raise OtherGame(f"RESUME: expected game {wanted}, got game {shown}")
    parted = 0 < theirs.seq <= len(records) and head_of(records[theirs.seq - 1]) != theirs.head
    return Meeting(theirs, len(records), parted)


def journalled(items: Sequence[bytes]) -> Sequence[bytes]:
    """The records among the items of a journal; raises Malformed when a FAULT stands behind them.

    A CLOSE is left out: its author still writes the ordinary end if the other comes back.
    """
    match read_item(items[-1]) if items else None:
        case Close():
            return items[:-1]
        case Fault():
            raise Malformed("a FAULT stands at the end: this is evidence, and no journal")
        case _:
            return items


def check_belongs(
    before: Session, after: Session, game_id: bytes | None, seat: Seat, identity: bytes, secret: Secret
) -> None:
    """The record between these two is of this game, and said with this identity and this seed if it is by `seat`.

    Raises PeerFault without blame. A record of mine that comes back has my signature for the game; these are what that
    does not tell.
    """
    seq, mine = before.seq, before.speaker == seat
    if mine and len(after.hellos) > len(before.hellos) and after.hellos[seat].identity != identity:
        shown, here = fingerprint(after.hellos[seat].identity), fingerprint(identity)
        raise PeerFault(seq, Cause.IDENTITY, f"seat {seat} plays this game as {shown}, the key here is {here}", None)
    if after.game_id != before.game_id and game_id not in (None, after.game_id):
        raise PeerFault(seq, Cause.HELLO, "these HELLOs begin another game", None)
    if mine and len(after.commits) > len(before.commits) and after.commits[seat] != make_commit(before, seat, secret):
        raise PeerFault(seq, Cause.COMMITMENT, f"seat {seat} committed to another seed than the one kept here", None)
