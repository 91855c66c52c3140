"""How a playthrough tells events, stones, hands and memories: in words of its own, so that no screen can spoil it."""

from __future__ import annotations

from typing import assert_never

from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.step import (
    Awarded,
    Betrayed,
    Claimed,
    Controlled,
    Dealt,
    Discarded,
    Drew,
    Eliminated,
    Ended,
    Event,
    Exchanged,
    Gave,
    Moved,
    Passed,
    Played,
    Poured,
    Recruited,
    Retreated,
    Returned,
    Skipped,
    Supported,
    Used,
)
from p2p_schotten.engine.table import Table
from p2p_schotten.engine.view import View, view
from p2p_schotten.ids import SEATS

CONTESTS = {
    "_": "any formation",
    "+": "highest sum",
    "-": "lowest sum",
    "c": "a colour",
    "r": "a run",
    "=": "the same strength",
}


def event_text(rules: Ruleset, event: Event) -> str:
    """One event in a few words."""
    text = rules.text
    match event:
        case Dealt():
            return f"dealt {event.count} each, seat {event.first} begins"
        case Played():
            return f"seat {event.seat} lays {text(event.card)} on {event.stone + 1}"
        case Claimed():
            return f"seat {event.seat} claims {event.stone + 1}"
        case Drew():
            return f"seat {event.seat} draws ({rules.decks[event.deck].name})"
        case Passed():
            return f"seat {event.seat} passes"
        case Skipped():
            return f"seat {event.seat} is skipped"
        case Awarded():
            return f"stone {event.stone + 1} goes to seat {event.seat}"
        case Used():
            return f"seat {event.seat} plays {text(event.card)}"
        case Moved():
            return f"{text(event.card)} of seat {event.seat} goes from {event.source + 1} to {event.stone + 1}"
        case Betrayed():
            return f"{text(event.card)} goes over to seat {event.seat}, from {event.source + 1} to {event.stone + 1}"
        case Recruited():
            return f"{text(event.card)} comes from the discard to seat {event.seat} on {event.stone + 1}"
        case Discarded():
            return f"{rules.texts(event.cards)} of seat {event.seat} is discarded from {event.stone + 1}"
        case Eliminated():
            return f"{rules.texts(event.cards)} meet on {event.stone + 1} and are discarded"
        case Returned():
            return f"seat {event.seat} puts a card back ({rules.decks[event.deck].name})"
        case Gave():
            return f"seat {event.seat} names {' '.join(rules.decks[deck].name for deck in event.decks)}"
        case Exchanged():
            return f"{event.count} cards change hands each way"
        case Supported():
            return f"{rules.texts(event.cards)} are shuffled into the pile"
        case Poured():
            return f"seat {event.seat} pours oil on {event.stone + 1}, {event.left} left"
        case Retreated():
            return f"seat {event.seat} retreats from {event.stone + 1}"
        case Controlled():
            return f"seat {event.seat} controls {event.stone + 1}"
        case Ended():
            end = event.outcome
            winner = "drawn" if end.winner is None else f"seat {end.winner} wins"
            return f"the end: {winner}, {end.reason.value}, points {end.points[0]}:{end.points[1]}"
        case _:
            assert_never(event)


def tiles_text(rules: Ruleset) -> list[str]:
    """What each tile asks for, where they are not all alike."""
    if len(set(rules.tiles)) == 1:
        return []
    lines = []
    for number, tile in enumerate(rules.tiles, 1):
        back = tile.damaged
        damaged = "" if back is None else f"; damaged (!): {back.size} cards, {CONTESTS[back.contest]}"
        lines.append(f"# tile {number}: {tile.size} cards, {CONTESTS[tile.contest]}{damaged}")
    return lines


def board(table: Table) -> list[str]:
    """What lies there, then one line per seat with its view: sides stone by stone, hand and memory."""
    views = [view(table.state, seat, table.hands[seat], table.memories[seat]) for seat in SEATS]
    return [*_beside(table), *map(_line, views)]


def _beside(table: Table) -> list[str]:
    state, rules = table.state, table.state.rules
    beside = state.beside
    parts = []
    if rules.siege is not None:
        parts.append(f"attacker seat {beside.attacker}, oil {beside.oil}")
    if rules.tactics is not None:
        parts.append(f"tactics played {beside.tactics[0]}:{beside.tactics[1]}")
    parts += [
        f"{rules.text(card)} of seat {seat} at {number}"
        for number, stone in enumerate(state.stones, 1)
        for seat, card in stone.ground.modes
    ]
    if beside.discard:
        parts.append(f"discard {rules.texts(beside.discard)}")
    return [f"    {'; '.join(parts)}"] if parts else []


def _line(seen: View) -> str:
    rules = seen.state.rules
    sides = [
        ("*" if stone.owner == seen.seat else "")
        + ("!" if stone.ground.damaged else "")
        + (rules.texts(stone.cards(seen.seat)) or "-")
        for stone in seen.state.stones
    ]
    memory = [
        f"{what} {rules.texts(cards)}"
        for what, cards in (("returned", seen.memory.returned), ("gave", seen.memory.given))
        if cards
    ]
    hand = f"hand {rules.texts(seen.hand)}".rstrip()
    return f"    {seen.seat} | {' | '.join(f'{side:9}' for side in sides)} | {', '.join([hand, *memory])}"


def played(rules: Ruleset, text: str) -> set[str]:
    """The faces of the tactic cards that were laid or played in a playthrough."""
    faces = {card.text for card in rules.cards if card.power is not None}
    ways = [f"seat {seat} {verb} {{}}" for seat in SEATS for verb in ("lays", "plays")]
    lines = {part.split(" on ")[0] for part in text.replace("; ", "\n").split("\n")}
    return {face for face in faces if any(way.format(face) in {line.strip() for line in lines} for way in ways)}
