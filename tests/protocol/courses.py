"""Whole games between two real peers, played once and looked at by many tests; and what both seeds say of a cell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random

from p2p_schotten.crypto import group
from p2p_schotten.crypto.cells import Cell, card_point, opens_to
from p2p_schotten.crypto.group import Point
from p2p_schotten.crypto.secret import Secret
from p2p_schotten.engine.cards import Power
from p2p_schotten.engine.move import Claim, Done, Draw, Give, Move, Play, Resign, Return, Scout
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import ruleset
from p2p_schotten.engine.state import Phase, State
from p2p_schotten.engine.table import hidden_cards
from p2p_schotten.ids import SEATS, CardId, Seat, other
from p2p_schotten.protocol.messages import Match, Options
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.session import Session, secret_key
from p2p_schotten.protocol.table import Sealed
from tests.protocol.pair import Pair, Policy, bot, entropy, first_choice, identity_of


def every_claim(seed: int) -> Policy:
    """Claims whatever can be claimed, else any move."""
    random = Random(seed)

    def choose(peer: Peer) -> Move:
        moves = peer.choices()
        return next((move for move in moves if isinstance(move, Claim)), None) or random.choice(moves)

    return choose


def no_claim(seed: int) -> Policy:
    """Never claims: the game must get stuck."""
    random = Random(seed)

    def choose(peer: Peer) -> Move:
        return Done() if Done() in peer.choices() else random.choice(peer.choices())

    return choose


def ruses_first(seed: int) -> Policy:
    """Plays tactic cards where it can and claims nothing, so that a game is long and every card has its day.

    It gives away cards of two decks when it can.
    """
    random = Random(seed)

    def choose(peer: Peer) -> Move:
        cards, moves = peer.session.rules.cards, [move for move in peer.choices() if not isinstance(move, Claim)]
        gifts = [
            move for move in moves if isinstance(move, Give) and len({cards[card].deck for card in move.cards}) > 1
        ]
        if gifts:
            return random.choice(gifts)
        shown = [move for move in moves if not isinstance(move, Return)]
        ruses = [move for move in shown if any(cards[card].power is not None for card in hidden_cards(move))]
        return random.choice(ruses if ruses and random.random() < 0.8 else moves)

    return choose


def scouts_early() -> Policy:
    """Draws tactic cards and plays them until a scout has put a card of each deck back; a dozen moves later resigns.

    The scout draws a tactic card, a numbered one and a tactic one.
    """
    moves_since = 0

    def choose(peer: Peer) -> Move:
        nonlocal moves_since
        state, moves = peer.session.state, [move for move in peer.choices() if not isinstance(move, Claim)]
        assert state is not None
        if state.phase is Phase.RETURN:
            moves_since = 1
        elif moves_since:
            moves_since += 1
            if moves_since > 12:
                return Resign()
        return max(moves, key=lambda move: _scouting(state, move, before=not moves_since))

    return choose


def _scouting(state: State, move: Move, *, before: bool) -> int:
    cards = state.rules.cards
    match move:
        case Scout():
            return 3
        case Return(card):
            return cards[card].deck == state.beside.left - 1
        case Draw(deck):
            return deck == (state.beside.left % 2 if state.phase is Phase.SCOUT else 1)
        case Play(card, _) if cards[card].power is Power.JOKER:
            return 2
        case Play(card, _) if before and cards[card].power is not None:
            return 1
    return 0


def resigning(policy: Policy, at: int) -> Policy:
    """Resigns at its move number `at` (both seats counted, from 0), whatever the moment is."""
    asked = 0

    def choose(peer: Peer) -> Move:
        nonlocal asked
        asked += 1
        return Resign() if asked > at else policy(peer)

    return choose


def resigning_in_claim_window(policy: Policy) -> Policy:
    """Resigns as soon as it may claim, so after it laid a card and before it drew."""
    return lambda peer: Resign() if Done() in peer.choices() else policy(peer)


POLICIES: dict[str, Callable[[int], Policy]] = {
    "greedy": lambda seed: bot("greedy", seed),
    "uniform": lambda seed: bot("uniform", seed),
    "first choice": lambda seed: first_choice,
    "every claim": every_claim,
    "no claim": no_claim,
    "ruses first": ruses_first,
    "resigning at once": lambda seed: resigning(first_choice, 0),
    "resigning early": lambda seed: resigning(bot("uniform", seed), 12),
    "resigning late": lambda seed: resigning(bot("uniform", seed), Random(seed).randrange(20, 50)),
    "resigning in the claim window": lambda seed: resigning_in_claim_window(bot("greedy", seed)),
}


class Watched(Peer):
    """A peer that keeps every session it ever stood on, also those that it passed within one call."""

    sessions: list[Session]

    @property
    def session(self) -> Session:
        return self.sessions[-1]

    @session.setter
    def session(self, session: Session) -> None:
        if "sessions" not in self.__dict__:
            self.sessions = []
        self.sessions.append(session)


@dataclass
class Course:
    """A game played to its last record, and both peers' sessions: `sessions[seat][n]` stands before record n."""

    pair: Pair
    seeds: tuple[bytes, bytes]
    sessions: tuple[list[Session], list[Session]] = field(default_factory=lambda: ([], []))

    @property
    def records(self) -> list[bytes]:
        return self.pair.records


def new_pair(
    seed: int,
    make: type[Peer] = Watched,
    *,
    names: tuple[str, str] = ("Ann", "Bob"),
    rules: Ruleset | None = None,
    options: Options | None = None,
    match: Match | None = None,
) -> Pair:
    """Like `Pair.new`, with another class of peer, and another game than the base game if `rules` names one."""
    peers = [
        make(
            seat,
            identity_of(seed, seat),
            names[seat],
            (rules or ruleset("base")) if seat == 0 else None,
            entropy("game", seed, seat),
            options=options if seat == 0 else None,
            match=match if seat == 0 else None,
            other_identity=identity_of(seed, other(seat)).public,
        )
        for seat in SEATS
    ]
    pair = Pair((peers[0], peers[1]))
    pair.events[0].extend(peers[0].start())
    pair._collect()
    return pair


@cache
def course(policy: str, seed: int, rules: str = "base") -> Course:
    """The game of that seed under that policy. Callers do not change it."""
    pair = new_pair(seed, rules=ruleset(rules))
    pair.play(POLICIES[policy](seed))
    first, second = pair.peers
    assert isinstance(first, Watched)
    assert isinstance(second, Watched)
    return Course(pair, (first.secret_seed, second.secret_seed), (first.sessions, second.sessions))


# All ways in which a game may end, and the moments at which it may be given up.
COURSES = (
    ("greedy", 1),
    ("uniform", 2),
    ("first choice", 3),
    ("every claim", 1),
    ("no claim", 5),
    ("resigning at once", 6),
    ("resigning early", 7),
    ("resigning late", 8),
    ("resigning in the claim window", 9),
)

# And games of every other ruleset, in which all their tactic cards are played.
FAMILY = (
    ("ruses first", 1, "tactic"),
    ("ruses first", 1, "expert"),
    ("ruses first", 1, "siege"),
    ("ruses first", 1, "siege-tactic"),
    ("ruses first", 11, "battle-line"),
    ("ruses first", 1, "battle-line-advanced"),
    ("uniform", 1, "battle-line-plain"),
)


@dataclass(frozen=True, slots=True)
class Opened:
    """What both seeds together say of one cell."""

    card: CardId
    point: Point
    shares: tuple[Point, Point]  # of seat 0 and 1


class Truth:
    """Both seeds of a game: whoever has them opens everything."""

    def __init__(self, seeds: Sequence[bytes]) -> None:
        self._secrets = [Secret(seed) for seed in seeds]
        self.keys: list[group.Scalar] = []
        self._opened: dict[tuple[int, Cell], Opened] = {}
        self._cards: dict[Point, CardId] = {}

    def cell(self, session: Session, deck: int, cell: Cell) -> Opened:
        """The card behind a cell of that deck, and both shares."""
        known = self._opened.get((deck, cell))
        if known is None:
            if not self.keys:
                self.keys = [secret_key(session, secret) for secret in self._secrets]
                rules = session.rules
                self._cards = {card_point(rules.deck_of(c.id), rules.index(c.id)): c.id for c in rules.cards}
            shares = (group.mul(self.keys[0], cell.a), group.mul(self.keys[1], cell.a))
            point = opens_to(cell, *shares)
            known = self._opened[deck, cell] = Opened(self._cards[point], point, shares)
        return known

    def sealed(self, session: Session, sealed: Sealed) -> Opened:
        """The same for a cell on the table."""
        return self.cell(session, sealed.deck, sealed.cell)


def in_piles(session: Session) -> Iterator[Sealed]:
    """Every cell of every pile."""
    assert session.position is not None
    for pile in session.position.table.piles:
        yield from pile


def in_hand(session: Session, seat: Seat) -> Iterator[Sealed]:
    """Every cell in the hand of that seat."""
    assert session.position is not None
    for deck_hand in session.position.table.hands[seat]:
        yield from deck_hand.cells
