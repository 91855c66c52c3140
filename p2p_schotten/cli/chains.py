"""Transcripts side by side: do two of one game contradict each other, and is each game the one after another?"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from p2p_schotten.errors import PeerFault, Unreadable
from p2p_schotten.ids import SEATS
from p2p_schotten.match import (
    Free,
    Place,
    Standing,
    form_of,
    joined,
    left_behind,
    place_of,
    played,
    standing,
    why_not_following,
)
from p2p_schotten.protocol.fork import find_fork
from p2p_schotten.transcript import Verdict
from p2p_schotten.ui.text import _


@dataclass(frozen=True, slots=True)
class Given:
    """A transcript that was read: the verdict, and its good records."""

    verdict: Verdict
    records: tuple[bytes, ...]

    @property
    def counts(self) -> bool:
        """Both have committed to the game. A HELLO alone is signed for no game, and anybody may send it again."""
        return len(self.verdict.session.commits) == len(SEATS)


@dataclass(frozen=True, slots=True)
class Fork:
    """Two transcripts of one game that cannot both be true: `fault` says where they part, and who signed both."""

    verdict: Verdict  # of one of them
    fault: PeerFault

    @property
    def game(self) -> bytes:
        """The id of the game."""
        return self.verdict.session.game_id


@dataclass(frozen=True, slots=True)
class Chain:
    """The games of one connection, as far as they are here; `broken` says what is wrong with them, if anything is."""

    id: bytes
    games: tuple[Verdict, ...]  # by number; of two transcripts of one game the one that says more
    broken: str
    standing: Standing | None  # None where it is broken, or begins with a later game

    @property
    def numbers(self) -> str:
        """`game 2`, or `games 1-3`."""
        first, last = _number(self.games[0]), _number(self.games[-1])
        return _("game {n}").format(n=first) if first == last else _("games {m}-{n}").format(m=first, n=last)


# Two transcripts of one game


def forks(given: Sequence[Given]) -> tuple[Fork, ...]:
    """Every game of which two of these transcripts contradict each other. One that only ends earlier does not."""
    found = []
    for copies in _by_game(given).values():
        longest = max(copies, key=lambda copy: len(copy.records))
        faults = (_fork(longest, copy) for copy in copies if copy.records != longest.records[: len(copy.records)])
        fault = next((fault for fault in faults if fault is not None), None)
        if fault is not None:
            found.append(Fork(longest.verdict, fault))
    return tuple(found)


def _by_game(given: Sequence[Given]) -> dict[bytes, list[Given]]:
    games: dict[bytes, list[Given]] = {}
    for one in given:
        if one.counts:
            games.setdefault(one.verdict.session.game_id, []).append(one)
    return games


def _fork(one: Given, two: Given) -> PeerFault | None:
    for seq, (first, second) in enumerate(zip(one.records, two.records, strict=False)):
        if first != second:
            try:
                find_fork(replace(one.verdict.session, seq=seq), one.records, second)
            except PeerFault as fault:
                return fault
    return None


# One game after the other

_Family = tuple[bytes, tuple[bytes, ...]]  # the id of a match, and the keys of both seats


def chains(given: Sequence[Given], forked: Collection[bytes] = ()) -> tuple[Chain, ...]:
    """Every chain among these transcripts, in the order in which they come; a game that stands alone is none.

    `forked`: the ids of games whose transcripts contradict each other; a chain with one of these has no standing.
    """
    games = [max((copy.verdict for copy in copies), key=_says) for copies in _by_game(given).values()]
    behind = left_behind([place_of(game.session) for game in games])
    games = [game for at, game in enumerate(games) if at not in behind]
    places = [place_of(game.session) for game in games]
    wrong = {place.game: why for place, game in zip(places, games, strict=True) if (why := _wrong(game, forked))}
    family: dict[_Family, dict[int, list[Verdict]]] = {}
    for place, game in zip(places, games, strict=True):
        numbers = family.setdefault((place.chain, place.identities), {})
        numbers.setdefault(place.match.number, []).append(game)
    return tuple(
        _chain(places[chain[0]], tuple(games[at] for at in chain), family, wrong)
        for chain in joined(places)
        if len(chain) > 1 or places[chain[0]].match.id
    )


def _says(verdict: Verdict) -> tuple[bool, bool, int]:
    return verdict.valid, verdict.over, verdict.records


def _number(verdict: Verdict) -> int:
    return verdict.session.offer.match.number


def _wrong(game: Verdict, forked: Collection[bytes]) -> str:
    """What is wrong with a game by itself, or nothing."""
    if game.session.game_id in forked:
        return _("two transcripts of game {n} contradict each other").format(n=_number(game))
    return "" if game.valid else _("game {n} is not valid").format(n=_number(game))


def _chain(
    place: Place,
    games: tuple[Verdict, ...],
    family: Mapping[_Family, Mapping[int, Sequence[Verdict]]],
    wrong: Mapping[bytes, str],
) -> Chain:
    """The chain of these games, of which the first has that place; `family`: all games by id, keys and number."""
    broken = _broken(games, wrong)
    if not broken and place.match.number > 1:
        broken = _why_alone(games[0], family[place.chain, place.identities], wrong)
    if broken or place.match.number > 1:
        return Chain(place.chain, games, broken, None)
    try:
        form = form_of(games[0].session)
    except Unreadable:
        form = Free()
    over = [played(game.session) for game in games if game.over]
    return Chain(place.chain, games, "", standing(form, over))


def _broken(games: Sequence[Verdict], wrong: Mapping[bytes, str]) -> str:
    """What is wrong with games that each name the one before; nothing where they are one chain."""
    for game in games:
        if game.session.game_id in wrong:
            return wrong[game.session.game_id]
    return next(filter(None, (_why_not(before, after) for before, after in pairwise(games))), "")


def _why_not(before: Verdict, after: Verdict) -> str:
    why = why_not_following(before.session, after.session)
    sentence = _("game {n} does not follow game {m}: {why}")
    return sentence.format(n=_number(after), m=_number(before), why=why) if why else ""


def _why_alone(game: Verdict, family: Mapping[int, Sequence[Verdict]], wrong: Mapping[bytes, str]) -> str:
    """Why a later game follows none of its family; nothing where it is the only one here, and cannot be judged."""
    number = _number(game)
    if len(family) == len(family[number]) == 1:
        return ""
    if len(family[number]) > 1:
        return _("two games have the number {n}").format(n=number)
    if number - 1 not in family:
        return _("game {n} is not here").format(n=number - 1)
    before = family[number - 1][0]
    return wrong.get(before.session.game_id, "") or _why_not(before, game)
