"""What both sides say first over a connection: where they stand in a game that goes on, and where they listen."""

from __future__ import annotations

from collections.abc import Callable

from p2p_schotten.errors import ChannelError
from p2p_schotten.ids import GAME_DIGITS
from p2p_schotten.net.ends import read_port
from p2p_schotten.net.frames import PORT_BYTES, Frame, Tag
from p2p_schotten.net.patience import Patience
from p2p_schotten.net.told import Here, NoWayOn, Resumed, Told
from p2p_schotten.protocol.events import Event
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.resume import OtherGame, read_stand


class Greeting:
    """`resumed`: the game began over another connection. `here`: my port while this one is gone, or 0."""

    def __init__(self, peer: Peer, patience: Patience, resumed: bool, here: int, tell: Callable[[Told], None]) -> None:
        self._peer = peer
        self._patience = patience
        self._here = here
        self._tell = tell
        self._their_port = False  # it came
        self._theirs = 0  # records that the other had then
        self._apart = resumed  # it was not told yet that both stand at the same record
        patience.greeting = resumed

    @property
    def due(self) -> bool:
        """The other has not said yet where he stands, so nothing but talk may be sent."""
        return self._patience.greeting

    @property
    def sure(self) -> bool:
        """The last record stands, and the other said that he has it."""
        return self._peer.session.finished and self._theirs >= len(self._peer.records)

    def frames(self) -> tuple[Frame, ...]:
        """What I say first."""
        resume = (Frame(Tag.RESUME, self._peer.stand().pack()),) if self.due else ()
        port = (Frame(Tag.HERE, self._here.to_bytes(PORT_BYTES, "big")),) if self._here else ()
        return resume + port

    def hear(self, frame: Frame, name: str) -> tuple[Event, ...] | None:
        """The first words of the player called `name`, and what my peer says to them; None where they may not come.

        Raises Malformed, and NoWayOn when he goes on with another game or neither side has what I signed.
        """
        if frame.tag is Tag.RESUME and self.due:
            self._patience.greeting = False
            stand = read_stand(frame.payload)
            try:
                events = self._peer.resume(stand)
            except OtherGame:
                raise NoWayOn(f"{name} goes on with another game, {stand.game_id.hex()[:GAME_DIGITS]}") from None
            self._theirs = stand.seq
            if self._peer.stuck:
                lost = "this seat has signed records that are not here, and he says that he has not got them either"
                raise NoWayOn(f"{lost}: there is no going on")
            self._together(len(self._peer.records))
            return events
        if frame.tag is Tag.HERE and not self._their_port:
            self._their_port = True
            self._tell(Here(read_port(frame.payload)))
            return ()
        return None

    def spoken(self) -> None:
        """A record of either side is in the journal."""
        self._patience.spoken()
        if not self.due:
            self._together(self._theirs)

    def _together(self, records: int) -> None:
        """It is told, once, that I lack nothing any more: before that I can say nothing, so nobody waits for me."""
        if self._apart and not self._peer.behind:
            self._apart = False
            self._tell(Resumed(records))

    def check_over(self, name: str) -> None:
        """What I do now reaches him who stands where I stand; raises ChannelError where that is not known yet."""
        if self.due:
            raise ChannelError(f"{name} is on his way back: try again in a moment")
