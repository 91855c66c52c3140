"""Games that count together: how a match is scored, when it is over, and which game comes next.

The games of one connection form a chain: each HELLO after the first names the last record before the seals of the game
before it. A chain is one match after another by the same form; a game without a form is followed by as many as both
players like. Nothing here is agreed anew: rules, seats, form and clock stay, who begins follows from the game before.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import assert_never

from p2p_schotten.engine.ending import damaged
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.state import State
from p2p_schotten.engine.step import Outcome
from p2p_schotten.errors import Unreadable
from p2p_schotten.ids import SEATS, Seat, other
from p2p_schotten.protocol.messages import SINGLE_GAME, Match, Options
from p2p_schotten.protocol.offer import Offer, differences
from p2p_schotten.protocol.session import Session, first_seat

ID_BYTES = 32
MAX_CHAIN = 255  # games: the number of a game is one byte
MAX_ROUNDS = 50  # so that a match of rounds can be played again
MAX_POINTS = 500  # a won game gives five, so this is at most 100 of them and those that are drawn


@dataclass(frozen=True, slots=True)
class Rounds:
    """So many games, then more points win."""

    count: int


@dataclass(frozen=True, slots=True)
class Target:
    """Games until somebody has so many points."""

    points: int


@dataclass(frozen=True, slots=True)
class Roles:
    """Two sieges: each seat attacks once."""


@dataclass(frozen=True, slots=True)
class Free:
    """One game, and as many more as both like: nobody wins the whole."""


Form = Rounds | Target | Roles | Free


@dataclass(frozen=True, slots=True)
class Played:
    """One game that is over: who began (in a siege: attacked) and how it ended."""

    first: Seat
    outcome: Outcome
    turns: int = 0  # turns that the first seat had
    damaged: int = 0  # tiles at the end


@dataclass(frozen=True, slots=True)
class Standing:
    """A match after its games so far. `winner` is None while it goes on, when it is shared, and for a Free one."""

    form: Form
    games: tuple[Played, ...]
    points: tuple[int, int]  # by seat
    over: bool
    winner: Seat | None


def form_text(form: Form) -> str:
    """The form as both HELLOs carry it: "rounds 3", "points 15", "roles", or nothing."""
    match form:
        case Rounds(count):
            return f"rounds {count}"
        case Target(points):
            return f"points {points}"
        case Roles():
            return "roles"
        case Free():
            return ""
        case _:
            assert_never(form)


def read_form(rules: Ruleset, text: str) -> Form:
    """The form that a HELLO with these rules names; raises Unreadable."""
    if not text:
        return Free()
    if rules.siege is not None:
        if text == "roles":
            return Roles()
        raise Unreadable(f"{text!r} is not a match of two sieges: expected 'roles'")
    number = re.fullmatch("(rounds|points) ([1-9][0-9]{0,2})", text, re.ASCII)
    if number is not None:
        count = int(number[2])
        if number[1] == "rounds" and count <= MAX_ROUNDS:
            return Rounds(count)
        if number[1] == "points" and count <= MAX_POINTS:
            return Target(count)
    raise Unreadable(
        f"{text!r} is not a match: expected 'rounds' up to {MAX_ROUNDS} or 'points' up to {MAX_POINTS}, with a number"
    )


def new_match(form: Form, entropy: Callable[[int], bytes]) -> Match:
    """The place of the first game: a match has an id of its own, a game without a form stands alone at first."""
    return SINGLE_GAME if isinstance(form, Free) else Match(entropy(ID_BYTES), 1, b"")


def form_of(session: Session) -> Form:
    """The form that both agreed to. Raises Unreadable for words that this program does not know."""
    return read_form(session.rules, session.options.form)


def played(session: Session) -> Played:
    """What counts of a game that is over."""
    state = session.state
    assert state is not None
    return played_of(first_seat(session), state)


def played_of(first: Seat, state: State) -> Played:
    """The same from the last position."""
    assert state.outcome is not None
    return Played(first, state.outcome, turn_of(first, state) // 2 + 1, damaged(state.stones))


def turn_of(first: Seat, state: State) -> int:
    """The number of the turn under way, from 0: even for the seat that began, odd for the other, a skipped one too."""
    # Each turn raises the ply once. So the first seat is on turn with 2n, or with 2n + 1 once it has played; the other
    # is on turn with 2n + 1 or 2n + 2.
    return state.ply // 2 * 2 if state.turn == first else (state.ply - 1) // 2 * 2 + 1


def standing(form: Form, games: Sequence[Played]) -> Standing:
    """The last match of the chain that these games are: a match that was over before begins anew at nothing."""
    return standings(form, games)[-1]


def standing_after(session: Session, before: Sequence[Played]) -> Standing:
    """The same with the game of `session`, which is over, behind those before it."""
    return standing(form_of(session), (*before, played(session)))


def standings(form: Form, games: Sequence[Played]) -> tuple[Standing, ...]:
    """The same before the first of these games and after each of them: one more than there are games."""
    now = [_score(form, ())]
    for game in games:
        before = now[-1].games if isinstance(form, Free) or not now[-1].over else ()
        now.append(_score(form, (*before, game)))
    return tuple(now)


def _score(form: Form, games: tuple[Played, ...]) -> Standing:
    points = (sum(game.outcome.points[0] for game in games), sum(game.outcome.points[1] for game in games))
    match form:
        case Rounds(count):
            over = len(games) >= count
        case Target(target):
            over = max(points) >= target
        case Roles():
            over = len(games) >= len(SEATS)
        case Free():
            over = bool(games)
        case _:
            assert_never(form)
    winner = None
    if over and not isinstance(form, Free):
        winner = _better_siege(games[0], games[1]) if isinstance(form, Roles) else _more(points)
    return Standing(form, games, points, over, winner)


def _more(points: tuple[int, int]) -> Seat | None:
    if points[0] == points[1]:
        return None
    return SEATS[points[1] > points[0]]


def _better_siege(one: Played, two: Played) -> Seat | None:
    """Both won attacking: fewer own turns; both won defending: more damaged tiles; else who won both."""
    won = [game.outcome.winner == game.first for game in (one, two)]
    if won == [True, True]:
        return _more_of(two.turns, one.turns, one.first)
    if won == [False, False]:
        return _more_of(one.damaged, two.damaged, one.first)
    return one.first if won[0] else other(one.first)


def _more_of(mine: int, theirs: int, me: Seat) -> Seat | None:
    if mine == theirs:
        return None
    return me if mine > theirs else other(me)


# The next game


def next_first(rules: Ruleset, last: Played) -> Seat:
    """Who begins the next game: the winner, after a drawn game who did not begin; in a siege the roles swap."""
    winner = last.outcome.winner
    return other(last.first) if rules.siege is not None or winner is None else winner


def chain_of(session: Session) -> bytes:
    """The id of the chain: what its HELLOs carry, or the id of the game that stood alone at first. 32 bytes."""
    return session.offer.match.id or session.game_id


def may_follow(session: Session) -> bool:
    """The last record stands, and the chain has room for one more game."""
    return session.finished and session.offer.match.number < MAX_CHAIN


def following(session: Session) -> Offer:
    """What both HELLOs of the game after this one say; only where `may_follow`."""
    agreed = session.options
    options = Options(next_first(session.rules, played(session)), agreed.form, agreed.clock)
    match = Match(chain_of(session), session.offer.match.number + 1, session.final_head)
    return Offer(session.rules, options, match)


def why_not_following(before: Session, after: Session) -> str:
    """Why `after` is not the game that comes after `before`; empty when it is."""
    if not may_follow(before):
        return "the game before it was not finished by both"
    if after.identities != before.identities:
        return "other players, or in other seats"
    if after.names != before.names:
        return "a player has another name"
    return differences(following(before), after.offer)


# Which games are one chain

_Joint = tuple[bytes, tuple[bytes, ...], int, bytes]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a game that both have committed to stands among others, as its own records say."""

    game: bytes  # its id
    match: Match
    identities: tuple[bytes, ...]  # of seat 0, of seat 1
    final: bytes  # what the next game names as the one before; empty until both have finished the game
    opened: bool = True  # seat 0 has opened its COMMIT, so it had that of seat 1

    @property
    def chain(self) -> bytes:
        """The id that the next game repeats."""
        return self.match.id or self.game

    @property
    def before(self) -> _Joint:
        """What the game before this one must be, to be followed by it."""
        return self.chain, self.identities, self.match.number, self.match.previous

    @property
    def after(self) -> _Joint:
        """What a game must name to follow this one."""
        return self.chain, self.identities, self.match.number + 1, self.final


def place_of(session: Session) -> Place:
    """The place of a game to which both have committed."""
    final = session.final_head if session.finished else b""
    return Place(session.game_id, session.offer.match, session.identities, final, bool(session.opens))


def left_behind(places: Sequence[Place]) -> frozenset[int]:
    """The indices of those that were given up before seat 0 opened its COMMIT, as another game in their place shows.

    Seat 0 may have committed to such a game in vain, and begun anew. Then nothing but seat 1's own word says that he
    had committed too: he can sign that at any time, and it takes nothing from the game that came about.
    """
    gone_on = {place.before for place in places if place.opened and place.match.number > 1}
    return frozenset(at for at, place in enumerate(places) if not place.opened and place.before in gone_on)


def joined(places: Sequence[Place]) -> tuple[tuple[int, ...], ...]:
    """Which of these different games follow each other: their indices, chain by chain in the order of first games.

    A host chooses the id of a match as he likes, also one that others have used. So an id joins nothing by itself: a
    game follows the one whose last record it names, played by the same keys in the same seats under the same id. What
    follows none of these begins a chain of its own, with whatever number; and so do two that follow the same game,
    unless one of them was left behind.
    """
    behind = left_behind(places)
    rivals = Counter(place.before for at, place in enumerate(places) if at not in behind)
    ends: dict[_Joint, list[int]] = {}
    chains: list[list[int]] = []
    for at in sorted(range(len(places)), key=lambda at: places[at].match.number):
        place = places[at]
        alone = at not in behind and rivals[place.before] == 1
        chain = ends.get(place.before) if place.match.number > 1 and alone else None
        if chain is None:
            chain = []
            chains.append(chain)
        chain.append(at)
        if place.final:
            ends[place.after] = chain
    return tuple(sorted(map(tuple, chains)))
