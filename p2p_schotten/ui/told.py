"""What a player is told when he asks: the open question, help, hand, discard, unseen cards, why not a stone."""

from __future__ import annotations

from p2p_schotten.engine.cards import members
from p2p_schotten.engine.claim import explain
from p2p_schotten.engine.formation import key_text
from p2p_schotten.engine.move import Claim, Move, Play, move_text
from p2p_schotten.engine.rules import apply
from p2p_schotten.engine.state import Phase, State
from p2p_schotten.engine.view import View
from p2p_schotten.errors import IllegalMove
from p2p_schotten.ids import CardId, StoneId, other
from p2p_schotten.ui.sentences import Voice
from p2p_schotten.ui.text import _

WAITING = ("board", "hand", "why 3", "unseen", "discard", "last", "say", "quit")  # need no turn


def numbers(stones: tuple[StoneId, ...]) -> str:
    """`1 2 4`"""
    return " ".join(str(stone + 1) for stone in stones)


def open_stones(view: View) -> tuple[StoneId, ...]:
    """Where this seat can lay a card."""
    return tuple(
        StoneId(i)
        for i, stone in enumerate(view.state.stones)
        if stone.owner is None and not stone.sides[view.seat].full
    )


def hand_line(state: State, hand: tuple[CardId, ...]) -> str:
    """The hand with its numbers."""
    if not hand:
        return _("Your hand is empty.")
    return _("Your hand: {cards}.").format(
        cards=", ".join(f"{n} {state.rules.text(card)}" for n, card in enumerate(hand, 1))
    )


def table_line(voice: Voice, view: View) -> str:
    """Every stone that is not empty, in one line: theirs before the slash, mine behind it."""
    state, parts = view.state, []
    for i, stone in enumerate(state.stones):
        if stone.owner is not None:
            owner = _("yours") if stone.owner == view.seat else _("{name}'s").format(name=voice.name(stone.owner))
            parts.append(f"{i + 1} {owner}")
        elif stone.arrived:
            theirs, mine = (state.rules.texts(stone.cards(seat)) or "-" for seat in (other(view.seat), view.seat))
            parts.append(f"{i + 1} {theirs}/{mine}")
    name = voice.name(other(view.seat))
    if not parts:
        return _("The stones are empty.")
    return _("Stones ({name}/you): {stones}.").format(name=name, stones="; ".join(parts))


def question(
    voice: Voice, view: View | None, hand: tuple[CardId, ...], choices: tuple[Move, ...], card: CardId | None
) -> tuple[str, ...]:
    """The open question and its numbered choices; empty when none is open."""
    if view is None or not choices:
        return ()
    state = view.state
    if card is not None:
        stones = tuple(move.stone for move in choices if isinstance(move, Play) and move.card == card)
        sentence = _("{card} on which stone? {stones}. back takes the card back.")
        return (sentence.format(card=state.rules.text(card), stones=numbers(stones)),)
    if state.phase is Phase.CLAIM:
        stones = tuple(move.stone for move in choices if isinstance(move, Claim))
        lines = [
            f"  {stone + 1}  "
            + _("claim stone {n} ({formation})").format(
                n=stone + 1,
                formation=key_text(side.key, side.terms),
            )
            for stone in stones
            for side in (state.stones[stone].sides[view.seat],)
        ]
        return (_("You may claim:"), *lines, f"  0  {_('go on without claiming')}")
    if any(isinstance(move, Play) for move in choices):
        return (
            _("Your turn. Which card? {cards} (? for help)").format(
                cards=", ".join(f"{n} {state.rules.text(c)}" for n, c in enumerate(hand, 1))
            ),
        )
    return (_("Your turn: {moves}.").format(moves=", ".join(move_text(state.rules, move) for move in choices)),)


def hint(view: View | None, asked: bool) -> str:
    """What would do at the open question."""
    if view is None or not asked:
        return _("It is not your turn to move.")
    if view.state.phase is Phase.CLAIM:
        stones = numbers(view.state.claimable)
        return _("You can claim {stones}: type claim and the number, or done.").format(stones=stones)
    example = _("type a card and a stone, as in play 2 4")
    return _("Stones with room: {stones}; {example}.").format(stones=numbers(open_stones(view)), example=example)


def help_lines(view: View | None, asked: bool, chosen: bool) -> tuple[str, ...]:
    """What can be typed at this prompt."""
    lines = []
    if asked and view is not None and view.state.phase is Phase.CLAIM:
        lines += [
            _("claim 3   claim stone 3 (or just 3)"),
            _("done      go on without claiming (or 0, or no)"),
        ]
    elif asked and chosen:
        lines += [
            _("4         lay the card on stone 4"),
            _("back      take the card back and choose another"),
        ]
    elif asked:
        lines += [
            _("2         choose card 2, then its stone"),
            _("play 2 4  lay card 2 on stone 4 (also 2 4)"),
            _("R7 4      lay the card R7 on stone 4"),
        ]
    if view is not None:
        lines += [
            _("board     the table again        hand      your cards"),
            _("why 3     why stone 3 cannot be claimed, and the cards that could beat it"),
            _("unseen    cards not seen yet     discard   the discard pile"),
        ]
    lines += [
        _("last      the last moves         last 20   more of them"),
        _("say TEXT  a word to the other player"),
        *((_("resign    give the game up (asks once)"),) if asked else ()),
        quit_help(),
        _("The first letters of a word are enough."),
    ]
    return tuple(lines)


def quit_help() -> str:
    """What leaving means."""
    return _("quit      leave; the game then ends unfinished, its transcript is kept")


def resign_help() -> tuple[str, ...]:
    """What can be typed when it is asked whether to resign."""
    return (
        _("yes       resign: the other player wins (or y)"),
        _("no        go on playing (or n)"),
        quit_help(),
    )


def unseen_lines(view: View) -> tuple[str, ...]:
    """The numbered cards that lie nowhere face up, clan by clan; own ones in brackets: they are no evidence."""
    rules = view.state.rules
    rows: dict[str, list[str]] = {}
    for card in rules.decks[0].cards:
        row = rows.setdefault(card.text[0], [])  # a colour without a card left keeps its row
        if view.state.unseen >> card.id & 1:
            row.append(f"({card.text})" if card.id in view.hand else card.text)
    count = len(members(view.state.unseen))
    first = _("{n} cards are unseen; those in brackets are in your hand and no evidence for a claim.").format(n=count)
    return (first, *(f"  {' '.join(row) or f'{colour} -'}" for colour, row in rows.items()))


def discard_line(state: State) -> str:
    """The face-up cards that lie at no stone."""
    lying = {card for stone in state.stones for card in stone.arrived}
    discarded = tuple(
        card.id for card in state.rules.decks[0].cards if not state.unseen >> card.id & 1 and card.id not in lying
    )
    if not discarded:
        return _("The discard pile is empty.")
    return _("Discard pile: {cards}.").format(cards=state.rules.texts(discarded))


def why_line(voice: Voice, view: View, stone: StoneId) -> str:
    """Whether the stone could be claimed, why, and the cards that stand against it."""
    verdict = explain(view.state, stone, view.seat)
    if verdict.claim:
        when = "" if view.state.phase is Phase.CLAIM else " " + _("You are asked after you have laid a card.")
        return _("You can claim stone {n}: {why}.").format(n=stone + 1, why=reason(voice, view, stone)) + when
    line = _("You cannot claim stone {n}: {why}.").format(n=stone + 1, why=reason(voice, view, stone))
    if not verdict.beaten_by:
        return line
    line += " " + _("Cards that beat it: {cards}.").format(cards=view.state.rules.texts(verdict.beaten_by))
    held = tuple(card for card in verdict.beaten_by if card in view.hand)
    if not held:
        return line
    sentence = _("In your hand, where it proves nothing: {cards}.")
    return line + " " + sentence.format(cards=view.state.rules.texts(held))


def reason(voice: Voice, view: View, stone: StoneId) -> str:
    """Why this seat may claim a stone or not, with the other player's name."""
    here, name = view.state.stones[stone], voice.name(other(view.seat))
    if here.owner is not None:
        return _("it is yours already") if here.owner == view.seat else _("it is {name}'s already").format(name=name)
    mine = here.sides[view.seat]
    if not mine.full:
        return _("your side has {k} of {n} cards").format(k=len(mine.cards), n=mine.terms.size)
    because = explain(view.state, stone, view.seat).because
    because = because.replace("complete the other side", _("complete {name}'s side"))
    because = because.replace("this side was", _("your side was")).replace("the other side", "{name}")
    return because.replace("{name}", name)


def why_not(voice: Voice, view: View, move: Move) -> str:
    """Why a move is not among the legal ones."""
    state = view.state
    if isinstance(move, Play) and move.card not in view.hand and state.unseen >> move.card & 1:
        return _("{card} is not in your hand").format(card=state.rules.text(move.card))
    if isinstance(move, Claim) and state.phase is Phase.CLAIM:
        return reason(voice, view, move.stone)
    try:
        apply(state, move)
    except IllegalMove as error:
        return error.reason
    return _("the rules do not offer it here")
