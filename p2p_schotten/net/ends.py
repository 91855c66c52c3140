"""The frames that end a link, read and written."""

from __future__ import annotations

from p2p_schotten.errors import ChannelError, Malformed, PeerFault
from p2p_schotten.ids import Seat
from p2p_schotten.net.frames import Frame, Tag
from p2p_schotten.net.told import FaultClaimed
from p2p_schotten.protocol.closing import Fault, read_item
from p2p_schotten.protocol.record import HASH_BYTES


def read_end(frame: Frame, name: str) -> ChannelError:
    """What a FAULT, BYE or CLOSE of the player called `name` means; raises Malformed for another frame or payload."""
    match frame.tag:
        case Tag.FAULT:
            fault = read_item(frame.payload)
            if not isinstance(fault, Fault):
                raise Malformed("expected a FAULT, got something else in its frame")
            return FaultClaimed(name, fault)
        case Tag.BYE:
            return ChannelError(f"{name} left")
        case Tag.CLOSE:
            return ChannelError(f"{name} closed the game alone: it had heard nothing from this side")
        case _:
            raise Malformed("going on with an earlier game over a new connection is not spoken here yet")


def plain_fault(seat: Seat, fault: PeerFault) -> bytes:
    """What the other is told by `seat` about bytes that were no record."""
    return Fault(seat, fault.seq, fault.cause.value, bytes(HASH_BYTES), b"").pack()
