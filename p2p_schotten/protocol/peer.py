"""A peer: a session plus the secrets of one seat. No input or output, no clock: bytes in, bytes and events out.

Its own records and the other's go through the same `advance`. What it must say without a choice (commitments, shuffles,
shares, seals, its seed) it says by itself; its player is asked for moves only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Self

from p2p_schotten.crypto.identity import Identity
from p2p_schotten.crypto.secret import Secret
from p2p_schotten.engine.move import Give, Move, Resign, Return, public
from p2p_schotten.engine.rules import apply, legal_moves
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import RULESETS
from p2p_schotten.engine.table import hidden_cards
from p2p_schotten.engine.view import View, view
from p2p_schotten.errors import Cause, IllegalMove, JournalError, Malformed, PeerFault
from p2p_schotten.ids import CardId, Seat, other
from p2p_schotten.protocol.advance import Logs, Proofs, advance
from p2p_schotten.protocol.closing import MAX_CAUSE, Fault, find_false_face, make_close, make_fault, may_close
from p2p_schotten.protocol.events import Event, Finished, Met, Offered, YourTurn, told
from p2p_schotten.protocol.file import HEADER, frame
from p2p_schotten.protocol.fork import find_fork
from p2p_schotten.protocol.hand import Hand
from p2p_schotten.protocol.making import make_mixes, make_move, make_without_choice, shuffle_logs
from p2p_schotten.protocol.messages import (
    KIND_OF,
    NO_OPTIONS,
    NONCE_BYTES,
    SEED_BYTES,
    SINGLE_GAME,
    Body,
    Hello,
    Match,
    Options,
    write_body,
)
from p2p_schotten.protocol.offer import Offer
from p2p_schotten.protocol.places import take_cards
from p2p_schotten.protocol.record import MAX_RECORD, Kind, head_of, make_record
from p2p_schotten.protocol.resume import FIRST_SIGNED, Meeting, Stand, check_belongs, journalled, meet
from p2p_schotten.protocol.session import SUITE, VERSIONS, Session, false_face, rules_digest
from p2p_schotten.protocol.wanted import Wanted


class Peer:
    """One seat of one game.

    `rules`, `options`, `match`: what seat 0 offers (None: the coin, a single game); what seat 1 insists on, or None to
    take what is offered and known. `entropy(n)` gives n fresh random bytes. `other_identity`: the key that the other
    proved in the channel, `other_name`: what he called himself in the first game over it; a HELLO with another is
    refused.
    """

    def __init__(
        self,
        seat: Seat,
        identity: Identity,
        name: str,
        rules: Ruleset | None,
        entropy: Callable[[int], bytes],
        *,
        options: Options | None = None,
        match: Match | None = None,
        other_identity: bytes | None = None,
        other_name: str | None = None,
        known: Mapping[str, Ruleset] = RULESETS,
    ) -> None:
        self.seat = seat
        self.session = Session(known=known)
        self.records: list[bytes] = []  # the transcript so far, as it travelled
        self.evidence: bytes | None = None  # after a PeerFault: a file that a third party can verify
        self.fault: bytes | None = None  # after a PeerFault: what the other is told
        self._identity = identity
        self._name = name
        self._wanted = Wanted(rules, options, match, other_identity, other_name)
        self._secret = Secret(entropy(SEED_BYTES))
        self._nonce = entropy(NONCE_BYTES)
        self._game_id: bytes | None = None  # of a game that was begun before: it is gone on with, never begun anew
        self._floor = 0  # how many records there are of which I know that I had them
        self._meeting: Meeting | None = None  # over this connection, if it goes on with a game
        self._hand = Hand(seat)
        self._outbox: list[bytes] = []
        self._logs: Logs = None  # of the cells that I shuffled first: they make the check of the second shuffle cheaper

    @classmethod
    def restore(
        cls,
        seat: Seat,
        identity: Identity,
        seed: bytes,
        items: Sequence[bytes],
        *,
        floor: int = 0,
        game_id: bytes | None = None,
        other_identity: bytes | None = None,
        known: Mapping[str, Ruleset] = RULESETS,
    ) -> Self:
        """The peer as it was when the last of these items stood in its journal; a CLOSE at their end is left out.

        `floor`: how many records its high-water mark knows of. `game_id` is needed where the HELLOs are lost. Nothing
        is said before `resume`. Proofs are not checked again: a record stands in my own journal because it passed
        `advance` with them, its signature is checked, and who can forge both has my seed as well. Raises JournalError.
        """
        drawn = iter((seed, b""))  # whoever is restored has said HELLO, and needs no nonce
        peer = cls(seat, identity, "", None, lambda _: next(drawn), other_identity=other_identity, known=known)
        peer._game_id, peer._floor = game_id, max(floor, FIRST_SIGNED)
        try:
            for item in journalled(items):
                after = advance(peer.session, item, proofs=Proofs.NONE)
                peer._check_fits(after)
                peer._take(item, after)
        except (Malformed, PeerFault) as error:
            raise JournalError(f"the journal does not fit: {error}") from None
        peer._game_id = peer.game_id
        assert peer._game_id is not None
        return peer

    @property
    def game_id(self) -> bytes | None:
        """The id of the game, once both have said HELLO."""
        return self.session.game_id or self._game_id

    @property
    def behind(self) -> bool:
        """I lack records that the other or my high-water mark knows of; until they have come I say nothing."""
        known = self._floor if self._meeting is None else max(self._floor, self._meeting.theirs.seq)
        return len(self.records) < known or (self._meeting is not None and self._meeting.parted)

    @property
    def stuck(self) -> bool:
        """My high-water mark knows of records that neither side has, so I shall never say anything again."""
        return self._meeting is not None and max(len(self.records), self._meeting.theirs.seq) < self._floor

    @property
    def secret_seed(self) -> bytes:
        """The seed: to be stored before the COMMIT is sent, and shown to nobody."""
        return self._secret.seed

    @property
    def hand(self) -> tuple[CardId, ...]:
        """The faces of my hand that are open to me, in the order of cards."""
        return self._hand.cards

    def choices(self) -> tuple[Move, ...]:
        """My legal moves now (Resign apart); none when it is not my turn."""
        state = self.session.state
        if state is None or self.behind or self.session.due() != (self.seat, Kind.MOVE):
            return ()
        return legal_moves(state, self.hand)

    def view(self) -> View:
        """All that my seat may know; only after the deal."""
        assert self.session.state is not None
        return view(self.session.state, self.seat, self.hand, self._hand.memory)

    def limit(self) -> int:
        """The longest record in bytes that may come from the other now."""
        return MAX_RECORD if self._repeats() else self.session.limit()

    def stand(self) -> Stand:
        """Where I stand, for the other to know when we meet again; only once both have said HELLO."""
        assert self.game_id is not None
        return Stand(self.game_id, self.session.seq, self.session.head)

    def start(self) -> tuple[Event, ...]:
        """Seat 0 says HELLO."""
        wanted = self._wanted
        assert wanted.rules is not None
        self._speak(self._hello(Offer(wanted.rules, wanted.options or NO_OPTIONS, wanted.match or SINGLE_GAME)))
        return ()

    def accept(self) -> tuple[Event, ...]:
        """Seat 1 agrees to what was offered: it says HELLO, and the game has its id."""
        assert self.session.due() == (self.seat, Kind.HELLO)
        self._speak(self._hello(self.session.offer))
        return self._met() + self._go_on()

    def resume(self, theirs: Stand) -> tuple[Event, ...]:
        """Over a new connection: `frames` gives what the other lacks, and then, if I lack nothing, what I have to say.

        Raises OtherGame where he goes on with another one. Once for each connection.
        """
        self._meeting = meet(self.records, self.stand(), theirs)
        self._outbox = self._meeting.lacking(self.records)
        return self._go_on()

    def play(self, move: Move) -> tuple[Event, ...]:
        """My decision, signed and ready to send; raises IllegalMove, and then nothing is sent."""
        session, state = self.session, self.session.state
        if state is None or session.due() != (self.seat, Kind.MOVE):
            raise IllegalMove(move, "it is not your turn to choose")
        if self.behind or (self._game_id is not None and self._meeting is None):
            raise IllegalMove(move, "records of this game are still to come from the other side")
        cards = hidden_cards(move)
        if isinstance(move, Return | Give) and not set(cards) <= set(self.hand):
            raise IllegalMove(move, "that card is not in your hand")
        shown = public(state.rules, move)
        step = apply(state, shown)
        if not isinstance(move, Resign) and move not in legal_moves(state, self.hand):
            raise IllegalMove(move, "that card is not in your hand")
        mixes = make_mixes(session, self.seat, self._secret, shown)
        hands = self._hand.mixed(session, [(deck, mixed.permutation) for deck, mixed in mixes])
        positions = take_cards(state.rules, hands, self.seat, step.transfers, cards)
        events = self._speak(make_move(session, self.seat, self._secret, shown, mixes, positions))
        return events + self._go_on()

    def receive(self, data: bytes) -> tuple[Event, ...]:
        """A record from the other peer; raises PeerFault, and then the session is unchanged and evidence is kept."""
        try:
            if self._told_again(data):
                return ()
            after = self._checked(data)
        except PeerFault as error:
            self._accuse(error, data, b"")
            raise
        self._check_faces(after, data)
        happened = self._take(data, after)
        return self._arrived() + happened + self._go_on()

    def frames(self) -> list[bytes]:
        """The records to be sent, in this order, once `records` is journalled and synced. Each is given once."""
        ready, self._outbox = self._outbox, []
        return ready

    def close_alone(self) -> bytes | None:
        """My CLOSE, when the game is over and it is the silent other's turn to speak; else None."""
        if not may_close(self.session, self.seat):
            return None
        return make_close(self.session, self.seat, self._secret, self._identity)

    # How it does it

    def _hello(self, offer: Offer) -> Hello:
        assert self._game_id is None, "a game that exists has its HELLOs"
        return Hello(
            self._nonce,
            VERSIONS,
            SUITE,
            offer.rules.name,
            rules_digest(offer.rules),
            offer.pairs(),
            self._identity.public,
            self._name,
            offer.match,
        )

    def _speak(self, body: Body) -> tuple[Event, ...]:
        session, kind = self.session, KIND_OF[type(body)]
        game_id = b"" if kind is Kind.HELLO else session.game_id
        data = make_record(session.seq, session.head, self.seat, kind, write_body(body), game_id, self._identity)
        after = advance(session, data, proofs=Proofs.SHARES)
        self._outbox.append(data)
        return self._take(data, after)

    def _take(self, data: bytes, after: Session) -> tuple[Event, ...]:
        """The record stands, mine or the other's; what it made happen."""
        before, self.session = self.session, after
        self.records.append(data)
        held = self._hand
        self._hand = held.after(before, after, data, self._secret)
        return told(after, self._hand.beside(held))

    def _go_on(self) -> tuple[Event, ...]:
        """Everything that I must say without a choice, and my turn if it comes."""
        events: tuple[Event, ...] = ()
        if self.behind:
            return events
        while (due := self.session.due()) is not None:
            seat, kind = due
            if seat != self.seat or kind is Kind.HELLO:
                return events
            if kind is Kind.MOVE:
                assert self.session.state is not None
                return (*events, YourTurn(self.session.state))
            if kind is Kind.SHUFFLE and self.session.position is None:
                self._logs = shuffle_logs(self.session, self.seat, self._secret)
            events += self._speak(make_without_choice(self.session, self.seat, self._secret))
        return (*events, Finished())

    def _checked(self, data: bytes) -> Session:
        """The session that the other's record leads to."""
        session = self.session
        try:
            after = advance(session, data, logs=self._logs)
        except PeerFault as error:
            find_fork(session, self.records, data)
            raise error
        if session.speaker == self.seat and not self.behind:
            raise PeerFault(session.seq, Cause.SPEAKER, "my own seat's record came from the other", None)
        if self._meeting is not None:
            self._meeting.check(after)
        self._check_fits(after)
        return after

    def _repeats(self) -> bool:
        """The next record may be one that I have: I am behind, and the other may see that we have parted before."""
        return self._meeting is not None and self.behind and self._meeting.repeats(self.records)

    def _told_again(self, data: bytes) -> bool:
        """It is a record that I have; at the first of these the other needs mine as I need his."""
        meeting = self._meeting
        if meeting is None or not self._repeats() or data != self.records[meeting.told]:
            return False
        self._meeting = meeting.repeated(self.session.seq)
        if not meeting.parted:
            self._outbox += self._meeting.lacking(self.records)
        return True

    def _check_fits(self, after: Session) -> None:
        """The last record is one of the game that I take part in; raises PeerFault without blame."""
        before = self.session
        if len(after.hellos) > len(before.hellos) and before.speaker != self.seat:
            self._wanted.check(before.seq, self._identity.public, after.hellos[-1], after.offer)
        check_belongs(before, after, self._game_id, self.seat, self._identity.public, self._secret)

    def _check_faces(self, after: Session, data: bytes) -> None:
        """The private check: a face that the other named is the card that my own share opens."""
        face = find_false_face(self.session, after, self.seat, self._secret)
        if face is not None:
            error = false_face(after, self.session.seq, face.card, face.namer)
            self._accuse(error, data, make_fault(after, self.seat, self._secret, face))
            raise error

    def _accuse(self, error: PeerFault, data: bytes, share: bytes) -> None:
        """Keep the refused record with everything before it, and make the FAULT."""
        cause = error.cause.value
        if error.cause in (Cause.VERSION, Cause.RULES):  # nobody can know what I wanted unless I say it
            cause = f"{cause}: {error.detail}".encode()[:MAX_CAUSE].decode(errors="ignore")
        self.fault = Fault(self.seat, error.seq, cause, head_of(data), share).pack()
        items = [*self.records, data, *([self.fault] if share else [])]
        self.evidence = HEADER + b"".join(frame(item) for item in items)

    def _arrived(self) -> tuple[Event, ...]:
        """What only the other's record can tell; of a game that is gone on with it was told when it began."""
        session = self.session
        if len(session.hellos) == 1 and self._game_id is None:
            hello, offer = session.hellos[0], session.offer
            return (Offered(hello.name, hello.identity, offer.rules, offer.options, offer.match),)
        if len(session.hellos) == 2 and not session.commits and self._game_id is None:
            return self._met()
        return ()

    def _met(self) -> tuple[Event, ...]:
        hello = self.session.hellos[other(self.seat)]
        return (Met(hello.name, hello.identity, self.session.game_id),)
