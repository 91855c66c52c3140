"""One sentence per event, for somebody who hears the game instead of seeing it."""

from __future__ import annotations

from typing import assert_never

from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.ids import SEATS
from p2p_schotten.protocol import events
from p2p_schotten.text import CHAT_CHARACTERS, clean_text
from p2p_schotten.ui.away import away_lines
from p2p_schotten.ui.matches import after_lines, agreed_lines, offered_lines
from p2p_schotten.ui.notice import (
    Again,
    Chatted,
    Faulted,
    Happening,
    Introduced,
    Invited,
    Lost,
    Parted,
    Reconnecting,
    Recorded,
    Rematch,
    Resumed,
    Returned,
    Saved,
    Scored,
    Settled,
    Silent,
    TakenUp,
    TimeShort,
    TimeUp,
    TurnedAway,
)
from p2p_schotten.ui.steps import tell_step
from p2p_schotten.ui.text import _
from p2p_schotten.ui.voice import NAME_CHARACTERS, Voice, cards_text
from p2p_schotten.ui.words import capital


def tell(voice: Voice, rules: Ruleset | None, happening: Happening) -> tuple[str, ...]:
    """The sentences for one happening; none for what another event tells better."""
    match happening:
        case events.Happened(event, state):
            return tell_step(voice, state, event)
        case events.Took(cards):
            if rules is None or len(cards) == rules.hand_size:
                return ()  # the deal: the front end shows the hand
            line = _("You draw {cards}.") if len(cards) == 1 else _("You get {cards}.")
            return (line.format(cards=cards_text(rules, cards)),)
        case events.Offered():
            return offered_lines(happening)
        case events.YourTurn():
            return ()
        case events.Met(name):
            return (_("You play against {name}.").format(name=clean_text(name, NAME_CHARACTERS)),)
        case events.Sealed(seat):
            return (voice.pick(seat, _("You seal the result."), _("{name} seals the result.")),)
        case events.Revealed(seat):
            return (
                voice.pick(
                    seat, _("You reveal your cards and shuffles."), _("{name} reveals all hidden cards and shuffles.")
                ),
            )
        case events.Finished():
            return (_("The transcript is complete."),)
        case Invited(_invite, addresses, fingerprint, offer, to_all):
            friend = Voice(SEATS[0], ("", _("your friend")))
            return (
                _("Waiting for a friend at {addresses}.").format(addresses=", ".join(addresses)),
                *(() if offer is None else map(capital, agreed_lines(friend, offer.rules, offer.options))),
                _("Give the invite to one friend; he types: schotten join and the invite."),
                *(_open_lines(fingerprint) if to_all else ()),
            )
        case TakenUp():
            return ()  # `resume` says it where it also says where it looks for the other player
        case Introduced(name, fingerprint, known, twin):
            return introduction(name, fingerprint, known, twin)
        case TurnedAway(why):
            return (_("Turned away: {why}. Still waiting.").format(why=clean_text(why, 200)),)
        case Chatted(seat, text):
            said = clean_text(text, CHAT_CHARACTERS)
            return (voice.pick(seat, _("You say: "), _("{name} says: ")) + said,)
        case Lost(why):
            return (_("The connection is gone: {why}.").format(why=clean_text(why, 200)),)
        case Settled(why):
            sentence = _("The result is proven without the other side's seal ({why}).")
            return (sentence.format(why=clean_text(why, 200)),)
        case Faulted(_seat, _fault, why, forfeit):
            sentence = _("{why}. The game is given up.") if forfeit else _("{why}.")
            return (sentence.format(why=clean_text(why, 200)),)
        case Saved(paths):
            return tuple(_("Transcript: {path}").format(path=path) for path in paths)
        case Scored() | Rematch() | Again() | Parted():
            return after_lines(voice, happening)
        case Silent() | Returned() | Reconnecting() | Resumed() | TimeShort() | TimeUp() | Recorded():
            return away_lines(voice, happening)
        case _:
            assert_never(happening)


def _open_lines(fingerprint: str) -> tuple[str, ...]:
    """What a host hears who takes visitors without the invite."""
    return (
        _("Your fingerprint: {fingerprint}").format(fingerprint=fingerprint),
        _("Read it to a friend who joins by HOST:PORT. The seat goes to whoever comes first."),
    )


def introduction(name: str, fingerprint: str, known: str | None, twin: bool) -> tuple[str, ...]:
    """Who is at the other side, and whether he is the one he seems to be."""
    shown = clean_text(name, NAME_CHARACTERS)
    if known is not None:
        friend = _("{name} is known to you.") if known == name else _("{name} is known to you as {known}.")
        line = friend.format(name=shown, known=clean_text(known, NAME_CHARACTERS))
    elif twin:
        line = _("Careful: you know another {name}, with another key.").format(name=shown)
    else:
        line = _("{name} is new to you.").format(name=shown)
    return (line + " " + _("Fingerprint: {fingerprint}").format(fingerprint=fingerprint),)
