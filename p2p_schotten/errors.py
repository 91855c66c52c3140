"""The error tree: one class per reaction, with data as attributes.

Three doors translate: yours (`IllegalMove`: nothing was sent), theirs (`PeerFault`: the session is unchanged),
and the line number of a file (`TranscriptError`).
"""

from __future__ import annotations

from enum import StrEnum

from p2p_schotten.ids import Seat


class SchottenError(Exception):
    """Root of every error that this program raises on purpose."""


class IllegalMove(SchottenError):
    """A move that the rules refuse here; says what was tried and why not. Nothing changed, nothing was sent."""

    def __init__(self, move: object, reason: str) -> None:
        super().__init__(reason)
        self.move = move
        self.reason = reason


class Unreadable(SchottenError):
    """Text that is no move, card or position at all (an unreadable move is not an illegal one)."""


class Malformed(SchottenError):
    """Bytes that the strict decoder refuses: what was expected, and what came."""


class InvalidProof(SchottenError):
    """A point, scalar, proof or signature that does not verify; says which."""


class Cause(StrEnum):
    """What is wrong with a record, in the order in which `advance` checks."""

    BYTES = "undecodable bytes"
    LENGTH = "length"
    SIGNATURE = "signature"
    SEQUENCE = "sequence"
    PREVIOUS = "previous hash"
    SPEAKER = "out of turn"
    KIND = "kind"
    VERSION = "version"
    RULES = "rules"
    IDENTITY = "identity"
    HELLO = "hello"
    COMMITMENT = "commitment"
    KEY = "key"
    DEBTS = "debts"
    ILLEGAL = "illegal move"
    MIX = "mix"
    SHUFFLE = "shuffle"
    POSITION = "position"
    SHARE = "share"
    DIGEST = "digest"
    FACE = "false face"
    SEAL = "seal"
    SEED = "seed"
    CLOSE = "close"
    FORK = "two records at one place"


class PeerFault(SchottenError):
    """A record that breaks the protocol. The session it met is unchanged.

    `seq` is the number the record has or should have, `blame` the seat a third party would convict, or None where the
    bytes convict nobody (protocol section 8).
    """

    def __init__(self, seq: int, cause: Cause, detail: str, blame: Seat | None) -> None:
        super().__init__(f"record {seq}: {cause.value}: {detail}")
        self.seq = seq
        self.cause = cause
        self.detail = detail
        self.blame = blame


class Inconsistent(SchottenError):
    """A cell that both shares prove opens to no card: an error of ours. The game stops, everything is kept."""


class TranscriptError(SchottenError):
    """A transcript file that cannot be read to its end."""


class JournalError(SchottenError):
    """The journal could not be written or does not fit; nothing unsent was sent."""


class ChannelError(SchottenError):
    """The connection could not be made or is gone: one line for the player."""


class Refused(ChannelError):
    """The other side said no, or has to be told no, before a game came about (version, pin, secret, rules)."""


def leaves(error: BaseException) -> tuple[BaseException, ...]:
    """The errors that a group is made of, however deep, in their order; an error that is no group alone."""
    if isinstance(error, BaseExceptionGroup):
        return tuple(leaf for inner in error.exceptions for leaf in leaves(inner))
    return (error,)
