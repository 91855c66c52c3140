"""Who writes the journal of a link: every record of the peer stands in it, in order, before anybody hears of it."""

from __future__ import annotations

from collections.abc import Callable

from p2p_schotten.net.told import Ledger
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import read_record


class Scribe:
    """The peer's records are the one source: what the journal lacks of them is its end.

    `resumed`: the journal holds all records that the peer has now. `kept` is called after each record is written.
    """

    def __init__(self, peer: Peer, journal: Ledger, kept: Callable[[], None], *, resumed: bool = False) -> None:
        self._peer = peer
        self._journal = journal
        self._kept = kept
        self._written = len(peer.records) if resumed else 0
        self._closed = resumed  # a CLOSE may stand behind them

    def write(self) -> None:
        """The journal holds every record of the peer; it is begun as soon as the game has its id.

        Raises JournalError; the records before the one that failed are written.
        """
        records = self._peer.records
        while self._written < len(records):
            if not self._journal.begun and self._peer.game_id is not None:
                self._journal.begin(self._peer.game_id, self._peer.secret_seed)
            if self._closed:  # the other came back: the ordinary end takes the place of mine
                self._journal.drop_close()
                self._closed = False
            record = records[self._written]
            self._journal.append(record, own=read_record(record).seat == self._peer.seat)
            self._written += 1
            self._kept()
