"""The table in sentences, for somebody who hears it."""

from __future__ import annotations

from p2p_schotten.engine.state import State
from p2p_schotten.ids import DeckId, Seat, StoneId
from p2p_schotten.ui.grounds import described, when_damaged
from p2p_schotten.ui.text import _, plural
from p2p_schotten.ui.voice import Voice, cards_text
from p2p_schotten.ui.wall import said


def stone_text(voice: Voice, state: State, stone: StoneId) -> str:
    """One stone in a phrase: `stone 3: bob G2, you B8 B9`, with its owner when it has one."""
    here = state.stones[stone]
    seats = (Seat(0), Seat(1)) if voice.me in (None, 1) else (Seat(1), Seat(0))
    sides = ", ".join(f"{voice.who(seat)} {cards_text(state.rules, here.cards(seat))}" for seat in seats)
    owner = () if here.owner is None else (voice.pick(here.owner, _("yours"), _("{name}'s")),)
    ground = "; ".join(filter(None, (described(state, stone), when_damaged(state, stone))))
    special = ", ".join(filter(None, (*owner, ground)))
    return said(state.rules, _("stone {n}{special}: {sides}")).format(
        n=stone + 1, special=f" ({special})" if special else "", sides=sides
    )


def position_text(voice: Voice, state: State) -> tuple[str, ...]:
    """The whole table in sentences: every stone that is not empty, then piles."""
    lines = []
    empty = []
    for i, stone in enumerate(state.stones):
        plain = stone.owner is None and not described(state, StoneId(i))
        if plain and not any(side.cards for side in stone.sides):
            empty.append(str(i + 1))
        else:
            line = stone_text(voice, state, StoneId(i))
            lines.append(f"{line[0].upper()}{line[1:]}.")
    if empty:
        lines.append(said(state.rules, _("Empty stones: {stones}.")).format(stones=" ".join(empty)))
    return (*lines, piles_text(state), *beside_text(voice, state))


def piles_text(state: State) -> str:
    """How many cards each pile has."""
    piles = ", ".join(f"{deck.name} {n}" for deck, n in zip(state.rules.decks, state.piles, strict=True))
    return _("Cards left to draw: {piles}.").format(piles=piles)


def emptied_text(state: State, deck: DeckId) -> str:
    """The last card of that pile has been drawn: what that means."""
    others = [other.name for number, other in enumerate(state.rules.decks) if state.piles[number]]
    if others and not (state.rules.siege is not None and deck == 0):
        sentence = _("The {deck} deck is empty: only {others} cards are drawn now.")
        return sentence.format(deck=state.rules.decks[deck].name, others=others[0])
    return _("The {deck} deck is empty: nobody draws any more.").format(deck=state.rules.decks[deck].name)


def last_turn(state: State) -> bool:
    """The siege deck is empty, and the attacker has his one more turn."""
    return not state.over and state.beside.attacker == state.turn and not state.piles[0]


def last_turn_text() -> str:
    """Said when that turn begins."""
    return _("This is the attacker's last turn.")


def beside_text(voice: Voice, state: State) -> tuple[str, ...]:
    """What there is beside the stones, a sentence each; nothing in a game without tactics and siege."""
    lines = []
    beside = state.beside
    if beside.attacker is not None:
        attacks = voice.pick(beside.attacker, _("You attack the wall"), _("{name} attacks the wall"))
        lines.append(_("{attacks}; the defender has {n} oil left.").format(attacks=attacks, n=beside.oil))
    if last_turn(state):
        lines.append(last_turn_text())
    if state.rules.tactics is not None:
        seats = (Seat(0), Seat(1)) if voice.me in (None, 0) else (Seat(1), Seat(0))
        played = ", ".join(f"{voice.who(seat)} {beside.tactics[seat]}" for seat in seats)
        lines.append(_("Tactic cards played: {played}.").format(played=played))
    if beside.discard:
        lines.append(plural("{n} card is discarded.", "{n} cards are discarded.", len(beside.discard)))
    return tuple(lines)
