"""One sentence per event of the engine, and how a game ended."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from p2p_schotten.engine import step
from p2p_schotten.engine.fields import Beside, OnTable
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.state import State
from p2p_schotten.ids import DeckId, Seat, other
from p2p_schotten.ui.text import _, plural
from p2p_schotten.ui.voice import Voice


def tell_step(voice: Voice, state: State, event: step.Event) -> tuple[str, ...]:
    """The sentences for one event of the engine; `state` is the one after the step."""
    voice = replace(voice, rules=state.rules)
    match event:
        case step.Dealt(count, first):
            begins = voice.pick(first, _("You begin."), _("{name} begins."))
            if state.beside.attacker == first:
                begins = voice.pick(first, _("You attack and begin."), _("{name} attacks and begins."))
            return (plural("Each player holds {n} card.", "Each player holds {n} cards.", count) + " " + begins,)
        case step.Played(seat, card, stone):
            return (
                voice.pick(
                    seat,
                    _("You play {card} on stone {stone}."),
                    _("{name} plays {card} on stone {stone}."),
                    card=state.rules.text(card),
                    stone=stone + 1,
                ),
            )
        case step.Claimed(seat, stone):
            return (
                voice.pick(seat, _("You claim stone {stone}."), _("{name} claims stone {stone}."), stone=stone + 1),
            )
        case step.Drew(seat, deck):
            return _drew(voice, state, seat, deck)
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
            return (
                voice.pick(seat, _("Stone {stone} goes to you."), _("Stone {stone} goes to {name}."), stone=stone + 1),
            )
        case step.Ended(outcome):
            return (ending(voice, outcome),)
        case step.Used() | step.Moved() | step.Betrayed() | step.Recruited() | step.Discarded() | step.Eliminated():
            return (_tell_table(voice, state.rules, event),)
        case _:
            return (_tell_beside(voice, state, event),)


def _drew(voice: Voice, state: State, seat: Seat, deck: DeckId) -> tuple[str, ...]:
    if seat == voice.me:
        return ()  # Took tells it with the face
    left = plural("{n} card left in the deck", "{n} cards left in the deck", state.piles[deck])
    what = _("a card") if len(state.piles) == 1 else _("a {deck} card").format(deck=state.rules.decks[deck].name)
    return (_("{name} draws {what}; {left}.").format(name=voice.name(seat), what=what, left=left),)


def _tell_table(voice: Voice, rules: Ruleset, event: OnTable) -> str:
    """Cards that a tactic card or a siege moves face up."""
    match event:
        case step.Used(seat, card):
            return voice.pick(
                seat,
                _("You play {card} ({title})."),
                _("{name} plays {card} ({title})."),
                card=rules.text(card),
                title=rules.cards[card].title,
            )
        case step.Moved(seat, card, source, stone):
            return voice.pick(
                seat,
                _("You move {card} from stone {source} to stone {stone}."),
                _("{name} moves {card} from stone {source} to stone {stone}."),
                card=rules.text(card),
                source=source + 1,
                stone=stone + 1,
            )
        case step.Betrayed(seat, card, source, stone):
            return voice.pick(
                seat,
                _("You take {card} from stone {source} to your side of stone {stone}."),
                _("{name} takes {card} from stone {source} to his side of stone {stone}."),
                card=rules.text(card),
                source=source + 1,
                stone=stone + 1,
            )
        case step.Recruited(seat, card, stone):
            return voice.pick(
                seat,
                _("You take {card} from the discard pile to your side of stone {stone}."),
                _("{name} takes {card} from the discard pile to his side of stone {stone}."),
                card=rules.text(card),
                stone=stone + 1,
            )
        case step.Discarded(seat, cards, stone):
            return voice.pick(
                seat,
                _("Discarded from your side of stone {stone}: {cards}."),
                _("Discarded from {name}'s side of stone {stone}: {cards}."),
                cards=rules.texts(cards),
                stone=stone + 1,
            )
        case step.Eliminated(cards, stone):
            one, two = map(rules.text, cards)
            return _("{one} meets {two} at tile {stone}: both are discarded.").format(one=one, two=two, stone=stone + 1)
        case _:
            assert_never(event)


def _tell_beside(voice: Voice, state: State, event: Beside) -> str:
    """Piles, hands and walls: what happens only with tactic cards or in a siege."""
    rules = state.rules
    match event:
        case step.Returned(seat, deck):
            return _returned(voice, state, seat, deck)
        case step.Gave(seat, decks):
            return voice.pick(
                seat,
                _("You have chosen what you give: {cards}."),
                _("{name} has chosen {cards} to give."),
                cards=_backs(state, decks),
            )
        case step.Exchanged(count):
            return plural("{n} card changes hands each way.", "{n} cards change hands each way.", count)
        case step.Supported(seat, cards):
            return voice.pick(
                seat,
                _("You put {cards} back into the {deck} pile, which is shuffled."),
                _("{name} puts {cards} back into the {deck} pile, which is shuffled."),
                cards=rules.texts(cards),
                deck=rules.decks[0].name,
            )
        case step.Poured(seat, stone, left):
            return voice.pick(
                seat,
                _("You pour oil at tile {stone}; {left} left."),
                _("{name} pours oil at tile {stone}; {left} left."),
                stone=stone + 1,
                left=left,
            )
        case step.Retreated(seat, stone):
            return voice.pick(
                seat, _("You retreat from tile {stone}."), _("{name} retreats from tile {stone}."), stone=stone + 1
            )
        case step.Controlled(seat, stone):
            return voice.pick(
                seat,
                _("You control tile {stone}: both sides are discarded, and it is damaged."),
                _("{name} controls tile {stone}: both sides are discarded, and it is damaged."),
                stone=stone + 1,
            )
        case _:
            assert_never(event)


def _returned(voice: Voice, state: State, seat: Seat, deck: DeckId) -> str:
    top = state.rules.tactics is not None and state.rules.tactics.return_to == "top"
    where = _("on top of its pile") if top else _("under its pile")
    return voice.pick(
        seat,
        _("You put a {deck} card back {where}."),
        _("{name} puts a {deck} card back {where}."),
        deck=state.rules.decks[deck].name,
        where=where,
    )


def _backs(state: State, decks: tuple[DeckId, ...]) -> str:
    """Cards of which only the backs are seen: `2 siege, 1 tactic`."""
    counts = [(deck.name, decks.count(DeckId(number))) for number, deck in enumerate(state.rules.decks)]
    return ", ".join(f"{count} {name}" for name, count in counts if count)


def result(voice: Voice, outcome: step.Outcome) -> str:
    """Who won in one short line, the winner's points first: `You win 5-3 (five stones).`"""
    if outcome.winner is None:
        return _("The game is drawn {points}.").format(points="-".join(map(str, outcome.points)))
    seats = (outcome.winner, other(outcome.winner))
    points = "-".join(str(outcome.points[seat]) for seat in seats)
    won = _("You win {points} ({why})."), _("{name} wins {points} ({why}).")
    return voice.pick(outcome.winner, *won, points=points, why=reason(voice, outcome))


def reason(voice: Voice, outcome: step.Outcome) -> str:
    """Why the game ended, in a few words."""
    if outcome.reason is step.Reason.RESIGNED and outcome.winner is not None:
        return voice.pick(other(outcome.winner), _("you resigned"), _("{name} resigned"))
    reasons = {
        step.Reason.ADJACENT: _("three adjacent stones"),
        step.Reason.FIVE: _("five stones"),
        step.Reason.STUCK: _("nobody can play any more, and more stones decide"),
        step.Reason.BREACH: _("the wall is breached"),
        step.Reason.DAMAGED: _("a damaged tile is controlled"),
        step.Reason.HELD: _("the wall has held"),
        step.Reason.FULL: _("the defender has no room left"),
    }
    return reasons[outcome.reason]


def ending(voice: Voice, outcome: step.Outcome) -> str:
    """Who won, why the game ended, and the points."""
    if outcome.winner is None:
        first = _("The game is over and drawn: nobody can play any more.")
    else:
        won = _("The game is over: you win ({why})."), _("The game is over: {name} wins ({why}).")
        first = voice.pick(outcome.winner, *won, why=reason(voice, outcome))
    seats = (Seat(0), Seat(1)) if voice.me in (None, 0) else (Seat(1), Seat(0))
    points = ", ".join(f"{voice.who(seat)} {outcome.points[seat]}" for seat in seats)
    return first + " " + _("Points: {points}.").format(points=points)
