"""One sentence per event, for somebody who hears the game instead of seeing it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from p2p_schotten.engine import step
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.state import State
from p2p_schotten.ids import CardId, Seat, StoneId, other
from p2p_schotten.protocol import events
from p2p_schotten.text import CHAT_CHARACTERS, clean_text
from p2p_schotten.ui.notice import Chatted, Happening, Introduced, Invited, Lost, Saved, Settled, TurnedAway
from p2p_schotten.ui.text import _, plural

NAME_CHARACTERS = 32


@dataclass(frozen=True, slots=True)
class Voice:
    """Who is told, and how the players are called. `me` is None for a looker-on; `names` are by seat."""

    me: Seat | None
    names: tuple[str, str]

    def name(self, seat: Seat) -> str:
        """The player's name, safe to print."""
        return clean_text(self.names[seat], NAME_CHARACTERS)

    def who(self, seat: Seat) -> str:
        """`you` or the name, inside a sentence."""
        return _("you") if seat == self.me else self.name(seat)

    def pick(self, seat: Seat, you: str, other: str) -> str:
        """The sentence for my own deeds, or the other with the name filled in."""
        return you if seat == self.me else other.replace("{name}", self.name(seat))


def cards_text(rules: Ruleset, cards: tuple[CardId, ...]) -> str:
    """`R7 G2`, or a dash for none."""
    return rules.texts(cards) or "-"


def tell(voice: Voice, rules: Ruleset | None, happening: Happening) -> tuple[str, ...]:
    """The sentences for one happening; none for what another event tells better."""
    match happening:
        case events.Happened(event, state):
            return tell_step(voice, state, event)
        case events.Took(cards):
            if rules is None:
                return ()
            faces = cards_text(rules, cards)
            return (_("You draw {cards}.").format(cards=faces),) if len(cards) == 1 else ()
        case events.Offered(name, _identity, offered):
            line = _("{name} offers a game by the ruleset {rules}: {stones} stones, {cards} cards in hand.")
            shown = clean_text(name, NAME_CHARACTERS)
            return (line.format(name=shown, rules=offered.name, stones=len(offered.tiles), cards=offered.hand_size),)
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
        case Invited(_invite, addresses, fingerprint):
            return (
                _("Waiting for a friend at {addresses}.").format(addresses=", ".join(addresses)),
                _("Give the invite to one friend; he types: schotten join and the invite."),
                _("Your fingerprint: {fingerprint}").format(fingerprint=fingerprint),
                _("Read it to a friend who joins by HOST:PORT."),
            )
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
        case Saved(paths):
            return tuple(_("Transcript: {path}").format(path=path) for path in paths)
        case _:
            assert_never(happening)


def result(voice: Voice, outcome: step.Outcome) -> str:
    """Who won in one short line, the winner's points first: `You win 5-3 (five stones).`"""
    if outcome.winner is None:
        return _("The game is drawn {points}.").format(points="-".join(map(str, outcome.points)))
    seats = (outcome.winner, other(outcome.winner))
    points = "-".join(str(outcome.points[seat]) for seat in seats)
    line = voice.pick(outcome.winner, _("You win {points} ({why})."), _("{name} wins {points} ({why})."))
    return line.replace("{points}", points).replace("{why}", reason(voice, outcome))


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


def tell_step(voice: Voice, state: State, event: step.Event) -> tuple[str, ...]:
    """The sentences for one event of the engine; `state` is the one after the step."""
    match event:
        case step.Dealt(count, first):
            begins = voice.pick(first, _("You begin."), _("{name} begins."))
            return (plural("Each player holds {n} card.", "Each player holds {n} cards.", count) + " " + begins,)
        case step.Played(seat, card, stone):
            line = voice.pick(seat, _("You play {card} on stone {stone}."), _("{name} plays {card} on stone {stone}."))
            return (line.format(card=state.rules.text(card), stone=stone + 1),)
        case step.Claimed(seat, stone):
            line = voice.pick(seat, _("You claim stone {stone}."), _("{name} claims stone {stone}."))
            return (line.format(stone=stone + 1),)
        case step.Drew(seat, deck):
            if seat == voice.me:
                return ()  # Took tells it with the face
            left = plural("{n} card left in the deck", "{n} cards left in the deck", state.piles[deck])
            return (_("{name} draws a card; {left}.").format(name=voice.name(seat), left=left),)
        case step.Passed(seat):
            return (voice.pick(seat, _("You pass."), _("{name} passes.")),)
        case step.Skipped(seat):
            return (
                voice.pick(
                    seat,
                    _("You can lay no card: the turn is over."),
                    _("{name} can lay no card: the turn is over."),
                ),
            )
        case step.Awarded(seat, stone):
            line = voice.pick(seat, _("Stone {stone} goes to you."), _("Stone {stone} goes to {name}."))
            return (line.format(stone=stone + 1),)
        case step.Ended(outcome):
            return (ending(voice, outcome),)
        case _:
            assert_never(event)


def reason(voice: Voice, outcome: step.Outcome) -> str:
    """Why the game ended, in a few words."""
    reasons = {
        step.Reason.ADJACENT: _("three adjacent stones"),
        step.Reason.FIVE: _("five stones"),
        step.Reason.STUCK: _("nobody can play any more, and more stones decide"),
        step.Reason.RESIGNED: _("the other side resigned"),
    }
    if outcome.reason is step.Reason.RESIGNED and outcome.winner != voice.me and voice.me is not None:
        return _("you resigned")
    return reasons[outcome.reason]


def ending(voice: Voice, outcome: step.Outcome) -> str:
    """Who won, why the game ended, and the points."""
    if outcome.winner is None:
        first = _("The game is over and drawn: nobody can play any more.")
    else:
        line = voice.pick(
            outcome.winner, _("The game is over: you win ({why})."), _("The game is over: {name} wins ({why}).")
        )
        first = line.replace("{why}", reason(voice, outcome))
    seats = (Seat(0), Seat(1)) if voice.me in (None, 0) else (Seat(1), Seat(0))
    points = ", ".join(f"{voice.who(seat)} {outcome.points[seat]}" for seat in seats)
    return first + " " + _("Points: {points}.").format(points=points)


def stone_text(voice: Voice, state: State, stone: StoneId) -> str:
    """One stone in a phrase: `stone 3: bob G2, you B8 B9`, with its owner when it has one."""
    here = state.stones[stone]
    seats = (Seat(0), Seat(1)) if voice.me in (None, 1) else (Seat(1), Seat(0))
    sides = ", ".join(f"{voice.who(seat)} {cards_text(state.rules, here.cards(seat))}" for seat in seats)
    owner = "" if here.owner is None else " (" + voice.pick(here.owner, _("yours"), _("{name}'s")) + ")"
    return _("stone {n}{owner}: {sides}").format(n=stone + 1, owner=owner, sides=sides)


def position_text(voice: Voice, state: State) -> tuple[str, ...]:
    """The whole table in sentences: every stone that is not empty, then piles."""
    lines = []
    empty = []
    for i, stone in enumerate(state.stones):
        if stone.owner is None and not any(side.cards for side in stone.sides):
            empty.append(str(i + 1))
        else:
            line = stone_text(voice, state, StoneId(i))
            lines.append(f"{line[0].upper()}{line[1:]}.")
    if empty:
        lines.append(_("Empty stones: {stones}.").format(stones=" ".join(empty)))
    piles = ", ".join(f"{deck.name} {n}" for deck, n in zip(state.rules.decks, state.piles, strict=True))
    lines.append(_("Cards left to draw: {piles}.").format(piles=piles))
    return tuple(lines)
