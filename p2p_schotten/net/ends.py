"""The frames that end a link, read and written."""

from __future__ import annotations

from p2p_schotten.errors import JournalError, Malformed, PeerFault, SchottenError
from p2p_schotten.ids import Seat, other
from p2p_schotten.net.frames import PORT_BYTES, Frame, Tag
from p2p_schotten.net.told import ClosedAlone, Ended, FaultClaimed, Ledger
from p2p_schotten.protocol.closing import Fault, read_item
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import HASH_BYTES
from p2p_schotten.text import clean_text


def read_end(frame: Frame, name: str) -> Ended:
    """What a FAULT, BYE or CLOSE of the player called `name` means; raises Malformed for another frame or payload."""
    match frame.tag:
        case Tag.FAULT:
            fault = read_item(frame.payload)
            if not isinstance(fault, Fault):
                raise Malformed("expected a FAULT, got something else in its frame")
            return FaultClaimed(name, fault)
        case Tag.BYE:
            return Ended(f"{name} left")
        case Tag.CLOSE:
            return Ended(f"{name} closed the game alone: it had heard nothing from this side")
        case Tag.AGAIN:
            raise Malformed("the next game was asked for where it cannot be")
        case _:
            raise Malformed(f"a {frame.tag.name} came where it cannot be")


def name_of(peer: Peer) -> str:
    """Who is at the other end, fit to be shown."""
    names = dict(enumerate(peer.session.names))
    return clean_text(names.get(other(peer.seat), "the other side"), 32)


def read_port(payload: bytes) -> int:
    """The port of a HERE; raises Malformed."""
    port = int.from_bytes(payload, "big")
    if len(payload) != PORT_BYTES or not port:
        raise Malformed(f"a HERE is a port in {PORT_BYTES} bytes, not 0; {len(payload)} came")
    return port


def plain_fault(seat: Seat, fault: PeerFault) -> bytes:
    """What the other is told by `seat` about bytes that were no record."""
    return Fault(seat, fault.seq, fault.cause.value, bytes(HASH_BYTES), b"").pack()


def close_alone(peer: Peer, journal: Ledger, error: SchottenError) -> ClosedAlone | None:
    """After the end of a game whose other seat is gone, my CLOSE is in the journal; None where none can be made."""
    close = peer.close_alone() if journal.begun else None
    if close is None:
        return None
    try:
        journal.append(close)
    except JournalError:
        return None  # the first error is the one to hear of
    return ClosedAlone(str(error))
