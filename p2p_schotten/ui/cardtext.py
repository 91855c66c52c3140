"""What one card does, in the words of the game: written from its power and the values of the ruleset."""

from __future__ import annotations

from typing import assert_never

from p2p_schotten.engine.cards import Card, Power
from p2p_schotten.engine.hands import RETURNED, SCOUTED
from p2p_schotten.engine.move import MAX_GIVEN
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.tactics import SUPPORTED
from p2p_schotten.ui.text import _
from p2p_schotten.ui.wall import said


def explain(rules: Ruleset, card: Card) -> tuple[str, ...]:
    """What the card is and does, and how it is typed; a few sentences."""
    if card.power is None:
        return _numbered(rules, card)
    title = f"{card.text} ({card.title}): "
    first, *more = _does(rules, card, card.power)
    return (title + first, *more, _("You type: {forms}.").format(forms=_(" or ").join(forms(rules, card))))


def _numbered(rules: Ruleset, card: Card) -> tuple[str, ...]:
    assert card.colour is not None
    assert card.value is not None
    deck, grid = rules.decks[card.deck].name, rules.grid
    first = _("{card} is a {deck} card of strength {value}.").format(card=card.text, deck=deck, value=card.value)
    if rules.siege is None or card.value not in (grid.low, grid.high):
        return (first,)
    opposite = rules.text(grid.card(card.colour, grid.low + grid.high - card.value))
    return first, said(rules, _("Laid opposite {opposite} at a stone, both are discarded.")).format(opposite=opposite)


def brief(rules: Ruleset, card: Card) -> str:
    """The same in the shortest words, for a list of all tactic cards."""
    match card.power:
        case None:
            return ""
        case Power.JOKER:
            return _("any colour, any strength {low} to {high}").format(low=rules.grid.low, high=rules.grid.high)
        case Power.ELITE:
            return _("any colour, strength {values}").format(values=_values(card))
        case Power.FOG:
            return said(rules, _("at a stone: only the sum counts there"))
        case Power.MUD:
            return said(rules, _("at a stone: one card more on each side"))
        case Power.SCOUT:
            return _("draw {n} cards, put {m} back").format(n=SCOUTED, m=RETURNED)
        case Power.REDEPLOY:
            return said(rules, _("move an own card to another stone, or discard it"))
        case Power.DESERT:
            return _("discard a card of the other player's")
        case Power.BETRAY:
            return _("take a {deck} card of the other player's").format(deck=rules.decks[0].name)
        case Power.RECRUIT:
            return _("take a {deck} card of the discard pile").format(deck=rules.decks[0].name)
        case Power.BLOW_UP:
            return said(rules, _("discard one side of a stone"))
        case Power.SUPPORT:
            return _("shuffle {n} discarded cards into their pile").format(n=SUPPORTED)
        case Power.EXCHANGE:
            return _("both players swap up to {n} cards of their hands").format(n=MAX_GIVEN)
        case _:
            assert_never(card.power)


def forms(rules: Ruleset, card: Card) -> tuple[str, ...]:
    """How the card is typed."""
    play, stone = f"play {card.text}", rules.place.upper()
    match card.power:
        case None | Power.JOKER | Power.ELITE | Power.FOG | Power.MUD:
            return (f"{play} {stone}",)
        case Power.SCOUT | Power.EXCHANGE:
            return (play,)
        case Power.REDEPLOY:
            return f"{play} CARD {stone}", f"{play} CARD discard"
        case Power.DESERT:
            return (f"{play} CARD",)
        case Power.BETRAY | Power.RECRUIT:
            return (f"{play} CARD {stone}",)
        case Power.BLOW_UP:
            return f"{play} {stone} own", f"{play} {stone} other"
        case Power.SUPPORT:
            return (f"{play} CARD CARD",)
        case _:
            assert_never(card.power)


def _values(card: Card) -> str:
    assert card.wild is not None
    low, high = card.wild
    return str(low) if low == high else _("{low} to {high}").format(low=low, high=high)


def _does(rules: Ruleset, card: Card, power: Power) -> tuple[str, ...]:
    tactics, clan = rules.tactics, rules.decks[0].name
    assert tactics is not None
    match power:
        case Power.JOKER | Power.ELITE:
            return _wild(rules, card, power, tactics.joker_limit)
        case Power.FOG:
            first = said(
                rules, _("lay it at an unclaimed stone. From then on only the sum counts there, no formation.")
            )
            return (first, *_lying(rules, tactics.modes_targetable))
        case Power.MUD:
            first = said(
                rules, _("lay it at an unclaimed stone. From then on each side there takes one card more ({n}).")
            )
            full = said(
                rules, _("A side that was full has room again, and the stone may be claimed only with all its cards.")
            )
            return (first.format(n=rules.tiles[0].size + 1), full, *_lying(rules, tactics.modes_targetable))
        case Power.SCOUT:
            where = _("on top of") if tactics.return_to == "top" else _("under")
            first = _("draw {n} cards one by one, each from the deck you like (fewer if fewer are left).")
            then = _("Then put {m} cards of your hand back face down, {where} the piles they came from, in your order.")
            last = _("You draw no other card in this turn if your hand is full. Playable while a pile has a card.")
            return first.format(n=SCOUTED), then.format(m=RETURNED, where=where), last
        case Power.REDEPLOY:
            first = said(rules, _("take {what} of your own from {stone} and lay it on your side of another one,"))
            return first.format(what=_what(rules), stone=_stone(rules)), _("where there is room, or discard it.")
        case Power.DESERT:
            first = said(rules, _("discard {what} of the other player's at {stone}."))
            return (first.format(what=_what(rules), stone=_stone(rules)),)
        case Power.BETRAY:
            first = said(rules, _("take a {clan} card of the other player's at {stone} (no tactic card)"))
            return first.format(clan=clan, stone=_stone(rules)), _("and lay it on your side of any stone with room.")
        case Power.RECRUIT:
            first = said(
                rules, _("take a {clan} card from the discard pile and lay it on your side of a stone with room.")
            )
            return (first.format(clan=clan),)
        case Power.BLOW_UP:
            return (said(rules, _("discard all cards of one side, yours or the other player's, at one stone.")),)
        case Power.SUPPORT:
            first = _("choose {n} {clan} cards of the discard pile: they are shuffled into their pile.")
            last = _("Playable while the discard pile has {n} of them, and the pile they go back into has {n} cards.")
            return first.format(n=SUPPORTED, clan=clan), last.format(n=SUPPORTED, clan=clan)
        case Power.EXCHANGE:
            first = _("you choose {n} cards of your hand, then the other player does, and they are swapped.")
            return first.format(n=MAX_GIVEN), _("With fewer cards in a hand so many fewer. Nobody else sees them.")
        case _:
            assert_never(power)


def _wild(rules: Ruleset, card: Card, power: Power, limit: bool) -> tuple[str, ...]:
    first = said(
        rules, _("lay it on your side of a stone like a {clan} card. It counts as any colour, strength {values},")
    )
    lines = [
        first.format(clan=rules.decks[0].name, values=_values(card)),
        said(rules, _("whatever makes your side best when the stone is decided; you need not choose.")),
    ]
    if power is Power.JOKER:
        same = [other for other in rules.decks[1].cards if other.power is Power.JOKER]
        if limit and len(same) > 1:
            names = _(" and ").join(dict.fromkeys(other.text for other in same))
            lines.append(_("There are two ({names}); whoever has laid one never lays the other.").format(names=names))
    return tuple(lines)


def _stone(rules: Ruleset) -> str:
    return _("an unclaimed stone") if rules.siege is None else _("a tile")


def _lying(rules: Ruleset, targetable: bool) -> tuple[str, ...]:
    """Where a mode lies, and what may befall it."""
    reach = [each.text for each in rules.decks[1].cards if each.power in (Power.REDEPLOY, Power.DESERT)]
    if not targetable:
        return (_("It stays there to the end of the game."),)
    return (
        _("It lies on your side without taking a card's room; {cards} can take it.").format(cards=", ".join(reach)),
    )


def _what(rules: Ruleset) -> str:
    tactics, clan = rules.tactics, rules.decks[0].name
    assert tactics is not None
    if tactics.ruses_take != "any":
        what = _("a {clan} card or a mode") if tactics.modes_targetable else _("a {clan} card")
        return what.format(clan=clan)
    if tactics.modes_targetable:
        return _("a card, {clan} or tactic, a mode too,").format(clan=clan)
    return _("a card, {clan} or tactic,").format(clan=clan)
