"""What a player is told when he asks: the table, his hand, the discard pile, unseen cards, why not a stone or card."""

from __future__ import annotations

from p2p_schotten.engine.cards import Power, members
from p2p_schotten.engine.claim import explain
from p2p_schotten.engine.ruleset import ClaimWindow
from p2p_schotten.engine.state import Phase, State
from p2p_schotten.engine.tactics import SUPPORTED, betrayable, beyond_limit, discarded
from p2p_schotten.engine.view import View
from p2p_schotten.ids import CardId, StoneId, other
from p2p_schotten.ui.asking import Part, Way, below, options, reasons, spellings
from p2p_schotten.ui.claims import claim_reason
from p2p_schotten.ui.grounds import described, when_damaged
from p2p_schotten.ui.questions import claim_word, numbered_hand
from p2p_schotten.ui.table_text import beside_text, piles_text
from p2p_schotten.ui.text import _, plural
from p2p_schotten.ui.voice import Voice
from p2p_schotten.ui.wall import said

WAITING = ("board", "hand", "why 3", "unseen", "discard", "last", "say", "quit")  # need no turn


def hand_line(view: View, hand: tuple[CardId, ...]) -> str:
    """The hand with its numbers."""
    if not hand:
        return _("Your hand is empty.")
    return _("Your hand: {cards}.").format(cards=numbered_hand(view.state, hand))


def memory_lines(view: View) -> tuple[str, ...]:
    """Cards that are hidden, but not from me: I held them."""
    lines = []
    for cards, sentence in (
        (view.memory.returned, _("Cards that you put back into a pile: {cards}.")),
        (view.memory.given, _("Cards that you gave to the other player: {cards}.")),
    ):
        hidden = tuple(card for card in cards if view.state.unseen >> card & 1 and card not in view.hand)
        if hidden:
            lines.append(sentence.format(cards=view.state.rules.texts(hidden)))
    return tuple(lines)


def table_line(voice: Voice, view: View) -> str:
    """Every stone that has something to tell, in one line: theirs before the slash, mine behind it."""
    state, parts, empty = view.state, [], []
    for i, stone in enumerate(state.stones):
        if stone.owner is not None:
            owner = _("yours") if stone.owner == view.seat else _("{name}'s").format(name=voice.name(stone.owner))
            parts.append(f"{i + 1} {owner}")
            continue
        special = described(state, StoneId(i))
        if not stone.arrived and not stone.ground.modes:
            empty.append(f"{i + 1} ({_('damaged')})" if stone.ground.damaged else f"{i + 1}")
        else:
            theirs, mine = (state.rules.texts(stone.cards(seat)) or "-" for seat in (other(view.seat), view.seat))
            parts.append(f"{i + 1} ({special}) {theirs}/{mine}" if special else f"{i + 1} {theirs}/{mine}")
    name = voice.name(other(view.seat))
    line = said(state.rules, _("The stones are empty."))
    if parts:
        line = said(state.rules, _("Stones ({name}/you): {stones}.")).format(name=name, stones="; ".join(parts))
        if state.rules.siege is not None and empty:
            line += " " + _("Empty tiles: {tiles}.").format(tiles=", ".join(empty))
    return " ".join([line, piles_text(state), *beside_text(voice, state)])


def unseen_lines(view: View) -> tuple[str, ...]:
    """The cards that lie nowhere face up, clan by clan; own ones in brackets: they are no evidence."""
    rules, unseen = view.state.rules, view.state.unseen
    rows: dict[str, list[str]] = {}
    for card in rules.decks[0].cards:
        row = rows.setdefault(card.text[0], [])  # a colour without a card left keeps its row
        if unseen >> card.id & 1:
            row.append(f"({card.text})" if card.id in view.hand else card.text)
    count = len(members(unseen & rules.grid.all))
    first = _("{n} cards are unseen; those in brackets are in your hand and no evidence for a claim.").format(n=count)
    lines = [first, *(f"  {' '.join(row) or f'{colour} -'}" for colour, row in rows.items())]
    for deck in rules.decks[1:]:
        left = [f"({card.text})" if card.id in view.hand else card.text for card in deck.cards if unseen >> card.id & 1]
        lines.append(_("Unseen {deck} cards: {cards}.").format(deck=deck.name, cards=" ".join(left) or "-"))
    return (*lines, *memory_lines(view))


def discard_line(state: State) -> str:
    """The discard pile, oldest first."""
    if not state.beside.discard:
        return _("The discard pile is empty.")
    return _("Discard pile: {cards}.").format(cards=state.rules.texts(state.beside.discard))


def why_line(voice: Voice, view: View, stone: StoneId) -> str:
    """Whether the stone could be claimed, why, and the cards that stand against it."""
    state, claim = view.state, claim_word(view.state)
    claimant = view.seat if state.beside.attacker is None else state.beside.attacker
    verdict = explain(state, stone, claimant)
    if claimant == view.seat:
        sentence = (
            said(state.rules, _("You can {claim} stone {n}: {why}."))
            if verdict.claim
            else said(state.rules, _("You cannot {claim} stone {n}: {why}."))
        )
    else:
        sentence = (
            _("Only {name} can control tiles. He could now control tile {n}: {why}.")
            if verdict.claim
            else _("Only {name} can control tiles. He cannot control tile {n}: {why}.")
        )
    why = claim_reason(voice, view, stone, claimant)
    line = sentence.format(claim=claim, n=stone + 1, why=why, name=voice.name(claimant))
    special = described(state, stone)
    if special:
        worse = when_damaged(state, stone)
        special += f" ({worse})" if worse else ""
        line = said(state.rules, _("Stone {n} is {special}.")).format(n=stone + 1, special=special) + " " + line
    if verdict.claim and claimant == view.seat:
        return line + _window(state)
    if not verdict.beaten_by:
        return line
    line += " " + _("Cards that beat it: {cards}.").format(cards=state.rules.texts(verdict.beaten_by))
    held = tuple(card for card in verdict.beaten_by if card in view.hand)
    if not held or claimant != view.seat:
        return line
    return line + " " + _("In your hand, where it proves nothing: {cards}.").format(cards=state.rules.texts(held))


def _window(state: State) -> str:
    """When that claim will be asked for, unless it is now."""
    if state.claimable or state.phase is Phase.OVER:
        return ""
    when = {
        ClaimWindow.AFTER_PLAY: _("You are asked after you have laid a card."),
        ClaimWindow.START: _("You are asked at the start of your turn, before you play."),
        ClaimWindow.ATTACKER: _("You are asked in your turn."),
    }
    return " " + when[state.rules.claims]


def why_card(voice: Voice, view: View, text: str, known: tuple[Way, ...]) -> str:
    """Whether the card can be played now, and why not."""
    rules = view.state.rules
    chosen = (Part("play"), Part(text))
    if below(known, chosen):
        offered = " ".join(spellings(options(known, chosen)))
        if not offered:
            return _("You can play {card}: type play {card}.").format(card=text)
        return _("You can play {card}: play {card} can be followed by {options}.").format(card=text, options=offered)
    if not any(card in view.hand for card in rules.named(text)):
        return _("{card} is not in your hand.").format(card=text)
    return _("You cannot play {card} now: {why}.").format(card=text, why=why_not(voice, view, ("play", text)))


def why_not(voice: Voice, view: View, words: tuple[str, ...]) -> str:
    """Why no legal move begins with these words."""
    rules = view.state.rules
    match words:
        case ("claim", stone) if view.state.claimable:
            return claim_reason(voice, view, StoneId(int(stone) - 1), view.seat)
        case (("play" | "return" | "give"), *cards):
            for text in cards[:1] if words[0] == "play" else cards:
                named = rules.named(text)
                held = [card for card in named if card in view.hand]
                if not held and view.state.unseen >> named[0] & 1:
                    return _("{card} is not in your hand").format(card=text)
                if words[0] == "give" and cards.count(text) > len(held):
                    return _("{card} is chosen already").format(card=text)
    because = reasons(view, words)
    if because == (beyond_limit(view.state),):
        return _limit(voice, view)
    if len(because) == 1:
        return because[0]
    match words:
        case ("play", card):
            return _nothing_for(voice, view, rules.cards[rules.card(card)].power)
    return said(rules, _("there is no fitting card or stone for it now"))


def _limit(voice: Voice, view: View) -> str:
    """The rule that `beyond_limit` tells of any seat, told to the player."""
    played, foe = view.state.beside.tactics, other(view.seat)
    cards = plural("you have played {n} tactic card", "you have played {n} tactic cards", played[view.seat])
    sentence = _("{cards} and {name} {theirs}: you may be one ahead, and you are")
    return sentence.format(cards=cards, name=voice.name(foe), theirs=played[foe])


def _nothing_for(voice: Voice, view: View, power: Power | None) -> str:
    """What a card that acts would need and does not find."""
    state, name = view.state, voice.name(other(view.seat))
    clan = state.rules.decks[0].name
    room = _("you have no room on any side")
    match power:
        case Power.REDEPLOY:
            return _("you have no card that it may move")
        case Power.DESERT:
            return _("{name} has no card that it may discard").format(name=name)
        case Power.BETRAY if not betrayable(state, other(view.seat)):
            return _("{name} has no {clan} card that it may take").format(name=name, clan=clan)
        case Power.RECRUIT if not discarded(state):
            return _("no {clan} card lies in the discard pile").format(clan=clan)
        case Power.BLOW_UP:
            return _("no card lies on any side")
        case Power.SUPPORT:
            sentence = _("it needs {n} {clan} cards of the discard pile, and there are fewer")
            return sentence.format(n=SUPPORTED, clan=clan)
    return room
