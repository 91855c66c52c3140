"""Rules, positions, views and events as fields for JSON, in one place; docs/json.md and docs/bots.md list every one."""

from __future__ import annotations

from typing import assert_never

from p2p_schotten.engine import step
from p2p_schotten.engine.cards import Card
from p2p_schotten.engine.ruleset import Ruleset, Tile
from p2p_schotten.engine.state import State, Stone
from p2p_schotten.engine.view import View
from p2p_schotten.ids import SEATS, CardId

Fields = dict[str, object]

OnTable = step.Used | step.Moved | step.Betrayed | step.Recruited | step.Discarded | step.Eliminated
Beside = step.Returned | step.Gave | step.Exchanged | step.Supported | step.Poured | step.Retreated | step.Controlled


def rules_fields(rules: Ruleset) -> Fields:
    """Everything that defines the game: who has read this knows its cards, its stones and how it is won."""
    tactics, siege = rules.tactics, rules.siege
    return {
        "name": rules.name,
        "flags": dict(rules.flags),
        "decks": [{"name": deck.name, "cards": list(map(_card, deck.cards))} for deck in rules.decks],
        "hand_size": rules.hand_size,
        "tiles": list(map(_tile, rules.tiles)),
        "claims": rules.claims.value,
        "adjacent": rules.adjacent,
        "majority": rules.majority,
        "win_points": rules.win_points,
        "colour_run_bonus": rules.colour_run_bonus,
        "tactics": None
        if tactics is None
        else {
            "joker_limit": tactics.joker_limit,
            "ruses_take": tactics.ruses_take,
            "modes_targetable": tactics.modes_targetable,
            "return_to": tactics.return_to,
        },
        "siege": None
        if siege is None
        else {"oil": siege.oil, "breach": siege.breach, "full_defender_wins": siege.full_defender_wins},
    }


def _card(card: Card) -> Fields:
    if card.power is None:
        return {"text": card.text, "colour": card.colour, "value": card.value}
    wild = None if card.wild is None else list(card.wild)
    return {"text": card.text, "power": card.power.value, "title": card.title, "wild": wild}


def _tile(tile: Tile) -> Fields:
    damaged = None if tile.damaged is None else _tile(tile.damaged)
    return {"size": tile.size, "contest": tile.contest.value, "damaged": damaged}


def view_fields(view: View) -> Fields:
    """All that one seat knows: its hand, the public position, and the hidden cards that it remembers."""
    hand = card_texts(view.state.rules, view.hand)
    return {"seat": view.seat, "hand": hand, "position": position(view.state)} | remembered_fields(view)


def remembered_fields(view: View) -> Fields:
    """With tactic cards, what the seat put back into a pile and what it gave away; else there is nothing."""
    rules, memory = view.state.rules, view.memory
    if rules.tactics is None:
        return {}
    return {"returned": card_texts(rules, memory.returned), "given": card_texts(rules, memory.given)}


def position(state: State) -> Fields:
    """The public position. Stones stand in their order; where one is named by a number, they count from 1."""
    rules, beside = state.rules, state.beside
    fields: Fields = {
        "rules": rules.name,
        "flags": dict(rules.flags),
        "turn": state.turn,
        "to_move": state.to_move,
        "phase": state.phase.name.lower(),
        "stones": [_stone(state, stone) for stone in state.stones],
        "claimable": [stone + 1 for stone in state.claimable],
        "piles": {deck.name: count for deck, count in zip(rules.decks, state.piles, strict=True)},
        "hands": [sum(counts) for counts in state.hands],
        "discard": card_texts(rules, beside.discard),
    }
    if rules.tactics is not None:
        backs = [{deck.name: count for deck, count in zip(rules.decks, counts, strict=True)} for counts in state.hands]
        fields |= {"backs": backs, "tactics": list(beside.tactics), "jokers": list(beside.jokers), "left": beside.left}
    if rules.siege is not None:
        fields |= {"attacker": beside.attacker, "oil": beside.oil}
    return fields


def _stone(state: State, stone: Stone) -> Fields:
    rules, terms = state.rules, stone.sides[0].terms
    fields: Fields = {
        "sides": [card_texts(rules, stone.cards(seat)) for seat in SEATS],
        "owner": stone.owner,
        "first": next((seat for seat in SEATS if stone.first_complete(seat)), None),
        "size": terms.size,
        "contest": terms.contest.value,
    }
    if rules.tactics is not None:
        fields["modes"] = [{"card": rules.text(card), "seat": seat} for seat, card in stone.ground.modes]
    if rules.siege is not None:
        fields["damaged"] = stone.ground.damaged
    return fields


def describe_step(event: step.Event, state: State) -> tuple[str, Fields]:
    """What an event is called, and its fields; `state` is the position after its step."""
    match event:
        case step.Dealt(count, first):
            return "dealt", {"cards": count, "first": first}
        case step.Played(seat, card, stone):
            return "played", {"seat": seat, "card": state.rules.text(card), "stone": stone + 1}
        case step.Claimed(seat, stone):
            return "claimed", {"seat": seat, "stone": stone + 1}
        case step.Drew(seat, deck):
            name = state.rules.decks[deck].name
            return "drew", {"seat": seat, "deck": name, "left": state.piles[deck]}
        case step.Passed(seat):
            return "passed", {"seat": seat}
        case step.Skipped(seat):
            return "skipped", {"seat": seat}
        case step.Awarded(seat, stone):
            return "awarded", {"seat": seat, "stone": stone + 1}
        case step.Ended(outcome):
            return "ended", outcome_fields(outcome)
        case step.Used() | step.Moved() | step.Betrayed() | step.Recruited() | step.Discarded() | step.Eliminated():
            return _describe_table(event, state.rules)
        case _:
            return _describe_beside(event, state.rules)


def _describe_table(event: OnTable, rules: Ruleset) -> tuple[str, Fields]:
    match event:
        case step.Used(seat, card):
            return "used", {"seat": seat, "card": rules.text(card)}
        case step.Moved(seat, card, source, stone):
            return "moved", {"seat": seat, "card": rules.text(card), "source": source + 1, "stone": stone + 1}
        case step.Betrayed(seat, card, source, stone):
            return "betrayed", {"seat": seat, "card": rules.text(card), "source": source + 1, "stone": stone + 1}
        case step.Recruited(seat, card, stone):
            return "recruited", {"seat": seat, "card": rules.text(card), "stone": stone + 1}
        case step.Discarded(seat, cards, stone):
            return "discarded", {"seat": seat, "cards": card_texts(rules, cards), "stone": stone + 1}
        case step.Eliminated(cards, stone):
            return "eliminated", {"cards": card_texts(rules, cards), "stone": stone + 1}
        case _:
            assert_never(event)


def _describe_beside(event: Beside, rules: Ruleset) -> tuple[str, Fields]:
    match event:
        case step.Returned(seat, deck):
            return "returned", {"seat": seat, "deck": rules.decks[deck].name}
        case step.Gave(seat, decks):
            return "gave", {"seat": seat, "decks": [rules.decks[deck].name for deck in decks]}
        case step.Exchanged(count):
            return "exchanged", {"cards": count}
        case step.Supported(seat, cards):
            return "supported", {"seat": seat, "cards": card_texts(rules, cards)}
        case step.Poured(seat, stone, left):
            return "poured", {"seat": seat, "stone": stone + 1, "left": left}
        case step.Retreated(seat, stone):
            return "retreated", {"seat": seat, "stone": stone + 1}
        case step.Controlled(seat, stone):
            return "controlled", {"seat": seat, "stone": stone + 1}
        case _:
            assert_never(event)


def outcome_fields(outcome: step.Outcome) -> Fields:
    """Who won (null: drawn), why, and the points by seat."""
    return {"winner": outcome.winner, "reason": outcome.reason.value, "points": list(outcome.points)}


def card_texts(rules: Ruleset, cards: tuple[CardId, ...]) -> list[str]:
    """Each card as it is written everywhere."""
    return [rules.text(card) for card in cards]
