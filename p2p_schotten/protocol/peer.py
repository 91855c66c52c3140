"""A peer: a session plus the secrets of one seat. No input or output, no clock: bytes in, bytes and events out.

Its own records and the other's go through the same `advance`. What it must say without a choice (commitments, shuffles,
shares, seals, its seed) it says by itself; its player is asked for moves only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from p2p_schotten.crypto import group
from p2p_schotten.crypto.cells import card_point, opens_to
from p2p_schotten.crypto.identity import Identity
from p2p_schotten.crypto.secret import Secret
from p2p_schotten.engine.move import Give, Move, Resign, Return, public
from p2p_schotten.engine.rules import apply, legal_moves
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import RULESETS
from p2p_schotten.engine.table import hidden_cards
from p2p_schotten.engine.view import NO_MEMORY, View, refreshed, remembered, view
from p2p_schotten.errors import Cause, IllegalMove, Inconsistent, InvalidProof, PeerFault
from p2p_schotten.ids import CardId, DeckId, Seat, other
from p2p_schotten.protocol.advance import Logs, Proofs, advance
from p2p_schotten.protocol.closing import MAX_CAUSE, Fault, card_at, make_close, make_fault, may_close
from p2p_schotten.protocol.events import Event, Finished, Happened, Met, Offered, Revealed, Sealed, Took, YourTurn
from p2p_schotten.protocol.file import HEADER, frame
from p2p_schotten.protocol.fork import find_fork
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
from p2p_schotten.protocol.offer import Offer, differences
from p2p_schotten.protocol.places import take_cards
from p2p_schotten.protocol.record import Kind, head_of, make_record
from p2p_schotten.protocol.session import SUITE, VERSIONS, Session, false_face, rules_digest, secret_key


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
        self._rules, self._options, self._match = rules, options, match
        self._secret = Secret(entropy(SEED_BYTES))
        self._nonce = entropy(NONCE_BYTES)
        self._other_identity, self._other_name = other_identity, other_name
        self._faces: dict[int, CardId] = {}  # my hand: id of a cell on the table -> card
        self._memory = NO_MEMORY  # hidden cards that I put back or gave away
        self._outbox: list[bytes] = []
        self._logs: Logs = None  # of the cells that I shuffled first: they make the check of the second shuffle cheaper

    # What it knows

    @property
    def game_id(self) -> bytes | None:
        """The id of the game, once both have said HELLO."""
        return self.session.game_id or None

    @property
    def secret_seed(self) -> bytes:
        """The seed: to be stored before the COMMIT is sent, and shown to nobody."""
        return self._secret.seed

    @property
    def hand(self) -> tuple[CardId, ...]:
        """The faces of my hand that are open to me, in the order of cards."""
        return tuple(sorted(self._faces.values()))

    def choices(self) -> tuple[Move, ...]:
        """My legal moves now (Resign apart); none when it is not my turn."""
        state = self.session.state
        if state is None or self.session.due() != (self.seat, Kind.MOVE):
            return ()
        return legal_moves(state, self.hand)

    def view(self) -> View:
        """All that my seat may know; only after the deal."""
        assert self.session.state is not None
        return view(self.session.state, self.seat, self.hand, self._memory)

    def limit(self) -> int:
        """The longest record in bytes that may come from the other now."""
        return self.session.limit()

    # What it does

    def start(self) -> tuple[Event, ...]:
        """Seat 0 says HELLO."""
        assert self._rules is not None
        self._speak(self._hello(Offer(self._rules, self._options or NO_OPTIONS, self._match or SINGLE_GAME)))
        return ()

    def accept(self) -> tuple[Event, ...]:
        """Seat 1 agrees to what was offered: it says HELLO, and the game has its id."""
        assert self.session.due() == (self.seat, Kind.HELLO)
        self._speak(self._hello(self.session.offer))
        return self._met() + self._go_on()

    def play(self, move: Move) -> tuple[Event, ...]:
        """My decision, signed and ready to send; raises IllegalMove, and then nothing is sent."""
        session, state = self.session, self.session.state
        if state is None or session.due() != (self.seat, Kind.MOVE):
            raise IllegalMove(move, "it is not your turn to choose")
        cards = hidden_cards(move)
        if isinstance(move, Return | Give) and not set(cards) <= set(self.hand):
            raise IllegalMove(move, "that card is not in your hand")
        shown = public(state.rules, move)
        step = apply(state, shown)
        if not isinstance(move, Resign) and move not in legal_moves(state, self.hand):
            raise IllegalMove(move, "that card is not in your hand")
        hands = self._hands()
        mixes = make_mixes(session, self.seat, self._secret, shown)
        for deck, mixed in mixes:
            hands[deck] = [hands[deck][source] for source in mixed.permutation]
        positions = take_cards(state.rules, hands, self.seat, step.transfers, cards)
        self._speak(make_move(session, self.seat, self._secret, shown, mixes, positions))
        self._memory = remembered(self._memory, move)
        self._remember(hands)
        return self._told() + self._go_on()

    def receive(self, data: bytes) -> tuple[Event, ...]:
        """A record from the other peer; raises PeerFault, and then the session is unchanged and evidence is kept."""
        try:
            after = self._checked(data)
        except PeerFault as error:
            self._accuse(error, data, b"")
            raise
        self._check_faces(after, data)
        self.session = after
        self.records.append(data)
        events = self._arrived()
        return events + self._told() + self._go_on()

    def frames(self) -> list[bytes]:
        """The records that are ready: to be journalled, synced and then sent, in this order. Each is given once."""
        ready, self._outbox = self._outbox, []
        return ready

    def close_alone(self) -> bytes | None:
        """My CLOSE, when the game is over and it is the silent other's turn to speak; else None."""
        if not may_close(self.session, self.seat):
            return None
        return make_close(self.session, self.seat, self._secret, self._identity)

    # How it does it

    def _hello(self, offer: Offer) -> Hello:
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

    def _speak(self, body: Body) -> None:
        session, kind = self.session, KIND_OF[type(body)]
        game_id = b"" if kind is Kind.HELLO else session.game_id
        data = make_record(session.seq, session.head, self.seat, kind, write_body(body), game_id, self._identity)
        self.session = advance(session, data, proofs=Proofs.SHARES)
        self.records.append(data)
        self._outbox.append(data)

    def _go_on(self) -> tuple[Event, ...]:
        """Everything that I must say without a choice, and my turn if it comes."""
        events: tuple[Event, ...] = ()
        while (due := self.session.due()) is not None:
            seat, kind = due
            if seat != self.seat or kind is Kind.HELLO:
                return events
            if kind is Kind.MOVE:
                assert self.session.state is not None
                return (*events, YourTurn(self.session.state))
            if kind is Kind.SHUFFLE and self.session.position is None:
                self._logs = shuffle_logs(self.session, self.seat, self._secret)
            self._speak(make_without_choice(self.session, self.seat, self._secret))
            events += self._told()
        return (*events, Finished())

    def _checked(self, data: bytes) -> Session:
        """The session that the other's record leads to."""
        session = self.session
        try:
            after = advance(session, data, logs=self._logs)
        except PeerFault as error:
            find_fork(session, self.records, data)
            raise error
        if session.speaker == self.seat:
            raise PeerFault(session.seq, Cause.SPEAKER, "my own seat's record came from the other", None)
        if len(after.hellos) > len(session.hellos):
            self._check_hello(after.hellos[-1], after.offer)
        return after

    def _check_hello(self, hello: Hello, offer: Offer) -> None:
        seq = self.session.seq
        if self._other_identity is not None and hello.identity != self._other_identity:
            raise PeerFault(seq, Cause.IDENTITY, "the key is not the one proven in the channel", None)
        if hello.identity == self._identity.public:
            raise PeerFault(seq, Cause.IDENTITY, "this is my own identity", None)
        if self._other_name not in (None, hello.name):
            detail = f"the name is {hello.name!r}, in the first game over this connection it was {self._other_name!r}"
            raise PeerFault(seq, Cause.HELLO, detail, None)
        insisted = Offer(
            offer.rules if self._rules is None else self._rules,
            offer.options if self._options is None else self._options,
            offer.match if self._match is None else self._match,
        )
        if insisted != offer:
            raise PeerFault(seq, Cause.RULES, f"another game is offered: {differences(insisted, offer)}", None)

    def _check_faces(self, after: Session, data: bytes) -> None:
        """The private check: a face that the other named is the card that my own share opens."""
        old = self.session.position
        if after.position is None or old is None:
            return
        seen = {face.sealed.id for face in old.table.faces}
        x = secret_key(after, self._secret)
        for face in after.position.table.faces:
            theirs = face.sealed.shares[other(self.seat)]
            if face.namer == self.seat or face.sealed.id in seen or theirs is None:
                continue
            card = card_point(face.sealed.deck, after.rules.index(face.card))
            if opens_to(face.sealed.cell, theirs, group.mul(x, face.sealed.cell.a)) != card:
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
        """What only the other's record can tell."""
        session = self.session
        if len(session.hellos) == 1:
            hello, offer = session.hellos[0], session.offer
            return (Offered(hello.name, hello.identity, offer.rules, offer.options, offer.match),)
        if len(session.hellos) == 2 and not session.commits:
            return self._met()
        return ()

    def _met(self) -> tuple[Event, ...]:
        hello = self.session.hellos[other(self.seat)]
        return (Met(hello.name, hello.identity, self.session.game_id),)

    def _told(self) -> tuple[Event, ...]:
        """The events of the record that was just accepted, mine or the other's, and the cards it opened to me."""
        session = self.session
        events: list[Event] = []
        if session.state is not None:
            events += [Happened(event, session.state) for event in session.events]
            took = self._look()
            if took:
                events.append(Took(took))
        if session.seeds:
            events.append(Revealed(Seat(len(session.seeds) - 1)))
        elif session.seals:
            events.append(Sealed(Seat(session.seals - 1)))
        return tuple(events)

    def _look(self) -> tuple[CardId, ...]:
        """Open the cells of my hand whose other share has come since I last looked; forget those that left it."""
        session = self.session
        assert session.position is not None
        x = secret_key(session, self._secret)
        took = []
        held = {sealed.id for hand in session.position.table.hands[self.seat] for sealed in hand.cells}
        self._faces = {sealed_id: card for sealed_id, card in self._faces.items() if sealed_id in held}
        for deck_hand in session.position.table.hands[self.seat]:
            for sealed in deck_hand.cells:
                theirs = sealed.shares[other(self.seat)]
                if sealed.id in self._faces or theirs is None:
                    continue
                try:
                    card = card_at(session, sealed, opens_to(sealed.cell, theirs, group.mul(x, sealed.cell.a)))
                except InvalidProof as error:
                    raise Inconsistent(f"record {session.seq - 1}: {error}") from None
                if card in self._faces.values():
                    raise Inconsistent(f"record {session.seq - 1}: a card came into the hand twice")
                self._faces[sealed.id] = card
                took.append(card)
        named = session.position.table.named[self.seat]
        kept = tuple(card for sealed_id, card in self._faces.items() if sealed_id not in named)
        self._memory = refreshed(self._memory, kept, session.position.state.unseen)
        return tuple(took)

    def _hands(self) -> dict[DeckId, list[CardId]]:
        """My faces deck by deck, in the order of the cells on the table."""
        assert self.session.position is not None
        hands = self.session.position.table.hands[self.seat]
        return {
            DeckId(deck): [self._faces[sealed.id] for sealed in deck_hand.cells] for deck, deck_hand in enumerate(hands)
        }

    def _remember(self, hands: Mapping[DeckId, list[CardId]]) -> None:
        """After my move: which cell is which card. Cells behind the known ones were drawn and are not open yet."""
        assert self.session.position is not None
        self._faces = {
            sealed.id: card
            for deck, faces in hands.items()
            for sealed, card in zip(self.session.position.table.hands[self.seat][deck].cells, faces, strict=False)
        }
