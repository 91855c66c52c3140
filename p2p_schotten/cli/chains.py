"""Transcripts of one match side by side: is each the game that comes after the one before, and how does it stand?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from p2p_schotten.errors import Unreadable
from p2p_schotten.match import Free, Standing, chain_of, form_of, played, standing, why_not_following
from p2p_schotten.transcript import Verdict
from p2p_schotten.ui.text import _


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


def chains(verdicts: Sequence[Verdict]) -> tuple[Chain, ...]:
    """Every chain among these transcripts, in the order in which they come; a game that stands alone is none."""
    games: dict[bytes, Verdict] = {}
    for verdict in verdicts:
        session = verdict.session
        if session.game_id:
            games[session.game_id] = max(games.get(session.game_id, verdict), verdict, key=_says)
    grouped: dict[bytes, list[Verdict]] = {}
    for verdict in games.values():
        grouped.setdefault(chain_of(verdict.session), []).append(verdict)
    return tuple(
        _chain(key, sorted(group, key=_number))
        for key, group in grouped.items()
        if len(group) > 1 or group[0].session.offer.match.id
    )


def _says(verdict: Verdict) -> tuple[bool, bool, int]:
    return verdict.valid, verdict.over, verdict.records


def _number(verdict: Verdict) -> int:
    return verdict.session.offer.match.number


def _chain(key: bytes, games: list[Verdict]) -> Chain:
    broken = _broken(games)
    if broken or _number(games[0]) != 1:
        return Chain(key, tuple(games), broken, None)
    try:
        form = form_of(games[0].session)
    except Unreadable:
        form = Free()
    over = [played(game.session) for game in games if game.over]
    return Chain(key, tuple(games), "", standing(form, over))


def _broken(games: Sequence[Verdict]) -> str:
    """What is wrong with games in the order of their numbers; a later game alone is not wrong."""
    for before, after in pairwise(games):
        one, two = _number(before), _number(after)
        if one == two:
            return _("two games have the number {n}").format(n=one)
        if two > one + 1:
            return _("game {n} is not here").format(n=one + 1)
        if not before.valid or not after.valid:
            return _("game {n} is not valid").format(n=two if before.valid else one)
        why = why_not_following(before.session, after.session)
        if why:
            return _("game {n} does not follow game {m}: {why}").format(n=two, m=one, why=why)
    if len(games) > 1 and _number(games[0]) != 1:
        return _("game {n} is not here").format(n=1)
    return ""
