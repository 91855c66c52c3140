"""The open question: what is asked, its numbered choices, the prompt, and what would do."""

from __future__ import annotations

from typing import assert_never

from p2p_schotten.engine.cards import Power
from p2p_schotten.engine.move import Oil
from p2p_schotten.engine.rules import apply
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.state import Phase, State
from p2p_schotten.engine.step import Discarded
from p2p_schotten.engine.view import View
from p2p_schotten.ids import CardId, StoneId, other
from p2p_schotten.ui.asking import (
    DISCARD,
    NO_STONE,
    Part,
    Parts,
    Slot,
    Way,
    below,
    lead,
    options,
    slot_after,
    spellings,
    texts,
)
from p2p_schotten.ui.claims import formation_text
from p2p_schotten.ui.text import _, plural
from p2p_schotten.ui.voice import Voice
from p2p_schotten.ui.wall import said

FORMS_IN_FULL = 4  # choices that are spelt out each; more would be longer than a line


def verbs(known: tuple[Way, ...]) -> tuple[str, ...]:
    """The first words of the legal moves, each once."""
    return texts(options(known, ()))


def claim_word(state: State) -> str:
    """What a claim is called: in a siege a stone is controlled."""
    return "claim" if state.rules.siege is None else "control"


def prompt(view: View, known: tuple[Way, ...], chosen: Parts) -> str:
    """What stands before the cursor."""
    parts = chosen or lead(known)
    slot = slot_after(view.state, texts(parts))
    if slot is None:
        return _("move> ")
    verb, *named = texts(parts)
    if verb == "play":
        return f"{_noun(view.state.rules, slot)} {_('for')} {' '.join(named)}> " if named else _("card> ")
    word = claim_word(view.state) if verb == "claim" else verb
    return " ".join([word, *named]) + "> "


def _noun(rules: Ruleset, slot: Slot) -> str:
    match slot:
        case Slot.HAND | Slot.OWN | Slot.THEIRS | Slot.OFF:
            return _("card")
        case Slot.STONE:
            return said(rules, _("stone"))
        case Slot.PLACE:
            return said(rules, _("stone or 0"))
        case Slot.WHOSE:
            return _("own or other")
        case Slot.DECK:
            return _("deck")
        case _:
            assert_never(slot)


def question(
    voice: Voice, view: View, hand: tuple[CardId, ...], known: tuple[Way, ...], chosen: Parts
) -> tuple[str, ...]:
    """The open question and its numbered choices."""
    if chosen:
        first, *more = _next(voice, view, hand, known, chosen)
        return (f"{first} {_('back takes one step back.')}", *more)
    first_word = lead(known)
    match texts(first_word):
        case ("play",):
            ask = _("Your turn. Which card? {cards} (? for help)").format(cards=numbered_hand(view.state, hand))
            return (ask, *beside_play(view, hand, known))
        case ("claim",) if view.state.phase is Phase.CLAIM:
            return _claims(view, known)
        case ("draw" | "return" | "give" | "discard",):
            return tuple(_next(voice, view, hand, known, first_word))
    return (_("Your turn, without a card to play. You may:"), *_others(view, known))


def numbered_hand(state: State, hand: tuple[CardId, ...]) -> str:
    """`1 R2, 2 G5`, tactic cards behind a semicolon."""
    decks = [
        ", ".join(
            f"{n} {state.rules.text(card)}" for n, card in enumerate(hand, 1) if state.rules.deck_of(card) == deck
        )
        for deck in range(len(state.rules.decks))
    ]
    return "; ".join(filter(None, decks))


def _claims(view: View, known: tuple[Way, ...]) -> tuple[str, ...]:
    siege = view.state.rules.siege is not None
    sentence = _("control tile {n} ({formation})") if siege else _("claim stone {n} ({formation})")
    lines = [
        f"  {stone + 1}  {sentence.format(n=stone + 1, formation=formation)}" for stone, formation in _claimable(view)
    ]
    decks = options(known, (Part("draw"),))
    go_on = _("go on without controlling") if siege else _("go on without claiming")
    if decks:
        go_on = _("draw and end your turn ({draws})").format(
            draws=_(" or ").join(f"draw {deck}" for deck in texts(decks))
        )
    return (_("You may control:") if siege else _("You may claim:"), *lines, f"  0  {go_on}")


def _claimable(view: View) -> list[tuple[StoneId, str]]:
    sides = [(stone, view.state.stones[stone].sides[view.seat]) for stone in view.state.claimable]
    return [(stone, formation_text(side.key, side.terms)) for stone, side in sides]


def beside_play(view: View, hand: tuple[CardId, ...], known: tuple[Way, ...]) -> tuple[str, ...]:
    """What else may be done where a card is to be played, and the cards that cannot be played now."""
    lines = []
    others = _others(view, known)
    if others:
        passes = verbs(known) == ("play", "pass")
        lines += [_("Or you may:") if passes else _("Before the card you may:"), *others]
    playable = texts(options(known, (Part("play"),)))
    stuck = tuple(dict.fromkeys(view.state.rules.text(card) for card in hand))
    stuck = tuple(text for text in stuck if text not in playable)
    if stuck:
        sentence = _("Not playable now: {cards}; why {card} says why.")
        lines.append(sentence.format(cards=" ".join(stuck), card=stuck[0]))
    return tuple(lines)


def _others(view: View, known: tuple[Way, ...]) -> list[str]:
    lines = []
    for verb in verbs(known):
        match verb:
            case "claim":
                word = claim_word(view.state)
                lines += [f"  {word} {stone + 1}  ({formation})" for stone, formation in _claimable(view)]
            case "retreat":
                lines.append(f"  {_form(view, known, verb)}  {_('(discards all your cards there)')}")
            case "oil":
                pours = _poured(view.state, known)
                what = plural("oil is left for {n} turn", "oil is left for {n} turns", view.state.beside.oil)
                what = _("one of them; {oil}").format(oil=what) if len(pours) > 1 else what
                lines.append(f"  {', '.join(pours)}  ({what})")
            case "pass":
                lines.append(f"  pass  {_('(lay nothing)')}")
            case "done":
                lines.append(f"  done  {_('(go on)')}")
            case "draw":
                lines.append(f"  {_form(view, known, verb)}")
    return lines


def _poured(state: State, known: tuple[Way, ...]) -> list[str]:
    """What may be typed to pour oil, and the card that it would discard there: `oil 3 discards R7`."""
    oils = [way.move for way in known if isinstance(way.move, Oil)]
    return [
        _("{form} discards {card}").format(form=f"oil {move.stone + 1}", card=state.rules.texts(event.cards))
        for move in oils
        for event in apply(state, move).events
        if isinstance(event, Discarded)
    ]


def _next(voice: Voice, view: View, hand: tuple[CardId, ...], known: tuple[Way, ...], parts: Parts) -> list[str]:
    """The question about the next word, with its choices."""
    state = view.state
    slot = slot_after(state, texts(parts))
    assert slot is not None
    offered = options(known, parts)
    ask = _ask(voice, view, parts, slot)
    match slot:
        case Slot.HAND:
            texts_left = {part.text for part in offered}
            left = [f"{n} {state.rules.text(c)}" for n, c in enumerate(hand, 1) if state.rules.text(c) in texts_left]
            return [f"{ask} {', '.join(left)}."]
        case Slot.OWN | Slot.THEIRS:
            return [ask, *_by_stone(state, offered)]
        case Slot.OFF:
            return [ask, "  " + ", ".join(f"{n} {part.text}" for n, part in enumerate(offered, 1))]
        case Slot.STONE | Slot.PLACE:
            return [f"{ask} {' '.join(_numbers(offered))}."]
        case Slot.DECK:
            decks = [deck.name for deck in state.rules.decks]
            left = [f"{n} {part.text} ({state.piles[decks.index(part.text)]})" for n, part in enumerate(offered, 1)]
            return [f"{ask} {', '.join(left)}."]
        case Slot.WHOSE:
            stone = state.stones[int(parts[-1].text) - 1]
            seats = {"own": view.seat, "other": other(view.seat)}
            left = [
                f"{n} {part.text} ({state.rules.texts(stone.cards(seats[part.text]))})"
                for n, part in enumerate(offered, 1)
            ]
            return [f"{ask} {', '.join(left)}."]
        case _:
            assert_never(slot)


def _numbers(offered: Parts) -> list[str]:
    """Stones, or cards, as a player chooses them, the discard pile last: `1 4 0 (discard)`."""
    return [f"{NO_STONE} ({_('discard')})" if word == DISCARD else word for word in spellings(offered)]


def _by_stone(state: State, offered: Parts) -> list[str]:
    """One line for each stone, with the numbers that stand for the cards there."""
    rows: dict[int, list[str]] = {}
    for number, part in enumerate(offered, 1):
        assert part.card is not None
        rows.setdefault(stone_of(state, part.card), []).append(f"{number} {part.text}")
    return [f"  {_('stone {n}:').format(n=stone + 1)} {', '.join(cards)}" for stone, cards in rows.items()]


def stone_of(state: State, card: CardId) -> int:
    """The number, from 0, of the stone where the card lies."""
    for number, stone in enumerate(state.stones):
        if card in stone.arrived or any(card == laid for _seat, laid in stone.ground.modes):
            return number
    raise AssertionError(f"card {card} lies at no stone")


def _ask(voice: Voice, view: View, parts: Parts, slot: Slot) -> str:
    state, name = view.state, voice.name(other(view.seat))
    beside = state.beside
    match texts(parts):
        case ("play",):
            return _("Which card?")
        case ("play", card, *named):
            return _ask_about(view, card, named, slot).format(
                card=card, title=state.rules.cards[state.rules.card(card)].title, named=" ".join(named), name=name
            )
        case ("draw",) if state.phase is Phase.SCOUT:
            return _("Draw {cards} more: the next from which deck?").format(cards=count_cards(beside.left))
        case ("draw",):
            return _("Draw a card from which deck?")
        case ("return",):
            top = state.rules.tactics is not None and state.rules.tactics.return_to == "top"
            one = _("on top of its pile") if top else _("under its pile")
            several = _("on top of their piles") if top else _("under their piles")
            where = one if beside.left == 1 else several
            sentence = _("Put {cards} of your hand back face down, {where}. Which one?")
            return sentence.format(cards=count_cards(beside.left), where=where)
        case ("give", *given):
            sentence = _("Give {cards} of your hand to {name} for as many of his. Which one?")
            return sentence.format(cards=count_cards(beside.left - len(given)), name=name)
        case ("discard",) if beside.crowded is not None:
            return said(state.rules, _("Your side of stone {n} has a card too many. Which one is discarded?")).format(
                n=beside.crowded + 1
            )
        case ("oil",):
            return _("Pour oil at which tile?")
        case ("retreat",):
            return _("Retreat from which tile?")
        case ("claim",):
            return _("Control which tile?") if state.rules.siege is not None else _("Claim which stone?")
    return _("Which one?")


def _ask_about(view: View, card: str, named: list[str], slot: Slot) -> str:
    """The question about an argument of a card that is played, with fields to fill in."""
    rules = view.state.rules
    match rules.cards[rules.card(card)].power, slot:
        case Power.REDEPLOY, Slot.OWN:
            return _("{card} ({title}): which of your cards do you move?")
        case Power.REDEPLOY, _slot:
            return said(rules, _("{card}: {named} to which stone, or to the discard pile?"))
        case Power.DESERT, _slot:
            return _("{card} ({title}): which card of {name}'s is discarded?")
        case Power.BETRAY, Slot.THEIRS:
            return _("{card} ({title}): which card of {name}'s do you take?")
        case Power.RECRUIT, Slot.OFF:
            return _("{card} ({title}): which card of the discard pile do you take?")
        case ((Power.BETRAY | Power.RECRUIT), _slot):
            return said(rules, _("{card}: {named} to which stone?"))
        case Power.BLOW_UP, Slot.STONE:
            return said(rules, _("{card} ({title}): at which stone is a side discarded?"))
        case Power.BLOW_UP, _slot:
            return said(rules, _("{card}: whose side of stone {named} is discarded?"))
        case Power.SUPPORT, _slot:
            if named:
                return _("{card}: {named} and which other card go back?")
            return _("{card} ({title}): which two cards of the discard pile go back into their pile? First?")
    return said(rules, _("{card} on which stone?"))


def hint(view: View, known: tuple[Way, ...], tried: Parts) -> str:
    """What would do at the open question, after the words `tried` led to nothing."""
    good = tried
    while good and not below(known, good):
        good = good[:-1]
    offered = options(known, good)
    if len(good) > 1 and offered:
        sentence = _("{move} can be followed by: {options}.")
        return sentence.format(move=" ".join(texts(good)), options=" ".join(_numbers(offered)))
    state = view.state
    asked = ("play", "claim") if state.phase is Phase.CLAIM else ("play",)
    if good and good[0].text not in asked:
        return _("You can type: {moves}.").format(moves=_form(view, known, good[0].text))
    match texts(lead(known)):
        case ("play",):
            stones = " ".join(
                str(stone + 1) for stone in range(len(state.stones)) if state.places[view.seat] >> stone & 1
            )
            example = said(state.rules, _("type a card and a stone, as in play 2 4"))
            return said(state.rules, _("Stones with room: {stones}; {example}.")).format(
                stones=stones or "-", example=example
            )
        case ("claim",) if state.phase is Phase.CLAIM:
            stones = " ".join(str(stone + 1) for stone in state.claimable)
            end = _("draw and a deck") if "draw" in verbs(known) else "done"
            sentence = _("You can {claim} {stones}: type {claim} and the number, or {end}.")
            return sentence.format(claim=claim_word(state), stones=stones, end=end)
    forms = [_form(view, known, verb) for verb in ((good[0].text,) if good else verbs(known))]
    return _("You can type: {moves}.").format(moves=", ".join(forms))


def _form(view: View, known: tuple[Way, ...], verb: str) -> str:
    """A verb with its choices, each as it is typed: `retreat 1 or retreat 3`; many are listed behind it."""
    word = claim_word(view.state) if verb == "claim" else verb
    choices = tuple(dict.fromkeys(texts(options(known, (Part(verb),)))))
    if len(choices) <= FORMS_IN_FULL:
        return _(" or ").join([f"{word} {choice}" for choice in choices]) or word
    return _("{word} and one of {choices}").format(word=word, choices=" ".join(choices))


def count_cards(count: int) -> str:
    """`1 card`, `2 cards`"""
    return plural("{n} card", "{n} cards", count)
