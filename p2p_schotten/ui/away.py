"""Somebody is silent, gone, back or out of time: what is told of it, and what the player may do."""

from __future__ import annotations

from typing import assert_never

from p2p_schotten.ids import other
from p2p_schotten.text import clean_text
from p2p_schotten.ui.notice import Away, Reconnecting, Recorded, Resumed, Returned, Silent, TimeShort, TimeUp
from p2p_schotten.ui.text import _, plural
from p2p_schotten.ui.voice import Voice
from p2p_schotten.ui.words import capital, count_records, overdue

WHY_CHARACTERS = 200  # of a reason that the other side, or the way to it, may have put into words


def away_lines(voice: Voice, notice: Away) -> tuple[str, ...]:
    """The sentences for one of these notices."""
    name = _opposite(voice) or _("the other player")
    lines = _lines(voice, name, notice)
    return lines if _opposite(voice) else tuple(map(capital, lines))


def _lines(voice: Voice, name: str, notice: Away) -> tuple[str, ...]:
    match notice:
        case Silent(seconds):
            return (_("{name} has been silent for {n} s, he may come back.").format(name=name, n=round(seconds)),)
        case Returned():
            return (_("{name} is back.").format(name=name),)
        case Reconnecting(why):
            return (
                _("{why}.").format(why=capital(clean_text(why, WHY_CHARACTERS))),
                _("Trying to reach him again; the game is saved. Type quit to leave."),
            )
        case Resumed(records):
            sentence = _("{name} is there again: the game goes on after {records}.")
            return (sentence.format(name=name, records=count_records(records)),)
        case TimeShort(seconds):
            return (plural("{n} second is left for your turn.", "{n} seconds are left for your turn.", seconds),)
        case TimeUp(seat, seconds) if seat == voice.me:
            sentence = _(
                "Your {n} s for this turn are over. You may still move, but {name} may record a win by absence."
            )
            return (sentence.format(name=name, n=seconds),)
        case TimeUp(seat, seconds):
            return (
                _("The {n} s of {name} for this turn are over.").format(name=voice.name(seat), n=seconds),
                overdue(),
            )
        case Recorded():
            return _recorded(voice, name, notice)
        case _:
            assert_never(notice)


def _recorded(voice: Voice, name: str, notice: Recorded) -> tuple[str, ...]:
    """Who wins, what the other side says of it, and what nobody can prove."""
    by, agreed = notice.by, notice.agreed
    absent = voice.who(other(by))
    yours = _("You have recorded a win by absence after {records}: {absent} kept you waiting.")
    theirs = _("{name} has recorded a win by absence after {records}: {absent} kept him waiting.")
    result = voice.pick(by, yours, theirs, records=count_records(notice.record), absent=absent)
    if agreed is None:
        said = _("{name} has not answered yet; he is told when he can be reached.").format(name=name)
    elif agreed:
        said = voice.pick(other(by), _("Your own clock says so too: you have recorded the same."), _("{name} agrees."))
    else:
        said = _("The two sides differ: {why}. The game goes on.").format(why=clean_text(notice.why, WHY_CHARACTERS))
    proof = _("It is recorded only, not proved: no file shows who was away, and the transcript stays unfinished.")
    return (result, said, proof)


def _opposite(voice: Voice) -> str:
    """The name of him of whom a connection tells, safe to print; empty before he has one."""
    return "" if voice.me is None else voice.name(other(voice.me))
