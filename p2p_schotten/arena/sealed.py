"""One game between two bots through the whole protocol: two peers that exchange records, with every proof.

The transcript is verified as a stranger would. All that the peers draw follows from the seed of the match, so that the
game can be played again; whoever knows the seed knows all hands. For testing, not for games that matter to anybody.
"""

from __future__ import annotations

from p2p_schotten.arena.game import Result, Stopped, Unproven, decided, forfeited, told_the_end
from p2p_schotten.arena.plan import Pairing, Plan, first_of, rules_of
from p2p_schotten.bots.base import BotStopped
from p2p_schotten.bots.seated import Seated
from p2p_schotten.crypto.identity import Identity
from p2p_schotten.engine.move import Move, Resign
from p2p_schotten.errors import PeerFault
from p2p_schotten.ids import SEATS, Seat, other
from p2p_schotten.protocol.events import Event, Happened, Offered
from p2p_schotten.protocol.file import HEADER, frame
from p2p_schotten.protocol.messages import Options
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.text import cut_name
from p2p_schotten.transcript import verify


def play_sealed(plan: Plan, number: int, seats: Pairing, bots: tuple[Seated, Seated]) -> tuple[Result, bytes]:
    """The game and its transcript, which is the same at both seats. Raises Unproven.

    A bot that stops has lost there and then; its seat resigns at its next turn, so that the transcript has an end.
    """
    sitting = _Sitting(plan, number, seats, bots)
    try:
        sitting.play()
    except PeerFault as error:
        raise Unproven(f"game {number}: {error}") from None
    one, two = (HEADER + b"".join(map(frame, peer.records)) for peer in sitting.peers)
    verdict = verify(one)
    if one != two or not verdict.over or verdict.reproducible is False:
        raise Unproven(f"game {number}: its transcripts are not those of one game: {verdict.ending()}")
    state = sitting.peers[0].session.state
    if state is None or state.outcome is None or verdict.session.outcome != state.outcome:
        raise Unproven(f"game {number}: its transcript proves another end")
    return sitting.forfeit or decided(state.outcome, state.ply, sitting.late), one


class _Sitting:
    """Both peers and both bots of a game."""

    def __init__(self, plan: Plan, number: int, seats: Pairing, bots: tuple[Seated, Seated]) -> None:
        self.bots = bots
        self.forfeit: Result | None = None  # once a bot has stopped
        self.late: list[Stopped] = []  # who stopped when they were told the end
        self._gone: set[Seat] = set()

        def peer(seat: Seat) -> Peer:
            spec = plan.bots[seats[seat]]
            which = plan.bots[: seats[seat]].count(spec)  # of several that are called so
            identity = Identity.generate(plan.chance("identity", spec, which).randbytes(32))  # in all its games
            chance = plan.chance("peer", number, seat)
            offered = (rules_of(plan), Options(first_of(number))) if seat == SEATS[0] else (None, None)
            return Peer(seat, identity, cut_name(spec), offered[0], chance.randbytes, options=offered[1])

        self.peers = peer(SEATS[0]), peer(SEATS[1])

    def play(self) -> None:
        """Until the last record stands; raises PeerFault."""
        self.peers[0].start()
        while not all(peer.session.finished for peer in self.peers):
            for peer in self.peers:
                for record in self.peers[other(peer.seat)].frames():
                    events = peer.receive(record)
                    if any(isinstance(event, Offered) for event in events):
                        events += peer.accept()
                    self._tell(peer, events)
                if peer.choices():
                    self._tell(peer, peer.play(self._choice(peer)))
        for peer in self.peers:
            if self.forfeit is None and peer.seat not in self._gone:
                stopped = told_the_end(self.bots[peer.seat], peer.view())
                self.late += [] if stopped is None else [stopped]

    def _tell(self, peer: Peer, events: tuple[Event, ...]) -> None:
        bot = self.bots[peer.seat]
        if self.forfeit is None and peer.seat not in self._gone and bot.observes:
            try:
                for event in events:
                    if isinstance(event, Happened):
                        bot.observe(peer.view(), event.event)
            except BotStopped as error:
                self._stop(peer, error)

    def _choice(self, peer: Peer) -> Move:
        if peer.seat not in self._gone:
            try:
                return self.bots[peer.seat].choose(peer.view())
            except BotStopped as error:
                self._stop(peer, error)
        return Resign()

    def _stop(self, peer: Peer, error: BotStopped) -> None:
        """That bot plays no more; the first one to stop has lost, unless the game was over already."""
        self._gone.add(peer.seat)
        state, stopped = peer.session.state, Stopped(peer.seat, error.fault, str(error))
        assert state is not None
        if state.outcome is not None:
            self.late.append(stopped)
        elif self.forfeit is None:
            self.forfeit = forfeited(state, stopped)
