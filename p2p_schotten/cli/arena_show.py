"""What a match of the arena has come to: as lines for people, as one object for programs (docs/arena.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import isfinite
from typing import TYPE_CHECKING

from p2p_schotten.arena.crosstable import ratings
from p2p_schotten.arena.plan import rules_of
from p2p_schotten.arena.rating import Estimate, elo_difference, rate
from p2p_schotten.arena.sprt import LOWER, UPPER
from p2p_schotten.text import clean_text
from p2p_schotten.ui.text import _
from p2p_schotten.ui.wrapping import wrapped

if TYPE_CHECKING:
    from p2p_schotten.arena.match import Match
    from p2p_schotten.arena.score import Games, Meeting

VERSION = 1
SHOWN, SHOWN_END = 40, 15  # characters of what a bot is called, and those at its end
WIDTH = 80  # columns of a terminal that each table fits into
CELL = 7  # columns of a share of the points
COLUMNS = (WIDTH - 4) // CELL  # bots beside each other


def lines(match: Match) -> Iterator[str]:
    """The table, and what it says."""
    plan, score = match.plan, match.score
    names = _names(plan.bots)
    flags = "".join(f" {name}={value}" for name, value in plan.flags)
    head = _("{rules}{flags}, seed {seed}, pairs: {pairs}, games: {games}")
    yield head.format(rules=plan.rules, flags=flags, seed=plan.seed, pairs=match.played, games=score.games)
    if match.played < len(plan.pairings):
        return
    yield ""
    if len(names) == 2:
        (meeting,) = score.meetings.values()
        yield from _duel(match, names, meeting)
    else:
        yield from _cross_table(match, names)
    for name, forfeits, late, number in zip(names, score.forfeits, score.late_stops, range(len(names)), strict=True):
        for kind, counter in ((_("forfeits of {name}"), forfeits), (_("{name} after the end of a game"), late)):
            for fault, count in sorted(counter.items()):
                why = clean_text(score.said[number, fault], 200)
                yield f"{kind.format(name=name)}: {fault.value} {count} ({why})"


def _names(bots: Sequence[str]) -> list[str]:
    """What each bot is called here: as it was asked for, and with a number where two are called alike.

    A long name lacks its middle: two settings of one bot differ at the end.
    """
    seen = Counter[str]()
    names = []
    for bot in bots:
        name = bot if len(bot) <= SHOWN else f"{bot[: SHOWN - SHOWN_END - 1]}…{bot[-SHOWN_END:]}"
        name = clean_text(name, SHOWN)
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return names


def _duel(match: Match, names: Sequence[str], meeting: Meeting) -> Iterator[str]:
    rows = [(names[0], meeting.games)]
    if rules_of(match.plan).siege is not None:
        rows += [(_("  attacking"), meeting.begun), (_("  defending"), meeting.awaited)]
    width = max(len(name) for name, _games in rows)
    yield f"{'':{width}}  " + _("  wins  draws losses    score")
    for name, games in rows:
        yield f"{name:{width}}  {games.wins:6} {games.draws:6} {games.losses:6} {_percent(games.share):>8}"
    yield ""
    found = rate(meeting.pairs)
    against = _("{name} against {other}").format(name=names[0], other=names[1])
    yield against
    yield _("  score  {value}  (95 %: {low} to {high})").format(
        value=_percent(found.value), low=_percent(found.low), high=_percent(found.high)
    )
    yield _("  Elo    {elo}").format(elo=elo_text(elo_difference(meeting.pairs)))
    yield _("  pairs  lost {0}, 1/4 {1}, even {2}, 3/4 {3}, won {4}").format(*meeting.pairs)
    if match.question is not None:
        line = _(
            "  SPRT   {low:g} or {high:g} Elo: {verdict}, log-likelihood ratio {ratio:.2f} ({lower:.2f} to {upper:.2f})"
        )
        yield line.format(
            low=match.question.low,
            high=match.question.high,
            verdict=_(match.verdict.value),
            ratio=match.question.ratio(meeting.pairs),
            lower=LOWER,
            upper=UPPER,
        )


def _cross_table(match: Match, names: Sequence[str]) -> Iterator[str]:
    """Best first; then, by the same numbers, which share of the points each has won against each of the others."""
    score = match.score
    points = ratings(len(names), {pairing: meeting.pairs for pairing, meeting in score.meetings.items()})
    order = sorted(range(len(names)), key=lambda bot: -points[bot].value)
    head = (_("wins"), _("draws"), _("losses"), _("score"), _("Elo"), _("95 %"))
    rows = [(*_games(score.of(bot)).values(), _percent(score.of(bot).share), *_points(points[bot])) for bot in order]
    widths = [max(len(str(row[column])) for row in (head, *rows)) for column in range(len(head))]
    for rank, (row, name) in enumerate(zip((head, *rows), (_("bot"), *(names[bot] for bot in order)), strict=True)):
        cells = "".join(f" {cell:>{width}}" for cell, width in zip(row, widths, strict=True))
        yield from _with_name(f"{rank or '':>3}{cells}  ", name)
    yield ""
    yield _("points won against each of the others, in %")
    for start in range(0, len(order), COLUMNS):
        block = range(start, min(start + COLUMNS, len(order)))
        yield f"{'':3}" + "".join(f"{rank + 1:>{CELL}}" for rank in block)
        for rank, bot in enumerate(order, 1):
            yield f"{rank:>3}" + "".join(f"{_share(match, bot, order[rival]):>{CELL}}" for rival in block)


def _points(found: Estimate) -> tuple[str, str]:
    return f"{found.value:+.0f}", _("{low:+.0f} to {high:+.0f}").format(low=found.low, high=found.high)


def _with_name(row: str, name: str) -> Iterator[str]:
    """The row and behind it the name, which goes on below itself where it would pass the edge."""
    first, *rest = wrapped(name, WIDTH - len(row))
    yield row + first.lstrip()
    for more in rest:
        yield " " * len(row) + more.lstrip()


def _share(match: Match, bot: int, rival: int) -> str:
    if bot == rival:
        return "-"
    games = match.score.meetings[min(bot, rival), max(bot, rival)].games
    return f"{100 * (games if bot < rival else games.mirrored()).share:.1f}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def elo_text(found: Estimate) -> str:
    """The points and their interval; where nothing bounds it on a side, the other end alone is said."""
    if isfinite(found.low) and isfinite(found.high):
        around = _("{low:+.0f} to {high:+.0f}").format(low=found.low, high=found.high)
    elif isfinite(found.low):
        around = _("above {low:+.0f}").format(low=found.low)
    elif isfinite(found.high):
        around = _("below {high:+.0f}").format(high=found.high)
    else:
        around = _("anything")
    if not isfinite(found.value):
        return _("{around} (95 %)").format(around=around)
    return _("{value:+.0f}  (95 %: {around})").format(value=found.value, around=around)


def fields(match: Match) -> dict[str, object]:
    """The same as one object."""
    plan, score = match.plan, match.score
    found = {pairing: meeting.pairs for pairing, meeting in score.meetings.items() if sum(meeting.pairs)}
    complete = len(found) == len(plan.pairings)
    points = ratings(len(plan.bots), found) if complete and len(plan.bots) > 2 else None
    return {
        "v": VERSION,
        "rules": plan.rules,
        "flags": dict(plan.flags),
        "seed": plan.seed,
        "sealed": plan.sealed,
        "pairs": match.played,
        "games": score.games,
        "over": match.over,
        "bots": [
            {
                "bot": bot,
                **_games(score.of(number)),
                "elo": None if points is None else _estimate(points[number]),
                "forfeits": {fault.value: count for fault, count in sorted(score.forfeits[number].items())},
                "stopped_late": {fault.value: count for fault, count in sorted(score.late_stops[number].items())},
            }
            for number, bot in enumerate(plan.bots)
        ],
        "meetings": [
            {
                "bots": list(pairing),
                **_games(meeting.games),
                "begun": _games(meeting.begun),
                "awaited": _games(meeting.awaited),
                "pairs": meeting.pairs,
                "score": _estimate(rate(meeting.pairs)) if sum(meeting.pairs) else None,
                "elo": _estimate(elo_difference(meeting.pairs)) if sum(meeting.pairs) else None,
            }
            for pairing, meeting in score.meetings.items()
        ],
        "sprt": None if match.question is None else _answer(match),
    }


def _games(games: Games) -> dict[str, object]:
    return {"wins": games.wins, "draws": games.draws, "losses": games.losses}


def _estimate(found: Estimate) -> dict[str, object]:
    """What is infinite is null: it has no number in JSON."""
    return {
        name: value if isfinite(value) else None
        for name, value in (("value", found.value), ("low", found.low), ("high", found.high))
    }


def _answer(match: Match) -> dict[str, object]:
    question = match.question
    assert question is not None
    (meeting,) = match.score.meetings.values()
    ratio = question.ratio(meeting.pairs)
    return {"elo0": question.low, "elo1": question.high, "verdict": match.verdict.value, "ratio": ratio}
