"""What two players agree on before a game, how their match stands, and whether there is another game: in sentences."""

from __future__ import annotations

from typing import assert_never

from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.errors import Unreadable
from p2p_schotten.ids import SEATS, Seat, other
from p2p_schotten.match import Form, Free, Played, Roles, Rounds, Standing, Target, read_form
from p2p_schotten.protocol.events import Offered
from p2p_schotten.protocol.messages import Options
from p2p_schotten.text import clean_text
from p2p_schotten.ui.notice import Again, Parted, Rematch, Scored
from p2p_schotten.ui.text import _, plural
from p2p_schotten.ui.voice import NAME_CHARACTERS, Voice
from p2p_schotten.ui.words import capital


def offered_lines(offered: Offered) -> tuple[str, ...]:
    """What the host offers to me, at seat 1."""
    rules, name = offered.rules, clean_text(offered.name, NAME_CHARACTERS)
    places = _("stones") if rules.siege is None else _("tiles")
    line = _("{name} offers a game by the ruleset {rules}: {n} {places}, {cards} cards in hand.")
    first = line.format(name=name, rules=rules.name, n=len(rules.tiles), places=places, cards=rules.hand_size)
    return (first, *agreed_lines(Voice(SEATS[1], (name, "")), rules, offered.options))


def agreed_lines(voice: Voice, rules: Ruleset, options: Options) -> tuple[str, ...]:
    """What differs from the ruleset of that name, who attacks or begins, what kind of match it is, and the clock."""
    lines = []
    if rules.flags:
        flags = ", ".join(f"{name}={value}" for name, value in rules.flags)
        lines.append(_("What differs from {rules}: {flags}.").format(rules=rules.name, flags=flags))
    first = options.first
    if rules.siege is not None:
        lines.append(_("A coin decides who attacks.") if first is None else _attacks(voice, first))
    elif first is not None:
        lines.append(voice.pick(first, _("You begin."), _("{name} begins.")))
    try:
        form = read_form(rules, options.form)
    except Unreadable:
        lines.append(_("A match that this program does not know: {form}.").format(form=clean_text(options.form, 32)))
    else:
        if not isinstance(form, Free):
            lines.append(_("It is {match}.").format(match=form_words(form)))
    if options.clock is not None:
        lines.append(_("A turn may last {n} s; each side measures for itself.").format(n=options.clock))
    return tuple(lines)


def _attacks(voice: Voice, first: Seat) -> str:
    attacker = voice.pick(first, _("You attack"), _("{name} attacks"))
    return f"{attacker}, {voice.pick(other(first), _('you defend.'), _('{name} defends.'))}"


def form_words(form: Form) -> str:
    """The kind of match, inside a sentence."""
    match form:
        case Rounds(count):
            return plural("a match of {n} game", "a match of {n} games", count)
        case Target(points):
            return plural("a match to {n} point", "a match to {n} points", points)
        case Roles():
            return _("a match of two sieges, in which each attacks once")
        case Free():
            return _("a single game")
        case _:
            assert_never(form)


def game_text(form: Form, number: int) -> str:
    """Which game of a match this is, inside a sentence; empty for a game alone."""
    match form:
        case Rounds(count):
            return "" if count == 1 else _("game {n} of {count}").format(n=number, count=count)
        case Roles():
            return _("game {n} of {count}").format(n=number, count=len(SEATS))
        case Target(points):
            return _("game {n}, to {points} points").format(n=number, points=points)
        case Free():
            return "" if number == 1 else _("game {n}").format(n=number)
        case _:
            assert_never(form)


def after_lines(voice: Voice, notice: Scored | Rematch | Again | Parted) -> tuple[str, ...]:
    """What is told after a game: how the match stands, and whether there is another game."""
    match notice:
        case Scored(standing):
            return (score_text(voice, standing),)
        case Rematch(standing):
            return (rematch_text(voice, standing),)
        case Again(seat):
            return (voice.pick(seat, _("You want another game."), _("{name} wants another game.")),)
        case Parted(why):
            return (_("There is no other game: {why}.").format(why=clean_text(why, 200)),)
        case _:
            assert_never(notice)


def rematch_text(voice: Voice, standing: Standing) -> str:
    """The question for another game, which the score goes on with, or for another match, which begins at nothing."""
    if isinstance(standing.form, Free):
        return _("Another game? So far: {points}. Type yes or no.").format(points=_points(voice, standing))
    kind = form_words(standing.form)
    return _("Play once more ({match}, from nothing)? Type yes or no.").format(match=kind)


def _points(voice: Voice, standing: Standing) -> str:
    seats = SEATS if voice.me in (None, 0) else (SEATS[1], SEATS[0])
    return ", ".join(f"{voice.who(seat)} {standing.points[seat]}" for seat in seats)


def score_text(voice: Voice, standing: Standing) -> str:
    """How the match stands, or who won it and why."""
    points = _points(voice, standing)
    games = len(standing.games)
    if isinstance(standing.form, Free):
        return plural("After {n} game: ", "After {n} games: ", games) + points + "."
    kind = form_words(standing.form)
    if not standing.over:
        return capital(_("{match}, after game {n}: {points}.").format(match=kind, n=games, points=points))
    why = _why(voice, standing)
    if standing.winner is None:
        return _("The match is over and shared. Points: {points}{why}.").format(points=points, why=why)
    you = _("The match is over: you win it. Points: {points}{why}.")
    they = _("The match is over: {name} wins it. Points: {points}{why}.")
    return voice.pick(standing.winner, you, they, points=points, why=why)


def _why(voice: Voice, standing: Standing) -> str:
    """What decided a match of two sieges; for the others the points say it."""
    if not isinstance(standing.form, Roles):
        return ""
    one, two = standing.games
    attackers = [game.outcome.winner == game.first for game in (one, two)]
    if attackers == [True, True]:
        return _why_of(voice, _("both attacks won, and the turns count: "), one, two, one.turns, two.turns)
    if attackers == [False, False]:
        return _why_of(voice, _("both walls held, and the damaged tiles count: "), one, two, one.damaged, two.damaged)
    return ""


def _why_of(voice: Voice, why: str, one: Played, two: Played, first: int, second: int) -> str:
    return f" ({why}{voice.who(one.first)} {first}, {voice.who(two.first)} {second})"
